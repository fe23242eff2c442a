"""Blurring and edges: a small kernel over each channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tfc as tf

from ..core import dense_tensor
from ..nn import depthwise_conv
from .layout import as_batch

SOBEL = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]])  # along the height


def filtered(batch: tf.Tensor, kernel: tf.Tensor) -> tf.Tensor:
    """Each channel by [height, width, multiples]."""
    channels = batch.shape[-1]
    taps = tf.tile(kernel[:, :, None, :], [1, 1, channels, 1])
    return depthwise_conv(batch, taps, padding="same", data_format="channels_last")


def bell(size: Any, deviation: tf.Tensor) -> tf.Tensor:
    """So many weights of a normal distribution, whose sum is 1."""
    dtype = deviation.dtype
    places = tf.cast(tf.range(size), dtype) - (tf.cast(size, dtype) - 1) / 2
    weights = tf.exp(-0.5 * tf.square(places / deviation))
    return weights / tf.reduce_sum(weights)


def gaussian_blur(
    images: Any,
    kernel_size: Sequence[int] = (3, 3),
    sigma: Any = (1.0, 1.0),
    data_format: str | None = None,
) -> tf.Tensor:
    batch, back = as_batch(images, data_format)
    sigma = dense_tensor(sigma, batch.dtype)

    across, down = (bell(int(n), sigma[i]) for i, n in enumerate(kernel_size))
    return back(filtered(batch, (down[:, None] * across[None, :])[:, :, None]))


def sobel_edges(images: Any, data_format: str | None = None) -> tf.Tensor:
    """[..., 2]: the slopes along height and width."""
    images = dense_tensor(images)
    first = data_format == "channels_first"
    batch = tf.transpose(images, [0, 2, 3, 1]) if first else images
    edges = tf.image.sobel_edges(batch)
    return tf.transpose(edges, [0, 3, 1, 2, 4]) if first else edges
