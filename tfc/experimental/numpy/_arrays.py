"""Making and shaping arrays under NumPy's names."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import DTypeLike, ShapeLike, TensorLike
from tfc.experimental.array_api import _creation, _manipulation
from tfc.experimental.array_api._manipulation import Axes
from tfc.ir.dtypes import DType, as_dtype
from tfc.ops.extents import extents_of

from ._plain import take_tensors
from ._promotion import asarray, default, promote

_tuple = builtins.tuple


def _float_type(dtype: DTypeLike | None) -> DType:
    return default("float64") if dtype is None else as_dtype(dtype)


def _extents(shape: ShapeLike) -> Any:
    return [shape] if isinstance(shape, int) else shape


# Making.


def array(
    val: TensorLike, dtype: DTypeLike | None = None, copy: bool = True, ndmin: int = 0
) -> Tensor:
    """`val` as an array of at least `ndmin` axes."""
    x = asarray(val, dtype)
    missing = [1] * (ndmin - x.ndim)
    return tf.reshape(x, [*missing, *extents_of(x)]) if missing else x


def asanyarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as an array."""
    return asarray(a, dtype)


def ascontiguousarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as an array of at least one axis."""
    return array(a, dtype, ndmin=1)


def copy(a: TensorLike) -> Tensor:
    """`a` as an array; a copy cannot be told from what nobody changes."""
    return asarray(a)


def zeros(shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros."""
    return tf.zeros(_extents(shape), _float_type(dtype))


