"""Leaves that are made of tensors: how ragged and sparse ones become batches, and batches rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import blame
from ..core.tensor import wrap
from ..ops.ragged import joining
from ..ops.ragged.specs import RaggedTensorSpec
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.specs import SparseTensorSpec
from ..ops.sparse.tensor import SparseTensor


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
    if getattr(spec, "value_type", None) is type(None):
        return spec
    raise blame.type_error(f"there are no batches of {spec}", "batch")


def unbatched_spec(spec: Any) -> Any:
    """The spec of the rows of a leaf: of a ragged tensor with one ragged axis they are tensors, and
    their spec is still a ragged one, so that batches of them are ragged."""
    if isinstance(spec, RaggedTensorSpec):
        rank = max(0, spec.ragged_rank - 1)
        return RaggedTensorSpec(spec.shape.as_list()[1:], spec.dtype, rank, spec.row_splits_dtype)
    if isinstance(spec, SparseTensorSpec):
        shape = None if spec.shape.rank is None else spec.shape.as_list()[1:]
        return SparseTensorSpec(shape, spec.dtype)
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


def rows(spec: Any, leaf: Any) -> list[Any]:
    """The rows of a leaf of this spec."""
    if not isinstance(spec, SparseTensorSpec):
        return [leaf[i] for i in range(int(leaf.shape[0]))]
    places, values = leaf.indices.numpy(), leaf.values._array
    count, *rest = leaf.dense_shape.numpy().tolist()
    shape = wrap(np.array(rest, np.int64))
    found = []
    for i in range(count):
        mine = places[:, 0] == i
        found.append(SparseTensor(wrap(places[mine, 1:]), wrap(values[mine]), shape))
    return found


__all__ = ["batched_spec", "rows", "stacked", "unbatched_spec"]
