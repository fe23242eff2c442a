"""Convolutions read in place whose window has more taps than places, as gradients of weights are:
k is long and results are few, and what a block of k needs comes from memory once, for all that is
summed of it.

    sums are few     threads share the blocks (see ir/kernels/cpu/ordered_split_k.py).
    sums are many    one block after another, and threads share the tiles. What a tile sums is
                     added to the result, which goes through the cache once a block.

Weights, which the results see of a gradient, are packed panel by panel where enough tiles read
them. Where channels are few, tiles have several taps (see `Sweeping.taps`). While a block is
summed, memory of the next one is asked for, a little with each run.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ....core import Value
from ....element_builder import Index
from ....extent import Extent, Shape, floordiv, product
from ....ops.contraction import BLOCK
from ...ops import Prefetch
from ..gemm.blocked import Block, Panels
from ..ordered_split_k import Rounds
from .access import HIGH, Walk
from .depthwise import seen
from .k_loop import Panel, Phase, Piece
from .tile_writer import Sliding

if TYPE_CHECKING:
    from ..gemm.micro_kernel import Tiles
    from .im2col import Patches


FEW = 1 << 14  # sums, up to which threads share blocks
MANY = 1 << 20  # sums, above which they do not go through the cache once a block
LEAST_BLOCKS = 4  # of k, from which on it is long
ASKED = 8  # lines of memory that are asked for at once, at most
TILES = 6  # of a panel and a block, from which on its weights are packed


class Sweeping(Sliding):
    """Writes such a convolution."""

    def __init__(self, tiles: Tiles, shape: Patches, how: Walk) -> None:
        super().__init__(tiles, shape, how)
        self.others = [*self.outer, *self.inner]  # axes that tiles do not count
        if self.together > 1:
            self.others.remove(len(how.axes) - 1)
        self.total: Extent = product(self.op.result.shape)
        self.count = product(how.axes[a].extent for a in self.others)  # of their places
        self.rounds: Rounds | None = None  # where threads share blocks
        self.number: Value  # of the block at hand
        self.turn: Value  # how many tiles of a block come before those of this panel and place
        self.strip: Value  # how many of these come before the one at hand

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

    def tile_of(self, number: Value, group: Value, q: Value, panel: Panel) -> None:
        """All strips of a group's panel at one place of the other axes."""
        t = self.t
        self.turn = t.add(t.mul(group, sum(count for _, count, _ in self.parts)), q)
        self.turn = t.add(t.mul(self.turn, t.extent(self.count)), number)
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

    def ahead(self, panel: Panel, number: Value) -> None:
        """The share of this run of what the next block reads: the same for all runs of all tiles,
        whole lines."""
        t, lower, digits = self.t, self.t.lower, self.how.digits
        length, distance = digits[-1].extent, digits[-1].distance
        each = self.chunks if self.together > 1 else -(-self.how.count // HIGH)
        tiles = product((self.count, self.how.groups.extent, sum(p[1] for p in self.parts), each))
        if not isinstance(length, int) or not isinstance(tiles, int):
            return
        runs = BLOCK // length + 1  # of a block, about
        turn = t.add(t.mul(self.turn, each), t.least(self.strip, each - 1))
        turn = t.add(t.mul(turn, runs), number)
        following = t.add(panel.pc, BLOCK)

        def ask(buffer: Value, first: Value, size: int) -> None:
            line = max(1, lower.target.line // buffer.dtype.itemsize)
            share = min(size // (line * tiles * runs), ASKED)  # where many share, none asks
            begin = t.add(first, t.mul(turn, share * line))
            for i in range(share):
                lower.b.emit_all(Prefetch(buffer, t.add(begin, i * line), "later"))

        place = t.value(0)
        numbers = lower.unlinear(following, tuple(digit.extent for digit in digits))
        for i, digit in zip(numbers, digits, strict=True):
            place = t.add(place, t.mul(i, t.extent(digit.distance)))
        if distance == self.op.x.shape[0]:  # the rows of all tiles lie side by side
            ask(self.source, place, BLOCK * distance)
        if t.p.right_plain is not None:
            width = int(self.op.w.shape[-1])
            ask(lower.buffer(t.p.right_plain), t.mul(following, width), BLOCK * width)

    # Taps that are neighbours, together: sums that are few wait for themselves.

    @property
    def together(self) -> int:
        """How many taps along the window's last axis a tile has."""
        how, t, axis = self.how, self.t, self.how.phased[-1].axis
        last = len(how.axes) - 1
        run = how.digits[-1]
        known = all(isinstance(e, int) for e in (*axis.numbers, axis.places))
        alone = run.extent == axis.taps and run.taps in (None, (last - 1, 1))
        if how.copied or how.rows != (0,) or not (known and alone):
            return 1
        columns = self.op.in_group
        vectors = 1 if isinstance(columns, int) and columns <= t.lanes else 2
        most = (2 * HIGH if t.rows == 12 else 2 * t.rows) // (vectors * how.count)
        return max(1, min(int(axis.places), most))  # type: ignore[arg-type]

    @property
    def chunks(self) -> int:
        """How many such tiles there are."""
        return -(-int(self.how.phased[-1].axis.places) // self.together)  # type: ignore[arg-type]

    def tile(
        self, phase: Phase, places: dict[int, Value], i0: Value | int, panel: Panel, height: int
    ) -> None:
        self.strip = self.t.op("floor_div", i0, height)
        super().tile(phase, places, i0, panel, height)

    def strips(self, phase: Phase, places: dict[int, Value], panel: Panel) -> None:
        last, count = len(self.how.axes) - 1, self.how.phased[-1].axis.places
        if self.together == 1:
            super().strips(phase, places, panel)
            return
        assert isinstance(count, int)
        for chunk, first in enumerate(range(0, count, self.together)):
            self.strip = self.t.value(chunk)
            taps = range(first, min(first + self.together, count))
            self.taps(phase, {**places, last: self.t.value(first)}, panel, taps)

    def taps(self, phase: Phase, places: dict[int, Value], panel: Panel, taps: range) -> None:
        """The rows of a panel, at several taps."""
        t, how = self.t, self.how
        last, axis = len(how.axes) - 1, how.phased[-1].axis
        base = phase.origin
        for a, place in places.items():
            base = t.add(base, t.mul(place, t.extent(how.axes[a].distance)))
        apart = int(how.axes[last].distance), int(how.axes[0].distance)
        pairs = [(tap, row) for tap in range(len(taps)) for row in range(how.count)]
        offsets = [tap * apart[0] + row * apart[1] for tap, row in pairs]
        limits = [self.limits(phase, places, digit) for digit in how.digits[:-1]]
        pieces = self.pieces([seen(axis, tap) for tap in taps])
        zeros = (t.lower.b.constant(0, t.compute),) * len(pairs)

        def columns(j: Value) -> None:
            sums = self.sums([*limits, None], base, offsets, panel, j, zeros, pieces)
            found = []
            for tap, row in pairs:
                every = {**places, 0: t.value(row), last: t.value(taps[tap])}
                found.append((*(every[a] for a in range(last + 1)), t.add(panel.j0, j)))
            self.keep(panel, found, sums)

        self.side_by_side(panel.columns, columns)

    def pieces(self, seen: Sequence[tuple[int, int]]) -> list[Piece]:
        """A run, of which each tap sees a part, in pieces that some taps see all of."""
        height = self.how.count
        ends = sorted({end for pair in seen for end in pair})
        found = []
        for low, high in pairwise(ends):
            taps = [tap for tap, (a, b) in enumerate(seen) if a <= low and high <= b]
            rows = [tap * height + row for tap in taps for row in range(height)]
            if rows:
                found.append(Piece(low, high, rows))
        return found

    # Threads share tiles.

    def one_by_one(self) -> None:
        t, lower = self.t, self.t.lower
        count = -(-int(t.p.n) // t.columns)  # type: ignore[arg-type]
        packed = Panels(lower, t.p)
        if self.packs:
            packed.reserve(count, t.extent(BLOCK))
        plain = t.p.right_plain
        self.weights = packed.scratch if self.packs or plain is None else lower.buffer(plain)

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
            q = t.add(q, first)
            self.tile_of(place, group, q, self.panel(pc, group, q, columns))

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
        if packed is not None:
            self.weights = packed
        else:
            assert t.p.right_plain is not None
            self.weights = lower.buffer(t.p.right_plain)
        groups = self.how.groups.extent
        for first, panels, columns in self.parts:
            shape = (groups, panels)

            def panel(
                number: Value, shape: Shape = shape, first: int = first, columns: int = columns
            ) -> None:
                group, q = lower.unlinear(number, shape)
                q = t.add(q, first)
                here = self.panel(pc, group, q, columns)
                if packed is not None:
                    here = here._replace(start=t.value(0))
                    t.pack_right(packed, here.start, (), pc, t.block_length(pc), here.j0)
                ends = t.value(0), t.extent(self.count)
                lower.loop(*ends, lambda place: self.tile_of(place, group, q, here))

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
