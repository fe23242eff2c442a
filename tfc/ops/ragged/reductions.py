"""Sums and other reductions of ragged tensors, by axes and by segments.

Reducing an axis of rows is a sum by segments: each row is one. Rows of rows are added element by
element, as far as each is long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tfc.ir.dtypes import bool_, float32, float64, int32

from ...core import blame
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from ..math import reductions as _reductions
from ..math import segments as _segments
from ..math import transcendental as _transcendental
from . import rows as _rows
from . import shaping as _axes
from .broadcasting import elementwise
from .tensor import RaggedTensor

Function = Callable[..., Any]


def by_segments(op: Function, data: Any, ids: Any, count: Any) -> Any:
    """`op` (such as unsorted_segment_sum) of the rows of `data`, dense or ragged, by the segment of
    each."""
    if not isinstance(data, RaggedTensor):
        return op(data, ids, count)
    splits, numbers = _segment_rows(data, ids, count)
    return RaggedTensor._made(by_segments(op, data.values, numbers, splits[-1]), splits)


def _segment_rows(data: RaggedTensor, ids: Any, count: Any) -> tuple[Any, Any]:
    """Where the rows of the segments split, each as long as the longest of its rows; and to which
    of their values each value belongs."""
    own = data.row_lengths()
    most = _arithmetic.maximum(_segments.unsorted_segment_max(own, ids, count), 0)
    splits = _rows.spread(most).splits
    _, rows, places = _rows.spread(own)
    return splits, _indexing.gather(_indexing.gather(splits, ids), rows) + places


def reduced(whole: Function, segments: Function, x: Any, axis: Any, keepdims: bool, op: str) -> Any:
    """A reduction along one axis or several, of which the order makes no difference."""
    if not isinstance(x, RaggedTensor):
        return whole(x, axis, keepdims)
    if axis is None:
        found = whole(x.flat_values)
        return _shaping.reshape(found, [1] * len(x.shape)) if keepdims else found
    places = _axes_of(axis, x, op)
    result = x
    for place in sorted(places, reverse=True):
        result = _along(whole, segments, result, place)
    return _with_axes(result, places) if keepdims else result


def _axes_of(axis: Any, x: RaggedTensor, op: str) -> set[int]:
    """One axis or several, counted from the first."""
    known = _conversion.get_static_value(axis)
    many = np.ndim(known) > 0
    return {_rows.axis_of(a, len(x.shape), op) for a in (list(known) if many else [known])}


def _with_axes(x: Any, places: Iterable[int]) -> Any:
    """What was reduced, with these axes again, of extent 1; dense, where none is ragged."""
    for place in sorted(places):
        expand = _axes.expand_dims if isinstance(x, RaggedTensor) else _shaping.expand_dims
        x = expand(x, place)
        if isinstance(x, RaggedTensor) and not _still_ragged(x):
            x = x.to_tensor()
    return x


def _still_ragged(x: Any) -> bool:
    while isinstance(x, RaggedTensor):
        if x.uniform_row_length is None:
            return True
        x = x.values
    return False


def _along(whole: Function, segments: Function, x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return whole(x, axis)
    kind = x.row_splits.dtype
    if axis == 0:
        ids = _creation.zeros(_shaping.reshape(x.nrows(), [1]), kind)
        return by_segments(segments, x, ids, _creation.constant(1, kind)).values
    if axis == 1:
        rows = x.shape[0]
        count = x.nrows() if rows is None else _creation.constant(rows, kind)
        return by_segments(segments, x.values, x.value_rowids(), count)
    return x.with_values(_along(whole, segments, x.values, axis - 1))


def _as_integers(segments: Function) -> Function:
    """Bools by segments, as numbers."""

    def function(data: Any, ids: Any, count: Any) -> Any:
        numbers = _conversion.cast(data, int32)
        return _conversion.cast(segments(numbers, ids, count), bool_)

    return function


def _form(whole: Function, segments: Function, op: str) -> Function:
    def function(
        input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
    ) -> Any:
        return reduced(whole, segments, input_tensor, axis, keepdims, op)

    function.__name__ = op
    return function


def _of_bools(whole: Function, segments: Function, op: str) -> Function:
    """A reduction of bools; of numbers it asks whether they are not 0."""
    reduction = _form(whole, _as_integers(segments), op)

    def function(input_tensor: Any, *axes: Any, **options: Any) -> Any:
        flat = _conversion.cast(input_tensor.flat_values, bool_)
        return reduction(input_tensor.with_flat_values(flat), *axes, **options)

    function.__name__ = op
    return function


reduce_sum = _form(_reductions.reduce_sum, _segments.unsorted_segment_sum, "reduce_sum")
reduce_prod = _form(_reductions.reduce_prod, _segments.unsorted_segment_prod, "reduce_prod")
reduce_max = _form(_reductions.reduce_max, _segments.unsorted_segment_max, "reduce_max")
reduce_min = _form(_reductions.reduce_min, _segments.unsorted_segment_min, "reduce_min")
reduce_all = _of_bools(_reductions.reduce_all, _segments.unsorted_segment_prod, "reduce_all")
reduce_any = _of_bools(_reductions.reduce_any, _segments.unsorted_segment_sum, "reduce_any")


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The mean along axes: of integers as floats, those of up to 16 bits as float32 and wider ones
    as float64; of empty rows nan.

    Args:
        input_tensor: A RaggedTensor of numbers.
        axis: The axes to reduce; None: all.
        keepdims: Whether they stay, with extent 1.

    Returns:
        A tensor, ragged where axes that are left are.

    Raises:
        ValueError: If an axis is not there.
    """
    x = input_tensor.with_flat_values(_as_floats(input_tensor.flat_values))
    total = reduce_sum(x, axis, keepdims)
    count = reduce_sum(x.with_flat_values(_creation.ones_like(x.flat_values)), axis, keepdims)
    if isinstance(total, RaggedTensor):
        return total.with_flat_values(total.flat_values / count.flat_values)
    return total / count


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The mean square of the distances from the mean along axes.

    Args:
        input_tensor: A RaggedTensor of numbers.
        axis: The axes to reduce; None: all.
        keepdims: Whether they stay, with extent 1.

    Returns:
        A tensor, ragged where axes that are left are.

    Raises:
        ValueError: If an axis is not there.
    """
    flat = _as_floats(input_tensor.flat_values)
    # The variance of what is moved is the same, and cancels less near 0: E x^2 - (E x)^2. So are
    # its derivatives; where those of one row are nan, the move would take them to the others.
    middle = _conversion.stop_gradient(_reductions.reduce_mean(flat))
    x = input_tensor.with_flat_values(flat - middle)
    square = reduce_mean(on_values(_arithmetic.square, x), axis, keepdims)
    mean = reduce_mean(x, axis, keepdims)
    if isinstance(mean, RaggedTensor):
        return mean.with_flat_values(_variance(square.flat_values, mean.flat_values))
    return _variance(square, mean)


def _as_floats(flat: Any) -> Any:
    """Integers as the floats that dividing them gives."""
    if not flat.dtype.is_integer:
        return flat
    return _conversion.cast(flat, float32 if flat.dtype.size <= 2 else float64)


def _variance(square: Any, mean: Any) -> Any:
    found = square - _arithmetic.square(mean)
    return _arithmetic.maximum(found, _creation.zeros_like(found))


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The square root of the variance along axes.

    Args:
        input_tensor: A RaggedTensor of numbers.
        axis: The axes to reduce; None: all.
        keepdims: Whether they stay, with extent 1.

    Returns:
        A tensor, ragged where axes that are left are.

    Raises:
        ValueError: If an axis is not there.
    """
    return on_values(_transcendental.sqrt, reduce_variance(input_tensor, axis, keepdims))


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The logarithm of the sum of exponentials along axes, without overflow.

    Args:
        input_tensor: A RaggedTensor of floats.
        axis: The axes to reduce; None: all.
        keepdims: Whether they stay, with extent 1.

    Returns:
        A tensor, ragged where axes that are left are.

    Raises:
        ValueError: If an axis is not there.
    """
    x = input_tensor
    places = range(len(x.shape)) if axis is None else _axes_of(axis, x, "reduce_logsumexp")
    for place in sorted(places, reverse=True):
        if not isinstance(x, RaggedTensor):
            x = _reductions.reduce_logsumexp(x, place)
            continue
        edge = reduce_max(x, place)
        total = reduce_sum(x.with_flat_values(_powers(x, edge, place)), place)
        x = _merge(on_values(_transcendental.log, total), edge)
    return _with_axes(x, places) if keepdims else x


def _powers(x: RaggedTensor, edge: Any, axis: int) -> Any:
    """exp of each element less what it was reduced to."""
    flat = x.flat_values
    if axis > x.ragged_rank:
        own = _shaping.expand_dims(edge.flat_values, axis - x.ragged_rank)
    else:
        values = edge.flat_values if isinstance(edge, RaggedTensor) else edge
        inner = _shaping.shape(flat)[1:]
        rows = _shaping.reshape(values, _joining.concat([[-1], inner], 0))
        own = _indexing.gather(rows, _numbers(x, axis))
    return _transcendental.exp(flat - own)


def _merge(x: Any, y: Any) -> Any:
    """The sum of two tensors with the same rows."""
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(x.flat_values + y.flat_values)
    return x + y


def _numbers(x: Any, axis: int) -> Any:
    """For each of the flat values, which of those of the reduced tensor it belongs to."""
    kind = x.row_splits.dtype
    if axis == 0:
        ids = _creation.zeros(_shaping.reshape(x.nrows(), [1]), kind)
        return _segment_numbers(x, ids, _creation.constant(1, kind))
    if axis == 1:
        return _segment_numbers(x.values, x.value_rowids(), x.nrows())
    return _numbers(x.values, axis - 1)


def _segment_numbers(data: Any, ids: Any, count: Any) -> Any:
    """As `by_segments`, the numbers of the values instead of these."""
    if not isinstance(data, RaggedTensor):
        return ids
    splits, numbers = _segment_rows(data, ids, count)
    return _segment_numbers(data.values, numbers, splits[-1])


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Exponentials that sum to 1 along an axis.

    Args:
        logits: A RaggedTensor of floats.
        axis: The axis; None: the last one.

    Returns:
        A RaggedTensor with the same rows.

    Raises:
        ValueError: If the axis is not there.
    """
    place = -1 if axis is None else axis
    top = reduce_max(logits, place, keepdims=True)
    powers = on_values(
        _transcendental.exp, elementwise(_arithmetic.subtract, [logits, top], "softmax")
    )
    total = reduce_sum(powers, place, keepdims=True)
    return elementwise(_arithmetic.divide, [powers, total], "softmax")


