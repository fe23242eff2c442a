"""The schedule of contractions that are large: panels of right are packed for all strips of rows.

A tile has few rows, so that what it stores lies in stretches of several lines: rows are often so
far apart that lines of all of them map to few sets of a cache. Where left is transposed it has
many, so that strips are packed in longer stretches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import Value
from ....extent import Extent, ceildiv, floordiv, minimum
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....types import TensorType
from ....value_classes import dataclass
from ...contraction import GemmShape, Problem, register_tile
from .micro_kernel import Part, Tile, Tiles
from .packing import Index

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target

# Rows of right that one thread packs at a time. Not measured: for threads.
PACKING_TASK_ROWS = 16


@dataclass
class Block:
    """The rows of right from pc on, as many as a block has, and some columns of it."""

    outer: Index
    pc: Value
    kc: Value  # rows
    jc: Value  # the first column
    panels: Value


def columns_at_once(shape: GemmShape, target: Target, block: int = BLOCK) -> int:
    """How many columns of right are packed before all rows go by, in half of a core's cache: more
    where k is short."""
    depth = min(shape.k, block) if isinstance(shape.k, int) else block
    return target.l2 // 2 // shape.compute.itemsize // max(depth, 1)


class Panels(Tiles):
    """Panels of right, packed side by side where all threads read them."""

    def reserve(self, count: Extent, depth: Value) -> None:
        """Room for so many panels, of `depth` rows each, or of more and shorter ones."""
        size = count * (self.block * self.panel_width)
        self.scratch = self.lower.scratch(TensorType(self.part, (size,)))
        self.depth = depth

    @property
    def panels_most(self) -> int:
        """How many panels as deep as a block are packed at once."""
        columns = self.lower.target.l2 // 2 // self.block // self.compute.itemsize
        return int(columns // self.columns)

    @property
    def block_size(self) -> Extent:
        """The elements of right that are packed at once."""
        most = self.panels_most * self.columns * self.block
        return minimum(self.p.n * minimum(self.p.k, self.block), most)

    def panel_place(self, q: Value) -> Value:
        """Where in the scratch panel q is."""
        return (self.index(q) * self.depth * self.panel_width).value

    def pack_panels(self, part: Block) -> None:
        """All panels of a block, on any threads."""
        work = floordiv(self.block_size * self.compute.itemsize, 8)
        if self.p.right_transposed:
            self.spread(part.panels, work, lambda q: self.pack_panel(part, q))
        else:  # row by row: processors prefetch what lies side by side
            chunks = self.index(part.kc).ceildiv(PACKING_TASK_ROWS).value
            self.spread(chunks, work, lambda chunk: self.pack_rows(part, chunk))

    def pack_panel(self, part: Block, q: Value) -> None:
        """Panel q of a block."""
        start = self.panel_place(q)
        j0 = (self.index(part.jc) + self.index(q) * self.columns).value
        self.pack_right(self.scratch, start, part.outer, part.pc, part.kc, j0)

    def pack_rows(self, part: Block, chunk: Value) -> None:
        """Some rows of all panels of a block."""
        lower, p = self.lower, self.p
        n = self.extent(p.n)
        k0 = (self.index(chunk) * PACKING_TASK_ROWS).value

        def row(k: Value) -> None:
            def panel(q: Value) -> None:
                j0 = (self.index(part.jc) + self.index(q) * self.columns).value
                place = (self.index(self.panel_place(q)) + self.index(k) * self.panel_width).value

                def element(j: Value) -> None:
                    column = (self.index(j0) + j).value
                    with lower.where((self.index(column) < n).value):
                        y = p.right(part.outer, (self.index(part.pc) + k).value, column)
                    self.store_parts(self.scratch, (self.index(place) + j).value, self.columns, y)

                end = self.extent(self.columns)
                lower.loop(self.extent(0), end, element, LoopKind.SIMD, step=self.columns)

            lower.loop(self.extent(0), part.panels, panel)

        lower.loop(k0, (self.index(k0) + PACKING_TASK_ROWS).minimum(part.kc).value, row)


class Blocked(Panels):
    """Writes it: the panels of a block of columns are packed, then tasks are strips of rows."""

    def __init__(self, lower: GroupBuilder, problem: Problem) -> None:
        super().__init__(lower, problem)
        if lower.target.registers >= 32 and not problem.left_transposed:
            self.shape(register_tile(self.compute, lower.target, rows=6, vectors=4))
        self.direct, self.heights = self.light, [self.rows]

    def write(self) -> None:
        p, lower = self.p, self.lower
        # All k of a block, or as many as there are. Where these are few there are more panels, so
        # that rows of the result are written in long stretches.
        lanes = ceildiv(p.k, self.lanes) * self.lanes
        depth = self.index(self.extent(minimum(lanes, self.block))).maximum(self.lanes).value
        self.reserve(minimum(ceildiv(p.n, self.columns), self.panels_most), depth)
        most = (self.index(self.panels_most * self.block) // depth).value
        every = self.extent(ceildiv(p.n, self.columns))

        def matrix(outer: Index) -> None:
            def columns(number: Value) -> None:
                first = (self.index(number) * most).value
                panels = self.index(most).minimum(self.index(every) - first).value
                jc = (self.index(first) * self.columns).value

                def block(pc: Value) -> None:
                    part = Block(outer, pc, self.block_length(pc), jc, panels)
                    self.pack_panels(part)
                    self.block_strips(part)

                self.steps(p.k, self.block, block)

            blocks = ((self.index(every) + (self.index(most) - 1)) // most).value
            lower.loop(self.extent(0), blocks, columns)

        lower.nest(p.batch, matrix, serial=len(p.batch))

    def block_strips(self, part: Block) -> None:
        """Goes through all rows, in strips that are packed `together`."""
        p, lower, together = self.p, self.lower, self.together
        parts = (self.index(part.panels) * together).value
        share = self.share(part.kc, parts)

        def task(number: Value) -> None:
            first = (self.index(number) * (together * self.rows)).value
            strip = self.local(together * self.strip_size)
            memory = self.local(self.rows * self.columns)
            self.pack_left(strip, part.outer, first, self.rows, part.pc, part.kc, together)

            def one(g: Value) -> None:
                i0 = (self.index(first) + self.index(g) * self.rows).value
                rows = self.at_once(self.rows, p.m, i0)

                def panel(q: Value) -> None:
                    j0 = (self.index(part.jc) + self.index(q) * self.columns).value
                    start = self.panel_place(q)
                    cols = self.at_once(self.columns, p.n, j0)
                    place = (self.index(g) * part.panels + q).value
                    following = (self.index(first) + (together * self.rows)).value
                    tile = Tile(
                        *(part.outer, i0, j0, rows, cols, part.pc, part.kc),
                        *(strip, (self.index(g) * self.strip_size).value),
                        *(self.scratch, start, memory),
                        Part(following, place, share),
                    )
                    self.accumulate(tile, self.rows)
                    self.write_back(tile)

                lower.loop(self.extent(0), part.panels, panel)

            if together == 1:
                one(self.extent(0))
            else:
                left = (self.index(p.m) - first).ceildiv(self.rows).value
                lower.loop(self.extent(0), self.index(together).minimum(left).value, one)

        work = p.m * self.block_size * self.chains.count // (4 * self.lanes)
        lower.parallel(ceildiv(p.m, together * self.rows), work, task)
