"""Extents, axes and shapes, as users give them, and what is taken of them for granted."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.extent import Expr, Extent, symbols

from ..core import blame
from ..core.context import context
from ..core.formatting import shown
from ..core.placement import is_on_host
from ..core.tensor import Held, SymbolicTensor, Tensor
from ..dispatch.known import known_elements
from ..dispatch.primitive import Sizes, measured, primitive
from ..dispatch.tracing import current

AXES_MAX = 64  # of an ndarray


def listed(x: Any) -> str:
    """The shape of a tensor as TensorFlow's runtime writes it: [4,4,1]."""
    return f"[{','.join(map(str, extents_of(x)))}]"


def extents_of(tensor: Any) -> tuple[Extent, ...]:
    """The extents of a tensor, symbols included."""
    if isinstance(tensor, SymbolicTensor):
        shape: tuple[Extent, ...] = tensor._value.shape
        return shape
    return tuple(tensor._array.shape)


def as_extents(shape: Any, name: str) -> tuple[Extent, ...]:
    """A shape given as ints, tensors, a TensorShape or one tensor; -1 is allowed.

    What is computed inside of a tfc.function becomes extents that depend on data."""
    if isinstance(shape, SymbolicTensor):
        if shape._extents is None:
            if not shape.dtype.is_integer or shape.shape.rank not in (0, 1):
                raise blame.invalid("a shape must be a vector of integers", name)
            if shape.shape.rank and shape.shape[0] is None:
                raise blame.unknown_extent("the rank of a shape must be known while tracing", name)
            known = known_elements(shape)
            if known is not None:
                return tuple(known.reshape(-1).tolist())
            scalars = _scalars(shape) if shape.shape.rank else [shape]
            return tuple(measured(d) for d in scalars)
        found = shape._extents
        return tuple(found) if isinstance(found, tuple) else (found,)
    if isinstance(shape, Held):
        shape = np.asarray(shape)
    if isinstance(shape, np.ndarray):
        shape = shape.tolist()
    if isinstance(shape, int | np.integer | Expr):
        shape = [shape]
    if not hasattr(shape, "__iter__"):
        raise blame.type_error(f"a shape must be integers, got {shown(shape)}", name)
    result: list[Extent] = []
    for d in shape:
        if isinstance(d, SymbolicTensor):
            if d.dtype.is_floating and d.shape.rank == 0:  # TensorFlow packs it as an integer
                known = known_elements(d)
                result.append(measured(d) if known is None else int(known.item()))
                continue
            (extent,) = as_extents(d, name)
            result.append(extent)
        elif isinstance(d, Expr):
            result.append(d)
        elif d is None:
            raise blame.value_error(f"the shape {tuple(shape)} is not fully known", name)
        elif isinstance(d, list | tuple):
            raise blame.invalid(f"a shape must be 1-D, got {shown(shape)}", name)
        else:
            result.append(_integer(d, "an extent", name))
    return tuple(result)


def known_extents(x: Tensor) -> tuple[Extent, ...] | None:
    """The numbers in a vector of integers that are known while tracing, as those of a shape are."""
    if isinstance(x, SymbolicTensor):
        return x._extents if isinstance(x._extents, tuple) else None
    array = x._array
    if not is_on_host(array) or array.ndim != 1 or array.size > AXES_MAX:
        return None
    return tuple(array.tolist()) if array.dtype.kind in "iu" else None


@primitive
def _scalars(b: Builder, vector: Value) -> Any:
    """The numbers of a vector of known length, each by itself."""
    (count,) = vector.shape
    assert isinstance(count, int)
    parts = (
        [vector]
        if count == 1
        else [b.emit(ir.Slice(vector, (i,), (1,), (1,))) for i in range(count)]
    )
    return tuple(b.emit(ir.Reshape(part, ())) for part in parts)


def _shape(shape: Any, name: str) -> Sizes:
    extents = as_extents(shape, name)
    if len(extents) > AXES_MAX:
        raise blame.invalid(f"a tensor has at most {AXES_MAX} axes, got {len(extents)}", name)
    if any(isinstance(e, int) and e < 0 for e in extents):
        raise blame.invalid(
            f"Dimension {min(e for e in extents if isinstance(e, int))} must be >= 0: {extents}",
            name,
        )
    if math.prod(e for e in extents if isinstance(e, int) and e) >= 2**63:
        raise blame.invalid(f"Encountered overflow when multiplying the extents {extents}", name)
    return Sizes(extents)


def _integer(value: Any, what: str, name: str) -> int:
    """`value` as an int, also of a float that is whole; what only a call of the function computes
    is none."""
    if isinstance(value, SymbolicTensor):
        known = known_elements(value)
        if known is None:
            raise blame.unknown_value(
                f"{what} must be known while a function is traced, and this one is computed in it: "
                f"give a Python number, or make it from numbers alone ({value!r})",
                name,
                value,
            )
        value = known.item() if known.size == 1 else known
    elif isinstance(value, Held) and value.dtype.is_floating and value.shape.rank == 0:
        value = np.asarray(value).item()
    try:
        if isinstance(value, float | np.floating) and value.is_integer():
            return int(value)
        return operator.index(value)
    except TypeError:
        raise blame.type_error(f"{what} must be an integer, got {shown(value)}", name) from None


def _require(extent: Extent) -> None:
    """Take `extent` not to be negative, where only run time can tell; what a function was traced
    for with symbols is traced again where it is."""
    if isinstance(extent, Expr) and context.trace is not None:
        context.trace.require(extent)


def _require_equal(a: Extent, b: Extent) -> None:
    """Take two extents to be equal, where only run time can tell."""
    trace, difference = current(), a - b
    if trace is not None and trace.builder.measured.intersection(symbols(difference)):
        trace.builder.emit_all(ir.SameExtent(a, b))  # not to be known before the call
        return
    _require(a - b)
    _require(b - a)


def _axis(
    axis: Any, rank: int, name: str, text: str = "axis {axis} is out of range for rank {rank}"
) -> int:
    """An axis as a number from 0 on. `text` is the message where it is none of a tensor of this
    rank."""
    a = _integer(axis, "an axis", name)
    if not -rank <= a < rank:
        raise blame.invalid(text.format(axis=a, rank=rank), name)
    return a % rank


def extent_operand(value: Any, name: str) -> Extent:
    """An extent given as an int or an integer scalar, which may be computed in a trace."""
    if isinstance(value, SymbolicTensor) and value._extents is None:
        return measured(value)
    extent, *more = as_extents(value, name) or (None,)
    if more or extent is None:
        raise blame.type_error(f"an integer scalar is needed, got {shown(value)}", name)
    if isinstance(extent, int) and extent < 0:
        raise blame.invalid(f"a count must not be negative, got {extent}", name)
    return extent
