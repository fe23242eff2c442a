"""Elementwise maths that is careful at zeros, division as in C, and what is made of sums."""

from __future__ import annotations

from functools import partial
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, as_dtype, float32, float64, int64, string

from ...core import above, blame
from ...core.conversion import operand
from ...core.indexed_slices import IndexedSlices
from ...core.shapes import TensorShape
from ...core.tensor import Tensor
from ...core.types import AxisLike, DTypeLike, ShapeLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import broadcast_to, broadcast_together, primitive
from ..arguments import flag
from ..declare import FLOATS, op, require
from .arithmetic import add, add_n, multiply
from .comparisons import not_equal
from .reductions import _axes, _kept, _unknown

_ALIKE = "inputs must be a list of at least one Tensor with the same dtype and shape"
_INEXACT = (*FLOATS, "complex64", "complex128")


def _binary(b: Builder, name: str, x: Value, y: Value) -> tuple[Term, Term]:
    require(x, name, _INEXACT)
    x, y = broadcast_together(b, x, y)
    return Term(b, x), Term(b, y)


def _emit(op: Any, *terms: Term) -> Term:
    return Term(terms[0].b, terms[0].b.emit(op(*(t.value for t in terms))))


def _xlogy(b: Builder, x: Value, y: Value) -> Value:
    t, u = _binary(b, "xlogy", x, y)
    return where(t.equal(0), t.const(0), t * _emit(ir.Log, u)).value


@op(_xlogy)
def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x log(y), 0 where x is 0. Floats and complex numbers.

    Args:
        x: A tensor of floats or complex numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of the dtype of `x` and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.xlogy([0.0, 2.0], [0.0, 1.0]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """


def _xlog1py(b: Builder, x: Value, y: Value) -> Value:
    t, u = _binary(b, "xlog1py", x, y)
    return where(t.equal(0), t.const(0), t * _emit(ir.Log1p, u)).value


@op(_xlog1py)
def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x log(1 + y), 0 where x is 0.

    Args:
        x: A tensor of floats or complex numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]), 0.0 * tf.math.log1p(-1.0))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32) tf.Tensor(nan, shape=(), dtype=float32)
    """


def _xdivy(b: Builder, x: Value, y: Value) -> Value:
    t, u = _binary(b, "xdivy", x, y)
    return where(t.equal(0), t.const(0), t / u).value


@op(_xdivy)
def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y, 0 where x is 0.

    Args:
        x: A tensor of floats or complex numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.xdivy([0.0, 3.0, 3.0], [0.0, 2.0, 0.0]))
    tf.Tensor([0.  1.5 inf], shape=(3,), dtype=float32)
    """


def _divide_no_nan(b: Builder, x: Value, y: Value) -> Value:
    if x.dtype is y.dtype and x.dtype.is_integer:
        wide = float64 if x.dtype.bits > 16 else float32
        x, y = b.emit(ir.Cast(x, wide)), b.emit(ir.Cast(y, wide))
    t, u = _binary(b, "divide_no_nan", x, y)
    zero = u.equal(0)
    return where(zero, t.const(0), t / where(zero, u.const(1), u)).value


@op(_divide_no_nan)
def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y, 0 where y is 0. Integers are divided as `truediv` does it.

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
    >>> print(tf.math.divide_no_nan([3.0, 3.0], [0.0, 2.0]))
    tf.Tensor([0.  1.5], shape=(2,), dtype=float32)
    """


def _multiply_no_nan(b: Builder, x: Value, y: Value) -> Value:
    t, u = _binary(b, "multiply_no_nan", x, y)
    return _emit(ir.MultiplyNoNan, t, u).value


