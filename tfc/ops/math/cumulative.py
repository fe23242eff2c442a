"""Sums, products and logarithms of sums of the elements so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType
from tfc.ir.ops.cumulative import shift

from ...core import above
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import known_elements
from ...dispatch.primitive import Body, Primitive
from ..arguments import flag
from ..declare import Form, Function, OpClass, op
from ..extents import _axis


def _scan(edge: Callable[[DType], Any]) -> Form:
    """`axis`, `exclusive` and `reverse` of one operand; `edge` is the first result of an exclusive
    scan."""

    def scanned(op: OpClass) -> Body:
        def body(b: Builder, x: Value, axis: int, exclusive: bool, reverse: bool) -> Value:
            if 0 in x.shape:
                return x
            result = b.emit(op(x, axis, reverse))
            return shift(b, result, axis, reverse, edge(x.dtype)) if exclusive else result

        return body

    return Form(_along_axis, scanned)


def _along_axis(primitive: Primitive) -> Function:
    title = primitive.name

    def function(
        x: Any,
        axis: Any = 0,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
    ) -> Any:
        value = operand(title, x)
        if isinstance(axis, SymbolicTensor) and known_elements(axis) is None:

            def last(values: list[Tensor]) -> Tensor:
                result: Tensor = function(values[0], -1, exclusive, reverse)
                return result

            return above.applied_along(last, [value], axis, title, True)
        text = "Expected scan axis in the range [-{rank}, {rank}), but got {axis}"
        place = _axis(axis, len(value.shape), title, text)
        return primitive.fast(
            place, flag(exclusive, "exclusive", title), flag(reverse, "reverse", title)
        )(value)

    return function


@op(ir.CumSum, _scan(lambda dtype: 0))
def cumsum(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The sums of the elements so far along `axis`. `exclusive`: of those before an element only,
    so that 0 comes first. `reverse`: from the last element on.

    Args:
        x: A tensor of numbers.
        axis: The axis along which the sums go.
        exclusive: Whether an element's own value is left out.
        reverse: Whether to begin at the last element.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.cumsum([2, 4, 6, 8]))
    tf.Tensor([ 2  6 12 20], shape=(4,), dtype=int32)
    >>> print(tf.cumsum([2, 4, 6, 8], exclusive=True, reverse=True))
    tf.Tensor([18 14  8  0], shape=(4,), dtype=int32)
    """


@op(ir.CumProd, _scan(lambda dtype: 1))
def cumprod(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The products of the elements so far along `axis`. `exclusive`: of those before an element
    only, so that 1 comes first. `reverse`: from the last element on.

    The gradient is right at zeros too (TensorFlow's is 0 there).

    Args:
        x: A tensor of numbers.
        axis: The axis along which the products go.
        exclusive: Whether an element's own value is left out.
        reverse: Whether to begin at the last element.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.cumprod([2, 3, 5]))
    tf.Tensor([ 2  6 30], shape=(3,), dtype=int32)
    """


@op(ir.CumMax, _scan(lambda dtype: -math.inf if dtype.is_floating else dtype.min))
def cummax(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The largest of the elements so far along an axis; nan from the first nan on. Of equals, the
    first has the gradient.

    TensorFlow has no such function: there it takes a `tf.scan`.

    Args:
        x: A tensor of real numbers.
        axis: The axis.
        exclusive: Whether an element's own value is left out, so that -inf (or the least integer)
            comes first.
        reverse: Whether to begin at the last element.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).
        TypeError: If the axis is no integer.
        UnimplementedError: If it is computed in a trace.

    >>> import tfc as tf
    >>> print(tf.math.cummax([2, 4, 1, 8, 3]))
    tf.Tensor([2 4 4 8 8], shape=(5,), dtype=int32)
    """


@op(ir.CumMin, _scan(lambda dtype: math.inf if dtype.is_floating else dtype.max))
def cummin(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The smallest of the elements so far along an axis; nan from the first nan on. Of equals, the
    first has the gradient.

    Args:
        x: A tensor of real numbers.
        axis: The axis.
        exclusive: Whether an element's own value is left out, so that inf (or the largest integer)
            comes first.
        reverse: Whether to begin at the last element.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).
        TypeError: If the axis is no integer.
        UnimplementedError: If it is computed in a trace.

    >>> import tfc as tf
    >>> print(tf.math.cummin([2, 4, 1, 8, 3], reverse=True))
    tf.Tensor([1 1 1 3 3], shape=(5,), dtype=int32)
    """


@op(ir.CumLogSumExp, _scan(lambda dtype: -math.inf))
def cumulative_logsumexp(
    x: TensorLike,
    axis: AxisLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """log(exp(x[0]) + exp(x[1]) + ...) of the elements so far along an axis, without overflow.

    Args:
        x: A tensor of floats.
        axis: The axis.
        exclusive: Whether an element's own value is left out, so that -inf comes first.
        reverse: Whether to begin at the last element.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).
        TypeError: If the axis is no integer.
        UnimplementedError: If it is computed in a trace.

    >>> import tfc as tf
    >>> print(tf.math.cumulative_logsumexp([0.0, 1000.0]))
    tf.Tensor([   0. 1000.], shape=(2,), dtype=float32)
    """
