"""Rows combined by the number of the segment that each belongs to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import int64
from ..element_builder import ElementBuilder, Index, ScheduleBuilder
from ..extent import Extent, as_int
from ..types import TensorType
from .cumulative import Recurrence, shift
from .elementwise import Add, Binary, Cast, Equal, Maximum, Minimum, Mul
from .gather import Gather
from .scheduled import Scheduled
from .shape import Broadcast, Concat, Iota
from .sort import ArgSort

CHECKS = ("drop", "sorted", "count")


class Segment(Scheduled, abstract=True):
    """The base: row s of the result combines the rows data[i] with ids[i] = s, in order of i. A
    row without any is the neutral element, which for extrema is the far end of the range.

    `check` says which ids are taken:

        drop    negative ones are left out, those from `rows` on are an error
        sorted  they must lie in [0, rows) and not fall: else it is an error
        count   negative ones are an error, those from `rows` on are left out
    """

    combine: ClassVar[type[Binary]]
    kinds: ClassVar[str] = "iufc"
    ufunc: ClassVar[Callable[..., Any]]

    ids: Value
    data: Value
    rows: Extent
    check: str

    def infer(self) -> TensorType:
        if self.ids.rank != 1 or not self.ids.dtype.is_integer:
            raise self.error("segment ids must be a vector of integers", "dtype")
        if self.data.dtype.kind not in self.kinds:
            raise self.error(f"not defined for dtype {self.data.dtype.name}", "dtype")
        if self.data.rank < 1 or self.data.shape[0] != self.ids.shape[0]:
            raise self.error("there must be one segment id for every row of the data")
        if self.check not in CHECKS:
            raise self.error(f"no check named {self.check!r}", "value")
        return TensorType(self.data.dtype, (self.rows, *self.data.shape[1:]))

    def neutral(self) -> Any:
        """What a row starts from."""
        raise NotImplementedError

    def numpy(self, ids: np.ndarray, data: np.ndarray) -> np.ndarray:
        rows = as_int(self.rows)
        low, high = ids < 0, ids >= rows
        fall = np.zeros(len(ids), bool)
        fall[1:] = ids[1:] < ids[:-1]
        wrong = {"drop": high, "sorted": low | high | fall, "count": low}[self.check]
        if wrong.any():
            raise IndexError(f"segment id {ids[wrong][0]} for {rows} rows ({self.check})")
        out = np.full((rows, *data.shape[1:]), self.neutral(), data.dtype)
        for row, update in zip(ids, data, strict=True):
            if 0 <= row < rows:
                out[row] = type(self).ufunc(out[row], update)
        return out

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        shape, dtype = self.result.shape, self.data.dtype
        bound = lower.extent(self.rows)
        neutral = lower.b.constant(self.neutral(), dtype)
        lower.nest(shape, lambda index: lower.store(out, lower.linear(index, shape), neutral))

        def row(i: Value, rest: tuple[Value, ...] | None = None) -> None:
            segment = self.checked(lower, i, bound)
            inside = (Term(lower.b, segment) >= 0) & (Term(lower.b, segment) < Term(lower.b, bound))

            def add(index: Index) -> None:
                place = lower.linear((segment, *index), shape)
                old = lower.load(out, place)
                new = lower.element(self.data, (i, *index))
                lower.store(out, place, lower.emit(self.combine(old, new)))

            def all_of_it() -> None:
                if rest is None:
                    lower.nest(shape[1:], add)
                else:
                    add(rest)

            lower.when(inside.value, all_of_it)

        if lower.grid:
            lower.ordered(self.data.shape, lambda index: row(index[0], index[1:]))
        else:
            lower.loop(lower.extent(0), lower.extent(self.ids.shape[0]), row)

    def checked(self, lower: ElementBuilder, i: Value, bound: Value) -> Value:
        """The i-th segment id, after its check."""
        segment = lower.cast(lower.element(self.ids, (i,)), int64)
        id_ = Term(lower.b, segment)
        if self.check == "drop":
            lower.check((id_ < Term(lower.b, bound)).value, (segment, bound), "index", self)
        elif self.check == "count":
            lower.check((id_ >= 0).value, (segment,), "negative", self)
        else:
            lower.check_index(segment, bound, self)
            with lower.where((Term(lower.b, i) > 0).value):
                before = lower.element(self.ids, ((Term(lower.b, i) - 1).value,))
            before = lower.cast(before, int64)
            lower.check((Term(lower.b, before) <= id_).value, (before, segment), "order", self)
        return segment

    # What derivatives are made of.

    def spread(self, b: Builder, x: Value) -> Value:
        """For each row of the data its segment's row of x, 0 where it has none."""
        ids = Term(b, b.emit(Cast(self.ids, int64)))
        zero = b.emit(Broadcast(b.constant(0, x.dtype), (1, *x.shape[1:]), ()))
        longer = b.emit(Concat((x, zero), 0))
        bound = Term(b, b.emit(Broadcast(extent_value(b, self.rows), self.ids.shape, ())))
        outside = (ids < 0) | (ids >= bound)
        return b.emit(Gather(longer, where(outside, bound, ids).value, 0))


