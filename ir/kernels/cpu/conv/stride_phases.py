"""Phases: what a convolution does among holes, as convolutions without any.

Where holes lie between the elements that a window slides over, as in the gradient of one with
strides, a place sees one tap in `step` only, and where they begin depends on the place's remainder.
The places of one remainder are a phase: they see a smaller window, which slides over elements that
lie side by side.

    x       a . b . c . d        a window of 3 taps, holes of one: at even places it sees
    taps   0 1 2                 taps 0 and 2 (phase 0), at odd ones tap 1 (phase 1)
              0 1 2

All phases count k alike, over `Axis.seen` taps; where one has fewer, the rest stands for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from ....core import Value
from ....extent import Extent, Shape, ceildiv
from ....ops.window import Axis
from ..gemm.packing import Indices


class Seen(NamedTuple):
    """What the first place of a phase sees along one axis."""

    tap: Value  # the first
    taps: Value  # how many
    position: Value  # where the first one reads


class Phased:
    """One axis of a convolution's result, by phases. Without holes there is one, which is all."""

    def __init__(self, axis: Axis, size: Extent) -> None:
        self.axis, self.size = axis, size
        self.count = axis.hole // gcd(axis.hole, axis.stride)
        self.places = ceildiv(size, self.count)  # of the first phase; others may have one less
        self.stride = axis.stride * self.count // axis.hole  # between neighbours in what is read
        self.apart = axis.tap * axis.step // axis.hole  # are taps that read something

    @property
    def even(self) -> bool:
        """Whether all phases have as many places, as far as one can tell."""
        return self.count == 1 or (isinstance(self.size, int) and self.size % self.count == 0)

    def border(self) -> tuple[int, int] | None:
        """How far windows look beyond what is there, before and behind; None where nobody knows.
        Where a phase sees fewer taps than others, what stands for the rest is looked at, too."""
        axis, size = self.axis, self.size
        last = (size - 1) * axis.stride + (axis.taps - 1) * axis.tap - axis.low
        if axis.hole == 1 and axis.low == 0 and last + 1 == axis.extent:
            return 0, 0
        numbers = (axis.low, axis.seen, axis.extent, size)
        if not all(isinstance(e, int) for e in numbers):
            return None
        low, seen, extent, places = (int(e) for e in numbers)  # type: ignore[arg-type]
        before = behind = 0
        for phase in range(min(self.count, places)):
            position = self._start(low - phase * axis.stride)
            count = -(-(places - phase) // self.count)
            end = position + (count - 1) * self.stride + (seen - 1) * self.apart + 1
            before, behind = max(before, -position), max(behind, end - extent)
        return before, behind

    def _start(self, before: int) -> int:
        """As `seen`: where the first tap reads of a place from which it lies so far back."""
        axis = self.axis
        common = axis.hole // axis.step
        inverse = pow(axis.tap // common, -1, axis.step) if axis.step > 1 else 0
        tap = before // common * inverse % axis.step
        return (tap * axis.tap - before) // axis.hole

    def seen(self, t: Indices, phase: Value) -> Seen:
        axis = self.axis
        before = t.minus(t.extent(axis.low), t.mul(phase, axis.stride))
        if axis.hole == 1:
            return Seen(t.value(0), t.extent(axis.taps), t.minus(0, before))
        common = axis.hole // axis.step
        inverse = pow(axis.tap // common, -1, axis.step) if axis.step > 1 else 0
        # Tap k reads where k * tap = before modulo hole (see Axis.range).
        tap = t.op("floor_mod", t.mul(t.op("floor_div", before, common), inverse), axis.step)
        taps = t.op("floor_div", t.minus(t.extent(axis.taps + axis.step - 1), tap), axis.step)
        if common > 1:
            some = t.op("equal", t.op("floor_mod", before, common), 0)
            taps = t.choose(some, taps, t.value(0))
        position = t.op("floor_div", t.minus(t.mul(tap, axis.tap), before), axis.hole)
        return Seen(tap, taps, position)

    def place(self, t: Indices, phase: Value, number: Value) -> Value:
        """Where place `number` of a phase is among all."""
        return t.add(phase, t.mul(number, self.count))


def counts(axes: Sequence[Phased]) -> Shape:
    """How many phases there are along each axis; nothing where nothing has holes."""
    if all(axis.axis.hole == 1 for axis in axes):
        return ()
    return tuple(axis.count for axis in axes)
