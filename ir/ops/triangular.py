"""Solvers by substitution and elimination, with kernels of their own.

The right-hand side's columns stand side by side in the lanes of vector registers; every element is
a chain of fused multiply-adds in a fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Op, Value
from ..dtypes import int32, int64
from ..element_builder import ElementBuilder, Index, ScheduleBuilder
from ..extent import Extent, product
from ..kernel_op import LoopKind
from ..types import TensorType
from .elementwise import Abs, Add, Cast, Div, Equal, Fma, Greater, Mul, Neg, NotEqual, Select, Sub
from .gather import Gather, ScatterAdd
from .matrices import Matrix, places
from .scheduled import Scheduled
from .shape import Broadcast, ExtentOf, Iota, Reshape

DTYPES = ("float32", "float64", "complex64", "complex128")


def _check_dtype(op: Op, x: Value) -> None:
    if x.dtype.name not in DTYPES:
        takes = ", ".join(DTYPES)
        raise op.error(f"not defined for dtype {x.dtype.name}: takes {takes}", "dtype")


def less_product(lower: ElementBuilder, total: Value, x: Value, y: Value) -> Value:
    """total - x * y."""
    if x.dtype.is_floating:
        result = lower.emit(Fma(lower.emit(Neg(x)), y, total))
    else:
        result = lower.emit(Sub(total, lower.emit(Mul(x, y))))
    return result


def check_pivot(lower: ElementBuilder, x: Value, op: Op) -> None:
    """An error at run time where x is 0."""
    zero = lower.b.constant(0, x.dtype)
    lower.check(lower.emit(NotEqual(x, zero)), (), "singular", op)


class TriangularSolve(Scheduled):
    """The y with t @ y = rhs, where t is the lower (or upper) triangle of x, or its adjoint.

    Row by row, by substitution: forward where t is lower, backward where it is upper. What is
    known is taken off a row in the order in which it became known.
    """

    x: Value
    rhs: Value
    lower: bool
    adjoint: bool

    def infer(self) -> TensorType:
        x, rhs = self.x, self.rhs
        _check_dtype(self, x)
        if rhs.dtype is not x.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if x.rank < 2 or x.shape[-1] != x.shape[-2]:
            raise self.error("Input matrix must be square")
        if rhs.rank != x.rank or rhs.shape[:-1] != x.shape[:-1]:
            raise self.error("Input matrix and rhs are incompatible")
        return rhs.tensor_type

    def numpy(self, x: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        triangle = np.tril(x) if self.lower else np.triu(x)
        if self.adjoint:
            triangle = np.conj(np.swapaxes(triangle, -1, -2))
        if not np.all(np.diagonal(x, 0, -2, -1)):
            raise ValueError("Input matrix is not invertible.")
        y = np.zeros_like(rhs)
        n = x.shape[-1]
        forward = self.lower != self.adjoint
        for i in range(n) if forward else reversed(range(n)):
            done = slice(0, i) if forward else slice(i + 1, n)
            known = np.matmul(triangle[..., i : i + 1, done], y[..., done, :])[..., 0, :]
            y[..., i, :] = (rhs[..., i, :] - known) / triangle[..., i, i, None]
        return y

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        drhs = b.emit(TriangularSolve(self.x, dy, self.lower, not self.adjoint))
        y, d = Matrix(b, self.result), Matrix(b, drhs)
        dx = -(y @ d.adjoint) if self.adjoint else -(d @ y.adjoint)
        dx = dx.band(None, 0) if self.lower else dx.band(0, None)
        return dx.value, drhs

    @property
    def forward(self) -> bool:
        """Whether the first row is the first to be known."""
        return self.lower != self.adjoint

    def element(self, lower: ElementBuilder, outer: Index, i: Value, k: Value) -> Value:
        """The element (i, k) of the triangle."""
        value = lower.element(self.x, (*outer, k, i) if self.adjoint else (*outer, i, k))
        return Term(lower.b, value).conj().value if self.adjoint else value

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        self.substitute(lower, out, self.rhs.shape[-1])

    def substitute(self, lower: ScheduleBuilder, out: Value, columns: Extent) -> None:
        """Write the kernel for the first columns of the right-hand side."""
        *batch, n, _ = self.rhs.shape
        zero, end = lower.extent(0), lower.extent(n)

        def rows(outer: Index, only: Value | None = None) -> None:
            def row(number: Value) -> None:
                i = turned(number)
                pivot = self.element(lower, outer, i, i)
                check_pivot(lower, pivot, self)

                def column(j: Value) -> None:
                    def step(before: Value, carried: Index) -> Sequence[Value]:
                        k = turned(before)
                        y = lower.load(out, lower.linear((*outer, k, j), shape))
                        x = self.element(lower, outer, i, k)
                        return (less_product(lower, carried[0], x, y),)

                    index = (*outer, i, j)
                    init = (lower.element(self.rhs, index),)
                    (rest,) = lower.carry(zero, number, init, step)
                    lower.store(out, lower.linear(index, shape), lower.emit(Div(rest, pivot)))

                if only is None:
                    lower.loop(zero, lower.extent(columns), column, LoopKind.VECTOR)
                else:
                    column(only)

            lower.loop(zero, end, row)

        def turned(number: Value) -> Value:
            return (
                number if self.forward else (Term(lower.b, end) - 1 - Term(lower.b, number)).value
            )

        shape = self.rhs.shape
        if lower.grid:
            lower.spread((*batch, columns), lambda index: rows(index[:-1], index[-1]))
        else:
            lower.nest(tuple(batch), rows, serial=len(batch))


class Lu(Scheduled):
    """l and u in one matrix (the ones on the diagonal of l are left out), and i32 places p with
    x[p] = l @ u: elimination with partial pivoting, the first of the largest in a column.

    Of complex numbers the largest is that of |real| + |imaginary|, as in LAPACK.
    """

    x: Value

    def infer(self) -> tuple[TensorType, ...]:
        _check_dtype(self, self.x)
        if self.x.rank < 2 or self.x.shape[-1] != self.x.shape[-2]:
            raise self.error("Input matrix must be square")
        return self.x.tensor_type, TensorType(int32, self.x.shape[:-1])

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        n = x.shape[-1]
        lu = x.reshape(-1, n, n).copy() if x.size else x.copy().reshape(0, n, n)
        places = np.tile(np.arange(n, dtype=np.int32), (len(lu), 1))
        for a, p in zip(lu, places, strict=True):
            for k in range(n):
                size = np.abs(a[k:, k].real) + np.abs(a[k:, k].imag)
                at = k + int(np.argmax(size))
                if a[at, k] == 0:
                    raise ValueError("Input is not invertible.")
                a[[k, at]], p[[k, at]] = a[[at, k]], p[[at, k]]
                a[k + 1 :, k] /= a[k, k]
                a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
        return lu.reshape(x.shape), places.reshape(x.shape[:-1])

    def vjp(self, b: Builder, dlu: Value, _: Value) -> Sequence[Value | None]:
        # de Hoog, Anderssen and Lukas, "Differentiation of matrix functionals using triangular
        # factorization" (2011).
        lu, d = Matrix(b, self.results[0]), Matrix(b, dlu)
        n = self.x.shape[-1]
        l_part, u_part = unpacked(b, lu.value)
        below = (l_part.adjoint @ d.band(None, -1)).band(None, -1)
        above = (d.band(0, None) @ u_part.adjoint).band(0, None)
        inner = (below + above).value
        # l^-H @ inner @ u^-H
        left = Matrix(b, b.emit(TriangularSolve(l_part.value, inner, True, True)))
        right = b.emit(TriangularSolve(u_part.value, left.adjoint.value, False, False))
        rows = Matrix(b, right).adjoint.value
        return (scattered_rows(b, rows, self.results[1], n),)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        out, places = buffers
        *batch, n, _ = self.x.shape
        zero, end = lower.extent(0), lower.extent(n)

        def at(outer: Index, i: Value, j: Value) -> Value:
            return lower.linear((*outer, i, j), self.x.shape)

        def matrix(outer: Index) -> None:
            def copy_row(i: Value) -> None:
                def copy(j: Value) -> None:
                    lower.store(out, at(outer, i, j), lower.element(self.x, (*outer, i, j)))

                lower.loop(zero, end, copy, LoopKind.VECTOR)
                place = lower.linear((*outer, i), self.x.shape[:-1])
                lower.store(places, place, lower.emit(Cast(i, int32)))

            lower.loop(zero, end, copy_row)
            lower.loop(zero, end, lambda k: self._eliminate(lower, out, places, outer, k, at))

        lower.nest(tuple(batch), matrix, serial=len(batch))

    def _eliminate(
        self, lower: ScheduleBuilder, out: Value, places: Value, outer: Index, k: Value, at: Any
    ) -> None:
        """Bring the largest of column k's rest to row k, and take row k off those below."""
        zero, end = lower.extent(0), lower.extent(self.x.shape[-1])
        first = lower.load(out, at(outer, k, k))
        after = (Term(lower.b, k) + 1).value

        def larger(i: Value, best: Index) -> Sequence[Value]:
            value = lower.load(out, at(outer, i, k))
            size = size_of(lower, value)
            better = lower.emit(Greater(size, best[0]))
            rows = zip((size, value, i), best, strict=True)
            return [lower.emit(Select(better, new, old)) for new, old in rows]

        _, pivot, top = lower.carry(after, end, (size_of(lower, first), first, k), larger)
        check_pivot(lower, pivot, self)

        def swap(j: Value) -> None:
            x, y = (lower.reload(out, at(outer, i, j)) for i in (k, top))
            lower.store(out, at(outer, k, j), y)
            lower.store(out, at(outer, top, j), x)

        lower.loop(zero, end, swap, LoopKind.VECTOR)
        own, other = (lower.linear((*outer, i), self.x.shape[:-1]) for i in (k, top))
        p, q = (lower.reload(places, i) for i in (own, other))
        lower.store(places, own, q)
        lower.store(places, other, p)

        def row(i: Value) -> None:
            factor = lower.emit(Div(lower.reload(out, at(outer, i, k)), pivot))
            lower.store(out, at(outer, i, k), factor)

            def column(j: Value) -> None:
                x = lower.load(out, at(outer, i, j))
                y = lower.load(out, at(outer, k, j))
                lower.store(out, at(outer, i, j), less_product(lower, x, factor, y))

            lower.loop(after, end, column, LoopKind.VECTOR)

        lower.loop(after, end, row)


