"""Schedules of contractions with one row or one column: every element is read once.

`MatrixVector` is a product of a matrix and a vector; `Dot` is one of two vectors. The sums are
those of choice.py: the lanes of vectors are columns, or rows, or (in `Dot`) blocks of k, never k
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....element_builder import Index
from ....extent import Extent, ceildiv, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add
from ....value_classes import dataclass
from ...accumulators import Parts
from ...ops import ChooseBuffer, LoadTransposed, Prefetch
from ..ordered_split_k import PartialSums
from .packing import STRIP_PAD_ELEMENTS

if TYPE_CHECKING:
    from .micro_kernel import Tiles

Element = Callable[[Value], Value]  # number k
Totals = Sequence[Value]  # one for each accumulator chain
Products = Callable[[Value, Totals], Totals]  # from k on, added to the chains

# Columns of a task: a page of float32, of rows that are read one after another. A row by
# 4096x4096: 1.17 of the time with 512, 0.99 with 2048.
GEMV_TASK_COLUMNS = 1024
# The same of what is narrower than its sums, whose rows are read whole as far as that goes.
# 768x3072 in C, in huge pages, GB/s: of int8 29 with 4096, 19 with 1536; of bfloat16 25, 22.
GEMV_NARROW_TASK_COLUMNS = 4096
# The part of L1 that the sums of rows may fill, which are read one by one as they lie in memory.
# 768x3072 of float32 in C, in huge pages: 30 GB/s, where reading alone makes 33; 25 with 8 rows at
# a time, and 11 with 1536 columns at a time.
GEMV_STREAM_L1_SHARE = 2
# Registers of sums in a round of these, which are a line of bfloat16. 768x2304 of bfloat16: 30 GB/s
# with 2 and 4, 12 with 1.
GEMV_STREAM_REGISTERS = 2
# Bytes of elements, converted or not, from which on a matrix is read so; smaller ones need two rows
# for each pass over the sums. Decoding, a row by 768x768, 768x3072 and 3072x768 of bfloat16: 31, 27
# and 30 GB/s, 23, 24 and 23 two rows at a time; by 768x3072 of int8: 23 and 28.
GEMV_STREAM_ITEM_BYTES_MIN = 2
# Rows that are added in one pass over the sums. matmul one row 1024x1024: 1.00 of the time with
# 4, 1.02 with 16.
GEMV_UNROLLED_ROWS = 8
# The same of narrow elements, where tasks have whole rows. In C, in huge pages, of which reading
# makes 33 GB/s, prefetched as below: 768x768 of int8 28 GB/s with 2 rows, 22 with 4; 768x2304 29,
# 28, and 24 with 8; of bfloat16 25, 26.
GEMV_WHOLE_ROWS = 2
# Registers of sums that go together there, at most: what a line of int8 is for.
GEMV_LINE_REGISTERS = 4
# How far ahead these are prefetched, into L2, in the order of memory. The same matrix: 26 GB/s with
# 12 KB, 10 with 8 rows of which the next 8 are prefetched.
GEMV_PREFETCH_BYTES = 12 << 10
# What narrow elements of rows are moved by.
WORD_BYTES = 4
# Bytes of elements from which on rows out of memory are moved in whole lines. Decoding, 50257x768
# transposed: of bfloat16 24 GB/s, 21 in parts, in C 27 and 22, in a cache 29 and 35; of int8, of
# which a line is 64 dependent steps for 16 rows, 14 and 16.
GEMV_LINE_ITEM_BYTES_MIN = 2
# Rows that are multiples of so many bytes apart have too few places in L1 for lines of 16 that are
# read in parts. 4096x4096 transposed: of int8 12.5 GB/s, 6.4 in parts, of bfloat16 23.4 and 8.5.
GEMV_CLASHING_BYTES = 2048
# Bytes within which shuffles move elements at the least cost: a lane of AVX, not a threshold.
SHUFFLED_BYTES = 16


class MatrixVector:
    """One row of left, or one column of right: a matrix times a vector."""

    def __init__(self, tiles: Tiles) -> None:
        self.t = tiles
        p = tiles.p
        zero = tiles.extent(0)
        self.row = p.m == 1  # then right is the matrix
        self.count = p.n if self.row else p.m
        if self.row:
            self.matrix: Callable[[Index, Value, Value], Value] = p.right
            self.vector: Callable[[Index, Value], Value] = lambda outer, k: p.left(outer, zero, k)
        else:
            self.matrix = lambda outer, k, j: p.left(outer, j, k)
            self.vector = lambda outer, k: p.right(outer, k, zero)
        self.along_k = p.right_transposed if self.row else not p.left_transposed
        self.memory = p.right_along_k if self.row else p.left_plain  # of a matrix along k
        self.operand = p.right_operand if self.row else p.left_operand  # what it is computed from
        narrow = self.operand and self.operand.dtype.itemsize < tiles.compute.itemsize
        self.narrow = None if self.along_k or not narrow else self.operand

    def write(self) -> None:
        if self.along_k:
            self.by_rows()
        else:
            self.by_blocks()

    def by_rows(self) -> None:
        """Tasks are as many rows as there are lanes, and all of k."""
        t, lower, width = self.t, self.t.lower, self.t.lanes
        if self.operand is not None:  # moved by words: see `LoadTransposed`
            words = max(1, lower.target.vector_bytes // WORD_BYTES)
            width = words if self.moves_lines else 2 * words
        tasks = ceildiv(self.count, width)

        def task(number: Value) -> None:
            *outer, place = lower.unlinear(number, (*t.p.batch, tasks))
            j0 = (t.index(place) * width).value
            count = t.at_once(width, self.count, j0)
            totals = t.local(width)
            sums = t.local(width * t.chains.count, t.part)
            zero = lower.b.constant(0, t.compute)

            def clear(j: Value) -> None:
                lower.store(totals, j, zero)

            def add(j: Value) -> None:
                block = t.chains.total(self.load(sums, j, width))
                total = lower.emit(Add(t.load(totals, j), block))
                lower.store(totals, j, total)

            def block(pc: Value) -> None:
                kc = t.block_length(pc)
                self.rows(tuple(outer), pc, kc, j0, count, sums, width)
                lower.loop(t.extent(0), count, add, LoopKind.VECTOR, step=2)

            def finish(j: Value) -> None:
                self.finish(tuple(outer), (t.index(j0) + j).value, t.load(totals, j))

            lower.loop(t.extent(0), count, clear, LoopKind.VECTOR, step=2)
            t.steps(t.p.k, BLOCK, block)
            lower.loop(t.extent(0), count, finish, LoopKind.VECTOR, step=2)

        lower.parallel(product((*t.p.batch, tasks)), self.work, task)

    def by_blocks(self) -> None:
        """Tasks are some columns of a block of k; then the sums of the blocks are added. So a
        matrix of few columns, of which long rows are read at a time, has work for all threads."""
        t, lower = self.t, self.t.lower
        width = self.columns_of_task
        places, blocks = ceildiv(self.count, width), ceildiv(t.p.k, BLOCK)
        partial = PartialSums(t, t.compute, blocks, self.count, t.p.batch)

        def block(number: Value) -> None:
            *outer, place, b = lower.unlinear(number, (*t.p.batch, places, blocks))
            j0, pc = (t.index(place) * width).value, (t.index(b) * BLOCK).value
            count = t.at_once(width, self.count, j0)
            sums = t.local(width * t.chains.count, t.part)
            self.columns(tuple(outer), pc, t.block_length(pc), j0, count, sums, width)
            start = partial.at(b, j0, tuple(outer))

            def keep(j: Value) -> None:
                total = t.chains.total(self.load(sums, j, width))
                lower.store(partial.memory, (t.index(start) + j).value, total)

            lower.loop(t.extent(0), count, keep, LoopKind.VECTOR, step=2)

        def add(number: Value) -> None:
            *outer, place = lower.unlinear(number, (*t.p.batch, places))
            j0 = (t.index(place) * width).value

            def element(j: Value) -> None:
                start = partial.at(t.extent(0), j, tuple(outer))
                nothing = lower.b.constant(0, t.compute)
                total = partial.total(start, t.extent(blocks), nothing)
                self.finish(tuple(outer), j, total)

            end = (t.index(j0) + width).minimum(t.extent(self.count)).value
            lower.loop(j0, end, element, LoopKind.VECTOR, step=2)

        lower.parallel(product((*t.p.batch, places, blocks)), self.work, block)
        cost = blocks * t.compute.itemsize // 16 + lower.plan.epilogue_cost(lower.group)
        work = product((*t.p.batch, self.count)) * cost
        lower.parallel(product((*t.p.batch, places)), work, add)

    @property
    def columns_of_task(self) -> int:
        """Of narrow elements equal shares of all columns, if their number is known."""
        if self.streams and isinstance(self.count, int):
            return self.count
        if self.narrow is None:
            return GEMV_TASK_COLUMNS // self.t.chains.count
        if not isinstance(self.count, int):
            return GEMV_NARROW_TASK_COLUMNS
        tasks = max(1, -(-self.count // GEMV_NARROW_TASK_COLUMNS))
        return max(1, -(-self.count // (tasks * self.line))) * self.line

    @property
    def moves_lines(self) -> bool:
        """Whether narrow rows are transposed by whole cache lines, each of which is read once:
        where it would leave L1 before its other parts are wanted, or comes from memory."""
        target, operand = self.t.lower.target, self.operand
        if not self.along_k or operand is None or target.vector_bytes < target.line:
            return False
        size, k = operand.dtype.itemsize, self.t.p.k
        if size >= WORD_BYTES or not isinstance(k, int):
            return False
        clashes = k * size % GEMV_CLASHING_BYTES == 0
        return clashes or (self.is_large and size >= GEMV_LINE_ITEM_BYTES_MIN)

    @property
    def work(self) -> Extent:
        """About how many nanoseconds it takes to read the matrix."""
        elements = product((*self.t.p.batch, self.count, self.t.p.k))
        return elements * self.t.compute.itemsize // 16

    def finish(self, outer: Index, j: Value, total: Value) -> None:
        """Stores what the kernel computes of the sum of row or column j."""
        t = self.t
        index = (*outer, t.extent(0), j) if self.row else (*outer, j, t.extent(0))
        t.store_total(index, total, last=True)

    def load(self, sums: Value, j: Value, width: int) -> list[Value]:
        """The chains of column j; those of all columns lie side by side."""
        t = self.t
        return [
            t.load(sums, (t.index(j) + (width * number)).value) for number in range(t.chains.count)
        ]

    def store(self, sums: Value, j: Value, width: int, totals: Sequence[Value]) -> None:
        for number, total in enumerate(totals):
            self.t.lower.store(sums, (self.t.index(j) + (width * number)).value, total)

    def columns(
        self, outer: Index, pc: Value, kc: Value, j0: Value, count: Value, sums: Value, width: int
    ) -> None:
        """The sums of a block, where neighbours in a row of the matrix lie side by side."""
        t, lower, chains = self.t, self.t.lower, self.t.chains

        def clear(j: Value) -> None:
            self.store(sums, j, width, chains.start)

        def element(j: Value, at: Sequence[Value], factors: Sequence[Parts]) -> None:
            totals = self.load(sums, j, width)
            for i, x in zip(at, factors, strict=True):
                y = chains.parts_of(self.matrix(outer, i, (t.index(j0) + j).value))
                totals = chains.add(x, y, totals)
            self.store(sums, j, width, totals)

        def rows(k: Value, unroll: int) -> None:
            at = [(t.index(pc) + k + i).value for i in range(unroll)]
            factors = [chains.parts_of(self.vector(outer, i)) for i in at]

            def each(j: Value) -> None:
                if self.narrow is not None and not self.whole_rows:
                    column = (t.index(j0) + j).value
                    for i in at:  # few lines a row: processors see no stream
                        ahead = (*outer, (t.index(i) + unroll).value, column)
                        place = lower.linear(ahead, self.narrow.shape)
                        lower.b.emit_all(Prefetch(lower.buffer(self.narrow), place, "load"))
                element(j, at, factors)

            if not self.whole_rows or unroll == 1:
                step = GEMV_STREAM_REGISTERS if self.streams else 1
                lower.loop(t.extent(0), count, each, LoopKind.VECTOR, step=step)
                return

            def part(number: Value) -> None:
                low = t.index(number) * self.length_of_part(count, unroll)
                high = (low + self.length_of_part(count, unroll)).minimum(t.index(count))
                later = (t.index(pc) + k + number).value

                def columns(j: Value) -> None:
                    self.prefetch_row(outer, later, j0, (t.index(j) - low).value, unroll)
                    element(j, at, factors)

                lower.loop(low.value, high.value, columns, LoopKind.VECTOR, step=self.registers)

            lower.loop(t.extent(0), t.extent(unroll), part)

        if self.streams:
            lower.loop(t.extent(0), count, clear, LoopKind.VECTOR, step=2)
            lower.loop(t.extent(0), kc, lambda k: rows(k, 1))
            return
        unroll = GEMV_WHOLE_ROWS if self.whole_rows else GEMV_UNROLLED_ROWS
        lower.loop(t.extent(0), count, clear, LoopKind.VECTOR, step=2)
        whole = (t.index(kc) // unroll * unroll).value
        lower.loop(t.extent(0), whole, lambda k: rows(k, unroll), step=unroll)
        lower.loop(whole, kc, lambda k: rows(k, 1))

    @property
    def whole_rows(self) -> bool:
        """Whether tasks have all columns of narrow elements, so that rows follow each other."""
        if self.narrow is None or not isinstance(self.count, int):
            return False
        return self.columns_of_task >= self.count

    @property
    def is_large(self) -> bool:
        """Whether the matrix surely comes from memory."""
        elements = product((self.count, self.t.p.k))
        return isinstance(elements, int) and (
            elements * self.t.compute.itemsize >= self.t.lower.target.l3
        )

    @property
    def streams(self) -> bool:
        """Whether all columns are read row by row: of a matrix that is larger than a core's own
        cache, where that holds the sums of a row close by."""
        t, target = self.t, self.t.lower.target
        count, k = self.count, t.p.k
        size = (self.narrow.dtype if self.narrow else t.compute).itemsize
        if self.along_k or size < GEMV_STREAM_ITEM_BYTES_MIN or not isinstance(count, int):
            return False
        sums = count * t.compute.itemsize
        near = sums * GEMV_STREAM_L1_SHARE <= target.l1 and not t.compute.is_complex
        return near and isinstance(k, int) and count * k * size >= target.l2

    @property
    def line(self) -> int:
        """Elements of the narrow matrix in a cache line."""
        assert self.narrow is not None
        return int(self.t.lower.target.line) // self.narrow.dtype.itemsize

    @property
    def registers(self) -> int:
        """How many registers of sums a line of the narrow matrix is for, of 16 or more a few."""
        return max(1, min(GEMV_LINE_REGISTERS, self.line // self.t.lanes))

    def length_of_part(self, count: Value, unroll: int) -> Term:
        """The columns, whole lines, beside which one of so many rows is prefetched."""
        size = unroll * self.line
        return (self.t.index(count) + (size - 1)) // size * self.line

    def prefetch_row(self, outer: Index, row: Value, j0: Value, j: Value, unroll: int) -> None:
        """Prefetch as many lines as rows are read at once, of a row some passes behind `row`."""
        t, narrow = self.t, self.narrow
        assert narrow is not None
        columns = self.columns_of_task
        passes = -(-GEMV_PREFETCH_BYTES // (unroll * columns * narrow.dtype.itemsize))
        start = t.index(j0) + t.index(j) * unroll
        for number in range(unroll):
            at = (t.index(row) + passes * unroll).value, (start + number * self.line).value
            place = t.lower.linear((*outer, *at), narrow.shape)
            t.lower.b.emit_all(Prefetch(t.lower.buffer(narrow), place, "later"))

    def rows(
        self, outer: Index, pc: Value, kc: Value, j0: Value, count: Value, sums: Value, width: int
    ) -> None:
        """The sums of a block, where neighbours along k lie side by side: tiles of the matrix
        are transposed in registers. Rows that are not all there, or not in memory, are copied;
        what rows are computed from is transposed in registers, too, and they are computed there."""
        t, lower = self.t, self.t.lower
        last = (t.index(self.count) - 1).value
        size = width * (BLOCK + STRIP_PAD_ELEMENTS)  # of the rows, or of a part of their elements
        strip = t.local(size * t.chains.parts, t.part)
        copied = Lines(strip, t.extent(0), t.extent(BLOCK + STRIP_PAD_ELEMENTS), size)

        def copy() -> None:
            def line(j: Value) -> None:
                place, here = (
                    (t.index(j) * (BLOCK + STRIP_PAD_ELEMENTS)).value,
                    (t.index(j0) + j).minimum(last).value,
                )

                def element(k: Value) -> None:
                    x = self.matrix(outer, (t.index(pc) + k).value, here)
                    t.store_parts(strip, (t.index(place) + k).value, size, x)

                lower.loop(t.extent(0), kc, element, LoopKind.VECTOR, step=2)

            lower.loop(t.extent(0), t.extent(width), line)

        def tiles(lines: Lines) -> None:
            self.tiles(lines, outer, pc, kc, j0, sums, width)

        if self.operand is not None:
            whole = t.index(count).equal(width)
            at = lower.linear((*outer, j0, pc), self.operand.shape)
            lines = Lines(
                lower.buffer(self.operand), at, t.extent(t.p.k), 0, self.operand, ahead=True
            )
            t.when(whole.value, lambda: tiles(lines))

            def few() -> None:
                copy()
                tiles(copied)

            if not (isinstance(self.count, int) and self.count % width == 0):
                t.when((~whole).value, few)
        elif self.memory is None or t.compute.is_complex:
            copy()
            tiles(copied)
        else:
            whole = t.index(count).equal(width)
            t.when(~whole, copy)
            at = lower.linear((*outer, j0, pc), (*t.p.batch, self.count, t.p.k))
            source = lower.emit(ChooseBuffer(whole.value, lower.buffer(self.memory), strip))
            start = whole.select(at, copied.start).value
            distance = whole.select(t.extent(t.p.k), copied.distance).value
            tiles(Lines(source, start, distance, size, ahead=True))

    def tiles(
        self, lines: Lines, outer: Index, pc: Value, kc: Value, j0: Value, sums: Value, width: int
    ) -> None:
        """The sums of a block of rows of the matrix."""
        t, lower, chains = self.t, self.t.lower, self.t.chains
        source, operand = lines.source, lines.operand

        def lanes(j: Value) -> None:
            at = (t.index(lines.start) + t.index(j) * lines.distance).value

            def add(x: Parts, k: Value, totals: Totals) -> Totals:
                here = (t.index(pc) + k).value
                if operand is not None:
                    with lower.scope():
                        lower.read_through(operand, lambda index: x[0])
                        x = chains.parts_of(self.matrix(outer, here, (t.index(j0) + j).value))
                return chains.add(x, chains.parts_of(self.vector(outer, here)), totals)

            def line(k: Value, totals: Totals) -> Totals:
                parts = length // group
                for number, i in enumerate(range(0, length, group)):
                    if lines.ahead:  # more streams than a processor prefetches
                        for row in range(width * number // parts, width * (number + 1) // parts):
                            self.prefetch_line(lines, pc, k, row, length, width)
                    totals = tile((t.index(k) + i).value, totals)
                return totals

            def tile(k: Value, totals: Totals) -> Totals:
                places = [
                    (t.index(at) + k + (number * lines.size)).value
                    for number in range(chains.parts)
                ]
                tiles = [lower.b.emit_all(LoadTransposed(source, p, group)) for p in places]
                for i, x in enumerate(zip(*tiles, strict=True)):
                    totals = add(x, (t.index(k) + i).value, totals)
                return totals

            def single(k: Value, totals: Totals) -> Totals:
                place = (t.index(at) + k).value
                parts = range(chains.parts)
                return add(
                    tuple(t.load(source, (t.index(place) + (n * lines.size)).value) for n in parts),
                    k,
                    totals,
                )

            ways: list[tuple[int, Products]] = [(length, line), (group, tile), (1, single)]
            if length == group:
                del ways[1]
            self.store(sums, j, width, accumulate(t, kc, ways))

        length = group = t.lanes
        if operand is not None:
            length = lower.target.vector_bytes // operand.dtype.itemsize
            group = min(length, SHUFFLED_BYTES // operand.dtype.itemsize)
        if self.moves_lines:
            group = length
        lower.loop(t.extent(0), t.extent(width), lanes, LoopKind.SIMD, step=width)

    def prefetch_line(
        self, lines: Lines, pc: Value, k: Value, row: int, length: int, width: int
    ) -> None:
        """Prefetch a line of so many elements beside element pc + k of row `row`: the next one of
        the row. Of what rows are computed from, and of large matrices, it is one of the rows of the
        next task, into L2, in the order of memory. 50257x768 transposed, of int8: 1.6 of the time
        by rows, 1.3 into L1; of float32 1.13 by rows, but 768x768 in a cache 0.96."""
        t = self.t
        by_rows = lines.operand is None and not self.is_large
        if by_rows:
            ahead = t.index(lines.start) + (t.index(k) + length) + t.index(lines.distance) * row
        else:
            rows = t.index(lines.start) + t.index(lines.distance) * width - t.index(pc)
            ahead = rows + (t.index(pc) + k) * width + row * length
        purpose = "load" if by_rows else "later"
        t.lower.b.emit_all(Prefetch(lines.source, ahead.value, purpose))


@dataclass(frozen=True)
class Lines:
    """Rows of a matrix, along k."""

    source: Value  # the buffer
    start: Value  # of the first one
    distance: Value  # from one to the next
    size: int  # from the real to the imaginary parts
    operand: Value | None = None  # what the buffer has, if elements are computed from that
    ahead: bool = False  # whether they may come from memory


def accumulate(t: Tiles, count: Value, ways: Sequence[tuple[int, Products]]) -> Totals:
    """AccumulatorChains of products: so many at once as the first way takes, the rest by those
    that follow, of which the last one takes any number."""
    low: Value | None = None
    totals: Totals = ()
    last = ways[-1][1]
    for size, fill in ways:
        high = (t.index(count) // size * size).value if size > 1 else count
        if low is None:
            low, totals = t.extent(0), t.chains.start
        totals = t.lower.carry(low, high, totals, fill, size)
        if fill is last or t.lower.known(t.index(high).equal(count).value):
            break
        low = high
    return totals


class Dot:
    """One row times one column, longer than a block: the lanes are blocks."""

    def __init__(self, tiles: Tiles) -> None:
        self.t = tiles

    def write(self) -> None:
        t, lower = self.t, self.t.lower
        p, width = t.p, t.lanes
        size = min(t.lanes, SHUFFLED_BYTES // t.compute.itemsize)
        blocks = ceildiv(p.k, BLOCK)
        groups = ceildiv(blocks, width)
        partial = PartialSums(t, t.compute, groups * width, 1, p.batch)
        zero, nothing = t.extent(0), lower.b.constant(0, t.compute)

        def rows(
            whole: Value, memory: Value | None, outer: Index, b0: Value, element: Element
        ) -> tuple[Value, Value]:
            """Where the blocks from b0 on are, one after another: in memory if they are there and
            whole, else in a copy with zeros behind the end."""
            strip = t.local(width * BLOCK)
            first = (t.index(b0) * BLOCK).value
            length = t.index(width * BLOCK).minimum(t.index(p.k) - first).value

            def copy(k: Value) -> None:
                lower.store(strip, k, element((t.index(first) + k).value))

            def clear(k: Value) -> None:
                lower.store(strip, k, nothing)

            def fill() -> None:
                lower.loop(zero, length, copy, LoopKind.VECTOR, step=2)
                lower.loop(length, t.extent(width * BLOCK), clear, LoopKind.VECTOR, step=1)

            if memory is None:
                fill()
                return strip, zero
            t.when(~t.index(whole), fill)
            at = (t.index(lower.linear((*outer, zero), (*p.batch, p.k))) + first).value
            source = lower.emit(ChooseBuffer(whole, lower.buffer(memory), strip))
            return source, t.index(whole).select(at, zero).value

        def task(number: Value) -> None:
            *outer, group = lower.unlinear(number, (*p.batch, groups))
            b0 = (t.index(group) * width).value
            at = tuple(outer)
            end = ((t.index(b0) + width) * BLOCK).value
            whole = (t.index(end) <= t.extent(p.k)).value
            xs = rows(whole, p.left_plain, at, b0, lambda k: p.left(at, zero, k))
            right = p.right_along_k if p.right_plain is None else p.right_plain
            ys = rows(whole, right, at, b0, lambda k: p.right(at, k, zero))
            start = partial.at(b0, zero, at)

            def lanes(j: Value) -> None:
                def tile(k: Value, totals: Totals) -> Totals:
                    for source, first in (xs, ys):  # a part of the next blocks
                        ahead = (t.index(first) + (width * BLOCK) + t.index(k) * width).value
                        for i in range(0, width * size, t.line_length):
                            lower.b.emit_all(Prefetch(source, (t.index(ahead) + i).value, "later"))
                    loads = [
                        LoadTransposed(
                            source, (t.index(first) + t.index(j) * BLOCK + k).value, size
                        )
                        for source, first in (xs, ys)
                    ]
                    for x, y in zip(*map(lower.b.emit_all, loads), strict=True):
                        totals = t.chains.add((x,), (y,), totals)
                    return totals

                found = accumulate(t, t.extent(BLOCK), [(size, tile)])
                lower.store(partial.memory, (t.index(start) + j).value, t.chains.total(found))

            lower.loop(zero, t.extent(width), lanes, LoopKind.SIMD, step=width)

        work = product((*p.batch, p.k)) * t.compute.itemsize // 8
        lower.parallel(product((*p.batch, groups)), work, task)

        def finish(outer: Index) -> None:
            start = partial.at(zero, zero, outer)
            total = partial.total(start, t.extent(blocks), nothing)
            t.store_total((*outer, zero, zero), total, last=True)

        lower.nest(p.batch, finish, serial=len(p.batch))
