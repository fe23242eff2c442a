"""`x[...]` by NumPy's rules: several arrays in an index go together, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf
from tfc.core.tensor import Held, Tensor
from tfc.ops.array import slicing


def getitem(x: Any, index: Any) -> Tensor:
    """`x[index]`. Arrays broadcast against each other, and so do numbers beside them; their axes
    stand where they did if they are neighbours, and first if they are not. All else is TensorFlow's
    indexing."""
    items = list(index) if isinstance(index, tuple) else [index]
    if not any(map(_is_array, items)):
        return slicing.getitem(x, index)
    items = [part for item in items for part in _without_masks(item)]
    items = _without_ellipsis(items, len(x.shape))
    together = [i for i, item in enumerate(items) if _is_array(item) or _is_number(item)]
    whole = slicing.getitem(
        x, tuple(slice(None) if i in together else items[i] for i in _of(items))
    )
    sizes = tf.shape(whole, tf.int64)
    arrays = [tf.cast(tf.convert_to_tensor(items[i]), tf.int64) for i in together]
    arrays = [tf.where(a < 0, a + sizes[i], a) for a, i in zip(arrays, together, strict=True)]
    shape = tf.shape(arrays[0])
    for array in arrays[1:]:
        shape = tf.broadcast_dynamic_shape(shape, tf.shape(array))
    places = tf.stack([tf.broadcast_to(a, shape) for a in arrays], -1)
    others = [i for i in _of(items) if i not in together]
    found = tf.gather_nd(tf.transpose(whole, together + others), places)
    new = len(places.shape) - 1
    first = together[0]
    if together[-1] - first + 1 != len(together) or not first:
        return found
    axes = list(range(len(found.shape)))
    return tf.transpose(found, axes[new : new + first] + axes[:new] + axes[new + first :])


def _of(items: list[Any]) -> range:
    return range(len(items))


def _is_array(item: Any) -> bool:
    if isinstance(item, Held | np.ndarray):
        return bool(len(item.shape))
    return isinstance(item, list | tuple)


def _is_number(item: Any) -> bool:
    if isinstance(item, bool | np.bool_):
        return False
    if isinstance(item, Held | np.ndarray):
        return not len(item.shape) and tf.as_dtype(item.dtype).is_integer
    return isinstance(item, int | np.integer)


def _without_masks(item: Any) -> list[Any]:
    """A mask is the places at which it is true, along each of its axes."""
    if not _is_array(item):
        return [item]
    array = tf.convert_to_tensor(item)
    if not array.dtype.is_bool:
        return [array]
    return tf.unstack(tf.where(array), axis=1, num=len(array.shape))


def _without_ellipsis(items: list[Any], rank: int) -> list[Any]:
    """Slices for `...`, and for the axes after the last item."""
    used = sum(1 for item in items if item is not None and item is not Ellipsis)
    holes = [i for i, item in enumerate(items) if item is Ellipsis]
    at = holes[0] if holes else len(items)
    return [*items[:at], *[slice(None)] * (rank - used), *items[at + 1 :]]


__all__ = ["getitem"]
