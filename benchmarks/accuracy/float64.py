"""float64: elementary functions against long double, special ones against mpmath.

Long double has 64 bits on x86-64, so that its functions, good to an ulp of their own, are exact to
0.001 ulp of float64; elsewhere (`np.finfo(np.longdouble)` tells) the table is refused. Inputs are
spread in three ways: evenly over a range, evenly over its orders of magnitude, and over all bit
patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from . import hard
from .contenders import computations
from .measure import Result

CHUNK = 1 << 13  # arrays of long double above 128 KB get fresh pages each time
SLOW = 3000  # inputs of a function whose reference is mpmath

Reference = Callable[[Any], Any]


@dataclass(frozen=True)
class Elementary:
    """A function that long double has."""

    exact: Reference
    largest: float = 1e300  # of the range over which inputs are spread
    smallest: float = 1e-20
    hard: Callable[[], np.ndarray] | None = None  # inputs to try beside others
    bound: float = 1.0


@dataclass(frozen=True)
class Special:
    """A function that mpmath has: of numbers of the range, and of their negatives too."""

    exact: Callable[[Any, Any], Any]  # (mpmath, x)
    smallest: float
    largest: float
    bound: float
    both_signs: bool = False
    scale: Callable[[np.ndarray], np.ndarray] | None = None  # ulps of this, where it is larger


_ELEMENTARY = {
    "sqrt": Elementary(np.sqrt),
    "rsqrt": Elementary(lambda x: 1 / np.sqrt(x)),
    "reciprocal": Elementary(lambda x: 1 / x),
    "exp": Elementary(np.exp, 750, hard=hard.multiples_of_log_two),
    "expm1": Elementary(np.expm1, 750, hard=hard.multiples_of_log_two),
    "log": Elementary(np.log),
    "log1p": Elementary(np.log1p),
    "sigmoid": Elementary(lambda x: 1 / (1 + np.exp(-x)), 750, hard=hard.multiples_of_log_two),
    "softplus": Elementary(
        lambda x: np.logaddexp(x, np.longdouble(0)), 750, hard=hard.multiples_of_log_two
    ),
    "log_sigmoid": Elementary(
        lambda x: -np.logaddexp(-x, np.longdouble(0)), 750,
        hard=hard.multiples_of_log_two,
    ),
    "sin": Elementary(np.sin, 1e4, hard=hard.multiples_of_half_pi),
    "cos": Elementary(np.cos, 1e4, hard=hard.multiples_of_half_pi),
    "tan": Elementary(np.tan, 1e4, hard=hard.multiples_of_half_pi),
    "asin": Elementary(np.arcsin, 1),
    "acos": Elementary(np.arccos, 1),
    "atan": Elementary(np.arctan, 10),
    "sinh": Elementary(np.sinh, 712, hard=hard.multiples_of_log_two),
    "cosh": Elementary(np.cosh, 712, hard=hard.multiples_of_log_two),
    "tanh": Elementary(np.tanh, 25, hard=hard.multiples_of_log_two),
    "asinh": Elementary(np.arcsinh, 100),
    "acosh": Elementary(np.arccosh, 100, 1.0),
    "atanh": Elementary(np.arctanh, 1),
}  # fmt: skip


def _erfcinv(mp: Any, x: Any) -> Any:
    """By Newton's method, from SciPy's."""
    y = mp.mpf(float(special.erfcinv(float(x))))
    for _ in range(2):
        y += (mp.erfc(y) - x) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return y


def _wave(x: np.ndarray) -> np.ndarray:
    """The amplitude of the Bessel functions of x, and 1 where that is larger."""
    return np.minimum(1.0, np.sqrt(2 / (np.pi * np.abs(x))))


def _one(x: np.ndarray) -> np.ndarray:
    return np.ones_like(x)


def _logarithm(x: np.ndarray) -> np.ndarray:
    """The size of digamma of -x before reflection."""
    return 1 + np.log1p(x)


SPECIAL = {
    "erf": Special(lambda mp, x: mp.erf(x), 1e-20, 7, 1, both_signs=True),
    "erfc": Special(lambda mp, x: mp.erfc(x), 1e-20, 26.5, 1, both_signs=True),
    "erfinv": Special(lambda mp, x: _erfcinv(mp, 1 - x), 1e-10, 0.9999999, 5, both_signs=True),
    "erfcinv": Special(_erfcinv, 1e-300, 2, 5),
    "ndtri": Special(lambda mp, x: -mp.sqrt(2) * _erfcinv(mp, 2 * x), 1e-300, 0.5, 8),
    "lgamma": Special(lambda mp, x: mp.loggamma(x), 1e-20, 1e4, 8),
    "lgamma of negatives": Special(
        lambda mp, x: mp.log(abs(mp.gamma(-x))), 1e-5, 100, 8, scale=lambda x: 1 + 3 * abs(x)
    ),
    "digamma": Special(lambda mp, x: mp.digamma(x), 1e-20, 1e4, 8),
    "digamma of negatives": Special(lambda mp, x: mp.digamma(-x), 1e-5, 100, 8, scale=_logarithm),
    "bessel_i0": Special(lambda mp, x: mp.besseli(0, x), 1e-5, 700, 8, both_signs=True),
    "bessel_i0e": Special(
        lambda mp, x: mp.besseli(0, x) * mp.exp(-abs(x)), 1e-5, 1e4, 8, both_signs=True
    ),
    "bessel_i1": Special(lambda mp, x: mp.besseli(1, x), 1e-5, 700, 8, both_signs=True),
    "bessel_i1e": Special(
        lambda mp, x: mp.besseli(1, x) * mp.exp(-abs(x)), 1e-5, 1e4, 8, both_signs=True
    ),
    "bessel_k0": Special(lambda mp, x: mp.besselk(0, x), 1e-5, 690, 8),
    "bessel_k0e": Special(lambda mp, x: mp.besselk(0, x) * mp.exp(x), 1e-5, 1e4, 8),
    "bessel_k1": Special(lambda mp, x: mp.besselk(1, x), 1e-5, 690, 8),
    "bessel_k1e": Special(lambda mp, x: mp.besselk(1, x) * mp.exp(x), 1e-5, 1e4, 8),
    "bessel_j0": Special(lambda mp, x: mp.besselj(0, x), 1e-5, 1e4, 8, True, _wave),
    "bessel_j1": Special(lambda mp, x: mp.besselj(1, x), 1e-5, 1e4, 8, True, _wave),
    "bessel_y0": Special(lambda mp, x: mp.bessely(0, x), 1e-5, 1e4, 16, scale=_wave),
    "bessel_y1": Special(lambda mp, x: mp.bessely(1, x), 1e-5, 1e4, 8, scale=_wave),
    "dawsn": Special(
        lambda mp, x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x), 1e-5, 50, 5, True
    ),
    "expint": Special(lambda mp, x: mp.ei(x) if x >= 0 else mp.nan, 1e-10, 700, 5, scale=_one),
    "fresnel_cos": Special(lambda mp, x: mp.fresnelc(x), 1e-5, 100, 5, True),
    "fresnel_sin": Special(lambda mp, x: mp.fresnels(x), 1e-5, 100, 5, True),
    "spence": Special(
        lambda mp, x: mp.re(mp.polylog(2, 1 - x)) if x >= 0 else mp.nan, 1e-10, 1e5, 5
    ),
}
NAMES = (*_ELEMENTARY, *SPECIAL)


def extended(mp: Any, numbers: Sequence[Any]) -> np.ndarray:
    """Numbers of mpmath as long double."""
    found = []
    for number in numbers:
        if mp.isfinite(number) and number:
            digits, exponent = mp.frexp(number)
            found.append(np.ldexp(np.longdouble(int(mp.ldexp(digits, 64))), exponent - 64))
        else:
            found.append(np.longdouble(float(number)))
    return np.array(found, np.longdouble)


def inputs(f: Elementary, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random inputs, spread in three ways."""
    third = count // 3
    even = rng.uniform(-f.largest, f.largest, third)
    low, high = np.log(f.smallest), np.log(f.largest)
    orders = np.exp(rng.uniform(low, high, third)) * rng.choice((-1.0, 1.0), third)
    patterns = rng.integers(0, 1 << 64, count - 2 * third, dtype=np.uint64).view(np.float64)
    return np.concatenate([even, orders, patterns])


