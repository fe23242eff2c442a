"""How a tile of a convolution that is read in place goes through a block of k: run by run of
elements that lie at one stride (see access.py).

    for each run that the block touches:                 no loop where all of k is one run
        origin = base + the strides of the outer digits
        [prefetch a share of what the next block reads]
        for each k of the run that the rows see:
            w = load of a row of weights, along the lanes
            for each row: sums[row] = fma(x[origin + offset of the row], w, sums[row])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ....core import Value
from ....element_builder import Index
from ....ops.contraction import BLOCK
from ....value_classes import NamedTuple, dataclass
from ...common.stride_phases import TapRange
from ..gemm.micro_kernel import Tiles
from .access import ConvAccess, StridedAxis

Sums = Sequence[Value]
Limits = tuple[Value, Value]

# Values of k of a run from which on two at a time are, since processors do not predict its end.
# conv 32x28x28x64 1x1x64: 1.06 of the time without, gradients 1.09.
PAIRED_RUN_MIN = 24


class Piece(NamedTuple):
    """What some rows of a tile see of a run, and others do not."""

    low: int
    high: int
    rows: Sequence[int]


@dataclass(frozen=True)
class Rows:
    """What the rows of a tile read."""

    base: Value  # where the first row begins
    offsets: Sequence[int]  # of all rows from there
    limits: Sequence[Limits | None]  # of the digits of k
    pieces: Sequence[Piece] = ()  # where rows do not all see the same of a run


class Panel(NamedTuple):
    """Some columns of the weights, in a block of k."""

    start: Value  # where the block's are
    stride: Value  # of neighbours along k
    pc: Value  # the block's first k


class KLoop:
    """Writes the sums of tiles."""

    source: Value  # what is read in place
    weights: Value  # rows of k, as they lie or packed

    def __init__(self, t: Tiles, access: ConvAccess) -> None:
        self.t, self.access = t, access

    def limits(
        self, taps: Sequence[TapRange], places: Mapping[int, Value], digit: StridedAxis
    ) -> Limits | None:
        """From which value on a digit counts here, and up to which; None where all do."""
        t = self.t
        if digit.taps is None:
            return None
        a, each = digit.taps
        if not self.access.clipped:
            return t.extent(0), (t.index(taps[a].taps) * each).value
        axis = self.access.phased[a].axis
        before = (t.index(axis.low) - t.index(places[a + 1]) * axis.stride).value
        first = ((t.index(before) + (axis.rhs_dilation - 1)) // axis.rhs_dilation).value
        first = t.index(first).maximum(0).minimum(t.extent(axis.taps)).value
        behind = (t.index(before) + t.extent(axis.extent - 1) + axis.rhs_dilation).value
        last = (t.index(behind) // axis.rhs_dilation).minimum(t.extent(axis.taps)).value
        return (t.index(first) * each).value, (t.index(last).maximum(first) * each).value

    def sums(
        self,
        rows: Rows,
        panel: Panel,
        j: Value,
        sums: Sums,
        prefetch: Callable[[Value], None] | None = None,
    ) -> Sums:
        """A block of k added to `sums`, at column j of the panel; `prefetch` is told the number of
        each run that begins."""
        t, lower, pc = self.t, self.t.lower, panel.pc
        *digits, (length, stride, _) = self.access.digits
        *outer_limits, limit = rows.limits
        extents = tuple(digit.extent for digit in digits)
        end = (t.index(pc) + t.block_length(pc)).value
        run = _Run(self, rows, panel, j)
        if not digits and limit is None:
            origin = (t.index(rows.base) + t.index(pc) * t.extent(stride)).value
            return run.add(origin, pc, (t.index(end) - pc).value, sums)
        first, last = t.runs(pc, end, length)

        def segment(number: Value, totals: Index) -> Sums:
            if prefetch is not None:
                prefetch(number)
            q = (t.index(first) + number).value
            low = (t.index(q) * t.extent(length)).value
            from_, to = limit or (t.extent(0), t.extent(length))
            start, count = (t.index(low) + from_).value, (t.index(to) - from_).value
            if t.several:
                start = t.index(start).maximum(pc).value
                count = ((t.index(low) + to).minimum(end) - start).value
            origin = (t.index(rows.base) + (t.index(start) - low) * t.extent(stride)).value
            places = lower.unlinear(q, extents) if extents else ()
            for digit, place, limits in zip(digits, places, outer_limits, strict=True):
                origin = (t.index(origin) + t.index(place) * t.extent(digit.stride)).value
                if limits is not None:
                    there = (t.index(place) < limits[1]).value
                    if self.access.clipped:
                        there = (t.index(there) & (t.index(place) >= limits[0])).value
                    count = t.index(there).select(count, t.extent(0)).value
            if rows.pieces:
                return run.in_pieces(origin, start, (t.index(start) - low).value, count, totals)
            return run.add(origin, start, count, totals)

        return self.carried(segment, (t.index(last) - first + 1).value, sums)

    def carried(
        self,
        fill: Callable[[Value, Index], Sums],
        count: Value,
        init: Sums,
        paired: bool = False,
        even: bool = False,
    ) -> Sums:
        """`fill` for 0, 1, ... below count, which carries sums; written out for two at a time where
        they are `paired`, and for no single one where count is `even`."""
        t, lower = self.t, self.t.lower

        def two(e: Value, sums: Index) -> Sums:
            return fill((t.index(e) + 1).value, tuple(fill(e, sums)))

        low = t.extent(0)
        if paired:
            odd = t.extent(0) if even else (t.index(count).maximum(0) & 1).value
            high = (t.index(count) - odd).value
            init = lower.carry(low, high, init, two, step=2)
            low = high
        return init if even else lower.carry(low, count, init, fill)


class _Run:
    """Writes a run, or a part of one, for a tile's column."""

    def __init__(self, loop: KLoop, rows: Rows, panel: Panel, j: Value) -> None:
        self.loop, self.t, self.rows, self.panel, self.j = loop, loop.t, rows, panel, j
        length, self.stride, _ = loop.access.digits[-1]
        # No row may see next what another sees now: LLVM would keep that for two values of k at a
        # time, and spill sums (5x5 of one channel, gradient of w: 2.0 ms, then 1.7).
        overlap = any(offset + self.stride in rows.offsets for offset in rows.offsets)
        self.paired = isinstance(length, int) and length >= PAIRED_RUN_MIN
        self.paired = self.paired and not rows.pieces and not overlap
        self.even = self.paired and length % 2 == BLOCK % 2 == 0 and rows.limits[-1] is None

    def add(
        self,
        origin: Value,
        start: Value,
        count: Value,
        sums: Sums,
        offsets: Sequence[int] | None = None,
    ) -> Sums:
        """So many values of k = start on, the first one at `origin`, for rows at these offsets."""
        t, panel, loop = self.t, self.panel, self.loop
        apart = self.rows.offsets if offsets is None else offsets
        at = (t.index(panel.start) + ((t.index(start) - panel.pc) * panel.stride + self.j)).value

        def step(e: Value, totals: Index) -> Sums:
            y = t.load(loop.weights, (t.index(at) + t.index(e) * panel.stride).value)
            place = (t.index(origin) + t.index(e) * t.extent(self.stride)).value
            return [
                t.lower.fma(t.load(loop.source, (t.index(place) + offset).value), y, total)
                for offset, total in zip(apart, totals, strict=True)
            ]

        return loop.carried(step, count, sums, self.paired, self.even)

    def in_pieces(
        self, origin: Value, start: Value, begin: Value, count: Value, sums: Sums
    ) -> Sums:
        """The same piece by piece; `start` is number `begin` of the run."""
        t, totals = self.t, list(sums)
        stop = (t.index(begin) + count).value
        for piece in self.rows.pieces:
            from_ = t.index(begin).maximum(piece.low).value
            skipped = (t.index(from_) - begin).value
            some = self.add(
                (t.index(origin) + t.index(skipped) * t.extent(self.stride)).value,
                (t.index(start) + skipped).value,
                (t.index(stop).minimum(piece.high) - from_).value,
                [totals[row] for row in piece.rows],
                [self.rows.offsets[row] for row in piece.rows],
            )
            for row, total in zip(piece.rows, some, strict=True):
                totals[row] = total
        return totals
