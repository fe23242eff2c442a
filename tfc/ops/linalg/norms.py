"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.ops.matrices import converted

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import broadcast_to, primitive
from ..arguments import flag, number, one_of
from ..array.shaping import expand_dims, transpose
from ..extents import _integer
from ..math.reductions import _axes, _kept, reduce_max
from .factorisations import svd


@primitive
def _norm(b: Builder, x: Value, order: Any, axes: tuple[int, ...], keepdims: bool) -> Value:
    _only_inexact(x, "norm")
    return norm_of(b, x, order, axes, keepdims)


def _only_inexact(x: Value, name: str) -> None:
    if x.dtype.kind not in "fc":
        raise OpError(f"{name}: not defined for dtype {x.dtype.name}", "dtype")


def norm_of(b: Builder, x: Value, order: Any, axes: tuple[int, ...], keepdims: bool) -> Value:
    """IR for a norm over `axes`: "euclidean" or the order of a vector norm; for a pair of axes
    also ("matrix", order), where axes[0] are the rows."""
    if isinstance(order, tuple):
        return _matrix_norm(b, x, order[1], axes, keepdims)
    if order == "euclidean":
        square = _magnitude_squared(b, x)
        root = b.emit(ir.Sqrt(b.emit(ir.ReduceSum(square, axes)) if axes else square))
        root = converted(b, root, x.dtype)
        return _kept(b, x, root, axes, keepdims) if axes else root
    size = b.emit(ir.Abs(x))
    if not axes:
        return size
    if order == np.inf:
        total = b.emit(ir.ReduceMax(size, axes))
    elif order == 1:
        total = b.emit(ir.ReduceSum(size, axes))
    else:
        power = b.emit(ir.Pow(size, Term(b, size).const(order).value))
        summed = b.emit(ir.ReduceSum(power, axes))
        total = b.emit(ir.Pow(summed, Term(b, summed).const(1.0 / order).value))
    return _kept(b, x, total, axes, keepdims)


def _magnitude_squared(b: Builder, x: Value) -> Value:
    if x.dtype.is_complex:
        re, im = (Term(b, b.emit(part(x))) for part in (ir.Real, ir.Imag))
        return (re * re + im * im).value
    return b.emit(ir.Mul(x, x))


def _matrix_norm(b: Builder, x: Value, order: Any, axes: tuple[int, ...], keepdims: bool) -> Value:
    rows, columns = axes
    summed, largest = (rows, columns) if order == 1 else (columns, rows)
    totals = b.emit(ir.ReduceSum(b.emit(ir.Abs(x)), (summed,)))
    top = b.emit(ir.ReduceMax(totals, (largest - (summed < largest),)))
    return _kept(b, x, top, axes, keepdims)


def _resolved(x: Any, ord: Any, axis: Any, name: str) -> tuple[Any, tuple[int, ...]]:
    """What `norm_of` takes for TensorFlow's `ord` and `axis`."""
    pair = isinstance(axis, tuple | list)
    if pair:
        axis = [_integer(a, "axis", name) for a in axis]
    if pair and len(axis) == 1:
        axis, pair = axis[0], False
    if pair:
        if len(axis) != 2 or len({a % max(len(x.shape), 1) for a in axis}) != 2:
            raise blame.value_error(
                "'axis' must be None, an integer, or a tuple of 2 unique integers, got "
                f"{tuple(axis)}",
                name,
            )
        if not one_of(ord, ("euclidean", "fro", 1, 2, np.inf)):
            raise blame.value_error(
                "'ord' must be a supported matrix norm in "
                f"['euclidean', 'fro', 1, 2, inf], got {ord}",
                name,
            )
        _axes(x, list(axis), name)  # checks them
        axes = tuple(a % len(x.shape) for a in axis)
        if ord in ("euclidean", "fro"):
            return "euclidean", tuple(sorted(axes))
        return ("matrix", ord), axes
    if isinstance(ord, str):
        if ord != "euclidean":
            raise blame.value_error(
                f"'ord' must be a supported vector norm, got {ord!r} (and 'fro' is for matrices: "
                "give a pair of axes)",
                name,
            )
    elif not number(ord, "'ord'", name) > 0:
        raise blame.value_error(f"'ord' must be a positive number, got {ord}", name)
    order = "euclidean" if ord in ("euclidean", 2) else ord
    return order, _axes(x, axis, name)


