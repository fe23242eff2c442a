"""Arithmetic: sums, products, quotients, powers, rounding, extremes."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, float32, float64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together, primitive
from ..declare import op
from ..extents import listed


@op(ir.Add)
def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x + y elementwise, with broadcasting. Numbers of one dtype; integers wrap.

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.add([1, 2], 3))
    tf.Tensor([4 5], shape=(2,), dtype=int32)
    """


@op(ir.Sub)
def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x - y elementwise, with broadcasting. Numbers of one dtype; integers wrap.

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.subtract([[1], [2]], [3, 4]))
    tf.Tensor(
    [[-2 -3]
     [-1 -2]], shape=(2, 2), dtype=int32)
    """


@op(ir.Mul)
def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x * y elementwise, with broadcasting. Numbers of one dtype; integers wrap.

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.multiply([1.5, -2.0], 2.0))
    tf.Tensor([ 3. -4.], shape=(2,), dtype=float32)
    """


def _truediv(b: Builder, x: Value, y: Value) -> Value:
    if x.dtype is y.dtype and x.dtype.is_integer:
        wide = float64 if x.dtype.bits > 16 else float32
        x, y = b.emit(ir.Cast(x, wide)), b.emit(ir.Cast(y, wide))
    return b.emit(ir.Div(*broadcast_together(b, x, y)))


@op(_truediv)
def truediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y elementwise, with broadcasting; by zero it is infinite or nan. Integers are divided as
    float64 (float32 below 32 bits), as in TensorFlow.

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the shape that both broadcast to, of their dtype; of integers float64, or
        float32 below 32 bits.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.divide([1, -3], [4, 2]))
    tf.Tensor([ 0.25 -1.5 ], shape=(2,), dtype=float64)
    >>> print(tf.divide([1.0, 0.0], 0.0))
    tf.Tensor([inf nan], shape=(2,), dtype=float32)
    """


divide = truediv


@op(ir.FloorDiv)
def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """floor(x / y), Python's x // y, with broadcasting. An integer by zero is an
    InvalidArgumentError. Not differentiable.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.floordiv([7, -7], 2))
    tf.Tensor([ 3 -4], shape=(2,), dtype=int32)
    """


@op(ir.FloorMod)
def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x - floor(x / y) * y, Python's x % y: the sign is that of y. With broadcasting; an integer by
    zero is an InvalidArgumentError, a float by zero nan.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.floormod([-7, 7], [3, -3]))
    tf.Tensor([ 2 -2], shape=(2,), dtype=int32)
    """


mod = floormod


@primitive
def _pow(b: Builder, x: Value, y: Value) -> Value:
    return b.emit(ir.Pow(*broadcast_together(b, x, y)))


@primitive
def _cube(b: Builder, x: Value) -> Value:
    return b.emit(ir.Mul(b.emit(ir.Mul(x, x)), x))


def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x to the power y, with broadcasting. Numbers of one dtype; integers wrap. Where y is Python's
    2 or 3, it is a product: x * x, or x * x * x, which is rounded twice.

    Unlike TensorFlow, a negative power of an integer is no error: it is rounded towards 0.

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.pow([2, 3], [3, 4]), tf.pow(2.0, -1.0))
    tf.Tensor([ 8 81], shape=(2,), dtype=int32) tf.Tensor(0.5, shape=(), dtype=float32)
    """
    if y.__class__ in (int, float) and y in (2, 3) and isinstance(x, Held):
        dtype: DType = x.dtype
        if dtype.is_inexact or (dtype.is_integer and y.__class__ is int):
            return (_square if y == 2 else _cube).fast()(x)
    return _pow.fast()(x, y)


@op(ir.Maximum)
def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The larger of x and y, with broadcasting; nan if either is. Where they are equal, the
    gradient goes to x.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.maximum([1.0, -2.0, float("nan")], 0.0))
    tf.Tensor([ 1.  0. nan], shape=(3,), dtype=float32)
    """


