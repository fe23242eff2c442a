"""Functions of complex numbers, on pairs of kernel scalars.

`FUNCTIONS` has one for the mnemonic of each op that takes complex numbers. Those that would lose
digits or overflow on the way (quotients, moduli, roots, logarithms) work in f64 for f32 and round
once; for f64 they scale what is beyond 2^500 or below 2^-500 by a power of two first.

The inverse functions follow W. Kahan, "Branch cuts for complex elementary functions, or much ado
about nothing's sign bit", 1987, and so does tanh; the signs of zeros choose the side of a cut.

Limits: a few ulp of the modulus of the result, not of each part; where C99 (annex G) leaves one
part of a result to choice (infinite arguments), nan is given for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...value_classes import NamedTuple
from . import exponential, hyperbolic, inverse_trigonometric, logarithm, trigonometric
from .scalar import Operand, Scalar, copysign, fma, select

_INFINITY = float("inf")
_LN2 = 0.6931471805599453
_FAR = 2.0**500  # what is larger is scaled before it is squared, and what is below its inverse
_SHIFT = 600  # by this power of two
_LARGEST = {"f32": 88.0, "f64": 709.0}  # e^x is finite up to here
_FLAT = {"f32": 11.0, "f64": 22.0}  # beyond it tanh is 1 along the real axis


class Pair(NamedTuple):
    """A complex number."""

    real: Scalar
    imag: Scalar

    @property
    def dtype(self) -> str:
        return self.real.dtype

    def turned(self) -> Pair:
        """i times it."""
        return Pair(-self.imag, self.real)

    def turned_back(self) -> Pair:
        """-i times it."""
        return Pair(self.imag, -self.real)


def _constant(like: Pair, real: float, imag: float = 0.0) -> Pair:
    return Pair(like.real.const(real), like.real.const(imag))


def _select(condition: Scalar, x: Pair, y: Pair) -> Pair:
    return Pair(select(condition, x.real, y.real), select(condition, x.imag, y.imag))


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """For f32, `function` in f64, rounded once."""

    @wraps(function)
    def rounded(*operands: Pair) -> Any:
        if operands[0].dtype == "f64":
            return function(*operands)
        result = function(*(Pair(z.real.cast("f64"), z.imag.cast("f64")) for z in operands))
        if isinstance(result, Pair):
            return Pair(result.real.cast("f32"), result.imag.cast("f32"))
        return result.cast("f32")

    return rounded


def _ordered(x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    """The larger and the smaller of |x| and |y|; a nan stays one of them."""
    a, b = abs(x), abs(y)
    return select(a < b, b, a), select(a < b, a, b)


def _scale(largest: Scalar) -> Scalar:
    """The power of two that brings a pair with this larger part to where squares are finite."""
    up = select(largest < 1.0 / _FAR, largest.const(2.0**_SHIFT), 1.0)
    return select(largest > _FAR, 2.0**-_SHIFT, up)


def _inverse(scale: Scalar) -> Scalar:
    up = select(scale < 1.0, scale.const(2.0**_SHIFT), 1.0)
    return select(scale > 1.0, 2.0**-_SHIFT, up)


def _infinite(x: Scalar, y: Scalar) -> Scalar:
    return abs(x).eq(_INFINITY) | abs(y).eq(_INFINITY)


# Arithmetic.


def add(x: Pair, y: Pair) -> Pair:
    return Pair(x.real + y.real, x.imag + y.imag)


def sub(x: Pair, y: Pair) -> Pair:
    return Pair(x.real - y.real, x.imag - y.imag)


def neg(z: Pair) -> Pair:
    return Pair(-z.real, -z.imag)


def conj(z: Pair) -> Pair:
    return Pair(z.real, -z.imag)


def mul(x: Pair, y: Pair) -> Pair:
    """Each product rounded, so that z conj(z) is real."""
    return Pair(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


@_wide
def div(x: Pair, y: Pair) -> Pair:
    """x conj(y) / |y|^2, every product rounded, so that z / z is 1. By zero, the parts of x by 0;
    by infinity 0."""
    at_zero = y.real.eq(0.0) & y.imag.eq(0.0)
    unbounded = _infinite(*y)

    x_scale, y_scale = _scale(_ordered(*x)[0]), _scale(_ordered(*y)[0])
    a, b = x.real * x_scale, x.imag * x_scale
    c, d = (select(unbounded, _direction(part), part * y_scale) for part in y)
    square = select(unbounded, _INFINITY, c * c + d * d)
    real, imag = (a * c + b * d) / square, (b * c - a * d) / square

    same = x_scale.eq(y_scale)
    first, second = select(same, 1.0, _inverse(x_scale)), select(same, 1.0, y_scale)
    zero = x.real.const(0.0)
    by_zero = Pair(x.real / zero, x.imag / zero)
    return _select(at_zero, by_zero, Pair(real * first * second, imag * first * second))


def _direction(part: Scalar) -> Scalar:
    """1 or -1 of an infinite part, else 0."""
    return copysign(select(abs(part).eq(_INFINITY), part.const(1.0), 0.0), part)


def equal(x: Pair, y: Pair) -> Scalar:
    return x.real.eq(y.real) & x.imag.eq(y.imag)


def not_equal(x: Pair, y: Pair) -> Scalar:
    return x.real.ne(y.real) | x.imag.ne(y.imag)


@_wide
def modulus(z: Pair) -> Scalar:
    """|z|; infinite where a part is, even beside a nan."""
    large, small = _ordered(*z)
    scale = _scale(large)
    a, b = large * scale, small * scale
    return select(_infinite(*z), _INFINITY, fma(a, a, b * b).sqrt() * _inverse(scale))


@_wide
def sign(z: Pair) -> Pair:
    """z / |z|, and 0 of 0."""
    half = select(_ordered(*z)[0] > 1.0, z.real.const(0.5), 1.0)
    x, y = z.real * half, z.imag * half
    length = modulus(Pair(x, y))
    at_zero = length.eq(0.0)
    length = select(at_zero, 1.0, length)
    return _select(at_zero, _constant(z, 0.0), Pair(x / length, y / length))


# Roots and powers.


@_wide
def sqrt(z: Pair) -> Pair:
    """The root in the right half plane: with t = sqrt((|x| + |z|) / 2), t and y / 2t."""
    large, _ = _ordered(*z)
    tiny = large < 2.0**-900
    scale = select(large > 2.0**1000, 2.0**-100, select(tiny, z.real.const(2.0**200), 1.0))
    back = select(large > 2.0**1000, 2.0**50, select(tiny, z.real.const(2.0**-100), 1.0))
    x, y = z.real * scale, z.imag * scale
    t = ((abs(x) + modulus(Pair(x, y))) * 0.5).sqrt()
    u = y / (t + t)
    root = _select(x < 0.0, Pair(abs(u), copysign(t, y)), Pair(t, u))
    root = Pair(root.real * back, root.imag * back)
    root = _select(large.eq(0.0), Pair(z.real.const(0.0), z.imag), root)
    upwards = abs(z.imag).eq(_INFINITY)
    return _select(upwards, Pair(z.real.const(_INFINITY), z.imag), root)


@_wide
def rsqrt(z: Pair) -> Pair:
    root: Pair = div(_constant(z, 1.0), sqrt(z))
    return root


@_wide
def power(x: Pair, y: Pair) -> Pair:
    """exp(y log x), and products for the exponents 0, 1 and 2. Of 0, it is 0 where the exponent
    has a positive real part, and else nan."""
    result = exp(mul(y, log(x)))
    real = y.imag.eq(0.0)
    at_zero = x.real.eq(0.0) & x.imag.eq(0.0)
    nan = float("nan")
    of_zero = _select(y.real > 0.0, _constant(x, 0.0), _constant(x, nan, nan))
    result = _select(at_zero, of_zero, result)
    result = _select(real & y.real.eq(2.0), mul(x, x), result)
    result = _select(real & y.real.eq(1.0), x, result)
    return _select(real & y.real.eq(0.0), _constant(x, 1.0), result)


# Logarithms.


@_wide
def log(z: Pair) -> Pair:
    """log |z| and the angle in [-pi, pi]."""
    large, small = _ordered(*z)
    excess = _sum_of_products(large, large - 1.0, 1.0, small)
    return Pair(_log_modulus(large, small, excess), inverse_trigonometric.atan2(z.imag, z.real))


@_wide
def log1p(z: Pair) -> Pair:
    """log(1 + z), exact near 0."""
    x, y = z
    shifted = x + 1.0
    large, small = _ordered(shifted, y)
    excess = _sum_of_products(x, x, 2.0, y)
    return Pair(_log_modulus(large, small, excess), inverse_trigonometric.atan2(y, shifted))


def _log_modulus(large: Scalar, small: Scalar, excess: Scalar) -> Scalar:
    """log sqrt(large^2 + small^2), by `excess` = large^2 + small^2 - 1 near the unit circle."""
    scale = _scale(large)
    a, b = large * scale, small * scale
    square = fma(a, a, b * b)
    near = scale.eq(1.0) & (square > 0.5) & (square < 3.0)
    shift = select(scale < 1.0, scale.const(_SHIFT * _LN2), 0.0)
    shift = select(scale > 1.0, -_SHIFT * _LN2, shift)
    far = 0.5 * logarithm.log(square) + shift
    close = 0.5 * logarithm.log1p(select(near, excess, 0.0))
    return select(_infinite(large, small), _INFINITY, select(near, close, far))


def _sum_of_products(x: Scalar, factor: Scalar, shift: float, y: Scalar) -> Scalar:
    """factor (x + shift) + y^2 with the rounding errors of all its parts added at the end."""
    total, total_low = _two_sum(x, x.const(shift))
    product = factor * total
    product_low = fma(factor, total, -product) + factor * total_low
    square = y * y
    square_low = fma(y, y, -square)
    high, low = _two_sum(product, square)
    return high + (low + (product_low + square_low))


def _two_sum(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """a + b rounded, and what that lost (D. Knuth, 1969)."""
    total = a + b
    from_b = total - a
    return total, (a - (total - from_b)) + (b - from_b)


# Exponentials.


def exp(z: Pair) -> Pair:
    """e^x (cos y + i sin y); e^x as a product where it alone would overflow."""
    x, y = z
    bounded = abs(y) < _INFINITY
    angle = select(x.eq(-_INFINITY) & ~bounded, 0.0, y)
    cosine, sine = trigonometric.cos(angle), trigonometric.sin(angle)
    large = x > _LARGEST[z.dtype]
    growth = exponential.exp(select(large, x * 0.5, x))
    again = select(large, growth, 1.0)
    real = growth * cosine * again
    real = select(x.eq(_INFINITY) & ~bounded, _INFINITY, real)
    return Pair(real, select(y.eq(0.0), y, growth * sine * again))


def expm1(z: Pair) -> Pair:
    """(e^x - 1) cos y - 2 sin(y/2)^2 and e^x sin y."""
    whole = exp(z)
    sine = trigonometric.sin(z.imag * 0.5)
    cosine = trigonometric.cos(z.imag)
    near = fma(exponential.expm1(z.real), cosine, -2.0 * (sine * sine))
    return Pair(select(abs(z.real) < 1.0, near, whole.real - 1.0), whole.imag)


def sigmoid(z: Pair) -> Pair:
    """1 / (1 + e^-z), or e^z / (1 + e^z), whichever does not overflow; around the poles, which are
    on the imaginary axis, (1 + tanh(z/2)) / 2."""
    left = z.real < 0.0
    growth = exp(_select(left, z, neg(z)))
    one = _constant(z, 1.0)
    far: Pair = div(_select(left, growth, one), add(one, growth))
    half = tanh(Pair(z.real * 0.5, z.imag * 0.5))
    near = Pair(half.real * 0.5 + 0.5, half.imag * 0.5)
    return _select(abs(z.real) < 1.0, near, far)


def _hyperbolic(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """cosh x, sinh x and a factor for both, not 1 where they alone would overflow."""
    a = abs(x)
    large = a > _LARGEST[x.dtype]
    growth = exponential.exp(select(large, a * 0.5, 0.0))
    kept = select(large, 0.0, x)
    cosh = select(large, growth * 0.5, hyperbolic.cosh(kept))
    sinh = select(large, copysign(growth * 0.5, x), hyperbolic.sinh(kept))
    return cosh, sinh, select(large, growth, 1.0)


def _grown(growth: Scalar, factor: Scalar, again: Operand) -> Scalar:
    """Their product, 0 where the second is, even if the others are infinite."""
    zero = copysign(factor.const(1.0), growth) * factor
    return select(factor.eq(0.0), zero, growth * factor * again)


def cosh(z: Pair) -> Pair:
    """cosh x cos y + i sinh x sin y."""
    cosh_x, sinh_x, again = _hyperbolic(z.real)
    cosine, sine = trigonometric.cos(z.imag), trigonometric.sin(z.imag)
    return Pair(_grown(cosh_x, cosine, again), _grown(sinh_x, sine, again))


def sinh(z: Pair) -> Pair:
    """sinh x cos y + i cosh x sin y."""
    cosh_x, sinh_x, again = _hyperbolic(z.real)
    cosine, sine = trigonometric.cos(z.imag), trigonometric.sin(z.imag)
    return Pair(_grown(sinh_x, cosine, again), _grown(cosh_x, sine, again))


def tanh(z: Pair) -> Pair:
    """With t = tan y, s = sinh x and b = 1 + t^2: (b s sqrt(1 + s^2) + i t) / (1 + b s^2)."""
    x, y = z
    a = abs(x)
    flat = a > _FLAT[z.dtype]
    near = select(flat, 0.0, x)
    t, s = trigonometric.tan(y), hyperbolic.sinh(near)
    beta = fma(t, t, 1.0)
    below = fma(beta * s, s, 1.0)
    close = Pair(beta * s * fma(s, s, 1.0).sqrt() / below, select(y.eq(0.0), y, t / below))
    decay = exponential.exp(-a)
    wave = trigonometric.sin(y) * trigonometric.cos(y)
    wave = select(a.eq(_INFINITY) & wave.ne(wave), 0.0, wave)
    return _select(flat, Pair(copysign(x.const(1.0), x), 4.0 * wave * decay * decay), close)


def sin(z: Pair) -> Pair:
    return sinh(z.turned()).turned_back()


def cos(z: Pair) -> Pair:
    return cosh(z.turned())


def tan(z: Pair) -> Pair:
    return tanh(z.turned()).turned_back()


# Their inverses.


def _endless(sign: Scalar) -> Scalar:
    return copysign(sign.const(_INFINITY), sign)


def _roots(z: Pair) -> tuple[Pair, Pair]:
    """sqrt(1 - z) and sqrt(1 + z)."""
    return sqrt(Pair(1.0 - z.real, -z.imag)), sqrt(Pair(1.0 + z.real, z.imag))


@_wide
def asin(z: Pair) -> Pair:
    minus, plus = _roots(z)
    real = inverse_trigonometric.atan2(z.real, mul(minus, plus).real)
    near = Pair(real, hyperbolic.asinh(mul(conj(minus), plus).imag))
    angle = inverse_trigonometric.atan2(z.real, abs(z.imag))
    return _select(_infinite(*z), Pair(angle, _endless(z.imag)), near)


@_wide
def acos(z: Pair) -> Pair:
    minus, plus = _roots(z)
    real = inverse_trigonometric.atan2(minus.real, plus.real)
    near = Pair(real + real, hyperbolic.asinh(mul(conj(plus), minus).imag))
    angle = inverse_trigonometric.atan2(abs(z.imag), z.real)
    return _select(_infinite(*z), Pair(angle, _endless(-z.imag)), near)


@_wide
def acosh(z: Pair) -> Pair:
    minus, plus = sqrt(Pair(z.real - 1.0, z.imag)), sqrt(Pair(z.real + 1.0, z.imag))
    half = inverse_trigonometric.atan2(minus.imag, plus.real)
    near = Pair(hyperbolic.asinh(mul(conj(minus), plus).real), half + half)
    far = Pair(z.real.const(_INFINITY), inverse_trigonometric.atan2(z.imag, z.real))
    return _select(_infinite(*z), far, near)


def asinh(z: Pair) -> Pair:
    result: Pair = asin(z.turned())
    return result.turned_back()


@_wide
def atanh(z: Pair) -> Pair:
    """log1p(4x / ((1-x)^2 + y^2)) / 4, and half the angle of (1-x)(1+x) - y^2 + 2iy."""
    x, y = z
    a = abs(x)
    beside = 1.0 - a
    real = 0.25 * logarithm.log1p(4.0 * a / fma(beside, beside, y * y))
    imag = 0.5 * inverse_trigonometric.atan2(y + y, fma(beside, 1.0 + a, -(y * y)))
    unbounded = _infinite(x, y)
    real = select(unbounded, 0.0, real)
    imag = select(unbounded, copysign(y.const(1.5707963267948966), y), imag)
    return Pair(copysign(real, x), imag)


def atan(z: Pair) -> Pair:
    result: Pair = atanh(z.turned())
    return result.turned_back()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f.__name__: f for f in (add, sub, neg, conj, mul, equal, not_equal)},
    **{f.__name__: f for f in (exp, expm1, sigmoid, cosh, sinh, tanh, sin, cos, tan, asinh, atan)},
    **{"div": div, "abs": modulus, "sign": sign, "sqrt": sqrt, "rsqrt": rsqrt, "pow": power},
    **{"log": log, "log1p": log1p, "asin": asin, "acos": acos, "acosh": acosh, "atanh": atanh},
}
