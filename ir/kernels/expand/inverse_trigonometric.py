"""asin, acos, atan and atan2, each in the arithmetic of its own dtype.

asin x = x + x^3 p(x^2) up to 1/2; beyond it asin x = pi/2 - 2 asin(sqrt((1 - x) / 2)), and acos
likewise. atan a/b, for a <= b, is that of q = a/b or q = (a - b) / (a + b), |q| <= tan(pi/8), the
latter beside pi/4; a > b changes places, beside pi/2 (W. Cody and W. Waite, Software Manual for the
Elementary Functions, 1980, chapters 10 and 11). Roots and quotients are carried with their
remainders, multiples of pi in two parts.

The series come from our own Remez exchange in 200-bit arithmetic. Limits: at most 1 ulp.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .scalar import FORMAT, Scalar, copysign, fast_two_sum, fma, horner, select

_INFINITY = float("inf")


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    quarter_pi: tuple[float, float]  # two parts each
    half_pi: tuple[float, float]
    three_quarters_pi: tuple[float, float]
    pi: tuple[float, float]
    asin_series: tuple[float, ...]  # (asin(x) - x) / x^3 in x^2, on |x| <= 1/2
    atan_series: tuple[float, ...]  # (atan(q) - q) / q^3 in q^2, on |q| <= tan(pi/8)
    large: float  # beyond it atan2 scales its arguments down
    scale: float  # by this; arguments that are both below one are scaled up


_TABLES = {
    "f32": _Table(
        quarter_pi=(0.7853982, -2.1855694e-08),
        half_pi=(1.5707964, -4.371139e-08),
        three_quarters_pi=(2.3561945, -5.9624403e-09),
        pi=(3.1415927, -8.742278e-08),
        asin_series=(0.1666666, 0.07500521, 0.044513654, 0.03183574, 0.01433095, 0.037669946),
        atan_series=(-0.3333333, 0.19999802, -0.14279129, 0.110095166, -0.08282696, 0.04350111),
        large=2.0**100,
        scale=2.0**-100,
    ),
    "f64": _Table(
        quarter_pi=(0.7853981633974483, 3.061616997868383e-17),
        half_pi=(1.5707963267948966, 6.123233995736766e-17),
        three_quarters_pi=(2.356194490192345, 9.184850993605148e-17),
        pi=(3.141592653589793, 1.2246467991473532e-16),
        asin_series=(
            0.16666666666666763, 0.07499999999970115, 0.0446428571752749, 0.030381942675680153,
            0.022372215897098393, 0.01735159562792528, 0.013981017257452984,
            0.011397302016253805, 0.010789277020286996, 0.003672334358907196,
            0.021790316419352165, -0.021116287008405187, 0.032701909269046384,
        ),
        atan_series=(
            -0.33333333333333326, 0.19999999999997095, -0.1428571428531642, 0.11111111083749023,
            -0.09090907986074001, 0.0769227920817995, -0.06666174825621127, 0.05876518260974341,
            -0.05215195583255571, 0.044906348433720454, -0.03317689427055316,
            0.014896089410733952,
        ),
        large=2.0**1000,
        scale=2.0**-600,
    ),
}  # fmt: skip


def _arcsine(a: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """(near, s, rest): near zero s = a, beyond it s = sqrt((1 - a) / 2); asin(s) = s + rest."""
    table = _TABLES[a.dtype]
    near = a < 0.5
    square = select(near, a * a, (1.0 - a) * 0.5)
    root = square.sqrt()
    # sqrt(z) = s + (z - s^2) / (2 s), and s = 0 is exact
    root_low = fma(-root, root, square) / select(root.eq(0.0), 1.0, root + root)
    s = select(near, a, root)
    rest = fma(s, square * horner(square, table.asin_series), select(near, 0.0, root_low))
    return near, s, rest


def asin(x: Scalar) -> Scalar:
    """The angle of -pi/2 to pi/2 whose sine is x; nan beyond one."""
    high, low = _TABLES[x.dtype].half_pi
    near, s, rest = _arcsine(abs(x))
    total, lost = fast_two_sum(x.const(high), -2.0 * s)
    far = total + (lost + fma(rest, -2.0, low))
    return copysign(select(near, s + rest, far), x)


def acos(x: Scalar) -> Scalar:
    """The angle of 0 to pi whose cosine is x; nan beyond one.

    pi/2 - asin x near zero, 2 asin(s) near one and pi - 2 asin(s) near minus one.
    """
    table = _TABLES[x.dtype]
    near, s, rest = _arcsine(abs(x))
    negative = x < 0.0
    high, low = (
        select(near, at_zero, select(negative, at_minus_one, x.const(0.0)))
        for at_zero, at_minus_one in zip(table.half_pi, table.pi, strict=True)
    )
    factor = select(near, x.const(1.0), 2.0)
    factor = select(near ^ negative, -factor, factor)
    total, lost = fast_two_sum(high, factor * s)
    return total + (lost + fma(factor, rest, low))


def atan(x: Scalar) -> Scalar:
    """The angle of -pi/2 to pi/2 whose tangent is x."""
    a = abs(x)
    a = select(a > 2.0**60, 2.0**60, a)  # pi/2 when rounded; a nan stays
    return copysign(_arctangent(a, x.const(1.0), None), x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of -pi to pi of the point (x, y); signed zeros and infinities as in C99 F.9.1.4."""
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    a, b = abs(y), abs(x)
    # an infinity makes the other number nothing, or its equal
    above, beside = a.eq(_INFINITY), b.eq(_INFINITY)
    infinite_a = select(above, a.const(1.0), 0.0)
    infinite_b = select(beside, b.const(1.0), 0.0)
    infinite = above | beside
    a, b = select(infinite, infinite_a, a), select(infinite, infinite_b, b)
    scale = select((a < 1.0) & (b < 1.0), a.const(1.0 / table.scale), 1.0)
    scale = select((a > table.large) | (b > table.large), table.scale, scale)
    negative = x.bitcast(form.integer) < 0
    angle = copysign(_arctangent(a * scale, b * scale, negative), y)
    return select(x.eq(x) & y.eq(y), angle, x + y)


