"""Factorisations and inverses of matrices, computed by LAPACK (through numpy.linalg).

The last two axes are a matrix's, those before them are batches. Derivatives are IR, and so have
derivatives themselves. Of complex matrices they are conjugate, as TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, as_dtype
from ..extent import Extent
from ..types import TensorType
from .host import HostCall
from .matrices import (
    Matrix,
    converted,
    diagonal_matrix,
    differences,
    safe_reciprocal,
)
from .shape import Concat, Slice
from .small_matrices import (
    NO_INVERSE,
    NO_SOLUTION,
    NOT_DEFINITE,
    SmallCholesky,
    SmallDeterminant,
    SmallInverse,
    SmallSolve,
    are_small,
    check_matrix,
    check_system,
    cholesky_factors,
    cholesky_pullback,
    determinants,
    inverse_pullback,
    inverted,
    solve_pullback,
    solved,
    times_inverse,
    triangle_solved,
)


class Factorisation(HostCall, abstract=True):
    """The base of ops on matrices x[..., m, n]."""

    x: Value

    def check(self, square: bool = False) -> tuple[Extent, ...]:
        """The batch axes; an error for what is no matrix."""
        return check_matrix(self, self.x, square)

    def real(self, shape: tuple[Extent, ...]) -> TensorType:
        return TensorType(self.x.dtype.real_dtype, shape)


class Cholesky(Factorisation):
    """The lower triangular L with L @ L^H = x; only the lower triangle of x is read."""

    def infer(self) -> TensorType:
        self.check(square=True)
        return self.x.tensor_type

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if are_small(self.x.dtype, x.shape[-1]):
            return cholesky_factors(x)
        try:
            return np.linalg.cholesky(x)
        except np.linalg.LinAlgError:
            raise ValueError(NOT_DEFINITE) from None

    def vjp(self, b: Builder, dl: Value) -> Sequence[Value | None]:
        return cholesky_pullback(self, b, dl)


class Inverse(Factorisation):
    """x^-1."""

    def infer(self) -> TensorType:
        self.check(square=True)
        return self.x.tensor_type

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if are_small(self.x.dtype, x.shape[-1]):
            return inverted(x)
        try:
            return np.linalg.inv(x)
        except np.linalg.LinAlgError:
            raise ValueError(NO_INVERSE) from None

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return inverse_pullback(self, b, dy)


class Solve(Factorisation):
    """The y with x @ y = rhs."""

    rhs: Value

    def infer(self) -> TensorType:
        check_system(self, self.x, self.rhs)
        return self.rhs.tensor_type

    def numpy(self, x: np.ndarray, rhs: np.ndarray) -> np.ndarray:
        if are_small(self.x.dtype, x.shape[-1], rhs.shape[-1]):
            return solved(x, rhs)
        try:
            return np.linalg.solve(x, rhs)
        except np.linalg.LinAlgError:
            raise ValueError(NO_SOLUTION) from None

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return solve_pullback(self, b, dy)


class Determinant(Factorisation):
    """The determinants of square matrices."""

    def infer(self) -> TensorType:
        return TensorType(self.x.dtype, self.check(square=True))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if are_small(self.x.dtype, x.shape[-1]):
            return determinants(x)
        found = np.linalg.det(x)
        return np.where(_is_undefined(x, found), np.nan, found).astype(x.dtype)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        factor = (Term(b, dy) * Term(b, self.result).conj()).value
        return (times_inverse(b, self.x, inverse(b, self.x), factor),)


class LogDeterminant(Factorisation):
    """The sign of the determinant (a number of magnitude 1 where x is complex) and the logarithm
    of its magnitude."""

    def infer(self) -> tuple[TensorType, ...]:
        kind = TensorType(self.x.dtype, self.check(square=True))
        return kind, kind

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        sign, log = np.linalg.slogdet(x)
        log = np.where(_is_undefined(x, sign), np.nan, log)
        return sign, log.astype(x.dtype)

    def vjp(self, b: Builder, dsign: Value, dlog: Value) -> Sequence[Value | None]:
        return (times_inverse(b, self.x, inverse(b, self.x), dlog),)


def _is_undefined(x: np.ndarray, determinant: np.ndarray) -> np.ndarray:
    """Whether the determinant is 0 where elements are infinite: LAPACK stops at a pivot of 0, and
    its product with another of inf is not seen."""
    return np.asarray((determinant == 0) & ~np.isfinite(x).all(axis=(-2, -1)))


# Real matrices of few rows are computed by kernels: see small_matrices.py.


def cholesky(b: Builder, x: Value) -> Value:
    """The lower triangular L with L @ L^H = x."""
    return b.emit(SmallCholesky(x) if are_small(x.dtype, *x.shape[-2:]) else Cholesky(x))


def inverse(b: Builder, x: Value) -> Value:
    """x^-1."""
    return b.emit(SmallInverse(x) if are_small(x.dtype, *x.shape[-2:]) else Inverse(x))


def determinant(b: Builder, x: Value) -> Value:
    """The determinants of square matrices."""
    return b.emit(SmallDeterminant(x) if are_small(x.dtype, *x.shape[-2:]) else Determinant(x))


def solve(b: Builder, x: Value, rhs: Value) -> Value:
    """The y with x @ y = rhs."""
    small = are_small(x.dtype, *x.shape[-2:], *rhs.shape[-1:])
    return b.emit(SmallSolve(x, rhs) if small else Solve(x, rhs))


class Qr(Factorisation):
    """q with orthonormal columns and the upper triangular r with q @ r = x. `count` is the smaller
    of the extents of x, or (`full`) that of its rows."""

    full: bool
    count: Extent

    def infer(self) -> tuple[TensorType, ...]:
        batch = self.check()
        m, n = self.x.shape[-2:]
        dtype = self.x.dtype
        return TensorType(dtype, (*batch, m, self.count)), TensorType(
            dtype, (*batch, self.count, n)
        )

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(np.linalg.qr(x, "complete" if self.full else "reduced"))

    def vjp(self, b: Builder, dq: Value, dr: Value) -> Sequence[Value | None]:
        # Walter and Lehmann, "Algorithmic differentiation of linear algebra functions" (2018);
        # Roberts and Roberts, "QR and LQ decomposition matrix backpropagation" (2020).
        q, r = (Matrix(b, v) for v in self.results)
        m, n = self.x.shape[-2:]
        k = self.count
        if k == n:
            return (_qr_deep(q, r, Matrix(b, dq), Matrix(b, dr)).value,)
        wide = n - m
        if self.full and not (isinstance(wide, int) and wide >= 0):
            raise self.error("only the reduced decomposition has a gradient", "value")
        # What is right of the first k columns is q @ v.
        _, y = _split(b, self.x, k)
        u, _ = _split(b, r.value, k)
        du, dv = _split(b, dr, k)
        dx = _qr_deep(q, u, Matrix(b, dq) + y @ dv.adjoint, du)
        return (b.emit(Concat((dx.value, (q @ dv).value), self.x.rank - 1)),)


def _split(b: Builder, x: Value, k: Extent) -> tuple[Matrix, Matrix]:
    """The first k columns, and the rest."""
    *rows, n = x.shape
    begin, strides = (0,) * len(rows), (1,) * x.rank
    left = Slice(x, (*begin, 0), (*rows, k), strides)
    right = Slice(x, (*begin, k), (*rows, n - k), strides)
    return Matrix(b, b.emit(left)), Matrix(b, b.emit(right))


def _qr_deep(q: Matrix, r: Matrix, dq: Matrix, dr: Matrix) -> Matrix:
    """The cotangent of x where it has at least as many rows as columns."""

    def divided(x: Matrix) -> Matrix:
        """x @ r^-H"""
        return triangle_solved(r, x.adjoint, lower=False).adjoint

    qdq, rdr = q.adjoint @ dq, r @ dr.adjoint
    skew = (qdq - qdq.adjoint) + (rdr - rdr.adjoint)
    dx = q @ (dr + divided(skew.band(None, 0))) + divided(dq - q @ qdq)
    if not q.value.dtype.is_complex:
        return dx
    # The phases of the diagonal of r are fixed (it is real): what would turn them is taken out.
    b = q.b
    turning = (rdr - qdq.adjoint).diagonal()
    imaginary = Term(b, turning) - Term(
        b, converted(b, converted(b, turning, turning.dtype.real_dtype), turning.dtype)
    )
    correction = diagonal_matrix(b, imaginary.conj().value)
    return dx + divided(q @ correction)


class SingularValues(Factorisation):
    """The singular values in descending order; `count` is the smaller extent of x."""

    count: Extent

    def infer(self) -> TensorType:
        return self.real((*self.check(), self.count))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _decomposed(lambda: np.asarray(np.linalg.svd(x, compute_uv=False)))

    def vjp(self, b: Builder, ds: Value) -> Sequence[Value | None]:
        _, u, v = b.emit_all(Svd(self.x, False, self.count))
        return ((Matrix(b, u).columns_times(ds) @ Matrix(b, v).adjoint).value,)


class Svd(Factorisation):
    """s, u and v with u @ diag(s) @ v^H = x; `full` makes u and v square."""

    full: bool
    count: Extent

    def infer(self) -> tuple[TensorType, ...]:
        batch = self.check()
        m, n = self.x.shape[-2:]
        left, right = (m, n) if self.full else (self.count, self.count)
        dtype = self.x.dtype
        return (
            self.real((*batch, self.count)),
            TensorType(dtype, (*batch, m, left)),
            TensorType(dtype, (*batch, n, right)),
        )

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        u, s, vh = _decomposed(lambda: np.linalg.svd(x, full_matrices=self.full))
        return s, u, np.conj(np.swapaxes(vh, -1, -2))

    def vjp(self, b: Builder, ds: Value, du: Value, dv: Value) -> Sequence[Value | None]:
        # Townsend, "Differentiating the singular value decomposition" (2016); the last term, for
        # complex x, from Wan and Zhang, "Automatic differentiation for complex valued SVD" (2019).
        m, n = self.x.shape[-2:]
        if self.full and m != n:
            raise self.error("full_matrices has no gradient unless the matrix is square", "value")
        s = self.results[0]
        u, v, gu, gv = (Matrix(b, w) for w in (*self.results[1:], du, dv))
        squares = (Term(b, s) * Term(b, s)).value
        gaps = differences(b, squares)
        f = Matrix(b, safe_reciprocal(b, gaps.value)).without_diagonal()
        factor = Matrix(b, converted(b, f.value, self.x.dtype))
        ugu, vgv = u.adjoint @ gu, v.adjoint @ gv
        fu, fv = factor * ugu, factor * vgv
        inner = diagonal_matrix(b, converted(b, ds, self.x.dtype))
        inner = inner + (fu + fu.adjoint).columns_times(s) + (fv + fv.adjoint).rows_times(s)
        inverse = safe_reciprocal(b, s)
        if self.x.dtype.is_complex:
            turn = diagonal_matrix(b, vgv.diagonal())
            inner = inner + (turn.adjoint - turn).rows_times(inverse) * 0.5
        dx = u @ inner @ v.adjoint
        if m != self.count:
            dx = dx + (gu - u @ ugu).columns_times(inverse) @ v.adjoint
        if n != self.count:
            dx = dx + u.columns_times(inverse) @ (gv - v @ vgv).adjoint
        return (dx.value,)


class HermitianEigenvalues(Factorisation):
    """The eigenvalues, ascending, of the hermitian matrix whose lower triangle x has."""

    def infer(self) -> TensorType:
        return self.real((*self.check(square=True), self.x.shape[-1]))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _decomposed(lambda: np.asarray(np.linalg.eigvalsh(x)))

    def vjp(self, b: Builder, de: Value) -> Sequence[Value | None]:
        _, v = b.emit_all(HermitianEigen(self.x))
        vectors = Matrix(b, v)
        return (_lower_half(vectors.columns_times(de) @ vectors.adjoint),)


class HermitianEigen(Factorisation):
    """The eigenvalues, ascending, and the eigenvectors (columns) of the hermitian matrix whose
    lower triangle x has."""

    def infer(self) -> tuple[TensorType, ...]:
        batch = self.check(square=True)
        return self.real((*batch, self.x.shape[-1])), self.x.tensor_type

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(_decomposed(lambda: np.linalg.eigh(x)))

    def vjp(self, b: Builder, de: Value, dv: Value) -> Sequence[Value | None]:
        # Giles, "Collected matrix derivative results" (2008), section 3.1.
        e, v = self.results[0], Matrix(b, self.results[1])
        f = Matrix(b, safe_reciprocal(b, differences(b, e).value)).without_diagonal()
        factor = Matrix(b, converted(b, f.value, self.x.dtype))
        inner = diagonal_matrix(b, converted(b, de, self.x.dtype))
        inner = inner + factor * (v.adjoint @ Matrix(b, dv))
        return (_lower_half(v @ inner @ v.adjoint),)


def _lower_half(x: Matrix) -> Value:
    """The cotangent of the lower triangle that stands for a whole hermitian matrix."""
    both = (x + x.adjoint).band(None, 0)
    return ((both + both.without_diagonal()) * 0.5).value


class Eigenvalues(Factorisation):
    """The eigenvalues of any square matrix; complex."""

    def infer(self) -> TensorType:
        batch = self.check(square=True)
        return TensorType(complex_of(self.x), (*batch, self.x.shape[-1]))

    def numpy(self, x: np.ndarray) -> np.ndarray:
        values = _decomposed(lambda: np.asarray(np.linalg.eigvals(x)))
        return values.astype(complex_of(self.x).numpy)

    def vjp(self, b: Builder, de: Value) -> Sequence[Value | None]:
        _, v = b.emit_all(Eigen(self.x))
        return (_between(b, v, diagonal_matrix(b, de), self.x),)


class Eigen(Factorisation):
    """The eigenvalues and the eigenvectors (columns of norm 1) of any square matrix; complex."""

    def infer(self) -> tuple[TensorType, ...]:
        batch, dtype = self.check(square=True), complex_of(self.x)
        return TensorType(dtype, (*batch, self.x.shape[-1])), TensorType(dtype, self.x.shape)

    def numpy(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        e, v = _decomposed(lambda: np.linalg.eig(x))
        return tuple(w.astype(complex_of(self.x).numpy) for w in (e, v))

    def vjp(self, b: Builder, de: Value, dv: Value) -> Sequence[Value | None]:
        # Boeddeker et al., "On the computation of complex-valued gradients with application to
        # statistically optimum beamforming" (2017), eq. 4.77.
        e, v = self.results[0], Matrix(b, self.results[1])
        gaps = differences(b, e)
        # 1/d as conj(d) / |d|^2, so that values that coincide give 0
        size = (gaps.term * gaps.term.conj() + 1e-20).value
        f = Matrix(b, (gaps.term / Term(b, size)).value).without_diagonal()  # conj(1 / gaps)
        vgv = v.adjoint @ Matrix(b, dv)
        along = converted(b, vgv.diagonal(), e.dtype.real_dtype)
        inner = diagonal_matrix(b, de) + f * (vgv - (v.adjoint @ v).columns_times(along))
        return (_between(b, v.value, inner, self.x),)


def _between(b: Builder, vectors: Value, inner: Matrix, x: Value) -> Value:
    """v^-H @ inner @ v^H, as the dtype of x."""
    adjoint = Matrix(b, vectors).adjoint
    found = b.emit(Solve(adjoint.value, (inner @ adjoint).value))
    return converted(b, found, x.dtype)


def complex_of(x: Value) -> DType:
    """The complex dtype that x can be converted to without loss."""
    dtype: DType = x.dtype
    if dtype.is_complex:
        return dtype
    return as_dtype("complex64" if dtype.bits == 32 else "complex128")


Made = TypeVar("Made")


def _decomposed(compute: Callable[[], Made]) -> Made:
    try:
        return compute()
    except np.linalg.LinAlgError as error:
        raise ValueError(
            f"The decomposition was not successful. The input might not be valid. ({error})"
        ) from None
