"""Padding: constants or the tensor's own elements around it."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.extent import Expr, Extent

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor, wrap
from ...core.types import TensorLike
from ...dispatch.primitive import Primitive, measured
from ..arguments import one_of
from ..extents import _require, _shape, extents_of
from .shaping import reshape
from .sizes import numbers_of

_py_range = builtins.range


def _pad(b: Builder, x: Value, fill_: Value, low: Any, high: Any) -> Value:
    shape_ = tuple(a + e + z for a, e, z in zip(low, x.shape, high, strict=True))
    return b.emit(ir.Pad(x, fill_, low, shape_, (1,) * x.rank))


def _mirror(
    b: Builder, x: Value, axes: tuple[int, ...], skipped: int, low: Any, high: Any
) -> Value:
    """x with its own first and last elements in reverse around it, from `skipped` of them on."""
    for axis in axes:
        n, edges = x.shape[axis], []
        for start, size in ((skipped, low[axis]), (n - skipped - high[axis], high[axis])):
            begin = tuple(start if a == axis else 0 for a in _py_range(x.rank))
            sizes = tuple(size if a == axis else e for a, e in enumerate(x.shape))
            edge = b.emit(ir.Slice(x, begin, sizes, (1,) * x.rank))
            edges.append(b.emit(ir.Reverse(edge, (axis,))))
        x = b.emit(ir.Concat((edges[0], x, edges[1]), axis))
    return x


_constant, _mirrored = Primitive(_pad, "pad"), Primitive(_mirror, "pad")


def pad(
    tensor: TensorLike,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """More elements around those of `tensor`: paddings[i] = (before, after) along axis i.

    With `mode` "CONSTANT" they are `constant_values`, with "REFLECT" the tensor's own mirrored at
    its first and last elements, with "SYMMETRIC" mirrored with those.

    Args:
        tensor: A tensor of any dtype.
        paddings: [[before, after], ...]: two integers for each axis.
        mode: "CONSTANT", "REFLECT" or "SYMMETRIC", in any case.
        constant_values: The value of the new elements, for the first mode.

    Returns:
        A tensor of the dtype of `tensor`, whose extents are before + extent + after.

    Raises:
        InvalidArgumentError: If there are more mirrored elements than there are elements
            (ValueError while tracing).
        ValueError: If `mode` is another one.

    >>> import tfc as tf
    >>> print(tf.pad([1, 2, 3], [[2, 1]], "REFLECT"))
    tf.Tensor([3 2 1 2 3 2], shape=(6,), dtype=int32)
    """
    x, kind = operand("pad", tensor), mode.upper() if isinstance(mode, str) else mode
    rows = _pairs(paddings)
    if len(rows) != len(x.shape):
        shape = ",".join(map(str, extents_of(x)))
        raise blame.invalid(
            f"The first dimension of paddings must be the rank of inputs [{len(rows)},2] [{shape}]",
            "pad",
        )
    for row in rows:
        if any(isinstance(n, int) and n < 0 for n in row):
            raise blame.invalid(f"Paddings must be non-negative: {row[0]} {row[1]}", "pad")
    low, high = (_shape([r[i] for r in rows], "pad") for i in (0, 1))
    if isinstance(mode, str) and kind == "CONSTANT":
        plain = isinstance(constant_values, int) and not constant_values
        zero = wrap(x.dtype.zeros())
        value = zero if plain else operand("pad", constant_values, x.dtype)
        return _constant(x, value, static=(low, high))
    if not one_of(kind, ("REFLECT", "SYMMETRIC")):
        raise blame.value_error(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {mode}",
            "pad",
        )
    skipped = int(kind == "REFLECT")
    axes = tuple(a for a, r in enumerate(rows) if tuple(r) != (0, 0))
    for a in axes:
        extent = extents_of(x)[a]
        for size in (low[a], high[a]):
            left = extent - skipped - size
            if isinstance(left, int) and left < 0:
                than, but = ("less than", "not less than"), ("no greater than", "greater than")
                want, got = than if skipped else but
                raise blame.invalid(
                    f"paddings must be {want} the dimension size: {low[a]}, {high[a]} {got} "
                    f"{extent}",
                    "pad",
                )
            _require(left)
    return _mirrored(x, static=(axes, skipped, low, high))


def _pairs(paddings: Any) -> list[tuple[Extent, ...]]:
    """Rows of paddings as extents."""
    if isinstance(paddings, SymbolicTensor):
        rows = paddings.shape[0] if paddings.shape.rank == 2 else None
        if rows is None:
            raise blame.unknown_extent("paddings must be a matrix of a known number of rows", "pad")
        flat = numbers_of(reshape(paddings, [-1]))
        paddings = [flat[2 * i : 2 * i + 2] for i in _py_range(rows)]
    elif not isinstance(paddings, list | tuple):
        paddings = np.asarray(paddings).tolist()
    result = []
    for row in paddings:
        numbers = [n if isinstance(n, int | Expr) else measured(n) for n in numbers_of(row)]
        if len(numbers) != 2:
            raise blame.invalid("paddings must be a matrix with 2 columns", "pad")
        result.append(tuple(numbers))
    return result