def _arctangent(a: Scalar, b: Scalar, negative: Scalar | None) -> Scalar:
    """The angle of the point (b, a) with a, b >= 0, or of (-b, a) where `negative`."""
    table = _TABLES[a.dtype]
    swap = a > b
    low, high = select(swap, b, a), select(swap, a, b)
    middle = low > 0.41421356 * high
    total, total_lost = fast_two_sum(high, low)
    difference, difference_lost = fast_two_sum(-high, low)
    above, above_lost = select(middle, difference, low), select(middle, difference_lost, 0.0)
    below, below_lost = select(middle, total, high), select(middle, total_lost, 0.0)
    reciprocal = 1.0 / select(below.eq(0.0), 1.0, below)  # of (0, 0) the angle is 0 or pi

    q = above * reciprocal
    remainder = fma(-q, below, above) + fma(-q, below_lost, above_lost)
    square = q * q
    rest = fma(q * square, horner(square, table.atan_series), remainder * reciprocal)

    base = []
    for part in range(2):
        at_quarter, at_axis = a.const(table.quarter_pi[part]), a.const(0.0)
        if negative is not None:
            at_quarter = select(negative, table.three_quarters_pi[part], at_quarter)
            at_axis = select(negative, table.pi[part], at_axis)
        base.append(select(middle, at_quarter, select(swap, table.half_pi[part], at_axis)))
    down = swap if negative is None else swap ^ negative
    q, rest = select(down, -q, q), select(down, -rest, rest)
    angle, lost = fast_two_sum(base[0], q)
    return angle + (lost + (rest + base[1]))
