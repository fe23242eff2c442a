"""How a convolution goes through its operand where that lies in memory (see tile_writer.py).

Where an element of the operand lies is a sum, of something for each axis of the result and for
each digit of k (the taps of the window, the channels). A walk says how far apart neighbours along
each of these are, which axes the rows of tiles count, and what happens where the window looks
beyond the operand:

    a border     the operand is copied, with zeros around it (see halo.py); then the channels
                 of each group lie side by side
    clipped      rows that lie along the batch all see the same taps: the others are left out of
                 k's loops, and nothing is copied. So it is for the gradient of weights, where the
                 batch of the convolution are the channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from ....core import Value
from ....extent import Extent, floordiv, product
from ....ops.index_map import IndexMap
from ....ops.shape import Transpose
from ....ops.window import Conv
from ...plan.groups import whole_axes
from ..gemm.unpacked import strips
from .stride_phases import Phased

HIGH = 14  # rows of a tile, where there are 32 registers
FAR = 512  # elements between rows or k, above which they want the same lines of the cache
FAR_ONCE = 4096  # the same between values of k whose rows are neighbours: read once a tile
LEAST_ROWS = 8  # of a tile, from which on that is better than packing
LEAST_APART = 3  # the same where neighbours of a run do not lie side by side
MOST_ROWS = 5 * HIGH  # of several axes together: each strip of them is written out


class Axis(NamedTuple):
    """An axis of the result, or a digit of k: how far apart neighbours are in memory."""

    extent: Extent
    distance: Any  # in elements
    # For a digit of which some values may be left out: the axis of the window that says which
    # taps there are, and how many values one of these stands for.
    taps: tuple[int, int] | None = None


@dataclass
class Walk:
    """How a convolution goes through its operand."""

    memory: Value  # what is read
    order: tuple[int, ...]  # the axes of the convolution's operand, as they lie in memory
    copied: bool
    split: bool  # whether groups lie apart in the copy, as its first axis
    clipped: bool
    shape: tuple[Extent, ...]  # of what is read, with its border, as it lies in memory
    low: tuple[Extent, ...]  # the border before the window's axes
    axes: list[Axis]  # of the result's phases, but for the last
    phased: list[Phased]  # the window's
    distances: list[Extent]  # of neighbours along these
    rows: tuple[int, ...]  # which axes the rows of tiles count
    digits: list[Axis]  # of k, the last one the run
    groups: Axis  # of channels or of the batch

    @property
    def count(self) -> int:
        """How many rows there are."""
        return _count(self.axes, self.rows)

    def row(self, number: int) -> tuple[int, ...]:
        """The places of a row along the axes that rows count."""
        found = []
        for a in reversed(self.rows):
            number, place = divmod(number, int(self.axes[a].extent))  # type: ignore[arg-type]
            found.append(place)
        return tuple(reversed(found))

    def offset(self, number: int) -> int:
        """Where a row lies, from the first one."""
        places = zip(self.rows, self.row(number), strict=True)
        return sum(place * self.axes[a].distance for a, place in places)


def walk(op: Any) -> Walk | None:
    """How a convolution may be read in place; None where it may not."""
    if not isinstance(op, Conv) or not op.size:
        return None
    groups = op.groups * op.batch_groups
    if not isinstance(groups, int) or (groups != 1 and op.w.shape[-2] == op.in_group == 1):
        return None
    if not all(isinstance(e, int) for e in (*op.w.shape[1:], *op.size[1:])):
        return None
    if 0 in (*op.w.shape, *op.size, *op.x.shape[1:]):
        return None
    axes = op.axes(op.x.shape, op.w.shape)
    phased = [Phased(axis, size) for axis, size in zip(axes, op.size, strict=True)]
    borders = [own.border() for own in phased]
    clipped = _walk(op, phased, [(0, 0)] * len(phased))
    if clipped is not None and clipped.rows == (0,) and all(a.hole == 1 for a in axes):
        clipped.clipped = any(border != (0, 0) for border in borders)
        return clipped
    known = [border for border in borders if border is not None]
    return _walk(op, phased, known) if len(known) == len(borders) else None


def _walk(op: Conv, phased: list[Phased], borders: Sequence[tuple[int, int]]) -> Walk | None:
    """The walk with these borders."""
    memory, order = source(op.x)
    copied = op.x.dtype.compute is not op.x.dtype or any(b != (0, 0) for b in borders)
    reach: list[Extent] = [op.x.shape[0]]
    for own, (before, behind) in zip(phased, borders, strict=True):
        reach.append(own.axis.extent + before + behind)
    split = copied and op.groups != 1 and order[-1] == op.x.rank - 1
    shape = [*reach, op.w.shape[-2] if split else op.x.shape[-1]]
    distances: dict[int, Extent] = {}
    step: Extent = 1
    for a in reversed(order):
        distances[a] = step
        step = step * shape[a]
    result = [Axis(floordiv(op.x.shape[0], op.batch_groups), distances[0])]
    digits = []
    for a, own in enumerate(phased, 1):
        result.append(Axis(own.places, own.stride * distances[a]))
        border = borders[a - 1] == (0, 0) != own.border()
        fewer = (a - 1, 1) if own.axis.hole > 1 or border else None
        digits.append(Axis(own.axis.seen, own.apart * distances[a], fewer))
    channels = Axis(op.w.shape[-2], distances[op.x.rank - 1])
    digits.append(channels)
    digits = _joined(digits)
    run = digits[-1].distance
    holes = any(own.axis.hole > 1 for own in phased)
    rows = _rows(result, LEAST_ROWS if run == 1 else LEAST_APART, not holes)
    if rows is None or not isinstance(run, int):
        return None
    if run > (FAR_ONCE if result[rows[-1]].distance == 1 else FAR):
        return None
    grouped = channels if op.groups != 1 else result[0]
    apart = Axis(op.groups * op.batch_groups, step if split else grouped.extent * grouped.distance)
    low = tuple(before for before, _ in borders)
    lies = (*((op.groups,) if split else ()), *[shape[a] for a in order])
    found = (memory, order, copied, split, False, lies, low, result)
    inner = [distances[a] for a in range(1, op.x.rank - 1)]
    return Walk(*found, phased, inner, rows, digits, apart)


def weights(op: Conv) -> Value:
    """What is in memory of the weights: packing costs as much where these are transposed, but for
    their columns."""
    match op.w.op:
        case Transpose(x=x, perm=perm) if perm[-1] == op.w.rank - 1:
            return x if all(hole == 1 for hole in op.hole_strides) else op.w
    return op.w


def source(x: Value) -> tuple[Value, tuple[int, ...]]:
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


def _joined(digits: list[Axis]) -> list[Axis]:
    """The digits with neighbours as one where they lie at one distance."""
    found = [digits[-1]]
    for digit in reversed(digits[:-1]):
        last = found[0]
        if digit.extent == 1 and digit.taps is None:
            continue
        if last.extent == 1 and last.taps is None:
            found[0] = digit
        elif (
            isinstance(last.extent, int)
            and last.taps is None
            and digit.distance == last.extent * last.distance
        ):
            taps = digit.taps and (digit.taps[0], digit.taps[1] * last.extent)
            found[0] = Axis(digit.extent * last.extent, last.distance, taps)
        else:
            found.insert(0, digit)
    return found


def _rows(axes: Sequence[Axis], least: int, several: bool) -> tuple[int, ...] | None:
    """The axes whose places make the highest tiles: of single ones the last; `several` together
    where no single one is long."""
    best = least
    place: tuple[int, ...] | None = None
    for a, axis in enumerate(axes):
        if isinstance(axis.distance, int) and axis.distance <= FAR and _count(axes, (a,)):
            height = strips(_count(axes, (a,)), HIGH)[0][2]
            if height >= best:
                best, place = height, (a,)
    if not several or (place is not None and best >= LEAST_ROWS):
        return place
    known = [a for a, e in enumerate(axes) if isinstance(e.distance, int) and e.extent != 1]
    for size in range(2, len(known) + 1):
        for chosen in combinations(known, size):
            count = _count(axes, chosen)
            near = any(axes[a].distance <= FAR for a in chosen)
            if near and 0 < count <= MOST_ROWS and strips(count, HIGH)[0][2] > best:
                best, place = strips(count, HIGH)[0][2], chosen
    return place


def _count(axes: Sequence[Axis], rows: tuple[int, ...]) -> int:
    """How many rows these axes count together; 0 where nobody knows."""
    count: Any = product(tuple(axes[a].extent for a in rows))
    return count if isinstance(count, int) else 0
