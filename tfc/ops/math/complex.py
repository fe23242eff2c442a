"""Complex numbers: made of their parts, and taken apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Op, Value
from tfc.ir.dtypes import DType

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...core.variable import Variable
from ...dispatch.primitive import Primitive, broadcast_to, broadcast_together, primitive


@primitive
def _complex(b: Builder, x: Value, y: Value) -> Value:
    return b.emit(ir.Complex(*broadcast_together(b, x, y)))


def complex(real: TensorLike, imag: TensorLike, name: str | None = None) -> Tensor:
    """The complex numbers with these real and imaginary parts, which broadcast.

    Args:
        real: A tensor of float32 or float64.
        imag: A tensor of the same dtype.

    Returns:
        A tensor of complex64 for float32, complex128 for float64.

    Raises:
        TypeError: If the dtypes differ or are others.
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.complex([2.25, 3.25], [4.75, 5.75]))
    tf.Tensor([2.25+4.75j 3.25+5.75j], shape=(2,), dtype=complex64)
    """
    hint = _dtype_of(real) or _dtype_of(imag)
    real = operand("complex", real, dtype_hint=hint)
    imag = operand("complex", imag, dtype_hint=hint or real.dtype)
    dtypes = real.dtype, imag.dtype
    if dtypes[0] is not dtypes[1] or dtypes[0].name not in ("float32", "float64"):
        names = " and ".join(d.name for d in dtypes)
        raise blame.type_error(
            f"The `real` and `imag` components have incorrect types: {names}. They must be "
            "consistent, and one of [tf.float32, tf.float64]",
            "complex",
        )
    return _complex.fast()(real, imag)


def _dtype_of(x: Any) -> DType | None:
    return x.dtype if isinstance(x, Held) else None


def _part(op: Callable[..., Op], name: str) -> Primitive:
    def body(b: Builder, x: Value) -> Value:
        return b.emit(op(x))

    return Primitive(body, name)


_real, _imag, _conj = _part(ir.Real, "real"), _part(ir.Imag, "imag"), _part(ir.Conj, "conj")


def _numeric(name: str, x: Any) -> Tensor:
    x = operand(name, x)
    if not x.dtype.is_numeric:
        raise blame.type_error(f"Expected numeric or variant tensor, got dtype {x.dtype!r}", name)
    return x.value() if isinstance(x, Variable) else x


@primitive
def _zeros(b: Builder, x: Value) -> Value:
    return broadcast_to(b, b.constant(0, x.dtype), x.shape)


def real(input: TensorLike, name: str | None = None) -> Tensor:
    """The real parts; of real numbers, themselves.

    Args:
        input: A tensor of numbers.

    Returns:
        A tensor of reals of the shape of `input`.

    Raises:
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.real([-2.25 + 4.75j, 3.25 + 5.75j]))
    tf.Tensor([-2.25  3.25], shape=(2,), dtype=float64)
    """
    x = _numeric("real", input)
    return _real.fast()(x) if x.dtype.is_complex else x


def imag(input: TensorLike, name: str | None = None) -> Tensor:
    """The imaginary parts; of real numbers, zeros.

    Args:
        input: A tensor of numbers.

    Returns:
        A tensor of reals of the shape of `input`.

    Raises:
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.imag([-2.25 + 4.75j, 3.25]))
    tf.Tensor([4.75 0.  ], shape=(2,), dtype=float64)
    """
    x = _numeric("imag", input)
    return _imag.fast()(x) if x.dtype.is_complex else _zeros.fast()(x)


def conj(x: TensorLike, name: str | None = None) -> Tensor:
    """The complex conjugates; of real numbers, themselves.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.conj([-2.25 + 4.75j, 3.25]))
    tf.Tensor([-2.25-4.75j  3.25-0.j  ], shape=(2,), dtype=complex128)
    """
    x = _numeric("conj", x)
    return _conj.fast()(x) if x.dtype.is_complex else x


@primitive
def _angle(b: Builder, x: Value) -> Value:
    t = Term(b, x)
    if x.dtype.is_complex:
        return t._emit("imag")._emit("atan2", t._emit("real")).value
    return where(t < 0, t.const(math.pi), 0).value


def angle(input: TensorLike, name: str | None = None) -> Tensor:
    """The angles of complex numbers in [-pi, pi], as reals; of real numbers pi where negative,
    else 0.

    Args:
        input: A tensor of floats or complex numbers.

    Returns:
        A tensor of floats of the shape of `input`.

    Raises:
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.angle([1j, -1, 1 - 1j]))
    tf.Tensor([ 1.57079633  3.14159265 -0.78539816], shape=(3,), dtype=float64)
    """
    x = _numeric("angle", input)
    if not x.dtype.is_inexact:
        raise blame.type_error(f"takes floats or complex numbers, got {x.dtype.name}", "angle")
    return _angle.fast()(x)


__all__ = ["angle", "complex", "conj", "imag", "real"]
