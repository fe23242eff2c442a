"""Long reductions on a grid, in two launches: warps combine chunks, then one warp what they gave.

The tree is that of the chunks of a `Reduce`, so bits are those of one warp that does it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from ....algebra import Term
from ....core import Value
from ....extent import Extent, ceildiv, product
from ....ops.reduction import CHUNK, Reduction, chunk_levels
from ....types import INDEX, TensorType
from ....value_classes import dataclass
from ...ops import WARP, Load
from ...plan.groups import Group, Kind, Plan, Schedule, needs
from ...plan.reasons import OTHER_KIND, Mismatch
from . import row_reductions
from .row_reductions import Row, Tree
from .thread_groups import index_at, launch_grid

if TYPE_CHECKING:
    from ...builder import Index
    from ...group_builder import GroupBuilder
    from ...target import Target

# Rows up to which a warp each would not keep a large processor busy. Not measured: no GPU was at
# hand when it was set.
ROW_SPLIT_ROWS_MAX = 512
# Chunks for which a second launch, some microseconds, is worth it. Not measured: no GPU was at
# hand when it was set.
ROW_SPLIT_CHUNKS_MIN = 4


@dataclass(frozen=True)
class SplitRowTeams(Schedule):
    """Each chunk of a row has a warp."""

    takes = "reductions of few, long rows"
    kind = Kind.ROWS

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        if group.kind is not Kind.ROWS:
            return OTHER_KIND
        return misfit(group, plan) or row_reductions.misfit(group, plan) or cls()

    def emit(self, lower: GroupBuilder) -> None:
        write(lower)


def misfit(group: Group, plan: Plan) -> Mismatch | None:
    """Why the group has one launch; None where it is made of long rows, too few of them for a warp
    each; and of nothing but reductions of what is in memory, and scalars."""
    for root in group.roots:
        if root.shape != group.shape:
            return Mismatch("{} has an element for each of a row", root)
    counts = {root.op.count for root in group.roots if isinstance(root.op, Reduction)}
    rows = product(group.shape)
    if len(counts) != 1:
        return Mismatch("its reductions are of several lengths")
    (count,) = counts
    least = ROW_SPLIT_CHUNKS_MIN * CHUNK
    if isinstance(count, int) and count < least:
        return Mismatch("{} elements of a row are few (below {})", count, least)
    if not isinstance(rows, int):
        if not isinstance(count, int) or count < 8 * least:
            return Mismatch("it is not known how many rows {} are", rows)
    elif rows > ROW_SPLIT_ROWS_MAX:
        return Mismatch("{} rows keep all warps busy (above {})", rows, ROW_SPLIT_ROWS_MAX)
    own = set(group.roots)
    for root in group.roots:
        if isinstance(root.op, Reduction):
            for v, _ in needs(root, plan, own):
                if v in own:
                    return Mismatch("{} is reduced from {}, which the kernel makes", root, v)
    return None


def write(lower: GroupBuilder) -> None:
    """Write the kernel."""
    shape = lower.group.shape
    axes = [a for a, e in enumerate(shape) if e != 1]
    reductions = [r.op for r in lower.group.roots if isinstance(r.op, Reduction)]
    pieces = ceildiv(reductions[0].count, CHUNK)
    scratch = [
        [lower.scratch(TensorType(d, (*shape, pieces))) for d in op.partial_dtypes]
        for op in reductions
    ]

    def chunk(params: Index) -> Sequence[Value]:
        *places, number, lane = params
        index = index_at(lower, len(shape), axes, places)
        low = Term(lower.b, number) * CHUNK
        values: list[tuple[Value, Value]] = []
        for op, buffers in zip(reductions, scratch, strict=True):
            rest = Term(lower.b, lower.extent(op.count)) - low

            def element(k: Value, op: Reduction = op) -> Sequence[Value]:
                return op.partial(lower, index, k)

            tree = Tree(lower, lane, op.combine, element)
            found = tree.level(0, low.value, rest.minimum(CHUNK).value)
            values += zip(buffers, found, strict=True)
        at = lower.linear((*index, number), (*shape, pieces))

        def store() -> None:
            for buffer, value in values:
                lower.store(buffer, at, value)

        lower.when(Term(lower.b, lane).equal(0), store)
        return ()

    def row(params: Index) -> Sequence[Value]:
        *places, lane = params
        index = index_at(lower, len(shape), axes, places)
        for op, buffers in zip(reductions, scratch, strict=True):

            def element(c: Value, buffers: Sequence[Value] = buffers) -> Sequence[Value]:
                at = lower.linear((*index, c), (*shape, pieces))
                return [lower.emit(Load(b, at, lower.mask)) for b in buffers]

            tree = Tree(lower, lane, op.combine, element)
            found = tree.whole(pieces, max(0, chunk_levels(op.count) - 1))
            lower.define(op.result, index, op.total(lower, found))
        with lower.scope():
            Row(lower, index, lane).scalars(lower.group.roots)
        return ()

    bodies = [
        lower.region("body", (INDEX,) * (len(axes) + 2), chunk),
        lower.region("body", (INDEX,) * (len(axes) + 1), row),
    ]
    ends: list[Extent] = [shape[a] for a in axes]
    for body, axis_ends in zip(bodies, ([*ends, pieces], ends), strict=True):
        launch_grid(lower, axis_ends, WARP, body)
