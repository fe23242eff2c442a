"""Functions of one element, or of elements at the same place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from keras.src.backend.common.dtypes import INT_TYPES

import tfc as tf
from tfc.experimental import numpy as tnp
from tfc.ops.math import numeric

from ..sparse import (
    is_sparse,
    zero_if_both_are,
    zero_if_either_is,
    zero_if_first_is,
    zero_stays_zero,
)
from .promotion import (
    floating,
    in_dtype,
    joined,
    kind,
    numbers,
    operands,
    pair,
    ready,
    tensor,
    truth,
)

_m = tf.math
Unary = Callable[[Any], Any]
Binary = Callable[[Any, Any], Any]

# One operand.


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


def _of_floats(name: str, function: Unary) -> Unary:
    """Of floats; integers and bools become floats."""
    return _named(lambda x: function(floating(x)), name)


def _of_numbers(name: str, function: Unary, bools: Unary) -> Unary:
    """Of all dtypes; bools have a way of their own."""

    def unary(x: Any) -> tf.Tensor:
        x = tensor(x)
        return bools(x) if x.dtype.is_bool else function(x)

    return _named(unary, name)


def _same(x: tf.Tensor) -> tf.Tensor:
    return x


arccos = _of_floats("arccos", _m.acos)
arccosh = _of_floats("arccosh", _m.acosh)
arcsin = zero_stays_zero(_of_floats("arcsin", _m.asin))
arcsinh = zero_stays_zero(_of_floats("arcsinh", _m.asinh))
arctan = zero_stays_zero(_of_floats("arctan", _m.atan))
arctanh = zero_stays_zero(_of_floats("arctanh", _m.atanh))
angle = _of_floats("angle", _m.angle)
cbrt = zero_stays_zero(_of_floats("cbrt", tnp.cbrt))
ceil = zero_stays_zero(_of_floats("ceil", _m.ceil))
cos = _of_floats("cos", _m.cos)
cosh = _of_floats("cosh", _m.cosh)
deg2rad = zero_stays_zero(_of_floats("deg2rad", lambda x: x * (math.pi / 180)))
exp = _of_floats("exp", _m.exp)
exp2 = _of_floats("exp2", lambda x: _m.pow(tf.constant(2, x.dtype), x))
expm1 = zero_stays_zero(_of_floats("expm1", _m.expm1))
fabs = zero_stays_zero(_of_floats("fabs", _m.abs))
floor = zero_stays_zero(_of_floats("floor", _m.floor))
i0 = _of_floats("i0", _m.bessel_i0)
log = _of_floats("log", _m.log)
log10 = _of_floats("log10", numeric.log10)
log1p = zero_stays_zero(_of_floats("log1p", _m.log1p))
log2 = _of_floats("log2", numeric.log2)
rad2deg = zero_stays_zero(_of_floats("rad2deg", lambda x: x * (180 / math.pi)))
reciprocal = _of_floats("reciprocal", _m.reciprocal)
sin = zero_stays_zero(_of_floats("sin", _m.sin))
sinc = _of_floats("sinc", tnp.sinc)
sinh = zero_stays_zero(_of_floats("sinh", _m.sinh))
sqrt = zero_stays_zero(_of_floats("sqrt", _m.sqrt))
tan = zero_stays_zero(_of_floats("tan", _m.tan))
tanh = zero_stays_zero(_of_floats("tanh", _m.tanh))

absolute = zero_stays_zero(
    _of_numbers("absolute", lambda x: x if x.dtype.is_unsigned else _m.abs(x), _same)
)
bitwise_invert = _of_numbers("bitwise_invert", tf.bitwise.invert, _m.logical_not)
conjugate = zero_stays_zero(_of_numbers("conjugate", _m.conj, _same))
imag = zero_stays_zero(_of_numbers("imag", _m.imag, tf.zeros_like))
negative = zero_stays_zero(_of_numbers("negative", _m.negative, _m.negative))
real = zero_stays_zero(_of_numbers("real", _m.real, _same))
sign = zero_stays_zero(_of_numbers("sign", _m.sign, _same))
square = zero_stays_zero(_of_numbers("square", _m.square, numbers))
trunc = zero_stays_zero(
    _of_numbers("trunc", lambda x: numeric.trunc(x) if x.dtype.is_floating else x, _same)
)
signbit = _of_numbers(
    "signbit",
    lambda x: numeric.signbit(x) if x.dtype.is_floating else _m.less(x, tf.zeros([], x.dtype)),
    tf.zeros_like,
)
abs = absolute
conj = conjugate
bitwise_not = bitwise_invert
copy = zero_stays_zero(_named(lambda x: tf.identity(tensor(x)), "copy"))


def logical_not(x: Any) -> tf.Tensor:
    return _m.logical_not(truth(x))


def _asks(name: str, function: Unary, otherwise: bool) -> Unary:
    """A question to floats, and to either part of complex numbers; to integers the answer is
    always the same."""
    join = _m.logical_and if otherwise else _m.logical_or

    def asks(x: Any) -> tf.Tensor:
        x = tensor(x)
        if x.dtype.is_complex:
            return join(function(_m.real(x)), function(_m.imag(x)))
        if x.dtype.is_floating:
            return function(x)
        return tf.fill(tf.shape(x), otherwise)

    return _named(asks, name)


isfinite = _asks("isfinite", _m.is_finite, True)
isinf = _asks("isinf", _m.is_inf, False)
isnan = _asks("isnan", _m.is_nan, False)
isneginf = _asks("isneginf", lambda x: _m.equal(x, -math.inf), False)
isposinf = _asks("isposinf", lambda x: _m.equal(x, math.inf), False)


def isreal(x: Any) -> tf.Tensor:
    return _m.equal(imag(x), tf.zeros([], imag(x).dtype))


@zero_stays_zero
def round(x: Any, decimals: int = 0) -> tf.Tensor:
    x = tensor(x)
    return x if x.dtype.is_bool else tf.ragged.map_flat_values(tnp.around, x, decimals)


def nan_to_num(
    x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> tf.Tensor:
    x = tensor(x)
    if x.dtype.is_complex:
        re, im = (nan_to_num(part(x), nan, posinf, neginf) for part in (_m.real, _m.imag))
        return tf.complex(re, im)
    if not x.dtype.is_floating:
        return x
    high = x.dtype.max if posinf is None else posinf
    low = x.dtype.min if neginf is None else neginf
    for place, value in ((isnan(x), nan), (isposinf(x), high), (isneginf(x), low)):
        x = tf.where(place, tf.constant(value, x.dtype), x)
    return x


# Two operands.


def _of_two(
    name: str, function: Binary, bools: Binary | None = None, floats: bool = False
) -> Binary:
    """Of two operands in their common dtype; `bools`: of two bools, if `function` is not."""

    def binary(x1: Any, x2: Any) -> tf.Tensor:
        x1, x2 = pair(x1, x2, floats=floats)
        if bools is not None and getattr(x2, "dtype", None) is tf.bool:
            return bools(x1, x2)
        return function(x1, x2)

    return _named(binary, name)


def _as_numbers(function: Binary) -> Binary:
    """What bools are given as numbers."""
    return lambda x1, x2: function(numbers(x1), numbers(x2))


def _as_truth(name: str, function: Binary) -> Binary:
    return _named(lambda x1, x2: function(truth(x1), truth(x2)), name)


def _of_bits(name: str, function: Binary) -> Binary:
    def bits(x: Any, y: Any) -> tf.Tensor:
        return function(*pair(x, y))

    return _named(bits, name)


def _sum(x: Any, y: Any) -> tf.Tensor:
    """x + y. The bias of a convolution, [1, 1, 1, n], is taken as [n], which broadcasts alike: as
    such it is added where the convolution stores its results."""
    if isinstance(x, tf.Tensor) and isinstance(y, tf.Tensor) and 1 < y.ndim == x.ndim:
        extents = y.shape.as_list()
        if None not in extents and all(e == 1 for e in extents[:-1]):
            y = tf.reshape(y, extents[-1:])
    return _m.add(x, y)


add = zero_if_both_are(_of_two("add", _sum, _m.logical_or))
subtract = zero_if_both_are(_of_two("subtract", _m.subtract))
multiply = zero_if_either_is(_of_two("multiply", _m.multiply, _m.logical_and))
divide = zero_if_first_is(_of_two("divide", _m.truediv, floats=True))
true_divide = divide
divide_no_nan = _of_two("divide_no_nan", _m.divide_no_nan, floats=True)
floor_divide = _of_two("floor_divide", _m.floordiv, _as_numbers(_m.floordiv))
mod = _of_two("mod", _m.floormod, _as_numbers(_m.floormod))
fmod = _of_two("fmod", tf.truncatemod, _as_numbers(tf.truncatemod))
power = _of_two("power", _m.pow, lambda x1, x2: _m.logical_or(x1, _m.logical_not(x2)))
maximum = zero_if_both_are(_of_two("maximum", _m.maximum, _m.logical_or))
minimum = zero_if_both_are(_of_two("minimum", _m.minimum, _m.logical_and))
fmax = _of_two("fmax", numeric.fmax, _m.logical_or)
fmin = _of_two("fmin", numeric.fmin, _m.logical_and)
arctan2 = _of_two("arctan2", _m.atan2, floats=True)
heaviside = _of_two("heaviside", tnp.heaviside, floats=True)
hypot = _of_two("hypot", numeric.hypot, floats=True)
logaddexp = _of_two("logaddexp", numeric.logaddexp, floats=True)
logaddexp2 = _of_two("logaddexp2", numeric.logaddexp2, floats=True)
equal = _of_two("equal", _m.equal)
not_equal = _of_two("not_equal", _m.not_equal)
greater = _of_two("greater", _m.greater, _as_numbers(_m.greater))
greater_equal = _of_two("greater_equal", _m.greater_equal, _as_numbers(_m.greater_equal))
less = _of_two("less", _m.less, _as_numbers(_m.less))
less_equal = _of_two("less_equal", _m.less_equal, _as_numbers(_m.less_equal))
logical_and = _as_truth("logical_and", _m.logical_and)
logical_or = _as_truth("logical_or", _m.logical_or)
logical_xor = _as_truth("logical_xor", _m.logical_xor)
bitwise_and = _of_bits("bitwise_and", tf.bitwise.bitwise_and)
bitwise_or = _of_bits("bitwise_or", tf.bitwise.bitwise_or)
bitwise_xor = _of_bits("bitwise_xor", tf.bitwise.bitwise_xor)
bitwise_left_shift = left_shift = _of_bits("bitwise_left_shift", tf.bitwise.left_shift)
bitwise_right_shift = right_shift = _of_bits("bitwise_right_shift", tf.bitwise.right_shift)


def nextafter(x1: Any, x2: Any) -> tf.Tensor:
    x1, x2 = (floating(x) for x in operands(x1, x2))
    return _m.nextafter(x1, x2) if x1.dtype.bits >= 32 else _next_half(x1, x2)


def _next_half(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The 16-bit float next to x towards y. Floats of one sign are in the order of their bits."""
    outwards = _m.equal(_m.greater(y, x), _m.greater(x, 0))
    bits = tf.bitcast(x, tf.int16) + tf.where(outwards, tf.constant(1, tf.int16), -1)
    smallest = tf.where(_m.less(y, 0), tf.constant(-0x7FFF, tf.int16), 1)  # subnormal
    neighbour = tf.bitcast(tf.where(_m.equal(x, 0), smallest, bits), x.dtype)
    neighbour = tf.where(_m.equal(x, y), y, neighbour)
    return tf.where(_m.logical_or(_m.is_nan(x), _m.is_nan(y)), x + y, neighbour)


