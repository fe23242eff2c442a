"""The schedule of large products of bfloat16, whose sums are float32.

    word            two elements that follow each other along k, the first one in the upper half
    sums[i, j]      for each word: AddBfloat16Products(left[i, word], right[word, j], sums[i, j])

The instruction multiplies and adds the upper halves first, then the lower ones, and rounds after
each: it is two steps of the chain that `Matmul` wants, so the bits are those of other schedules.
But it takes numbers below the normal ones for zero, and makes zeros of such sums. So the least
exponents of each strip of left and of each panel of right are looked for: where a product may have
a digit that a normal number need not have, the chain is written with multiply-adds instead.

Words lie in memory of float32, and are packed as words.py says. Behind the end of k, left is 0 and
right -0, whose product added to a sum leaves that as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....dtypes import float32, uint16, uint32
from ....element_builder import Index
from ....extent import ceildiv
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.elementwise import Bitcast
from ....types import TensorType
from ...accumulators import AccumulatorChains, Parts
from ...contraction import Problem
from ...ops import AddBfloat16Products, ViewBuffer
from .blocked import Block
from .micro_kernel import Tile
from .words import Words

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...writer import Writer

UPPER = 0xFFFF0000  # the half of a word that its first element has
# The last digit of an element has 2^-7 of what its exponent says. A product of two whose biased
# exponents sum up to this has none below 2^-126, the least normal number; nor have sums of such.
EXPONENTS_MIN = 2 * (127 + 7) - 126


class PairChains(AccumulatorChains):
    """Sums of the products of words, by the instruction or, if `exact`, by multiply-adds."""

    def __init__(self, t: Writer) -> None:
        super().__init__(t, float32)
        self.exact = False

    def add(self, x: Parts, y: Parts, totals: Sequence[Value]) -> list[Value]:
        lower, total = self.t.lower, totals[0]
        if not self.exact:
            return [lower.emit(AddBfloat16Products(x[0], y[0], total))]
        for half in range(2):
            total = lower.fma(self.half(x[0], half), self.half(y[0], half), total)
        return [total]

    def half(self, word: Value, number: int) -> Value:
        """The first or second element of a word."""
        bits = self.t.index(self.t.lower.emit(Bitcast(word, uint32)))
        bits = bits << 16 if number else bits & UPPER
        return self.t.lower.emit(Bitcast(bits.value, float32))


class Bfloat16Pairs(Words):
    """Writes it."""

    block = BLOCK // 2
    behind_left = 0
    behind_right = 0x8000
    least_left: Value  # the least exponent of the strip that is packed

    def __init__(self, lower: GroupBuilder, problem: Problem) -> None:
        super().__init__(lower, problem, 2, uint16)
        self.chains: PairChains = PairChains(self)

    # Words.

    def bits(self, x: Value) -> Term:
        return self.index(self.lower.emit(Bitcast(x, uint32)))

    def left_element(self, x: Value) -> Value:
        return self.lower.cast(self.bits(x).shift_right_logical(16).value, uint16)

    def right_element(self, y: Value) -> Value:
        return self.left_element(y)

    def left_word(self, outer: Index, i: Value, q: Value) -> Value:
        last = (self.index(self.numbers.k) - 1).maximum(0).value
        k = (self.index(q) * 2).value
        following = (self.index(k) + 1).value
        first = self.numbers.left(outer, i, k)
        if not self.is_cut:
            return self.word(first, self.numbers.left(outer, i, following))
        second = self.numbers.left(outer, i, self.index(following).minimum(last).value)
        inside = self.index(following) <= last
        return self.word(first, inside.select(second, self.index(second).const(0.0)).value)

    def right_word(self, outer: Index, q: Value, j: Value) -> Value:
        k = (self.index(q) * 2).value
        following = (self.index(k) + 1).value
        first = self.numbers.right(outer, k, j)
        if not self.is_cut:
            return self.word(first, self.numbers.right(outer, following, j))
        inside = (self.index(following) < self.extent(self.numbers.k)).value
        with self.lower.where(inside):
            second = self.index(self.numbers.right(outer, following, j))
        return self.word(first, self.index(inside).select(second, second.const(-0.0)).value)

    def word(self, first: Value, second: Value) -> Value:
        """What two elements make, as a float32."""
        bits = (self.bits(first) & UPPER) | self.bits(second).shift_right_logical(16)
        return self.lower.emit(Bitcast(bits.value, float32))

    # The least exponents.

    @cached_property
    def least_right(self) -> Value:
        """The least exponents of all panels."""
        return self.lower.scratch(TensorType(uint32, (ceildiv(self.p.n, self.columns),)))

    def pack_panels(self, part: Block) -> None:
        super().pack_panels(part)
        words = self.lower.b.emit(ViewBuffer(self.scratch, uint32))

        def panel(q: Value) -> None:
            count = (self.index(part.kc) * self.panel_width).value
            starts = [self.panel_place(q)]
            least = self.least_exponent(words, starts, count, self.p.right_transposed)
            number = (self.index(part.jc) // self.columns + q).value
            self.lower.store(self.least_right, number, least)

        self.spread_panels(part.panels, panel)

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
        super().pack_left(strip, outer, i0, height, pc, kc, together)
        words = self.lower.b.emit(ViewBuffer(strip, uint32))
        if self.p.left_transposed:
            starts = [self.extent(number * self.strip_size) for number in range(together)]
            count = (self.index(kc) * self.step).value
        else:
            starts = [self.extent(row * self.row_step) for row in range(height)]
            count = kc
        swapped = not self.p.left_transposed
        self.least_left = self.least_exponent(words, starts, count, swapped)

    def least_exponent(
        self, words: Value, starts: Sequence[Value], count: Value, swapped: bool
    ) -> Value:
        """The least exponent of all elements that are not 0, or the one below, of so many words
        from each start on. The halves of words are `swapped`, where the first element is
        in the lower one; so is what the last vector has behind them."""
        lower = self.lower
        lanes = self.local(self.lanes, uint32)
        most = lower.b.constant(0xFFFFFFFF, uint32)

        def lane(j: Value) -> None:
            def step(k: Value, found: Index) -> Sequence[Value]:
                (least,) = found
                place = (self.index(k) + j).value
                inside = (self.index(place) < count).value
                for start in starts:
                    at = (self.index(start) + place).value
                    word = self.index(self.load(words, at, inside))
                    upper, below = word.shift_right_logical(16), word & 0xFFFF
                    if swapped:
                        lower.store(words, at, ((word << 16) | upper).value)
                    for half in (upper, below):  # 0 becomes the largest number
                        least = ((half & 0x7FFF) - 1).minimum(least).value
                return (least,)

            (least,) = lower.carry(self.extent(0), count, (most,), step, self.lanes)
            lower.store(lanes, j, least)

        lower.loop(self.extent(0), self.extent(self.lanes), lane, LoopKind.SIMD, step=self.lanes)

        def least_lane(j: Value, least: Index) -> Sequence[Value]:
            return (self.index(self.load(lanes, j)).minimum(least[0]).value,)

        (least,) = lower.carry(self.extent(0), self.extent(self.lanes), (most,), least_lane)
        return self.index(least).shift_right_logical(7).value

    def accumulate(self, tile: Tile, height: int) -> None:
        at = (self.index(tile.j0) // self.columns).value
        left, right = self.index(self.least_left), self.index(self.load(self.least_right, at))
        normal = (left >= 1) & (right >= 1) & (left + right >= EXPONENTS_MIN)
        self.when(normal, lambda: super(Bfloat16Pairs, self).accumulate(tile, height))
        self.when(~normal, lambda: self.accumulate_exactly(tile, height))

    def accumulate_exactly(self, tile: Tile, height: int) -> None:
        """Where products may be less than normal numbers."""
        self.chains.exact = True
        self.multiply(tile, height, self.columns, at_once=self.lanes)
        self.chains.exact = False
