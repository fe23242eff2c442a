"""pow and rsqrt; integers by squaring.

|x|^y = e^(y log |x|). f32 works in f64, with short series, and rounds once. f64 carries the
logarithm in two parts to about 2^-66: x = 2^k m with m around one, and with s = (m - 1) / (m + 1)

    log m = 2 atanh s = 2 s + 2 s s^2 (1/3 + s^2 q(s^2)),

all but q in two parts, after T. Dekker, "A floating-point technique for extending the available
precision", Numerische Mathematik 18, 1971. The coefficients of q come from our own Remez exchange
in 200-bit arithmetic. The special cases are those of C99 F.9.4.4.

Limits: at most 1 ulp.
"""

from __future__ import annotations

from .exponential import expm1_mended, power_of_two, reduce, times_power_of_two
from .logarithm import split
from .scalar import FORMAT, WIDTH, Scalar, fast_two_sum, fma, horner, select

_INFINITY = float("inf")
_SQRT_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
_SMALLEST_NORMAL = 2.0**-1022
_LN2_ROUNDED = 0.6931471805599453
_LN2 = (0.6931471805598903, 5.497923018708371e-14)  # k times the first is exact
_THIRD = (0.3333333333333333, 1.850371707708594e-17)
_ATANH = (
    0.1999999999999999, 0.1428571428572192, 0.11111111108894496, 0.09090909422051867,
    0.07692279210047555, 0.06668132424134131, 0.058378866248622346, 0.05990908986968446,
)  # fmt: skip
_END = {"f32": 200.0, "f64": 800.0}  # beyond it e^x is infinite, and e^-x zero

# For f32: (log(1 + f) - f) / f^2 in f, |f| <= 1/3, to 2^-38, and (e^r - 1 - r) / r^2, to 2^-39
_LOG_SHORT = (
    -0.5000000000241525, 0.33333333181525093, -0.24999999146517105, 0.20000026228879336,
    -0.16666745738099778, 0.14284209751419008, -0.12496850260937957, 0.11150533244412499,
    -0.1006362702320994, 0.08575733686129897, -0.07655195697373202, 0.108906140771131,
    -0.10689454576840189,
)  # fmt: skip
_EXP_SHORT = (
    0.49999999999511063, 0.16666666788019635, 0.04166666705864149, 0.008333280868363761,
    0.0013888795735923162, 0.00019909506301372213, 2.488793018581386e-05,
)  # fmt: skip


def rsqrt(x: Scalar) -> Scalar:
    """1 / sqrt(x), and one step of Newton's iteration from two roundings away.

    y + y (1 - x y^2) / 2, with the rounding error of x y.
    """
    y = 1.0 / x.sqrt()
    product = x * y
    rest = fma(-product, y, 1.0) - fma(x, y, -product) * y
    mended = fma(0.5 * y, rest, y)
    return select((x > 0.0) & (x < _INFINITY), mended, y)


def pow(x: Scalar, y: Scalar) -> Scalar:
    """x^y; of negative x for integers y alone."""
    return _power(x, y) if x.is_floating else _integer_power(x, y)


def _power(x: Scalar, y: Scalar) -> Scalar:
    """The power of floats."""
    form = FORMAT[x.dtype]
    a = abs(x)
    exponent = select(a.eq(1.0), 0.0, y)  # 1 to infinity
    magnitude = (_power_f32 if x.dtype == "f32" else _power_f64)(a, exponent)

    size = abs(y)
    integer, even = _is_integer(size), _is_integer(size * 0.5)
    sign_bit = -1 << (WIDTH[form.integer] - 1)
    sign = select(integer & ~even, x.bitcast(form.integer) & sign_bit, 0)
    result = (magnitude.bitcast(form.integer) | sign).bitcast(x.dtype)

    not_real = (x < 0.0) & (x > -_INFINITY) & ~integer
    defined = x.eq(x) & y.eq(y) & ~not_real
    result = select(defined, result, x.const(float("nan")))
    return select(x.eq(1.0) | y.eq(0.0), 1.0, result)


