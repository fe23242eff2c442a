"""Ops that slide a window over the axes between the first and the last: N, spatial..., C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Requirement, Value, once
from ..dtypes import DType
from ..extent import Extent, Shape, as_int, as_ints, ceildiv, floordiv, product
from ..types import TensorType
from ..value_classes import dataclass
from .contraction import BLOCK
from .elementwise import Add, Fma, Mul
from .shape import Reshape, Reverse, Transpose

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index

UNROLLED_TAPS_MAX = 9  # taps that are written out
STRIDE_MAX = 1 << 31
PLACES_MAX = 1 << 48  # more than fit in memory: sums of such numbers are indices


class Window(Op, abstract=True):
    """The base. Along each spatial axis, tap k of the window at place o of the result reads

        x[(o*stride + k*rhs_dilation - low) / lhs_dilation]

    where that is a whole number and inside x, and else is skipped: `lhs_dilation` is the distance
    of x's elements when zeros are put between them, `rhs_dilation` that of the window's (XLA's
    names; TensorFlow calls the second dilation), and `low` the padding before x. `size` is how many
    places there are; so the padding behind x needs no number. Gradients exchange stride and
    lhs_dilation.

    Operands and results are in memory; elements are pulled, the last axis along the lanes.
    """

    renamed: ClassVar = {"tap_strides": "rhs_dilation", "hole_strides": "lhs_dilation"}

    def requires(self) -> Iterable[Requirement]:
        places: Shape = self.attributes["size"]
        yield from (Requirement(e, "size", (e,)) for e in places)

    @property
    def spatial(self) -> int:
        """How many axes the window slides along."""
        rank: int = self.operands[0].rank - 2
        return rank

    def check_strides(self, *strides: int) -> None:
        """Errors for what is no stride: places times strides are numbers of 64 bits."""
        if any(s < 1 for s in strides):
            raise self.error("strides must be positive", "value")
        if any(s > STRIDE_MAX for s in strides):
            raise self.error(f"strides are at most {STRIDE_MAX}", "value")

    def check_window(
        self, window: Shape, size: Shape, low: Shape, *per_axis: Sequence[Any]
    ) -> None:
        """Errors for attributes that are not one a spatial axis, windows without a size, and places
        that no index counts."""
        if any(isinstance(e, int) and e < 0 for e in window):
            raise self.error("a window has numbers of taps", "value")
        if self.spatial < 0:
            raise self.error("operands must have a first axis (batch) and a last (channels)")
        if any(len(a) != self.spatial for a in (window, size, low, *per_axis)):
            raise self.error(f"every attribute needs {self.spatial} numbers, one a spatial axis")
        if any(isinstance(e, int) and abs(e) > PLACES_MAX for e in (*size, *low)):
            raise self.error(f"places and padding are at most {PLACES_MAX}", "value")


@dataclass(frozen=True)
class Axis:
    """One spatial axis: which taps of the window read something."""

    taps: Extent
    extent: Extent  # of what is read
    stride: int
    low: Extent
    rhs_dilation: int
    lhs_dilation: int
    places: Extent  # of the result

    @once
    def step(self) -> int:
        """Of so many neighbouring taps one reads something at a place, the others lie between."""
        return self.lhs_dilation // gcd(self.rhs_dilation, self.lhs_dilation)

    @once
    def seen(self) -> Extent:
        """As many taps at most read something."""
        return ceildiv(self.taps, self.step)

    @once
    def last(self) -> Extent:
        """Where the last tap of the last place reads, counted with the zeros that are put between
        x's elements."""
        return (self.places - 1) * self.stride + (self.taps - 1) * self.rhs_dilation - self.low

    def regular(self) -> bool:
        """Whether surely one in `step` taps reads something, at each place."""
        numbers = [e for e in (self.taps, self.extent, self.places, self.low) if isinstance(e, int)]
        if len(numbers) < 4 or min(numbers[:3]) < 1 or self.lhs_dilation != self.step:
            return False
        taps, extent, _, low = numbers
        # What is outside by less than a dilation, and not between elements, is inside.
        inside = low < self.lhs_dilation and as_int(self.last) < extent * self.lhs_dilation
        return inside and taps % self.step == 0

    def first(self, lower: ElementBuilder, place: Value) -> Value:
        """The first tap that reads something, where one in `step` does."""
        before = Term(lower.b, lower.extent(self.low)) - Term(lower.b, place) * self.stride
        if self.step == 1:
            return before.const(0).value
        return ((before * pow(self.rhs_dilation, -1, self.step)) % self.step).value

    @property
    def numbers(self) -> tuple[Extent, Extent, Extent]:
        """What may be unknown of it."""
        return self.taps, self.extent, self.low

    def range(self, lower: ElementBuilder, place: Value) -> tuple[Value, Value, int]:
        """The first tap that reads something, a bound for the taps, and their distance."""
        b = lower.b
        # Tap k reads position k*rhs_dilation - before, in [0, (extent - 1)*lhs_dilation].
        before = Term(b, lower.extent(self.low)) - Term(b, place) * self.stride
        end = before + Term(b, lower.extent((self.extent - 1) * self.lhs_dilation))
        first = _floor_div(before + (self.rhs_dilation - 1), self.rhs_dilation).maximum(0)
        taps = Term(b, lower.extent(self.taps))
        bound = (_floor_div(end, self.rhs_dilation) + 1).minimum(taps)
        common, step = self.lhs_dilation // self.step, self.step
        if step > 1:  # k*rhs_dilation = before modulo lhs_dilation: one tap in `step`
            inverse = pow(self.rhs_dilation // common, -1, step)
            wanted = _floor_div(before, common) * inverse
            first = first + ((wanted - first) % step)
        if common > 1:
            some = (before % common).equal(0)
            bound = some.select(bound, bound.const(0))
        return first.value, bound.value, step

    def position(self, lower: ElementBuilder, place: Value, tap: Value) -> Value:
        """Where the tap reads."""
        offset = Term(lower.b, lower.extent(self.low))
        at = Term(lower.b, place) * self.stride + Term(lower.b, tap) * self.rhs_dilation - offset
        return _floor_div(at, self.lhs_dilation).value

    def read(self, place: int, tap: int) -> int | None:
        """`position` on numbers; None where the tap is skipped."""
        at = place * self.stride + tap * self.rhs_dilation - as_int(self.low)
        inside = at % self.lhs_dilation == 0 and 0 <= at // self.lhs_dilation < as_int(self.extent)
        return at // self.lhs_dilation if inside else None


def _floor_div(x: Term, y: int) -> Term:
    return (x // y) if y != 1 else x


def axes_of(
    window: Shape,
    extents: Shape,
    strides: Sequence[int],
    low: Shape,
    rhs_dilation: Sequence[int],
    lhs_dilation: Sequence[int],
    places: Shape,
) -> list[Axis]:
    """The spatial axes of a window."""
    rows = zip(window, extents, strides, low, rhs_dilation, lhs_dilation, places, strict=True)
    return [Axis(*row) for row in rows]


def fold(
    lower: ElementBuilder,
    axes: Sequence[Axis],
    places: Index,
    init: Index,
    step: Callable[[Index, Index, Index], Sequence[Value]],
) -> Index:
    """`step(taps, positions, carried)` over the taps that read something, in row-major order. No
    loop where they are few, and as many everywhere."""
    few = product(tuple(axis.seen for axis in axes))
    unrolled = isinstance(few, int) and few <= UNROLLED_TAPS_MAX and all(a.regular() for a in axes)

    def level(taps: Index, positions: Index, carried: Index) -> Index:
        depth = len(taps)
        if depth == len(axes):
            return tuple(step(taps, positions, carried))
        axis, place = axes[depth], places[depth]
        if unrolled:
            first = axis.first(lower, place)
            for number in range(as_int(axis.seen)):
                tap = (Term(lower.b, first) + number * axis.step).value
                position = axis.position(lower, place, tap)
                carried = level((*taps, tap), (*positions, position), carried)
            return carried
        first, bound, distance = axis.range(lower, place)

        def body(tap: Value, inner: Index) -> Index:
            position = axis.position(lower, place, tap)
            return level((*taps, tap), (*positions, position), inner)

        return lower.carry(first, bound, carried, body, distance)

    return level((), (), init)


def taps_read(axes: Sequence[Axis], places: tuple[int, ...]) -> Iterator[tuple[Any, Any]]:
    """(taps, positions) as `fold` goes through them, on numbers."""
    counts: Any = [as_int(a.taps) for a in axes]
    for taps in np.ndindex(*counts):
        found = [a.read(p, t) for a, p, t in zip(axes, places, taps, strict=True)]
        if None not in found:
            yield taps, tuple(found)


def reflected(window: Shape, low: Shape, taps: Sequence[int]) -> Shape:
    """`low` of the window that goes back from the places to what they read."""
    return tuple((k - 1) * t - a for k, t, a in zip(window, taps, low, strict=True))


class Conv(Window):
    """result[n, o..., j] = sum over taps k..., channels i of x[n, position(o, k)..., i] *
    w[k..., i, j].

    x is [N, spatial..., C], w is [taps..., C / groups, J], the result [N, size..., J]. With
    `groups` (of channels), the j-th of the J results sees the channels of group j // (J / groups)
    only; with `batch_groups`, the elements of the batch of that group (and the result's batch has
    N / batch_groups). One of them is 1. That closes the family: gradients are convolutions.

    The order of every sum is fixed, as that of a `Matmul` whose k counts (taps..., i) in row-major
    order, where of a dilated x tap t of an axis counts as t // step, out of its `Axis.seen`, as of
    `step` neighbours one reads something: in blocks of BLOCK, each summed from 0 by
    fma(x, w, sum), which are added to 0 in order, in the compute dtype (float32 for halves). What
    is skipped contributes nothing, even where its weight is inf or nan. (So a kernel may do
    fma(0, w, sum) for a skipped tap whose weight is finite: that could only turn a sum of -0.0
    into 0.0, which the last addition does anyway.) Integers wrap.
    """

    x: Value
    w: Value
    size: Shape
    strides: tuple[int, ...]
    low: Shape
    rhs_dilation: tuple[int, ...]
    lhs_dilation: tuple[int, ...]
    groups: Extent
    batch_groups: Extent
    kinds: ClassVar[str] = "iuf"

    def infer(self) -> TensorType:
        x, w = self.x, self.w
        if x.dtype is not w.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if x.dtype.kind not in self.kinds:
            raise self.error(f"not defined for dtype {x.dtype.name}", "dtype")
        if w.rank != x.rank:
            raise self.error("operands must have the same rank")
        per_axis = self.strides, self.rhs_dilation, self.lhs_dilation
        self.check_window(w.shape[:-2], self.size, self.low, *per_axis)
        self.check_strides(*self.strides, *self.rhs_dilation, *self.lhs_dilation)
        if self.groups != 1 and self.batch_groups != 1:
            raise self.error("groups of channels or of the batch, not of both", "value")
        if any(isinstance(e, int) and e < 0 for e in self.size):
            raise self.error("the window is larger than what it slides over")
        if x.shape[-1] != w.shape[-2] * self.groups:
            raise self.error(
                f"x has {x.shape[-1]} channels, w takes {w.shape[-2]} in {self.groups} groups"
            )
        count = self.groups * self.batch_groups
        for extent in (w.shape[-1], x.shape[0] if self.groups == 1 else count):
            if floordiv(extent, count) * count != extent:
                raise self.error(f"{extent} cannot be divided into {count} groups")
        batch = floordiv(x.shape[0], self.batch_groups)
        return TensorType(x.dtype, (batch, *self.size, w.shape[-1]))

    def operations(self) -> Extent:
        return product((*self.result.shape, *self.depth)) * 2

    @property
    def depth(self) -> Shape:
        """What k counts: along each axis the taps that may read something, and the channels."""
        axes = self.axes(self.x.shape, self.w.shape)
        return (*[axis.seen for axis in axes], self.w.shape[-2])

    def axes(self, x: Shape, w: Shape) -> list[Axis]:
        """The spatial axes, for operands of these shapes."""
        return axes_of(
            w[:-2],
            x[1:-1],
            self.strides,
            self.low,
            self.rhs_dilation,
            self.lhs_dilation,
            self.size,
        )

    @property
    def in_group(self) -> Extent:
        """How many of the results' channels belong to one group."""
        return floordiv(self.w.shape[-1], self.groups * self.batch_groups)

    def numpy(self, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        compute = self.x.dtype.compute.numpy
        wide = np.dtype(np.longdouble if compute == np.float64 else np.float64)
        if self.x.dtype.is_integer:
            wide = compute
        groups, batches = as_int(self.groups), as_int(self.batch_groups)
        n, j = x.shape[0] // batches, w.shape[-1] // (groups * batches)
        size = as_ints(self.size)
        axes = self.axes(x.shape, w.shape)
        out = np.zeros((n, *size, w.shape[-1]), wide)
        for g in range(groups * batches):
            rows = slice(g * n, (g + 1) * n) if batches > 1 else slice(None)
            i = w.shape[-2]
            channels = slice(g * i, (g + 1) * i) if groups > 1 else slice(None)
            results = slice(g * j, (g + 1) * j)
            part, weights = x[rows, ..., channels].astype(wide), w[..., results].astype(wide)
            for places in np.ndindex(*size):
                for taps, positions in taps_read(axes, places):
                    seen = part[(slice(None), *positions)]
                    out[(slice(None), *places, results)] += seen @ weights[taps]
        return out.astype(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return conv_input(b, self, dy), conv_filter(b, self, dy)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        n, *places, j = index
        compute: DType = self.x.dtype.compute
        channels = self.w.shape[-2]
        group = Term(lower.b, j) // Term(lower.b, lower.extent(self.in_group))
        start, row = lower.extent(0), n
        if self.groups != 1:
            start = (group * Term(lower.b, lower.extent(channels))).value
        if self.batch_groups != 1:
            size = Term(lower.b, lower.extent(self.result.shape[0]))
            row = (group * size + Term(lower.b, n)).value

        nothing = lower.b.constant(0, compute)
        several = self.blocks()
        axes = self.axes(self.x.shape, self.w.shape)

        def tap(taps: Index, positions: Index, carried: Index) -> Index:
            counted = [
                _floor_div(Term(lower.b, t), a.step).value for t, a in zip(taps, axes, strict=True)
            ]
            k0 = lower.linear((*counted, lower.extent(0)), self.depth)

            def channel(i: Value, carried: Index) -> Index:
                total, *blocks = carried
                if several:
                    sums, current = (Term(lower.b, v) for v in blocks)
                    k = Term(lower.b, k0) + Term(lower.b, i)
                    block = k // BLOCK
                    other = block.not_equal(current)
                    sums = other.select(sums + Term(lower.b, total), sums)
                    empty = Term(lower.b, nothing)
                    total = other.select(empty, Term(lower.b, total)).value
                    blocks = [sums.value, block.value]
                seen = (Term(lower.b, start) + Term(lower.b, i)).value
                source = (row, *positions, seen)
                x = lower.cast(lower.element(self.x, source), compute)
                w = lower.cast(lower.element(self.w, (*taps, i, j)), compute)
                if compute.is_floating:
                    return (lower.emit(Fma(x, w, total)), *blocks)
                return (lower.emit(Add(lower.emit(Mul(x, w)), total)), *blocks)

            zero, end = lower.extent(0), lower.extent(channels)
            if channels == 1:
                return channel(zero, carried)
            # Emitted here, what the offsets of all channels share is not computed for each.
            lower.linear((row, *positions, zero), self.x.shape)
            lower.linear((*taps, zero), self.w.shape[:-1])
            return lower.carry(zero, end, carried, channel)

        init = (nothing, nothing, lower.extent(0)) if several else (nothing,)
        total, *blocks = fold(lower, axes, tuple(places), init, tap)
        before = blocks[0] if blocks else nothing
        return lower.cast(lower.emit(Add(before, total)), self.x.dtype)

    def blocks(self) -> bool:
        """Whether sums may have more than one block."""
        length = product(self.depth)
        return not isinstance(length, int) or length > BLOCK


def _exchanged(b: Builder, w: Value, groups: Extent) -> Value:
    """w with its two sorts of channels exchanged in each group: [..., i, g*j] as [..., j, g*i]."""
    *taps, i, results = w.shape
    k = len(taps)
    if groups == 1:
        value = b.emit(Transpose(w, (*range(k), k + 1, k)))
        return value
    j = floordiv(results, groups)
    split = b.emit(Reshape(w, (*taps, i, groups, j)))
    turned = b.emit(Transpose(split, (*range(k), k + 2, k + 1, k)))
    value = b.emit(Reshape(turned, (*taps, j, groups * i)))
    return value


def conv_input(b: Builder, conv: Any, dy: Value) -> Value:
    """The cotangent of x: `conv` has the fields of a Conv (of x only its shape is asked)."""
    shape, w, window = conv.x.shape, conv.w, conv.w.shape[:-2]
    rank, count = len(shape), conv.groups * conv.batch_groups
    flipped = b.emit(Reverse(w, tuple(range(rank - 2)))) if rank > 2 else w
    dx = b.emit(
        Conv(
            dy,
            _exchanged(b, flipped, count),
            shape[1:-1],
            conv.lhs_dilation,
            reflected(window, conv.low, conv.rhs_dilation),
            conv.rhs_dilation,
            conv.strides,
            count,
            1,
        )
    )
    if conv.batch_groups == 1:
        return dx
    n, channels = dx.shape[0], w.shape[-2]
    split = b.emit(Reshape(dx, (n, *shape[1:-1], count, channels)))
    front = b.emit(Transpose(split, (rank - 1, *range(rank - 1), rank)))
    return b.emit(Reshape(front, shape))


def conv_filter(b: Builder, conv: Any, dy: Value) -> Value:
    """The cotangent of w: `conv` has the fields of a Conv (of w only its shape is asked)."""
    x, window = conv.x, conv.w.shape[:-2]
    rank = x.rank
    middle = tuple(range(1, rank - 1))
    if conv.batch_groups == 1:
        # The batch is slid over, too, by one place: so k counts the places of dy as they lie in
        # memory, and nothing is transposed where x is read in place.
        slid, by, low = x, dy, conv.low
        dilations = conv.strides, conv.lhs_dilation
        holes = any(e != 1 for e in conv.lhs_dilation) and all(e == 1 for e in conv.strides)
        holes = holes and conv.groups == 1
        if holes:
            # x goes over dy, where it skips what would meet holes, and finds the taps' opposites.
            slid, by, dilations = dy, x, dilations[::-1]
            low = reflected(window, conv.low, conv.rhs_dilation)
        n, *places, j = by.shape
        turned = b.emit(Transpose(slid, (rank - 1, 0, *middle)))
        dw = b.emit(
            Conv(
                b.emit(Reshape(turned, (*turned.shape, 1))),
                b.emit(Reshape(by, (n, *places, 1, j))),
                (1, *window),
                (1, *conv.rhs_dilation),
                (0, *low),
                (1, *dilations[0]),
                (1, *dilations[1]),
                1,
                conv.groups,
            )
        )
        flat = b.emit(Reshape(dw, (dw.shape[0], *window, j)))
        if not holes:
            return b.emit(Transpose(flat, (*middle, 0, rank - 1)))
        turned = b.emit(Transpose(flat, (*middle, rank - 1, 0)))
        return b.emit(Reverse(turned, tuple(range(rank - 2))))
    channels_first = b.emit(Transpose(x, (rank - 1, *middle, 0)))
    places_first = b.emit(Transpose(dy, (*middle, 0, rank - 1)))
    dw = b.emit(
        Conv(
            channels_first,
            places_first,
            window,
            conv.rhs_dilation,
            conv.low,
            conv.strides,
            conv.lhs_dilation,
            conv.batch_groups,
            conv.groups,
        )
    )
    return b.emit(Transpose(dw, (*middle, 0, rank - 1)))