def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: AxisLike | None = None,
    keepdims: Any = None,
    name: str | None = None,
) -> Tensor:
    """The norm of vectors or matrices.

    Over one axis (None: all elements) it is a vector's: `ord` is "euclidean", 1, 2, inf or any
    positive p, sum(|x|^p)^(1/p). Over a pair of axes (rows, columns) it is a matrix's: "euclidean"
    or "fro", 1 (the largest column sum), inf (the largest row sum) or 2 (the largest singular
    value). `keepdims` keeps the axes with extent 1. Floats and complex numbers.

    The euclidean norm of complex numbers has their dtype, and the others are real; its gradient at
    zero is nan. Both are so in TensorFlow.

    Args:
        tensor: A tensor of floats or complex numbers.
        ord: "euclidean", "fro", 1, 2, inf, or any positive number for vectors.
        axis: An axis for vectors, a pair for matrices; None: one vector of all elements.
        keepdims: Whether the axes stay, with extent 1.

    Returns:
        A tensor without these axes.

    Raises:
        ValueError: If `ord` is no norm.

    >>> import tfc as tf
    >>> print(tf.norm([3.0, 4.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    x = operand("norm", tensor)
    if isinstance(ord, Held):
        ord = number(ord, "'ord'", "norm")
    if is_unknown(axis):
        if len(axis.shape):
            raise blame.unknown_value(
                "the axes of a matrix norm must be known while a function is traced: give a pair "
                "of Python numbers",
                "norm",
                axis,
            )
        along: Tensor = above.reduced_along(
            lambda rows, axis: norm(rows, ord, axis),
            x,
            axis,
            flag(keepdims, "keepdims", "norm"),
            "norm",
        )
        return along
    order, axes = _resolved(x, ord, axis, "norm")
    if order == ("matrix", 2):
        return _spectral(x, axes, flag(keepdims, "keepdims", "norm"))
    return _norm.fast(order, axes, flag(keepdims, "keepdims", "norm"))(x)


@primitive
def _normalize(b: Builder, x: Value, order: Any, axes: tuple[int, ...]) -> Any:
    _only_inexact(x, "normalize")
    size = norm_of(b, x, order, axes, True)
    return _quotient(b, x, size), size


def _quotient(b: Builder, x: Value, size: Value) -> Value:
    spread = broadcast_to(b, converted(b, size, x.dtype), x.shape)
    return b.emit(ir.Div(x, spread))


@primitive
def _divided(b: Builder, x: Value, size: Value) -> Value:
    return _quotient(b, x, size)


def normalize(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: AxisLike | None = None,
    name: str | None = None,
) -> Any:
    """A tensor divided by its norm, and the norm.

    Args:
        tensor: A tensor of floats or complex numbers.
        ord: Which norm, as of `norm`: "euclidean", a positive number or inf for vectors;
            "euclidean", "fro", 1, 2 or inf for matrices.
        axis: The axis of vectors, or a pair of those of matrices; None: the whole tensor is one
            vector.

    Returns:
        A pair (normalised, norm): one like `tensor`, and the norms, real, whose axes stay with
        extent 1. What has the norm 0 becomes nan.

    Raises:
        ValueError: If there is no such norm.
        InvalidArgumentError: If an axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> y, size = tf.linalg.normalize([[3.0, 4.0], [0.0, 2.0]], axis=1)
    >>> print(y, size.numpy().tolist())
    tf.Tensor(
    [[0.6 0.8]
     [0.  1. ]], shape=(2, 2), dtype=float32) [[5.0], [2.0]]
    """
    x = operand("normalize", tensor)
    order, axes = _resolved(x, ord, axis, "normalize")
    if order == ("matrix", 2):
        size = _spectral(x, axes, True)
        return _divided.fast()(x, size), size
    return _normalize.fast(order, axes)(x)


def _spectral(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """The largest singular value of matrices whose rows and columns are `axes`."""
    rest = tuple(a for a in range(len(x.shape)) if a not in axes)
    top = reduce_max(svd(transpose(x, (*rest, *axes)), compute_uv=False), -1)
    if not keepdims:
        return top
    for a in sorted(axes):
        top = expand_dims(top, a)
    return top
