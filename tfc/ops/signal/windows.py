"""Windows and the mel scale of `tfc.signal`, as in TensorFlow's window_ops and mel_ops."""

from __future__ import annotations

import math
from typing import Any, SupportsIndex

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, as_dtype, float32, int64
from tfc.ir.extent import Extent, maximum

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import Sizes, primitive
from ..arguments import flag
from ..array.joining import concat
from ..array.shaping import reverse
from ..extents import _integer
from ..math.arithmetic import truediv
from ..math.cumulative import cumsum
from ..math.transcendental import sqrt
from .cosine import dct_of, length_of
from .fourier import _check_rank


def integer(name: str, what: str, value: Any, least: int = 1) -> int:
    """`value` as an int that is not less than `least`."""
    number = _integer(value, what, name)
    if number < least:
        raise blame.invalid(f"{what} must be at least {least}, got {number}", name)
    if number >= 1 << 62:  # sums of them would be no int64
        raise blame.invalid(f"{what} is too large: {number}", name)
    return number


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
def _raised_cosine(b: Builder, sizes: Any, periodic: bool, low: float, dtype: DType) -> Value:
    return _cosine_window(b, sizes[0], periodic, low, dtype)


def _window(name: str, length: Any, periodic: Any, low: float, dtype: Any) -> Tensor:
    sizes, kind = _window_type(name, length, dtype)
    return _raised_cosine(static=(sizes, flag(periodic, "periodic", name), low, kind))


def _window_type(name: str, length: Any, dtype: Any) -> tuple[Sizes, DType]:
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise blame.value_error(f"dtype must be a floating point type. Found {kind!r}", name)
    return Sizes((integer(name, "window_length", length, 0),)), kind


def hann_window(
    window_length: SupportsIndex,
    periodic: Any = True,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The Hann window 0.5 - 0.5 cos(2 pi k / n).

    Args:
        window_length: The number of elements, an integer.
        periodic: Whether n of an even length is the length itself, which suits spectra. Otherwise,
            and of an odd length, it is the length - 1, and the window is symmetric.
        dtype: The dtype of the window, of floats.

    Returns:
        A vector of this length.

    Raises:
        TypeError: If the length is no integer.
        InvalidArgumentError: If it is negative (ValueError while tracing).
        ValueError: If `dtype` is no float.

    >>> import tfc as tf
    >>> print(tf.signal.hann_window(4))
    tf.Tensor([0.  0.5 1.  0.5], shape=(4,), dtype=float32)
    """
    return _window("hann_window", window_length, periodic, 0.5, dtype)


def hamming_window(
    window_length: SupportsIndex,
    periodic: Any = True,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The Hamming window 0.54 - 0.46 cos(2 pi k / n): unlike the Hann window it does not end at 0.

    Args:
        window_length: The number of elements, an integer.
        periodic: Whether n of an even length is the length itself, as of `hann_window`.
        dtype: The dtype of the window, of floats.

    Returns:
        A vector of this length.

    Raises:
        TypeError: If the length is no integer.
        InvalidArgumentError: If it is negative (ValueError while tracing).
        ValueError: If `dtype` is no float.

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.signal.hamming_window(4), 2))
    [0.08 0.54 1.   0.54]
    """
    return _window("hamming_window", window_length, periodic, 0.54, dtype)


@primitive
def _vorbis(b: Builder, sizes: Any, dtype: DType) -> Value:
    place = Term(b, b.emit(ir.Iota((sizes[0],), 0, dtype)))
    length = b.emit(ir.Cast(b.emit(ir.ExtentOf(sizes[0])), dtype))
    count = Term(b, b.emit(ir.Broadcast(length, sizes, ())))
    sine = ((place + 0.5) * math.pi / count)._emit("sin")
    return (sine * sine * (math.pi / 2))._emit("sin").value


def vorbis_window(
    window_length: SupportsIndex, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """The Vorbis window sin(pi/2 sin(pi (k + 1/2) / n)^2), of the Vorbis I specification, section
    1.3.2. The squares of both halves add up to 1, as modified cosine transforms (MDCT) want it.

    Args:
        window_length: The number of elements, an integer.
        dtype: The dtype of the window, of floats.

    Returns:
        A vector of this length.

    Raises:
        TypeError: If the length is no integer.
        InvalidArgumentError: If it is negative (ValueError while tracing).
        ValueError: If `dtype` is no float.

    >>> import numpy as np
    >>> import tfc as tf
    >>> window = tf.signal.vorbis_window(8)
    >>> np.allclose(window[:4] ** 2 + window[4:] ** 2, 1)
    True
    """
    return _vorbis(static=_window_type("vorbis_window", window_length, dtype))


@primitive
def _kaiser(b: Builder, sizes: Any, dtype: DType, beta: float) -> Value:
    place = Term(b, b.emit(ir.Iota(sizes, 0, dtype)))
    last = b.emit(ir.Cast(b.emit(ir.ExtentOf(maximum(sizes[0] - 1, 1))), dtype))
    along = place * 2.0 / Term(b, b.emit(ir.Broadcast(last, sizes, ()))) - 1.0
    single = Term(b, b.emit(ir.ExtentOf(sizes[0])))._emit("equal", 1)
    alone = Term(b, b.emit(ir.Broadcast(single.value, sizes, ())))
    along = where(alone, along.const(0), along)  # a window of one element is 1
    x = Term(b, b.emit(ir.Relu((1.0 - along * along).value)))._emit("sqrt") * beta
    end = x.const(beta)
    ratio = x._emit("bessel_i0e") / end._emit("bessel_i0e")
    return ((x - end)._emit("exp") * ratio).value


def kaiser_window(
    window_length: SupportsIndex,
    beta: float = 12.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The Kaiser window I0(beta sqrt(1 - x^2)) / I0(beta), x from -1 to 1.

    Reference: J. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
    1974.

    Args:
        window_length: The number of elements, an integer.
        beta: A number: the larger, the narrower; 0 makes a rectangle.
        dtype: The dtype of the window, of floats.

    Returns:
        A vector of this length.

    Raises:
        TypeError: If the length is no integer.
        InvalidArgumentError: If it is negative (ValueError while tracing).
        ValueError: If `dtype` is no float.

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.signal.kaiser_window(5, beta=4.0), 3))
    [0.088 0.633 1.    0.633 0.088]
    """
    return _kaiser(static=(*_window_type("kaiser_window", window_length, dtype), float(beta)))


def kaiser_bessel_derived_window(
    window_length: SupportsIndex,
    beta: float = 12.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The window that modified cosine transforms (MDCT) make of a Kaiser window: the roots of its
    running sums, up and down again.

    Args:
        window_length: The number of elements, an even integer: of an odd one the window has one
            element less.
        beta: What `kaiser_window` takes.
        dtype: The dtype of the window, of floats.

    Returns:
        A vector.

    Raises:
        TypeError: If the length is no integer.
        InvalidArgumentError: If it is negative (ValueError while tracing).
        ValueError: If `dtype` is no float.

    >>> import numpy as np
    >>> import tfc as tf
    >>> window = tf.signal.kaiser_bessel_derived_window(8)
    >>> np.allclose(window[:4] ** 2 + window[4:] ** 2, 1)
    True
    """
    length = integer("kaiser_bessel_derived_window", "window_length", window_length, 0)
    sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype))
    half = sqrt(truediv(sums[:-1], sums[-1]))
    return concat([half, reverse(half, [0])], 0)


