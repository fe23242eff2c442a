"""The schedule of contractions on a grid: a tile of the result for each block of threads.

The sums are those of ir/kernels/cpu/gemm/choice.py, bit for bit. A team of 16 x 16 threads makes a
tile of `rows` x `columns` elements; each thread keeps `rows / 16` x `columns / 16` sums in
registers, and k runs in steps of `depth`, for which the elements of both operands are in shared
memory. While sums are made from one step, the elements of the next are on their way
(ir/kernels/gpu/pipeline.py). Elements are pulled, so transposes, casts and the windows of
convolutions cost nothing but their arithmetic.

    for each tile:
        for each block of BLOCK elements of k:
            for each step of `depth`:
                sums += left * right, from shared memory
            totals += sums
        store what the kernel makes of the totals
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Self, TypeGuard

from ....core import Op, Value
from ....dtypes import DType, bool_
from ....element_builder import Index
from ....extent import Extent, ceildiv, product
from ....ops.contraction import BLOCK, Matmul
from ....ops.elementwise import Add, Less, NotEqual
from ....ops.window import Conv
from ....types import INDEX
from ....value_classes import dataclass
from ...common.im2col import Im2col, gemm_shape, is_single_gemm, rows_of_phase
from ...contraction import GemmShape, Problem, matmul_shape, matrix_product
from ...ops import Branch, Load, LoadMany, Local, Shared
from ...plan.computed_operands import untransposed
from ...plan.groups import Group, Kind, Plan, Schedule, Uses
from ...plan.reasons import COMPLEX, OTHER_KIND, Mismatch
from ..pipeline import BLOCK_SHARED_BYTES, COPY_STAGES, Copied, Fetched
from . import elementwise
from .shared_operands import (
    ACCESS_BYTES,
    COPIED_BYTES_MIN,
    GEMM_TEAM,
    GEMM_TEAM_SIDE,
    Loading,
    OperandMemory,
)
from .thread_groups import index_at, launch_grid

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target

# Elements of k that a step has at most; divides BLOCK. Two operands of 128 places fit 16 KB then.
# Not measured: no GPU was at hand when it was set.
STEP_K = 16
# Tiles that keep a large processor busy, about one for each of its 132 multiprocessors. Not
# measured: no GPU was at hand when it was set.
BUSY_TILES_MIN = 128
# Multiplications for which tiles are not worth their barriers: 16 cubed, one tile's. Not
# measured: no GPU was at hand when it was set.
TILED_PRODUCTS_MIN = 1 << 12


@dataclass(frozen=True)
class TiledContraction(Schedule):
    """The base of schedules of matrix products, and of convolutions as such."""

    kind = Kind.CONTRACTION

    op: Matmul | Conv


@dataclass(frozen=True)
class SimtGemm(TiledContraction):
    """Tiles of sums that each thread has some of."""

    takes = "products, and convolutions as such"
    heads = (Matmul, Conv)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if isinstance(op, Matmul):
            return (op.result, *(untransposed(v, uses.stored) for v in op.operands))
        return (op.result, *op.operands)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        if not is_contraction(op):
            return no_contraction(op)
        work = product(extents(op))
        if isinstance(work, int) and work < TILED_PRODUCTS_MIN:
            return Mismatch("{} products fill no tile (below {})", work, TILED_PRODUCTS_MIN)
        return cls(op)

    def emit(self, lower: GroupBuilder) -> None:
        Tiling(lower, self.op, problem_of(lower, self.op)).write()


@dataclass(frozen=True)
class GemmByElement(TiledContraction):
    """A matrix product, an element of the result a thread: for what is small, and complex."""

    takes = "any matrix product"
    begins = (Matmul,)

    op: Matmul

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        assert isinstance(op, Matmul)
        return cls(op)

    def emit(self, lower: GroupBuilder) -> None:
        elementwise.contraction(lower, self.op)


def is_contraction(op: Op) -> TypeGuard[Matmul | Conv]:
    """Whether `op` is one matrix product that tiles can make."""
    return (isinstance(op, Matmul) or is_single_gemm(op)) and not op.operands[0].dtype.is_complex


def no_contraction(op: Op) -> Mismatch:
    """Why `op` is none."""
    if not isinstance(op, Matmul | Conv):
        return OTHER_KIND
    return COMPLEX if op.operands[0].dtype.is_complex else Mismatch("it has several groups")


def extents(op: Matmul | Conv) -> tuple[Extent, ...]:
    """Rows, columns and products of the sums of one of the products that `op` is."""
    if isinstance(op, Matmul):
        return (*op.result.shape[-2:], op.x.shape[-1])
    return (*rows_of_phase(op), op.w.shape[-1], *op.depth)


def shape_of(op: Matmul | Conv, in_memory: Callable[[Value], bool]) -> GemmShape:
    """The shape of the product that `op` is, given what is in memory."""
    return matmul_shape(op, in_memory) if isinstance(op, Matmul) else gemm_shape(op)


def problem_of(lower: GroupBuilder, op: Matmul | Conv) -> Problem:
    """The product that `op` is."""
    if isinstance(op, Matmul):
        return matrix_product(lower, op)
    return Im2col(lower, op).problem()


def tile_sides(p: GemmShape) -> tuple[int, int]:
    """The rows and columns of a tile, by how many tiles there are and how large the result is."""
    most = 128 if p.compute.itemsize <= 4 else 64
    rows, columns = _side(p.m, most), _side(p.n, most)
    while rows * columns > 32 * 32:
        tiles = product((*p.batch, ceildiv(p.m, rows), ceildiv(p.n, columns)))
        if isinstance(tiles, int) and tiles >= BUSY_TILES_MIN:
            break
        if not isinstance(tiles, int) and rows * columns <= 64 * 64:
            break
        if rows >= columns:
            rows //= 2
        else:
            columns //= 2
    return rows, columns


class Tiling(Loading):
    """Writes the kernel of one contraction."""

    def __init__(self, lower: GroupBuilder, op: Op, problem: Problem) -> None:
        super().__init__(lower)
        self.source, self.p = op, problem
        self.operands = OperandMemory(op, problem, lower.in_memory)
        self.compute = problem.result.dtype.compute
        self.several = not isinstance(problem.k, int) or problem.k > BLOCK
        self.rows, self.columns = self.sides(problem)
        self.nothing = lower.b.constant(0, self.compute)
        self.arrange()

    @staticmethod
    def sides(shape: GemmShape) -> tuple[int, int]:
        """The rows and columns of a tile."""
        return tile_sides(shape)

    def arrange(self) -> None:
        """What a thread has of the tile, and how steps come into shared memory; copies take shorter
        ones, to have room for them."""
        self.high, self.wide = (
            self.rows // GEMM_TEAM_SIDE,
            self.columns // GEMM_TEAM_SIDE,
        )  # of a thread's sums
        self.depth = STEP_K
        copied = self.copied()
        self.kept = copied or [self.compute] * 2
        pads = [max(1, ACCESS_BYTES // dtype.itemsize) for dtype in self.kept]
        self.strides = self.rows + pads[0], self.columns + pads[1]
        self.stages = Copied(self) if copied else Fetched(self)
        while copied and self.step_bytes() * COPY_STAGES > BLOCK_SHARED_BYTES:
            self.depth //= 2

    def step_bytes(self) -> int:
        """The shared memory of a step."""
        lines = zip(self.strides, self.kept, strict=True)
        return self.depth * sum(stride * int(dtype.itemsize) for stride, dtype in lines)

    def copied(self) -> list[DType] | None:
        """The dtypes of both operands in memory, if all that is multiplied can be copied from there
        and k is worth it. What is smaller than a copy has to lie side by side."""
        if isinstance(self.p.k, int) and self.p.k < COPY_STAGES * STEP_K:
            return None
        found = []
        for number, (_, along_k) in enumerate(self.lines):
            value = self.operands.origin(number)
            if value is None or value.dtype is bool_:
                return None
            if value.dtype.itemsize < COPIED_BYTES_MIN and (
                along_k or self.operands.lying(number) is None
            ):
                return None
            found.append(value.dtype)
        return found

    def write(self) -> None:
        p, lower = self.p, self.lower
        batch = [a for a, e in enumerate(p.batch) if e != 1]
        counts = [p.batch[a] for a in batch]
        counts += [ceildiv(p.m, self.rows), ceildiv(p.n, self.columns)]

        def fill(params: Index) -> Sequence[Value]:
            *places, ti, tj, thread = params
            self.tile(
                index_at(lower, len(p.batch), batch, places),
                (self.index(ti) * self.rows).value,
                (self.index(tj) * self.columns).value,
                thread,
            )
            return ()

        body = lower.region("body", (INDEX,) * (len(counts) + 1), fill)
        launch_grid(lower, counts, GEMM_TEAM, body)

    def tile(self, outer: Index, i0: Value, j0: Value, thread: Value) -> None:
        p, lower = self.p, self.lower
        self.outer, self.i0, self.j0, self.thread = outer, i0, j0, thread
        self.x, self.y = (
            (self.index(thread) % GEMM_TEAM_SIDE).value,
            (self.index(thread) // GEMM_TEAM_SIDE).value,
        )
        self.memory = [
            lower.emit(Shared(dtype, (self.stages.count * self.depth * stride,)))
            for dtype, stride in zip(self.kept, self.strides, strict=True)
        ]
        self.end = lower.extent(p.k)
        self.neighbours = [self.side_by_side(number) for number in range(2)]
        zero = lower.extent(0)
        self.stages.begin()
        start = (self.nothing,) * (self.high * self.wide)
        totals: Sequence[Value]
        if not self.several:
            sums = self.block(zero, self.end, start)
            totals = [lower.emit(Add(self.nothing, s)) for s in sums]
        else:

            def block(low: Value, before: Index) -> Sequence[Value]:
                high = (self.index(low) + BLOCK).minimum(self.end).value
                sums = self.block(low, high, start)
                return [lower.emit(Add(t, s)) for t, s in zip(before, sums, strict=True)]

            totals = lower.carry(zero, self.end, start, block, BLOCK)
        self.stages.end()
        self.store(totals)

    def block(self, low: Value, high: Value, start: tuple[Value, ...]) -> Sequence[Value]:
        """The sums over k from low to high."""

        def step(k: Value, sums: Index) -> Sequence[Value]:
            return self.stages.step(k, lambda number: self.products(number, sums))

        return self.lower.carry(low, high, start, step, self.depth)

    def products(self, number: Value, sums: Sequence[Value]) -> Sequence[Value]:
        """The sums with the products of one step added, in order of k."""
        lower = self.lower
        ends = [(self.index(number) * (self.depth * stride)).value for stride in self.strides]

        def step(k: Value, sums: Index) -> Sequence[Value]:
            left = self.line(
                0, (self.index(ends[0]) + self.index(k) * self.strides[0]).value, self.y, self.high
            )
            right = self.line(
                1, (self.index(ends[1]) + self.index(k) * self.strides[1]).value, self.x, self.wide
            )
            return [
                self.lower.fma(left[r], right[c], sums[r * self.wide + c])
                for r in range(self.high)
                for c in range(self.wide)
            ]

        return lower.carry(lower.extent(0), lower.extent(self.depth), sums, step)

    def line(self, number: int, start: Value, who: Value, count: int) -> list[Value]:
        """A thread's elements of one line, in groups that lie side by side."""
        group = min(count, 4)
        found: list[Value] = []
        for g in range(count // group):
            at = (
                self.index(start) + (self.index(who) * group + (g * group * GEMM_TEAM_SIDE))
            ).value
            found += self.lower.b.emit_all(LoadMany(self.memory[number], at, group))
        return [self.lower.cast(x, self.compute) for x in found]

    def places_of(self, e: Value) -> tuple[Value, Value]:
        """Where in the result a thread's sum of this number is."""
        row, column = (self.index(e) // self.wide).value, (self.index(e) % self.wide).value
        i = (self.index(self.i0) + self.offset_of(row, self.y, self.high)).value
        return i, (self.index(self.j0) + self.offset_of(column, self.x, self.wide)).value

    def offset_of(self, number: Value, who: Value, count: int) -> Value:
        """The place in a tile of a thread's sum of this number along a side (see `line`)."""
        group = min(count, 4)
        inner = (self.index(who) * group + self.index(number) % group).value
        return (self.index(inner) + self.index(number) // group * (group * GEMM_TEAM_SIDE)).value

    # What becomes of the sums.

    def store(self, totals: Sequence[Value]) -> None:
        """Store what the kernel makes of each total; they go through memory of the thread's own, so
        that this is written once."""
        lower, p = self.lower, self.p
        memory = lower.emit(Local(totals[0].dtype, (len(totals),)))
        for e, total in enumerate(totals):
            lower.store(memory, lower.extent(e), total)

        def element(e: Value) -> None:
            i, j = self.places_of(e)
            inside = (
                self.index(lower.emit(Less(i, lower.extent(p.m))))
                & lower.emit(Less(j, lower.extent(p.n)))
            ).value
            there = p.place(self.outer, i)[1] if p.place is not None else None
            if there is not None:
                inside = (self.index(inside) & there).value

            lower.when(inside, lambda: self.finish(i, j, lower.emit(Load(memory, e, None))))

        lower.loop(lower.extent(0), lower.extent(len(totals)), element)

    def finish(self, i: Value, j: Value, total: Value) -> None:
        lower, p = self.lower, self.p
        index: Index = (*self.outer, i, j)
        if p.place is not None:
            index = (*p.place(self.outer, i)[0], j)
            offset = lower.linear(index, p.result.shape)
        else:
            offset = lower.linear(index, (*p.batch, p.m, p.n))
            if p.rows is not None:
                index = (*lower.unlinear(i, p.rows), j)
        value = lower.cast(total, p.result.dtype)
        op = self.source
        if isinstance(op, Conv) and self.compute.is_floating:
            # Zeros stood for what the window skips; times inf or nan they made a nan.
            undefined = lower.emit(NotEqual(total, total))
            again = lower.region("branch", (), lambda _: (op.at(lower, index),))
            (value,) = lower.b.emit_all(
                Branch(undefined, again, lower.region("branch", (), lambda _: (value,)))
            )
        lower.define(p.result, index, value)
        with lower.at_offset(index, offset, p.result.shape):
            lower.store_roots(index)


def _side(extent: Extent, most: int) -> int:
    """The least side of a tile that an extent fills, at most `most`."""
    if not isinstance(extent, int):
        return most
    side = GEMM_TEAM_SIDE
    while side < most and side < extent:
        side *= 2
    return side
