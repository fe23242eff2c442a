"""The incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, and the derivatives of P by a.

All in f64 (f32 is rounded from it), with loops of fixed length, each where it converges within it:

- the series of P (NIST Digital Library of Mathematical Functions, 8.7.1) for x <= a or so;
- the continued fraction of Q (DLMF 8.9.2) for x > a, by its three-term recurrence;
- for small a and x, where Q is neither, the series of its difference from 1 (DLMF 8.7.3);
- N. Temme's uniform expansion (DLMF 8.12) for a >= 100 and x within 30% of it, whose coefficients
  are exact Taylor series, rounded.

Everything is done on jets in a (jet.py), so that derivatives of any order are the same code.
Limits: about 10 ulp of the smaller one of P and Q where it is above 1e-10; below, the exponent of
their common factor, of size log Q, costs as many ulp as it is large.
"""

from __future__ import annotations

import math

from .error_function import erfc
from .exponential import expm1
from .gamma import LGAMMA_AT_TWO, STIRLING, digamma_of_positive, log_gamma, zeta
from .jet import Jet, carried, choose, polynomial
from .logarithm import log, log1p
from .scalar import Scalar, select, through_f64

_INFINITY, _NAN = float("inf"), float("nan")
_ROUNDS = 140  # of the series and of the continued fraction
_LARGE = 100.0  # a, for the uniform expansion
_SHORT = 22  # terms of the series for small x
_HALF_LOG_TWO_PI = 0.9189385332046728

# c_k(eta) of DLMF 8.12.9 in eta, for |eta| <= 0.34
_TEMME = (
    (
        -0.3333333333333333, 0.08333333333333333, -0.014814814814814815, 0.0011574074074074073,
        0.0003527336860670194, -0.0001787551440329218, 3.919263178522438e-05,
        -2.185448510679992e-06, -1.85406221071516e-06, 8.296711340953087e-07,
        -1.7665952736826078e-07, 6.707853543401498e-09, 1.0261809784240309e-08,
        -4.382036018453353e-09, 9.14769958223679e-10, -2.5514193994946248e-11,
        -5.830772132550426e-11,
    ),
    (
        -0.001851851851851852, -0.003472222222222222, 0.0026455026455026454,
        -0.0009902263374485596, 0.00020576131687242798, -4.018775720164609e-07,
        -1.8098550334489977e-05, 7.64916091608111e-06, -1.6120900894563446e-06,
        4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08,
        1.1951628599778148e-08, -1.7543241719747647e-11, -1.0091543710600413e-09,
    ),
    (
        0.004133597883597883, -0.0026813271604938273, 0.0007716049382716049,
        2.0093878600823047e-06, -0.0001073665322636516, 5.2923448829120125e-05,
        -1.2760635188618728e-05, 3.423578734096138e-08, 1.3721957309062934e-06,
        -6.298992138380055e-07, 1.4280614206064242e-07, -2.0477098421990866e-10,
        -1.409252991086752e-08,
    ),
    (
        0.0006494341563786008, 0.00022947209362139917, -0.0004691894943952557,
        0.00026772063206283885, -7.561801671883977e-05, -2.396505113867297e-07,
        1.1082654115347302e-05, -5.6749528269915965e-06, 1.4230900732435883e-06,
        -2.7861080291528143e-11, -1.6958404091930278e-07,
    ),
    (
        -0.0008618882909167117, 0.0007840392217200666, -0.0002990724803031902,
        -1.4638452578843418e-06, 6.641498215465122e-05, -3.968365047179435e-05,
        1.1375726970678419e-05, 2.507497226237533e-10, -1.6954149536558305e-06,
    ),
    (
        -0.00033679855336635813, -6.972813758365857e-05, 0.0002772753244959392,
        -0.00019932570516188847, 6.797780477937208e-05, 1.419062920643967e-07,
        -1.3594048189768693e-05,
    ),
    (
        0.0005313079364639922, -0.0005921664373536939, 0.0002708782096718045,
    ),
    (
        0.00034436760689237765,
    ),
)  # fmt: skip


