"""Leaves that are made of tensors: which these are, and how ragged and sparse ones become batches,
and batches rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import blame, nest
from ..core.containers import Composite
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor, wrap
from ..ops.array.joining import stack
from ..ops.composites.batch_encoders import batched_spec, encoder_of, unbatched_spec
from ..ops.ragged import joining
from ..ops.ragged.specs import RaggedTensorSpec
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.specs import SparseTensorSpec
from ..ops.sparse.tensor import SparseTensor, with_extents


def parts_of_spec(spec: Any) -> list[TensorSpec] | None:
    """The specs of the tensors that a leaf is made of: one of a tensor, none of None. None where it
    is not made of tensors of known ranks."""
    if isinstance(spec, RaggedTensorSpec) and not spec.ragged_rank:
        return [TensorSpec(spec.shape, spec.dtype)]
    if encoder_of(spec) is not None:
        found = [parts_of_spec(component) for component in components(spec)]
        return None if None in found else [part for own in found for part in own or ()]
    if isinstance(spec, RaggedTensorSpec | SparseTensorSpec):
        parts = list(spec._parts())
    elif isinstance(spec, TensorSpec):
        parts = [spec]
    else:
        return [] if is_none(spec) else None
    return None if any(None in (s.shape.rank, *_static_axes(s, spec)) for s in parts) else parts


def _static_axes(part: TensorSpec, spec: Any) -> list[int | None]:
    """The extents of a tensor that a leaf is made of which have to be known: those that say of how
    many axes a sparse tensor is."""
    if not isinstance(spec, SparseTensorSpec):
        return []
    return part.shape.as_list()[1:] if part.shape.rank == 2 else []


def is_none(spec: Any) -> bool:
    """Whether it is the spec of None."""
    return getattr(spec, "value_type", None) is type(None)


def components(spec: Any) -> list[Any]:
    """The specs of what a leaf is batched by: those that the encoder of an extension type says, or
    its own."""
    encoder = encoder_of(spec)
    return [spec] if encoder is None else nest.flatten(encoder.encoding_specs(spec))


def encoded(spec: Any, leaf: Any) -> list[Any]:
    """The values of `components`."""
    encoder = encoder_of(spec)
    return [leaf] if encoder is None else nest.flatten(encoder.encode(spec, leaf))


def decoded(spec: Any, values: list[Any]) -> Any:
    """The leaf that is made of the values of `components`."""
    encoder = encoder_of(spec)
    if encoder is None:
        return values[0]
    return encoder.decode(spec, nest.pack_sequence_as(encoder.encoding_specs(spec), values))


def parts_of(spec: Any, leaf: Any) -> list[Any]:
    """The tensors that a leaf of this spec is made of."""
    if leaf is None:
        return []
    if encoder_of(spec) is not None:
        pairs = zip(components(spec), encoded(spec, leaf), strict=True)
        return [part for own, value in pairs for part in parts_of(own, value)]
    if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank and isinstance(leaf, Tensor):
        leaf = RaggedTensor.from_tensor(
            leaf, ragged_rank=spec.ragged_rank, row_splits_dtype=spec.row_splits_dtype
        )
    return list(leaf._parts()) if isinstance(leaf, Composite) else [leaf]


def put_together(spec: Any, parts: list[Any]) -> Any:
    """The leaf of this spec that is made of these tensors."""
    if is_none(spec):
        return None
    if encoder_of(spec) is not None:
        rest = iter(parts)
        values = []
        for component in components(spec):
            own = [next(rest) for _ in parts_of_spec(component) or ()]
            values.append(put_together(component, own))
        return decoded(spec, values)
    if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank:
        kind = spec._parts()
        return kind.make(*parts) if kind.static is None else kind.make(*parts, static=kind.static)
    if not isinstance(spec, SparseTensorSpec):
        return parts[0]
    places, values, extents = parts
    if isinstance(extents, SymbolicTensor):  # what is known of them is so in the trace
        extents = with_extents(extents, spec.shape.as_list())
    return SparseTensor(places, values, extents)


def visible(spec: Any) -> Any:
    """The spec of what was traced, whose unknown extents are None."""
    if is_none(spec) or encoder_of(spec) is not None or spec.shape.rank is None:
        return spec
    shape = spec.shape.as_list()
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank, spec.row_splits_dtype)
    return type(spec)(shape, spec.dtype)


def stacked(spec: Any, leaves: list[Any], op: str) -> Any:
    """Leaves of this spec along a new first axis."""
    if isinstance(spec, RaggedTensorSpec):
        found = joining.stack(leaves, 0)
        if not isinstance(found, RaggedTensor):  # one tensor, or such of one shape
            kind = spec.row_splits_dtype
            return RaggedTensor.from_tensor(
                found, ragged_rank=spec.ragged_rank + 1, row_splits_dtype=kind
            )
        return found.with_row_splits_dtype(spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        return _stacked_sparse(leaves, op)
    if isinstance(spec, TensorSpec):
        return stack(leaves)
    if encoder_of(spec) is not None:
        columns = zip(*(encoded(spec, leaf) for leaf in leaves), strict=True)
        pairs = zip(components(spec), columns, strict=True)
        values = [stacked(own, list(column), op) for own, column in pairs]
        return decoded(batched_spec(spec, None), values)
    raise blame.type_error(f"there are no batches of {spec}", op)


def _stacked_sparse(leaves: list[SparseTensor], op: str) -> SparseTensor:
    """Each extent is the largest one of theirs."""
    places = [leaf.indices.numpy() for leaf in leaves]
    shapes = [leaf.dense_shape.numpy() for leaf in leaves]
    if len({len(shape) for shape in shapes}) > 1:
        raise blame.invalid("Cannot batch sparse tensors of different ranks.", op)
    numbers = np.repeat(np.arange(len(leaves)), [len(p) for p in places])
    indices = np.concatenate([numbers[:, None], np.concatenate(places)], 1)
    values = np.concatenate([leaf.values._array for leaf in leaves])
    shape = np.array([len(leaves), *np.max(shapes, 0)], np.int64)
    return SparseTensor(wrap(indices), wrap(values), wrap(shape))


__all__ = [
    "batched_spec",
    "components",
    "decoded",
    "encoded",
    "is_none",
    "parts_of",
    "parts_of_spec",
    "put_together",
    "stacked",
    "unbatched_spec",
    "visible",
]
