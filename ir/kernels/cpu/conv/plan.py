"""How a convolution that is read in place is computed, as data: a `ConvPlan`, which tile_writer.py
writes. It says what is read, what of the weights is packed, and which loops lie around a tile.

The one decision that others follow is where the loop over blocks of k stands:

    IN_TILE      all weights are there before the first tile: a tile goes through all of k at once,
                 and its sums stay in registers and the L1 cache
    AROUND       gradients of weights, whose k is long and whose places are few: what a block of k
                 reads comes from memory once, for all tasks, which add to the result
    SPLIT        the same where all sums fit the L2 cache: tasks are blocks of k (ordered split-k)

Costs are those of a GEMM of the same size, and of a copy of the operand where there is a halo.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

from ....core import Value
from ....extent import Extent, as_int, ceildiv, largest, product
from ....ops.contraction import BLOCK
from ....ops.window import Conv
from ....value_classes import dataclass
from ...common.stride_phases import phase_counts
from ...contraction import RegisterTile, register_tile
from ...target import Target
from .access import CONV_TILE_ROWS, ConvAccess, StridedAxis

# Rows of a band over those that neighbouring bands share, which are copied twice. conv 8x56x56x64
# 3x3x64: 1.02 of the time with 1, 1.00 with 8.
BAND_OVERLAPS_MIN = 3

# Sums up to which threads share blocks of k, in place of places. conv 32x28x28x64 1x1x64,
# gradient of w, on one thread: 0.94 of the time without; it is for threads.
SPLIT_K_SUMS_MAX = 1 << 14
# Sums above which they do not go through the cache once a block. conv 32x28x28x32 5x5x64,
# gradient of w (51K): 1.09 of the time where it is done as other convolutions are.
WEIGHT_GRADIENT_SUMS_MAX = 1 << 20
# Blocks from which on k is long. conv 32x28x28x64 1x1x64, gradient of w (98 blocks): 1.01 of the
# time where that is not long.
LONG_K_BLOCKS_MIN = 4

# Tiles of a panel up to which weights are read as they lie. ResNet-50, 1 of 224x224 (14 tiles and
# fewer of its large weights): 1.06 of the time with 0. conv 16x2x2x512 3x3x512: 1.03 with 64.
UNPACKED_TILES_MAX = 16


class KBlocks(Enum):
    IN_TILE = auto()
    AROUND = auto()
    SPLIT = auto()


@dataclass(frozen=True)
class ConvPlan:
    """Tiles that read the operand in place, or a copy of it with a halo."""

    takes = "convolutions whose operand is read in place, or copied with a halo"

    op: Conv
    access: ConvAccess
    tile: RegisterTile
    packed: bool  # whether panels of the weights are packed, all before the first task
    outer: tuple[int, ...]  # axes of the result that are tasks
    inner: tuple[int, ...]  # and those that a task goes through, but for the rows of tiles
    k_blocks: KBlocks = KBlocks.IN_TILE
    stretch: int | None = None  # places of the first inner axis in a task, if that is cut
    taps: int = 1  # neighbouring places along the last axis that a tile has (see tile_writer.py)
    banded: bool = False  # whether each task copies a row band of what is read, with its halo

    @staticmethod
    def of(
        op: Conv, access: ConvAccess, target: Target, in_memory: Callable[[Value], bool]
    ) -> ConvPlan:
        """The plan for a convolution; `in_memory` tells which values are stored."""
        facts = _Facts(op, access, target, in_memory(op.w))
        return facts.weight_gradient() or facts.row_bands() or facts.in_place

    @property
    def is_weight_gradient(self) -> bool:
        return self.k_blocks in (KBlocks.AROUND, KBlocks.SPLIT)

    @property
    def phases(self) -> tuple[int, ...]:
        """How many stride phases there are along each axis of the window, if any."""
        return tuple(as_int(count) for count in phase_counts(self.access.phased))

    @property
    def stretches(self) -> Extent:
        """Into how many parts the first inner axis is cut for tasks."""
        if self.stretch is None:
            return 1
        return ceildiv(self.access.axes[self.inner[0]].extent, self.stretch)

    @property
    def band(self) -> dict[int, int]:
        """The axes of the operand that a row band has a part of, and how much."""
        return {0: 1} if self.stretch is None else {0: 1, 1: rows_read(self.access, self.stretch)}


def rows_read(access: ConvAccess, band: int) -> int:
    """How many rows of the operand, with its halo, so many places of the first axis see."""
    own = access.phased[0]
    first = as_int(access.read[1].low) - as_int(own.axis.low)
    return first + (band - 1) * own.stride + (as_int(own.axis.seen) - 1) * own.tap_stride + 1


class _Facts:
    """What decides, and the decisions in the order in which they are tried."""

    def __init__(self, op: Conv, access: ConvAccess, target: Target, stored: bool) -> None:
        self.op, self.access, self.target = op, access, target
        rows = CONV_TILE_ROWS if target.registers >= 32 else 6
        self.tile = register_tile(op.x.dtype.compute, target, rows)
        self.dilated = bool(phase_counts(access.phased))
        # Whether weights can be read as they are.
        self.readable = stored and op.w.dtype is op.w.dtype.compute and not self.dilated
        # The operand as it lies, or a copy of all of it.
        outer, inner = access.others[:-1], access.others[-1:]
        self.in_place = ConvPlan(op, access, self.tile, self.packs(), outer, inner)

    # The gradient of weights, or what looks like one.

    def weight_gradient(self) -> ConvPlan | None:
        """A convolution whose window has more taps than places."""
        op, places, k = self.op, largest(product(self.op.size)), largest(product(self.op.depth))
        taps, total = largest(product(op.w.shape[:-2])), product(op.result.shape)
        if self.dilated or not isinstance(total, int) or total > WEIGHT_GRADIENT_SUMS_MAX:
            return None
        if isinstance(k, int) and k < LONG_K_BLOCKS_MIN * BLOCK:
            return None
        if isinstance(taps, int) and isinstance(places, int) and places > taps:
            return None
        taps_of_tile, access = self.taps_of_tile(), self.access
        if taps_of_tile > 1:
            access = replace(access, rows=(access.others[-1], 0))
        split = total <= SPLIT_K_SUMS_MAX
        outer, inner = ((), access.others) if split else (access.others, ())
        k_blocks = KBlocks.SPLIT if split else KBlocks.AROUND
        how = not self.readable, outer, inner, k_blocks
        return ConvPlan(op, access, self.tile, *how, taps=taps_of_tile)

    def taps_of_tile(self) -> int:
        """How many taps of the gradient, which are places here, a tile has along the last axis:
        several, where sums that are few would wait for themselves."""
        access, axis = self.access, self.access.phased[-1].axis
        run, last = access.digits[-1], len(access.axes) - 1
        sizes = all(isinstance(e, int) for e in (*axis.numbers, axis.places))
        alone = run.extent == axis.taps and run.taps in (None, (last - 1, 1))
        if access.copied or access.rows != (0,) or not (sizes and alone):
            return 1
        vectors = 1 if as_int(self.op.in_group) <= self.tile.lanes else 2
        return max(1, min(as_int(axis.places), 2 * self.tile.rows // (vectors * access.count)))

    # A halo that is copied band by band.

    def row_bands(self) -> ConvPlan | None:
        """An operand of which each task copies what it reads."""
        access, batch = self.access, self.access.others[:1]
        in_order = access.order == tuple(range(self.op.x.rank)) and batch == (0,)
        sizes = all(isinstance(axis.extent, int) for axis in access.read[1:])
        if not (access.copied and in_order and sizes) or self.dilated or self.op.batch_groups != 1:
            return None
        # Bands lie along the first axis, if all others lie inside of it.
        cut = access.others[1:2] == (1,)
        band = self.band(cut)
        if band is None:
            return None
        # In a band there is one element of the batch, and one group.
        alone = StridedAxis(access.axes[0].extent, 0), *access.axes[1:]
        access = replace(access, axes=alone, groups=StridedAxis(access.groups.extent, 0))
        inner, stretch = access.others[1:], band if cut else None
        task = replace(self.in_place, outer=batch, inner=inner, stretch=stretch)
        return replace(task, access=access, banded=True)

    def band(self, cut: bool) -> int | None:
        """How many places of the first axis are a band, 1 where it is not `cut`; None where bands
        are too large or too small, or tasks too few."""
        access, batch = self.access, largest(self.op.x.shape[0])
        images = as_int(access.groups.extent) * (batch if isinstance(batch, int) else 1)
        places, shared = 1, 0
        if cut:
            own = access.phased[0]
            places = as_int(own.places)
            shared = -(-rows_read(access, 1) // own.stride) - 1
        shape = [axis.extent for axis in access.read]
        tasks = self.target.tasks
        fewest = min(places, -(-tasks // max(images, 1)))

        def fits(bands: int) -> bool:
            rows = rows_read(access, -(-places // bands))
            part = (1, rows, *shape[2:]) if cut else (1, *shape[1:])
            return as_int(product(part)) * self.op.x.dtype.compute.itemsize <= self.target.l2 // 2

        # The fewest bands that fit; of more bands none is larger.
        bands = fewest + bisect_left(range(fewest, places + 1), True, key=fits)
        band = -(-places // bands)
        if bands > places or images * bands < tasks:
            return None
        return None if bands > 1 and band < BAND_OVERLAPS_MIN * shared else band

    # Weights.

    def packs(self) -> bool:
        """Whether weights are packed. They are read as they lie where rows are whole lines, and few
        tiles read each, or a panel holds all columns; else packing makes sure that rows begin
        where lines do."""
        columns, access = as_int(self.op.w.shape[-1]), self.access
        places = product(access.axes[a].extent for a in access.others)
        tiles = places * -(-access.count // CONV_TILE_ROWS)
        few = isinstance(tiles, int) and tiles <= UNPACKED_TILES_MAX
        # conv 32x16x16x32 3x3x32: 1.00 of the time without a copy, wherever weights begin.
        narrow = columns <= self.tile.columns
        whole = columns * self.op.w.dtype.itemsize % self.target.line == 0
        return not (self.readable and whole and (few or narrow))
