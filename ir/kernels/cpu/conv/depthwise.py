"""The schedules of convolutions with one channel a group, whose channels lie along the lanes.

What the window skips is skipped: nothing is packed, and nothing has a border. There are two:

    few taps        a filter slides along: tiles are places along the last axis, whose sums stay in
                    registers while the taps go by. Which taps a tile sees is known when it is
                    written, so tiles at the ends are written out, those between are a loop.
    few places      the gradient of such a filter: its taps are the places, k counts what they
                    slid over. Rows of that go by once, and are added to the sums of all places,
                    block by block of k on any threads (see ir/kernels/cpu/ordered_split_k.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, floordiv, product
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add
from ....ops.window import Axis, Conv, fold
from ....types import INDEX, scalar_type
from ...ops import For, Load
from ...writer import Writer
from ..ordered_split_k import OrderedSplitK
from .access import stored_operand
from .stride_phases import taps_inside

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder


ROWS, ROWS_MOST = 8, 16  # of a tile
TAPS_MOST = 16  # along the last axis: they are written out
PLACES_MOST = 16  # the same where the places are few
VECTORS = 2  # side by side, so that sums need not wait for themselves
KINDS_MOST = 5  # of tiles, by what they see


class Kind(NamedTuple):
    """Tiles side by side that see the same: for each place and tap of one, where that reads,
    counted from where its first place would, or None."""

    first: int  # place of the first tile
    tiles: int
    reads: tuple[tuple[int | None, ...], ...]


def schedule(op: Any) -> type[FewTaps] | type[FewPlaces] | None:
    """The schedule for a convolution, if it is one of these."""
    if not isinstance(op, Conv) or not op.size or op.groups * op.batch_groups == 1:
        return None
    if op.w.shape[-2] != 1 or op.in_group != 1:
        return None
    axis, size = op.axes(op.x.shape, op.w.shape)[-1], op.size[-1]
    if not all(isinstance(e, int) for e in (size, *axis.numbers)):
        return None
    if op.groups != 1:
        taps, along = product(op.w.shape[:-2]), op.w.shape[-3]
        few = isinstance(taps, int) and taps <= BLOCK and along <= TAPS_MOST
        return FewTaps if few and kinds(axis, size) else None
    alone = op.result.shape[0] == 1 and all(hole == 1 for hole in op.hole_strides)
    few = isinstance(product(op.size), int) and size <= PLACES_MOST  # type: ignore[operator]
    return FewPlaces if alone and few else None


def memory(op: Any) -> tuple[Value, Value]:
    """What such a convolution wants to be in memory."""
    return stored_operand(op.x)[0], op.w


def kinds(axis: Axis, size: Any) -> list[Kind]:
    """The tiles along an axis; nothing where they are too long or of too many kinds, or where no
    two places of one see the same, so that it gains nothing."""
    every = axis.hole // gcd(axis.hole, axis.stride)  # places from which on the same taps are seen
    rows = every * max(1, ROWS // every)
    if rows > ROWS_MOST:
        return []
    found: list[Kind] = []
    for first in range(0, size, rows):
        origin = first * axis.stride // axis.hole
        reads = []
        for place in range(first, min(first + rows, size)):
            seen = [axis.read(place, tap) for tap in range(int(axis.taps))]  # type: ignore[arg-type]
            reads.append(tuple(at if at is None else at - origin for at in seen))
        if found and found[-1].reads == tuple(reads):
            found[-1] = found[-1]._replace(tiles=found[-1].tiles + 1)
        else:
            found.append(Kind(first, 1, tuple(reads)))
    shared = any(_shared(kind) for kind in found)
    return found if shared and len(found) <= KINDS_MOST else []


def _shared(kind: Kind) -> bool:
    """Whether several places of a tile see something."""
    seen = [at for reads in kind.reads for at in reads if at is not None]
    return len(set(seen)) < len(seen)


class Depthwise:
    """What both have in common."""

    def __init__(self, lower: FusedKernelBuilder, op: Conv) -> None:
        self.lower, self.op, self.t = lower, op, Writer(lower)
        self.compute = op.x.dtype.compute
        self.axes = op.axes(op.x.shape, op.w.shape)
        self.channels = op.w.shape[-1]
        self.zero = lower.b.constant(0, self.compute)
        lanes = max(1, lower.target.vector_bytes // self.compute.itemsize)
        self.columns = 2 * lanes

    @property
    def work(self) -> Extent:
        """About how many nanoseconds it takes: mostly what goes through memory."""
        moved = product(self.op.x.shape) + product(self.op.w.shape) + product(self.op.result.shape)
        return floordiv(moved * self.compute.itemsize, 8)

    def input(self, index: Index) -> Value:
        return self.lower.cast(self.lower.element(self.op.x, index), self.compute)

    def weight(self, taps: Index, j: Value) -> Value:
        element = self.lower.element(self.op.w, (*taps, self.t.extent(0), j))
        return self.lower.cast(element, self.compute)

    def finish(self, index: Index, total: Value) -> None:
        """Store what the kernel makes of an element of the result."""
        lower, result = self.lower, self.op.result
        total = lower.emit(Add(self.zero, total))
        lower.define(result, index, lower.cast(total, result.dtype))
        lower.store_roots(index)

    def carried(
        self, low: Value, high: Value, sums: Sequence[Value], fill: Callable[[Index], Any]
    ) -> Sequence[Value]:
        """A loop that carries sums."""
        types = (INDEX, *[scalar_type(self.compute)] * len(sums))
        region = self.lower.region("body", types, fill)
        found: Sequence[Value] = self.lower.b.emit_all(
            For(low, high, tuple(sums), 1, "serial", region)
        )
        return found


class FewTaps(Depthwise):
    """Tiles of places along the last axis."""

    def write(self) -> None:
        lower, op = self.lower, self.op
        last = self.axes[-1]
        shape = op.result.shape[:-2]
        tiles = kinds(last, op.size[-1])

        def line(number: Value) -> None:
            outer = lower.unlinear(number, shape)
            for kind in tiles:
                if kind.tiles == 1:
                    self.tile(outer, self.t.extent(kind.first), kind)
                    continue
                rows = len(kind.reads)
                low, high = (self.t.extent(kind.first + n * rows) for n in (0, kind.tiles))

                def some(i: Value, kind: Kind = kind) -> None:
                    self.tile(outer, i, kind)

                lower.loop(low, high, some, step=rows)

        lower.parallel(product(shape), self.work, line)

    def tile(self, outer: Index, first: Value, kind: Kind) -> None:
        t, lower, last = self.t, self.lower, self.axes[-1]
        origin = (t.index(first) * last.stride // last.hole).value
        n, *places = outer
        seen = [{at for at in taps if at is not None} for taps in kind.reads]
        positions = sorted(set().union(*seen))

        def channels(j: Value) -> None:
            def taps(numbers: Index, at: Index, sums: Index) -> Sequence[Value]:
                x = {p: self.input((n, *at, (t.index(origin) + p).value, j)) for p in positions}
                found = list(sums)
                for tap in range(len(kind.reads[0])):
                    y = self.weight((*numbers, t.extent(tap)), j)
                    for row, reads in enumerate(kind.reads):
                        position = reads[tap]
                        if position is not None:
                            found[row] = t.lower.fma(x[position], y, found[row])
                return found

            start = (self.zero,) * len(kind.reads)
            sums = fold(lower, self.axes[:-1], tuple(places), start, taps)
            for row, total in enumerate(sums):
                self.finish((*outer, (t.index(first) + row).value, j), total)

        lower.loop(t.extent(0), t.extent(self.channels), channels, "vector")


class FewPlaces(Depthwise):
    """Blocks of k, on any threads: row by row of what it counts, and in each the places of the
    result."""

    def write(self) -> None:
        t, op = self.t, self.op
        places, k = product(op.size), product(op.w.shape[:-2])
        self.split_k = OrderedSplitK(t, self.compute, (places, self.channels))
        self.number: Value  # of the block at hand
        work = floordiv(product((places, self.channels)) * BLOCK, 2 * self.columns)
        self.split_k.write(k, work, self.block, self.store)

    def block(self, number: Value, pc: Value) -> None:
        """The sums of a block, whose first k is `pc`."""
        t, lower = self.t, self.lower
        self.number = number
        *outer, length = self.op.w.shape[:-2]
        end = (t.index(pc) + BLOCK).minimum(t.extent(product((*outer, length)))).value

        def clear(place: Value) -> None:
            at = self.split_k.at(number, (place, t.extent(0)))

            def channel(j: Value) -> None:
                lower.store(self.split_k.memory, (t.index(at) + j).value, self.zero)

            lower.loop(t.extent(0), t.extent(self.channels), channel, "vector")

        def line(row: Value) -> None:
            before = (t.index(row) * t.extent(length)).value
            begin = (t.index(pc) - before).maximum(0).value
            self.add(row, begin, (t.index(end) - before).minimum(t.extent(length)).value)

        lower.loop(t.extent(0), t.extent(product(self.op.size)), clear)
        first = (t.index(pc) // t.extent(length)).value
        last = ((t.index(end) - 1) // t.extent(length)).value
        lower.loop(first, (t.index(last) + 1).value, line)

    def store(self, index: Index, total: Value) -> None:
        place, j = index
        places = self.lower.unlinear(place, self.op.size)
        self.finish((self.t.extent(0), *places, j), total)

    def add(self, row: Value, begin: Value, end: Value) -> None:
        """A part of a row to the sums of all places that see it."""
        t, lower, op = self.t, self.lower, self.op
        *outer, last = self.axes
        taps = lower.unlinear(row, op.w.shape[:-3]) if outer else ()
        sizes = op.size[:-1]

        def line(number: Value) -> None:
            index = lower.unlinear(number, sizes) if sizes else ()
            positions, seen = [], None
            for axis, place, tap in zip(outer, index, taps, strict=True):
                at = (t.index(place) * axis.stride + t.index(tap) * axis.tap).value
                at = (t.index(at) - t.extent(axis.low)).value
                positions.append(at)
                good = (t.index(at) >= 0).value
                good = (t.index(good) & (t.index(at) < t.extent(axis.extent))).value
                seen = good if seen is None else (t.index(seen) & good).value
            first = (t.index(number) * t.extent(op.size[-1])).value

            def channels(j: Value) -> None:
                self.line(first, tuple(taps), tuple(positions), last, begin, end, j)

            def fill() -> None:
                ends = t.extent(0), t.extent(self.channels)
                lower.loop(*ends, channels, "vector", step=VECTORS)

            if seen is None:
                fill()
            else:
                t.when(seen, fill)

        lower.loop(t.extent(0), t.extent(product(sizes)), line)

    def line(
        self,
        first: Value,
        taps: Index,
        positions: Index,
        last: Axis,
        begin: Value,
        end: Value,
        j: Value,
    ) -> None:
        """The products of taps begin to end of one row, for the places from `first` on. Where some
        of these see nothing, the others are added to alone."""
        t = self.t
        count = int(self.op.size[-1])  # type: ignore[arg-type]
        sees = [taps_inside(last, place) for place in range(count)]
        all_from = max(low for low, _ in sees)
        all_to = max(all_from, min(high for _, high in sees))
        ends = [
            self.split_k.at(self.number, ((t.index(first) + place).value, j))
            for place in range(count)
        ]
        sums = [self.lower.emit(Load(self.split_k.memory, end, None)) for end in ends]

        def run(low: int, high: int, places: Sequence[int]) -> None:
            def step(params: Index) -> Sequence[Value]:
                tap, *totals = params
                y = self.weight((*taps, tap), j)
                found = []
                for place, total in zip(places, totals, strict=True):
                    at = (t.index(tap) * last.tap + (place * last.stride - int(last.low))).value  # type: ignore[arg-type]
                    x = self.input((j, *positions, at, t.extent(0)))
                    found.append(t.lower.fma(x, y, total))
                return found

            inside = t.index(begin).maximum(low).value, t.index(end).minimum(high).value
            found = self.carried(*inside, [sums[place] for place in places], step)
            for place, total in zip(places, found, strict=True):
                sums[place] = total

        for place, (low, high) in enumerate(sees):
            if low < min(all_from, high):
                run(low, min(all_from, high), [place])
        if all_from < all_to:
            run(all_from, all_to, range(count))
        for place, (low, high) in enumerate(sees):
            if max(low, all_to) < high:
                run(max(low, all_to), high, [place])
        for at, total in zip(ends, sums, strict=True):
            self.lower.store(self.split_k.memory, at, total)