def on_values(function: Function, x: Any, *rest: Any, **options: Any) -> Any:
    """A function of the flat values of a ragged tensor, or of a dense one."""
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(function(x.flat_values, *rest, **options))
    return function(x, *rest, **options)


def segments(op: Function) -> Function:
    """`unsorted_segment_sum` and the like, of ragged data or by ragged numbers."""

    def function(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        title = op.__name__
        x, ids = (_rows.ragged_or_dense(title, v) for v in (data, segment_ids))
        while isinstance(ids, RaggedTensor):
            if not isinstance(x, RaggedTensor):
                raise blame.value_error("data must be ragged where segment_ids are", title)
            _checks.assert_equal(
                x.row_splits, ids.row_splits, "segment_ids.shape must be a prefix of data.shape"
            )
            x, ids = x.values, ids.values
        if not isinstance(x, RaggedTensor):
            return op(x, ids, num_segments)
        kind = x.row_splits.dtype
        ids, count = (_conversion.cast(v, kind) for v in (ids, num_segments))
        if len(ids.shape) != 1:
            raise blame.value_error("segment_ids of ragged data must be a vector", title)
        return by_segments(op, x, ids, count)

    function.__name__ = op.__name__
    return function


def cumulative(op: Function) -> Function:
    """`cumsum` along any axis: what is missing adds nothing."""

    def function(
        x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: Any = None
    ) -> Any:
        place = _rows.axis_of(axis, len(x.shape), op.__name__)
        if place > x.ragged_rank:
            return x.with_flat_values(op(x.flat_values, place - x.ragged_rank, exclusive, reverse))
        if place > 1:
            return x.with_values(function(x.values, place - 1, exclusive, reverse))
        dense = op(x.to_tensor(), place, exclusive, reverse)
        lengths = list(x.nested_row_lengths())
        return x.with_flat_values(RaggedTensor.from_tensor(dense, lengths).flat_values)

    return function


__all__ = [
    "by_segments",
    "cumulative",
    "on_values",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "reduced",
    "segments",
    "softmax",
]
