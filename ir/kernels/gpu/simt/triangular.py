"""Triangular solves and factors on a grid.

A solve with many right-hand sides has a thread for each of them. With few, a team has each: when an
element is known, all threads take it off the rows that still wait. Every element is the same chain
either way. Factors have a team for each matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Value
from ....dtypes import bool_, int32
from ....ops.elementwise import Div, NotEqual
from ....ops.triangular import Lu, TriangularSolve, check_pivot, less_product, size_of
from ....types import INDEX, TensorType
from ...ops import Barrier, Load, Reload, Shared
from . import elementwise
from .scans import loaded
from .thread_groups import SORT_TEAM, Index, only_if_above, teams

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Right-hand sides up to which each has a block; more of them have a thread each. Not measured: no
# GPU was at hand when it was set.
TEAM_RIGHT_SIDES_MAX = 16


def solve(lower: GroupBuilder, op: TriangularSolve) -> None:
    """Write the kernel of a solve."""
    out = lower.output(op.result)
    *batch, n, m = op.rhs.shape
    shape = op.rhs.shape

    def diagonal(index: Index) -> None:
        check_pivot(lower, lower.element(op.x, (*index, index[-1])), op)

    elementwise.spread(lower, (*batch, n), diagonal)
    if not isinstance(m, int) or m > TEAM_RIGHT_SIDES_MAX:
        only = only_if_above(m, m, TEAM_RIGHT_SIDES_MAX)
        op.substitute(lower, out, only)
    if isinstance(m, int) and m > TEAM_RIGHT_SIDES_MAX:
        return
    matrix, right = loaded(lower, op.x), loaded(lower, op.rhs)
    waiting = lower.scratch(op.rhs.tensor_type)
    columns = m if isinstance(m, int) else m - only_if_above(m, m, TEAM_RIGHT_SIDES_MAX)

    def start(index: Index) -> None:
        lower.store(waiting, lower.linear(index, shape), right(index))

    elementwise.spread(lower, (*batch, n, columns), start)

    def ordered(number: Term) -> Term:
        return number if op.forward else Term(lower.b, lower.extent(n)) - 1 - number

    def element(outer: Index, i: Value, k: Value) -> Value:
        value = Term(lower.b, matrix((*outer, k, i) if op.adjoint else (*outer, i, k)))
        return value.conj().value if op.adjoint else value.value

    def column(index: Index, thread: Term) -> None:
        *outer, j = index

        def known(params: list[Term]) -> Sequence[Value]:
            (number,) = params
            k = ordered(number).value
            at = lower.linear((*outer, k, j), shape)
            pivot = element(tuple(outer), k, k)
            y = lower.emit(Div(lower.emit(Reload(waiting, at, None)), pivot))
            first = lower.index(thread).equal(0)
            lower.when(first, lambda: lower.store(out, at, y))

            def take(place: Value) -> None:
                i = ordered(Term(lower.b, place)).value
                there = lower.linear((*outer, i, j), shape)
                old = lower.emit(Reload(waiting, there, None))
                x = element(tuple(outer), i, k)
                lower.store(waiting, there, less_product(lower, old, x, y))

            low = (number + 1 + lower.index(thread)).value
            lower.loop(low, lower.extent(n), take, step=SORT_TEAM)
            lower.b.emit_all(Barrier())
            return ((number + 1).value,)

        end = lower.extent(n)
        lower.while_((lower.extent(0),), lambda p: p[0] < Term(lower.b, end), known)

    teams(lower, (*batch, columns), column)


def factors(lower: GroupBuilder, op: Lu) -> None:
    """Write the kernel of an elimination. What is singular is noted, and told behind it."""
    out, places = map(lower.output, op.results)
    *batch, n, _ = op.x.shape
    shape, vectors = op.x.shape, (*batch, n)
    singular = lower.scratch(TensorType(bool_, vectors))

    def copy(index: Index) -> None:
        lower.store(out, lower.linear(index, shape), lower.element(op.x, index))

    def number(index: Index) -> None:
        lower.store(places, lower.linear(index, vectors), lower.cast(index[-1], int32))

    def tell(index: Index) -> None:
        wrong = Term(lower.b, lower.emit(Load(singular, lower.linear(index, vectors), None)))
        lower.check(wrong.logical_not().value, (), "singular", op)

    elementwise.spread(lower, shape, copy)
    elementwise.spread(lower, vectors, number)
    teams(lower, tuple(batch), lambda outer, t: _Eliminate(lower, op, singular, outer, t).write())
    elementwise.spread(lower, vectors, tell)


class _Eliminate:
    """The code of one thread of the team that has a matrix."""

    def __init__(
        self, lower: GroupBuilder, op: Lu, singular: Value, outer: Index, thread: Term
    ) -> None:
        self.lower = lower
        self.out, self.places = map(lower.output, op.results)
        self.singular = singular
        self.shape = op.x.shape
        self.n = self.shape[-1]
        self.outer = outer
        self.thread = thread

    def at(self, i: Term, j: Term) -> Value:
        """Where the element (i, j) is."""
        return self.lower.linear((*self.outer, i.value, j.value), self.shape)

    def load(self, i: Term, j: Term) -> Value:
        return self.lower.emit(Reload(self.out, self.at(i, j), None))

    def each(self, low: Term, high: Value, use: Callable[[Term], None]) -> None:
        """This thread's share of low, low + 1, ... below high."""
        lower = self.lower
        first = (low + lower.index(self.thread)).value
        lower.loop(first, high, lambda i: use(Term(lower.b, i)), step=SORT_TEAM)

    def write(self) -> None:
        lower = self.lower
        real = self.out.dtype.real_dtype if self.out.dtype.is_complex else self.out.dtype
        self.memory = (
            lower.emit(Shared(real, (SORT_TEAM,))),
            lower.emit(Shared(INDEX.dtype, (SORT_TEAM,))),
        )
        end = lower.extent(self.n)

        def column(params: list[Term]) -> Sequence[Value]:
            (k,) = params
            self.eliminate(k, end)
            return ((k + 1).value,)

        lower.while_((lower.extent(0),), lambda p: p[0] < Term(lower.b, end), column)

    def eliminate(self, k: Term, end: Value) -> None:
        """Bring the largest of column k's rest to row k, and take row k off those below."""
        lower = self.lower
        top = self.largest(k, end)
        pivot = self.load(top, k)
        lower.b.emit_all(Barrier())  # before rows are swapped

        def swap(j: Term) -> None:
            row, other = lower.index(k), lower.index(top)
            x, y = self.load(row, j), self.load(other, j)
            lower.store(self.out, self.at(row, j), y)
            lower.store(self.out, self.at(other, j), x)

        self.each(Term(lower.b, lower.extent(0)), end, swap)

        def note() -> None:
            vectors = self.shape[:-1]
            own, other = (lower.linear((*self.outer, i.value), vectors) for i in (k, top))
            p, q = (lower.emit(Reload(self.places, i, None)) for i in (own, other))
            lower.store(self.places, own, q)
            lower.store(self.places, other, p)
            zero = lower.b.constant(0, pivot.dtype)
            wrong = Term(lower.b, lower.emit(NotEqual(pivot, zero))).logical_not()
            lower.store(self.singular, own, wrong.value)

        lower.when(lower.index(self.thread).equal(0), note)
        lower.b.emit_all(Barrier())

        def factor(i: Term) -> None:
            at = self.at(i, lower.index(k))
            value = lower.emit(Reload(self.out, at, None))
            lower.store(self.out, at, lower.emit(Div(value, pivot)))

        self.each(k + 1, end, factor)
        lower.b.emit_all(Barrier())
        width = Term(lower.b, end) - 1 - k

        def take(number: Term) -> None:
            after = lower.index(k) + 1
            i = after + (number // lower.index(width))
            j = after + (number % lower.index(width))
            y = self.load(lower.index(k), j)
            value = less_product(lower, self.load(i, j), self.load(i, lower.index(k)), y)
            lower.store(self.out, self.at(i, j), value)

        self.each(k.const(0), (width * width).value, take)
        lower.b.emit_all(Barrier())

    def largest(self, k: Term, end: Value) -> Term:
        """The row of the largest in column k, from row k on: the first of equals."""
        lower = self.lower
        sizes, rows = self.memory

        def better(size: Term, row: Term, best: Term, best_row: Term) -> Term:
            first = size.equal(best) & (row < best_row)
            return (size > best) | first

        def look(params: list[Term]) -> Sequence[Value]:
            i, best, row = params
            size = Term(lower.b, size_of(lower, self.load(i, lower.index(k))))
            larger = size > best
            return (
                (i + SORT_TEAM).value,
                where(larger, size, best).value,
                where(larger, i, row).value,
            )

        own = size_of(lower, self.load(k, k))
        init = ((k + 1 + lower.index(self.thread)).value, own, k.value)
        _, best, row = lower.while_(init, lambda p: p[0] < Term(lower.b, end), look)
        size, place = Term(lower.b, best), Term(lower.b, row)
        thread = lower.index(self.thread)
        distance = SORT_TEAM // 2
        lower.store(sizes, thread.value, size.value)
        lower.store(rows, thread.value, place.value)
        lower.b.emit_all(Barrier())
        while distance:
            active = (thread < distance).value
            other = (thread + distance).value
            theirs = [Term(lower.b, lower.emit(Reload(m, other, active))) for m in self.memory]
            wins = better(theirs[0], theirs[1], size, place) & Term(lower.b, active)
            size, place = where(wins, theirs[0], size), where(wins, theirs[1], place)

            def keep(size: Term = size, place: Term = place) -> None:
                lower.store(sizes, lower.index(self.thread).value, size.value)
                lower.store(rows, lower.index(self.thread).value, place.value)

            lower.when(Term(lower.b, active), keep)
            lower.b.emit_all(Barrier())
            distance //= 2
        return Term(lower.b, lower.emit(Reload(rows, lower.extent(0), None)))
