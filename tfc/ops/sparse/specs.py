"""SparseTensorSpec: what is known of a sparse tensor before it is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tfc.ir.dtypes import DType, as_element_type, int64

from ...core.containers import Composite, Expanded
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.type_specs import TypeSpec
from ...core.types import DTypeLike


class Parts(Expanded):
    """Places, values and extents; static: the extents that a signature states."""

    @classmethod
    def of(cls, parts: Sequence[Any], stated: Sequence[int | None] | None) -> Parts:
        found = cls(parts)
        if stated is not None and any(n is not None for n in stated):
            found.static = tuple(stated)
        return found


class SparseTensorSpec(TypeSpec, Composite):
    """What is known of a sparse tensor: shape and dtype. What a `tfc.function` takes can be fixed
    by it.

    Args:
        shape: The extents, None where one may be any.
        dtype: The dtype of the values.

    Raises:
        TypeError: If `dtype` is none.

    >>> import tfc as tf
    >>> spec = tf.SparseTensorSpec([None, 3], tf.float32)
    >>> dense = tf.function(tf.sparse.to_dense, input_signature=[spec])
    >>> print(dense(tf.SparseTensor([[0, 1]], [5.0], [1, 3])))
    tf.Tensor([[0. 5. 0.]], shape=(1, 3), dtype=float32)
    """

    __slots__ = ("_dtype", "_shape")

    value_type: ClassVar[type]

    def __init__(self, shape: Any = None, dtype: DTypeLike = "float32") -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_element_type(dtype)

    @property
    def shape(self) -> TensorShape:
        """The extents, None where one may be any."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def name(self) -> None:
        """None: there are none."""
        return None

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor.

        Args:
            value: A SparseTensor.

        Returns:
            A SparseTensorSpec.
        """
        return cls(value.shape, value.dtype)

    def _parts(self) -> Expanded:
        rank = self._shape.rank
        return Parts.of(
            (
                TensorSpec([None, rank], int64),
                TensorSpec([None], self._dtype),
                TensorSpec([rank], int64),
            ),
            None if rank is None else self._shape.as_list(),
        )

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a sparse tensor (or all that a spec describes) may stand where this spec does.

        Args:
            spec_or_value: A SparseTensor, or its spec.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        return (
            isinstance(other, SparseTensorSpec)
            and self._dtype is other._dtype
            and self._shape.is_compatible_with(other._shape)
        )

    def most_specific_compatible_type(self, other: Any) -> SparseTensorSpec:
        """The spec that covers this one and another.

        Args:
            other: Another SparseTensorSpec.

        Returns:
            A SparseTensorSpec.

        Raises:
            ValueError: If the dtypes differ.
        """
        if not isinstance(other, SparseTensorSpec) or self._dtype is not other._dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return SparseTensorSpec(shape, self._dtype)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SparseTensorSpec)
            and self._shape == other._shape
            and self._dtype is other._dtype
        )

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self._shape!r}, {self._dtype!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return SparseTensorSpec, (self._shape, self._dtype)
