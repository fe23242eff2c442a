"""Frames, windows and spectra of `tfc.signal`.

Semantics are those of TensorFlow's signal package (shape_ops, reconstruction_ops, spectral_ops);
all is written from other ops, so gradients come for free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32, int64
from tfc.ir.extent import Extent, ceildiv, maximum, positive

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import Sizes, primitive
from ..arguments import flag
from ..math.reductions import _axes
from .fourier import _check_rank, fft_lengths, fitted, irfft_of, rfft_of
from .windows import hann_window, integer

WindowFunction = Callable[..., Any]


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
    return b.emit(ir.Gather(x, (start * step + offset).value, axis))


def _moved(b: Builder, x: Value, source: int, target: int) -> Value:
    """x with one axis at another place."""
    order = [a for a in range(x.rank) if a != source]
    order.insert(target, source)
    return b.emit(ir.Transpose(x, tuple(order)))


@primitive
def _frame(
    b: Builder, x: Value, value: Value, sizes: tuple[Extent, ...], step: int, pad: bool, axis: int
) -> Value:
    if value.dtype is not x.dtype:
        raise OpError("operands must have the same dtype", "dtype")
    y = frame_of(b, _moved(b, x, axis, x.rank - 1), sizes[0], step, value if pad else None)
    y = _moved(b, y, y.rank - 1, axis)
    return _moved(b, y, y.rank - 1, axis)


def frame(
    signal: TensorLike,
    frame_length: SupportsIndex,
    frame_step: SupportsIndex,
    pad_end: bool = False,
    pad_value: TensorLike = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """Windows along an axis, which becomes two: (frames, frame_length).

    What is left behind the last whole window is dropped, unless `pad_end` is set.

    Args:
        signal: A tensor of any dtype.
        frame_length: The elements of each window, at least 1.
        frame_step: How many elements apart the windows begin, at least 1.
        pad_end: Whether windows begin as long as there are elements, and reach into padding.
        pad_value: The padding, a scalar of the dtype of `signal`.
        axis: The axis.

    Returns:
        A tensor of the same dtype, with an axis more.

    Raises:
        TypeError: If a length or step is no integer.
        InvalidArgumentError: If it is below 1, or the axis is not there (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.signal.frame([1, 2, 3, 4, 5], 3, 2))
    tf.Tensor(
    [[1 2 3]
     [3 4 5]], shape=(2, 3), dtype=int32)
    """
    x = operand("frame", signal)
    length = integer("frame", "frame_length", frame_length)
    step = integer("frame", "frame_step", frame_step)
    (axis,) = _axes(x, [axis], "frame")
    value = operand("frame", pad_value, dtype_hint=x.dtype)
    if value.shape.rank:
        raise blame.invalid(f"pad_value must be a scalar, got shape {list(value.shape)}", "frame")
    return _frame(
        x, value, static=(Sizes((length,)), step, flag(pad_end, "pad_end", "frame"), axis)
    )


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
def _overlap(b: Builder, x: Value, step: int) -> Value:
    return overlap_of(b, x, step)


def overlap_and_add(
    signal: TensorLike, frame_step: SupportsIndex, name: str | None = None
) -> Tensor:
    """The sum of frames that begin `frame_step` elements apart.

    Args:
        signal: A tensor of numbers [..., frames, frame_length].
        frame_step: How many elements apart the frames begin, at least 1.

    Returns:
        A tensor of the same dtype [..., (frames - 1) * frame_step + frame_length].

    Raises:
        TypeError: If `frame_step` is no integer.
        InvalidArgumentError: If it is below 1, or the rank below 2 (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.signal.overlap_and_add([[1, 2, 3], [10, 20, 30]], 2))
    tf.Tensor([ 1  2 13 20 30], shape=(5,), dtype=int32)
    """
    x = operand("overlap_and_add", signal)
    step = integer("overlap_and_add", "frame_step", frame_step)
    _check_rank(x, 2, "overlap_and_add")
    return _overlap.fast(step)(x)


# Spectra.


def _enclosing_power_of_two(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()


@primitive
def _stft(b: Builder, x: Value, *rest: Any) -> Value:
    *windows, sizes, step, pad = rest
    zero = b.constant(0, x.dtype) if pad else None
    framed = frame_of(b, x, sizes[0], step, zero)
    for window in windows:
        spread = b.emit(ir.Broadcast(window, framed.shape, (framed.rank - 1,)))
        framed = b.emit(ir.Mul(framed, spread))
    return rfft_of(b, framed, (sizes[1],))


def stft(
    signals: TensorLike,
    frame_length: SupportsIndex,
    frame_step: SupportsIndex,
    fft_length: Any = None,
    window_fn: WindowFunction | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The short-time Fourier transform of real signals: the spectrum of each windowed frame.

    Args:
        signals: A tensor of float32 or float64 [..., samples].
        frame_length: The samples of a frame, at least 1.
        frame_step: How many samples apart the frames begin, at least 1.
        fft_length: The length to which frames are cut, or filled with zeros; None is the smallest
            power of two that holds `frame_length`.
        window_fn: A function of (frame_length, dtype=...) that gives the window; None for no
            window.
        pad_end: Whether the last frames reach into zeros, as of `frame`.

    Returns:
        A tensor of complex64 or complex128 [..., frames, fft_length // 2 + 1].

    Raises:
        TypeError: If the dtype is another one, or a length or step is no integer.
        InvalidArgumentError: If it is below 1, or there is no axis (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.signal.stft(tf.ones([2, 100]), frame_length=16, frame_step=8).shape
    TensorShape([2, 11, 9])
    """
    x = operand("stft", signals)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", "stft")
    _check_rank(x, 1, "stft")
    length = integer("stft", "frame_length", frame_length)
    step = integer("stft", "frame_step", frame_step)
    whole = _transform_length("stft", fft_length, length)
    windows = () if window_fn is None else (window_fn(length, dtype=x.dtype),)
    return _stft(
        x, *windows, static=(Sizes((length, whole)), step, flag(pad_end, "pad_end", "stft"))
    )