def ldexp(x1: Any, x2: Any) -> tf.Tensor:
    x1, x2 = ready(x1), tensor(x2)
    if x2.dtype.name not in INT_TYPES:
        raise TypeError(
            f"ldexp exponent must be an integer type. Received: x2 dtype={x2.dtype.name}"
        )
    x1 = in_dtype(x1, joined(kind(x1), x2.dtype.name, float))
    # In three steps: 2 ** x2 may be too large or too small where the result is not.
    third = x2 // 3
    scaled = x1
    for exponent in (third, third, x2 - 2 * third):
        scaled = scaled * _m.pow(tf.constant(2, x1.dtype), tf.cast(exponent, x1.dtype))
    return tf.where(_m.logical_and(_m.is_finite(x1), _m.not_equal(x1, 0)), scaled, x1)


def _integers(name: str, x1: Any, x2: Any) -> list[tf.Tensor]:
    """The magnitudes of two operands, which must be integers, in their common shape."""
    x1, x2 = operands(x1, x2)
    if not x1.dtype.is_integer:
        raise TypeError(f"Arguments to {name} must be integers. Received: dtype={x1.dtype.name}")
    x1, x2 = absolute(x1), absolute(x2)
    return [x1 + tf.zeros_like(x2), x2 + tf.zeros_like(x1)]  # each in the shape of both


