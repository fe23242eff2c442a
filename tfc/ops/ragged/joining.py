"""Ragged tensors one after the other, side by side, in parts, and repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import int32, int64

from ...core import blame
from ...core.conversion import convert_to_tensor
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..math import arithmetic as _arithmetic
from . import rows as _rows
from .tensor import RaggedTensor


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Ragged and dense tensors one after the other along an axis.

    Args:
        values: A list of tensors of one dtype and rank, ragged ones among them.
        axis: The axis; negative ones count from the last.

    Returns:
        A RaggedTensor.

    Raises:
        ValueError: If ranks differ, the axis is not there, or splits have different dtypes.
        InvalidArgumentError: If rows that stand beside each other differ in number.
    """
    return _joined(values, axis, "concat", stacked=False)


def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Ragged and dense tensors, beside each other along a new axis.

    Args:
        values: A list of tensors of one dtype and rank.
        axis: Where the new axis stands in the result.

    Returns:
        A RaggedTensor; of scalars, and of dense tensors along another axis than the first, a
        tensor.

    Raises:
        ValueError: If ranks differ, the axis is not there, or splits have different dtypes.
        InvalidArgumentError: If rows that stand beside each other differ in number.

    >>> import tfc as tf
    >>> tf.ragged.stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    return _joined(values, axis, "stack", stacked=True)


def _joined(values: Any, axis: Any, op: str, stacked: bool) -> Any:
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise blame.value_error("rt_inputs may not be empty.", op)
    parts = _rows.all_of(op, values)
    kind = _rows.splits_dtype(parts, op)
    if not any(isinstance(p, RaggedTensor) for p in parts):
        kind = int32 if len(parts[0].shape) == 1 else int64  # as TensorFlow has them
    rank = len(parts[0].shape)
    for p in parts:
        if len(p.shape) != rank:
            raise blame.value_error(f"Shape {p.shape} must have rank {rank}, as the first has", op)
    place = _rows.axis_of(axis, rank + stacked, op)
    if len(parts) == 1 and not stacked:
        return parts[0]
    dense = not any(isinstance(p, RaggedTensor) for p in parts)
    if dense and (place > 0 or (stacked and rank == 0)):
        return _joining.stack(parts, place) if stacked else _joining.concat(parts, place)
    return _along(parts, place, stacked, kind, op)


def _along(parts: list[Any], axis: int, stacked: bool, kind: Any, op: str) -> Any:
    if not any(isinstance(p, RaggedTensor) for p in parts) and axis > 1:
        return (_joining.stack if stacked else _joining.concat)(parts, axis)
    if axis == 0:
        counts = [_rows.row_count(p, kind) for p in parts]
        below = _behind(parts, kind)
        if not stacked:
            return below
        lengths = _joining.stack(counts)
        return RaggedTensor._made(below, _rows.spread(lengths).splits)
    counts = [_rows.row_count(p, kind) for p in parts]
    for i, other in enumerate(counts[1:], 1):
        text = f"Input tensors at index 0 (=x) and {i} (=y) have incompatible shapes."
        _checks.assert_equal(counts[0], other, text)
    if axis == 1:
        # Row i of each, one after the other: rows 0, n, 2n, ..., 1, n + 1, ... of all.
        below = _behind(parts, kind, ragged=not stacked)
        n, k = counts[0], len(parts)
        order = _shaping.reshape(
            _shaping.transpose(_shaping.reshape(_rows.counting(n * k), _shape_of(k, n))), [-1]
        )
        ordered = _rows.take_rows(below, order)
        if stacked:
            return _rows.uniform(ordered, k, n, kind)
        splits = _indexing.gather(ordered.row_splits, _rows.counting(n + 1) * k)
        return RaggedTensor._made(ordered.values, splits)
    level = [_rows.as_ragged(p, 1, kind) for p in parts]
    for other in level[1:]:
        _checks.assert_equal(
            level[0].row_splits, other.row_splits, "Inputs must have identical ragged splits"
        )
    values = [p.values for p in level]
    if axis == 2 and not any(isinstance(v, RaggedTensor) for v in values):
        # Extents that all rows have stay known.
        joined = (_joining.stack if stacked else _joining.concat)(values, 1)
    else:
        joined = _along(values, axis - 1, stacked, kind, op)
    return RaggedTensor._made(joined, level[0].row_splits, level[0].uniform_row_length)


def _shape_of(k: int, n: Any) -> Any:
    return _joining.stack([_creation.constant(k, n.dtype), n])


