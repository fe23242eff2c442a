"""The schedule of large products of small integers, whose sums are int32.

    word            `size` elements that follow each other along k: 4 bytes, or 2 int16
    sums[i, j]      for each word: AddProducts(left[i, word], right[word, j], sums[i, j])

Beside that it is `Blocked`, to which words are elements. The order of sums of integers does not
matter, so that the bits are those of all other schedules.

Left operands that lie along k, and right ones that do, are copied as they are; words of others are
made of `size` rows by shifts. What is behind the end of k is 0 in right, and anything in left.

Processors multiply unsigned bytes by signed ones. Where both are signed, left is stored plus 128,
and sums begin with minus 128 times the sum of their column, which each panel has once a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ....core import Value
from ....dtypes import int8, int16, int32, uint8
from ....element_builder import Index
from ....extent import ceildiv
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....types import INDEX, TensorType, scalar_type
from ...accumulators import AccumulatorChains, Parts
from ...contraction import Problem
from ...ops import AddProducts, For, ViewBuffer
from .blocked import Block, Blocked
from .micro_kernel import Tile
from .packing import STRIP_PAD_ELEMENTS

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


class SmallIntegers(Blocked):
    """Writes it. Its problem is that of words."""

    def __init__(self, lower: GroupBuilder, problem: Problem) -> None:
        assert problem.narrow is not None
        left, right = problem.narrow
        self.size = problem.products(lower.target)
        self.numbers = problem
        words = replace(
            problem,
            k=ceildiv(problem.k, self.size),
            left=self.left_word,
            right=self.right_word,
            right_plain=None,
            left_plain=None,
            right_along_k=None,
            left_source=None,
            right_source=None,
        )
        super().__init__(lower, words)
        swapped = self.size == 4 and right is uint8  # and left is int8
        self.biased = self.size == 4 and left is right is int8
        self.chains = WordChains(self, self.size, swapped)
        self.element = int8 if self.size == 4 else int16

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

    @property
    def is_cut(self) -> bool:
        """Whether the last word may be behind the end of k in part."""
        return not isinstance(self.numbers.k, int) or self.numbers.k % self.size != 0

    # Where left has 128 too much.

    @cached_property
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
            work = self.block_size // (4 * self.lanes)
            self.spread(part.panels, work, lambda q: self.sum_columns(part, q))

    def sum_columns(self, part: Block, q: Value) -> None:
        """The excess of a panel."""
        lower = self.lower
        start = self.panel_place(q)
        j0 = (self.index(part.jc) + self.index(q) * self.columns).value
        most = lower.b.constant(HIGHEST_BITS, int32)

        def columns(j: Value) -> None:
            def add(params: Index) -> Sequence[Value]:
                k, total = params
                at = (self.index(start) + j + self.index(k) * self.panel_width).value
                return self.chains.add((most,), (self.load(self.scratch, at),), (total,))

            body = lower.region("body", (INDEX, scalar_type(int32)), add)
            zero = lower.b.constant(0, int32)
            total = lower.b.emit(For(self.extent(0), part.kc, (zero,), 1, LoopKind.SERIAL, body))
            lower.store(self.excess, (self.index(j0) + j).value, (-self.index(total)).value)

        end = self.extent(self.columns)
        lower.loop(self.extent(0), end, columns, LoopKind.SIMD, step=self.columns)

    # Packing of what lies along k.

    def elements(self, pc: Value, kc: Value) -> tuple[Value, Value]:
        """The first k of a block, and how many it has."""
        first = (self.index(pc) * self.size).value
        rest = self.index(self.extent(self.numbers.k)) - first
        return first, (self.index(kc) * self.size).minimum(rest).value

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
        if self.p.left_transposed:
            super().pack_left(strip, outer, i0, height, pc, kc, together)
            return
        lower, p = self.lower, self.numbers
        last = (self.index(p.m) - 1).value
        first, count = self.elements(pc, kc)
        memory = lower.b.emit(ViewBuffer(strip, self.element))

        def row(r: Value) -> None:
            i = (self.index(i0) + r).minimum(last).value
            place = (self.index(r) * (self.row_step * self.size)).value
            lower.linear((*outer, i, first), (*p.batch, p.m, p.k))

            def element(k: Value) -> None:
                x = lower.cast(p.left(outer, i, (self.index(first) + k).value), self.element)
                stored = (self.index(x) ^ -128).value if self.biased else x
                lower.store(memory, (self.index(place) + k).value, stored)

            lower.loop(self.extent(0), count, element, LoopKind.VECTOR, step=2)

        lower.loop(self.extent(0), self.extent(height), row)

    def pack_transposed(
        self, panel: Value, start: Value, outer: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        lower, p, distance = self.lower, self.numbers, BLOCK + STRIP_PAD_ELEMENTS
        strip = self.local(self.columns * distance)
        memory = lower.b.emit(ViewBuffer(strip, self.element))
        last = (self.index(p.n) - 1).value
        first, count = self.elements(pc, kc)

        def line(j: Value) -> None:
            place = (self.index(j) * (distance * self.size)).value
            column = (self.index(j0) + j).minimum(last).value

            def element(k: Value) -> None:
                y = lower.cast(p.right(outer, (self.index(first) + k).value, column), self.element)
                lower.store(memory, (self.index(place) + k).value, y)

            def behind(k: Value) -> None:
                zero = lower.b.constant(0, self.element)
                lower.store(memory, (self.index(place) + k).value, zero)

            lower.loop(self.extent(0), count, element, LoopKind.VECTOR, step=2)
            if self.is_cut:
                lower.loop(count, (self.index(kc) * self.size).value, behind)

        lower.loop(self.extent(0), self.extent(self.columns), line)
        corner = strip, self.extent(0), self.extent(distance)
        self.transpose(*corner, panel, start, kc, self.columns)
