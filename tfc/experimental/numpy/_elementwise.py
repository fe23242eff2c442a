"""Elementwise functions under NumPy's names: operands are promoted as NumPy does it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike
from tfc.experimental import array_api as xp
from tfc.experimental.array_api._reductions import truth
from tfc.ops.math import numeric

from ._promotion import asarray, inexact, promote

F = TypeVar("F", bound="Callable[..., Tensor]")
Unary: TypeAlias = "Callable[[Tensor], Tensor]"
Binary: TypeAlias = "Callable[[Tensor, Tensor], Tensor]"
Promoting: TypeAlias = "Callable[[TensorLike, TensorLike], Tensor]"

_m = tf.math


def _named(function: F, name: str, doc: str) -> F:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _float(name: str, function: Unary, doc: str) -> Callable[[TensorLike], Tensor]:
    """A function of floats; integers and bools are computed as the default float."""
    return _named(lambda x: function(inexact(x)), name, doc)


def _any(name: str, function: Unary, doc: str) -> Callable[[TensorLike], Tensor]:
    return _named(lambda x: function(asarray(x)), name, doc)


def _binary(name: str, function: Binary, doc: str, floats: bool = False) -> Promoting:
    def binary(x1: TensorLike, x2: TensorLike) -> Tensor:
        x1, x2 = promote(x1, x2)
        if floats and not x1.dtype.is_inexact:
            x1, x2 = inexact(x1), inexact(x2)
        return function(x1, x2)

    return _named(binary, name, doc)


arccos = _float("arccos", _m.acos, "The angle in [0, pi] whose cosine is x.")
arccosh = _float("arccosh", _m.acosh, "The inverse hyperbolic cosine.")
arcsin = _float("arcsin", _m.asin, "The angle in [-pi/2, pi/2] whose sine is x.")
arcsinh = _float("arcsinh", _m.asinh, "The inverse hyperbolic sine.")
arctan = _float("arctan", _m.atan, "The angle in [-pi/2, pi/2] whose tangent is x.")
arctanh = _float("arctanh", _m.atanh, "The inverse hyperbolic tangent.")
cos = _float("cos", _m.cos, "The cosine of x in radians.")
cosh = _float("cosh", _m.cosh, "The hyperbolic cosine.")
exp = _float("exp", _m.exp, "e to the power x.")
expm1 = _float("expm1", _m.expm1, "exp(x) - 1, exact near 0.")
log = _float("log", _m.log, "The natural logarithm.")
log1p = _float("log1p", _m.log1p, "log(1 + x), exact near 0.")
log2 = _float("log2", xp.log2, "The logarithm to base 2.")
log10 = _float("log10", xp.log10, "The logarithm to base 10.")
sin = _float("sin", _m.sin, "The sine of x in radians.")
sinh = _float("sinh", _m.sinh, "The hyperbolic sine.")
sqrt = _float("sqrt", _m.sqrt, "The square root.")
tan = _float("tan", _m.tan, "The tangent of x in radians.")
tanh = _float("tanh", _m.tanh, "The hyperbolic tangent.")
signbit = _float("signbit", numeric.signbit, "Whether the sign bit is set.")
exp2 = _float("exp2", lambda x: _m.pow(tf.constant(2, x.dtype), x), "2 to the power x.")
deg2rad = _float("deg2rad", lambda x: x * (math.pi / 180), "Degrees as radians.")
rad2deg = _float("rad2deg", lambda x: x * (180 / math.pi), "Radians as degrees.")
radians = deg2rad
degrees = rad2deg
ceil = _float("ceil", xp.ceil, "The least integer not below x.")
floor = _float("floor", xp.floor, "The largest integer not above x.")
trunc = _float("trunc", xp.trunc, "The integer towards zero.")
fix = _float("fix", xp.trunc, "The integer towards zero.")
fabs = _float("fabs", _m.abs, "|x| as floats.")
abs = _any("abs", lambda x: x if x.dtype.is_bool else xp.abs(x), "|x|.")
absolute = abs
negative = _any("negative", _m.negative, "-x.")
positive = _any("positive", lambda x: +x, "x.")
square = _any("square", _m.square, "x * x.")
sign = _any("sign", xp.sign, "-1, 0 or 1.")
reciprocal = _any(
    "reciprocal",
    lambda x: _m.reciprocal(x) if x.dtype.is_inexact else tf.ones_like(x) // x,
    "1 / x; of integers rounded down.",
)
conj = _any(
    "conj",
    lambda x: tf.cast(x, tf.int8) if x.dtype.is_bool else xp.conj(x),
    "The complex conjugate.",
)
conjugate = conj
real = _any("real", lambda x: x if x.dtype.is_bool else xp.real(x), "The real part.")
imag = _any(
    "imag", lambda x: xp.imag(x) if x.dtype.is_complex else tf.zeros_like(x), "The imaginary part."
)
isfinite = _float("isfinite", xp.isfinite, "Whether x is neither infinite nor nan.")
isinf = _float("isinf", xp.isinf, "Whether x is infinite.")
isnan = _float("isnan", xp.isnan, "Whether x is nan.")
isneginf = _float("isneginf", lambda x: tf.equal(x, -math.inf), "Whether x is -inf.")
isposinf = _float("isposinf", lambda x: tf.equal(x, math.inf), "Whether x is inf.")
isreal = _any("isreal", lambda x: tf.equal(imag(x), tf.zeros([], imag(x).dtype)), "imag(x) == 0.")
iscomplex = _any("iscomplex", lambda x: _m.logical_not(isreal(x)), "imag(x) != 0.")
logical_not = _any("logical_not", lambda x: _m.logical_not(truth(x)), "not x.")
bitwise_not = _any("bitwise_not", lambda x: ~x, "~x; of bools, not x.")
invert = bitwise_not


def _cbrt(x: Tensor) -> Tensor:
    """Through the power of the magnitude, then one step of Newton's method."""
    size = _m.abs(x)
    root = _m.pow(size, tf.constant(1 / 3, x.dtype))
    safe = tf.where(tf.logical_and(root > 0, _m.is_finite(root)), root, tf.ones_like(root))
    better = safe - (safe - size / (safe * safe)) / 3
    found = tf.where(tf.logical_and(root > 0, _m.is_finite(root)), better, root)
    return numeric.copysign(found, x)


