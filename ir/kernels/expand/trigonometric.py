"""sin, cos and tan: reduce to [-pi/4, pi/4], two short series, a quarter turn chosen by selects.

|x| = q pi/2 + r. Below 2^30 the multiple of pi/2 is subtracted in parts (W. Cody and W. Waite,
Software Manual for the Elementary Functions, 1980, chapter 8). Beyond it, the window of 2/pi whose
product with the integer significand of x decides q mod 4 and the fraction is cut from the bits of
2/pi by shifts (M. Payne and R. Hanek, "Radian reduction for trigonometric functions", SIGNUM
Newsletter 18, 1983); all in 64-bit integers. The second way is taken where a lane needs it.

f32 works in f64 and rounds once. f64 carries r, and tan its quotient too, in two parts.

The series come from our own Remez exchange in 200-bit arithmetic on |r| <= 1.0005 pi/4, leading
coefficients rounded to f64 before the rest is fitted anew. Limits: at most 1 ulp.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .scalar import FORMAT, Scalar, fast_two_sum, fma, horner, rarely, select

_MAGIC = FORMAT["f64"].magic
_TWO_OVER_PI = 0.6366197723675814
# pi/2 in three parts of 53 bits each, to nearest
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)

# (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 in r^2, to 2^-37 and 2^-43 of the result ...
_SINE_SHORT = (
    -0.1666666664152979, 0.008333329374408421, -0.00019839331096607732, 2.7182753923216557e-06,
)  # fmt: skip
_COSINE_SHORT = (
    0.04166666662266428, -0.0013888883738684254, 2.479951601065881e-05, -2.720990007846337e-07,
)  # fmt: skip
# ... and to 2^-63 and 2^-64
_SINE = (
    -0.16666666666666666, 0.008333333333333038, -0.00019841269840955867, 2.7557319069598785e-06,
    -2.5052069602332958e-08, 1.6054126708011948e-10, -7.379686350301259e-13,
)  # fmt: skip
_COSINE = (
    0.0416666666666666, -0.0013888888888874457, 2.4801587289652634e-05, -2.755731439371729e-07,
    2.0875728077681496e-09, -1.1359862602870289e-11,
)  # fmt: skip

# The bits of 2/pi (two zeros first: the weights 2 and 1), and of 2^-22 2/pi
_BITS_SHORT = (0x28BE60DB9391054A, 0x7F09D5F47D4D3770, 0x36D8A5664F10E410, 0x7F9458EAF7AEF158)
_BITS = (
    0x000000A2F9836E4E, 0x441529FC2757D1F5, 0x34DDC0DB6295993C, 0x439041FE5163ABDE,
    0xBBC561B7246E3A42, 0x4DD2E006492EEA09, 0xD1921CFE1DEB1CB1, 0x29A73EE88235F52E,
    0xBB4484E99C7026B4, 0x5F7E413991D63983, 0x5339F49C845F8BBD, 0xF9283B1FF897FFDE,
    0x05980FEF2F118B5A, 0x0A6D1F6D367ECF27, 0xCB09B74F463F669E, 0x5FEA2D7527BAC7EB,
    0xE5F17B3D0739F78A, 0x5292EA6BFB5FB11F, 0x8D5D0856033046FC,
)  # fmt: skip

_LOW_WORD = 0xFFFFFFFF
_LARGE = 2.0**30


def sin(x: Scalar) -> Scalar:
    """The sine of x radians, at any magnitude."""
    if x.dtype == "f32":
        sine, cosine, quadrant = _sine_and_cosine_f32(x)
    else:
        (sine, _), (cosine, _), quadrant = _sine_and_cosine_f64(x)
    y = select(_odd(quadrant), cosine, sine)
    y = _flip(y, quadrant.lshr(1).shl(63) ^ _sign(x))
    return _nan_unless_finite(y.cast(x.dtype), x)


def cos(x: Scalar) -> Scalar:
    """The cosine of x radians, at any magnitude."""
    if x.dtype == "f32":
        sine, cosine, quadrant = _sine_and_cosine_f32(x)
    else:
        (sine, _), (cosine, _), quadrant = _sine_and_cosine_f64(x)
    y = select(_odd(quadrant), sine, cosine)
    y = _flip(y, (quadrant + 1).lshr(1).shl(63))  # negative in the second and third quadrant
    return _nan_unless_finite(y.cast(x.dtype), x)


def tan(x: Scalar) -> Scalar:
    """sine / cosine, or -cosine / sine an odd number of quarter turns on."""
    if x.dtype == "f32":
        sine, cosine, quadrant = _sine_and_cosine_f32(x)
        odd = _odd(quadrant)
        y = select(odd, cosine, sine) / select(odd, sine, cosine)
    else:
        (sine, sine_low), (cosine, cosine_low), quadrant = _sine_and_cosine_f64(x)
        odd = _odd(quadrant)
        above, above_low = select(odd, cosine, sine), select(odd, cosine_low, sine_low)
        below, below_low = select(odd, sine, cosine), select(odd, sine_low, cosine_low)
        reciprocal = 1.0 / below
        y = above * reciprocal
        remainder = fma(-y, below, above) + (above_low - y * below_low)
        y = fma(remainder, reciprocal, y)
    y = _flip(y, quadrant.shl(63) ^ _sign(x))
    return _nan_unless_finite(y.cast(x.dtype), x)


def sine_and_cosine(x: Scalar) -> tuple[Scalar, Scalar]:
    """Both of x >= 0 of dtype f64."""
    (sine, _), (cosine, _), quadrant = _sine_and_cosine_f64(x)
    odd = _odd(quadrant)
    turned = quadrant.lshr(1).shl(63)
    return _flip(select(odd, cosine, sine), turned), _flip(
        select(odd, sine, cosine), (quadrant + 1).lshr(1).shl(63)
    )


def _odd(quadrant: Scalar) -> Scalar:
    return (quadrant & 1).ne(0)


def _sign(x: Scalar) -> Scalar:
    """The sign of x in the sign bit of a u64."""
    return x.cast("f64").bitcast("u64") & (1 << 63)


def _flip(y: Scalar, sign: Scalar) -> Scalar:
    return (y.bitcast("u64") ^ sign).bitcast("f64")


def _nan_unless_finite(y: Scalar, x: Scalar) -> Scalar:
    return select(abs(x) < float("inf"), y, x - x)


def _is_large(a: Scalar) -> Scalar:
    return a >= _LARGE


def _sine_and_cosine_f32(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Sine and cosine of r in f64, to about 2^-35, and q."""
    a = abs(x).cast("f64")
    shifted = fma(a, _TWO_OVER_PI, _MAGIC)
    n = shifted - _MAGIC
    small = fma(n, -_HALF_PI[1], fma(n, -_HALF_PI[0], a)), shifted.bitcast("u64")
    r, quadrant = rarely(_is_large(a), small, _payne_hanek_f32, x)
    z = r * r
    sine = fma(r * z, horner(z, _SINE_SHORT), r)
    cosine = fma(z, fma(z, horner(z, _COSINE_SHORT), -0.5), 1.0)
    return sine, cosine, quadrant


