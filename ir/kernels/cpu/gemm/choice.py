"""Schedules of contractions: sums of products as tiles of accumulators in registers.

    result[i, j] = 0 + B0 + B1 + ...      Bb = the chain fma(left[i, k], right[k, j], ...) from 0
                                               over the k of block b, in order

Blocks have BLOCK elements of k. So bits depend on the length of k alone, and a schedule may cut i
and j as it likes: into tiles of `rows` x `columns` accumulators that stay in registers while k
runs through a block. What a tile reads is packed before, so that it lies side by side: `left` in
a strip of rows, `right` in panels of as many columns as a tile has. Packing pulls elements, so
transposes and casts of operands cost nothing there; the write-back of a tile, still in the cache,
stores what else the kernel computes of the result.

`GEMM` lists the schedules in the order of preference; the first that matches is taken.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import partial
from typing import ClassVar, Self

from ....core import Value
from ....extent import Extent, ceildiv, product, terms_of
from ....ops.contraction import BLOCK
from ....value_classes import dataclass
from ...contraction import GemmShape, RegisterTile, register_tile
from ...plan.groups import Asked
from ...plan.reasons import OTHER_KIND, Mismatch
from ...target import Target
from . import unpacked
from .bfloat16_pairs import Bfloat16Pairs
from .blocked import Blocked, columns_at_once
from .gemv import Dot, MatrixVector
from .micro_kernel import Tiles
from .panels import PanelTasks
from .small_integers import SmallIntegers
from .unpacked import (
    UNPACKED_COLUMN_PRODUCTS_MAX,
    UNPACKED_ONCE_PRODUCTS_MAX,
    UNPACKED_PRODUCTS_MAX,
    Direct,
    not_in_place,
)

# How often left is packed where nobody knows how many columns there are. Not measured: a guess.
UNKNOWN_COLUMNS_PANELS = 4
# Rows from which on right is packed for all strips. By 1024x1024, 24 rows: 1.08 of the time with
# 17; 48 rows: 0.99 with 65.
PACKED_RIGHT_ROWS_MIN = 33
# Rows that there are at least, if any, from which on that is so where else calls would decide it,
# which is twice the code: 32 of each element of a batch, say. 32 rows by the transpose of 64x256:
# 1.00 of the time, of 512x512 1.13.
SURE_ROWS_MIN = 32
# Elements of right up to which so few rows are enough. 32 rows by the transpose of 128x256: 1.02 of
# the time, of 1024x100: 1.11.
SURE_ROWS_RIGHT_ELEMENTS_MAX = 1 << 15
# The same where each strip of rows would compute right. By int8 weights of 2048x2048, 6 rows:
# 1.10 of the time with 5; 12 rows: 0.75 with 17.
PACKED_COMPUTED_ROWS_MIN = 9
# Rows of a tile where nobody knows how many rows there are, but that they are few: as many as give
# eight sums to add to. 4, 8, 16, 32 rows by the transpose of 512x512: 1.00, 0.85, 0.99, 0.91 of the
# time with tiles of 12 and of 4 rows, which is twice the code; with 8 rows 1.22, 0.87, 1.01, 0.92.
LOW_PANEL_TILE_ROWS = 4
# Elements of each result of a batch from which on right is packed for all of its rows. matmul
# batch 16 of 128: 0.99 of the time with a quarter and with four times as many.
BATCH_PACKED_ELEMENTS_MIN = 1 << 16

WINDOWS = Mismatch("what windows see is packed")
SMALL_BATCH = Mismatch("there are several products, whose results are not known to be large")


class GemmSchedule(ABC):
    """How one contraction is gone through: by its shape alone, so that it is known before anything
    is written."""

    takes: ClassVar[str]  # what it is for, as "it takes ..." goes on

    @classmethod
    @abstractmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        """The schedule for a contraction of this shape, or why it is not for it."""

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        """How often each element of left (number 0) or right is evaluated, where it is computed;
        None where it should be in memory."""
        return None

    @abstractmethod
    def emit(self, t: Tiles) -> None:
        """Write it."""


@dataclass(frozen=True)
class NoGemm(GemmSchedule):
    """A result without elements."""

    takes = "results without elements"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        return cls() if 0 in (shape.m, shape.n, *shape.batch) else OTHER_KIND

    def emit(self, t: Tiles) -> None:
        pass


@dataclass(frozen=True)
class UnpackedGemm(GemmSchedule):
    """Operands are read where they are (unpacked.py): for what is small, narrow or low."""

    takes = "products that are small, narrow or low, of operands that are read as they are"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        return unpacked.misfit(shape, target) or cls()

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        """Each strip of rows reads all of right, as whole vectors; left is read one by one."""
        one_strip = (
            isinstance(shape.m, int) and shape.m <= register_tile(shape.compute, target).rows
        )
        return 1 if number and one_strip and shape.n != 1 and shape.volume != 0 else None

    def emit(self, t: Tiles) -> None:
        Direct(t).write()


@dataclass(frozen=True)
class DotProduct(GemmSchedule):
    """One row by one column (gemv.py): the lanes are blocks of k."""

    takes = "a row by a column that are longer than a block"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if not (shape.m == 1 and shape.n == 1 and shape.k != 0):
            return OTHER_KIND
        if isinstance(shape.k, int) and shape.k <= BLOCK:
            return Mismatch("{} products are one block (at most {})", shape.k, BLOCK)
        if not shape.compute.is_floating:
            return Mismatch("{} is not floating", shape.compute)
        return WINDOWS if shape.windows else cls()

    def emit(self, t: Tiles) -> None:
        Dot(t).write()


@dataclass(frozen=True)
class Gemv(GemmSchedule):
    """One row or one column (gemv.py): nothing is read twice, so only what does not lie along the
    lanes is packed."""

    takes = "a row by a matrix, or a matrix by a column"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if shape.m != 1 and shape.n != 1:
            return OTHER_KIND
        if shape.m == 1 and shape.n == 1 and shape.k != 0:
            return Mismatch("both operands are vectors")
        return WINDOWS if shape.windows else cls()

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return 1 if number == (shape.m == 1) else None  # the matrix

    def emit(self, t: Tiles) -> None:
        MatrixVector(t).write()


@dataclass(frozen=True)
class BriefGemm(GemmSchedule):
    """Small tiles, the operands of which are read where they are, if they can be."""

    takes = "small products, whose code shall be short"

    way: GemmSchedule

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if not target.brief:
            return OTHER_KIND
        if shape.in_place:
            return cls(UnpackedGemm())
        return cls(PanelGemm() if isinstance(shape.m, int) else LowPanelGemm())

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return self.way.repeats(number, shape, target)

    def emit(self, t: Tiles) -> None:
        self.way.emit(t)


@dataclass(frozen=True)
class FewRowsGemm(UnpackedGemm):
    """Rows known to be so few that right is not worth packing."""

    takes = "few rows by a matrix"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        most = PACKED_COMPUTED_ROWS_MIN if shape.right_computed else PACKED_RIGHT_ROWS_MIN
        if not (isinstance(shape.m, int) and shape.m < most):
            return Mismatch("{} rows are not few (below {})", shape.m, most)
        return cls() if shape.in_place else not_in_place(shape)


@dataclass(frozen=True)
class BlockedGemm(GemmSchedule):
    """The panels of a block of columns are packed once, for all strips of rows; a task is a strip
    (blocked.py). For what is large."""

    takes = "many rows by a matrix"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if not isinstance(shape.m, int):
            if shape.in_place or not _surely_many(shape):
                return Mismatch("it is not known how many rows {} are", shape.m)
        elif shape.m < PACKED_RIGHT_ROWS_MIN:
            return Mismatch("{} rows are few (below {})", shape.m, PACKED_RIGHT_ROWS_MIN)
        return SMALL_BATCH if _is_small_batch(shape) else cls()

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return 1 if number else _blocks(shape.n, columns_at_once(shape, target))

    def emit(self, t: Tiles) -> None:
        Blocked(t.lower, t.p).write()


@dataclass(frozen=True)
class SmallIntegerGemm(BlockedGemm):
    """The same for int32 sums of int8, uint8 or int16, several of which are multiplied and added by
    one instruction (small_integers.py)."""

    takes = "many rows of small integers by a matrix of such, with sums that are int32"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        return super().matches(shape, target) if shape.products(target) > 1 else OTHER_KIND

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        words = replace(shape, k=ceildiv(shape.k, shape.products(target)))
        return super().repeats(number, words, target)

    def emit(self, t: Tiles) -> None:
        SmallIntegers(t.lower, t.p).write()


@dataclass(frozen=True)
class Bfloat16Gemm(BlockedGemm):
    """The same for float32 sums of bfloat16, two of which are multiplied and added by one
    instruction (bfloat16_pairs.py)."""

    takes = "many rows of bfloat16 by a matrix of such"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if not shape.has_pairs(target) or shape.windows:
            return OTHER_KIND
        return super().matches(shape, target)

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        words = replace(shape, k=ceildiv(shape.k, 2))
        columns = columns_at_once(words, target, Bfloat16Pairs.block)
        return 1 if number else _blocks(shape.n, columns)

    def emit(self, t: Tiles) -> None:
        Bfloat16Pairs(t.lower, t.p).write()


@dataclass(frozen=True)
class PanelGemm(GemmSchedule):
    """One task a panel of columns: packs it, and goes through the rows (panels.py). For batches,
    and for few rows where an operand has to be packed."""

    takes = "any product"

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        return cls()

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return 1 if number else _blocks(shape.n, register_tile(shape.compute, target).columns)

    def emit(self, t: Tiles) -> None:
        PanelTasks(t.lower, t.p).write(t.choices())


@dataclass(frozen=True)
class TallPanelGemm(PanelGemm):
    """The same where there are surely many rows: all tiles are high."""

    def emit(self, t: Tiles) -> None:
        PanelTasks(t.lower, t.p).write([t.rows])


@dataclass(frozen=True)
class LowPanelGemm(PanelGemm):
    """The same where nobody knows how many rows there are, but that they are few: all tiles are of
    one height, which is half of the code."""

    def emit(self, t: Tiles) -> None:
        tasks = PanelTasks(t.lower, t.p)
        rows = min(LOW_PANEL_TILE_ROWS, tasks.rows)
        tasks.shape(RegisterTile(rows, tasks.columns, tasks.lanes))
        tasks.write([rows])


@dataclass(frozen=True)
class VersionedGemm(GemmSchedule):
    """Two schedules, between which the number of rows decides at run time."""

    takes = "rows by a matrix, where their number is not known"

    large: GemmSchedule
    small: GemmSchedule

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | Mismatch:
        if isinstance(shape.m, int):
            return Mismatch("it is known that there are {} rows", shape.m)
        batch = _is_small_batch(shape)
        if batch and not shape.in_place:
            return not_in_place(shape)
        small = UnpackedGemm() if shape.in_place else LowPanelGemm()
        blocked = BlockedGemm()
        if shape.products(target) > 1:
            blocked = SmallIntegerGemm()
        elif shape.has_pairs(target) and not shape.windows:
            blocked = Bfloat16Gemm()
        return cls(TallPanelGemm() if batch else blocked, small)

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return self.large.repeats(number, shape, target)

    def emit(self, t: Tiles) -> None:
        large = self.is_large(t)
        t.when(large, partial(self.large.emit, t))
        t.when(~t.index(large), partial(self.small.emit, t))

    def is_large(self, t: Tiles) -> Value:
        """Whether packing is worth it: a right operand that is computed is so for each strip of
        rows, else."""
        p, m = t.p, t.extent(t.p.m)
        if not p.in_place:
            return (t.index(m) >= PACKED_RIGHT_ROWS_MIN).value
        if p.right_computed:
            return (t.index(m) >= PACKED_COMPUTED_ROWS_MIN).value
        several = (t.index(m) >= PACKED_RIGHT_ROWS_MIN).value
        return (t.index(several) & (t.index(p.volume) > UNPACKED_PRODUCTS_MAX)).value


def is_small_left(shape: GemmShape) -> bool:
    """Whether left is better in memory than computed while it is packed, as it would not have to
    be packed then."""
    if shape.m == 1:
        return True
    small = isinstance(shape.volume, int) and shape.volume <= (
        UNPACKED_COLUMN_PRODUCTS_MAX if shape.n == 1 else UNPACKED_ONCE_PRODUCTS_MAX
    )
    return small or (shape.n != 1 and isinstance(shape.m, int) and shape.m < PACKED_RIGHT_ROWS_MIN)


def _blocks(n: Extent, columns: int) -> Extent:
    """How many blocks of columns there are."""
    return ceildiv(n, columns) if isinstance(n, int) else UNKNOWN_COLUMNS_PANELS


def _surely_many(shape: GemmShape) -> bool:
    """Whether there are many rows, if there are any: their number is a multiple of many."""
    least = math.gcd(*(factor for _, factor in terms_of(shape.m)))
    right = product((shape.k, shape.n))
    small = isinstance(right, int) and right <= SURE_ROWS_RIGHT_ELEMENTS_MAX
    return least >= (SURE_ROWS_MIN if small else PACKED_RIGHT_ROWS_MIN)


def _is_small_batch(shape: GemmShape) -> bool:
    """Whether there are several products, whose results are not known to be large."""
    large = (
        isinstance(shape.m, int)
        and isinstance(shape.n, int)
        and shape.m * shape.n > BATCH_PACKED_ELEMENTS_MIN
    )
    return bool(shape.batch) and not large


GEMM: tuple[type[GemmSchedule], ...] = (
    *(NoGemm, UnpackedGemm, DotProduct, Gemv, BriefGemm, FewRowsGemm),
    *(SmallIntegerGemm, Bfloat16Gemm, BlockedGemm, VersionedGemm, PanelGemm),
)


def choose(shape: GemmShape, target: Target) -> GemmSchedule:
    """The schedule of a contraction: the first that matches."""
    shape = shape.largest()
    for way in GEMM:
        found = way.matches(shape, target)
        if not isinstance(found, Mismatch):
            return found
    raise AssertionError("the last schedule is for any contraction")


def asked(shape: GemmShape, target: Target) -> Asked:
    """What `choose` asked, in order."""
    shape = shape.largest()
    for way in GEMM:
        found = way.matches(shape, target)
        yield way, found
        if not isinstance(found, Mismatch):
            return


def write(t: Tiles) -> None:
    """Write a contraction by the schedule of its shape."""
    choose(t.p, t.lower.target).emit(t)
