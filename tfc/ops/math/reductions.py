"""Reductions along axes, and the places of extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, as_dtype, bool_, int64, uint8, uint64
from tfc.ir.extent import product

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import AxisLike, DTypeLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import Body, Primitive, broadcast_to, primitive
from ..arguments import flag, numbers
from ..declare import Form, Function, OpClass, op
from ..extents import _integer


def _not_real(dtype: Any) -> str:
    kind = "integer type " if dtype.is_integer else ""
    return f"Input must be either real or complex. Received {kind}{dtype!s}."


def _axes(x: Any, axis: Any, name: str) -> tuple[int, ...]:
    """`axis` (None, an int, a sequence, a tensor) as non-negative axes in order."""
    rank = len(x.shape)
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, Held | np.ndarray):
        axis = numbers(axis, "an axis", name) if len(axis.shape) else _number(axis, name)
    given = axis if isinstance(axis, list | tuple | range) else [axis]
    axes = []
    for a in given:
        a = _integer(a, "an axis", name)
        if not -rank <= a < rank:
            raise blame.invalid(
                f"Invalid reduction dimension {a} for input with {rank} dimension(s)", name
            )
        axes.append(a % rank)
    if len(set(axes)) != len(axes):
        twice = next(a for a in axes if axes.count(a) > 1)
        raise blame.invalid(
            f"Invalid reduction arguments: Axes contains duplicate dimension: {twice}", name
        )
    return tuple(sorted(axes))


def _number(axis: Any, name: str) -> Any:
    return _integer(axis, "an axis", name) if isinstance(axis, SymbolicTensor) else axis


def _unknown(function: Function, x: Any, axis: Any, keepdims: Any, name: str) -> Tensor:
    """`function` of x over axes that only a call tells."""
    result: Tensor = above.reduced_along(function, x, axis, flag(keepdims, "keepdims", name), name)
    return result


def _kept(b: Builder, x: Value, y: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    if not keepdims:
        return y
    shape = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
    return b.emit(ir.Reshape(y, shape))


def _reduced(op: OpClass) -> Body:
    def body(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
        return _kept(b, x, b.emit(op(x, axes)), axes, keepdims) if axes else x

    return body


def _over_axes(primitive: Primitive) -> Function:
    title = primitive.name

    def function(
        input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
    ) -> Any:
        x = input_tensor if isinstance(input_tensor, Held) else operand(title, input_tensor)
        if is_unknown(axis):
            return above.reduced_along(function, x, axis, flag(keepdims, "keepdims", title), title)
        return primitive.fast(_axes(x, axis, title), flag(keepdims, "keepdims", title))(x)

    return function


OVER_AXES = Form(_over_axes, _reduced)  # `axis` and `keepdims` of one operand


@op(ir.ReduceSum, OVER_AXES)
def reduce_sum(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The sum of the elements along `axis` (None: all); `keepdims` keeps these axes with extent 1.

    `axis` is a number or a list of them, negative ones counting from the last; an axis that is not
    there is an InvalidArgumentError. Numbers; integers wrap; of none it is 0. The order of
    summation depends on the length alone, so that the bits do not depend on the machine.

    Args:
        input_tensor: A tensor of numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_sum([[1, 2], [3, 4]], axis=0))
    tf.Tensor([4 6], shape=(2,), dtype=int32)
    >>> print(tf.reduce_sum([[1, 2], [3, 4]], axis=-1, keepdims=True))
    tf.Tensor(
    [[3]
     [7]], shape=(2, 1), dtype=int32)
    """


@op(ir.ReduceProd, OVER_AXES)
def reduce_prod(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of the elements along `axis`, which is taken as by `reduce_sum`.

    Numbers; integers wrap; of none it is 1. The gradient is right at zeros too.

    Args:
        input_tensor: A tensor of numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_prod([[1, 2], [3, 4]], axis=1))
    tf.Tensor([ 2 12], shape=(2,), dtype=int32)
    """


@op(ir.ReduceMax, OVER_AXES)
def reduce_max(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The largest of the elements along `axis`, which is taken as by `reduce_sum`.

    Real numbers; nan if one is; of none -inf (the smallest number of an integer dtype). Equals
    share the gradient.

    Args:
        input_tensor: A tensor of real numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_max([[1, 9], [7, 3]], axis=1), tf.reduce_max(tf.zeros([0])).numpy())
    tf.Tensor([9 7], shape=(2,), dtype=int32) -inf
    """


@op(ir.ReduceMin, OVER_AXES)
def reduce_min(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The smallest of the elements along `axis`, which is taken as by `reduce_sum`.

    Real numbers; nan if one is; of none inf (the largest number of an integer dtype). Equals share
    the gradient.

    Args:
        input_tensor: A tensor of real numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_min([[1, 9], [7, 3]], axis=1))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """


@op(ir.ReduceAll, OVER_AXES)
def reduce_all(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Whether all elements along `axis`, which is taken as by `reduce_sum`, are True. Bools; of
    none it is True.

    Args:
        input_tensor: A tensor of bools.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of bools, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_all([[True, True], [True, False]], axis=1))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """


