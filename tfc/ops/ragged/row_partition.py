"""`tf.experimental.RowPartition`: where rows of values begin and end, without the values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, int32, int64

from ...core import blame
from ...core.composite_tensors import CompositeTensor
from ...core.conversion import convert_to_tensor
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.tensor import Tensor
from ...core.type_specs import TypeSpec
from ...core.types import DTypeLike, TensorLike
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..math import comparisons as _comparisons
from ..math import reductions as _reductions
from .factories import vector
from .tensor import RaggedTensor

OP = "RowPartition"


class RowPartitionSpec(TypeSpec):
    """What is known of a RowPartition: the numbers of rows and values, None where they may be any,
    the length that all rows have, or None, and the dtype."""

    def __init__(
        self,
        nrows: int | None = None,
        nvals: int | None = None,
        uniform_row_length: int | None = None,
        dtype: DTypeLike = int64,
    ) -> None:
        given = (nrows, nvals, uniform_row_length)
        self.nrows, self.nvals, self.uniform_row_length = TensorShape(given).as_list()
        self.dtype = as_dtype(dtype)
        if self.dtype not in (int32, int64):
            raise ValueError("dtype must be tf.int32 or tf.int64")
        self._fill()

    def _fill(self) -> None:
        """Find what the length that all rows have says of the other numbers.

        Raises:
            ValueError: If they do not fit.
        """
        length = self.uniform_row_length
        if length is None:
            return
        if self.nvals is not None and length and self.nvals % length:
            raise ValueError(
                f"nvals={self.nvals} is not compatible with uniform_row_length={length} (doesn't "
                "divide evenly)"
            )
        if self.nrows is None and self.nvals is not None and length:
            self.nrows = self.nvals // length
        values = 0 if length == 0 else None if self.nrows is None else self.nrows * length
        if None not in (values, self.nvals) and values != self.nvals:
            raise ValueError(
                f"nvals={self.nvals} is not compatible with nrows={self.nrows} and "
                f"uniform_row_length={length}"
            )
        self.nvals = self.nvals if values is None else values

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return RowPartition

    def _serialize(self) -> Any:
        return self.nrows, self.nvals, self.uniform_row_length, self.dtype

    def _with_tensor_ranks_only(self) -> RowPartitionSpec:
        return RowPartitionSpec(None, None, self.uniform_row_length, self.dtype)

    @classmethod
    def from_value(cls, value: RowPartition) -> RowPartitionSpec:
        """The spec of a RowPartition.

        Args:
            value: A RowPartition.

        Returns:
            A RowPartitionSpec.
        """
        found: RowPartitionSpec = value._type_spec
        return found

    def most_specific_compatible_type(self, other: Any) -> RowPartitionSpec:
        """The spec that covers this one and another.

        Args:
            other: Another RowPartitionSpec.

        Returns:
            A RowPartitionSpec.

        Raises:
            ValueError: If it is none of this dtype.
        """
        if not isinstance(other, RowPartitionSpec) or other.dtype is not self.dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        pairs = zip(self._serialize()[:3], other._serialize()[:3], strict=True)
        nrows, nvals, length = (a if a == b else None for a, b in pairs)
        return RowPartitionSpec(nrows, nvals, length, self.dtype)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a RowPartition (or what a spec describes) may stand where this spec does."""
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        if not isinstance(other, RowPartitionSpec) or other.dtype is not self.dtype:
            return False
        pairs = zip(self._serialize()[:3], other._serialize()[:3], strict=True)
        return all(a is None or b is None or a == b for a, b in pairs)

    @property
    def _component_specs(self) -> Any:
        return TensorSpec([None if self.nrows is None else self.nrows + 1], self.dtype)

    def _to_components(self, value: Any) -> Any:
        return value.row_splits()

    def _from_components(self, components: Any) -> Any:
        return RowPartition(components, self.uniform_row_length, _PRIVATE)

    def __repr__(self) -> str:
        return (
            f"RowPartitionSpec(nrows={self.nrows}, nvals={self.nvals}, "
            f"uniform_row_length={self.uniform_row_length}, dtype={self.dtype!r})"
        )


_PRIVATE = object()  # the key of the constructor


