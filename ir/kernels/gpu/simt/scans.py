"""Scans along rows on a grid, and the places where a mask holds.

Integers have the same sums and products in any order, so that many threads share a row: teams
combine tiles, one team for each row combines what these gave, and then tiles are gone through
again, from what came before them.

Of floats the order is told: each row is a chain, which one thread computes. What is left is to read
and write them well: a warp has ROWS rows, and brings a part of each to shared memory; there each
thread goes along its row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....algebra import Term, where
from ....core import Value
from ....dtypes import DType, int64
from ....extent import Extent, Shape, ceildiv, product
from ....ops.elementwise import Cast, Less
from ....types import TensorType
from ...ops import WARP, Barrier, Load, Reload, Shared
from . import elementwise
from .thread_groups import SORT_TEAM, TEAM_ELEMENTS, THREAD_ELEMENTS, Index, teams, tiles

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

Combine = Callable[[Term, Term], Term]


def along(
    lower: GroupBuilder,
    rows: Shape,
    n: Extent,
    dtype: DType,
    source: Callable[[Index, Value], Value],
    combine: Combine,
    neutral: int,
    store: Callable[[Index, Value, Value, Value], None],
) -> Value:
    """Scan integers: `store(row, i, before, after)` gets what comes before each element combined,
    and that with the element. The elements are loaded by `source(row, i)`, and free of checks.
    The totals of the rows are in the buffer that is given back."""
    scan = _Scan(lower, rows, n, dtype, source, combine, neutral)
    parts = lower.scratch(TensorType(dtype, (*rows, tiles(n))))
    totals = lower.scratch(TensorType(dtype, rows))

    def first(index: Index, thread: Term) -> None:
        _, total = scan.tile(index, thread)
        at = lower.linear(index, (*rows, tiles(n)))
        lower.when(thread.equal(0), lambda: lower.store(parts, at, total))
        lower.b.emit_all(Barrier())

    def middle(row: Index, thread: Term) -> None:
        """Parts become what comes before each of them."""
        count = Term(lower.b, lower.extent(tiles(n)))
        start = Term(lower.b, lower.linear((*row, lower.extent(0)), (*rows, tiles(n))))
        memory = lower.emit(Shared(dtype, (2 * SORT_TEAM,)))

        def some(params: list[Term]) -> Sequence[Value]:
            low, before = params
            at = low + lower.index(thread)
            inside = lower.emit(Less(at.value, lower.index(count).value))
            place = (lower.index(start) + at).value
            part = Term(lower.b, lower.emit(Reload(parts, place, inside)))
            mine = where(Term(lower.b, inside), part, neutral)
            mine_before, total = scan.team(memory, lower.index(thread), mine)
            value = combine(before, mine_before).value
            lower.when(Term(lower.b, inside), lambda: lower.store(parts, place, value))
            return (low + SORT_TEAM).value, combine(before, total).value

        init = lower.extent(0), lower.b.constant(neutral, dtype)
        _, total = lower.while_(init, lambda p: p[0] < lower.index(count), some)
        at_end = lower.linear(row, rows)
        lower.when(thread.equal(0), lambda: lower.store(totals, at_end, total))

    def last(index: Index, thread: Term) -> None:
        *row, number = index
        before, _ = scan.tile(index, thread)
        at = lower.linear(index, (*rows, tiles(n)))
        sums = combine(Term(lower.b, lower.emit(Load(parts, at, None))), before)
        for e in range(THREAD_ELEMENTS):
            i = scan.place(number, thread, e)
            element = Term(lower.b, scan.elements[e])
            after = combine(sums, element)

            def put(i: Term = i, sums: Term = sums, after: Term = after) -> None:
                store(tuple(row), i.value, sums.value, after.value)

            lower.when(i < Term(lower.b, lower.extent(n)), put)
            sums = after
        lower.b.emit_all(Barrier())

    teams(lower, (*rows, tiles(n)), first)
    teams(lower, rows, middle)
    teams(lower, (*rows, tiles(n)), last)
    return totals


class _Scan:
    """What the phases have in common."""

    def __init__(
        self,
        lower: GroupBuilder,
        rows: Shape,
        n: Extent,
        dtype: DType,
        source: Callable[[Index, Value], Value],
        combine: Combine,
        neutral: int,
    ) -> None:
        self.lower = lower
        self.rows = rows
        self.n = n
        self.dtype = dtype
        self.source = source
        self.combine = combine
        self.neutral = neutral
        self.elements: list[Value] = []

    def place(self, number: Value, thread: Term, e: int) -> Term:
        """The place in the row of a thread's element number e: its elements are neighbours."""
        return Term(self.lower.b, number) * TEAM_ELEMENTS + thread * THREAD_ELEMENTS + e

    def tile(self, index: Index, thread: Term) -> tuple[Term, Value]:
        """What comes before the thread's elements in its tile, and all of the tile."""
        lower = self.lower
        *row, number = index
        memory = lower.emit(Shared(self.dtype, (2 * SORT_TEAM,)))
        self.elements = []
        mine: Term | None = None
        for e in range(THREAD_ELEMENTS):
            i = self.place(number, thread, e)
            inside = lower.emit(Less(i.value, lower.extent(self.n)))
            with lower.where(inside):
                value = Term(lower.b, self.source(tuple(row), i.value))
            value = where(Term(lower.b, inside), value, self.neutral)
            self.elements.append(value.value)
            mine = value if mine is None else self.combine(mine, value)
        assert mine is not None
        before, total = self.team(memory, thread, mine)
        return before, total.value

    def team(self, memory: Value, thread: Term, mine: Term) -> tuple[Term, Term]:
        """What the threads before have, combined, and what all have (D. Hillis and G. Steele,
        "Data Parallel Algorithms", 1986)."""
        lower = self.lower
        total, distance, side = mine, 1, 0

        def at(place: Term, side: int) -> Value:
            return (place + side * SORT_TEAM).value

        lower.store(memory, at(thread, side), total.value)
        lower.b.emit_all(Barrier())
        while distance < SORT_TEAM:
            behind = thread >= distance
            other = Term(
                lower.b, lower.emit(Reload(memory, at(thread - distance, side), behind.value))
            )
            total = where(behind, self.combine(other, total), total)
            side = 1 - side
            lower.store(memory, at(thread, side), total.value)
            lower.b.emit_all(Barrier())
            distance *= 2
        behind = thread > 0
        before = Term(lower.b, lower.emit(Reload(memory, at(thread - 1, side), behind.value)))
        end = lower.extent(side * SORT_TEAM + SORT_TEAM - 1)
        whole = Term(lower.b, lower.emit(Reload(memory, end, None)))
        lower.b.emit_all(Barrier())
        return where(behind, before, self.neutral), whole


