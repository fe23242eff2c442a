"""Sorts on a grid: rows of keys, and the places that they came from, stable.

Short rows are sorted by rank, a thread for each element. Of longer ones teams sort tiles in shared
memory, by merging: an element's place is its own place among its run's, and the number of elements
of the other run that come before it, which a search finds. Then tiles are merged in launches, each
of which makes runs twice as long. Teams share a merge by cutting what it gives into tiles; where
these begin in either run, a search on the diagonal finds (S. Odeh, O. Green, Z. Mwassi,
O. Shmueli and Y. Birk, "Merge Path", 2012).

How many launches a row of unknown length takes is known to no one before: there are as many as
could ever be needed, of two kernels. In `state` is the length of the runs, for launches of even
and of odd numbers, and in which half of their buffers keys and places are. What is not needed does
nothing, and is not even launched where that is known from the length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Value
from ....dtypes import DType, int32, int64
from ....extent import Extent, Shape, product
from ....ops.elementwise import Cast, Less
from ....types import TensorType
from ....value_classes import NamedTuple
from ...ops import Barrier, Load, Reload, Shared
from . import elementwise
from .thread_groups import (
    SORT_TEAM,
    TEAM_ELEMENTS,
    THREAD_ELEMENTS,
    Index,
    counts_before,
    only_if_above,
    teams,
    tiles,
)

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Elements of a row up to which it is sorted by rank, a thread each. Not measured: no GPU was at
# hand when it was set.
RANKED_ROW_MAX = 64
# Launches for runs of TEAM_ELEMENTS << first and longer: how many. Rows of 2^34 elements need no
# more.
MERGE_LAUNCHES = (
    (0, 10),
    (10, 14),
)


class Sorted(NamedTuple):
    """Rows in order, in memory."""

    lower: GroupBuilder
    keys: Value
    places: Value
    state: Value
    size: Extent  # of a half

    def side(self) -> Value:
        """Where the half begins that they are in."""
        side = self.lower.emit(Load(self.state, self.lower.extent(1), None))
        return (Term(self.lower.b, side) * Term(self.lower.b, self.lower.extent(self.size))).value

    def key(self, at: Term, side: Value, mask: Value | None = None) -> Value:
        """The key at a linear place."""
        offset = (self.lower.index(at) + self.lower.index(side)).value
        return self.lower.emit(Load(self.keys, offset, mask))

    def place(self, at: Term, side: Value) -> Value:
        """The place in its row that it had before."""
        offset = (self.lower.index(at) + self.lower.index(side)).value
        return self.lower.emit(Load(self.places, offset, None))


def sort(
    lower: GroupBuilder,
    rows: Shape,
    n: Extent,
    kind: DType,
    key: Callable[[Index], Value],
    merged: bool = True,
) -> Sorted:
    """Sort `key(index)`, unsigned integers of the dtype `kind`, along the last axis of (*rows, n):
    all of it, or if not `merged` each tile of it."""
    shape, size = (*rows, n), product((*rows, n))
    keys = lower.scratch(TensorType(kind, ((1 + merged) * size,)))
    places = lower.scratch(TensorType(int64, ((1 + merged) * size,)))

    def fill(index: Index) -> None:
        lower.store(keys, lower.linear(index, shape), key(index))

    elementwise.spread(lower, shape, fill)
    state = lower.scratch(TensorType(int64, (4,)))
    found = Sorted(lower, keys, places, state, size)
    if merged and isinstance(n, int) and n <= RANKED_ROW_MAX:
        _by_rank(lower, rows, n, keys, places, state)
        return found
    _Tiles(lower, rows, n, keys, places, state).write()
    if isinstance(n, int):
        groups = [(n, _rounds(n))]
    else:
        groups = [(TEAM_ELEMENTS << first, count) for first, count in MERGE_LAUNCHES]
    if not merged:
        return found
    for bound, count in groups:

        def merges(_: Value, bound: int = bound) -> None:
            for parity in range(2):
                _Merge(lower, rows, n, keys, places, state, parity, bound).write()

        lower.loop(lower.extent(0), lower.extent(count // 2), merges)
    return found


def best(
    lower: GroupBuilder,
    rows: Shape,
    n: Extent,
    kind: DType,
    key: Callable[[Index], Value],
    count: int,
) -> Callable[[Index], Value]:
    """Sort as `sort` does, of which only the first `count` places are wanted, few of them: no more
    of each tile are sorted on. How a place is found by its index."""
    shape = (*rows, n)
    found = sort(lower, rows, n, kind, key, merged=False)
    some = (*rows, tiles(n) * count)

    def place(index: Index) -> tuple[Term, Term]:
        """The linear place of a candidate, and that in its row."""
        c = Term(lower.b, index[-1])
        at = (c // count) * TEAM_ELEMENTS + (c % count)
        return Term(lower.b, lower.linear((*index[:-1], at.value), shape)), at

    def candidate(index: Index) -> Value:
        there, at = place(index)
        inside = at < Term(lower.b, lower.extent(n))
        mine = Term(lower.b, found.key(there, lower.extent(0), inside.value))
        return where(inside, mine, (1 << kind.bits) - 1).value  # behind all that are there

    again = sort(lower, some[:-1], some[-1], kind, candidate)

    def chosen(index: Index) -> Value:
        at = Term(lower.b, lower.linear(index, some))
        c = again.place(at, again.side())
        return found.place(place((*index[:-1], c))[0], lower.extent(0))

    return chosen


def _rounds(n: int) -> int:
    """How often runs are merged in rows of n: an even number."""
    rounds = max(0, (max(n, 1) - 1).bit_length() - (TEAM_ELEMENTS - 1).bit_length())
    return rounds + rounds % 2


def _begin(lower: GroupBuilder, state: Value, side: int) -> None:
    """Runs are as long as tiles."""
    for i, value in enumerate((TEAM_ELEMENTS, side)):
        lower.store(state, lower.extent(i), lower.extent(value))


def _by_rank(
    lower: GroupBuilder, rows: Shape, n: int, keys: Value, places: Value, state: Value
) -> None:
    """Each element goes to the place that has as many before it as are smaller, or equal and
    earlier; to the second half of the buffers."""
    shape = (*rows, n)
    half = product(shape)

    def place(index: Index) -> None:
        i = index[-1]
        start = Term(lower.b, lower.linear((*index[:-1], lower.extent(0)), shape))
        mine = lower.emit(Load(keys, (start + Term(lower.b, i)).value, None))

        def count(params: list[Term]) -> tuple[Value, Value]:
            j, found = params
            other = Term(lower.b, lower.emit(Load(keys, (lower.index(start) + j).value, None)))
            own = Term(lower.b, mine)
            tie = other.equal(own) & (j < Term(lower.b, i))
            first = (other < own) | tie
            more = Term(lower.b, lower.emit(Cast(first.value, int64)))
            return (j + 1).value, (found + more).value

        zero = lower.extent(0)
        _, rank = lower.while_((zero, zero), lambda p: p[0] < n, count)
        to = (start + Term(lower.b, rank) + Term(lower.b, lower.extent(half))).value
        lower.store(keys, to, mine)
        lower.store(places, to, i)
        first = Term(lower.b, lower.linear(index, shape)).equal(0)
        lower.when(first, lambda: _begin(lower, state, 1))

    elementwise.spread(lower, shape, place)


class _Schedule:
    """What both kernels of teams have."""

    def __init__(
        self,
        lower: GroupBuilder,
        rows: Shape,
        n: Extent,
        keys: Value,
        places: Value,
        state: Value,
    ) -> None:
        self.lower = lower
        self.rows = rows
        self.n = n
        self.keys = keys
        self.places = places
        self.state = state

    def slots(self, thread: Term) -> list[Term]:
        """The places in a tile that a thread has."""
        return [self.lower.index(thread) + e * SORT_TEAM for e in range(THREAD_ELEMENTS)]

    def start(self, row: Index) -> Term:
        """Where a row begins."""
        zero = self.lower.extent(0)
        return Term(self.lower.b, self.lower.linear((*row, zero), (*self.rows, self.n)))

    def first(self, index: Index, thread: Term) -> Term:
        """Whether this is the first thread of all."""
        found = self.lower.index(thread)
        for i in index:
            found = found | self.lower.index(i)
        return found.equal(0)


class _Tiles(_Schedule):
    """Teams sort tiles, where they are."""

    def write(self) -> None:
        teams(self.lower, (*self.rows, tiles(self.n)), self.tile)

    def tile(self, index: Index, thread: Term) -> None:
        lower = self.lower
        *row, number = index
        low = Term(lower.b, number) * TEAM_ELEMENTS
        count = (Term(lower.b, lower.extent(self.n)) - low).minimum(TEAM_ELEMENTS)
        start = self.start(tuple(row)) + low
        keys = lower.emit(Shared(self.keys.dtype, (TEAM_ELEMENTS,)))
        places = lower.emit(Shared(int32, (TEAM_ELEMENTS,)))
        slots = self.slots(thread)
        for at in slots:
            inside = lower.emit(Less(at.value, count.value))
            value = lower.emit(Load(self.keys, (start + at).value, inside))
            lower.store(keys, at.value, value)
            lower.store(places, at.value, lower.cast(at.value, int32))
        lower.b.emit_all(Barrier())

        def merge(params: list[Term]) -> tuple[Value]:
            (width,) = params
            self.merge(keys, places, [lower.index(t) for t in slots], width, lower.index(count))
            return ((width << 1).value,)

        one = lower.extent(1)
        lower.while_((one,), lambda p: p[0] < lower.index(count), merge)
        for slot in slots:
            within = lower.emit(Less(slot.value, count.value))

            def store(at: Term = slot) -> None:
                to = (lower.index(start) + lower.index(at)).value
                old = lower.cast(lower.emit(Reload(places, at.value, None)), int64)
                lower.store(self.keys, to, lower.emit(Reload(keys, at.value, None)))
                lower.store(self.places, to, (lower.index(low) + Term(lower.b, old)).value)

            lower.when(within, store)
        lower.when(self.first(index, thread), lambda: _begin(lower, self.state, 0))
        lower.b.emit_all(Barrier())  # the next tile is sorted in the same memory

    def merge(
        self, keys: Value, places: Value, slots: list[Term], width: Term, count: Term
    ) -> None:
        """Pairs of runs of this length, a power of two, become one each."""
        lower = self.lower
        own, old, starts, lengths, equals, targets = [], [], [], [], [], []
        for at in slots:
            own.append(lower.emit(Reload(keys, at.value, None)))
            old.append(lower.emit(Reload(places, at.value, None)))
            second = (at & width).not_equal(0)
            within = at & (width - 1)
            other = at - within
            other = other ^ width
            targets.append((other.minimum(at - within), within))
            starts.append(other)
            lengths.append((count - other).minimum(width).maximum(0))
            equals.append(second.value)
        before = counts_before(lower, keys, own, starts, lengths, equals)
        lower.b.emit_all(Barrier())
        for at, key, place, (pair, within), more in zip(
            slots, own, old, targets, before, strict=True
        ):
            to = pair + within + Term(lower.b, more)

            def store(to: Term = to, key: Value = key, place: Value = place) -> None:
                lower.store(keys, to.value, key)
                lower.store(places, to.value, place)

            lower.when(at < count, store)
        lower.b.emit_all(Barrier())


class _Merge(_Schedule):
    """Teams merge pairs of runs, a tile of what that gives each."""

    def __init__(
        self,
        lower: GroupBuilder,
        rows: Shape,
        n: Extent,
        keys: Value,
        places: Value,
        state: Value,
        parity: int,
        bound: int,
    ) -> None:
        super().__init__(lower, rows, n, keys, places, state)
        self.parity = parity
        self.bound = bound  # shorter rows need none

    def write(self) -> None:
        count = tiles(self.n)
        if not isinstance(self.n, int):
            count = only_if_above(count, self.n, self.bound)
        teams(self.lower, (*self.rows, count), self.tile)

    def tile(self, index: Index, thread: Term) -> None:
        lower = self.lower
        width, side = (
            Term(lower.b, lower.emit(Load(self.state, lower.extent(2 * self.parity + i), None)))
            for i in range(2)
        )
        n = Term(lower.b, lower.extent(self.n))
        needed = width < n
        lower.when(needed, lambda: self.merge(index, thread, width, side))

        def pass_on() -> None:
            double = where(lower.index(needed), lower.index(width) * 2, lower.index(width))
            other = where(lower.index(needed), 1 - lower.index(side), lower.index(side))
            for i, value in enumerate((double, other)):
                lower.store(self.state, lower.extent(2 - 2 * self.parity + i), value.value)

        lower.when(self.first(index, thread), pass_on)

    def merge(self, index: Index, thread: Term, width: Term, side: Term) -> None:
        lower = self.lower
        *row, number = index
        n = Term(lower.b, lower.extent(self.n))
        width = lower.index(width)
        half = Term(lower.b, lower.extent(product((*self.rows, self.n))))
        start = self.start(tuple(row))
        source = start + lower.index(side) * half
        target = start + (1 - lower.index(side)) * half
        low = lower.index(number) * TEAM_ELEMENTS
        high = (low + TEAM_ELEMENTS).minimum(n)
        pair = low & (-(width * 2))
        middle, end = (pair + width).minimum(n), (pair + width * 2).minimum(n)
        first = self.diagonals(source, pair, middle, end, [low - pair, high - pair])
        begin = pair + first[0], middle + (low - pair) - first[0]  # in either run
        left = first[1] - first[0]
        right = high - low - left
        keys = lower.emit(Shared(self.keys.dtype, (TEAM_ELEMENTS,)))
        own, origins = [], []
        slots = self.slots(thread)
        for at in slots:
            inside = lower.emit(Less(at.value, (high - low).value))
            origin = where(at < left, begin[0] + at, begin[1] + at - left)
            origins.append(source + origin)
            own.append(lower.reload(self.keys, origins[-1].value, inside))
            lower.store(keys, at.value, own[-1])
        lower.b.emit_all(Barrier())
        of_left = [at < left for at in slots]
        starts = [where(c, left, 0) for c in of_left]
        lengths = [where(c, right, left) for c in of_left]
        equals = [c.logical_not().value for c in of_left]
        before = counts_before(lower, keys, own, starts, lengths, equals)
        for e, at in enumerate(slots):
            within = at - where(of_left[e], at.const(0), left)
            to = target + low + within + Term(lower.b, before[e])

            def store(e: int = e, to: Term = to) -> None:
                lower.store(self.keys, to.value, own[e])
                place = lower.emit(Load(self.places, origins[e].value, None))
                lower.store(self.places, to.value, place)

            lower.when(at < high - low, store)
        lower.b.emit_all(Barrier())  # the next tile is merged in the same memory

    def diagonals(
        self, source: Term, pair: Term, middle: Term, end: Term, wanted: list[Term]
    ) -> list[Term]:
        """How many of the first elements that a merge gives are from the first run, for each
        number of them in `wanted`."""
        lower = self.lower
        lengths = middle - pair, end - middle
        init: list[Value] = []
        for d in wanted:
            init.append((d - lengths[1]).maximum(0).value)
            init.append(d.minimum(lengths[0]).value)

        def test(params: list[Term]) -> Term:
            first = params[0] < params[1]
            return first | (params[2] < params[3])

        def step(params: list[Term]) -> list[Value]:
            found: list[Value] = []
            first, second = lower.index(source + pair), lower.index(source + middle)
            for e, d in enumerate(wanted):
                low, high = params[2 * e], params[2 * e + 1]
                open_ = low < high
                at = (low + high).shift_right_logical(1)
                x, y = (
                    Term(lower.b, lower.emit(Load(self.keys, p.value, open_.value)))
                    for p in (first + at, second + lower.index(d) - 1 - at)
                )
                before = (x <= y) & open_
                behind = (y < x) & open_
                found.append(where(before, at + 1, low).value)
                found.append(where(behind, at, high).value)
            return found

        found = lower.while_(init, test, step)
        return [Term(lower.b, found[0]), Term(lower.b, found[2])]
