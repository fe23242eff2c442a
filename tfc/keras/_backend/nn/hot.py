"""Indices as rows of zeros and ones."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ..core import dense_tensor


def one_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> Any:
    """Rows with a one where the index is; of zeros where it is out of range. Those of ragged
    indices are ragged."""
    if isinstance(x, tf.RaggedTensor) and axis == -1:
        return x.with_flat_values(one_hot(x.flat_values, num_classes, axis, dtype))
    rows = _rows(dense_tensor(_indices(x), "int64"), num_classes, axis, dtype)
    return tf.sparse.from_dense(rows) if sparse else rows


def multi_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> tf.Tensor | tf.SparseTensor:
    """Rows with a one for each index among those of the row."""
    x = dense_tensor(_indices(x), "int64")
    rows = _rows(x, num_classes, axis, dtype)
    over = 1 if x.ndim > 1 else 0
    found = tf.reduce_any(rows, over) if rows.dtype == tf.bool else tf.reduce_max(rows, over)
    return tf.sparse.from_dense(found) if sparse else found


def _rows(x: tf.Tensor, num_classes: int, axis: int, dtype: Any) -> tf.Tensor:
    dtype = tf.as_dtype(dtype or "float32")
    on, off = (True, False) if dtype == tf.bool else (None, None)
    return tf.one_hot(x, num_classes, on, off, axis, dtype)


def _indices(x: Any) -> Any:
    """Indices; those of ragged rows with -1, which is out of range, behind the shorter ones."""
    return x.to_tensor(-1) if isinstance(x, tf.RaggedTensor) else x
