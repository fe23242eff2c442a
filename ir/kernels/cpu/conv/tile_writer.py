"""Writes the tiles of a convolution that is read in place.

    for each strip of rows (places along the axes that suit best; or taps, see below):
        [prefetch what the tile will be stored to]
        sums of the rows, for the columns of a panel along the lanes (see k_loop.py)
        the sums: kept, or added to those of the blocks of k before

A tile has 14 rows and two registers of columns, where there are 32 registers: 28 multiply-adds take
16 loads. Where rows are few, as in gradients of weights with few channels, it has them for several
taps of the gradient, which are neighbouring places along the last axis and see different parts of a
run: that is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, largest, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....value_classes import NamedTuple, dataclass, field
from ...common.stride_phases import TapRange, pieces
from ...ops import Prefetch
from ..gemm.micro_kernel import Tiles
from ..gemm.unpacked import strips
from ..ordered_split_k import OrderedSplitK
from .access import CONV_TILE_ROWS
from .k_loop import KLoop, Panel, Rows, Sums
from .plan import ConvPlan, KBlocks
from .weights import WeightPanels

BlockSums = Callable[[Value, Value], Sums]  # of the first k of a block, and its weights' start

# Lines of memory that are prefetched at once. conv 32x28x28x64 3x3x64 in 8 groups, gradient of w:
# 1.10 of the time with 2, 1.07 with 32, 1.16 with none.
PREFETCH_LINES_MAX = 8


@dataclass(frozen=True)
class LoopState:
    """What the loops around a tile have bound; zero, until one of them does."""

    group: Value
    q: Value  # the panel of the group's
    j0: Value  # its first column
    start: Value  # where its weights are, in the block of k at hand
    pc: Value  # the first k of that
    block: Value  # its number, where blocks are tasks
    stretch: Value  # which part of the first inner axis
    origin: Value  # where the first place's first tap reads
    columns: int = 0
    rows: int = 0  # of the phase
    ranges: Sequence[tuple[int, int]] = ()  # of stride phases: from, to
    phases: Index = ()
    taps: Sequence[TapRange] = ()  # that the phase sees
    places: Mapping[int, Value] = field(default_factory=dict)  # by axes of the result


class Tile(NamedTuple):
    """Some rows of a panel."""

    reads: Rows
    numbers: Sequence[tuple[int, ...]]  # of each, along the axes that rows count
    place: Callable[[Value], Index]  # where a row is in the result
    number: Callable[[], Value]  # of the tile


class TileWriter:
    """Writes tiles, innermost in the loops of loops.py."""

    def __init__(self, t: Tiles, plan: ConvPlan, weights: WeightPanels) -> None:
        self.t, self.plan, self.op, self.access = t, plan, plan.op, plan.access
        self.weights = weights
        access = plan.access
        self.k_loop = KLoop(t, access.digits, access.phased, access.clipped)
        self.split_k: OrderedSplitK | None = None  # where blocks of k are tasks

    def strips(self, state: LoopState) -> None:
        """The rows of a panel, strip by strip."""
        t, plan, access = self.t, self.plan, self.access
        parts = strips(state.rows, plan.tile.rows)
        if plan.taps > 1:
            height = self.tap_rows
            parts = [(i0, 1, min(height, state.rows - i0)) for i0 in range(0, state.rows, height)]
        # Rows that have one place along the first axis that they count.
        inner = as_int(product(access.axes[a].extent for a in access.rows[1:]))
        zero = t.extent(0)
        for low, count, height in parts:
            if count == 1 or low % inner or height % inner:
                for i0 in range(low, low + count * height, height):
                    self.tile(state, zero, i0, height)
                continue

            def strip(first: Value, height: int = height) -> None:
                self.tile(state, first, 0, height)

            ends = t.extent(low // inner), t.extent((low + count * height) // inner)
            t.lower.loop(*ends, strip, step=height // inner)

    @property
    def tap_rows(self) -> int:
        """How many rows a tile has that has several taps."""
        return self.plan.taps * as_int(self.access.axes[0].extent)

    def tile(self, state: LoopState, first: Value, i0: int, height: int) -> None:
        """Some rows, from row i0 of place `first` on along the first axis that rows count."""
        t, access, digits = self.t, self.access, self.access.digits
        strides = [access.axes[a].stride for a in state.places]
        base = t.address(state.origin, state.places.values(), strides)
        base = t.address(base, (first,), (access.axes[access.rows[0]].stride,))
        numbers, parts = [access.row(i0 + r) for r in range(height)], []
        offsets = [access.offset(i0 + r) for r in range(height)]
        if self.plan.taps > 1:
            parts, digits = pieces(access.phased[-1].axis, [row[0] for row in numbers]), digits[:-1]
        limits = [self.k_loop.limits(state.taps, state.places, digit) for digit in digits]
        read = Rows(base, offsets, limits if digits is access.digits else [*limits, None], parts)
        extents = tuple(access.axes[a].extent for a in access.rows)
        inner = as_int(product(extents[1:]))

        def place(r: Value) -> Index:
            i, *rest = t.lower.unlinear((t.index(r) + i0).value, extents)
            row = (t.index(first) + i).value, *rest
            return self.place(state, dict(zip(access.rows, row, strict=True)))

        def number() -> Value:
            return ((t.index(first) * inner + i0) // height).value

        self.columns(state, Tile(read, numbers, place, number))

    def place(self, state: LoopState, row: Mapping[int, Value]) -> Index:
        """Where a row is in the result, by its places along the axes that rows count."""
        every = {**state.places, **row}
        index = [every[a] for a in range(len(self.access.axes))]
        for a, number in enumerate(state.phases, 1):
            index[a] = self.access.phased[a - 1].place(self.t, number, index[a])
        return tuple(index)

    def columns(self, state: LoopState, tile: Tile) -> None:
        """What the rows of a tile sum for all columns of the panel."""
        t, plan, count = self.t, self.plan, state.columns
        zeros = (t.lower.b.constant(0, t.compute),) * len(tile.numbers)
        next_block = plan.prefetches and plan.is_weight_gradient
        several = plan.k_blocks is KBlocks.IN_TILE and t.several

        def prefetch(number: Value) -> None:
            self.prefetch_next(state, tile.number(), number)

        def column(j: Value) -> None:
            def index(r: Value) -> Index:
                return (*tile.place(r), (t.index(state.j0) + j).value)

            buffer = t.result_buffer() if plan.prefetches and not next_block else None
            if buffer is not None and count == t.columns:
                # What a whole panel will be stored to.
                self.each(
                    tile, several, lambda r: t.prefetch_columns_of(buffer, t.offset(index(r)))
                )

            def sums(pc: Value, start: Value) -> Sums:
                panel = Panel(start, self.weights.stride, pc)
                ahead = prefetch if next_block else None
                return self.k_loop.sums(tile.reads, panel, j, zeros, ahead)

            if several:
                self.all_blocks(state, tile, index, j, sums)
            elif self.split_k is not None:
                first = self.split_k.at(state.block, index(t.extent(0)))
                self.keep(self.split_k, first, tile.numbers, sums(state.pc, state.start))
            else:
                places = [index(t.extent(r)) for r in range(len(tile.numbers))]
                t.store_sums(places, sums(state.pc, state.start), state.pc)

        kind, step = (LoopKind.SIMD, t.columns) if count == t.columns else (LoopKind.VECTOR, 2)
        if count <= t.lanes:
            step = 1
        t.lower.loop(t.extent(0), t.extent(count), column, kind, step=step)

    def each(self, tile: Tile, loop: bool, fill: Callable[[Value], None]) -> None:
        """`fill` for each row: in a loop, which is less code, where k is long."""
        t, height = self.t, len(tile.numbers)
        if loop:
            t.lower.loop(t.extent(0), t.extent(height), fill)
            return
        for r in range(height):
            fill(t.extent(r))

    def all_blocks(
        self,
        state: LoopState,
        tile: Tile,
        index: Callable[[Value], Index],
        j: Value,
        sums: BlockSums,
    ) -> None:
        """All blocks of k of a tile, whose totals stay in the L1 cache meanwhile."""
        t = self.t
        memory = t.local(len(tile.numbers) * t.columns)

        def block(pc: Value) -> None:
            block_sums = sums(pc, (t.index(state.start) + t.index(pc) * self.weights.stride).value)
            for r, block_sum in enumerate(block_sums):
                t.add_in(memory, (t.index(j) + (r * t.columns)).value, pc, block_sum)

        def row(r: Value) -> None:
            total = t.load(memory, (t.index(r) * t.columns + j).value)
            t.store_total(index(r), total, True)

        t.steps(t.p.k, BLOCK, block)
        self.each(tile, True, row)

    def keep(
        self, split_k: OrderedSplitK, first: Value, numbers: Sequence[tuple[int, ...]], sums: Sums
    ) -> None:
        """The sums of a block, in memory of its own."""
        t, shape = self.t, self.op.result.shape
        strides = [as_int(product(shape[a + 1 :])) for a in self.access.rows]
        for number, total in zip(numbers, sums, strict=True):
            steps = zip(number, numbers[0], strides, strict=True)
            apart = sum((place - before) * stride for place, before, stride in steps)
            t.lower.store(split_k.memory, (t.index(first) + apart).value, total)

    # Prefetching.

    def prefetch_next(self, state: LoopState, strip: Value, number: Value) -> None:
        """The share of run `number` of what the next block reads: the same for all runs of all
        tiles, whole lines."""
        t, lower, access, plan = self.t, self.t.lower, self.access, self.plan
        run, axes = access.digits[-1], (*plan.outer, *plan.inner)
        counts = [access.axes[a].extent for a in axes]
        tiles = -(-access.count // (self.tap_rows if plan.taps > 1 else CONV_TILE_ROWS))
        extents = (access.groups.extent, self.weights.count, *counts, tiles)
        shares = largest(product(extents))
        if not isinstance(run.extent, int) or not isinstance(shares, int):
            return
        runs = BLOCK // run.extent + 1  # of a block, about
        places = [state.places[a] for a in axes]
        turn = lower.linear(
            (state.group, state.q, *places, t.index(strip).minimum(tiles - 1).value), extents
        )
        turn = (t.index(turn) * runs + number).value
        following = (t.index(state.pc) + BLOCK).value

        def fetch(buffer: Value, first: Value, size: int) -> None:
            line = max(1, lower.target.line // buffer.dtype.itemsize)
            share = min(
                size // (line * shares * runs), PREFETCH_LINES_MAX
            )  # none, where many share
            begin = (t.index(first) + t.index(turn) * (share * line)).value
            for i in range(share):
                lower.b.emit_all(Prefetch(buffer, (t.index(begin) + (i * line)).value, "later"))

        zero, digits = t.extent(0), access.digits
        numbers = lower.unlinear(following, tuple(digit.extent for digit in digits))
        place = t.address(zero, numbers, [digit.stride for digit in digits])
        if run.stride == self.op.x.shape[0]:  # the rows of all tiles lie side by side
            fetch(self.k_loop.source, place, BLOCK * as_int(run.stride))
        if t.p.right_plain is not None:
            width = as_int(self.op.w.shape[-1])
            fetch(lower.buffer(t.p.right_plain), (t.index(following) * width).value, BLOCK * width)
