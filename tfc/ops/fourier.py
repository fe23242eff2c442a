"""Fourier and cosine transforms of `tfc.signal`.

The transforms themselves are IR ops that a library computes on the host (ir/ops/fft.py), in the
precision of their operand; what lies around them is IR that fuses like any other.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Extent, minimum, never_negative

from .. import blame
from ..dispatch import Primitive, Sizes, primitive
from ..tensor import Held, operand


def fitted(b: Builder, x: Value, axis: int, extent: Extent) -> Value:
    """x cut, or filled with zeros, at the end of an axis so that it has this extent."""
    axis %= x.rank
    ones = (1,) * x.rank
    begin = (0,) * x.rank
    if not never_negative(extent - x.shape[axis]):
        size = (*x.shape[:axis], minimum(x.shape[axis], extent), *x.shape[axis + 1 :])
        x = b.emit(ir.Slice(x, begin, size, ones))
    if x.shape[axis] != extent:
        shape = (*x.shape[:axis], extent, *x.shape[axis + 1 :])
        x = b.emit(ir.Pad(x, b.constant(0, x.dtype), begin, shape, ones))
    return x


def _complex_transform(name: str, rank: int, inverse: bool, doc: str) -> Callable[..., Any]:
    def body(b: Builder, x: Value) -> Any:
        return b.emit(ir.Fft(x, tuple(range(x.rank - rank, x.rank)), inverse, inverse))

    transform = Primitive(body, name)

    def function(input: Any, name: str | None = None) -> Any:
        x = operand(transform.name, input)
        if not x.dtype.is_complex:
            raise blame.type_error(f"takes complex numbers, got {x.dtype.name}", transform.name)
        _check_rank(x, rank, transform.name)
        return transform.fast()(x)

    return _documented(function, name, doc)


def _documented(function: Any, name: str, doc: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    made: Callable[..., Any] = function
    return made


def _check_rank(x: Any, rank: int, name: str) -> None:
    if len(x.shape) < rank:
        raise blame.invalid(
            f"Input must have rank of at least {rank} but got: {list(x.shape)}", name
        )


_LAST = {1: "axis", 2: "two axes", 3: "three axes"}
_FORWARD = """The discrete Fourier transform of complex numbers along the last {}; earlier axes
    are batches. Not scaled."""
_BACKWARD = """The inverse of the discrete Fourier transform along the last {}; earlier axes are
    batches. Divided by the number of elements."""

fft = _complex_transform(
    "fft",
    1,
    False,
    _FORWARD.format(_LAST[1])
    + """

    >>> import tfc as tf
    >>> print(tf.signal.fft(tf.constant([1, 1j, -1, -1j], tf.complex64)))
    tf.Tensor([0.+0.j 4.+0.j 0.+0.j 0.+0.j], shape=(4,), dtype=complex64)
    """,
)
ifft = _complex_transform("ifft", 1, True, _BACKWARD.format(_LAST[1]))
fft2d = _complex_transform("fft2d", 2, False, _FORWARD.format(_LAST[2]))
ifft2d = _complex_transform("ifft2d", 2, True, _BACKWARD.format(_LAST[2]))
fft3d = _complex_transform("fft3d", 3, False, _FORWARD.format(_LAST[3]))
ifft3d = _complex_transform("ifft3d", 3, True, _BACKWARD.format(_LAST[3]))


# Of real numbers.


def rfft_of(b: Builder, x: Value, lengths: Sequence[Extent]) -> Value:
    """IR for the transform of reals along the last axes, cut or filled to these lengths."""
    rank = len(lengths)
    for axis, length in enumerate(lengths, x.rank - rank):
        x = fitted(b, x, axis, length)
    y: Value = b.emit(ir.Rfft(x))
    if rank > 1:
        y = b.emit(ir.Fft(y, tuple(range(x.rank - rank, x.rank - 1)), False, False))
    return y


def irfft_of(b: Builder, x: Value, lengths: Sequence[Extent]) -> Value:
    """IR for the inverse of `rfft_of`."""
    rank = len(lengths)
    *others, last = lengths
    for axis, length in enumerate((*others, last // 2 + 1), x.rank - rank):
        x = fitted(b, x, axis, length)
    if others:
        x = b.emit(ir.Fft(x, tuple(range(x.rank - rank, x.rank - 1)), True, True))
    y: Value = b.emit(ir.Irfft(x, last))
    return y


def _real_transform(name: str, rank: int, inverse: bool, doc: str) -> Callable[..., Any]:
    def body(b: Builder, x: Value, lengths: tuple[Extent, ...] | None) -> Any:
        if lengths is None:
            lengths = x.shape[x.rank - rank :]
            if inverse:
                lengths = (*lengths[:-1], 2 * (lengths[-1] - 1))
        return (irfft_of if inverse else rfft_of)(b, x, lengths)

    transform = Primitive(body, name)
    kinds = ("complex64", "complex128") if inverse else ("float32", "float64")

    def function(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
        x = operand(transform.name, input_tensor)
        if x.dtype.name not in kinds:
            raise blame.type_error(
                f"takes {kinds[0]} or {kinds[1]}, got {x.dtype.name}", transform.name
            )
        _check_rank(x, rank, transform.name)
        lengths = fft_lengths(fft_length, rank, transform.name)
        return transform(x, static=(lengths,))

    return _documented(function, name, doc)


def fft_lengths(given: Any, rank: int, name: str) -> Sizes | None:
    """`fft_length` as ints: one for each transformed axis."""
    if given is None:
        return None
    if isinstance(given, Held | np.ndarray):
        given = np.asarray(given).tolist()
    try:
        lengths = [
            operator.index(n) for n in (given if isinstance(given, list | tuple) else [given])
        ]
    except TypeError:
        raise blame.type_error(f"fft_length must be integers, got {given!r}", name) from None
    if len(lengths) != rank:
        raise blame.invalid(f"fft_length must have {rank} elements, got {lengths}", name)
    if any(n < 1 for n in lengths):
        raise blame.invalid(f"fft_length must be at least 1, got {lengths}", name)
    return Sizes(lengths)


_REAL = """The discrete Fourier transform of real numbers along the last {}; earlier axes are
    batches. Of n elements along the last axis the first n // 2 + 1 are given, for the others are
    conjugates of these. float32 makes complex64, float64 complex128.

    `fft_length` (one for each of these axes) cuts the operand, or fills it with zeros, first."""
_REAL_BACKWARD = """The inverse of `rfft{}`: real numbers whose transform is given by its first
    n // 2 + 1 elements along the last axis.

    `fft_length` is the result's shape along the last {}; by default the last is 2 (m - 1) for m
    given elements, that is, even."""
rfft = _real_transform(
    "rfft",
    1,
    False,
    _REAL.format(_LAST[1])
    + """

    >>> import tfc as tf
    >>> print(tf.signal.rfft([1.0, 0.0, 1.0, 0.0]))
    tf.Tensor([2.+0.j 0.+0.j 2.+0.j], shape=(3,), dtype=complex64)
    """,
)
rfft2d = _real_transform("rfft2d", 2, False, _REAL.format(_LAST[2]))
rfft3d = _real_transform("rfft3d", 3, False, _REAL.format(_LAST[3]))
irfft = _real_transform("irfft", 1, True, _REAL_BACKWARD.format("", _LAST[1]))
irfft2d = _real_transform("irfft2d", 2, True, _REAL_BACKWARD.format("2d", _LAST[2]))
irfft3d = _real_transform("irfft3d", 3, True, _REAL_BACKWARD.format("3d", _LAST[3]))


# Shifts.


@primitive
def _shift(b: Builder, x: Value, axes: tuple[int, ...], back: bool) -> Any:
    for axis in axes:
        extent = x.shape[axis]
        first = extent // 2 if back else extent - extent // 2  # elements that go to the end
        ones = (1,) * x.rank

        def part(x: Value, axis: int, begin: Extent, size: Extent, ones: Any = ones) -> Value:
            begins = tuple(begin if a == axis else 0 for a in range(x.rank))
            sizes = tuple(size if a == axis else e for a, e in enumerate(x.shape))
            found: Value = b.emit(ir.Slice(x, begins, sizes, ones))
            return found

        halves = part(x, axis, first, extent - first), part(x, axis, 0, first)
        x = b.emit(ir.Concat(halves, axis))
    return x


def _shifted(name: str, x: Any, axes: Any, back: bool) -> Any:
    from .math import _axes

    x = operand(name, x)
    return _shift.fast(_axes(x, axes, name), back)(x)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """x with the frequency 0, the first element of a transform, moved to the middle of `axes`
    (None: of all).

    >>> import tfc as tf
    >>> print(tf.signal.fftshift([0.0, 1.0, 2.0, -2.0, -1.0]))
    tf.Tensor([-2. -1.  0.  1.  2.], shape=(5,), dtype=float32)
    """
    return _shifted("fftshift", x, axes, False)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of `fftshift`."""
    return _shifted("ifftshift", x, axes, True)


