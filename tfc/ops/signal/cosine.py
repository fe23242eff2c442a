"""Cosine transforms of `tfc.signal`, by Fourier transforms of real numbers.

As in TensorFlow's signal/dct_ops.py; types and scales are those of SciPy.
"""

from __future__ import annotations

import math
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Extent

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import primitive
from ..arguments import one_of
from .fourier import _check_rank, fft_lengths, fitted, irfft_of, rfft_of


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
    return angle.cos() * 2.0, angle.sin() * 2.0


def _first(b: Builder, x: Value, extent: Extent) -> Value:
    """The first elements along the last axis."""
    size = (*x.shape[:-1], extent)
    return b.emit(ir.Slice(x, (0,) * x.rank, size, (1,) * x.rank))


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
        y = spectrum.real() * cosine - spectrum.imag() * sine
        return (y * _ortho(b, x) if ortho else y).value
    if kind == 3:
        given = Term(b, x)
        given = given / _ortho(b, x) * 0.5 if ortho else given * length_of(b, x)
        cosine, sine = _turns(b, x, 1.0)
        turned = (given * cosine).complex(given * sine)
        return _first(b, irfft_of(b, turned.value, (2 * n,)), n)
    # Type 4: the odd elements of type 2 of x and as many zeros.
    whole = dct_of(b, fitted(b, x, -1, 2 * n), 2, False)
    begin = (*(0,) * (x.rank - 1), 1)
    odd = Term(b, b.emit(ir.Slice(whole, begin, x.shape, (*(1,) * (x.rank - 1), 2))))
    return (odd * math.sqrt(0.5) / length_of(b, x).sqrt() if ortho else odd).value


def _ortho(b: Builder, x: Value) -> Term:
    """What makes type 2 orthonormal: sqrt(1 / 4n) at place 0 and sqrt(1 / 2n) elsewhere."""
    root = 0.5 / length_of(b, x).sqrt()
    return where(_place(b, x).equal(0), root, root * math.sqrt(2.0))


@primitive
def _dct(b: Builder, x: Value, kind: int, ortho: bool, sizes: tuple[Extent, ...] | None) -> Value:
    if sizes is not None:
        x = fitted(b, x, -1, sizes[0])
    if kind == 1 and isinstance(x.shape[-1], int) and x.shape[-1] < 2:
        raise OpError("dct: Type I needs at least two elements")
    return dct_of(b, x, kind, ortho)


def dct(
    input: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete cosine transform along the last axis.

    Type 2 is "the" cosine transform: 2 sum of x[j] cos(pi k (2 j + 1) / 2 n).

    Args:
        input: A tensor of float32 or float64 [..., n].
        type: 1, 2, 3 or 4.
        n: The extent to which the operand is cut, or filled with zeros, first.
        axis: -1 alone, as in TensorFlow.
        norm: "ortho" for the orthonormal transform, of types 2, 3 and 4; None for the one that is
            not scaled.

    Returns:
        A tensor of the same dtype, [..., n].

    Raises:
        TypeError: If the dtype is another one.
        ValueError: If there is no such type or norm.
        InvalidArgumentError: If there is no axis, `n` is below 1, or type 1 has less than two
            elements (ValueError while tracing).
        UnimplementedError: If `axis` is not -1.

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(np.round(tf.signal.dct([1.0, 0.0]), 3))
    [2.    1.414]
    """
    return _cosine("dct", input, type, n, axis, norm)


def idct(
    input: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `dct`, up to a factor where it is not orthonormal (2n, or 2 (n - 1) for type
    1).

    It is the transform of type 1, 3, 2 or 4 for 1, 2, 3 or 4.

    Args:
        input: A tensor of float32 or float64 [..., n].
        type: The type that is inverted: 1, 2, 3 or 4.
        n: The extent to which the operand is cut, or filled with zeros, first.
        axis: -1 alone, as in TensorFlow.
        norm: "ortho" for the inverse of the orthonormal transform; None for what is not scaled.

    Returns:
        A tensor of the same dtype, [..., n].

    Raises:
        TypeError: If the dtype is another one.
        ValueError: If there is no such type or norm.
        InvalidArgumentError: If there is no axis, `n` is below 1, or type 1 has less than two
            elements (ValueError while tracing).
        UnimplementedError: If `axis` is not -1.

    >>> import numpy as np
    >>> import tfc as tf
    >>> x = tf.constant([1.0, 2.0, 4.0])
    >>> print(np.round(tf.signal.idct(tf.signal.dct(x)) / 6.0, 3))
    [1. 2. 4.]
    >>> print(np.round(tf.signal.idct(tf.signal.dct(x, norm="ortho"), norm="ortho"), 3))
    [1. 2. 4.]
    """
    return _cosine("idct", input, {2: 3, 3: 2}.get(type, type), n, axis, norm)


def _cosine(name: str, x: Any, kind: int, n: Any, axis: int, norm: str | None) -> Tensor:
    x = operand(name, x)
    if x.dtype.name not in ("float32", "float64"):
        raise blame.type_error(f"takes float32 or float64, got {x.dtype.name}", name)
    if not one_of(kind, (1, 2, 3, 4)):
        raise blame.value_error(f"Types I, II, III and IV (I)DCT are supported, got {kind!r}", name)
    if not one_of(norm, (None, "ortho")):
        raise blame.value_error(f'norm must be None or "ortho", got {norm!r}', name)
    if not one_of(axis, (-1,)):
        raise blame.unimplemented(f"axis must be -1, got {axis!r}", name)
    if kind == 1 and norm == "ortho":
        raise blame.value_error("Normalization is not supported for the Type-I DCT.", name)
    _check_rank(x, 1, name)
    sizes = None if n is None else fft_lengths(n, 1, name, "n")
    return _dct(x, static=(kind, norm == "ortho", sizes))


__all__ = ["dct", "idct"]