cbrt = _float("cbrt", _cbrt, "The cube root.")


def _sinc(x: Tensor) -> Tensor:
    angle = x * math.pi
    safe = tf.where(tf.equal(x, 0), tf.ones_like(x), angle)
    return tf.where(tf.equal(x, 0), tf.ones_like(x), _m.sin(safe) / safe)


sinc = _float("sinc", _sinc, "sin(pi x) / (pi x), 1 at 0.")


def _bools(function: Binary) -> Binary:
    """A function of numbers that bools take as `otherwise`."""
    return lambda x, y: function(truth(x), truth(y))


def _or_logical(function: Binary, logical: Binary) -> Binary:
    return lambda x, y: logical(x, y) if x.dtype.is_bool else function(x, y)


def _pow(x: Tensor, y: Tensor) -> Tensor:
    if x.dtype.is_bool:
        x, y = tf.cast(x, tf.int8), tf.cast(y, tf.int8)
    return _m.pow(x, y)


def _divided(function: Binary) -> Binary:
    """For functions that NumPy gives bools as int8."""
    return lambda x, y: (
        function(tf.cast(x, tf.int8), tf.cast(y, tf.int8)) if x.dtype.is_bool else function(x, y)
    )


add = _binary("add", _or_logical(_m.add, _m.logical_or), "x1 + x2; of bools, x1 or x2.")
subtract = _binary("subtract", _m.subtract, "x1 - x2.")
multiply = _binary(
    "multiply", _or_logical(_m.multiply, _m.logical_and), "x1 * x2; of bools, x1 and x2."
)
true_divide = _binary("true_divide", _m.truediv, "x1 / x2, as floats.", floats=True)
divide = true_divide
floor_divide = _binary("floor_divide", _divided(_m.floordiv), "floor(x1 / x2).")
remainder = _binary("remainder", _divided(_m.floormod), "x1 modulo x2, with the sign of x2.")
mod = remainder
power = _binary("power", _pow, "x1 to the power x2.")
float_power = _binary(
    "float_power",
    lambda x, y: _m.pow(tf.cast(x, tf.float64), tf.cast(y, tf.float64)),
    "x1 to the power x2, in float64.",
)
maximum = _binary(
    "maximum", _or_logical(_m.maximum, _m.logical_or), "The larger of x1 and x2; nan if either is."
)
minimum = _binary(
    "minimum", _or_logical(_m.minimum, _m.logical_and), "The smaller of both; nan if either is."
)
fmax = _binary(
    "fmax", _or_logical(numeric.fmax, _m.logical_or), "The larger of both; nan if both are."
)
fmin = _binary(
    "fmin", _or_logical(numeric.fmin, _m.logical_and), "The smaller of both; nan if both are."
)
arctan2 = _binary("arctan2", _m.atan2, "The angle of the point (x=x2, y=x1).", floats=True)
hypot = _binary("hypot", numeric.hypot, "sqrt(x1**2 + x2**2), without overflow.", floats=True)
logaddexp = _binary("logaddexp", numeric.logaddexp, "log(exp(x1) + exp(x2)).", floats=True)
logaddexp2 = _binary("logaddexp2", numeric.logaddexp2, "log2(2**x1 + 2**x2).", floats=True)
nextafter = _binary("nextafter", numeric.nextafter, "The float next to x1 towards x2.", floats=True)
copysign = _binary("copysign", numeric.copysign, "The magnitude of x1, the sign of x2.", True)
equal = _binary("equal", _m.equal, "x1 == x2.")
not_equal = _binary("not_equal", _m.not_equal, "x1 != x2.")
less = _binary("less", _divided(_m.less), "x1 < x2.")
less_equal = _binary("less_equal", _divided(_m.less_equal), "x1 <= x2.")
greater = _binary("greater", _divided(_m.greater), "x1 > x2.")
greater_equal = _binary("greater_equal", _divided(_m.greater_equal), "x1 >= x2.")
logical_and = _binary("logical_and", _bools(_m.logical_and), "x1 and x2.")
logical_or = _binary("logical_or", _bools(_m.logical_or), "x1 or x2.")
logical_xor = _binary("logical_xor", _bools(_m.logical_xor), "Either x1 or x2.")
bitwise_and = _binary("bitwise_and", tf.bitwise.bitwise_and, "x1 & x2.")
bitwise_or = _binary("bitwise_or", tf.bitwise.bitwise_or, "x1 | x2.")
bitwise_xor = _binary("bitwise_xor", tf.bitwise.bitwise_xor, "x1 ^ x2.")
left_shift = _binary("left_shift", xp.bitwise_left_shift, "x1 << x2.")
right_shift = _binary("right_shift", xp.bitwise_right_shift, "x1 >> x2.")


