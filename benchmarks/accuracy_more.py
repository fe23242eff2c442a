"""What accuracy.py measures beside float32 functions of one operand: float64, and two operands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import tfc as tf

Compute = Callable[..., np.ndarray]

_NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh"}
_NUMPY |= {"acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2", "pow": "power"}
_NUMPY |= {"truncatemod": "fmod", "floormod": "mod"}
_JAX = {"lgamma": "gammaln", "ndtri": "ndtri", "digamma": "digamma", "bessel_i0e": "i0e"}
_JAX |= {"bessel_i1e": "i1e", "bessel_i0": "i0", "bessel_i1": "i1", "erfinv": "erfinv"}
_JAX |= {"erf": "erf", "erfc": "erfc", "spence": "spence", "sigmoid": "expit"}
_JAX |= {"igamma": "gammainc", "igammac": "gammaincc", "betainc": "betainc", "zeta": "zeta"}


@cache
def _jax() -> Any:
    try:
        import jax
    except ImportError:
        return None
    import jax.scipy.special

    jax.config.update("jax_enable_x64", True)
    return jax


def peers(name: str) -> tuple[Compute | None, Compute | None]:
    """The function of this name in NumPy and in JAX, where there is one."""
    own = getattr(np, _NUMPY.get(name, name), None)
    if own is not None and not isinstance(own, np.ufunc):
        own = None
    jax = _jax()
    if jax is None:
        return own, None
    places = (
        (jax.scipy.special, _JAX.get(name, "")),
        (jax.numpy, _NUMPY.get(name, name)),
        (jax.nn, name),
        (jax.lax, name),
    )
    for module, known in places:
        found = getattr(module, known, None) if known else None
        if found is not None:
            compiled = jax.jit(found)
            return own, lambda *x, compiled=compiled: np.asarray(compiled(*x))
    return own, None


def _mpmath() -> dict[str, tuple[Any, float, float, float]]:
    """Of each function: its reference, the range of magnitudes, and the bound in ulp."""
    import mpmath as mp

    mp.mp.dps = 40
    wide = (1e-5, 30.0, 1.0)
    unit = (1e-5, 0.9999, 1.0)
    table: dict[str, tuple[Any, float, float, float]] = {
        name: (getattr(mp, name), *wide)
        for name in ("exp", "expm1", "tanh", "atan", "sinh", "cosh", "asinh", "erf", "erfc")
    }
    table |= {name: (getattr(mp, name), 1e-5, 1e8, 1.0) for name in ("sin", "cos", "tan")}
    table |= {name: (getattr(mp, name), *unit) for name in ("asin", "acos", "atanh")}
    table["log"] = (mp.log, 1e-30, 1e30, 1.0)
    table["log1p"] = (mp.log1p, 1e-10, 1e10, 1.0)
    table["acosh"] = (mp.acosh, 1.0001, 1e5, 1.0)
    table["rsqrt"] = (lambda x: 1 / mp.sqrt(x), 1e-30, 1e30, 1.0)
    table["sigmoid"] = (lambda x: 1 / (1 + mp.exp(-x)), *wide)
    table["lgamma"] = (mp.loggamma, 1e-5, 1e4, 8.0)
    table["digamma"] = (mp.digamma, 1e-5, 1e4, 8.0)
    table["erfinv"] = (mp.erfinv, 1e-5, 0.9999, 4.0)
    table["erfcinv"] = (lambda x: mp.erfinv(1 - x), 1e-12, 1.0, 4.0)
    for order in (0, 1):
        for kind in "ik":
            f = getattr(mp, f"bessel{kind}")
            table[f"bessel_{kind}{order}"] = (lambda x, f=f, n=order: f(n, x), 1e-3, 100.0, 8.0)
    table["dawsn"] = (
        lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x),
        1e-5,
        9.0,
        4.0,
    )
    table["spence"] = (lambda x: mp.re(mp.polylog(2, 1 - x)), 1e-5, 1e5, 4.0)
    return table


# Beside random ones: inputs next to multiples of pi/2 and other known hard cases (J.-M. Muller,
# Elementary Functions, 2016, chapter 12).
_HARD = {
    "sin": (5319372648326541.0, 3.141592653589793, 22.0, 710.0, 1e22),
    "cos": (1.5707963267948966, 11.0, 6381956970095103.0, 1e22),
    "tan": (1.5707963267948966, 5319372648326541.0, 1e22),
    "log": (1.0000000000000002, 0.9999999999999999, 0.6973346016594583),
    "exp": (7.5417527749959590085206221e-10, 1e-300, 709.78, -745.1),
}


def _ulps(got: np.ndarray, exact: list[Any]) -> np.ndarray:
    """The distance of float64 results from exact numbers."""
    return np.array(
        [
            float(abs(float(g) - e)) / np.spacing(abs(float(e))) if np.isfinite(g) else np.inf
            for g, e in zip(got, exact, strict=True)
        ]
    )


def _report(name: str, errors: list[np.ndarray | None], bound: float) -> bool:
    shown = ["" if e is None else f"{np.max(e):.4g}" for e in errors]
    kept = bool(np.max(errors[0]) <= bound)  # type: ignore[arg-type]
    print(f"| {name} | {shown[0]} | {bound:g} | {' | '.join(shown[1:])} |"
          + ("" if kept else "  EXCEEDED"), flush=True)  # fmt: skip
    return kept


def _head(what: str) -> None:
    print(f"{what}; the largest error in ulp")
    print("| function | tfc | bound | NumPy | JAX |\n| --- | ---: | ---: | ---: | ---: |")


def float64(names: list[str], count: int = 500) -> int:
    """Random magnitudes, evenly spread over orders, and known hard cases, against mpmath."""
    import mpmath as mp

    _head(f"float64, {count} random inputs a function and known hard ones")
    fine = True
    for name, (reference, low, high, bound) in _mpmath().items():
        if names and name not in names:
            continue
        rng = np.random.default_rng(1)
        x = np.exp(rng.uniform(np.log(low), np.log(high), count))
        x = np.concatenate([x, np.array(_HARD.get(name, ()))])
        exact = [reference(mp.mpf(float(v))) for v in x]
        ours = getattr(tf.math, name, None) or getattr(tf.math.special, name)
        computed = [ours(tf.constant(x)).numpy()]
        errors: list[np.ndarray | None] = [_ulps(computed[0], exact)]
        with np.errstate(all="ignore"):
            errors += [None if p is None else _ulps(p(x), exact) for p in peers(name)]
        fine = _report(name, errors, bound) and fine
    return 0 if fine else 1


def binary(names: list[str], count: int = 200_000) -> int:
    """Functions of several float32 operands on random magnitudes, against float64 ones."""
    from scipy import special

    from benchmarks.accuracy import ulps

    rng = np.random.default_rng(1)

    def spread(low: float, high: float, signs: bool = False) -> np.ndarray:
        x = np.exp(rng.uniform(np.log(low), np.log(high), count))
        return (x * rng.choice([-1, 1], count) if signs else x).astype(np.float32)

    shape, near = spread(0.05, 50), spread(0.5, 2)
    unit = rng.uniform(0.05, 0.95, count).astype(np.float32)
    table: dict[str, tuple[Any, tuple[np.ndarray, ...], float]] = {
        "pow": (np.power, (spread(1e-20, 1e20), spread(1e-3, 5, True)), 1.0),
        "atan2": (np.arctan2, (spread(1e-20, 1e20, True), spread(1e-20, 1e20, True)), 1.0),
        "floormod": (np.mod, (spread(1e-6, 1e6, True), spread(1e-6, 1e6, True)), 1.0),
        "truncatemod": (np.fmod, (spread(1e-30, 1e30, True), spread(1e-30, 1e30, True)), 0.0),
        "xlogy": (special.xlogy, (spread(1e-10, 1e10), spread(2, 1e10)), 2.0),
        "zeta": (special.zeta, (spread(1.1, 30), spread(0.1, 20)), 1.0),
        "igamma": (special.gammainc, (shape, shape * near), 1.0),
        "igammac": (special.gammaincc, (shape, shape * near), 1.0),
        "betainc": (special.betainc, (shape, shape[::-1].copy(), unit), 1.0),
    }
    _head(f"float32, {count} random inputs a function")
    fine = True
    for name, (reference, operands, bound) in table.items():
        if names and name not in names:
            continue
        with np.errstate(all="ignore"):
            exact = np.asarray(reference(*(x.astype(np.float64) for x in operands)))
            ours = getattr(tf.math, name, None) or getattr(tf, name)
            results = [ours(*map(tf.constant, operands)).numpy()]
            results += [None if p is None else p(*operands) for p in peers(name)]
            errors = [None if r is None else ulps(np.asarray(r), exact) for r in results]
        fine = _report(name, errors, bound) and fine
    return 0 if fine else 1
