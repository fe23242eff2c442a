"""Fourier transforms along several axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import numbers
from ..array.padding import pad
from ..array.shaping import transpose
from ..extents import extents_of
from . import fourier


def _plan(op: str, x: Any, fft_length: Any, axes: Any, norm: Any) -> tuple[list[int], list[Any]]:
    if norm is not None:
        raise blame.value_error(f"norm must be None, got {norm!r}", op)
    rank = len(x.shape)
    chosen = [*range(rank)] if axes is None else numbers(axes, "axes", op)
    if any(not -rank <= a < rank for a in chosen) or len({a % rank for a in chosen}) < len(chosen):
        raise blame.value_error(f"axes {chosen} are none of a tensor of rank {rank}", op)
    if not chosen:
        raise blame.value_error(f"needs an axis, got shape {x.shape}", op)
    chosen = [a % rank for a in chosen]
    if fft_length is None:
        return chosen, [None] * len(chosen)
    lengths = numbers(fft_length, "fft_length", op)
    if len(lengths) != len(chosen):
        raise blame.value_error(f"fft_length {lengths} is for other axes than {chosen}", op)
    return chosen, lengths


def _along(x: Any, axis: int, f: Callable[[Any], Any]) -> Any:
    """f, which works along the last axis, along another one."""
    rank = len(x.shape)
    order = [i for i in range(rank) if i != axis] + [axis]
    back = sorted(range(rank), key=order.__getitem__)
    return transpose(f(transpose(x, order)), back)


def _fitted(x: Any, length: Any) -> Any:
    """x with as many elements along its last axis."""
    if length is None:
        return x
    x = x[..., :length]
    have: Any = extents_of(x)[-1]
    return pad(x, [[0, 0]] * (len(x.shape) - 1) + [[0, length - have]])


def _of_length(transform: Callable[[Any], Any], length: Any, x: Any) -> Any:
    return transform(_fitted(x, length))


def _complex(op: str, transform: Callable[[Any], Any], *arguments: Any) -> Any:
    x, *rest = arguments
    axes, lengths = _plan(op, x, *rest)
    for axis, length in zip(axes, lengths, strict=True):
        x = _along(x, axis, partial(_of_length, transform, length))
    return x


def fftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete Fourier transform along several axes.

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: The extents that the axes are cut or filled with zeros to, one for each; None:
            as they are.
        axes: The axes; None: all.
        norm: None alone.

    Returns:
        A tensor of complex numbers.

    Raises:
        ValueError: If lengths and axes do not fit each other, or `norm` is another one.

    >>> import tfc as tf
    >>> x = tf.constant([[1, 0], [0, 0]], tf.complex64)
    >>> print(tf.math.real(tf.signal.fftnd(x)).numpy().tolist())
    [[1.0, 1.0], [1.0, 1.0]]
    """
    x = operand("signal.fftnd", input_tensor)
    return _complex("signal.fftnd", fourier.fft, x, fft_length, axes, norm)


def ifftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `fftnd`, which divides by the number of elements.

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: The extents that the axes are cut or filled with zeros to, one for each; None:
            as they are.
        axes: The axes; None: all.
        norm: None alone.

    Returns:
        A tensor of complex numbers.

    Raises:
        ValueError: If lengths and axes do not fit each other, or `norm` is another one.

    >>> import tfc as tf
    >>> x = tf.ones([2, 2], tf.complex64)
    >>> print(tf.math.real(tf.signal.ifftnd(x)).numpy().tolist())
    [[1.0, 0.0], [0.0, 0.0]]
    """
    x = operand("signal.ifftnd", input_tensor)
    return _complex("signal.ifftnd", fourier.ifft, x, fft_length, axes, norm)


def rfftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete Fourier transform of real numbers along several axes: of the last of them the
    half that says all.

    Args:
        input_tensor: A tensor of floats.
        fft_length: The extents that the axes are cut or filled with zeros to, one for each; None:
            as they are.
        axes: The axes; None: all.
        norm: None alone.

    Returns:
        A tensor of complex numbers.

    Raises:
        ValueError: If lengths and axes do not fit each other, or `norm` is another one.

    >>> import tfc as tf
    >>> print(tf.math.real(tf.signal.rfftnd([[1.0, 0.0, 0.0]])).numpy().tolist())
    [[1.0, 1.0]]
    """
    op = "signal.rfftnd"
    x: Any = operand(op, input_tensor)
    which, lengths = _plan(op, x, fft_length, axes, norm)
    x = _along(x, which[-1], lambda v: fourier.rfft(_fitted(v, lengths[-1])))
    for axis, length in zip(which[:-1], lengths[:-1], strict=True):
        x = _along(x, axis, partial(_of_length, fourier.fft, length))
    return x


def irfftnd(
    input_tensor: TensorLike,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `rfftnd`.

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: The extents of the result along the axes, one for each; None: as they are, the
            last one even.
        axes: The axes; None: all.
        norm: None alone.

    Returns:
        A tensor of floats.

    Raises:
        ValueError: If lengths and axes do not fit each other, or `norm` is another one.

    >>> import tfc as tf
    >>> print(tf.signal.irfftnd(tf.ones([1, 2], tf.complex64), [1, 3]).numpy().tolist())
    [[1.0, 0.0, 0.0]]
    """
    op = "signal.irfftnd"
    x: Any = operand(op, input_tensor)
    which, lengths = _plan(op, x, fft_length, axes, norm)
    for axis, length in zip(which[:-1], lengths[:-1], strict=True):
        x = _along(x, axis, partial(_of_length, fourier.ifft, length))
    last = None if lengths[-1] is None else [lengths[-1]]
    found: Tensor = _along(x, which[-1], lambda v: fourier.irfft(v, last))
    return found


__all__ = ["fftnd", "ifftnd", "irfftnd", "rfftnd"]
