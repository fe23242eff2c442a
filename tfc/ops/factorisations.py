"""Factorisations of matrices, and what they give: inverses, determinants, eigenvalues.

The last two axes are a matrix's, those before them are batches. float32, float64, complex64 and
complex128. What LAPACK computes it computes in the operand's dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, int32
from tfc.ir.extent import Extent
from tfc.ir.ops.matrices import Matrix

from .. import blame
from ..dispatch import Primitive, Sizes, primitive, retype
from .array import extents_of
from .diagonals import matrix, smaller
from .products import shown, unified


def squared(b: Builder, x: Value, name: str) -> Value:
    """x as a square matrix, or batch of them."""
    same = unified(b, x.shape[-2], x.shape[-1]) if x.rank >= 2 else None
    if same is None:
        raise OpError(f"{name}: Input matrix must be square, got shape {shown(x.shape)}")
    return retype(b, x, (*x.shape[:-2], same, same))


def _of_square(op: Callable[..., Op], name: str) -> Primitive:
    """The primitive of an op on square matrices."""

    def body(b: Builder, x: Value) -> Any:
        return b.emit(op(squared(b, x, name)))

    return Primitive(body, name)


_cholesky = _of_square(ir.Cholesky, "cholesky")
_det = _of_square(ir.Determinant, "det")
_slogdet = _of_square(ir.LogDeterminant, "slogdet")
_eigh = _of_square(ir.HermitianEigen, "eigh")
_eigvalsh = _of_square(ir.HermitianEigenvalues, "eigvalsh")
_eig = _of_square(ir.Eigen, "eig")
_eigvals = _of_square(ir.Eigenvalues, "eigvals")
_expm = _of_square(ir.MatrixExponential, "expm")
_logm = _of_square(ir.MatrixLogarithm, "logm")
_sqrtm = _of_square(ir.MatrixSquareRoot, "sqrtm")


def cholesky(input: Any, name: Any = None) -> Any:
    """The lower triangular matrices L with L @ L^H = input, which must be hermitian and positive
    definite; only its lower triangle is read. Else an InvalidArgumentError.

    >>> import tfc as tf
    >>> print(tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]))
    tf.Tensor(
    [[2. 0.]
     [1. 2.]], shape=(2, 2), dtype=float32)
    """
    return _cholesky.fast()(matrix("cholesky", input))


@primitive
def _inv(b: Builder, x: Value, adjoint: bool) -> Any:
    y = Matrix(b, b.emit(ir.Inverse(squared(b, x, "inv"))))
    return (y.adjoint if adjoint else y).value


def inv(input: Any, adjoint: bool = False, name: Any = None) -> Any:
    """The inverse of square matrices, or its adjoint. A singular matrix is an
    InvalidArgumentError.

    >>> import tfc as tf
    >>> print(tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    return _inv.fast(bool(adjoint))(matrix("inv", input))


def det(input: Any, name: Any = None) -> Any:
    """The determinant of square matrices. (Its gradient needs their inverse.)"""
    return _det.fast()(matrix("det", input))


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives."""

    sign: Any
    log_abs_determinant: Any


def slogdet(input: Any, name: Any = None) -> LogMatrixDeterminant:
    """The sign of the determinant of square matrices (of magnitude 1 where they are complex), and
    the logarithm of its magnitude."""
    return LogMatrixDeterminant(*_slogdet.fast()(matrix("slogdet", input)))


@primitive
def _logdet(b: Builder, x: Value) -> Any:
    lower = Matrix(b, b.emit(ir.Cholesky(squared(b, x, "logdet"))))
    pivots = lower.diagonal()
    pivots = b.emit(ir.Real(pivots)) if pivots.dtype.is_complex else pivots
    return (Term(b, b.emit(ir.ReduceSum(b.emit(ir.Log(pivots)), (pivots.rank - 1,)))) * 2).value


def logdet(matrix: Any, name: Any = None) -> Any:
    """The logarithm of the determinant of hermitian positive definite matrices."""
    return _logdet.fast()(_matrix("logdet", matrix))


_matrix = matrix  # `matrix` is also the name of TensorFlow's arguments


class Qr(NamedTuple):
    """What `qr` gives."""

    q: Any
    r: Any


@primitive
def _qr(b: Builder, x: Value, full: bool, count: tuple[Extent, ...]) -> Any:
    return b.emit(ir.Qr(x, full, count[0]))


def qr(input: Any, full_matrices: bool = False, name: Any = None) -> Qr:
    """q with orthonormal columns and r upper triangular, q @ r = input[..., m, n].

    q is [..., m, k] and r [..., k, n] with k = min(m, n), or k = m with `full_matrices` (which
    has no gradient where m > n).
    """
    x = matrix("qr", input)
    rows, columns = extents_of(x)[-2:]
    full = bool(full_matrices)
    count = rows if full else smaller(columns, rows)
    return Qr(*_qr(x, static=(full, Sizes((count,)))))


@primitive
def _svd(b: Builder, x: Value, full: bool, vectors: bool, count: tuple[Extent, ...]) -> Any:
    if not vectors:
        return b.emit(ir.SingularValues(x, count[0]))
    return b.emit(ir.Svd(x, full, count[0]))


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: Any = None) -> Any:
    """The singular value decomposition: (s, u, v) with u @ diag(s) @ v^H = tensor[..., m, n].

    s is descending, [..., k] with k = min(m, n); u and v have k columns, or are square with
    `full_matrices` (which has a gradient only where m = n). Without `compute_uv` the result is s.
    The gradient takes singular values to be distinct, as TensorFlow's does.
    """
    x = matrix("svd", tensor)
    count = smaller(*reversed(extents_of(x)[-2:]))
    return _svd(x, static=(bool(full_matrices), bool(compute_uv), Sizes((count,))))


def eigh(tensor: Any, name: Any = None) -> Any:
    """The eigenvalues e (ascending) and eigenvectors v (columns) of hermitian matrices, of which
    only the lower triangle is read: tensor @ v = v @ diag(e).

    The gradient takes eigenvalues to be distinct, as TensorFlow's does.
    """
    return _eigh.fast()(matrix("eigh", tensor))


def eigvalsh(tensor: Any, name: Any = None) -> Any:
    """The eigenvalues, ascending, of hermitian matrices (of which the lower triangle is read)."""
    return _eigvalsh.fast()(matrix("eigvalsh", tensor))


def eig(tensor: Any, name: Any = None) -> Any:
    """The eigenvalues and eigenvectors (columns of norm 1) of square matrices, as complex numbers,
    in LAPACK's order."""
    return _eig.fast()(matrix("eig", tensor))


def eigvals(tensor: Any, name: Any = None) -> Any:
    """The eigenvalues of square matrices, as complex numbers, in LAPACK's order."""
    return _eigvals.fast()(matrix("eigvals", tensor))


def expm(input: Any, name: Any = None) -> Any:
    """The exponential of square matrices: the sum of input^k / k!.

    By scaling and squaring (Higham, 2005).
    """
    return _expm.fast()(matrix("expm", input))


def logm(input: Any, name: Any = None) -> Any:
    """The principal logarithm of square complex matrices: expm(logm(x)) = x. Needs SciPy."""
    return _logm.fast()(matrix("logm", input))


def sqrtm(input: Any, name: Any = None) -> Any:
    """The principal square root of square matrices. Needs SciPy.

    A real matrix must have a real root (else an InvalidArgumentError).
    """
    return _sqrtm.fast()(matrix("sqrtm", input))


class Lu(NamedTuple):
    """What `lu` gives."""

    lu: Any
    p: Any


@primitive
def _lu(b: Builder, x: Value, dtype: DType) -> Any:
    packed, places = b.emit(ir.Lu(squared(b, x, "lu")))
    return packed, places if dtype is int32 else b.emit(ir.Cast(places, dtype))


def lu(input: Any, output_idx_type: Any = int32, name: Any = None) -> Lu:
    """The decomposition input[p] = l @ u of square matrices, by elimination with partial pivoting.

    `lu` holds u in its upper triangle and l, without the ones on its diagonal, below; `p` is a
    permutation of the rows. A singular matrix is an InvalidArgumentError.
    """
    dtype = as_dtype(output_idx_type)
    if dtype.name not in ("int32", "int64"):
        raise blame.type_error(f"output_idx_type must be int32 or int64, not {dtype.name}", "lu")
    return Lu(*_lu.fast(dtype)(matrix("lu", input)))
