"""Im2col: a convolution as one matrix product, whose row of `left` is what the window sees at one
place. For sizes that are not known before; on GPUs for all.

Row i is place (n, o...) of the result, and k counts taps and then channels, as the window's weights
do. The matrix is never in memory: strips of it are packed from x when a tile needs them, zeros
where the window reads nothing.

    for each block of k, strip of rows and panel of columns: as gemm/choice.py has it, but packing
        for each row of the strip, each run of what lies side by side in x:
            [zeros, unless all of the run is inside]
            a copy of what is inside

It costs a copy of each element for every tap that sees it, in the L1 cache. Of known sizes 3x3 of
8x56x56x64 takes 18.9 ms so, and 17.1 where it is read in place; 5x5 of 32x28x28x32 25.4 and 23.3.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....algebra import Term
from ....core import Value
from ....element_builder import Index
from ....extent import Extent, Shape, product
from ....ops.window import Axis, Conv
from ...contraction import Problem
from ...ops import Load
from ...writer import Writer
from ..gemm.packing import Packer
from .stride_phases import PhasedAxis, TapRange, phase_counts, phased_axes

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder


def is_single_gemm(op: Any) -> bool:
    """Whether a convolution is one matrix product; with groups it is one for each."""
    return isinstance(op, Conv) and op.groups == 1 and op.batch_groups == 1


def sees_everything(op: Conv) -> bool:
    """Whether windows see something everywhere, as far as one can tell."""
    return all(sees_all(own.axis, own.size) for own in phased_axes(op))


def sees_all(axis: Axis, size: Extent) -> bool:
    """Whether every tap reads something at every place, as far as one can tell."""
    numbers = (axis.taps, axis.extent, axis.low, size)
    if axis.hole != 1 or not all(isinstance(e, int) for e in numbers):
        return False
    taps, extent, low, places = (int(e) for e in numbers)  # type: ignore[arg-type]
    last = (places - 1) * axis.stride + (taps - 1) * axis.tap - low
    return low <= 0 and last < extent


def rows_of_phase(op: Conv) -> Shape:
    """The axes of the result whose places are the rows of the product of one stride phase."""
    return (op.result.shape[0], *[axis.places for axis in phased_axes(op)])


class Im2col:
    """The matrix of what a window sees, and its strips."""

    def __init__(self, lower: FusedKernelBuilder, op: Conv) -> None:
        self.lower, self.op = lower, op
        self.axes = phased_axes(op)
        self.complete = sees_everything(op)
        self.phases = phase_counts(self.axes)
        self.rows = rows_of_phase(op)
        channels = op.x.shape[-1]
        # The taps of the last axis are neighbours in memory, too, if nothing lies between them.
        self.joined = bool(self.axes) and self.axes[-1].tap_stride == 1
        *taps, _ = op.depth
        self.outer = self.axes[:-1] if self.joined else self.axes
        self.outer_taps = tuple(taps[:-1] if self.joined else taps)
        self.run = taps[-1] * channels if self.joined else channels

    def problem(self) -> Problem:
        op, lower = self.op, self.lower
        n = op.w.shape[-1]
        compute = op.x.dtype.compute
        w = op.w

        def left(outer: Index, i: Value, k: Value) -> Value:
            raise AssertionError("strips are packed by `pack`")

        def right(outer: Index, k: Value, j: Value) -> Value:
            mask = lower.mask
            if not lower.in_memory(w):
                place = (*lower.unlinear(k, op.depth), j)
                return lower.cast(lower.element(w, place), compute)
            if self.phases:
                k, mask = self.weight(outer, k)
            t = Term(lower.b, k) * Term(lower.b, lower.extent(n)) + Term(lower.b, j)
            return lower.cast(lower.emit(Load(lower.buffer(w), t.value, mask)), compute)

        plain = w if w.dtype is compute and not self.phases and lower.in_memory(w) else None
        m, k = product(self.rows), product(op.depth)
        found = Problem(
            result=op.result,
            batch=self.phases,
            m=m,
            n=n,
            k=k,
            windows=True,
            left=left,
            right=right,
            right_plain=plain,
            pack=self.pack,
        )
        if self.phases:
            found.place = self.place
        else:
            found.rows = self.rows
        return found

    def places(self) -> Problem:
        """The same where rows are not counted: they have the places of the result."""
        *batch, m, _ = self.op.result.shape
        return replace(
            self.problem(),
            batch=tuple(batch),
            m=m,
            windows=False,
            rows=None,
            place=None,
            pack=None,
        )

    def taps(self, t: Writer, phases: Index) -> list[TapRange]:
        """What the first place of these phases sees along each axis."""
        numbers = phases or (t.extent(0),) * len(self.axes)
        return [axis.taps(t, p) for axis, p in zip(self.axes, numbers, strict=True)]

    def weight(self, phases: Index, k: Value) -> tuple[Value, Value | None]:
        """The row of the weights that k stands for in a phase, and whether to load it."""
        lower, t = self.lower, Writer(self.lower)
        *taps, channel = lower.unlinear(k, self.op.depth)
        mask = lower.mask
        found = []
        for axis, seen, tap in zip(self.axes, self.taps(t, phases), taps, strict=True):
            found.append((t.index(seen.first) + t.index(tap) * axis.axis.step).value)
            if axis.axis.hole > 1:
                there = (t.index(tap) < seen.taps).value
                mask = there if mask is None else (t.index(mask) & there).value
        return lower.linear((*found, channel), self.op.w.shape[:-1]), mask

    def place(self, phases: Index, row: Value) -> tuple[Index, Value | None]:
        """Where in the result the row of a phase is; and whether it is, if that is a question."""
        t = Writer(self.lower)
        n, *places = self.lower.unlinear(row, self.rows)
        index, inside = [n], None
        for axis, phase, number in zip(self.axes, phases, places, strict=True):
            at = axis.place(t, phase, number)
            index.append(at)
            if not axis.even:
                there = (t.index(at) < t.extent(axis.size)).value
                inside = there if inside is None else (t.index(inside) & there).value
        return tuple(index), inside

    def pack(
        self,
        t: Packer,
        strip: Value,
        phases: Index,
        i0: Value,
        height: int,
        pc: Value,
        kc: Value,
    ) -> None:
        """The rows i0, ... of the matrix, columns pc to pc + kc, into the strip."""
        lower, op = self.lower, self.op
        run = self.run
        begins = self.taps(t, phases)
        zero = lower.b.constant(0, t.compute)
        x = lower.buffer(op.x)
        channels = op.x.shape[-1]
        last = (t.index(t.p.m) - 1).value
        end = (t.index(pc) + kc).value
        length = t.extent(run)

        def row(r: Value) -> None:
            n, *places = lower.unlinear((t.index(i0) + r).minimum(last).value, self.rows)

            def fill(q: Value) -> None:
                taps = lower.unlinear(q, self.outer_taps) if self.outer_taps else ()
                inside, positions = [], []
                for each in zip(self.outer, begins, places, taps, strict=False):
                    at, good = self.position(t, *each)
                    positions.append(at)
                    inside += good
                begin = (t.index(q) * length).value
                low = (t.index(pc) - begin).maximum(0).value
                high = t.index(length).minimum(t.index(end) - begin).value
                to = (t.index(r) * t.row_step + begin - pc).value
                first, after = low, high
                start = (n, *positions, *([t.extent(0)] * (op.x.rank - 1 - len(positions))))
                source = lower.linear(start, op.x.shape)
                if self.joined:
                    axis = self.axes[-1]
                    corner = (t.index(places[-1]) * axis.stride + begins[-1].position).value
                    corner = (t.index(corner) * t.extent(channels)).value
                    source = (t.index(source) + corner).value
                    if not sees_all(axis.axis, op.size[-1]):
                        whole = (t.index(axis.axis.extent) * t.extent(channels)).value
                        first = t.index(low).maximum(t.index(0) - corner).value
                        after = t.index(high).minimum(t.index(whole) - corner).value
                    if axis.axis.hole > 1:
                        after = (
                            t.index(after)
                            .minimum(t.index(begins[-1].taps) * t.extent(channels))
                            .value
                        )
                after = t.index(after).maximum(first).value
                for holds in inside:
                    after = t.index(holds).select(after, first).value

                def copy(e: Value) -> None:
                    value = lower.cast(
                        lower.emit(Load(x, (t.index(source) + e).value, None)), t.compute
                    )
                    lower.store(strip, (t.index(to) + e).value, value)

                def clear(e: Value) -> None:
                    lower.store(strip, (t.index(to) + e).value, zero)

                if self.complete:
                    lower.loop(low, high, copy, "vector")
                    return
                seen = (t.index(first).equal(low) & t.index(after).equal(high)).value
                t.when(~t.index(seen), lambda: lower.loop(low, high, clear, "vector"))
                lower.loop(first, after, copy, "vector")

            q0, q1 = t.extent(0), t.extent(product(self.outer_taps))
            if t.several:
                q0 = (t.index(pc) // length).value
                q1 = t.index(q1).minimum((t.index(end) - 1) // length + 1).value
            lower.loop(q0, q1, fill)

        lower.loop(t.extent(0), t.extent(height), row)

    def position(
        self, t: Writer, axis: PhasedAxis, seen: TapRange, place: Value, tap: Value
    ) -> tuple[Value, list[Value]]:
        """Where a tap reads along an axis, and what must hold for it to read anything."""
        at = (t.index(place) * axis.stride + t.index(tap) * axis.tap_stride).value
        at = (t.index(at) + seen.position).value
        if sees_all(axis.axis, axis.size):
            return at, []
        good = [(t.index(at) >= 0).value, (t.index(at) < t.extent(axis.axis.extent)).value]
        if axis.axis.hole > 1:
            good.append((t.index(tap) < seen.taps).value)
        return at, good
