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
from tfc.ir.ops.matrices import Matrix, converted
from tfc.ir.ops.small_matrices import are_small

from ...core import blame
from ...core.context import context
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import Known, Primitive, Sizes, primitive, retype
from ..arguments import flag
from ..extents import extents_of
from .diagonals import matrix, smaller
from .products import shown, unified


def squared(b: Builder, x: Value, name: str) -> Value:
    """x as a square matrix, or batch of them."""
    same = unified(b, x.shape[-2], x.shape[-1]) if x.rank >= 2 else None
    if same is None:
        raise OpError(f"{name}: Input matrix must be square, got shape {shown(x.shape)}")
    return retype(b, x, (*x.shape[:-2], same, same))


def known_extents(*values: Any, axis: int = -1) -> tuple[Known, ...]:
    """What eager code should know of small matrices, each of whose sizes has a kernel of its own:
    the last extents of these, and nothing where one is not small. The same operations in NumPy,
    which any size has, take 55 us for the determinant of one float32 matrix of 2 x 2 and 305 us for
    one of 16 x 16, and a kernel 0.4 and 1.6; for 196,608 of 3 x 3 64 ms and 2.0."""
    if context.trace is not None:  # which knows them
        return ()
    extents = [v._array.shape[axis] for v in values if v._array.ndim > 1]
    small = len(extents) == len(values) and are_small(values[0].dtype, *extents)
    return tuple(map(Known, extents)) if small else ()


def _of_square(op: Callable[..., Op], name: str) -> Primitive:
    """The primitive of an op on square matrices."""

    def body(b: Builder, x: Value) -> Any:
        results = b.emit_all(op(squared(b, x, name)))
        return results[0] if len(results) == 1 else results

    return Primitive(body, name)


_cholesky = Primitive(lambda b, x, *_: ir.cholesky(b, squared(b, x, "cholesky")), "cholesky")
_det = Primitive(lambda b, x, *_: ir.determinant(b, squared(b, x, "det")), "det")
_slogdet = _of_square(ir.LogDeterminant, "slogdet")
_eig = _of_square(ir.Eigen, "eig")
_eigvals = _of_square(ir.Eigenvalues, "eigvals")
_expm = _of_square(ir.MatrixExponential, "expm")
_logm = _of_square(ir.MatrixLogarithm, "logm")
_sqrtm = _of_square(ir.MatrixSquareRoot, "sqrtm")


def cholesky(input: TensorLike, name: str | None = None) -> Tensor:
    """The lower triangular matrices L with L @ L^H = input, which must be hermitian and positive
    definite; only its lower triangle is read. Else an InvalidArgumentError.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If a matrix is not positive definite.

    >>> import tfc as tf
    >>> print(tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]))
    tf.Tensor(
    [[2. 0.]
     [1. 2.]], shape=(2, 2), dtype=float32)
    """
    x = matrix("cholesky", input)
    return _cholesky.fast(*known_extents(x))(x)


@primitive
def _inv(b: Builder, x: Value, adjoint: bool, *_: Known) -> Value:
    y = Matrix(b, ir.inverse(b, squared(b, x, "inv")))
    return (y.adjoint if adjoint else y).value


def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices, or its adjoint. A singular matrix is an
    InvalidArgumentError.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.
        adjoint: Whether to give the inverse of the adjoint.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If a matrix is singular.

    >>> import tfc as tf
    >>> print(tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]))
    tf.Tensor(
    [[0.5  0.  ]
     [0.   0.25]], shape=(2, 2), dtype=float32)
    """
    x = matrix("inv", input)
    return _inv.fast(flag(adjoint, "adjoint", "inv"), *known_extents(x))(x)


def det(input: TensorLike, name: str | None = None) -> Tensor:
    """The determinants [...] of square matrices [..., n, n], by elimination; 1 for n = 0. Its
    gradient needs their inverse.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor [...] of the dtype of `input`.

    Raises:
        InvalidArgumentError: If the matrices are not square (ValueError while tracing), or the
            dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.linalg.det([[2.0, 1.0], [0.0, 4.0]]))
    tf.Tensor(8.0, shape=(), dtype=float32)
    """
    x = matrix("det", input)
    return _det.fast(*known_extents(x))(x)


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives: (sign, log_abs_determinant).

    >>> import tfc as tf
    >>> tf.linalg.slogdet(tf.eye(2))._fields
    ('sign', 'log_abs_determinant')
    """

    sign: Any
    log_abs_determinant: Any


