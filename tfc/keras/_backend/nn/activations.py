"""Activation functions. Constants have the dtype of the argument; integers become floats, but
for relu and relu6."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ..core import dense_tensor
from ..numpy.promotion import floating
from .logits import remember


def relu(x: Any) -> tf.Tensor:
    return tf.nn.relu(dense_tensor(x))


def relu6(x: Any) -> tf.Tensor:
    x = dense_tensor(x)
    return tf.nn.relu6(x) if x.dtype.is_inexact else tf.minimum(tf.nn.relu(x), 6)


def sigmoid(x: Any) -> tf.Tensor:
    x = floating(x)
    return remember(tf.nn.sigmoid(x), x)


def sparse_sigmoid(x: Any) -> tf.Tensor:
    return tf.clip_by_value(0.5 * (floating(x) + 1.0), 0.0, 1.0)


def tanh(x: Any) -> tf.Tensor:
    return tf.nn.tanh(floating(x))


def tanh_shrink(x: Any) -> tf.Tensor:
    x = floating(x)
    return x - tf.math.tanh(x)


def softplus(x: Any) -> tf.Tensor:
    return tf.math.softplus(floating(x))


def softsign(x: Any) -> tf.Tensor:
    return tf.nn.softsign(floating(x))


def soft_shrink(x: Any, threshold: float = 0.5) -> tf.Tensor:
    x = floating(x)
    return tf.where(
        x > threshold, x - threshold, tf.where(x < -threshold, x + threshold, tf.zeros_like(x))
    )


def sparse_plus(x: Any) -> tf.Tensor:
    x = floating(x)
    return tf.where(x <= -1.0, tf.zeros_like(x), tf.where(x < 1.0, 0.25 * tf.square(x + 1.0), x))


def silu(x: Any) -> tf.Tensor:
    return tf.nn.silu(floating(x))


def squareplus(x: Any, b: float = 4) -> tf.Tensor:
    x = floating(x)
    return (x + tf.sqrt(tf.square(x) + tf.cast(b, x.dtype))) / 2.0


def log_sigmoid(x: Any) -> tf.Tensor:
    return tf.math.log_sigmoid(floating(x))


def leaky_relu(x: Any, negative_slope: float = 0.2) -> tf.Tensor:
    return tf.nn.leaky_relu(floating(x), negative_slope)


def hard_sigmoid(x: Any) -> tf.Tensor:
    return tf.clip_by_value(floating(x) / 6.0 + 0.5, 0.0, 1.0)


def hard_silu(x: Any) -> tf.Tensor:
    x = floating(x)
    return x * hard_sigmoid(x)


def elu(x: Any, alpha: float = 1.0) -> tf.Tensor:
    x = floating(x)
    found = tf.nn.elu(x)
    return found if alpha == 1.0 else tf.where(x > 0.0, found, alpha * found)


def selu(x: Any) -> tf.Tensor:
    return tf.nn.selu(floating(x))


def gelu(x: Any, approximate: bool = True) -> tf.Tensor:
    return tf.nn.gelu(floating(x), approximate)


def celu(x: Any, alpha: float = 1.0) -> tf.Tensor:
    x = floating(x)
    return tf.maximum(x, 0.0) + alpha * tf.math.expm1(tf.minimum(x, 0.0) / alpha)


def glu(x: Any, axis: int = -1) -> tf.Tensor:
    x = floating(x)
    if x.shape[axis] is not None and x.shape[axis] % 2:
        raise ValueError(
            f"axis size must be divisible by 2. Received: x.shape={x.shape} with axis={axis}"
        )
    values, gates = tf.split(x, 2, axis)
    return values * tf.nn.sigmoid(gates)


def hard_tanh(x: Any) -> tf.Tensor:
    return tf.clip_by_value(floating(x), -1.0, 1.0)


def hard_shrink(x: Any, threshold: float = 0.5) -> tf.Tensor:
    x = floating(x)
    return tf.where(tf.abs(x) > threshold, x, tf.zeros_like(x))


def threshold(x: Any, threshold: float, default_value: float) -> tf.Tensor:
    x = floating(x)
    return tf.where(x > threshold, x, tf.cast(default_value, x.dtype))


def softmax(x: Any, axis: Any = -1) -> tf.Tensor:
    x = floating(x)
    if axis is None:  # over all elements
        return tf.reshape(tf.nn.softmax(tf.reshape(x, [-1])), tf.shape(x))
    found = tf.nn.softmax(x, axis)
    return remember(found, x) if axis in (-1, len(x.shape) - 1) else found


def log_softmax(x: Any, axis: Any = -1) -> tf.Tensor:
    x = floating(x)
    if axis is None:
        return tf.reshape(tf.nn.log_softmax(tf.reshape(x, [-1])), tf.shape(x))
    return tf.nn.log_softmax(x, axis)


def sparsemax(x: Any, axis: int = -1) -> tf.Tensor:
    """The point of the simplex that is nearest to x (Martins and Astudillo, 2016): x less a bound,
    where it is above; the bound follows from the k largest that stay above it."""
    x = floating(x)
    rows = tf.sort(x, axis, "DESCENDING")
    sums = tf.cumsum(rows, axis)
    k = tf.cast(tf.range(1, tf.shape(x)[axis] + 1), x.dtype)
    k = tf.reshape(k, [-1 if a == axis % x.ndim else 1 for a in range(x.ndim)])
    above = tf.cast(rows * k > sums - 1.0, x.dtype)
    total = tf.reduce_sum(above * rows, axis, keepdims=True)
    bound = (total - 1.0) / tf.reduce_sum(above, axis, keepdims=True)
    return tf.maximum(x - bound, 0.0)