# Cosine transforms, as in TensorFlow's signal/dct_ops.py; types and scales are those of SciPy.


def _place(b: Builder, x: Value) -> Term:
    """The place of each element along the last axis, in the dtype of x."""
    return Term(b, b.emit(ir.Iota(x.shape, x.rank - 1, x.dtype)))


def length_of(b: Builder, x: Value) -> Term:
    """The last extent, in every element of the type of x."""
    count = b.emit(ir.Cast(b.emit(ir.ExtentOf(x.shape[-1])), x.dtype))
    return Term(b, b.emit(ir.Broadcast(count, x.shape, ())))


def _turns(b: Builder, x: Value, sign: float) -> tuple[Term, Term]:
    """2 cos and 2 sin of sign * pi k / 2n at place k of n."""
    angle = _place(b, x) * (sign * math.pi * 0.5) / length_of(b, x)
    return angle._emit("cos") * 2.0, angle._emit("sin") * 2.0


def _first(b: Builder, x: Value, extent: Extent) -> Value:
    """The first elements along the last axis."""
    size = (*x.shape[:-1], extent)
    found: Value = b.emit(ir.Slice(x, (0,) * x.rank, size, (1,) * x.rank))
    return found


def dct_of(b: Builder, x: Value, kind: int, ortho: bool) -> Value:
    """IR for the cosine transform of this type along the last axis."""
    n = x.shape[-1]
    if kind == 1:
        end = x.rank - 1
        inner = b.emit(ir.Slice(x, (*(0,) * end, 1), (*x.shape[:-1], n - 2), (1,) * x.rank))
        mirrored = b.emit(ir.Concat((x, b.emit(ir.Reverse(inner, (end,)))), end))
        # One half of 2n - 2 and the middle are n again, whatever the extents are called.
        return _first(b, b.emit(ir.Real(b.emit(ir.Rfft(mirrored)))), n)
    if kind == 2:
        spectrum = Term(b, _first(b, rfft_of(b, x, (2 * n,)), n))
        cosine, sine = _turns(b, x, -1.0)
        y = spectrum._emit("real") * cosine - spectrum._emit("imag") * sine
        return (y * _ortho(b, x) if ortho else y).value
    if kind == 3:
        given = Term(b, x)
        given = given / _ortho(b, x) * 0.5 if ortho else given * length_of(b, x)
        cosine, sine = _turns(b, x, 1.0)
        turned = (given * cosine)._emit("complex", given * sine)
        return _first(b, irfft_of(b, turned.value, (2 * n,)), n)
    # Type 4: the odd elements of type 2 of x and as many zeros.
    whole = dct_of(b, fitted(b, x, -1, 2 * n), 2, False)
    begin = (*(0,) * (x.rank - 1), 1)
    odd = Term(b, b.emit(ir.Slice(whole, begin, x.shape, (*(1,) * (x.rank - 1), 2))))
    return (odd * math.sqrt(0.5) / length_of(b, x)._emit("sqrt") if ortho else odd).value


