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

    direct     nothing is packed (unpacked.py). For what is small, and for few rows.
    panels     one task a panel of columns: packs it, and goes through the rows. For batches, and
               for few rows where an operand has to be packed.
    blocked    the panels of a block of columns are packed once, for all strips of rows; a task is
               a strip (blocked.py). For what is large.
    lines      for one row or one column: nothing is read twice, so only what does not lie along
               the lanes is packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....core import Value
from ....extent import ceildiv, product
from ....ops.contraction import BLOCK
from .blocked import Blocked
from .gemv import Dot, Lines
from .micro_kernel import Tile, Tiles
from .unpacked import SMALL, Direct

LARGE_ROWS = 33  # from here on right is worth packing for all strips
COMPUTED_ROWS = 9  # the same where it would be computed by each strip of rows


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
        if self.few() and direct.possible:
            direct.write()
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
        m, volume = self.extent(self.p.m), product((self.p.m, self.p.n, self.p.k))
        if self.p.right_computed:
            return self.op("greater_equal", m, COMPUTED_ROWS)
        several = self.op("greater_equal", m, LARGE_ROWS)
        return self.both(several, self.op("greater", self.extent(volume), SMALL))

    def few(self) -> bool:
        """Whether rows are known to be so few that right is not worth packing."""
        m = self.p.m
        return isinstance(m, int) and m < (COMPUTED_ROWS if self.p.right_computed else LARGE_ROWS)

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

        def task(number: Value) -> None:
            place = lower.unlinear(number, (*p.batch, count))
            outer, j0 = place[:-1], self.mul(place[-1], self.columns)
            cols = self.least(self.columns, self.minus(self.extent(p.n), j0))
            memory = self.local(self.rows * self.columns)
            strip = self.local(self.strip_size)
            panel = self.local(BLOCK * self.panel_width, self.part)

            def block(pc: Value) -> None:
                kc = self.block_length(pc)
                start = self.extent(0)
                self.pack_right(panel, start, outer, pc, kc, j0)

                def strips(i0: Value) -> None:
                    rows = self.least(self.rows, self.minus(self.extent(p.m), i0))

                    tile = Tile(
                        *(outer, i0, j0, rows, cols, pc, kc),
                        *(strip, self.extent(0), panel, start, memory),
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
