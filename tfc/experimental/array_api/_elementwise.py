"""Elementwise functions of the array API standard.

Operands are promoted to one dtype by its rules, and Python numbers take the dtype of the array
beside them. What the standard defines for some dtypes only is a TypeError for others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import tfc as tf
from tfc import bitwise as _bitwise
from tfc.core.tensor import Held, Tensor
from tfc.ir.dtypes import DType
from tfc.ops.math import numeric

from ._dtypes import as_dtype, promote

F = TypeVar("F", bound="Callable[..., Tensor]")
Unary: TypeAlias = "Callable[[Tensor], Tensor]"
Binary: TypeAlias = "Callable[[Tensor, Tensor], Tensor]"
Promoting: TypeAlias = "Callable[[Tensor | complex, Tensor | complex], Tensor]"
_ALL, _NUMBERS, _REAL, _INTEGERS = "biufc", "iufc", "iuf", "iu"


def _check(name: str, kinds: str, *tensors: object) -> None:
    for t in tensors:
        if not isinstance(t, Held):
            raise TypeError(f"{name} takes arrays, got {type(t).__name__}")
        if t.dtype.kind not in kinds:
            raise TypeError(f"{name} is not defined for dtype {t.dtype.name}")


def _named(function: F, name: str, doc: str) -> F:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _unary(name: str, function: Unary, kinds: str, doc: str, exact: str = "") -> Unary:
    """`exact` are the kinds of dtype on which the function is the identity."""

    def unary(x: Tensor, /) -> Tensor:
        _check(name, kinds, x)
        return +x if x.dtype.kind in exact else function(x)

    return _named(unary, name, doc)


def _binary(name: str, function: Binary, kinds: str, doc: str) -> Promoting:
    def binary(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
        x1, x2 = promote(x1, x2)
        _check(name, kinds, x1, x2)
        return function(x1, x2)

    return _named(binary, name, doc)


_m = tf.math

acos = _unary("acos", _m.acos, "fc", "The angle in [0, pi] whose cosine is x.")
acosh = _unary("acosh", _m.acosh, "fc", "The inverse hyperbolic cosine.")
asin = _unary("asin", _m.asin, "fc", "The angle in [-pi/2, pi/2] whose sine is x.")
asinh = _unary("asinh", _m.asinh, "fc", "The inverse hyperbolic sine.")
atan = _unary("atan", _m.atan, "fc", "The angle in [-pi/2, pi/2] whose tangent is x.")
atanh = _unary("atanh", _m.atanh, "fc", "The inverse hyperbolic tangent.")
cos = _unary("cos", _m.cos, "fc", "The cosine of x in radians.")
cosh = _unary("cosh", _m.cosh, "fc", "The hyperbolic cosine.")
exp = _unary("exp", _m.exp, "fc", "e to the power x.")
expm1 = _unary("expm1", _m.expm1, "fc", "exp(x) - 1, exact near 0.")
log = _unary("log", _m.log, "fc", "The natural logarithm.")
log1p = _unary("log1p", _m.log1p, "fc", "log(1 + x), exact near 0.")
sin = _unary("sin", _m.sin, "fc", "The sine of x in radians.")
sinh = _unary("sinh", _m.sinh, "fc", "The hyperbolic sine.")
sqrt = _unary("sqrt", _m.sqrt, "fc", "The square root.")
tan = _unary("tan", _m.tan, "fc", "The tangent of x in radians.")
tanh = _unary("tanh", _m.tanh, "fc", "The hyperbolic tangent.")
reciprocal = _unary("reciprocal", _m.reciprocal, "fc", "1 / x.")
abs = _unary("abs", _m.abs, _NUMBERS, "|x|; the magnitude of complex numbers.", exact="u")
negative = _unary("negative", _m.negative, _NUMBERS, "-x.")
positive = _unary("positive", lambda x: x, _NUMBERS, "x.", exact=_NUMBERS)
square = _unary("square", _m.square, _NUMBERS, "x * x.")
ceil = _unary("ceil", _m.ceil, _REAL, "The least integer not below x.", exact=_INTEGERS)
floor = _unary("floor", _m.floor, _REAL, "The largest integer not above x.", exact=_INTEGERS)
trunc = _unary("trunc", numeric.trunc, _REAL, "The integer towards zero.", exact=_INTEGERS)
signbit = _unary("signbit", numeric.signbit, "f", "Whether the sign bit is set.")
logical_not = _unary("logical_not", _m.logical_not, "b", "not x.")


def _by_parts(function: Unary) -> Unary:
    """A function of real x that takes complex x part by part."""

    def apply(x: Tensor) -> Tensor:
        if x.dtype.is_complex:
            return tf.complex(function(_m.real(x)), function(_m.imag(x)))
        return function(x)

    return apply


round = _unary(
    "round", _by_parts(_m.round), _NUMBERS, "The nearest integer, ties to even.", exact=_INTEGERS
)


def _sign(x: Tensor) -> Tensor:
    if x.dtype.is_unsigned:
        return tf.cast(tf.not_equal(x, 0), x.dtype)
    return _m.sign(x)


sign = _unary("sign", _sign, _NUMBERS, "-1, 0 or 1; of complex numbers, x / |x|.")


def _classified(function: Unary, otherwise: bool, join: Binary) -> Unary:
    """isnan and the like: known for integers, joined from the parts of complex numbers."""

    def apply(x: Tensor) -> Tensor:
        if x.dtype.is_complex:
            return join(function(_m.real(x)), function(_m.imag(x)))
        if not x.dtype.is_floating:
            return tf.fill(tf.shape(x), otherwise)
        return function(x)

    return apply


isfinite = _unary(
    "isfinite",
    _classified(_m.is_finite, True, _m.logical_and),
    _NUMBERS,
    "Whether x is neither infinite nor nan.",
)
isinf = _unary(
    "isinf", _classified(_m.is_inf, False, _m.logical_or), _NUMBERS, "Whether x is infinite."
)
isnan = _unary("isnan", _classified(_m.is_nan, False, _m.logical_or), _NUMBERS, "Whether x is nan.")


def conj(x: Tensor, /) -> Tensor:
    """The complex conjugate; of real numbers, themselves."""
    _check("conj", _NUMBERS, x)
    return _m.conj(x) if x.dtype.is_complex else +x


def real(x: Tensor, /) -> Tensor:
    """The real part."""
    _check("real", _NUMBERS, x)
    return _m.real(x) if x.dtype.is_complex else +x


def imag(x: Tensor, /) -> Tensor:
    """The imaginary part of complex numbers."""
    _check("imag", "c", x)
    return _m.imag(x)


add = _binary("add", _m.add, _NUMBERS, "x1 + x2.")
subtract = _binary("subtract", _m.subtract, _NUMBERS, "x1 - x2.")
multiply = _binary("multiply", _m.multiply, _NUMBERS, "x1 * x2.")
divide = _binary("divide", _m.truediv, _NUMBERS, "x1 / x2; integers as float64, as `/` does.")
atan2 = _binary("atan2", _m.atan2, "f", "The angle of the point (x=x2, y=x1).")
hypot = _binary("hypot", numeric.hypot, "f", "sqrt(x1**2 + x2**2), without overflow.")
copysign = _binary("copysign", numeric.copysign, "f", "The magnitude of x1, the sign of x2.")
logaddexp = _binary("logaddexp", numeric.logaddexp, "f", "log(exp(x1) + exp(x2)).")
nextafter = _binary("nextafter", numeric.nextafter, "f", "The float next to x1, towards x2.")


def _floor_divide(x: Tensor, y: Tensor) -> Tensor:
    if not x.dtype.is_floating:
        return _m.floordiv(x, y)
    # A quotient below 0 that underflows to -0, as those by infinity do, is -1 rounded down.
    below = tf.not_equal(tf.less(x, 0), tf.less(y, 0))
    vanished = tf.logical_and(_m.is_inf(y), tf.logical_and(_m.is_finite(x), tf.not_equal(x, 0)))
    return tf.where(tf.logical_and(below, vanished), tf.constant(-1, x.dtype), _m.floordiv(x, y))


floor_divide = _binary("floor_divide", _floor_divide, _REAL, "floor(x1 / x2).")
remainder = _binary("remainder", _m.floormod, _REAL, "x1 modulo x2, with the sign of x2.")
maximum = _binary("maximum", _m.maximum, _REAL, "The larger of x1 and x2; nan if either is.")
minimum = _binary("minimum", _m.minimum, _REAL, "The smaller of x1 and x2; nan if either is.")
pow = _binary("pow", _m.pow, _NUMBERS, "x1 to the power x2.")
equal = _binary("equal", _m.equal, _ALL, "x1 == x2.")
not_equal = _binary("not_equal", _m.not_equal, _ALL, "x1 != x2.")
less = _binary("less", _m.less, _REAL, "x1 < x2.")
less_equal = _binary("less_equal", _m.less_equal, _REAL, "x1 <= x2.")
greater = _binary("greater", _m.greater, _REAL, "x1 > x2.")
greater_equal = _binary("greater_equal", _m.greater_equal, _REAL, "x1 >= x2.")
logical_and = _binary("logical_and", _m.logical_and, "b", "x1 and x2.")
logical_or = _binary("logical_or", _m.logical_or, "b", "x1 or x2.")
logical_xor = _binary("logical_xor", _m.logical_xor, "b", "Either x1 or x2.")
bitwise_and = _binary("bitwise_and", _bitwise.bitwise_and, "biu", "x1 & x2.")
bitwise_or = _binary("bitwise_or", _bitwise.bitwise_or, "biu", "x1 | x2.")
bitwise_xor = _binary("bitwise_xor", _bitwise.bitwise_xor, "biu", "x1 ^ x2.")


def _based(function: Unary, base: float) -> Unary:
    """The logarithm to another base, of complex numbers by division."""
    scale = math.log(base)
    return lambda x: _m.log(x) / scale if x.dtype.is_complex else function(x)


log2 = _unary("log2", _based(numeric.log2, 2), "fc", "The logarithm to base 2.")
log10 = _unary("log10", _based(numeric.log10, 10), "fc", "The logarithm to base 10.")


def bitwise_invert(x: Tensor, /) -> Tensor:
    """~x; of bools, not x."""
    _check("bitwise_invert", "biu", x)
    return ~x


def _shift(name: str, function: Binary, doc: str, far: Unary) -> Promoting:
    """Shifts; by the width of the dtype or more, what is shifted in is all that is left."""

    def shift(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
        x1, x2 = promote(x1, x2)
        _check(name, _INTEGERS, x1, x2)
        width = x1.dtype.bits
        inside = function(x1, tf.minimum(x2, width - 1))
        return tf.where(tf.less(x2, width), inside, far(x1))

    return _named(shift, name, doc)


bitwise_left_shift = _shift(
    "bitwise_left_shift", _bitwise.left_shift, "x1 << x2, for x2 >= 0.", tf.zeros_like
)
bitwise_right_shift = _shift(
    "bitwise_right_shift",
    _bitwise.right_shift,
    "x1 >> x2, for x2 >= 0; negative numbers are filled with their sign.",
    lambda x: tf.zeros_like(x) if x.dtype.is_unsigned else -tf.cast(tf.less(x, 0), x.dtype),
)


def clip(
    x: Tensor, /, min: Tensor | float | None = None, max: Tensor | float | None = None
) -> Tensor:
    """x, but at least `min` and at most `max`, each a number, an array or None."""
    _check("clip", _REAL, x)
    result = x
    for bound, function in ((min, _m.maximum), (max, _m.minimum)):
        if bound is not None:
            if isinstance(bound, float) and x.dtype.is_integer:
                raise TypeError("clip: a float is no bound of integers")
            limit = tf.cast(bound, x.dtype) if isinstance(bound, Held) else as_bound(bound, x)
            result = function(result, limit)
    return +result


def as_bound(bound: float, x: Tensor) -> Tensor:
    """A Python number as a bound of x: one that the dtype cannot hold is its last value."""
    if x.dtype.is_integer:
        return tf.constant(builtin_clamp(int(bound), x.dtype), x.dtype)
    return tf.constant(bound, as_dtype(x.dtype))


def builtin_clamp(value: int, dtype: DType) -> int:
    """`value` within the range of an integer dtype."""
    low, high = int(dtype.min), int(dtype.max)
    return low if value < low else high if value > high else value