def slogdet(input: TensorLike, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of the determinant of square matrices (of magnitude 1 where they are complex), and
    the logarithm of its magnitude, which does not overflow where `det` does. A singular matrix has
    the sign 0 and the logarithm -inf.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A pair (sign, logarithm) of tensors [...].

    Raises:
        InvalidArgumentError: If the matrices are not square (ValueError while tracing), or the
            dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> sign, log = tf.linalg.slogdet(tf.linalg.diag([-1e30, 1e30]))
    >>> print(tf.linalg.det(tf.linalg.diag([-1e30, 1e30])).numpy(), sign.numpy(), np.round(log, 2))
    -inf -1.0 138.16
    """
    return LogMatrixDeterminant(*_slogdet.fast()(matrix("slogdet", input)))


@primitive
def _logdet(b: Builder, x: Value) -> Value:
    lower = Matrix(b, ir.cholesky(b, squared(b, x, "logdet")))
    pivots = lower.diagonal()
    pivots = b.emit(ir.Real(pivots)) if pivots.dtype.is_complex else pivots
    return (Term(b, b.emit(ir.ReduceSum(b.emit(ir.Log(pivots)), (pivots.rank - 1,)))) * 2).value


def logdet(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of hermitian positive definite matrices, by their Cholesky
    factors; an InvalidArgumentError for others. Real, also of complex matrices.

    Args:
        matrix: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor [...] of reals.

    Raises:
        InvalidArgumentError: If a matrix is not positive definite.

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[2.0, 1.0], [1.0, 2.0]])
    >>> print(np.round(tf.exp(tf.linalg.logdet(x)), 3))
    3.0
    """
    return _logdet.fast()(_matrix("logdet", matrix))


_matrix = matrix  # `matrix` is also the name of TensorFlow's arguments


class Qr(NamedTuple):
    """What `qr` gives: (q, r).

    >>> import tfc as tf
    >>> tf.linalg.qr(tf.eye(2))._fields
    ('q', 'r')
    """

    q: Any
    r: Any


@primitive
def _qr(b: Builder, x: Value, full: bool, count: tuple[Extent, ...]) -> Any:
    return b.emit_all(ir.Qr(x, full, count[0]))


def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """q with orthonormal columns and r upper triangular, q @ r = input[..., m, n].

    q is [..., m, k] and r [..., k, n] with k = min(m, n), or k = m with `full_matrices` (which has
    no gradient where m > n). The signs of the diagonal of r are LAPACK's choice.

    Args:
        input: A tensor [..., m, n] of float32, float64 or complex numbers.
        full_matrices: Whether q is square.

    Returns:
        A pair (q, r).

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[3.0, 1.0], [4.0, 1.0]])
    >>> q, r = tf.linalg.qr(x)
    >>> print(np.round(np.abs(r), 3)[0], np.allclose(q @ r, x, atol=1e-5))
    [5.  1.4] True
    >>> np.allclose(tf.matmul(q, q, transpose_a=True), tf.eye(2), atol=1e-6)
    True
    """
    x = matrix("qr", input)
    rows, columns = extents_of(x)[-2:]
    full = flag(full_matrices, "full_matrices", "qr")
    count = rows if full else smaller(columns, rows)
    return Qr(*_qr(x, static=(full, Sizes((count,)))))


@primitive
def _svd(b: Builder, x: Value, full: bool, vectors: bool, count: tuple[Extent, ...]) -> Any:
    if not vectors:
        return b.emit(ir.SingularValues(x, count[0]))
    return b.emit_all(ir.Svd(x, full, count[0]))


def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """The singular value decomposition: (s, u, v) with u @ diag(s) @ v^H = tensor[..., m, n].

    s is descending, [..., k] with k = min(m, n); u and v have k columns, or are square with
    `full_matrices` (which has a gradient only where m = n). Without `compute_uv` the result is s.
    NumPy has another order, and v^H. The gradient takes singular values to be distinct, as
    TensorFlow's does.

    Args:
        tensor: A tensor [..., m, n] of float32, float64 or complex numbers.
        full_matrices: Whether u and v are square.
        compute_uv: Whether they are wanted.

    Returns:
        A triple (s, u, v), of which s is real; without `compute_uv` s alone.

    Raises:
        InvalidArgumentError: If it does not converge, as of nan; if the rank is below 2 (ValueError
            while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[0.0, 3.0], [4.0, 0.0], [0.0, 0.0]])
    >>> s, u, v = tf.linalg.svd(x)
    >>> print(np.round(s, 3), u.shape, v.shape)
    [4. 3.] (3, 2) (2, 2)
    >>> np.allclose(tf.matmul(u * s, v, adjoint_b=True), x, atol=1e-6)
    True
    """
    x = matrix("svd", tensor)
    count = smaller(*reversed(extents_of(x)[-2:]))
    return _svd(
        x,
        static=(
            flag(full_matrices, "full_matrices", "svd"),
            flag(compute_uv, "compute_uv", "svd"),
            Sizes((count,)),
        ),
    )


@primitive
def _eigh(b: Builder, x: Value) -> Any:
    e, v = b.emit_all(ir.HermitianEigen(squared(b, x, "eigh")))
    return converted(b, e, x.dtype), v


@primitive
def _eigvalsh(b: Builder, x: Value) -> Value:
    return converted(b, b.emit(ir.HermitianEigenvalues(squared(b, x, "eigvalsh"))), x.dtype)


def eigh(tensor: TensorLike, name: str | None = None) -> Any:
    """The eigenvalues e (ascending) and eigenvectors v (columns of norm 1) of hermitian matrices,
    of which only the lower triangle is read: tensor @ v = v @ diag(e).

    Both have the dtype of the matrices: as in TensorFlow, the real eigenvalues of complex matrices
    come as complex numbers.

    The sign of a column is LAPACK's choice. The gradient takes eigenvalues to be distinct, as
    TensorFlow's does.

    Args:
        tensor: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A pair (e, v), [..., n] and [..., n, n].

    Raises:
        InvalidArgumentError: If it does not converge, as of nan; if the matrices are not square
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[2.0, 1.0], [1.0, 2.0]])
    >>> e, v = tf.linalg.eigh(x)
    >>> print(np.round(e, 3), np.allclose(x @ v, v * e, atol=1e-6))
    [1. 3.] True
    """
    return _eigh.fast()(matrix("eigh", tensor))


def eigvalsh(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues, ascending, of hermitian matrices (of which the lower triangle is read), in
    the dtype of the matrices: as complex numbers where these are complex.

    Args:
        tensor: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor [..., n].

    Raises:
        InvalidArgumentError: If it does not converge, as of nan; if the matrices are not square
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.linalg.eigvalsh([[2.0, 9.0], [1.0, 2.0]]), 3))
    [1. 3.]
    """
    return _eigvalsh.fast()(matrix("eigvalsh", tensor))


def eig(tensor: TensorLike, name: str | None = None) -> Any:
    """The eigenvalues e and eigenvectors v (columns of norm 1) of square matrices: tensor @ v = v @
    diag(e). Complex numbers also for real matrices, in LAPACK's order.

    Args:
        tensor: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A pair (e, v) of complex tensors, [..., n] and [..., n, n].

    Raises:
        InvalidArgumentError: If a number is infinite or nan; if the matrices are not square
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> quarter = tf.constant([[0.0, -1.0], [1.0, 0.0]])
    >>> e, v = tf.linalg.eig(quarter)
    >>> print(np.round(e, 3) + 0)
    [0.+1.j 0.-1.j]
    >>> np.allclose(tf.cast(quarter, e.dtype) @ v, v * e, atol=1e-6)
    True
    """
    return _eig.fast()(matrix("eig", tensor))


def eigvals(tensor: TensorLike, name: str | None = None) -> Tensor:
    """The eigenvalues of square matrices, as complex numbers, in LAPACK's order; of a companion
    matrix, the roots of its polynomial.

    Args:
        tensor: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A complex tensor [..., n].

    Raises:
        InvalidArgumentError: If a number is infinite or nan; if the matrices are not square
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> companion = tf.constant([[3.0, -2.0], [1.0, 0.0]])  # of x^2 - 3 x + 2
    >>> print(np.sort(np.round(tf.linalg.eigvals(companion).numpy().real, 3)))
    [1. 2.]
    """
    return _eigvals.fast()(matrix("eigvals", tensor))


def expm(input: TensorLike, name: str | None = None) -> Tensor:
    """The exponential of square matrices: the sum of input^k / k!, not element by element.

    By scaling and squaring (N. Higham, "The scaling and squaring method for the matrix exponential
    revisited", 2005).

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If the matrices are not square (ValueError while tracing), or the
            dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> np.allclose(tf.linalg.expm([[0.0, 2.0], [0.0, 0.0]]), [[1, 2], [0, 1]], atol=1e-6)
    True
    """
    return _expm.fast()(matrix("expm", input))


def logm(input: TensorLike, name: str | None = None) -> Tensor:
    """The principal logarithm of invertible matrices: expm(logm(x)) = x. Needs SciPy.

    As in TensorFlow, a real matrix has to be cast to complex64 or complex128 first: its logarithm
    may not be real.

    Args:
        input: A tensor [..., n, n] of complex numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If the matrices are not square (ValueError while tracing), or the
            dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[1.0, 2.0], [0.0, 1.0]], tf.complex64)
    >>> np.allclose(tf.linalg.logm(x), [[0, 2], [0, 0]], atol=1e-5)
    True
    """
    return _logm.fast()(matrix("logm", input))


def sqrtm(input: TensorLike, name: str | None = None) -> Tensor:
    """The principal square root of square matrices: sqrtm(x) @ sqrtm(x) = x. Needs SciPy.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If a real matrix has no real root; if the matrices are not square
            (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[4.0, 5.0], [0.0, 9.0]])
    >>> root = tf.linalg.sqrtm(x)
    >>> print(np.round(tf.linalg.diag_part(root), 3), np.allclose(root @ root, x, atol=1e-5))
    [2. 3.] True
    """
    return _sqrtm.fast()(matrix("sqrtm", input))


class Lu(NamedTuple):
    """What `lu` gives: (lu, p).

    >>> import tfc as tf
    >>> tf.linalg.lu(tf.eye(2))._fields
    ('lu', 'p')
    """

    lu: Any
    p: Any


@primitive
def _lu(b: Builder, x: Value, dtype: DType) -> Any:
    packed, places = b.emit_all(ir.Lu(squared(b, x, "lu")))
    return packed, places if dtype is int32 else b.emit(ir.Cast(places, dtype))


def lu(input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Lu:
    """The decomposition input[p] = l @ u of square matrices, by elimination with partial pivoting.

    `lu_solve`, `lu_reconstruct` and `lu_matrix_inverse` take both results.

    Args:
        input: A tensor [..., n, n] of float32, float64 or complex numbers.
        output_idx_type: The dtype of the permutation: int32 or int64.

    Returns:
        A pair (lu, p): u in the upper triangle of [..., n, n] and l, without the ones on its
        diagonal, below; and a permutation of the rows [..., n].

    Raises:
        InvalidArgumentError: If a matrix is singular; if the matrices are not square (ValueError
            while tracing), or the dtype is another one (TypeError).
        TypeError: If `output_idx_type` is another one.

    >>> import tfc as tf
    >>> factors, p = tf.linalg.lu([[1.0, 3.0], [2.0, 4.0]])
    >>> print(factors.numpy().tolist(), p.numpy())
    [[2.0, 4.0], [0.5, 1.0]] [1 0]
    """
    dtype = as_dtype(output_idx_type)
    if dtype.name not in ("int32", "int64"):
        raise blame.type_error(f"output_idx_type must be int32 or int64, not {dtype.name}", "lu")
    return Lu(*_lu.fast(dtype)(matrix("lu", input)))
