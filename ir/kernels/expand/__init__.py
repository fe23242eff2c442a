"""What kernels compute in place of ops that no machine has, such as polynomials for exp.

Each function takes and gives `Scalar`s and bears the name of the op that it expands; the op's class
names the module (`expansion = "exponential"`). A function for several dtypes gives None for those
whose op machines have. See scalar.py for what an emitter must offer.

The modules are imported when one of their functions is first asked for: few programs need many.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType

from ...ops.elementwise import Elementwise
from .scalar import Emitter, Scalar

__all__ = ["Emitter", "Scalar", "expansion"]


def expansion(op: type[Elementwise]) -> Callable[..., Scalar | None] | None:
    """The function that writes an op in terms of others; None for one that all machines have."""
    if op.expansion is None:
        return None
    function: Callable[..., Scalar | None] = getattr(_module(op.expansion), op.mnemonic)
    return function


@cache
def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