def _payne_hanek_f32(x: Scalar) -> tuple[Scalar, Scalar]:
    """(r, q) of |x| = m 2^s for s >= 0, m of 24 bits: 64 bits of m 2^s (2/pi) mod 4.

    No f32 comes nearer than about 2^-30 to a multiple of pi/2, so the 2^-60 lost are 2^-30 of r.
    """
    bits = x.bitcast("u32") & 0x7FFFFFFF
    shift = (bits.lshr(23) - 150).cast("u64")  # up to 104
    m = ((bits & 0x7FFFFF) | 0x800000).cast("u64")
    first, second, third, fourth = (shift.const(word) for word in _BITS_SHORT)
    far = (shift & 64).ne(0)
    words = [select(far, second, first), select(far, third, second), select(far, fourth, third)]
    high, low = _funnel(words, shift & 63)
    product = m * high + (m * low.lshr(32)).lshr(32)
    quadrant = (product + (1 << 61)).lshr(62)
    fraction = product.shl(2).bitcast("i64").cast("f64")  # of a quarter turn, scaled by 2^64
    return fraction * (_HALF_PI[0] * 2.0**-64), quadrant


def _funnel(words: Sequence[Scalar], shift: Scalar) -> list[Scalar]:
    """The words of a long bit string, moved left by 0 to 63 bits; one word fewer."""
    inverse = shift ^ 63
    return [
        word.shl(shift) | following.lshr(1).lshr(inverse) for word, following in pairwise(words)
    ]


