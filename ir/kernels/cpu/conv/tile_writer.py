"""The schedule of convolutions that read their operand where it is: nothing is packed.

Tiles have rows along the axes of the result that suit best, and k goes through runs of elements
that lie at one distance (see access.py). Where elements are to be cast, or the window looks beyond
the operand and rows do not all see the same, the operand is copied before, with a border of zeros.

    for each phase (see stride_phases.py), each place along most axes, each group of channels and
    each panel of its columns, on any threads:
        for each place along the other axes, for each strip of rows: a tile
            for each block of k (see ir/kernels/cpu/gemm/choice.py): its sums

Weights are packed panel by panel: once, or block by block where they are large and seldom used; not
where all columns are one panel, or a part of one. Block by block means that the loop over blocks is
the outermost of a task.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import ceildiv, product
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add
from ...ops import Prefetch
from ..gemm.unpacked import strips
from .access import HIGH, Walk
from .halo import Bordered
from .k_loop import Panel, Phase, Runs
from .weights import Filters

if TYPE_CHECKING:
    from ..gemm.micro_kernel import Tiles
    from .im2col import Patches


HELD = 1 << 14  # sums that stay in the cache from block to block
ENOUGH = 8  # tasks


class Sliding(Filters, Runs):
    """Writes a convolution whose operand is read in place."""

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        super().__init__(tiles, shape, how)
        others = [a for a in range(len(how.axes)) if a not in how.rows]
        self.outer, self.inner = self.divided(others)
        self.near = False  # whether a tile goes through all blocks of k at once

    @property
    def fits(self) -> bool:
        """Whether this is a schedule to choose."""
        return True

    def divided(self, axes: list[int]) -> tuple[list[int], list[int]]:
        """These axes as those of tasks, and those inside of a block of k: there is the last one,
        and others as long as sums stay in the cache and tasks are many."""
        inner = len(axes) - 1
        extents = [self.how.axes[a].extent for a in axes]
        rows = self.how.count
        while inner > 0:
            held = product((*extents[inner - 1 :], rows, self.t.columns))
            tasks = product((*extents[: inner - 1], self.how.groups.extent, sum(self.panels)))
            if not isinstance(held, int) or not isinstance(tasks, int):
                break
            if held > HELD or tasks < ENOUGH:
                break
            inner -= 1
        inner = max(inner, 0)
        return axes[:inner], axes[inner:]

    @property
    def stretch(self) -> int | None:
        """Into how many places of the inner axis a task is cut, so that there are some, whose rows
        stay in the cache for all panels; None where it is not cut."""
        if len(self.inner) != 1 or not self.t.several or not self.weighed:
            return None
        extent, rows = self.how.axes[self.inner[0]].extent, self.how.count
        if not isinstance(extent, int):
            return None
        count = -(-extent * rows * self.t.columns // HELD)
        return -(-extent // count) if count > 1 else None

    def write(self) -> None:
        lower = self.t.lower
        self.source = self.operand()
        self.near = self.t.several and self.weighed
        if self.plain is not None:
            self.weights = lower.buffer(self.plain)
        elif self.once:
            self.weights = self.packed()
        for phases, rows in self.phases():
            self.part(phases, rows)

    def operand(self) -> Value:
        """What is read."""
        if self.how.copied:
            return Bordered(self.t, self.op, self.how, self.t.compute).write(self.how.memory)
        return self.t.lower.buffer(self.how.memory)

    def part(self, phases: Sequence[tuple[int, int]], rows: int) -> None:
        """Phases (along each axis from, to) with so many rows, on any threads."""
        t, lower, how = self.t, self.t.lower, self.how
        places = [how.axes[a].extent for a in self.outer]
        if self.stretch is not None:
            places.append(ceildiv(how.axes[self.inner[0]].extent, self.stretch))
        extents = (*[high - low for low, high in phases], *places, how.groups.extent)
        whole, rest = self.panels

        def task(number: Value, q: Value, columns: int) -> None:
            *index, group = lower.unlinear(number, extents)
            numbers = tuple(t.add(i, low) for i, (low, _) in zip(index, phases, strict=False))
            self.blocks(self.phase(numbers, rows, group), index[len(phases) :], q, columns)

        def panel(number: Value) -> None:
            place, q = lower.unlinear(number, (product(extents), whole))
            task(place, q, t.columns)

        if whole:
            lower.parallel(product((*extents, whole)), self.t.work(), panel)
        if rest:
            last = t.extent(whole)
            work = self.t.work()
            lower.parallel(product(extents), work, lambda number: task(number, last, rest))

    def phase(self, numbers: Index, rows: int, group: Value) -> Phase:
        """A phase with so many rows."""
        t, how = self.t, self.how
        seen = self.shape.seen(t, numbers)
        origin = t.mul(group, t.extent(how.groups.distance))
        for axis, low, distance in zip(seen, how.low, how.distances, strict=True):
            first = t.add(axis.position, t.extent(low))
            origin = t.add(origin, t.mul(first, t.extent(distance)))
        return Phase(numbers, seen, origin, rows, group)

    def phases(self) -> list[tuple[list[tuple[int, int]], int]]:
        """The phases along the window's axes (from, to) and how many rows tiles have there."""
        how = self.how
        found = [(0, axis.count) for axis in self.shape.axes[: len(self.shape.phases)]]
        a, rows = how.rows[-1] - 1, how.count
        if a < 0 or how.phased[a].even:
            return [(found, rows)]
        fuller = int(self.op.result.shape[a + 1]) % how.phased[a].count
        parts = [((0, fuller), rows), ((fuller, how.phased[a].count), rows - 1)]
        return [([*found[:a], part, *found[a + 1 :]], rows) for part, rows in parts if rows]

    def blocks(self, phase: Phase, places: Sequence[Value], q: Value, columns: int) -> None:
        """A panel of columns at these places of the outer axes, and which part of the last."""
        t, lower = self.t, self.t.lower
        j0 = self.column(phase.group, q)
        distance = t.extent(self.op.w.shape[-1] if self.plain is not None else self.width)
        first = j0
        if self.plain is None and self.once:
            first = lower.linear((*phase.numbers, phase.group, q), self.packed_shape)
            first = t.mul(first, t.extent(t.p.k * self.width))
        elif self.plain is None:
            self.weights = t.local(BLOCK * self.width)

        stretch = places[-1] if self.stretch is not None else t.value(0)
        known = dict(zip(self.outer, places, strict=False))

        def block(pc: Value) -> None:
            here = t.add(first, t.mul(pc, distance))
            if self.plain is None and not self.once:
                here = t.extent(0)
                self.pack(self.weights, here, phase.numbers, pc, t.block_length(pc), j0)
            self.around(phase, known, Panel(here, distance, pc, j0, columns, stretch))

        def inside() -> None:
            if self.near:
                self.around(phase, known, Panel(first, distance, t.value(0), j0, columns, stretch))
            else:
                t.steps(t.p.k, BLOCK, block)

        self.where(phase, known, inside)

    def where(self, phase: Phase, places: dict[int, Value], fill: Callable[[], None]) -> None:
        """`fill` where the result has these places of the phase."""
        t = self.t
        there: Value | None = None
        for a, place in places.items():
            if a and not self.how.phased[a - 1].even:
                axis = self.how.phased[a - 1]
                at = axis.place(t, phase.numbers[a - 1], place)
                here = t.op("less", at, t.extent(axis.size))
                there = here if there is None else t.both(there, here)
        if there is None:
            fill()
        else:
            t.when(there, fill)

    def around(self, phase: Phase, places: dict[int, Value], panel: Panel) -> None:
        """The loops over the places of the inner axes, of which some are known."""
        t = self.t
        rest = [a for a in self.inner if a not in places]
        if not rest:
            inner = {a: places[a] for a in self.inner}
            self.where(phase, inner, lambda: self.strips(phase, places, panel))
            return
        extent = self.how.axes[rest[0]].extent

        def place(i: Value) -> None:
            self.around(phase, {**places, rest[0]: i}, panel)

        if extent == 1:
            place(t.extent(0))
        elif self.stretch is None or rest != self.inner:
            t.lower.loop(t.extent(0), t.extent(extent), place)
        else:
            low = t.mul(panel.stretch, self.stretch)
            t.lower.loop(low, t.least(t.add(low, self.stretch), t.extent(extent)), place)

    def strips(self, phase: Phase, places: dict[int, Value], panel: Panel) -> None:
        t = self.t
        for low, count, height in strips(phase.rows, HIGH if t.rows == 12 else t.rows):
            if count == 1 or len(self.how.rows) > 1:
                for i0 in range(low, low + count * height, height):
                    self.tile(phase, places, i0, panel, height)
                continue

            def strip(i0: Value, height: int = height) -> None:
                self.tile(phase, places, i0, panel, height)

            t.lower.loop(t.extent(low), t.extent(low + count * height), strip, step=height)

    def tile(
        self, phase: Phase, places: dict[int, Value], i0: Value | int, panel: Panel, height: int
    ) -> None:
        """Some rows of a panel."""
        t, lower, how = self.t, self.t.lower, self.how
        zero = lower.b.constant(0, t.compute)
        base = phase.origin
        for a, place in places.items():
            base = t.add(base, t.mul(place, t.extent(how.axes[a].distance)))
        first = t.value(i0)
        if len(how.rows) == 1:
            distance = int(how.axes[how.rows[0]].distance)
            base = t.add(base, t.mul(first, distance))
            offsets = [r * distance for r in range(height)]
            rows: list[Index] = [(t.add(first, r),) for r in range(height)]
        else:
            assert isinstance(i0, int)
            offsets = [how.offset(i0 + r) for r in range(height)]
            rows = [tuple(t.value(e) for e in how.row(i0 + r)) for r in range(height)]
        found: list[Index] = []
        for row in rows:
            every = {**places, **dict(zip(how.rows, row, strict=True))}
            index = [every[a] for a in range(len(how.axes))]
            for a, number in enumerate(phase.numbers, 1):
                index[a] = how.phased[a - 1].place(t, number, index[a])
            found.append(tuple(index))
        limits = [self.limits(phase, places, digit) for digit in how.digits]

        def columns(j: Value) -> None:
            column = t.add(panel.j0, j)
            places = [(*index, column) for index in found]

            def sums(panel: Panel) -> Sequence[Value]:
                return self.sums(limits, base, offsets, panel, j, (zero,) * height)

            if panel.columns == t.columns and (self.near or not t.several):
                self.foresee(places)
            if self.near:
                self.all_blocks(panel, places, j, sums)
            else:
                self.keep(panel, places, sums(panel))

        self.side_by_side(panel.columns, columns)

    def side_by_side(self, count: int, fill: Callable[[Value], None]) -> None:
        """`fill` for so many columns."""
        t = self.t
        kind, step = ("lanes", t.columns) if count == t.columns else ("vector", 2)
        if count <= t.lanes:
            step = 1
        t.lower.loop(t.extent(0), t.extent(count), fill, kind, step=step)

    def all_blocks(
        self,
        panel: Panel,
        places: Sequence[Index],
        j: Value,
        sums: Callable[[Panel], Sequence[Value]],
    ) -> None:
        """All blocks of k of these places, whose totals stay near meanwhile."""
        t, lower = self.t, self.t.lower
        memory = t.local(len(places) * t.columns)

        def block(pc: Value) -> None:
            start = t.add(panel.start, t.mul(pc, panel.distance))
            found = sums(panel._replace(pc=pc, start=start))
            for r, sum_ in enumerate(found):
                at = t.add(j, r * t.columns)
                before = t.load(memory, at, t.op("greater", pc, 0))
                lower.store(memory, at, lower.emit(Add(before, sum_)))

        t.steps(t.p.k, BLOCK, block)
        totals = [t.load(memory, t.add(j, r * t.columns)) for r in range(len(places))]
        for place, total in zip(places, totals, strict=True):
            t.store_total(place, total, True)

    def foresee(self, places: Sequence[Index]) -> None:
        """Ask for what a whole panel of these places will be stored to."""
        t, lower, shape = self.t, self.t.lower, self.op.result.shape
        buffer = next((buffer for buffer in lower.outputs.values() if buffer.shape == shape), None)
        if buffer is not None:
            line = max(1, lower.target.line // buffer.dtype.itemsize)
            for at in map(t.offset, places):
                for j in range(0, t.columns, line):
                    lower.b.emit_all(Prefetch(buffer, t.add(at, j), "store"))

    def keep(self, panel: Panel, places: Sequence[Index], sums: Sequence[Value]) -> None:
        """The sums of a block at these places of the result."""
        t = self.t

        def store(last: bool) -> None:
            pairs = zip(places, sums, strict=True)
            totals = [t.total(place, panel.pc, block) for place, block in pairs]
            for place, total in zip(places, totals, strict=True):
                t.store_total(place, total, last)

        t.finish(panel.pc, store)
