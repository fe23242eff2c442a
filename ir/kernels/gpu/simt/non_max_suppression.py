"""Non-maximum suppression on a grid.

All pairs of boxes are compared first, by a thread for each box and WORD_BITS others. Then one team
goes through the boxes, WORD_BITS at a time, and strikes out what those that stay drive out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....dtypes import uint32
from ....extent import ceildiv
from ....ops.elementwise import Cast
from ....ops.suppress import Suppress
from ....types import TensorType
from ...ops import Barrier, Load, Reload
from . import elementwise
from .thread_groups import SORT_TEAM, Index, teams

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Boxes whose flags are one word.
WORD_BITS = 32


def write(lower: GroupBuilder, op: Suppress) -> None:
    """Write the kernel of `op`."""
    keep = lower.output(op.result)
    n = op.boxes.shape[0]
    words = ceildiv(n, WORD_BITS)
    drives = lower.scratch(TensorType(uint32, (n, words)))  # bits: whom a box drives out
    struck = lower.scratch(TensorType(uint32, (words,)))  # bits: who is driven out

    def compare(index: Index) -> None:
        i, word = index
        better = op.box(lower, i)
        first = Term(lower.b, word) * WORD_BITS

        def one(params: list[Term]) -> Sequence[Value]:
            bit, found = params
            k = lower.index(first) + bit
            behind = (k > lower.index(i)) & (k < Term(lower.b, lower.extent(n)))
            with lower.where(behind.value):
                drives = op.drives_out(lower, better, op.box(lower, k.value))
            new = Term(lower.b, lower.emit(Cast((drives & behind).value, uint32)))
            amount = Term(lower.b, lower.cast(bit.value, uint32))
            both = found | (new << amount)
            return (bit + 1).value, both.value

        init = lower.extent(0), lower.b.constant(0, uint32)
        _, found = lower.while_(init, lambda p: p[0] < WORD_BITS, one)
        lower.store(drives, lower.linear(index, (n, words)), found)

    elementwise.spread(lower, (n, words), compare)
    nobody = lower.b.constant(0, uint32)
    elementwise.spread(lower, (words,), lambda i: lower.store(struck, i[0], nobody))
    teams(lower, (), lambda _, thread: _Sweep(lower, op, keep, drives, struck).write(thread))


class _Sweep:
    """What the team does."""

    def __init__(
        self, lower: GroupBuilder, op: Suppress, keep: Value, drives: Value, struck: Value
    ) -> None:
        self.lower = lower
        self.keep = keep
        self.drives = drives
        self.struck = struck
        self.n = op.boxes.shape[0]
        self.words = ceildiv(self.n, WORD_BITS)

    def write(self, thread: Term) -> None:
        lower = self.lower

        def group(params: list[Term]) -> Sequence[Value]:
            (number,) = params
            known = lower.emit(Reload(self.struck, number.value, None))
            zero = lower.extent(0)
            test = lambda p: p[0] < WORD_BITS  # noqa: E731
            _, out = lower.while_((zero, known), test, lambda p: self.own(number, *p))
            mine = lower.index(thread)
            i = number * WORD_BITS + mine
            inside = (mine < WORD_BITS) & (i < Term(lower.b, lower.extent(self.n)))

            def tell() -> None:
                stays = self.bit(Term(lower.b, out), lower.index(mine)).equal(0)
                lower.store(self.keep, i.value, stays.value)

            lower.when(inside, tell)
            first = (number + 1 + mine).value
            last = lower.extent(self.words)
            lower.loop(first, last, lambda w: self.strike(number, out, w), step=SORT_TEAM)
            lower.b.emit_all(Barrier())
            return ((number + 1).value,)

        end = lower.extent(self.words)
        lower.while_((lower.extent(0),), lambda p: p[0] < Term(lower.b, end), group)

    def bit(self, word: Term, number: Term) -> Term:
        """A bit of a word, as 0 or 1."""
        amount = Term(self.lower.b, self.lower.cast(number.value, uint32))
        return word.shift_right_logical(amount) & 1

    def row(self, number: Term, bit: Term, word: Value, out: Term) -> Term:
        """Whom this box of the group drives out in a word of boxes, if it stays itself."""
        lower = self.lower
        i = lower.index(number) * WORD_BITS + bit
        inside = i < Term(lower.b, lower.extent(self.n))
        stays = self.bit(out, bit).equal(0) & inside
        at = lower.linear((i.value, word), (self.n, self.words))
        return Term(lower.b, lower.emit(Load(self.drives, at, stays.value)))

    def own(self, number: Term, bit: Term, out: Term) -> Sequence[Value]:
        """What the box does to those of its own group, of whom bits of `out` are struck."""
        more = self.row(number, bit, number.value, out)
        return (bit + 1).value, (out | more).value

    def strike(self, number: Term, out: Value, word: Value) -> None:
        """What the group does to others."""
        lower = self.lower

        def one(params: list[Term]) -> Sequence[Value]:
            bit, found = params
            more = self.row(number, bit, word, lower.index(out))
            return (bit + 1).value, (found | more).value

        init = lower.extent(0), lower.emit(Reload(self.struck, word, None))
        _, found = lower.while_(init, lambda p: p[0] < WORD_BITS, one)
        lower.store(self.struck, word, found)
