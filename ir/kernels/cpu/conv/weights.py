"""The weights of a convolution: as they lie, or packed panel by panel.

    for each stride phase, group and panel of its columns, on any threads:
        for each k: the panel's columns side by side, converted or computed

It costs a pass over the weights, of which an element takes an eighth of a nanosecond.
"""

from __future__ import annotations

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, Shape, as_int, product
from ....kernel_op import LoopKind
from ....ops.window import Conv
from ....types import TensorType
from ..gemm.micro_kernel import Tiles


class WeightPanels:
    """Writes them, and tells where a panel is."""

    def __init__(self, t: Tiles, op: Conv, packed: bool, phases: Shape, groups: Extent) -> None:
        self.t, self.op, self.packed = t, op, packed
        columns = as_int(op.in_group)
        self.width = min(columns, t.columns)  # how many columns a packed panel has
        self.count = -(-columns // t.columns)  # of a group's panels
        # Of every phase and group: its panels, all columns of each side by side.
        self.shape: Shape = (*phases, groups, self.count)

    @property
    def widths(self) -> list[tuple[int, int, int]]:
        """The first, the number and the width of a group's panels that have one width."""
        whole, rest = divmod(as_int(self.op.in_group), self.t.columns)
        parts = [(0, whole, self.t.columns), (whole, 1, rest)]
        return [part for part in parts if part[1] and part[2]]

    @property
    def stride(self) -> Value:
        """From one row of k to the next."""
        return self.t.extent(self.width if self.packed else self.op.w.shape[-1])

    def column(self, group: Value, q: Value) -> Value:
        """The first column of a group's panel."""
        t = self.t
        return (t.index(group) * t.extent(self.op.in_group) + t.index(q) * t.columns).value

    def start(self, phases: Index, group: Value, q: Value, pc: Value) -> Value:
        """Where row pc of a panel is."""
        t, first = self.t, self.column(group, q)
        if self.packed:
            first = t.lower.linear((*phases, group, q), self.shape)
            first = (t.index(first) * t.extent(t.p.k * self.width)).value
        return (t.index(first) + t.index(pc) * self.stride).value

    def prepare(self) -> Value:
        """What holds the weights: all panels, packed on any threads, or they as they lie."""
        t, lower, depth, width = self.t, self.t.lower, self.t.p.k, self.width
        if not self.packed:
            assert t.p.right_plain is not None
            return lower.buffer(t.p.right_plain)
        buffer = lower.scratch(TensorType(t.compute, (*self.shape, depth, width)))

        def panel(number: Value) -> None:
            *phases, group, q = lower.unlinear(number, self.shape)
            start = (t.index(number) * t.extent(depth * width)).value
            j0, end = self.column(group, q), t.extent(depth)
            if width == t.columns:
                t.pack_right(buffer, start, tuple(phases), t.extent(0), end, j0)
                return

            def row(k: Value) -> None:
                place = (t.index(start) + t.index(k) * width).value

                def column(j: Value) -> None:
                    y = t.p.right(tuple(phases), k, (t.index(j0) + j).value)
                    lower.store(buffer, (t.index(place) + j).value, y)

                lower.loop(t.extent(0), t.extent(width), column, LoopKind.VECTOR)

            lower.loop(t.extent(0), end, row)

        count = product(self.shape)
        lower.parallel(count, count * depth * width // 8, panel)
        return buffer
