"""Products of matrices and the linalg extension of the array API standard."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ._dtypes import promote
from ._elementwise import conj
from ._manipulation import axes_of, broadcast_shapes, matrix_transpose

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def _numeric(name: str, *arrays: Any) -> None:
    for x in arrays:
        if x.dtype.is_bool:
            raise TypeError(f"{name} is not defined for dtype bool")


def matmul(x1: Any, x2: Any, /) -> Any:
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


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over `axes`: a number of the last of x1 and first of x2, or a pair."""
    x1, x2 = promote(x1, x2)
    _numeric("tensordot", x1, x2)
    return tf.tensordot(x1, x2, axes)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sum of conj(x1) * x2 along `axis` (negative: of the common shape)."""
    x1, x2 = promote(x1, x2)
    _numeric("vecdot", x1, x2)
    (a,) = axes_of(axis, builtin_min(x1.ndim, x2.ndim), "vecdot")
    a -= builtin_min(x1.ndim, x2.ndim)  # counted from the end, both have it
    if x1.shape[a] != x2.shape[a]:
        raise ValueError(f"vecdot: extents {x1.shape[a]} and {x2.shape[a]} differ")
    rank = len(broadcast_shapes(tuple(x1.shape), tuple(x2.shape)))
    return tf.reduce_sum(conj(x1) * x2, rank + a)


builtin_min = min
