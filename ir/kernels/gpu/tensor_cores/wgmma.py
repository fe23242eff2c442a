"""The schedule of contractions on tensor cores that read shared memory themselves (Hopper's wgmma).

As in mma.py, but for what a step of k is multiplied by: each of the two warpgroups of a block
has 64 rows of the tile, and multiplies them by all of its columns at once, with no fragments in
registers. Both operands have to be copied, in groups of neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core import Value
from ...contraction import GemmShape
from ...ops import WARP
from ...plan.reasons import Mismatch
from ..pipeline import COPY_STAGES, Copied
from ..simt.gemm import tile_sides
from ..simt.shared_operands import GEMM_TEAM, OperandMemory
from ..warpgroups import (
    PANEL_ELEMENTS,
    SWIZZLED_ELEMENTS,
    WGMMA_ROWS,
    WGMMA_STEP_K,
    FenceTiles,
    MultiplyTiles,
)
from .mma import TensorTiling

# Threads of a warpgroup.
WARPGROUP_THREADS = 4 * WARP
# Rows of a tile: what the warpgroups of a block multiply.
WARPGROUP_TILE_ROWS = WGMMA_ROWS * GEMM_TEAM // WARPGROUP_THREADS
# Columns of a tile, at least: a panel of an operand that lies along them. Not measured: it never
# ran on a GPU.
WGMMA_COLUMNS_MIN = 64


def misfit(operands: OperandMemory) -> Mismatch | None:
    """Why warpgroups do not multiply the operands; None where both can be copied in groups, k is
    worth it, and tiles are large."""
    shape = operands.shape
    if isinstance(shape.k, int) and shape.k < COPY_STAGES * WGMMA_STEP_K:
        return Mismatch("{} products are few (below {})", shape.k, COPY_STAGES * WGMMA_STEP_K)
    for number, which in enumerate(("left", "right")):
        if operands.grouped(number, SWIZZLED_ELEMENTS) is None:
            return Mismatch("its {} operand is not copied in groups of elements", which)
    rows, columns = WarpgroupTiling.sides(shape)
    sides = ((rows, WARPGROUP_TILE_ROWS, shape.m), (columns, WGMMA_COLUMNS_MIN, shape.n))
    for (side, least, extent), of in zip(sides, ("rows", "columns"), strict=True):
        if isinstance(extent, int) and extent < least:
            return Mismatch("{} {} fill no tile (below {})", extent, of, least)
        if side < least:
            return Mismatch("tiles of {} {} keep more processors busy", side, of)
    return None


class WarpgroupTiling(TensorTiling):
    """Writes the kernel of one contraction that `fits`."""

    def arrange(self) -> None:
        self.depth, self.group = WGMMA_STEP_K, SWIZZLED_ELEMENTS
        self.kept = [self.dtype] * 2
        self.lengths = [self.depth if along_k else side for side, along_k in self.lines]
        self.sizes = [side * self.depth for side, _ in self.lines]
        self.count = self.columns // 2
        self.stages = Copied(self)

    @staticmethod
    def sides(shape: GemmShape) -> tuple[int, int]:
        """As of other tiles; where sizes are not known, as low as can be."""
        known = all(isinstance(extent, int) for extent in (*shape.batch, shape.m, shape.n))
        return tile_sides(shape) if known else (WARPGROUP_TILE_ROWS, WGMMA_COLUMNS_MIN)

    def take_places(self, thread: Value) -> None:
        self.lane = (self.index(thread) % WARP).value
        warp = (self.index(thread) // WARP).value
        self.warp = (self.index(warp) % (WARPGROUP_THREADS // WARP)).value
        self.number = (self.index(thread) // WARPGROUP_THREADS).value  # of the warpgroup

    def arrived(self) -> None:
        self.lower.b.emit_all(FenceTiles())

    def line_at(self, number: int, stage: Value, line: Value, place: Value) -> Value:
        side, along_k = self.lines[number]
        lines = side if along_k else self.depth
        group = (
            self.index(place) // SWIZZLED_ELEMENTS % (PANEL_ELEMENTS // SWIZZLED_ELEMENTS)
        ).value
        swizzled = (
            self.index(group) ^ self.index(line) % (PANEL_ELEMENTS // SWIZZLED_ELEMENTS)
        ).value
        at = (self.index(line) * PANEL_ELEMENTS + self.index(swizzled) * SWIZZLED_ELEMENTS).value
        panel = (self.index(place) // PANEL_ELEMENTS * (lines * PANEL_ELEMENTS)).value
        return (self.index(stage) * self.sizes[number] + (self.index(panel) + at)).value

    def multiplied(self, stage: Value, sums: Sequence[Value]) -> list[Value]:
        left = (
            self.index(stage) * self.sizes[0] + self.index(self.number) * (WGMMA_ROWS * self.depth)
        ).value
        right = (self.index(stage) * self.sizes[1]).value
        transposed = [not along_k for _, along_k in self.lines]
        return list(
            self.lower.b.emit_all(
                MultiplyTiles(
                    self.memory[0], left, self.memory[1], right, tuple(sums), self.kind, *transposed
                )
            )
        )

    def places_of(self, e: Value) -> tuple[Value, Value]:
        row, column = self.in_square(e)
        warp = (
            self.index(self.number) * WGMMA_ROWS + self.index(self.warp) * (WGMMA_ROWS // 4)
        ).value
        i = (self.index(self.i0) + warp + row).value
        return i, (self.index(self.j0) + self.index(e) // 4 * 8 + column).value