def _heaviside(x: Tensor, middle: Tensor) -> Tensor:
    step = tf.cast(tf.greater(x, 0), x.dtype)
    step = tf.where(_m.is_nan(x), x, step)
    return tf.where(tf.equal(x, 0), middle, step)


heaviside = _binary("heaviside", _heaviside, "0 below 0, x2 at 0, 1 above.", floats=True)


def divmod(x1: TensorLike, x2: TensorLike) -> tuple[Tensor, Tensor]:
    """floor_divide and remainder."""
    return floor_divide(x1, x2), remainder(x1, x2)


def angle(z: TensorLike, deg: bool = False) -> Tensor:
    """The angle of complex numbers, in radians (or degrees)."""
    z = inexact(z)
    found = _m.atan2(imag(z), real(z))
    return rad2deg(found) if deg else found


def around(a: TensorLike, decimals: int = 0) -> Tensor:
    """To the nearest multiple of 10 ** -decimals, ties to even."""
    a = asarray(a)
    if not a.dtype.is_inexact:
        if decimals >= 0:
            return a
        scale = 10**-decimals
        return tf.cast(_m.round(tf.cast(a, tf.float64) / scale) * scale, a.dtype)
    if not decimals:
        return xp.round(a)
    scale = 10.0 ** (decimals if decimals > 0 else -decimals)
    return xp.round(a * scale) / scale if decimals > 0 else xp.round(a / scale) * scale


