"""Making tensors of nothing but numbers: constants, ranges, windows, grids."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from keras.src.backend.common import standardize_dtype

import tfc as tf

from ..core import dense_tensor, shape
from .promotion import floatx, in_dtype, joined, kind, operands, ready, tensor


def _dtype(dtype: Any) -> str:
    return floatx() if dtype is None else str(standardize_dtype(dtype))


def extents(shape: Any) -> Any:
    """A shape; a number stands for a vector's."""
    return [shape] if isinstance(shape, int | np.integer) else shape


# Constants.


def array(x: Any, dtype: Any = None) -> tf.Tensor:
    return dense_tensor(x, dtype)


def zeros(shape: Any, dtype: Any = None) -> tf.Tensor:
    return tf.zeros(extents(shape), _dtype(dtype))


def ones(shape: Any, dtype: Any = None) -> tf.Tensor:
    return tf.ones(extents(shape), _dtype(dtype))


empty = zeros


def full(shape: Any, fill_value: Any, dtype: Any = None) -> tf.Tensor:
    return tf.broadcast_to(dense_tensor(fill_value, _dtype(dtype)), extents(shape))


def _like(x: Any, dtype: Any) -> tuple[tf.Tensor, str]:
    x = tensor(x)
    return x, x.dtype.name if dtype is None else _dtype(dtype)


def zeros_like(x: Any, dtype: Any = None) -> tf.Tensor:
    return tf.zeros_like(*_like(x, dtype))


def ones_like(x: Any, dtype: Any = None) -> tf.Tensor:
    return tf.ones_like(*_like(x, dtype))


empty_like = zeros_like


def full_like(x: Any, fill_value: Any, dtype: Any = None) -> tf.Tensor:
    x, name = _like(x, dtype)
    return tf.broadcast_to(dense_tensor(fill_value, name), tf.shape(x))


# Ranges.


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> tf.Tensor:
    first, last = (0, start) if stop is None else (start, stop)
    given = [ready(x) for x in (first, last, 1 if step is None else step)]
    own = joined(*map(kind, given))
    name = own if dtype is None else _dtype(dtype)
    # Integers from floats are the floats of the range, rounded: not a range of its own.
    counted = "int32" if name == "bool" else name
    if "float" in own and "float" not in name:
        counted = own
    begin, end, by = (x if type(x) in (int, float) else in_dtype(x, counted) for x in given)
    return in_dtype(tf.range(begin, end, by, dtype=counted), name)


def _line(start: Any, stop: Any, num: Any, endpoint: bool) -> tuple[tf.Tensor, tf.Tensor]:
    """`num` numbers along a new first axis, and the step between them, in float64: they are
    rounded once, to whatever dtype they are wanted in."""
    num = num if tf.is_symbolic_tensor(num) else int(num)
    if isinstance(num, int) and num < 0:
        raise ValueError(f"`num` must be a non-negative integer. Received: num={num}")
    first, last = (tf.cast(x, _double(x)) for x in operands(start, stop))
    parts = num - 1 if endpoint else num
    whole = max(parts, 1) if isinstance(parts, int) else tf.maximum(parts, 1)
    step = (last - first) / tf.cast(whole, first.dtype)
    places = tf.reshape(tf.range(num), [-1, *[1] * step.ndim])
    line = first + tf.cast(places, step.dtype) * step
    if endpoint:
        line = tf.where(tf.equal(places, whole), last, line)
    return line, tf.where(tf.greater(parts, 0), step, tf.constant(math.nan, step.dtype))


def _double(x: tf.Tensor) -> str:
    return "complex128" if x.dtype.is_complex else "float64"


def _finished(line: tf.Tensor, dtype: str, axis: int) -> tf.Tensor:
    """Rounded to a dtype (integers: down), the numbers along `axis`."""
    if "int" in dtype:
        line = tf.floor(line)
    if axis % line.ndim:
        rest = list(range(1, line.ndim))
        rest.insert(axis % line.ndim, 0)
        line = tf.transpose(line, rest)
    return in_dtype(line, dtype)