def _behind(parts: list[Any], kind: Any, ragged: bool = True) -> Any:
    """One after the other along the first axis; dense tensors of one shape stay dense."""
    depth = max((p.ragged_rank for p in parts if isinstance(p, RaggedTensor)), default=0)
    if depth == 0:
        shapes = {tuple(p.shape.as_list()[1:]) for p in parts}
        inner = shapes.pop()
        if not shapes and not (ragged and inner) and None not in inner:
            return _joining.concat(parts, 0)
        if not inner:
            return _joining.concat(parts, 0)
        depth = 1
    level = [_rows.as_ragged(p, depth, kind) for p in parts]
    splits, end = [], _creation.zeros([], kind)
    for i, p in enumerate(level):
        own = p.row_splits + end
        splits.append(own if i == 0 else own[1:])
        end = own[-1]
    lengths = {p._length() for p in level}
    length = level[0].uniform_row_length if len(lengths) == 1 and None not in lengths else None
    values = [p.values for p in level]
    below = _behind(values, kind) if depth > 1 else _joining.concat(values, 0)
    return RaggedTensor._made(below, _joining.concat(splits, 0), length)


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """A ragged tensor, each axis repeated.

    Args:
        input: A RaggedTensor.
        multiples: How often, for each axis: a vector of integers.

    Returns:
        A RaggedTensor.

    Raises:
        InvalidArgumentError: If a number is negative, or there are not as many as axes.
    """
    kind = input.row_splits.dtype
    times = _rows.vector_of("tile", multiples, kind)
    if len(times.shape) != 1:
        raise blame.value_error(f"multiples: Shape {times.shape} must have rank 1", "tile")
    text = "Input argument 'repeats' must be non-negative"
    _checks.assert_non_negative(times, text)
    given = _shaping.shape(times, out_type=kind)
    _checks.assert_equal(given, [len(input.shape)], "tile: a multiple for each axis is needed")
    return _tiled(input, [times[i] for i in range(len(input.shape))], kind)


def _tiled(x: Any, times: list[Any], kind: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return _shaping.tile(x, _joining.stack(times))
    inner = _tiled(x.values, [_creation.ones([], kind), *times[2:]], kind)
    own = x.row_lengths()
    splits, rows, places = _rows.spread(own * times[1])
    each = _arithmetic.maximum(_indexing.gather(own, rows), 1)
    numbers = _indexing.gather(x.row_starts(), rows) + _arithmetic.floormod(places, each)
    length = x.uniform_row_length
    wide = RaggedTensor._made(
        _rows.take_rows(inner, numbers), splits, None if length is None else length * times[1]
    )
    count = x.nrows()
    if _known_one(times[0]):
        return wide
    order = _arithmetic.floormod(_rows.counting(count * times[0]), _arithmetic.maximum(count, 1))
    return _rows.take_rows(wide, order)


def _known_one(value: Any) -> bool:
    known = _conversion.get_static_value(value)
    return known is not None and int(known) == 1


_UNEVEN = "Cannot exactly split the `axis` dimension of `value` with the given `num_or_size_split`."


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split"
) -> list[Any]:
    """A ragged tensor in parts along an axis that is not ragged.

    Args:
        value: A RaggedTensor.
        num_or_size_splits: How many parts of one size; or their sizes.
        axis: The axis.
        num: How many sizes there are, where that is not known.

    Returns:
        A list of RaggedTensors.

    Raises:
        ValueError: If the axis is ragged, the sizes are unknown, or do not fit.
        InvalidArgumentError: If the sizes do not fit.
    """
    place = _rows.axis_of(axis, len(value.shape), "split")
    if place > 0 and value.shape[place] is None and place <= value.ragged_rank:
        raise blame.value_error(
            f"Cannot split a ragged dimension. Got `value` with shape {value.shape} and `axis` "
            f"{place}",
            "split",
        )
    if place > 1:
        inner = (
            split(value.values, num_or_size_splits, place - 1, num)
            if isinstance(value.values, RaggedTensor)
            else _joining.split(value.values, num_or_size_splits, place - 1, num)
        )
        return [value.with_values(v) for v in inner]
    extent = value.shape[place]
    ends = _ends(num_or_size_splits, extent, num)
    if place == 0:
        return [value[a:b] for a, b in ends]
    return [value[:, a:b] for a, b in ends]


