"""Fourier transforms of `tfc.signal`.

The transforms themselves are IR ops that a library computes on the host (ir/ops/fft.py), in the
precision of their operand; what lies around them is IR that fuses like any other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.extent import Extent, minimum, never_negative

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import is_unknown, known_elements
from ...dispatch.primitive import Primitive, Sizes, primitive
from ..arguments import known_argument
from ..extents import as_extents
from ..math.reductions import _axes


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
    def body(b: Builder, x: Value) -> Value:
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
_THESE = {1: "this axis", 2: "these axes", 3: "these axes"}
_FORWARD = """The discrete Fourier transform of complex numbers along the last {last}; earlier axes
    are batches. Not scaled: element k is the sum of x[j] exp(-2 pi i j k / n).

    Args:
        input: A tensor of complex64 or complex128, of rank {rank} at least.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        TypeError: If the numbers are real: see `rfft`.
        InvalidArgumentError: If the rank is lower (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> {example}
    {shown}
    """
_BACKWARD = """The inverse of `{forward}`, along the last {last}; earlier axes are batches. Scaled
    by 1 / n, for n elements.

    Args:
        input: A tensor of complex64 or complex128, of rank {rank} at least.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        TypeError: If the numbers are real.
        InvalidArgumentError: If the rank is lower (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> {example}
    {shown}
    """


def _forward(rank: int, name: str, example: str, shown: str) -> Callable[..., Any]:
    doc = _FORWARD.format(last=_LAST[rank], rank=rank, example=example, shown=shown)
    return _complex_transform(name, rank, False, doc)


def _backward(rank: int, name: str, example: str, shown: str) -> Callable[..., Any]:
    doc = _BACKWARD.format(
        forward=name[1:], last=_LAST[rank], rank=rank, example=example, shown=shown
    )
    return _complex_transform(name, rank, True, doc)


fft = _forward(
    1,
    "fft",
    "print(np.round(tf.signal.fft(tf.constant([1, 1j, -1, -1j], tf.complex64)), 3) + 0)",
    "[0.+0.j 4.+0.j 0.+0.j 0.+0.j]",
)
ifft = _backward(
    1,
    "ifft",
    "print(np.round(tf.signal.ifft(tf.constant([0, 4, 0, 0], tf.complex64)), 3) + 0)",
    "[ 1.+0.j  0.+1.j -1.+0.j  0.-1.j]",
)
fft2d = _forward(
    2,
    "fft2d",
    "print(np.round(tf.signal.fft2d(tf.ones([2, 2], tf.complex64)), 3).real + 0)",
    "[[4. 0.]\n     [0. 0.]]",
)
ifft2d = _backward(
    2,
    "ifft2d",
    "print(np.round(tf.signal.ifft2d(tf.ones([2, 2], tf.complex64)), 3).real + 0)",
    "[[1. 0.]\n     [0. 0.]]",
)
fft3d = _forward(
    3,
    "fft3d",
    "print(np.round(tf.signal.fft3d(tf.ones([1, 2, 2], tf.complex64)), 3).real + 0)",
    "[[[4. 0.]\n      [0. 0.]]]",
)
ifft3d = _backward(
    3,
    "ifft3d",
    "print(np.round(tf.signal.ifft3d(tf.ones([1, 2, 2], tf.complex64)), 3).real + 0)",
    "[[[1. 0.]\n      [0. 0.]]]",
)


# Of real numbers.


def rfft_of(b: Builder, x: Value, lengths: Sequence[Extent]) -> Value:
    """IR for the transform of reals along the last axes, cut or filled to these lengths."""
    rank = len(lengths)
    for axis, length in enumerate(lengths, x.rank - rank):
        x = fitted(b, x, axis, length)
    y = b.emit(ir.Rfft(x))
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
    return b.emit(ir.Irfft(x, last))


def _real_transform(name: str, rank: int, inverse: bool, doc: str) -> Callable[..., Any]:
    def body(b: Builder, x: Value, lengths: tuple[Extent, ...] | None) -> Value:
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
        return transform(x, static=(transform_lengths(fft_length, rank, transform.name),))

    return _documented(function, name, doc)


def transform_lengths(given: Any, rank: int, name: str) -> Sizes | None:
    """`fft_length` as extents: sizes of a function's arguments need not be known."""
    parts = given if isinstance(given, list | tuple) else [given]
    if not any(isinstance(n, SymbolicTensor) and known_elements(n) is None for n in parts):
        return fft_lengths(given, rank, name)
    lengths = [extent for part in parts for extent in as_extents(part, name)]
    if len(lengths) != rank:
        raise blame.invalid(f"fft_length must have {rank} elements, got {len(lengths)}", name)
    fft_lengths([n if isinstance(n, int) else 1 for n in lengths], rank, name)  # what is known
    return Sizes(lengths)


def fft_lengths(given: Any, rank: int, name: str, what: str = "fft_length") -> Sizes | None:
    """`fft_length`, or what else is called `what`, as ints: one for each transformed axis."""
    if given is None:
        return None
    if isinstance(given, SymbolicTensor):
        given = known_argument(given, what, name)
    if isinstance(given, Held | np.ndarray):
        given = np.asarray(given).tolist()
    try:
        lengths = [
            operator.index(n) for n in (given if isinstance(given, list | tuple) else [given])
        ]
    except TypeError:
        raise blame.type_error(f"{what} must be integers, got {given!r}", name) from None
    if len(lengths) != rank:
        raise blame.invalid(f"{what} must have {rank} elements, got {lengths}", name)
    if any(n < 1 for n in lengths):
        raise blame.invalid(f"{what} must be at least 1, got {lengths}", name)
    return Sizes(lengths)


_REAL = """The discrete Fourier transform of real numbers along the last {last}; earlier axes are
    batches. Of n elements along the last axis the first n // 2 + 1 are given, for the others are
    conjugates of these.

    Args:
        input_tensor: A tensor of float32 or float64, of rank {rank} at least.
        fft_length: The extents of {these}, to which the operand is cut, or filled with zeros,
            first.

    Returns:
        A tensor of complex64 for float32, complex128 for float64.

    Raises:
        TypeError: If the dtype is another one, or a length no integer.
        InvalidArgumentError: If the rank is lower, a length is below 1, or there is another number
            of lengths (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> {example}
    {shown}
    """
_REAL_BACKWARD = """The inverse of `{forward}`: real numbers whose transform is given by its first
    n // 2 + 1 elements along the last axis.

    Args:
        input_tensor: A tensor of complex64 or complex128, of rank {rank} at least.
        fft_length: The extents of {these} of the result. By default the last one is 2 (m - 1) for
            m given elements, that is, even.

    Returns:
        A tensor of float32 for complex64, float64 for complex128.

    Raises:
        TypeError: If the dtype is another one, or a length no integer.
        InvalidArgumentError: If the rank is lower, a length is below 1, or there is another number
            of lengths (ValueError while tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> {example}
    {shown}
    """


def _real(rank: int, name: str, example: str, shown: str) -> Callable[..., Any]:
    doc = _REAL.format(
        last=_LAST[rank], these=_THESE[rank], rank=rank, example=example, shown=shown
    )
    return _real_transform(name, rank, False, doc)


def _real_back(rank: int, name: str, example: str, shown: str) -> Callable[..., Any]:
    doc = _REAL_BACKWARD.format(
        forward=name[1:], these=_THESE[rank], rank=rank, example=example, shown=shown
    )
    return _real_transform(name, rank, True, doc)


rfft = _real(
    1,
    "rfft",
    "print(np.round(tf.signal.rfft([1.0, 0.0, 1.0, 0.0]), 3) + 0)",
    "[2.+0.j 0.+0.j 2.+0.j]",
)
rfft2d = _real(
    2,
    "rfft2d",
    "tf.signal.rfft2d(tf.ones([5, 8, 8])).shape",
    "TensorShape([5, 8, 5])",
)
rfft3d = _real(
    3,
    "rfft3d",
    "tf.signal.rfft3d(tf.ones([2, 8, 8]), fft_length=[4, 8, 16]).shape",
    "TensorShape([4, 8, 9])",
)
irfft = _real_back(
    1,
    "irfft",
    "print(np.round(tf.signal.irfft(tf.constant([2, 0, 2], tf.complex64)), 3) + 0)",
    "[1. 0. 1. 0.]",
)
irfft2d = _real_back(
    2,
    "irfft2d",
    "tf.signal.irfft2d(tf.signal.rfft2d(tf.ones([4, 7])), fft_length=[4, 7]).shape",
    "TensorShape([4, 7])",
)
irfft3d = _real_back(
    3,
    "irfft3d",
    "tf.signal.irfft3d(tf.signal.rfft3d(tf.ones([2, 4, 7]))).shape",
    "TensorShape([2, 4, 6])",
)


# Shifts.


@primitive
def _shift(b: Builder, x: Value, axes: tuple[int, ...], back: bool) -> Value:
    for axis in axes:
        extent = x.shape[axis]
        first = extent // 2 if back else extent - extent // 2  # elements that go to the end
        ones = (1,) * x.rank

        def part(x: Value, axis: int, begin: Extent, size: Extent, ones: Any = ones) -> Value:
            begins = tuple(begin if a == axis else 0 for a in range(x.rank))
            sizes = tuple(size if a == axis else e for a, e in enumerate(x.shape))
            return b.emit(ir.Slice(x, begins, sizes, ones))

        halves = part(x, axis, first, extent - first), part(x, axis, 0, first)
        x = b.emit(ir.Concat(halves, axis))
    return x


def _shifted(name: str, x: Any, axes: Any, back: bool) -> Tensor:
    x = operand(name, x)
    if is_unknown(axes):
        if len(axes.shape):
            raise blame.unknown_value(
                "several axes must be known while a function is traced: give Python numbers, or "
                "one axis",
                name,
                axes,
            )
        along: Tensor = above.applied_along(
            lambda xs: _shift.fast((xs[0].ndim - 1,), back)(xs[0]), [x], axes, name
        )
        return along
    return _shift.fast(_axes(x, axes, name), back)(x)


def fftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """x with the frequency 0, the first element of a transform, moved to the middle of `axes`
    (None: of all).

    Args:
        x: A tensor of any dtype.
        axes: The axes to shift: a number, a list of numbers, or None for all.

    Returns:
        A tensor like `x`.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.signal.fftshift([0.0, 1.0, 2.0, -2.0, -1.0]))
    tf.Tensor([-2. -1.  0.  1.  2.], shape=(5,), dtype=float32)
    """
    return _shifted("fftshift", x, axes, False)


def ifftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`, from which it differs where an extent is odd: the middle of `axes`
    (None: of all) becomes the first element.

    Args:
        x: A tensor of any dtype.
        axes: The axes to shift: a number, a list of numbers, or None for all.

    Returns:
        A tensor like `x`.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.signal.ifftshift([-2.0, -1.0, 0.0, 1.0, 2.0]))
    tf.Tensor([ 0.  1.  2. -2. -1.], shape=(5,), dtype=float32)
    """
    return _shifted("ifftshift", x, axes, True)


__all__ = [
    *("fft", "fft2d", "fft3d", "fftshift", "ifft", "ifft2d", "ifft3d", "ifftshift"),
    *("irfft", "irfft2d", "irfft3d", "rfft", "rfft2d", "rfft3d"),
]
