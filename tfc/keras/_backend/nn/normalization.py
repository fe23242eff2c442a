"""Moments, and normalisation by them."""

from __future__ import annotations

from typing import Any

import tfc as tf

from .. import ragged
from ..core import dense_tensor
from ..parts import counted


def moments(
    x: Any, axes: Any, keepdims: bool = False, synchronized: bool = False
) -> tuple[tf.Tensor, tf.Tensor]:
    """Mean and variance; of half floats in float32, whose range is enough for squares.
    `synchronized`: those of all replicas' rows."""
    x = dense_tensor(x)
    narrow = x.dtype if x.dtype.size == 2 else None
    wide = tf.cast(x, tf.float32) if narrow else x
    replica = tf.distribute.get_replica_context() if synchronized else None
    if isinstance(x, tf.RaggedTensor):
        mean = tf.reduce_mean(wide, axes, keepdims=True)
        found = (
            mean if keepdims else tf.reduce_mean(wide, axes),
            tf.reduce_mean(tf.math.squared_difference(wide, mean), axes, keepdims=keepdims),
        )
    elif replica is None or replica.num_replicas_in_sync == 1:
        found = tf.nn.moments(wide, axes, keepdims=keepdims)
    else:
        found = _moments_of_all(replica, wide, axes, keepdims)
    if narrow:
        found = tuple(tf.saturate_cast(m, narrow) for m in found)
    mean, variance = found
    return mean, variance


def _moments_of_all(replica: Any, x: Any, axes: Any, keepdims: bool) -> Any:
    """By sums of all replicas: E(x), and with it E((x - E(x))^2)."""

    def total(x: Any) -> Any:
        return counted(tf.reduce_sum(x, axes, keepdims=True))

    whole, count = replica.all_reduce("sum", [total(x), total(tf.ones_like(x))])
    mean = tf.math.divide_no_nan(whole, count)
    apart = replica.all_reduce("sum", total(tf.math.squared_difference(x, mean)))
    variance = tf.math.divide_no_nan(apart, count)
    return (mean, variance) if keepdims else (tf.squeeze(mean, axes), tf.squeeze(variance, axes))


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    axis: int,
    offset: Any = None,
    scale: Any = None,
    epsilon: float = 1e-3,
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * scale + offset, each a vector along `axis`."""
    x = dense_tensor(x)
    if isinstance(x, tf.RaggedTensor):
        axis = ragged.axis_of_values(x, axis, "batch_normalization")
        normalized = batch_normalization(
            x.flat_values, mean, variance, axis, offset, scale, epsilon
        )
        return x.with_flat_values(normalized)
    shape = [-1 if a == axis % x.ndim else 1 for a in range(x.ndim)]

    def along(vector: Any) -> Any:
        return None if vector is None else tf.reshape(dense_tensor(vector, x.dtype), shape)

    return tf.nn.batch_normalization(
        x, along(mean), along(variance), along(offset), along(scale), epsilon
    )
