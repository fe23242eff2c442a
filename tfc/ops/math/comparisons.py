"""Comparisons, logic, and choosing by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import bool_

from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together, primitive
from ..declare import op, require
from .bits import bitwise_and, bitwise_or, bitwise_xor


@op(ir.Equal)
def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x == y elementwise, as bool, with broadcasting. nan equals nothing, itself included.

    Args:
        x: A tensor of any dtype.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.equal([1.0, 2.0, float("nan")], [1.0, 0.0, float("nan")]))
    tf.Tensor([ True False False], shape=(3,), dtype=bool)
    """


@op(ir.NotEqual)
def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x != y elementwise, as bool, with broadcasting. True of nan and itself.

    Args:
        x: A tensor of any dtype.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.not_equal([1, 2, 3], 2))
    tf.Tensor([ True False  True], shape=(3,), dtype=bool)
    """


@op(ir.Less)
def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x < y elementwise, as bool, with broadcasting. Real numbers; False where either is nan.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.less([1, 2, 3], 2))
    tf.Tensor([ True False False], shape=(3,), dtype=bool)
    """


@op(ir.LessEqual)
def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x <= y elementwise, as bool, with broadcasting. Real numbers; False where either is nan.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.less_equal([1, 2, 3], 2))
    tf.Tensor([ True  True False], shape=(3,), dtype=bool)
    """


@op(ir.Greater)
def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x > y elementwise, as bool, with broadcasting. Real numbers; False where either is nan.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.greater([[1, 2], [3, 4]], [2, 2]))
    tf.Tensor(
    [[False False]
     [ True  True]], shape=(2, 2), dtype=bool)
    """


@op(ir.GreaterEqual)
def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x >= y elementwise, as bool, with broadcasting. Real numbers; False where either is nan.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.greater_equal([1.0, 2.0, float("nan")], 2.0))
    tf.Tensor([False  True False], shape=(3,), dtype=bool)
    """


@op(ir.IsNan)
def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is nan, as bool. Floats.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of bools of the shape of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.is_nan([1.0, float("nan"), float("inf")]))
    tf.Tensor([False  True False], shape=(3,), dtype=bool)
    """


def _is_inf(b: Builder, x: Value) -> Value:
    magnitude = Term(b, b.emit(ir.Abs(x)))
    return magnitude.equal(np.inf).value


@op(_is_inf, check=require)
def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is inf or -inf, as bool. Floats.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of bools of the shape of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.is_inf([1.0, float("nan"), -float("inf")]))
    tf.Tensor([False False  True], shape=(3,), dtype=bool)
    """


def _is_finite(b: Builder, x: Value) -> Value:
    return (Term(b, b.emit(ir.Abs(x))) < np.inf).value


@op(_is_finite, check=require)
def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether x is neither infinite nor nan, as bool. Floats.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of bools of the shape of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.is_finite([1.0, float("nan"), -float("inf")]))
    tf.Tensor([ True False False], shape=(3,), dtype=bool)
    """


@op(ir.LogicalNot)
def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """not x, elementwise on bools.

    Args:
        x: A tensor of bools.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.logical_not([True, False]))
    tf.Tensor([False  True], shape=(2,), dtype=bool)
    """


def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x and y, elementwise on bools, with broadcasting. Numbers are a TypeError.

    Args:
        x: A tensor of bools.
        y: A tensor of bools, whose shape broadcasts with that of `x`.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).
        ValueError: If a tensor has another dtype.

    >>> import tfc as tf
    >>> print(tf.logical_and([True, True, False], [True, False, False]))
    tf.Tensor([ True False False], shape=(3,), dtype=bool)
    """
    return bitwise_and(operand("logical_and", x, bool_), operand("logical_and", y, bool_))


def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x or y, elementwise on bools, with broadcasting. Numbers are a TypeError.

    Args:
        x: A tensor of bools.
        y: A tensor of bools, whose shape broadcasts with that of `x`.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).
        ValueError: If a tensor has another dtype.

    >>> import tfc as tf
    >>> print(tf.logical_or([True, True, False], [True, False, False]))
    tf.Tensor([ True  True False], shape=(3,), dtype=bool)
    """
    return bitwise_or(operand("logical_or", x, bool_), operand("logical_or", y, bool_))


def logical_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Either x or y but not both, elementwise on bools, with broadcasting.

    Args:
        x: A tensor of bools.
        y: A tensor of bools, whose shape broadcasts with that of `x`.

    Returns:
        A tensor of bools of the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).
        TypeError: If Python's numbers are given.
        ValueError: If a tensor has another dtype.

    >>> import tfc as tf
    >>> print(tf.math.logical_xor([True, True, False], [True, False, False]))
    tf.Tensor([False  True False], shape=(3,), dtype=bool)
    """
    return bitwise_xor(operand("logical_xor", x, bool_), operand("logical_xor", y, bool_))


@primitive
def _where(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    if x.dtype is not y.dtype:
        raise OpError("where: x and y must have the same dtype", "dtype")
    return b.emit(ir.Select(*broadcast_together(b, condition, x, y)))


def select(condition: Any, x: Any, y: Any) -> Tensor:
    """x where the condition holds, else y: `where` of three operands."""
    condition = operand("where", condition, bool_)
    hint = next((v.dtype for v in (x, y) if isinstance(v, Held)), None)
    x = operand("where", x, dtype_hint=hint)
    return _where.fast()(condition, x, operand("where", y, dtype_hint=x.dtype))
