"""Products of matrices and the linalg extension of the array API standard."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import NamedTuple

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import DTypeLike
from tfc.ir.dtypes import as_dtype

from . import _reductions
from ._dtypes import promote
from ._elementwise import abs, conj, pow
from ._manipulation import Axes, axes_of, broadcast_shapes, matrix_transpose, moveaxis

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def _numeric(name: str, *arrays: Tensor) -> None:
    for x in arrays:
        if x.dtype.is_bool:
            raise TypeError(f"{name} is not defined for dtype bool")


def _floats(name: str, x: Tensor, rank: int = 2) -> None:
    if not x.dtype.is_inexact:
        raise TypeError(f"{name} is not defined for dtype {x.dtype.name}")
    if x.ndim < rank:
        raise ValueError(f"{name} needs a matrix or a stack of them, got rank {x.ndim}")


# Products.


def matmul(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
    """The matrix product of the last two axes; a vector is a row on the left, a column on the
    right, and its axis is not in the result."""
    x1, x2 = promote(x1, x2)
    _numeric("matmul", x1, x2)
    if not x1.ndim or not x2.ndim:
        raise ValueError("matmul: operands need at least one axis")
    left, right = x1.ndim == 1, x2.ndim == 1
    y = tf.matmul(tf.expand_dims(x1, 0) if left else x1, tf.expand_dims(x2, 1) if right else x2)
    if right:
        y = tf.squeeze(y, [y.ndim - 1])
    return tf.squeeze(y, [y.ndim - 1 if right else y.ndim - 2]) if left else y


def tensordot(
    x1: Tensor | complex, x2: Tensor | complex, /, *, axes: int | Sequence[Sequence[int]] = 2
) -> Tensor:
    """The sum of products over `axes`: a number of the last of x1 and first of x2, or a pair."""
    x1, x2 = promote(x1, x2)
    _numeric("tensordot", x1, x2)
    return tf.tensordot(x1, x2, axes)


def vecdot(x1: Tensor | complex, x2: Tensor | complex, /, *, axis: int = -1) -> Tensor:
    """The sum of conj(x1) * x2 along `axis` (negative: of the common shape)."""
    x1, x2 = promote(x1, x2)
    _numeric("vecdot", x1, x2)
    least = builtins.min(x1.ndim, x2.ndim)
    a = axes_of(axis, least, "vecdot")[0] - least  # counted from the end, both have it
    if x1.shape[a] != x2.shape[a]:
        raise ValueError(f"vecdot: extents {x1.shape[a]} and {x2.shape[a]} differ")
    rank = len(broadcast_shapes(tuple(x1.shape), tuple(x2.shape)))
    return tf.reduce_sum(conj(x1) * x2, rank + a)


def outer(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
    """The products of each element of one vector with each of another."""
    x1, x2 = promote(x1, x2)
    _numeric("outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"outer takes vectors, got ranks {x1.ndim} and {x2.ndim}")
    return tf.expand_dims(x1, 1) * tf.expand_dims(x2, 0)


def cross(x1: Tensor | complex, x2: Tensor | complex, /, *, axis: int = -1) -> Tensor:
    """The vector product of vectors of 3 along `axis`."""
    x1, x2 = promote(x1, x2)
    _numeric("cross", x1, x2)
    least = builtins.min(x1.ndim, x2.ndim)
    a = axes_of(axis, least, "cross")[0] - least
    if x1.shape[a] != 3 or x2.shape[a] != 3:
        raise ValueError(f"cross needs vectors of 3, got {x1.shape[a]} and {x2.shape[a]}")
    x1, x2 = moveaxis(x1, a, -1), moveaxis(x2, a, -1)

    def part(i: int, j: int) -> Tensor:
        return x1[..., i] * x2[..., j] - x1[..., j] * x2[..., i]

    parts = [part(1, 2), part(2, 0), part(0, 1)]
    return moveaxis(tf.stack(parts, parts[0].ndim), -1, a)


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """The product of n copies of a square matrix; of its inverse for negative n."""
    _floats("matrix_power", x)
    base = inv(x) if n < 0 else x
    result, times = None, n if n >= 0 else -n
    while times:  # by repeated squaring
        if times % 2:
            result = base if result is None else tf.matmul(result, base)
        times //= 2
        base = tf.matmul(base, base) if times else base
    if result is None:
        identity = tf.eye(x.shape[-1], dtype=x.dtype)
        return tf.broadcast_to(identity, tf.shape(x))
    return result


# Diagonals.


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """The diagonal of the last two axes, `offset` places above the main one."""
    if x.ndim < 2:
        raise ValueError(f"diagonal needs a matrix or a stack of them, got rank {x.ndim}")
    rows, columns = x.shape[-2], x.shape[-1]
    right, down = builtins.max(offset, 0), builtins.max(-offset, 0)
    count = builtins.max(0, builtins.min(rows - down, columns - right))
    flat = tf.reshape(x, [*x.shape[:-2], rows * columns])
    if not count:
        return flat[..., :0]
    first, step = right + down * columns, columns + 1
    return flat[..., first : first + (count - 1) * step + 1 : step]


def trace(x: Tensor, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sum of the diagonal of the last two axes."""
    _numeric("trace", x)
    return _reductions.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# Factorisations and solvers.


