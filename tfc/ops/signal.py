"""Frames, windows and spectra of `tfc.signal`.

Semantics are those of TensorFlow's signal package (shape_ops, reconstruction_ops, window_ops,
spectral_ops, mel_ops and mfcc_ops); all is written from other ops, so gradients come for free.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, float32, int64
from tfc.ir.extent import Extent, ceildiv, maximum, positive

from .. import blame
from ..dispatch import Sizes, primitive
from ..tensor import operand
from .fourier import _check_rank, dct_of, fft_lengths, fitted, irfft_of, length_of, rfft_of

WindowFunction = Callable[..., Any]


def _integer(name: str, what: str, value: Any, least: int = 1) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise blame.type_error(f"{what} must be an integer, got {value!r}", name) from None
    if number < least:
        raise blame.invalid(f"{what} must be at least {least}, got {number}", name)
    return number


# Frames.


def frame_of(b: Builder, x: Value, length: Extent, step: int, pad: Value | None) -> Value:
    """IR for the windows of x along its last axis: its place is taken by (frames, length)."""
    axis, n = x.rank - 1, x.shape[-1]
    if pad is None:
        frames = positive((n - length) // step + 1)
    else:
        frames = ceildiv(n, step)
        whole = maximum(n, (frames - 1) * step + length)
        shape = (*x.shape[:-1], whole)
        x = b.emit(ir.Pad(x, pad, (0,) * x.rank, shape, (1,) * x.rank))
    start, offset = (Term(b, b.emit(ir.Iota((frames, length), a, int64))) for a in (0, 1))
    framed: Value = b.emit(ir.Gather(x, (start * step + offset).value, axis))
    return framed


def _moved(b: Builder, x: Value, source: int, target: int) -> Value:
    """x with one axis at another place."""
    order = [a for a in range(x.rank) if a != source]
    order.insert(target, source)
    moved: Value = b.emit(ir.Transpose(x, tuple(order)))
    return moved


@primitive
def _frame(
    b: Builder, x: Value, value: Value, sizes: tuple[Extent, ...], step: int, pad: bool, axis: int
) -> Any:
    if value.dtype is not x.dtype:
        raise OpError("operands must have the same dtype", "dtype")
    y = frame_of(b, _moved(b, x, axis, x.rank - 1), sizes[0], step, value if pad else None)
    y = _moved(b, y, y.rank - 1, axis)
    return _moved(b, y, y.rank - 1, axis)


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """Windows of `frame_length` elements along `axis`, one every `frame_step`; the axis becomes
    (frames, frame_length).

    What is left behind the last whole window is dropped, or with `pad_end` filled with
    `pad_value`.

    >>> import tfc as tf
    >>> print(tf.signal.frame([1, 2, 3, 4, 5], 3, 2))
    tf.Tensor(
    [[1 2 3]
     [3 4 5]], shape=(2, 3), dtype=int32)
    """
    from .math import _axes

    x = operand("frame", signal)
    length = _integer("frame", "frame_length", frame_length)
    step = _integer("frame", "frame_step", frame_step)
    (axis,) = _axes(x, [axis], "frame")
    value = operand("frame", pad_value, dtype_hint=x.dtype)
    if value.shape.rank:
        raise blame.invalid(f"pad_value must be a scalar, got shape {list(value.shape)}", "frame")
    return _frame(x, value, static=(Sizes((length,)), step, bool(pad_end), axis))


def overlap_of(b: Builder, x: Value, step: int) -> Value:
    """IR for the sum of frames (the last two axes) laid `step` elements apart.

    Frames are cut into segments of `step` elements. Filled up and laid out one after the other,
    the s-th segments of all frames stand s rows further on than they have to in the sum: with
    one row more than rows are needed, a reshape shifts each by one row against the one before.
    """
    *batch, frames, length = x.shape
    rank = len(batch)
    segments = ceildiv(length, step)
    x = fitted(b, x, -1, segments * step)
    x = b.emit(ir.Reshape(x, (*batch, frames, segments, step)))
    x = _moved(b, x, rank + 1, rank)
    x = fitted(b, x, rank + 1, frames + segments)
    x = b.emit(ir.Reshape(x, (*batch, segments * (frames + segments), step)))
    rows = frames + segments - 1
    x = fitted(b, x, rank, segments * rows)
    x = b.emit(ir.Reshape(x, (*batch, segments, rows, step)))
    x = b.emit(ir.ReduceSum(x, (rank,)))
    x = b.emit(ir.Reshape(x, (*batch, rows * step)))
    return fitted(b, x, -1, (frames - 1) * step + length)


@primitive
def _overlap(b: Builder, x: Value, step: int) -> Any:
    return overlap_of(b, x, step)


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """The sum of frames, the last two axes (frames, frame_length) of the operand, that begin
    `frame_step` elements apart: shape (..., (frames - 1) * frame_step + frame_length).

    >>> import tfc as tf
    >>> print(tf.signal.overlap_and_add([[1, 2, 3], [10, 20, 30]], 2))
    tf.Tensor([ 1  2 13 20 30], shape=(5,), dtype=int32)
    """
    x = operand("overlap_and_add", signal)
    step = _integer("overlap_and_add", "frame_step", frame_step)
    _check_rank(x, 2, "overlap_and_add")
    return _overlap.fast(step)(x)


# Windows.


def _cosine_window(b: Builder, length: Extent, periodic: bool, low: float, dtype: DType) -> Value:
    """low - (1 - low) cos(2 pi k / n), where n = length if it is even and the window periodic, or
    else length - 1."""
    place = Term(b, b.emit(ir.Iota((length,), 0, dtype)))
    number = Term(b, b.emit(ir.ExtentOf(length)))
    even = 1 - number._emit("floor_mod", 2) if periodic else number.const(0)
    period = number + even - 1
    period = where(period._emit("equal", 0), period.const(1), period)
    single = number._emit("equal", 1)
    spread = [b.emit(ir.Broadcast(v, (length,), ())) for v in (period.value, single.value)]
    count = Term(b, b.emit(ir.Cast(spread[0], dtype)))
    window = low - (place * (2 * math.pi) / count)._emit("cos") * (1 - low)
    return where(Term(b, spread[1]), window.const(1), window).value


@primitive
def _raised_cosine(b: Builder, sizes: Any, periodic: bool, low: float, dtype: DType) -> Any:
    return _cosine_window(b, sizes[0], periodic, low, dtype)


def _window(name: str, length: Any, periodic: Any, low: float, dtype: Any) -> Any:
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise blame.value_error(f"dtype must be a floating point type. Found {kind!r}", name)
    length = _integer(name, "window_length", length, 0)
    return _raised_cosine(static=(Sizes((length,)), bool(periodic), low, kind))


def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = float32, name: str | None = None
) -> Any:
    """The Hann window 0.5 - 0.5 cos(2 pi k / n). Of even length it is periodic (n is the length),
    which suits spectra, unless `periodic` is False: then, and of odd length, it is symmetric.

    >>> import tfc as tf
    >>> print(tf.signal.hann_window(4))
    tf.Tensor([0.  0.5 1.  0.5], shape=(4,), dtype=float32)
    """
    return _window("hann_window", window_length, periodic, 0.5, dtype)


def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = float32, name: str | None = None
) -> Any:
    """The Hamming window 0.54 - 0.46 cos(2 pi k / n); see `hann_window`."""
    return _window("hamming_window", window_length, periodic, 0.54, dtype)


@primitive
def _vorbis(b: Builder, sizes: Any, dtype: DType) -> Any:
    place = Term(b, b.emit(ir.Iota((sizes[0],), 0, dtype)))
    length = b.emit(ir.Cast(b.emit(ir.ExtentOf(sizes[0])), dtype))
    count = Term(b, b.emit(ir.Broadcast(length, sizes, ())))
    sine = ((place + 0.5) * math.pi / count)._emit("sin")
    return (sine * sine * (math.pi / 2))._emit("sin").value


def vorbis_window(window_length: Any, dtype: Any = float32, name: str | None = None) -> Any:
    """The Vorbis window sin(pi/2 sin(pi (k + 1/2) / n)^2)."""
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise blame.value_error(f"dtype must be floating, got {kind!r}", "vorbis_window")
    length = _integer("vorbis_window", "window_length", window_length, 0)
    return _vorbis(static=(Sizes((length,)), kind))


# Spectra.


def _enclosing_power_of_two(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()


@primitive
def _stft(b: Builder, x: Value, *rest: Any) -> Any:
    *windows, sizes, step, pad = rest
    zero = b.constant(0, x.dtype) if pad else None
    framed = frame_of(b, x, sizes[0], step, zero)
    for window in windows:
        spread = b.emit(ir.Broadcast(window, framed.shape, (framed.rank - 1,)))
        framed = b.emit(ir.Mul(framed, spread))
    return rfft_of(b, framed, (sizes[1],))


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: WindowFunction | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Any:
    """The short-time Fourier transform of real signals (..., samples): the spectrum of each
    windowed frame, of shape (..., frames, fft_length // 2 + 1).

    `fft_length` is by default the smallest power of two that encloses `frame_length`. `window_fn`
    takes (frame_length, dtype=...); None: no window. `pad_end`: see `frame`.

    >>> import tfc as tf
    >>> tf.signal.stft(tf.ones([2, 100]), frame_length=16, frame_step=8).shape
    TensorShape([2, 11, 9])
    """
    x = operand("stft", signals)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", "stft")
    _check_rank(x, 1, "stft")
    length = _integer("stft", "frame_length", frame_length)
    step = _integer("stft", "frame_step", frame_step)
    whole = _transform_length("stft", fft_length, length)
    windows = () if window_fn is None else (window_fn(length, dtype=x.dtype),)
    return _stft(x, *windows, static=(Sizes((length, whole)), step, bool(pad_end)))


def _transform_length(name: str, given: Any, frame_length: int) -> int:
    if given is None:
        return _enclosing_power_of_two(frame_length)
    lengths = fft_lengths(given, 1, name)
    assert lengths is not None
    return int(lengths[0])


@primitive
def _inverse_stft(b: Builder, x: Value, *rest: Any) -> Any:
    *windows, sizes, step = rest
    length, whole = sizes
    framed = fitted(b, irfft_of(b, x, (whole,)), -1, length)
    for window in windows:
        spread = b.emit(ir.Broadcast(window, framed.shape, (framed.rank - 1,)))
        framed = b.emit(ir.Mul(framed, spread))
    return overlap_of(b, framed, step)


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: WindowFunction | None = hann_window,
    name: str | None = None,
) -> Any:
    """The signals whose spectra (..., frames, fft_length // 2 + 1) these are: each frame is
    transformed back, windowed, and added up.

    With `inverse_stft_window_fn(frame_step, window)` as `window_fn` it inverts an `stft` with
    that window, but for the ends.
    """
    x = operand("inverse_stft", stfts)
    if not x.dtype.is_complex:
        raise blame.type_error(f"takes complex numbers, got {x.dtype.name}", "inverse_stft")
    _check_rank(x, 2, "inverse_stft")
    length = _integer("inverse_stft", "frame_length", frame_length)
    step = _integer("inverse_stft", "frame_step", frame_step)
    whole = _transform_length("inverse_stft", fft_length, length)
    dtype = x.dtype.real_dtype
    windows = () if window_fn is None else (window_fn(length, dtype=dtype),)
    return _inverse_stft(x, *windows, static=(Sizes((length, whole)), step))


@primitive
def _inverse_window(b: Builder, window: Value, step: int) -> Any:
    (length,) = window.shape
    overlaps = ceildiv(length, step)
    square = fitted(b, b.emit(ir.Mul(window, window)), 0, overlaps * step)
    rows = b.emit(ir.Reshape(square, (overlaps, step)))
    total = b.emit(ir.ReduceSum(rows, (0,)))
    spread = b.emit(ir.Broadcast(total, (overlaps, step), (1,)))
    flat = b.emit(ir.Reshape(spread, (overlaps * step,)))
    return b.emit(ir.Div(window, fitted(b, flat, 0, length)))


def inverse_stft_window_fn(
    frame_step: Any,
    forward_window_fn: WindowFunction = hann_window,
    name: str | None = None,
) -> WindowFunction:
    """The `window_fn` for `inverse_stft` that undoes `forward_window_fn`: the window divided by
    the sum of the squares of the windows that overlap (D. Griffin and J. Lim, "Signal estimation
    from modified short-time Fourier transform", 1984, eq. 6)."""
    step = _integer("inverse_stft_window_fn", "frame_step", frame_step)

    def window_fn(frame_length: Any, dtype: Any = float32) -> Any:
        """A window of this length."""
        return _inverse_window.fast(step)(forward_window_fn(frame_length, dtype=dtype))

    return window_fn


# Mel scale.

_BREAK_HERTZ, _HIGH_Q = 700.0, 1127.0  # of the mel scale


def _mel(hertz: float) -> float:
    return _HIGH_Q * math.log1p(hertz / _BREAK_HERTZ)


@primitive
def _mel_weights(
    b: Builder, sizes: tuple[Extent, ...], rate: float, low: float, high: float, dtype: DType
) -> Any:
    """Triangles, in the mel scale, over the bins of a spectrum; bin 0 (no frequency) gets none."""
    bins, bands = sizes

    def line(shape: Any, axis: int, begin: float, end: float, last: Extent) -> Term:
        """From `begin` at place 0 to `end` at place `last`."""
        place = Term(b, b.emit(ir.Iota(shape, axis, dtype)))
        count = b.emit(ir.Cast(b.emit(ir.ExtentOf(last)), dtype))
        spread = Term(b, b.emit(ir.Broadcast(count, shape, ())))
        return place * (end - begin) / spread + begin

    hertz = line(sizes, 0, 0.0, rate / 2, bins - 1)
    mel = (hertz / _BREAK_HERTZ)._emit("log1p") * _HIGH_Q
    edge = line(sizes, 1, _mel(low), _mel(high), bands + 1)
    count = b.emit(ir.Cast(b.emit(ir.ExtentOf(bands + 1)), dtype))
    width = edge.const(_mel(high) - _mel(low)) / Term(b, b.emit(ir.Broadcast(count, sizes, ())))
    rising, falling = (mel - edge) / width, (edge + width * 2.0 - mel) / width
    triangle = rising._emit("minimum", falling)._emit("maximum", 0.0)
    silent = Term(b, b.emit(ir.Iota(sizes, 0, int64)))._emit("equal", 0)
    return where(silent, triangle.const(0), triangle).value


def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0,
    dtype: Any = float32,
    name: str | None = None,
) -> Any:
    """A matrix (num_spectrogram_bins, num_mel_bins) that takes spectra (frames,
    num_spectrogram_bins) of 0 .. sample_rate / 2 Hertz to the mel scale, by triangles that
    overlap by half.

    Raises ValueError unless 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2.
    """
    op = "linear_to_mel_weight_matrix"
    bands = _integer(op, "num_mel_bins", num_mel_bins)
    bins = _integer(op, "num_spectrogram_bins", num_spectrogram_bins)
    rate, low, high = (float(v) for v in (sample_rate, lower_edge_hertz, upper_edge_hertz))
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise blame.value_error(f"dtype must be a floating point type. Got: {kind!r}", op)
    if rate <= 0 or not 0 <= low < high <= rate / 2:
        raise blame.value_error(
            "must have 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2, got "
            f"{low}, {high} and {rate}",
            op,
        )
    return _mel_weights(static=(Sizes((bins, bands)), rate, low, high, kind))


@primitive
def _mfccs(b: Builder, x: Value) -> Any:
    scale = (length_of(b, x) * 2.0)._emit("sqrt")
    return (Term(b, dct_of(b, x, 2, False)) / scale).value


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """Mel-frequency cepstral coefficients: the cosine transform of type 2 along the last axis, of
    n bands, divided by sqrt(2 n). Raises ValueError where there are no bands."""
    op = "mfccs_from_log_mel_spectrograms"
    x = operand(op, log_mel_spectrograms)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", op)
    _check_rank(x, 1, op)
    if x.shape[-1] == 0:
        raise blame.value_error("num_mel_bins must be positive. Got: 0", op)
    return _mfccs.fast()(x)


__all__ = [
    *("frame", "hamming_window", "hann_window", "inverse_stft", "inverse_stft_window_fn"),
    *("linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms", "overlap_and_add"),
    *("stft", "vorbis_window"),
]
