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
from .shaping import concat, expand_dims, reshape
from .unique import UniqueWithCounts
from .unique import unique_with_counts as _of_vector


def broadcast_gradient_args(*, s0: Any, s1: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Along which axes gradients are summed for each of two operands that were broadcast: those
    where it has an extent of 1; none for equal shapes."""
    first, second = (convert_to_tensor(s) for s in (s0, s1))
    known = get_static_value(first), get_static_value(second)
    if known[0] is not None and known[1] is not None:
        return _known_axes(*known)
    count = max(int(first.shape[0]), int(second.shape[0]))
    padded = [
        concat([ones_like(range(count - int(s.shape[0]), dtype=s.dtype)), s], 0)
        for s in (first, second)
    ]
    same = (
        reduce_all(equal(padded[0], padded[1]))
        if first.shape == second.shape
        else convert_to_tensor(False)
    )
    axes = range(count, dtype=first.dtype)
    found = [boolean_mask(axes, logical_and(equal(s, 1), logical_not(same))) for s in padded]
    return found[0], found[1]


def _known_axes(first: np.ndarray, second: np.ndarray) -> tuple[Tensor, Tensor]:
    count = max(first.size, second.size)
    found = []
    for own in (first, second):
        padded = [1] * (count - own.size) + own.tolist()
        axes = [i for i in builtins.range(count) if padded[i] == 1]
        if np.array_equal(first, second):
            axes = []
        found.append(convert_to_tensor(np.array(axes, first.dtype)))
    return found[0], found[1]


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
