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
from .plan.computed_operands import prologue

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
    left_source: Value | None = None  # what is loaded element by element for left, in its order
    right_source: Value | None = None  # the same for right
    left_computed: bool = False  # whether elements of left cost more than a load
    right_computed: bool = False
    rows: Shape | None = None  # the result's axes that i counts, if they are several
    # Where in the result a row is (but for the last axis), and whether it is there at all.
    place: Callable[[Index, Value], tuple[Index, Value | None]] | None = None
    # Packs strips of left (see `Packer.pack_left`).
    pack: Callable[[Any, Value, Index, Value, int, Value, Value], None] | None = None


def innermost(value: Value, stored: Callable[[Value], bool]) -> tuple[int, Value]:
    """Along which of its last two axes the elements of `value` lie side by side, as far as one can
    tell, and the largest of what they are loaded from."""
    found = None if stored(value) else prologue(value, stored)
    if found is None or not found.large:
        return value.rank - 1, value
    source = max(found.large, key=lambda v: v.dtype.itemsize)
    return value.rank - (1 if found.inner else 2), source


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
    inner, source = innermost(op.x, stored)
    left_turned = inner != rank - 1
    like = (*batch, op.x.shape[-1], m) if left_turned else op.x.shape

    across, beside = innermost(op.y, stored)
    whole = across == rank - 1 and stored(beside) and beside.shape == op.y.shape

    def computed(value: Value) -> bool:
        return not stored(value) and bool((found := prologue(value, stored)) and found.cost)

    return Problem(
        op.result,
        tuple(batch),
        m,
        n,
        op.x.shape[-1],
        left,
        right,
        left_turned,
        across != rank - 1,
        op.y if plain else None,
        lines(op.x, rank - 2 if left_turned else rank - 1),
        lines(op.y, rank - 2),
        left_source=source if stored(source) and source.shape == like else None,
        right_source=beside if whole else None,
        left_computed=computed(op.x),
        right_computed=computed(op.y),
    )
