"""A convolution, and the windows that go over its result: one kernel.

    for each element of the batch, band of pooled rows and panel of columns, on any threads:
        [the band of the operand, with a halo]
        the tiles of the rows that the band's windows see, with their epilogue, into the cache
        for each place of the band: the window's maximum, or whatever it is, of these

So what is pooled is never in memory: with windows of 2 x 2 it would be four times as much as the
result. Bands are cut where no window sees rows of two of them; if all do, a band has all rows.
Every element is what it is in kernels of their own. It is for what nothing else reads: gradients
want what was pooled.

What it buys, beside two kernels (one thread of an AMD EPYC, processor time, 3x3, relu, maxima of
2x2): 128x32x32x3 with 32 results takes 2.3 ms, not 2.9; 256x28x28x1 1.2, not 2.2; 256x13x13x32 with
64 results 8.8, not 11.0.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Self

from ....core import Function, Op, Value
from ....element_builder import Index
from ....extent import Extent, as_int, as_ints, product
from ....ops.pooling import MaxPool
from ....ops.window import Axis, Conv
from ....value_classes import dataclass
from ...common.im2col import gemm_shape
from ...plan.groups import Group, Kind, Plan, Schedule
from ...plan.machine import readers
from ...plan.reasons import OTHER_KIND, Mismatch
from ..gemm.micro_kernel import Tiles
from .access import StridedAxis
from .finite_guard import guard_of, write_guarded
from .im2col import Im2colStrips
from .loops import ConvLoops, Inner
from .plan import ConvPlan
from .schedules import ConvTiles
from .tile_writer import LoopState, across_panel

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target

# Bytes of what is pooled, of a band and a panel: as long as one row of windows needs no more.
# conv 3x3 of 128x32x32x3, 2x2: 1.07 of the time with 16 KB, 1.12 with 32; of 256x13x13x32: 1.00,
# 1.09.
POOLED_BYTES_MAX = 8 << 10
# The same if it needs more: a bound for the stack of a thread.
POOLED_ROW_BYTES_MAX = 64 << 10


# Which groups are one.


def join(f: Function, plan: Plan, order: dict[Value, int], target: Target) -> None:
    """Make one group of each convolution and the windows over it: its `parts` are the two."""
    if Conv not in f.op_classes or plan.binds:  # extents that the data tell come between groups
        return
    users = readers(f.body)
    for last in list(plan.groups):
        op = last.op
        if last.kind is not Kind.ELEMENTS or window_axes(op) is None:
            continue
        pooled = op.operands[0]
        if users[pooled] != [op] or pooled in f.returns or pooled in plan.views:
            continue
        first = next((group for group in plan.groups if pooled in group.roots), None)
        if first is None or first.parts or plan.outputs(first) != [pooled]:
            continue
        begin, end = plan.groups.index(first), plan.groups.index(last)
        between = plan.groups[begin + 1 : end]
        if any(group.kind in (Kind.ALONE, Kind.CALL) for group in between):
            continue  # what may change what the convolution reads
        if isinstance(pooled_plan(first, last, plan, target), Mismatch):
            continue
        plan.groups[end] = Group(Kind.CONTRACTION, last.shape, last.roots, (first, last))
        del plan.groups[begin]


def window_axes(op: Op) -> list[Axis] | None:
    """The axes of a window over a result; None for what is none."""
    if isinstance(op, MaxPool):
        return op.axes(op.x.shape)
    if not isinstance(op, Conv) or not op.groups == op.x.shape[-1] == op.w.shape[-1]:
        return None
    return op.axes(op.x.shape, op.w.shape) if op.batch_groups == 1 else None


def pooled_plan(first: Group, last: Group, plan: Plan, target: Target) -> ConvPlan | Mismatch:
    """How the convolution is computed in bands, or why it may not be."""
    axes = window_axes(last.op)
    tiles = ConvTiles.matches(first, plan, target)
    if axes is None or isinstance(tiles, Mismatch) or not isinstance(tiles.way, ConvPlan):
        return OTHER_KIND
    way, op, pooled = tiles.way, tiles.op, last.op.operands[0]
    sizes = (*op.size, *(e for axis in axes for e in (*axis.numbers, axis.places)))
    if not all(isinstance(e, int) and e > 0 for e in (*op.size, *last.shape[1:])):
        return Mismatch("the sizes {} are not known", op.result)
    if not all(isinstance(e, int) for e in sizes) or pooled.shape != op.result.shape:
        return OTHER_KIND
    if way.phases or way.is_weight_gradient or op.groups * op.batch_groups != 1:
        return Mismatch("its tiles do not go through all of k at once")
    others = way.access.others
    if others[:1] != (0,):
        return Mismatch("its tiles have rows of several elements of the batch")
    band = _band(op, way, axes[0], pooled, others[1:2] == (1,))
    if isinstance(band, Mismatch):
        return band
    # What no window sees is not computed.
    batch, *places = way.access.axes
    pairs = zip(places, axes, as_ints(op.size), strict=True)
    seen = [StridedAxis(min(size, as_int(axis.last) + 1), s.stride) for s, axis, size in pairs]
    if any(as_int(own.extent) < 1 for own in seen):
        return Mismatch("windows see nothing of it")
    access = replace(way.access, axes=(batch, *seen))
    return replace(way, access=access, outer=(0,), inner=others[1:], stretch=band)


def _band(op: Conv, way: ConvPlan, axis: Axis, pooled: Value, cut: bool) -> int | Mismatch | None:
    """How many rows of the result a band has, None for all of them."""
    columns = min(way.tile.columns, as_int(op.in_group))
    row = as_int(product(op.size[1:])) * columns * pooled.dtype.itemsize
    apart = as_int(axis.taps) <= axis.stride and axis.rhs_dilation == axis.lhs_dilation == 1
    size = as_int(op.size[0])
    step = axis.stride if cut and apart and axis.low == 0 else size
    if step * row > POOLED_ROW_BYTES_MAX:
        return Mismatch("{} bytes of a row of windows are many", step * row)
    if step == size:
        whole = way.stretch in (None, size)
        return None if whole else Mismatch("its windows see rows of several bands")
    most = max(step, POOLED_BYTES_MAX // row // step * step)
    if way.stretch is not None:
        return min(most, max(step, way.stretch // step * step))
    return None if most >= size else most


# Their kernel.


@dataclass(frozen=True)
class PooledConv(Schedule):
    """A convolution, band by band, and windows over it."""

    takes = "convolutions whose result only windows see"
    whole = "convolution and its windows"
    begins = (MaxPool, Conv)
    kind = Kind.CONTRACTION

    first: Group
    last: Group
    way: ConvPlan

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        if not group.parts or window_axes(group.op) is None:
            return OTHER_KIND
        first, last = group.parts
        way = pooled_plan(first, last, plan, target)
        return way if isinstance(way, Mismatch) else cls(first, last, way)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return gemm_shape(self.way.op).cost(target)

    def emit(self, lower: GroupBuilder) -> None:
        PooledWriter(lower, self).write()


class PooledWriter:
    """Writes one."""

    def __init__(self, lower: GroupBuilder, schedule: PooledConv) -> None:
        self.lower, self.way, self.op = lower, schedule.way, schedule.way.op
        self.first, self.last = schedule.first, schedule.last
        self.pooled = self.last.op.operands[0]
        axes = window_axes(self.last.op)
        assert axes is not None
        self.axes = axes

    def write(self) -> None:
        op, lower = self.op, self.lower
        with lower.scope(self.first):
            t = Tiles(lower, Im2colStrips(lower, op).places())
        self.t = t
        loops = ConvLoops(t, self.way, self.panel)
        # Zeros of a halo are seen no more once a maximum is taken: the weights are searched.
        write_guarded(t, op, guard_of(op, ()), loops.write, self.pull)

    def pull(self) -> None:
        """All elements of the result, one by one, with all that their windows see."""
        lower, producer = self.lower, self.pooled.op
        assert producer is not None
        with lower.scope(self.last):
            lower.read_through(self.pooled, partial(producer.at, lower))  # type: ignore[attr-defined]
            lower.nest(self.last.shape, lower.store_roots)

    def panel(self, state: LoopState, inner: Inner) -> None:
        """The tiles of a band and a panel, and the windows over them."""
        lower, t, size = self.lower, self.t, self.op.size
        rows = self.way.stretch or as_int(size[0])
        zero = t.extent(0)
        low = zero if self.way.stretch is None else (t.index(state.stretch) * rows).value
        shape = (rows, *size[1:], state.columns)
        buffer = t.local(as_int(product(shape)), self.pooled.dtype)

        def place(index: Index) -> tuple[Value, Value]:
            _, row, *others, column = index
            inside = (t.index(row) - low).value, *others, (t.index(column) - state.j0).value
            return buffer, lower.linear(inside, shape)

        with lower.scope(self.first):
            lower.keep_at(self.pooled, place)
            inner(state)
        with lower.scope(self.last):
            lower.read_through(self.pooled, lambda index: lower.load(*place(index)))
            self.windows(state, low, rows)

    def windows(self, state: LoopState, low: Value, rows: int) -> None:
        """What the windows over a band make."""
        lower, t, count = self.lower, self.t, state.columns
        places = self.last.shape[1:-1]

        def column(index: Index) -> None:
            def element(j: Value) -> None:
                lower.store_roots((*index, (t.index(state.j0) + j).value))

            across_panel(t, count, element)

        def row(i: Value) -> None:
            at = state.places[0], i
            lower.nest(places[1:], lambda rest: column((*at, *rest)), serial=len(places))

        begin, end = t.extent(0), t.extent(places[0])
        if self.way.stretch is not None:
            own = rows // self.axes[0].stride
            begin = (t.index(state.stretch) * own).value
            end = (t.index(begin) + own).minimum(end).value
        lower.loop(begin, end, row)
