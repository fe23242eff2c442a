"""lgamma, digamma, trigamma and zeta, in f64; f32 is rounded from it once.

The gamma functions of x > 0 come from one interval, to which the recurrence takes what lies below
8, and from Stirling's series above it (NIST Digital Library of Mathematical Functions, 5.11). The
numbers below 0 are reflected (DLMF 5.5.3), with sin(pi x) of the exact distance to an integer.
zeta sums ten terms, then the Euler-Maclaurin formula (DLMF 25.11.5).

The series come from interpolation at Chebyshev's points in 40-digit arithmetic, in the variable
that stands at each. Limits: a few ulp for x > 0; below it, where the functions of gamma cross
zero between poles, the error is a few ulp of the terms that cancel.
"""

from __future__ import annotations

from .logarithm import log
from .power import pow
from .scalar import FORMAT, Scalar, fma, horner, repeat, select, through_f64

_INFINITY, _NAN = float("inf"), float("nan")
_PI = 3.141592653589793
_LOG_PI = 1.1447298858494002
_MAGIC = FORMAT["f64"].magic
_SHIFTED = 8.0  # above it Stirling's series has 53 bits

# lgamma(2 + y) / y in y, |y| <= 1/2
LGAMMA_AT_TWO = (
    0.42278433509846713, 0.32246703342411326, -0.0673523010531981, 0.02058080842778038,
    -0.0073855510286719986, 0.002890510331034267, -0.0011927539118428156, 0.0005096695154115458,
    -0.00022315475400520507, 9.945767355819498e-05, -4.49263133791557e-05, 2.0505590755833454e-05,
    -9.438715099211532e-06, 4.38470440459836e-06, -2.0439048107029907e-06, 9.200527894968101e-07,
    -4.3252393445604814e-07, 2.78740805211359e-07, -1.3219945666117874e-07,
)  # fmt: skip
# (lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2) x in 1/x^2, x >= 8
STIRLING = (
    0.08333333333333333, -0.0027777777777776747, 0.0007936507935117282, -0.0005952380234291254,
    0.0008417325268022405, -0.001914965912162907, 0.0062081367662297935, -0.020855820837463117,
)  # fmt: skip
# digamma(x) / (x - root) in x - 3/2, 1 <= x <= 2, and the root in two parts
_DIGAMMA = (
    0.9510558760318328, -0.4236274212814606, 0.24054248424078697, -0.14840492305388092,
    0.09498872445289039, -0.06192213327548831, 0.040760833940846085, -0.026975796659787055,
    0.017907248317313294, -0.011908220105959716, 0.007927021796868154, -0.005279937255532708,
    0.003518106563802472, -0.0023454947397380833, 0.0015633696313653504, -0.0010364584817312839,
    0.0006909255761282986, -0.00048595039220036254, 0.00032395945401345196,
    -0.00014480643368061614, 9.653646261410062e-05, -0.0001782188548855923,
    0.00011881232908510335,
)  # fmt: skip
_ROOT = (1.4616321449683622, 9.549995429965697e-17)
# (log x - 1/(2x) - digamma(x)) x^2 in 1/x^2, x >= 8
_DIGAMMA_FAR = (
    0.08333333333333333, -0.008333333333331664, 0.003968253965999701, -0.004166665501516725,
    0.007575459920369176, -0.02105106090804774, 0.08002337465397756, -0.299425370626735,
)  # fmt: skip
# (trigamma(x) - 1/x - 1/(2x^2)) x^3 in 1/x^2, x >= 8
_TRIGAMMA_FAR = (
    0.16666666666666666, -0.0333333333333322, 0.023809523807580096, -0.03333333204380414,
    0.07575714459070881, -0.25303182992145234, 1.1574253415441726, -6.4640994255594775,
    30.16232499270368,
)  # fmt: skip
# sin(pi r) / r in r^2, |r| <= 1/2
_SINE = (
    3.141592653589793, -5.167712780049969, 2.5501640398773007, -0.5992645293189447,
    0.0821458865731029, -0.007370430505916944, 0.0004662998161898394, -2.1903497074626018e-05,
    7.697826768224191e-07,
)  # fmt: skip
# B_2j / (2j)!
_BERNOULLI = (
    0.08333333333333333, -0.001388888888888889, 3.3068783068783064e-05, -8.267195767195768e-07,
    2.08767569878681e-08, -5.284190138687493e-10, 1.338253653068468e-11, -3.3896802963225827e-13,
    8.586062056277845e-15, -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812525e-19,
)  # fmt: skip
_TERMS = 10