@op(_multiply_no_nan)
def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x * y, 0 where y is 0 even if x is infinite or nan.

    Args:
        x: A tensor of floats or complex numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.multiply_no_nan([float("nan"), float("inf"), 3.0], [0.0, 0.0, 2.0]))
    tf.Tensor([0. 0. 6.], shape=(3,), dtype=float32)
    """


def _reciprocal_no_nan(b: Builder, x: Value) -> Value:
    require(x, "reciprocal_no_nan", _INEXACT)
    t = Term(b, x)
    zero = t.equal(0)
    return where(zero, t.const(0), 1 / where(zero, t.const(1), t)).value


@op(_reciprocal_no_nan)
def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """1 / x, 0 where x is 0.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.reciprocal_no_nan([4.0, 0.0]))
    tf.Tensor([0.25 0.  ], shape=(2,), dtype=float32)
    """


def _log_sigmoid(b: Builder, x: Value) -> Value:
    require(x, "log_sigmoid")
    return b.emit(ir.Neg(b.emit(ir.Softplus(b.emit(ir.Neg(x))))))


@op(_log_sigmoid)
def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """log(sigmoid(x)), without overflow.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.log_sigmoid([-1000.0, 1000.0]))
    tf.Tensor([-1000.    -0.], shape=(2,), dtype=float32)
    """


def _nextafter(b: Builder, x: Value, y: Value) -> Value:
    require(x, "nextafter", ("float32", "float64"))
    return b.emit(ir.NextAfter(*broadcast_together(b, x, y)))


@op(_nextafter)
def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """The next number from x1 towards x2; x2 itself where they are equal. The gradient is that of
    x1.

    Args:
        x1: A tensor of float32 or float64.
        x2: A tensor of the same dtype, whose shape broadcasts with that of `x1`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.nextafter([0.0, 2.0], [1.0, 2.0]))
    tf.Tensor([1.e-45 2.e+00], shape=(2,), dtype=float32)
    """


def _rint(b: Builder, x: Value) -> Value:
    require(x, "rint")
    return b.emit(ir.Round(x))


@op(_rint)
def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """The nearest integer as a float, ties to even.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.rint([0.5, 1.5, -2.6]))
    tf.Tensor([ 0.  2. -3.], shape=(3,), dtype=float32)
    """


def _truncatediv(b: Builder, x: Value, y: Value) -> Value:
    x, y = broadcast_together(b, x, y)
    t, u = Term(b, x), Term(b, y)
    if x.dtype.is_floating:
        quotient = t / u
        down = _emit(ir.Floor, quotient)
        return _emit(ir.StopGradient, where(quotient < 0, _emit(ir.Ceil, quotient), down)).value
    down = _emit(ir.FloorDiv, t, u)
    if x.dtype.is_unsigned:
        return down.value
    inexact = (down * u).not_equal(t)
    opposite = (t < 0).not_equal(u < 0)
    return where(inexact & opposite, down + 1, down).value


@op(_truncatediv)
def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y rounded towards zero, as in C. No gradient.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If integers are divided by 0; if the shapes do not broadcast
            (ValueError while tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.truncatediv(-7, 2))
    tf.Tensor(-3, shape=(), dtype=int32)
    """


def _truncatemod(b: Builder, x: Value, y: Value) -> Value:
    x, y = broadcast_together(b, x, y)
    t, u = Term(b, x), Term(b, y)
    if x.dtype.is_unsigned:
        return _emit(ir.FloorMod, t, u).value
    if x.dtype.is_floating:
        # of magnitudes, which is exact; then with the sign of x, -0.0 too
        rest = _emit(ir.FloorMod, _emit(ir.Abs, t), _emit(ir.Abs, u))
        rest = where(_emit(ir.Abs, t) < _emit(ir.Abs, u), _emit(ir.Abs, t), rest)
        bits = Term(b, b.emit(ir.Bitcast(x, as_dtype(f"int{x.dtype.bits}"))))
        return where(bits < 0, -rest, rest).value
    rest = _emit(ir.FloorMod, t, u)
    moved = rest.not_equal(0) & (t < 0).not_equal(u < 0)
    return where(moved, rest - u, rest).value


@op(_truncatemod)
def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """What `truncatediv` leaves of x, with the sign of x, as in C.

    Args:
        x: A tensor of real numbers.
        y: A tensor of the dtype of `x`, whose shape broadcasts with that of `x`. A Python number
            takes the dtype of the other operand.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If integers are divided by 0; if the shapes do not broadcast
            (ValueError while tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.truncatemod(-7, 3))
    tf.Tensor(-1, shape=(), dtype=int32)
    """


@primitive
def _count_nonzero(
    b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool, dtype: DType
) -> Value:
    zero = broadcast_to(b, b.constant(0, x.dtype), x.shape)
    ones = b.emit(ir.Cast(b.emit(ir.NotEqual(x, zero)), dtype))
    return _kept(b, x, b.emit(ir.ReduceSum(ones, axes)), axes, keepdims) if axes else ones


