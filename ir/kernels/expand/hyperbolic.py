"""sinh, cosh and their inverses with atanh, each in the arithmetic of its own dtype.

sinh and cosh: |x| = n ln 2 + r as in exponential.py, and with S = 2^n / 2, T = 2^-n / 2

    sinh x = (S - T) cosh r + (S + T) sinh r,    cosh x = (S + T) cosh r + (S - T) sinh r,

the leading sum with its rounding errors, so that neither cancels.

asinh, acosh and atanh are logarithms of 1 + y with y in two parts, so that the logarithm (see
logarithm.py) meets no more error than its own; those near zero and near one need no other form.

The series come from our own Remez exchange in 200-bit arithmetic. Limits: at most 1 ulp.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .exponential import power_of_two, reduce
from .logarithm import log_of_sum
from .scalar import FORMAT, Scalar, copysign, fast_two_sum, fma, horner, select

_INFINITY = float("inf")


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    overflow: float  # the largest x with a finite sinh and cosh
    sinh_series: tuple[float, ...]  # (sinh(r) - r) / r^3 in r^2
    cosh_series: tuple[float, ...]  # (cosh(r) - 1) / r^2 in r^2
    tiny: float  # below it asinh and atanh are x
    large: float  # beyond it x^2 + 1 is x^2, and x^2 - 1 too


_TABLES = {
    "f32": _Table(
        overflow=89.415985,
        sinh_series=(0.16666667, 0.008333176, 0.00019972997),
        cosh_series=(0.5, 0.041666668, 0.0013888584, 2.5004478e-05),
        tiny=2.0**-13,
        large=2.0**30,
    ),
    "f64": _Table(
        overflow=710.4758600739439,
        sinh_series=(
            0.16666666666666666, 0.008333333333334423, 0.0001984126983710489,
            2.7557326177956746e-06, 2.5046828240205217e-08, 1.7561889105469703e-10,
        ),
        cosh_series=(
            0.5, 0.041666666666666685, 0.001388888888887327, 2.4801587349251262e-05,
            2.7557251760520006e-07, 2.0921792818471975e-09,
        ),
        tiny=2.0**-28,
        large=2.0**60,
    ),
}  # fmt: skip


def _halves(a: Scalar) -> tuple[Scalar, Scalar]:
    """Half of sinh a and half of cosh a, for a >= 0."""
    table, form = _TABLES[a.dtype], FORMAT[a.dtype]
    bits, head, low = reduce(a)
    r = head + low
    square = r * r
    sinh_tail = fma(r * square, horner(square, table.sinh_series), low)
    cosh_tail = square * horner(square, table.cosh_series)
    growing = power_of_two(bits, a.dtype, -2)
    many = 100 << form.fraction  # past this T is nothing beside S
    shrinking = power_of_two(-select(bits < many, bits, many), a.dtype, -2)
    plus, minus = growing + shrinking, growing - shrinking
    plus_low = shrinking - (plus - growing)
    minus_low = -shrinking - (minus - growing)

    high = fma(plus, head, minus)
    rest = fma(plus, head, minus - high) + minus_low
    sinh_half = high + fma(plus, sinh_tail, fma(minus, cosh_tail, rest))
    high = fma(minus, head, plus)
    rest = fma(minus, head, plus - high) + plus_low
    cosh_half = high + fma(plus, cosh_tail, fma(minus, sinh_tail, rest))
    return sinh_half, cosh_half


def sinh(x: Scalar) -> Scalar:
    """(e^x - e^-x) / 2."""
    table = _TABLES[x.dtype]
    a = abs(x)
    half, _ = _halves(a)
    y = select(a < 2.0**-64, a, half + half)
    return copysign(select(a <= table.overflow, y, a * _INFINITY), x)


def cosh(x: Scalar) -> Scalar:
    """(e^x + e^-x) / 2."""
    table = _TABLES[x.dtype]
    a = abs(x)
    _, half = _halves(a)
    return select(a <= table.overflow, half + half, a * _INFINITY)


def asinh(x: Scalar) -> Scalar:
    """log(a + sqrt(a^2 + 1)) of a = |x|, with the sign of x."""
    a = abs(x)
    y = select(a < _TABLES[x.dtype].tiny, a, _log_with_root(a, 1.0))
    return copysign(select(a < _INFINITY, y, a + a), x)


def acosh(x: Scalar) -> Scalar:
    """log(x + sqrt(x^2 - 1)); nan below one."""
    y = select(x > 1.0, _log_with_root(x, -1.0), select(x.eq(1.0), 0.0, x.const(float("nan"))))
    return select(x < _INFINITY, y, x + x)


def _log_with_root(a: Scalar, sign: float) -> Scalar:
    """log(a + sqrt(a^2 + sign)); for large a, log(2 a)."""
    table = _TABLES[a.dtype]
    large = a > table.large
    b = select(large, 1.0, a)
    # b^2 + sign in two parts; the larger of the two summands is not known
    square = b * b
    square_low = fma(b, b, -square)
    total = square + sign
    carried = total - square
    total_low = ((square - (total - carried)) + (sign - carried)) + square_low
    root = total.sqrt()
    root_low = (fma(-root, root, total) + total_low) / (root + root)
    # b + root, again: for asinh the root is the larger, for acosh b
    high, low = fast_two_sum(root, b) if sign > 0.0 else fast_two_sum(b, root)
    return log_of_sum(select(large, a, high), select(large, 0.0, low + root_low), large)


def atanh(x: Scalar) -> Scalar:
    """log((1 + a) / (1 - a)) / 2 = log(1 + 2 a / (1 - a)) / 2 of a = |x|, with the sign of x."""
    a = abs(x)
    double = a + a
    below, below_low = fast_two_sum(x.const(1.0), -a)
    quotient = double / below
    rest = (fma(-quotient, below, double) - quotient * below_low) / below
    small = quotient < 1.0
    high = 1.0 + quotient
    low = select(small, quotient - (high - 1.0), 1.0 - (high - quotient)) + rest
    y = select(a < _TABLES[x.dtype].tiny, a, 0.5 * log_of_sum(high, low))
    y = select(a < 1.0, y, select(a.eq(1.0), _INFINITY, x.const(float("nan"))))
    return copysign(y, x)
