"""The Levenshtein distance between rows of sparse tensors. Computed by Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import blame
from ...core.tensor import Tensor, wrap
from ..arguments import flag
from ..sparse.tensor import sparse_operand
from .text import known


def _sequences(op: str, value: Any) -> tuple[dict[tuple[int, ...], list[Any]], list[int], Any]:
    """What stands in each row along the last axis, in order; the extents; and the dtype."""
    sp = sparse_operand(op, value)
    places, values = known(op, sp.indices), known(op, sp.values)
    found: dict[tuple[int, ...], list[Any]] = {}
    for place, item in zip(places.tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(place[:-1]), []).append(item)
    return found, known(op, sp.dense_shape).tolist(), sp.dtype


def _distance(a: list[Any], b: list[Any]) -> int:
    """The least number of insertions, deletions and substitutions (Wagner and Fischer, 1974)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def edit_distance(
    hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance"
) -> Tensor:
    """How many insertions, deletions and substitutions make one sequence of another, for all
    sequences along the last axis.

    Args:
        hypothesis: A SparseTensor of any dtype; a sequence is what stands in a row along the last
            axis.
        truth: A SparseTensor of the same dtype and rank.
        normalize: Whether distances are divided by the length of the truth: inf where that is 0
            and the other is not.

    Returns:
        float32, of the larger extents of both without the last axis.

    Raises:
        TypeError: If one of them is not sparse.
        InvalidArgumentError: If dtypes or ranks differ.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([["k", "i", "t"]]), tf.sparse.from_dense([["s", "i", "t"]])
    >>> print(tf.edit_distance(a, b, normalize=False))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    op = "edit_distance"
    (mine, extents, kind), (theirs, others, other) = (
        _sequences(op, v) for v in (hypothesis, truth)
    )
    if kind is not other or len(extents) != len(others):
        raise blame.invalid(
            f"hypothesis ({kind.name}, {extents}) and truth ({other.name}, {others}) do not fit", op
        )
    by_length = flag(normalize, "normalize", op)
    found = np.zeros([max(p) for p in zip(extents[:-1], others[:-1], strict=True)], np.float32)
    for place in mine.keys() | theirs.keys():
        a, b = mine.get(place, []), theirs.get(place, [])
        distance = float(_distance(a, b))
        if by_length:
            distance = distance / len(b) if b else float("inf")
        found[place] = distance
    return wrap(found)
