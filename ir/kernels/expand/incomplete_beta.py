"""The regularised incomplete beta function, by its continued fraction.

    I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) (1 / (1 + d_1 / (1 + d_2 / (1 + ...))))

(NIST Digital Library of Mathematical Functions, 8.17.22) for x < (a + 1) / (a + b + 2), and
1 - I_(1-x)(b, a) beyond. In f64 (f32 is rounded from it), with a loop of fixed length, enough for
a and b up to about 1e4. The factor is taken around the peak a / (a + b), in Loader's way ("Fast and
accurate computation of binomial probabilities", 2000). Limits: 1e-13 relative for a and b up to
1e3 where the result is above 1e-10; below, the exponent of the factor costs as many ulp as it is
large.
"""

from __future__ import annotations

import math

from .exponential import exp
from .gamma import log_gamma, stirling
from .logarithm import log, log1p
from .scalar import Scalar, fma, horner, repeat, select, through_f64

_ROUNDS = 300
_LARGE = 8.0
_SERIES = tuple(1 / (2 * j + 3) for j in range(16))


@through_f64
def betainc(a: Scalar, b: Scalar, x: Scalar) -> Scalar:
    """I_x(a, b); nan unless a and b are positive and x is in [0, 1]."""
    swap = x > (a + 1.0) / (a + b + 2.0)
    y = 1.0 - x
    first, second = select(swap, b, a), select(swap, a, b)
    place, other = select(swap, y, x), select(swap, x, y)
    value = _factor(first, second, place, other) * _fraction(first, second, place) / first
    value = select(place.eq(0.0), 0.0, value)
    value = select(swap, 1.0 - value, value)
    value = select(value > 1.0, 1.0, value)
    right = (a > 0.0) & (b > 0.0) & (x >= 0.0) & (x <= 1.0)
    return select(right, value, x.const(float("nan")))


def _fraction(a: Scalar, b: Scalar, x: Scalar) -> Scalar:
    """1 / (1 + d_1 / (1 + ...)) by its three-term recurrence, two terms a round."""
    one, zero = x.const(1.0), x.const(0.0)

    def body(k: Scalar, p: Scalar, q: Scalar, p_next: Scalar, q_next: Scalar) -> list[Scalar]:
        place = a + (k + k)
        odd = -(((a + k) * (a + b + k)) * x) / (place * (place + 1.0))
        p, q, p_next, q_next = p_next, q_next, fma(odd, p, p_next), fma(odd, q, q_next)
        m = k + 1.0
        place = a + (m + m)
        even = ((m * (b - m)) * x) / ((place - 1.0) * place)
        p, q, p_next, q_next = p_next, q_next, fma(even, p, p_next), fma(even, q, q_next)
        size = abs(q_next)
        scale = select(size > 2.0**64, k.const(2.0**-64), select(size < 2.0**-64, 2.0**64, one))
        return [value * scale for value in (p, q, p_next, q_next)]

    # the fraction 1 / (1 + ...) as P_n / Q_n with P_0 = 0, Q_0 = 1 and P_1 = Q_1 = 1
    _, _, p, q = repeat(_ROUNDS, [zero, one, one, one], body)
    return p / q


def _factor(a: Scalar, b: Scalar, x: Scalar, y: Scalar) -> Scalar:
    """x^a y^b / B(a, b) for x + y = 1."""
    total = a + b
    logarithm, other = log(x), log1p(-x)
    other = select(y < 0.5, log(y), other)
    # log gamma(a + b) - log gamma(a) - log gamma(b), the greater two by Stirling's formula
    swap = b > a
    big, little = select(swap, b, a), select(swap, a, b)
    mixed = fma(big - 0.5, log1p(little / big), little * (log(total) - 1.0))
    mixed = mixed + (stirling(total) - stirling(big))
    both = select(big >= _LARGE, mixed, log_gamma(total) - log_gamma(big))
    small = fma(a, logarithm, b * other) + (both - log_gamma(little))
    # sqrt(a b / (2 pi (a + b))) e^(-a D(x / x0) - b D(y / y0) + ...) around x0 = a / (a + b)
    away = fma(x, b, -(y * a))  # (x - x0) (a + b)
    deviance = a * _deviance(away / a, x, a / total) + b * _deviance(-away / b, y, b / total)
    corrections = stirling(total) - stirling(a) - stirling(b)
    root = (a * b / total * (0.5 / math.pi)).sqrt()
    large = (a >= _LARGE) & (b >= _LARGE)
    return exp(select(large, corrections - deviance, small)) * select(large, root, 1.0)


def _deviance(mu: Scalar, x: Scalar, peak: Scalar) -> Scalar:
    """mu - log(1 + mu), where 1 + mu = x / peak."""
    s = mu / (mu + 2.0)
    near = s * fma(-2.0 * s * s, horner(s * s, _SERIES), mu)
    return select(abs(mu) < 0.4, near, mu - log(x / peak))
