"""The schedule of contractions in batches, and of few rows where an operand has to be packed.

for each panel of columns of each product, on any threads:
    for each block of k:
        pack the panel's rows of right
        for each strip of rows: pack it, and add its products to the tile
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core import Value
from ....extent import ceildiv, product
from ....ops.contraction import BLOCK
from .micro_kernel import Tile, Tiles


class PanelTasks(Tiles):
    """Writes it: a task packs one panel, and goes through the rows."""

    def write(self, heights: Sequence[int]) -> None:
        """Tiles of these heights, as far as they are wanted."""
        p, lower = self.p, self.lower
        self.direct = self.light
        self.heights = [h for h in heights if not isinstance(p.m, int) or self.wanted(h)]
        count = ceildiv(p.n, self.columns)

        def task(number: Value) -> None:
            place = lower.unlinear(number, (*p.batch, count))
            outer, j0 = place[:-1], (self.index(place[-1]) * self.columns).value
            cols = self.at_once(self.columns, p.n, j0)
            memory = self.local(self.rows * self.columns)
            strip = self.local(self.strip_size)
            panel = self.local(BLOCK * self.panel_width, self.part)

            def block(pc: Value) -> None:
                kc = self.block_length(pc)
                start = self.extent(0)
                self.pack_right(panel, start, outer, pc, kc, j0)

                def strips(i0: Value) -> None:
                    rows = self.at_once(self.rows, p.m, i0)

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
