"""Im2col: a convolution as one matrix product, whose row of `left` is what the window sees at one
place.

Row i is place (n, o...) of the result, and k counts taps and then channels, as the window's weights
do. The matrix is never in memory: its elements are loaded from x where they are needed, zeros where
the window reads nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from ...algebra import Term
from ...core import Op, Value
from ...element_builder import Index
from ...extent import Shape, product
from ...ops.elementwise import BitwiseAnd
from ...ops.window import Axis, Conv
from ..contraction import GemmShape, Problem
from ..writer import Writer
from .stride_phases import PhasedAxis, TapRange, first_taps, phase_counts, phased_axes

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder


def is_single_gemm(op: Op) -> TypeGuard[Conv]:
    """Whether a convolution is one matrix product; with groups it is one for each."""
    return isinstance(op, Conv) and op.groups == 1 and op.batch_groups == 1


def sees_everything(op: Conv) -> bool:
    """Whether windows see something everywhere, as far as one can tell."""
    return all(map(sees_all, op.axes(op.x.shape, op.w.shape)))


def sees_all(axis: Axis) -> bool:
    """Whether every tap reads something at every place, as far as one can tell."""
    return axis.lhs_dilation == 1 and axis.regular()


def rows_of_phase(op: Conv) -> Shape:
    """The axes of the result whose places are the rows of the product of one stride phase."""
    return (op.result.shape[0], *[axis.places for axis in phased_axes(op)])


def gemm_shape(op: Conv) -> GemmShape:
    """The product that a convolution is: one for each stride phase."""
    return GemmShape(
        result=op.result,
        batch=phase_counts(phased_axes(op)),
        m=product(rows_of_phase(op)),
        n=op.w.shape[-1],
        k=product(op.depth),
        windows=True,
    )


class Im2col:
    """The matrix of what a window sees."""

    def __init__(self, lower: GroupBuilder, op: Conv) -> None:
        self.lower, self.op = lower, op
        self.axes = phased_axes(op)
        self.phases = phase_counts(self.axes)
        self.rows = rows_of_phase(op)
        self.compute = op.x.dtype.compute

    def problem(self) -> Problem:
        """The product, elements of whose operands are loaded one by one."""
        w = self.op.w
        plain = w.dtype is self.compute and not self.phases and self.lower.in_memory(w)
        found = Problem(
            **vars(gemm_shape(self.op)),
            left=self.left,
            right=self.right,
            right_plain=w if plain else None,
        )
        if self.phases:
            found.place = self.place
        else:
            found.rows = self.rows
        return found

    def left(self, phases: Index, i: Value, k: Value) -> Value:
        """What the window sees: element k of the row of place i."""
        lower, op, t = self.lower, self.op, Writer(self.lower)
        n, *places = lower.unlinear(i, self.rows)
        *taps, channel = lower.unlinear(k, op.depth)
        positions = []
        seen: Value | None = None
        first = self.taps(t, phases)
        for axis, place, tap, begin in zip(self.axes, places, taps, first, strict=True):
            at, conditions = self.position(t, axis, begin, place, tap)
            positions.append(at)
            for condition in conditions:
                seen = condition if seen is None else lower.emit(BitwiseAnd(seen, condition))
        offset = lower.linear((n, *positions, channel), op.x.shape)
        mask = lower.mask
        if seen is not None:
            mask = seen if mask is None else lower.emit(BitwiseAnd(mask, seen))
        return lower.cast(lower.load(lower.buffer(op.x), offset, mask), self.compute)

    def right(self, phases: Index, k: Value, j: Value) -> Value:
        """The weight that element k of a row is multiplied by, of column j."""
        lower, op = self.lower, self.op
        mask = lower.mask
        if not lower.in_memory(op.w):
            place = (*lower.unlinear(k, op.depth), j)
            return lower.cast(lower.element(op.w, place), self.compute)
        if self.phases:
            k, mask = self.weight(phases, k)
        t = Term(lower.b, k) * Term(lower.b, lower.extent(op.w.shape[-1])) + Term(lower.b, j)
        return lower.cast(lower.load(lower.buffer(op.w), t.value, mask), self.compute)

    def taps(self, t: Writer, phases: Index) -> list[TapRange]:
        """What the first place of these phases sees along each axis."""
        return first_taps(t, self.axes, phases)

    def weight(self, phases: Index, k: Value) -> tuple[Value, Value | None]:
        """The row of the weights that k stands for in a phase, and whether to load it."""
        lower, t = self.lower, Writer(self.lower)
        *taps, channel = lower.unlinear(k, self.op.depth)
        mask = lower.mask
        found = []
        for axis, seen, tap in zip(self.axes, self.taps(t, phases), taps, strict=True):
            found.append((t.index(seen.first) + t.index(tap) * axis.axis.step).value)
            if axis.axis.lhs_dilation > 1:
                mask = t.both(mask, t.index(tap) < seen.taps)
        return lower.linear((*found, channel), self.op.w.shape[:-1]), mask

    def place(self, phases: Index, row: Value) -> tuple[Index, Value | None]:
        """Where in the result the row of a phase is; and whether it is, if that is a question."""
        t = Writer(self.lower)
        n, *places = self.lower.unlinear(row, self.rows)
        index, inside = [n], None
        for axis, phase, number in zip(self.axes, phases, places, strict=True):
            at = axis.place(t, phase, number)
            index.append(at)
            inside = axis.has(t, inside, at)
        return tuple(index), inside

    def position(
        self, t: Writer, axis: PhasedAxis, seen: TapRange, place: Value, tap: Value
    ) -> tuple[Value, list[Value]]:
        """Where a tap reads along an axis, and what must hold for it to read anything."""
        at = (t.index(place) * axis.stride + t.index(tap) * axis.tap_stride).value
        at = (t.index(at) + seen.position).value
        if sees_all(axis.axis):
            return at, []
        good = [(t.index(at) >= 0).value, (t.index(at) < t.extent(axis.axis.extent)).value]
        if axis.axis.lhs_dilation > 1:
            good.append((t.index(tap) < seen.taps).value)
        return at, good
