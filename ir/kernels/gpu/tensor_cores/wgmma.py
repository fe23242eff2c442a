"""The schedule of contractions on tensor cores that read shared memory themselves (Hopper's wgmma).

As in mma.py, but for what a step of k is multiplied by: each of the two warpgroups of a block
has 64 rows of the tile, and multiplies them by all of its columns at once, with no fragments in
registers. Both operands have to be copied, in groups of neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....core import Value
from ...ops import WARP
from ..pipeline import Copied
from ..simt.shared_operands import TEAM
from ..warpgroups import DEPTH, GROUP, PANEL, ROWS, FenceTiles, MultiplyTiles
from .mma import TensorTiling

GROUP_THREADS = 4 * WARP  # of a warpgroup
HEIGHT = ROWS * TEAM // GROUP_THREADS  # of a tile
NARROW = 64  # columns of a tile, at least


class WarpgroupTiling(TensorTiling):
    """Writes the kernel of one contraction, if it `suits`."""

    def arrange(self) -> None:
        self.depth, self.group = DEPTH, GROUP
        self.kept = [self.dtype] * 2
        self.lengths = [self.depth if along_k else side for side, along_k in self.lines]
        self.sizes = [side * self.depth for side, _ in self.lines]
        self.count = self.columns // 2
        self.stages = Copied(self)

    def sides(self) -> tuple[int, int]:
        """As other tiles; where sizes are not known, as low as can be."""
        p = self.p
        known = all(isinstance(extent, int) for extent in (*p.batch, p.m, p.n))
        return super().sides() if known else (HEIGHT, NARROW)

    def suits(self) -> bool:
        """Whether warpgroups may do it, both operands can be copied in groups, and tiles are
        large."""
        if not self.lower.target.warpgroups or self.kind == "tf32" or self.copied() is None:
            return False
        sides = ((self.rows, HEIGHT, self.p.m), (self.columns, NARROW, self.p.n))
        return all(
            side >= least and not (isinstance(extent, int) and extent < least)
            for side, least, extent in sides
        )

    def take_places(self, thread: Value) -> None:
        self.lane = self.op("floor_mod", thread, WARP)
        warp = self.op("floor_div", thread, WARP)
        self.warp = self.op("floor_mod", warp, GROUP_THREADS // WARP)
        self.number = self.op("floor_div", thread, GROUP_THREADS)  # of the warpgroup

    def arrived(self) -> None:
        self.lower.b.emit_all(FenceTiles())

    def line_at(self, number: int, stage: Value, line: Value, place: Value) -> Value:
        side, along_k = self.lines[number]
        lines = side if along_k else self.depth
        group = self.op("floor_mod", self.op("floor_div", place, GROUP), PANEL // GROUP)
        swizzled = self.op("bitwise_xor", group, self.op("floor_mod", line, PANEL // GROUP))
        at = self.add(self.mul(line, PANEL), self.mul(swizzled, GROUP))
        panel = self.mul(self.op("floor_div", place, PANEL), lines * PANEL)
        return self.add(self.mul(stage, self.sizes[number]), self.add(panel, at))

    def multiplied(self, stage: Value, sums: Sequence[Value]) -> list[Value]:
        left = self.add(self.mul(stage, self.sizes[0]), self.mul(self.number, ROWS * self.depth))
        right = self.mul(stage, self.sizes[1])
        turned = [not along_k for _, along_k in self.lines]
        return list(
            self.lower.b.emit_all(
                MultiplyTiles(
                    self.memory[0], left, self.memory[1], right, tuple(sums), self.kind, *turned
                )
            )
        )

    def places_of(self, e: Value) -> tuple[Value, Value]:
        row, column = self.in_square(e)
        warp = self.add(self.mul(self.number, ROWS), self.mul(self.warp, ROWS // 4))
        i = self.add(self.add(self.i0, warp), row)
        return i, self.add(self.add(self.j0, self.mul(self.op("floor_div", e, 4), 8)), column)
