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
from operator import mul

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, largest, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....value_classes import NamedTuple, dataclass, field
from ...common.stride_phases import Piece, TapRange, pieces
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
    """Some rows of a panel: from row i0 of place `first` on, along the first axis they count."""

    state: LoopState
    first: Value
    i0: int
    height: int


def across_panel(t: Tiles, count: int, column: Callable[[Value], None]) -> None:
    """`column` for so many columns of a panel, along the lanes."""
    kind, step = (LoopKind.SIMD, t.columns) if count == t.columns else (LoopKind.VECTOR, 2)
    t.lower.loop(t.extent(0), t.extent(count), column, kind, step=1 if count <= t.lanes else step)


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
        t, access, rows = self.t, self.access, state.rows
        parts = strips(rows, self.plan.tile.rows)
        if self.plan.taps > 1:
            height = self.tap_rows
            parts = [(i0, 1, min(height, rows - i0)) for i0 in range(0, rows, height)]
        inner = access.inner
        for low, count, height in parts:
            high = low + count * height
            if count == 1 or low % inner or height % inner:
                for i0 in range(low, high, height):
                    self.tile(Tile(state, t.extent(0), i0, height))
                continue

            def strip(first: Value, height: int = height) -> None:
                self.tile(Tile(state, first, 0, height))

            ends = t.extent(low // inner), t.extent(high // inner)
            t.lower.loop(*ends, strip, step=height // inner)

    @property
    def tap_rows(self) -> int:
        """How many rows a tile has that has several taps."""
        return self.plan.taps * as_int(self.access.axes[0].extent)

    def reads(self, tile: Tile) -> Rows:
        """What the rows of a tile read."""
        access, digits, state = self.access, self.access.digits, tile.state
        places = {**state.places, access.rows[0]: tile.first}
        strides = [access.axes[a].stride for a in places]
        base = self.t.address(state.origin, places.values(), strides)
        rows = range(tile.i0, tile.i0 + tile.height)
        parts: Sequence[Piece] = ()
        if self.plan.taps > 1:
            taps = [access.row(i)[0] for i in rows]
            parts, digits = pieces(access.phased[-1].axis, taps), digits[:-1]
        limits = self.k_loop.limits(state.taps, state.places, digits)
        limits += [None] * (len(access.digits) - len(digits))
        return Rows(base, [access.offset(i) for i in rows], limits, parts)

    def index(self, tile: Tile, r: Value, j: Value) -> Index:
        """Where row r of a tile is in the result, at column j of its panel."""
        t, access, state = self.t, self.access, tile.state
        extents = tuple(access.axes[a].extent for a in access.rows)
        i, *rest = t.lower.unlinear((t.index(r) + tile.i0).value, extents)
        row = (t.index(tile.first) + i).value, *rest
        every = {**state.places, **dict(zip(access.rows, row, strict=True))}
        index = [every[a] for a in range(len(access.axes))]
        for a, number in enumerate(state.phases, 1):
            index[a] = access.phased[a - 1].place(t, number, index[a])
        return (*index, (t.index(state.j0) + j).value)

    def tile(self, tile: Tile) -> None:
        """What the rows of a tile sum up to, for all columns of the panel."""
        t, plan, state, height = self.t, self.plan, tile.state, tile.height
        count, reads = state.columns, self.reads(tile)
        zeros = (t.lower.b.constant(0, t.compute),) * height
        several = plan.k_blocks is KBlocks.IN_TILE and t.several

        def ahead(number: Value) -> None:
            self.prefetch_next(tile, number)

        def column(j: Value) -> None:
            def sums(pc: Value, start: Value) -> Sums:
                panel = Panel(start, self.weights.stride, pc)
                prefetch = ahead if plan.is_weight_gradient else None
                return self.k_loop.sums(reads, panel, j, zeros, prefetch)

            if not plan.is_weight_gradient and count == t.columns:
                self.prefetch_result(tile, j, several)
            if several:
                self.all_blocks(tile, j, sums)
            elif self.split_k is not None:
                first = self.split_k.at(state.block, self.index(tile, t.extent(0), j))
                self.keep(self.split_k, first, tile, sums(state.pc, state.start))
            else:
                places = [self.index(tile, t.extent(r), j) for r in range(height)]
                t.store_sums(places, sums(state.pc, state.start), state.pc)

        across_panel(t, count, column)

    def all_blocks(self, tile: Tile, j: Value, sums: BlockSums) -> None:
        """All blocks of k of a tile, whose totals stay in the L1 cache meanwhile."""
        t, start = self.t, tile.state.start
        memory = t.local(tile.height * t.columns)

        def block(pc: Value) -> None:
            block_sums = sums(pc, (t.index(start) + t.index(pc) * self.weights.stride).value)
            for r, block_sum in enumerate(block_sums):
                t.add_in(memory, (t.index(j) + (r * t.columns)).value, pc, block_sum)

        def row(r: Value) -> None:
            total = t.load(memory, (t.index(r) * t.columns + j).value)
            t.store_total(self.index(tile, r, j), total, True)

        t.steps(t.p.k, BLOCK, block)
        t.lower.loop(t.extent(0), t.extent(tile.height), row)

    def keep(self, split_k: OrderedSplitK, first: Value, tile: Tile, sums: Sums) -> None:
        """The sums of a block, in memory of its own, where that of the first row is given."""
        t, access, shape = self.t, self.access, self.op.result.shape
        strides = [as_int(product(shape[a + 1 :])) for a in access.rows]
        places = [sum(map(mul, access.row(tile.i0 + r), strides)) for r in range(tile.height)]
        for place, total in zip(places, sums, strict=True):
            at = (t.index(first) + (place - places[0])).value
            t.lower.store(split_k.memory, at, total)

    # Prefetching.

    def prefetch_result(self, tile: Tile, j: Value, loop: bool) -> None:
        """What a whole panel will be stored to: row by row in a loop, which is less code, where k
        is long."""
        t, buffer, height = self.t, self.t.result_buffer(), tile.height
        if buffer is None:
            return

        def row(r: Value) -> None:
            t.prefetch_columns_of(buffer, t.offset(self.index(tile, r, j)))

        if loop:
            t.lower.loop(t.extent(0), t.extent(height), row)
            return
        for r in range(height):
            row(t.extent(r))

    def prefetch_next(self, tile: Tile, number: Value) -> None:
        """The share of run `number` of what the next block reads: the same for all runs of all
        tiles, whole lines."""
        t, lower, access, plan = self.t, self.t.lower, self.access, self.plan
        state, run, axes = tile.state, access.digits[-1], (*plan.outer, *plan.inner)
        strip = ((t.index(tile.first) * access.inner + tile.i0) // tile.height).value
        counts = [access.axes[a].extent for a in axes]
        tiles = -(-access.count // (self.tap_rows if plan.taps > 1 else CONV_TILE_ROWS))
        extents = (access.groups.extent, self.weights.count, *counts, tiles)
        shares = largest(product(extents))
        if not isinstance(run.extent, int) or not isinstance(shares, int):
            return
        runs = BLOCK // run.extent + 1  # of a block, about
        places = [state.places[a] for a in axes]
        strip = t.index(strip).minimum(tiles - 1).value
        turn = lower.linear((state.group, state.q, *places, strip), extents)
        turn = (t.index(turn) * runs + number).value
        following = (t.index(state.pc) + BLOCK).value

        def fetch(buffer: Value, first: Value, size: int) -> None:
            line = max(1, lower.target.line // buffer.dtype.itemsize)
            share = min(size // (line * shares * runs), PREFETCH_LINES_MAX)  # 0 where many share
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
