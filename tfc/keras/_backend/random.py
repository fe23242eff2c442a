"""Random numbers from seeds: the numbers of Keras on TensorFlow, for the same seeds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from keras.src.backend.config import floatx
from keras.src.random.seed_generator import SeedGenerator, draw_seed, make_default_seed

import tfc as tf

from .core import dense_tensor
from .parts import replica_number

__all__ = ["SeedGenerator", "make_default_seed"]


def seed_of(seed: Any) -> tf.Tensor:
    """Two int32 for a seed of Keras, as its TensorFlow backend takes them."""
    replica = replica_number()
    if replica is None:
        return _drawn_seed(seed)
    key = tf.cast(replica, tf.int32) * 0x3779B9B1  # odd: no two replicas have the same
    return tf.bitwise.bitwise_xor(_drawn_seed(seed), tf.stack([0, key]))


def _drawn_seed(seed: Any) -> tf.Tensor:
    drawn = dense_tensor(draw_seed(seed))
    if drawn.dtype == tf.int32:
        return drawn
    if type(drawn) is tf.Tensor:  # NumPy has compiled this already
        return tf.constant((np.asarray(drawn, np.int64) % (2**31 - 2)).astype(np.int32))
    return tf.cast(tf.math.floormod(tf.cast(drawn, tf.int64), 2**31 - 2), tf.int32)


def _drawn(draw: Callable[..., tf.Tensor], shape: Any, seed: tf.Tensor, *rest: Any) -> tf.Tensor:
    """`draw` for a shape. What is drawn now is drawn in a row: numbers come in the order of
    elements, and so there is one program for the weights of all layers."""
    if type(seed) is tf.Tensor and all(isinstance(e, int) for e in shape):
        return tf.reshape(draw([math.prod(shape)], seed, *rest), shape)
    return draw(shape, seed, *rest)


def _half(dtype: str) -> str:
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> tf.Tensor:
    return _drawn(tf.random.stateless_normal, shape, seed_of(seed), mean, stddev, dtype or floatx())


def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None
) -> tf.Tensor:
    dtype = dtype or floatx()
    low, high = (dense_tensor(v, dtype) for v in (minval, maxval))
    return _drawn(tf.random.stateless_uniform, shape, seed_of(seed), low, high, dtype)


def categorical(logits: Any, num_samples: int, dtype: Any = "int64", seed: Any = None) -> tf.Tensor:
    found = tf.random.stateless_categorical(dense_tensor(logits), num_samples, seed_of(seed))
    return tf.cast(found, dtype)


def randint(
    shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None
) -> tf.Tensor:
    wide = dtype if dtype in ("int32", "int64") else "int64"
    low, high = (dense_tensor(v, wide) for v in (minval, maxval))
    return tf.cast(tf.random.stateless_uniform(shape, seed_of(seed), low, high, wide), dtype)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None
) -> tf.Tensor:
    return _drawn(
        tf.random.stateless_truncated_normal, shape, seed_of(seed), mean, stddev, dtype or floatx()
    )


def dropout(inputs: Any, rate: float, noise_shape: Any = None, seed: Any = None) -> tf.Tensor:
    x = dense_tensor(inputs)
    if isinstance(rate, int | float) and rate >= 1:
        return tf.zeros_like(x)
    if noise_shape is not None:
        measured = tf.shape(x)
        noise_shape = [measured[i] if e is None else e for i, e in enumerate(noise_shape)]
    return tf.nn.experimental.stateless_dropout(
        x, rate=rate, noise_shape=noise_shape, seed=seed_of(seed)
    )


def shuffle(x: Any, axis: int = 0, seed: Any = None) -> tf.Tensor:
    """Slices along `axis` in the order of random keys."""
    x = dense_tensor(x)
    keys = tf.random.stateless_uniform([tf.shape(x)[axis]], seed_of(seed))
    return tf.gather(x, tf.argsort(keys), axis=axis)


def gamma(shape: Any, alpha: Any, dtype: Any = None, seed: Any = None) -> tf.Tensor:
    dtype = dtype or floatx()
    alpha = tf.broadcast_to(dense_tensor(alpha, dtype), shape)
    return tf.random.stateless_gamma(shape, seed_of(seed), alpha, dtype=dtype)


def binomial(
    shape: Any, counts: Any, probabilities: Any, dtype: Any = None, seed: Any = None
) -> tf.Tensor:
    dtype = dtype or floatx()
    wide = _half(dtype)
    counts, probabilities = (dense_tensor(v, wide) for v in (counts, probabilities))
    found = tf.random.stateless_binomial(shape, seed_of(seed), counts, probabilities, wide)
    return tf.cast(found, dtype)


def beta(shape: Any, alpha: Any, beta: Any, dtype: Any = None, seed: Any = None) -> tf.Tensor:
    """a / (a + b) of gamma variates a and b."""
    dtype = dtype or floatx()
    first = seed_of(seed)
    a, b = (
        tf.random.stateless_gamma(
            shape, s, tf.broadcast_to(dense_tensor(v, dtype), shape), dtype=dtype
        )
        for s, v in ((first, alpha), (first + 12, beta))
    )
    return a / (a + b)
