"""The gradient of weights of a convolution with one channel a group: channels lie along the lanes.

    for each block of k (places of what the filter slid over), on any threads:
        for each row of places in the block, each place of the result that sees it (a tap):
            for each two vectors of channels: a run of products, added to the tap's sums
    the sums of the blocks, in order (see ordered_split_k.py)

Rows of k go by once, and nothing is packed. It costs what goes through memory: 5.4 ms for the row
32x56x56x64 3x3 depthwise, gradient of w, which takes 65 ms where elements are pulled one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, floordiv, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ...common.stride_phases import pieces
from ..ordered_split_k import OrderedSplitK
from .depthwise import Depthwise

Part = tuple[Value, Value]  # from one place of a row to another

# Vectors of channels side by side, so that sums need not wait for themselves. 3x3 of 32x56x56x64:
# 1.09 of the time with 1, 0.63 with 4; 5x5 of 32x28x28x192: 1.05 and 1.07.
CHANNEL_VECTORS = 2


class DepthwiseWeightGradient(Depthwise):
    """Writes it, by blocks of k."""

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
            t.clear(self.split_k.memory, at, t.extent(0), t.extent(self.channels), self.zero)

        def line(row: Value) -> None:
            before = (t.index(row) * t.extent(length)).value
            begin = (t.index(pc) - before).maximum(0).value
            self.add(row, begin, (t.index(end) - before).minimum(t.extent(length)).value)

        lower.loop(t.extent(0), t.extent(product(self.op.size)), clear)
        first, last = t.runs(pc, end, length)
        lower.loop(first, (t.index(last) + 1).value, line)

    def store(self, index: Index, total: Value) -> None:
        place, j = index
        places = self.lower.unlinear(place, self.op.size)
        self.finish((self.t.extent(0), *places, j), total)

    def add(self, row: Value, begin: Value, end: Value) -> None:
        """A part of a row to the sums of all places that see it."""
        t, lower, op = self.t, self.lower, self.op
        outer = self.axes[:-1]
        taps = lower.unlinear(row, op.w.shape[:-3])
        sizes = op.size[:-1]

        def line(number: Value) -> None:
            each = zip(outer, lower.unlinear(number, sizes), taps, strict=True)
            positions = tuple(axis.position(lower, place, tap) for axis, place, tap in each)
            seen = t.all_between(positions, [axis.extent for axis in outer])
            first = (t.index(number) * t.extent(op.size[-1])).value

            channels = partial(self.line, first, taps, positions, (begin, end))

            def fill() -> None:
                ends = t.extent(0), t.extent(self.channels)
                lower.loop(*ends, channels, LoopKind.VECTOR, step=CHANNEL_VECTORS)

            t.when(seen, fill)

        lower.loop(t.extent(0), t.extent(product(sizes)), line)

    def line(self, first: Value, taps: Index, positions: Index, part: Part, j: Value) -> None:
        """The products of a part of the taps of one row, for the places from `first` on that see
        them."""
        t, last, (begin, end) = self.t, self.axes[-1], part
        count = as_int(self.op.size[-1])
        places = [(t.index(first) + place).value for place in range(count)]
        ends = [self.split_k.at(self.number, (place, j)) for place in places]
        sums = [self.lower.load(self.split_k.memory, end) for end in ends]

        def run(low: int, high: int, places: Sequence[int]) -> None:
            def step(tap: Value, totals: Index) -> Sequence[Value]:
                y = self.weight((*taps, tap), j)
                found = []
                for place, total in zip(places, totals, strict=True):
                    before = as_int(last.low) - place * last.stride
                    at = (t.index(tap) * last.rhs_dilation + -before).value
                    x = self.input((j, *positions, at, t.extent(0)))
                    found.append(t.lower.fma(x, y, total))
                return found

            inside = t.index(begin).maximum(low).value, t.index(end).minimum(high).value
            found = self.lower.carry(*inside, [sums[place] for place in places], step)
            for place, total in zip(places, found, strict=True):
                sums[place] = total

        for piece in pieces(last, range(count)):
            run(*piece)
        for at, total in zip(ends, sums, strict=True):
            self.lower.store(self.split_k.memory, at, total)