@op(ir.Minimum)
def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The smaller of x and y, with broadcasting; nan if either is. Where they are equal, the
    gradient goes to x.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.minimum([1.0, -2.0, float("nan")], 0.0))
    tf.Tensor([ 0. -2. nan], shape=(3,), dtype=float32)
    """


@op(ir.Neg)
def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """-x. Numbers; the smallest integer and unsigned ones wrap.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.negative([1, -2]), tf.negative(tf.constant(1, tf.uint8)).numpy())
    tf.Tensor([-1  2], shape=(2,), dtype=int32) 255
    """


@op(ir.Abs)
def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """|x|. Numbers; of complex ones the magnitude, as reals. The gradient at 0 is 0.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of the shape and dtype of `x`; of complex numbers, reals of the same width.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.abs([-2, 3]), tf.abs(3.0 - 4.0j).numpy())
    tf.Tensor([2 3], shape=(2,), dtype=int32) 5.0
    """


@op(ir.Sign)
def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """-1, 0 or 1, like x; nan stays nan. Of complex numbers x / |x|, 0 at 0. The gradient is 0.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.sign([-2.5, 0.0, float("nan")]))
    tf.Tensor([-1.  0. nan], shape=(3,), dtype=float32)
    """


@op(ir.Floor)
def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """The largest integer that is not above x, as a float. Floats; the gradient is 0.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.floor([1.7, -1.2]))
    tf.Tensor([ 1. -2.], shape=(2,), dtype=float32)
    """


@op(ir.Ceil)
def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """The smallest integer that is not below x, as a float. Floats; the gradient is 0.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.ceil([1.2, -1.7]))
    tf.Tensor([ 2. -1.], shape=(2,), dtype=float32)
    """


def _round(b: Builder, x: Value) -> Value:
    return x if x.dtype.is_integer else b.emit(ir.Round(x))


@op(_round)
def round(x: TensorLike, name: str | None = None) -> Tensor:
    """The nearest integer as a float, ties to even. Integers stay as they are.

    Args:
        x: A tensor of real numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.round([0.5, 1.5, 2.4]))
    tf.Tensor([0. 2. 2.], shape=(3,), dtype=float32)
    """


@primitive
def _square(b: Builder, x: Value) -> Value:
    return b.emit(ir.Mul(x, x))


def square(x: TensorLike, name: str | None = None) -> Tensor:
    """x * x. Numbers; integers wrap. Of complex numbers it is not |x|^2.

    Args:
        x: A tensor of numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.square([-3.0, 0.5]), tf.square(2j).numpy())
    tf.Tensor([9.   0.25], shape=(2,), dtype=float32) (-4+0j)
    """
    return _square.fast()(x)


def _squared_difference(b: Builder, x: Value, y: Value) -> Value:
    d = b.emit(ir.Sub(*broadcast_together(b, x, y)))
    return b.emit(ir.Mul(Term(b, d).conj().value, d))


@op(_squared_difference)
def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """(x - y) squared, with broadcasting; of complex numbers conj(x - y) (x - y).

    Args:
        x: A tensor of numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.squared_difference([1.0, 5.0], 2.0))
    tf.Tensor([1. 9.], shape=(2,), dtype=float32)
    """


def _reciprocal(b: Builder, x: Value) -> Value:
    return (1 / Term(b, x)).value


@op(_reciprocal)
def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """1 / x; infinite at 0. Floats and complex numbers.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.reciprocal([4.0, -0.0]))
    tf.Tensor([0.25 -inf], shape=(2,), dtype=float32)
    """


def add_n(inputs: TensorLike, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype, in their order.

    Args:
        inputs: A list of tensors of one shape and dtype.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If shapes differ (ValueError while tracing).
        ValueError: If the list is empty.

    >>> import tfc as tf
    >>> print(tf.add_n([[1, 2], [3, 4], [5, 6]]))
    tf.Tensor([ 9 12], shape=(2,), dtype=int32)
    """
    if isinstance(inputs, Iterator) or (isinstance(inputs, Held) and inputs.ndim):
        inputs = [*inputs]  # type: ignore[misc]
    if not isinstance(inputs, list | tuple) or not inputs:
        raise blame.value_error(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype "
            "and shape.",
            "add_n",
        )
    total = operand("add_n", inputs[0])
    for i, x in enumerate(inputs[1:], 1):
        x = operand("add_n", x, dtype_hint=total.dtype)
        if not total.shape.is_compatible_with(x.shape):
            raise blame.invalid(
                "Inputs to operation AddN of type AddN must have the same size and shape.  "
                f"Input 0: {listed(total)} != input {i}: {listed(x)}",
                "add_n",
            )
        total = add(total, x)
    return total