def nonzero(lower: GroupBuilder, mask: Value, count: Extent) -> None:
    """The places where the vector `mask` holds, in order; see `Nonzero`."""
    (out,) = lower.outputs.values()
    n = mask.shape[0]
    element = loaded(lower, mask)

    def source(_: Index, i: Value) -> Value:
        return lower.emit(Cast(element((i,)), int64))

    def store(_: Index, i: Value, before: Value, after: Value) -> None:
        place = Term(lower.b, before)
        here_ = place < Term(lower.b, after)
        wanted = here_ & (place < Term(lower.b, lower.extent(count)))
        lower.when(wanted, lambda: lower.store(out, before, i))

    totals = along(lower, (), n, int64, source, lambda x, y: x + y, 0, store)

    def rest(index: Index) -> None:
        found = Term(lower.b, lower.emit(Load(totals, lower.extent(0), None)))
        behind = Term(lower.b, index[0]) >= found
        lower.when(behind, lambda: lower.store(out, index[0], lower.extent(n)))

    elementwise.spread(lower, (count,), rest)


def loaded(lower: GroupBuilder, value: Value) -> Callable[[Index], Value]:
    """How the elements of a value are loaded: what is not in memory, and may have checks, is
    computed first, into scratch memory."""
    if lower.in_memory(value):
        return lambda index: lower.element(value, index)
    memory, shape = lower.scratch(value.tensor_type), value.shape

    def fill(index: Index) -> None:
        lower.store(memory, lower.linear(index, shape), lower.element(value, index))

    elementwise.spread(lower, shape, fill)
    return lambda index: lower.emit(Load(memory, lower.linear(index, shape), lower.mask))


