"""The schedule of a transpose that moves the last axis: tiles are transposed in registers.

Along the last axis of the result, neighbours lie far apart in the operand, and the other way
round: one of loads and stores would touch a cache line for each element. In tiles of a vector's
width both touch whole vectors. There are two orders of them:

    strips   a few lines of cache wide, down the whole operand: the result is written line after
             line, in so many rows that the lines of the next tiles must be prefetched
    bands    one tile high, across the whole operand, which is read as it lies; lines of the
             result are written once and whole, past the caches (`TransposeTile.past`)

Bands are for results that no cache would hold, whose lines begin where the tiles' rows do. A
transpose of 4096 x 4096 then takes 1.1 copies of as many bytes, strips 1.5, and 2.3 without
prefetching.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from ....algebra import Term, where
from ....core import Function, Value
from ....element_builder import Index
from ....extent import Extent, ceildiv, floordiv, largest, product, remainder
from ....kernel_op import LoopKind
from ....ops.shape import Transpose
from ....value_classes import dataclass
from ...common import transposes
from ...ops import Aligned, Branch, TransposeTile
from ...plan.groups import Group, Plan, Schedule, begun_by_another
from ...plan.reasons import Mismatch

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


# Tiles side by side, so that a page is not left after one cache line. transpose of 32x512x8x64:
# 1.07 of the time with 1, 0.91 with 8; of 64x56x56x64 to NCHW: 0.99 and 1.03.
STRIP_TILES = 4
# Elements of a band from what is read to what is prefetched. transpose of 4096 x 4096: 0.94 of
# the time with 32, 1.01 with 512.
PREFETCH_ELEMENTS = 128


@dataclass(frozen=True)
class TransposeTiles(Schedule):
    """Tiles of `side` x `side` elements, each transposed in registers."""

    takes = "transposes that move the last axis"

    op: Transpose
    side: int

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        root, op = group.roots[0], group.op
        if not isinstance(op, Transpose):
            return begun_by_another(group, Transpose)
        if (why := transposes.misfit(op, group, plan)) is not None:
            return why
        side = min(16, target.vector_bytes // root.dtype.itemsize)
        ends = root.shape[-1], op.x.shape[-1]
        short = [e for e in ends if isinstance(e, int) and e < side]
        return (
            Mismatch("{} elements fill no tile of {}", short[0], side) if short else cls(op, side)
        )

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return floordiv(product(self.op.result.shape) * self.op.result.dtype.itemsize, 4)

    def emit(self, lower: GroupBuilder) -> None:
        write(lower, self.op, self.side)


def write(lower: GroupBuilder, op: Transpose, n: int) -> None:
    """Write the kernel, in tiles of n x n elements."""
    writer = _TileWriter(lower, op, n)
    large = writer.large()
    if large is None:
        writer.strips()
        return

    def region(name: str, order: Callable[[], None]) -> Function:
        def fill(_: Index) -> Index:
            order()
            return ()

        return lower.region(name, (), fill)

    branches = region("then", writer.bands), region("orelse", writer.strips)
    lower.b.emit_all(Branch(large, *branches))


class _TileWriter:
    """The code of one transpose. `i` goes along the last axis of the result, `j` along that of
    the operand."""

    def __init__(self, lower: GroupBuilder, op: Transpose, n: int) -> None:
        self.lower, self.n, self.op, self.root = lower, n, op, op.result
        shape, rank = self.root.shape, self.root.rank
        self.transposed = self.op.perm.index(rank - 1)  # the axis of the result that is j's
        self.across, self.along = shape[self.transposed], shape[-1]
        self.others = tuple(e for i, e in enumerate(shape[:-1]) if i != self.transposed)
        self.covered = remainder(self.across, n) == 0  # by whole tiles
        self.source, self.target = lower.buffer(self.op.x), lower.output(self.root)

    def large(self) -> Value | None:
        """Whether lines of the result should go past the caches, and can; None where that is known
        not to be so."""
        lower, itemsize = self.lower, self.root.dtype.itemsize
        least = lower.target.l3 // itemsize
        size = largest(product(self.root.shape))
        if self.n * itemsize != lower.target.line or (isinstance(size, int) and size < least):
            return None
        if isinstance(self.along, int) and self.along % self.n:
            return None
        whole = (self.term(self.along) % self.n).equal(0)
        aligned = self.term(lower.emit(Aligned(self.target, lower.target.line)))
        found = (self.term(product(self.root.shape)) >= least) & whole
        value: Value = (found & aligned).value
        return value

    def strips(self) -> None:
        lower, width = self.lower, self.n * STRIP_TILES

        def strip(number: Value) -> None:
            *outer, place = lower.unlinear(number, (*self.others, ceildiv(self.across, width)))
            first = self.term(place) * width
            end = (first + width).minimum(self.term(self.across))
            last = end if self.covered else end.minimum(self.whole(self.across))
            length, step = self.whole(self.along), self.step()

            def tiles(i: Value) -> None:
                # Behind the last tile of a strip comes the first one of the next strip.
                below = (self.term(i) + self.n) < length
                ahead = where(below, step * self.n, self.term(width) - self.term(i) * step)
                self.row(outer, i, first, last, ahead, past=False)

            lower.loop(lower.extent(0), length.value, tiles, step=self.n)
            self.rest(outer, first, last, length)
            self.rest(outer, last, end, self.term(0))

        lower.parallel(product((*self.others, ceildiv(self.across, width))), lower.cost, strip)

    def bands(self) -> None:
        lower = self.lower

        def band(number: Value) -> None:
            *outer, place = lower.unlinear(number, (*self.others, ceildiv(self.along, self.n)))
            i, across = self.term(place) * self.n, self.term(self.across)
            # In the band, or below it where it is short.
            ahead = where(
                across >= 2 * PREFETCH_ELEMENTS, self.term(PREFETCH_ELEMENTS), self.step() * self.n
            )
            last = self.whole(self.across)
            self.row(outer, i.value, self.term(0), last, ahead, past=True)
            self.rest(outer, last, across, i, i + self.n)

        lower.parallel(product((*self.others, ceildiv(self.along, self.n))), lower.cost, band)

    def row(
        self, outer: list[Value], i: Value, first: Term, last: Term, ahead: Term, past: bool
    ) -> None:
        """The tiles side by side from `first` to `last`."""
        lower = self.lower
        target_step = lower.extent(product(self.root.shape[self.transposed + 1 :]))
        rows = self.step().value, target_step

        def tile(j: Value) -> None:
            index = self.index(outer, j, i)
            at = lower.linear(tuple(index[k] for k in self.op.inverse), self.op.x.shape)
            to = lower.linear(index, self.root.shape)
            source, target = (self.source, at, rows[0]), (self.target, to, rows[1])
            lower.b.emit_all(TransposeTile(*source, *target, ahead.value, self.n, past))

        lower.loop(first.value, last.value, tile, step=self.n)

    def rest(
        self, outer: list[Value], first: Term, last: Term, low: Term, high: Term | None = None
    ) -> None:
        """What no tile covers, element by element: for j from `first` to `last`, i from `low`."""
        lower = self.lower
        high = high or self.term(self.along)

        def line(j: Value) -> None:
            def one(i: Value) -> None:
                index = self.index(outer, j, i)
                element = lower.element(self.root, index)
                lower.store(self.target, lower.linear(index, self.root.shape), element)

            lower.loop(low.value, high.value, one, LoopKind.VECTOR)

        lower.loop(first.value, last.value, line)

    def index(self, outer: list[Value], j: Value, i: Value) -> Index:
        """The index of the result at i and j, and at `outer` along the other axes."""
        rest = iter(outer)
        axes = range(self.root.rank - 1)
        return (*(j if axis == self.transposed else next(rest) for axis in axes), i)

    def term(self, x: Value | Extent) -> Term:
        return Term(self.lower.b, x if isinstance(x, Value) else self.lower.extent(x))

    def whole(self, extent: Extent) -> Term:
        """So much of an extent as tiles cover."""
        if remainder(extent, self.n) == 0:
            return self.term(extent)
        return (self.term(extent) // self.n) * self.n

    def step(self) -> Term:
        """How many elements neighbours along i are apart in the operand."""
        return self.term(product(self.op.x.shape[self.op.perm[-1] + 1 :]))
