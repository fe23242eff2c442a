"""The function of one name in tfc and in the libraries beside it, each where it is installed.

All take NumPy arrays and give what `np.asarray` makes one of.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np

from .measure import Compute

_NUMPY = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh",
    "atan": "arctan", "atan2": "arctan2", "atanh": "arctanh", "floormod": "mod",
    "pow": "power", "truncatemod": "fmod",
}  # fmt: skip
_JAX = _NUMPY | {
    "bessel_i0": "i0", "bessel_i0e": "i0e", "bessel_i1": "i1", "bessel_i1e": "i1e",
    "expint": "expi", "igamma": "gammainc", "igammac": "gammaincc", "lgamma": "gammaln",
    "sigmoid": "expit",
}  # fmt: skip


def named(module: Any, name: str) -> Compute | None:
    """The function in tf.math, tf.math.special or tf itself."""
    for place in (module.math, module.math.special, module):
        if hasattr(place, name):
            result: Compute = getattr(place, name)
            return result
    return None


def _tfc(name: str) -> Compute | None:
    import tfc

    f = named(tfc, name)
    return f and (lambda *x: f(*map(tfc.constant, x)).numpy())


def _numpy(name: str) -> Compute | None:
    f = getattr(np, _NUMPY.get(name, name), None)
    return f if isinstance(f, np.ufunc) else None


def _jax(name: str) -> Compute | None:
    jax = _imported("jax")
    special = importlib.import_module("jax.scipy.special")
    jax.config.update("jax_enable_x64", True)  # float64 is float32 without
    if name == "polygamma":  # whose order is an integer there
        return jax.jit(lambda n, x: special.polygamma(n.astype(int), x))
    for module in (special, jax.numpy, jax.nn, jax.lax):
        f = getattr(module, _JAX.get(name, name), None)
        if f is not None:
            return jax.jit(f)
    return None


def _tensorflow(name: str) -> Compute | None:
    return named(_imported("tensorflow"), name)


@cache
def _imported(name: str) -> Any:
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    return importlib.import_module(name)


# By the name in the table: that of the package, and who finds functions there.
_ALL: dict[str, tuple[str, Callable[[str], Compute | None]]] = {
    "tfc": ("tfc-lang", _tfc),
    "NumPy": ("numpy", _numpy),
    "JAX": ("jax", _jax),
    "TensorFlow": ("tensorflow-cpu", _tensorflow),
}


_REFUSALS = ("InvalidArgumentError", "NotFoundError", "UnimplementedError")


def installed() -> list[str]:
    """The contenders that can be asked, tfc first."""
    modules = {"JAX": "jax", "TensorFlow": "tensorflow"}
    return [
        name
        for name in _ALL
        if name not in modules or importlib.util.find_spec(modules[name]) is not None
    ]


def versions(names: Sequence[str]) -> str:
    """The names and versions of contenders."""
    found = []
    for name in names:
        package = _ALL[name][0]
        for candidate in (package, package.removesuffix("-cpu")):
            try:
                found.append(f"{name} {metadata.version(candidate)}")
                break
            except metadata.PackageNotFoundError:
                continue
        else:
            found.append(name)
    return ", ".join(found)


def computations(
    name: str, contenders: Sequence[str], dtype: Any, operands: int = 1
) -> dict[str, Compute]:
    """The function of this name of each contender that has it for this dtype."""
    found = {}
    for contender in contenders:
        compute = _ALL[contender][1](name)
        if compute is not None and _takes(compute, [np.full(2, 0.5, dtype)] * operands):
            found[contender] = compute
    return found


def _takes(compute: Compute, operands: list[np.ndarray]) -> bool:
    """Whether a function takes such operands, and gives what they are."""
    try:
        return bool(np.asarray(compute(*operands)).dtype == operands[0].dtype)
    except (TypeError, ValueError, NotImplementedError, LookupError):
        return False
    except Exception as error:  # each library has errors of its own
        if type(error).__name__ in _REFUSALS:
            return False
        raise
