"""Schedules of contractions: sums of products as tiles of accumulators in registers.

    result[i, j] = 0 + B0 + B1 + ...      Bb = the chain fma(left[i, k], right[k, j], ...) from 0
                                               over the k of block b, in order

Blocks have BLOCK elements of k. So bits depend on the length of k alone, and a schedule may cut i
and j as it likes: into tiles of `rows` x `columns` accumulators that stay in registers while k
runs through a block. What a tile reads is packed before, so that it lies side by side: `left` in
a strip of rows, `right` in panels of as many columns as a tile has. Packing pulls elements, so
transposes and casts of operands cost nothing there; the write-back of a tile, still in the cache,
stores what else the kernel computes of the result.

There are four schedules:

    direct     nothing is packed (direct.py). For what is small.
    panels     one task a panel of columns: packs it, and goes through the rows. For what is
               small, batched or has few rows.
    blocked    the panels of a block of columns are packed once, for all strips of rows; a task is
               a strip. For what is large.
    lines      for one row or one column: nothing is read twice, so only what does not lie along
               the lanes is packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ..core import Value
from ..extent import ceildiv, floordiv, minimum, product
from ..ops.contraction import BLOCK
from ..ops.kernel import ChooseBuffer
from ..types import TensorType
from .direct import SMALL, Direct
from .lines import Dot, Lines
from .packing import Index
from .tiles import Part, Tile, Tiles

COLUMNS_MAX = 512  # of f32 that are packed at once: with BLOCK rows half of a level-2 cache
LARGE_ROWS = 29  # from here on panels are worth packing for all strips
SEVERAL_ROWS = 9  # the same where the choice is between that and packing nothing
ROWS_PACKED = 16  # of right that one thread packs at a time
DIRECT_ROWS = 28  # up to here panels are not worth packing


@dataclass
class Block:
    """The rows of right from pc on, as many as a block has, and some columns of it."""

    outer: Index
    pc: Value
    kc: Value  # rows
    jc: Value  # the first column
    panels: Value


class Schedule(Tiles):
    """Chooses how to go through a contraction, and writes it."""

    def write(self) -> None:
        p = self.p
        if p.m == 0 or p.n == 0 or 0 in p.batch:
            return
        direct = Direct(self)
        if direct.fits:
            direct.write()
            return
        if self.line():
            return
        decided = self.large()
        if decided is not False:
            columns = COLUMNS_MAX * 4 // self.compute.itemsize // self.columns * self.columns
            width = minimum(ceildiv(p.n, self.columns) * self.columns, columns)
            size = BLOCK * width * self.chains.parts
            self.scratch = self.lower.scratch(TensorType(self.part, (size,)))
            self.block = columns
        if decided is None:
            if direct.possible:
                large, small = self.worth_packing(), direct.write
            else:
                large = self.op("greater_equal", self.extent(p.m), LARGE_ROWS)
                small = partial(self.panels, self.choices())
            self.when(large, self.blocked)
            self.when(self.no(large), small)
        elif decided:
            self.blocked()
        elif direct.possible and not isinstance(p.m, int):
            worth = self.worth_packing()
            self.when(worth, lambda: self.panels([self.rows]))
            self.when(self.no(worth), direct.write)
        else:
            self.panels(self.choices())

    def worth_packing(self) -> Value:
        """Whether a product that can be read as it is should be packed."""
        volume = self.extent(product((self.p.m, self.p.n, self.p.k)))
        several = self.op("greater_equal", self.extent(self.p.m), SEVERAL_ROWS)
        return self.both(several, self.op("greater", volume, SMALL))

    def line(self) -> bool:
        """Whether there is one row or one column, and then the schedule for that."""
        p = self.p
        if p.pack is not None:
            return False
        if p.m == 1 and p.n == 1 and p.k != 0:
            if self.several and self.compute.is_floating:
                Dot(self).write()
                return True
            return False
        if p.n == 1 or p.m == 1:
            Lines(self).write()
            return True
        return False

    def large(self) -> bool | None:
        """Whether the blocked schedule is for this problem; None where only run time tells."""
        p = self.p
        if p.batch and not (isinstance(p.m, int) and isinstance(p.n, int) and p.m * p.n > 1 << 16):
            return False
        if isinstance(p.m, int) and p.m < LARGE_ROWS:
            return False
        if isinstance(p.m, int):
            return True
        return None

    def panels(self, heights: Sequence[int]) -> None:
        """Tiles of these heights, as far as they are wanted."""
        p, lower = self.p, self.lower
        self.direct = self.light and isinstance(p.m, int)
        self.heights = [h for h in heights if not isinstance(p.m, int) or self.wanted(h)]
        count = ceildiv(p.n, self.columns)
        direct = None
        if isinstance(p.m, int) and p.right_plain is not None and not self.compute.is_complex:
            direct = self.op("less_equal", self.extent(p.m), DIRECT_ROWS)
            if self.known(direct) is False:
                direct = None

        def task(number: Value) -> None:
            place = lower.unlinear(number, (*p.batch, count))
            outer, j0 = place[:-1], self.mul(place[-1], self.columns)
            cols = self.least(self.columns, self.minus(self.extent(p.n), j0))
            memory = self.local(self.rows * self.columns)
            strip = self.local(self.strip_size)
            packed = self.local(BLOCK * self.panel_width, self.part)

            def block(pc: Value) -> None:
                kc = self.block_length(pc)
                panel, start, distance = packed, self.extent(0), self.extent(self.panel_width)
                if direct is None:
                    self.pack_right(panel, start, outer, pc, kc, j0)
                else:
                    whole = self.op("equal", cols, self.columns)
                    chosen = self.both(direct, whole)
                    self.when(
                        self.no(chosen), lambda: self.pack_right(packed, start, outer, pc, kc, j0)
                    )
                    source = lower.buffer(p.right_plain)
                    panel = lower.emit(ChooseBuffer(chosen, source, packed))
                    at = lower.linear((*outer, pc, j0), (*p.batch, p.k, p.n))
                    distance = self.choose(chosen, self.extent(p.n), distance)
                    start = self.choose(chosen, at, start)

                def strips(i0: Value) -> None:
                    rows = self.least(self.rows, self.minus(self.extent(p.m), i0))

                    tile = Tile(
                        *(outer, i0, j0, rows, cols, pc, kc),
                        *(strip, self.extent(0), panel, start, distance, memory),
                    )

                    def run(height: int) -> None:
                        self.pack_left(strip, outer, i0, height, pc, kc)
                        self.accumulate(tile, height)

                    self.by_height(rows, run)
                    self.write_back(tile)

                if isinstance(p.m, int) and p.m <= self.rows:
                    strips(self.extent(0))
                else:
                    lower.loop(self.extent(0), self.extent(p.m), strips, step=self.rows)

            self.steps(p.k, BLOCK, block)

        tasks = product((*p.batch, count))
        lower.parallel(tasks, self.work(), task)

    @property
    def strip_size(self) -> int:
        return BLOCK * self.step if self.p.left_turned else self.rows * self.row_step

    def blocked(self) -> None:
        p, lower = self.p, self.lower
        self.direct, self.heights = self.light, [self.rows]

        def matrix(outer: Index) -> None:
            def columns(jc: Value) -> None:
                width = self.least(self.block, self.minus(self.extent(p.n), jc))
                panels = self.over(width, self.columns)

                def block(pc: Value) -> None:
                    part = Block(outer, pc, self.block_length(pc), jc, panels)
                    self.pack_panels(part)
                    self.block_strips(part)

                self.steps(p.k, BLOCK, block)

            self.steps(p.n, self.block, columns)

        lower.nest(p.batch, matrix, serial=len(p.batch))

    def block_strips(self, part: Block) -> None:
        """Goes through all rows, in strips that are packed `together`."""
        p, lower, together = self.p, self.lower, self.together
        parts = self.mul(part.panels, together)
        share = self.share(part.kc, parts)

        def task(number: Value) -> None:
            first = self.mul(number, together * self.rows)
            strip = self.local(together * self.strip_size)
            memory = self.local(self.rows * self.columns)
            self.pack_left(strip, part.outer, first, self.rows, part.pc, part.kc, together)

            def one(g: Value) -> None:
                i0 = self.add(first, self.mul(g, self.rows))
                rows = self.least(self.rows, self.minus(self.extent(p.m), i0))

                def panel(q: Value) -> None:
                    j0 = self.add(part.jc, self.mul(q, self.columns))
                    start = self.mul(q, BLOCK * self.panel_width)
                    distance = self.extent(self.panel_width)
                    cols = self.least(self.columns, self.minus(self.extent(p.n), j0))
                    place = self.add(self.mul(g, part.panels), q)
                    following = self.add(first, together * self.rows)
                    tile = Tile(
                        *(part.outer, i0, j0, rows, cols, part.pc, part.kc),
                        *(strip, self.mul(g, self.strip_size)),
                        *(self.scratch, start, distance, memory),
                        Part(following, place, share),
                    )
                    self.accumulate(tile, self.rows)
                    self.write_back(tile)

                lower.loop(self.extent(0), part.panels, panel)

            if together == 1:
                one(self.extent(0))
            else:
                left = self.over(self.minus(self.extent(p.m), first), self.rows)
                lower.loop(self.extent(0), self.least(together, left), one)

        work = p.m * minimum(p.n, self.block) * BLOCK * self.chains.count // (4 * self.lanes)
        lower.parallel(ceildiv(p.m, together * self.rows), work, task)

    def pack_panels(self, part: Block) -> None:
        """All panels of a block, on any threads."""
        width = minimum(self.p.n, self.block)
        work = floordiv(width * (BLOCK * self.compute.itemsize), 8)
        if self.p.right_turned:
            self.spread(part.panels, work, lambda q: self.pack_panel(part, q))
        else:  # row by row: processors foresee what lies side by side
            chunks = self.over(part.kc, ROWS_PACKED)
            self.spread(chunks, work, lambda chunk: self.pack_rows(part, chunk))

    def pack_panel(self, part: Block, q: Value) -> None:
        """Panel q of a block."""
        start = self.mul(q, BLOCK * self.panel_width)
        j0 = self.add(part.jc, self.mul(q, self.columns))
        self.pack_right(self.scratch, start, part.outer, part.pc, part.kc, j0)

    def pack_rows(self, part: Block, chunk: Value) -> None:
        """Some rows of all panels of a block."""
        lower, p = self.lower, self.p
        n = self.extent(p.n)
        k0 = self.mul(chunk, ROWS_PACKED)

        def row(k: Value) -> None:
            def panel(q: Value) -> None:
                j0 = self.add(part.jc, self.mul(q, self.columns))
                start = self.mul(q, BLOCK * self.panel_width)
                place = self.add(start, self.mul(k, self.panel_width))

                def element(j: Value) -> None:
                    column = self.add(j0, j)
                    with lower.where(self.op("less", column, n)):
                        y = p.right(part.outer, self.add(part.pc, k), column)
                    self.store_parts(self.scratch, self.add(place, j), self.columns, y)

                end = self.extent(self.columns)
                lower.loop(self.extent(0), end, element, "lanes", step=self.columns)

            lower.loop(self.extent(0), part.panels, panel)

        lower.loop(k0, self.least(self.add(k0, ROWS_PACKED), part.kc), row)
