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
Prefetcher = Callable[[Value], None]

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


class Run(NamedTuple):
    """Values of k that lie at one stride, or some of these."""

    origin: Value  # where the first one lies
    start: Value  # the first one
    length: Value


class KLoop:
    """Writes the sums of tiles, which `along_places` have what is read along the lanes, and weights
    along the rows."""

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
        self.along_places = along_places

    def limits(
        self, taps: Sequence[TapRange], places: Mapping[int, Value], digits: Sequence[StridedAxis]
    ) -> list[Limits | None]:
        """From which value on each digit counts here, and up to which; None where all do."""
        t = self.t

        def of(a: int, each: int) -> Limits:
            first, last = t.extent(0), taps[a].taps
            if self.clipped:
                first, last, _ = self.phased[a].axis.range(t.lower, places[a + 1])
            return (t.index(first) * each).value, (t.index(last) * each).value

        return [digit.taps and of(*digit.taps) for digit in digits]

    def sums(
        self, rows: Rows, panel: Panel, j: Value, sums: Sums, prefetch: Prefetcher | None = None
    ) -> Sums:
        """A block of k added to `sums`, at column j of the panel; `prefetch` is told the number of
        each run that begins."""
        t, lower, pc = self.t, self.t.lower, panel.pc
        *digits, (length, stride, _) = self.digits
        *outer_limits, limit = rows.limits
        extents = tuple(digit.extent for digit in digits)
        end = (t.index(pc) + t.block_length(pc)).value

        def add(run: Run, which: Sequence[int], sums: Sums) -> Index:
            found = self.run(rows, panel, j, run, which, [sums[r] for r in which])
            new = dict(zip(which, found, strict=True))
            return tuple(new.get(r, total) for r, total in enumerate(sums))

        if not digits and limit is None:
            origin = t.address(rows.base, (pc,), (stride,))
            return add(Run(origin, pc, (t.index(end) - pc).value), range(len(sums)), sums)
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
            places = lower.unlinear(q, extents)
            origin = t.address(rows.base, places, [digit.stride for digit in digits])
            begin = (t.index(start) - low).value
            origin = t.address(origin, (begin,), (stride,))
            for place, limits in zip(places, outer_limits, strict=True):
                if limits is not None:
                    there = t.index(place) < limits[1]
                    if self.clipped:
                        there = there & (t.index(place) >= limits[0])
                    count = there.select(count, t.extent(0)).value
            if not rows.pieces:
                return add(Run(origin, start, count), range(len(totals)), totals)
            stop = (t.index(begin) + count).value
            for piece in rows.pieces:
                from_ = t.index(begin).maximum(piece.low).value
                skipped = (t.index(from_) - begin).value
                part = Run(
                    t.address(origin, (skipped,), (stride,)),
                    (t.index(start) + skipped).value,
                    (t.index(stop).minimum(piece.high) - from_).value,
                )
                totals = add(part, piece.seeing, totals)
            return totals

        runs = (t.index(last) - first + 1).value
        return lower.carry(t.extent(0), runs, sums, segment)

    def run(
        self, rows: Rows, panel: Panel, j: Value, run: Run, which: Sequence[int], sums: Sums
    ) -> Sums:
        """A run added to the sums of some rows: two values of k at a time, where it is long."""
        t, lower, (length, stride, taps) = self.t, self.t.lower, self.digits[-1]
        at = (t.index(panel.start) + ((t.index(run.start) - panel.pc) * panel.stride + j)).value

        def step(e: Value, totals: Index) -> Sums:
            walked = self.source, t.address(run.origin, (e,), (stride,))
            row = self.weights, (t.index(at) + t.index(e) * panel.stride).value
            (buffer, place), lanes = (row, walked) if self.along_places else (walked, row)
            y = t.load(*lanes)
            return [
                lower.fma(t.load(buffer, (t.index(place) + rows.offsets[r]).value), y, total)
                for r, total in zip(which, totals, strict=True)
            ]

        def two(e: Value, totals: Index) -> Sums:
            return step((t.index(e) + 1).value, tuple(step(e, totals)))

        # No row may see next what another sees now: LLVM would keep that for two values of k at a
        # time, and spill sums (5x5 of one channel, gradient of w: 2.0 ms, then 1.7).
        overlap = any(offset + stride in rows.offsets for offset in rows.offsets)
        paired = isinstance(length, int) and length >= PAIRED_RUN_MIN
        if not paired or rows.pieces or overlap or self.along_places:
            return lower.carry(t.extent(0), run.length, sums, step)
        each = 2 if taps is None else taps[1]  # values of k that are seen or not
        low, even = t.extent(0), length % 2 == each % 2 == BLOCK % 2 == 0
        odd = low if even else (t.index(run.length).maximum(0) & 1).value
        high = (t.index(run.length) - odd).value
        found = lower.carry(low, high, sums, two, step=2)
        return found if even else lower.carry(high, run.length, found, step)
