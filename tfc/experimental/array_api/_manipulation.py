"""Shapes, joining and indexing functions of the array API standard."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, TypeAlias

import tfc as tf
from tfc.core.tensor import Tensor

from ._dtypes import promote

Axes: TypeAlias = "int | Sequence[int] | None"  # one axis, several, or all


def axes_of(axis: Axes, rank: int, name: str) -> tuple[int, ...]:
    """`axis` (None: all; an int; a tuple) as non-negative axes; errors name the function."""
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    for a in given:
        if not -rank <= a < rank:
            raise IndexError(f"{name}: axis {a} is out of range for rank {rank}")
    axes = tuple(a % rank for a in given)
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: {given} names an axis twice")
    return axes


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """x broadcast to a shape."""
    return tf.broadcast_to(x, shape)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape; ValueError where there is none."""
    rank = max((len(s) for s in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for i, extent in enumerate(shape, rank - len(shape)):
            if result[i] == 1:
                result[i] = extent
            elif extent not in (1, result[i]):
                raise ValueError(f"shapes {shapes} cannot be broadcast together")
    return tuple(result)


def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    """The arrays in their common shape."""
    if all(a.shape.is_fully_defined() for a in arrays):
        shape: Any = broadcast_shapes(*(tuple(a.shape) for a in arrays))
    else:
        shape = functools.reduce(tf.broadcast_dynamic_shape, map(tf.shape, arrays))
    return [tf.broadcast_to(a, shape) for a in arrays]


def concat(arrays: Sequence[Tensor | complex], /, *, axis: int | None = 0) -> Tensor:
    """The arrays one after another along `axis` (None: their elements)."""
    joined = promote(*arrays)
    if axis is None:
        joined, axis = [tf.reshape(a, [-1]) for a in joined], 0
    return tf.concat(joined, axes_of(axis, joined[0].ndim, "concat")[0])


def stack(arrays: Sequence[Tensor | complex], /, *, axis: int = 0) -> Tensor:
    """The arrays side by side along a new axis."""
    joined = promote(*arrays)
    return tf.stack(joined, axes_of(axis, joined[0].ndim + 1, "stack")[0])


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along `axis`."""
    return tuple(tf.unstack(x, axis=axes_of(axis, x.ndim, "unstack")[0]))


def expand_dims(x: Tensor, /, *, axis: Axes = 0) -> Tensor:
    """New axes of extent 1 at the places `axis` of the result."""
    rank = x.ndim + (len(axis) if isinstance(axis, tuple) else 1)
    new = axes_of(axis, rank, "expand_dims")
    old = iter(range(x.ndim))
    known = tf.shape(x)
    return tf.reshape(x, [1 if i in new else known[next(old)] for i in range(rank)])


def squeeze(x: Tensor, /, axis: Axes) -> Tensor:
    """Without the axes named, which must have extent 1."""
    gone = axes_of(axis, x.ndim, "squeeze")
    for a in gone:
        if x.shape[a] not in (1, None):
            raise ValueError(f"squeeze: axis {a} has extent {x.shape[a]}")
    return tf.squeeze(x, list(gone)) if gone else x


def flip(x: Tensor, /, *, axis: Axes = None) -> Tensor:
    """The elements of the axes (None: all) from last to first."""
    axes = axes_of(axis, x.ndim, "flip")
    return tf.reverse(x, list(axes)) if axes else x


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """Axis i of the result is axis axes[i] of x."""
    order = axes_of(tuple(axes), x.ndim, "permute_dims")
    if len(order) != x.ndim:
        raise ValueError(f"permute_dims: {axes} is no permutation of {x.ndim} axes")
    return tf.transpose(x, list(order))


def moveaxis(x: Tensor, source: Axes, destination: Axes, /) -> Tensor:
    """The axes `source` at the places `destination`, the others in their order."""
    old, new = (axes_of(a, x.ndim, "moveaxis") for a in (source, destination))
    if len(old) != len(new):
        raise ValueError(f"moveaxis: {source} and {destination} are not as many")
    order: list[Any] = [None] * x.ndim
    for a, place in zip(old, new, strict=True):
        order[place] = a
    rest = iter(a for a in range(x.ndim) if a not in old)
    return tf.transpose(x, [next(rest) if a is None else a for a in order])


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The last two axes exchanged."""
    return x.mT


def reshape(x: Tensor, /, shape: int | Sequence[int], *, copy: bool | None = None) -> Tensor:
    """The elements in row-major order under another shape; one extent may be -1."""
    return tf.reshape(x, [shape] if isinstance(shape, int) else list(shape))


def roll(x: Tensor, /, shift: int | tuple[int, ...], *, axis: Axes = None) -> Tensor:
    """The elements moved by `shift` along `axis` (None: as one row); what leaves comes back in."""
    if axis is None:
        flat = roll(tf.reshape(x, [-1]), shift, axis=0)
        return tf.reshape(flat, tf.shape(x))
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    if len(shifts) != len(axes):
        raise ValueError(f"roll: {shift} and {axis} are not as many")
    for amount, a in zip(shifts, axes, strict=True):
        (place,) = axes_of(a, x.ndim, "roll")
        extent = x.shape[place]
        if extent is None:
            x = tf.roll(x, amount, place)
        elif extent and amount % extent:
            cut = extent - amount % extent
            before: tuple[Any, ...] = (slice(None),) * place
            x = tf.concat([x[(*before, slice(cut, None))], x[(*before, slice(cut))]], place)
    return x


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """x repeated repetitions[i] times along axis i; the shorter of both is filled with ones."""
    rank = max(x.ndim, len(repetitions))
    times = (1,) * (rank - len(repetitions)) + tuple(repetitions)
    if rank > x.ndim:
        x = expand_dims(x, axis=tuple(range(rank - x.ndim)))
    return tf.tile(x, times)


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element (or slice along `axis`) as many times as `repeats` says."""
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    (place,) = axes_of(axis, x.ndim, "repeat")
    if not isinstance(repeats, int):
        return tf.repeat(x, repeats, axis=place)
    wide = tf.expand_dims(x, place + 1)
    wide = tf.tile(wide, [repeats if i == place + 1 else 1 for i in range(wide.ndim)])
    extents: list[Any] = list(x.shape)
    extents[place] = -1 if extents[place] is None else extents[place] * repeats
    return tf.reshape(wide, extents)


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """The slices of x at `indices` (a vector) along `axis`; negative ones count from the end."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError("take: `axis` is needed for more than one axis")
        axis = 0
    (place,) = axes_of(axis, x.ndim, "take")
    return tf.gather(x, from_end(indices, x, place), axis=place)


def from_end(indices: Tensor, x: Tensor, axis: int) -> Tensor:
    """Indices along an axis of x, with those that count from the end made plain."""
    indices = tf.cast(indices, tf.int64)
    return tf.where(tf.less(indices, 0), indices + tf.shape(x, tf.int64)[axis], indices)


def _along_unknown(x: Tensor, indices: Tensor, place: int) -> Tensor:
    """`take_along_axis` of extents that only a call tells."""
    rows, places = (moveaxis(t, place, -1) for t in (x, indices))
    lead = tf.broadcast_dynamic_shape(tf.shape(rows)[:-1], tf.shape(places)[:-1])
    rows, places = (
        tf.broadcast_to(t, tf.concat([lead, tf.shape(t)[-1:]], 0)) for t in (rows, places)
    )
    found = tf.gather(rows, places, axis=x.ndim - 1, batch_dims=x.ndim - 1)
    return moveaxis(found, -1, place)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """x at `indices` along `axis`, which have the shape of x (broadcast) but there."""
    (place,) = axes_of(axis, x.ndim, "take_along_axis")
    if indices.ndim != x.ndim:
        raise ValueError(f"take_along_axis: ranks {x.ndim} and {indices.ndim} differ")
    if not (x.shape.is_fully_defined() and indices.shape.is_fully_defined()):
        return _along_unknown(x, from_end(indices, x, place), place)
    rest = [
        broadcast_shapes((a,), (b,))[0] if i != place else None
        for i, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True))
    ]

    def fitted(t: Tensor) -> Tensor:
        shape = [t.shape[i] if e is None else e for i, e in enumerate(rest)]
        return tf.broadcast_to(t, shape)

    x, indices = fitted(x), fitted(from_end(indices, x, place))
    # One flat gather: the offset of each place along the other axes, plus its index.
    stride, offset = 1, tf.zeros([], tf.int64)
    for i in reversed(range(x.ndim)):
        if i == place:
            lined_up = indices
        else:
            lined_up = tf.reshape(
                tf.range(x.shape[i], dtype=tf.int64), [-1 if k == i else 1 for k in range(x.ndim)]
            )
        offset = offset + lined_up * stride
        stride *= x.shape[i]
    if not stride:
        return tf.zeros(indices.shape, x.dtype)
    return tf.gather(tf.reshape(x, [-1]), offset)
