"""How objects of extension types become batches, and batches objects."""

from __future__ import annotations

from typing import Any

from ...core import blame, nest
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.type_specs import TypeSpec
from ..ragged.specs import RaggedTensorSpec
from ..sparse.specs import SparseTensorSpec
from .extension_types import BatchableExtensionType, ExtensionTypeSpec


class ExtensionTypeBatchEncoder:
    """How objects of a BatchableExtensionType are batched, and rows are taken of them; its
    attribute `__batch_encoder__`. The methods here batch each field that has tensors, and put an
    extent before each TensorShape among the fields; classes of one's own override them.

    >>> import tfc as tf
    >>> class Named(tf.experimental.BatchableExtensionType):
    ...     values: tf.Tensor
    ...     shape: tf.TensorShape
    >>> rows = Named(values=tf.zeros([3, 2]), shape=tf.TensorShape([3, 2]))
    >>> for row in tf.data.Dataset.from_tensor_slices(rows).take(1):
    ...     print(row.values.shape, row.shape)
    (2,) (2,)
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """The spec of a batch of objects.

        Args:
            spec: The spec of one.
            batch_size: How many; None: any number.

        Returns:
            A spec of the same class.
        """

        def longer(x: Any) -> Any:
            if isinstance(x, TensorShape):
                return TensorShape([batch_size]).concatenate(x)
            return batched_spec(x, batch_size) if isinstance(x, TypeSpec) else x

        return _mapped(longer, spec)

    def unbatch(self, spec: Any) -> Any:
        """The spec of a row of a batch.

        Args:
            spec: The spec of the batch.

        Returns:
            A spec of the same class.
        """

        def shorter(x: Any) -> Any:
            if isinstance(x, TensorShape):
                return x[1:] if x.rank else x
            return unbatched_spec(x) if isinstance(x, TypeSpec) else x

        return _mapped(shorter, spec)

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """The tensors that an object is made of.

        Args:
            spec: Its spec.
            value: The object.
            minimum_rank: The axes that all of them have at least.

        Returns:
            A structure of tensors, ragged and sparse ones too.
        """
        return [
            x
            for s, v in zip(_leaves(spec), _leaves(value), strict=True)
            for x in ([v] if isinstance(s, TypeSpec) else [])
        ]

    def encoding_specs(self, spec: Any) -> Any:
        """The specs of the tensors that `encode` gives.

        Args:
            spec: The spec of an object.

        Returns:
            Specs, in the structure of what `encode` gives.
        """
        return [s for s in _leaves(spec) if isinstance(s, TypeSpec)]

    def decode(self, spec: Any, encoding: Any) -> Any:
        """The object that is made of these tensors.

        Args:
            spec: Its spec.
            encoding: What `encode` would give.

        Returns:
            An object of the extension type.
        """
        rest = iter(encoding)
        made: Any = object.__new__(spec.value_type)
        for name, field in spec._values().items():
            filled = nest.map_structure(
                lambda s: next(rest) if isinstance(s, TypeSpec) else s, field
            )
            object.__setattr__(made, name, filled)
        object.__setattr__(made, "_frozen", True)
        return made


def _leaves(record: Any) -> list[Any]:
    """The leaves of the fields of an object or its spec, in order."""
    return [leaf for field in record._values().values() for leaf in nest.flatten(field)]


def _mapped(change: Any, spec: Any) -> Any:
    """A spec with other fields."""
    made: Any = object.__new__(type(spec))
    for name, field in spec._values().items():
        object.__setattr__(made, name, nest.map_structure(change, field))
    object.__setattr__(made, "_frozen", True)
    return made


def encoder_of(spec: Any) -> Any:
    """The encoder of a spec of a BatchableExtensionType; None of others."""
    if not isinstance(spec, ExtensionTypeSpec) or not getattr(spec.value_type, "is_batch", False):
        return None
    return spec.value_type.__batch_encoder__


def batched_spec(spec: Any, count: int | None) -> Any:
    """The spec of so many leaves along a new first axis.

    Raises:
        TypeError: If there are no such batches.
    """
    if isinstance(spec, RaggedTensorSpec):
        extents = [count, *spec.shape.as_list()]
        return RaggedTensorSpec(extents, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        shape = None if spec.shape.rank is None else [count, *spec.shape.as_list()]
        return SparseTensorSpec(shape, spec.dtype)
    if isinstance(spec, TensorSpec):
        shape = None if spec.shape.rank is None else [count, *spec.shape.as_list()]
        return TensorSpec(shape, spec.dtype)
    if getattr(spec, "value_type", None) is type(None):
        return spec
    encoder = encoder_of(spec)
    if encoder is None:
        raise blame.type_error(f"there are no batches of {spec}", "batch")
    return encoder.batch(spec, count)


def unbatched_spec(spec: Any) -> Any:
    """The spec of the rows of a leaf: of a ragged tensor with one ragged axis they are tensors, and
    their spec is still a ragged one, so that batches of them are ragged."""
    if isinstance(spec, RaggedTensorSpec):
        rank, shape = max(0, spec.ragged_rank - 1), spec.shape.as_list()[1:]
        if not shape:
            return TensorSpec(shape, spec.dtype)
        return RaggedTensorSpec(shape, spec.dtype, rank, spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        rest = None if spec.shape.rank is None else spec.shape.as_list()[1:]
        return SparseTensorSpec(rest, spec.dtype)
    if isinstance(spec, TensorSpec):
        rest = None if spec.shape.rank is None else spec.shape.as_list()[1:]
        return TensorSpec(rest, spec.dtype)
    encoder = encoder_of(spec)
    return spec if encoder is None else encoder.unbatch(spec)


BatchableExtensionType.__batch_encoder__ = ExtensionTypeBatchEncoder()

__all__ = ["ExtensionTypeBatchEncoder", "batched_spec", "encoder_of", "unbatched_spec"]