def _jet(a: Scalar, order: int) -> Jet:
    return Jet([a, a.const(1.0), *[a.const(0.0)] * (order - 1)][: order + 1])


def _log_gamma(a: Jet, first: Scalar) -> Jet:
    """log gamma(a), whose value is `first`."""
    x = a.parts[0]
    parts = [first]
    for k in range(1, a.order + 1):
        if k == 1:
            parts.append(digamma_of_positive(x))
        else:  # the k-th derivative is +-(k - 1)! zeta(k, x)
            parts.append(zeta(x.const(float(k)), x) * ((-1.0) ** k / k))
    return Jet(parts)


def _excess(a: Jet, x: Scalar) -> tuple[Jet, Jet]:
    """mu = x / a - 1, and 2 (mu - log(1 + mu)) / mu^2 for |mu| < 0.45.

    With s = mu / (2 + mu), log(1 + mu) = 2 (s + s^3/3 + s^5/5 + ...) and mu - 2 s = mu s.
    """
    mu = (a.const(x) - a) / a
    w = 1.0 / (mu + 2.0)
    s = mu * w
    h = polynomial(s * s, [1 / (2 * j + 3) for j in range(16)])
    return mu, 2.0 * w * (1.0 - 2.0 * (s * w) * h)


def _factor(a: Jet, x: Scalar, mu: Jet, excess: Jet) -> Jet:
    """x^a e^-x / gamma(a)."""
    first = a.parts[0]
    logarithm = log(x)
    small = a * logarithm - x - _log_gamma(a, log_gamma(first))
    # for large a, with Stirling's formula: sqrt(a / 2 pi) e^(-a (mu - log(1 + mu)) - ...)
    near = mu * mu * excess * 0.5
    ratio = a.const(x) / a
    far = mu - ratio.log()
    inside = abs(mu.parts[0]) < 0.4
    z = 1.0 / a
    rest = z * polynomial(z * z, STIRLING)
    large = -(a * choose(inside, near, far)) - rest
    power = choose(first < 8.0, small, large)
    root = (a * (0.5 / math.pi)).sqrt()
    one = a.const(1.0)
    return power.exp() * choose(first < 8.0, one, root)


def _series(a: Jet, x: Scalar) -> Jet:
    """P(a, x) over the factor: the sum of x^n / (a (a + 1) ... (a + n))."""

    def body(k: Scalar, term: Jet, total: Jet) -> list[Jet]:
        term = term * x / (a + (k + 1.0))
        return [term, total + term]

    start = 1.0 / a
    return carried(_ROUNDS, [start, start], body)[1]


def _fraction(a: Jet, x: Scalar) -> Jet:
    """Q(a, x) over the factor: 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))."""
    y = 1.0 - a
    z = y + x + 1.0
    first, second = a.const(1.0), a.const(x)
    third, fourth = a.const(x + 1.0), z * x

    def body(k: Scalar, p: Jet, q: Jet, p_next: Jet, q_next: Jet) -> list[Jet]:
        n = k + 1.0
        step = (y + n) * n
        width = z + (n + n)
        p_new, q_new = p_next * width - p * step, q_next * width - q * step
        big = abs(q_new.parts[0]) > 2.0**64
        scale = select(big, n.const(2.0**-64), 1.0)
        return [value * scale for value in (p_next, q_next, p_new, q_new)]

    _, _, p, q = carried(_ROUNDS, [first, second, third, fourth], body)
    return p / q


