"""Stride phases: a convolution whose operand is dilated, as convolutions of what is not.

Where zeros lie between the elements that a window slides over, as in the gradient of a convolution
with strides, a place sees one tap in `step` only, and where they begin depends on the place's
residue. The places of one residue class are a phase: they see a smaller window, which slides over
elements that lie side by side.

    x       a . b . c . d        a window of 3 taps, a dilation of 2: at even places it sees
    taps   0 1 2                 taps 0 and 2 (phase 0), at odd ones tap 1 (phase 1)
              0 1 2

All phases count k alike, over `Axis.seen` taps; where one has fewer, the rest stands for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import gcd

from ...core import Value, once
from ...extent import Extent, Shape, as_int, ceildiv, minimum
from ...ops.window import Axis, Conv
from ...value_classes import NamedTuple, dataclass
from ..writer import Writer

# Of more phases nobody looks at each while code is written.
PHASES_MAX = 256


class TapRange(NamedTuple):
    """What the first place of a phase sees along one axis."""

    first: Value  # the first tap
    taps: Value  # how many
    position: Value  # where the first one reads


@dataclass(frozen=True)
class PhasedAxis:
    """One axis of a convolution's result, by phases: a single one, if nothing is dilated."""

    axis: Axis

    @property
    def size(self) -> Extent:
        """Places of all phases."""
        return self.axis.places

    @once
    def count(self) -> int:
        """How many residues there are."""
        return self.axis.lhs_dilation // gcd(self.axis.lhs_dilation, self.axis.stride)

    @once
    def places(self) -> Extent:
        """Places of the first phase; others may have one less."""
        return ceildiv(self.size, self.count)

    @once
    def stride(self) -> int:
        """Between what neighbouring places of a phase read."""
        return self.axis.stride * self.count // self.axis.lhs_dilation

    @once
    def tap_stride(self) -> int:
        """Between what neighbouring taps read that read something."""
        return self.axis.rhs_dilation * self.axis.step // self.axis.lhs_dilation

    @once
    def phases(self) -> Extent:
        """How many have places: as many as there are residues, or as places, which are known at run
        time only sometimes. That matters where there are many residues: a phase without places
        costs a round of a loop."""
        if isinstance(self.size, int):
            return min(self.count, max(self.size, 1))
        return self.count if self.count <= PHASES_MAX else minimum(self.size, self.count)

    @property
    def even(self) -> bool:
        """Whether all phases have as many places, as far as one can tell."""
        if not isinstance(self.size, int):
            return self.count == 1
        return self.size % as_int(self.phases) == 0

    def halo(self) -> tuple[int, int] | None:
        """How far windows look beyond what is there, before and behind; None where nobody knows.
        Where a phase sees fewer taps than others, what stands for the rest is looked at, too."""
        axis = self.axis
        if axis.lhs_dilation == 1 and axis.low == 0 and axis.last + 1 == axis.extent:
            return 0, 0
        numbers = (axis.low, axis.seen, axis.extent, axis.places)
        if not all(isinstance(e, int) for e in numbers):
            return None
        low, seen, extent, places = (as_int(e) for e in numbers)
        if min(self.count, places) > PHASES_MAX:
            return None
        before = behind = 0
        for phase in range(min(self.count, places)):
            position = self._first_position(low - phase * axis.stride)
            count = -(-(places - phase) // self.count)
            end = position + (count - 1) * self.stride + (seen - 1) * self.tap_stride + 1
            before, behind = max(before, -position), max(behind, end - extent)
        return before, behind

    def _first_position(self, before: int) -> int:
        """Where the first tap reads of a place from which it lies so far back (see `taps`)."""
        axis = self.axis
        tap = before // self._common * self._inverse % axis.step
        return (tap * axis.rhs_dilation - before) // axis.lhs_dilation

    @property
    def _common(self) -> int:
        return self.axis.lhs_dilation // self.axis.step

    @property
    def _inverse(self) -> int:
        """Tap k reads where k * rhs_dilation = before modulo lhs_dilation (see Axis.range)."""
        axis = self.axis
        return pow(axis.rhs_dilation // self._common, -1, axis.step) if axis.step > 1 else 0

    def taps(self, t: Writer, phase: Value) -> TapRange:
        """What the first place of a phase sees."""
        axis = self.axis
        before = (t.index(axis.low) - t.index(phase) * axis.stride).value
        if axis.lhs_dilation == 1:
            return TapRange(t.extent(0), t.extent(axis.taps), (t.index(0) - before).value)
        common = self._common
        quotient = (t.index(before) // common).value
        tap = (t.index(quotient) * self._inverse % axis.step).value
        count = ((t.index(axis.taps + axis.step - 1) - tap) // axis.step).value
        if common > 1:
            some = (t.index(before) % common).equal(0).value
            count = t.index(some).select(count, t.extent(0)).value
        position = ((t.index(tap) * axis.rhs_dilation - before) // axis.lhs_dilation).value
        return TapRange(tap, count, position)

    def place(self, t: Writer, phase: Value, number: Value) -> Value:
        """Where place `number` of a phase is among all."""
        return (t.index(phase) + t.index(number) * self.count).value

    def has(self, t: Writer, known: Value | None, at: Value) -> Value | None:
        """Beside a condition that is known: that a phase has a place, which is `at` among all."""
        return known if self.even else t.both(known, t.index(at) < t.extent(self.size))


def first_taps(t: Writer, axes: Sequence[PhasedAxis], phases: Sequence[Value]) -> list[TapRange]:
    """What the first place of these phases sees along each axis; nothing is dilated where there
    are none."""
    numbers = phases or (t.extent(0),) * len(axes)
    return [axis.taps(t, p) for axis, p in zip(axes, numbers, strict=True)]


def phased_axes(op: Conv) -> tuple[PhasedAxis, ...]:
    """The axes that the window of a convolution slides along."""
    return tuple(map(PhasedAxis, op.axes(op.x.shape, op.w.shape)))


def phase_counts(axes: Sequence[PhasedAxis]) -> Shape:
    """How many phases there are along each axis; nothing where nothing is dilated."""
    if all(axis.axis.lhs_dilation == 1 for axis in axes):
        return ()
    return tuple(axis.phases for axis in axes)


def taps_inside(axis: Axis, place: int) -> tuple[int, int]:
    """From which tap on a place of an axis that is not dilated reads something, and up to which."""
    taps, extent, low = (as_int(e) for e in axis.numbers)
    before = low - place * axis.stride
    first = max(0, -(-before // axis.rhs_dilation))
    return first, max(first, min(taps, (extent - 1 + before) // axis.rhs_dilation + 1))


class Piece(NamedTuple):
    """What some of a few places see of a run of taps, and others do not."""

    low: int
    high: int
    seeing: Sequence[int]  # the numbers of those


def pieces(axis: Axis, places: Sequence[int]) -> list[Piece]:
    """The taps of an axis that some of these places see, in pieces that they see all or none of."""
    inside = [taps_inside(axis, place) for place in places]
    found = []
    for low, high in pairwise(sorted({end for pair in inside for end in pair})):
        seeing = [i for i, (a, b) in enumerate(inside) if a <= low and high <= b]
        if seeing:
            found.append(Piece(low, high, seeing))
    return found
