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
eight are ever stored: `fold_in_registers` makes the tree of eight or sixteen.

Threads share the panels, or the chunks where there are few panels of many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from ...algebra import Term
from ...core import Op, Value
from ...extent import Extent, ceildiv, largest, product, reach, remainder
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
from .column_folding import FOLDED, fold_in_registers, fold_parts, fold_slots

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
            ends = split_reductions.chunk_ends(lower, number, count)
            self.tree(reductions, *ends, slots, (parts, partial(at, number)))

        split_reductions.each_chunk(lower, pieces, self.shared, chunk)
        first, most = lower.extent(0), largest(pieces)
        if isinstance(most, int) and most <= CHUNK:
            stride, place = lower.extent(product(shape[1:])), at(first, first)
            for op, buffers in zip(reductions, parts, strict=True):
                fold_parts(lower, op, buffers, lower.extent(pieces), stride, place, self.count)
            return lambda i, j: self.load(parts[i], at(first, j))

        def join(to: Value, number: Value) -> None:
            def fill(j: Value) -> None:
                for op, buffers in zip(reductions, parts, strict=True):
                    new = self.load(buffers, at(number, j))
                    old = self.load(buffers, at(to, j))
                    self.update(buffers, at(to, j), self.joined(op, old, new))

            self.across(fill)

        split_reductions.fold(lower, pieces, join)
        return lambda i, j: self.load(parts[i], at(first, j))

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

            return fold_in_registers(lower, op, leaf, slots)

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

    def folded_slots(
        self, op: Reduction, buffers: Sequence[Value], first: Value, step: int, j: Value
    ) -> Sequence[Value]:
        """The same of FOLDED slots in memory, `step` apart."""

        def leaf(i: int) -> Sequence[Value]:
            slot = Term(self.lower.b, first) + i * step
            return self.load(buffers, self.place(slot.value, j))

        return fold_in_registers(self.lower, op, leaf, FOLDED)

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
        self,
        reductions: list[Reduction],
        low: Value,
        count: Value,
        slots: list[list[Value]],
        to: tuple[list[list[Value]], Callable[[Value], Value]] | None = None,
    ) -> None:
        """Combine `count` rows from `low` on in the slots, until the first has all; or what `to`
        says, buffers and where column j is in them."""
        lower, zero = self.lower, self.lower.extent(0)
        shape = slots[0][0].shape
        assert isinstance(shape[0], int)
        used = shape[0] // self.width

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

        cleared, levels = lower.extent(used), lower.extent(used.bit_length() - 1)
        known, start, skipped = reductions[0].count, zero, zero
        most = reach(known)[1]
        if most is None:
            # Of few rows, as many slots as of a known number of them.
            few = [Term(lower.b, count) <= (used >> level) for level in range(1, used.bit_length())]
            one = Term(lower.b, zero).const(1)
            skipped = sum((f.select(one, one.const(0)) for f in few), one.const(0)).value
            cleared = Term(lower.b, cleared).shift_right_logical(Term(lower.b, skipped)).value
        together, singles = self.heights(reductions, known) if used == LANES else ([], True)
        if most is None and self.light(reductions, LANES):
            start = Term(lower.b, count).minimum(Term(lower.b, cleared)).value
            lower.loop(zero, start, lambda k: rows(k, k, 1, fresh=True))
            self.clear(reductions, slots, start, cleared)
        elif isinstance(known, int) and used == LANES <= known <= CHUNK:
            block(zero, max(together, default=1), fresh=True)
            start = lower.extent(LANES * max(together, default=1))
        else:
            self.clear(reductions, slots, zero, cleared)
        for number in together:
            step = LANES * number
            if number is together[-1] and not singles:
                end = count
            else:
                rest = Term(lower.b, count) - Term(lower.b, start)
                end = ((rest & (-step)) + Term(lower.b, start)).value
            if end is not start:
                lower.loop(start, end, partial(block, together=number), step=step)
            start = end
        if singles and count is not start:
            lower.loop(start, count, single)
        if used == LANES and most is not None:  # else it is little work
            columns = lower.extent(self.width)
            totals, place = (slots, zero) if to is None else (to[0], to[1](zero))
            for op, buffers, own in zip(reductions, slots, totals, strict=True):
                fold_slots(lower, op, buffers, zero, columns, own, place, self.count)
            return
        lower.loop(skipped, levels, halves)
        if to is not None:
            parts, at = to

            def fill(j: Value) -> None:
                for own, buffers in zip(slots, parts, strict=True):
                    self.update(buffers, at(j), self.load(own, j))

            self.across(fill)

    def clear(
        self, reductions: list[Reduction], slots: list[list[Value]], low: Value, high: Value
    ) -> None:
        """Let the slots from `low` to `high` have nothing in them."""
        lower = self.lower

        def fill(e: Value) -> None:
            for op, buffers in zip(reductions, slots, strict=True):
                self.update(buffers, e, self.start(op))

        begin, end = [(Term(lower.b, slot) * self.width).value for slot in (low, high)]
        lower.loop(begin, end, fill, LoopKind.VECTOR)

    def heights(self, reductions: list[Reduction], count: Extent) -> tuple[list[int], bool]:
        """How many rows of a slot go side by side: all numbers that are tried, one after another,
        of the rows of a chunk; and whether rows one by one are left over then."""
        light = [n for n in SLOT_ROWS if self.light(reductions, n)]
        if isinstance(count, int):
            found, rests = set(), {CHUNK * (count >= CHUNK), count % CHUNK}
            for n in light:
                found |= {n for rest in rests if rest >= LANES * n}
                rests = {rest % (LANES * n) for rest in rests}
            return [n for n in light if n in found], rests != {0}
        most = largest(count)
        if not isinstance(most, int):
            return light, True
        # A symbol that says how large it is is that large nearly always: one number is enough.
        tall = [n for n in light if LANES * n <= most][:1]
        return tall, not tall or remainder(count, LANES * tall[0]) != 0

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
