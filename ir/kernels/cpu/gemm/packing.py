"""Packing: what tiles read is copied first, so that it lies side by side (see choice.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....dtypes import DType
from ....element_builder import Index
from ....extent import Extent, floordiv, product
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add, Cast, Fma, Mul
from ....ops.shape import Constant
from ....types import INDEX
from ...accumulators import AccumulatorChains
from ...contraction import Problem, RegisterTile, register_tile
from ...ops import Load, Local, Parallel, Turn

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder

Number = Value | int

PAD = (
    16  # elements between the rows of a strip, so that they do not map to the same sets of a cache
)
TOGETHER = 4  # strips of a transposed left
TASKS = 8  # that threads shall have at least
LIGHT = 4  # scalar operations of an epilogue that is written out for each row of a tile


class Indices:
    """Arithmetic on a kernel's indices. Ints stand for constants."""

    def __init__(self, lower: FusedKernelBuilder) -> None:
        self.lower = lower

    def value(self, x: Number) -> Value:
        return x if isinstance(x, Value) else self.lower.extent(x)

    def extent(self, e: Extent) -> Value:
        return self.lower.extent(e)

    def op(self, name: str, x: Number, y: Number) -> Value:
        b = self.lower.b
        return Term(b, self.value(x))._emit(name, Term(b, self.value(y))).value

    def add(self, x: Number, y: Number) -> Value:
        return self.op("add", x, y)

    def mul(self, x: Number, y: Number) -> Value:
        return self.op("mul", x, y)

    def minus(self, x: Number, y: Number) -> Value:
        return self.op("sub", x, y)

    def fma(self, x: Value, y: Value, total: Value) -> Value:
        """x * y + total: of floats rounded once."""
        emit = self.lower.emit
        if total.dtype.is_floating:
            value: Value = emit(Fma(x, y, total))
        else:
            value = emit(Add(emit(Mul(x, y)), total))
        return value

    def least(self, x: Number, y: Number) -> Value:
        return self.op("minimum", x, y)

    def both(self, x: Value, y: Value) -> Value:
        return self.op("bitwise_and", x, y)

    def choose(self, condition: Value, x: Value, y: Value) -> Value:
        b = self.lower.b
        return Term(b, condition).select(Term(b, x), Term(b, y)).value

    def known(self, condition: Value) -> bool | None:
        """What a condition is, if that is known now."""
        op = condition.op
        return bool(op.value) if isinstance(op, Constant) else None

    def when(self, condition: Value, fill: Callable[[], None]) -> None:
        """What `fill` emits runs only where the condition holds."""
        known = self.known(condition)
        if known is not None:
            if known:
                fill()
            return
        times = self.lower.emit(Cast(condition, INDEX.dtype))
        self.lower.loop(self.extent(0), times, lambda _: fill())


