"""Linear algebra. Integers are computed in Keras' float."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from keras.src.backend.common import standardize_dtype
from keras.src.backend.common.dtypes import result_type
from keras.src.backend.config import floatx

import tfc as tf

from .core import dense_tensor, shape


def _floating(x: Any) -> tf.Tensor:
    x = dense_tensor(x)
    if x.dtype.is_floating or x.dtype.is_complex:
        return x
    return tf.cast(x, floatx() if x.dtype == tf.int64 else result_type(x.dtype.name, float))


def cholesky(a: Any, upper: bool = False) -> tf.Tensor:
    """The lower factor, or its transpose."""
    factor = tf.linalg.cholesky(dense_tensor(a))
    return tf.linalg.adjoint(factor) if upper else factor


def cholesky_inverse(a: Any, upper: bool = False) -> tf.Tensor:
    """The inverse of the matrix whose factor is `a`."""
    a = dense_tensor(a)
    inverse = tf.linalg.triangular_solve(a, tf.eye(tf.shape(a)[-1], dtype=a.dtype), lower=not upper)
    return tf.matmul(inverse, inverse, transpose_a=not upper, transpose_b=upper)


def det(a: Any) -> tf.Tensor:
    return tf.linalg.det(dense_tensor(a))


def eig(a: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return tf.linalg.eig(dense_tensor(a))


def eigh(a: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return tf.linalg.eigh(dense_tensor(a))


def inv(a: Any) -> tf.Tensor:
    return tf.linalg.inv(dense_tensor(a))


def lu_factor(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Both triangles in one matrix, and the row that each row in turn is exchanged with: LAPACK's
    getrf, for matrices of any shape, singular ones too.

    Column by column: the largest element at or below the diagonal comes onto it, and what stands
    below is eliminated from the columns to the right.
    """
    x = _floating(x)
    *batch, rows, columns = shape(x)
    count = tf.minimum(rows, columns)
    row, column, diagonal = tf.range(rows)[:, None], tf.range(columns), tf.range(count)

    def step(i: tf.Tensor, a: tf.Tensor, swaps: tf.Tensor) -> tuple[tf.Tensor, ...]:
        size = tf.where(row[:, 0] >= i, tf.abs(a[:, :, i]), -1.0)
        chosen = tf.argmax(size, axis=-1, output_type=tf.int32)[:, None]
        pivots = tf.gather(a, chosen, axis=1, batch_dims=1)
        a = tf.where(row == i, pivots, tf.where(row == chosen[:, None], a[:, i, None], a))
        below = tf.math.divide_no_nan(a[:, :, i, None], pivots[:, :, i, None])
        beside = tf.where(column > i, a - below * pivots, tf.where(column == i, below, a))
        return i + 1, tf.where(row > i, beside, a), tf.where(diagonal == i, chosen, swaps)

    flat = tf.reshape(x, [-1, rows, columns])
    swaps = tf.zeros([tf.shape(flat)[0], count], tf.int32)
    start = (tf.constant(0), flat, swaps)
    _, factors, swaps = tf.while_loop(lambda i, *_: i < count, step, start)
    return tf.reshape(factors, tf.shape(x)), tf.reshape(swaps, [*batch, count])


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    """Norms of vectors (one axis) or of matrices (two); of all elements with neither."""
    x = dense_tensor(x)
    dtype = floatx() if x.dtype == tf.int64 else result_type(x.dtype.name, float)
    x = tf.cast(x, dtype)
    rank = x.ndim
    axes = tuple(range(rank)) if axis is None else (axis,) if isinstance(axis, int) else axis
    if any(not -rank <= a < rank for a in axes):
        raise ValueError(
            "All `axis` values must be in the range [-ndim, ndim). "
            f"Received inputs with ndim={rank}, while axis={axis}"
        )
    axes = tuple(a % rank for a in axes)
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdims)
    if ord is None:
        return _root_of_squares(x, axes, keepdims)
    raise ValueError(f"Invalid axis values. Received: axis={axis}")


def _root_of_squares(x: tf.Tensor, axis: Any, keepdims: bool) -> tf.Tensor:
    return tf.sqrt(tf.reduce_sum(x * tf.math.conj(x), axis, keepdims=keepdims))