def _sine_and_cosine_f64(
    x: Scalar,
) -> tuple[tuple[Scalar, Scalar], tuple[Scalar, Scalar], Scalar]:
    """Sine and cosine of r, each in two parts, and q."""
    a = abs(x)
    r, low, quadrant = rarely(_is_large(a), _cody_waite_f64(a), _payne_hanek_f64, a)

    # sin(r + low) = r + r^3 s(r^2) + low (1 - r^2/2)
    z = r * r
    rest = fma(r * z, horner(z, _SINE), low * fma(z, -0.5, 1.0))
    sine = fast_two_sum(r, rest)
    # cos(r + low) = 1 - r^2/2 + r^4 c(r^2) - r low, with the rounding errors of the first two
    half = 0.5 * z
    top = 1.0 - half
    rest = ((1.0 - top) - half) + fma(z * z, horner(z, _COSINE), -r * low)
    rest = fma(fma(r, r, -z), -0.5, rest)
    cosine = fast_two_sum(top, rest)
    return sine, cosine, quadrant


def _cody_waite_f64(a: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """(r, low, q) for 0 <= a < 2^30. The first difference is exact, the second gets its error."""
    shifted = fma(a, _TWO_OVER_PI, _MAGIC)
    n = shifted - _MAGIC
    first = fma(n, -_HALF_PI[0], a)
    product = n * _HALF_PI[1]
    product_low = fma(n, _HALF_PI[1], -product)
    r = first - product
    b = first - r  # D. Knuth's two-sum: here either of the two may be the larger
    low = (first - (r + b)) + (b - product) - product_low
    r, low = fast_two_sum(r, fma(n, -_HALF_PI[2], low))
    return r, low, shifted.bitcast("u64")


def _payne_hanek_f64(a: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """(r, low, q) for a = m 2^(s - 22), s >= 0, m of 53 bits: 126 bits of a (2/pi) mod 1.

    No f64 comes nearer than about 2^-61 to a multiple of pi/2 (Muller, Elementary Functions).
    """
    bits = a.bitcast("u64")
    shift = (bits.lshr(52) - (1023 + 30)) & 1023  # up to 993 where it counts
    m = (bits & ((1 << 52) - 1)) | (1 << 52)
    words = [shift.const(word) for word in _BITS]
    for step in (8, 4, 2, 1):  # move by whole words, as far as anything below will look
        far = (shift & (64 * step)).ne(0)
        words = [select(far, words[i + step], words[i]) for i in range(step + 3)]
    high, middle, low = _funnel(words, shift & 63)

    middle_high, middle_low = _wide_multiply(m, middle)
    first_low = middle_low + _wide_multiply(m, low)[0]
    carry = select(first_low < middle_low, bits.const(1), 0)
    first = m * high + middle_high + carry
    quadrant = (first + (1 << 61)).lshr(62)

    # the signed fraction of a quarter turn: its sign, then 32 exact bits at a time
    fraction = first.shl(2) | first_low.lshr(62)
    sign = fraction.bitcast("i64").ashr(63).bitcast("u64")  # complemented for the magnitude,
    fraction, fraction_low = fraction ^ sign, first_low.shl(2) ^ sign  # 2^-128 off
    words = [fraction, fraction_low]
    parts = [part for word in words for part in (word.lshr(32), word & _LOW_WORD)]
    leading, following, *others = (
        part.bitcast("i64").cast("f64") * 2.0 ** (-32 * (i + 1)) for i, part in enumerate(parts)
    )
    turn, turn_low = fast_two_sum(leading, following)
    for part in others:
        turn, turn_low = fast_two_sum(turn, turn_low + part)
    r = turn * _HALF_PI[0]
    low_r = fma(turn, _HALF_PI[0], -r) + fma(turn, _HALF_PI[1], turn_low * _HALF_PI[0])
    sign = sign & (1 << 63)
    return _flip(r, sign), _flip(low_r, sign), quadrant


def _wide_multiply(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """The high and the low word of a product of u64s, of which a < 2^53."""
    a_high, a_low = a.lshr(32), a & _LOW_WORD
    b_high, b_low = b.lshr(32), b & _LOW_WORD
    cross = a_low * b_high
    middle = a_high * b_low + (a_low * b_low).lshr(32) + (cross & _LOW_WORD)
    return a_high * b_high + cross.lshr(32) + middle.lshr(32), a * b
