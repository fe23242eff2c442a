"""Pooling by windows of a size, and into a number of windows (adaptive)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from ..core import dense_tensor
from .layout import channels_first, channels_last, each, is_first


def _pool(
    kind: str, inputs: Any, size: Any, strides: Any, padding: str, data_format: str | None
) -> tf.Tensor:
    x = dense_tensor(inputs)
    first = is_first(data_format)
    x = channels_last(x) if first else x
    axes = x.ndim - 2
    size = each(size, axes)
    steps = size if strides is None else each(strides, axes)
    found = tf.nn.pool(x, size, kind, steps, padding.upper())
    return channels_first(found) if first else found


def max_pool(
    inputs: Any,
    pool_size: Any,
    strides: Any = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> tf.Tensor:
    return _pool("MAX", inputs, pool_size, strides, padding, data_format)


def average_pool(
    inputs: Any,
    pool_size: Any,
    strides: Any = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> tf.Tensor:
    return _pool("AVG", inputs, pool_size, strides, padding, data_format)


def adaptive_average_pool(inputs: Any, output_size: Any, data_format: str | None = None) -> Any:
    """Means of as many windows as are wanted."""

    def means(windows: tf.Tensor, counts: tf.Tensor, axis: int) -> tf.Tensor:
        return tf.reduce_sum(windows, axis) / counts

    return _adaptive(inputs, output_size, data_format, 0, means)


def adaptive_max_pool(inputs: Any, output_size: Any, data_format: str | None = None) -> Any:
    """Maxima of as many windows as are wanted."""

    def maxima(windows: tf.Tensor, counts: tf.Tensor, axis: int) -> tf.Tensor:
        return tf.reduce_max(windows, axis)

    return _adaptive(inputs, output_size, data_format, None, maxima)


def _adaptive(
    inputs: Any,
    output_size: Any,
    data_format: str | None,
    filler: float | None,
    reduce: Callable[[tf.Tensor, tf.Tensor, int], tf.Tensor],
) -> tf.Tensor:
    """Axis by axis. Window i of m over n places is [floor(i n / m), ceil((i + 1) n / m)): windows
    are gathered to the length of the longest, and filled up with their first place (`filler` None)
    or a number."""
    x = dense_tensor(inputs)
    first = is_first(data_format)
    x = channels_last(x) if first else x
    for axis, m in enumerate(each(output_size, x.ndim - 2), start=1):
        n = x.shape[axis]
        if n is None:
            raise ValueError(f"adaptive pooling needs known extents, and has {x.shape}")
        i = np.arange(m)
        starts, stops = i * n // m, -(-(i + 1) * n // m)
        length = int((stops - starts).max())
        places = starts[:, None] + np.arange(length)
        inside = places < stops[:, None]
        places = np.where(inside, places, starts[:, None])
        windows = tf.gather(x, places, axis=axis)  # [..., m, length, ...]
        behind = [1] * (x.ndim - axis - 1)
        if filler is not None:
            kept = tf.reshape(tf.constant(inside), [m, length, *behind])
            windows = tf.where(kept, windows, tf.cast(filler, x.dtype))
        counts = tf.reshape(tf.cast(tf.constant(stops - starts), x.dtype), [m, *behind])
        x = reduce(windows, counts, axis + 1)
    return channels_first(x) if first else x
