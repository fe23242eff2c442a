"""Moments, and normalisation by them."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ..core import dense_tensor


def moments(
    x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False
) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and variance; of half floats in float32, whose range is enough for squares."""
    if synchronized:
        raise NotImplementedError("Argument synchronized=True is not supported with tfc.")
    x = dense_tensor(x)
    narrow = x.dtype if x.dtype.size == 2 else None
    found = tf.nn.moments(tf.cast(x, tf.float32) if narrow else x, axes, keepdims=keepdims)
    if narrow:
        found = tuple(tf.saturate_cast(m, narrow) for m in found)
    mean, variance = found
    return mean, variance


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    axis: int,
    offset: Any = None,
    scale: Any = None,
    epsilon: float = 1e-3,
) -> tf.Tensor:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset, each a vector along `axis`."""
    x = dense_tensor(x)
    shape = [-1 if a == axis % x.ndim else 1 for a in range(x.ndim)]

    def along(vector: Any) -> Any:
        return None if vector is None else tf.reshape(dense_tensor(vector, x.dtype), shape)

    return tf.nn.batch_normalization(
        x, along(mean), along(variance), along(offset), along(scale), epsilon
    )
