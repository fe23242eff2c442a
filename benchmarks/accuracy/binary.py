"""Functions of several operands, of float32 and of float64, on random operands.

float32 has NumPy's and SciPy's functions of float64 as references, float64 those of long double, or
mpmath where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from .contenders import computations
from .float64 import SLOW, extended
from .measure import Result

CHUNK = 1 << 13

Operands = tuple[np.ndarray, ...]
Draw = Callable[[np.random.Generator, int, Any], Operands]


@dataclass(frozen=True)
class Function:
    """A function, its operands, its references, and the bounds for float32 and for float64."""

    draw: Draw
    reference: Callable[..., Any]  # of float64, and of long double where `slow` is None
    slow: Callable[..., Any] | None = None  # (mpmath, *operands)
    bounds: tuple[float, float] = (1.0, 1.0)


def _spread(low: float, high: float, signs: bool = False) -> Callable[..., np.ndarray]:
    """Numbers spread evenly over the orders of magnitude."""

    def draw(rng: np.random.Generator, count: int) -> np.ndarray:
        x = np.exp(rng.uniform(np.log(low), np.log(high), count))
        return x * rng.choice((-1.0, 1.0), count) if signs else x

    return draw


def _each(*draws: Callable[..., np.ndarray]) -> Draw:
    def draw(rng: np.random.Generator, count: int, dtype: Any) -> Operands:
        return tuple(one(rng, count).astype(dtype) for one in draws)

    return draw


def _powers(rng: np.random.Generator, count: int, dtype: Any) -> Operands:
    """Any x, x near one, and negative x to integers; x^y mostly between denormal and overflow."""
    info, third = np.finfo(dtype), count // 3
    wide = np.exp(rng.uniform(np.log(info.tiny), np.log(info.max), third))
    near = 1 + _spread(float(info.eps), 0.5, True)(rng, third)
    x = np.concatenate([wide, near]).astype(dtype)
    end = float(np.log(info.max))
    with np.errstate(divide="ignore"):
        y = rng.uniform(-1.07 * end, 1.01 * end, 2 * third) / np.log(x.astype(np.float64))
    negative = _spread(1e-3, 1e3, True)(rng, count - 2 * third)
    integer = rng.integers(-40, 40, count - 2 * third)
    return np.concatenate([x, negative]).astype(dtype), np.concatenate([y, integer]).astype(dtype)


def _near_shape(rng: np.random.Generator, count: int, dtype: Any) -> Operands:
    """A shape a of the gamma distribution, and x around it."""
    a = _spread(0.05, 50)(rng, count)
    return a.astype(dtype), (a * _spread(0.5, 2)(rng, count)).astype(dtype)


def _shapes(rng: np.random.Generator, count: int, dtype: Any) -> Operands:
    """Two shapes of the beta distribution, and a probability."""
    a, b = _spread(0.05, 50)(rng, count), _spread(0.05, 50)(rng, count)
    return a.astype(dtype), b.astype(dtype), rng.uniform(0.05, 0.95, count).astype(dtype)


def _orders(rng: np.random.Generator, count: int, dtype: Any) -> Operands:
    """Orders of polygamma, and x."""
    return rng.integers(1, 6, count).astype(dtype), _spread(0.1, 30)(rng, count).astype(dtype)


def _floor_mod(x: Any, y: Any) -> Any:
    """The remainder of the floored quotient; TensorFlow keeps the sign of a zero."""
    r = np.fmod(x, y)
    return np.where((r != 0) & (np.signbit(r) != np.signbit(y)), r + y, r)


_FUNCTIONS = {
    "pow": Function(_powers, np.power),
    "atan2": Function(_each(_spread(1e-20, 1e20, True), _spread(1e-20, 1e20, True)), np.arctan2),
    "truncatemod": Function(
        _each(_spread(1e-30, 1e30, True), _spread(1e-30, 1e30, True)), np.fmod, bounds=(0, 0)
    ),
    "floormod": Function(_each(_spread(1e-6, 1e6, True), _spread(1e-6, 1e6, True)), _floor_mod),
    "xlogy": Function(
        _each(_spread(1e-10, 1e10), _spread(1e-10, 1e10)), lambda x, y: x * np.log(y),
        bounds=(2, 2),
    ),
    "xlog1py": Function(
        _each(_spread(1e-10, 1e10), _spread(1e-10, 1e10)), lambda x, y: x * np.log1p(y),
        bounds=(2, 2),
    ),
    "zeta": Function(
        _each(_spread(1.1, 30), _spread(0.1, 20)), special.zeta, lambda mp, s, q: mp.zeta(s, q),
        bounds=(1, 16),
    ),
    "polygamma": Function(
        _orders, lambda n, x: special.polygamma(n.astype(int), x),
        lambda mp, n, x: mp.psi(int(n), x), bounds=(1, 16),
    ),
    "igamma": Function(
        _near_shape, special.gammainc,
        lambda mp, a, x: mp.gammainc(a, 0, x, regularized=True), bounds=(1, 400),
    ),
    "igammac": Function(
        _near_shape, special.gammaincc,
        lambda mp, a, x: mp.gammainc(a, x, mp.inf, regularized=True), bounds=(1, 400),
    ),
    "betainc": Function(
        _shapes, special.betainc,
        lambda mp, a, b, x: mp.betainc(a, b, 0, x, regularized=True), bounds=(1, 400),
    ),
}  # fmt: skip
NAMES = tuple(_FUNCTIONS)


def check(
    name: str, contenders: Sequence[str] = ("tfc",), dtype: Any = np.float32, count: int = 10**5
) -> Result:
    """The errors of the function on so many random operands."""
    f, rng = _FUNCTIONS[name], np.random.default_rng(1)
    wide, operands = dtype is np.float64, f.draw(rng, 1, dtype)
    compute = computations(name, contenders, dtype, len(operands))
    result = Result(name, f.bounds[wide])
    if wide and f.slow:
        count = min(count, SLOW // 4)
    elif f.slow:
        count = min(count, 10**6)
    for start in range(0, count, CHUNK):
        operands = f.draw(rng, min(CHUNK, count - start), dtype)
        result.take(compute, operands, _exact(f, operands, wide))
    return result


def _exact(f: Function, operands: Operands, wide: bool) -> np.ndarray:
    if wide and f.slow:
        import mpmath as mp

        with mp.workdps(40):
            rows = zip(*(x.tolist() for x in operands), strict=True)
            return extended(mp, [f.slow(mp, *map(mp.mpf, row)) for row in rows])
    with np.errstate(all="ignore"):
        exact = np.longdouble if wide else np.float64
        return np.asarray(f.reference(*(x.astype(exact) for x in operands)))
