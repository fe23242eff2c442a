"""The schedule of scans along an axis before the last: panels of columns, row by row.

    for each index of the axes before, and each panel of columns, on any threads:
        carried[j] = what a scan begins with
        for each row of the axis, in order:
            for j along the lanes: carried[j] = step(carried[j], x[row, j]); y[row, j] = carried[j]

What is carried stays in L1, and each row of a panel is a stretch of memory that processors see
coming. Going down one register of columns after another, as `OwnLoopNest` does, reads one line of
each row at a time; that is better where rows are short, and fit the cache together. Bits are the
same: each column is one chain in either.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...algebra import Term
from ...core import Value
from ...extent import Extent, Shape, as_int, ceildiv, product
from ...kernel_op import LoopKind
from ...ops.cumulative import Cumulative, Recurrence
from ...value_classes import dataclass
from ..ops import Load, Local
from ..own_loop_nest import ScheduledOp
from ..plan.reasons import Mismatch

if TYPE_CHECKING:
    from ..builder import Index
    from ..group_builder import GroupBuilder
    from ..target import Target

# Columns of a panel: fewer make more tasks. cumsum of 2048x4096, first axis: 0.51 of the time with
# one panel of 4096, 1.00 with 1024 and 256; of 1024x1000, which caches hold, 1.15 with 256.
SCAN_PANEL_COLUMNS_MIN, SCAN_PANEL_COLUMNS_MAX = 512, 4096
# Those of a panel where nobody knows how many there are. Not measured by itself.
SCAN_PANEL_COLUMNS_UNKNOWN = 512
# Columns from which on it is worth it. cumsum of 20000x8x8, first axis: 0.33 of the time of one
# register after another; of 4000x64 0.82, of 100000x16 2.7.
SCANNED_COLUMNS_MIN = 64


@dataclass(frozen=True)
class ColumnScans(ScheduledOp[Cumulative | Recurrence]):
    """A scan along an axis before the last: panels of columns, row by row."""

    takes = "scans along an axis before the last"
    begins = (Cumulative, Recurrence)

    @classmethod
    def misfit(cls, op: Cumulative | Recurrence) -> Mismatch | None:
        columns = product(op.result.shape[op.axis + 1 :])
        if op.axis == op.result.rank - 1:
            return Mismatch("it goes along the last axis")
        if op.result.dtype.is_complex:
            return Mismatch("it is of complex numbers")
        if isinstance(columns, int) and columns < SCANNED_COLUMNS_MIN:
            return Mismatch("{} columns are few (below {})", columns, SCANNED_COLUMNS_MIN)
        return None

    def emit(self, lower: GroupBuilder) -> None:
        op = self.op
        columns = product(op.result.shape[op.axis + 1 :])
        if isinstance(columns, int):
            self.panels(lower)
            return
        many = lower.index(columns) >= SCANNED_COLUMNS_MIN
        out = lower.output(op.result)
        lower.when(many, partial(self.panels, lower), as_loop=True)
        lower.when(~many, partial(op.store, lower, out), as_loop=True)

    def panels(self, lower: GroupBuilder) -> None:
        op, out = self.op, lower.output(self.op.result)
        outer, count = op.result.shape[: op.axis], op.result.shape[op.axis]
        columns, compute = product(op.result.shape[op.axis + 1 :]), op.result.dtype.compute
        width = panel_columns(outer, columns, lower.target)
        tasks = (*outer, ceildiv(columns, width))

        def task(number: Value) -> None:
            *index, panel = lower.unlinear(number, tasks)
            low = lower.index(panel) * width
            end = (low + width).minimum(lower.index(columns)).value
            carried = lower.emit(Local(compute, (width,)))
            start = lower.b.constant(op.start, compute)

            def begin(j: Value) -> None:
                lower.store(carried, (lower.index(j) - low).value, start)

            def row(i: Value) -> None:
                place = lower.index(count) - 1 - i if op.reverse else lower.index(i)
                first = self.row_start(lower, tuple(index), place.value, count, columns)

                def element(j: Value) -> None:
                    own, offset = (lower.index(j) - low).value, (lower.index(first) + j).value
                    before = lower.emit(Load(carried, own, None))
                    found = [lower.flat_element(v, offset) for v in op.operands]
                    terms = [Term(lower.b, lower.cast(v, compute)) for v in found]
                    result = op.step(Term(lower.b, before), *terms).value
                    lower.store(carried, own, result)
                    lower.store(out, offset, lower.cast(result, op.result.dtype))

                lower.loop(low.value, end, element, LoopKind.VECTOR, step=2)

            lower.loop(low.value, end, begin, LoopKind.VECTOR)
            lower.loop(lower.extent(0), lower.extent(count), row)

        lower.parallel(product(tasks), lower.cost, task)

    def row_start(
        self, lower: GroupBuilder, index: Index, place: Value, count: Extent, columns: Extent
    ) -> Value:
        """Where a row begins."""
        outer = self.op.result.shape[: self.op.axis]
        row = lower.linear((*index, place), (*outer, count))
        return (lower.index(row) * lower.extent(columns)).value


def panel_columns(outer: Shape, columns: Extent, target: Target) -> int:
    """How many columns a panel has, so that there are tasks enough."""
    if not isinstance(columns, int):
        return SCAN_PANEL_COLUMNS_UNKNOWN
    others = product(outer)
    panels = ceildiv(target.tasks, max(others, 1) if isinstance(others, int) else 1)
    lines = ceildiv(ceildiv(columns, panels), target.line) * target.line
    return min(max(as_int(lines), SCAN_PANEL_COLUMNS_MIN), SCAN_PANEL_COLUMNS_MAX)
