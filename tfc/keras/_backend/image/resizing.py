"""Images of another size."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras.src.backend.common.dtypes import result_type

import tfc as tf

from ..core import dense_tensor, shape
from .layout import as_batch

METHODS = ("bilinear", "nearest", "lanczos3", "lanczos5", "bicubic", "area")


def resize(
    images: Any,
    size: Sequence[int],
    interpolation: str = "bilinear",
    antialias: bool = False,
    crop_to_aspect_ratio: bool = False,
    pad_to_aspect_ratio: bool = False,
    fill_mode: str = "constant",
    fill_value: float = 0.0,
    data_format: str | None = None,
) -> tf.Tensor:
    if interpolation not in METHODS:
        raise ValueError(
            "Invalid value for argument `interpolation`. Expected of one "
            f"{METHODS}. Received: interpolation={interpolation}"
        )
    if fill_mode != "constant":
        raise ValueError(
            "Invalid value for argument `fill_mode`. Only `'constant'` is supported. "
            f"Received: fill_mode={fill_mode}"
        )
    if pad_to_aspect_ratio and crop_to_aspect_ratio:
        raise ValueError(
            "Only one of `pad_to_aspect_ratio` & `crop_to_aspect_ratio` can be `True`."
        )
    if len(size) != 2:
        raise ValueError(
            "Argument `size` must be a tuple of two elements (height, width). "
            f"Received: size={size}"
        )
    height, width = size
    batch, back = as_batch(images, data_format)
    if crop_to_aspect_ratio:
        batch = _cropped(batch, height, width)
    elif pad_to_aspect_ratio:
        batch = _padded(batch, height, width, fill_value)
    found = tf.image.resize(batch, [height, width], interpolation, antialias=antialias)
    if batch.dtype.is_integer:
        found = tf.round(found)
    return back(tf.saturate_cast(found, batch.dtype))


def _cropped(batch: tf.Tensor, height: int, width: int) -> tf.Tensor:
    """The middle, in the proportions of height and width."""
    _, h, w, _ = shape(batch)
    rows = _clamped(w * height // width, h)
    columns = _clamped(h * width // height, w)
    top, left = (h - rows) // 2, (w - columns) // 2
    return batch[:, top : top + rows, left : left + columns, :]


def _clamped(n: Any, most: Any) -> Any:
    if isinstance(n, int) and isinstance(most, int):
        return max(min(n, most), 1)
    return tf.maximum(tf.minimum(n, most), 1)


def _padded(batch: tf.Tensor, height: int, width: int, value: float) -> tf.Tensor:
    """With a margin that gives it the proportions of height and width."""
    _, h, w, _ = shape(batch)
    above = _margin(w * height // width, h)
    beside = _margin(h * width // height, w)
    return tf.pad(
        batch,
        [[0, 0], [above, above], [beside, beside], [0, 0]],
        constant_values=tf.cast(value, batch.dtype),
    )


def _margin(wanted: Any, have: Any) -> Any:
    if isinstance(wanted, int) and isinstance(have, int):
        return max(wanted - have, 0) // 2
    return tf.maximum(wanted - have, 0) // 2


# Scaling and translating along axes: a matrix of weights for each.


def _triangle(x: tf.Tensor) -> tf.Tensor:
    return tf.maximum(0.0, 1.0 - x)


def _keys(x: tf.Tensor) -> tf.Tensor:
    """Keys' cubic convolution, a = -1/2 (IEEE Trans. ASSP 29, 1981)."""
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return tf.where(x >= 2.0, 0.0, tf.where(x >= 1.0, far, near))


def _lanczos(radius: float) -> Callable[[tf.Tensor], tf.Tensor]:
    def kernel(x: tf.Tensor) -> tf.Tensor:
        wave = radius * tf.sin(math.pi * x) * tf.sin(math.pi * x / radius)
        tail = wave / tf.where(x > 1e-3, math.pi**2 * tf.square(x), 1.0)
        return tf.where(x > radius, 0.0, tf.where(x > 1e-3, tail, 1.0))

    return kernel


KERNELS: dict[str, Callable[[tf.Tensor], tf.Tensor]] = {
    **dict.fromkeys(("linear", "bilinear", "trilinear"), _triangle),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), _keys),
    "lanczos3": _lanczos(3.0),
    "lanczos5": _lanczos(5.0),
}


def scale_and_translate(
    images: Any,
    output_shape: Sequence[int],
    scale: Any,
    translation: Any,
    spatial_dims: Sequence[int],
    method: str,
    antialias: bool = True,
) -> tf.Tensor:
    """Place i of the result takes what lies around (i + 1/2 - translation) / scale - 1/2."""
    if method not in KERNELS:
        raise ValueError(
            "Invalid value for argument `method`. Expected of one "
            f"{set(KERNELS)}. Received: method={method}"
        )
    images = dense_tensor(images)
    scale, translation = dense_tensor(scale), dense_tensor(translation)
    dtype = result_type(scale.dtype.name, translation.dtype.name)
    x = tf.cast(images, tf.float32) if images.dtype.is_integer else images
    for i, axis in enumerate(a % images.ndim for a in spatial_dims):
        weights = _weights(
            shape(x)[axis],
            output_shape[axis],
            tf.cast(scale[i], dtype),
            tf.cast(translation[i], dtype),
            KERNELS[method],
            antialias,
        )
        turned = tf.tensordot(x, tf.cast(weights, x.dtype), [[axis], [0]])
        order = list(range(axis)) + [x.ndim - 1] + list(range(axis, x.ndim - 1))
        x = tf.transpose(turned, order)
    if images.dtype.is_integer:
        low, high = (tf.cast(r(images), tf.float32) for r in (tf.reduce_min, tf.reduce_max))
        x = tf.cast(tf.clip_by_value(tf.round(x), low, high), images.dtype)
    return x


def _weights(
    n: Any, m: Any, scale: tf.Tensor, translation: tf.Tensor, kernel: Any, antialias: bool
) -> tf.Tensor:
    """[n, m]: how much of each of n places goes into each of m."""
    dtype = scale.dtype
    step = 1.0 / scale
    width = tf.maximum(step, 1.0) if antialias else tf.ones_like(step)
    place = (tf.cast(tf.range(m), dtype) + 0.5 - translation) * step - 0.5
    apart = tf.abs(place[None, :] - tf.cast(tf.range(n), dtype)[:, None]) / width
    weights = kernel(apart)
    total = tf.reduce_sum(weights, 0, keepdims=True)
    sound = tf.abs(total) > 1000.0 * float(np.finfo(np.float32).eps)
    weights = tf.where(sound, weights / tf.where(sound, total, 1.0), 0.0)
    inside = (place >= -0.5) & (place <= tf.cast(n, dtype) - 0.5)
    return tf.where(inside[None, :], weights, 0.0)
