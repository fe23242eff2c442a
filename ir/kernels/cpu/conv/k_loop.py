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
from ...common.stride_phases import PhasedAxis, Piece, TapRange
from ..gemm.micro_kernel import Tiles
from .access import StridedAxis

Sums = Sequence[Value]
Limits = tuple[Value, Value]

# Values of k of a run from which on two at a time are, since processors do not predict its end.
# conv 32x28x28x64 1x1x64: 1.06 of the time without, gradients 1.09.
PAIRED_RUN_MIN = 24


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

    def __init__(
        self,
        t: Tiles,
        digits: Sequence[StridedAxis],
        phased: Sequence[PhasedAxis],
        clipped: bool = False,
        along_places: bool = False,
    ) -> None:
        self.t, self.digits, self.phased, self.clipped = t, digits, phased, clipped
        self.along_places = (
            along_places  # whether what is read lies along the lanes, weights along the rows
        )

    def limits(
        self, taps: Sequence[TapRange], places: Mapping[int, Value], digit: StridedAxis
    ) -> Limits | None:
        """From which value on a digit counts here, and up to which; None where all do."""
        t = self.t
        if digit.taps is None:
            return None
        a, each = digit.taps
        first, last = t.extent(0), taps[a].taps
        if self.clipped:
            first, last, _ = self.phased[a].axis.range(t.lower, places[a + 1])
        return (t.index(first) * each).value, (t.index(last) * each).value

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
        *digits, (length, stride, _) = self.digits
        *outer_limits, limit = rows.limits
        extents = tuple(digit.extent for digit in digits)
        end = (t.index(pc) + t.block_length(pc)).value
        if not digits and limit is None:
            origin = (t.index(rows.base) + t.index(pc) * t.extent(stride)).value
            count = (t.index(end) - pc).value
            return self.run(rows, panel, j, (origin, pc, count), range(len(sums)), sums)
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
            places = lower.unlinear(q, extents) if extents else ()
            origin = t.address(rows.base, places, [digit.stride for digit in digits])
            begin = (t.index(start) - low).value
            origin = (t.index(origin) + t.index(begin) * t.extent(stride)).value
            for place, limits in zip(places, outer_limits, strict=True):
                if limits is not None:
                    there = t.index(place) < limits[1]
                    if self.clipped:
                        there = there & (t.index(place) >= limits[0])
                    count = there.select(count, t.extent(0)).value
            if not rows.pieces:
                here = origin, start, count
                return self.run(rows, panel, j, here, range(len(totals)), totals)
            stop = (t.index(begin) + count).value
            for piece in rows.pieces:
                from_ = t.index(begin).maximum(piece.low).value
                skipped = (t.index(from_) - begin).value
                here = (
                    (t.index(origin) + t.index(skipped) * t.extent(stride)).value,
                    (t.index(start) + skipped).value,
                    (t.index(stop).minimum(piece.high) - from_).value,
                )
                totals = self.run(rows, panel, j, here, piece.seeing, totals)
            return totals

        return self.carried(segment, (t.index(last) - first + 1).value, sums)

    def run(
        self,
        rows: Rows,
        panel: Panel,
        j: Value,
        here: tuple[Value, Value, Value],
        which: Sequence[int],
        sums: Sums,
    ) -> Index:
        """A run, or a part of one, added to the sums of some rows. `here` is where its first value
        of k lies, that, and how many follow."""
        t, (length, stride, taps) = self.t, self.digits[-1]
        origin, start, count = here
        at = (t.index(panel.start) + ((t.index(start) - panel.pc) * panel.stride + j)).value

        def step(e: Value, totals: Index) -> Sums:
            walked = self.source, (t.index(origin) + t.index(e) * t.extent(stride)).value
            row = self.weights, (t.index(at) + t.index(e) * panel.stride).value
            (buffer, place), lanes = (row, walked) if self.along_places else (walked, row)
            y = t.load(*lanes)
            return [
                t.lower.fma(t.load(buffer, (t.index(place) + rows.offsets[r]).value), y, total)
                for r, total in zip(which, totals, strict=True)
            ]

        # No row may see next what another sees now: LLVM would keep that for two values of k at a
        # time, and spill sums (5x5 of one channel, gradient of w: 2.0 ms, then 1.7).
        overlap = any(offset + stride in rows.offsets for offset in rows.offsets)
        paired = isinstance(length, int) and length >= PAIRED_RUN_MIN
        paired = paired and not rows.pieces and not overlap and not self.along_places
        each = 2 if taps is None else taps[1]  # values of k that are seen or not
        even = paired and length % 2 == each % 2 == BLOCK % 2 == 0
        found = self.carried(step, count, [sums[r] for r in which], paired, even)
        new = dict(zip(which, found, strict=True))
        return tuple(new.get(r, total) for r, total in enumerate(sums))

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
