"""Discrete Fourier transforms in the precision of the operand, by a library: what the backend has
code for, and NumPy's pocketfft for other lengths.

With w = e^(-2 pi i / n), a transform of length n takes x to the sums over k of x[k] w^(jk); the
inverse one has conj(w) in the place of w. Their matrices are symmetric, so that each is the
adjoint of the other: the cotangent goes back through the transform of the other direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Requirement, Value
from ..dtypes import complex64, complex128, int64
from ..extent import Extent, as_int
from ..host_libraries import provided
from ..types import TensorType
from ..value_classes import NamedTuple
from .complex import Real
from .elementwise import Cast
from .host import HostCall
from .shape import ExtentOf, Iota, Pad


class Library(NamedTuple):
    """Who transforms dense arrays into others. Each function says whether it has; where it has not,
    NumPy does."""

    transform: Callable[[np.ndarray, np.ndarray, int, bool, float], bool]
    """Of complex x: into `out`, which may be x, along `axis`, if `inverse` back, times a number."""
    forward: Callable[[np.ndarray, np.ndarray, float], bool]
    """Of rows of reals: the first half, times a number."""
    backward: Callable[[np.ndarray, np.ndarray, float], bool]
    """The reals of such halves, times a number and half their length."""


def _not_done(*arguments: Any) -> bool:
    return False


_NUMPY = Library(_not_done, _not_done, _not_done)


def _library() -> Library:
    library: Library = provided("fourier", _NUMPY)
    return library


class Fft(HostCall):
    """The transform along `axes`, or its inverse; `scaled`: divided by the number of elements.

    TensorFlow's ifft is the inverse, scaled; its fft is neither.
    """

    x: Value
    axes: tuple[int, ...]
    inverse: bool
    scaled: bool

    def infer(self) -> TensorType:
        if not self.x.dtype.is_complex:
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        _check_axes(self, self.axes)
        return self.x.tensor_type

    def numpy_into(self, out: np.ndarray, *operands: np.ndarray) -> bool:
        (x,) = operands
        if not x.size or not self.axes:
            return False
        for axis in reversed(self.axes):
            scale = 1 / x.shape[axis] if self.scaled else 1.0
            if not _library().transform(x, out, axis, self.inverse, scale):
                out[...] = self._by_numpy(x, axis)
            x = out
        return True

    def numpy(self, x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x, order="C")
        return out if self.numpy_into(out, x) else x

    def _by_numpy(self, x: np.ndarray, axis: int) -> np.ndarray:
        transform = np.fft.ifft if self.inverse else np.fft.fft
        scaled = self.scaled or _scales(x)
        norm: Any = "backward" if scaled == self.inverse else "forward"
        y: np.ndarray = transform(x, axis=axis, norm=norm).astype(x.dtype, copy=False)
        return y if scaled == self.scaled else _unscaled(y, x.shape[axis])

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Fft(dy, self.axes, not self.inverse, self.scaled)),)


class Rfft(HostCall):
    """The first n // 2 + 1 elements of the transform of n reals along the last axis; the others
    are their conjugates."""

    x: Value

    def infer(self) -> TensorType:
        if self.x.dtype.name not in ("float32", "float64"):
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        _check_axes(self, (self.x.rank - 1,))
        dtype = complex64 if self.x.dtype.bits == 32 else complex128
        *batch, n = self.x.shape
        return TensorType(dtype, (*batch, n // 2 + 1))

    def requires(self) -> Iterable[Requirement]:
        yield Requirement(self.x.shape[-1] - 1, "empty", (self.x.rank - 1,))

    def numpy_into(self, out: np.ndarray, *operands: np.ndarray) -> bool:
        (x,) = operands
        return x.size > 0 and _library().forward(x, out, 1.0)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        dtype = np.complex64 if x.dtype == np.float32 else np.complex128
        out = np.empty((*x.shape[:-1], x.shape[-1] // 2 + 1), dtype)
        if not x.size or self.numpy_into(out, x):
            return out
        y: np.ndarray = np.fft.rfft(x, norm="forward" if _scales(x) else "backward")
        y = y.astype(dtype, copy=False)
        return _unscaled(y, x.shape[-1]) if _scales(x) else y

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        zero, rank = b.constant(0, dy.dtype), dy.rank
        whole = b.emit(Pad(dy, zero, (0,) * rank, self.x.shape, (1,) * rank))
        return (b.emit(Real(b.emit(Fft(whole, (rank - 1,), True, False)))),)


class Irfft(HostCall):
    """The `length` = n reals along the last axis whose `Rfft` is x, divided by n. What has to be
    real in x, its first element and for even n its last, is taken as if it were."""

    x: Value
    length: Extent

    def infer(self) -> TensorType:
        if not self.x.dtype.is_complex:
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        _check_axes(self, (self.x.rank - 1,))
        *batch, bins = self.x.shape
        difference = self.length // 2 + 1 - bins
        if isinstance(difference, int) and difference != 0:
            raise self.error(f"{bins} elements are not those of a transform of {self.length}")
        return TensorType(self.x.dtype.real_dtype, (*batch, self.length))

    def requires(self) -> Iterable[Requirement]:
        have, want = self.x.shape[-1], self.length // 2 + 1
        yield Requirement(self.length - 1, "empty", (self.x.rank - 1,))
        yield Requirement(have - want, "bounds", (0, want, have))
        yield Requirement(want - have, "bounds", (0, want, have))

    def numpy_into(self, out: np.ndarray, *operands: np.ndarray) -> bool:
        (x,) = operands
        return x.size > 0 and _library().backward(x, out, 2 / out.shape[-1])

    def numpy(self, x: np.ndarray) -> np.ndarray:
        n = as_int(self.length)
        dtype = self.x.dtype.real_dtype.numpy
        out = np.empty((*x.shape[:-1], n), dtype)
        if not x.size or self.numpy_into(out, x):
            return out
        return np.fft.irfft(x, n).astype(dtype, copy=False)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # All elements stand for themselves and their conjugates, but for the first and the middle.
        spectrum = b.emit(Rfft(dy))
        place = Term(b, b.emit(Iota(spectrum.shape, spectrum.rank - 1, int64)))
        length = Term(b, b.emit(ExtentOf(self.length)))
        spread = _spread(place, length)
        alone = place.equal(0) | (place + place).equal(spread)
        count = Term(b, b.emit(Cast(spread.value, dy.dtype)))
        weight = where(alone, count.const(1), 2) / count
        real, imag = (Term(b, spectrum)._emit(part) * weight for part in ("real", "imag"))
        return (real.complex(imag).value,)


def _scales(x: np.ndarray) -> bool:
    """Whether a transform that is not to be scaled is, and then `_unscaled`. NumPy transforms
    float32 in float32 where it scales, else in float64, which takes four times as long."""
    return x.dtype in (np.float32, np.complex64)


def _unscaled(y: np.ndarray, count: int) -> np.ndarray:
    """A new transform that was divided by `count`; exact for powers of two."""
    y *= np.float32(count)
    return y


def _spread(like: Term, x: Term) -> Term:
    """A scalar in the shape of `like`."""
    from .shape import Broadcast

    return Term(x.b, x.b.emit(Broadcast(x.value, like.value.shape, ())))


def _check_axes(op: HostCall, axes: Sequence[int]) -> None:
    rank = op.operands[0].rank
    if len(set(axes)) != len(axes) or not all(0 <= a < rank for a in axes):
        raise op.error(f"no axes {tuple(axes)} to transform along", "value")