def _integer_power(x: Scalar, y: Scalar) -> Scalar:
    """One step for every bit that y may have; wraps. 0 for y < 0, but for the x that have an
    inverse (1 and -1)."""
    base, result, exponent = x, x.const(1), y
    bits = WIDTH[x.dtype]
    for bit in range(bits - (not x.is_unsigned)):
        odd = (exponent & 1).ne(0)
        result = select(odd, result * base, result)
        exponent = exponent.lshr(1)
        if bit + 1 < bits:
            base = base * base
    if x.is_unsigned:
        return result
    even = (y & 1).eq(0)
    inverse = select(x.eq(1) | x.eq(-1), select(even, 1, x), 0)
    return select(y < 0, inverse, result)


def _is_integer(size: Scalar) -> Scalar:
    """Whether a number that is not negative is an integer; infinity is, nan is not.

    Beyond 2^fraction all are; below it, adding this leaves no fraction.
    """
    end = 2.0 ** FORMAT[size.dtype].fraction
    return (size >= end) | ((size + end) - end).eq(size)


def _power_f32(a: Scalar, y: Scalar) -> Scalar:
    """For a >= 0. All f32 but zero are normal numbers of f64, and so are their powers."""
    a, y = a.cast("f64"), y.cast("f64")
    k, f = split(a)
    logarithm = fma(k.cast("f64"), _LN2_ROUNDED, fma(f * f, horner(f, _LOG_SHORT), f))
    exponent = _cut(y * _at_ends(a, logarithm), _END["f32"])
    bits, r, _ = reduce(exponent)
    growth = fma(r * r, horner(r, _EXP_SHORT), 1.0 + r)
    return (growth * power_of_two(bits, "f64")).cast("f32")


def _power_f64(a: Scalar, y: Scalar) -> Scalar:
    """For a >= 0."""
    high, low = _log_in_two_parts(a)
    product = y * high
    product_low = fma(y, high, -product) + y * low
    exponent = _cut(product, _END["f64"])
    bits, head, low = reduce(exponent)
    low = low + select(exponent.eq(product), product_low, 0.0)
    return times_power_of_two(1.0 + (head + expm1_mended(head, low)), bits)


def _cut(exponent: Scalar, end: float) -> Scalar:
    """The exponent brought between -end and end; a nan stays."""
    exponent = select(exponent > end, end, exponent)
    return select(exponent < -end, -end, exponent)


def _at_ends(a: Scalar, logarithm: Scalar) -> Scalar:
    """log a where a is 0, inf or nan too."""
    logarithm = select(a < _INFINITY, logarithm, a)
    return select(a.eq(0.0), -_INFINITY, logarithm)


def _log_in_two_parts(a: Scalar) -> tuple[Scalar, Scalar]:
    """log a, for a >= 0 of dtype f64; where it is not finite the low part says nothing."""
    small = a < _SMALLEST_NORMAL
    k, f = split(select(small, a * 2.0**52, a), _SQRT_HALF)
    k = select(small, k - 52, k).cast("f64")

    # s = f / (2 + f)
    below, below_low = fast_two_sum(a.const(2.0), f)
    reciprocal = 1.0 / below
    s = f * reciprocal
    s, s_low = fast_two_sum(s, (fma(-s, below, f) - s * below_low) * reciprocal)
    square = s * s
    square, square_low = fast_two_sum(square, fma(s, s, -square) + 2.0 * (s * s_low))
    # t = s^2 (1/3 + s^2 q(s^2))
    series = horner(square, _ATANH)
    bracket = square * series
    bracket_low = fma(square, series, -bracket) + fma(square_low, series, _THIRD[1])
    bracket, lost = fast_two_sum(a.const(_THIRD[0]), bracket)
    bracket_low = bracket_low + lost
    t = square * bracket
    t_low = fma(square, bracket, -t) + fma(square, bracket_low, square_low * bracket)
    # k ln 2 + 2 s + 2 s t
    double, double_low = s + s, s_low + s_low
    product = double * t
    product_low = fma(double, t, -product) + fma(double, t_low, double_low * t)
    high, lost = fast_two_sum(k * _LN2[0], double)
    high, lost_again = fast_two_sum(high, product)
    low = fma(k, _LN2[1], double_low) + (lost + (lost_again + product_low))
    high, low = fast_two_sum(high, low)
    return _at_ends(a, high), low