def _line_dtype(dtype: Any, *ends: Any) -> str:
    return joined(*(kind(ready(e)) for e in ends), float) if dtype is None else _dtype(dtype)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    name = _line_dtype(dtype, start, stop)
    line, step = _line(start, stop, num, endpoint)
    line = _finished(line, name, axis)
    return (line, in_dtype(step, _line_dtype(None, start, stop))) if retstep else line


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10,
    dtype: Any = None,
    axis: int = 0,
) -> tf.Tensor:
    line, _ = _line(start, stop, num, endpoint)
    powers = tf.pow(tf.cast(tensor(base), line.dtype), line)
    return _finished(powers, _line_dtype(dtype, start, stop), axis)


def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> tf.Tensor:
    first, last = (tf.cast(x, _double(x)) for x in operands(start, stop))
    exponents, _ = _line(tf.zeros_like(first), tf.math.log(last / first), num, endpoint)
    return _finished(first * tf.exp(exponents), _line_dtype(dtype, start, stop), axis)


def meshgrid(*x: Any, indexing: str = "xy") -> list[tf.Tensor]:
    return tf.meshgrid(*map(tensor, x), indexing=indexing)


# Matrices.


def _places(rows: Any, columns: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """The numbers of rows and columns, lined up against each other."""
    return tf.expand_dims(tf.range(rows), 1), tf.expand_dims(tf.range(columns), 0)


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> tf.Tensor:
    i, j = _places(N, N if M is None else M)
    return tf.cast(tf.equal(i + k, j), _dtype(dtype))


def identity(n: Any, dtype: Any = None) -> tf.Tensor:
    return eye(n, dtype=dtype)


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> tf.Tensor:
    i, j = _places(N, N if M is None else M)
    return tf.cast(tf.greater_equal(i + k, j), _dtype(dtype))


def _triangle(x: Any, k: Any, compare: Callable[[Any, Any], Any]) -> tf.Tensor:
    x = tensor(x)
    if x.ndim < 2:
        x = tf.broadcast_to(x, [shape(x)[0]] * 2)
    i, j = _places(*shape(x)[-2:])
    return tf.where(compare(i + k, j), x, tf.zeros([], x.dtype))


def tril(x: Any, k: Any = 0) -> tf.Tensor:
    return _triangle(x, k, tf.greater_equal)


def triu(x: Any, k: Any = 0) -> tf.Tensor:
    return _triangle(x, k, tf.less_equal)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> tf.Tensor:
    x = tensor(x)
    count = shape(x)[0] if N is None else N
    exponents = tf.range(count) if increasing else count - 1 - tf.range(count)
    kind = "int32" if x.dtype.is_bool else x.dtype.name
    powers = tf.pow(tf.cast(tf.expand_dims(x, -1), kind), tf.cast(exponents, kind))
    return in_dtype(powers, x.dtype.name)


# Windows.


def _window(x: Any, formula: Callable[[tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """A formula of the place, from 0 at the first point to 1 at the last: one alone is the
    middle."""
    count = dense_tensor(x, "int32")
    place = tf.cast(tf.range(count), floatx()) / tf.cast(count - 1, floatx())
    return formula(tf.where(tf.equal(count, 1), tf.constant(0.5, floatx()), place))


def _cosines(*weights: float) -> Callable[[tf.Tensor], tf.Tensor]:
    """The sum of (-1)^k weights[k] cos(2 pi k p)."""

    def formula(place: tf.Tensor) -> tf.Tensor:
        window = tf.fill(tf.shape(place), tf.constant(weights[0], place.dtype))
        for k, weight in enumerate(weights[1:], 1):
            window += (-1) ** k * weight * tf.cos(2 * math.pi * k * place)
        return window

    return formula


def bartlett(x: Any) -> tf.Tensor:
    return _window(x, lambda place: 1 - tf.abs(2 * place - 1))


def blackman(x: Any) -> tf.Tensor:
    return _window(x, _cosines(0.42, 0.5, 0.08))


def hamming(x: Any) -> tf.Tensor:
    return _window(x, _cosines(0.54, 0.46))


def hanning(x: Any) -> tf.Tensor:
    return _window(x, _cosines(0.5, 0.5))


def kaiser(x: Any, beta: Any) -> tf.Tensor:
    beta = dense_tensor(beta, floatx())

    def formula(place: tf.Tensor) -> tf.Tensor:
        inner = tf.maximum(1 - tf.square(2 * place - 1), 0)
        return tf.math.bessel_i0(beta * tf.sqrt(inner)) / tf.math.bessel_i0(beta)

    return _window(x, formula)
