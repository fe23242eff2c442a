"""The schedule of convolutions that read their operand where it is: nothing is packed.

Tiles have rows along the axes of the result that suit best, and k goes through runs of elements
that lie at one distance (see walks.py). Where elements are to be cast, or the window looks beyond
the operand and rows do not all see the same, the operand is copied before, with a border of zeros.

    for each phase (see phases.py), each place along most axes, each group of channels and each
    panel of its columns, on any threads:
        for each block of k (see blocking.py):
            for each place along the other axes, for each strip of rows: a tile

Weights are packed panel by panel: once, or block by block where they are large; not where all
columns are one panel, or a part of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..core import Value
from ..extent import Extent, ceildiv, product
from ..ops.contraction import BLOCK
from ..ops.kernel import For
from ..types import INDEX, TensorType, scalar_type
from .borders import Bordered
from .direct import strips
from .phases import Seen
from .walks import HIGH, Axis, Walk

if TYPE_CHECKING:
    from .patches import Patches
    from .tiles import Tiles

Index = tuple[Value, ...]
Limits = tuple[Value, Value]

HELD = 1 << 14  # sums that stay in the cache from block to block
ENOUGH = 8  # tasks
SHORT = 10  # values of k that are written out
PAIRED = 24, 64  # long runs whose ends processors do not foresee: two values at a time
LARGE = 1 << 18  # weights from which on they are not packed as a whole


class Panel(NamedTuple):
    """Some columns, in a block of k."""

    start: Value  # where the weights are, in `Sliding.weights`
    distance: Value  # of neighbours along k there
    pc: Value  # where the block begins
    j0: Value
    columns: int
    stretch: Value  # which part of the last axis


class Phase(NamedTuple):
    """Some places of the result, which see the same taps (see phases.py)."""

    numbers: Index  # along the window's axes
    seen: list[Seen]
    origin: Value  # where in memory the first place's first tap reads
    rows: int
    group: Value


class Sliding:
    """Writes a convolution whose operand is read in place."""

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        self.t, self.shape, self.op, self.how = tiles, shape, shape.op, how
        others = [a for a in range(len(how.axes)) if a not in how.rows]
        self.outer, self.inner = self.divided(others)
        self.source: Value
        self.weights: Value

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
        """Into how many places of the last axis a task is cut, so that sums stay in the cache from
        block to block; None where it is not cut."""
        if len(self.inner) != 1 or not self.t.several or not (self.once or self.plain is not None):
            return None
        extent, rows = self.how.axes[self.inner[0]].extent, self.how.count
        if not isinstance(extent, int):
            return None
        count = -(-extent * rows * self.t.columns // HELD)
        return -(-extent // count) if count > 1 else None

    def write(self) -> None:
        lower = self.t.lower
        self.source = self.operand()
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
        buffer: Value = self.t.lower.buffer(self.how.memory)
        return buffer

    @property
    def panels(self) -> tuple[int, int]:
        """How many panels of a group's columns are whole, and how many columns are left."""
        columns = self.op.in_group
        assert isinstance(columns, int)
        return columns // self.t.columns, columns % self.t.columns

    @property
    def plain(self) -> Value | None:
        """The weights, where they are read as they are: a panel holds all columns, and they would
        be packed more than once. Else packing makes sure that rows begin where lines do."""
        narrow = self.op.w.shape[-1] <= self.t.columns and not self.once
        return self.t.p.right_plain if narrow else None

    @property
    def width(self) -> int:
        """How many columns a packed panel has."""
        columns = self.op.in_group
        assert isinstance(columns, int)
        return min(columns, int(self.t.columns))

    @property
    def once(self) -> bool:
        """Whether the weights are packed once for all places, or block by block where they are
        used, because they are large and places are few."""
        size, places = product(self.op.w.shape), product(self.op.result.shape[:-1])
        return isinstance(size, int) and (size <= LARGE or not isinstance(places, int))

    def packed(self) -> Value:
        """The weights of every phase and group, panel by panel: all columns of a panel side by
        side."""
        t, lower = self.t, self.t.lower
        shape = self.packed_shape
        depth = t.p.k
        buffer: Value = lower.scratch(TensorType(t.compute, (*shape, depth, self.width)))

        def panel(number: Value) -> None:
            *phases, group, q = lower.unlinear(number, shape)
            start = t.mul(number, t.extent(depth * self.width))
            ends = t.extent(0), t.extent(depth)
            self.pack(buffer, start, tuple(phases), *ends, self.column(group, q))

        count = product(shape)
        lower.parallel(count, count * depth * self.width // 8, panel)
        return buffer

    def pack(
        self, panel: Value, start: Value, phases: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """Some rows of the weights, as many columns as a packed panel has."""
        t, lower, width = self.t, self.t.lower, self.width
        if width == t.columns:
            t.pack_right(panel, start, phases, pc, kc, j0)
            return

        def row(k: Value) -> None:
            place = t.add(start, t.mul(k, width))

            def column(j: Value) -> None:
                y = t.p.right(phases, t.add(pc, k), t.add(j0, j))
                lower.store(panel, t.add(place, j), y)

            lower.loop(t.extent(0), t.extent(width), column, "vector")

        lower.loop(t.extent(0), kc, row)

    @property
    def packed_shape(self) -> tuple[Extent, ...]:
        whole, rest = self.panels
        return (*self.shape.phases, self.how.groups.extent, whole + (rest > 0))

    def column(self, group: Value, q: Value) -> Value:
        """The first column of a group's panel."""
        t = self.t
        return t.add(t.mul(group, t.extent(self.op.in_group)), t.mul(q, t.columns))

    def part(self, phases: Sequence[tuple[int, int]], rows: int) -> None:
        """Phases (along each axis from, to) with so many rows, on any threads."""
        t, lower, how = self.t, self.t.lower, self.how
        places = [how.axes[a].extent for a in self.outer]
        if self.stretch is not None:
            places.append(ceildiv(how.axes[self.inner[-1]].extent, self.stretch))
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
        elif self.stretch is None:
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
            sums = self.sums(limits, base, offsets, panel, j, (zero,) * height)
            column = t.add(panel.j0, j)

            self.keep(panel, [(*index, column) for index in found], sums)

        whole = panel.columns == t.columns
        kind, step = ("lanes", t.columns) if whole else ("vector", 2)
        if panel.columns <= t.lanes:
            step = 1
        lower.loop(t.extent(0), t.extent(panel.columns), columns, kind, step=step)

    def keep(self, panel: Panel, places: Sequence[Index], sums: Sequence[Value]) -> None:
        """The sums of a block at these places of the result."""
        t = self.t

        def store(last: bool) -> None:
            pairs = zip(places, sums, strict=True)
            totals = [t.total(place, panel.pc, block) for place, block in pairs]
            for place, total in zip(places, totals, strict=True):
                t.store_total(place, total, last)

        t.finish(panel.pc, store)

    def limits(self, phase: Phase, places: dict[int, Value], digit: Axis) -> Limits | None:
        """From which value on a digit counts here, and up to which; None where all do."""
        t = self.t
        if digit.taps is None:
            return None
        a, each = digit.taps
        if not self.how.clipped:
            return t.value(0), t.mul(phase.seen[a].taps, each)
        axis = self.how.phased[a].axis
        before = t.minus(t.extent(axis.low), t.mul(places[a + 1], axis.stride))
        first = t.op("floor_div", t.add(before, axis.tap - 1), axis.tap)
        first = t.least(t.op("maximum", first, 0), t.extent(axis.taps))
        behind = t.add(t.add(before, t.extent(axis.extent - 1)), axis.tap)
        last = t.least(t.op("floor_div", behind, axis.tap), t.extent(axis.taps))
        return t.mul(first, each), t.mul(t.op("maximum", last, first), each)

    def sums(
        self,
        limits: Sequence[Limits | None],
        base: Value,
        offsets: Sequence[int],
        panel: Panel,
        j: Value,
        sums: Sequence[Value],
    ) -> Sequence[Value]:
        """Adds up a block of k: run by run, if there is more than one. Rows are at these offsets
        from `base`."""
        t, lower, pc = self.t, self.t.lower, panel.pc
        *digits, (length, step, _) = self.how.digits
        *outer_limits, limit = limits
        extents = tuple(d.extent for d in digits)
        end = t.add(pc, t.block_length(pc))
        # Where rows see elements of one another, these would be kept in too many registers.
        apart = self.how.axes[self.how.rows[0]].distance if len(self.how.rows) == 1 else 0
        short = isinstance(length, int) and length <= SHORT and length * step <= apart
        short = short and not t.several and limit is None
        paired = isinstance(length, int) and PAIRED[0] <= length <= PAIRED[1]

        def run(
            origin: Value, start: Value, count: Value, sums: Sequence[Value]
        ) -> Sequence[Value]:
            """So many from k = start on, the first one at `origin`."""

            at = t.add(panel.start, t.add(t.mul(t.minus(start, pc), panel.distance), j))

            def add(params: Index) -> Sequence[Value]:
                e, *totals = params
                y = t.load(self.weights, t.add(at, t.mul(e, panel.distance)))
                place = t.add(origin, t.mul(e, t.extent(step)))
                return [
                    t.fma(t.load(self.source, t.add(place, offset)), y, total)
                    for offset, total in zip(offsets, totals, strict=True)
                ]

            if not short:
                return self.loop(add, count, sums, paired)
            assert isinstance(length, int)
            for e in range(length):
                sums = add((t.extent(e), *sums))
            return sums

        if not digits and limit is None:
            origin = t.add(base, t.mul(pc, t.extent(step)))
            return run(origin, pc, t.minus(end, pc), sums)
        first = t.op("floor_div", pc, t.extent(length))
        last = t.op("floor_div", t.minus(end, 1), t.extent(length))

        def segment(params: Index) -> Sequence[Value]:
            s, *totals = params
            q = t.add(first, s)
            low = t.mul(q, t.extent(length))
            from_, to = limit or (t.value(0), t.extent(length))
            start, count = t.add(low, from_), t.minus(to, from_)
            if t.several:
                start = t.op("maximum", start, pc)
                count = t.minus(t.least(t.add(low, to), end), start)
            origin = t.add(base, t.mul(t.minus(start, low), t.extent(step)))
            places = lower.unlinear(q, extents) if extents else ()
            for digit, place, limits in zip(digits, places, outer_limits, strict=True):
                origin = t.add(origin, t.mul(place, t.extent(digit.distance)))
                if limits is not None:
                    there = t.op("less", place, limits[1])
                    if self.how.clipped:
                        there = t.both(there, t.op("greater_equal", place, limits[0]))
                    count = t.choose(there, count, t.value(0))
            return run(origin, start, count, totals)

        return self.loop(segment, t.add(t.minus(last, first), 1), sums)

    def loop(
        self,
        fill: Callable[[Index], Sequence[Value]],
        count: Value,
        init: Sequence[Value],
        paired: bool = False,
    ) -> Sequence[Value]:
        """`fill` for 0, 1, ... below count, which carries sums; written out for two at a time where
        they are `paired`."""
        t = self.t
        types = (INDEX, *[scalar_type(t.compute)] * len(init))

        def two(params: Index) -> Sequence[Value]:
            return fill((t.add(params[0], 1), *fill(params)))

        low, body = t.extent(0), t.lower.region("body", types, fill)
        if paired:
            pairs = t.lower.region("body", types, two)
            odd = t.op("bitwise_and", t.op("maximum", count, 0), 1)
            even = t.minus(count, odd)
            init = t.lower.b.emit_all(For(low, even, tuple(init), 2, "serial", pairs))
            low = even
        loop = For(low, count, tuple(init), 1, "serial", body)
        found: Sequence[Value] = t.lower.b.emit_all(loop)
        return found
