"""Im2col, strip by strip: what windows see is packed on the fly. For sizes that are not known.

    for each block of k, strip of rows and panel of columns: as gemm/choice.py has it, but packing
        for each row of the strip, each run of what lies side by side in x:
            [zeros, unless all of the run is inside]
            a copy of what is inside

It costs a copy of each element for every tap that sees it, in the L1 cache. conv 8x56x56x64 3x3x64
takes 19.6 ms so where its sizes are not known, and 109 where elements are pulled one by one; where
they are known it is read in place, which takes 17.6 (plan.py), and would take 19.3 so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import product
from ....kernel_op import LoopKind
from ....ops.window import Conv
from ...common.im2col import Im2col, sees_all, sees_everything
from ...contraction import Problem
from ..gemm.packing import Packer

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


class Im2colStrips(Im2col):
    """The matrix of what a window sees, and how strips of it are packed."""

    takes = "any convolution"

    def __init__(self, lower: GroupBuilder, op: Conv) -> None:
        super().__init__(lower, op)
        self.complete = sees_everything(op)
        channels = op.x.shape[-1]
        # The taps of the last axis are neighbours in memory, too, if nothing lies between them.
        self.joined = bool(self.axes) and self.axes[-1].tap_stride == 1
        *taps, _ = op.depth
        self.outer = self.axes[:-1] if self.joined else self.axes
        self.outer_taps = tuple(taps[:-1] if self.joined else taps)
        self.run = taps[-1] * channels if self.joined else channels

    def problem(self) -> Problem:
        return replace(super().problem(), pack=self.pack)

    def places(self) -> Problem:
        """The same where rows are not counted: they have the places of the result."""
        *batch, m, _ = self.op.result.shape
        return replace(
            super().problem(),
            batch=tuple(batch),
            m=m,
            windows=False,
            rows=None,
            place=None,
        )

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
                    if axis.axis.lhs_dilation > 1:
                        after = (
                            t.index(after)
                            .minimum(t.index(begins[-1].taps) * t.extent(channels))
                            .value
                        )
                after = t.index(after).maximum(first).value
                for holds in inside:
                    after = t.index(holds).select(after, first).value

                def copy(e: Value) -> None:
                    value = lower.cast(lower.load(x, (t.index(source) + e).value), t.compute)
                    lower.store(strip, (t.index(to) + e).value, value)

                if self.complete:
                    lower.loop(low, high, copy, LoopKind.VECTOR)
                    return
                seen = (t.index(first).equal(low) & t.index(after).equal(high)).value
                t.when(~t.index(seen), lambda: t.clear(strip, to, low, high, zero))
                lower.loop(first, after, copy, LoopKind.VECTOR)

            q0, q1 = t.extent(0), t.extent(product(self.outer_taps))
            if t.several:
                q0 = (t.index(pc) // length).value
                q1 = t.index(q1).minimum((t.index(end) - 1) // length + 1).value
            lower.loop(q0, q1, fill)

        lower.loop(t.extent(0), t.extent(height), row)
