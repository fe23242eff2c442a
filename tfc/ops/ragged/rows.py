"""Rows of ragged tensors by their numbers: what joining, indexing and broadcasting are made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfc.ir.dtypes import DType, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..array import arrange as _arrange
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from ..math import cumulative as _cumulative
from .factories import count_of
from .tensor import RaggedTensor


class Spread(NamedTuple):
    """Rows of given lengths, one after the other."""

    splits: Tensor  # where they begin and end
    rows: Any  # the row of each value
    places: Any  # the place of each value in its row


def spread(lengths: Any) -> Spread:
    """Where rows of these lengths (a vector) split, and for each of their values where it is."""
    kind = lengths.dtype
    splits = _joining.concat([_creation.zeros([1], kind), _cumulative.cumsum(lengths)], 0)
    rows = _arrange.repeat(counting(_shaping.shape(lengths, out_type=kind)[0]), lengths)
    total = _shaping.shape(rows, out_type=kind)[0]
    return Spread(splits, rows, counting(total) - _indexing.gather(splits, rows))


def counting(count: Any) -> Tensor:
    """0, 1, 2, ... of the dtype of `count`."""
    return _creation.range(count)


def take_rows(x: Any, numbers: Any) -> Any:
    """The rows of a ragged or dense tensor with these numbers (a vector)."""
    if not isinstance(x, RaggedTensor):
        return _indexing.gather(x, numbers)
    lengths = _indexing.gather(x.row_lengths(), numbers)
    splits, rows, places = spread(lengths)
    starts = _indexing.gather(x.row_starts(), numbers)
    inner = take_rows(x.values, _indexing.gather(starts, rows) + places)
    return RaggedTensor._made(inner, splits, x.uniform_row_length)


def row_count(x: Any, kind: DType = int64) -> Tensor:
    """How many rows a ragged or dense tensor has, as a scalar."""
    return _conversion.cast(count_of(x), kind)


def uniform(values: Any, length: Any, nrows: Any, kind: DType) -> RaggedTensor:
    """Rows of one length."""
    length, nrows = (_conversion.cast(n, kind) for n in (length, nrows))
    splits = _arithmetic.multiply(counting(nrows + 1), length)
    return RaggedTensor._made(values, splits, length)


def as_ragged(x: Any, ragged_rank: int, kind: DType) -> Any:
    """A tensor with this many ragged axes at least: dense ones become rows of one length."""
    if ragged_rank == 0:
        return x
    if isinstance(x, RaggedTensor):
        inner = as_ragged(x.values, ragged_rank - 1, kind)
        splits = _conversion.cast(x.row_splits, kind)
        length = x.uniform_row_length
        return RaggedTensor._made(
            inner, splits, None if length is None else _conversion.cast(length, kind)
        )
    extents = _shaping.shape(x, out_type=kind)
    flat = _shaping.reshape(x, _joining.concat([[-1], extents[2:]], 0))
    known = x.shape[1]
    length = extents[1] if known is None else _creation.constant(known, kind)
    return uniform(as_ragged(flat, ragged_rank - 1, kind), length, extents[0], kind)


def splits_dtype(values: Any, op: str) -> DType:
    """The dtype of the splits of the ragged tensors among `values`, which is one.

    Raises:
        ValueError: If there are two.
    """
    kinds = {v.row_splits.dtype for v in values if isinstance(v, RaggedTensor)}
    if len(kinds) > 1:
        raise blame.value_error(
            "Input RaggedTensors have mismatched row_splits dtypes; use "
            "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.",
            op,
        )
    return kinds.pop() if kinds else int64


def ragged_or_dense(op: str, value: Any, dtype: DType | None = None) -> Any:
    """A RaggedTensor as it is, anything else as a tensor."""
    if isinstance(value, RaggedTensor):
        return value
    return operand(op, value, dtype_hint=dtype)


def all_of(op: str, values: Any) -> list[Any]:
    """Ragged tensors as they are, anything else as a tensor of the dtype of the first one."""
    hint = next((v.dtype for v in values if isinstance(v, RaggedTensor | Tensor)), None)
    return [ragged_or_dense(op, v, hint) for v in values]


def axis_of(axis: Any, rank: int, op: str) -> int:
    """An axis, counted from the first.

    Raises:
        ValueError: If there is no such axis.
        TypeError: If it is no integer.
    """
    known = _conversion.get_static_value(axis)
    try:
        number = known.__index__()
    except (AttributeError, TypeError):
        text = f"axis must be an int; got {type(axis).__name__}: it must be a known integer"
        raise blame.type_error(text, op) from None
    if not -rank <= number < rank:
        raise blame.value_error(f"axis={number} out of bounds: expected {-rank}<=axis<{rank}", op)
    return int(number % rank)


def flat_rank(x: RaggedTensor) -> int:
    """How many axes the innermost values have."""
    return len(x.flat_values.shape)


def vector_of(op: str, value: TensorLike, kind: DType) -> Tensor:
    """Numbers in a vector, of the dtype of splits."""
    return _conversion.cast(operand(op, value, dtype_hint=kind), kind)
