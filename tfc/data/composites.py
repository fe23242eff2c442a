"""Leaves that are made of tensors: which these are, and how ragged and sparse ones become batches,
and batches rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import blame
from ..core.containers import Composite
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor, wrap
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


def parts_of(spec: Any, leaf: Any) -> list[Any]:
    """The tensors that a leaf of this spec is made of."""
    if leaf is None:
        return []
    if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank and isinstance(leaf, Tensor):
        leaf = RaggedTensor.from_tensor(
            leaf, ragged_rank=spec.ragged_rank, row_splits_dtype=spec.row_splits_dtype
        )
    return list(leaf._parts()) if isinstance(leaf, Composite) else [leaf]


def put_together(spec: Any, parts: list[Any]) -> Any:
    """The leaf of this spec that is made of these tensors."""
    if is_none(spec):
        return None
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
    if is_none(spec) or spec.shape.rank is None:
        return spec
    shape = spec.shape.as_list()
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank, spec.row_splits_dtype)
    return type(spec)(shape, spec.dtype)


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
    if is_none(spec):
        return spec
    raise blame.type_error(f"there are no batches of {spec}", "batch")


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
    return spec


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
    "is_none",
    "parts_of",
    "parts_of_spec",
    "put_together",
    "stacked",
    "unbatched_spec",
    "visible",
]
