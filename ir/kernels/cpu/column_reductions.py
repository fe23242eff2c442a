"""The schedule of reductions whose lanes go down columns: all but the last axis, or some of them.

A column alone is read with a long stride. So a panel of neighbouring columns goes together: its
rows are read side by side, LANES apart, and their elements combined into one slot of their column.
The slots lie in memory that the kernel keeps, and the tree is that of `Reduce`, bit for bit:

    for each panel:
        for each chunk of the rows:
            slots[..] = neutral
            for k in the chunk, in blocks of LANES * n:
                for s in LANES:
                    slots[s][..] combine= x[k + s][..], x[k + s + LANES][..], ... n of them
            the upper half of the slots into the lower, until one is left
        the same of what the chunks gave, until one is left
        what else the group stores, from the totals

Where each slot has one row at most, rows are folded as they are read, and of folding 64 slots only
eight are ever stored: `_Panel.folded` makes the tree of eight or sixteen in registers.

Threads share the panels, or the chunks where there are few panels of many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ...algebra import Term
from ...core import Op, Value
from ...extent import Extent, ceildiv, largest, product, reach
from ...kernel_op import LoopKind
from ...ops.elementwise import Minimum, Select
from ...ops.reduction import CHUNK, LANES, Reduction, chunk_levels
from ...types import INDEX, TensorType
from ...value_classes import dataclass
from ..common import split_reductions
from ..common.column_stages import Stage, is_tall, stages_of
from ..ops import Combine, Load, Local, Reload, neutral
from ..plan.groups import Group, Kind, Plan, Schedule, Uses, pull_cost
from ..plan.reasons import OTHER_KIND, Mismatch

if TYPE_CHECKING:
    from ...dtypes import DType
    from ..builder import Index
    from ..group_builder import GroupBuilder
    from ..target import Target

Totals = Callable[[int, Value], Sequence[Value]]  # of the i-th reduction, for column j

# Rather two narrow panels than one, so that two threads have work. Not measured: for threads.
COLUMN_PANELS_MIN = 2
# Columns of such a panel. Sum of 4096 x 512, first axis, on one thread: 1.00 of the time with 64,
# 0.81 with 1024, which is one panel for one thread.
PANEL_COLUMNS_MIN = 256
# Rows that share a slot and are read side by side, so that each slot is loaded and stored less
# often: one, four and eight in panels of 1024 columns take 1.52, 1.09 and 1.02 reads of a sum of
# 4096 x 4096.
SLOT_ROWS = (8, 2)
# Scalar operations for each column up to which so many rows are written out, beside those that
# combine. Sum of 4096 x 4096, whose elements are loaded: 1.00 of the time with 0. Not measured
# for what is computed.
SLOT_ROWS_OPERATIONS_MAX = 96
# Slots that are folded in registers, or rows where each has a slot of its own. Sums along the first
# axis, beside loops that fold by halves in memory: of 64 x 100,000 2.69 -> 0.65 ms, 64 x 1024 12.3
# -> 4.0 us, 32 x 512 3.5 -> 1.9, 128 x 512 7.7 -> 5.8, 4096 x 1024 as before.
FOLDED = 8
# Rows up to which they are folded at once, beside FOLDED at a time of more: sums of 16 x 1000 take
# 3.4 us, 3.5 with loops in memory.
ROWS_AT_ONCE_MAX = 16


@dataclass(frozen=True)
class ColumnReductions(Schedule):
    """Panels of columns, whose lanes each add to their own column."""

    takes = "reductions along the first axes, and what goes over the same columns"
    kind = Kind.COLUMNS
    heads = (Reduction,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return op.results if isinstance(op, Reduction) and is_tall(op) else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        return cls() if group.kind is Kind.COLUMNS else OTHER_KIND

    def emit(self, lower: GroupBuilder) -> None:
        write(lower)


def write(lower: GroupBuilder) -> None:
    """Write the kernel, panel by panel."""
    *outer, n = lower.group.shape
    stages = stages_of(lower)
    sizes = [sum(d.itemsize for op in s.reductions for d in op.partial_dtypes) for s in stages]
    # Slots in a quarter of L2, which fit on the stack of any thread. Prefetchers want long
    # stretches of rows: in panels of 256, 512, 1024 columns a sum of 4096 x 4096 takes 1.24, 1.11,
    # 1.02 reads.
    width = max(1, lower.target.l2 // 4 // LANES // sum(sizes))
    if isinstance(n, int):
        width = min(width, max(n, 1))
        if product((*outer, ceildiv(n, width))) == 1:
            width = min(width, max(PANEL_COLUMNS_MIN, -(-n // COLUMN_PANELS_MIN)))
    panels = product((*outer, ceildiv(n, width)))
    shared = split_reductions.few(panels, [s.reductions[0].count for s in stages])

    def panel(number: Value) -> None:
        *index, place = lower.unlinear(number, (*outer, ceildiv(n, width)))
        if n == width:
            whole = _Panel(lower, tuple(index), width, lower.extent(0), lower.extent(n), shared)
            whole.write(stages)
            return
        first = Term(lower.b, place) * width
        rest = (Term(lower.b, lower.extent(n)) - first).value
        here = lower.emit(Minimum(rest, lower.extent(width)))
        _Panel(lower, tuple(index), width, first.value, here, shared).write(stages)

    if shared:
        lower.loop(lower.extent(0), lower.extent(panels), panel)
    else:
        lower.parallel(panels, lower.cost, panel)


class _Panel:
    """The code for one panel: `count` columns from `first`, `width` at most."""

    def __init__(
        self,
        lower: GroupBuilder,
        outer: Index,
        width: int,
        first: Value,
        count: Value,
        shared: bool,
    ) -> None:
        self.lower = lower
        self.shared = shared  # threads share it
        self.outer = outer
        self.width = width
        self.first = first
        self.count = count

    def write(self, stages: list[Stage]) -> None:
        with self.lower.scope():
            for stage in stages:
                totals = self.combine(stage.reductions)
                self.store(stage, totals, keep=stage is not stages[-1])

    def across(self, fill: Callable[[Value], None]) -> None:
        """A loop over the columns, along the lanes."""
        if self.width == 1:
            fill(self.lower.extent(0))
        else:
            self.lower.loop(self.lower.extent(0), self.count, fill, LoopKind.VECTOR)

    def index(self, j: Value) -> Index:
        """Of the panel's column j, in the results."""
        return (*self.outer, (Term(self.lower.b, self.first) + Term(self.lower.b, j)).value)

    def local(self, dtype: DType, count: int) -> Value:
        return self.lower.emit(Local(dtype, (count,)))

    def load(self, buffers: Sequence[Value], place: Value) -> tuple[Value, ...]:
        # Where no loop over columns stands between a load and the stores before it, it is said.
        kind = Reload if self.width == 1 else Load
        return tuple(self.lower.emit(kind(b, place, None)) for b in buffers)

    def update(self, buffers: Sequence[Value], place: Value, values: Sequence[Value]) -> None:
        for buffer, value in zip(buffers, values, strict=True):
            self.lower.store(buffer, place, value)

    def combine(self, reductions: list[Reduction]) -> Totals:
        """Write the loops over the rows; how to load what they give."""
        lower, count = self.lower, reductions[0].count
        most = largest(count)
        if isinstance(most, int) and most <= LANES and self.light(reductions, ROWS_AT_ONCE_MAX):
            return self.few(reductions, count, most)
        if chunk_levels(count) == 0:
            slots = self.slots(reductions, count)
            self.tree(reductions, lower.extent(0), lower.extent(count), slots)
            return lambda i, j: self.load(slots[i], j)
        pieces = split_reductions.chunks_of(count)
        shape = (pieces, *lower.group.shape)
        parts = [
            [lower.scratch(TensorType(d, shape)) for d in op.partial_dtypes] for op in reductions
        ]

        def at(number: Value, j: Value) -> Value:
            return lower.linear((number, *self.index(j)), shape)

        def chunk(number: Value) -> None:
            slots = self.slots(reductions, CHUNK)
            self.tree(reductions, *split_reductions.chunk_ends(lower, number, count), slots)

            def fill(j: Value) -> None:
                for own, buffers in zip(slots, parts, strict=True):
                    self.update(buffers, at(number, j), self.load(own, j))

            self.across(fill)

        def join(to: Value, number: Value) -> None:
            def fill(j: Value) -> None:
                for op, buffers in zip(reductions, parts, strict=True):
                    new = self.load(buffers, at(number, j))
                    old = self.load(buffers, at(to, j))
                    self.update(buffers, at(to, j), self.joined(op, old, new))

            self.across(fill)

        split_reductions.each_chunk(lower, pieces, self.shared, chunk)
        if isinstance(pieces, int) and pieces <= FOLDED and pieces & (pieces - 1) == 0:
            few = pieces

            def few_parts(i: int, j: Value) -> Sequence[Value]:
                def leaf(number: int) -> Sequence[Value]:
                    return self.load(parts[i], at(lower.extent(number), j))

                return self.folded(reductions[i], leaf, few)

            return few_parts
        split_reductions.fold(lower, pieces, join)
        return lambda i, j: self.load(parts[i], at(lower.extent(0), j))

    def few(self, reductions: list[Reduction], count: Extent, most: int) -> Totals:
        """Fold rows of which each has a slot of its own, as they are read; there are `most` of them
        at most, and where it is not known how many, those that are not there are neutral."""
        lower, used = self.lower, 1 << max(0, most - 1).bit_length()
        last = None if isinstance(count, int) else Term(lower.b, lower.extent(count)) - 1

        def rows(
            op: Reduction, j: Value, first: Value, present: int, slots: int
        ) -> Sequence[Value]:
            """Of the slots `first`, FOLDED behind it, ...: as many as are `present` have a row."""

            def leaf(i: int) -> Sequence[Value]:
                start = self.start(op)
                if i >= present:
                    return start
                row = Term(lower.b, first) + i * (used // slots)
                if last is None:
                    return self.joined(op, start, op.partial(lower, self.index(j), row.value))
                there = (row <= last).value
                new = op.partial(lower, self.index(j), row.minimum(last).value)
                some = self.joined(op, start, new)
                return [lower.emit(Select(there, x, y)) for x, y in zip(some, start, strict=True)]

            return self.folded(op, leaf, slots)

        if used <= ROWS_AT_ONCE_MAX:
            zero = lower.extent(0)
            return lambda i, j: rows(reductions[i], j, zero, most, used)
        slots = [
            [self.local(d, FOLDED * self.width) for d in op.partial_dtypes] for op in reductions
        ]

        def part(slot: Value, present: int) -> None:
            def fill(j: Value) -> None:
                for op, buffers in zip(reductions, slots, strict=True):
                    found = rows(op, j, slot, present, used // FOLDED)
                    self.update(buffers, self.place(slot, j), found)

            self.across(fill)

        whole, longer = divmod(most, FOLDED)
        if longer and last is not None:
            whole, longer = whole + 1, 0
        if longer:
            each = partial(part, present=whole + 1)
            lower.loop(lower.extent(0), lower.extent(longer), each)
        lower.loop(lower.extent(longer), lower.extent(FOLDED), partial(part, present=whole))
        return lambda i, j: self.folded_slots(reductions[i], slots[i], lower.extent(0), 1, j)

    def folded(
        self, op: Reduction, leaf: Callable[[int], Sequence[Value]], count: int
    ) -> Sequence[Value]:
        """The upper half of so many slots into the lower, until one is left, in registers."""

        def node(slot: int, width: int) -> Sequence[Value]:
            """Of a slot, when `width` are left."""
            if width == count:
                return leaf(slot)
            return self.joined(op, node(slot, 2 * width), node(slot + width, 2 * width))

        return node(0, 1)

    def folded_slots(
        self, op: Reduction, buffers: Sequence[Value], first: Value, step: int, j: Value
    ) -> Sequence[Value]:
        """The same of FOLDED slots in memory, `step` apart."""

        def leaf(i: int) -> Sequence[Value]:
            slot = Term(self.lower.b, first) + i * step
            return self.load(buffers, self.place(slot.value, j))

        return self.folded(op, leaf, FOLDED)

    def start(self, op: Reduction) -> Sequence[Value]:
        """What a slot begins with."""
        dtypes = op.partial_dtypes
        values = neutral(op.combine, dtypes)
        return [self.lower.b.constant(x, d) for x, d in zip(values, dtypes, strict=True)]

    def place(self, slot: Value, j: Value) -> Value:
        """Where column j of a slot is."""
        return (Term(self.lower.b, slot) * self.width + Term(self.lower.b, j)).value

    def slots(self, reductions: list[Reduction], count: Extent) -> list[list[Value]]:
        """Memory for the slots of each reduction."""
        used = LANES
        most = largest(count)
        if isinstance(most, int):
            used = min(LANES, 1 << max(0, most - 1).bit_length())
        return [[self.local(d, used * self.width) for d in op.partial_dtypes] for op in reductions]

    def tree(
        self, reductions: list[Reduction], low: Value, count: Value, slots: list[list[Value]]
    ) -> None:
        """Combine `count` rows from `low` on in the slots, until the first has all."""
        lower, zero = self.lower, self.lower.extent(0)
        shape = slots[0][0].shape
        assert isinstance(shape[0], int)
        used = shape[0] // self.width

        def clear(slot: Value) -> None:
            def fill(j: Value) -> None:
                for op, buffers in zip(reductions, slots, strict=True):
                    self.update(buffers, self.place(slot, j), self.start(op))

            self.across(fill)

        def rows(k: Value, slot: Value, together: int, fresh: bool = False) -> None:
            here = Term(lower.b, low) + Term(lower.b, k)

            def fill(j: Value) -> None:
                at = self.place(slot, j)
                for op, buffers in zip(reductions, slots, strict=True):
                    found = self.start(op) if fresh else self.load(buffers, at)
                    for i in range(together):
                        new = op.partial(lower, self.index(j), (here + i * LANES).value)
                        found = self.joined(op, found, new)
                    self.update(buffers, at, found)

            self.across(fill)

        def block(first: Value, together: int, fresh: bool = False) -> None:
            def one(slot: Value) -> None:
                rows((Term(lower.b, first) + Term(lower.b, slot)).value, slot, together, fresh)

            lower.loop(zero, lower.extent(LANES), one)

        def single(k: Value) -> None:
            rows(k, (Term(lower.b, k) & (used - 1)).value, 1)

        def halves(level: Value) -> None:
            half = lower.b.constant(used // 2, INDEX.dtype)
            half = Term(lower.b, half).shift_right_logical(Term(lower.b, level)).value

            def one(slot: Value) -> None:
                upper = (Term(lower.b, slot) + Term(lower.b, half)).value

                def fill(j: Value) -> None:
                    for op, buffers in zip(reductions, slots, strict=True):
                        new = self.load(buffers, self.place(upper, j))
                        old = self.load(buffers, self.place(slot, j))
                        self.update(buffers, self.place(slot, j), self.joined(op, old, new))

                self.across(fill)

            lower.loop(zero, half, one)

        def fold(slot: Value, step: int) -> None:
            def fill(j: Value) -> None:
                for op, buffers in zip(reductions, slots, strict=True):
                    found = self.folded_slots(op, buffers, slot, step, j)
                    self.update(buffers, self.place(slot, j), found)

            self.across(fill)

        cleared, levels = lower.extent(used), lower.extent(used.bit_length() - 1)
        known, start, skipped = reductions[0].count, zero, zero
        least, most = reach(known)
        if most is None:
            # Of few rows, as many slots as of a known number of them.
            few = [Term(lower.b, count) <= (used >> level) for level in range(1, used.bit_length())]
            one = Term(lower.b, zero).const(1)
            skipped = sum((f.select(one, one.const(0)) for f in few), one.const(0)).value
            cleared = Term(lower.b, cleared).shift_right_logical(Term(lower.b, skipped)).value
        together = [n for n in SLOT_ROWS if used == LANES and self.light(reductions, n)]
        if not isinstance(known, int) and most is not None:
            together = [n for n in together if LANES * n <= most]
        if least is not None and most is not None and LANES <= least <= most <= CHUNK:
            first = next((n for n in together if LANES * n <= least), 1)
            block(zero, first, fresh=True)
            start = lower.extent(LANES * first)
        elif most is not None or not self.light(reductions, LANES):
            lower.loop(zero, cleared, clear)  # less code
        else:
            start = Term(lower.b, count).minimum(Term(lower.b, cleared)).value
            lower.loop(zero, start, lambda k: rows(k, k, 1, fresh=True))
            lower.loop(start, cleared, clear)
        for number in together:
            step = LANES * number
            rest = Term(lower.b, count) - Term(lower.b, start)
            end = ((rest & (-step)) + Term(lower.b, start)).value
            if end is not start:
                lower.loop(start, end, partial(block, together=number), step=step)
            start = end
        if count is not start:
            lower.loop(start, count, single)
        if used == LANES and most is not None and most <= CHUNK:  # else it is little work
            lower.loop(zero, lower.extent(FOLDED), partial(fold, step=FOLDED))
            fold(zero, 1)
        else:
            lower.loop(skipped, levels, halves)

    def light(self, reductions: list[Reduction], together: int) -> bool:
        """Whether so many rows side by side are not too much code."""
        operands = [op.x for op in reductions if not self.lower.in_memory(op.x)]
        costs = sum(pull_cost(x, self.lower.plan) for x in operands)
        return costs * together <= SLOT_ROWS_OPERATIONS_MAX

    def joined(
        self, op: Reduction, old: Sequence[Value], new: Sequence[Value]
    ) -> tuple[Value, ...]:
        return self.lower.b.emit_all(Combine(op.combine, tuple(old), tuple(new)))

    def store(self, stage: Stage, totals: Totals, keep: bool) -> None:
        """Store what the stage makes; keep it for later stages as well."""
        lower = self.lower
        roots = [*(op.result for op in stage.reductions), *stage.others]
        kept = {r: self.local(r.dtype, self.width) for r in roots} if keep else {}

        def fill(j: Value) -> None:
            index = self.index(j)
            for i, op in enumerate(stage.reductions):
                lower.define(op.result, index, op.total(lower, totals(i, j)))
            lower.store_roots(index, roots)
            for root, buffer in kept.items():
                lower.store(buffer, j, lower.element(root, index))

        self.across(fill)
        for root, buffer in kept.items():
            lower.read_through(root, partial(self.kept, buffer))

    def kept(self, buffer: Value, index: Index) -> Value:
        """The element at an index of the results of what is kept for later stages."""
        j = Term(self.lower.b, index[-1]) - Term(self.lower.b, self.first)
        return self.load([buffer], j.value)[0]
