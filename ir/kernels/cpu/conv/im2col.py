"""Im2col, strip by strip: what windows see is packed on the fly. For sizes that are not known.

    for each block of k, strip of rows and panel of columns: as gemm/choice.py has it, but packing
        for each row of the strip, each tap of the window:
            a copy of the channels, or zeros

It costs a copy of each element for every tap that sees it, in the L1 cache. conv 8x56x56x64 3x3x64
takes 19.6 ms so where its sizes are not known, and 109 where elements are pulled one by one; where
they are known it is read in place, which takes 17.6 (plan.py), and would take 19.3 so.
"""

from __future__ import annotations

from dataclasses import replace

from ....core import Value
from ....element_builder import Index
from ....kernel_op import LoopKind
from ...common.im2col import Im2col, sees_all
from ...contraction import Problem
from ..gemm.packing import Packer


class Im2colStrips(Im2col):
    """The matrix of what a window sees, and how strips of it are packed."""

    takes = "any convolution"

    def problem(self) -> Problem:
        return replace(super().problem(), pack=self.pack)

    def places(self) -> Problem:
        """The same where rows are not counted: they have the places of the result."""
        *batch, m, _ = self.op.result.shape
        found = replace(super().problem(), batch=tuple(batch), m=m, windows=False)
        return replace(found, rows=None, place=None)

    def pack(
        self, t: Packer, strip: Value, phases: Index, i0: Value, height: int, pc: Value, kc: Value
    ) -> None:
        """The rows i0, ... of the matrix, columns pc to pc + kc, into the strip."""
        lower, op = self.lower, self.op
        *taps, depth = op.depth
        axes, begins, x = self.axes, self.taps(t, phases), lower.buffer(op.x)
        # The taps of the last axis are neighbours in memory, too, if nothing lies between them.
        joined, length = bool(axes) and axes[-1].tap_stride == 1, depth
        if joined:
            axes, length = axes[:-1], taps.pop() * depth
        last, end = (t.index(t.p.m) - 1).value, (t.index(pc) + kc).value

        def row(r: Value) -> None:
            n, *places = lower.unlinear((t.index(i0) + r).minimum(last).value, self.rows)

            def run(q: Value) -> None:
                at, seen = [n], lower.mask
                numbers = lower.unlinear(q, tuple(taps))
                for each in zip(axes, begins, places, numbers, strict=False):
                    position, conditions = self.position(t, *each)
                    at.append(position)
                    for condition in conditions:
                        seen = t.both(seen, condition)
                begin = t.index(q) * t.extent(length)
                low = (t.index(pc) - begin).maximum(0).value
                high = (t.index(end) - begin).minimum(t.extent(length)).value
                to = (t.index(r) * t.row_step + begin - pc).value
                first = t.extent(0)
                if joined:
                    at.append(first)
                    first = (t.index(places[-1]) * self.axes[-1].stride + begins[-1].position).value
                    first = (t.index(first) * t.extent(depth)).value
                source = (t.index(lower.linear((*at, t.extent(0)), op.x.shape)) + first).value

                def copy(e: Value) -> None:
                    inside = seen
                    if joined and not sees_all(self.axes[-1].axis):
                        axis = self.axes[-1].axis
                        inside = t.between(seen, (t.index(first) + e).value, axis.extent * depth)
                        if axis.lhs_dilation > 1:
                            present = t.index(begins[-1].taps) * t.extent(depth)
                            inside = t.both(inside, t.index(e) < present)
                    value = lower.load(x, (t.index(source) + e).value, inside)
                    lower.store(strip, (t.index(to) + e).value, lower.cast(value, t.compute))

                lower.loop(low, high, copy, LoopKind.VECTOR)

            q0, q1 = t.runs(pc, end, length)
            lower.loop(q0, (t.index(q1) + 1).value, run)

        lower.loop(t.extent(0), t.extent(height), row)