class EighResult(NamedTuple):
    """The eigenvalues in order, and the eigenvectors as columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """An orthogonal (unitary) and an upper triangular factor."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its magnitude."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """Left singular vectors, singular values from the largest on, and right vectors as rows."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """The triangular factor of a positive definite matrix; `upper`: its adjoint."""
    _floats("cholesky", x)
    factor = tf.linalg.cholesky(x)
    return conj(factor.mT) if upper else factor


def det(x: Tensor, /) -> Tensor:
    """The determinant."""
    _floats("det", x)
    return tf.linalg.det(x)


def slogdet(x: Tensor, /) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its magnitude."""
    _floats("slogdet", x)
    sign, logarithm = tf.linalg.slogdet(x)
    return SlogdetResult(sign, _real(logarithm))


def _real(x: Tensor) -> Tensor:
    return tf.math.real(x) if x.dtype.is_complex else x


def eigh(x: Tensor, /) -> EighResult:
    """Eigenvalues and eigenvectors of a symmetric (Hermitian) matrix."""
    _floats("eigh", x)
    values, vectors = tf.linalg.eigh(x)
    return EighResult(_real(values), vectors)


def eigvalsh(x: Tensor, /) -> Tensor:
    """The eigenvalues of a symmetric (Hermitian) matrix, in order."""
    _floats("eigvalsh", x)
    return _real(tf.linalg.eigvalsh(x))


def inv(x: Tensor, /) -> Tensor:
    """The inverse matrix."""
    _floats("inv", x)
    return tf.linalg.inv(x)


