"""`x[...]` by NumPy's rules: several arrays in an index go together, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf
from tfc.core import blame
from tfc.core.tensor import Held, Tensor
from tfc.ops.array import slicing


def getitem(x: Any, index: Any) -> Tensor:
    """`x[index]`. Arrays broadcast against each other; their axes stand where they did if they are
    neighbours, and first if they are not. As in TensorFlow, numbers drop their axes before that.
    All else is TensorFlow's indexing."""
    items = list(index) if isinstance(index, tuple) or _is_several(index) else [index]
    if not any(map(_is_array, items)):
        bare = len(items) == 1 and items[0] is index
        return slicing.getitem(x, _basic(index) if bare else tuple(map(_basic, items)))
    items = [part for item in items for part in _without_masks(item)]
    items = _without_ellipsis(items, len(x.shape))
    whole = slicing.getitem(
        x, tuple(slice(None) if _is_array(item) else _basic(item) for item in items)
    )
    items = [item for item in items if not _is_number(item)]
    together = [i for i, item in enumerate(items) if _is_array(item)]
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


def _basic(item: Any) -> Any:
    """An item that is no array, as TensorFlow's indexing takes it: integers may be of any width."""
    if isinstance(item, Held | np.ndarray) and _is_number(item):
        return tf.cast(item, tf.int64)
    if isinstance(item, str | float | np.floating) or (
        isinstance(item, Held) and tf.as_dtype(item.dtype).is_floating
    ):
        raise blame.located(IndexError, f"arrays used as indices must be integers: {item!r}")
    return item


def _is_several(index: Any) -> bool:
    """Whether a list is an index for each of several axes, and no array: what is no number is in
    it."""
    if not isinstance(index, list):
        return False
    return any(x is None or x is Ellipsis or isinstance(x, list | tuple | slice) for x in index)


def _of(items: list[Any]) -> range:
    return range(len(items))


def _is_array(item: Any) -> bool:
    if isinstance(item, Held | np.ndarray):
        return bool(len(item.shape))
    return isinstance(item, list | tuple | range)


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
