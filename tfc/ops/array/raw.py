"""`tf.raw_ops` about shapes and repeated rows."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...core.conversion import convert_to_tensor
from ...core.tensor import Tensor
from ..math.comparisons import equal, logical_and, logical_not
from ..math.reductions import argmax, reduce_all
from .conversion import get_static_value
from .creation import ones_like, range
from .indexing import boolean_mask, gather
from .joining import concat
from .shaping import expand_dims, reshape
from .unique import UniqueWithCounts
from .unique import unique_with_counts as _of_vector


def broadcast_gradient_args(*, s0: Any, s1: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Along which axes gradients are summed for each of two operands that were broadcast: those
    where it has an extent of 1; none for equal shapes."""
    shapes = [convert_to_tensor(s) for s in (s0, s1)]
    count = max(int(s.shape[0]) for s in shapes)
    known = [get_static_value(s, partial=True) for s in shapes]
    if all(k is not None and None not in k for k in known) and np.array_equal(*known):
        none = convert_to_tensor(np.zeros(0, shapes[0].dtype.as_numpy_dtype))
        return none, none
    if known[0] is None and known[1] is None and shapes[0].shape == shapes[1].shape:
        differ = logical_not(reduce_all(equal(shapes[0], shapes[1])))
        axes = range(count, dtype=shapes[0].dtype)
        found = [boolean_mask(axes, logical_and(equal(s, 1), differ)) for s in shapes]
    else:
        found = [_ones(s, k, count) for s, k in zip(shapes, known, strict=True)]
    return found[0], found[1]


def _ones(shape: Tensor, known: Any, count: int) -> Tensor:
    """The axes with an extent of 1, of `count`. What is unknown while a function is traced is none
    of them, as in all that broadcasts."""
    new = count - int(shape.shape[0])
    if known is not None:
        axes = [i for i in builtins.range(count) if i < new or known[i - new] == 1]
        return convert_to_tensor(np.array(axes, shape.dtype.as_numpy_dtype))
    padded = concat([ones_like(range(new, dtype=shape.dtype)), shape], 0)
    return boolean_mask(range(count, dtype=shape.dtype), equal(padded, 1))


def unique_with_counts(
    *, x: Any, axis: Any, out_idx: Any = "int32", name: str | None = None
) -> UniqueWithCounts:
    """The different rows of x in the order in which they come first, the number of each row's among
    them, and how often each comes: `axis` is [0]. Each row is compared with each other one."""
    x = convert_to_tensor(x)
    if [int(a) for a in np.ravel(get_static_value(axis))] not in ([0], []):
        raise NotImplementedError("UniqueWithCountsV2: axis must be [0]")
    if x.shape.rank == 1:
        return _of_vector(x, out_idx)
    rows = reshape(x, [-1 if x.shape[0] is None else x.shape[0], -1])
    alike = reduce_all(equal(expand_dims(rows, 0), expand_dims(rows, 1)), -1)
    first, index, count = _of_vector(argmax(alike, 1), out_idx)
    return UniqueWithCounts(gather(x, first), index, count)
