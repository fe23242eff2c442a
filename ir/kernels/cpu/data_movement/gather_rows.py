"""The schedule of a gather of whole rows: they are prefetched, and checked before.

Rows at random places are no stream that a processor could fetch by itself. So the lines of a row
are prefetched while others before it are copied. All indices are checked first, so that nothing
that can fail is in the loops that threads share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from ....algebra import Term
from ....core import Value
from ....dtypes import DType, int64
from ....extent import Extent, floordiv, product
from ....kernel_op import LoopKind
from ....ops.gather import Gather, ScatterAdd
from ....value_classes import dataclass
from ...ops import Prefetch
from ...own_loop_nest import ScheduledOp
from ...plan.groups import Group, Plan, Schedule, begun_by_another
from ...plan.reasons import Mismatch

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target

# Bytes of rows that are prefetched and not yet read. embedding, 20K rows of 50K x 128: 0.98 of
# the time with 512, 1.11 with 16 KB.
GATHER_PREFETCH_BYTES = 4 << 10
# The same in rows. That embedding: 1.12 of the time with 4, 1.09 with 64.
GATHER_PREFETCH_ROWS_MAX = 16
# Lines of a row that are prefetched; the rest of a long one is a stream, which processors
# foretell. Not measured: rows of the benchmarks have 8.
GATHER_LINES_MAX = 16


@dataclass(frozen=True)
class GatherRows(Schedule):
    """Rows of a table, each copied as a whole, the next ones prefetched."""

    takes = "rows that are taken from a table"

    op: Gather

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        if not isinstance(op, Gather):
            return begun_by_another(group, Gather)
        if len(group.roots) > 1:
            return Mismatch("{} is made in the same loops", group.roots[1])
        if op.axis:
            return Mismatch("it takes places of axis {}, and no whole rows", op.axis)
        width, n = product(op.x.shape[1:]), op.indices.tensor_type.size
        if n == 1:
            return Mismatch("it takes one row")
        if narrow(width, op.result.dtype, target.line):
            return Mismatch("rows of {} elements are less than a cache line", width)
        computed = [v for v in op.operands if not plan.in_memory(v, group)]
        return Mismatch("{} is not in memory", computed[0]) if computed else cls(op)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return floordiv(product(self.op.result.shape) * self.op.result.dtype.itemsize, 8)

    def emit(self, lower: GroupBuilder) -> None:
        write(lower, self.op)


@dataclass(frozen=True)
class ScatterAddRows(ScheduledOp[ScatterAdd]):
    """Updates added one after another, the rows that the next ones go to prefetched."""

    takes = "rows that are added to those of a table"
    begins = (ScatterAdd,)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        found = super().matches(group, plan, target)
        if isinstance(found, Mismatch) or plan.in_memory(found.op.indices, group):
            return found
        return Mismatch("{} is not in memory", found.op.indices)

    def emit(self, lower: GroupBuilder) -> None:
        op = self.op
        out = lower.output(op.result)
        op.clear(lower, out)
        n, *rest = op.updates.shape
        width = product(rest)
        indices = lower.buffer(op.indices)

        def number(i: Value) -> Value:
            return lower.cast(lower.load(indices, i), int64)

        def row(i: Value) -> None:
            prefetch_row(lower, out, number, i, n, width, "store")
            lower.nest(tuple(rest), lambda index: op.add(lower, out, (i, *index)))

        lower.loop(lower.extent(0), lower.extent(n), row)


def write(lower: GroupBuilder, op: Gather) -> None:
    """Write the kernel."""
    root = op.result
    width, n = product(op.x.shape[1:]), op.indices.tensor_type.size
    table, indices, out = lower.buffer(op.x), lower.buffer(op.indices), lower.output(root)
    bound, length = lower.extent(op.x.shape[0]), lower.extent(width)

    def number(i: Value) -> Value:
        return lower.cast(lower.load(indices, i), int64)

    def check(i: Value) -> None:
        lower.check_index(number(i), bound, op)

    def row(i: Value) -> None:
        prefetch_row(lower, table, number, i, n, width, "load")
        source = Term(lower.b, number(i)) * Term(lower.b, length)
        target = Term(lower.b, i) * Term(lower.b, length)

        def copy(j: Value) -> None:
            at, to = (lower.index(start) + Term(lower.b, j) for start in (source, target))
            lower.store(out, to.value, lower.load(table, at.value))

        lower.loop(lower.extent(0), length, copy, LoopKind.VECTOR)

    lower.loop(lower.extent(0), lower.extent(n), check, LoopKind.VECTOR)
    lower.parallel(n, lower.cost, row)


def narrow(width: Extent, dtype: DType, line: int) -> bool:
    """Whether rows are surely too short to prefetch them."""
    return dtype.is_complex or (isinstance(width, int) and width * dtype.itemsize < line)


def prefetch_row(
    lower: GroupBuilder,
    table: Value,
    number: Callable[[Value], Value],
    i: Value,
    n: Extent,
    width: Extent,
    purpose: str,
) -> None:
    """Prefetch the row of `table` whose number an index some places behind the i-th of n is."""
    if narrow(width, table.dtype, lower.target.line):
        return
    itemsize, ahead = table.dtype.itemsize, GATHER_PREFETCH_ROWS_MAX
    if isinstance(width, int):
        ahead = min(GATHER_PREFETCH_ROWS_MAX, max(1, GATHER_PREFETCH_BYTES // (width * itemsize)))
    line = max(1, lower.target.line // itemsize)
    last = Term(lower.b, lower.extent(n)) - 1
    later = (Term(lower.b, i) + ahead).minimum(last)
    length = Term(lower.b, lower.extent(width))
    start = Term(lower.b, number(later.value)) * length

    def one(j: Value) -> None:
        at = lower.index(start) + Term(lower.b, j)
        lower.b.emit_all(Prefetch(table, at.value, purpose))

    end = length.minimum(line * GATHER_LINES_MAX).value
    lower.loop(lower.extent(0), end, one, step=line)
