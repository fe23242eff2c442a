"""Segments, k largest, Fourier transforms, distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from keras.src.backend.common import standardize_dtype
from keras.src.backend.common.dtypes import result_type

import tfc as tf

from .core import dense_tensor, shape
from .numpy.promotion import floating


def _segments(
    reduce: Callable[..., tf.Tensor], data: Any, segment_ids: Any, num_segments: int | None
) -> tf.Tensor:
    ids = dense_tensor(segment_ids)
    count = tf.reduce_max(ids) + 1 if num_segments is None else num_segments
    return reduce(dense_tensor(data), ids, count)


def segment_sum(
    data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False
) -> tf.Tensor:
    return _segments(tf.math.unsorted_segment_sum, data, segment_ids, num_segments)


def segment_max(
    data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False
) -> tf.Tensor:
    return _extremes(tf.math.unsorted_segment_max, -math.inf, data, segment_ids, num_segments)


def segment_min(
    data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False
) -> tf.Tensor:
    return _extremes(tf.math.unsorted_segment_min, math.inf, data, segment_ids, num_segments)


def segment_prod(
    data: Any, segment_ids: Any, num_segments: int | None = None, sorted: bool = False
) -> tf.Tensor:
    return _segments(tf.math.unsorted_segment_prod, data, segment_ids, num_segments)


def _extremes(
    reduce: Callable[..., tf.Tensor], empty: float, data: Any, ids: Any, count: int | None
) -> tf.Tensor:
    """Maxima or minima; of no floats they are infinite, as on JAX and NumPy."""
    data = dense_tensor(data)
    found = _segments(reduce, data, ids, count)
    if not data.dtype.is_floating:
        return found
    counts = _segments(tf.math.unsorted_segment_sum, tf.ones_like(dense_tensor(ids)), ids, count)
    full = tf.reshape(counts > 0, [-1, *[1] * (found.ndim - 1)])
    return tf.where(full, found, tf.cast(empty, found.dtype))


def top_k(x: Any, k: int, sorted: bool = True) -> Any:
    return tf.math.top_k(dense_tensor(x), k, sorted)


def in_top_k(targets: Any, predictions: Any, k: int) -> tf.Tensor:
    return tf.math.in_top_k(dense_tensor(targets, "int32"), dense_tensor(predictions), k)


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return tf.reduce_logsumexp(floating(x), axis, keepdims)


def cdist(x: Any, y: Any) -> tf.Tensor:
    """The distance of each row of x from each row of y."""
    x, y = dense_tensor(x), dense_tensor(y)
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError("`cdist` inputs must have rank >= 2")
    if x.shape[-1] != y.shape[-1]:
        raise ValueError("Last dimension of inputs to `cdist` must match")
    apart = x[..., :, None, :] - y[..., None, :, :]
    return tf.sqrt(tf.reduce_sum(tf.square(apart), -1))


def extract_sequences(x: Any, sequence_length: int, sequence_stride: int) -> tf.Tensor:
    return tf.signal.frame(dense_tensor(x), sequence_length, sequence_stride)


# Fourier transforms take and give (real, imaginary).


def _complex(x: Any) -> tf.Tensor:
    if not isinstance(x, tuple | list) or len(x) != 2:
        raise ValueError(
            f"Input `x` should be a tuple of two tensors - real and imaginary.Received: x={x}"
        )
    real, imaginary = (dense_tensor(part) for part in x)
    if real.shape != imaginary.shape:
        raise ValueError(
            "Input `x` should be a tuple of two tensors - real and imaginary."
            "Both the real and imaginary parts should have the same shape. "
            f"Received: x[0].shape = {real.shape}, x[1].shape = {imaginary.shape}"
        )
    if not real.dtype.is_floating or not imaginary.dtype.is_floating:
        raise ValueError(f"At least one tensor in input `x` is not of type float.Received: x={x}.")
    return tf.complex(real, imaginary)


_get_complex_tensor_from_tuple = _complex  # Keras' `polar` asks for it by this name


def _parts(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return tf.math.real(x), tf.math.imag(x)


def fft(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return _parts(tf.signal.fft(_complex(x)))


def fft2(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return _parts(tf.signal.fft2d(_complex(x)))


def ifft2(x: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return _parts(tf.signal.ifft2d(_complex(x)))


def rfft(x: Any, fft_length: int | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    length = None if fft_length is None else [fft_length]
    return _parts(tf.signal.rfft(dense_tensor(x), length))


def irfft(x: Any, fft_length: int | None = None) -> tf.Tensor:
    return tf.signal.irfft(_complex(x), None if fft_length is None else [fft_length])


def _window(window: Any, sequence_length: int, fft_length: int, dtype: Any) -> tf.Tensor | None:
    """The window in the middle of `fft_length` places; None: ones, the same way."""
    if isinstance(window, str):
        if window not in ("hann", "hamming"):
            raise ValueError(
                "If a string is passed to `window`, it must be one of "
                f'`"hann"`, `"hamming"`. Received: window={window}'
            )
        made = tf.signal.hann_window if window == "hann" else tf.signal.hamming_window
        window = made(sequence_length, dtype=dtype)
    elif window is None:
        return None
    window = dense_tensor(window, dtype)
    if window.ndim != 1 or window.shape[-1] != sequence_length:
        raise ValueError(
            "The shape of `window` must be equal to [sequence_length]."
            f"Received: window shape={window.shape}"
        )
    before = (fft_length - sequence_length) // 2
    return tf.pad(window, [[before, fft_length - sequence_length - before]])


def stft(
    x: Any,
    sequence_length: int,
    sequence_stride: int,
    fft_length: int,
    window: Any = "hann",
    center: bool = True,
) -> tuple[tf.Tensor, tf.Tensor]:
    x = dense_tensor(x)
    if standardize_dtype(x.dtype) not in ("float32", "float64"):
        raise TypeError(
            f"Invalid input type. Expected `float32` or `float64`. Received: input type={x.dtype}"
        )
    if fft_length < sequence_length:
        raise ValueError(
            "`fft_length` must equal or larger than `sequence_length`. "
            f"Received: sequence_length={sequence_length}, fft_length={fft_length}"
        )
    shaped = _window(window, sequence_length, fft_length, x.dtype)
    if center:
        margin = [fft_length // 2] * 2
        x = tf.pad(x, [*[[0, 0]] * (x.ndim - 1), margin], mode="REFLECT")
    frames = tf.signal.frame(x, fft_length, sequence_stride)
    if shaped is not None:
        frames = frames * shaped
    return _parts(tf.signal.rfft(frames, [fft_length]))


def istft(
    x: Any,
    sequence_length: int,
    sequence_stride: int,
    fft_length: int,
    length: int | None = None,
    window: Any = "hann",
    center: bool = True,
) -> tf.Tensor:
    """The signal whose windows these are, added up where they overlap."""
    frames = tf.signal.irfft(_complex(x), [fft_length])
    shaped = _window(window, sequence_length, fft_length, frames.dtype)
    if shaped is not None:
        frames = frames * _normalised(shaped, fft_length, sequence_stride)
    signal = tf.signal.overlap_and_add(frames, sequence_stride)
    start = fft_length // 2 if center else 0
    return signal[..., start : shape(signal)[-1] - start if length is None else start + length]


def _normalised(window: tf.Tensor, length: int, stride: int) -> tf.Tensor:
    """The window over the sum of the squares that overlap with it: what undoes it, except at the
    ends of a signal (Griffin and Lim, IEEE Trans. ASSP 32, 1984)."""
    overlaps = -(-length // stride)
    squares = tf.pad(tf.square(window), [[0, overlaps * stride - length]])
    sums = tf.reduce_sum(tf.reshape(squares, [overlaps, stride]), 0)
    return tf.math.divide_no_nan(window, tf.tile(sums, [overlaps])[:length])


def rsqrt(x: Any) -> tf.Tensor:
    return tf.math.rsqrt(floating(x))


def _special(function: Callable[[tf.Tensor], tf.Tensor], x: Any) -> tf.Tensor:
    x = dense_tensor(x)
    return function(tf.cast(x, result_type(x.dtype.name, float)))


def erf(x: Any) -> tf.Tensor:
    return _special(tf.math.erf, x)


def erfc(x: Any) -> tf.Tensor:
    return _special(tf.math.erfc, x)


def erfinv(x: Any) -> tf.Tensor:
    return _special(tf.math.erfinv, x)


def logdet(x: Any) -> tf.Tensor:
    return tf.linalg.slogdet(dense_tensor(x))[1]