@through_f64
def lgamma(x: Scalar) -> Scalar:
    """log |gamma(x)|; inf at 0 and the negative integers."""
    a = abs(x)
    negative = x < 0.0
    positive = log_gamma(select(negative, 1.0 + a, a))
    # log |gamma(-a)| = log pi - log |sin(pi a)| - log gamma(1 + a)
    r = abs(_from_integer(a))
    tiny = r < 2.0**-900
    sine = log(select(tiny, r * 2.0**200, r) * horner(r * r, _SINE))
    sine = select(tiny, sine - 200 * 0.6931471805599453, sine)
    y = select(negative, (_LOG_PI - sine) - positive, positive)
    return select(a < _INFINITY, y, a + a)


def log_gamma(x: Scalar) -> Scalar:
    """log gamma(x) for x >= 0 of dtype f64."""
    # x = n + y with |y| <= 1/2, and the product (y + 2) ... (y + n - 1)
    n, product = x.const(0.0), x.const(1.0)
    for j in range(1, int(_SHIFTED) + 1):
        n = select(x >= j - 0.5, float(j), n)
    y = x - n
    for j in range(3, int(_SHIFTED) + 1):
        product = select(x >= j - 0.5, product * (y + (j - 1.0)), product)
    low = x < 1.5
    product = select(low, select(x < 0.5, x * (1.0 + x), x), product)
    far = x >= _SHIFTED
    logarithm = log(select(far, x, product))
    base = y * horner(y, LGAMMA_AT_TWO)
    near = select(low, base - logarithm, base + logarithm)
    return select(far, fma(x - 0.5, logarithm - 1.0, stirling(x) + 0.4189385332046727), near)


def stirling(x: Scalar) -> Scalar:
    """What Stirling's formula lacks of log gamma(x), for x >= 8."""
    z = 1.0 / x
    return z * horner(z * z, STIRLING)


def _from_integer(x: Scalar) -> Scalar:
    """The signed distance of x >= 0 to the nearest integer, exactly."""
    return select(x < 2.0**51, x - ((x + _MAGIC) - _MAGIC), 0.0)


def _sine_and_cosine(r: Scalar) -> tuple[Scalar, Scalar]:
    """sin(pi r) and cos(pi r) for |r| <= 1/2."""
    other = 0.5 - abs(r)
    return r * horner(r * r, _SINE), other * horner(other * other, _SINE)


@through_f64
def digamma(x: Scalar) -> Scalar:
    """The derivative of log gamma; infinite at 0, nan at the negative integers."""
    a = abs(x)
    negative = x < 0.0
    positive = digamma_of_positive(select(negative, 1.0 + a, a))
    # digamma(-a) = digamma(1 + a) + pi / tan(pi a)
    r = _from_integer(a)
    sine, cosine = _sine_and_cosine(r)
    y = select(negative, positive + _PI * cosine / sine, positive)
    y = select(negative & r.eq(0.0), _NAN, y)
    return select(x.eq(0.0), -1.0 / x, y)


def digamma_of_positive(x: Scalar) -> Scalar:
    """digamma(x) for x > 0 of dtype f64."""
    low = x < 1.0
    # the sum of 1/w over w = x - 1, x - 2, ... >= 1, or -1/x, as one quotient
    w = select(low, x + 1.0, x)
    above = select(low, x.const(-1.0), 0.0)
    below = select(low, x, 1.0)
    for _ in range(int(_SHIFTED) - 2):
        more = w >= 2.0
        w = select(more, w - 1.0, w)
        above = select(more, fma(above, w, below), above)
        below = select(more, below * w, below)
    base = ((w - _ROOT[0]) - _ROOT[1]) * horner(w - 1.5, _DIGAMMA)
    z = 1.0 / x
    far = log(x) - fma(z * z, horner(z * z, _DIGAMMA_FAR), 0.5 * z)
    return select(x < _SHIFTED, base + above / below, far)


