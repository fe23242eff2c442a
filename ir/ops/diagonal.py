"""Diagonals of matrices: taken out of them, and laid into them.

Several diagonals side by side are the rows of a matrix, from the highest to the lowest; the
shorter ones start or end where the longest does (aligned left or right), with `fill` beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Requirement, Value
from ..element_builder import ElementBuilder, Index
from ..extent import Extent, as_int
from ..types import TensorType
from .reduction import ReduceSum


class Banded(Op, abstract=True):
    """The base: diagonals `low` to `high` (0 is the main one, those above are positive).
    `right_above` and `right_below` tell whether those above and below are aligned right."""

    x: Value
    fill: Value
    low: int
    high: int
    right_above: bool
    right_below: bool

    def check(self) -> None:
        if self.fill.dtype is not self.x.dtype or self.fill.rank:
            raise self.error("the fill must be a scalar of the operand's dtype", "dtype")
        if self.x.rank < 2:
            raise self.error("takes matrices")
        if self.low > self.high:
            raise self.error(f"no diagonals from {self.low} to {self.high}", "value")

    def band(self) -> tuple[int, int, bool, bool]:
        return self.low, self.high, self.right_above, self.right_below

    def offset(
        self, lower: ElementBuilder, d: Term, rows: Extent, columns: Extent, length: Extent
    ) -> Term:
        """By how much diagonal d is moved to the right."""
        if self.low == self.high or not (self.right_above or self.right_below):
            return d.const(0)
        above, below = d.maximum(0), (-d).maximum(0)
        rest = _extent(lower, rows) - below
        own = rest.minimum(_extent(lower, columns) - above)
        moved = _extent(lower, length) - own
        if self.right_above and self.right_below:
            return moved
        right = d >= 0 if self.right_above else d <= 0
        return right.select(moved, d.const(0))

    def fill_cotangent(self, b: Builder, dy: Value) -> Value:
        """What `fill` stands for, summed."""
        zero = b.constant(0, dy.dtype)
        hole = Term(b, self.x).const(0).value
        mask = b.emit(self.replace(x=hole, fill=b.constant(1, dy.dtype)))
        outside = (Term(b, dy) * Term(b, mask)).value
        if not dy.rank:
            return zero
        return b.emit(ReduceSum(outside, tuple(range(dy.rank))))


def _extent(lower: ElementBuilder, extent: Extent) -> Term:
    return Term(lower.b, lower.extent(extent))


def _both(conditions: Sequence[Term]) -> Term:
    first, *rest = conditions
    for condition in rest:
        first = first & condition
    return first


class Diagonals(Banded):
    """The diagonals of x[..., m, n] as rows: [..., high - low + 1, length], where `length` is that
    of the longest."""

    length: Extent

    def infer(self) -> TensorType:
        self.check()
        *batch, m, n = self.x.shape
        if isinstance(m, int) and isinstance(n, int) and isinstance(self.length, int):
            longest = min(m + min(self.high, 0), n - max(self.low, 0))
            if longest != self.length or longest < 0:
                raise self.error(f"the longest diagonal has {longest} elements", "value")
        return TensorType(self.x.dtype, (*batch, self.high - self.low + 1, self.length))

    def requires(self) -> Iterable[Requirement]:
        rows, columns = self.x.shape[-2:]
        for extent, first in ((rows, max(-self.high, 0)), (columns, max(self.low, 0))):
            stop = first + self.length
            yield Requirement(extent - stop, "bounds", (first, stop, extent))

    def numpy(self, x: np.ndarray, fill: np.ndarray) -> np.ndarray:
        length = as_int(self.length)
        out = np.full((*x.shape[:-2], self.high - self.low + 1, length), fill, x.dtype)
        for m, d in enumerate(range(self.high, self.low - 1, -1)):
            diagonal = np.diagonal(x, d, -2, -1)
            size = diagonal.shape[-1]
            start = length - size if (d >= 0 and self.right_above) else 0
            start = length - size if (d <= 0 and self.right_below) else start
            out[..., m, start : start + size] = diagonal
        return out

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        rows, columns = self.x.shape[-2:]
        zero = b.constant(0, dy.dtype)
        dx = b.emit(FromDiagonals(dy, zero, *self.band(), rows, columns))
        return dx, self.fill_cotangent(b, dy)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        *batch, m, n = index
        rows, columns = self.x.shape[-2:]
        d = -Term(lower.b, m) + self.high
        if self.low == self.high:
            d = d.const(self.high)
        place = Term(lower.b, n) - self.offset(lower, d, rows, columns, self.length)
        i = place + (-d).maximum(0)
        j = place + d.maximum(0)
        source = (*batch, i.value, j.value)
        if self.low == self.high:
            return lower.element(self.x, source)
        inside = _both([i >= 0, i < _extent(lower, rows), j >= 0, j < _extent(lower, columns)])
        with lower.where(inside.value):
            x = Term(lower.b, lower.element(self.x, source))
        fill = Term(lower.b, lower.element(self.fill, ()))
        return inside.select(x, fill).value


class FromDiagonals(Banded):
    """Matrices [..., rows, columns] with the rows of x[..., high - low + 1, length] as their
    diagonals, `fill` elsewhere."""

    rows: Extent
    columns: Extent

    def infer(self) -> TensorType:
        self.check()
        *batch, count, length = self.x.shape
        if count != self.high - self.low + 1:
            raise self.error(f"{count} diagonals from {self.low} to {self.high}", "value")
        if all(isinstance(e, int) for e in (self.rows, self.columns, length)):
            rows = as_int(self.rows)
            columns = as_int(self.columns)
            longest = min(rows + min(self.high, 0), columns - max(self.low, 0))
            if longest != length:
                raise self.error(f"the longest diagonal has {longest} elements", "value")
        return TensorType(self.x.dtype, (*batch, self.rows, self.columns))

    def numpy(self, x: np.ndarray, fill: np.ndarray) -> np.ndarray:
        *batch, _, length = x.shape
        rows = as_int(self.rows)
        columns = as_int(self.columns)
        out = np.full((*batch, rows, columns), fill, x.dtype)
        for m, d in enumerate(range(self.high, self.low - 1, -1)):
            size = max(min(rows + min(d, 0), columns - max(d, 0)), 0)
            start = length - size if (d >= 0 and self.right_above) else 0
            start = length - size if (d <= 0 and self.right_below) else start
            i = np.arange(size)
            out[..., i + max(-d, 0), i + max(d, 0)] = x[..., m, start : start + size]
        return out

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        zero = b.constant(0, dy.dtype)
        dx = b.emit(Diagonals(dy, zero, *self.band(), self.x.shape[-1]))
        return dx, self.fill_cotangent(b, dy)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        *batch, row, column = index
        i, j = Term(lower.b, row), Term(lower.b, column)
        d = j - i
        length = self.x.shape[-1]
        place = i.minimum(j)
        place = place + self.offset(lower, d, self.rows, self.columns, length)
        conditions = [d >= self.low, d <= self.high]
        if length not in (self.rows + min(self.high, 0), self.columns - max(self.low, 0)):
            conditions.append(
                place < _extent(lower, length)
            )  # which of the two only run time tells
        inside = _both(conditions)
        m = -d + self.high
        with lower.where(inside.value):
            x = Term(lower.b, lower.element(self.x, (*batch, m.value, place.value)))
        fill = Term(lower.b, lower.element(self.fill, ()))
        return inside.select(x, fill).value