def _ortho(b: Builder, x: Value) -> Term:
    """What makes type 2 orthonormal: sqrt(1 / 4n) at place 0 and sqrt(1 / 2n) elsewhere."""
    root = 0.5 / length_of(b, x)._emit("sqrt")
    return where(_place(b, x)._emit("equal", 0), root, root * math.sqrt(2.0))


@primitive
def _dct(b: Builder, x: Value, kind: int, ortho: bool, sizes: tuple[Extent, ...] | None) -> Any:
    if sizes is not None:
        x = fitted(b, x, -1, sizes[0])
    if kind == 1 and isinstance(x.shape[-1], int) and x.shape[-1] < 2:
        raise OpError("dct: Type I needs at least two elements")
    return dct_of(b, x, kind, ortho)


def dct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The discrete cosine transform of this type (1, 2, 3 or 4) along the last axis, of float32
    or float64.

    `n` cuts the operand, or fills it with zeros, first. `norm="ortho"` makes types 2, 3 and 4
    orthonormal. As in TensorFlow `axis` must be -1.

    >>> import tfc as tf
    >>> print(tf.signal.dct([1.0, 0.0]))
    tf.Tensor([2.        1.4142135], shape=(2,), dtype=float32)
    """
    return _cosine("dct", input, type, n, axis, norm)


def idct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The inverse of `dct`, up to a factor where it is not orthonormal (2n, or 2 (n - 1) for type
    1): the transform of type 1, 3, 2 or 4 for 1, 2, 3 or 4."""
    return _cosine("idct", input, {2: 3, 3: 2}.get(type, type), n, axis, norm)


def _cosine(name: str, x: Any, kind: int, n: Any, axis: int, norm: str | None) -> Any:
    x = operand(name, x)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", name)
    if kind not in (1, 2, 3, 4):
        raise blame.value_error(f"Types I, II, III and IV (I)DCT are supported, got {kind!r}", name)
    if norm not in (None, "ortho"):
        raise blame.value_error(f'norm must be None or "ortho", got {norm!r}', name)
    if axis != -1:
        raise blame.unimplemented(f"axis must be -1, got {axis!r}", name)
    if kind == 1 and norm == "ortho":
        raise blame.value_error("Normalization is not supported for the Type-I DCT.", name)
    _check_rank(x, 1, name)
    sizes = None if n is None else fft_lengths(n, 1, name)
    return _dct(x, static=(kind, norm == "ortho", sizes))


__all__ = [
    *("dct", "fft", "fft2d", "fft3d", "fftshift", "idct", "ifft", "ifft2d", "ifft3d", "ifftshift"),
    *("irfft", "irfft2d", "irfft3d", "rfft", "rfft2d", "rfft3d"),
]
