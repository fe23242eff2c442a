"""Joining, splitting and indexing arrays under NumPy's names."""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Sequence

import numpy as np

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike
from tfc.experimental.array_api import _manipulation, _reductions

from ._arrays import arange, atleast_1d, atleast_2d, atleast_3d, moveaxis, ravel
from ._plain import take_tensors
from ._promotion import asarray, promote

# Joining and splitting.


def concatenate(arys: Sequence[TensorLike], axis: int | None = 0) -> Tensor:
    """The arrays one after another along `axis` (None: their elements)."""
    return _manipulation.concat(promote(*arys), axis=axis)


def append(arr: TensorLike, values: TensorLike, axis: int | None = None) -> Tensor:
    """`arr`, then `values`, along `axis` (None: their elements)."""
    return concatenate([asarray(arr), asarray(values)], axis)


def stack(arrays: Sequence[TensorLike], axis: int = 0) -> Tensor:
    """The arrays side by side along a new axis."""
    return _manipulation.stack(promote(*arrays), axis=axis)


def _listed(found: Tensor | list[Tensor]) -> list[Tensor]:
    return found if isinstance(found, list) else [found]


def hstack(tup: Sequence[TensorLike]) -> Tensor:
    """The arrays one after another along the second axis (vectors: the first)."""
    parts = _listed(atleast_1d(*tup))
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(tup: Sequence[TensorLike]) -> Tensor:
    """The arrays, vectors as rows, one after another along the first axis."""
    return concatenate(_listed(atleast_2d(*tup)), 0)


def dstack(tup: Sequence[TensorLike]) -> Tensor:
    """The arrays one after another along the third axis."""
    return concatenate(_listed(atleast_3d(*tup)), 2)


def split(ary: TensorLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Tensor]:
    """Parts along `axis`: as many equal ones, or cut before the places given."""
    ary = asarray(ary)
    if isinstance(indices_or_sections, int):
        return tf.split(ary, indices_or_sections, axis)
    extent = ary.shape[axis]
    if extent is None:
        front = (slice(None),) * (axis % ary.ndim)
        places = [builtins.max(int(i), 0) for i in indices_or_sections]
        bounds = itertools.pairwise([0, *places, None])
        return [ary[(*front, slice(low, high))] for low, high in bounds]
    cuts = [builtins.min(builtins.max(int(i), 0), extent) for i in indices_or_sections]
    ends = [0, *cuts, extent]
    sizes = [builtins.max(b - a, 0) for a, b in itertools.pairwise(ends)]
    return tf.split(ary, sizes, axis)


def hsplit(ary: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """Parts along the second axis (of vectors: the first)."""
    return split(ary, indices_or_sections, 0 if asarray(ary).ndim == 1 else 1)


def vsplit(ary: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """Parts along the first axis."""
    return split(ary, indices_or_sections, 0)


def dsplit(ary: TensorLike, indices_or_sections: int | Sequence[int]) -> list[Tensor]:
    """Parts along the third axis."""
    return split(ary, indices_or_sections, 2)


# Indexing.


def take(
    a: TensorLike,
    indices: TensorLike,
    axis: int | None = None,
    out: None = None,
    mode: str = "clip",
) -> Tensor:
    """The slices at `indices` along `axis` (None: elements of all). Indices that are out of range
    are the nearest end ("clip"), or go round ("wrap")."""
    if mode == "raise":
        raise ValueError("The 'raise' mode to take is not supported.")
    if out is not None or mode not in ("clip", "wrap"):
        raise ValueError(f"take: no `out`, and mode 'clip' or 'wrap', got {mode!r}")
    a, indices = asarray(a), asarray(indices)
    if axis is None:
        a, axis = ravel(a), 0
    (place,) = _manipulation.axes_of(axis, a.ndim, "take")
    places, extent = tf.cast(indices, tf.int64), tf.shape(a, tf.int64)[place]
    zero = tf.zeros([], tf.int64)
    if mode == "clip":
        places = tf.clip_by_value(places, zero, tf.maximum(extent - 1, zero))
    else:
        places = tf.math.floormod(places, extent)
    return tf.gather(a, places, axis=place)


def take_along_axis(arr: TensorLike, indices: TensorLike, axis: int | None) -> Tensor:
    """The elements at `indices` along `axis`, one for each of the other places."""
    arr, indices = asarray(arr), asarray(indices)
    if axis is None:
        arr, axis = ravel(arr), 0
    axis = operator.index(axis)
    return _manipulation.take_along_axis(arr, indices, axis=axis)


def compress(condition: TensorLike, a: TensorLike, axis: int | None = None) -> Tensor:
    """The slices along `axis` (None: elements) where the condition holds."""
    a = asarray(a)
    if axis is None:
        a, axis = ravel(a), 0
    places = ravel(tf.where(_reductions.truth(asarray(condition))))
    return tf.gather(a, places, axis=axis % a.ndim)


def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the main diagonal of an array with `ndim` axes of extent n."""
    return (arange(n),) * ndim


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The indices at and below the k-th diagonal."""
    return tuple(map(tf.convert_to_tensor, np.tril_indices(n, k, m)))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The indices at and above the k-th diagonal."""
    return tuple(map(tf.convert_to_tensor, np.triu_indices(n, k, m)))


def diag(v: TensorLike, k: int = 0) -> Tensor:
    """A vector as the k-th diagonal of a matrix, or the k-th diagonal of a matrix."""
    v = asarray(v)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError(f"diag takes a vector or a matrix, got rank {v.ndim}")
    return tf.linalg.diag(v, k=k)


def diagflat(v: TensorLike, k: int = 0) -> Tensor:
    """The elements as the k-th diagonal of a matrix."""
    return diag(ravel(v), k)


def diagonal(a: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of two axes, as the last axis."""
    a = moveaxis(asarray(a), (axis1, axis2), (-2, -1))
    rows, columns = a.shape[-2], a.shape[-1]
    if not a.shape.is_fully_defined():
        return tf.linalg.diag_part(a, k=offset)
    count = builtins.max(
        0,
        builtins.min(rows + builtins.min(offset, 0), columns - builtins.max(offset, 0)),
    )
    flat = tf.reshape(a, [*a.shape[:-2], rows * columns])
    first = builtins.max(offset, 0) + builtins.max(-offset, 0) * columns
    if not count:
        return flat[..., :0]
    return flat[..., first : first + (count - 1) * (columns + 1) + 1 : columns + 1]


def nonzero(a: TensorLike) -> tuple[Tensor, ...]:
    """The indices, axis by axis, of the elements that are not 0."""
    found = tf.where(_reductions.truth(asarray(a)))
    return tuple(found[:, i] for i in range(found.shape[1]))


take_tensors(globals())
