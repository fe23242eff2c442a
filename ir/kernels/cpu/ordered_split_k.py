"""Ordered split-k: sums of blocks of k on any threads, where k is long and the sums are few.

    for each block of k (in OrderedSplitK: of a round of some blocks), on any threads:
        its sums, in memory of its own
    for each sum: those of the blocks, added in their order

So threads share blocks, what a block reads comes from memory once, and bits do not depend on the
number of threads. `PartialSums` is that memory, and adds up; `OrderedSplitK` goes through blocks in
rounds, so that their sums stay in the L2 cache. It costs a store and a load for each sum and block.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import Value
from ...dtypes import DType
from ...element_builder import Index
from ...extent import Extent, Shape, ceildiv, product
from ...kernel_op import LoopKind
from ...ops.contraction import BLOCK
from ...ops.elementwise import Add
from ...types import INDEX, TensorType
from ..ops import Parallel
from ..writer import Writer

# Sums of all blocks of a round, about: 1 MB of float32. conv 32x28x28x64 1x1x64, gradient of w:
# 0.95 of the time with a quarter, 1.02 with four times as many; matmul one row 1024x1024: 1.01,
# 1.00.
ROUND_SUMS = 1 << 18
# Blocks of a round, at least and at most: so many threads find work, and so few blocks wait. Not
# measured: for threads.
ROUND_BLOCKS_BOUNDS = 16, 128


class PartialSums:
    """What blocks of k sum up to: `size` sums each, for each element of a batch."""

    def __init__(
        self, t: Writer, compute: DType, blocks: Extent, size: Extent, batch: Shape = ()
    ) -> None:
        self.t, self.compute, self.size = t, compute, size
        self.shape = (*batch, blocks, size)
        self.memory = t.lower.scratch(TensorType(compute, self.shape))

    def at(self, block: Value, sum_: Value, batch: Index = ()) -> Value:
        """Where a sum of a block is."""
        return self.t.lower.linear((*batch, block, sum_), self.shape)

    def total(self, first: Value, count: Value, before: Value) -> Value:
        """The sums of so many blocks, of which the first one is given, added in order to those
        before."""
        t, lower = self.t, self.t.lower

        def add(block: Value, totals: Index) -> Index:
            at = (t.index(block) * t.extent(self.size) + first).value
            return (lower.emit(Add(totals[0], lower.load(self.memory, at))),)

        (total,) = lower.carry(t.extent(0), count, (before,), add)
        return total


class OrderedSplitK:
    """The sums of a result of this shape, block by block of k."""

    def __init__(self, t: Writer, compute: DType, shape: Shape) -> None:
        self.t, self.compute, self.shape = t, compute, shape
        size = product(shape)
        wanted = ROUND_SUMS // size if isinstance(size, int) else 0
        self.blocks = min(max(wanted, ROUND_BLOCKS_BOUNDS[0]), ROUND_BLOCKS_BOUNDS[1])
        self.sums = PartialSums(t, compute, self.blocks + 1, size)  # the last one is for totals

    def at(self, block: Value, index: Index) -> Value:
        """Where the sum of a block of the round is."""
        return self.sums.at(block, self.t.lower.linear(index, self.shape))

    @property
    def memory(self) -> Value:
        return self.sums.memory

    def write(
        self,
        k: Extent,
        work: Extent,
        block: Callable[[Value, Value], None],
        store: Callable[[Index, Value], None],
    ) -> None:
        """`block` stores the sums of a block, whose number in the round and first k it is told;
        it takes about so many nanoseconds. `store` is told what all blocks sum up to."""
        t, lower = self.t, self.t.lower
        zero, count = lower.b.constant(0, self.compute), t.extent(ceildiv(k, BLOCK))
        self.each(lambda sum_: self.keep(sum_, zero))

        def some_blocks(first: Value) -> None:
            number = t.index(self.blocks).minimum(t.index(count) - first).value

            def one(params: Index) -> Index:
                block(params[0], ((t.index(first) + params[0]) * BLOCK).value)
                return ()

            region = lower.region("body", (INDEX,), one)
            lower.b.emit_all(Parallel(number, t.extent(work * self.blocks), region))
            self.each(lambda sum_: self.add(sum_, number))

        high = t.index(count).maximum(1).value
        lower.loop(t.extent(0), high, some_blocks, step=self.blocks)
        *outer, last = self.shape

        def row(number: Value) -> None:
            first = (t.index(number) * t.extent(last)).value
            index = lower.unlinear(number, tuple(outer))

            def column(j: Value) -> None:
                store((*index, j), self.total((t.index(first) + j).value))

            lower.loop(t.extent(0), t.extent(last), column, LoopKind.VECTOR, step=2)

        lower.loop(t.extent(0), t.extent(product(outer)), row)

    def total(self, sum_: Value) -> Value:
        """What all blocks add up to so far, of a sum of the result."""
        return self.t.lower.load(self.memory, self.sums.at(self.t.extent(self.blocks), sum_))

    def keep(self, sum_: Value, total: Value) -> None:
        place = self.sums.at(self.t.extent(self.blocks), sum_)
        self.t.lower.store(self.memory, place, total)

    def add(self, sum_: Value, count: Value) -> None:
        """The sums of the round's blocks, in order, to those before."""
        self.keep(sum_, self.sums.total(sum_, count, self.total(sum_)))

    def each(self, fill: Callable[[Value], None]) -> None:
        """`fill` for each sum of the result."""
        t, size = self.t, self.t.extent(product(self.shape))
        t.lower.loop(t.extent(0), size, fill, LoopKind.VECTOR, step=2)
