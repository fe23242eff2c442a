"""Gaussian elimination and Cholesky's factors in kernels, of one matrix each lane or thread.

Of the smallest matrices all elements are in registers, and what is done to them is written out
without a loop. Larger ones lie in a `Tile` of memory, the same element of all lanes side by side:

    for k:
        p = the row of the largest of column k, from row k on
        exchange rows k and p                # other lanes have other rows: a gather, and a scatter
        for the rows i below k:
            factor = t[i, k] / t[k, k]
            t[i, j] -= factor * t[k, j], for all j right of k

Either way every element is the same chain of roundings, none of which is a fused multiply-add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..algebra import Term, where
from ..core import Value
from ..dtypes import int32
from ..element_builder import Index, ScheduleBuilder

Elements: TypeAlias = list[list[Term]]  # of a matrix, row by row


class Tile:
    """The elements [row, column] of a matrix in memory: those of other lanes, or threads, lie
    between them, `stride` in all."""

    def __init__(
        self, lower: ScheduleBuilder, buffer: Value, columns: int, stride: Value, lane: Value
    ) -> None:
        self.lower = lower
        self.buffer = buffer
        self.columns = columns
        self.stride = stride
        self.lane = lane

    def _at(self, i: Value | int, j: Value | int) -> Value:
        lower = self.lower
        place = lower.index(i) * self.columns + lower.index(j)
        return (place * lower.index(self.stride) + lower.index(self.lane)).value

    def load(self, i: Value | int, j: Value | int) -> Term:
        return self.lower.index(self.lower.reload(self.buffer, self._at(i, j)))

    def store(self, i: Value | int, j: Value | int, element: Term) -> None:
        self.lower.store(self.buffer, self._at(i, j), element.value)

    def each(self, low: Value | int, high: Value | int, use: Callable[[Value], None]) -> None:
        """A loop over rows or columns."""
        lower = self.lower
        lower.loop(lower.index(low).value, lower.index(high).value, use)

    def carry(
        self,
        low: Value | int,
        high: Value | int,
        init: Sequence[Term],
        step: Callable[..., Sequence[Term]],
    ) -> list[Term]:
        """What a loop over rows or columns carries in the end."""
        lower = self.lower

        def body(i: Value, carried: Index) -> Sequence[Value]:
            return [t.value for t in step(i, *(lower.index(v) for v in carried))]

        start = [lower.index(t).value for t in init]
        found = lower.carry(lower.index(low).value, lower.index(high).value, start, body)
        return [lower.index(v) for v in found]


# In tiles.


def exchange_rows(t: Tile, k: Value, n: int) -> Term:
    """Bring the row whose element in column k is the largest to row k: the first of such rows from
    row k on. Gives whether it was another."""
    lower = t.lower

    def larger(i: Value, size: Term, place: Term) -> list[Term]:
        own = t.load(i, k).abs()
        better = own > size
        return [where(better, own, size), where(better, lower.index(i), place)]

    init = [t.load(k, k).abs(), lower.index(k)]
    _, place = t.carry((lower.index(k) + 1).value, n, init, larger)
    found = place.value

    def swap(j: Value) -> None:
        here, there = t.load(k, j), t.load(found, j)
        t.store(k, j, there)
        t.store(found, j, here)

    t.each(k, t.columns, swap)
    return lower.index(found).not_equal(lower.index(k))


def take_off(t: Tile, k: Value, n: int, zero_pivot: bool = False) -> None:
    """Take row k off those below it. A pivot may be 0 (`zero_pivot`) where all below it is."""
    lower = t.lower
    after = (lower.index(k) + 1).value

    def row(i: Value) -> None:
        pivot = t.load(k, k)
        factor = t.load(i, k) / pivot
        if zero_pivot:
            factor = where(pivot.equal(0), pivot.const(0), factor)
        known = factor.value

        def element(j: Value) -> None:
            t.store(i, j, t.load(i, j) - lower.index(known) * t.load(k, j))

        t.each(after, t.columns, element)

    t.each(after, n, row)


def solve_tile(t: Tile, n: int, check: Callable[[Term], None]) -> None:
    """What is right of the first n columns becomes the solution; `check` is told whether a pivot
    is other than 0."""
    lower = t.lower

    def forward(k: Value) -> None:
        exchange_rows(t, k, n)
        check(t.load(k, k).not_equal(0))
        take_off(t, k, n)

    def backward(number: Value) -> None:
        k = ((lower.index(number) * -1) + (n - 1)).value
        t.each(n, t.columns, lambda j: t.store(k, j, t.load(k, j) / t.load(k, k)))

        def row(i: Value) -> None:
            def element(j: Value) -> None:
                t.store(i, j, t.load(i, j) - t.load(i, k) * t.load(k, j))

            t.each(n, t.columns, element)

        t.each(0, k, row)

    t.each(0, n, forward)
    t.each(0, n, backward)


def tile_determinant(t: Tile, n: int, one: Term) -> Term:
    """The product of the pivots, the sign of the permutation in it."""

    def column(k: Value, found: Term) -> list[Term]:
        moved = exchange_rows(t, k, n).value
        take_off(t, k, n, zero_pivot=True)
        pivot = t.load(k, k)
        return [t.lower.index(found) * where(t.lower.index(moved), -pivot, pivot)]

    (found,) = t.carry(0, n, [one], column)
    return found


def cholesky_tile(t: Tile, n: int, check: Callable[[Term], None]) -> None:
    """The lower triangle becomes Cholesky's factor; `check` is told whether the pivots are good."""
    lower = t.lower

    def column(k: Value) -> None:
        after = (lower.index(k) + 1).value
        check((t.load(k, k) <= 0).logical_not())
        t.store(k, k, t.load(k, k).sqrt())
        t.each(after, n, lambda i: t.store(i, k, t.load(i, k) / t.load(k, k)))

        def row(i: Value) -> None:
            def element(j: Value) -> None:
                t.store(i, j, t.load(i, j) - t.load(i, k) * t.load(j, k))

            t.each(after, (lower.index(i) + 1).value, element)

        t.each(after, n, row)

    t.each(0, n, column)