def _vector_norm(x: tf.Tensor, ord: Any, axis: int, keepdims: bool) -> tf.Tensor:
    if ord is None or ord == 2:
        return _root_of_squares(x, axis, keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid `ord` argument for vector norm. Received: ord={ord}")
    size = tf.abs(x)
    if abs(ord) == math.inf:
        reduce = tf.reduce_max if ord > 0 else tf.reduce_min
        return reduce(size, axis, keepdims=keepdims)
    if ord == 0:
        return tf.reduce_sum(tf.cast(x != 0, x.dtype), axis, keepdims=keepdims)
    power = dense_tensor(ord, size.dtype)
    return tf.pow(tf.reduce_sum(tf.pow(size, power), axis, keepdims=keepdims), 1.0 / power)


def _matrix_norm(x: tf.Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> tf.Tensor:
    rows, columns = axes
    if ord is None or ord == "fro":
        return _root_of_squares(x, axes, keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        within, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = tf.reduce_sum(tf.abs(x), within, keepdims=True)
        found = (tf.reduce_max if ord > 0 else tf.reduce_min)(sums, over, keepdims=True)
        return found if keepdims else tf.squeeze(found, [rows, columns])
    reductions: dict[Any, Callable[..., tf.Tensor]] = {
        "nuc": tf.reduce_sum,
        2: tf.reduce_max,
        -2: tf.reduce_min,
    }
    if ord not in reductions:
        raise ValueError(f"Invalid `ord` argument for matrix norm. Received: ord={ord}")
    others = [a for a in range(x.ndim) if a not in axes]
    values = tf.linalg.svd(tf.transpose(x, [*others, rows, columns]), compute_uv=False)
    found = reductions[ord](values, -1)
    for a in sorted(axes) if keepdims else ():
        found = tf.expand_dims(found, a)
    return found


def qr(x: Any, mode: str = "reduced") -> tuple[tf.Tensor, tf.Tensor]:
    if mode not in ("reduced", "complete"):
        raise ValueError(
            "`mode` argument value not supported. Expected one of {'reduced', 'complete'}. "
            f"Received: mode={mode}"
        )
    return tf.linalg.qr(dense_tensor(x), full_matrices=mode == "complete")


def _column(solver: Callable[..., tf.Tensor], a: Any, b: Any, **options: bool) -> tf.Tensor:
    """What solves for columns, also for `b` a vector."""
    a, b = dense_tensor(a), dense_tensor(b)
    if b.ndim == a.ndim - 1:
        return tf.squeeze(solver(a, tf.expand_dims(b, -1), **options), -1)
    return solver(a, b, **options)


def solve(a: Any, b: Any) -> tf.Tensor:
    return _column(tf.linalg.solve, a, b)


def solve_triangular(a: Any, b: Any, lower: bool = False) -> tf.Tensor:
    return _column(tf.linalg.triangular_solve, a, b, lower=lower)


def svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """u, s, v^H; or s alone."""
    x = dense_tensor(x)
    if not compute_uv:
        return tf.linalg.svd(x, compute_uv=False)
    s, u, v = tf.linalg.svd(x, full_matrices=full_matrices)
    return u, s, tf.linalg.adjoint(v)


def lstsq(a: Any, b: Any, rcond: float | None = None) -> tf.Tensor:
    """The shortest x for which a x is nearest to b; singular values below `rcond` times the largest
    are taken for zero."""
    a, b = _floating(a), _floating(b)
    rows, columns = a.shape
    if a.shape[0] != b.shape[0]:
        raise ValueError("Leading dimensions of input arrays must match")
    matrix = b[:, None] if b.ndim == 1 else b
    if rcond is None:
        rcond = _epsilon(a.dtype) * max(rows, columns)
    s, u, v = tf.linalg.svd(a, full_matrices=False)
    kept = s > rcond * tf.reduce_max(s)
    inverse = tf.where(kept, 1.0 / tf.where(kept, s, 1.0), 0.0)
    x = tf.matmul(v, inverse[:, None] * tf.matmul(u, matrix, adjoint_a=True))
    return x[:, 0] if b.ndim == 1 else x


def _epsilon(dtype: Any) -> float:
    return float(tf.experimental.numpy.finfo(standardize_dtype(dtype)).eps)


def matrix_rank(x: Any, tol: Any = None) -> tf.Tensor:
    x = dense_tensor(x)
    if x.ndim < 2:
        raise ValueError(f"Expected input to have rank >= 2. Received input with shape {x.shape}.")
    return tf.linalg.matrix_rank(_floating(x), tol)


def pinv(x: Any, rcond: Any = None) -> tf.Tensor:
    return tf.linalg.pinv(_floating(x), rcond)


def jvp(
    fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False
) -> tuple[Any, ...]:
    """What `fun` gives, and its derivative along the tangents: the gradient, by its own weights, of
    the gradient along them ("double backward")."""
    primals = [dense_tensor(x) for x in primals]
    tangents = [dense_tensor(t) for t in tangents]
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        inner.watch(primals)
        found = fun(*primals)
        value, aux = found if has_aux else (found, None)
        results = tf.nest.flatten(value)
        weights = [tf.zeros_like(r) for r in results]
        outer.watch(weights)
        weighted = tf.add_n([tf.reduce_sum(r * w) for r, w in zip(results, weights, strict=True)])
        slopes = inner.gradient(weighted, primals, unconnected_gradients="zero")
    found = outer.gradient(slopes, weights, tangents, unconnected_gradients="zero")
    derivative = tf.nest.pack_sequence_as(value, found)
    return (value, derivative, aux) if has_aux else (value, derivative)