def _ends(sizes: Any, extent: int | None, num: Any) -> list[tuple[Any, Any]]:
    """Where parts begin and end."""
    known = _conversion.get_static_value(sizes)
    if known is not None and (np.ndim(known) > 1 or np.asarray(known).dtype.kind not in "iu"):
        text = "`num_or_size_splits` must be an `int` or 1-D list or `Tensor` of integers."
        raise blame.type_error(f"{text} Received {sizes!r:.60}", "split")
    if known is None:
        raise blame.value_error("num_or_size_splits must be known", "split")
    if np.ndim(known) > 0:
        counts = [int(n) for n in known]
        if min(counts, default=0) < 0:
            text = f"`num_or_size_splits` must be non-negative., got {counts}"
            raise blame.invalid(text, "split")
        if extent is not None and sum(counts) != extent:
            raise blame.invalid(f"{_UNEVEN} Sizes {counts} of an axis of {extent}", "split")
    else:
        if extent is None or extent % int(known):
            raise blame.invalid(f"{_UNEVEN} {known} equal parts of an axis of {extent}", "split")
        counts = [extent // int(known)] * int(known)
    found, end = [], 0
    for count in counts:
        found.append((end, end + count))
        end += count
    return found


def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> RaggedTensor:
    """The slices of `data`, by the partition that they belong to.

    Args:
        data: A tensor, ragged or dense, of at least as many axes as `partitions`.
        partitions: For each slice the number of its row: a tensor of integers, dense or ragged.
        num_partitions: How many rows there are.

    Returns:
        A RaggedTensor with a row for each partition; slices keep their order.

    Raises:
        InvalidArgumentError: If a number is not below `num_partitions`, or the shapes do not fit.

    >>> import tfc as tf
    >>> tf.ragged.stack_dynamic_partitions([1, 2, 3], [1, 0, 1], 2)
    <tf.RaggedTensor [[2], [1, 3]]>
    """
    op = "ragged.stack_dynamic_partitions"
    x, which = (_rows.ragged_or_dense(op, v) for v in (data, partitions))
    if not which.dtype.is_integer:
        raise blame.type_error(
            f"Argument `tensor` (name: partitions) must be of type integer. Received "
            f"{which.dtype!s}",
            op,
        )
    known = len(which.shape)
    if not _fit(x.shape[:known], which.shape):
        raise blame.value_error(
            f"Shapes {which.shape} and {x.shape[:known]} are incompatible: partitions and data", op
        )
    if isinstance(x, RaggedTensor) and which.dtype is not x.row_splits.dtype:
        which = _flat_cast(which, x.row_splits.dtype)
    while isinstance(which, RaggedTensor):
        if not isinstance(x, RaggedTensor):
            raise blame.value_error(
                f"data must be ragged where partitions are: Shapes {partitions.shape} and "
                f"{x.shape} are incompatible",
                op,
            )
        _checks.assert_equal(x.row_splits, which.row_splits, "data and partitions must match")
        x, which = x.values, which.values
    deep = len(which.shape)
    if deep == 0:
        x = _shaping.expand_dims(x, 0)
    elif deep > 1:
        extents = _shaping.shape(x)
        x = _shaping.reshape(x, _joining.concat([[-1], extents[deep:]], 0))
    which = _shaping.reshape(which, [-1])
    _checks.assert_non_negative(which, "partitions must be non-negative.")
    text = "partitions must be less than num_partitions"
    most = convert_to_tensor(num_partitions)
    if not most.dtype.is_integer:
        raise blame.type_error(f"num_partitions must be an integer, got {most.dtype.name}", op)
    _checks.assert_less(which, _conversion.cast(most, which.dtype), text)
    order = _sorting.argsort(which, stable=True)
    return RaggedTensor.from_value_rowids(  # what partitions there are is a matter of the data
        _rows.take_rows(x, order), _indexing.gather(which, order), nrows=most, validate=False
    )


def _fit(a: Any, b: Any) -> bool:
    """Whether two shapes may be one, as far as they are known."""
    return len(a) == len(b) and all(
        x is None or y is None or x == y for x, y in zip(a, b, strict=True)
    )


def _flat_cast(x: Any, kind: Any) -> Any:
    """A tensor of another dtype, with splits of that."""
    if isinstance(x, RaggedTensor):
        flat = _conversion.cast(x.flat_values, kind)
        return x.with_row_splits_dtype(kind).with_flat_values(flat)
    return _conversion.cast(x, kind)


__all__ = ["concat", "split", "stack", "stack_dynamic_partitions", "tile"]