# Elements that a warp has in shared memory at once, for each operand. Not measured: no GPU was at
# hand when it was set.
SCAN_SHARED_ELEMENTS = 1024


def chains(
    lower: GroupBuilder, op: Any, out: Value, initial: float, step: Callable[..., Term]
) -> None:
    """Scan along the last axis in order, as `cumulative.scan` does it."""
    *rows, n = op.result.shape
    compute = op.result.dtype.compute
    side = 1 if product(rows) == 1 else WARP
    width = SCAN_SHARED_ELEMENTS // side
    row_of = side > 1
    sources = [loaded(lower, v) for v in op.operands]
    count = product(rows)

    def fill(index: Index, lane: Term) -> None:
        first = Term(lower.b, index[0]) * side
        end = (Term(lower.b, lower.extent(count)) - first).minimum(side)
        memories = [lower.emit(Shared(compute, (side * (width + 1),))) for _ in sources]
        mine = where(lane < end, lane.const(1), 0)  # whether this thread has a row

        def at(r: Term, i: Term) -> Index:
            """The index of element i of row r."""
            place = (r + lower.index(first)).value
            i = Term(lower.b, lower.extent(n)) - 1 - i if op.reverse else i
            return (*lower.unlinear(place, tuple(rows)), i.value)

        def each(low: Term, use: Callable[[Index, Value], None]) -> None:
            """For all elements that the warp has now, in the order of memory."""

            def row(r: Value) -> None:
                def column(c: Value) -> None:
                    i = Term(lower.b, c) + lower.index(low)
                    inside = i < Term(lower.b, lower.extent(n))
                    place = (Term(lower.b, r) * (width + 1) + Term(lower.b, c)).value
                    lower.when(inside, lambda: use(at(lower.index(r), i), place))

                lower.loop(lower.index(lane).value, lower.extent(width), column, step=WARP)

            lower.loop(lower.extent(0), lower.index(end).value, row)

        def part(first: Value, carried: Index) -> Sequence[Value]:
            low = Term(lower.b, first)

            def load(index: Index, place: Value) -> None:
                for memory, source in zip(memories, sources, strict=True):
                    lower.store(memory, place, lower.cast(source(index), compute))

            def store(index: Index, place: Value) -> None:
                value = lower.emit(Reload(memories[0], place, None))
                to = lower.linear(index, op.result.shape)
                lower.store(out, to, lower.cast(value, op.result.dtype))

            def element(column: Value, before: Index) -> Sequence[Value]:
                c, sums = Term(lower.b, column), Term(lower.b, before[0])
                place = (lower.index(lane) * (width + 1) + c if row_of else c).value
                values = [Term(lower.b, lower.emit(Reload(m, place, None))) for m in memories]
                result = step(sums, *values).value
                lower.store(memories[0], place, result)
                return (result,)

            each(low, load)
            lower.b.emit_all(Barrier())
            rest = (Term(lower.b, lower.extent(n)) - low).minimum(width)
            high = (rest * lower.index(mine)).value
            after = lower.carry(lower.extent(0), high, carried, element)
            lower.b.emit_all(Barrier())
            each(low, store)
            lower.b.emit_all(Barrier())
            return after

        start = lower.b.constant(initial, compute)
        lower.carry(lower.extent(0), lower.extent(n), (start,), part, width)

    teams(lower, (ceildiv(count, side),), fill, WARP)
