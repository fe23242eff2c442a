"""The schedule of sorts: tiles in registers, then runs of twice the length again and again.

What is sorted are keys, signed integers that `key` makes of an index and that `take` makes a result
of. Keys of equal order are equal, so nothing is to be kept in order among them.

Rows that fit into the memory next to a thread are sorted there, each by one thread. Of longer rows
that is done with blocks; then threads merge pairs of runs. Rows are filled up with the largest key
to a number of tiles, so that all runs are made of tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Value
from ....dtypes import DType
from ....element_builder import Index
from ....extent import Extent, Shape, ceildiv, product
from ....kernel_op import LoopKind
from ....types import INDEX, TensorType
from ....value_classes import NamedTuple
from ...ops import Load, Local, MergeRuns, Parallel, SortTile

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


class Keys(NamedTuple):
    """What is sorted, and what becomes of it."""

    dtype: DType
    key: Callable[[Index], Value]
    take: Callable[[Index, Value], None]  # the index in the result, and the key that comes there
    wanted: Extent  # so many of each row are taken


class Runs:
    """Keys in the first half of a buffer, and as much memory behind them."""

    def __init__(self, lower: GroupBuilder, buffer: Value, half: Extent, tile: Value) -> None:
        self.lower = lower
        self.buffer = buffer
        self.half = half
        self.tile = tile

    def term(self, extent: Extent) -> Term:
        return Term(self.lower.b, self.lower.extent(extent))

    def tiles(self, low: Value, high: Value) -> None:
        """Sort each tile from `low` to `high`."""
        lower = self.lower

        def sort(params: list[Term]) -> list[Value]:
            lower.b.emit_all(SortTile(self.buffer, params[0].value, self.tile))
            return [(params[0] + lower.index(self.tile)).value]

        lower.while_([low], lambda p: p[0] < lower.index(high), sort)

    def merge(self, pair: Term, width: Term, high: Term, side: Term) -> None:
        """Make one run of the two that begin at `pair`, on the other side."""
        lower = self.lower
        half = self.term(self.half)
        source, target = side * half, half - side * half
        second = (pair + width).minimum(high)
        last = (pair + width * 2).minimum(high)
        first, second, last = (source + p for p in (pair, second, last))
        runs = first.value, second.value, last.value
        lower.b.emit_all(MergeRuns(self.buffer, *runs, self.buffer, (target + pair).value))

    def merges(
        self,
        low: Value,
        high: Value,
        width: Value,
        stop: Value,
        side: int = 0,
        threads: bool = False,
    ) -> Value:
        """Merge runs of `width`, until they are as long as `stop`. On which side they are then."""
        lower = self.lower

        def level(params: list[Term]) -> list[Value]:
            width, side = params
            double = width * 2

            def pair(at: Term) -> None:
                known = (lower.index(v) for v in (width, high, side))
                self.merge(at, *known)

            if threads:
                length = lower.index(high) - lower.index(low)
                count = (length + double - 1) // double

                def one(number: Value) -> None:
                    pair(lower.index(low) + Term(lower.b, number) * lower.index(double))

                _threads(lower, count, length, one)
            else:

                def next_pair(params: list[Term]) -> list[Value]:
                    pair(params[0])
                    return [(params[0] + lower.index(double)).value]

                lower.while_([low], lambda p: p[0] < lower.index(high), next_pair)
            return [lower.index(double).value, (1 - lower.index(side)).value]

        init = [width, lower.extent(side)]
        return lower.while_(init, lambda p: p[0] < lower.index(stop), level)[1]


class Row(Runs):
    """Of a row of n elements the keys."""

    def __init__(
        self,
        lower: GroupBuilder,
        keys: Keys,
        n: Extent,
        buffer: Value,
        half: Extent,
        tile: Value,
    ) -> None:
        super().__init__(lower, buffer, half, tile)
        self.keys = keys
        self.n = n

    def fill(self, row: Index, low: Value, high: Value) -> None:
        """Make the keys from `low` to `high`, and behind the row's end the largest."""
        lower = self.lower
        end = Term(lower.b, high).minimum(self.term(self.n)).value

        def one(i: Value) -> None:
            lower.store(self.buffer, i, self.keys.key((*row, i)))

        lower.loop(low, end, one, LoopKind.VECTOR)
        largest = lower.b.constant(int(self.keys.dtype.max), self.keys.dtype)
        lower.loop(end, high, lambda i: lower.store(self.buffer, i, largest), LoopKind.VECTOR)

    def take(self, row: Index, low: Value, high: Value, side: Value) -> None:
        """Hand on the keys from `low` to `high`, as far as they are wanted."""
        lower = self.lower
        start = (Term(lower.b, side) * self.term(self.half)).value

        def one(i: Value) -> None:
            place = (lower.index(start) + Term(lower.b, i)).value
            self.keys.take((*row, i), lower.emit(Load(self.buffer, place, None)))

        end = Term(lower.b, high).minimum(self.term(self.keys.wanted)).value
        lower.loop(low, end, one, LoopKind.VECTOR)


