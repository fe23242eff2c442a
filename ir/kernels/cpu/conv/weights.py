"""The weights of a convolution: as they lie, or packed panel by panel, once or block by block of k
(`Weights` in plan.py).

    for each stride phase, group and panel of its columns, on any threads:
        for each k: the panel's columns side by side, converted or computed

It costs a pass over the weights, of which an element takes an eighth of a nanosecond.
"""

from __future__ import annotations

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, Shape, as_int, product
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.window import Conv
from ....types import TensorType
from ..gemm.blocked import Block, Panels
from ..gemm.micro_kernel import Tiles
from .plan import Weights, panels_of


class WeightPanels:
    """Writes them, and tells where a panel is."""

    def __init__(
        self, t: Tiles, op: Conv, weights: Weights, phases: Shape, groups: Extent, shared: bool
    ) -> None:
        self.t, self.op, self.kind = t, op, weights
        self.in_place = weights is Weights.IN_PLACE
        # Of every phase and group: its panels, all columns of each side by side.
        self.shape: Shape = (*phases, groups, panels_of(op, t.columns))
        # Blocks of k that all threads read, if they are packed so.
        by_block = weights is Weights.PACKED_BY_BLOCK
        self.shared = Panels(t.lower, t.p) if by_block and shared else None
        # How many columns a packed panel has.
        self.width = t.columns if self.shared else min(as_int(op.in_group), t.columns)

    def prepare(self) -> Value | None:
        """What holds the weights, if blocks of k are not packed by tasks."""
        t, lower = self.t, self.t.lower
        if self.in_place:
            assert t.p.right_plain is not None
            return lower.buffer(t.p.right_plain)
        if self.kind is Weights.PACKED_ONCE:
            return self.pack_all()
        if self.shared is None:
            return None
        self.shared.reserve(self.all_panels, t.extent(BLOCK))
        return self.shared.scratch

    @property
    def all_panels(self) -> int:
        return -(-as_int(self.op.w.shape[-1]) // self.t.columns)

    @property
    def stride(self) -> Value:
        """From one row of k to the next."""
        return self.t.extent(self.op.w.shape[-1] if self.in_place else self.width)

    def column(self, group: Value, q: Value) -> Value:
        """The first column of a group's panel."""
        t = self.t
        return (t.index(group) * t.extent(self.op.in_group) + t.index(q) * t.columns).value

    def start(self, phases: Index, group: Value, q: Value, pc: Value) -> Value:
        """Where row pc of a panel is, if tasks do not pack it."""
        t = self.t
        if self.kind is Weights.PACKED_BY_BLOCK:
            return (t.index(self.column(group, q)) * BLOCK).value if self.shared else t.extent(0)
        first = self.column(group, q)
        if not self.in_place:
            first = t.lower.linear((*phases, group, q), self.shape)
            first = (t.index(first) * t.extent(t.p.k * self.width)).value
        return (t.index(first) + t.index(pc) * self.stride).value

    def pack_all(self) -> Value:
        """All panels, on any threads."""
        t, lower, depth = self.t, self.t.lower, self.t.p.k
        buffer = lower.scratch(TensorType(t.compute, (*self.shape, depth, self.width)))

        def panel(number: Value) -> None:
            *phases, group, q = lower.unlinear(number, self.shape)
            start = (t.index(number) * t.extent(depth * self.width)).value
            ends = t.extent(0), t.extent(depth)
            self.pack(buffer, start, tuple(phases), *ends, self.column(group, q))

        count = product(self.shape)
        lower.parallel(count, count * depth * self.width // 8, panel)
        return buffer

    def pack_block(self, pc: Value) -> None:
        """A block of all panels, on any threads, where these are shared."""
        t = self.t
        if self.shared is not None:
            ends = t.extent(0), t.extent(self.all_panels)
            self.shared.pack_panels(Block((), pc, t.block_length(pc), *ends))

    def pack(
        self, panel: Value, start: Value, phases: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """Some rows of the weights, as many columns as a packed panel has."""
        t, lower, width = self.t, self.t.lower, self.width
        if width == t.columns:
            t.pack_right(panel, start, phases, pc, kc, j0)
            return

        def row(k: Value) -> None:
            place = (t.index(start) + t.index(k) * width).value

            def column(j: Value) -> None:
                y = t.p.right(phases, (t.index(pc) + k).value, (t.index(j0) + j).value)
                lower.store(panel, (t.index(place) + j).value, y)

            lower.loop(t.extent(0), t.extent(width), column, LoopKind.VECTOR)

        lower.loop(t.extent(0), kc, row)
