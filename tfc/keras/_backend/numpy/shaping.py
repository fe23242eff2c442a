"""Other shapes and orders of the same elements: axes, joining, splitting, repeating, padding."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import tfc as tf

from ..core import dense_tensor, shape
from ..sparse import is_sparse
from ..sparse import squeeze as sparse_squeeze
from . import reductions
from .creation import extents
from .promotion import in_dtype, joined, kind, operands, tensor
from .reductions import axes_of
from .sorting import median


def ndim(x: Any) -> int:
    return len(x.shape) if is_sparse(x) else len(tensor(x).shape)


def size(x: Any) -> tf.Tensor:
    return tf.size(tensor(x))


def reshape(x: Any, newshape: Any) -> Any:
    if isinstance(x, tf.SparseTensor):
        return tf.sparse.reshape(x, extents(newshape))
    return tf.reshape(tensor(x), extents(newshape))


def ravel(x: Any) -> tf.Tensor:
    return tf.reshape(tensor(x), [-1])


def broadcast_to(x: Any, shape: Any) -> tf.Tensor:
    return tf.broadcast_to(tensor(x), extents(shape))


def view(x: Any, dtype: Any = None) -> tf.Tensor:
    """The same bytes as numbers of another dtype: of the last axis, several become one, or one
    becomes several."""
    x = tensor(x)
    target = x.dtype if dtype is None else dense_tensor(0, dtype).dtype
    old, new = x.dtype.size, target.size
    if old == new:
        return tf.bitcast(x, target)
    last = shape(x)[-1] if x.ndim else None
    if last is None or (isinstance(last, int) and last * old % new):
        raise ValueError(
            f"Cannot view array of shape {x.shape} and dtype {x.dtype.name} as dtype "
            f"{target.name}: its last axis is not a whole number of elements of that size."
        )
    if old > new:
        return tf.reshape(tf.bitcast(x, target), [*shape(x)[:-1], last * (old // new)])
    ratio = new // old
    return tf.bitcast(tf.reshape(x, [*shape(x)[:-1], last // ratio, ratio]), target)


# Axes.


def expand_dims(x: Any, axis: Any) -> Any:
    expanded: Any = tf.sparse.expand_dims
    if not isinstance(x, tf.SparseTensor):
        x, expanded = tensor(x), tf.expand_dims
    if isinstance(axis, int):
        return expanded(x, axis)
    for a in sorted(axes_of(axis, len(x.shape) + len(axis))):
        x = expanded(x, a)
    return x


def squeeze(x: Any, axis: Any = None) -> Any:
    if isinstance(x, tf.SparseTensor):
        given = [i for i, e in enumerate(x.shape) if e == 1] if axis is None else axis
        return sparse_squeeze(x, _squeezed(x, given))
    x = tensor(x)
    if axis is None:
        return tf.squeeze(x)
    axes = _squeezed(x, axis)
    return tf.squeeze(x, axes) if axes else x


def _squeezed(x: Any, axis: Any) -> list[int]:
    """The axes of extent 1 that are asked for."""
    axes = axes_of(axis, len(x.shape))
    for a in axes:
        if x.shape[a] not in (1, None):
            raise ValueError(f"Cannot squeeze axis={a}, because the dimension is not 1.")
    return axes


def transpose(x: Any, axes: Any = None) -> Any:
    transposed: Any = tf.sparse.transpose
    if not isinstance(x, tf.SparseTensor):
        x, transposed = tensor(x), tf.transpose
    if axes is None:
        return transposed(x)
    rank = len(x.shape)
    order = axes_of(axes, rank)
    if sorted(order) != list(range(rank)):
        raise ValueError(
            "`axes` must be a valid permutation of the input dimensions (no duplicates). "
            f"Received: axes={list(axes)} for input of rank {rank}."
        )
    return transposed(x, order)


def moveaxis(x: Any, source: Any, destination: Any) -> tf.Tensor:
    x = tensor(x)
    old, new = axes_of(source, x.ndim), axes_of(destination, x.ndim)
    if len(old) != len(new):
        raise ValueError(
            "Inconsistent number of `source` and `destination`. "
            f"Received: source={source}, destination={destination}"
        )
    order = [a for a in range(x.ndim) if a not in old]
    for place, a in sorted(zip(new, old, strict=True)):
        order.insert(place, a)
    return x if order == list(range(x.ndim)) else tf.transpose(x, order)


def swapaxes(x: Any, axis1: int, axis2: int) -> tf.Tensor:
    x = tensor(x)
    order = list(range(x.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return x if order == list(range(x.ndim)) else tf.transpose(x, order)


# Orders.


def flip(x: Any, axis: Any = None) -> tf.Tensor:
    x = tensor(x)
    axes = axes_of(axis, x.ndim)
    return tf.reverse(x, axes) if axes else x


def fliplr(x: Any) -> tf.Tensor:
    return flip(x, 1)


def flipud(x: Any) -> tf.Tensor:
    return flip(x, 0)


def roll(x: Any, shift: Any, axis: Any = None) -> tf.Tensor:
    x = tensor(x)
    if axis is None:
        return tf.reshape(tf.roll(tf.reshape(x, [-1]), shift, 0), tf.shape(x))
    axes = axes_of(axis, x.ndim)
    shifts = list(shift) if isinstance(shift, tuple | list) else [shift] * len(axes)
    return tf.roll(x, shifts, axes * len(shifts) if len(axes) == 1 else axes)


def rot90(array: Any, k: int = 1, axes: Any = (0, 1)) -> tf.Tensor:
    x = tensor(array)
    if x.ndim < 2:
        raise ValueError(
            f"Input array must have at least 2 dimensions. Received: array.ndim={x.ndim}"
        )
    if len(axes) != 2 or axes[0] == axes[1]:
        raise ValueError(f"Invalid axes: {axes}. Axes must be a tuple of two different dimensions.")
    match k % 4:
        case 1:
            return swapaxes(flip(x, axes[1]), *axes)
        case 2:
            return flip(x, axes)
        case 3:
            return flip(swapaxes(x, *axes), axes[1])
    return x


# Joining and splitting.


def concatenate(xs: Any, axis: int | None = 0) -> Any:
    if axis is not None and all(isinstance(x, tf.SparseTensor) for x in xs):
        dtype = joined(*(kind(x) for x in xs))
        return tf.sparse.concat(axis, [tf.cast(x, dtype) for x in xs])
    parts = operands(*xs)
    if axis is None:
        return tf.concat([tf.reshape(p, [-1]) for p in parts], 0)
    return tf.concat(parts, axis)


def append(x1: Any, x2: Any, axis: int | None = None) -> tf.Tensor:
    return concatenate([x1, x2], axis)


def stack(x: Any, axis: int = 0) -> tf.Tensor:
    return tf.stack(operands(*x), axis)


def _with_axes(x: tf.Tensor, rank: int) -> tf.Tensor:
    """With at least `rank` axes; new ones are in front, but the third is behind."""
    while x.ndim < rank:
        x = tf.expand_dims(x, -1 if x.ndim == 2 else 0)
    return x


def hstack(xs: Any) -> tf.Tensor:
    parts = [_with_axes(x, 1) for x in operands(*xs)]
    return tf.concat(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(xs: Any) -> tf.Tensor:
    return tf.concat([_with_axes(x, 2) for x in operands(*xs)], 0)


def dstack(xs: Any) -> tf.Tensor:
    return tf.concat([_with_axes(x, 3) for x in operands(*xs)], 2)


def _cut(x: tf.Tensor, places: list[Any], axis: int) -> list[tf.Tensor]:
    """The parts of x between places of an axis; they count as those of Python's slices."""
    front = (slice(None),) * (axis % x.ndim)
    return [
        x[(*front, slice(start, stop))] for start, stop in itertools.pairwise([0, *places, None])
    ]


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[tf.Tensor]:
    x, sections = tensor(x), indices_or_sections
    if isinstance(sections, int | np.integer):
        return list(tf.split(x, int(sections), axis))
    if tf.is_tensor(sections):
        sections = tf.unstack(sections) if tf.is_symbolic_tensor(sections) else sections.numpy()
    return _cut(x, [int(i) if isinstance(i, np.integer) else i for i in sections], axis)


