"""Convolutions with few results a group: places lie along the lanes, not channels.

Where a group's results do not fill a register, neighbouring places do. What they read is transposed
before (see channel_major.py), and so are their sums afterwards. Places are counted through the
feature maps; what is computed of their halo is nobody's, and is left where it is.

    for each element of the batch and row band, on any threads:
        the feature maps of all channels
        for some groups at a time, for each stride phase: for each of the groups
            for each tile of places, for each block of k: the sums of all columns
        what belongs to the result, transposed

It costs two in-register transposes of all that is read and stored. What it buys, beside tiles with
channels along the lanes (tile_writer.py), of gradients of x: 3x3 of 128x32x32x3 takes 8.9 ms, not
14.3; 5x5 of 128x28x28x1 4.5, not 13.4; 7x7 with strides of 8x224x224x3 24, not 66.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, ceildiv, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.window import Conv
from ....value_classes import NamedTuple, dataclass
from ...common.stride_phases import first_taps, phase_counts, phased_axes
from ...contraction import register_tile
from ...ops import TransposeTile
from ...plan.reasons import Mismatch
from .access import StridedAxis, joined, taps_of
from .channel_major import FeatureMaps, FeatureMapWriter, feature_maps, map_stride
from .k_loop import KLoop, Panel, Rows
from .weights import WeightPanels

if TYPE_CHECKING:
    from ...target import Target
    from ..gemm.micro_kernel import Tiles

Store = Callable[[Value, Value, Value], None]  # (place, column, sum)

# Bytes of a group's results at one place, up to which places lie along the lanes. 3x3 of
# 32x28x28x64 in groups of 4 (16 bytes) takes 2.7 ms so and 3.1 by tiles, with registers of 32 bytes
# 3.0 and 4.3; 6 results (24) take 2.4 and 2.7, but 7 take 3.2 and 2.8, 8 take 3.2 and 2.7: what
# fills half a register of 64 bytes is computed in one of 32, which costs half as much (AMD EPYC).
GROUP_BYTES_MAX = 24
# The same where there are several groups. 3x3 of 32x28x28 in 16 groups of 5 takes 5.0 ms so and 4.4
# by tiles, of 6 6.5 and 5.3, but of 3 2.0 and 2.5, of 2 0.54 and 1.7.
SEVERAL_GROUPS_BYTES_MAX = 16
# Taps that pay for transposing the operand: each of its elements is then read so often. Not
# measured by itself: 9 taps do pay (see above), 1 tap is a product.
TRANSPOSED_TAPS_MIN = 5
# Registers of places that a tile has. conv 128x28x28x1 5x5x32, gradient of x: 1.03 of the time
# with 4, 1.20 with 16.
PLACE_VECTORS_MAX = 8
# The share of places that is not halo, of those that are computed: below it tiles along channels,
# which compute none of it, take less. Not measured by itself.
USED_PLACES_MIN = 0.6


class Part(NamedTuple):
    """Some groups of a band, in a phase."""

    memory: Value  # the feature maps
    totals: Value  # the groups' columns, each a line of places
    n: Value
    first: Value  # of the band, along the first axis
    phases: Index
    group: Value  # the first


@dataclass(frozen=True)
class FewChannelsPlan:
    """Places along the lanes, band by band of the feature maps; results are transposed."""

    takes = "convolutions whose groups have few results"

    maps: FeatureMaps
    together: int  # groups whose results are transposed together
    line: int  # of sums, for each column
    width: int  # places of a tile

    @staticmethod
    def of(op: Conv, target: Target) -> FewChannelsPlan | Mismatch:
        """The plan; why there is none, where a group's results are not few, where bands do not fit,
        or where too few of the places that are computed are used."""
        numbers = (*op.w.shape, *op.size, *op.x.shape[1:], op.groups, op.in_group)
        if not op.size or op.batch_groups != 1:
            return Mismatch("the batch has groups") if op.size else Mismatch("it has no windows")
        if not all(isinstance(e, int) for e in numbers):
            return Mismatch("its sizes are not known")
        axes = phased_axes(op)
        if 0 in (op.x.shape[0], *numbers) or any(axis.stride != 1 for axis in axes):
            return Mismatch("its windows are more than a place apart, or it has no elements")
        lanes, columns = register_tile(op.x.dtype.compute, target).lanes, as_int(op.in_group)
        if not has_few_columns(op, target):
            return Mismatch("{} results of a group fill half of a register, or more", columns)
        if (taps := as_int(product(op.depth[:-1]))) < TRANSPOSED_TAPS_MIN:
            return Mismatch("{} taps are few (below {})", taps, TRANSPOSED_TAPS_MIN)
        most = max(1, lanes // columns)
        together = max(g for g in range(1, most + 1) if as_int(op.groups) % g == 0)
        of = feature_maps(op, axes, together * columns, target)
        if of is None:
            return Mismatch("a band of rows does not fit into L2")
        line = -(-of.count // lanes) * lanes
        # A power of two of registers, which with those of all columns leaves a few.
        registers = 24 if target.registers >= 32 else 12
        vectors = min(registers // columns, PLACE_VECTORS_MAX, line // lanes)
        width = lanes << max(0, vectors.bit_length() - 1)
        size = as_int(product(of.reach)) + line - of.count
        apart = map_stride(size, as_int(op.w.shape[-2]), width, op.x.dtype.compute, target)
        if (used := prod(of.places)) < USED_PLACES_MIN * line:
            return Mismatch("{} places of {} would be used", used, line)
        return FewChannelsPlan(replace(of, stride=apart), together, line, width)


def has_few_columns(op: Conv, target: Target) -> bool:
    """Whether a group's results at one place fill so little of a register."""
    columns, compute = op.in_group, op.x.dtype.compute
    if not isinstance(columns, int) or 2 * columns > register_tile(compute, target).lanes:
        return False
    most = GROUP_BYTES_MAX if op.groups == 1 else SEVERAL_GROUPS_BYTES_MAX
    return bool(columns * compute.itemsize <= most)


