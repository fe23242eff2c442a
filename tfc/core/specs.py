"""`TensorSpec`: what is known of a tensor before it is there.

>>> TensorSpec([None, 3], "float32", name="x")
TensorSpec(shape=(None, 3), dtype=tf.float32, name='x')
"""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import DType, any_dtype

from .conversion import convert_to_tensor
from .shapes import TensorShape
from .tensor import Tensor
from .type_specs import TypeSpec, of_ranks


class DenseSpec(TypeSpec):
    """The base of specs of what is one array: shape, dtype, name."""

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = any_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self) -> str | None:
        return self._name

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._name


class TensorSpec(DenseSpec):
    """What is known of a tensor before it is there: shape, dtype, and perhaps a name. What a
    `tfc.function` takes can be fixed by it.

    Args:
        shape: The extents, None where one may be any; or None, where the rank may be any.
        dtype: The dtype.

    Raises:
        TypeError: If `dtype` is no dtype.

    >>> import tfc as tf
    >>> spec = tf.TensorSpec([None, 2], tf.float32)
    >>> f = tf.function(lambda x: tf.reduce_sum(x), input_signature=[spec])
    >>> print(f(tf.ones([3, 2])), spec.is_compatible_with(tf.ones([3, 4])))
    tf.Tensor(6.0, shape=(), dtype=float32) False
    """

    __slots__ = ()

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor.

        Args:
            tensor: A tensor, a Variable or an ndarray.

        Returns:
            A TensorSpec.

        Raises:
            ValueError: If it is none.
        """
        if not hasattr(tensor, "shape") or not hasattr(tensor, "dtype"):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same spec, with another name if one is given.

        Args:
            spec: A TensorSpec.

        Returns:
            A TensorSpec.
        """
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor (or every tensor of a spec) may stand where this spec does.

        Args:
            spec_or_tensor: What has a shape and a dtype.

        Returns:
            A bool; False for anything else.

        >>> TensorSpec([None, 2]).is_compatible_with(TensorSpec([5, 2]))
        True
        """
        try:
            dtype = any_dtype(spec_or_tensor.dtype)
            shape = TensorShape(spec_or_tensor.shape)
        except (AttributeError, TypeError):
            return False
        return dtype is self._dtype and self._shape.is_compatible_with(shape)

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return Tensor

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this spec is one of another, too. A spec without a name is one
        of any name.

        Args:
            other: The other TensorSpec.

        Returns:
            A bool.
        """
        return (
            isinstance(other, TensorSpec)
            and self._dtype is other._dtype
            and self._name in (None, other._name)
            and self._shape.is_subtype_of(other._shape)
        )

    def most_specific_common_supertype(self, others: Any) -> TensorSpec | None:
        """The spec that covers this one and others.

        Args:
            others: A sequence of TensorSpecs.

        Returns:
            A TensorSpec; None where dtypes differ.
        """
        spec = self
        for other in others:
            if not isinstance(other, TensorSpec) or other._dtype is not self._dtype:
                return None
            spec = spec.most_specific_compatible_type(other)
        return spec

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """The spec that covers this one and another.

        Args:
            other: The other TensorSpec.

        Returns:
            A TensorSpec.

        Raises:
            ValueError: If the dtypes differ.
        """
        if self._dtype is not other._dtype:
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        shape = self._shape.most_specific_compatible_shape(other._shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other._name else None)

    def _with_tensor_ranks_only(self) -> TensorSpec:
        return TensorSpec(of_ranks(self._shape), self._dtype, self._name)

    def _without_tensor_names(self) -> TensorSpec:
        return TensorSpec(self._shape, self._dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return (
            self._shape == other._shape
            and self._dtype is other._dtype
            and self._name == other._name
        )

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self._shape, self._dtype, self._name)


def type_spec_from_value(value: Any) -> Any:
    """What is known of a value: the spec with which a function is traced for it.

    Args:
        value: A tensor, a Variable, what is made of tensors, or what becomes a tensor.

    Returns:
        A TensorSpec, a RaggedTensorSpec and so on.

    Raises:
        TypeError: If it is no such value.

    >>> import tfc as tf
    >>> tf.type_spec_from_value([1, 2])
    TensorSpec(shape=(2,), dtype=tf.int32, name=None)
    >>> tf.type_spec_from_value(tf.ragged.constant([[1, 2], [3]]))
    RaggedTensorSpec(TensorShape([2, None]), tf.int32, 1, tf.int64)
    """
    known = getattr(value, "_type_spec", None)
    if known is not None:
        return known
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    try:
        return TensorSpec.from_tensor(convert_to_tensor(value))
    except (TypeError, ValueError):
        raise TypeError(
            f"Could not build a TypeSpec for {value!r:.200} of unsupported type {type(value)}."
        ) from None