def check(name: str, contenders: Sequence[str] = ("tfc",), count: int = 10**6) -> Result:
    """The errors of the function on so many random float64 and on hard ones."""
    if np.finfo(np.longdouble).nmant < 63:
        raise RuntimeError("long double has no 64 bits here: there is no reference for float64")
    if name in SPECIAL:
        return _check_special(name, contenders, min(count, SLOW))
    f, compute = _ELEMENTARY[name], computations(name, contenders, np.float64)
    result, rng = Result(name, f.bound), np.random.default_rng(1)
    known = [hard.near_powers(), hard.table_splits(), *([f.hard()] if f.hard else [])]
    pieces = [x[i : i + CHUNK] for x in known for i in range(0, x.size, CHUNK)]
    for x in pieces:
        result.take(compute, (x,), _exact(f, x))
    for _ in range(-(-count // CHUNK)):
        x = inputs(f, CHUNK, rng)
        result.take(compute, (x,), _exact(f, x))
    return result


def _exact(f: Elementary, x: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        result: np.ndarray = f.exact(x.astype(np.longdouble))
    return result


def _check_special(name: str, contenders: Sequence[str], count: int) -> Result:
    import mpmath as mp

    f = SPECIAL[name]
    short = name.split()[0]  # "lgamma of negatives" is lgamma
    compute, rng = computations(short, contenders, np.float64), np.random.default_rng(1)
    low, high = np.log(f.smallest), np.log(f.largest)
    orders = np.exp(rng.uniform(low, high, count - count // 2))
    x = np.minimum(
        np.concatenate([orders, rng.uniform(f.smallest, f.largest, count // 2)]), f.largest
    )
    if f.both_signs:
        x *= rng.choice((-1.0, 1.0), count)
    with mp.workdps(40):
        exact = extended(mp, [f.exact(mp, mp.mpf(float(v))) for v in x])
    result = Result(name, f.bound)
    result.take(compute, (-x if short != name else x,), exact, None if f.scale is None
                else f.scale(x).astype(np.longdouble))  # fmt: skip
    return result