@through_f64
def trigamma(x: Scalar) -> Scalar:
    """The derivative of digamma; inf at 0 and the negative integers."""
    a = abs(x)
    negative = x < 0.0
    w = select(negative, 1.0 + a, a)
    total = x.const(0.0)
    for _ in range(int(_SHIFTED)):
        more = w < _SHIFTED
        z = 1.0 / w
        total = select(more, fma(z, z, total), total)
        w = select(more, w + 1.0, w)
    z = 1.0 / w
    square = z * z
    y = total + fma(square, fma(z, horner(square, _TRIGAMMA_FAR), 0.5), z)
    # trigamma(-a) + trigamma(1 + a) = (pi / sin(pi a))^2
    sine, _ = _sine_and_cosine(_from_integer(a))
    ratio = _PI / sine
    return select(negative, fma(ratio, ratio, -y), y)


@through_f64
def zeta(s: Scalar, q: Scalar) -> Scalar:
    """The sum of (q + k)^-s over k >= 0, for s > 1: inf at s = 1, nan below.

    Of q < 0, with s an integer alone, what lies below 0 is the difference of two such sums: with
    r = q - floor(q) it is zeta(s, q) = zeta(s, r) +- (zeta(s, 1 - r) - zeta(s, 1 - q)).
    """
    down = (abs(q) + _MAGIC) - _MAGIC  # |q| to an integer, then up
    down = select(down < abs(q), down + 1.0, down)
    negative = q < 0.0
    r = select(negative, q + down, q)
    size = abs(s)
    half = size * 0.5
    integer = ((size + _MAGIC) - _MAGIC).eq(size) | (size >= 2.0**51)
    even = ((half + _MAGIC) - _MAGIC).eq(half) | (half >= 2.0**51)
    sign = select(even, s.const(1.0), -1.0)

    def one(k: Scalar, total: Scalar) -> list[Scalar]:
        first, second = k.eq(0.0), k.eq(1.0)
        place = select(first, r, select(second, 1.0 - r, 1.0 - q))
        weight = select(first, s.const(1.0), select(second, sign, -sign))
        weight = select(negative, weight, select(first, s.const(1.0), 0.0))
        value = weight * _sum(s, select(weight.eq(0.0), 1.0, place))
        return [total + value]

    (y,) = repeat(3, [s.const(0.0)], one)
    pole = (q <= 0.0) & q.eq(-down)
    y = select(pole, select(even, s.const(_INFINITY), _NAN), y)
    y = select(negative & ~integer, _NAN, y)
    y = select(s.eq(1.0), s.const(_INFINITY), y)
    return select((s < 1.0) | s.ne(s) | q.ne(q), _NAN, y)


def _sum(s: Scalar, q: Scalar) -> Scalar:
    """zeta(s, q) for q > 0."""
    (total,) = repeat(
        _TERMS, [s.const(0.0)], lambda k, total: [total + pow(q + k, -s)]
    )  # fmt: skip
    w = q + float(_TERMS)
    power = pow(w, -s)
    z = 1.0 / w
    square = z * z
    # s (s + 1) ... (s + 2j) / w^(2j + 1), times B_2j / (2j)!
    factor = s * z
    tail = fma(factor, _BERNOULLI[0], 0.5 + w / (s - 1.0))
    for j, number in enumerate(_BERNOULLI[1:], 1):
        factor = factor * ((s + (2.0 * j - 1.0)) * (s + 2.0 * j)) * square
        tail = fma(factor, number, tail)
    return total + select(power.eq(0.0), 0.0, power * tail)