def _transform_length(name: str, given: Any, frame_length: int) -> int:
    if given is None:
        return _enclosing_power_of_two(frame_length)
    lengths = fft_lengths(given, 1, name)
    assert lengths is not None
    return int(lengths[0])


@primitive
def _inverse_stft(b: Builder, x: Value, *rest: Any) -> Value:
    *windows, sizes, step = rest
    length, whole = sizes
    framed = fitted(b, irfft_of(b, x, (whole,)), -1, length)
    for window in windows:
        spread = b.emit(ir.Broadcast(window, framed.shape, (framed.rank - 1,)))
        framed = b.emit(ir.Mul(framed, spread))
    return overlap_of(b, framed, step)


def inverse_stft(
    stfts: TensorLike,
    frame_length: SupportsIndex,
    frame_step: SupportsIndex,
    fft_length: Any = None,
    window_fn: WindowFunction | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """The signals whose spectra these are: each frame is transformed back, windowed, and added up.

    With `inverse_stft_window_fn(frame_step, window)` as `window_fn` it inverts an `stft` with that
    window, but for the ends.

    Args:
        stfts: A tensor of complex numbers [..., frames, fft_length // 2 + 1].
        frame_length: The samples of a frame, at least 1.
        frame_step: How many samples apart the frames begin, at least 1.
        fft_length: The length of the transforms; None is the smallest power of two that holds
            `frame_length`.
        window_fn: A function of (frame_length, dtype=...) that gives the window; None for no
            window.

    Returns:
        A tensor [..., (frames - 1) * frame_step + frame_length]: of float32 for complex64, float64
        for complex128.

    Raises:
        TypeError: If the dtype is another one, or a length or step is no integer.
        InvalidArgumentError: If it is below 1, or the rank below 2 (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.random.stateless_normal([64], seed=[1, 2])
    >>> window = tf.signal.inverse_stft_window_fn(8)
    >>> y = tf.signal.inverse_stft(tf.signal.stft(x, 16, 8), 16, 8, window_fn=window)
    >>> np.allclose(y[8:-8], x[8:-8], atol=1e-5)
    True
    """
    x = operand("inverse_stft", stfts)
    if not x.dtype.is_complex:
        raise blame.type_error(f"takes complex numbers, got {x.dtype.name}", "inverse_stft")
    _check_rank(x, 2, "inverse_stft")
    length = integer("inverse_stft", "frame_length", frame_length)
    step = integer("inverse_stft", "frame_step", frame_step)
    whole = _transform_length("inverse_stft", fft_length, length)
    dtype = x.dtype.real_dtype
    windows = () if window_fn is None else (window_fn(length, dtype=dtype),)
    return _inverse_stft(x, *windows, static=(Sizes((length, whole)), step))


@primitive
def _inverse_window(b: Builder, window: Value, step: int) -> Value:
    (length,) = window.shape
    overlaps = ceildiv(length, step)
    square = fitted(b, b.emit(ir.Mul(window, window)), 0, overlaps * step)
    rows = b.emit(ir.Reshape(square, (overlaps, step)))
    total = b.emit(ir.ReduceSum(rows, (0,)))
    spread = b.emit(ir.Broadcast(total, (overlaps, step), (1,)))
    flat = b.emit(ir.Reshape(spread, (overlaps * step,)))
    return b.emit(ir.Div(window, fitted(b, flat, 0, length)))


def inverse_stft_window_fn(
    frame_step: SupportsIndex,
    forward_window_fn: WindowFunction = hann_window,
    name: str | None = None,
) -> WindowFunction:
    """The `window_fn` for `inverse_stft` that undoes `forward_window_fn`.

    It is the window divided by the sum of the squares of the windows that overlap (D. Griffin and
    J. Lim, "Signal estimation from modified short-time Fourier transform", 1984, eq. 6).

    Args:
        frame_step: How many samples apart the frames begin, at least 1.
        forward_window_fn: The window of `stft`: a function of (frame_length, dtype=...).

    Returns:
        A function of (frame_length, dtype=tfc.float32) that gives a window of this length.

    Raises:
        TypeError: If `frame_step` is no integer.
        InvalidArgumentError: If it is below 1 (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.signal.inverse_stft_window_fn(2)(4), 3))
    [0. 1. 1. 1.]
    """
    step = integer("inverse_stft_window_fn", "frame_step", frame_step)

    def window_fn(frame_length: Any, dtype: Any = float32) -> Any:
        """A window of this length."""
        return _inverse_window.fast(step)(forward_window_fn(frame_length, dtype=dtype))

    return window_fn


__all__ = [
    *("frame", "inverse_stft", "inverse_stft_window_fn", "overlap_and_add", "stft"),
]
