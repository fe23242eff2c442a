"""The schedule of large products of small integers, whose sums are int32.

    word            `size` elements that follow each other along k: 4 bytes, or 2 int16
    sums[i, j]      for each word: AddProducts(left[i, word], right[word, j], sums[i, j])

Words are packed as words.py says. The order of sums of integers does not matter, so that the bits
are those of all other schedules. What is behind the end of k is 0 in right, and anything in left.

Processors multiply unsigned bytes by signed ones. Where both are signed, left is stored plus 128,
and sums begin with minus 128 times the sum of their column, which each panel has once a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core import Value, once
from ....dtypes import int8, int16, int32, uint8
from ....element_builder import Index
from ....extent import ceildiv
from ....kernel_op import LoopKind
from ....types import TensorType
from ...accumulators import AccumulatorChains, Parts
from ...contraction import Problem
from ...ops import AddProducts
from .blocked import Block
from .micro_kernel import Tile
from .words import Words

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...writer import Writer

HIGHEST_BITS = -0x7F7F7F80  # of the bytes of an int32, the others 0: 128 each, as they are unsigned


class WordChains(AccumulatorChains):
    """Sums of the products of words; `swapped`, where the unsigned ones are right."""

    def __init__(self, t: Writer, size: int, swapped: bool) -> None:
        super().__init__(t, int32)
        self.size, self.swapped = size, swapped

    def add(self, x: Parts, y: Parts, totals: Sequence[Value]) -> list[Value]:
        first, second = (y, x) if self.swapped else (x, y)
        return [self.t.lower.emit(AddProducts(first[0], second[0], totals[0], self.size))]


class SmallIntegers(Words):
    """Writes it."""

    def __init__(self, lower: GroupBuilder, problem: Problem) -> None:
        assert problem.narrow is not None
        left, right = problem.narrow
        size = problem.products(lower.target)
        super().__init__(lower, problem, size, int8 if size == 4 else int16)
        swapped = size == 4 and right is uint8  # and left is int8
        self.biased = size == 4 and left is right is int8
        self.chains = WordChains(self, size, swapped)

    # Words.

    def word(self, elements: Sequence[Value]) -> Value:
        """What is made of so many elements, which are int32."""
        bits = 32 // self.size
        total = self.index(elements[0]) & ((1 << bits) - 1)
        for number, element in enumerate(elements[1:], 1):
            lowest = self.index(element)
            if number < self.size - 1:
                lowest = lowest & ((1 << bits) - 1)
            total = total | (lowest << (bits * number))
        return total.value

    def left_word(self, outer: Index, i: Value, q: Value) -> Value:
        last = (self.index(self.numbers.k) - 1).maximum(0).value
        elements = []
        for number in range(self.size):
            k = (self.index(q) * self.size + number).value
            if number and self.is_cut:
                k = self.index(k).minimum(last).value
            elements.append(self.numbers.left(outer, i, k))
        word = self.word(elements)
        return (self.index(word) ^ HIGHEST_BITS).value if self.biased else word

    def right_word(self, outer: Index, q: Value, j: Value) -> Value:
        elements = []
        for number in range(self.size):
            k = (self.index(q) * self.size + number).value
            if number and self.is_cut:
                inside = (self.index(k) < self.extent(self.numbers.k)).value
                with self.lower.where(inside):
                    y = self.index(self.numbers.right(outer, k, j))
                elements.append(self.index(inside).select(y, y.const(0)).value)
            else:
                elements.append(self.numbers.right(outer, k, j))
        return self.word(elements)

    def left_element(self, x: Value) -> Value:
        stored = self.lower.cast(x, self.element)
        return (self.index(stored) ^ -128).value if self.biased else stored

    def right_element(self, y: Value) -> Value:
        return self.lower.cast(y, self.element)

    # Where left has 128 too much.

    @once
    def excess(self) -> Value:
        """For each column, minus what its sums will have too much of this block."""
        columns = ceildiv(self.p.n, self.columns) * self.columns
        return self.lower.scratch(TensorType(int32, (columns,)))

    def start(self, tile: Tile, j: Value) -> tuple[Value, ...]:
        if not self.biased:
            return super().start(tile, j)
        return (self.load(self.excess, (self.index(tile.j0) + j).value),)

    def pack_panels(self, part: Block) -> None:
        super().pack_panels(part)
        if self.biased:
            self.spread_panels(part.panels, lambda q: self.sum_columns(part, q))

    def sum_columns(self, part: Block, q: Value) -> None:
        """The excess of a panel."""
        lower = self.lower
        start = self.panel_place(q)
        j0 = (self.index(part.jc) + self.index(q) * self.columns).value
        most = lower.b.constant(HIGHEST_BITS, int32)

        def columns(j: Value) -> None:
            def add(k: Value, totals: Index) -> Sequence[Value]:
                at = (self.index(start) + j + self.index(k) * self.panel_width).value
                return self.chains.add((most,), (self.load(self.scratch, at),), totals)

            zero = lower.b.constant(0, int32)
            (total,) = lower.carry(self.extent(0), part.kc, (zero,), add)
            lower.store(self.excess, (self.index(j0) + j).value, (-self.index(total)).value)

        end = self.extent(self.columns)
        lower.loop(self.extent(0), end, columns, LoopKind.SIMD, step=self.columns)
