"""exp, expm1, tanh and sigmoid, each in the arithmetic of its own dtype.

All four rest on one reduction (W. Cody and W. Waite, Software Manual for the Elementary
Functions, 1980, chapter 6): x = n ln 2 + r with |r| <= ln 2 / 2, so that e^x = 2^n e^r, and

    e^r - 1 = head + tail,   head = x - n high(ln 2) exactly,
                             tail = r^2 q(r) - n low(ln 2),  q(r) ~ (e^r - 1 - r) / r^2.

The coefficients of q, and of the tanh series, come from our own Remez exchange in 200-bit
arithmetic, where each leading coefficient is rounded to the dtype before the rest is fitted anew.

Limits: at most 1 ulp, the default rounding mode, denormals honoured by the machine.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .scalar import FORMAT, Scalar, copysign, fma, horner, select


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    log2_e: float
    ln2_high: float  # ln 2 rounded to the dtype
    ln2_low: float  # and what this leaves
    q: tuple[float, ...]
    overflow: float  # the largest x with a finite e^x
    denormal: float  # below it e^x may be denormal
    underflow: float  # below it e^x rounds to zero
    minus_one: float  # below it e^x - 1 rounds to -1
    sigmoid_end: float  # beyond it e^-|x| is zero even when scaled
    tanh_end: float  # beyond it tanh rounds to 1
    tanh_split: float
    tanh_series: tuple[float, ...]  # (tanh(x) - x) / x^3 in x^2, on |x| <= tanh_split


_TABLES = {
    "f32": _Table(
        log2_e=1.442695,
        ln2_high=0.6931472,
        ln2_low=-1.9046542e-09,
        q=(0.5, 0.16666667, 0.041666467, 0.008333224, 0.0013935417, 0.00019931153),
        overflow=88.72283,
        denormal=-87.0,
        underflow=-104.0,
        minus_one=-20.0,
        sigmoid_end=110.0,
        tanh_end=10.0,
        tanh_split=0.9,
        tanh_series=(
            -0.3333333, 0.1333326, -0.05395884, 0.021810932, -0.008658489, 0.0031620762,
            -0.0008975751, 0.00013675631,
        ),
    ),
    "f64": _Table(
        log2_e=1.4426950408889634,
        ln2_high=0.6931471805599453,
        ln2_low=2.3190468138462996e-17,
        q=(
            0.5, 0.16666666666666685, 0.04166666666666667, 0.008333333333315719,
            0.0013888888888881567, 0.00019841269899640665, 2.4801587336258373e-05,
            2.7557231557930447e-06, 2.755725461173003e-07, 2.511321279667451e-08,
            2.092466342963104e-09,
        ),
        overflow=709.782712893384,
        denormal=-708.0,
        underflow=-746.0,
        minus_one=-40.0,
        sigmoid_end=750.0,
        tanh_end=20.0,
        tanh_split=0.9,
        tanh_series=(
            -0.3333333333333333, 0.13333333333333056, -0.053968253968109094,
            0.021869488532329825, -0.008863235469599336, 0.003592127414196365,
            -0.0014558299326817518, 0.0005900044851033316, -0.0002390417800068643,
            9.666618773424205e-05, -3.874032952412709e-05, 1.5037302375171294e-05,
            -5.356738711510328e-06, 1.5880982739734645e-06, -3.33680961032462e-07,
            3.583548958020709e-08,
        ),
    ),
}  # fmt: skip


def reduce(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """(n << fraction, head, low): x = n ln 2 + head + low.

    n is the nearest integer to x / ln 2; its bits are the low ones of x / ln 2 + 1.5 * 2^fraction,
    and the shift drops all others. The product inside an fma is exact, and so is its difference
    from x, for both are multiples of the last bit of ln2_high or of x.
    """
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    shifted = fma(x, table.log2_e, form.magic)
    n = shifted - form.magic
    head = fma(n, -table.ln2_high, x)
    return shifted.bitcast(form.integer).shl(form.fraction), head, n * -table.ln2_low


def expm1_reduced(head: Scalar, low: Scalar) -> Scalar:
    """e^(head + low) - 1 - head of what `reduce` leaves."""
    r = head + low
    return fma(r * r, horner(r, _TABLES[r.dtype].q), low)


def expm1_mended(head: Scalar, low: Scalar) -> Scalar:
    """The same, with r times what rounding r = head + low has lost."""
    r = head + low
    return fma(low - (r - head), r, expm1_reduced(head, low))


def power_of_two(exponent_bits: Scalar, dtype: str, offset: int = 0) -> Scalar:
    """2^(n + offset) from n << fraction; the result must be a normal number."""
    form = FORMAT[dtype]
    return (exponent_bits + (form.one + (offset << form.fraction))).bitcast(dtype)


def times_power_of_two(y: Scalar, exponent_bits: Scalar) -> Scalar:
    """2^n y from n << fraction, by two factors: 2^n may be no number, and only one rounds."""
    form = FORMAT[y.dtype]
    half = exponent_bits.ashr(form.fraction + 1).shl(form.fraction)
    first = power_of_two(half, y.dtype)
    return y * first * power_of_two(exponent_bits - half, y.dtype)


def exp(x: Scalar) -> Scalar:
    """e^x. The exponent is added in the bits of e^r; denormals take 2^64 and give it back."""
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    bits, head, low = reduce(x)
    tail = expm1_reduced(head, low)
    mantissa = 1.0 + (head + tail)
    bits = bits + mantissa.bitcast(form.integer)
    small = x < table.denormal
    bits = select(small, bits + (64 << form.fraction), bits)
    y = bits.bitcast(x.dtype)
    y = select(small, y * 2.0**-64, y)
    y = select(x < table.underflow, 0.0, y)
    # x inf is inf beyond the largest argument, and nan for nan
    return select(x <= table.overflow, y, x * float("inf"))


def expm1(x: Scalar) -> Scalar:
    """e^x - 1 = (2^n - 1 + 2^n head) + 2^n tail, the first sum with its rounding errors.

    Half of all is computed, for 2^128 (2^1024) is no number.
    """
    table = _TABLES[x.dtype]
    bits, head, low = reduce(x)
    tail = expm1_mended(head, low)
    scale = power_of_two(bits, x.dtype, -1)
    shifted = scale - 0.5
    high = fma(head, scale, shifted)
    low = fma(head, scale, shifted - high) + (scale - shifted - 0.5)
    half = high + fma(tail, scale, low)
    y = half + half
    y = select(abs(x) < 2.0**-64, x, y)  # -0.0 and what has no half
    y = select(x < table.minus_one, -1.0, y)
    return select(x <= table.overflow, y, x * float("inf"))


def tanh(x: Scalar) -> Scalar:
    """x + x^3 p(x^2) near zero, elsewhere 1 - 2 / (e^(2|x|) + 1)."""
    table = _TABLES[x.dtype]
    a = abs(x)
    square = x * x
    near = fma(a, square * horner(square, table.tanh_series), a)
    a_cut = select(a > table.tanh_end, table.tanh_end, a)  # a nan stays
    bits, head, low = reduce(a_cut + a_cut)
    tail = expm1_reduced(head, low)
    scale = power_of_two(bits, x.dtype)
    far = 1.0 - 2.0 / fma(head + tail, scale, 1.0 + scale)
    return copysign(select(a < table.tanh_split, near, far), x)


def sigmoid(x: Scalar) -> Scalar:
    """1 / (1 + e^-x): with z = 1 / (1 + e^|x|), z for negative x and 1 - z for others.

    With s = 2^-n and |x| = n ln 2 + r, z = s / (s + e^r), whose numerator is exact. The sum is
    carried in two parts and the quotient mended by its remainder, for z would else be two roundings
    away. A last factor of 2^64 in s keeps it normal where z is not.
    """
    table = _TABLES[x.dtype]
    a = abs(x)
    a = select(a > table.sigmoid_end, table.sigmoid_end, a)  # a nan stays
    bits, head, low = reduce(a)
    tail = expm1_reduced(head, low)
    scale = power_of_two(-bits, x.dtype, 64)
    s = scale * 2.0**-64
    base = 1.0 + s
    rest = head + (tail + (s - (base - 1.0)))
    high = base + rest
    low = rest - (high - base)
    reciprocal = 1.0 / high
    remainder = fma(-reciprocal, low, fma(-reciprocal, high, 1.0))
    z = fma(reciprocal, remainder, reciprocal) * 2.0**-64 * scale
    return select(x < 0.0, z, 1.0 - z)
