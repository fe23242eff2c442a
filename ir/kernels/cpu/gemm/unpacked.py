"""The schedule of contractions that are not worth packing: those that are small, narrow (few
columns) or low (few rows).

Tiles read their operands where these are: rows of `right` along the lanes, elements of `left` one
by one. What goes through `right` again and again is the loop around the strips of rows, so that a
panel of columns stays in L1; where there is one panel only, strips are partitioned among
threads, else panels of a block of k are, before those of the next block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, ceildiv, floordiv, largest, minimum, product, remainder
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK, Matmul
from ....value_classes import dataclass
from ...contraction import GemmShape, register_tile
from ...ops import Opaque, Prefetch
from ...plan.computed_operands import untransposed
from ...plan.reasons import Mismatch

if TYPE_CHECKING:
    from ...target import Target
    from .micro_kernel import Tiles


# Multiplications up to which packing costs more than it gains. 128 and 200 squared: 1.11 and 1.12
# of the time where they are packed; 256: 0.96 where it is not.
UNPACKED_PRODUCTS_MAX = 240**3
# The same where it computes an operand. 16 rows by int8 weights of 256x256: 1.10 of the time
# without.
UNPACKED_ONCE_PRODUCTS_MAX = 112**3
# The same for one row by more than a panel of columns, since right is better read once in the
# order of memory. By 96x96 of int8: 1.8 of the time with 4096; by 256x1024 of float32: 1.7 with
# 112**3, out of memory 2.4, of int8 2.6. By a panel, 1024x64 of float32 out of memory: 2.6 as this.
UNPACKED_ROW_PRODUCTS_MAX = 128**2
# The same for one column, whose elements are neither side by side nor read twice. 128x128 by a
# column: 1.44 of the time with 65536.
UNPACKED_COLUMN_PRODUCTS_MAX = 4096
# Rows from which on a small transpose is worth storing for this schedule. By y^T of 64x64: 6 rows
# 0.85 of the time with 4, 12 rows 1.05 with 16.
STORED_TRANSPOSE_ROWS_MIN = 8
# The same for one as large as this schedule ever takes. By y^T of 200x200: 32 rows 1.00 of the
# time with 24, 64 rows 1.11 with 96.
STORED_LARGE_TRANSPOSE_ROWS_MIN = 48
# Rows of a task: all panels of some rows come before those of others. matmul tall 10000x16 16x64:
# 1.01 of the time with 16, 1.00 with 256.
UNPACKED_TASK_ROWS = 64
# Rows of strips where it is only known how many there are at most: what is behind the last row is
# computed as that row. Beside strips of a known number of rows, 32 rows of 64 by 64x64: 1.01 of the
# time, 128 rows 1.06, 32 rows of 784 by 784x128 1.00.
BOUNDED_STRIP_ROWS = 8
# The least height of strips that are all as high, where higher ones would be of two heights. On one
# thread, by strips of 10 to 12 rows: 32x784 784x128 of float32 1.00, 64x64 64x192 1.00, 128x128
# 128x128 1.01. LLVM takes 46 ms instead of 60 for an MLP's step on 32 rows.
EQUAL_STRIP_ROWS_MIN = 8
# Rows up to which that is so. 224x224 224x224: 1.03 of the time, of float64 1.07.
EQUAL_STRIPS_ROWS_MAX = 128
# Bytes of a panel up to which it is so for more rows, which go through it again and again. 1024x64
# 64x64: 1.00 of the time, of float64 1.03, 1024x64 64x192 0.93 and 1.01, 784x32 32x128 0.97 and
# 0.99; with twice as many bytes, 512x128 128x128 1.02 and 1.04, 1024x128 128x64 0.95 and 1.08.
EQUAL_STRIPS_PANEL_BYTES_MAX = 8192
# Rows of right from where a tile is to where it prefetches. matmul few rows 4x1024 1024x1024:
# 0.80 of the time with 4, 0.96 with 16 (right was in L2).
PREFETCH_RIGHT_ROWS = 8


def reads_rows(op: Matmul) -> bool:
    """Whether the rows of the right operand are read where they are, and that so often that what
    is computed of it, or a transpose, is stored before."""
    m, k, n = map(largest, (*op.x.shape[-2:], op.y.shape[-1]))
    volume = product((m, k, n))
    if not (isinstance(m, int) and isinstance(volume, int)) or m < STORED_TRANSPOSE_ROWS_MIN:
        return False
    if volume <= UNPACKED_ONCE_PRODUCTS_MAX:
        return True
    return (
        untransposed(op.y) is not op.y
        and m >= STORED_LARGE_TRANSPOSE_ROWS_MIN
        and volume <= UNPACKED_PRODUCTS_MAX
    )


def misfit(shape: GemmShape, target: Target) -> Mismatch | None:
    """Why a contraction is packed; None where it is small, narrow or low, and its operands can be
    read as they are."""
    if not shape.in_place:
        return not_in_place(shape)
    most = UNPACKED_PRODUCTS_MAX
    if shape.n == 1:
        most = UNPACKED_COLUMN_PRODUCTS_MAX
    elif shape.m == 1 and not is_panel(shape, target):
        most = UNPACKED_ROW_PRODUCTS_MAX
    elif shape.m == 1 or shape.right_computed:
        most = UNPACKED_ONCE_PRODUCTS_MAX
    if isinstance(shape.volume, int) and shape.volume <= most:
        return None
    if shape.n != 1 and shape.m != 1:
        tile = register_tile(shape.compute, target)
        if is_narrow(shape, tile.columns) or is_low(shape, tile.rows):
            return None
    return Mismatch("{} products are worth packing (above {})", shape.volume, most)


def not_in_place(shape: GemmShape) -> Mismatch:
    """Why tiles cannot read operands as they are."""
    if shape.windows:
        return Mismatch("what windows see is packed")
    if shape.right_transposed:
        return Mismatch("the rows of its right operand do not lie along the lanes")
    return Mismatch("its left operand is computed where it is packed")


def is_narrow(shape: GemmShape, columns: int) -> bool:
    """Whether the result is surely not wider than a tile."""
    return isinstance(shape.n, int) and shape.n <= columns


def is_panel(shape: GemmShape, target: Target) -> bool:
    """Whether a few rows surely have one panel of columns."""
    return is_narrow(shape, 2 * register_tile(shape.compute, target).columns)


def is_low(shape: GemmShape, rows: int) -> bool:
    """Whether the result surely has no more than half of a tile's rows."""
    return isinstance(shape.m, int) and 2 * shape.m <= rows


