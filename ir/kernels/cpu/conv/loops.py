"""The loops of a convolution that is read in place, as its plan says (see plan.py), by where that
over blocks of k stands:

    IN_TILE            for each stride phase, place along the outer axes, group and panel of
                       columns, on any threads:
                           for each place along the inner axes, each strip of rows: a tile
    row bands          for each element of the batch, band and group, on any threads:
                           the band, with a halo of zeros
                           for each panel, place of the band and strip of rows: a tile
    AROUND             for each block of k:
                           for each place, group and panel, on any threads:
                               for each strip of rows: a tile
    SPLIT              for each block of k, on any threads:
                           for each group and panel:
                               for each place and each strip of rows: a tile
                       the sums of the blocks, in order (see ordered_split_k.py)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ....core import Value
from ....extent import Extent, as_int, product
from ....ops.contraction import BLOCK
from ...common.stride_phases import first_taps
from ..gemm.micro_kernel import Tiles
from ..ordered_split_k import OrderedSplitK
from .halo import HaloCopy
from .plan import ConvPlan, KBlocks
from .tile_writer import LoopState, TileWriter
from .weights import WeightPanels

Inner = Callable[[LoopState], None]
Loop = Callable[[LoopState, Inner], None]


class ConvLoops:
    """Writes a convolution by its plan."""

    def __init__(self, t: Tiles, plan: ConvPlan, panel: Loop | None = None) -> None:
        self.panel = panel  # what is around the tiles of a panel, where k is IN_TILE
        self.t, self.plan, self.op, self.access = t, plan, plan.op, plan.access
        self.weights = WeightPanels(t, plan.op, plan.packed, plan.phases, plan.access.groups.extent)
        self.tiles = TileWriter(t, plan, self.weights)
        self.k_loop = self.tiles.k_loop

    def write(self) -> None:
        plan, access, lower = self.plan, self.access, self.t.lower
        if not plan.banded:  # else each task copies what it reads
            copy = HaloCopy(self.t, self.op, access, {})
            memory = access.memory
            self.k_loop.source = copy.write(memory) if access.copied else lower.buffer(memory)
        self.k_loop.weights = self.weights.prepare()
        self.nest(self.loops(), LoopState(*(self.t.extent(0),) * 8))

    def loops(self) -> list[Loop]:
        """The loops around a tile, from the outermost on."""
        inside = [self.places] if self.panel is None else [self.panel, self.places]
        if self.plan.banded:
            return [self.stride_phases, self.tasks, self.band, self.panels, *inside]
        match self.plan.k_blocks:
            case KBlocks.SPLIT:
                return [self.stride_phases, self.split, self.tasks, self.places]
            case KBlocks.AROUND:
                return [self.stride_phases, self.blocks, self.tasks]
        return [self.stride_phases, self.tasks, *inside]

    def nest(self, loops: Sequence[Loop], state: LoopState) -> None:
        if not loops:
            self.tiles.strips(state)
            return
        loops[0](state, lambda inside: self.nest(loops[1:], inside))

    # The loops.

    def stride_phases(self, state: LoopState, inner: Inner) -> None:
        """Ranges of phases, by how many rows tiles have there."""
        access, phases = self.access, self.plan.phases
        ranges = [(0, count) for count in phases]
        a, rows = access.rows[-1] - 1, access.count
        if a < 0 or access.phased[a].even:
            inner(replace(state, ranges=ranges, rows=rows))
            return
        fuller = as_int(self.op.result.shape[a + 1]) % phases[a]
        for part, count in ((0, fuller), rows), ((fuller, phases[a]), rows - 1):
            if count:
                inner(replace(state, ranges=[*ranges[:a], part, *ranges[a + 1 :]], rows=count))

    def tasks(self, state: LoopState, inner: Inner) -> None:
        """Phases, outer places, groups and panels, on any threads; in a block of k that is a task
        itself, one after another."""
        t, lower, plan = self.t, self.t.lower, self.plan
        phases = [high - low for low, high in state.ranges]
        places = [self.access.axes[a].extent for a in plan.outer]
        extents = (*phases, *places, plan.stretches, self.access.groups.extent)
        work: Extent = 0
        if plan.k_blocks is not KBlocks.SPLIT:
            work = t.work(BLOCK if plan.k_blocks is KBlocks.AROUND else None)

        def each(first: int, count: int, columns: int) -> None:
            def task(number: Value) -> None:
                *index, stretch, group, q = lower.unlinear(number, (*extents, count))
                ranges = zip(index, state.ranges, strict=False)
                numbers = tuple((t.index(i) + low).value for i, (low, _) in ranges)
                outer = dict(zip(plan.outer, index[len(phases) :], strict=True))
                inside = replace(state, phases=numbers, stretch=stretch, columns=columns)
                inside = self.in_group(inside, group)
                if not plan.banded:
                    inside = self.in_panel(inside, (t.index(q) + first).value)
                self.at(inside, outer, inner)

            lower.parallel(product((*extents, count)), work, task)

        for part in [(0, 1, 0)] if plan.banded else self.weights.widths:
            each(*part)

    def panels(self, state: LoopState, inner: Inner) -> None:
        """The panels of a group, in a task."""
        t = self.t
        for first, count, columns in self.weights.widths:

            def panel(number: Value, first: int = first, columns: int = columns) -> None:
                q = (t.index(number) + first).value
                inner(self.in_panel(replace(state, columns=columns), q))

            t.lower.loop(t.extent(0), t.extent(count), panel)

    def in_group(self, state: LoopState, group: Value) -> LoopState:
        t, access = self.t, self.access
        taps = first_taps(t, access.phased, state.phases)
        origin = (t.index(group) * t.extent(access.groups.stride)).value
        for axis, read in zip(taps, access.read[1:-1], strict=True):
            first = (t.index(axis.position) + t.extent(read.low)).value
            origin = (t.index(origin) + t.index(first) * t.extent(read.stride)).value
        return replace(state, group=group, taps=taps, origin=origin)

    def in_panel(self, state: LoopState, q: Value) -> LoopState:
        j0 = self.weights.column(state.group, q)
        start = self.weights.start(state.phases, state.group, q, state.pc)
        return replace(state, q=q, j0=j0, start=start)

    def at(self, state: LoopState, places: Mapping[int, Value], inner: Inner) -> None:
        """`inner` at these places, where the phase has them."""
        t = self.t
        there: Value | None = None
        for a, place in places.items():
            if a and state.phases:
                axis = self.access.phased[a - 1]
                there = axis.has(t, there, axis.place(t, state.phases[a - 1], place))
        inside = replace(state, places={**state.places, **places})
        t.when(there, lambda: inner(inside))

    def band(self, state: LoopState, inner: Inner) -> None:
        """A row band of one group, copied."""
        t, access, plan = self.t, self.access, self.plan
        corner, origin = {0: state.places[0]}, state.origin
        if plan.stretch is not None:
            first = (t.index(state.stretch) * plan.stretch).value
            corner[1] = (t.index(first) * access.phased[0].stride).value
            origin = (t.index(origin) - t.index(first) * t.extent(access.axes[1].stride)).value
        copy = HaloCopy(t, self.op, access, plan.band)
        self.k_loop.source = copy.write_part(access.memory, corner, state.group)
        inner(replace(state, origin=origin))

    def blocks(self, state: LoopState, inner: Inner) -> None:
        """Blocks of k, one after another."""
        t = self.t
        t.steps(t.p.k, BLOCK, lambda pc: inner(replace(state, pc=pc)))

    def split(self, state: LoopState, inner: Inner) -> None:
        """Blocks of k, on any threads."""
        t = self.t
        split_k = self.tiles.split_k = OrderedSplitK(t, t.compute, self.op.result.shape)

        def block(number: Value, pc: Value) -> None:
            inner(replace(state, block=number, pc=pc))

        split_k.write(t.p.k, t.work(BLOCK), block, lambda at, sum_: t.store_total(at, sum_, True))

    def places(self, state: LoopState, inner: Inner) -> None:
        """The places of the inner axes."""
        t, plan = self.t, self.plan
        rest = [a for a in plan.inner if a not in state.places]
        if not rest:
            inner(state)
            return
        a, extent = rest[0], self.access.axes[rest[0]].extent

        def place(i: Value) -> None:
            self.at(state, {a: i}, lambda inside: self.places(inside, inner))

        low, high = t.extent(0), t.extent(extent)
        if extent != 1 and plan.stretch is not None and a == plan.inner[0]:
            low = (t.index(state.stretch) * plan.stretch).value
            high = (t.index(low) + plan.stretch).minimum(high).value
        t.lower.loop(low, high, place)
