"""Convolutions read in place whose operand wants a border: a band of it is copied where it is used,
so that the copy never leaves a near cache (see tile_writer.py and halo.py).

    for each element of the batch, each band along the window's first axis (all of it where rows of
    tiles count that) and each group, on any threads:
        the band, with a border of zeros
        for each panel of columns, for each place of the band, for each strip of rows: a tile
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....core import Value
from ....extent import Extent, ceildiv, product
from .access import Axis, Walk
from .halo import Bordered
from .tile_writer import ENOUGH, Sliding

if TYPE_CHECKING:
    from ..gemm.micro_kernel import Tiles
    from .im2col import Patches

LEAST_BAND = 3  # as many rows as neighbouring bands share: those are copied twice


class Banded(Sliding):
    """Writes such a convolution."""

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        super().__init__(tiles, shape, how)
        others = [*self.outer, *self.inner]
        self.outer, self.inner = others[:1], others[1:]
        self.all = how  # of the whole operand
        # In a band there is one element of the batch, and one group.
        alone = Axis(how.axes[0].extent, 0)
        self.how = replace(how, axes=[alone, *how.axes[1:]], groups=Axis(how.groups.extent, 0))
        # Along which axis bands lie, if any: one that all others lie inside of.
        self.axis = 1 if self.inner[:1] == [1] else None
        self.band = self.planned() if self.possible else 0

    @property
    def possible(self) -> bool:
        how, plain = self.all, tuple(range(self.op.x.rank))
        known = all(isinstance(e, int) for e in how.shape[1:])
        copied = how.copied and how.order == plain and self.outer == [0]
        return known and copied and not self.shape.phases and self.op.batch_groups == 1

    @property
    def fits(self) -> bool:
        """Whether this is the schedule to choose."""
        return self.band > 0 and self.weighed

    def planned(self) -> int:
        """How many places of the axis are a band, 1 where there is no axis; 0 where bands are too
        large or too small, or tasks too few."""
        batch, groups = self.op.x.shape[0], self.all.groups.extent
        assert isinstance(groups, int)
        images = groups * (batch if isinstance(batch, int) else 1)
        places, shared = 1, 0
        if self.axis is not None:
            own = self.shape.axes[self.axis - 1]
            places = int(own.places)  # type: ignore[arg-type]
            shared = -(-self.rows(1) // own.stride) - 1
        for bands in range(min(places, -(-ENOUGH // max(images, 1))), places + 1):
            band = -(-places // bands)
            size: int = product(self.extents(band))  # type: ignore[assignment]
            if images * bands < ENOUGH or (bands > 1 and band < LEAST_BAND * shared):
                return 0
            if size * self.t.compute.itemsize <= self.t.lower.target.l2 // 2:
                return band
        return 0

    def rows(self, band: int) -> int:
        """How many rows such a band reads."""
        assert self.axis is not None
        own = self.shape.axes[self.axis - 1]
        first = int(self.all.low[self.axis - 1]) - int(own.axis.low)  # type: ignore[arg-type]
        return first + (band - 1) * own.stride + (int(own.axis.seen) - 1) * own.apart + 1  # type: ignore[arg-type]

    def part_of(self, band: int) -> dict[int, int]:
        """The axes of which such a band has a part."""
        return {0: 1} if self.axis is None else {0: 1, self.axis: self.rows(band)}

    def extents(self, band: int) -> tuple[Extent, ...]:
        """Those of a band's copy."""
        shape, part = self.all.shape[1 if self.all.split else 0 :], self.part_of(band)
        return tuple(part.get(a, e) for a, e in enumerate(shape))

    @property
    def stretch(self) -> int | None:
        return None if self.axis is None else self.band

    def operand(self) -> Value:
        """Each task copies its own."""
        return self.all.memory

    def part(self, phases: Sequence[tuple[int, int]], rows: int) -> None:
        t, lower, how = self.t, self.t.lower, self.all
        bands = 1 if self.axis is None else ceildiv(how.axes[self.axis].extent, self.band)
        extents = (self.op.result.shape[0], bands, how.groups.extent)
        copy = Bordered(t, self.op, how, t.compute, self.part_of(self.band))
        whole, rest = self.panels

        def task(number: Value) -> None:
            n, band, group = lower.unlinear(number, extents)
            corner, phase = {0: n}, self.phase((), rows, group)
            if self.axis is not None:
                first, axis = t.mul(band, self.band), how.axes[self.axis]
                corner[self.axis] = t.mul(first, self.shape.axes[self.axis - 1].stride)
                before = t.mul(first, t.extent(axis.distance))
                phase = phase._replace(origin=t.minus(phase.origin, before))
            self.source = copy.write_part(how.memory, corner, group)

            def panel(q: Value) -> None:
                self.blocks(phase, (n, band), q, t.columns)

            lower.loop(t.value(0), t.extent(whole), panel)
            if rest:
                self.blocks(phase, (n, band), t.extent(whole), rest)

        lower.parallel(product(extents), t.work(), task)
