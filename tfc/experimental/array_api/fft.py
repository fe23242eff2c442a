"""The fft extension of the array API standard, over `tfc.signal`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import DTypeLike
from tfc.ir.dtypes import as_dtype

from ._dtypes import DEFAULTS, check_device
from ._elementwise import conj
from ._manipulation import Axes, axes_of, moveaxis

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


Integers: TypeAlias = "Sequence[int] | None"


def _complex(x: Tensor, name: str) -> Tensor:
    if not x.dtype.is_inexact:
        raise TypeError(f"{name} is not defined for dtype {x.dtype.name}")
    if x.dtype.is_complex:
        return x
    return tf.cast(x, as_dtype("complex128" if x.dtype.bits == 64 else "complex64"))


def _sized(x: Tensor, n: int) -> Tensor:
    """x with n elements along its last axis: cut, or filled with zeros."""
    have = x.shape[-1]
    if have >= n:
        return x[..., :n]
    return tf.pad(x, [[0, 0]] * (x.ndim - 1) + [[0, n - have]])


def _scale(n: int, norm: str, inverse: bool, name: str) -> float:
    """What a transform that divides by n only when it is inverse is multiplied by."""
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"{name}: norm is 'backward', 'ortho' or 'forward', got {norm!r}")
    if norm == "backward":
        return 1.0
    root = math.sqrt(n) if norm == "ortho" else n
    return root if inverse else 1 / root


def _along(
    x: Tensor,
    n: int | None,
    axis: int,
    norm: str,
    inverse: bool,
    name: str,
    function: Callable[..., Tensor] | None = None,
) -> Tensor:
    (a,) = axes_of(axis, x.ndim, name)
    count = x.shape[a] if n is None else n
    if count < 1:
        raise ValueError(f"{name}: there are no transforms of {count} elements")
    line = moveaxis(x, a, -1)
    if function is None:
        found = (tf.signal.ifft if inverse else tf.signal.fft)(_sized(line, count))
    else:
        found = function(line, count)
    scale = _scale(count, norm, inverse, name)
    return moveaxis(found if scale == 1 else found * scale, -1, a)


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The discrete Fourier transform along `axis`, of n elements."""
    return _along(_complex(x, "fft"), n, axis, norm, False, "fft")


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `fft`."""
    return _along(_complex(x, "ifft"), n, axis, norm, True, "ifft")


def _plan(x: Tensor, s: Integers, axes: Integers, name: str) -> list[tuple[int, int | None]]:
    """The axes to transform, each with its length."""
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    places = axes_of(tuple(axes), x.ndim, name)
    lengths = [None] * len(places) if s is None else list(s)
    if len(lengths) != len(places):
        raise ValueError(f"{name}: {s} and {axes} are not as many")
    return list(zip(places, lengths, strict=True))


def fftn(
    x: Tensor, /, *, s: Integers = None, axes: Integers = None, norm: str = "backward"
) -> Tensor:
    """The Fourier transform along several axes (None: all)."""
    for a, n in _plan(x, s, axes, "fftn"):
        x = fft(x, n=n, axis=a, norm=norm)
    return x


def ifftn(
    x: Tensor, /, *, s: Integers = None, axes: Integers = None, norm: str = "backward"
) -> Tensor:
    """The inverse of `fftn`."""
    for a, n in _plan(x, s, axes, "ifftn"):
        x = ifft(x, n=n, axis=a, norm=norm)
    return x


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The half of the Fourier transform of real numbers that tells the other."""
    if not x.dtype.is_floating:
        raise TypeError(f"rfft is not defined for dtype {x.dtype.name}")

    def transform(line: Tensor, count: int) -> Tensor:
        return tf.signal.rfft(_sized(line, count))

    return _along(x, n, axis, norm, False, "rfft", transform)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `rfft`, of n real numbers (by default twice the half, less 2)."""
    x = _complex(x, "irfft")
    count = 2 * (x.shape[axes_of(axis, x.ndim, "irfft")[0]] - 1) if n is None else n

    def transform(line: Tensor, length: int) -> Tensor:
        return tf.signal.irfft(_sized(line, length // 2 + 1), [length])

    return _along(x, count, axis, norm, True, "irfft", transform)


def rfftn(
    x: Tensor, /, *, s: Integers = None, axes: Integers = None, norm: str = "backward"
) -> Tensor:
    """The Fourier transform of real numbers along several axes, halved along the last of them."""
    *others, (last, n) = _plan(x, s, axes, "rfftn")
    x = rfft(x, n=n, axis=last, norm=norm)
    for a, length in reversed(others):
        x = fft(x, n=length, axis=a, norm=norm)
    return x


def irfftn(
    x: Tensor, /, *, s: Integers = None, axes: Integers = None, norm: str = "backward"
) -> Tensor:
    """The inverse of `rfftn`."""
    *others, (last, n) = _plan(x, s, axes, "irfftn")
    for a, length in others:
        x = ifft(x, n=length, axis=a, norm=norm)
    return irfft(x, n=n, axis=last, norm=norm)


_OTHER = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The (real) Fourier transform of a Hermitian signal, given by its first half."""
    return irfft(conj(_complex(x, "hfft")), n=n, axis=axis, norm=_OTHER.get(norm, norm))


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `hfft`: the first half."""
    return conj(rfft(x, n=n, axis=axis, norm=_OTHER.get(norm, norm)))


def _frequencies(
    n: int, count: int, first: int, d: float, dtype: DTypeLike | None, device: str | None
) -> Tensor:
    check_device(device)
    kind = DEFAULTS["real floating"] if dtype is None else as_dtype(dtype)
    places = tf.range(count, dtype=tf.float64)
    wrapped = tf.where(places < first, places, places - n)
    return tf.cast(wrapped / (n * d), kind)


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """The frequencies of the results of `fft`, for samples at distance d."""
    return _frequencies(n, n, (n - 1) // 2 + 1, d, dtype, device)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """The frequencies of the results of `rfft`, for samples at distance d."""
    return _frequencies(n, n // 2 + 1, n // 2 + 1, d, dtype, device)


def fftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    """The frequency 0 in the middle of the axes (None: all)."""
    return tf.signal.fftshift(x, list(axes_of(axes, x.ndim, "fftshift")))


def ifftshift(x: Tensor, /, *, axes: Axes = None) -> Tensor:
    """The inverse of `fftshift`."""
    return tf.signal.ifftshift(x, list(axes_of(axes, x.ndim, "ifftshift")))
