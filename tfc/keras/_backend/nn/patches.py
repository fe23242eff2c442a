"""Images as patches and back."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from ..core import dense_tensor, shape
from .layout import channels_first, channels_last, each, is_first


def _places(sizes: Any, kernel: Any, dilation: Any, stride: Any) -> tuple[np.ndarray, list[int]]:
    """For each tap and each window the place in an image of these sizes: [taps, windows]; and how
    many windows there are along each axis."""
    along, counts = [], []
    for n, k, d, s in zip(sizes, kernel, dilation, stride, strict=True):
        count = (n - d * (k - 1) - 1) // s + 1
        along.append(np.arange(k)[:, None] * d + np.arange(count)[None, :] * s)
        counts.append(count)
    rows, columns = along
    places = rows[:, None, :, None] * sizes[1] + columns[None, :, None, :]
    return places.reshape(rows.shape[0] * columns.shape[0], -1), counts


def unfold(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> tf.Tensor:
    """The windows of [n, channels, height, width] as columns: [n, channels * taps, windows]."""
    x = dense_tensor(input)
    kernel, dilation, padding, stride = (
        each(v, 2) for v in (kernel_size, dilation, padding, stride)
    )
    x = tf.pad(x, [[0, 0], [0, 0], *([p, p] for p in padding)])
    n, channels, height, width = shape(x)
    places, _ = _places((height, width), kernel, dilation, stride)
    flat = tf.reshape(x, [n, channels, height * width])
    windows = tf.gather(flat, places, axis=2)
    return tf.reshape(windows, [n, channels * places.shape[0], places.shape[1]])


def fold(
    x: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> tf.Tensor:
    """The image that columns of windows add up to: the transpose of `unfold`."""
    x = dense_tensor(x)
    size, kernel, dilation, padding, stride = (
        each(v, 2) for v in (output_size, kernel_size, dilation, padding, stride)
    )
    height, width = (s + 2 * p for s, p in zip(size, padding, strict=True))
    places, _ = _places((height, width), kernel, dilation, stride)
    n, rows, _ = shape(x)
    channels = rows // places.shape[0]
    values = tf.reshape(x, [n * channels, places.size])
    sums = tf.math.unsorted_segment_sum(tf.transpose(values), places.ravel(), height * width)
    image = tf.reshape(tf.transpose(sums), [n, channels, height, width])
    return image[:, :, padding[0] : height - padding[0], padding[1] : width - padding[1]]


def depth_to_space(x: Any, block_size: int, data_format: str = "channels_last") -> tf.Tensor:
    x = dense_tensor(x)
    if is_first(data_format):
        return channels_first(tf.nn.depth_to_space(channels_last(x), block_size))
    return tf.nn.depth_to_space(x, block_size)


def space_to_depth(x: Any, block_size: int, data_format: str = "channels_last") -> tf.Tensor:
    x = dense_tensor(x)
    if is_first(data_format):
        return channels_first(tf.nn.space_to_depth(channels_last(x), block_size))
    return tf.nn.space_to_depth(x, block_size)
