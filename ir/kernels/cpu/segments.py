"""The schedule of segments: rows that are combined by the number of the segment that each is of.

    for each chunk of rows, of sorted segments on any threads:
        for i along the lanes: check ids[i]
        for i in the chunk, or in the segments that begin there, in order:
            for j along the lanes: out[ids[i], j] = combine(out[ids[i], j], data[i, j])

What is combined need not be in memory: where it is elementwise, or gathered, it is computed where
it is combined, so that the product of a sparse matrix and a vector is one kernel. Ids are checked
before, and without branches: loops that combine wait for memory as it is.

Sums stay in memory, and are not kept in a register while ids are equal: the processor would not
predict where segments end. 1.3M elements in C, with a branch where a segment ends: 0.57 ms of an
AMD EPYC against 0.77 where segments have 5 elements each, 2.1 against 1.3 where they have 0 to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...algebra import Term, where
from ...core import Op, Value
from ...dtypes import int64, uint64
from ...element_builder import Index
from ...extent import Extent, ceildiv, product
from ...kernel_op import LoopKind
from ...ops.elementwise import Elementwise
from ...ops.gather import Gather
from ...ops.segment import Segment
from ...ops.shape import Broadcast, Constant, Reshape
from ...types import INDEX
from ...value_classes import dataclass
from ..ops import Reduce
from ..own_loop_nest import ScheduledOp
from ..plan.groups import Group, Plan, Uses

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder
    from ..target import Target

# Rows of a task. Not measured: for threads.
TASK_ROWS = 1 << 14


@dataclass(frozen=True)
class CombineSegments(ScheduledOp[Segment]):
    """Rows combined one after another, of sorted segments by several threads."""

    takes = "rows that are combined by segments"
    heads = begins = (Segment,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        assert isinstance(op, Segment)
        return (op.result, op.ids) if pulled(op.data, uses) else (op.result, op.ids, op.data)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        """An element takes about a nanosecond."""
        return product(self.op.data.shape)

    def emit(self, lower: GroupBuilder) -> None:
        op = self.op
        out, shape = lower.output(op.result), op.result.shape
        neutral = lower.b.constant(op.neutral(), op.data.dtype)
        lower.spread(shape, lambda index: lower.store(out, lower.linear(index, shape), neutral))
        n = op.ids.shape[0]

        def task(number: Value) -> None:
            low = lower.index(number) * TASK_ROWS
            high = (low + TASK_ROWS).minimum(lower.index(n))
            self.check(lower, low, high)
            if op.check == "sorted":
                self.segments_from(lower, low, high)
            else:
                self.combine(lower, low, high)

        tasks = ceildiv(n, TASK_ROWS)
        if op.check == "sorted":
            lower.parallel(tasks, lower.cost, task)
        else:
            lower.loop(lower.extent(0), lower.extent(tasks), task)

    def check(self, lower: GroupBuilder, low: Term, high: Term) -> None:
        """An error where the ids of the rows [low, high), which are some, are not as they must be.
        Whether any is wrong is found first: that goes along the lanes without a branch."""
        op, bound = self.op, lower.index(self.op.rows)

        def extreme(combine: str, element: Callable[[Value], Value]) -> Term:
            region = lower.region(
                "body", (INDEX,), lambda k: (element((lower.index(low) + k[0]).value),)
            )
            (found,) = lower.b.emit_all(
                Reduce((high - low).value, combine, LoopKind.VECTOR, region)
            )
            return lower.index(lower.cast(found, int64))

        def falls(i: Value) -> Value:
            here = lower.index(i)
            before = self.raw(lower, here - 1, here > 0)
            found = self.raw(lower, here, here > 0)  # the first one comes behind none
            return lower.cast((Term(lower.b, found) < Term(lower.b, before)).value, op.ids.dtype)

        if op.check == "drop":
            wrong = extreme("maximum", lambda i: self.raw(lower, lower.index(i))) >= bound
        elif op.check == "count":
            wrong = extreme("minimum", lambda i: self.raw(lower, lower.index(i))) < 0
        else:
            wrong = extreme("maximum", falls) > 0
            wrong = wrong | (self.id(lower, low) < 0) | (self.id(lower, high - 1) >= bound)

        def tell(i: Value) -> None:
            op.checked(lower, i, bound.value)

        lower.when(wrong, lambda: lower.loop(low.value, high.value, tell, LoopKind.VECTOR))

    def segments_from(self, lower: GroupBuilder, low: Term, high: Term) -> None:
        """Combine the rows of the segments that begin in [low, high)."""
        first = self.passed(lower, low, high)

        def rows() -> None:
            n = lower.index(self.op.ids.shape[0])
            self.combine(lower, first, self.passed(lower, lower.index(high), n))

        lower.when(first < high, rows)

    def passed(self, lower: GroupBuilder, start: Term, end: Term) -> Term:
        """The first of the rows [start, end) that is not of the segment of the one before; `end`
        where none is. Steps get twice as long, and then half as long: most segments are short, and
        long ones are not read for their length. (1M rows of 8 segments: 5.8 -> 3.6 ms.)"""
        here = start > 0
        before = where(here, self.id(lower, start - 1, here), -1)

        def longer(carried: list[Term]) -> Term:
            (step,) = carried
            there = step + start < end
            return there & (self.id(lower, step + start, there) <= before)

        (step,) = lower.while_((lower.extent(1),), longer, lambda c: ((c[0] * 2).value,))
        reach = lower.index(step)
        low, high = start + reach // 2, (start + reach).minimum(end)

        def halved(carried: list[Term]) -> tuple[Value, ...]:
            low, high = carried
            middle = (low + high) // 2
            same = self.id(lower, middle) <= before
            return where(same, middle + 1, low).value, where(same, high, middle).value

        found, _ = lower.while_((low.value, high.value), lambda c: c[0] < c[1], halved)
        return lower.index(found)

    def combine(self, lower: GroupBuilder, low: Term, high: Term) -> None:
        """Combine the rows [low, high) with those of their segments."""
        op = self.op
        out, shape = lower.output(op.result), op.result.shape

        def row(i: Value) -> None:
            segment = self.id(lower, lower.index(i))

            def all_of_it() -> None:
                def one(index: Index) -> None:
                    place = lower.linear((segment.value, *index), shape)
                    old = lower.reload(out, place)
                    new = lower.element(op.data, (i, *index))
                    lower.store(out, place, lower.emit(op.combine(old, new)))

                lower.nest(shape[1:], one)

            if op.check == "sorted":
                all_of_it()
            elif op.check == "drop":
                lower.when(segment >= 0, all_of_it)
            else:
                lower.when(segment < lower.index(op.rows), all_of_it)

        lower.loop(low.value, high.value, row)

    def id(self, lower: GroupBuilder, i: Term, mask: Term | None = None) -> Term:
        """The segment of row i, 0 where the mask does not hold."""
        return lower.index(lower.cast(self.raw(lower, i, mask), int64))

    def raw(self, lower: GroupBuilder, i: Term, mask: Term | None = None) -> Value:
        """As `id`, in the dtype of the ids, if that is one whose order an i64 keeps."""
        ids = lower.buffer(self.op.ids)
        found = lower.load(ids, i.value, None if mask is None else mask.value)
        return lower.cast(found, int64) if found.dtype is uint64 else found


def pulled(data: Value, uses: Uses) -> bool:
    """Whether rows had better be computed where they are combined: they are made elementwise, of
    what is in memory or taken from there."""
    if data.dtype.is_complex:
        return False
    work, seen = [data], {data}
    while work:
        v = work.pop()
        if v.op is None or v in uses.stored:
            continue
        match v.op:
            case Gather(indices=indices):
                operands: tuple[Value, ...] = (indices,)
            case Elementwise() | Broadcast() | Constant():
                operands = v.op.operands
            case Reshape(x=x) as op if op.only_ones:
                operands = (x,)
            case _:
                return False
        work += [x for x in operands if x not in seen]
        seen.update(operands)
    return True
