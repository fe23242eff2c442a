"""Rewrite rules: what may stand in an op's place.

What a rule may assume of floats: nothing that IEEE 754 does not promise. x + 0.0 is not x (for
x = -0.0), x * 0 is not 0 (nan, inf, -0.0), x / c is not x * (1/c). A rule never makes code worse,
and moves in one direction only, so that the set terminates. Integers wrap, so their ring laws
are exact; index arithmetic (i64 scalars in kernels) lives from them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .core import Builder, Op, Value
from .dtypes import int64
from .ops.complex import Complex, Conj, Imag, Real
from .ops.elementwise import (
    Abs,
    Add,
    Bitcast,
    BitwiseAnd,
    BitwiseOr,
    Cast,
    Div,
    FloorDiv,
    FloorMod,
    Link,
    LogicalNot,
    Maximum,
    Minimum,
    Mul,
    Neg,
    Select,
    Sub,
)
from .ops.shape import Broadcast, Concat, Constant, Reshape, Reverse, Slice, Transpose
from .ops.window import Axis, Conv

SAME_ELEMENTS = (Broadcast, Reshape, Reverse, Transpose)  # all that they have is their operand's


def literal(value: Value) -> bool | int | float | None:
    """The number that all elements of `value` are known to have, or None (see `Number`)."""
    op = value.op
    if type(op) is Constant:
        return op.number.literal
    return literal(op.x) if isinstance(op, SAME_ELEMENTS) else None


def _arithmetic(op: Op, b: Builder) -> Value | None:
    if op.operands[0].dtype.is_integer:
        return integer_law(op, b)
    match op:
        case Mul(x=x, y=y) if literal(y) == 1:  # these are exact for every float
            return b.by("x * 1 = x", x)
        case Div(x=x, y=y) if literal(y) == 1:
            return b.by("x / 1 = x", x)
        case Mul(x=x, y=y) if literal(x) == 1:
            return b.by("1 * x = x", y)
    return None


def _elementwise(op: Op, b: Builder) -> Value | None:
    match op:
        case Neg(x=Value(op=Neg(x=x))):
            return b.by("-(-x) = x", x)
        case Conj(x=Value(op=Conj(x=x))):
            return b.by("conj(conj(x)) = x", x)
        case Real(x=Value(op=Complex(x=x))):
            return b.by("real(x + iy) = x", x)
        case Imag(x=Value(op=Complex(y=x))):
            return b.by("imag(x + iy) = y", x)
        case Abs(x=Value(op=Abs()) as x):
            return b.by("||x|| = |x|", x)
        case LogicalNot(x=Value(op=LogicalNot(x=x))):
            return b.by("not not x = x", x)
        case BitwiseAnd(x=x, y=y) | BitwiseOr(x=x, y=y) | Maximum(x=x, y=y) | Minimum(x=x, y=y) if (
            x is y
        ):
            return b.by(f"{op.mnemonic}(x, x) = x", x)
        case BitwiseAnd(x=x, y=y) | BitwiseOr(x=x, y=y) if literal(x) is not None:
            if literal(y) is None:
                return b.by("constants stand to the right", b.emit(type(op)(y, x)))
        case BitwiseAnd(x=x, y=y) if (number := literal(y)) is not None:
            if number is True or number == -1:
                return b.by("x & all ones = x", x)
            if number == 0:
                return b.by("x & 0 = 0", y)
        case BitwiseOr(x=x, y=y) if (number := literal(y)) is not None:
            if number is True or number == -1:
                return b.by("x | all ones = all ones", y)
            if number == 0:
                return b.by("x | 0 = x", x)
        case Select(condition=condition, x=x, y=y) if literal(condition) is not None:
            if literal(condition):
                return b.by("true ? x : y = x", x)
            return b.by("false ? x : y = y", y)
        case Select(x=x, y=y) if x is y:
            return b.by("c ? x : x = x", x)
        case Cast(x=x, dtype=dtype) | Bitcast(x=x, dtype=dtype) if x.dtype is dtype:
            return b.by("it has this dtype already", x)
        case Bitcast(x=Value(op=Bitcast(x=x)), dtype=dtype):
            return b.by("two bitcasts are one", b.emit(Bitcast(x, dtype)))
    return None


def integer_law(op: Op, b: Builder) -> Value | None:
    """What the ring laws on integers make of sums, products and quotients, with constants to the
    right; None where they have nothing to say."""
    x, y = op.operands
    number = literal(y)
    if number is None:
        return _integer_of_two(op, b)
    match op:
        case Add() | Sub() if number == 0:
            return b.by("x + 0 = x - 0 = x", x)
        case Mul() | FloorDiv() if number == 1:
            return b.by("x * 1 = x // 1 = x", x)
        case Mul() if number == 0:
            return b.by("x * 0 = 0", y)
        case Sub() if x is y and x.rank == 0:
            return b.by("x - x = 0", b.constant(0, x.dtype))
        case Sub() if x.dtype is int64 and x.rank == 0:
            return b.by("x - c = x + (-c)", b.emit(Add(x, b.constant(-number, int64))))
        case Add(x=Value(op=Add(x=z, y=d))) if x.rank == 0 and literal(d) is not None:
            total = np.add(*(np.asarray(literal(v), v.dtype.numpy) for v in (d, y)))
            whole = b.emit(Add(z, b.emit(Constant(total))))
            return b.by("(x + c) + d = x + (c + d)", whole)
        case FloorMod() if number == 1 and x.rank == 0:
            return b.by("x % 1 = 0", b.constant(0, x.dtype))
    return None


def _integer_of_two(op: Op, b: Builder) -> Value | None:
    """Those where the right operand is no constant."""
    x, y = op.operands
    match op:
        case Add() | Mul() if literal(x) is not None:
            return b.by("constants stand to the right", b.emit(type(op)(y, x)))
        case Sub() if x is y and x.rank == 0:
            return b.by("x - x = 0", b.constant(0, x.dtype))
        case Add(
            x=Value(op=Mul(x=Value(op=FloorDiv(x=x, y=c)), y=d)),
            y=Value(op=FloorMod(x=z, y=e)),
        ) if x is z and _same(c, d) and _same(c, e):
            return b.by("(x // c) * c + x % c = x", x)
    return None


def _same(x: Value, y: Value) -> bool:
    return x is y or (literal(x) is not None and literal(x) == literal(y) and x.type == y.type)


def _index_map(op: Op, b: Builder) -> Value | None:
    """Index maps that are the identity, or two that are one."""
    match op:
        case Reshape(x=x, shape=shape) | Broadcast(x=x, shape=shape) if x.shape == shape:
            return b.by("it has this shape already", x)
        case Reshape(x=Value(op=Reshape(x=x)), shape=shape):
            return b.by("two reshapes are one", b.emit(Reshape(x, shape)))
        case Broadcast(x=Value(op=Broadcast(x=x, dims=inner)), shape=shape, dims=outer) as op if (
            all(e != 1 or shape[d] == 1 for e, d in zip(op.x.shape, outer, strict=True))
        ):
            result = b.emit(Broadcast(x, shape, tuple(outer[d] for d in inner)))
            return b.by("two broadcasts are one", result)
        case Transpose(x=x, perm=perm) if perm == tuple(range(len(perm))):
            return b.by("no axis is moved", x)
        case Transpose(x=Value(op=Transpose(x=x, perm=inner)), perm=outer):
            result = b.emit(Transpose(x, tuple(inner[p] for p in outer)))
            return b.by("two transposes are one", result)
        case Slice(x=x, begin=begin, size=size, strides=strides) if (
            x.shape == size and all(e == 0 for e in begin) and all(s == 1 for s in strides)
        ):
            return b.by("the slice is the whole", x)
        case Reverse(x=Value(op=Reverse(x=x, axes=inner)), axes=axes) if inner == axes:
            return b.by("reversed twice is not at all", x)
        case Concat(xs=(x,)):
            return b.by("one part is the whole", x)
    return None


def _spreading(op: Op, b: Builder) -> Value | None:
    """A filter of ones over a dilated operand, at whose places one element is read each: these
    elements, repeated. That is the gradient of sums over windows that lie side by side."""
    assert isinstance(op, Conv)
    x, w, dilation, rank = op.x, op.w, op.lhs_dilation, op.x.rank
    if literal(w) != 1 or op.groups != x.shape[-1] or op.groups != w.shape[-1]:
        return None
    axes = op.axes(x.shape, w.shape)
    if not axes or not all(_repeats(axis) for axis in axes):
        return None
    n, *extents, channels = x.shape
    pairs = [e for pair in zip(extents, dilation, strict=True) for e in pair]
    dims = (0, *range(1, 2 * rank - 4, 2), 2 * rank - 3)
    # fma(x, 1, 0) + 0 = x + 0
    total = b.emit(Add(x, b.emit(Broadcast(b.constant(0, x.dtype), x.shape, ()))))
    cells = b.emit(Broadcast(total, (n, *pairs, channels), dims))
    return b.by("each place reads one element", b.emit(Reshape(cells, op.result.shape)))


def _repeats(axis: Axis) -> bool:
    """Whether place i surely reads element i // lhs_dilation alone."""
    if not axis.regular() or axis.seen != 1 or axis.stride != 1:
        return False
    # One tap in lhs_dilation reads something, and there are as many. So that place i reads element
    # 0 for all i < lhs_dilation, there must be a tap k with i + k*rhs_dilation = low for each.
    once = axis.low == axis.lhs_dilation - 1 and 1 in (axis.lhs_dilation, axis.rhs_dilation)
    return once and axis.places == axis.extent * axis.lhs_dilation


# What each gives equals the single result of an op, and is cheaper; or it is None.
RULES: dict[type[Op], Callable[[Op, Builder], Value | None]] = {
    **dict.fromkeys((Add, Sub, Mul, Div, FloorDiv, FloorMod), _arithmetic),
    **dict.fromkeys((Neg, Abs, LogicalNot, BitwiseAnd, BitwiseOr, Maximum, Minimum), _elementwise),
    **dict.fromkeys((Select, Cast, Bitcast, Conj, Real, Imag), _elementwise),
    **dict.fromkeys((Reshape, Broadcast, Transpose, Slice, Reverse, Concat), _index_map),
    Conv: _spreading,
    Link: lambda op, b: b.by("the derivative has been taken", op.operands[0]),
}

Builder.simplifies = RULES
