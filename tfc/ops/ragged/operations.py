"""`tfc.ragged`: making ragged tensors, and functions of their values."""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Sequence
from typing import Any

import numpy as _np

from tfc.ir import dtypes as _dtypes
from tfc.ir.dtypes import int64

from ...core import blame as _blame
from ...core.conversion import operand as _operand
from ...core.formatting import shown as _shown
from ...core.tensor import Held as _Held
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ..arguments import dtype_of as _dtype_of
from ..arguments import whole_number
from ..array import arrange as _arrange
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from .factories import vector as _vector
from .tensor import RaggedTensor as _RaggedTensor

_py_range = _builtins.range  # `range` below is TensorFlow's


def constant(
    pylist: Any,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: Sequence[int] | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> Any:
    """Nested lists as a ragged tensor.

    Args:
        pylist: Lists in lists, with all scalars at one depth; arrays count as lists.
        dtype: The dtype; None: the one that the scalars ask for; float32, where there are none.
        ragged_rank: How many axes, from the second on, are ragged; None: all that `inner_shape`
            leaves.
        inner_shape: The extents of the last axes, which are not ragged; None: none.
        row_splits_dtype: The dtype of the splits: int32 or int64.

    Returns:
        A RaggedTensor; a tensor, where no axis is ragged.

    Raises:
        ValueError: If scalars stand at different depths, the list has no so many axes, rows of an
            axis that is not ragged differ in length, or the splits have another dtype.
        InvalidArgumentError: If the rows do not fit `inner_shape`.

    >>> import tfc as tf
    >>> tf.ragged.constant([[1, 2], [3], []])
    <tf.RaggedTensor [[1, 2], [3], []]>
    """
    op = "ragged.constant"
    kind_of_splits = _splits_dtype(row_splits_dtype, op)
    if isinstance(pylist, _RaggedTensor):
        raise _blame.type_error("pylist may not be a RaggedTensor or RaggedTensorValue.", op)
    try:
        pylist = _as_lists(pylist)
        depth = _depth(pylist, op)
    except RecursionError:
        raise _blame.value_error("the list is nested too deep, or holds itself", op) from None
    dense = 0 if inner_shape is None else len(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(0, depth - 1 - dense)
    elif whole_number(ragged_rank, "ragged_rank", op) < 0:
        raise _blame.value_error(f"Invalid ragged_rank={ragged_rank}: must be nonnegative", op)
    elif ragged_rank >= max(depth, 1):
        return _empty_rows(pylist, dtype, ragged_rank, inner_shape, kind_of_splits, op)
    elif inner_shape is not None and depth and ragged_rank + dense >= depth:
        raise _blame.value_error(
            f"Invalid pylist={pylist!r:.60}: incompatible with ragged_rank={ragged_rank} and "
            f"dim(inner_shape)={dense}",
            op,
        )
    if ragged_rank == 0:
        if inner_shape is not None and not depth and dense:
            raise _blame.value_error(
                f"Invalid pylist={pylist!r:.60}: incompatible with dim(inner_shape)={dense}", op
            )
        return _creation.constant(pylist, dtype)
    splits, rows = [], list(pylist)
    for _ in _py_range(ragged_rank):
        ends = [0]
        for row in rows:
            ends.append(ends[-1] + len(row))
        splits.append(_creation.constant(ends, kind_of_splits))
        rows = [item for row in rows for item in row]
    if inner_shape is not None or not rows:
        kind = _dtypes.float32 if dtype is None and not rows else dtype
        tail = [] if inner_shape is None else list(inner_shape)
        values = _shaping.reshape(_creation.constant(rows, kind), [len(rows), *tail])
    else:
        values = _creation.constant(rows, dtype)
    return _RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _empty_rows(
    pylist: Any, dtype: Any, ragged_rank: int, inner_shape: Any, splits_dtype: Any, op: str
) -> Any:
    """More ragged axes than lists in lists: where these end, rows are empty."""
    if not isinstance(pylist, list):
        text = f"Invalid pylist={pylist!r:.60}: incompatible with ragged_rank={ragged_rank}"
        raise _blame.value_error(f"{text}: max depth smaller than ragged_rank={ragged_rank}", op)
    splits: list[Any] = []
    rows = list(pylist)
    for _ in _py_range(ragged_rank):
        if not all(isinstance(row, list) for row in rows):
            depth = len(splits) + 1
            raise _blame.value_error(
                f"Invalid pylist={pylist!r:.60}, max depth smaller than ragged_rank={ragged_rank}: "
                f"pylist has scalar values depth {depth}, but ragged_rank={ragged_rank} requires "
                f"scalar value depth greater than {ragged_rank}",
                op,
            )
        ends = [0]
        for row in rows:
            ends.append(ends[-1] + len(row))
        splits.append(_creation.constant(ends, splits_dtype))
        rows = [item for row in rows for item in row]
    kind = _dtypes.float32 if dtype is None else dtype
    values = _creation.zeros([0, *(inner_shape or ())], kind)
    return _RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _as_lists(value: Any) -> Any:
    """Arrays of NumPy as lists. Their integers become Python's, so that an int32 holds them where
    it can; floats keep their dtypes."""
    if isinstance(value, _np.ndarray | _np.generic) and value.dtype.kind in "iu":
        return value.tolist()
    if isinstance(value, list | tuple) or (isinstance(value, _np.ndarray) and value.ndim):
        return [_as_lists(item) for item in value]
    return value


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
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = int64,
) -> _RaggedTensor:
    """For each row the numbers from its start by its delta up to its limit, which is left out.

    Args:
        starts: Where rows begin: a scalar or a vector; without `limits` these are the limits, and
            rows begin at 0.
        limits: Where they end. All three broadcast.
        deltas: The steps, which are not 0; a row whose limit lies the other way is empty.
        dtype: int32, int64, float32 or float64; None: the widest of the three.
        row_splits_dtype: The dtype of the splits: int32 or int64.

    Returns:
        A RaggedTensor with two axes, the second one ragged.

    Raises:
        InvalidArgumentError: If a delta is 0, the vectors have different lengths, or for another
            dtype.
        ValueError: If one of the three has more than one axis, or the splits another dtype.

    >>> import tfc as tf
    >>> tf.ragged.range([3, 5, 2])
    <tf.RaggedTensor [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1]]>
    """
    op = "ragged.range"
    kind_of_splits = _splits_dtype(row_splits_dtype, op)
    if limits is None:
        starts, limits = 0, starts
    low, high, by = _alike(op, (starts, limits, deltas), dtype)
    if max(len(v.shape) for v in (low, high, by)) > 1:
        raise _blame.value_error("starts, limits and deltas must be a scalar or vector", op)
    zero = _creation.zeros_like(low + high + by)
    low, high, by = (_shaping.reshape(v + zero, [-1]) for v in (low, high, by))
    _checks.assert_none_equal(by, _creation.zeros_like(by), message="Requires delta != 0")
    if low.dtype.is_integer:
        count = _creation.steps_between(low, high, by)
    else:
        count = _arithmetic.ceil((high - low) / by)
        count = _arithmetic.maximum(count, _creation.zeros_like(count))
    lengths = _conversion.cast(count, kind_of_splits)
    rows = _arrange.repeat(_creation.range(_shaping.shape(lengths)[0]), lengths)
    found = _RaggedTensor.from_row_lengths(rows, lengths, validate=False)
    places = _creation.range(_shaping.shape(rows)[0]) - _indexing.gather(
        _conversion.cast(found.row_starts(), _dtypes.int32), rows
    )
    steps = _conversion.cast(places, low.dtype) * _indexing.gather(by, rows)
    return found.with_values(_indexing.gather(low, rows) + steps)


def _splits_dtype(dtype: DTypeLike, op: str) -> _dtypes.DType:
    kind: _dtypes.DType = _dtype_of(dtype, op)
    if kind not in (_dtypes.int32, _dtypes.int64):
        raise _blame.value_error(
            "row_splits must have dtype int32 or int64: it must be int32 or int64, not "
            f"{kind.name}",
            op,
        )
    return kind


_KINDS = (_dtypes.int32, _dtypes.int64, _dtypes.float32, _dtypes.float64)


def _alike(op: str, values: Sequence[TensorLike], dtype: DTypeLike | None) -> list[Any]:
    """Tensors of the given dtype; else of the widest that is among theirs."""
    wanted = None if dtype is None else _dtype_of(dtype, op)
    tensors = [_operand(op, v, dtype_hint=wanted) for v in values]
    kinds = [t.dtype for t in tensors] if wanted is None else [wanted]
    for kind in kinds:
        if kind not in _KINDS:
            raise _blame.invalid_dtype(
                f"{op}: not defined for {kind.name}: for int32, int64, float32 and float64", op
            )
    widest = max(kinds, key=_KINDS.index)
    return [_conversion.cast(t, widest) for t in tensors]


def row_splits_to_segment_ids(
    splits: TensorLike, name: str | None = None, out_type: DTypeLike | None = None
) -> Tensor:
    """The row of each value, for splits as `RaggedTensor.row_splits` has them.

    Args:
        splits: Where rows begin and end: a vector of int32 or int64 that does not fall.
        out_type: The dtype of the result; None: that of `splits`.

    Returns:
        A vector with one number for each value.

    Raises:
        InvalidArgumentError: If the splits fall.
        ValueError: If they are no vector, or there are none.
        TypeError: If they have another dtype.

    >>> import tfc as tf
    >>> print(tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5]))
    tf.Tensor([0 0 0 2 2], shape=(5,), dtype=int64)
    """
    ends: Any = _vector(splits, "splits")
    if ends.shape[0] == 0:
        text = "Invalid row_splits: []: they must not be empty"
        raise _blame.value_error(text, "ragged.row_splits_to_segment_ids")
    _checks.assert_less_equal(ends[:-1], ends[1:], "splits must not fall")
    kind = ends.dtype if out_type is None else out_type
    count = _shaping.shape(ends, out_type=_dtypes.int64)[0] - 1
    return _conversion.cast(_arrange.repeat(_creation.range(count), ends[1:] - ends[:-1]), kind)


def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: TensorLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Where rows begin and end, for the row of each value.

    Args:
        segment_ids: The rows of the values: a vector of int32 or int64 that does not fall.
        num_segments: How many rows there are; None: up to the last one that has a value.
        out_type: The dtype of the result; None: that of `segment_ids`.

    Returns:
        A vector with one element more than there are rows.

    Raises:
        InvalidArgumentError: If the rows fall, or one is not below `num_segments`.
        ValueError: If they are no vector.
        TypeError: If they have another dtype.

    >>> import tfc as tf
    >>> print(tf.ragged.segment_ids_to_row_splits([0, 0, 0, 2, 2]))
    tf.Tensor([0 3 3 5], shape=(4,), dtype=int64)
    """
    op = "ragged.segment_ids_to_row_splits"
    ids = _operand(op, segment_ids, dtype_hint=int64)
    if not ids.dtype.is_integer:
        raise _blame.type_error(
            "Argument `tensor` (name: segment_ids) must be of type integer. Received `tensor` of "
            f"dtype: {ids.dtype!s}",
            op,
        )
    splits = _RaggedTensor.from_value_rowids(ids, ids, num_segments).row_splits
    return splits if out_type is None else _conversion.cast(splits, out_type)


__all__ = [
    "constant",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
]