def extent_value(b: Builder, extent: Extent) -> Value:
    """An extent as an i64 scalar."""
    from .shape import ExtentOf

    return b.emit(ExtentOf(extent))


class SegmentSum(Segment):
    """The sum of each segment."""

    combine = Add
    ufunc = np.add

    def neutral(self) -> Any:
        return 0

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, self.spread(b, dy)


class SegmentProd(Segment):
    """The product of each segment."""

    combine = Mul
    ufunc = np.multiply

    def neutral(self) -> Any:
        return 1

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # The derivative by a factor is the product of the segment's others. Nothing is divided,
        # so zeros do no harm: with equal ids side by side, it is the product of those before
        # times the product of those behind, which scans find that begin anew at each segment.
        ids = b.emit(Cast(self.ids, int64))
        order = b.emit(ArgSort(ids, False))
        sorted_ids = b.emit(Gather(ids, order, 0))
        rows = b.emit(Gather(self.data, order, 0))
        others = Term(b, rows).const(1)
        for reverse in (False, True):
            # y[i] = y[i-1] * x[i-1], and 1 where a segment begins
            same = Term(b, b.emit(Equal(sorted_ids, shift(b, sorted_ids, 0, reverse, 0))))
            place = Term(b, b.emit(Iota(ids.shape, 0, int64)))
            last = Term(b, b.emit(Broadcast(extent_value(b, ids.shape[0] - 1), ids.shape, ())))
            edge = place.equal(last if reverse else 0)
            counted = Term(b, sorted_ids) >= 0  # what is left out has no segment
            inner = same & counted
            inner = inner & edge.logical_not()
            inside = Term(b, b.emit(Broadcast(inner.value, rows.shape, (0,))))
            factor = where(inside, Term(b, shift(b, rows, 0, reverse, 1)), 0)
            start = where(inside, factor.const(0), 1)
            found = b.emit(Recurrence(factor.value, start.value, 0, reverse))
            others = others * Term(b, found)
        back = b.emit(ArgSort(order, False))
        derivative = Term(b, b.emit(Gather(others.value, back, 0))).conj()
        return None, (Term(b, self.spread(b, dy)) * derivative).value


class SegmentExtremum(Segment, abstract=True):
    """Equals share the cotangent, as in TensorFlow."""

    kinds = "iuf"

    def far(self, end: Any) -> Any:
        """What is behind all numbers; of unsorted segments the end of the finite ones, which is
        TensorFlow's result for a segment of none."""
        if self.check != "sorted" or not self.data.dtype.is_floating:
            return end
        return np.copysign(np.inf, float(end))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        chosen = b.emit(Equal(self.data, self.spread(b, self.result)))
        ones = b.emit(Cast(chosen, self.data.dtype))
        votes = Term(b, b.emit(SegmentSum(self.ids, ones, self.rows, self.check)))
        share = Term(b, dy) / votes.maximum(votes.const(1))  # a row may have none
        return None, where(Term(b, chosen), Term(b, self.spread(b, share.value)), 0).value


class SegmentMax(SegmentExtremum):
    """The largest of each segment."""

    combine = Maximum
    ufunc = np.maximum

    def neutral(self) -> Any:
        return self.far(self.data.dtype.min)


class SegmentMin(SegmentExtremum):
    """The smallest of each segment."""

    combine = Minimum
    ufunc = np.minimum

    def neutral(self) -> Any:
        return self.far(self.data.dtype.max)
