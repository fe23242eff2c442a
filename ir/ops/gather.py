"""Reads and sums at computed indices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Requirement, Value
from ..dtypes import int64
from ..extent import Extent, product
from ..types import TensorType
from .scheduled import Scheduled

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index, ScheduleBuilder


class CheckedIndex(Op):
    """`indices` as i64. One outside [0, bound) is an error that names it, when it is computed, and
    the op `reader` that they are for."""

    indices: Value
    bound: Extent
    reader: str
    scalar_loop = True

    @property
    def can_fail(self) -> bool:
        return True

    def infer(self) -> TensorType:
        if not self.indices.dtype.is_integer:
            raise self.error("indices must be integers", "dtype")
        return TensorType(int64, self.indices.shape)

    def numpy(self, indices: np.ndarray) -> np.ndarray:
        _check(indices, self.bound)
        return np.asarray(indices).astype(np.int64)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        from .elementwise import Cast

        place = lower.emit(Cast(lower.element(self.indices, index), int64))
        lower.check_index(place, lower.extent(self.bound), self)
        return place


class Gather(Op):
    """x[indices] along `axis`: that axis is replaced by the axes of `indices`.

    An index outside [0, extent) is an error that names it, when the element is computed.
    """

    x: Value
    indices: Value
    axis: int
    cost = 4
    repeats_operands = True
    scalar_loop = True

    @property
    def can_fail(self) -> bool:
        return True

    def infer(self) -> TensorType:
        if not self.indices.dtype.is_integer:
            raise self.error("indices must be integers", "dtype")
        if not 0 <= self.axis < self.x.rank:
            raise self.error(f"no axis {self.axis}", "value")
        x = self.x.shape
        shape = (*x[: self.axis], *self.indices.shape, *x[self.axis + 1 :])
        return TensorType(self.x.dtype, shape)

    @property
    def indexed(self) -> Extent:
        """What indices must be below."""
        extent: Extent = self.x.shape[self.axis]
        return extent

    def numpy(self, x: np.ndarray, indices: np.ndarray) -> np.ndarray:
        _check(indices, x.shape[self.axis])
        return np.take(x, indices, self.axis)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # Bring the gathered axis to the front, add rows up there, and take it back.
        from .shape import Reshape, Transpose

        x, count, rank = self.x, self.indices.rank, self.x.rank
        rest = (*range(self.axis), *range(self.axis + count, rank - 1 + count))
        front = (*range(self.axis, self.axis + count), *rest)
        rows = b.emit(Transpose(dy, front)) if self.axis else dy
        others = tuple(e for a, e in enumerate(x.shape) if a != self.axis)
        n = self.indices.tensor_type.size
        flat = b.emit(Reshape(self.indices, (n,)))
        rows = b.emit(Reshape(rows, (n, *others)))
        summed = b.emit(ScatterAdd(flat, rows, x.shape[self.axis]))
        back = (*range(1, self.axis + 1), 0, *range(self.axis + 1, rank))
        return b.emit(Transpose(summed, back)) if self.axis else summed, None

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        from .elementwise import Cast

        stop = self.axis + self.indices.rank
        raw = lower.element(self.indices, index[self.axis : stop])
        row = lower.emit(Cast(raw, int64))
        if not lower.is_checked(self):
            lower.check_index(row, lower.extent(self.indexed), self)
        return lower.element(self.x, (*index[: self.axis], row, *index[stop:]))


class UpdateSlice(Scheduled):
    """x with `update` in the place of the slice of its extents that begins at `starts`, a vector of
    integers. A slice that would leave x is moved back into it, as XLA's DynamicUpdateSlice is: so
    nothing can fail, and where nobody reads x later, its memory is written over."""

    x: Value
    update: Value
    starts: Value

    def infer(self) -> TensorType:
        x, update = self.x, self.update
        if update.dtype is not x.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if not self.starts.dtype.is_integer:
            raise self.error("the starts must be integers", "dtype")
        if update.rank != x.rank or self.starts.shape != (x.rank,):
            raise self.error("x, the update and the starts must be of one rank")
        for part, whole in zip(update.shape, x.shape, strict=True):
            if isinstance(part, int) and isinstance(whole, int) and part > whole:
                raise self.error(f"an update of {part} elements does not fit an extent of {whole}")
        result: TensorType = x.tensor_type
        return result

    def requires(self) -> Iterable[Requirement]:
        for part, whole in zip(self.update.shape, self.x.shape, strict=True):
            yield Requirement(whole - part, "bounds", (0, part, whole))

    def numpy(self, x: np.ndarray, update: np.ndarray, starts: np.ndarray) -> np.ndarray:
        result = x.copy()
        rows = zip(starts.astype(np.int64), update.shape, x.shape, strict=True)
        begin = [min(max(start, 0), whole - part) for start, part, whole in rows]
        result[tuple(slice(i, i + n) for i, n in zip(begin, update.shape, strict=True))] = update
        return result

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        none = Term(b, self.update).const(0).value
        taken = dy
        for axis, part in enumerate(self.update.shape):
            from .shape import Broadcast, Iota

            start = b.emit(Broadcast(self._begin(b, axis).value, (part,), ()))
            places = Term(b, start) + Term(b, b.emit(Iota((part,), 0, int64)))
            taken = b.emit(Gather(taken, places.value, axis))
        return b.emit(UpdateSlice(dy, none, self.starts)), taken, None

    def _begin(self, b: Builder, axis: int) -> Term:
        """Where the slice begins along an axis."""
        from .elementwise import Cast
        from .shape import ExtentOf, Reshape, Slice

        start = b.emit(Reshape(b.emit(Slice(self.starts, (axis,), (1,), (1,))), ()))
        last = Term(b, b.emit(ExtentOf(self.x.shape[axis] - self.update.shape[axis])))
        return Term(b, b.emit(Cast(start, int64)))._emit("minimum", last)._emit("maximum", 0)

    def operations(self) -> Extent:
        return product(self.update.shape)

    def updated(self) -> Value:
        return self.x

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        begin = []
        for axis, (part, whole) in enumerate(zip(self.update.shape, self.x.shape, strict=True)):
            given = lower.cast(lower.element(self.starts, (lower.extent(axis),)), int64)
            last = lower.index(lower.extent(whole - part))
            begin.append(lower.index(given)._emit("minimum", last)._emit("maximum", 0).value)

        def element(index: Index) -> None:
            pairs = zip(begin, index, strict=True)
            place = tuple((lower.index(start) + i).value for start, i in pairs)
            new = lower.element(self.update, index)
            lower.store(buffers[0], lower.linear(place, self.x.shape), new)

        lower.spread(self.update.shape, element)


def _check(indices: Any, bound: Any) -> None:
    wrong = indices[(indices < 0) | (indices >= bound)]
    if wrong.size:
        raise IndexError(f"index {wrong.flat[0]} is not in [0, {bound})")


class ScatterAdd(Scheduled):
    """Zeros of shape (rows, ...) with updates[i] added to row indices[i], in order of i."""

    indices: Value
    updates: Value
    rows: Extent

    def infer(self) -> TensorType:
        if self.indices.rank != 1 or not self.indices.dtype.is_integer:
            raise self.error("indices must be a vector of integers", "dtype")
        if self.updates.rank < 1 or self.updates.shape[0] != self.indices.shape[0]:
            raise self.error("there must be one update for every index")
        if not self.updates.dtype.has_arithmetic:
            raise self.error(f"not defined for dtype {self.updates.dtype.name}", "dtype")
        return TensorType(self.updates.dtype, (self.rows, *self.updates.shape[1:]))

    @property
    def indexed(self) -> Extent:
        """What indices must be below."""
        return self.rows

    def numpy(self, indices: np.ndarray, updates: np.ndarray) -> np.ndarray:
        _check(indices, self.rows)
        out = np.zeros((self.rows, *updates.shape[1:]), updates.dtype)
        for row, update in zip(indices, updates, strict=True):
            out[row] += update
        return out

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, b.emit(Gather(dy, self.indices, 0))

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        self.clear(lower, out)
        lower.ordered(self.updates.shape, lambda index: self.add(lower, out, index))

    def clear(self, lower: ScheduleBuilder, out: Value) -> None:
        """Zero the rows."""
        from .shape import Constant

        shape = self.result.shape
        zero = lower.emit(Constant(np.zeros((), self.updates.dtype.numpy)))
        lower.nest(shape, lambda index: lower.store(out, lower.linear(index, shape), zero))

    def add(self, lower: ScheduleBuilder, out: Value, index: Index) -> None:
        """Add one element of the updates to its row."""
        from .elementwise import Add, Cast

        raw = lower.element(self.indices, index[:1])
        row = lower.emit(Cast(raw, int64))
        lower.check_index(row, lower.extent(self.rows), self)
        place = lower.linear((row, *index[1:]), self.result.shape)
        old = lower.load(out, place)
        new = lower.element(self.updates, index)
        lower.store(out, place, lower.emit(Add(old, new)))
