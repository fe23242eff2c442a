"""`tfc.ragged`: making ragged tensors, and functions of their values."""

from __future__ import annotations

import builtins as _builtins
from typing import Any

from tfc.ir import dtypes as _dtypes
from tfc.ir.dtypes import int64

from ...core import blame as _blame
from ...core.conversion import operand as _operand
from ...core.formatting import shown as _shown
from ...core.tensor import Held as _Held
from ...core.tensor import Tensor
from ..array import arrange as _arrange
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from .tensor import RaggedTensor as _RaggedTensor

_py_range = _builtins.range  # `range` below is TensorFlow's


def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: Any = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = int64,
) -> Any:
    """Nested lists as a ragged tensor: all axes but the first are ragged, or `ragged_rank` of
    them, or those before the axes of `inner_shape`. A ValueError where scalars stand at different
    depths.

    >>> import tfc as tf
    >>> tf.ragged.constant([[1, 2], [3], []])
    <tf.RaggedTensor [[1, 2], [3], []]>
    """
    op = "ragged.constant"
    try:
        depth = _depth(pylist, op)
    except RecursionError:
        raise _blame.value_error("the list is nested too deep, or holds itself", op) from None
    dense = 0 if inner_shape is None else len(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - dense)
    elif not 0 <= ragged_rank < max(depth, 1):
        raise _blame.value_error(
            f"ragged_rank must be less than {depth}, the depth of the list, got {ragged_rank}", op
        )
    if ragged_rank == 0:
        return _creation.constant(pylist, dtype)
    splits, rows = [], list(pylist)
    for _ in _py_range(ragged_rank):
        ends = [0]
        for row in rows:
            ends.append(ends[-1] + len(row))
        splits.append(_creation.constant(ends, row_splits_dtype))
        rows = [item for row in rows for item in row]
    if inner_shape is not None or not rows:
        kind = _dtypes.float32 if dtype is None and not rows else dtype
        tail = list(inner_shape or [])
        values = _shaping.reshape(_creation.constant(rows, kind), [len(rows), *tail])
    else:
        values = _creation.constant(rows, dtype)
    return _RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _depth(value: Any, op: str) -> int:
    """How deep the scalars stand in nested lists."""
    if isinstance(value, _Held) or hasattr(value, "ndim"):
        return int(value.ndim)
    if not isinstance(value, list | tuple):
        return 0
    depths = {_depth(item, op) for item in value}
    empty = [item for item in value if isinstance(item, list | tuple) and not len(item)]
    depths -= {1} if empty and len(depths) > 1 and min(depths) >= 1 else set()
    if len(depths) > 1:
        raise _blame.value_error(
            f"all scalar values must have the same nesting depth, got {_shown(value)}", op
        )
    return 1 + (depths.pop() if depths else 0)


def range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = int64,
) -> Any:
    """For each row the numbers from its start by its delta up to its limit; scalars broadcast.

    >>> import tfc as tf
    >>> tf.ragged.range([3, 5, 2])
    <tf.RaggedTensor [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1]]>
    """
    op = "ragged.range"
    if limits is None:
        starts, limits = 0, starts
    tensors: list[Any] = [v for v in (starts, limits, deltas) if isinstance(v, _Held)]
    hint = tensors[0].dtype if tensors else dtype
    low, high, by = _operands(op, (starts, limits, deltas), hint)
    if dtype is not None:
        low, high, by = (_conversion.cast(v, dtype) for v in (low, high, by))
    if not low.dtype.is_integer:
        raise _blame.unimplemented(f"not defined for {low.dtype.name}: only for integers", op)
    if max(len(v.shape) for v in (low, high, by)) > 1:
        raise _blame.value_error("starts, limits and deltas must be scalars or vectors", op)
    zero = _creation.zeros_like(low + high + by)
    low, high, by = (_shaping.reshape(v + zero, [-1]) for v in (low, high, by))
    _checks.assert_none_equal(by, 0, "Requires delta != 0")
    count = _arithmetic.floordiv(high - low + by - _arithmetic.sign(by), by)
    lengths = _conversion.cast(_arithmetic.maximum(count, 0), row_splits_dtype)
    rows = _arrange.repeat(_creation.range(_shaping.shape(lengths)[0]), lengths)
    found = _RaggedTensor.from_row_lengths(rows, lengths, validate=False)
    places = _creation.range(_shaping.shape(rows)[0]) - _indexing.gather(
        _conversion.cast(found.row_starts(), _dtypes.int32), rows
    )
    steps = _conversion.cast(places, low.dtype) * _indexing.gather(by, rows)
    return found.with_values(_indexing.gather(low, rows) + steps)


def _operands(op: str, values: Any, hint: Any) -> tuple[Any, ...]:
    return tuple(_operand(op, v, dtype_hint=hint) for v in values)


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row of each value, for splits as `RaggedTensor.row_splits` has them.

    >>> import tfc as tf
    >>> print(tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]))
    tf.Tensor([0 0 0 2 2], shape=(5,), dtype=int64)
    """
    ends: Any = _operand("ragged.row_splits_to_segment_ids", splits, dtype_hint=int64)
    kind = ends.dtype if out_type is None else out_type
    count = _shaping.shape(ends, out_type=_dtypes.int64)[0] - 1
    return _conversion.cast(_arrange.repeat(_creation.range(count), ends[1:] - ends[:-1]), kind)


def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """Where rows begin and end, for the row of each value, which do not fall.

    >>> import tfc as tf
    >>> print(tf.ragged.segment_ids_to_row_splits([0, 0, 0, 2, 2]))
    tf.Tensor([0 3 3 5], shape=(4,), dtype=int64)
    """
    ids = _operand("ragged.segment_ids_to_row_splits", segment_ids, dtype_hint=int64)
    splits = _RaggedTensor.from_value_rowids(ids, ids, num_segments).row_splits
    return splits if out_type is None else _conversion.cast(splits, out_type)


__all__ = [
    "constant",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
]
