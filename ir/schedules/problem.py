"""What a contraction is to its schedules: extents, and how elements of its operands are got."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core import Value
from ..dtypes import DType
from ..extent import Extent, Shape
from ..ops.contraction import Matmul
from ..ops.shape import Transpose

Index = tuple[Value, ...]


@dataclass
class Problem:
    """A contraction as schedules see it; `left` and `right` give elements in the compute dtype."""

    result: Value
    batch: Shape
    m: Extent
    n: Extent
    k: Extent
    left: Callable[[Index, Value, Value], Value]  # (batch index, i, k)
    right: Callable[[Index, Value, Value], Value]  # (batch index, k, j)
    left_turned: bool  # whether the elements of left lie side by side along i, not k
    right_turned: bool  # whether those of right do along k, not j
    right_plain: Value | None  # right itself, where it is in memory in this order and dtype
    left_plain: Value | None = None  # what left is loaded from as it lies, along k (i if turned)
    right_lines: Value | None = None  # what right is loaded from where it lies along k
    rows: Shape | None = None  # the result's axes that i counts, if they are several
    # Where in the result a row is (but for the last axis), and whether it is there at all.
    place: Callable[[Index, Value], tuple[Index, Value | None]] | None = None
    # Packs strips of left (see `Packer.pack_left`).
    pack: Callable[[Any, Value, Index, Value, int, Value, Value], None] | None = None


def innermost(value: Value, axis: int, stored: Callable[[Value], bool]) -> bool:
    """Whether the elements of `value` lie side by side along `axis`, as far as one can tell."""
    while value.op is not None and not stored(value):
        if isinstance(value.op, Transpose):
            axis = value.op.perm[axis]
        elif len(value.op.operands) != 1 or value.op.operands[0].rank != value.rank:
            break
        value = value.op.operands[0]
    return axis == value.rank - 1


def matrix_product(lower: Any, op: Matmul) -> Problem:
    """A matrix product as a Problem."""
    compute: DType = op.x.dtype.compute
    *batch, m, n = op.result.shape
    rank = op.result.rank

    def left(outer: Index, i: Value, k: Value) -> Value:
        value: Value = lower.cast(lower.element(op.x, (*outer, i, k)), compute)
        return value

    def right(outer: Index, k: Value, j: Value) -> Value:
        value: Value = lower.cast(lower.element(op.y, (*outer, k, j)), compute)
        return value

    stored = lower.in_memory

    def lines(value: Value, inner: int) -> Value | None:
        """What is loaded for `value`, row by row, if its axis `inner` is the last in memory."""
        if isinstance(value.op, Transpose) and not stored(value):
            *first, a, b = value.op.perm
            swapped = first == list(range(rank - 2)) and (a, b) == (rank - 1, rank - 2)
            value, inner = value.op.x, (2 * rank - 3 - inner if swapped else -1)
        plain = stored(value) and value.dtype is compute and inner == rank - 1
        return value if plain else None

    plain = stored(op.y) and op.y.dtype is compute
    left_turned = not innermost(op.x, rank - 1, stored) and innermost(op.x, rank - 2, stored)
    return Problem(
        op.result,
        tuple(batch),
        m,
        n,
        op.x.shape[-1],
        left,
        right,
        left_turned,
        innermost(op.y, rank - 2, stored) and not innermost(op.y, rank - 1, stored),
        op.y if plain else None,
        lines(op.x, rank - 2 if left_turned else rank - 1),
        lines(op.y, rank - 2),
    )
