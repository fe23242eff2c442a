"""Systems with three diagonals, by elimination with partial pivoting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..element_builder import Index, ScheduleBuilder
from ..kernel_op import LoopKind
from ..types import TensorType
from .contraction import transposed
from .elementwise import Div, Greater, Mul, Neg
from .reduction import ReduceSum
from .scheduled import Scheduled
from .shape import Concat, Constant, Pad, Reshape, Slice
from .triangular import _check_dtype, check_pivot, less_product, size_of


class TridiagonalSolve(Scheduled):
    """The y with t @ y = rhs, where the rows of diagonals[..., 3, n] are the diagonals of t: the
    one above the main one (its last element is not read), the main one, and the one below (its
    first element is not read).

    As LAPACK's gtsv: of two rows the one with the larger leading element is kept (`pivoting`),
    so that u has three diagonals.
    """

    diagonals: Value
    rhs: Value
    pivoting: bool

    def infer(self) -> TensorType:
        t, rhs = self.diagonals, self.rhs
        _check_dtype(self, t)
        if rhs.dtype is not t.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if t.rank < 2 or t.shape[-2] != 3:
            raise self.error("expected three diagonals")
        if rhs.rank != t.rank or rhs.shape[:-1] != (*t.shape[:-2], t.shape[-1]):
            raise self.error("the diagonals and rhs do not fit")
        return rhs.tensor_type

    def numpy(self, diagonals: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        n = rhs.shape[-2]
        i = np.arange(n)
        dense = np.zeros((*diagonals.shape[:-2], n, n), diagonals.dtype)
        dense[..., i[:-1], i[1:]] = diagonals[..., 0, : max(n - 1, 0)]
        dense[..., i, i] = diagonals[..., 1, :]
        dense[..., i[1:], i[:-1]] = diagonals[..., 2, 1:]
        return np.linalg.solve(dense, rhs)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        diagonals = Term(b, self.diagonals).conj().value
        above, middle, below = (self._row(b, diagonals, k) for k in range(3))
        # Transposed, what stood above row i stands below row i + 1.
        flipped = (self._shifted(b, below, -1), middle, self._shifted(b, above, 1))
        turned = b.emit(Concat(flipped, diagonals.rank - 2))
        drhs = b.emit(TridiagonalSolve(turned, dy, self.pivoting))
        last = drhs.rank - 1
        rows = []
        for by in (1, 0, -1):  # t[i, i + by] met row i of drhs and row i + by of y
            y = self._moved(b, self.result, -by)
            product = b.emit(Mul(drhs, Term(b, y).conj().value))
            total = b.emit(Neg(b.emit(ReduceSum(product, (last,)))))
            rows.append(b.emit(Reshape(total, (*drhs.shape[:-2], 1, drhs.shape[-2]))))
        return b.emit(Concat(tuple(rows), last - 1)), drhs

    def _row(self, b: Builder, x: Value, k: int) -> Value:
        *batch, _, n = x.shape
        begin = (*(0 for _ in batch), k, 0)
        return b.emit(Slice(x, begin, (*batch, 1, n), (1,) * x.rank))

    def _shifted(self, b: Builder, row: Value, by: int) -> Value:
        """A row [..., 1, n] moved to the right, with a zero where nothing comes in."""
        return transposed(b, self._moved(b, transposed(b, row), by))

    def _moved(self, b: Builder, x: Value, by: int) -> Value:
        """The rows of x[..., n, m] moved down, with zeros where nothing comes in."""
        if not by:
            return x
        *batch, n, m = x.shape
        if n == 0:
            return x
        start = (*(0 for _ in batch), max(-by, 0), 0)
        size = (*batch, n - 1, m)
        kept = b.emit(Slice(x, start, size, (1,) * x.rank))
        zero = b.constant(0, x.dtype)
        begin = (*(0 for _ in batch), max(by, 0), 0)
        return b.emit(Pad(kept, zero, begin, x.shape, (1,) * x.rank))

    def scratch(self) -> tuple[TensorType, ...]:
        row = TensorType(self.rhs.dtype, (self.rhs.shape[-2] + 1,))
        return row, row, row  # the three diagonals of u

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        """On a grid the scratch memory is that of all systems: it has the batch before the row."""
        *batch, n, m = self.rhs.shape
        shape = self.rhs.shape
        out, pivots, first, second = buffers
        zero, rows, width = lower.extent(0), lower.extent(n), lower.extent(m)

        def term(v: Value) -> Term:
            return Term(lower.b, v)  # emits into the innermost loop

        def given(outer: Index, k: int, i: Value, last: int) -> Value:
            """Element i of diagonal k; 0 unless i is below n + last."""
            with lower.where((term(i) < term(rows) + last).value):
                value = lower.element(self.diagonals, (*outer, lower.extent(k), i))
            return value

        def loaded(outer: Index, i: Value, j: Value) -> Value:
            """Element (i, j) of the result; 0 behind the last row."""
            mask = (term(i) < term(rows)).value
            return lower.load(out, lower.linear((*outer, i, j), shape), mask)

        def chosen(condition: Value, x: Value, y: Value) -> Value:
            return where(term(condition), term(x), term(y)).value

        def own(outer: Index, i: Value) -> Value:
            """Where the scratch memory has row i of a system: on a grid each has its own."""
            shape = (*batch, n + 1)
            return lower.linear((*outer, i), shape) if lower.grid else i

        def system(outer: Index) -> None:
            def copy(i: Value) -> None:
                def element(j: Value) -> None:
                    index = (*outer, i, j)
                    lower.store(out, lower.linear(index, shape), lower.element(self.rhs, index))

                lower.loop(zero, width, element, LoopKind.VECTOR)

            def eliminate(i: Value, carried: Index) -> list[Value]:
                """Take row i off the one below; what is left of that is carried on."""
                d, u = carried
                after = (term(i) + 1).value
                below, middle = given(outer, 2, after, 0), given(outer, 1, after, 0)
                above, none = given(outer, 0, after, -1), term(d).const(0).value
                if self.pivoting:
                    swap = lower.emit(Greater(size_of(lower, below), size_of(lower, d)))
                else:
                    swap = lower.emit(Constant(np.array(False)))
                pivot = chosen(swap, below, d)
                check_pivot(lower, pivot, self)
                factor = lower.emit(Div(chosen(swap, d, below), pivot))
                kept, other = chosen(swap, middle, u), chosen(swap, u, middle)
                far = chosen(swap, above, none)
                for buffer, v in ((pivots, pivot), (first, kept), (second, far)):
                    lower.store(buffer, own(outer, i), v)

                def column(j: Value) -> None:
                    x, y = (loaded(outer, row, j) for row in (i, after))
                    top, low = chosen(swap, y, x), chosen(swap, x, y)
                    rest = less_product(lower, low, factor, top)
                    lower.store(out, lower.linear((*outer, i, j), shape), top)
                    lower.store(out, lower.linear((*outer, after, j), shape), rest)

                lower.loop(zero, width, column, LoopKind.VECTOR)
                near = chosen(swap, none, above)
                return [
                    less_product(lower, other, factor, kept),
                    less_product(lower, near, factor, far),
                ]

            def substitute(place: Value) -> None:
                i = (term(rows) - 1 - term(place)).value
                at = own(outer, i)
                pivot, one, two = (lower.load(v, at) for v in (pivots, first, second))
                check_pivot(lower, pivot, self)

                def column(j: Value) -> None:
                    x, y, z = (loaded(outer, (term(i) + k).value, j) for k in range(3))
                    rest = less_product(lower, less_product(lower, x, one, y), two, z)
                    offset = lower.linear((*outer, i, j), shape)
                    lower.store(out, offset, lower.emit(Div(rest, pivot)))

                lower.loop(zero, width, column, LoopKind.VECTOR)

            lower.loop(zero, rows, copy)
            init = given(outer, 1, zero, 0), given(outer, 0, zero, -1)
            stop = (term(rows) - 1).value
            d, _ = lower.carry(zero, stop, init, eliminate)
            last = term(stop).maximum(0).value
            lower.store(pivots, own(outer, last), d)
            for buffer in (first, second):
                lower.store(buffer, own(outer, last), lower.b.constant(0, self.rhs.dtype))
            lower.loop(zero, rows, substitute)

        if lower.grid:
            lower.spread(tuple(batch), system)
        else:
            lower.nest(tuple(batch), system, serial=len(batch))