round = around


def clip(a: TensorLike, a_min: TensorLike | None = None, a_max: TensorLike | None = None) -> Tensor:
    """a, but at least `a_min` and at most `a_max`; None is no bound."""
    bounds = [v for v in (a_min, a_max) if v is not None]
    a, *fitted = promote(a, *bounds)
    rest = iter(fitted)
    if a_min is not None:
        a = _m.maximum(a, next(rest))
    return a if a_max is None else _m.minimum(a, next(rest))


def isclose(
    a: TensorLike, b: TensorLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether |a - b| <= atol + rtol * |b|, elementwise."""
    a, b = (inexact(v) for v in promote(a, b))
    near = tf.less_equal(_m.abs(a - b), atol + rtol * _m.abs(b))
    both = tf.logical_and(isfinite(a), isfinite(b))
    close = tf.where(both, near, tf.equal(a, b))
    if equal_nan:
        close = tf.logical_or(close, tf.logical_and(isnan(a), isnan(b)))
    return close


def allclose(
    a: TensorLike, b: TensorLike, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """Whether all elements are close (see `isclose`)."""
    return tf.reduce_all(isclose(a, b, rtol, atol, equal_nan))


def where(condition: TensorLike, x: TensorLike | None = None, y: TensorLike | None = None) -> Any:
    """x where the condition holds, else y; alone, the indices as `nonzero` gives them."""
    condition = truth(asarray(condition))
    if x is None and y is None:
        return xp.nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    x, y = promote(x, y)
    return tf.where(condition, x, y)


def select(
    condlist: Sequence[TensorLike], choicelist: Sequence[TensorLike], default: TensorLike = 0
) -> Tensor:
    """For each element the first choice whose condition holds, else the default."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"{len(condlist)} conditions, but {len(choicelist)} choices")
    *choices, result = promote(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        result = tf.where(asarray(condition), choice, result)
    return result


def gcd(x1: TensorLike, x2: TensorLike) -> Tensor:
    """The greatest common divisor of integers."""
    x1, x2 = promote(x1, x2)
    if not x1.dtype.is_integer:
        raise ValueError("Arguments to gcd must be integers.")
    shape = tf.broadcast_dynamic_shape(tf.shape(x1), tf.shape(x2))
    x1, x2 = (tf.broadcast_to(tf.abs(x), shape) for x in (x1, x2))

    def step(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        some = tf.not_equal(b, 0)
        rest = tf.math.floormod(a, tf.where(some, b, 1))
        return tf.where(some, b, a), tf.where(some, rest, 0)

    return tf.while_loop(lambda _, b: tf.reduce_any(tf.not_equal(b, 0)), step, (x1, x2))[0]


def lcm(x1: TensorLike, x2: TensorLike) -> Tensor:
    """The least common multiple of integers; 0 beside 0."""
    x1, x2 = promote(x1, x2)
    divisor = gcd(x1, x2)
    return tf.abs(tf.math.floordiv(x1, tf.maximum(divisor, 1)) * x2)
