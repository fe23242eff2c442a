"""The schedules of the largest of each row: most elements are passed over.

Candidates are kept beside the row as integers that end with the place and so are all different.
What does not come before the last of the wanted ones, as far as they are known, is passed over, a
block of vectors by one comparison. The others are added to the candidates, in any order. When there
is no room for another block, they are sorted, and only as many as are wanted are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Value
from ....dtypes import bool_, int64
from ....element_builder import Index
from ....extent import product
from ....kernel_op import LoopKind
from ....ops.elementwise import Less
from ....ops.reduction import LANES
from ....ops.sort import TopPlaces
from ....ops.sort_keys import key, key_dtype, place_of, placed_key
from ....types import INDEX, TensorType
from ...ops import Append, Load, Local, Reduce, Reload
from .merge_sort import Keys, Runs, near_elements, sort, tiles
from .radix_sort import make_keys, sort_buffers, sort_row

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

# Places of elements of 64 bits up to which each is put where it belongs, in place of a sort of
# the row. Not measured: top_k of the benchmarks has elements of 32.
INSERTED_COUNT_MAX = 32
# Rows of fewer than so many times what is wanted are sorted as a whole. top_k, 100 of each row of
# 64 x 10K: 0.97 of the time with 2, 1.01 with 16.
SELECTED_RATIO_MIN = 4


def write(lower: GroupBuilder, op: TopPlaces) -> None:
    """Write the kernel of `op`."""
    if op.x.dtype.itemsize > 4:
        _by_digits(lower, op)
        return
    n, count = op.x.shape[-1], op.count
    most = near_elements(lower, int64.itemsize)
    if isinstance(n, int) and isinstance(count, int):
        (_selected if _is_few(count, n, most) else _sorted)(lower, op)
        return
    k = Term(lower.b, lower.extent(count))
    fits = 2 * k <= most - 2 * LANES
    few = (k * SELECTED_RATIO_MIN <= Term(lower.b, lower.extent(n))) & fits
    lower.when(few, lambda: _selected(lower, op))
    lower.when(lower.index(few).logical_not(), lambda: _sorted(lower, op))


def _is_few(count: int, n: int, most: int) -> bool:
    return count * SELECTED_RATIO_MIN <= n and 2 * count <= most - 2 * LANES


def _sorted(lower: GroupBuilder, op: TopPlaces) -> None:
    """All places of each row in order, of which the first are kept."""
    *rows, n = op.x.shape
    out = lower.output(op.result)

    def key_of(index: Index) -> Value:
        return placed_key(lower, key(lower, lower.element(op.x, index), True), index[-1])

    def take(index: Index, found: Value) -> None:
        lower.store(out, lower.linear(index, op.result.shape), place_of(lower, found))

    sort(lower, tuple(rows), n, Keys(int64, key_of, take, op.count))


def _selected(lower: GroupBuilder, op: TopPlaces) -> None:
    if op.count == 0:
        return
    lower.parallel(product(op.x.shape[:-1]), lower.cost, lambda r: _Selection(lower, op, r).write())


class _Selection:
    """The kernel for one row."""

    def __init__(self, lower: GroupBuilder, op: TopPlaces, number: Value) -> None:
        self.lower = lower
        self.op = op
        self.row = lower.unlinear(number, op.x.shape[:-1])
        least, most = tiles(lower, int64)
        k = Term(lower.b, lower.extent(op.count))
        wanted = 2 * k + 2 * LANES
        tile = where(wanted <= least, k.const(least), most)
        self.room = (((wanted + tile - 1) // tile) * tile).value
        half = near_elements(lower, int64.itemsize)
        self.held = lower.emit(Local(int64, (2 * half + 1,)))
        self.state = lower.emit(Local(int64, (2,)))  # how many are held; what is not passed over
        self.runs = Runs(lower, self.held, half, tile.value)

    def read(self, which: int) -> Value:
        return self.lower.emit(Reload(self.state, self.lower.extent(which), None))

    def keep(self, held: Value, limit: Value) -> None:
        for which, value in enumerate((held, limit)):
            self.lower.store(self.state, self.lower.extent(which), value)

    def key(self, i: Value) -> Value:
        return key(self.lower, self.lower.element(self.op.x, (*self.row, i)), True)

    def write(self) -> None:
        lower = self.lower
        zero, n = lower.extent(0), lower.extent(self.op.x.shape[-1])
        self.keep(zero, lower.b.constant(int64.max, int64))
        whole = ((Term(lower.b, n) // LANES) * LANES).value
        lower.loop(zero, whole, self.block, step=LANES)
        self.add(whole, n)
        side = self.sort()
        out = lower.output(self.op.result)

        def take(i: Value) -> None:
            at = (lower.index(side) + Term(lower.b, i)).value
            place = place_of(lower, lower.emit(Load(self.held, at, None)))
            lower.store(out, lower.linear((*self.row, i), self.op.result.shape), place)

        lower.loop(zero, lower.extent(self.op.count), take, LoopKind.VECTOR)

    def block(self, low: Value) -> None:
        """Look at LANES elements; add those that are wanted, if there are any."""
        lower = self.lower

        def one(params: Index) -> Sequence[Value]:
            i = Term(lower.b, low) + Term(lower.b, params[0])
            return (self.key(i.value),)

        body = lower.region("body", (INDEX,), one)
        (first,) = lower.b.emit_all(Reduce(lower.extent(LANES), "minimum", LoopKind.VECTOR, body))
        found = placed_key(lower, first, low)
        wanted = lower.emit(Less(found, self.read(1)))
        lower.when(wanted, lambda: self.add_block(low))

    def add_block(self, low: Value) -> None:
        lower = self.lower
        self.add(low, (Term(lower.b, low) + LANES).value)
        full = lower.index(self.room) - LANES < lower.index(self.read(0))
        lower.when(full, self.shrink)

    def add(self, low: Value, high: Value) -> None:
        """Add the wanted ones among some elements to the candidates."""
        lower = self.lower
        limit = self.read(1)

        def one(i: Value) -> None:
            placed = placed_key(lower, self.key(i), i)
            held = self.read(0)
            new = lower.emit(Append(self.held, held, placed, lower.emit(Less(placed, limit))))
            more = Term(lower.b, held) + Term(lower.b, new)
            lower.store(self.state, lower.extent(0), more.value)

        lower.loop(low, high, one, LoopKind.VECTOR)

    def sort(self) -> Value:
        """Sort the candidates; where they begin then."""
        lower = self.lower
        largest = lower.b.constant(int64.max, int64)

        def fill(i: Value) -> None:
            lower.store(self.held, i, largest)

        lower.loop(self.read(0), self.room, fill, LoopKind.VECTOR)
        low, high = lower.extent(0), self.room
        self.runs.tiles(low, high)
        side = self.runs.merges(low, high, self.runs.tile, high)
        return (Term(lower.b, side) * self.runs.term(self.runs.half)).value

    def shrink(self) -> None:
        """Sort the candidates and keep only as many as are wanted."""
        lower = self.lower
        side, count = self.sort(), lower.extent(self.op.count)

        def copy(i: Value) -> None:
            at = (lower.index(side) + Term(lower.b, i)).value
            lower.store(self.held, i, lower.emit(Load(self.held, at, None)))

        lower.loop(lower.extent(0), count, copy, LoopKind.VECTOR)
        last = (Term(lower.b, count) - 1).maximum(0).value
        self.keep(count, lower.emit(Reload(self.held, last, None)))


def _by_digits(lower: GroupBuilder, op: TopPlaces) -> None:
    """Keys of 64 bits: few are put into their places one by one, else all places are sorted."""
    *rows, n = op.x.shape
    out = lower.output(op.result)
    kind = key_dtype(op.x.dtype)
    best = lower.scratch(TensorType(kind, (op.count,)))
    order = lower.scratch(TensorType(int64, (n,)))
    more = [lower.scratch(t) for t in sort_buffers(op.x.dtype, n)]

    def row(index: Index) -> None:
        make_keys(lower, op.x, index, more[0], True)
        start = lower.linear((*index, lower.extent(0)), op.result.shape)
        k = Term(lower.b, lower.extent(op.count))
        few = (k <= INSERTED_COUNT_MAX) & (k * INSERTED_COUNT_MAX <= Term(lower.b, lower.extent(n)))
        many = few.logical_not()

        def everything() -> None:
            sort_row(lower, n, order, lower.extent(0), *more)

            def copy(i: Value) -> None:
                target = Term(lower.b, start) + Term(lower.b, i)
                lower.store(out, target.value, lower.emit(Load(order, i, None)))

            lower.loop(lower.extent(0), lower.extent(op.count), copy, LoopKind.VECTOR)

        lower.when(few, lambda: _inserted(lower, op, out, start, best, more[0]))
        lower.when(many, everything)

    lower.nest(tuple(rows), row, serial=len(rows))


def _inserted(
    lower: GroupBuilder, op: TopPlaces, out: Value, start: Value, best: Value, keys: Value
) -> None:
    """The best so far stand in order; a better one than the last is put into its place."""
    zero, k = lower.extent(0), lower.extent(op.count)

    def target(j: Value) -> Value:
        return (Term(lower.b, start) + Term(lower.b, j)).value

    def insert(i: Value, mine: Value, last: Value) -> None:
        """Behind what is not worse; all from there on move by one, up to the last place."""

        def move(j: Value, carried: Index) -> Sequence[Value]:
            moving, new_key, new_place = (Term(lower.b, v) for v in carried)
            old_key = Term(lower.b, lower.reload(best, j))
            old_place = Term(lower.b, lower.reload(out, target(j)))
            moving = moving | (new_key < old_key)
            lower.store(best, j, where(moving, new_key, old_key).value)
            lower.store(out, target(j), where(moving, new_place, old_place).value)
            kept_key, kept_place = (
                where(moving, old, new) for old, new in ((old_key, new_key), (old_place, new_place))
            )
            return moving.value, kept_key.value, kept_place.value

        never = lower.b.constant(False, bool_)
        _, over_key, over_place = lower.carry(zero, last, (never, mine, i), move)
        lower.store(best, last, over_key)
        lower.store(out, target(last), over_place)

    def first(i: Value) -> None:
        insert(i, lower.emit(Load(keys, i, None)), i)

    def later(i: Value) -> None:
        mine = lower.emit(Load(keys, i, None))
        last = (Term(lower.b, k) - 1).value
        better = lower.emit(Less(mine, lower.emit(Load(best, last, None))))
        lower.when(better, lambda: insert(i, mine, last))

    lower.loop(zero, k, first)
    some = lower.emit(Less(zero, k))
    lower.when(some, lambda: lower.loop(k, lower.extent(op.x.shape[-1]), later))