def count_nonzero(
    input: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """How many elements are not 0; nan is not. Of strings those are counted that are not empty.

    Args:
        input: A tensor of numbers, bools or strings.
        axis: The axes to reduce: a number, a list of numbers, or None for all.
        keepdims: Whether the axes stay, with extent 1.
        dtype: The dtype of the counts: numbers.

    Returns:
        A tensor of this dtype, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or a dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.count_nonzero([[0, 3], [1, 2]], axis=1))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    x = operand("count_nonzero", input)
    if x.dtype is string:
        x = not_equal(x, "")
    if is_unknown(axis):
        along = partial(count_nonzero, dtype=dtype)
        return _unknown(along, x, axis, keepdims, "count_nonzero")
    axes = _axes(x, axis, "count_nonzero")
    return _count_nonzero.fast(axes, flag(keepdims, "keepdims", "count_nonzero"), as_dtype(dtype))(
        x
    )


@primitive
def _euclidean_norm(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    own = x.dtype
    if own.is_integer:
        x = b.emit(ir.Cast(x, float64))
    elif not own.is_floating:
        require(x, "reduce_euclidean_norm", _INEXACT)
        x = b.emit(ir.Abs(x))
    total = b.emit(ir.Mul(x, x))
    if axes:
        total = _kept(b, x, b.emit(ir.ReduceSum(total, axes)), axes, keepdims)
    root = b.emit(ir.Sqrt(total))
    return root if root.dtype is own else b.emit(ir.Cast(root, own))


def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The square root of the sum of squares.

    Args:
        input_tensor: A tensor of numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes: of integers rounded towards 0.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.reduce_euclidean_norm([3.0, 4.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    x = operand("reduce_euclidean_norm", input_tensor)
    if is_unknown(axis):
        title = "reduce_euclidean_norm"
        along: Tensor = above.reduced_along(
            reduce_euclidean_norm, x, axis, flag(keepdims, "keepdims", title), title
        )
        return along
    return _euclidean_norm.fast(
        _axes(x, axis, "reduce_euclidean_norm"), flag(keepdims, "keepdims", "reduce_euclidean_norm")
    )(x)


def accumulate_n(
    inputs: TensorLike,
    shape: ShapeLike | None = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The sum of a list of tensors of one shape and dtype.

    Args:
        inputs: A list or tuple of tensors.
        shape: Their shape, which is checked; None: any.
        tensor_dtype: Their dtype, which is checked, and which Python's numbers take; None: any.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        ValueError: If there are none, they are no list, or shapes or dtypes differ.

    >>> import tfc as tf
    >>> print(tf.math.accumulate_n([[1, 2], [3, 4]], shape=[2], tensor_dtype=tf.int32))
    tf.Tensor([4 6], shape=(2,), dtype=int32)
    """
    if not isinstance(inputs, list | tuple) or not inputs:
        raise blame.value_error(_ALIKE, "accumulate_n")
    tensors = [operand("accumulate_n", x, tensor_dtype) for x in inputs]
    for x in tensors:
        if x.dtype is not tensors[0].dtype:
            raise blame.value_error(_ALIKE, "accumulate_n")
        if not tensors[0].shape.is_compatible_with(x.shape):
            raise blame.value_error(
                f"Shapes {tensors[0].shape} and {x.shape} are not compatible", "accumulate_n"
            )
        if shape is not None and not x.shape.is_compatible_with(shape):
            text = f"Shapes {TensorShape(shape)} and {x.shape} are not compatible"
            raise blame.value_error(text, "accumulate_n")
    return add_n(tensors)


def polyval(coeffs: Any, x: TensorLike, name: str | None = None) -> Tensor:
    """coeffs[0] x^(n-1) + ... + coeffs[n-1], by Horner's rule.

    Args:
        coeffs: A list of tensors of the dtype of `x`, whose shapes broadcast with that of `x`.
        x: A tensor of numbers.

    Returns:
        A tensor; of no coefficients zeros like `x`, of one the coefficient itself.

    Raises:
        ValueError: If `coeffs` is no list.
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.polyval([1.0, 0.0, 2.0], [3.0, 4.0]))
    tf.Tensor([11. 18.], shape=(2,), dtype=float32)
    """
    if not isinstance(coeffs, list):
        raise blame.value_error(
            f"Argument coeffs must be list type. Received type {type(coeffs)}.", "polyval"
        )
    x = operand("polyval", x)
    if not coeffs:
        return multiply(x, 0)
    first, *rest = (operand("polyval", c, dtype_hint=x.dtype) for c in coeffs)
    result = first
    for c in rest:
        result = add(c, multiply(result, x))
    return result


def scalar_mul(scalar: Any, x: TensorLike, name: str | None = None) -> Any:
    """scalar * x. IndexedSlices stay sparse.

    Args:
        scalar: A number, or a tensor of rank 0 of the dtype of `x`.
        x: A tensor of numbers, or IndexedSlices.

    Returns:
        What `x` is, of its shape and dtype.

    Raises:
        ValueError: If `scalar` has axes.
        InvalidArgumentError: If the dtypes differ or are others (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.scalar_mul(3, [1, 2]))
    tf.Tensor([3 6], shape=(2,), dtype=int32)
    """
    if isinstance(x, IndexedSlices):
        return x.with_values(scalar_mul(scalar, x.values))
    t = operand("scalar_mul", x)
    s = operand("scalar_mul", scalar, dtype_hint=t.dtype)
    if len(s.shape):
        raise blame.value_error(
            f"The input scalar must be a 0-D value. Received shape {s.shape}.", "scalar_mul"
        )
    return multiply(s, t)
