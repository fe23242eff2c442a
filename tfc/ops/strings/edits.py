"""The Levenshtein distance between rows of sparse tensors. Computed by Python;
inside of a `tfc.function` programs call it (tfc/ops/on_host.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import blame
from ...core.tensor import Tensor, wrap
from ..arguments import flag
from ..on_host import Call, Shape, on_host
from ..sparse.tensor import sparse_operand
from .text import known

OP = "edit_distance"


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    """What stands in each row along the last axis, in order."""
    found: dict[tuple[int, ...], list[Any]] = {}
    rows = zip(known(OP, indices).tolist(), known(OP, values).tolist(), strict=True)
    for place, item in rows:
        found.setdefault(tuple(place[:-1]), []).append(item)
    return found


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
    mine, theirs = sparse_operand(OP, hypothesis), sparse_operand(OP, truth)
    extents, others = mine.shape, theirs.shape
    if mine.dtype is not theirs.dtype or len(extents) != len(others):
        raise blame.invalid(
            f"hypothesis ({mine.dtype.name}, {extents}) and truth ({theirs.dtype.name}, {others}) "
            "do not fit",
            OP,
        )
    by_length = flag(normalize, "normalize", OP)
    shape = [
        None if None in pair else max(pair) for pair in zip(extents[:-1], others[:-1], strict=True)
    ]
    a, b = (mine.indices, mine.values, mine.dense_shape), (theirs.indices, theirs.values)
    return _distances(*a, *b, theirs.dense_shape, by_length, shape)


def _known_shape(call: Call) -> Sequence[Shape | None]:
    return (call.arguments["shape"],)


def _some_distances(*arguments: Any) -> Tensor:
    return wrap(np.zeros([1] * len(arguments[-1]), np.float32))


@on_host("edit_distance", _known_shape, sample=_some_distances)
def _distances(
    indices: Tensor,
    values: Tensor,
    extents: Tensor,
    other_indices: Tensor,
    other_values: Tensor,
    others: Tensor,
    by_length: bool,
    shape: Sequence[int | None],
) -> Tensor:
    """The distances of rows, by the parts of the sparse tensors; `shape` is what is known of that
    of the result."""
    mine, theirs = _sequences(indices, values), _sequences(other_indices, other_values)
    found = np.zeros(np.maximum(known(OP, extents), known(OP, others))[:-1], np.float32)
    for place in mine.keys() | theirs.keys():
        a, b = mine.get(place, []), theirs.get(place, [])
        distance = float(_distance(a, b))
        if by_length:
            distance = distance / len(b) if b else float("inf")
        found[place] = distance
    return wrap(found)
