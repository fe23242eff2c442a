"""What a convolution sums up to at one place, element by element: a routine that all kernels share,
with sizes and strides as arguments.

    for each group:
        for each column of the group, along the lanes:
            for each tap of the window, each channel if it reads something:
                sum = fma(x, w, sum), by blocks of k

It is for what is seldom needed (see finite_guard.py), and so one routine for each rank and dtype.
Where each kernel has code of its own for this, the first call of a step with six convolutions and
their gradients takes 1.06 to 1.15 of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ....core import Value
from ....dtypes import DType
from ....element_builder import Index
from ....extent import Extent
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add
from ....ops.shape import Transpose
from ....ops.window import Conv
from ...group_builder import GroupBuilder
from ...writer import Writer
from .access import access_of, stored_weights


def element_sums(
    lower: GroupBuilder, op: Conv, compute: DType
) -> Callable[[Value, Value], None] | None:
    """What stores the sums of all columns to a buffer of dtype `compute`, at the place of the
    result of which the number is given; None where operands are not in memory."""
    access, weights = access_of(op), stored_weights(op)
    weights = op.w if lower.in_memory(op.w) else weights
    memory, order = (op.x, range(op.x.rank)) if access is None else (access.memory, access.order)
    if not (lower.in_memory(memory) and lower.in_memory(weights)):
        return None
    x = dict(zip(order, _strides([op.x.shape[a] for a in order]), strict=True))
    w = _strides(weights.shape)
    if weights is not op.w:
        assert isinstance(op.w.op, Transpose)
        w = [w[a] for a in op.w.op.perm]
    depth = op.w.shape[-2]
    next_row = op.result.shape[0] if op.batch_groups != 1 else 0
    next_channel = depth if op.groups != 1 else 0
    # As `_write` takes them: of the whole convolution, and of each axis.
    numbers: list[Extent] = [op.groups * op.batch_groups, op.in_group, depth]
    numbers += [next_row, next_channel, x[0], x[op.x.rank - 1], w[-2]]
    for a, axis in enumerate(op.axes(op.x.shape, op.w.shape)):
        own = axis.stride, axis.rhs_dilation, axis.lhs_dilation, axis.low, axis.extent, axis.taps
        numbers += [axis.places, *own, axis.step, axis.seen, x[a + 1], w[a]]

    def sums(buffer: Value, place: Value) -> None:
        given = (lower.buffer(memory), lower.buffer(weights), buffer, place)
        every = (*given, *map(lower.extent, numbers))
        lower.call_routine("conv_element", every, lambda *params: _write(lower, *params), True)

    return sums


def _strides(shape: Sequence[Extent]) -> list[Extent]:
    strides: list[Extent] = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


def _write(lower: GroupBuilder, x: Value, w: Value, sums: Value, place: Value, *rest: Any) -> Index:
    """The routine. From the rows and channels of x that a group sees it is so far to those of the
    next; `x_row`, `x_channel`, `w_channel` and the last two numbers of an axis are strides."""
    t, index = Writer(lower), lower.index
    groups, columns, depth, next_row, next_channel, x_row, x_channel, w_channel = rest[:8]
    axes = [rest[a : a + 11] for a in range(8, len(rest), 11)]
    none, zero = lower.extent(0), lower.b.constant(0, sums.dtype)
    lanes = max(1, lower.target.vector_bytes // sums.dtype.itemsize)
    n, *places = lower.unlinear(place, (1, *[axis[0] for axis in axes]))
    windows = (1, *[axis[6] for axis in axes])  # their taps
    all_taps = prod(map(index, windows[1:]), start=index(1))

    def column(j: Value, start: Value) -> None:
        def tap(q: Value, totals: Index) -> Index:
            seen: Value | None = None
            k, x_tap, w_tap = index(0), index(start), index(j)
            numbers = lower.unlinear(q, windows)[1:]
            for at, number, axis in zip(places, numbers, axes, strict=True):
                _, stride, rhs, lhs, low, extent, _, step, count, x_stride, w_stride = axis
                position = index(at) * stride + index(number) * rhs - low
                read = position // lhs
                seen = t.both(seen, (position % lhs).equal(0) & (position >= 0))
                seen = t.both(seen, read < extent)
                k = k * count + index(number) // step
                x_tap, w_tap = x_tap + read * x_stride, w_tap + index(number) * w_stride
            first, x_first, w_first = (k * depth).value, x_tap.value, w_tap.value

            def channel(i: Value, totals: Index) -> Index:
                total, before, current = map(index, totals)
                block = (index(first) + i) // BLOCK
                other = block.not_equal(current)
                before = other.select(before + total, before)
                total = other.select(total.const(0), total)
                a = lower.load(x, (index(x_first) + index(i) * x_channel).value)
                b = lower.load(w, (index(w_first) + index(i) * w_channel).value)
                a, b = lower.cast(a, sums.dtype), lower.cast(b, sums.dtype)
                return lower.fma(a, b, total.value), before.value, block.value

            inside = depth if seen is None else index(seen).select(depth, none).value
            return lower.carry(none, inside, totals, channel)

        total, before, _ = lower.carry(none, all_taps.value, (zero, zero, none), tap)
        lower.store(sums, j, lower.emit(Add(before, total)))

    def group(g: Value) -> None:
        row, first = index(g) * next_row + n, (index(g) * columns).value
        start = (row * x_row + index(g) * next_channel * x_channel).value
        end = (index(first) + columns).value

        def vector(j: Value) -> None:  # one body, for the last columns, too
            lower.loop(j, end, lambda j: column(j, start), LoopKind.SIMD_MASKED, step=lanes)

        lower.loop(first, end, vector, step=lanes)

    lower.loop(none, groups, group)
    return ()
