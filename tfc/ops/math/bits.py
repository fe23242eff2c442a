"""Bits of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value

from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_to, broadcast_together
from ..declare import op


@op(ir.BitwiseAnd)
def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x & y, bit by bit, with broadcasting.

    Args:
        x: A tensor of integers or bools.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.bitwise.bitwise_and([0b1100, -1], 0b1010))
    tf.Tensor([ 8 10], shape=(2,), dtype=int32)
    """


@op(ir.BitwiseOr)
def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x | y, bit by bit, with broadcasting.

    Args:
        x: A tensor of integers or bools.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> bin(tf.bitwise.bitwise_or(0b1100, 0b1010))
    '0b1110'
    """


@op(ir.BitwiseXor)
def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x ^ y, bit by bit, with broadcasting. Done twice with the same y, it gives x again.

    Args:
        x: A tensor of integers or bools.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> mixed = tf.bitwise.bitwise_xor([12, 7], 10)
    >>> print(mixed, tf.bitwise.bitwise_xor(mixed, 10).numpy())
    tf.Tensor([ 6 13], shape=(2,), dtype=int32) [12  7]
    """


def _invert(b: Builder, x: Value) -> Value:
    if not x.dtype.is_integer:
        raise OpError(f"invert: not defined for dtype {x.dtype.name}", "dtype")
    ones = np.array(-1).astype(x.dtype.numpy)
    return b.emit(ir.BitwiseXor(x, broadcast_to(b, b.emit(ir.Constant(ones)), x.shape)))


@op(_invert)
def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """~x: every bit of the integer turned over, which is -x - 1 for signed ones.

    Args:
        x: A tensor of integers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.bitwise.invert([0, 5]), tf.bitwise.invert(tf.constant(0, tf.uint8)).numpy())
    tf.Tensor([-1 -6], shape=(2,), dtype=int32) 255
    """


def _shifted(way: type[ir.Shift]) -> Callable[[Builder, Value, Value], Value]:
    def body(b: Builder, x: Value, y: Value) -> Value:
        x, y = broadcast_together(b, x, y)
        if not (y.dtype.is_integer and y.dtype is x.dtype):
            return b.emit(way(x, y))  # which says what is wrong
        return b.emit(way(x, Term(b, y).maximum(0).minimum(y.dtype.bits - 1).value))

    return body


@op(_shifted(ir.ShiftLeft))
def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x << y, with broadcasting. Bits that leave are lost.

    A y below 0 is taken as 0, and one of the width in bits or more as one less than the width, as
    by TensorFlow on the CPU (which leaves open what they give elsewhere).

    Args:
        x: A tensor of integers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.bitwise.left_shift([1, 3], [4, 31]))
    tf.Tensor([         16 -2147483648], shape=(2,), dtype=int32)
    """


@op(_shifted(ir.ShiftRightLogical), name="right_shift")
def _logical_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x >> y, filled with zeros."""


@op(_shifted(ir.ShiftRightArithmetic), name="right_shift")
def _arithmetic_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x >> y, filled with the sign."""


def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x >> y, with broadcasting; signed integers are filled with their sign.

    A y that is negative, or not below the width in bits, is clamped as by `left_shift`.

    Args:
        x: A tensor of integers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.bitwise.right_shift([-8, 8], 1))
    tf.Tensor([-4  4], shape=(2,), dtype=int32)
    """
    x = operand("right_shift", x)
    return (_logical_shift if x.dtype.is_unsigned else _arithmetic_shift)(x, y)


@op(ir.PopulationCount)
def population_count(x: TensorLike, name: str | None = None) -> Tensor:
    """The number of bits that are set in each integer (`PopulationCount` in TensorFlow).

    Args:
        x: A tensor of integers.

    Returns:
        A tensor of uint8 of the shape of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.bitwise.population_count([7, -1]))
    tf.Tensor([ 3 32], shape=(2,), dtype=uint8)
    """
