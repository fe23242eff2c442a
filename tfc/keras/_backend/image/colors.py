"""Grey, hue, saturation and value."""

from __future__ import annotations

from typing import Any

from keras.src.backend.common import standardize_dtype
from keras.src.backend.common.dtypes import result_type

import tfc as tf

from ..core import dense_tensor
from ..nn.layout import is_first
from .layout import check_rank


def rgb_to_grayscale(images: Any, data_format: str | None = None) -> tf.Tensor:
    images = dense_tensor(images)
    axis = -3 if is_first(data_format) else -1
    check_rank(images)
    if images.shape[axis] not in (1, 3):
        raise ValueError(
            "Invalid channel size: expected 3 (RGB) or 1 (Grayscale). "
            f"Received input with shape: images.shape={images.shape}"
        )
    if images.shape[axis] == 1:
        return images
    wide = tf.cast(images, result_type(images.dtype.name, float))
    grey = tf.tensordot(wide, tf.constant([0.2989, 0.5870, 0.1140], wide.dtype), [[axis], [0]])
    return tf.cast(tf.expand_dims(grey, axis), images.dtype)


def _planes(images: Any, data_format: str | None) -> tuple[list[tf.Tensor], int]:
    images = dense_tensor(images)
    check_rank(images)
    if not images.dtype.is_floating:
        raise ValueError(
            "Invalid images dtype: expected float dtype. "
            f"Received: images.dtype={standardize_dtype(images.dtype)}"
        )
    axis = -3 if is_first(data_format) else -1
    return tf.unstack(images, axis=axis), axis


def rgb_to_hsv(images: Any, data_format: str | None = None) -> tf.Tensor:
    planes, axis = _planes(images, data_format)
    return tf.stack(tf.unstack(tf.image.rgb_to_hsv(tf.stack(planes, -1)), axis=-1), axis)


def hsv_to_rgb(images: Any, data_format: str | None = None) -> tf.Tensor:
    planes, axis = _planes(images, data_format)
    return tf.stack(tf.unstack(tf.image.hsv_to_rgb(tf.stack(planes, -1)), axis=-1), axis)
