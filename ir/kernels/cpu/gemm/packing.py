"""Packing: what tiles read is copied first, so that it lies side by side (see choice.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ....core import Value, once
from ....dtypes import DType
from ....element_builder import Index
from ....extent import Extent, largest, remainder
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....types import INDEX
from ...accumulators import AccumulatorChains
from ...contraction import Problem, RegisterTile, register_tile
from ...ops import Local, Parallel, TransposeTile
from ...writer import Writer

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

Number = Value | int

# Elements between the rows of a strip, so that they do not map to the same sets of a cache.
# matmul 512 x^T y: 1.01 of the time with 0, 1.01 with 32.
STRIP_PAD_ELEMENTS = 16
# Strips of a transposed left that are packed at once, in longer stretches. matmul 512 x^T y: 1.05
# of the time with 1, 1.00 with 8.
TRANSPOSED_STRIPS = 4
# Scalar operations of an epilogue that is written out for each row of a tile. gelu(x @ y),
# 1024x256 by 256x256: 1.01 of the time with 0, 1.01 with 64.
LIGHT_EPILOGUE_OPERATIONS = 4


class Packer(Writer):
    """Scalars, memory and packing of one contraction, written through `lower` (see
    ir/kernels/lower.py)."""

    block: ClassVar[int] = BLOCK  # what is along k, and summed up before it is added to the rest

    def __init__(self, lower: GroupBuilder, problem: Problem) -> None:
        super().__init__(lower)
        self.p = problem
        self.compute: DType = problem.result.dtype.compute
        target = lower.target
        self.chains = AccumulatorChains(self, self.compute)
        self.part = self.chains.part
        self.row_step = 1 if problem.left_transposed else self.block + STRIP_PAD_ELEMENTS
        self.shape(register_tile(self.compute, target))
        depth = largest(problem.k)
        self.several = not isinstance(depth, int) or depth > self.block
        self.plain = lower.group.roots == [problem.result] and (
            problem.result.dtype is self.compute
        )
        self.light = lower.plan.epilogue_cost(lower.group) <= LIGHT_EPILOGUE_OPERATIONS
        self.direct = True  # whether whole tiles are stored from registers
        self.heights: list[int] = []

    def shape(self, tile: RegisterTile) -> None:
        """Tiles get this shape."""
        self.rows, self.columns, self.lanes = tile
        self.panel_width = self.columns * self.chains.parts  # elements of a row of a panel
        self.step = self.rows if self.p.left_transposed else 1  # from one k to the next in a strip

    @property
    def strip_size(self) -> int:
        """The elements of a strip."""
        return self.block * self.step if self.p.left_transposed else self.rows * self.row_step

    @once
    def sums(self) -> Value:
        """Where sums are kept between blocks, if there are several."""
        return self.lower.sums_buffer(self.p.result)

    @property
    def together(self) -> int:
        """How many strips are packed at once: where left is transposed, so many that lines of
        memory are read whole, as long as that leaves enough tasks for threads."""
        if not self.p.left_transposed:
            return 1
        if isinstance(self.p.m, int):
            return max(1, min(TRANSPOSED_STRIPS, self.p.m // (self.lower.target.tasks * self.rows)))
        return TRANSPOSED_STRIPS

    def wanted(self, height: int) -> bool:
        """Whether tiles of this height occur among the problem's rows, whose number is known."""
        assert isinstance(self.p.m, int)
        whole, rest = divmod(self.p.m, self.rows)
        return (whole > 0 and height == self.rows) or (rest > 0 and height == self.height(rest))

    def height(self, rows: int) -> int:
        """The height of the tile that computes so many rows."""
        return min(h for h in self.choices() if h >= rows)

    def choices(self) -> tuple[int, ...]:
        """The heights that tiles may have."""
        third = self.rows // 3
        if not isinstance(self.p.m, int):  # less code
            return (self.rows, third)
        return (self.rows, 2 * third, third)

    # Scalars. Ints stand for constants (see `Writer`).

    def over(self, x: Number, y: int) -> Value:
        """x / y, rounded up; neither is negative."""
        return ((self.index(x) + (y - 1)) // y).value

    def no(self, x: Value) -> Value:
        return (self.index(x) ^ self.lower.b.constant(True, x.dtype)).value

    def spread(self, count: Value, work: Extent, fill: Callable[[Value], None]) -> None:
        """`lower.parallel` for a count that is a scalar of the kernel."""

        def body(params: Index) -> Index:
            fill(params[0])
            return ()

        lower = self.lower
        if not lower.target.is_worth(work):
            lower.loop(self.extent(0), count, fill)
            return
        region = lower.region("body", (INDEX,), body)
        lower.b.emit_all(Parallel(count, self.extent(work), region))

    def steps(self, total: Extent, step: int, fill: Callable[[Value], None]) -> None:
        """`fill` for 0, step, ... below total; once even where total is 0."""
        most = largest(total)
        if isinstance(most, int) and most <= step:
            fill(self.extent(0))
            return
        high = self.index(total).maximum(1).value
        self.lower.loop(self.extent(0), high, fill, step=step)

    def work(self, depth: Extent | None = None) -> Extent:
        """About how many nanoseconds it takes, or so much of k does: see `GemmShape.cost`."""
        return self.p.cost(self.lower.target, depth)

    def block_length(self, pc: Value) -> Value:
        if not self.several:
            return self.extent(self.p.k)
        if isinstance(self.p.k, int):
            return self.at_once(self.block, self.p.k, pc)
        return self.index(self.block).minimum(self.index(self.p.k) - pc).value  # k may be 0

    def at_once(self, most: int, total: Extent, first: Value) -> Value:
        """How many of `total`, of which there are some, come with number `first`: steps of `most`,
        the last of which may be shorter."""
        if remainder(total, most) == 0:
            return self.extent(most)
        return self.index(most).minimum(self.index(total) - first).value

    # Memory.

    def local(self, size: int, dtype: DType | None = None) -> Value:
        buffer: Value = self.lower.b.emit(Local(dtype or self.compute, (size,)))
        return buffer

    def load(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        return self.lower.load(buffer, offset, mask)

    def store_parts(self, buffer: Value, offset: Value, distance: int, value: Value) -> None:
        """Store a number; the parts of a complex one so many elements apart."""
        for number, part in enumerate(self.chains.parts_of(value)):
            self.lower.store(buffer, (self.index(offset) + (number * distance)).value, part)

    # Packing.

    def pack_left(
        self,
        strip: Value,
        outer: Index,
        i0: Value,
        height: int,
        pc: Value,
        kc: Value,
        together: int = 1,
    ) -> None:
        """Rows i0, ... of left, as many as a tile has, into the strip; behind the last row
        anything that is a row. If left is transposed, also so many strips `together`."""
        lower, p = self.lower, self.p
        if p.pack is not None:
            p.pack(self, strip, outer, i0, height, pc, kc)
            return
        last = (self.index(p.m) - 1).value
        if p.left_transposed:

            def column(k: Value) -> None:
                def element(r: Value, first: int) -> None:
                    i = (self.index(i0) + (self.index(r) + (first * height))).value
                    with lower.where((self.index(i) <= last).value):
                        x = p.left(outer, i, (self.index(pc) + k).value)
                    place = (self.index(k) * self.step + (first * self.block * self.step)).value
                    lower.store(strip, (self.index(place) + r).value, x)

                for first in range(together):
                    fill = partial(element, first=first)
                    lower.loop(self.extent(0), self.extent(height), fill, LoopKind.VECTOR)

            lower.loop(self.extent(0), kc, column)
            return

        def row(r: Value) -> None:
            i = (self.index(i0) + r).minimum(last).value
            place = (self.index(r) * self.row_step).value
            lower.linear((*outer, i, pc), (*p.batch, p.m, p.k))

            def element(k: Value) -> None:
                lower.store(
                    strip,
                    (self.index(place) + k).value,
                    p.left(outer, i, (self.index(pc) + k).value),
                )

            lower.loop(self.extent(0), kc, element, LoopKind.VECTOR, step=2)

        lower.loop(self.extent(0), self.extent(height), row)

    def pack_right(
        self, panel: Value, start: Value, outer: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """Columns j0, ... of right, as many as a tile has, into the panel at `start`; 0 behind
        the last."""
        lower, p = self.lower, self.p
        n = self.extent(p.n)
        if p.right_transposed:
            self.pack_transposed(panel, start, outer, pc, kc, j0)
            return

        def columns(j: Value) -> None:
            inside = (self.index(j) < n).value
            place = (self.index(start) + j - j0).value

            def row(k: Value) -> None:
                with lower.where(inside):
                    y = p.right(outer, (self.index(pc) + k).value, j)
                row_place = (self.index(place) + self.index(k) * self.panel_width).value
                self.store_parts(panel, row_place, self.columns, y)

            lower.loop(self.extent(0), kc, row)

        lower.loop(
            j0, (self.index(j0) + self.columns).value, columns, LoopKind.SIMD, step=self.columns
        )

    def pack_transposed(
        self, panel: Value, start: Value, outer: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """`pack_right` for a right that lies along k: rows are copied, then tiles of them
        transposed."""
        lower, p = self.lower, self.p
        strip, distance = (
            self.local(self.panel_width * (self.block + STRIP_PAD_ELEMENTS), self.part),
            self.block + STRIP_PAD_ELEMENTS,
        )
        last = (self.index(p.n) - 1).value

        def line(j: Value) -> None:
            place = (self.index(j) * distance).value
            column = (self.index(j0) + j).minimum(last).value

            def element(k: Value) -> None:
                y = p.right(outer, (self.index(pc) + k).value, column)
                self.store_parts(strip, (self.index(place) + k).value, self.columns * distance, y)

            lower.loop(self.extent(0), kc, element, LoopKind.VECTOR, step=2)

        lower.loop(self.extent(0), self.extent(self.columns), line)

        self.transpose(
            strip, self.extent(0), self.extent(distance), panel, start, kc, self.panel_width
        )

    def transpose(
        self,
        source: Value,
        at: Value,
        distance: Value,
        panel: Value,
        start: Value,
        kc: Value,
        width: int,
    ) -> None:
        """Transpose `width` rows of kc elements, `distance` apart, into kc rows of `width`."""

        def tile(j: Value, k: Value) -> None:
            ends = (
                panel,
                (self.index(start) + j + self.index(k) * width).value,
                self.extent(width),
            )
            first = (self.index(at) + (self.index(j) * distance + k)).value
            self.lower.b.emit_all(
                TransposeTile(source, first, distance, *ends, None, self.lanes, False)
            )

        def tiles(k: Value) -> None:
            loop(self.extent(0), self.extent(width), lambda j: tile(j, k), step=self.lanes)

        loop = self.lower.loop
        loop(self.extent(0), kc, tiles, step=self.lanes)