class FewChannels:
    """Writes such a convolution."""

    def __init__(self, t: Tiles, op: Conv, plan: FewChannelsPlan) -> None:
        self.t, self.op, self.maps, self.together = t, op, plan.maps, plan.together
        self.axes, self.line, self.width = phased_axes(op), plan.line, plan.width
        self.depth, self.columns = as_int(op.w.shape[-2]), as_int(op.in_group)
        # Of k: taps, and channels. Places and weights have changed sides.
        pairs = zip(self.axes, plan.maps.steps, strict=True)
        seen = [taps_of(axis, a, step) for a, (axis, step) in enumerate(pairs)]
        digits = joined([*seen, StridedAxis(self.depth, plan.maps.stride)])
        self.k_loop = KLoop(t, digits, self.axes, along_places=True)
        # A panel has the columns of a group.
        packed = t.p.right_plain is None or op.groups != 1
        self.phases = phase_counts(self.axes)
        self.panels = WeightPanels(t, op, packed, self.phases, op.groups)

    def write(self) -> None:
        t, lower, op, of = self.t, self.t.lower, self.op, self.maps
        self.k_loop.weights = self.panels.prepare()
        writer = FeatureMapWriter(t, op, self.axes, of, t.lanes)
        tasks = (op.result.shape[0], ceildiv(self.axes[0].places, of.places[0]))

        def task(number: Value) -> None:
            n, band = lower.unlinear(number, tasks)
            first = (t.index(band) * of.places[0]).value
            memory = t.local(of.channels * of.stride)
            totals = t.local(self.together * self.columns * self.line)
            writer.write(memory, n, first)

            def some(group: Value) -> None:
                def phase(number: Value) -> None:
                    phases = lower.unlinear(number, self.phases)
                    part = Part(memory, totals, n, first, phases, group)
                    for g in range(self.together):
                        self.tiles(part, g)
                    self.finish(part)

                lower.loop(t.extent(0), t.extent(product(self.phases)), phase)

            lower.loop(t.extent(0), t.extent(op.groups), some, step=self.together)

        lower.parallel(product(tasks), t.work(), task)

    # Sums.

    def tiles(self, part: Part, g: int) -> None:
        """The sums of one of the groups."""
        t, lower, of = self.t, self.t.lower, self.maps
        group = (t.index(part.group) + g).value
        seen = first_taps(t, self.axes, part.phases)
        base = (t.index(group) * (self.depth * of.stride)).value
        for axis, low, step in zip(seen, of.low, of.steps, strict=True):
            base = (t.index(base) + (t.index(axis.position) + low) * step).value
        start = self.panels.start(part.phases, group, t.extent(0), t.extent(0))

        k_loop = self.k_loop
        k_loop.source = part.memory
        limits = k_loop.limits(seen, {}, k_loop.digits)
        zeros = (lower.b.constant(0, t.compute),) * self.columns

        def tile(place: Value) -> None:
            rows = Rows((t.index(base) + place).value, range(self.columns), limits)

            def block(pc: Value) -> None:
                row = (t.index(start) + t.index(pc) * self.columns).value
                panel = Panel(row, t.extent(self.columns), pc)
                found = k_loop.sums(rows, panel, t.extent(0), zeros)
                for j, total in enumerate(found):
                    to = (t.index(place) + ((g * self.columns + j) * self.line)).value
                    t.add_in(part.totals, to, pc, total)

            t.steps(t.p.k, BLOCK, block)

        done, width = 0, self.width
        while done < self.line:  # tiles of half as many registers for what is left
            whole = (self.line - done) // width * width

            def side_by_side(first: Value, width: int = width) -> None:
                lower.loop(first, (t.index(first) + width).value, tile, LoopKind.SIMD, step=width)

            if whole:
                lower.loop(t.extent(done), t.extent(done + whole), side_by_side, step=width)
            done, width = done + whole, width // 2

    # Results.

    def finish(self, part: Part) -> None:
        """Store what the kernel makes of the sums of some groups."""
        t, lower, op, of = self.t, self.t.lower, self.op, self.maps
        phases = part.phases or (t.extent(0),) * len(self.axes)
        *outer, last = self.axes
        rows = tuple(of.places[:-1])
        side = None
        if self.together * self.columns == t.lanes and t.lanes <= 16:
            side = t.local(t.lanes * t.lanes)

        def row(number: Value) -> None:
            index = list(lower.unlinear(number, rows))
            start = lower.linear(tuple(index), tuple(of.reach[:-1]))
            start = (t.index(start) * of.reach[-1]).value
            # How many places of the phase the last axis has, from where on.
            count = (t.index(last.size) - phases[-1]).ceildiv(last.count).value
            begin = t.extent(0)
            if index:
                index[0] = (t.index(index[0]) + part.first).value
            else:
                count, begin = (t.index(count) - part.first).minimum(of.places[0]).value, part.first
            there: Value | None = None
            places: list[Value] = []
            for axis, phase, i in zip(outer, phases, index, strict=False):
                at = axis.place(t, phase, i)
                if not places or not axis.even:  # the last band may have fewer
                    there = t.both(there, t.index(at) < t.extent(axis.size))
                places.append(at)

            def store(x: Value, j: Value, total: Value) -> None:
                place = last.place(t, phases[-1], (t.index(begin) + x).value)
                column = (t.index(part.group) * self.columns + j).value
                at = (part.n, *places, place, column)
                t.store_result(op.result, at, total)

            def fill() -> None:
                if side is None:
                    self.column_rows(part.totals, start, count, store)
                else:
                    self.transposed(part.totals, start, count, side, store)

            t.when(there, fill)

        lower.loop(t.extent(0), t.extent(product(rows)), row)

    def column_rows(self, totals: Value, start: Value, count: Value, store: Store) -> None:
        """Store a row of places, column by column."""
        t, lower = self.t, self.t.lower
        for j in range(self.together * self.columns):
            at = (t.index(start) + (j * self.line)).value

            def element(x: Value, j: int = j, at: Value = at) -> None:
                store(x, t.extent(j), t.load(totals, (t.index(at) + x).value))

            lower.loop(t.extent(0), count, element, LoopKind.VECTOR)

    def transposed(
        self, totals: Value, start: Value, count: Value, side: Value, store: Store
    ) -> None:
        """The same for as many columns as a register has lanes: transposed before."""
        t, lower, lanes = self.t, self.t.lower, self.t.lanes

        def tile(x0: Value) -> None:
            source = totals, (t.index(start) + x0).value, t.extent(self.line)
            target = side, t.extent(0), t.extent(lanes)
            lower.b.emit_all(TransposeTile(*source, *target, None, lanes, False))

            def place(x: Value) -> None:
                at = ((t.index(x) - x0) * lanes).value

                def column(j: Value) -> None:
                    store(x, j, t.load(side, (t.index(at) + j).value))

                lower.loop(t.extent(0), t.extent(lanes), column, LoopKind.SIMD, step=lanes)

            lower.loop(x0, (t.index(x0) + lanes).minimum(count).value, place)

        lower.loop(t.extent(0), count, tile, step=lanes)
