"""How tiles of a convolution that is read in place go through k: run by run of elements that lie at
one distance (see access.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....core import Value
from ....element_builder import Index
from ....ops.contraction import BLOCK
from ....types import INDEX, scalar_type
from ...ops import For
from .access import Axis, Walk
from .stride_phases import Seen

if TYPE_CHECKING:
    from ..gemm.micro_kernel import Tiles

Limits = tuple[Value, Value]

SHORT = 10  # values of k that are written out
PAIRED = 24  # long runs, whose ends processors do not foresee: two values at a time


class Panel(NamedTuple):
    """Some columns, in a block of k."""

    start: Value  # where their weights are
    distance: Value  # of neighbours along k there
    pc: Value  # where the block begins
    j0: Value
    columns: int
    stretch: Value  # which part of the first inner axis, if that is cut


class Phase(NamedTuple):
    """Some places of the result, which see the same taps (see stride_phases.py)."""

    numbers: Index  # along the window's axes
    seen: list[Seen]
    origin: Value  # where in memory the first place's first tap reads
    rows: int
    group: Value


class Piece(NamedTuple):
    """What some rows of a tile see of a run, and others do not."""

    low: int
    high: int
    rows: Sequence[int]


class Runs:
    """Writes the sums of tiles."""

    t: Tiles
    how: Walk
    source: Value  # what is read in place
    weights: Value  # rows of k, as they lie or packed

    def limits(self, phase: Phase, places: dict[int, Value], digit: Axis) -> Limits | None:
        """From which value on a digit counts here, and up to which; None where all do."""
        t = self.t
        if digit.taps is None:
            return None
        a, each = digit.taps
        if not self.how.clipped:
            return t.value(0), t.mul(phase.seen[a].taps, each)
        axis = self.how.phased[a].axis
        before = t.minus(t.extent(axis.low), t.mul(places[a + 1], axis.stride))
        first = t.op("floor_div", t.add(before, axis.tap - 1), axis.tap)
        first = t.least(t.op("maximum", first, 0), t.extent(axis.taps))
        behind = t.add(t.add(before, t.extent(axis.extent - 1)), axis.tap)
        last = t.least(t.op("floor_div", behind, axis.tap), t.extent(axis.taps))
        return t.mul(first, each), t.mul(t.op("maximum", last, first), each)

    def sums(
        self,
        limits: Sequence[Limits | None],
        base: Value,
        offsets: Sequence[int],
        panel: Panel,
        j: Value,
        sums: Sequence[Value],
        pieces: Sequence[Piece] = (),
    ) -> Sequence[Value]:
        """Adds up a block of k: run by run, if there is more than one. Rows are at these offsets
        from `base`. Where they do not all see the same of a run, that is cut into `pieces`."""
        t, lower, pc = self.t, self.t.lower, panel.pc
        *digits, (length, step, _) = self.how.digits
        *outer_limits, limit = limits
        extents = tuple(d.extent for d in digits)
        end = t.add(pc, t.block_length(pc))
        # Where rows see elements of one another, these would be kept in too many registers.
        apart = self.how.axes[self.how.rows[0]].distance if len(self.how.rows) == 1 else 0
        short = isinstance(length, int) and length <= SHORT and length * step <= apart
        short = short and not t.several and limit is None
        paired = isinstance(length, int) and length >= PAIRED and not pieces
        even = paired and length % 2 == BLOCK % 2 == 0 and limit is None

        def run(
            origin: Value,
            start: Value,
            count: Value,
            sums: Sequence[Value],
            offsets: Sequence[int] = offsets,
        ) -> Sequence[Value]:
            """So many from k = start on, the first one at `origin`."""

            at = t.add(panel.start, t.add(t.mul(t.minus(start, pc), panel.distance), j))

            def add(params: Index) -> Sequence[Value]:
                e, *totals = params
                y = t.load(self.weights, t.add(at, t.mul(e, panel.distance)))
                place = t.add(origin, t.mul(e, t.extent(step)))
                return [
                    t.fma(t.load(self.source, t.add(place, offset)), y, total)
                    for offset, total in zip(offsets, totals, strict=True)
                ]

            if not short:
                return self.loop(add, count, sums, paired, even)
            assert isinstance(length, int)
            for e in range(length):
                sums = add((t.extent(e), *sums))
            return sums

        if not digits and limit is None:
            origin = t.add(base, t.mul(pc, t.extent(step)))
            return run(origin, pc, t.minus(end, pc), sums)
        first = t.op("floor_div", pc, t.extent(length))
        last = t.op("floor_div", t.minus(end, 1), t.extent(length))

        def segment(params: Index) -> Sequence[Value]:
            s, *totals = params
            self.ahead(panel, s)
            q = t.add(first, s)
            low = t.mul(q, t.extent(length))
            from_, to = limit or (t.value(0), t.extent(length))
            start, count = t.add(low, from_), t.minus(to, from_)
            if t.several:
                start = t.op("maximum", start, pc)
                count = t.minus(t.least(t.add(low, to), end), start)
            origin = t.add(base, t.mul(t.minus(start, low), t.extent(step)))
            places = lower.unlinear(q, extents) if extents else ()
            for digit, place, limits in zip(digits, places, outer_limits, strict=True):
                origin = t.add(origin, t.mul(place, t.extent(digit.distance)))
                if limits is not None:
                    there = t.op("less", place, limits[1])
                    if self.how.clipped:
                        there = t.both(there, t.op("greater_equal", place, limits[0]))
                    count = t.choose(there, count, t.value(0))
            if not pieces:
                return run(origin, start, count, totals)
            begin, stop = t.minus(start, low), t.add(t.minus(start, low), count)
            for piece in pieces:
                from_ = t.op("maximum", begin, piece.low)
                skipped = t.minus(from_, begin)
                some = run(
                    t.add(origin, t.mul(skipped, t.extent(step))),
                    t.add(start, skipped),
                    t.minus(t.least(stop, piece.high), from_),
                    [totals[row] for row in piece.rows],
                    [offsets[row] for row in piece.rows],
                )
                for row, total in zip(piece.rows, some, strict=True):
                    totals[row] = total
            return totals

        return self.loop(segment, t.add(t.minus(last, first), 1), sums)

    def ahead(self, panel: Panel, number: Value) -> None:
        """Asks for memory that will be needed soon, while a run of a block goes by."""

    def loop(
        self,
        fill: Callable[[Index], Sequence[Value]],
        count: Value,
        init: Sequence[Value],
        paired: bool = False,
        even: bool = False,
    ) -> Sequence[Value]:
        """`fill` for 0, 1, ... below count, which carries sums; written out for two at a time where
        they are `paired`, and for no single one where count is `even`."""
        t = self.t
        types = (INDEX, *[scalar_type(t.compute)] * len(init))

        def two(params: Index) -> Sequence[Value]:
            return fill((t.add(params[0], 1), *fill(params)))

        low = t.extent(0)
        if paired:
            pairs = t.lower.region("body", types, two)
            odd = t.value(0) if even else t.op("bitwise_and", t.op("maximum", count, 0), 1)
            high = t.minus(count, odd)
            init = t.lower.b.emit_all(For(low, high, tuple(init), 2, "serial", pairs))
            low = high
        if not even:
            body = t.lower.region("body", types, fill)
            init = t.lower.b.emit_all(For(low, count, tuple(init), 1, "serial", body))
        return init
