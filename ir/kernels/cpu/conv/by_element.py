"""What a convolution sums up to at one place, element by element: a routine that all kernels share,
with sizes and strides as arguments.

    for each group:
        for each column of the group, along the lanes:
            for each tap of the window, each channel if it reads something:
                sum = fma(x, w, sum), by blocks of k

It is for what is seldom needed (see finite_guard.py), and so one routine for each rank and dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ....algebra import Term
from ....core import Function, Value, types_of
from ....dtypes import DType
from ....element_builder import Index
from ....extent import Extent, Shape, symbol
from ....kernel_op import LoopKind
from ....ops.contraction import BLOCK
from ....ops.elementwise import Add, Cast, Fma
from ....ops.shape import Transpose
from ....ops.window import Conv
from ....types import INDEX, BufferType
from ....value_classes import NamedTuple
from ...builder import KERNEL_RULES
from ...expand_scalars import expanded
from ...group_builder import GroupBuilder
from ...index_builder import IndexBuilder
from ...ops import CallRoutine, For, Load, Store
from .access import access_of, stored_weights


class Sizes(NamedTuple):
    """Of the whole convolution: of extents, or in the routine of what stands for them."""

    groups: Any
    columns: Any  # of a group
    channels: Any
    next_row: Any  # from the rows of x that a group sees to those of the next
    next_channel: Any  # and of the channels
    rows: Any  # strides in x of rows and channels
    depth: Any
    weights: Any  # and in w of channels


class AxisSizes(NamedTuple):
    """Of one axis that the window slides along."""

    places: Any
    stride: Any
    rhs_dilation: Any
    lhs_dilation: Any
    low: Any
    extent: Any
    taps: Any
    step: Any
    seen: Any
    x: Any  # the stride in memory
    w: Any


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
    apart = dict(zip(order, _strides([op.x.shape[a] for a in order]), strict=True))
    w = _strides(weights.shape)
    if weights is not op.w:
        assert isinstance(op.w.op, Transpose)
        w = [w[a] for a in op.w.op.perm]
    numbers: list[Extent] = [
        *Sizes(
            op.groups * op.batch_groups,
            op.in_group,
            op.w.shape[-2],
            op.result.shape[0] if op.batch_groups != 1 else 0,
            op.w.shape[-2] if op.groups != 1 else 0,
            apart[0],
            apart[op.x.rank - 1],
            w[-2],
        )
    ]
    for a, axis in enumerate(op.axes(op.x.shape, op.w.shape)):
        own = axis.stride, axis.rhs_dilation, axis.lhs_dilation, axis.low, axis.extent, axis.taps
        numbers += AxisSizes(axis.places, *own, axis.step, axis.seen, apart[a + 1], w[a])
    callee = _routine(len(op.size), memory.dtype, weights.dtype, compute)

    def write(sums: Value, place: Value) -> None:
        given = [lower.extent(number) for number in numbers]
        buffers = lower.buffer(memory), lower.buffer(weights), sums
        lower.b.emit_all(CallRoutine((*buffers, place, *given), callee, True))

    return write


def _strides(shape: Sequence[Extent]) -> list[Extent]:
    strides: list[Extent] = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


@cache
def _routine(spatial: int, x: DType, w: DType, compute: DType) -> Function:
    """The routine for so many axes."""
    b = IndexBuilder("conv_element", KERNEL_RULES)
    size: Shape = (symbol("n"),)
    buffers = [b.parameter(BufferType(dtype, size)) for dtype in (x, w, compute)]
    place, *numbers = (
        Term(b, b.parameter(INDEX))
        for _ in range(1 + len(Sizes._fields) + spatial * len(AxisSizes._fields))
    )
    sizes = Sizes(*numbers[: len(Sizes._fields)])
    rest = iter(numbers[len(Sizes._fields) :])
    axes = [AxisSizes(*[next(rest) for _ in AxisSizes._fields]) for _ in range(spatial)]
    _Routine(b, buffers, sizes, axes).write(place)
    return expanded(b.build())


class _Routine:
    """Writes the routine."""

    def __init__(
        self, b: IndexBuilder, buffers: Sequence[Value], sizes: Sizes, axes: Sequence[AxisSizes]
    ) -> None:
        self.b, self.buffers, self.sizes, self.axes = b, buffers, sizes, axes

    def here(self, x: Term | Value) -> Term:
        """An index for arithmetic in the innermost region."""
        return Term(self.b, x.value if isinstance(x, Term) else x)

    def loop(
        self,
        high: Term,
        init: Index,
        body: Callable[[Term, Index], Index],
        kind: LoopKind = LoopKind.SERIAL,
    ) -> Index:
        """What a loop from 0 on carries in the end."""
        outer, zero = self.b, self.b.constant(0, INDEX.dtype)
        self.b = outer.inner()
        params = [Value(t, None, i) for i, t in enumerate((INDEX, *types_of(init)))]
        self.b.counts(params[0], zero, high.value)
        returns = body(self.here(params[0]), tuple(params[1:]))
        region = Function("body", tuple(params), tuple(self.b.body), tuple(returns))
        self.b = outer
        return outer.emit_all(For(zero, high.value, init, 1, kind, region))

    def write(self, place: Term) -> None:
        places: list[Term] = []
        for axis in reversed(self.axes):
            places.insert(0, place % axis.places)
            place = place // axis.places

        def group(g: Term, _: Index) -> Index:
            first = self.here(self.sizes.columns) * g
            row = (g * self.sizes.next_row + place) * self.sizes.rows
            start = row + g * self.sizes.next_channel * self.sizes.depth

            def column(j: Term, _: Index) -> Index:
                self.column(j + first, start, places)
                return ()

            return self.loop(self.sizes.columns, (), column, LoopKind.VECTOR)

        self.loop(self.sizes.groups, (), group)

    def column(self, j: Term, start: Term, places: Sequence[Term]) -> None:
        """The sum of a column."""
        compute = self.buffers[-1].dtype
        zero = self.b.constant(0, compute)

        def taps(a: int, sums: Index, seen: Term | None, k: Term | None, x: Term, w: Term) -> Index:
            if a == len(self.axes):
                return self.channels(sums, seen, k, x, w)
            axis = self.axes[a]

            def tap(number: Term, inner: Index) -> Index:
                at = self.here(places[a]) * axis.stride + number * axis.rhs_dilation - axis.low
                position = at // axis.lhs_dilation
                good = (at >= 0) & (position < axis.extent) & (at % axis.lhs_dilation).equal(0)
                count = number // axis.step
                return taps(
                    a + 1,
                    inner,
                    good if seen is None else good & seen,
                    count if k is None else self.here(k) * axis.seen + count,
                    self.here(x) + position * axis.x,
                    self.here(w) + number * axis.w,
                )

            return self.loop(axis.taps, sums, tap)

        none = self.b.constant(0, INDEX.dtype)
        total, before, _ = taps(0, (zero, zero, none), None, None, start, j)
        total = self.b.emit(Add(before, total))
        self.b.emit_all(Store(self.buffers[-1], j.value, total))

    def channels(self, sums: Index, seen: Term | None, k: Term | None, x: Term, w: Term) -> Index:
        """What is added for a tap."""
        depth = self.here(self.sizes.channels)
        count = depth if seen is None else self.here(seen).select(depth, depth.const(0))
        first = depth.const(0) if k is None else self.here(k) * depth

        def channel(i: Term, sums: Index) -> Index:
            total, before, current = (self.here(v) for v in sums)
            block = (self.here(first) + i) // BLOCK
            other = block.not_equal(current)
            before = other.select(before + total, before)
            total = other.select(total.const(0), total)
            a = self.load(self.buffers[0], self.here(x) + i * self.sizes.depth)
            b = self.load(self.buffers[1], self.here(w) + i * self.sizes.weights)
            return self.b.emit(Fma(a, b, total.value)), before.value, block.value

        return self.loop(count, sums, channel)

    def load(self, buffer: Value, offset: Term) -> Value:
        value = self.b.emit(Load(buffer, offset.value, None))
        return self.b.emit(Cast(value, self.buffers[-1].dtype))
