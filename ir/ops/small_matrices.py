"""Factorisations of small real matrices: a lane of a vector register, or a thread, for each.

A program takes 15 microseconds to call LAPACK, and LAPACK 60 to 200 ns for a matrix of 2 x 2; here
a matrix of a batch takes 3 to 6. As in NumPy, all is computed in float64. Products and differences
are rounded one by one, so that NumPy gives the same bits: where the size is only known at run time,
the ops for matrices of any size (ir/ops/linalg.py) do what is done here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Op, Value
from ..dtypes import DType, float64
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, as_int, product
from ..types import TensorType
from .elimination import (
    Elements,
    Tile,
    cholesky_tile,
    factor_triangle,
    pivot_product,
    solution,
    solve_tile,
    tile_determinant,
)
from .matrices import Matrix
from .scheduled import Scheduled
from .shape import Broadcast
from .triangular import TriangularSolve

Write: TypeAlias = Callable[..., None]  # of an element of the result, and its place

# Rows up to which no library is called. Of 2000 matrices of 16 x 16, float32: `solve` takes 0.21 of
# LAPACK's time, `inv` 0.19, `det` 0.21, `cholesky` 0.16 (float64 0.35, 0.36, 0.27, 0.73); of one
# matrix 0.10, 0.24, 0.07, 0.09. Larger ones are not measured: LAPACK's blocks are for those.
SMALL_ROWS_MAX = 16
# Rows up to which elements are in registers. `solve` of 2000 float64 matrices of 4 x 4: 21 ns a
# matrix, 9 ms to compile; of 6 x 6 47 ns and 51 ms, and 101 ns and 21 ms in tiles.
REGISTER_ROWS_MAX = 4
COMPUTE = float64

DTYPES = ("float32", "float64", "complex64", "complex128")
NOT_DEFINITE = (
    "Cholesky decomposition was not successful. The input might not be valid: it must be symmetric "
    "and positive definite."
)
NO_INVERSE = "Input is not invertible."
NO_SOLUTION = "Input matrix is not invertible."


def check_matrix(op: Op, x: Value, square: bool = False) -> tuple[Extent, ...]:
    """The batch axes of x[..., m, n]; an error of `op` for what is no matrix."""
    if x.dtype.name not in DTYPES:
        takes = ", ".join(DTYPES)
        raise op.error(f"not defined for dtype {x.dtype.name}: takes {takes}", "dtype")
    shape: tuple[Extent, ...] = x.shape
    if len(shape) < 2:
        raise op.error("Input must have rank >= 2")
    if square and shape[-1] != shape[-2]:
        raise op.error("Input matrix must be square")
    return shape[:-2]


def check_system(op: Op, x: Value, rhs: Value) -> None:
    """An error of `op` where x @ y = rhs means nothing."""
    batch = check_matrix(op, x, square=True)
    if rhs.dtype is not x.dtype:
        raise op.error("operands must have the same dtype", "dtype")
    if rhs.rank != x.rank or rhs.shape[:-1] != (*batch, x.shape[-1]):
        raise op.error("Input matrix and rhs are incompatible")


def are_small(dtype: DType, *extents: Extent) -> bool:
    """Whether matrices of these extents are computed here."""
    known = all(isinstance(e, int) and 1 <= e <= SMALL_ROWS_MAX for e in extents)
    return known and dtype.is_floating


class SmallMatrices(Scheduled, abstract=True):
    """The base of ops on square matrices x[..., n, n] of few rows."""

    reader: ClassVar[str]  # the op for matrices of any size, which errors name

    x: Value

    @property
    def n(self) -> int:
        n = self.x.shape[-1]
        assert isinstance(n, int)
        return n

    @property
    def columns(self) -> int:
        """Those of a matrix and what stands right of it while it is eliminated."""
        return self.n

    @property
    def in_registers(self) -> bool:
        """Whether elements stay in registers, and no tile is needed."""
        return self.n <= REGISTER_ROWS_MAX and self.columns <= 2 * REGISTER_ROWS_MAX

    def check_size(self, *extents: Extent) -> None:
        """An error for matrices that are not of few rows, all known."""
        check_matrix(self, self.x, square=True)
        if not are_small(self.x.dtype, self.x.shape[-1], *extents):
            raise self.error(
                f"takes float32 or float64 matrices of 1 to {SMALL_ROWS_MAX} rows and columns"
            )

    def operations(self) -> Extent:
        return product(self.x.shape[:-1]) * 2 * self.n * self.columns

    def scratch(self) -> tuple[TensorType, ...]:
        if self.in_registers:
            return ()
        elements = (self.n * self.columns, product(self.x.shape[:-2]))
        return (TensorType(COMPUTE, elements),)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        out, *memory = buffers
        count = product(self.x.shape[:-2])

        def one(index: Index) -> None:
            (number,) = index
            tiles = [Tile(lower, m, self.columns, lower.extent(count), number) for m in memory]
            self.matrix(lower, out, number, *tiles)

        lower.spread((count,), one)

    def matrix(
        self, lower: ScheduleBuilder, out: Value, number: Value, tile: Tile | None = None
    ) -> None:
        """Write the code for one matrix of all, with a tile where it is not in registers."""
        shape = self.result.shape
        outer = lower.unlinear(number, self.x.shape[:-2])

        def write(found: Term, *places: Value) -> None:
            element = lower.cast(found.value, self.x.dtype)
            lower.store(out, lower.linear((*outer, *places), shape), element)

        if tile is None:
            self.unrolled(lower, outer, write)
        else:
            self.looped(lower, outer, tile, write)

    def unrolled(self, lower: ScheduleBuilder, outer: Index, write: Write) -> None:
        """The result for one matrix, in registers."""
        raise NotImplementedError

    def looped(self, lower: ScheduleBuilder, outer: Index, t: Tile, write: Write) -> None:
        """The result for one matrix, in a tile."""
        raise NotImplementedError

    def given(self, lower: ScheduleBuilder, x: Value, outer: Index) -> Elements:
        """The elements of a matrix of an operand."""
        rows, columns = (range(as_int(e)) for e in x.shape[-2:])
        at = lower.extent
        return [[wide_element(lower, x, (*outer, at(i), at(j))) for j in columns] for i in rows]

    def fill(self, lower: ScheduleBuilder, outer: Index, t: Tile) -> None:
        """Copy a matrix of x into a tile."""

        def copy(i: Value, j: Value) -> None:
            t.store(i, j, wide_element(lower, self.x, (*outer, i, j)))

        t.each(0, self.n, lambda i: t.each(0, self.n, lambda j: copy(i, j)))

    def require(self, lower: ScheduleBuilder, holds: Term, message: str) -> None:
        lower.check(holds.value, (), "check", self, (message, ""))


class SmallSolve(SmallMatrices):
    """The y with x @ y = rhs: elimination with partial pivoting, then substitution."""

    reader = "solve"

    rhs: Value

    def infer(self) -> TensorType:
        check_system(self, self.x, self.rhs)
        self.check_size(self.rhs.shape[-1])
        return self.rhs.tensor_type

    @property
    def columns(self) -> int:
        return self.n + as_int(self.rhs.shape[-1])

    def numpy(self, x: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        return solved(x, rhs, NO_SOLUTION)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return solve_pullback(self, b, dy)

    def unrolled(self, lower: ScheduleBuilder, outer: Index, write: Write) -> None:
        x, rhs = (self.given(lower, v, outer) for v in self.operands)
        y, regular = solution(x, rhs)
        self.require(lower, regular, NO_SOLUTION)
        write_rows(lower, y, write)

    def looped(self, lower: ScheduleBuilder, outer: Index, t: Tile, write: Write) -> None:
        def right(i: Value, j: Value) -> Term:
            return wide_element(lower, self.rhs, (*outer, i, j))

        self.fill(lower, outer, t)
        solve_right(lower, self, t, right, NO_SOLUTION, write)


class SmallInverse(SmallMatrices):
    """x^-1, as what solves x @ y = 1."""

    reader = "inverse"

    def infer(self) -> TensorType:
        self.check_size()
        return self.x.tensor_type

    @property
    def columns(self) -> int:
        return 2 * self.n

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return inverted(x)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return inverse_pullback(self, b, dy)

    def unrolled(self, lower: ScheduleBuilder, outer: Index, write: Write) -> None:
        x = self.given(lower, self.x, outer)
        one = [[x[0][0].const(int(i == j)) for j in range(self.n)] for i in range(self.n)]
        y, regular = solution(x, one)
        self.require(lower, regular, NO_INVERSE)
        write_rows(lower, y, write)

    def looped(self, lower: ScheduleBuilder, outer: Index, t: Tile, write: Write) -> None:
        def one(i: Value, j: Value) -> Term:
            on = lower.index(i).equal(lower.index(j))
            return lower.index(lower.cast(on.value, COMPUTE))

        self.fill(lower, outer, t)
        solve_right(lower, self, t, one, NO_INVERSE, write)


class SmallDeterminant(SmallMatrices):
    """The determinants of square matrices: products of the pivots."""

    reader = "determinant"

    def infer(self) -> TensorType:
        self.check_size()
        return TensorType(self.x.dtype, self.x.shape[:-2])

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return determinants(x)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        factor = (Term(b, dy) * Term(b, self.result)).value
        return (times_inverse(b, self.x, b.emit(SmallInverse(self.x)), factor),)

    def unrolled(self, lower: ScheduleBuilder, outer: Index, write: Write) -> None:
        rows = self.given(lower, self.x, outer)
        hidden = rows[0][0].const(0)
        for row in rows:
            for element in row:
                hidden = hidden + element * 0
        write(shown(pivot_product(rows), hidden))

    def looped(self, lower: ScheduleBuilder, outer: Index, t: Tile, write: Write) -> None:
        self.fill(lower, outer, t)
        zero = lower.index(lower.b.constant(0, COMPUTE))

        def row(i: Value, total: Term) -> list[Term]:
            return t.carry(0, self.n, [total], lambda j, so_far: [so_far + t.load(i, j) * 0])

        (hidden,) = t.carry(0, self.n, [zero], row)
        write(shown(tile_determinant(t, self.n, zero.const(1)), hidden))


class SmallCholesky(SmallMatrices):
    """The lower triangular L with L @ L^T = x; only the lower triangle of x is read."""

    reader = "cholesky"

    def infer(self) -> TensorType:
        self.check_size()
        return self.x.tensor_type

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return cholesky_factors(x)

    def vjp(self, b: Builder, dl: Value) -> Sequence[Value | None]:
        return cholesky_pullback(self, b, dl)

    def unrolled(self, lower: ScheduleBuilder, outer: Index, write: Write) -> None:
        rows = self.given(lower, self.x, outer)
        self.require(lower, factor_triangle(rows), NOT_DEFINITE)
        zero = rows[0][0].const(0)
        for i, row in enumerate(rows):
            row[i + 1 :] = [zero] * (self.n - i - 1)
        write_rows(lower, rows, write)

    def looped(self, lower: ScheduleBuilder, outer: Index, t: Tile, write: Write) -> None:
        self.fill(lower, outer, t)
        cholesky_tile(t, self.n, lambda good: self.require(lower, good, NOT_DEFINITE))

        def element(i: Value, j: Value) -> None:
            found = t.load(i, j)
            inside = lower.index(j) <= lower.index(i)
            write(where(inside, found, found.const(0)), i, j)

        t.each(0, self.n, lambda i: t.each(0, self.n, lambda j: element(i, j)))


def wide_element(lower: ScheduleBuilder, x: Value, index: Index) -> Term:
    """An element of an operand, as what is computed with."""
    return lower.index(lower.cast(lower.element(x, index), COMPUTE))


def write_rows(lower: ScheduleBuilder, rows: Elements, write: Write) -> None:
    """All elements of a result."""
    for i, row in enumerate(rows):
        for j, element in enumerate(row):
            write(element, lower.extent(i), lower.extent(j))


def solve_right(
    lower: ScheduleBuilder,
    op: SmallMatrices,
    t: Tile,
    right: Callable[[Value, Value], Term],
    message: str,
    write: Write,
) -> None:
    """Solve a system in a tile, whose right-hand sides are `right`."""
    n, m = op.n, op.columns - op.n

    def copy(i: Value, j: Value) -> None:
        t.store(i, (lower.index(j) + n).value, right(i, j))

    def give(i: Value, j: Value) -> None:
        write(t.load(i, (lower.index(j) + n).value), i, j)

    t.each(0, n, lambda i: t.each(0, m, lambda j: copy(i, j)))
    solve_tile(t, n, lambda nonzero: op.require(lower, nonzero, message))
    t.each(0, n, lambda i: t.each(0, m, lambda j: give(i, j)))


def shown(determinant: Term, hidden: Term) -> Term:
    """The determinant, nan where a pivot of 0 has hidden what is not finite: of that `hidden`, a
    sum of zeros, is nan."""
    lost = determinant.equal(0) & hidden.not_equal(0)
    return where(lost, determinant.const(math.nan), determinant)


# The same in NumPy, for all matrices at once.


def eliminated(rows: np.ndarray, n: int) -> np.ndarray:
    """Take row after row off those below it, in place: rows[b, i, :] of the matrices [b, :, :n] and
    what is right of them. Gives how often rows were exchanged, by matrix. Column k of the rest is
    left as it is."""
    every = np.arange(len(rows))
    swaps = np.zeros(len(rows), np.int64)
    for k in range(n):
        size = np.abs(rows[:, k:, k])
        size[:, 0][np.isnan(size[:, 0])] = np.inf  # nothing is larger than nan, nor is nan
        size[np.isnan(size)] = -1
        place = k + size.argmax(1)
        swaps += place != k
        top = rows[every, place]
        rows[every, place] = rows[:, k]
        rows[:, k] = top
        pivot = top[:, k, None]
        factor = np.where(pivot == 0, 0, rows[:, k + 1 :, k] / pivot)[..., None]
        rows[:, k + 1 :, k + 1 :] -= factor * top[:, None, k + 1 :]
    return swaps


def wide(x: np.ndarray) -> np.ndarray:
    """A batch of matrices with one batch axis, as what is computed with: a copy."""
    return x.reshape(-1, *x.shape[-2:]).astype(COMPUTE.numpy)


def solved(x: np.ndarray, rhs: np.ndarray, message: str = NO_SOLUTION) -> np.ndarray:
    """What `SmallSolve` gives; ValueError with the message where a matrix is singular."""
    n = x.shape[-1]
    rows = np.concatenate([wide(x), wide(rhs)], 2)
    with np.errstate(all="ignore"):
        eliminated(rows, n)
        if not np.diagonal(rows, 0, 1, 2).all():
            raise ValueError(message)
        for k in reversed(range(n)):
            rows[:, k, n:] /= rows[:, k, k, None]
            rows[:, :k, n:] -= rows[:, :k, k, None] * rows[:, k, None, n:]
        return rows[:, :, n:].astype(x.dtype).reshape(rhs.shape)


def inverted(x: np.ndarray) -> np.ndarray:
    """What `SmallInverse` gives; ValueError where a matrix is singular."""
    one = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
    return solved(x, one, NO_INVERSE)


def determinants(x: np.ndarray) -> np.ndarray:
    """What `SmallDeterminant` gives."""
    rows = wide(x)
    found = np.ones(len(rows))
    with np.errstate(all="ignore"):
        swaps = eliminated(rows, x.shape[-1])
        for k in range(x.shape[-1]):
            found *= rows[:, k, k]
    found = np.where(swaps % 2, -found, found)
    hidden = (found == 0) & ~np.isfinite(wide(x)).all((1, 2))
    with np.errstate(all="ignore"):
        return np.where(hidden, np.nan, found).astype(x.dtype).reshape(x.shape[:-2])


def cholesky_factors(x: np.ndarray) -> np.ndarray:
    """What `SmallCholesky` gives; ValueError where a matrix is not positive definite."""
    a = np.tril(wide(x))
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        for k in range(n):
            if (a[:, k, k] <= 0).any():
                raise ValueError(NOT_DEFINITE)
            a[:, k, k] = np.sqrt(a[:, k, k])
            column = a[:, k + 1 :, k]
            column /= a[:, k, k, None]
            a[:, k + 1 :, k + 1 :] -= np.tril(column[:, :, None] * column[:, None, :])
        return a.astype(x.dtype).reshape(x.shape)


# Derivatives, of matrices of any size.


def solve_pullback(op: Op, b: Builder, dy: Value) -> tuple[Value, Value]:
    """The cotangents of the operands of an op that solves x @ y = rhs."""
    x = op.operands[0]
    kind: Any = type(op)
    drhs = b.emit(kind(Matrix(b, x).adjoint.value, dy))
    return (-(Matrix(b, drhs) @ Matrix(b, op.result).adjoint)).value, drhs


def inverse_pullback(op: Op, b: Builder, dy: Value) -> tuple[Value]:
    """The cotangent of the operand of an op that inverts."""
    inverse = Matrix(b, op.result).adjoint
    return ((-(inverse @ Matrix(b, dy) @ inverse)).value,)


def cholesky_pullback(op: Op, b: Builder, dl: Value) -> tuple[Value]:
    """The cotangent of the operand of an op that gives Cholesky factors: Murray, "Differentiation
    of the Cholesky decomposition" (2016), eq. 9."""
    lower = Matrix(b, op.result)
    total = (lower.adjoint @ Matrix(b, dl)).band(None, 0)
    half = total + total.without_diagonal()  # twice: the diagonal counts half
    left = triangle_solved(lower, half, adjoint=True)
    both = triangle_solved(lower, left.adjoint, adjoint=True)  # L^-H (L^-H P)^H: its adjoint
    return (((both + both.adjoint) * 0.25).value,)


def triangle_solved(
    triangle: Matrix, rhs: Matrix, lower: bool = True, adjoint: bool = False
) -> Matrix:
    """The y with t @ y = rhs, for the lower or upper triangle t, or its adjoint."""
    b = triangle.b
    return Matrix(b, b.emit(TriangularSolve(triangle.value, rhs.value, lower, adjoint)))


def times_inverse(b: Builder, x: Value, inverse: Value, factor: Value) -> Value:
    """x^-H, each matrix times its number."""
    adjoint = Matrix(b, inverse).adjoint.value
    wide = b.emit(Broadcast(factor, adjoint.shape, tuple(range(factor.rank))))
    return (Term(b, adjoint) * Term(b, wide)).value