def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[tf.Tensor]:
    if not isinstance(indices_or_sections, int):
        return split(x, indices_or_sections, axis)
    x, count = tensor(x), indices_or_sections
    each, more = shape(x)[axis] // count, shape(x)[axis] % count  # the first ones get one more
    fewer = min if isinstance(more, int) else tf.minimum
    return _cut(x, [i * each + fewer(i, more) for i in range(1, count)], axis)


def hsplit(x: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    x = tensor(x)
    return split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


def vsplit(x: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    return split(x, indices_or_sections, 0)


def dsplit(x: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    return split(x, indices_or_sections, 2)


# Repeating and padding.


def repeat(x: Any, repeats: Any, axis: int | None = None) -> tf.Tensor:
    return tf.repeat(tensor(x), repeats, axis)


def tile(x: Any, repeats: Any) -> tf.Tensor:
    x = tensor(x)
    times = list(extents(repeats)) if not tf.is_tensor(repeats) else tf.unstack(repeats)
    for _ in range(len(times) - len(x.shape)):
        x = tf.expand_dims(x, 0)
    return tf.tile(x, [1] * (len(x.shape) - len(times)) + times)


_STATISTICS = {
    "maximum": reductions.max,
    "mean": reductions.mean,
    "median": median,
    "minimum": reductions.min,
}


def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = None) -> tf.Tensor:
    x = tensor(x)
    if constant_values is not None and mode != "constant":
        raise ValueError(
            "Argument `constant_values` can only be provided when `mode == 'constant'`. "
            f"Received: mode={mode}"
        )
    if not tf.is_tensor(pad_width):
        pad_width = _pairs(pad_width, x.ndim)
    if mode in ("constant", "empty"):
        value = 0 if constant_values is None else constant_values
        return tf.pad(x, pad_width, constant_values=dense_tensor(value, x.dtype))
    if mode in ("reflect", "symmetric"):
        return tf.pad(x, pad_width, mode.upper())
    for axis, (before, after) in enumerate(pad_width):
        if not (isinstance(before, int) and isinstance(after, int) and before == after == 0):
            x = _padded(x, axis, before, after, mode)
    return x


def _pairs(pad_width: Any, rank: int) -> list[Any]:
    """The pair for each axis: one pair, or one number, stands for all."""
    if isinstance(pad_width, int):
        return [(pad_width, pad_width)] * rank
    pairs = list(pad_width)
    if len(pairs) == 2 and not isinstance(pairs[0], tuple | list | np.ndarray):
        return [tuple(pairs)] * rank
    pairs = [tuple(p) * (2 // len(p)) for p in pairs]
    return pairs * rank if len(pairs) == 1 else pairs


def _padded(x: tf.Tensor, axis: int, before: Any, after: Any, mode: str) -> tf.Tensor:
    """x with more elements before and after those of an axis."""
    if mode in ("edge", "wrap", "circular"):
        count = shape(x)[axis]
        places = tf.range(-before, count + after)
        if mode == "edge":
            return tf.gather(x, tf.clip_by_value(places, 0, count - 1), axis=axis)
        return tf.gather(x, tf.math.floormod(places, count), axis=axis)
    if mode == "linear_ramp":
        more = _ramps(x, axis, before, after)
    elif mode in _STATISTICS:
        value = _STATISTICS[mode](x, axis=axis, keepdims=True)
        more = [tf.repeat(value, times, axis) for times in (before, after)]
    else:
        raise ValueError(f"Unknown padding mode. Received: mode={mode}")
    if x.dtype.is_integer:
        more = [(tf.floor if mode == "linear_ramp" else tf.round)(m) for m in more]
    first, last = (in_dtype(m, x.dtype.name) for m in more)
    return tf.concat([first, x, last], axis)


def _ramps(x: tf.Tensor, axis: int, before: Any, after: Any) -> list[tf.Tensor]:
    """Numbers from 0 up to the first elements of an axis, and from its last down to 0."""
    front = (slice(None),) * axis
    edges = x[(*front, slice(0, 1))], x[(*front, slice(-1, None))]
    parts = tf.range(before) / before, (after - 1 - tf.range(after)) / after
    along = [-1 if a == axis else 1 for a in range(x.ndim)]
    return [
        tf.cast(edge, part.dtype) * tf.reshape(part, along)
        for edge, part in zip(edges, parts, strict=True)
    ]
