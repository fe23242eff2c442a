"""Functions of one operand with 40 digits, by mpmath."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath as mp
import numpy as np

from . import float64

DIGITS = 40
LEAST = mp.mpf(2) ** -1074  # what is smaller is a float64 of this size

_ELEMENTARY: dict[str, Callable[[Any], Any]] = {
    "sqrt": mp.sqrt,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "exp": mp.exp,
    "expm1": mp.expm1,
    "log": mp.log,
    "log1p": mp.log1p,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "log_sigmoid": lambda x: -mp.log1p(mp.exp(-x)),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "erfinv": mp.erfinv,
}


def values(name: str, x: np.ndarray) -> Sequence[Any]:
    """The function of these numbers; None where mpmath has no finite real result that is not zero,
    or none at all."""
    f = _ELEMENTARY.get(name) or (lambda v: float64.SPECIAL[name].exact(mp, v))
    with mp.workdps(DIGITS):
        return [_value(f, mp.mpf(float(v))) if np.isfinite(v) else None for v in x]


def _value(f: Callable[[Any], Any], x: Any) -> Any:
    try:
        y = f(x)
    except (ValueError, ZeroDivisionError, OverflowError, NotImplementedError):
        return None  # a pole, or beside the domain
    if isinstance(y, mp.mpc) and y.imag != 0:
        return None
    y = mp.re(y)
    if not mp.isfinite(y) or y == 0:
        return None
    return y if abs(y) >= LEAST else mp.sign(y) * LEAST