class RowPartition(CompositeTensor):
    """Where each row of a sequence of values begins and ends, without the values: what ragged
    tensors have for each ragged axis. Made by `from_row_splits` and the like.

    >>> import tfc as tf
    >>> rows = tf.experimental.RowPartition.from_row_lengths([2, 0, 3])
    >>> rows
    tf.RowPartition(row_splits=[0 2 2 5])
    >>> rows.value_rowids().numpy().tolist(), rows.offsets_in_rows().numpy().tolist()
    ([0, 0, 2, 2, 2], [0, 1, 0, 1, 2])
    """

    __slots__ = ("_row_splits", "_uniform")

    def __init__(self, row_splits: Any, uniform_row_length: Any = None, internal: Any = None):
        if internal is not _PRIVATE:
            raise ValueError(
                "RowPartition constructor is private; please use one of the factory methods "
                "instead (e.g., RowPartition.from_row_lengths())"
            )
        self._row_splits: Tensor = row_splits
        self._uniform: int | None = uniform_row_length

    @classmethod
    def _of(cls, ragged: RaggedTensor, kind: DType, uniform: int | None = None) -> RowPartition:
        return cls(_conversion.cast(ragged.row_splits, kind), uniform, _PRIVATE)

    @classmethod
    def from_row_splits(
        cls,
        row_splits: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Row i has the values row_splits[i] ... row_splits[i + 1] - 1.

        Args:
            row_splits: A vector of integers that begins with 0 and does not fall.
            validate: Whether that is checked.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            InvalidArgumentError: If the splits are no such.
            ValueError: If there are none.
        """
        splits, kind = _given(row_splits, "row_splits", dtype, dtype_hint)
        if splits.shape[0] == 0:
            raise blame.value_error("row_splits tensor may not be empty.", OP)
        values = _creation.range(splits[-1])
        made = RaggedTensor.from_row_splits(values, splits, validate=validate)
        return cls._of(made, kind)

    @classmethod
    def from_row_lengths(
        cls,
        row_lengths: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Row i has row_lengths[i] values.

        Args:
            row_lengths: A vector of integers that are not negative.
            validate: Whether that is checked.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            InvalidArgumentError: If a length is negative.
        """
        lengths, kind = _given(row_lengths, "row_lengths", dtype, dtype_hint)
        values = _creation.range(_reductions.reduce_sum(lengths))
        return cls._of(RaggedTensor.from_row_lengths(values, lengths, validate=validate), kind)

    @classmethod
    def from_row_starts(
        cls,
        row_starts: TensorLike,
        nvals: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Row i begins with value row_starts[i]; there are `nvals` values.

        Args:
            row_starts: A vector of integers that begins with 0 and does not fall.
            nvals: The number of values.
            validate: Whether that is checked.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            InvalidArgumentError: If the starts are no such.
        """
        starts, kind = _given(row_starts, "row_starts", dtype, dtype_hint)
        values = _creation.range(nvals)
        return cls._of(RaggedTensor.from_row_starts(values, starts, validate=validate), kind)

    @classmethod
    def from_row_limits(
        cls,
        row_limits: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Row i ends before value row_limits[i].

        Args:
            row_limits: A vector of integers that does not fall.
            validate: Whether that is checked.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            InvalidArgumentError: If the limits are no such.
        """
        limits, kind = _given(row_limits, "row_limits", dtype, dtype_hint)
        last = _reductions.reduce_max(limits) if limits.shape[0] else 0
        values = _creation.range(last)
        return cls._of(RaggedTensor.from_row_limits(values, limits, validate=validate), kind)

    @classmethod
    def from_value_rowids(
        cls,
        value_rowids: TensorLike,
        nrows: TensorLike | None = None,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Value i is in row value_rowids[i].

        Args:
            value_rowids: A vector of integers that does not fall.
            nrows: The number of rows; None: those up to the last value's.
            validate: Whether that is checked.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            InvalidArgumentError: If the numbers of rows are no such.
        """
        ids, kind = _given(value_rowids, "value_rowids", dtype, dtype_hint)
        made = RaggedTensor.from_value_rowids(ids, ids, nrows, validate=validate)
        return cls._of(made, kind)

    @classmethod
    def from_uniform_row_length(
        cls,
        uniform_row_length: TensorLike,
        nvals: TensorLike | None = None,
        nrows: TensorLike | None = None,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """All rows have the same length.

        Args:
            uniform_row_length: The length, known while tracing.
            nvals: The number of values; None: as many as `nrows` rows have.
            nrows: The number of rows; None: as many as `nvals` values fill.
            validate: Whether the numbers are compared.
            dtype: int32 or int64; None: that of the argument.
            dtype_hint: That of numbers which have none.

        Returns:
            A RowPartition.

        Raises:
            ValueError: If neither number is said, or they do not fit.
        """
        if nvals is None and nrows is None:
            raise blame.value_error("Either (or both) of nvals and nrows must be specified", OP)
        known = _conversion.get_static_value(uniform_row_length)
        if known is None:
            raise blame.value_error("uniform_row_length must be known while tracing", OP)
        if np.ndim(known):
            text = f"uniform_row_length: Shape {np.shape(known)} must have rank 0"
            raise blame.value_error(text, OP)
        if int(known) != known:
            text = f"Cannot convert {uniform_row_length!r} to EagerTensor of dtype int64"
            raise blame.type_error(text, OP)
        length = int(known)
        if length < 0:
            raise blame.value_error("uniform_row_length must be >= 0.", OP)
        asked = dtype or getattr(uniform_row_length, "dtype", None) or dtype_hint or int64
        kind = as_dtype(asked)
        if nrows is None:
            assert nvals is not None
            total = _conversion.cast(convert_to_tensor(nvals), kind)
            rows = total // length if length else total * 0
        else:
            rows = _conversion.cast(convert_to_tensor(nrows), kind)
            total = rows * length
        if validate and nvals is not None:
            given = _conversion.get_static_value(nvals)
            found = _conversion.get_static_value(rows * length)
            if given is not None and found is not None and int(given) != int(found):
                raise blame.value_error(
                    f"uniform_row_length={length} times nrows={int(rows)} must equal "
                    f"nvals={int(given)}",
                    OP,
                )
        splits = _creation.range(rows + 1, dtype=kind) * length
        return cls(splits, length, _PRIVATE)

    @property
    def _type_spec(self) -> RowPartitionSpec:
        return RowPartitionSpec(self.static_nrows, self.static_nvals, self._uniform, self.dtype)

    @property
    def dtype(self) -> DType:
        """That of the splits: int32 or int64."""
        return self._row_splits.dtype

    def row_splits(self) -> Tensor:
        """Where rows begin and end, a vector with one element more than there are rows."""
        return self._row_splits

    def row_starts(self) -> Tensor:
        """The number of the first value of each row."""
        return self._row_splits[:-1]

    def row_limits(self) -> Tensor:
        """The number of the value behind each row."""
        return self._row_splits[1:]

    def row_lengths(self) -> Tensor:
        """The number of values of each row."""
        return self.row_limits() - self.row_starts()

    def nrows(self) -> Tensor:
        """The number of rows."""
        count = self.static_nrows
        if count is not None:
            return _creation.constant(count, self.dtype)
        return self._ragged().nrows()

    def nvals(self) -> Tensor:
        """The number of values."""
        return self._row_splits[-1]

    def value_rowids(self) -> Tensor:
        """The row of each value."""
        return self._ragged().value_rowids()

    def offsets_in_rows(self) -> Tensor:
        """The place of each value in its row."""
        starts = _indexing.gather(self.row_starts(), self.value_rowids())
        return _creation.range(self.nvals(), dtype=self.dtype) - starts

    def uniform_row_length(self) -> Tensor | None:
        """The length that all rows have by construction; None where they may differ."""
        return None if self._uniform is None else _creation.constant(self._uniform, self.dtype)

    def is_uniform(self) -> bool:
        """Whether all rows have one length by construction."""
        return self._uniform is not None

    @property
    def static_nrows(self) -> int | None:
        """The number of rows, where it is known by now."""
        count = self._row_splits.shape[0]
        return None if count is None else count - 1

    @property
    def static_nvals(self) -> int | None:
        """The number of values, where it is known by now."""
        if self._uniform is not None and self.static_nrows is not None:
            return self._uniform * self.static_nrows
        known = _conversion.get_static_value(self._row_splits)
        return None if known is None else int(known[-1])

    @property
    def static_uniform_row_length(self) -> int | None:
        """The length that all rows have by construction; None where they may differ."""
        return self._uniform

    def with_dtype(self, dtype: DTypeLike) -> RowPartition:
        """The same with splits of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A RowPartition.
        """
        kind = as_dtype(dtype)
        if kind not in (int32, int64):
            raise blame.value_error(f"dtype must be int32 or int64, got {kind.name}", OP)
        return RowPartition(_conversion.cast(self._row_splits, kind), self._uniform, _PRIVATE)

    def rows_of(self, values: Any) -> RaggedTensor:
        """Values as rows: a RaggedTensor."""
        return RaggedTensor._made(values, self._row_splits, self._uniform)

    def _ragged(self) -> RaggedTensor:
        return self.rows_of(_creation.range(self.nvals(), dtype=self.dtype))

    def same_as(self, other: RowPartition) -> Any:
        """Whether another one splits values at the same places: a bool, or a scalar of one."""
        if self._row_splits.shape != other._row_splits.shape:
            return False
        return _reductions.reduce_all(_comparisons.equal(self._row_splits, other._row_splits))

    def __repr__(self) -> str:
        if self._uniform is not None:
            rows = "?" if self.static_nrows is None else self.static_nrows
            return f"tf.RowPartition(nrows={rows}, uniform_row_length={self._uniform})"
        known = _conversion.get_static_value(self._row_splits)
        return f"tf.RowPartition(row_splits={self._row_splits if known is None else known})"


def partition_of(ragged: RaggedTensor) -> RowPartition:
    """How the outermost axis of a ragged tensor is split."""
    return RowPartition(ragged.row_splits, ragged._length(), _PRIVATE)


def _given(value: Any, what: str, dtype: Any, hint: Any) -> tuple[Tensor, DType]:
    """A vector, and the dtype that is wanted."""
    x = value
    if not isinstance(x, Tensor):
        narrow = isinstance(value, np.ndarray) and value.dtype == np.int32
        x = convert_to_tensor(value, dtype_hint=None if narrow else hint or int64)
    x = vector(x, what, dtype)
    return x, x.dtype


__all__ = ["RowPartition", "RowPartitionSpec", "partition_of"]
