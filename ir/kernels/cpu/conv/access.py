"""How a convolution reads its operand in place: the strides of an implicit GEMM.

Where an element of the operand lies is a sum, of something for each axis of the result and for
each digit of k (the taps of the window, the channels). A `ConvAccess` holds the stride of each of
these, which axes the rows of tiles count, and what happens where the window looks beyond the
operand:

    a halo       the operand is copied, with zeros around it (see halo.py); then the channels of
                 each group lie side by side
    clipped      rows that lie along the batch all see the same taps: the others are left out of
                 k's loops, and nothing is copied. So it is for the gradient of weights, where the
                 batch of the convolution are the channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any
from weakref import WeakKeyDictionary

from ....core import Op, Value
from ....extent import Extent, as_int, floordiv, product
from ....ops.index_map import IndexMap
from ....ops.shape import Transpose
from ....ops.window import Conv
from ....value_classes import NamedTuple, dataclass
from ...common.stride_phases import PhasedAxis, phase_counts, phased_axes
from ...plan.groups import whole_axes
from ...plan.reasons import Mismatch
from ..gemm.unpacked import strips

# Rows of a tile where there are 32 registers: 28 sums, two registers of weights, one of the
# operand. conv 8x56x56x64 3x3x64: 1.10 of the time with 7, 0.98 with 10, 1.01 with 12.
CONV_TILE_ROWS = 14
# Elements between rows or k, above which they want the same lines of the cache. conv 32x28x28x64
# 1x1x64, gradient of w: 0.98 of the time with 64 and with 16384; conv 8x224x224x3 7x7x64: 0.98,
# 1.00.
STRIDE_ELEMENTS_MAX = 512
# The same between values of k whose rows are neighbours: read once a tile. That gradient of w:
# 0.99 of the time with 512, 0.98 with 65536.
RUN_STRIDE_ELEMENTS_MAX = 4096
# Rows of a tile from which on reading in place is better than packing. conv 32x28x28x32 3x3x64
# stride 2: 1.02 of the time with 4, 1.02 with 13; 4x4 places of a DCGAN (two strips of 8): 0.5 to
# 0.9 of the time where they are packed.
TILE_ROWS_MIN = 8
# The same where neighbours of a run do not lie side by side, as in gradients of w of few
# channels. conv 128x32x32x3 3x3x64, gradient of w, has 3 rows for each tap.
APART_TILE_ROWS_MIN = 3
# Rows of several axes together: strips that begin within the inner ones are written out. conv
# 128x32x32x3 3x3x64, gradient of w: 1.23 of the time without.
UNROLLED_STRIPS_ROWS_MAX = 5 * CONV_TILE_ROWS


class StridedAxis(NamedTuple):
    """An axis of the result, or a digit of k."""

    extent: Extent
    stride: Any  # between neighbours in memory, in elements
    # For a digit of which some values may be left out: the axis of the window that says which
    # taps there are, and how many values one of these stands for.
    taps: tuple[int, int] | None = None


class ReadAxis(NamedTuple):
    """An axis of what is read: of the operand, or of a copy with a halo."""

    extent: Extent  # with the halo
    low: int  # the halo before
    inside: Extent  # what the operand has
    stride: Extent = 1


@dataclass(frozen=True)
class ConvAccess:
    """How a convolution goes through its operand."""

    memory: Value  # what is read
    order: tuple[int, ...]  # the axes of the convolution's operand, as they lie in memory
    copied: bool
    split: bool  # whether groups lie apart in the copy, as its first axis
    clipped: bool
    read: tuple[ReadAxis, ...]  # the axes of the operand; channels of one group, if groups part
    axes: tuple[StridedAxis, ...]  # of the result's phases, but for the last
    phased: tuple[PhasedAxis, ...]  # the window's
    rows: tuple[int, ...]  # which axes the rows of tiles count
    digits: tuple[StridedAxis, ...]  # of k, the last one the run
    groups: StridedAxis  # of channels or of the batch

    @property
    def others(self) -> tuple[int, ...]:
        """The axes that rows do not count."""
        return tuple(a for a in range(len(self.axes)) if a not in self.rows)

    @property
    def inner(self) -> int:
        """Rows that have one place along the first axis that they count."""
        return as_int(product(self.axes[a].extent for a in self.rows[1:]))

    @property
    def count(self) -> int:
        """How many rows there are."""
        return _count(self.axes, self.rows)

    def row(self, number: int) -> tuple[int, ...]:
        """The places of a row along the axes that rows count."""
        places = []
        for a in reversed(self.rows):
            number, place = divmod(number, as_int(self.axes[a].extent))
            places.append(place)
        return tuple(reversed(places))

    def offset(self, number: int) -> int:
        """Where a row lies, from the first one."""
        places = zip(self.rows, self.row(number), strict=True)
        return sum(place * self.axes[a].stride for a, place in places)


_found: WeakKeyDictionary[Conv, ConvAccess | Mismatch] = WeakKeyDictionary()  # once an op


def access_of(op: Op) -> ConvAccess | None:
    """How a convolution may be read in place; None where it may not."""
    found = access_or_why(op) if isinstance(op, Conv) else None
    return None if isinstance(found, Mismatch) else found


def access_or_why(op: Conv) -> ConvAccess | Mismatch:
    """How a convolution may be read in place, or why it may not."""
    if op not in _found:
        _found[op] = _find(op)
    return _found[op]


def _find(op: Conv) -> ConvAccess | Mismatch:
    if not op.size:
        return Mismatch("it has no windows")
    groups = op.groups * op.batch_groups
    if not isinstance(groups, int):
        return Mismatch("it is not known how many groups {} are", groups)
    if groups != 1 and op.w.shape[-2] == op.in_group == 1:
        return Mismatch("a group has one channel")
    if not all(isinstance(e, int) for e in (*op.w.shape[1:], *op.size[1:])):
        return Mismatch("the sizes of its windows are not known")
    if 0 in (*op.w.shape, *op.size, *op.x.shape[1:]):
        return Mismatch("it has no elements")
    phased = phased_axes(op)
    halos = [own.halo() for own in phased]
    clipped, dense = _access(op, phased, [(0, 0)] * len(phased)), not phase_counts(phased)
    if clipped is not None and clipped.rows == (0,) and dense:
        return replace(clipped, clipped=any(halo != (0, 0) for halo in halos))
    known = [halo for halo in halos if halo is not None]
    if len(known) != len(halos):
        return Mismatch("it is not known how far its windows reach beyond the ends")
    return _access(op, phased, known) or Mismatch("too few places lie side by side in memory")


def _access(
    op: Conv, phased: tuple[PhasedAxis, ...], halos: Sequence[tuple[int, int]]
) -> ConvAccess | None:
    """The access with these halos."""
    memory, order = stored_operand(op.x)
    copied = op.x.dtype.compute is not op.x.dtype or any(halo != (0, 0) for halo in halos)
    split = copied and op.groups != 1 and order[-1] == op.x.rank - 1
    inside = [*op.x.shape[:-1], op.w.shape[-2] if split else op.x.shape[-1]]
    ends = [(0, 0), *halos, (0, 0)]
    read = [ReadAxis(e + sum(halo), halo[0], e) for e, halo in zip(inside, ends, strict=True)]
    stride: Extent = 1
    for a in reversed(order):
        read[a] = read[a]._replace(stride=stride)
        stride = stride * read[a].extent
    result = [StridedAxis(floordiv(op.x.shape[0], op.batch_groups), read[0].stride)]
    digits = []
    for a, own in enumerate(phased, 1):
        result.append(StridedAxis(own.places, own.stride * read[a].stride))
        clipped = halos[a - 1] == (0, 0) != own.halo()
        digits.append(taps_of(own, a - 1, read[a].stride, clipped))
    channels = StridedAxis(op.w.shape[-2], read[-1].stride)
    digits = joined([*digits, channels])
    run = digits[-1].stride
    even = all(own.even for own in phased)  # all stride phases have as many places
    rows = _rows(result, TILE_ROWS_MIN if run == 1 else APART_TILE_ROWS_MIN, even)
    if rows is None or not isinstance(run, int):
        return None
    if run > (RUN_STRIDE_ELEMENTS_MAX if result[rows[-1]].stride == 1 else STRIDE_ELEMENTS_MAX):
        return None
    grouped = channels if op.groups != 1 else result[0]
    apart = stride if split else grouped.extent * grouped.stride
    return ConvAccess(
        memory,
        order,
        copied,
        split,
        clipped=False,
        read=tuple(read),
        axes=tuple(result),
        phased=phased,
        rows=rows,
        digits=tuple(digits),
        groups=StridedAxis(op.groups * op.batch_groups, apart),
    )


def taps_of(own: PhasedAxis, a: int, stride: Extent, clipped: bool = False) -> StridedAxis:
    """The digit of k that counts taps along axis `a` of the window, for what lies so far apart."""
    fewer = (a, 1) if own.axis.lhs_dilation > 1 or clipped else None
    return StridedAxis(own.axis.seen, own.tap_stride * stride, fewer)


def stored_weights(op: Conv) -> Value:
    """What is in memory of the weights: packing costs as much where these are transposed, but for
    their columns."""
    match op.w.op:
        case Transpose(x=x, perm=perm) if perm[-1] == op.w.rank - 1:
            return x if all(e == 1 for e in op.lhs_dilation) else op.w
    return op.w


def stored_operand(x: Value) -> tuple[Value, tuple[int, ...]]:
    """What `x` shows but for transposes and further axes of 1, and the axes of x in the order in
    which they lie in memory."""
    order = tuple(range(x.rank))  # axes of the convolution's operand, by axes of the value
    alone: tuple[int, ...] = ()
    while isinstance(x.op, IndexMap) and (told := whole_axes(x.op)):
        kept = [m.axis for m in told[0]]
        added = [a for a in range(x.rank) if a not in kept]
        if None in kept or any(x.shape[a] != 1 for a in added):
            break
        alone += tuple(order[a] for a in added)
        order = tuple(order[a] for a in kept if a is not None)
        x = x.op.x
    return x, (*alone, *order)


def joined(digits: list[StridedAxis]) -> list[StridedAxis]:
    """The digits with neighbours as one where they lie at one stride."""
    *others, last = [d for d in digits if d.extent != 1 or d.taps] or digits[-1:]
    found = [last]
    for digit in reversed(others):
        last = found[0]
        known = isinstance(last.extent, int) and last.taps is None
        if known and digit.stride == last.extent * last.stride:
            taps = digit.taps and (digit.taps[0], digit.taps[1] * as_int(last.extent))
            found[0] = StridedAxis(digit.extent * last.extent, last.stride, taps)
        else:
            found.insert(0, digit)
    return found


def _rows(axes: Sequence[StridedAxis], least: int, several: bool) -> tuple[int, ...] | None:
    """The axes whose places make the highest tiles: of single ones the last; `several` together
    where no single one is long."""
    best = least
    rows: tuple[int, ...] | None = None
    known = [a for a, e in enumerate(axes) if isinstance(e.stride, int) and e.extent != 1]
    for size in range(1, len(known) + 1):
        if size > 1 and (not several or (rows is not None and best >= TILE_ROWS_MIN)):
            break
        for chosen in combinations(known, size):
            count = _count(axes, chosen)
            near = any(axes[a].stride <= STRIDE_ELEMENTS_MAX for a in chosen)
            if not near or count == 0 or (size > 1 and count > UNROLLED_STRIPS_ROWS_MAX):
                continue
            height = strips(count, CONV_TILE_ROWS)[0][2]
            if height > best or (height == best and (size == 1 or rows is None)):
                best, rows = height, chosen
    return rows


def _count(axes: Sequence[StridedAxis], rows: tuple[int, ...]) -> int:
    """How many rows these axes count together; 0 where nobody knows."""
    count: Any = product(tuple(axes[a].extent for a in rows))
    return count if isinstance(count, int) else 0
