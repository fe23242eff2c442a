"""What schedules have in common that multiply words: elements that follow each other along k.

Beside that they are `Blocked`, to which words are elements. Left operands that lie along k, and
right ones that do, are copied as they are; words of others are made of as many rows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ....core import Value
from ....dtypes import DType
from ....element_builder import Index
from ....extent import ceildiv
from ....kernel_op import LoopKind
from ...contraction import Problem
from ...ops import ViewBuffer
from .blocked import Blocked
from .packing import STRIP_PAD_ELEMENTS

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


class Words(Blocked):
    """Packs them. Its problem is that of words, and `numbers` that of elements."""

    behind_left: ClassVar[int | None] = None  # what follows the end of k in left; None: anything
    behind_right: ClassVar[int] = 0

    def __init__(self, lower: GroupBuilder, problem: Problem, size: int, element: DType) -> None:
        self.size, self.element, self.numbers = size, element, problem
        words = replace(
            problem,
            k=ceildiv(problem.k, size),
            left=self.left_word,
            right=self.right_word,
            right_plain=None,
            left_plain=None,
            right_along_k=None,
            left_source=None,
            right_source=None,
        )
        super().__init__(lower, words)

    @abstractmethod
    def left_word(self, outer: Index, i: Value, q: Value) -> Value:
        """A word of row i."""

    @abstractmethod
    def right_word(self, outer: Index, q: Value, j: Value) -> Value:
        """A word of column j."""

    @abstractmethod
    def left_element(self, x: Value) -> Value:
        """What a word has of an element of left."""

    @abstractmethod
    def right_element(self, y: Value) -> Value:
        """What a word has of an element of right."""

    @property
    def is_cut(self) -> bool:
        """Whether the last word may be behind the end of k in part."""
        return not isinstance(self.numbers.k, int) or self.numbers.k % self.size != 0

    def elements(self, pc: Value, kc: Value) -> tuple[Value, Value]:
        """The first k of a block, and how many it has."""
        first = (self.index(pc) * self.size).value
        rest = self.index(self.extent(self.numbers.k)) - first
        return first, (self.index(kc) * self.size).minimum(rest).value

    # Packing of what lies along k.

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
                stored = self.left_element(p.left(outer, i, (self.index(first) + k).value))
                lower.store(memory, (self.index(place) + k).value, stored)

            lower.loop(self.extent(0), count, element, LoopKind.VECTOR, step=2)
            if self.is_cut and self.behind_left is not None:
                self.fill_behind(memory, place, count, kc, self.behind_left)

        lower.loop(self.extent(0), self.extent(height), row)

    def pack_transposed(
        self, panel: Value, start: Value, outer: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        lower, p, distance = self.lower, self.numbers, self.block + STRIP_PAD_ELEMENTS
        strip = self.local(self.columns * distance)
        memory = lower.b.emit(ViewBuffer(strip, self.element))
        last = (self.index(p.n) - 1).value
        first, count = self.elements(pc, kc)

        def line(j: Value) -> None:
            place = (self.index(j) * (distance * self.size)).value
            column = (self.index(j0) + j).minimum(last).value

            def element(k: Value) -> None:
                stored = self.right_element(p.right(outer, (self.index(first) + k).value, column))
                lower.store(memory, (self.index(place) + k).value, stored)

            lower.loop(self.extent(0), count, element, LoopKind.VECTOR, step=2)
            if self.is_cut:
                self.fill_behind(memory, place, count, kc, self.behind_right)

        lower.loop(self.extent(0), self.extent(self.columns), line)
        corner = strip, self.extent(0), self.extent(distance)
        self.transpose(*corner, panel, start, kc, self.columns)

    def fill_behind(
        self, memory: Value, place: Value, count: Value, kc: Value, number: int
    ) -> None:
        """What the last of kc words has behind so many elements, in a row of them."""

        def behind(k: Value) -> None:
            stored = self.lower.b.constant(number, self.element)
            self.lower.store(memory, (self.index(place) + k).value, stored)

        self.lower.loop(count, (self.index(kc) * self.size).value, behind)

    def spread_panels(self, panels: Value, fill: Callable[[Value], None]) -> None:
        """`fill` for each panel of a block, on any threads."""
        self.spread(panels, self.block_size // (4 * self.lanes), fill)
