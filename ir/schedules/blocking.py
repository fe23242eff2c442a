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
               a strip (blocked.py). For what is large.
    lines      for one row or one column: nothing is read twice, so only what does not lie along
               the lanes is packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..core import Value
from ..extent import ceildiv, product
from ..ops.contraction import BLOCK
from ..ops.kernel import ChooseBuffer
from .blocked import Blocked
from .direct import SMALL, Direct
from .lines import Dot, Lines
from .tiles import Tile, Tiles

LARGE_ROWS = 29  # from here on panels are worth packing for all strips
SEVERAL_ROWS = 9  # the same where the choice is between that and packing nothing
DIRECT_ROWS = 28  # up to here panels are not worth packing


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
        if decided is None:
            if direct.possible:
                large, small = self.worth_packing(), direct.write
            else:
                large = self.op("greater_equal", self.extent(p.m), LARGE_ROWS)
                small = partial(self.panels, self.choices())
            self.when(large, Blocked(self.lower, p).write)
            self.when(self.no(large), small)
        elif decided:
            Blocked(self.lower, p).write()
        elif direct.possible and not isinstance(p.m, int):
            worth = self.worth_packing()
            self.when(worth, lambda: self.panels([self.rows]))
            self.when(self.no(worth), direct.write)
        else:
            self.panels(self.choices())

    def worth_packing(self) -> Value:
        """Whether a product that can be read as it is should be packed: a right operand that is
        computed is so for each strip of rows, else."""
        volume = self.extent(product((self.p.m, self.p.n, self.p.k)))
        several = self.op("greater_equal", self.extent(self.p.m), SEVERAL_ROWS)
        if self.p.right_computed:
            return several
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
        self.direct = self.light
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