def _small(a: Jet, x: Scalar) -> Jet:
    """Q(a, x) = 1 - x^a / gamma(1 + a) (1 + a sum of (-x)^n / (n! (a + n)))."""
    first = a.parts[0]
    y = choose(first < 0.5, a, a - 1.0)
    base = y * polynomial(y, LGAMMA_AT_TWO)
    one = (a + 1.0).integral(log1p(first), 1.0 / (a + 1.0))
    power = a * log(x) - choose(first < 0.5, base - one, base)
    growth = expm1(power.parts[0])
    whole = power.exp(growth + 1.0)
    less = Jet([growth, *whole.parts[1:]])
    total = a.const(0.0)
    factor = x.const(1.0)
    for n in range(1, _SHORT):
        factor = factor * x * (-1.0 / n)
        total = total + a.const(factor) / (a + float(n))
    return -less - whole * a * total


def _uniform(a: Jet, mu: Jet, excess: Jet) -> tuple[Jet, Jet]:
    """P and Q of Temme's expansion."""
    eta = mu * excess.sqrt()
    z = 1.0 / a
    total = polynomial(eta, _TEMME[-1])
    for row in reversed(_TEMME[:-1]):
        total = total * z + polynomial(eta, row)
    half = eta * eta * a * 0.5
    rest = (-half).exp() * total / (a * (2 * math.pi)).sqrt()
    argument = eta * (a * 0.5).sqrt()
    slope = (-(argument * argument)).exp() * (-2 / math.sqrt(math.pi))
    lower = (-argument).integral(erfc(-argument.parts[0]), slope) * 0.5
    upper = argument.integral(erfc(argument.parts[0]), slope) * 0.5
    return lower - rest, upper + rest


def _both(a: Scalar, x: Scalar, order: int) -> tuple[Jet, Jet]:
    """P(a, x) and Q(a, x) for positive a and x, as jets in a."""
    jet = _jet(a, order)
    mu, excess = _excess(jet, x)
    factor = _factor(jet, x, mu, excess)
    by_series = _series(jet, x) * factor
    by_fraction = _fraction(jet, x) * factor
    by_small = _small(jet, x)
    by_uniform, upper_uniform = _uniform(jet, mu, excess)
    uniform = (a >= _LARGE) & (abs(mu.parts[0]) < 0.3)
    fraction = (x > 1.1) & (x > a)
    small = (x <= 1.1) & (select(x <= 0.5, -0.4 / log(x), x * 1.1) >= a)
    upper = choose(fraction, by_fraction, choose(small, by_small, 1.0 - by_series))
    lower = choose(fraction, 1.0 - by_fraction, choose(small, 1.0 - by_small, by_series))
    return choose(uniform, by_uniform, lower), choose(uniform, upper_uniform, upper)


def _at_ends(y: Scalar, a: Scalar, x: Scalar, at_zero: float, at_infinity: float) -> Scalar:
    y = select(x.eq(0.0), at_zero, y)
    y = select(x.eq(_INFINITY), at_infinity, y)
    y = select(a.eq(_INFINITY), select(x.eq(_INFINITY), y.const(_NAN), at_zero), y)
    y = select(a.eq(0.0), select(x.eq(0.0), y.const(_NAN), at_infinity), y)
    wrong = (a < 0.0) | (x < 0.0) | a.ne(a) | x.ne(x)
    return select(wrong, _NAN, y)


@through_f64
def igamma(a: Scalar, x: Scalar) -> Scalar:
    """P(a, x); nan for negative operands."""
    return _at_ends(_both(a, x, 0)[0].parts[0], a, x, 0.0, 1.0)


@through_f64
def igammac(a: Scalar, x: Scalar) -> Scalar:
    """Q(a, x); nan for negative operands."""
    return _at_ends(_both(a, x, 0)[1].parts[0], a, x, 1.0, 0.0)


def igamma_derivative(a: Scalar, x: Scalar, order: int) -> Scalar:
    """The derivative of P(a, x) by a, so many times."""

    @through_f64
    def derivative(a: Scalar, x: Scalar) -> Scalar:
        lower, upper = _both(a, x, order)
        y = select(x > a, -upper.parts[order], lower.parts[order]) * float(math.factorial(order))
        return _at_ends(y, a, x, 0.0, 0.0)

    return derivative(a, x)