@op(ir.ReduceAny, OVER_AXES)
def reduce_any(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Whether any element along `axis`, which is taken as by `reduce_sum`, is True. Bools; of none
    it is False.

    Args:
        input_tensor: A tensor of bools.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of bools, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_any([[True, False], [False, False]], axis=1))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """


def mean_of(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """IR for the mean along `axes`."""
    if not axes:
        return x
    if x.dtype.is_integer:
        return _kept(b, x, _integer_mean(b, x, axes), axes, keepdims)
    total = b.emit(ir.ReduceSum(x, axes))
    size = b.emit(ir.ExtentOf(product(x.shape[a] for a in axes)))
    count = broadcast_to(b, b.emit(ir.Cast(size, x.dtype.real_dtype)), total.shape)
    if x.dtype.is_complex:
        parts = (b.emit(ir.Div(b.emit(part(total)), count)) for part in (ir.Real, ir.Imag))
        mean = b.emit(ir.Complex(*parts))
    else:
        mean = b.emit(ir.Div(total, count))
    return _kept(b, x, mean, axes, keepdims)


def _integer_mean(b: Builder, x: Value, axes: tuple[int, ...]) -> Value:
    """Towards zero, of a sum in 64 bits; 0 of none."""
    wide = uint64 if x.dtype.is_unsigned else int64
    total = Term(b, b.emit(ir.ReduceSum(b.emit(ir.Cast(x, wide)), axes)))
    size = b.emit(ir.ExtentOf(product(x.shape[a] for a in axes)))
    spread = broadcast_to(b, b.emit(ir.Cast(size, wide)), total.value.shape)
    count = Term(b, spread).maximum(1)
    mean = total // count
    if not x.dtype.is_unsigned:  # what was rounded down is a number nearer to zero
        mean = where((total < 0) & (mean * count).not_equal(total), mean + 1, mean)
    return b.emit(ir.Cast(mean.value, x.dtype))


@op(mean_of, OVER_AXES)
def reduce_mean(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The mean of the elements along `axis`, which is taken as by `reduce_sum`.

    Numbers; of none it is nan. The mean of integers is rounded towards zero, and 0 of none; they
    are added up in 64 bits.

    Args:
        input_tensor: A tensor of numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_mean([[1.0, 2.0], [4.0, 4.0]], axis=1))
    tf.Tensor([1.5 4. ], shape=(2,), dtype=float32)
    >>> print(tf.reduce_mean([1, 2]))
    tf.Tensor(1, shape=(), dtype=int32)
    """


def _inexact(x: Any, name: str) -> Tensor:
    x = operand(name, x)
    if not x.dtype.is_inexact:
        raise blame.type_error(_not_real(x.dtype), name)
    return x


@primitive
def _variance(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool, root: bool) -> Value:
    mean = broadcast_to(b, mean_of(b, x, axes, True), x.shape)
    d = b.emit(ir.Sub(x, mean))
    square = b.emit(ir.Mul(Term(b, d).conj().value, d))
    if x.dtype.is_complex:
        square = b.emit(ir.Real(square))
    result = mean_of(b, square, axes, keepdims)
    return b.emit(ir.Sqrt(result)) if root else result


def reduce_variance(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The mean squared distance from the mean along `axis`, which is taken as by `reduce_sum`.

    Floats and complex numbers, of which it is real. It is divided by the number of elements, not
    by one less.

    Args:
        input_tensor: A tensor of floats or complex numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of reals without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.reduce_variance([[1.0, 3.0], [2.0, 2.0]], axis=1))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    x = _inexact(input_tensor, "reduce_variance")
    if is_unknown(axis):
        return _unknown(reduce_variance, x, axis, keepdims, "reduce_variance")
    return _variance.fast(
        _axes(x, axis, "reduce_variance"), flag(keepdims, "keepdims", "reduce_variance"), False
    )(x)


