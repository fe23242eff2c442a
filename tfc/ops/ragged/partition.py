"""What a ragged tensor consists of: its values, and where rows begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfc.ir.dtypes import DType, as_dtype

from ...core import blame
from ...core.shapes import TensorShape
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ..array import arrange as _arrange
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import reductions as _reductions
from .factories import OP, RaggedFactories


class RaggedPartition(RaggedFactories):
    """The base of ragged tensors: values, splits, lengths and numbers of rows."""

    __slots__ = ("__weakref__", "_row_splits", "_uniform", "_values")

    _values: Any
    _row_splits: Any
    _uniform: Any  # the length that all rows have: a scalar, or a number; None: they may differ

    if TYPE_CHECKING:  # of RaggedTensor

        def with_values(self, new_values: Any) -> Any: ...

    @property
    def values(self) -> Tensor:
        """All rows one after the other: a tensor, or one that is ragged itself."""
        return self._values

    @property
    def flat_values(self) -> Tensor:
        """The values of the innermost ragged axis: a tensor."""
        return (
            self._values.flat_values if isinstance(self._values, RaggedPartition) else self._values
        )

    @property
    def row_splits(self) -> Tensor:
        """Where rows begin and end, a vector with one element more than there are rows."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The splits of every ragged axis, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedPartition) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The extents; None for ragged axes."""
        count = self._row_splits.shape[0]
        first = None if count is None else count - 1
        return TensorShape([first, self._length()]).concatenate(self._values.shape[1:])

    def _length(self) -> int | None:
        """The length of all rows, where it is known by now."""
        known = None if self._uniform is None else _conversion.get_static_value(self._uniform)
        return None if known is None else int(known)

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        Returns:
            A TensorShape.
        """
        return self.shape

    @property
    def uniform_row_length(self) -> Tensor | None:
        """The length that all rows have by construction, a scalar; None where they may differ."""
        if self._uniform is None:
            return None
        return _creation.constant(self._uniform, self._row_splits.dtype)

    def nrows(self, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """The number of rows.

        Args:
            out_type: The dtype of the result; None: that of the splits.

        Returns:
            A scalar.
        """
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        return _shaping.shape(self._row_splits, out_type=kind)[0] - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """The number of the first value of each row.

        Returns:
            A vector of the dtype of the splits.
        """
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """The number of the value behind each row.

        Returns:
            A vector of the dtype of the splits.
        """
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The number of values in each row.

        Args:
            axis: The axis along which they are counted: 0 counts the rows.

        Returns:
            A vector of the dtype of the splits; of axis 0 a scalar, of a later one ragged where the
            axes before it are.

        Raises:
            ValueError: If there is no such axis.
            TypeError: If it is no int.
        """
        axis = self._axis(axis)
        if axis == 0:
            return self.nrows()
        if axis == 1:
            return self.row_limits() - self.row_starts()
        inner = self._values
        if isinstance(inner, RaggedPartition):
            return self.with_values(inner.row_lengths(axis - 1))
        extents = _shaping.shape(inner, out_type=self._row_splits.dtype)
        return self.with_values(_creation.fill(extents[: axis - 1], extents[axis - 1]))

    def _axis(self, axis: Any, what: str = "axis") -> int:
        """An axis, counted from the first."""
        rank = len(self.shape)
        if not isinstance(axis, int):
            raise blame.type_error(f"{what} must be an int; got {type(axis).__name__}", OP)
        if not -rank <= axis < rank:
            text = f"{what}={axis} out of bounds: expected {-rank}<={what}<{rank}"
            raise blame.value_error(text, OP)
        return axis % rank

    def consumers(self) -> list[Any]:
        """The operations that use its tensors: none are known of values.

        Returns:
            An empty list.
        """
        return []

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The row lengths of every ragged axis, the outermost first.

        Returns:
            A tuple of vectors.
        """
        return tuple(s[1:] - s[:-1] for s in self.nested_row_splits)

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row of each value.

        Returns:
            A vector of the dtype of the splits.
        """
        return _arrange.repeat(_creation.range(self.nrows()), self.row_lengths())

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The row of each value, for every ragged axis, the outermost first.

        Returns:
            A tuple of vectors.
        """
        inner = self._values
        more = inner.nested_value_rowids() if isinstance(inner, RaggedPartition) else ()
        return (self.value_rowids(), *more)

    def bounding_shape(
        self,
        axis: TensorLike | None = None,
        name: str | None = None,
        out_type: DTypeLike | None = None,
    ) -> Tensor:
        """The shape of `to_tensor()`: the longest row counts.

        Args:
            axis: The axes whose extents are wanted; None: all.
            out_type: The dtype of the result; None: that of the splits.

        Returns:
            A vector of integers; of one axis a scalar.

        >>> import tfc as tf
        >>> print(tf.ragged.constant([[1, 2, 3], [4]]).bounding_shape())
        tf.Tensor([2 3], shape=(2,), dtype=int64)
        """
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        longest = [
            _conversion.cast(_reductions.reduce_max(_joining.concat([lengths, [0]], 0)), kind)
            for lengths in self.nested_row_lengths()
        ]
        rest = _shaping.shape(self.flat_values, out_type=kind)[1:]
        whole = _joining.concat([_joining.stack([self.nrows(kind), *longest]), rest], 0)
        return whole if axis is None else _indexing.gather(whole, axis)

    def _lengths(self) -> tuple[int | None, ...]:
        """For each ragged axis the length that all rows have, where it is known by now."""
        inner = self._values
        more = inner._lengths() if isinstance(inner, RaggedPartition) else ()
        return (self._length(), *more)