@dataclass(frozen=True)
class Strips:
    """Strips of rows, one after another."""

    low: Extent  # the first row
    count: Extent
    height: int
    whole: bool = True  # whether all rows of the last one are there


class Direct:
    """Writes a contraction whose operands are not packed."""

    def __init__(self, tiles: Tiles) -> None:
        self.t = tiles
        self.rows = tiles.rows
        n = tiles.p.n
        self.narrow = is_narrow(tiles.p, tiles.columns)
        self.step = tiles.columns // tiles.lanes  # vectors of columns
        if isinstance(n, int) and n <= tiles.lanes:
            self.step = 1
        self.low = is_low(tiles.p, self.rows)
        if self.low and isinstance(n, int) and not self.narrow:
            self.step *= 2  # so that more of each row of right is read at once
        self.columns = self.step * tiles.lanes

    @property
    def prefetches(self) -> bool:
        """Whether rows of right are prefetched: they are far apart, and may be in memory."""
        p, size = self.t.p, largest(product((self.t.p.k, self.t.p.n)))
        large = (
            not isinstance(size, int)
            or size * self.t.compute.itemsize > self.t.lower.target.l2 // 2
        )
        return p.right_source is not None and large and not self.narrow

    def write(self) -> None:
        if self.narrow:
            for part in self.strips_of(self.t.p.m):
                self.column(part)
        else:
            self.t.steps(self.t.p.k, BLOCK, self.block)

    def block(self, pc: Value) -> None:
        """The rows of right from pc on, as many as a block has: so many pages of memory that a
        processor knows the places of all while it goes through them panel by panel."""
        t, lower = self.t, self.t.lower
        p, n = t.p, t.p.n
        depth = minimum(p.k, BLOCK)
        # Few rows take as long as right takes to come from memory, at 16 bytes a nanosecond.
        work = t.work(depth) + floordiv(product((*p.batch, n, depth)) * t.compute.itemsize, 16)
        shares = self.shares
        if not isinstance(largest(p.m), int):
            shape = (*p.batch, shares, ceildiv(n, self.columns))

            def rows(number: Value) -> None:
                *outer, share, q = lower.unlinear(number, shape)
                self.any_rows(
                    tuple(outer),
                    pc,
                    (t.index(q) * self.columns).value,
                    (t.index(share) * UNPACKED_TASK_ROWS).value,
                )

            lower.parallel(product(shape), work, rows)
            return
        whole = floordiv(n, self.columns) if isinstance(n, int) else ceildiv(n, self.columns)

        def panel(number: Value) -> None:
            *outer, share, q = lower.unlinear(number, (*p.batch, shares, whole))
            j0 = (t.index(q) * self.columns).value
            end = (t.index(j0) + self.columns).minimum(t.extent(n)).value
            kind, step = (
                (LoopKind.SIMD, self.columns)
                if isinstance(n, int)
                else (LoopKind.VECTOR, self.step)
            )
            lower.loop(j0, end, lambda j: self.rows_of(tuple(outer), pc, j, share), kind, step=step)

        def rest(number: Value) -> None:
            *outer, share = lower.unlinear(number, (*p.batch, shares))
            j0 = (t.index(whole) * self.columns).value
            end = (t.index(n) - j0).value

            def columns(j: Value) -> None:
                self.rows_of(tuple(outer), pc, (t.index(j0) + j).value, share)

            lower.loop(t.extent(0), end, columns, LoopKind.VECTOR, step=self.step)

        lower.parallel(product((*p.batch, shares, whole)), work, panel)
        if isinstance(n, int) and n % self.columns:
            elements = product((*p.batch, p.m, depth))
            lower.parallel(product((*p.batch, shares)), floordiv(elements, 4), rest)

    def column(self, part: Strips) -> None:
        """Some strips of a narrow result, on any threads."""
        t, lower = self.t, self.t.lower
        shape = (*t.p.batch, part.count)

        def strip(number: Value) -> None:
            *outer, place = lower.unlinear(number, shape)
            i0 = (t.index(place) * part.height + t.extent(part.low)).value

            def columns(j: Value) -> None:
                self.tile(tuple(outer), i0, j, part.height, part.whole)

            lower.loop(t.extent(0), t.extent(t.p.n), columns, LoopKind.VECTOR, step=self.step)

        lower.parallel(product(shape), t.work(), strip)

    @property
    def shares(self) -> Extent:
        """Among how many tasks the rows of a panel are partitioned."""
        return ceildiv(self.t.p.m, UNPACKED_TASK_ROWS)

    @property
    def sides(self) -> tuple[int, int]:
        """The heights of high and of low strips, where nobody knows how many rows there are."""
        return 2 * self.rows // 3, self.rows // 3

    @property
    def light(self) -> bool:
        """Whether panels surely have few bytes."""
        depth = largest(minimum(self.t.p.k, BLOCK))
        row = self.columns * self.t.compute.itemsize
        return isinstance(depth, int) and depth * row <= EQUAL_STRIPS_PANEL_BYTES_MAX

    def strips_of(self, m: Extent) -> list[Strips]:
        """Strips that have m rows: high ones, and the rest in low ones, if m is not known."""
        if isinstance(m, int):
            return [Strips(*part) for part in strips(m, self.rows, self.light)]
        if isinstance(most := largest(m), int):
            parts = strips(most, self.rows, self.light)
            height = parts[0][2]
            if len(parts) == 1 and remainder(m, height) == 0:
                return [Strips(0, floordiv(m, height), height)]
            height = -(-most // -(-most // BOUNDED_STRIP_ROWS))
            return [Strips(0, ceildiv(m, height), height, whole=False)]
        high, low = self.sides
        count = floordiv(m, high)
        rest = m - count * high
        return [Strips(0, count, high), Strips(count * high, ceildiv(rest, low), low, whole=False)]

    def any_rows(self, outer: Index, pc: Value, j0: Value, i0: Value) -> None:
        """The rows of a panel from i0 on, up to UNPACKED_TASK_ROWS of them: high strips where all
        columns are there, or no more than a register has, else and behind them low ones. So there
        is code for three tiles only, or for two where it is known that a panel has all columns."""
        t, loop = self.t, self.t.lower.loop
        high, low = self.sides
        m, n = (t.index(i0) + UNPACKED_TASK_ROWS).minimum(t.extent(t.p.m)).value, t.extent(t.p.n)
        end = (t.index(j0) + self.columns).value
        most = (t.index(i0) + (t.index(m) - i0) // high * high).value
        last = t.p.n % self.columns if isinstance(t.p.n, int) else None  # columns of the last panel

        def strips(j: Value, last: Value) -> None:
            loop(i0, last, lambda i: self.tile_block(outer, i, pc, j, high), step=high)

        def rest(j: Value, first: Value) -> None:
            loop(first, m, lambda i: self.tile_block(outer, i, pc, j, low, whole=False), step=low)

        if last == 0:
            loop(j0, end, lambda j: strips(j, most), LoopKind.SIMD, step=self.columns)
            loop(j0, end, lambda j: rest(j, most), LoopKind.SIMD, step=self.columns)
            return
        whole = (t.index(end) <= n).value
        first = wide = t.index(whole).select(most, i0).value
        loop(j0, end, lambda j: strips(j, wide), LoopKind.SIMD, step=self.columns)
        if last is None or last <= t.lanes:
            few = (~t.index(whole) & (t.index(n) - j0 <= t.lanes)).value
            narrow = t.index(few).select(most, i0).value
            loop(j0, n, lambda j: strips(j, narrow), LoopKind.SIMD_MASKED, step=t.lanes)
            first = t.index(wide).maximum(narrow).value
        loop(j0, n, lambda j: rest(j, first), LoopKind.SIMD_MASKED, step=self.columns)

    def rows_of(self, outer: Index, pc: Value, j: Value, share: Value) -> None:
        """A share of the rows, whose number is known, one strip after another."""
        t = self.t
        shares = t.extent(self.shares)
        for part in self.strips_of(t.p.m):
            ends = []
            for number in (share, (t.index(share) + 1).value):
                strips = (t.index(number) * t.extent(part.count) // shares).value
                ends.append((t.index(strips) * part.height + t.extent(part.low)).value)

            def strip(i0: Value, part: Strips = part) -> None:
                self.tile_block(outer, i0, pc, j, part.height, part.whole)

            if t.lower.known((t.index(ends[1]) - ends[0]).equal(part.height).value):
                strip(ends[0])
            else:
                low, high = ends
                t.lower.loop(low, high, strip, step=part.height)

    def tile(self, outer: Index, i0: Value, j: Value, height: int, whole: bool = True) -> None:
        """Some rows, and as many columns as there are lanes. Where not all rows need be there, the
        last one is computed in the place of those that are not."""

        def block(pc: Value) -> None:
            self.tile_block(outer, i0, pc, j, height, whole)

        self.t.steps(self.t.p.k, BLOCK, block)

    def tile_block(
        self, outer: Index, i0: Value, pc: Value, j: Value, height: int, whole: bool = True
    ) -> None:
        """The part of a tile that a block of k adds."""
        t, lower = self.t, self.t.lower
        chains = t.chains
        places = [(t.index(i0) + r).value for r in range(height)]
        if not whole:
            places = [t.index(i).minimum(t.index(t.p.m) - 1).value for i in places]
        lefts = places
        if not isinstance(largest(t.p.k), int):
            lefts = [lower.emit(Opaque(i)) for i in places]

        def step(k: Value, sums: Index) -> Sequence[Value]:
            if self.prefetches:
                self.prefetch((*outer, (t.index(k) + PREFETCH_RIGHT_ROWS).value, j))
            y = chains.parts_of(t.p.right(outer, k, j))
            found = []
            for r, i in enumerate(lefts):
                x = chains.parts_of(t.p.left(outer, i, k))
                found += chains.add(x, y, sums[r * chains.count : (r + 1) * chains.count])
            return found

        end, start = (t.index(pc) + t.block_length(pc)).value, chains.start * height
        sums = chains.totals(lower.carry(pc, end, start, step))
        rows = [(*outer, i, j) for i in places]
        there: list[Value | None] = [None] * height
        clamped = not whole and isinstance(largest(t.p.m), int)
        if (
            not whole and not clamped
        ):  # the first row is there, and of the others those that come before the end
            there[1:] = [(t.index(i0) + r < t.index(t.p.m)).value for r in range(1, height)]
        self.store(pc, rows, there, sums, clamped)

    def prefetch(self, index: Index) -> None:
        """Prefetch the lines of right that a tile's row begins, goes on and ends in."""
        t, lower = self.t, self.t.lower
        assert t.p.right_source is not None
        source = lower.buffer(t.p.right_source)
        row = lower.linear(index, (*t.p.batch, t.p.k, t.p.n))
        lines = range(0, self.columns, max(1, lower.target.line // source.dtype.itemsize))
        for place in (*lines, self.columns - 1):
            lower.b.emit_all(Prefetch(source, (t.index(row) + place).value, "load"))

    def store(
        self,
        pc: Value,
        rows: list[Index],
        there: Sequence[Value | None],
        sums: Sequence[Value],
        clamped: bool,
    ) -> None:
        """The sums of the rows that are `there` (None: surely). All loads of sums come before all
        stores. A row is stored once: what follows a product may read the memory that it is stored
        to (see backends/llvm/in_place.py)."""
        t = self.t
        totals = [t.total(row, pc, block) for row, block in zip(rows, sums, strict=True)]

        def store(last: bool) -> None:
            if last and clamped:  # a row may be stored again: after all is read
                for row, total in zip(rows, totals, strict=True):
                    t.complete(row, total)
            for row, exists, total in zip(rows, there, totals, strict=True):
                one = partial(t.store_total, row, total, last)
                if exists is None:
                    one()
                else:
                    t.when(exists, one)

        t.finish(pc, store)


def strips(m: int, rows: int, light: bool = False) -> list[tuple[int, int, int]]:
    """The first row, the number and the height of strips that have m rows together: of one height,
    which is half of the code, where few rows, or those of `light` panels, have one that is high
    enough, else of nearly one."""
    count = -(-m // rows)
    if light or m <= EQUAL_STRIPS_ROWS_MAX:
        for height in range(-(-m // count), EQUAL_STRIP_ROWS_MIN - 1, -1):
            if m % height == 0:
                return [(0, m // height, height)]
    height, taller = divmod(m, count)
    parts = [(0, taller, height + 1), (taller * (height + 1), count - taller, height)]
    return [part for part in parts if part[1]]
