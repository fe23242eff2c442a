"""Axes of ragged tensors: new ones, dropped ones, in reverse, and what a mask leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype, bool_, int32

from ...core import blame
from ...core.tensor import Tensor
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import shaping as _shaping
from ..math import segments as _segments
from . import rows as _rows
from .tensor import RaggedTensor


def expand_dims(input: Any, axis: Any, name: str | None = None) -> RaggedTensor:
    """A new axis of extent 1.

    Args:
        input: A RaggedTensor.
        axis: Where it stands in the result.

    Returns:
        A RaggedTensor.

    Raises:
        ValueError: If the axis is out of range.
    """
    place = _rows.axis_of(axis, len(input.shape) + 1, "expand_dims")
    kind = input.row_splits.dtype
    if place == 0:
        return _rows.uniform(input, input.nrows(), 1, kind)
    if place == 1:
        return _rows.uniform(input, 1, input.nrows(), kind)
    if isinstance(input.values, RaggedTensor):
        return input.with_values(expand_dims(input.values, place - 1))
    return input.with_values(_shaping.expand_dims(input.values, place - 1))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without axes of extent 1.

    Args:
        input: A RaggedTensor.
        axis: The axes to drop: a number or a list.

    Returns:
        A RaggedTensor, or a tensor.

    Raises:
        ValueError: If no axis is given, or one is out of range.
        InvalidArgumentError: If an axis has another extent.
    """
    if axis is None:
        raise blame.value_error("Ragged.squeeze must have an axis argument.", "squeeze")
    if not isinstance(axis, int | list | tuple):
        raise blame.type_error(
            f"Axis must be a list or tuple of integers, got {type(axis).__name__}", "squeeze"
        )
    given = axis if isinstance(axis, list | tuple) else [axis]
    x = input
    places = {_rows.axis_of(a, len(input.shape), "squeeze") for a in given}
    for place in sorted(places, reverse=True):
        x = _squeezed(x, place)
    return x


def _squeezed(x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return _shaping.squeeze(x, axis)
    if axis == 0:
        _checks.assert_equal(x.nrows(), 1, _not_one(0))
        return x.values
    if axis == 1:
        _checks.assert_equal(x.row_lengths(), 1, _not_one(1))
        return x.values
    return x.with_values(_squeezed(x.values, axis - 1))


def _not_one(axis: int) -> str:
    return f"the given axis (axis = {axis}) is not squeezable!: it has another extent than 1"


def reverse(tensor: Any, axis: Any, name: str | None = None) -> RaggedTensor:
    """The elements along the given axes from last to first.

    Args:
        tensor: A RaggedTensor.
        axis: A list of axes.

    Returns:
        A RaggedTensor.

    Raises:
        ValueError: If an axis is not there.
    """
    known = _conversion.get_static_value(axis)
    given = list(known) if np.ndim(known) > 0 else [known]
    x = tensor
    for place in {_rows.axis_of(a, len(tensor.shape), "reverse") for a in given}:
        x = _reversed(x, place)
    return x


def _reversed(x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return _shaping.reverse(x, [axis])
    if axis > 1:
        return x.with_values(_reversed(x.values, axis - 1))
    if axis == 0:
        return _rows.take_rows(x, _rows.counting(x.nrows())[::-1])
    _, rows, places = _rows.spread(x.row_lengths())
    last = _indexing.gather(x.row_limits(), rows) - 1
    return x.with_values(_rows.take_rows(x.values, last - places))


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The elements where a mask holds; all axes of the mask stay.

    Args:
        data: A tensor, ragged or dense.
        mask: Bools for the first axes of `data`, ragged or dense, with the same rows.

    Returns:
        A tensor of the rank of `data`, ragged but for the mask of a vector.

    Raises:
        ValueError: If the mask is a scalar, or has more axes.
        InvalidArgumentError: If the rows differ.

    >>> import tfc as tf
    >>> tf.ragged.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]])
    <tf.RaggedTensor [[1], [3, 4]]>
    """
    op = "ragged.boolean_mask"
    x, held = _rows.ragged_or_dense(op, data), _rows.ragged_or_dense(op, mask)
    if held.dtype is not bool_:
        raise blame.type_error(f"mask must be bool, got {held.dtype.name}", op)
    if not len(held.shape):
        raise blame.value_error("mask cannot be scalar.", op)
    if len(held.shape) > len(x.shape):
        raise blame.value_error(
            f"Shapes {x.shape} and {held.shape} are incompatible: the mask has more axes", op
        )
    fit = zip(x.shape, held.shape, strict=False)
    if any(None not in pair and pair[0] != pair[1] for pair in fit):
        raise blame.value_error(f"Shapes {x.shape} and {held.shape} are incompatible", op)
    return _masked(x, held, _rows.splits_dtype([x, held], op))


def _masked(x: Any, mask: Any, kind: Any) -> Any:
    if len(mask.shape) == 1:
        return _rows.take_rows(x, _conversion.cast(_indexing.where(mask)[:, 0], kind))
    count = mask.shape[0] if x.shape[0] is None else x.shape[0]
    x, mask = (_rows.as_ragged(v, 1, kind) for v in (x, mask))
    _checks.assert_equal(x.row_splits, mask.row_splits, "Inputs must have identical ragged splits")
    found = _masked(x.values, mask.values, kind)
    if len(mask.shape) > 2:
        return x.with_values(found)
    kept = _conversion.cast(mask.values, kind)
    count = mask.nrows() if count is None else count
    lengths = _segments.unsorted_segment_sum(kept, mask.value_rowids(), count)
    return RaggedTensor._made(found, _rows.spread(lengths).splits)


def size(input: Any, out_type: Any = int32, name: str | None = None) -> Tensor:
    """The number of elements, as a scalar.

    Args:
        input: A RaggedTensor.
        out_type: The dtype of the number.

    Returns:
        A scalar.
    """
    return _shaping.size(input.flat_values, out_type)


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, as an int32 scalar.

    Args:
        input: A RaggedTensor.

    Returns:
        A scalar.
    """
    return _creation.constant(len(input.shape), as_dtype("int32"))


__all__ = ["boolean_mask", "expand_dims", "rank", "reverse", "size", "squeeze"]