class Packer(Indices):
    """Scalars, memory and packing of one contraction, written through `lower` (see
    ir/kernels/lower.py)."""

    def __init__(self, lower: FusedKernelBuilder, problem: Problem) -> None:
        super().__init__(lower)
        self.p = problem
        self.compute: DType = problem.result.dtype.compute
        target = lower.target
        self.chains = AccumulatorChains(self, self.compute)
        self.part = self.chains.part
        self.row_step = 1 if problem.left_transposed else BLOCK + PAD
        self.shape(register_tile(self.compute, target))
        self.several = not isinstance(problem.k, int) or problem.k > BLOCK
        self.plain = lower.group.roots == [problem.result] and (
            problem.result.dtype is self.compute
        )
        self.light = lower.epilogue_cost() <= LIGHT
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
        return BLOCK * self.step if self.p.left_transposed else self.rows * self.row_step

    @cached_property
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
            return max(1, min(TOGETHER, self.p.m // (TASKS * self.rows)))
        return TOGETHER

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

    # Scalars. Ints stand for constants (see `Indices`).

    def over(self, x: Number, y: int) -> Value:
        """x / y, rounded up; neither is negative."""
        return self.op("floor_div", self.add(x, y - 1), y)

    def no(self, x: Value) -> Value:
        return self.op("bitwise_xor", x, self.lower.b.constant(True, x.dtype))

    def spread(self, count: Value, work: Extent, fill: Callable[[Value], None]) -> None:
        """`lower.parallel` for a count that is a scalar of the kernel."""

        def body(params: Index) -> Index:
            fill(params[0])
            return ()

        lower = self.lower
        if isinstance(work, int) and work < lower.target.parallel_worth:
            lower.loop(self.extent(0), count, fill)
            return
        region = lower.region("body", (INDEX,), body)
        lower.b.emit_all(Parallel(count, self.extent(work), region))

    def steps(self, total: Extent, step: int, fill: Callable[[Value], None]) -> None:
        """`fill` for 0, step, ... below total; once even where total is 0."""
        if isinstance(total, int) and total <= step:
            fill(self.extent(0))
            return
        high = self.op("maximum", self.extent(total), 1)
        self.lower.loop(self.extent(0), high, fill, step=step)

    def work(self, depth: Extent | None = None) -> Extent:
        """About how many nanoseconds it takes, or so much of k does: at 2 additions and
        multiplications a lane of a register and cycle, and 2 cycles a nanosecond."""
        p = self.p
        shape = (*p.batch, p.m, p.n, p.k if depth is None else depth)
        products = product(shape) * self.chains.count
        return floordiv(products, 4 * self.lanes)

    def block_length(self, pc: Value) -> Value:
        if isinstance(self.p.k, int) and self.p.k <= BLOCK:
            return self.extent(self.p.k)
        return self.least(BLOCK, self.minus(self.extent(self.p.k), pc))

    # Memory.

    def local(self, size: int, dtype: DType | None = None) -> Value:
        buffer: Value = self.lower.b.emit(Local(dtype or self.compute, (size,)))
        return buffer

    def load(self, buffer: Value, offset: Value, mask: Value | None = None) -> Value:
        return self.lower.emit(Load(buffer, offset, mask))

    def store_parts(self, buffer: Value, offset: Value, distance: int, value: Value) -> None:
        """Store a number; the parts of a complex one so many elements apart."""
        for number, part in enumerate(self.chains.parts_of(value)):
            self.lower.store(buffer, self.add(offset, number * distance), part)

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
        last = self.minus(self.extent(p.m), 1)
        if p.left_transposed:

            def column(k: Value) -> None:
                def element(r: Value, first: int) -> None:
                    i = self.add(i0, self.add(r, first * height))
                    with lower.where(self.op("less_equal", i, last)):
                        x = p.left(outer, i, self.add(pc, k))
                    place = self.add(self.mul(k, self.step), first * BLOCK * self.step)
                    lower.store(strip, self.add(place, r), x)

                for first in range(together):
                    fill = partial(element, first=first)
                    lower.loop(self.extent(0), self.extent(height), fill, "vector")

            lower.loop(self.extent(0), kc, column)
            return

        def row(r: Value) -> None:
            i = self.least(self.add(i0, r), last)
            place = self.mul(r, self.row_step)
            lower.linear((*outer, i, pc), (*p.batch, p.m, p.k))

            def element(k: Value) -> None:
                lower.store(strip, self.add(place, k), p.left(outer, i, self.add(pc, k)))

            lower.loop(self.extent(0), kc, element, "vector", step=2)

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
            inside = self.op("less", j, n)
            place = self.minus(self.add(start, j), j0)

            def row(k: Value) -> None:
                with lower.where(inside):
                    y = p.right(outer, self.add(pc, k), j)
                row_place = self.add(place, self.mul(k, self.panel_width))
                self.store_parts(panel, row_place, self.columns, y)

            lower.loop(self.extent(0), kc, row)

        lower.loop(j0, self.add(j0, self.columns), columns, "lanes", step=self.columns)

    def pack_transposed(
        self, panel: Value, start: Value, outer: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """`pack_right` for a right that lies along k: rows are copied, then tiles of them
        transposed."""
        lower, p = self.lower, self.p
        strip, distance = self.local(self.panel_width * (BLOCK + PAD), self.part), BLOCK + PAD
        last = self.minus(self.extent(p.n), 1)

        def line(j: Value) -> None:
            place = self.mul(j, distance)
            column = self.least(self.add(j0, j), last)

            def element(k: Value) -> None:
                y = p.right(outer, self.add(pc, k), column)
                self.store_parts(strip, self.add(place, k), self.columns * distance, y)

            lower.loop(self.extent(0), kc, element, "vector", step=2)

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
            ends = (panel, self.add(self.add(start, j), self.mul(k, width)), self.extent(width))
            first = self.add(at, self.add(self.mul(j, distance), k))
            self.lower.b.emit_all(Turn(source, first, distance, *ends, None, self.lanes, False))

        def tiles(k: Value) -> None:
            loop(self.extent(0), self.extent(width), lambda j: tile(j, k), step=self.lanes)

        loop = self.lower.loop
        loop(self.extent(0), kc, tiles, step=self.lanes)
