"""Convolutions with one channel a group, and few taps: channels lie along the lanes.

    for each element of the batch and place of the outer axes, on any threads:
        for each tile of places along the last axis, each vector of channels:
            for each tap of the outer axes that reads something:
                each element of x that the tile sees, once, times the taps of the last axis

What the window skips is skipped: nothing is packed, and there is no halo. Which taps a tile sees is
known when it is written: tiles at the ends are written out, those between are a loop. It costs what
goes through memory. What that buys, beside pulling elements one by one: nothing where the operand
comes from memory (32x56x56x64 3x3 depthwise: 4.8 ms, 4.7), 2.9 times the speed for 3x3 of
4x28x28x128, which the caches hold (0.069 ms, 0.197), gradient of x 2.5, 5x5 of these 2.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from itertools import product as product_of
from math import gcd
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, product
from ....kernel_op import LoopKind
from ....ops.elementwise import Add
from ....ops.window import Axis, Conv, fold
from ....value_classes import NamedTuple
from ...writer import Writer

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


# Places of a tile, and at most, where strides and dilation make them more. 3x3 of 32x56x56x64,
# which is bound by memory: 0.85 of the time with 4; 5x5 of 4x28x28x128 and of 32x28x28x192: 1.03
# and 1.14.
DEPTHWISE_PLACES, DEPTHWISE_PLACES_MAX = 8, 16
# Taps along the last axis, which are written out: a bound for the time to compile them.
# Benchmarks have 3 and 5.
UNROLLED_TAPS_MAX = 16
# Kinds of tiles, by what they see, each with code of its own. conv 4x28x28x128 3x3 depthwise (3
# kinds): 2.6 of the time without.
TILE_KINDS_MAX = 5


class Kind(NamedTuple):
    """Tiles side by side that see the same: for each place and tap of one, where that reads,
    counted from where its first place would, or None."""

    first: int  # place of the first tile
    tiles: int
    reads: tuple[tuple[int | None, ...], ...]


def kinds(axis: Axis) -> list[Kind]:
    """The tiles along an axis; nothing where they are too long or of too many kinds, or where no
    two places of one see the same, so that it gains nothing."""
    # Places from which on the same taps are seen.
    every = axis.lhs_dilation // gcd(axis.lhs_dilation, axis.stride)
    rows = every * max(1, DEPTHWISE_PLACES // every)
    if rows > DEPTHWISE_PLACES_MAX:
        return []
    size = as_int(axis.places)
    tiles = -(-size // rows)
    found: list[Kind] = []
    starts = sorted({0, *_changes(axis, rows, tiles), *([tiles - 1] if size % rows else [])})
    for tile, behind in pairwise((*starts, tiles)):
        first = tile * rows
        origin = first * axis.stride // axis.lhs_dilation
        reads = []
        for place in range(first, min(first + rows, size)):
            seen = [axis.read(place, tap) for tap in range(as_int(axis.taps))]
            reads.append(tuple(at if at is None else at - origin for at in seen))
        if found and found[-1].reads == tuple(reads):
            found[-1] = found[-1]._replace(tiles=found[-1].tiles + behind - tile)
        else:
            found.append(Kind(first, behind - tile, tuple(reads)))
    read = [[at for reads in kind.reads for at in reads if at is not None] for kind in found]
    shared = any(len(set(positions)) < len(positions) for positions in read)
    return found if shared and len(found) <= TILE_KINDS_MAX else []


def _changes(axis: Axis, rows: int, tiles: int) -> set[int]:
    """The tiles at which a tap begins to read something, or ends to: others see what the one before
    them does."""
    every = rows * axis.stride  # from tile to tile, a multiple of lhs_dilation
    changes = set()
    for place, tap in product_of(range(rows), range(as_int(axis.taps))):
        at = place * axis.stride + tap * axis.rhs_dilation - as_int(axis.low)
        end = as_int(axis.extent) * axis.lhs_dilation
        changes |= {-(at // every), -((at - end) // every)}  # the first from 0 and from the end on
    return {tile for tile in changes if 0 < tile < tiles}


class Depthwise:
    """What both have in common."""

    def __init__(self, lower: GroupBuilder, op: Conv) -> None:
        self.lower, self.op, self.t = lower, op, Writer(lower)
        self.compute = op.x.dtype.compute
        self.axes = op.axes(op.x.shape, op.w.shape)
        self.channels = op.w.shape[-1]
        self.zero = lower.b.constant(0, self.compute)
        lanes = max(1, lower.target.vector_bytes // self.compute.itemsize)
        self.columns = 2 * lanes

    def input(self, index: Index) -> Value:
        return self.lower.cast(self.lower.element(self.op.x, index), self.compute)

    def weight(self, taps: Index, j: Value) -> Value:
        element = self.lower.element(self.op.w, (*taps, self.t.extent(0), j))
        return self.lower.cast(element, self.compute)

    def finish(self, index: Index, total: Value) -> None:
        """Store what the kernel makes of an element of the result."""
        self.t.store_result(self.op.result, index, self.lower.emit(Add(self.zero, total)))


class DepthwiseTiles(Depthwise):
    """Writes tiles of places along the last axis."""

    def write(self) -> None:
        lower, op = self.lower, self.op
        last = self.axes[-1]
        shape = op.result.shape[:-2]
        tiles = kinds(last)

        def line(number: Value) -> None:
            outer = lower.unlinear(number, shape)
            for kind in tiles:
                rows = len(kind.reads)
                low, high = (self.t.extent(kind.first + n * rows) for n in (0, kind.tiles))
                lower.loop(low, high, partial(self.tile, outer, kind), step=rows)

        lower.parallel(product(shape), lower.cost, line)

    def tile(self, outer: Index, kind: Kind, first: Value) -> None:
        t, lower, last = self.t, self.lower, self.axes[-1]
        origin = (t.index(first) * last.stride // last.lhs_dilation).value
        n, *places = outer
        positions = sorted({at for taps in kind.reads for at in taps if at is not None})

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

        lower.loop(t.extent(0), t.extent(self.channels), channels, LoopKind.VECTOR)
