"""Sums of blocks of k, on any threads, where k is long and the sums are few.

Each block has memory for what it sums. So threads share blocks, and what a block reads comes from
memory once. Afterwards the sums are added up in the order of the blocks; that is done in rounds of
some blocks, so that their sums stay near.
"""

from __future__ import annotations

from collections.abc import Callable

from ...core import Value
from ...dtypes import DType
from ...element_builder import Index
from ...extent import Extent, Shape, ceildiv, product
from ...ops.contraction import BLOCK
from ...ops.elementwise import Add
from ...types import INDEX, TensorType, scalar_type
from ..ops import For, Load, Parallel
from ..writer import Writer

KEPT = 1 << 18  # sums of all blocks of a round, about
BLOCKS = 16, 128  # of a round: at least, at most


class Rounds:
    """The sums of a result of this shape, as a memory of its own for each block of a round."""

    def __init__(self, t: Writer, compute: DType, shape: Shape) -> None:
        self.t, self.compute, self.shape = t, compute, shape
        self.size = product(shape)
        wanted = KEPT // self.size if isinstance(self.size, int) else 0
        self.blocks = min(max(wanted, BLOCKS[0]), BLOCKS[1])
        memory = TensorType(compute, (self.blocks + 1, self.size))  # the last one is for totals
        self.memory = t.lower.scratch(memory)

    def at(self, block: Value, index: Index) -> Value:
        """Where the sum of a block of the round is."""
        within = self.t.lower.linear(index, self.shape)
        return (self.t.index(block) * self.t.extent(self.size) + within).value

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
        self.each(lambda index: self.keep(index, zero))

        def some_blocks(first: Value) -> None:
            number = t.index(self.blocks).minimum(t.index(count) - first).value

            def one(params: Index) -> Index:
                block(params[0], ((t.index(first) + params[0]) * BLOCK).value)
                return ()

            region = lower.region("body", (INDEX,), one)
            lower.b.emit_all(Parallel(number, t.extent(work * self.blocks), region))
            self.each(lambda index: self.add(index, number))

        high = t.index(count).maximum(1).value
        lower.loop(t.extent(0), high, some_blocks, step=self.blocks)
        self.each(lambda index: store(index, self.total(index)))

    def total(self, index: Index) -> Value:
        """What all blocks sum up to so far."""
        place = self.at(self.t.extent(self.blocks), index)
        return self.t.lower.emit(Load(self.memory, place, None))

    def keep(self, index: Index, total: Value) -> None:
        self.t.lower.store(self.memory, self.at(self.t.extent(self.blocks), index), total)

    def add(self, index: Index, count: Value) -> None:
        """The sums of the round's blocks, in order, to those before."""
        t, lower = self.t, self.t.lower
        at = self.at(t.extent(0), index)

        def step(params: Index) -> Index:
            number, before = params
            place = (t.index(number) * t.extent(self.size) + at).value
            return (lower.emit(Add(before, lower.emit(Load(self.memory, place, None)))),)

        body = lower.region("body", (INDEX, scalar_type(self.compute)), step)
        loop = For(t.extent(0), count, (self.total(index),), 1, "serial", body)
        (total,) = lower.b.emit_all(loop)
        self.keep(index, total)

    def each(self, fill: Callable[[Index], None]) -> None:
        """`fill` for each place of the result."""
        t, lower = self.t, self.t.lower
        *outer, last = self.shape

        def row(number: Value) -> None:
            index = lower.unlinear(number, tuple(outer))
            lower.linear((*index, t.extent(0)), self.shape)
            lower.loop(t.extent(0), t.extent(last), lambda j: fill((*index, j)), "vector", step=2)

        lower.loop(t.extent(0), t.extent(product(outer)), row)
