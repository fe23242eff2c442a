"""Indices as rows of zeros and ones."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ..core import convert_to_tensor


def one_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> tf.Tensor:
    """Rows with a one where the index is; of zeros where it is out of range, or a row has ended."""
    _dense(sparse)
    dtype = tf.as_dtype(dtype or "float32")
    on, off = (True, False) if dtype == tf.bool else (None, None)
    return tf.one_hot(convert_to_tensor(_indices(x), "int64"), num_classes, on, off, axis, dtype)


def multi_hot(
    x: Any, num_classes: int, axis: int = -1, dtype: Any = None, sparse: bool = False
) -> tf.Tensor:
    """Rows with a one for each index among those of the row."""
    x = convert_to_tensor(_indices(x))
    rows = one_hot(x, num_classes, axis, dtype, sparse)
    over = 1 if x.ndim > 1 else 0
    return tf.reduce_any(rows, over) if rows.dtype == tf.bool else tf.reduce_max(rows, over)


def _indices(x: Any) -> Any:
    """Indices; those of ragged rows with -1, which is out of range, behind the shorter ones."""
    return x.to_tensor(-1) if isinstance(x, tf.RaggedTensor) else x


def _dense(sparse: bool) -> None:
    if sparse:
        raise ValueError("`sparse=True` is not supported with the tfc backend")
