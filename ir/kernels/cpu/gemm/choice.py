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

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import Self

from ....core import Value
from ....extent import Extent, ceildiv
from ....ops.contraction import BLOCK
from ...contraction import GemmShape, register_tile
from ...target import Target
from . import unpacked
from .blocked import Blocked, columns_at_once
from .gemv import Dot, MatrixVector
from .micro_kernel import Tiles
from .panels import PanelTasks
from .unpacked import (
    UNPACKED_COLUMN_PRODUCTS_MAX,
    UNPACKED_ONCE_PRODUCTS_MAX,
    UNPACKED_PRODUCTS_MAX,
    Direct,
)

# How often left is packed where nobody knows how many columns there are. Not measured: a guess.
UNKNOWN_COLUMNS_PANELS = 4
# Rows from which on right is packed for all strips. By 1024x1024, 24 rows: 1.08 of the time with
# 17; 48 rows: 0.99 with 65.
PACKED_RIGHT_ROWS_MIN = 33
# The same where each strip of rows would compute right. By int8 weights of 2048x2048, 6 rows:
# 1.10 of the time with 5; 12 rows: 0.75 with 17.
PACKED_COMPUTED_ROWS_MIN = 9
# Elements of each result of a batch from which on right is packed for all of its rows. matmul
# batch 16 of 128: 0.99 of the time with a quarter and with four times as many.
BATCH_PACKED_ELEMENTS_MIN = 1 << 16


class GemmSchedule(ABC):
    """How one contraction is gone through: by its shape alone, so that it is known before anything
    is written."""

    @classmethod
    @abstractmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        """The schedule for a contraction of this shape; None where it is not for it."""

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

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        return cls() if 0 in (shape.m, shape.n, *shape.batch) else None

    def emit(self, t: Tiles) -> None:
        pass


@dataclass(frozen=True)
class UnpackedGemm(GemmSchedule):
    """Operands are read where they are (unpacked.py): for what is small, narrow or low."""

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        return cls() if unpacked.fits(shape, target) else None

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

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        several = not isinstance(shape.k, int) or shape.k > BLOCK
        both = shape.m == 1 and shape.n == 1 and shape.k != 0
        fits = both and several and shape.compute.is_floating and not shape.windows
        return cls() if fits else None

    def emit(self, t: Tiles) -> None:
        Dot(t).write()


@dataclass(frozen=True)
class Gemv(GemmSchedule):
    """One row or one column (gemv.py): nothing is read twice, so only what does not lie along the
    lanes is packed."""

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        if shape.windows or (shape.m == 1 and shape.n == 1 and shape.k != 0):
            return None
        return cls() if shape.m == 1 or shape.n == 1 else None

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return 1 if number == (shape.m == 1) else None  # the matrix

    def emit(self, t: Tiles) -> None:
        MatrixVector(t).write()


@dataclass(frozen=True)
class FewRowsGemm(UnpackedGemm):
    """Rows known to be so few that right is not worth packing."""

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        most = PACKED_COMPUTED_ROWS_MIN if shape.right_computed else PACKED_RIGHT_ROWS_MIN
        few = isinstance(shape.m, int) and shape.m < most
        return cls() if few and shape.in_place else None


@dataclass(frozen=True)
class BlockedGemm(GemmSchedule):
    """The panels of a block of columns are packed once, for all strips of rows; a task is a strip
    (blocked.py). For what is large."""

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        enough = isinstance(shape.m, int) and shape.m >= PACKED_RIGHT_ROWS_MIN
        return cls() if enough and not _is_small_batch(shape) else None

    def repeats(self, number: int, shape: GemmShape, target: Target) -> Extent | None:
        return 1 if number else _blocks(shape.n, columns_at_once(shape, target))

    def emit(self, t: Tiles) -> None:
        Blocked(t.lower, t.p).write()


@dataclass(frozen=True)
class PanelGemm(GemmSchedule):
    """One task a panel of columns: packs it, and goes through the rows (panels.py). For batches,
    and for few rows where an operand has to be packed."""

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
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
class VersionedGemm(GemmSchedule):
    """Two schedules, between which the number of rows decides at run time."""

    large: GemmSchedule
    small: GemmSchedule

    @classmethod
    def matches(cls, shape: GemmShape, target: Target) -> Self | None:
        if isinstance(shape.m, int):
            return None
        batch = _is_small_batch(shape)
        if batch and not shape.in_place:
            return None
        small = UnpackedGemm() if shape.in_place else PanelGemm()
        return cls(TallPanelGemm() if batch else BlockedGemm(), small)

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


def _is_small_batch(shape: GemmShape) -> bool:
    """Whether there are several products, whose results are not known to be large."""
    large = (
        isinstance(shape.m, int)
        and isinstance(shape.n, int)
        and shape.m * shape.n > BATCH_PACKED_ELEMENTS_MIN
    )
    return bool(shape.batch) and not large


GEMM: tuple[type[GemmSchedule], ...] = (
    *(NoGemm, UnpackedGemm, DotProduct, Gemv, FewRowsGemm),
    *(BlockedGemm, VersionedGemm, PanelGemm),
)


def choose(shape: GemmShape, target: Target) -> GemmSchedule:
    """The schedule of a contraction: the first that matches."""
    return next(found for way in GEMM if (found := way.matches(shape, target)) is not None)


def write(t: Tiles) -> None:
    """Write a contraction by the schedule of its shape."""
    choose(t.p, t.lower.target).emit(t)