def ones(shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
    """Ones."""
    return tf.ones(_extents(shape), _float_type(dtype))


def empty(shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros."""
    return zeros(shape, dtype)


def full(shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`fill_value`, broadcast to a shape."""
    return tf.broadcast_to(asarray(fill_value, dtype), _extents(shape))


def zeros_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros in the shape (and dtype, unless given) of `a`."""
    return tf.zeros_like(asarray(a), dtype)


def ones_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Ones in the shape (and dtype, unless given) of `a`."""
    return tf.ones_like(asarray(a), dtype)


def empty_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros in the shape (and dtype, unless given) of `a`."""
    return zeros_like(a, dtype)


def full_like(a: TensorLike, fill_value: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`fill_value` in the shape (and dtype, unless given) of `a`."""
    a = asarray(a)
    return tf.broadcast_to(asarray(fill_value, a.dtype if dtype is None else dtype), tf.shape(a))


def eye(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Ones on the k-th diagonal, else zeros."""
    return _creation.eye(N, M, k=k, dtype=_float_type(dtype))


def identity(n: int, dtype: DTypeLike | None = None) -> Tensor:
    """The identity matrix."""
    return eye(n, dtype=dtype)


def arange(
    start: float, stop: float | None = None, step: float = 1, dtype: DTypeLike | None = None
) -> Tensor:
    """start, start + step, ... up to but without `stop`."""
    if dtype is None:
        integral = all(isinstance(v, int | np.integer) for v in (start, stop or 0, step))
        dtype = default("int64" if integral else "float64")
    return _creation.arange(start, stop, step, dtype=dtype)


def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = float,
    axis: int = 0,
) -> Any:
    """`num` numbers from `start` to `stop` (without it, unless `endpoint`), evenly spaced along a
    new axis."""
    first, last = _ends(start, stop)
    parts = num - 1 if endpoint else num
    step = (last - first) / builtins.max(parts, 1)
    shape = [1] * builtins.max(first.ndim, last.ndim)
    steps = tf.reshape(tf.cast(tf.range(num), first.dtype), [num, *shape])
    line = first + steps * step
    if endpoint and num > 1:
        line = tf.concat([line[:-1], tf.broadcast_to(last, tf.shape(line[:1]))], 0)
    if dtype not in (float, None):
        line = tf.cast(line, dtype)
    line = moveaxis(line, 0, axis) if axis else line
    return (line, step) if retstep else line


def _ends(start: TensorLike, stop: TensorLike) -> list[Tensor]:
    ends = promote(start, stop)
    return [e if e.dtype.is_inexact else tf.cast(e, default("float64")) for e in ends]


def logspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    base: TensorLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """base ** x for `num` numbers x from `start` to `stop`, evenly spaced along a new axis."""
    x = linspace(start, stop, num, endpoint, axis=axis)
    found = tf.pow(tf.cast(asarray(base), x.dtype), x)
    return found if dtype is None else tf.cast(found, dtype)


def geomspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """`num` numbers from `start` to `stop` of which each is the same multiple of the last, along a
    new axis."""
    first, last = _ends(start, stop)
    ratio = linspace(0, tf.math.log(last / first), num, endpoint)
    found = first * tf.exp(ratio)
    if endpoint and num > 1:
        found = tf.concat([found[:-1], tf.broadcast_to(last, tf.shape(found[:1]))], 0)
    found = moveaxis(found, 0, axis) if axis else found
    return found if dtype is None else tf.cast(found, dtype)


def meshgrid(*xi: TensorLike, indexing: str = "xy") -> list[Tensor]:
    """Coordinates of a grid whose axes are the given vectors."""
    vectors = [asarray(x) for x in xi]
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}")
    grids = broadcast_arrays(*ix_(*vectors))
    if indexing == "xy" and len(vectors) > 1:
        grids = [swapaxes(g, 0, 1) for g in grids]
    return grids


def ix_(*args: TensorLike) -> list[Tensor]:
    """Vectors lined up so that together they index a grid."""
    vectors = [ravel(a) for a in args]
    return [
        tf.reshape(v, [-1 if i == j else 1 for j in range(len(vectors))])
        for i, v in enumerate(vectors)
    ]


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Ones at and below the k-th diagonal."""
    return tril(ones([N, N if M is None else M], dtype), k)


def tril(m: TensorLike, k: int = 0) -> Tensor:
    """`m` with zeros above the k-th diagonal."""
    return _creation.tril(asarray(m), k=k)


def triu(m: TensorLike, k: int = 0) -> Tensor:
    """`m` with zeros below the k-th diagonal."""
    return _creation.triu(asarray(m), k=k)


def vander(x: TensorLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of a vector's elements as columns."""
    x = asarray(x)
    extent = extents_of(x)[0]
    wide = tf.broadcast_to(tf.expand_dims(x, 1), [extent, extent if N is None else N])
    return tf.math.cumprod(wide, 1, exclusive=True, reverse=not increasing)


# Shapes.


def shape(a: TensorLike) -> tuple[int, ...]:
    """The extents."""
    return _tuple(asarray(a).shape)


def ndim(a: TensorLike) -> int:
    """The number of axes."""
    return asarray(a).ndim


def size(x: TensorLike, axis: int | None = None) -> Any:
    """The number of elements, or of those along `axis`; a tensor where only a call tells it."""
    x = asarray(x)
    if axis is None:
        return math.prod(x.shape) if x.shape.is_fully_defined() else tf.size(x)
    extent = x.shape[axis]
    return tf.shape(x)[axis] if extent is None else extent


def reshape(a: TensorLike, newshape: ShapeLike, order: str = "C") -> Tensor:
    """The elements in row-major (or column-major, "F") order under another shape."""
    a = asarray(a)
    if order == "F":
        return tf.transpose(tf.reshape(tf.transpose(a), list(_extents(newshape))[::-1]))
    if order not in "CA":
        raise ValueError(f"order is 'C', 'F' or 'A', got {order!r}")
    return tf.reshape(a, _extents(newshape))


def flatten(a: TensorLike, order: str = "C") -> Tensor:
    """The elements as one row, row-major or column-major ("F")."""
    return reshape(a, -1, order)


def ravel(a: TensorLike) -> Tensor:
    """The elements as one row."""
    return tf.reshape(asarray(a), [-1])


def expand_dims(a: TensorLike, axis: Axes) -> Tensor:
    """New axes of extent 1."""
    return _manipulation.expand_dims(asarray(a), axis=axis)


def squeeze(a: TensorLike, axis: Axes = None) -> Tensor:
    """Without the axes of extent 1, or those named."""
    a = asarray(a)
    return tf.squeeze(a) if axis is None else _manipulation.squeeze(a, axis)


def transpose(a: TensorLike, axes: Sequence[int] | None = None) -> Tensor:
    """Axis i of the result is axis axes[i] (None: all in reverse)."""
    return tf.transpose(asarray(a), axes)


def moveaxis(a: TensorLike, source: Axes, destination: Axes) -> Tensor:
    """The axes `source` at the places `destination`, the others in their order."""
    return _manipulation.moveaxis(asarray(a), source, destination)


def swapaxes(a: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged."""
    a = asarray(a)
    order = list(range(a.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return tf.transpose(a, order)


def broadcast_to(array: TensorLike, shape: ShapeLike) -> Tensor:
    """`array` broadcast to a shape."""
    return tf.broadcast_to(asarray(array), _extents(shape))


def broadcast_arrays(*args: TensorLike) -> list[Tensor]:
    """The arrays in their common shape."""
    return _manipulation.broadcast_arrays(*map(asarray, args))


def _at_least(rank: int, place: Callable[[list[Any]], list[Any]]) -> Any:
    def at_least(*arys: TensorLike) -> Any:
        found = []
        for a in map(asarray, arys):
            extents = list(extents_of(a))
            while len(extents) < rank:
                extents = place(extents)
            found.append(tf.reshape(a, extents))
        return found[0] if len(found) == 1 else found

    at_least.__name__ = at_least.__qualname__ = f"atleast_{rank}d"
    at_least.__doc__ = f"The arrays with at least {rank} axes."
    return at_least


atleast_1d = _at_least(1, lambda e: [1, *e])
atleast_2d = _at_least(2, lambda e: [1, *e])
atleast_3d = _at_least(3, lambda e: [1, *e, 1] if len(e) == 1 else [*e, 1] if e else [1])


def flip(m: TensorLike, axis: Axes = None) -> Tensor:
    """The elements of the axes (None: all) from last to first."""
    return _manipulation.flip(asarray(m), axis=axis)


def flipud(m: TensorLike) -> Tensor:
    """The first axis from last to first."""
    return flip(m, 0)


def fliplr(m: TensorLike) -> Tensor:
    """The second axis from last to first."""
    return flip(m, 1)


def roll(a: TensorLike, shift: int | tuple[int, ...], axis: Axes = None) -> Tensor:
    """The elements moved along `axis`; what leaves comes back in."""
    return _manipulation.roll(asarray(a), shift, axis=axis)


def rot90(m: TensorLike, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    """Turned k times by a quarter, from the first of `axes` towards the second."""
    m = asarray(m)
    if k % 4 == 0:
        return m
    if k % 4 == 2:
        return flip(m, _tuple(axes))
    if k % 4 == 1:
        return swapaxes(flip(m, axes[1]), *axes)
    return flip(swapaxes(m, *axes), axes[1])


def repeat(a: TensorLike, repeats: TensorLike, axis: int | None = None) -> Tensor:
    """Each element (or slice along `axis`) as many times as `repeats` says."""
    times = repeats if isinstance(repeats, int) else asarray(repeats)
    return _manipulation.repeat(asarray(a), times, axis=axis)


def tile(a: TensorLike, reps: int | Sequence[int]) -> Tensor:
    """`a` repeated reps[i] times along axis i."""
    return _manipulation.tile(asarray(a), (reps,) if isinstance(reps, int) else _tuple(reps))


def pad(
    array: TensorLike,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    mode: str = "constant",
    constant_values: TensorLike = 0,
) -> Tensor:
    """Around the elements, as many as `pad_width` says before and after each axis."""
    array = asarray(array)
    width = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    if mode != "constant":
        return tf.pad(array, width, mode.upper())
    return tf.pad(array, width, constant_values=asarray(constant_values, array.dtype))


take_tensors(globals())
