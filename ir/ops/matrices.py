"""Algebra on matrices of the IR, so that the derivatives of factorisations read as formulas.

The last two axes are a matrix's, those before them are batches. Vectors are values with one axis
less.
"""

from __future__ import annotations

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import DType, int64
from .complex import Complex, Real
from .contraction import Matmul, transposed
from .diagonal import Diagonals, FromDiagonals
from .elementwise import Cast, Equal
from .shape import Broadcast, Iota, Reshape


class Matrix:
    """A matrix (or a batch of them) and the builder that operations on it are emitted into."""

    __slots__ = ("b", "value")

    def __init__(self, b: Builder, value: Value) -> None:
        self.b = b
        self.value = value

    def __matmul__(self, other: Matrix) -> Matrix:
        return Matrix(self.b, self.b.emit(Matmul(self.value, other.value)))

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix(self.b, (self.term + other.term).value)

    def __sub__(self, other: Matrix) -> Matrix:
        return Matrix(self.b, (self.term - other.term).value)

    def __mul__(self, other: Matrix | float) -> Matrix:
        factor = other.term if isinstance(other, Matrix) else other
        return Matrix(self.b, (self.term * factor).value)

    def __neg__(self) -> Matrix:
        return Matrix(self.b, (-self.term).value)

    @property
    def term(self) -> Term:
        return Term(self.b, self.value)

    @property
    def adjoint(self) -> Matrix:
        """The conjugate transpose."""
        return Matrix(self.b, transposed(self.b, self.term.conj().value))

    def band(self, low: int | None, high: int | None) -> Matrix:
        """With zeros off the diagonals low to high (None: no bound)."""
        inside = within(self.b, self.value, low, high)
        return Matrix(self.b, where(inside, self.term, 0).value)

    def without_diagonal(self) -> Matrix:
        """With zeros on the main diagonal."""
        on = Term(self.b, self.b.emit(Equal(*places(self.b, self.value))))
        return Matrix(self.b, where(on, self.term.const(0), self.term).value)

    def diagonal(self) -> Value:
        """The main diagonal of a square matrix, as a vector."""
        *batch, _, n = self.value.shape
        zero = self.b.constant(0, self.value.dtype)
        taken = self.b.emit(Diagonals(self.value, zero, 0, 0, False, False, n))
        return self.b.emit(Reshape(taken, (*batch, n)))

    def columns_times(self, vector: Value) -> Matrix:
        """With column j multiplied by vector[j]."""
        return self._scaled(vector, self.value.rank - 1)

    def rows_times(self, vector: Value) -> Matrix:
        """With row i multiplied by vector[i]."""
        return self._scaled(vector, self.value.rank - 2)

    def _scaled(self, vector: Value, axis: int) -> Matrix:
        factor = spread(self.b, converted(self.b, vector, self.value.dtype), self.value, axis)
        return Matrix(self.b, (self.term * factor).value)


def spread(b: Builder, vector: Value, like: Value, axis: int) -> Term:
    """A vector laid along an axis (one of the last two) of a matrix, the same along the other."""
    dims = (*range(like.rank - 2), axis)
    return Term(b, b.emit(Broadcast(vector, like.shape, dims)))


def diagonal_matrix(b: Builder, vector: Value) -> Matrix:
    """The square matrix with `vector` on its diagonal."""
    *batch, n = vector.shape
    row = b.emit(Reshape(vector, (*batch, 1, n)))
    zero = b.constant(0, vector.dtype)
    return Matrix(b, b.emit(FromDiagonals(row, zero, 0, 0, False, False, n, n)))


def differences(b: Builder, vector: Value) -> Matrix:
    """The square matrix of vector[j] - vector[i]."""
    n = vector.shape[-1]
    like = Value(vector.tensor_type.with_shape((*vector.shape, n)))
    columns, rows = (spread(b, vector, like, vector.rank - k) for k in (0, 1))
    return Matrix(b, (columns - rows).value)


def safe_reciprocal(b: Builder, x: Value) -> Value:
    """x / (x*x + 1e-20): 1/x, and 0 at 0. TensorFlow's, for values that coincide."""
    t = Term(b, x)
    return (t / (t * t + 1e-20)).value


def places(b: Builder, like: Value) -> tuple[Value, Value]:
    """The row and the column of each element of matrices."""
    rank = like.rank
    row, column = (b.emit(Iota(like.shape, rank - k, int64)) for k in (2, 1))
    return row, column


def within(b: Builder, like: Value, low: int | None, high: int | None) -> Term:
    """Whether each element of matrices stands on the diagonals low to high (None: no bound)."""
    row, column = places(b, like)
    d = Term(b, column) - Term(b, row)
    conditions = [] if low is None else [d >= low]
    conditions += [] if high is None else [d <= high]
    first, *rest = conditions
    for condition in rest:
        first = first & condition
    return first


def converted(b: Builder, x: Value, dtype: DType) -> Value:
    """x as `dtype`; of a complex number the real part where `dtype` is real."""
    if x.dtype is dtype:
        return x
    result: Value
    if dtype.is_complex:
        real = converted(b, x, dtype.real_dtype)
        result = b.emit(Complex(real, Term(b, real).const(0).value))
    elif x.dtype.is_complex:
        result = converted(b, b.emit(Real(x)), dtype)
    else:
        result = b.emit(Cast(x, dtype))
    return result
