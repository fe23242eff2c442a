"""Elements at places: gathering, diagonals, differences of neighbours."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ..core import shape
from .promotion import floating, in_dtype, operands, tensor
from .reductions import axes_of, sum
from .shaping import moveaxis, swapaxes


def _from_start(indices: tf.Tensor, extent: Any) -> tf.Tensor:
    """Indices of which negative ones count from the end, as plain ones."""
    if indices.dtype.is_unsigned:
        return indices
    return tf.where(tf.less(indices, 0), indices + tf.cast(extent, indices.dtype), indices)


def _indices(x: Any) -> tf.Tensor:
    x = tensor(x)
    return x if x.dtype.is_integer else tf.cast(x, tf.int32)


def take(x: Any, indices: Any, axis: int | None = None) -> tf.Tensor:
    x = tensor(x)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    places = _from_start(_indices(indices), shape(x)[axis])
    return tf.gather(x, places, axis=axis)


def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> tf.Tensor:
    x, indices = tensor(x), _indices(indices)
    if axis is None:
        if indices.ndim != 1:
            raise ValueError(
                f"`indices` must be 1D if axis=None. Received: indices.shape={indices.shape}"
            )
        x, axis = tf.reshape(x, [-1]), 0
    if x.ndim != indices.ndim:
        raise ValueError(
            "`x` and `indices` must have the same number of dimensions. "
            f"Received: x.shape={x.shape}, indices.shape={indices.shape}"
        )
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"Invalid axis: {axis} for input rank: {x.ndim}")
    x, indices = swapaxes(x, axis, -1), swapaxes(indices, axis, -1)
    rest = [_common(a, b) for a, b in zip(shape(x)[:-1], shape(indices)[:-1], strict=True)]
    x = tf.broadcast_to(x, [*rest, shape(x)[-1]])
    indices = tf.broadcast_to(indices, [*rest, shape(indices)[-1]])
    places = _from_start(indices, shape(x)[-1])
    elements = tf.gather(x, places, axis=x.ndim - 1, batch_dims=x.ndim - 1)
    return swapaxes(elements, axis, -1)


def _common(a: Any, b: Any) -> Any:
    """The extent that two broadcast to."""
    if isinstance(a, int) and isinstance(b, int):
        return b if a == 1 else a
    if isinstance(a, int) or isinstance(b, int):
        known, other = (a, b) if isinstance(a, int) else (b, a)
        return other if known == 1 else known
    return tf.maximum(a, b)


def unravel_index(indices: Any, shape: Any) -> tuple[tf.Tensor, ...]:
    if None in shape:
        raise ValueError(f"`shape` argument cannot contain `None`. Received: shape={shape}")
    rest, coordinates = tensor(indices), []
    for extent in reversed(shape):
        coordinates.append(rest % extent)
        rest = rest // extent
    return tuple(reversed(coordinates))


# Diagonals.


def _as_numbers(x: Any) -> tuple[tf.Tensor, str]:
    """x, bools as small numbers, and the dtype that it had."""
    x = tensor(x)
    return (tf.cast(x, tf.int8) if x.dtype.is_bool else x), x.dtype.name


def diag(x: Any, k: int = 0) -> tf.Tensor:
    x, dtype = _as_numbers(x)
    if x.ndim == 1:
        return in_dtype(tf.linalg.diag(x, k=k), dtype)
    if x.ndim == 2:
        return in_dtype(diagonal(x, k), dtype)
    raise ValueError(f"`x` must be 1d or 2d. Received: x.shape={x.shape}")


def diagflat(x: Any, k: int = 0) -> tf.Tensor:
    return diag(tf.reshape(tensor(x), [-1]), k)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> tf.Tensor:
    x, dtype = _as_numbers(x)
    x = moveaxis(x, (axis1, axis2), (-2, -1))
    # The longest diagonal on this side of the corner begins where the offset says.
    x = x[..., max(-offset, 0) :, max(offset, 0) :]
    return in_dtype(tf.linalg.diag_part(x), dtype)


def trace(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> tf.Tensor:
    return sum(diagonal(x, offset, axis1, axis2), -1)


# Neighbours.


def diff(a: Any, n: int = 1, axis: int = -1) -> tf.Tensor:
    a = tensor(a)
    if n < 0:
        raise ValueError(f"Order `n` must be non-negative. Received n={n}")
    if n and not a.ndim:
        raise ValueError(f"`diff` requires input that is at least one dimensional. Received: a={a}")
    front = (slice(None),) * (axis % max(a.ndim, 1))
    for _ in range(n):
        before, behind = a[(*front, slice(None, -1))], a[(*front, slice(1, None))]
        a = tf.not_equal(behind, before) if a.dtype.is_bool else behind - before
    return a


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> tf.Tensor:
    y = floating(y)
    if x is None:
        y, width = operands(moveaxis(y, axis, -1), dx)
    else:
        y, x = operands(y, x)
        (axis,) = axes_of(axis, y.ndim)
        width = diff(x) if x.ndim == 1 else moveaxis(diff(x, axis=axis), axis, -1)
        y = moveaxis(y, axis, -1)
    return tf.reduce_sum((y[..., 1:] + y[..., :-1]) / 2 * width, -1)