def reduce_std(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The square root of `reduce_variance`: the standard deviation along `axis`.

    Args:
        input_tensor: A tensor of floats or complex numbers.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of reals without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).
        TypeError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.math.reduce_std([[1.0, 5.0], [2.0, 2.0]], axis=1))
    tf.Tensor([2. 0.], shape=(2,), dtype=float32)
    """
    x = _inexact(input_tensor, "reduce_std")
    if is_unknown(axis):
        return _unknown(reduce_std, x, axis, keepdims, "reduce_std")
    return _variance.fast(
        _axes(x, axis, "reduce_std"), flag(keepdims, "keepdims", "reduce_std"), True
    )(x)


def logsumexp_of(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """IR for log(sum(exp(x))) along `axes`, shifted by the maximum."""
    top = b.emit(ir.StopGradient(b.emit(ir.ReduceMax(x, axes))))
    finite = (Term(b, b.emit(ir.Abs(top))) < np.inf).value
    shift = b.emit(ir.Select(finite, top, Term(b, top).const(0).value))
    kept = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
    spread = broadcast_to(b, b.emit(ir.Reshape(shift, kept)), x.shape)
    total = b.emit(ir.ReduceSum(b.emit(ir.Exp(b.emit(ir.Sub(x, spread)))), axes))
    return _kept(b, x, b.emit(ir.Add(b.emit(ir.Log(total)), shift)), axes, keepdims)


_logsumexp = Primitive(logsumexp_of, "reduce_logsumexp")


def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """log(sum(exp(x))) along `axis`, which is taken as by `reduce_sum`, without overflow. Floats;
    of nothing but -inf it is -inf.

    Args:
        input_tensor: A tensor of floats.
        axis: The axes to reduce: a number, a list of numbers, or None for all; negative ones count
            from the last.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor of the dtype of `input_tensor`, without these axes.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.reduce_logsumexp([0.0, 1000.0]))
    tf.Tensor(1000.0, shape=(), dtype=float32)
    """
    x = operand("reduce_logsumexp", input_tensor)
    if is_unknown(axis):
        return _unknown(reduce_logsumexp, x, axis, keepdims, "reduce_logsumexp")
    axes = _axes(x, axis, "reduce_logsumexp")
    return _logsumexp.fast(axes, flag(keepdims, "keepdims", "reduce_logsumexp"))(x) if axes else x


def require_elements(x: Any, axis: int) -> None:
    """Take the axis to have elements, where only run time can tell (see `Trace.require`)."""
    if isinstance(x, SymbolicTensor):
        x._trace.require(x._value.shape[axis] - 1)


def _place_of(op: OpClass) -> Body:
    def body(b: Builder, x: Value, axis: int, dtype: DType) -> Value:
        x = b.emit(ir.Cast(x, uint8)) if x.dtype is bool_ else x
        place = b.emit(op(x, (axis,)))
        return place if dtype is int64 else b.emit(ir.Cast(place, dtype))

    return body


def _along_axis(primitive: Primitive) -> Function:
    title = primitive.name

    def function(
        input: Any, axis: Any = None, output_type: Any = int64, name: str | None = None
    ) -> Any:
        x = operand(title, input)
        if is_unknown(axis):

            def along(rows: Any, axis: int) -> Any:
                return function(rows, axis, output_type)

            return above.reduced_along(along, x, axis, False, title)
        (a,) = _axes(x, 0 if axis is None else [axis], title)
        require_elements(x, a)
        if tuple(x.shape)[a] == 0:
            shape = ",".join(map(str, x.shape))
            raise blame.invalid(f"Reduction axis {a} is empty in shape [{shape}]", title)
        kind = as_dtype(output_type)
        if kind.name not in ("int16", "uint16", "int32", "int64"):
            raise blame.invalid_dtype(
                f"Value passed to parameter 'output_type' has DataType {kind.name} not in list of "
                "allowed values: int16, uint16, int32, int64",
                title,
            )
        return primitive.fast(a, kind)(x)

    return function


PLACE = Form(_along_axis, _place_of)  # `axis` of one operand, and `output_type`


@op(ir.ArgMax, PLACE)
def argmax(
    input: TensorLike,
    axis: AxisLike | None = None,
    output_type: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """The place of the largest element along `axis` (None: the first axis); of equals the first,
    and of nan the first, as it counts as the largest. An axis without elements is an
    InvalidArgumentError.

    Args:
        input: A tensor of real numbers or of bools (True is the larger one).
        axis: One axis; None is the first.
        output_type: The dtype of the places: int32 or int64.

    Returns:
        A tensor of integers, of the shape of `input` without that axis.

    Raises:
        InvalidArgumentError: If the axis is not there or has no elements (ValueError while
            tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.argmax([[1, 9, 9], [7, 2, 3]], axis=1))
    tf.Tensor([1 0], shape=(2,), dtype=int64)
    """


@op(ir.ArgMin, PLACE)
def argmin(
    input: TensorLike,
    axis: AxisLike | None = None,
    output_type: DTypeLike = int64,
    name: str | None = None,
) -> Tensor:
    """The place of the smallest element along `axis` (None: the first axis); of equals the first.
    An axis without elements is an InvalidArgumentError.

    Args:
        input: A tensor of real numbers or of bools (True is the larger one).
        axis: One axis; None is the first.
        output_type: The dtype of the places: int32 or int64.

    Returns:
        A tensor of integers, of the shape of `input` without that axis.

    Raises:
        InvalidArgumentError: If the axis is not there or has no elements (ValueError while
            tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.argmin([[1, 9, 9], [7, 2, 3]]))
    tf.Tensor([0 1 1], shape=(3,), dtype=int64)
    """
