"""Products of matrices and tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from keras.src.backend.common.backend_utils import vectorize_impl

import tfc as tf

from .. import ragged, sparse
from ..core import cast, shape
from .elementwise import conjugate
from .promotion import floating, in_dtype, joined, operands, tensor
from .reductions import axes_of
from .shaping import moveaxis


def _summable(*xs: Any) -> tuple[list[tf.Tensor], str]:
    """Operands as what products of them are added up in, and the dtype of the result."""
    terms = operands(*xs)
    dtype = terms[0].dtype
    return ([tf.cast(t, tf.int32) for t in terms] if dtype.is_bool else terms), dtype.name


def _widened(terms: Sequence[Any]) -> list[Any]:
    """Operands of which products of int8 alone are int32."""
    tensors = [tensor(t) for t in terms]
    if all(t.dtype is tf.int8 for t in tensors):
        return [tf.cast(t, tf.int32) for t in tensors]
    return tensors


def matmul(x1: Any, x2: Any) -> Any:
    if isinstance(x1, tf.SparseTensor) or isinstance(x2, tf.SparseTensor):
        return _sparse_matmul(x1, x2)
    (x1, x2), dtype = _summable(*_widened([x1, x2]))
    if isinstance(x1, tf.RaggedTensor) or isinstance(x2, tf.RaggedTensor):
        return in_dtype(ragged.matmul(x1, x2), dtype)
    row, column = x1.ndim == 1, x2.ndim == 1
    if not (row or column):
        return in_dtype(tf.matmul(x1, x2), dtype)
    product = tf.matmul(
        tf.expand_dims(x1, 0) if row else x1, tf.expand_dims(x2, 1) if column else x2
    )
    if column:
        product = tf.squeeze(product, [-1])
    if row:
        product = tf.squeeze(product, [-1 if column else -2])
    return in_dtype(product, dtype)


def _sparse_matmul(x1: Any, x2: Any) -> Any:
    x1, x2 = (x if isinstance(x, tf.SparseTensor) else tensor(x) for x in (x1, x2))
    if len(x1.shape) < 2 or len(x2.shape) < 2:
        return matmul(sparse.dense(x1), sparse.dense(x2))
    dtype = joined(x1.dtype.name, x2.dtype.name)
    if x1.dtype is x2.dtype is tf.int8:
        dtype = "int32"
    terms = "int32" if dtype == "bool" else dtype
    return cast(sparse.matmul(cast(x1, terms), cast(x2, terms)), dtype)


def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> tf.Tensor:
    terms, dtype = _summable(*_widened(operands))
    return in_dtype(tf.einsum(subscripts, *terms, **kwargs), dtype)


def tensordot(x1: Any, x2: Any, axes: Any = 2) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    return in_dtype(tf.tensordot(x1, x2, axes), dtype)


def dot(x1: Any, x2: Any) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    if not x1.ndim or not x2.ndim:
        return in_dtype(x1 * x2, dtype)
    return in_dtype(tf.tensordot(x1, x2, [[x1.ndim - 1], [max(x2.ndim - 2, 0)]]), dtype)


def inner(x1: Any, x2: Any) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    if not x1.ndim or not x2.ndim:
        return in_dtype(x1 * x2, dtype)
    return in_dtype(tf.tensordot(x1, x2, [[x1.ndim - 1], [x2.ndim - 1]]), dtype)


def outer(x1: Any, x2: Any) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    return in_dtype(tf.reshape(x1, [-1, 1]) * tf.reshape(x2, [1, -1]), dtype)


def vdot(x1: Any, x2: Any) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    return in_dtype(tf.tensordot(tf.reshape(conjugate(x1), [-1]), tf.reshape(x2, [-1]), 1), dtype)


def kron(x1: Any, x2: Any) -> tf.Tensor:
    (x1, x2), dtype = _summable(x1, x2)
    rank = max(x1.ndim, x2.ndim)
    rows = [[1] * (rank - x.ndim) + list(shape(x)) for x in (x1, x2)]
    left = tf.reshape(x1, [e for n in rows[0] for e in (n, 1)])
    right = tf.reshape(x2, [e for n in rows[1] for e in (1, n)])
    blocks = tf.reshape(left * right, [n * m for n, m in zip(*rows, strict=True)])
    return in_dtype(blocks, dtype)


def cross(
    x1: Any, x2: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> tf.Tensor:
    if axis is not None:
        axisa = axisb = axisc = axis
    (x1, x2), dtype = _summable(x1, x2)
    parts = [_components(x, a) for x, a in ((x1, axisa), (x2, axisb))]
    plane = all(len(vector) == 2 for vector in parts)
    a, b = ([*v, tf.zeros_like(v[0])] if len(v) == 2 else v for v in parts)
    if plane:
        return in_dtype(a[0] * b[1] - a[1] * b[0], dtype)
    turned = ((1, 2), (2, 0), (0, 1))
    vectors = tf.stack([a[i] * b[j] - a[j] * b[i] for i, j in turned], -1)
    return in_dtype(moveaxis(vectors, -1, axes_of(axisc, vectors.ndim)), dtype)


def _components(x: tf.Tensor, axis: int) -> list[tf.Tensor]:
    """The two or three of vectors along an axis; three, if that is not known."""
    x = moveaxis(x, axis, -1)
    count = x.shape[-1] or 3
    if count not in (2, 3):
        raise ValueError(f"`cross` needs vectors of 2 or 3. Received: shape={x.shape}")
    return [x[..., i] for i in range(count)]


def slogdet(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return tuple(tf.linalg.slogdet(floating(x)))


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Any = None, signature: str | None = None
) -> Callable[..., Any]:
    return vectorize_impl(pyfunc, _over_rows, excluded=excluded, signature=signature)


def _over_rows(function: Callable[..., Any], in_axes: Any) -> Callable[..., Any]:
    """`function` of each row of the arguments whose axis is 0; those whose axis is None are the
    same for all."""

    def vectorized(*args: Any) -> Any:
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        rows = tuple(a for a, place in zip(args, axes, strict=True) if place is not None)

        def one(row: Any) -> Any:
            given = iter(row)
            merged = (a if p is None else next(given) for a, p in zip(args, axes, strict=True))
            return function(*merged)

        return tf.vectorized_map(one, rows)

    return vectorized
