"""Tiles: a few rows and columns of a contraction's result, in registers while k runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....core import Value
from ....kernel_op import LoopKind
from ....ops.elementwise import Add
from ....value_classes import dataclass
from ...ops import Prefetch
from .packing import Index, Packer

# Products of a chain from where a tile is to what it prefetches. matmul 1024: 1.00 of the time
# with 4, 1.02 with 16.
PREFETCH_K = 8
# Products of a chain between two prefetches of other memory. matmul 1024: 0.99 of the time with
# 32, 1.02 with 128.
PREFETCH_INTERVAL_K = 64


@dataclass
class Part:
    """A part of what the next strips will be packed from: one of so many shares."""

    i0: Value  # their first row
    number: Value
    share: Value  # lines of each row, or rows of k where left is transposed


@dataclass
class Tile:
    """A tile of the result: where it is, and what it is the product of."""

    outer: Index
    i0: Value
    j0: Value
    rows: Value  # of the result; a tile may compute more
    cols: Value
    pc: Value  # the first k of the block
    kc: Value
    strip: Value
    strip_start: Value
    panel: Value
    start: Value  # of the panel
    memory: Value
    ahead: Part | None = None


class Tiles(Packer):
    """Writes tiles: their sums, and what becomes of these."""

    def accumulate(self, tile: Tile, height: int) -> None:
        """The products of the tile's strip and panel, with `height` rows; a whole tile goes from
        registers to where it belongs, others go to memory of their own first."""
        width = self.last_width
        if width == self.columns:
            self.multiply(tile, height, width)
            return
        few = (self.index(tile.cols) <= width).value
        self.when(few, lambda: self.multiply(tile, height, width))
        self.when(~self.index(few), lambda: self.multiply(tile, height, self.columns))

    @property
    def last_width(self) -> int:
        """How many columns are computed of the last panel, a power of two of registers; where
        nobody knows n, if that has no more."""
        if not isinstance(self.p.n, int):
            return max(self.columns // 2, 2 * self.lanes // self.chains.parts)
        width, rest = self.lanes, self.p.n % self.columns or self.columns
        while width < rest:
            width *= 2
        return width

    def multiply(self, tile: Tile, height: int, width: int, at_once: int | None = None) -> None:
        """`accumulate` for that many columns, all of them `at_once` or so many."""
        lower, chains = self.lower, self.chains
        at_once = at_once or width

        def columns(j: Value) -> None:
            at = (self.index(tile.start) + j).value

            def step(k: Value, sums: Index) -> Sequence[Value]:
                here = (self.index(at) + self.index(k) * self.panel_width).value
                y = tuple(
                    self.load(tile.panel, (self.index(here) + (number * self.columns)).value)
                    for number in range(chains.parts)
                )
                ahead = (self.index(here) + (self.panel_width * PREFETCH_K)).value
                for number in range(chains.parts):
                    for line in range(0, at_once, lower.target.line // self.part.itemsize):
                        later = (self.index(ahead) + (number * self.columns + line)).value
                        lower.b.emit_all(Prefetch(tile.panel, later, "load"))
                place = (self.index(tile.strip_start) + self.index(k) * self.step).value
                if self.p.left_transposed:
                    following = (self.index(place) + (PREFETCH_K * self.step)).value
                    lower.b.emit_all(Prefetch(tile.strip, following, "load"))
                found = []
                for r in range(height):
                    x = self.load(tile.strip, (self.index(place) + (r * self.row_step)).value)
                    of_row = sums[r * chains.count : (r + 1) * chains.count]
                    found += chains.add(chains.parts_of(x), y, of_row)
                return found

            def leg(low: Value, sums: Index) -> Sequence[Value]:
                high = (self.index(low) + PREFETCH_INTERVAL_K).minimum(tile.kc).value
                self.prefetch_next(tile, height, low, self.index(high).equal(tile.kc).value)
                return lower.carry(low, high, sums, step)

            start = self.start(tile, j) * height
            found = lower.carry(self.extent(0), tile.kc, start, leg, PREFETCH_INTERVAL_K)
            sums = chains.totals(found)
            if not self.direct or width < self.columns:
                self.spill(tile, j, sums)
                return
            whole = self.whole(tile)
            self.when(whole, lambda: self.store_rows(tile, j, sums))
            self.when(~self.index(whole), lambda: self.spill(tile, j, sums))

        def some(j0: Value) -> None:
            end = (self.index(j0) + at_once).value
            lower.loop(j0, end, columns, LoopKind.SIMD, step=at_once)

        if at_once == width:
            lower.loop(self.extent(0), self.extent(width), columns, LoopKind.SIMD, step=width)
        else:
            lower.loop(self.extent(0), self.extent(width), some, step=at_once)

    def start(self, tile: Tile, j: Value) -> tuple[Value, ...]:
        """What the chains of an element in column j of a tile begin with."""
        return self.chains.start

    def whole(self, tile: Tile) -> Value:
        """Whether all that the tile computes is in the result, so that it is stored at once."""
        columns = self.index(tile.cols).equal(self.columns).value
        rows = [self.index(tile.rows).equal(h).value for h in self.heights]
        some = rows[0]
        for other in rows[1:]:
            some = (self.index(some) | other).value
        return (self.index(columns) & some).value

    def share(self, kc: Value, panels: Value) -> Value:
        """What `Part` calls a share, where each of so many panels has one."""
        total = kc if self.p.left_transposed else self.index(kc).ceildiv(self.line_length).value
        return ((self.index(total) + (self.index(panels) - 1)) // panels).value

    @property
    def line_length(self) -> int:
        """Elements that come from memory together."""
        return max(1, int(self.lower.target.line) // self.compute.itemsize)

    def prefetch_next(self, tile: Tile, height: int, k: Value, last: Value) -> None:
        """Prefetch what will be needed soon: what the tile will be stored to, and a part of
        what the next strips are packed from. The leg from k on prefetches its share of both,
        because a processor waits for few lines at a time."""
        share = -(-self.rows * PREFETCH_INTERVAL_K // self.block)
        leg = (self.index(k) // PREFETCH_INTERVAL_K).value
        low = (self.index(leg) * share).value
        high = (
            self.index(last)
            .select(self.extent(height), (self.index(low) + share).minimum(height))
            .value
        )
        if self.direct:
            self.prefetch_result(tile, low, high)
        if tile.ahead is not None and self.p.left_source is not None:
            if self.p.left_transposed:
                self.prefetch_columns(tile, tile.ahead, leg)
            else:
                self.prefetch_rows(tile, tile.ahead, low, high)

    def prefetch_result(self, tile: Tile, low: Value, high: Value) -> None:
        """The rows from low to high of a tile."""
        lower = self.lower
        buffer = self.sums if self.several else next(iter(lower.outputs.values()))

        def row(r: Value) -> None:
            index = (*tile.outer, (self.index(tile.i0) + r).value, tile.j0)
            self.prefetch_columns_of(buffer, self.offset(index))

        lower.loop(low, high, row)

    def prefetch_columns_of(self, buffer: Value, at: Value) -> None:
        """What a row of a tile is stored to, from its first column on."""
        line = max(1, self.lower.target.line // buffer.dtype.itemsize)
        for j in range(0, self.columns, line):
            self.lower.b.emit_all(Prefetch(buffer, (self.index(at) + j).value, "store"))

    def result_buffer(self) -> Value | None:
        """What the result is stored to, where it lies there as it is computed."""
        shape = self.p.result.shape
        return next((b for b in self.lower.outputs.values() if b.shape == shape), None)

    def prefetch_rows(self, tile: Tile, part: Part, low: Value, high: Value) -> None:
        """A part of the rows from low to high of the next strip of left."""
        p, lower, source = self.p, self.lower, self.p.left_source
        assert source is not None
        first = (self.index(part.number) * part.share).value

        def row(r: Value) -> None:
            def prefetch(line: Value) -> None:
                k = (self.index(tile.pc) + self.index(line) * self.line_length).value
                at = lower.linear((*tile.outer, i, k), (*p.batch, p.m, p.k))
                lower.b.emit_all(Prefetch(lower.buffer(source), at, "later"))

            i = (self.index(part.i0) + r).minimum(self.index(p.m) - 1).value
            lower.loop(first, (self.index(first) + part.share).value, prefetch)

        lower.loop(low, high, row)

    def prefetch_columns(self, tile: Tile, part: Part, leg: Value) -> None:
        """The same where left lies along i: the lines that some strips begin and end in."""
        p, lower, source = self.p, self.lower, self.p.left_source
        assert source is not None
        share = self.index(part.share).ceildiv(self.block // PREFETCH_INTERVAL_K).value
        first = (self.index(part.number) * part.share + self.index(leg) * share).value
        last = (self.index(p.m) - 1).value
        width = self.together * self.rows
        ends = [*range(0, width - 1, self.line_length), width - 1]

        def prefetch(k: Value) -> None:
            for end in ends[-self.together :]:
                i = (self.index(part.i0) + end).minimum(last).value
                at = lower.linear(
                    (*tile.outer, (self.index(tile.pc) + k).value, i), (*p.batch, p.k, p.m)
                )
                lower.b.emit_all(Prefetch(lower.buffer(source), at, "later"))

        lower.loop(first, (self.index(first) + share).minimum(tile.kc).value, prefetch)

    def spill(self, tile: Tile, j: Value, sums: Sequence[Value]) -> None:
        for r, total in enumerate(sums):
            self.lower.store(tile.memory, (self.index(j) + (r * self.columns)).value, total)

    def store_rows(self, tile: Tile, j: Value, sums: Sequence[Value]) -> None:
        """The rows of a whole tile, at column j of it."""
        column = (self.index(tile.j0) + j).value
        places = [(*tile.outer, (self.index(tile.i0) + r).value, column) for r in range(len(sums))]
        self.store_sums(places, sums, tile.pc)

    def store_sums(self, places: Sequence[Index], sums: Sequence[Value], pc: Value) -> None:
        """The sums of a block, added to those before it. All loads come before all stores, which
        processors may take for stores to the same places (rows are often a page apart)."""
        totals = [self.total(at, pc, x) for at, x in zip(places, sums, strict=True)]

        def store(last: bool) -> None:
            for at, total in zip(places, totals, strict=True):
                self.store_total(at, total, last)

        self.finish(pc, store)

    def total(self, index: Index, pc: Value, block: Value) -> Value:
        """The sum of a block added to those of the blocks before it."""
        lower = self.lower
        before = lower.b.constant(0, self.compute)
        if self.several:
            mask = (self.index(pc) > 0).value
            inside = self.inside(index)
            if inside is not None:
                mask = (self.index(mask) & inside).value
            before = self.load(self.sums, self.offset(index), mask)
        return lower.emit(Add(before, block))

    def add_in(self, memory: Value, at: Value, pc: Value, block: Value) -> None:
        """Add the sum of a block to those of the blocks before it in memory of a task's own."""
        lower = self.lower
        before = lower.b.constant(0, self.compute)
        if self.several:
            before = self.load(memory, at, (self.index(pc) > 0).value)
        lower.store(memory, at, lower.emit(Add(before, block)))

    def store_total(self, index: Index, total: Value, last: bool) -> None:
        """Keep the sum so far; after the last block, store what the kernel computes of it."""
        inside = self.inside(index)
        if inside is None:
            self.store_inside(index, total, last)
        else:
            self.when(inside, lambda: self.store_inside(index, total, last))

    def store_inside(self, index: Index, total: Value, last: bool) -> None:
        lower, result = self.lower, self.p.result
        offset = self.offset(index)
        if not last:
            lower.store(self.sums, offset, total)
            return
        index = self.index_of(index)
        lower.define(result, index, lower.cast(total, result.dtype))
        with lower.at_offset(index, offset, self.p.result.shape):
            lower.store_roots(index)

    def index_of(self, index: Index) -> Index:
        """The index in the result of (batch index, i, j)."""
        if self.p.place is not None:
            return (*self.p.place(index[:-2], index[-2])[0], index[-1])
        if self.p.rows is not None:
            return (*self.lower.unlinear(index[0], self.p.rows), index[1])
        return index

    def complete(self, index: Index, total: Value) -> None:
        """Compute what the kernel stores of a sum, before anything is stored."""
        lower, offset = self.lower, self.offset(index)
        index = self.index_of(index)
        lower.define(self.p.result, index, lower.cast(total, self.p.result.dtype))
        with lower.at_offset(index, offset, self.p.result.shape):
            for root in lower.group.roots:
                lower.element(root, index)

    def offset(self, index: Index) -> Value:
        """The place in memory of (batch index, i, j)."""
        p = self.p
        if p.place is not None:
            place, _ = p.place(index[:-2], index[-2])
            return self.lower.linear((*place, index[-1]), p.result.shape)
        return self.lower.linear(index, (*p.batch, p.m, p.n))

    def inside(self, index: Index) -> Value | None:
        """Whether (batch index, i, j) is in the result; None where it always is."""
        place = self.p.place
        return place(index[:-2], index[-2])[1] if place is not None else None

    def finish(self, pc: Value, fill: Callable[[bool], None]) -> None:
        """`fill` for blocks before the last and for the last; once for both where they store the
        same."""
        if not self.several or self.plain:
            fill(True)
            return
        rest = (self.index(self.p.k) - pc).value
        self.when((self.index(rest) > self.block).value, lambda: fill(False))
        self.when((self.index(rest) <= self.block).value, lambda: fill(True))

    def write_back(self, tile: Tile) -> None:
        """Store what is in the tile's own memory, if anything is."""
        lower = self.lower

        def each(last: bool) -> None:
            def row(r: Value) -> None:
                i = (self.index(tile.i0) + r).value
                self.offset((*tile.outer, i, tile.j0))
                place = (self.index(r) * self.columns - tile.j0).value

                def element(j: Value) -> None:
                    block = self.load(tile.memory, (self.index(place) + j).value)
                    index = (*tile.outer, i, j)
                    self.store_total(index, self.total(index, tile.pc, block), last)

                end = (self.index(tile.j0) + tile.cols).value
                lower.loop(tile.j0, end, element, LoopKind.VECTOR, step=2)

            lower.loop(self.extent(0), tile.rows, row)

        if self.direct:
            self.when(~self.index(self.whole(tile)), lambda: self.finish(tile.pc, each))
        else:
            self.finish(tile.pc, each)

    def by_height(self, rows: Value, fill: Callable[[int], None]) -> None:
        """`fill` for the least height of a tile that has so many rows."""
        heights = sorted(self.heights)
        for below, height in zip([0, *heights], heights, strict=False):
            condition = (self.index(rows) > below).value
            if height != heights[-1]:
                fits = (self.index(rows) <= height).value
                condition = (self.index(condition) & fits).value
            if len(heights) == 1:
                fill(height)
            else:
                self.when(condition, lambda h=height: fill(h))  # type: ignore[misc]