def solve(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
    """The y with x1 @ y = x2; x2 is a vector, or a matrix or stack of them."""
    x1, x2 = promote(x1, x2)
    _floats("solve", x1)
    if x2.ndim == 1:
        column = tf.expand_dims(x2, 1)
        column = tf.broadcast_to(column, [*x1.shape[:-2], *column.shape])
        return tf.squeeze(tf.linalg.solve(x1, column), [x1.ndim - 1])
    batch = broadcast_shapes(tuple(x1.shape)[:-2], tuple(x2.shape)[:-2])
    x1, x2 = (tf.broadcast_to(x, [*batch, *x.shape[-2:]]) for x in (x1, x2))
    return tf.linalg.solve(x1, x2)


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """x = Q @ R; `mode` is "reduced" or "complete" (Q is square)."""
    _floats("qr", x)
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', got {mode!r}")
    return QRResult(*tf.linalg.qr(x, full_matrices=mode == "complete"))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """x = U @ diag(S) @ Vh; with `full_matrices`, U and Vh are square."""
    _floats("svd", x)
    values, left, right = tf.linalg.svd(x, full_matrices=full_matrices)
    return SVDResult(left, _real(values), conj(right.mT))


def svdvals(x: Tensor, /) -> Tensor:
    """The singular values, from the largest on."""
    _floats("svdvals", x)
    return _real(tf.linalg.svd(x, compute_uv=False))


def _cutoff(x: Tensor, values: Tensor, rtol: Tensor | float | None, name: str) -> Tensor:
    """What singular values must exceed to count: rtol times the largest."""
    if rtol is None:
        rtol = builtins.max(x.shape[-2:]) * _epsilon(x)
    limit = tf.convert_to_tensor(rtol, values.dtype)
    return tf.expand_dims(limit, limit.ndim) * tf.reduce_max(values, values.ndim - 1, True)


def _epsilon(x: Tensor) -> float:
    return 2.0**-52 if x.dtype.real_dtype.bits == 64 else 2.0**-23


def matrix_rank(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Tensor:
    """The number of singular values above `rtol` times the largest, as int64."""
    values = svdvals(x)
    if 0 in x.shape[-2:]:
        return tf.zeros(x.shape[:-2], tf.int64)
    kept = tf.greater(values, _cutoff(x, values, rtol, "matrix_rank"))
    return tf.reduce_sum(tf.cast(kept, tf.int64), values.ndim - 1)


def pinv(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Tensor:
    """The pseudo-inverse; singular values up to `rtol` times the largest count as 0."""
    left, values, right = svd(x, full_matrices=False)
    if 0 in x.shape[-2:]:
        return tf.zeros([*x.shape[:-2], x.shape[-1], x.shape[-2]], x.dtype)
    kept = tf.greater(values, _cutoff(x, values, rtol, "pinv"))
    safe = tf.where(kept, values, tf.ones_like(values))
    inverted = tf.where(kept, 1 / safe, tf.zeros_like(values))
    scaled = conj(right.mT) * tf.expand_dims(tf.cast(inverted, x.dtype), values.ndim - 1)
    return tf.matmul(scaled, conj(left.mT))


# Norms.


def vector_norm(
    x: Tensor, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2
) -> Tensor:
    """The norm of order `ord` (any number, inf, -inf; 0 counts) along `axis` (None: of all)."""
    _floats("vector_norm", x, 0)
    axes = axes_of(axis, x.ndim, "vector_norm")
    size = abs(x)
    if ord == math.inf and 0 not in (x.shape[a] for a in axes):
        return _reductions.max(size, axis=axes, keepdims=keepdims)
    if ord == -math.inf:
        return _reductions.min(size, axis=axes, keepdims=keepdims)
    if ord == 0:
        return tf.cast(_reductions.count_nonzero(x, axis=axes, keepdims=keepdims), size.dtype)
    if ord in (1, math.inf):  # the norm of nothing is 0
        return tf.reduce_sum(size, list(axes), keepdims)
    if ord == 2:
        return tf.sqrt(tf.reduce_sum(tf.square(size), list(axes), keepdims))
    total = tf.reduce_sum(pow(size, float(ord)), list(axes), keepdims)
    return pow(total, 1.0 / ord)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: float | str = "fro") -> Tensor:
    """The norm of the last two axes: "fro", "nuc" (sum of singular values), 2 and -2 (largest and
    smallest of them), 1 and -1 (of sums of columns), inf and -inf (of rows)."""
    _floats("matrix_norm", x)
    rows, columns = x.ndim - 2, x.ndim - 1
    largest = ord in (1, 2, math.inf)
    if 0 in x.shape[-2:]:  # the norm of nothing is 0
        found = tf.reduce_sum(abs(x), [rows, columns], True)
    elif ord == "fro":
        found = tf.sqrt(tf.reduce_sum(tf.square(abs(x)), [rows, columns], True))
    elif ord in ("nuc", 2, -2):
        values = tf.expand_dims(svdvals(x), rows)
        pick = tf.reduce_max if largest else tf.reduce_min
        found = (tf.reduce_sum if ord == "nuc" else pick)(values, columns, True)
    elif ord in (1, -1, math.inf, -math.inf):
        along, across = (rows, columns) if ord in (1, -1) else (columns, rows)
        sums = tf.reduce_sum(abs(x), along, True)
        found = (tf.reduce_max if largest else tf.reduce_min)(sums, across, True)
    else:
        raise ValueError(f"matrix_norm: there is no norm of order {ord!r}")
    found = tf.cast(found, as_dtype(x.dtype).real_dtype)
    return found if keepdims else tf.squeeze(found, [rows, columns])
