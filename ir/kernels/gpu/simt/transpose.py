"""The schedule of a transpose that moves the last axis, on a grid: tiles through shared memory.

A block reads a tile along the operand's last axis and writes it along the result's, so that
neighbouring threads touch neighbouring memory both times. Rows in shared memory are one element
longer than the tile: so a column is in as many banks as a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ....algebra import Term
from ....core import Value
from ....element_builder import Index
from ....extent import ceildiv
from ....ops.elementwise import Less
from ....ops.shape import Transpose
from ....types import INDEX
from ....value_classes import dataclass
from ...common import transposes
from ...ops import Barrier, Reload, Shared
from ...plan.groups import Group, Plan, Schedule, begun_by_another
from ...plan.reasons import Mismatch
from .thread_groups import index_at, launch_grid

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


# Elements along each side of a tile: a warp reads and writes whole lines of them.
TRANSPOSE_SIDE = 32
# Rows that the threads of a block touch at once. Not measured: no GPU was at hand when it was
# set.
TRANSPOSE_TEAM_ROWS = 8
# Threads of a block.
TRANSPOSE_TEAM = TRANSPOSE_SIDE * TRANSPOSE_TEAM_ROWS
# Elements of an axis for which tiles are worth it: a quarter of one is used then. Not measured:
# no GPU was at hand when it was set.
TRANSPOSED_AXIS_MIN = 8


@dataclass(frozen=True)
class TransposeShared(Schedule):
    """A transpose that moves the last axis, through shared memory; `other` is the axis of the
    result that is the operand's last."""

    takes = "transposes that move the last axis"

    op: Transpose
    other: int

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        root, op = group.roots[0], group.op
        if not isinstance(op, Transpose):
            return begun_by_another(group, Transpose)
        if (why := transposes.misfit(op, group, plan)) is not None:
            return why
        other = op.perm.index(root.rank - 1)
        ends = root.shape[other], root.shape[-1]
        short = [e for e in ends if isinstance(e, int) and e < TRANSPOSED_AXIS_MIN]
        if short:
            return Mismatch("{} elements are few (below {})", short[0], TRANSPOSED_AXIS_MIN)
        return cls(op, other)

    def emit(self, lower: GroupBuilder) -> None:
        write(lower, self.op, self.other)


def write(lower: GroupBuilder, op: Transpose, other: int) -> None:
    """Write the kernel."""
    root, rank = op.result, op.result.rank
    across, along = root.shape[other], root.shape[-1]
    batch = [a for a in range(rank - 1) if a != other and root.shape[a] != 1]

    def fill(params: Index) -> Sequence[Value]:
        *places, tj, ti, thread = params
        b = lower.b
        x = Term(b, thread) % TRANSPOSE_SIDE
        y = Term(b, thread) // TRANSPOSE_SIDE
        tile = lower.emit(Shared(root.dtype, (TRANSPOSE_SIDE * (TRANSPOSE_SIDE + 1),)))
        j0, i0 = Term(b, tj) * TRANSPOSE_SIDE, Term(b, ti) * TRANSPOSE_SIDE

        def index(j: Term, i: Term) -> Index:
            axes = (*batch, other, rank - 1)
            return index_at(lower, rank, axes, (*places, j.value, i.value))

        def inside(j: Term, i: Term) -> Value:
            first = Term(b, lower.emit(Less(j.value, lower.extent(across))))
            second = Term(b, lower.emit(Less(i.value, lower.extent(along))))
            return (first & second).value

        for u in range(0, TRANSPOSE_SIDE, TRANSPOSE_TEAM_ROWS):
            j, i = j0 + x, i0 + y + u
            with lower.where(inside(j, i)):
                value = lower.element(root, index(j, i))
            lower.store(tile, ((y + u) * (TRANSPOSE_SIDE + 1) + x).value, value)
        b.emit_all(Barrier())
        for u in range(0, TRANSPOSE_SIDE, TRANSPOSE_TEAM_ROWS):
            j, i = j0 + y + u, i0 + x
            value = lower.emit(Reload(tile, (x * (TRANSPOSE_SIDE + 1) + y + u).value, None))
            at = lower.linear(index(j, i), root.shape)
            lower.when(inside(j, i), partial(lower.store, lower.output(root), at, value))
        b.emit_all(Barrier())
        return ()

    counts = [
        *(root.shape[a] for a in batch),
        ceildiv(across, TRANSPOSE_SIDE),
        ceildiv(along, TRANSPOSE_SIDE),
    ]
    body = lower.region("body", (INDEX,) * (len(counts) + 1), fill)
    launch_grid(lower, counts, TRANSPOSE_TEAM, body)
