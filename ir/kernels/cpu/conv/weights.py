"""The weights of a convolution that is read in place: as they lie, or packed panel by panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, product
from ....types import TensorType
from .access import Walk

if TYPE_CHECKING:
    from ..gemm.micro_kernel import Tiles
    from .im2col import Patches


LARGE = 1 << 18  # weights up to which they are packed as a whole
LARGE_OFTEN = 1 << 23  # the same if each is used in so many tasks:
OFTEN = 4


class Filters:
    """Chooses and writes them."""

    how: Walk
    outer: list[int]  # axes of the result whose places are tasks

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        self.t, self.shape, self.op, self.how = tiles, shape, shape.op, how

    @property
    def panels(self) -> tuple[int, int]:
        """How many panels of a group's columns are whole, and how many columns are left."""
        columns = self.op.in_group
        assert isinstance(columns, int)
        return columns // self.t.columns, columns % self.t.columns

    @property
    def plain(self) -> Value | None:
        """The weights, where they are read as they are: a panel holds all columns, and they would
        be packed more than once. Else packing makes sure that rows begin where lines do."""
        narrow = self.op.w.shape[-1] <= self.t.columns and not self.once
        return self.t.p.right_plain if narrow else None

    @property
    def width(self) -> int:
        """How many columns a packed panel has."""
        columns = self.op.in_group
        assert isinstance(columns, int)
        return min(columns, int(self.t.columns))

    @property
    def once(self) -> bool:
        """Whether the weights are packed once for all places, or block by block where they are
        used, because they are large and seldom used."""
        size, places = product(self.op.w.shape), product(self.op.result.shape[:-1])
        if not isinstance(size, int) or not isinstance(places, int):
            return isinstance(size, int)
        often = product(self.how.axes[a].extent for a in self.outer)
        return size <= (LARGE_OFTEN if isinstance(often, int) and often >= OFTEN else LARGE)

    @property
    def weighed(self) -> bool:
        """Whether all weights are there before the first place is looked at."""
        return self.plain is not None or self.once

    def packed(self) -> Value:
        """The weights of every phase and group, panel by panel: all columns of a panel side by
        side."""
        t, lower = self.t, self.t.lower
        shape = self.packed_shape
        depth = t.p.k
        buffer = lower.scratch(TensorType(t.compute, (*shape, depth, self.width)))

        def panel(number: Value) -> None:
            *phases, group, q = lower.unlinear(number, shape)
            start = t.mul(number, t.extent(depth * self.width))
            ends = t.extent(0), t.extent(depth)
            self.pack(buffer, start, tuple(phases), *ends, self.column(group, q))

        count = product(shape)
        lower.parallel(count, count * depth * self.width // 8, panel)
        return buffer

    def pack(
        self, panel: Value, start: Value, phases: Index, pc: Value, kc: Value, j0: Value
    ) -> None:
        """Some rows of the weights, as many columns as a packed panel has."""
        t, lower, width = self.t, self.t.lower, self.width
        if width == t.columns:
            t.pack_right(panel, start, phases, pc, kc, j0)
            return

        def row(k: Value) -> None:
            place = t.add(start, t.mul(k, width))

            def column(j: Value) -> None:
                y = t.p.right(phases, t.add(pc, k), t.add(j0, j))
                lower.store(panel, t.add(place, j), y)

            lower.loop(t.extent(0), t.extent(width), column, "vector")

        lower.loop(t.extent(0), kc, row)

    @property
    def packed_shape(self) -> tuple[Extent, ...]:
        whole, rest = self.panels
        return (*self.shape.phases, self.how.groups.extent, whole + (rest > 0))

    def column(self, group: Value, q: Value) -> Value:
        """The first column of a group's panel."""
        t = self.t
        return t.add(t.mul(group, t.extent(self.op.in_group)), t.mul(q, t.columns))
