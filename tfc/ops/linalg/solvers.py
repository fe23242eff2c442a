"""Systems of linear equations. The last two axes are a matrix's, earlier ones are batches, which
broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import int32
from tfc.ir.extent import Expr, Extent
from tfc.ir.ops.matrices import Matrix, converted
from tfc.ir.ops.triangular import gathered_rows, scattered_rows, unpacked

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import Known, Sizes, broadcast_to, primitive, retype
from ..arguments import flag
from ..array.conversion import cast as _cast
from ..array.creation import eye
from ..extents import _require, extents_of
from ..math.arithmetic import multiply
from ..math.comparisons import greater
from ..math.reductions import reduce_max, reduce_sum
from .diagonals import larger
from .diagonals import matrix as _matrix
from .factorisations import known_extents, squared, svd
from .products import broadcast_batches, matmul, matmul_of, shown, unified


def _system(b: Builder, x: Value, rhs: Value, name: str) -> tuple[Value, Value]:
    """Square matrices and right-hand sides that fit, with one batch shape."""
    if x.dtype is not rhs.dtype:
        raise OpError(f"{name}: operands must have the same dtype", "dtype")
    x = squared(b, x, name)
    n = unified(b, x.shape[-1], rhs.shape[-2]) if rhs.rank >= 2 else None
    if n is None:
        raise OpError(
            f"{name}: Input matrix and rhs are incompatible: {shown(x.shape)}, {shown(rhs.shape)}"
        )
    x = retype(b, x, (*x.shape[:-2], n, n))
    rhs = retype(b, rhs, (*rhs.shape[:-2], n, rhs.shape[-1]))
    x, rhs = broadcast_batches(b, x, rhs)
    return x, rhs


def _operands(name: str, *values: Any) -> list[Any]:
    """Tensors; what is none takes the dtype of the first that is."""
    hint = next((v.dtype for v in values if isinstance(v, Held)), None)
    return [operand(name, v, dtype_hint=hint) for v in values]


@primitive
def _solve(b: Builder, x: Value, rhs: Value, adjoint: bool, *_: Known) -> Value:
    x, rhs = _system(b, x, rhs, "solve")
    return ir.solve(b, Matrix(b, x).adjoint.value if adjoint else x, rhs)


def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The x with matrix @ x = rhs (or matrix^H @ x = rhs), for square matrices and any number of
    right-hand sides, the columns of rhs[..., n, m]. A singular matrix is an InvalidArgumentError.

    Args:
        matrix: A tensor [..., n, n] of float32, float64 or complex numbers.
        rhs: A tensor [..., n, m] of the same dtype.
        adjoint: Whether to solve with the adjoint of `matrix`.

    Returns:
        A tensor of the shape and dtype of `rhs`.

    Raises:
        InvalidArgumentError: If a matrix is singular.

    >>> import tfc as tf
    >>> print(tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]))
    tf.Tensor(
    [[1. ]
     [0.5]], shape=(2, 1), dtype=float32)
    """
    x, y = _operands("solve", matrix, rhs)
    return _solve.fast(flag(adjoint, "adjoint", "solve"), *known_extents(x, y))(x, y)


@primitive
def _triangular_solve(b: Builder, x: Value, rhs: Value, lower: bool, adjoint: bool) -> Value:
    return b.emit(ir.TriangularSolve(*_system(b, x, rhs, "triangular_solve"), lower, adjoint))