# In registers.


def exchange(rows: Elements, k: int) -> Term | None:
    """As `exchange_rows`; None where there is no other row."""
    if k + 1 == len(rows):
        return None
    size = rows[k][k].abs()
    place = Term(size.b, size.b.constant(k, int32))
    for i in range(k + 1, len(rows)):
        own = rows[i][k].abs()
        larger = own > size
        size, place = where(larger, own, size), where(larger, place.const(i), place)
    before, after = rows[k][k:], rows[k][k:]
    for i in range(k + 1, len(rows)):
        here, own_row = place.equal(i), rows[i][k:]
        after = [where(here, x, y) for x, y in zip(own_row, after, strict=True)]
        rows[i][k:] = [where(here, x, y) for x, y in zip(before, own_row, strict=True)]
    rows[k][k:] = after
    return place.not_equal(k)


def solution(x: Elements, rhs: Elements) -> tuple[Elements, Term]:
    """The y with x @ y = rhs, and whether no pivot was 0."""
    n = len(x)
    rows = [[*a, *b] for a, b in zip(x, rhs, strict=True)]
    width = len(rows[0])
    regular: Term | None = None
    for k in range(n):
        exchange(rows, k)
        pivot = rows[k][k]
        nonzero = pivot.not_equal(0)
        regular = nonzero if regular is None else regular & nonzero
        for i in range(k + 1, n):
            factor = rows[i][k] / pivot
            for j in range(k + 1, width):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
    assert regular is not None
    y = [row[n:] for row in rows]
    for k in reversed(range(n)):
        y[k] = [element / rows[k][k] for element in y[k]]
        for i in range(k):
            y[i] = [e - rows[i][k] * known for e, known in zip(y[i], y[k], strict=True)]
    return y, regular


def pivot_product(rows: Elements) -> Term:
    """The determinant, as `tile_determinant`."""
    zero = rows[0][0].const(0)
    found = zero.const(1)
    for k, row in enumerate(rows):
        moved = exchange(rows, k)
        pivot = row[k]
        found = found * (pivot if moved is None else where(moved, -pivot, pivot))
        for below in rows[k + 1 :]:
            factor = where(pivot.equal(0), zero, below[k] / pivot)
            below[k + 1 :] = [
                x - factor * y for x, y in zip(below[k + 1 :], row[k + 1 :], strict=True)
            ]
    return found


def factor_triangle(rows: Elements) -> Term:
    """The lower triangle becomes Cholesky's factor, in place. Gives whether the pivots are good."""
    definite: Term | None = None
    for k, row in enumerate(rows):
        good = (row[k] <= 0).logical_not()
        definite = good if definite is None else definite & good
        row[k] = row[k].sqrt()
        for below in rows[k + 1 :]:
            below[k] = below[k] / row[k]
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, i + 1):
                rows[i][j] = rows[i][j] - rows[i][k] * rows[j][k]
    assert definite is not None
    return definite
