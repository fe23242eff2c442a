"""The modified cosine transform: cosine transforms of windows that overlap by half."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, SupportsIndex

from tfc.ir.dtypes import float32, float64

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import one_of
from ..array import joining, shaping
from .cosine import dct
from .frames import frame, overlap_and_add
from .windows import integer, vorbis_window

WindowFunction = Callable[..., Any]


def _checked(op: str, x: Any, norm: Any) -> None:
    if x.dtype not in (float32, float64):
        raise blame.type_error(f"needs float32 or float64, got {x.dtype.name}", op)
    if not one_of(norm, (None, "ortho")):
        message = f"Unknown normalization. Expected None or 'ortho', got {shown(norm)}"
        raise blame.value_error(message, op)


def mdct(
    signals: TensorLike,
    frame_length: SupportsIndex,
    window_fn: WindowFunction | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified discrete cosine transform (type 4 of windows that overlap by half; J. Princen
    and A. Bradley, 1986).

    Args:
        signals: Floats [..., samples].
        frame_length: The length of windows: a multiple of 4.
        window_fn: A function of a length and `dtype` that gives a window; None: ones.
        pad_end: Whether the last window is filled up with zeros.
        norm: "ortho" for the orthonormal transform; None for the one that is not scaled.

    Returns:
        Floats [..., frames, frame_length / 2].

    Raises:
        ValueError: If the length is no multiple of 4, or there is no such norm.
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> tf.signal.mdct(tf.zeros([2, 16]), 8).shape
    TensorShape([2, 3, 4])
    """
    op = "signal.mdct"
    x: Any = operand(op, signals)
    _checked(op, x, norm)
    length = integer(op, "frame_length", frame_length)
    if length <= 0 or length % 4:
        raise blame.value_error(f"frame_length must be divisible by 4, got {length}", op)
    framed: Any = frame(x, length, length // 2, pad_end)
    if window_fn is not None:
        framed = framed * window_fn(length, dtype=x.dtype)
    else:  # a flat window, whose squares add up to 1 as well
        framed = framed * math.sqrt(0.5)
    a, b, c, d = joining.split(framed, 4, -1)
    last = len(framed.shape) - 1
    folded = joining.concat([-shaping.reverse(c, [last]) - d, a - shaping.reverse(b, [last])], last)
    return dct(folded, type=4, norm=norm)


def inverse_mdct(
    mdcts: TensorLike,
    window_fn: WindowFunction | None = vorbis_window,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The samples of which `mdct` was taken: exactly, but for the first and the last half of a
    window, where squares of the window's halves add up to 1.

    Args:
        mdcts: Floats [..., frames, half of a window].
        window_fn: The function that `mdct` was given.
        norm: The norm that `mdct` was given.

    Returns:
        Floats [..., samples].

    Raises:
        ValueError: If there is no such norm.
        UnimplementedError: If half of a window is not known while tracing.
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> x = tf.signal.inverse_mdct(tf.signal.mdct(tf.range(16.0), 8))
    >>> tf.round(x[4:12]).numpy().tolist()
    [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]
    """
    op = "signal.inverse_mdct"
    x: Any = operand(op, mdcts)
    _checked(op, x, norm)
    half = x.shape[-1] if x.shape.rank else 0
    if half == 0:
        raise blame.invalid(f"mdcts must have a last axis with elements, got {x.shape}", op)
    if half is None:
        raise blame.unknown_extent("half of a window must be known while tracing", op)
    rows: Any = dct(x, type=4, norm=norm)
    if norm is None:
        rows = rows * (0.5 / half)
    first, second = joining.split(rows, 2, -1)
    last = len(rows.shape) - 1
    wide: Any = joining.concat(
        [second, -shaping.reverse(second, [last]), -shaping.reverse(first, [last]), -first], last
    )
    if window_fn is not None:
        wide = wide * window_fn(2 * half, dtype=x.dtype)
    else:
        wide = wide * math.sqrt(0.5)
    return overlap_and_add(wide, half)