def gcd(x1: Any, x2: Any) -> tf.Tensor:
    return _gcd(*_integers("gcd", x1, x2))


def _gcd(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Euclid's algorithm for all elements together, until the last is done."""

    def step(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        done = _m.equal(y, 0)
        rest = _m.floormod(x, tf.where(done, tf.ones_like(y), y))
        return tf.where(done, x, y), tf.where(done, y, rest)

    divisor, _ = tf.while_loop(lambda x, y: tf.reduce_any(_m.not_equal(y, 0)), step, (x, y))
    return divisor


def lcm(x1: Any, x2: Any) -> tf.Tensor:
    x1, x2 = _integers("lcm", x1, x2)
    return x1 // _m.maximum(_gcd(x1, x2), tf.ones([], x1.dtype)) * x2  # both 0: 0


def isclose(
    x1: Any, x2: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> tf.Tensor:
    x1, x2 = operands(x1, x2)
    return tnp.isclose(x1, x2, rtol, atol, equal_nan) if x1.dtype.is_inexact else _m.equal(x1, x2)


def allclose(
    x1: Any, x2: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> tf.Tensor:
    return tf.reduce_all(isclose(x1, x2, rtol, atol, equal_nan))


def clip(x: Any, x_min: Any, x_max: Any) -> Any:
    if is_sparse(x) and _holds_zero(x_min, x_max):
        return x.with_values(clip(x.values, x_min, x_max))
    x = numbers(x)
    if x_min is None or x_max is None:
        for bound, function in ((x_min, _m.maximum), (x_max, _m.minimum)):
            x = x if bound is None else function(*pair(x, _within(bound, x.dtype)))
        return x
    x, low = pair(x, _within(x_min, x.dtype))
    x, high = pair(x, _within(x_max, x.dtype))
    return tf.clip_by_value(x, low, high)


def _holds_zero(low: Any, high: Any) -> bool:
    """Whether these are Python's numbers around 0."""
    return isinstance(low, int | float) and isinstance(high, int | float) and low <= 0 <= high


def _within(bound: Any, dtype: Any) -> Any:
    """A Python integer as the nearest one that an integer dtype has."""
    if type(bound) is int and dtype.is_integer:
        return min(max(bound, int(dtype.min)), int(dtype.max))
    return bound


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError(
            "`x1` and `x2` either both should be `None` or both should have non-None value."
        )
    return tf.where(truth(condition), *pair(x1, x2))


def nonzero(x: Any) -> tuple[tf.Tensor, ...]:
    places = tf.cast(tf.where(truth(x)), tf.int32)
    return tuple(tf.unstack(places, axis=1))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> tf.Tensor:
    if len(condlist) != len(choicelist):
        raise ValueError(
            "`condlist` and `choicelist` must have the same length. "
            f"Received: {len(condlist)} and {len(choicelist)}"
        )
    *choices, chosen = operands(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        chosen = tf.where(truth(condition), choice, chosen)
    return chosen