def size_of(lower: ElementBuilder, x: Value) -> Value:
    if not x.dtype.is_complex:
        return lower.emit(Abs(x))
    from .complex import Imag, Real

    parts = [lower.emit(Abs(lower.emit(part(x)))) for part in (Real, Imag)]
    return lower.emit(Add(*parts))


def unpacked(b: Builder, lu: Value) -> tuple[Matrix, Matrix]:
    """l (with ones on the diagonal) and u, as matrices."""
    packed = Matrix(b, lu)
    on = Term(b, b.emit(Equal(*places(b, lu))))
    l_part = packed.band(None, -1)
    ones = where(on, l_part.term.const(1), l_part.term)
    return Matrix(b, ones.value), packed.band(0, None)


def scattered_rows(b: Builder, x: Value, p: Value, n: Extent) -> Value:
    """The matrices whose row p[i] is row i of x."""
    flat, count = flat_places(b, p, n)
    rows = b.emit(Reshape(x, (count, x.shape[-1])))
    return b.emit(Reshape(b.emit(ScatterAdd(flat, rows, count)), x.shape))


def gathered_rows(b: Builder, x: Value, p: Value, n: Extent) -> Value:
    """The matrices whose row i is row p[i] of x."""
    flat, count = flat_places(b, p, n)
    rows = b.emit(Reshape(x, (count, x.shape[-1])))
    return b.emit(Reshape(b.emit(Gather(rows, flat, 0)), x.shape))


def flat_places(b: Builder, p: Value, n: Extent) -> tuple[Value, Extent]:
    """Row p[..., i] of each of a batch of matrices, as the number of the row among all rows; and
    how many rows there are."""
    batch = product(p.shape[:-1])
    rows = b.emit(Reshape(b.emit(Cast(p, int64)), (batch, n)))
    number = Term(b, b.emit(Iota((batch, n), 0, int64)))
    width = Term(b, b.emit(Broadcast(b.emit(ExtentOf(n)), (batch, n), ())))
    flat = (number * width + Term(b, rows)).value
    return b.emit(Reshape(flat, (batch * n,))), batch * n
