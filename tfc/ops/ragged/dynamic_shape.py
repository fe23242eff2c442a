"""`tf.experimental.DynamicRaggedShape`: the shape of a tensor that may be ragged."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, int32, int64

from ...core import blame
from ...core.composite_tensors import CompositeTensor
from ...core.conversion import convert_to_tensor
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.tensor import Tensor
from ...core.type_specs import TypeSpec, of_ranks
from ...core.types import DTypeLike
from ..array import conversion as _conversion
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import comparisons as _comparisons
from ..math import reductions as _reductions
from .row_partition import RowPartition, RowPartitionSpec, partition_of
from .tensor import RaggedTensor

OP = "DynamicRaggedShape"


class DynamicRaggedShapeSpec(TypeSpec):
    """What is known of a DynamicRaggedShape: the specs of its partitions, the inner shape as far as
    it is known, and the dtype."""

    def __init__(
        self,
        row_partitions: Sequence[RowPartitionSpec],
        static_inner_shape: Any,
        dtype: DTypeLike = int64,
    ) -> None:
        self.row_partitions = tuple(row_partitions)
        self.static_inner_shape = TensorShape(static_inner_shape)
        self.dtype = as_dtype(dtype)
        if self.dtype not in (int32, int64):
            raise ValueError("dtype must be tf.int32 or tf.int64")

    @property
    def inner_rank(self) -> int | None:
        """How many axes the values have; None where it is not known."""
        rank: int | None = self.static_inner_shape.rank
        return rank

    @property
    def num_row_partitions(self) -> int:
        """How many axes behind the first have a partition."""
        return len(self.row_partitions)

    @property
    def rank(self) -> int | None:
        """How many axes a tensor of the shape has; None where it is not known."""
        inner = self.inner_rank
        return None if inner is None else inner + self.num_row_partitions

    def with_dtype(self, dtype: DTypeLike) -> DynamicRaggedShapeSpec:
        """The same with partitions and extents of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A DynamicRaggedShape.Spec.
        """
        partitions = [
            RowPartitionSpec(p.nrows, p.nvals, p.uniform_row_length, dtype)
            for p in self.row_partitions
        ]
        return DynamicRaggedShapeSpec(partitions, self.static_inner_shape, dtype)

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return DynamicRaggedShape

    def _serialize(self) -> Any:
        return self.row_partitions, self.static_inner_shape, self.dtype

    def _with_tensor_ranks_only(self) -> DynamicRaggedShapeSpec:
        partitions = [p._with_tensor_ranks_only() for p in self.row_partitions]
        return DynamicRaggedShapeSpec(partitions, of_ranks(self.static_inner_shape), self.dtype)

    @property
    def _component_specs(self) -> Any:
        return TensorSpec([len(self.static_inner_shape)], self.dtype), self.row_partitions

    def _to_components(self, value: Any) -> Any:
        return value.inner_shape, value.row_partitions

    def _from_components(self, components: Any) -> Any:
        inner_shape, partitions = components
        return DynamicRaggedShape(
            partitions, inner_shape, static_inner_shape=self.static_inner_shape
        )

    def __repr__(self) -> str:
        return (
            f"DynamicRaggedShape.Spec(row_partitions={self.row_partitions}, "
            f"static_inner_shape={self.static_inner_shape!r}, dtype={self.dtype!r})"
        )


class DynamicRaggedShape(CompositeTensor):
    """The shape of a tensor that may be ragged: how its first axes are partitioned, and the extents
    of the dense tensor that is left.

    Args:
        row_partitions: A RowPartition for each axis behind the first that may be ragged.
        inner_shape: The extents of the values: the number of the last partition's values first.
        dtype: int32 or int64; None: that of the partitions.
        validate: Whether the partitions are checked to fit each other.
        static_inner_shape: What is known of `inner_shape`, beside what it says itself.

    Raises:
        ValueError: If the partitions do not fit each other, or the inner shape is no vector, or not
            what is known of it.
        TypeError: If `row_partitions` is no list of them.

    >>> import tfc as tf
    >>> shape = tf.experimental.DynamicRaggedShape.from_lengths([2, (3, 1), 4])
    >>> shape
    <DynamicRaggedShape lengths=[2, (3, 1), 4] num_row_partitions=1>
    >>> shape.rank, int(shape[2]), shape.is_uniform(1)
    (3, 4, False)
    """

    Spec: ClassVar[type] = DynamicRaggedShapeSpec
    __slots__ = ("_inner_shape", "_row_partitions", "_stated_inner")

    def __init__(
        self,
        row_partitions: Sequence[RowPartition],
        inner_shape: Any,
        dtype: DTypeLike | None = None,
        validate: bool = False,
        static_inner_shape: Any = None,
    ) -> None:
        if not isinstance(row_partitions, list | tuple):
            raise blame.type_error(
                f"row_partitions should be a list of row partitions. Instead, got {row_partitions}",
                OP,
            )
        for given in row_partitions:
            if not isinstance(given, RowPartition):
                text = f"row_partitions contains {given} which is not a RowPartition"
                raise blame.type_error(text, OP)
        partitions = tuple(row_partitions)
        if dtype is not None:
            kind = as_dtype(dtype)
        elif partitions:
            kind = int64 if any(p.dtype is int64 for p in partitions) else int32
        else:
            kind = getattr(inner_shape, "dtype", int64)
        inner = convert_to_tensor(inner_shape, dtype_hint=kind)
        self._row_partitions = tuple(p.with_dtype(kind) for p in partitions)
        if len(inner.shape) != 1:
            raise blame.value_error(f"inner_shape: Shape {inner.shape} must have rank 1", OP)
        self._inner_shape: Tensor = _conversion.cast(inner, kind)
        self._stated_inner = TensorShape(static_inner_shape)
        if static_inner_shape is not None:
            self._static_inner_shape().assert_is_compatible_with(self._stated_inner)
        for outer, other in zip(self._row_partitions, self._row_partitions[1:], strict=False):
            have, want = outer.static_nvals, other.static_nrows
            if None not in (have, want) and have != want:
                raise blame.value_error("Shape not consistent.", OP)

    @classmethod
    def from_lengths(
        cls,
        lengths: Sequence[Any],
        num_row_partitions: int | None = None,
        dtype: DTypeLike = int64,
    ) -> DynamicRaggedShape:
        """The shape with these extents.

        Args:
            lengths: For each axis its extent, or where it is ragged, a sequence of those of its
                rows.
            num_row_partitions: How many axes behind the first have partitions; None: those up to
                the last ragged one.
            dtype: int32 or int64.

        Returns:
            A DynamicRaggedShape.

        Raises:
            ValueError: If the lengths do not fit each other.
        """
        if not isinstance(lengths, list):
            raise blame.value_error(f"lengths should be a list, got {lengths!r:.60}", OP)
        for length in lengths:
            parts = length if isinstance(length, tuple) else (length,)
            if not all(isinstance(n, int | np.integer) for n in parts):
                text = f"element of lengths should be int or tuple of ints: instead {length!r:.60}"
                raise blame.value_error(text, OP)
        ragged = [i for i, n in enumerate(lengths) if isinstance(n, tuple)]
        count = max(ragged, default=0)
        if num_row_partitions is not None:
            if num_row_partitions >= max(len(lengths), 1):
                raise blame.value_error(
                    "num_row_partitions should be less than `len(lengths)` if shape is not scalar: "
                    f"num_row_partitions={num_row_partitions} does not fit {lengths}",
                    OP,
                )
            if num_row_partitions < count:
                raise blame.value_error(
                    f"num_row_partitions={num_row_partitions} does not fit {lengths}", OP
                )
            count = num_row_partitions
        if ragged[:1] == [0]:
            raise blame.value_error("the first axis cannot be ragged", OP)
        partitions: list[RowPartition] = []
        rows: Any = lengths[0] if lengths else None
        for length in lengths[1 : count + 1]:
            if not isinstance(length, tuple):
                made = RowPartition.from_uniform_row_length(length, nrows=rows, dtype=dtype)
                rows = rows * length
            else:
                if len(length) != rows:
                    raise blame.value_error("Shape not consistent.", OP)
                made = RowPartition.from_row_lengths(list(length), dtype=dtype)
                rows = sum(length)
            partitions.append(made)
        inner = [rows, *lengths[count + 1 :]] if lengths else []
        return cls(partitions, convert_to_tensor(inner, dtype=dtype), dtype)

    @classmethod
    def from_row_partitions(
        cls, row_partitions: Sequence[RowPartition], dtype: DTypeLike | None = None
    ) -> DynamicRaggedShape:
        """The shape whose axes are all partitioned by these.

        Args:
            row_partitions: A RowPartition for each axis behind the first.
            dtype: int32 or int64; None: that of the partitions.

        Returns:
            A DynamicRaggedShape.

        Raises:
            ValueError: If there are none.
        """
        if not row_partitions:
            raise blame.value_error("row_partitions cannot be empty", OP)
        return cls(row_partitions, _joining.stack([row_partitions[-1].nvals()]), dtype)

    @classmethod
    def from_tensor(cls, t: Any, dtype: DTypeLike | None = None) -> DynamicRaggedShape:
        """The shape of a tensor.

        Args:
            t: A tensor, a RaggedTensor or a StructuredTensor.
            dtype: int32 or int64; None: that of the splits, int32 of a dense tensor.

        Returns:
            A DynamicRaggedShape.

        >>> import tfc as tf
        >>> tf.experimental.DynamicRaggedShape.from_tensor(tf.ragged.constant([[1, 2], [3]]))
        <DynamicRaggedShape lengths=[2, (2, 1)] num_row_partitions=1>
        """
        own = getattr(t, "_ragged_shape", None)
        if own is not None:
            shape: DynamicRaggedShape = own
            return shape if dtype is None else shape.with_dtype(dtype)
        partitions = []
        while isinstance(t, RaggedTensor):
            partitions.append(partition_of(t))
            t = t.values
        kind = as_dtype(dtype) if dtype else partitions[0].dtype if partitions else int32
        inner = _shaping.shape(convert_to_tensor(t), out_type=kind)
        return cls(partitions, inner, kind)

    @property
    def _type_spec(self) -> DynamicRaggedShapeSpec:
        specs = [p._type_spec for p in self._row_partitions]
        return DynamicRaggedShapeSpec(specs, self._static_inner_shape(), self.dtype)

    def _static_inner_shape(self) -> TensorShape:
        known = _conversion.get_static_value(self._inner_shape, partial=True)
        if known is None:
            found = TensorShape([None] * self.inner_rank)
        else:
            found = TensorShape([None if e is None else int(e) for e in known])
        if self._stated_inner.is_compatible_with(found):
            found = found.merge_with(self._stated_inner)
        return found

    @property
    def dtype(self) -> DType:
        """That of the partitions and extents: int32 or int64."""
        return self._inner_shape.dtype

    @property
    def inner_rank(self) -> int:
        """How many axes the values have."""
        count = self._inner_shape.shape[0]
        assert count is not None, "the rank of the values is always known"
        return count

    @property
    def inner_shape(self) -> Tensor:
        """The extents of the values."""
        return self._inner_shape

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The partitions of the axes behind the first, as many as have one."""
        return self._row_partitions

    @property
    def num_row_partitions(self) -> int:
        """How many axes behind the first have a partition."""
        return len(self._row_partitions)

    @property
    def rank(self) -> int:
        """How many axes a tensor of the shape has."""
        return self.inner_rank + self.num_row_partitions

    def is_uniform(self, axis: int) -> bool:
        """Whether all rows have one length along an axis.

        Args:
            axis: The axis, counted from the first.

        Returns:
            A bool.

        Raises:
            IndexError: If there is no such axis.
        """
        if axis < 0:
            raise IndexError("Negative axis values are not supported")
        if axis >= self.rank:
            raise IndexError(f"Expected axis={axis} < rank={self.rank}")
        if 0 < axis <= self.num_row_partitions:
            return self._row_partitions[axis - 1].is_uniform()
        return True

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """For each axis its extent, or where it is ragged, the lengths of its rows.

        Args:
            ragged_lengths: Whether lengths of rows are given; otherwise None.

        Returns:
            A list, with None for what is not known by now.
        """
        inner = self._static_inner_shape().as_list()
        if not self._row_partitions:
            return inner
        found: list[Any] = [self._row_partitions[0].static_nrows]
        for partition in self._row_partitions:
            lengths = partition.static_uniform_row_length
            known = None
            if lengths is None and ragged_lengths:
                known = _conversion.get_static_value(partition.row_lengths())
            found.append(lengths if known is None else tuple(int(n) for n in known))
        return [*found, *inner[1:]]

    def with_dtype(self, dtype: DTypeLike) -> DynamicRaggedShape:
        """The same with partitions and extents of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A DynamicRaggedShape.
        """
        return DynamicRaggedShape(self._row_partitions, self._inner_shape, dtype)

    def __getitem__(self, index: Any) -> Any:
        """The extent of an axis, which must be the same for all rows, or the shape of some axes:
        the first ones, or uniform ones."""
        count = self.num_row_partitions
        if isinstance(index, slice):
            start, stop, step = index.indices(self.rank)
            if step != 1:
                raise IndexError("Cannot stride through a shape")
            return self._axes(start, max(start, stop))
        try:
            axis = operator.index(index)
        except TypeError:
            text = f"Argument is not an int or a slice: {index!r:.60}"
            raise blame.type_error(text, OP) from None
        if not -self.rank <= axis < self.rank:
            size = "big" if axis > 0 else "small"
            raise IndexError(f"Index is too {size}: {axis} is out of range for rank {self.rank}")
        axis %= self.rank
        if axis > count or not count:
            return self._inner_shape[axis - count]
        if axis == 0:
            return self._row_partitions[0].nrows()
        length = self._row_partitions[axis - 1].uniform_row_length()
        if length is None:
            raise blame.value_error(f"Index {axis} is not uniform", OP)
        return length

    def _axes(self, start: int, stop: int) -> DynamicRaggedShape:
        count = self.num_row_partitions
        if start == 0 and stop > 0:
            if stop > count:
                return DynamicRaggedShape(
                    self._row_partitions, self._inner_shape[: stop - count], self.dtype
                )
            kept = self._row_partitions[: stop - 1]
            first = kept[-1].nvals() if kept else self._row_partitions[0].nrows()
            return DynamicRaggedShape(kept, _joining.stack([first]), self.dtype)
        if not all(self.is_uniform(axis) for axis in range(start, stop)):
            raise blame.value_error("All relevant dimensions must be uniform", OP)
        extents = [self[axis] for axis in range(start, stop)]
        inner = _joining.stack(extents) if extents else convert_to_tensor([], dtype=self.dtype)
        return DynamicRaggedShape((), inner, self.dtype)

    def tensor_of(self, values: Any) -> Any:
        """A tensor of this shape: values of the inner shape in its rows."""
        found = values
        for partition in reversed(self._row_partitions):
            found = partition.rows_of(found)
        return found

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, DynamicRaggedShape) or self.dtype is not other.dtype:
            return False
        if (self.rank, self.num_row_partitions) != (other.rank, other.num_row_partitions):
            return False
        same: Any = _reductions.reduce_all(
            _comparisons.equal(self._inner_shape, other._inner_shape)
        )
        for own, theirs in zip(self._row_partitions, other._row_partitions, strict=True):
            found = own.same_as(theirs)
            if found is False:
                return False
            same = _comparisons.logical_and(same, found)
        return same

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lengths = ", ".join(map(str, self.static_lengths()))
        return (
            f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={self.num_row_partitions}>"
        )


__all__ = ["DynamicRaggedShape", "DynamicRaggedShapeSpec"]
