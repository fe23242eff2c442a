"""What flows back through a tape: cotangents by the ids of the tensors that they belong to."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from tfc.ir.dtypes import int64

from ..core.indexed_slices import IndexedSlices, dense
from ..core.tensor import Held, Tensor, wrap
from ..ops.array.conversion import cast
from ..ops.array.joining import concat

Cotangent: TypeAlias = "Tensor | IndexedSlices"
Cotangents: TypeAlias = "dict[int, tuple[Tensor, Cotangent]]"  # by id, with what it belongs to

_ONES: dict[np.dtype[Any], Tensor] = {}


def one(dtype: np.dtype[Any]) -> Tensor:
    """The scalar 1."""
    known = _ONES.get(dtype)
    if known is None:
        known = _ONES[dtype] = wrap(np.ones((), dtype))
    return known


def accumulate(found: Cotangents, t: Tensor, g: Cotangent) -> None:
    """Add the cotangent g of t. The tensor is kept with it, so that its id stays its own."""
    known = found.get(id(t))
    found[id(t)] = (t, g if known is None else add(known[1], g))


def add(a: Cotangent, b: Cotangent) -> Cotangent:
    """The sum of two cotangents; rows stay rows beside others."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        indices = [a.indices, b.indices]
        if a.indices.dtype is not b.indices.dtype:
            indices = [cast(i, int64) for i in indices]
        return IndexedSlices(concat([a.values, b.values], 0), concat(indices, 0), a.dense_shape)
    return dense(a) + dense(b)


def slices_of(source: Held, indices: Tensor, values: Tensor) -> IndexedSlices:
    """The gradient by a tensor or Variable of which rows were gathered."""
    return IndexedSlices(values, indices, wrap(np.array(tuple(source.shape), np.int32)))