def tiles(lower: GroupBuilder, dtype: DType) -> tuple[int, int]:
    """The smallest and the largest tile that is sorted at once: what a group of registers takes,
    and from where on merging is faster."""
    lanes = lower.target.vector_bytes // dtype.itemsize
    return 4 * lanes, lower.target.registers * lanes


def near_elements(lower: GroupBuilder, itemsize: int) -> int:
    """How many keys fit L1 twice, and so any stack. Rows of them are sorted by a thread each: sort
    of the rows of 4096 x 256 (4 KB) takes 1.9 ms, 25.7 before (Intel Xeon)."""
    return lower.target.l1 // 2 // itemsize


def sort(lower: GroupBuilder, rows: Shape, n: Extent, keys: Keys) -> None:
    """Sort along the last axis of (*rows, n)."""
    near = near_elements(lower, keys.dtype.itemsize)
    if isinstance(n, int):
        (_near if n <= near else _far)(lower, rows, n, keys)
        return
    short = Term(lower.b, lower.extent(n)) <= near
    lower.when(short, lambda: _near(lower, rows, n, keys))
    lower.when(lower.index(short).logical_not(), lambda: _far(lower, rows, n, keys))


def _near(lower: GroupBuilder, rows: Shape, n: Extent, keys: Keys) -> None:
    """Rows are sorted by threads, each in memory of its own. Short ones are one tile."""
    least, most = tiles(lower, keys.dtype)
    half = near_elements(lower, keys.dtype.itemsize)
    if isinstance(n, int):
        least = most = max(least, min(most, 1 << (max(n, 1) - 1).bit_length()))
        half = -(-n // most) * most

    def row(number: Value) -> None:
        buffer = lower.emit(Local(keys.dtype, (2 * half + 1,)))
        length = Term(lower.b, lower.extent(n))
        tile, size = length.const(most), most // 2
        while size >= least:
            tile, size = where(length <= size, length.const(size), tile), size // 2
        high = (((length + tile - 1) // tile) * tile).value
        runs = Row(lower, keys, n, buffer, half, tile.value)
        index, low = lower.unlinear(number, rows), lower.extent(0)
        runs.fill(index, low, high)
        runs.tiles(low, high)
        runs.take(index, low, high, runs.merges(low, high, tile.value, high))

    lower.parallel(product(rows), product((*rows, n)) * keys.dtype.itemsize, row)


def _far(lower: GroupBuilder, rows: Shape, n: Extent, keys: Keys) -> None:
    """Each row is sorted by all threads, in blocks: small ones for many threads, or as large as
    a cache, since what is merged then comes from memory behind it."""
    _, tile = tiles(lower, keys.dtype)
    half = ceildiv(n, tile) * tile
    buffer = lower.scratch(TensorType(keys.dtype, (2 * half + 1,)))
    runs = Row(lower, keys, n, buffer, half, lower.extent(tile))
    small = near_elements(lower, keys.dtype.itemsize)
    large = lower.target.l2 // 4 // keys.dtype.itemsize  # twice in half of it
    levels = (small // tile).bit_length() - 1  # an even number less than for large ones

    def row(index: Index) -> None:
        size = where(runs.term(n) <= large, runs.term(small), large)
        count = (runs.term(n) + size - 1) // size
        end = runs.term(half).value

        def bounds(number: Value) -> tuple[Value, Value]:
            low = Term(lower.b, number) * lower.index(size)
            high = (low + lower.index(size)).minimum(Term(lower.b, end))
            return low.value, high.value

        def block(number: Value) -> None:
            low, high = bounds(number)
            runs.fill(index, low, high)
            runs.tiles(low, high)
            runs.merges(low, high, runs.tile, size.value)

        def take(number: Value) -> None:
            runs.take(index, *bounds(number), side)

        _threads(lower, count, runs.term(n) * keys.dtype.itemsize, block)
        zero = lower.extent(0)
        side = runs.merges(zero, end, size.value, end, levels % 2, threads=True)
        _threads(lower, count, runs.term(n), take)

    lower.nest(rows, row, serial=len(rows))


def _threads(lower: GroupBuilder, count: Term, work: Term, fill: Callable[[Value], None]) -> None:
    """`fill` for 0, 1, ... below a count that is computed here; `work` in nanoseconds."""

    def body(params: Index) -> Index:
        fill(params[0])
        return ()

    region = lower.region("body", (INDEX,), body)
    lower.b.emit_all(Parallel(count.value, work.value, region))