# Mel scale.

_BREAK_HERTZ, _HIGH_Q = 700.0, 1127.0  # of the mel scale


def _mel(hertz: float) -> float:
    return _HIGH_Q * math.log1p(hertz / _BREAK_HERTZ)


@primitive
def _mel_weights(
    b: Builder, sizes: tuple[Extent, ...], rate: float, low: float, high: float, dtype: DType
) -> Value:
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
    num_mel_bins: SupportsIndex = 20,
    num_spectrogram_bins: SupportsIndex = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The matrix that takes spectra to the mel scale, by triangles that overlap by half.

    The scale is 1127 log(1 + f / 700); bin 0, the mean, weighs nothing.

    Args:
        num_mel_bins: How many bands there are, at least 1.
        num_spectrogram_bins: How many bins a spectrum of 0 to sample_rate / 2 has, at least 1.
        sample_rate: The samples a second, in hertz.
        lower_edge_hertz: Where the first band begins, in hertz.
        upper_edge_hertz: Where the last one ends, in hertz.
        dtype: The dtype of the matrix, of floats.

    Returns:
        A tensor [num_spectrogram_bins, num_mel_bins].

    Raises:
        ValueError: Unless 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2, and if
            `dtype` is no float.
        TypeError: If a number of bins is no integer.
        InvalidArgumentError: If it is below 1 (ValueError while tracing).

    >>> import tfc as tf
    >>> weights = tf.signal.linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129)
    >>> (tf.ones([7, 129]) @ weights).shape
    TensorShape([7, 20])
    """
    op = "linear_to_mel_weight_matrix"
    bands = integer(op, "num_mel_bins", num_mel_bins)
    bins = integer(op, "num_spectrogram_bins", num_spectrogram_bins)
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
def _mfccs(b: Builder, x: Value) -> Value:
    scale = (length_of(b, x) * 2.0)._emit("sqrt")
    return (Term(b, dct_of(b, x, 2, False)) / scale).value


def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: TensorLike, name: str | None = None
) -> Tensor:
    """Mel-frequency cepstral coefficients: the cosine transform of type 2 along the last axis, of n
    bands, divided by sqrt(2 n). Mostly the first 13 are kept.

    Args:
        log_mel_spectrograms: A tensor of float32 or float64 [..., bands].

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        TypeError: If the dtype is another one.
        ValueError: If there are no bands.
        InvalidArgumentError: If there is no axis (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.signal.mfccs_from_log_mel_spectrograms(tf.ones([1, 8])), 3)[0, :2] + 0)
    [4. 0.]
    """
    op = "mfccs_from_log_mel_spectrograms"
    x = operand(op, log_mel_spectrograms)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", op)
    _check_rank(x, 1, op)
    if x.shape[-1] == 0:
        raise blame.value_error("num_mel_bins must be positive. Got: 0", op)
    return _mfccs.fast()(x)


__all__ = [
    *("hamming_window", "hann_window", "kaiser_bessel_derived_window", "kaiser_window"),
    *("linear_to_mel_weight_matrix", "mfccs_from_log_mel_spectrograms", "vorbis_window"),
]