def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """The x with t @ x = rhs, where t is the lower (or upper) triangle of `matrix`, or its adjoint;
    by substitution, without a look at the other triangle. Batches broadcast. A zero on the diagonal
    is an InvalidArgumentError.

    Args:
        matrix: A tensor [..., n, n] of float32, float64 or complex numbers.
        rhs: A tensor [..., n, m] of the same dtype.
        lower: Whether the lower triangle counts, or the upper one.
        adjoint: Whether to solve with the adjoint.

    Returns:
        A tensor [..., n, m].

    Raises:
        InvalidArgumentError: If there is a zero on a diagonal.

    >>> import numpy as np
    >>> import tfc as tf
    >>> t = tf.constant([[2.0, np.nan], [1.0, 4.0]])
    >>> print(tf.reshape(tf.linalg.triangular_solve(t, [[2.0], [9.0]]), [-1]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    operands = _operands("triangular_solve", matrix, rhs)
    return _triangular_solve.fast(
        flag(lower, "lower", "triangular_solve"), flag(adjoint, "adjoint", "triangular_solve")
    )(*operands)


@primitive
def _banded_solve(
    b: Builder, bands: Value, rhs: Value, count: int, lower: bool, adjoint: bool
) -> Value:
    *batch, _, n = bands.shape
    bands = retype(b, bands, (*batch, count, n))
    low, high = (1 - count, 0) if lower else (0, count - 1)
    dense = ir.FromDiagonals(bands, b.constant(0, bands.dtype), low, high, False, True, n, n)
    operands = _system(b, b.emit(dense), rhs, "banded_triangular_solve")
    return b.emit(ir.TriangularSolve(*operands, lower, adjoint))


def banded_triangular_solve(
    bands: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """The x with t @ x = rhs, where t is triangular and has few diagonals.

    t is laid out as a whole matrix, so memory and time are those of `triangular_solve`.

    Args:
        bands: A tensor [..., k, n] of float32, float64 or complex numbers: the diagonals of t, from
            the highest to the lowest, aligned LEFT_RIGHT as for `set_diag`. Those below the main
            diagonal are filled on the left, those above on the right.
        rhs: A tensor [..., n, m] of the same dtype.
        lower: Whether t is lower triangular, or upper.
        adjoint: Whether to solve with the adjoint of t.

    Returns:
        A tensor [..., n, m].

    Raises:
        InvalidArgumentError: If there is a zero on the main diagonal; if shapes do not fit
            (ValueError while tracing), or the dtypes differ or are others (TypeError).
        UnimplementedError: If the number of bands is not known while tracing.

    >>> import tfc as tf
    >>> bands = tf.constant([[2.0, 4.0, 5.0], [0.0, 1.0, 3.0]])  # the diagonal and 1, 3 below
    >>> x = tf.linalg.banded_triangular_solve(bands, [[2.0], [9.0], [16.0]])
    >>> print(tf.reshape(x, [-1]))
    tf.Tensor([1. 2. 2.], shape=(3,), dtype=float32)
    """
    x, y = _operands("banded_triangular_solve", bands, rhs)
    x = _matrix("banded_triangular_solve", x)
    count = extents_of(x)[-2]
    if not isinstance(count, int):
        raise blame.unknown_extent(
            "the number of bands is unknown while tracing", "banded_triangular_solve"
        )
    return _banded_solve.fast(
        count,
        flag(lower, "lower", "banded_triangular_solve"),
        flag(adjoint, "adjoint", "banded_triangular_solve"),
    )(x, y)


def _cholesky_solved(b: Builder, lower: Value, rhs: Value) -> Value:
    """IR for the x with lower @ lower^H @ x = rhs."""
    half = b.emit(ir.TriangularSolve(lower, rhs, True, False))
    result: Value = b.emit(ir.TriangularSolve(lower, half, True, True))
    return result


@primitive
def _cholesky_solve(b: Builder, lower: Value, rhs: Value) -> Value:
    return _cholesky_solved(b, *_system(b, lower, rhs, "cholesky_solve"))


def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Tensor:
    """The x with a @ x = rhs, given the Cholesky factor of a: two substitutions.

    Args:
        chol: What `cholesky` gave: a tensor [..., n, n], whose lower triangle is read.
        rhs: A tensor [..., n, m] of the same dtype.

    Returns:
        A tensor [..., n, m].

    Raises:
        InvalidArgumentError: If there is a zero on a diagonal; if shapes do not fit (ValueError
            while tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> chol = tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
    >>> print(tf.reshape(tf.linalg.cholesky_solve(chol, [[8.0], [12.0]]), [-1]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    return _cholesky_solve.fast()(*_operands("cholesky_solve", chol, rhs))


@primitive
def _lstsq(b: Builder, x: Value, rhs: Value, ridge: Value, deep: bool, *_: Known) -> Value:
    if x.dtype is not rhs.dtype:
        raise OpError("lstsq: operands must have the same dtype", "dtype")
    if x.rank < 2 or rhs.rank < 2:
        raise OpError("lstsq: takes matrices and right-hand sides of rank 2 at least")
    a = Matrix(b, x)
    square = matmul_of(b, *((a.adjoint.value, x) if deep else (x, a.adjoint.value)), "lstsq")
    n = square.shape[-1]
    weight = broadcast_to(b, converted(b, ridge, x.dtype), (*square.shape[:-2], 1, n))
    zero = b.constant(0, x.dtype)
    diagonal = b.emit(ir.FromDiagonals(weight, zero, 0, 0, False, False, n, n))
    lower = ir.cholesky(b, (Term(b, square) + Term(b, diagonal)).value)
    if deep:  # (a^H a + ridge)^-1 a^H rhs
        projected = matmul_of(b, a.adjoint.value, rhs, "lstsq")
        return _cholesky_solved(b, *_system(b, lower, projected, "lstsq"))
    solved = _cholesky_solved(b, *_system(b, lower, rhs, "lstsq"))
    return matmul_of(b, a.adjoint.value, solved, "lstsq")


def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: TensorLike = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """The x that makes |matrix @ x - rhs|^2 + l2_regularizer * |x|^2 least.

    The fast way solves the normal equations by Cholesky: the matrix must have full rank, and a
    condition number below about 1/sqrt(epsilon); where m < n and nothing is regularised it gives
    the shortest of all x with matrix @ x = rhs. The other way gives the shortest of all least
    squares solutions, by the pseudo-inverse, for matrices of any rank.

    Args:
        matrix: A tensor [..., m, n] of float32, float64 or complex numbers.
        rhs: A tensor [..., m, k] of the same dtype.
        l2_regularizer: The weight of the solution's size, a scalar; ignored without `fast`, as in
            TensorFlow.
        fast: Whether to take the fast way.

    Returns:
        A tensor [..., n, k].

    Raises:
        InvalidArgumentError: If the fast way finds the matrix to have no full rank; if shapes do
            not fit (ValueError while tracing), or the dtypes differ or are others (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> line = tf.constant([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])  # a + b t at t = 0, 1, 2
    >>> print(np.round(tf.linalg.lstsq(line, [[1.0], [2.0], [6.0]]), 3).ravel())
    [0.5 2.5]
    """
    x, y = _operands("lstsq", matrix, rhs)
    x = _matrix("lstsq", x)
    if not flag(fast, "fast", "lstsq"):
        return matmul(pinv(x), y)
    rows, columns = extents_of(x)[-2:]
    difference = rows - columns
    deep = not isinstance(difference, int) or difference >= 0
    if deep:
        _require(difference)
    real = x.dtype.real_dtype
    held = isinstance(l2_regularizer, Held)
    ridge = _cast(operand("lstsq", l2_regularizer, None if held else real), real)
    return _lstsq.fast(deep, *known_extents(x, axis=-1 if deep else -2))(x, y, ridge)


@primitive
def _pinv(b: Builder, s: Value, u: Value, v: Value, rcond: Value) -> Value:
    top = b.emit(ir.ReduceMax(s, (s.rank - 1,)))
    cut = (Term(b, broadcast_to(b, rcond, top.shape)) * Term(b, top)).value
    cut = b.emit(ir.Reshape(cut, (*cut.shape, 1)))
    kept = Term(b, s) > Term(b, broadcast_to(b, cut, s.shape))
    one = Term(b, s).const(1)
    inverse = where(kept, one / where(kept, Term(b, s), one), 0).value
    return (Matrix(b, v).columns_times(inverse) @ Matrix(b, u).adjoint).value


def _float_matrix(name: str, a: Any) -> Any:
    """An operand with at least two axes, of floats or complex numbers."""
    x = operand(name, a)
    if len(x.shape) < 2:
        text = f"Input `a` must have at least 2 dimensions (saw: {len(x.shape)})."
        raise blame.value_error(text, name)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        text = f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name})."
        raise blame.type_error(text, name)
    return x


def pinv(
    a: TensorLike,
    rcond: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The Moore-Penrose pseudo-inverse, from the singular value decomposition.

    Args:
        a: A tensor [..., m, n] of float32, float64 or complex numbers.
        rcond: Singular values up to this times the largest count as 0: a number, or one for each
            matrix of a batch; None is 10 * max(m, n) * epsilon.
        validate_args: Of no effect.

    Returns:
        A tensor [..., n, m] of the same dtype.

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([[2.0, 0.0], [0.0, 0.0]])  # has no inverse
    >>> np.allclose(tf.linalg.pinv(x), [[0.5, 0], [0, 0]])
    True
    """
    x = _float_matrix("pinv", a)
    s, u, v = svd(x)
    if rcond is None:
        bound = _tolerance(x, 10.0)
    else:
        given = operand("pinv", rcond, None if isinstance(rcond, Held) else s.dtype)
        bound = _cast(given, s.dtype)
    return _pinv.fast()(s, u, v, bound)


def _tolerance(x: Any, factor: float) -> Tensor:
    """factor * max(m, n) * epsilon, of the real dtype of x[..., m, n]."""
    real = x.dtype.real_dtype
    epsilon = float(np.finfo(real.numpy).eps)
    most = larger(*reversed(extents_of(x)[-2:]))
    if isinstance(most, Expr):
        return multiply(_cast(_scalar_of(most), real), factor * epsilon)
    return operand("tolerance", factor * most * epsilon, real)


@primitive
def _extent_scalar(b: Builder, extent: tuple[Extent, ...]) -> Value:
    return b.emit(ir.ExtentOf(extent[0]))


def _scalar_of(extent: Extent) -> Any:
    return _extent_scalar(static=(Sizes((extent,)),))


def matrix_rank(
    a: TensorLike,
    tol: TensorLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """How many singular values are not as good as 0.

    Args:
        a: A tensor [..., m, n] of float32, float64 or complex numbers.
        tol: What counts as 0, of the real dtype of `a`; None is max(m, n) * epsilon * the largest
            singular value.
        validate_args: Of no effect.

    Returns:
        A tensor of int32 [...].

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing), or a dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.linalg.matrix_rank([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    x = _float_matrix("matrix_rank", a)
    s = svd(x, compute_uv=False)
    if tol is None:
        tol = _tolerance(x, 1.0) * reduce_max(s, -1, keepdims=True)
    return reduce_sum(_cast(greater(s, tol), int32), -1)


def _placed(b: Builder, p: Value, x: Value, name: str) -> Value:
    """The permutation that belongs to the rows of x."""
    if not p.dtype.is_integer:
        raise OpError(f"{name}: perm must be integers, got {p.dtype.name}", "dtype")
    if p.rank != x.rank - 1:
        raise OpError(f"{name}: perm of shape {shown(p.shape)} for {shown(x.shape)}")
    fitted = [unified(b, e, f) for e, f in zip(x.shape[:-1], p.shape, strict=True)]
    if None in fitted:
        raise OpError(f"{name}: perm of shape {shown(p.shape)} for {shown(x.shape)}")
    return retype(b, p, x.shape[:-1])


@primitive
def _lu_reconstruct(b: Builder, x: Value, p: Value) -> Value:
    x = squared(b, x, "lu_reconstruct")
    p = _placed(b, p, x, "lu_reconstruct")
    lower, upper = unpacked(b, x)
    return scattered_rows(b, (lower @ upper).value, p, x.shape[-1])


def lu_reconstruct(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The matrices that `lu` took apart: the product of both triangles, its rows put back.

    Args:
        lower_upper: What `lu` gave: a tensor [..., n, n].
        perm: The permutation that it gave: integers [..., n].
        validate_args: Of no effect: indices are always checked.

    Returns:
        A tensor [..., n, n] of the dtype of `lower_upper`.

    Raises:
        InvalidArgumentError: If an index is outside; if shapes do not fit (ValueError while
            tracing), or a dtype is another one (TypeError).

    >>> import tfc as tf
    >>> factors, p = tf.linalg.lu([[1.0, 3.0], [2.0, 4.0]])
    >>> print(tf.linalg.lu_reconstruct(factors, p).numpy().tolist())
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return _lu_reconstruct.fast()(lower_upper, operand("lu_reconstruct", perm))


@primitive
def _lu_solve(b: Builder, x: Value, p: Value, rhs: Value) -> Value:
    p = _placed(b, p, squared(b, x, "lu_solve"), "lu_solve")
    n = unified(b, x.shape[-1], rhs.shape[-2]) if rhs.rank >= 2 else None
    x, rhs = _system(b, x, rhs, "lu_solve")
    assert n is not None
    p = broadcast_to(b, retype(b, p, (*p.shape[:-1], n)), x.shape[:-1])
    lower, upper = unpacked(b, x)
    ordered = gathered_rows(b, rhs, p, n)
    half = b.emit(ir.TriangularSolve(lower.value, ordered, True, False))
    return b.emit(ir.TriangularSolve(upper.value, half, False, False))


def lu_solve(
    lower_upper: TensorLike,
    perm: TensorLike,
    rhs: TensorLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The x with a @ x = rhs, given what `lu` made of a: one decomposition serves any number of
    right-hand sides.

    Args:
        lower_upper: What `lu` gave: a tensor [..., n, n].
        perm: The permutation that it gave: integers [..., n].
        rhs: A tensor [..., n, m] of the same dtype.
        validate_args: Of no effect: indices are always checked.

    Returns:
        A tensor [..., n, m].

    Raises:
        InvalidArgumentError: If an index is outside, or a pivot is 0; if shapes do not fit
            (ValueError while tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> factors, p = tf.linalg.lu([[1.0, 3.0], [2.0, 4.0]])
    >>> print(tf.reshape(tf.linalg.lu_solve(factors, p, [[4.0], [6.0]]), [-1]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    x, y = _operands("lu_solve", lower_upper, rhs)
    return _lu_solve.fast()(x, operand("lu_solve", perm), y)


def lu_matrix_inverse(
    lower_upper: TensorLike, perm: TensorLike, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The inverse of a, given what `lu` made of it. To solve a system take `lu_solve`.

    Args:
        lower_upper: What `lu` gave: a tensor [..., n, n].
        perm: The permutation that it gave: integers [..., n].
        validate_args: Of no effect: indices are always checked.

    Returns:
        A tensor [..., n, n].

    Raises:
        InvalidArgumentError: If an index is outside, or a pivot is 0; if shapes do not fit
            (ValueError while tracing), or the dtypes differ or are others (TypeError).

    >>> import numpy as np
    >>> import tfc as tf
    >>> inverse = tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[0.0, 2.0], [4.0, 0.0]]))
    >>> np.allclose(inverse, [[0, 0.25], [0.5, 0]])
    True
    """
    x = operand("lu_matrix_inverse", lower_upper)
    if x.ndim < 2:
        raise blame.invalid(f"needs matrices, got shape {x.shape}", "lu_matrix_inverse")
    return lu_solve(x, perm, eye(extents_of(x)[-1], dtype=x.dtype))
