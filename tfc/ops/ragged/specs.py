"""RaggedTensorSpec: what is known of a ragged tensor before it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from tfc.ir.dtypes import DType, as_element_type, int64

from ...core.containers import Composite, Expanded
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.type_specs import TypeSpec, of_ranks
from ...core.types import DTypeLike


class Parts(Expanded):
    """The flat values and the splits, the outermost first; static: lengths that all rows have."""

    @classmethod
    def of(cls, parts: Sequence[Any], lengths: tuple[int | None, ...]) -> Parts:
        found = cls(parts)
        if any(n is not None for n in lengths):
            found.static = lengths
        return found


class RaggedTensorSpec(TypeSpec, Composite):
    """What is known of a ragged tensor: shape, dtype, how many axes are ragged, and the dtype of
    their splits. What a `tfc.function` takes can be fixed by it.

    Args:
        shape: The extents, None where one may be any or is ragged; or None.
        dtype: The dtype of the values.
        ragged_rank: How many axes are ragged; None: all but the first.
        row_splits_dtype: The dtype of the splits: int32 or int64.
        flat_values_spec: Not used: what flat values are is said by `shape` and `dtype`.

    Raises:
        ValueError: If neither the shape's rank nor `ragged_rank` is known, or they do not fit.
        TypeError: If the splits have another dtype.

    >>> import tfc as tf
    >>> spec = tf.RaggedTensorSpec([None, None], tf.int32)
    >>> total = tf.function(lambda x: tf.reduce_sum(x, 1), input_signature=[spec])
    >>> print(total(tf.ragged.constant([[1, 2], [3]])))
    tf.Tensor([3 3], shape=(2,), dtype=int32)
    """

    __slots__ = ("_dtype", "_ragged_rank", "_row_splits_dtype", "_shape")

    value_type: ClassVar[type]
    make: ClassVar[Callable[..., Any]]

    def __init__(
        self,
        shape: Any = None,
        dtype: DTypeLike = "float32",
        ragged_rank: int | None = None,
        row_splits_dtype: DTypeLike = int64,
        flat_values_spec: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_element_type(dtype)
        self._row_splits_dtype = as_element_type(row_splits_dtype)
        if self._row_splits_dtype.name not in ("int32", "int64"):
            raise TypeError(f"row_splits_dtype must be int32 or int64, not {row_splits_dtype}")
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(
                f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank})."
            )
        self._ragged_rank = ragged_rank

    @property
    def shape(self) -> TensorShape:
        """The extents, None where one may be any or is ragged."""
        rank = self._shape.rank
        return self._shape if rank is not None else TensorShape([None] * (self._ragged_rank + 1))

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of the splits."""
        return self._row_splits_dtype

    @property
    def flat_values_spec(self) -> None:
        """None: `shape` and `dtype` say what flat values are."""
        return None

    @property
    def _component_specs(self) -> Any:
        """The specs of the flat values and of the splits, the outermost first."""
        specs = list(self._parts())
        return [specs[0], *specs[1:2], *(TensorSpec([None], s.dtype) for s in specs[2:])]

    def flatten(self) -> list[Any]:
        """The specs of the tensors that such a tensor is made of.

        Returns:
            A list: the flat values', then those of the splits, the outermost first.
        """
        specs: list[Any] = self._component_specs
        return specs

    def _to_components(self, value: Any) -> Any:
        return [value.flat_values, *value.nested_row_splits]

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors that a ragged tensor is made of, as `flatten` has their specs.

        Args:
            value: A RaggedTensor.

        Returns:
            A list of tensors.
        """
        found: list[Any] = self._to_components(value)
        return found

    def _from_components(self, components: Any) -> Any:
        return type(self).make(*components, static=self._static_lengths())

    def _static_lengths(self) -> tuple[int | None, ...]:
        return tuple(self.shape.as_list()[1 : self._ragged_rank + 1])

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The ragged tensor that is made of these.

        Args:
            tensors: An iterator of tensors, as `to_tensors` gives them.

        Returns:
            A RaggedTensor.
        """
        return self._from_components([next(tensors) for _ in range(self._ragged_rank + 1)])

    @property
    def name(self) -> None:
        """None: there are none."""
        return None

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a RaggedTensor.

        Args:
            value: A RaggedTensor.

        Returns:
            A RaggedTensorSpec.
        """
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def _parts(self) -> Expanded:
        extents = self.shape.as_list()
        count = extents[0]
        specs = [TensorSpec([None, *extents[self._ragged_rank + 1 :]], self._dtype)]
        lengths = tuple(extents[1 : self._ragged_rank + 1])
        for length in lengths:
            ends = None if count is None else count + 1
            specs.append(TensorSpec([ends], self._row_splits_dtype))
            count = None if count is None or length is None else count * length
        return Parts.of(specs, lengths)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a ragged tensor (or all that a spec describes) may stand where this spec does.

        Args:
            spec_or_value: A RaggedTensor, or its spec; where no axis is ragged, a tensor or its
                spec, too.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        if not self._ragged_rank and not isinstance(other, RaggedTensorSpec):
            return TensorSpec(self.shape, self._dtype).is_compatible_with(other)
        return (
            isinstance(other, RaggedTensorSpec)
            and self._key()[1:] == other._key()[1:]
            and self._shape.is_compatible_with(other._shape)
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all that this spec describes is described by another one, too.

        Args:
            other: Any spec.

        Returns:
            A bool.
        """
        if not isinstance(other, RaggedTensorSpec) or self._key()[1:] != other._key()[1:]:
            return False
        if other._shape.rank is None or self._shape.rank is None:
            return other._shape.rank is None
        pairs = zip(self._shape, other._shape, strict=True)
        return all(b is None or a == b for a, b in pairs)

    def most_specific_compatible_type(self, other: Any) -> RaggedTensorSpec:
        """The spec that covers this one and another.

        Args:
            other: Another RaggedTensorSpec.

        Returns:
            A RaggedTensorSpec.

        Raises:
            ValueError: If they differ in more than extents.
        """
        if not isinstance(other, RaggedTensorSpec) or self._key()[1:] != other._key()[1:]:
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return RaggedTensorSpec(shape, *self._key()[1:])

    def _key(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    def _serialize(self) -> Any:
        return self._key()

    def _with_tensor_ranks_only(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(of_ranks(self._shape), *self._key()[1:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaggedTensorSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({', '.join(map(repr, self._key()))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return RaggedTensorSpec, self._key()
