"""Convolutions read in place whose window has more taps than places, as gradients of weights are:
k is long and results are few, and what a block of k needs comes from memory once, for all that is
summed of it.

    sums are few     threads share the blocks (see rounds.py).
    sums are many    one block after another, and threads share the tiles. What a tile sums is
                     added to the result, which goes through the cache once a block.

Weights, which the results see of a gradient, are packed panel by panel where enough tiles read
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core import Value
from ..extent import Extent, Shape, floordiv, product
from ..ops.contraction import BLOCK
from .blocked import Block, Panels
from .rounds import Rounds
from .sliding import Panel, Sliding
from .walks import HIGH, Walk

if TYPE_CHECKING:
    from .patches import Patches
    from .tiles import Tiles

Index = tuple[Value, ...]

FEW = 1 << 14  # sums, up to which threads share blocks
MANY = 1 << 20  # sums, above which they do not go through the cache once a block
LEAST_BLOCKS = 4  # of k, from which on it is long
TILES = 6  # of a panel and a block, from which on its weights are packed


class Sweeping(Sliding):
    """Writes such a convolution."""

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        super().__init__(tiles, shape, how)
        self.others = [*self.outer, *self.inner]  # axes that rows do not count
        self.total: Extent = product(self.op.result.shape)
        self.count = product(how.axes[a].extent for a in self.others)  # of their places
        self.rounds: Rounds | None = None  # where threads share blocks
        self.number: Value  # of the block at hand

    @property
    def fits(self) -> bool:
        """Whether this is the schedule to choose."""
        k, places = self.t.p.k, product(self.op.size)
        taps = product(self.op.w.shape[:-2])
        long = not isinstance(k, int) or k >= LEAST_BLOCKS * BLOCK
        long = long and not (isinstance(taps, int) and isinstance(places, int) and places > taps)
        few = isinstance(self.total, int) and self.total <= MANY
        return few and long and not self.shape.phases and (self.packs or self.readable)

    @property
    def readable(self) -> bool:
        """Whether weights can be read as they are."""
        return self.t.p.right_plain is not None

    @property
    def packs(self) -> bool:
        """Whether weights are packed: as many columns as a panel has belong together, and enough
        tiles read them."""
        columns, width = self.op.in_group, self.t.columns
        if self.how.groups.extent != 1 and columns % width:
            return False
        tiles = self.count * -(-self.how.count // HIGH)
        many = isinstance(tiles, int) and tiles >= TILES
        return not self.readable or (many and self.op.w.shape[-1] > width)

    def write(self) -> None:
        self.source = self.operand()
        assert isinstance(self.total, int)
        if self.total <= FEW:
            self.in_rounds()
        else:
            self.one_by_one()

    @property
    def parts(self) -> list[tuple[int, int, int]]:
        """The first, the number and the width of panels that have one width."""
        whole, rest = self.panels
        found = [(0, whole, self.t.columns), (whole, 1, rest)]
        return [part for part in found if part[1] and part[2]]

    def tile_of(self, number: Value, group: Value, panel: Panel) -> None:
        """All strips of a panel at one place of the other axes."""
        extents = tuple(self.how.axes[a].extent for a in self.others)
        places = dict(zip(self.others, self.t.lower.unlinear(number, extents), strict=True))
        self.strips(self.phase((), self.how.count, group), places, panel)

    def panel(self, pc: Value, group: Value, q: Value, columns: int) -> Panel:
        """A panel among those that are packed, or in the weights as they are."""
        t, zero = self.t, self.t.value(0)
        j0 = self.column(group, q)
        if self.packs:
            return Panel(t.mul(j0, BLOCK), t.value(t.columns), pc, j0, columns, zero)
        width = t.extent(self.op.w.shape[-1])
        return Panel(t.add(t.mul(pc, width), j0), width, pc, j0, columns, zero)

    # Threads share tiles.

    def one_by_one(self) -> None:
        t, lower = self.t, self.t.lower
        count = -(-int(t.p.n) // t.columns)  # type: ignore[arg-type]
        packed = Panels(lower, t.p)
        if self.packs:
            packed.reserve(count, t.extent(BLOCK))
        self.weights = packed.scratch if self.packs else lower.buffer(t.p.right_plain)

        def block(pc: Value) -> None:
            if self.packs:
                packed.pack_panels(Block((), pc, t.block_length(pc), t.extent(0), t.extent(count)))
            for first, panels, columns in self.parts:
                self.share(pc, first, panels, columns)

        t.steps(t.p.k, BLOCK, block)

    def share(self, pc: Value, first: int, panels: int, columns: int) -> None:
        """A block of k of all panels of one width."""
        t, lower = self.t, self.t.lower
        extents = (self.count, self.how.groups.extent, panels)

        def task(number: Value) -> None:
            place, group, q = lower.unlinear(number, extents)
            panel = self.panel(pc, group, t.add(q, first), columns)
            self.tile_of(place, group, panel)

        lower.parallel(product(extents), self.work, task)

    # Threads share blocks.

    def in_rounds(self) -> None:
        t, k = self.t, self.t.p.k
        self.rounds = Rounds(t, t.compute, self.op.result.shape)

        def block(number: Value, pc: Value) -> None:
            self.number = number
            self.block(pc)

        self.rounds.write(k, self.work, block, lambda at, sum_: t.store_total(at, sum_, True))

    def block(self, pc: Value) -> None:
        """The sums of a block of k."""
        t, lower = self.t, self.t.lower
        packed = t.local(BLOCK * t.columns) if self.packs else None
        self.weights = lower.buffer(t.p.right_plain) if packed is None else packed
        groups = self.how.groups.extent
        for first, panels, columns in self.parts:
            shape = (groups, panels)

            def panel(
                number: Value, shape: Shape = shape, first: int = first, columns: int = columns
            ) -> None:
                group, q = lower.unlinear(number, shape)
                here = self.panel(pc, group, t.add(q, first), columns)
                if packed is not None:
                    here = here._replace(start=t.value(0))
                    t.pack_right(packed, here.start, (), pc, t.block_length(pc), here.j0)
                ends = t.value(0), t.extent(self.count)
                lower.loop(*ends, lambda place: self.tile_of(place, group, here))

            lower.loop(t.value(0), t.extent(groups * panels), panel)

    def keep(self, panel: Panel, places: Sequence[Index], sums: Sequence[Value]) -> None:
        if self.rounds is None:
            super().keep(panel, places, sums)
            return
        for place, total in zip(places, sums, strict=True):
            self.t.lower.store(self.rounds.memory, self.rounds.at(self.number, place), total)

    @property
    def work(self) -> Extent:
        """About how many nanoseconds a block takes."""
        return floordiv(self.total * BLOCK, 4 * self.t.lanes)
