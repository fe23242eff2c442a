"""Passes over kernels: `expand` writes every scalar op as ones that machines have.

Transcendental functions become the polynomials of ir/kernels/expand; float16 and bfloat16 are
computed in float32 and rounded after each op; conversions that saturate become compares and
selects. Before that, complex numbers become pairs (split_complex.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra import Term, where
from ..core import Builder, Function, Op, Value, copy_op
from ..dtypes import DType, as_dtype, bfloat16, bool_, float16, float32, float64, int32
from ..ops.control import Control
from ..ops.elementwise import (
    Abs,
    Atan2,
    Bitcast,
    Cast,
    Comparison,
    Elementwise,
    Floor,
    FloorDiv,
    FloorMod,
    IsNan,
    LogicalNot,
    Maximum,
    Minimum,
    NotEqual,
    Pow,
    Relu,
    Select,
    Sign,
    Transcendental,
    Truncate,
)
from ..ops.special import Special
from . import expand as polynomials
from .expand_emitter import IrEmitter
from .ops import Launch
from .split_complex import split

RULES = ("fold", "simplify", "cse")

EXPANDED = (
    *(Transcendental, Special, Atan2, Pow, Maximum, Minimum, Relu, Sign, IsNan, LogicalNot),
    *(Cast, Abs, FloorDiv),  # for some dtypes
)


def expand(f: Function) -> Function:
    """Rewrite the scalar ops of all kernels. Ops that stay as they are belong to both functions."""
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if isinstance(op, Launch):
            kernel, _ = _region(split(op.kernel), {}, Builder(rules=RULES))
            inputs = tuple(env.get(v, v) for v in op.inputs)
            results = b.emit_all(op.replace(inputs=inputs, kernel=kernel))
            env.update(zip(op.results, results, strict=True))
        elif isinstance(op, Control):
            regions = {name: expand(getattr(op, name)) for name in op.spec.regions}
            here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
            env.update(zip(op.results, b.emit_all(here), strict=True))
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _region(region: Function, env: dict[Value, Value], b: Builder) -> tuple[Function, set[Value]]:
    """A kernel or loop body with its ops expanded and what nobody uses dropped; and all values
    that it uses. `env` says what became of the values around it that changed."""
    uses: dict[Op, set[Value]] = {}  # what loops use in their bodies
    for op in region.body:
        b.location = op.location
        same = not env or env.keys().isdisjoint(op.operands)
        if op.regions and not op.closed:
            inner = {n: _region(getattr(op, n), dict(env), b.inner()) for n in op.spec.regions}
            here = op if same else op.with_operands(lambda v: env.get(v, v))
            here = here.replace(**{n: body for n, (body, _) in inner.items()})
            env.update(zip(op.results, b.emit_all(here), strict=True))
            uses[here] = set().union(*(used for _, used in inner.values()))
        elif same and _native(op):
            results = b.keep(op)
            if results is not op.results:
                env.update(zip(op.results, results, strict=True))
        elif isinstance(op, Elementwise):
            env[op.result] = scalar(b, op.with_operands(lambda v: env.get(v, v)))
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in region.returns)
    used, kept = set(returns), []
    for op in reversed(b.body):
        if op.effect or not used.isdisjoint(op.results):
            kept.append(op)
            used.update(op.operands)
            if op.regions and not op.closed:
                used.update(uses[op] if op in uses else _used_inside(op))
    kept.reverse()
    return Function(region.name, region.params, tuple(kept), returns, region.notes), used


def _used_inside(op: Op) -> set[Value]:
    """What the loops of an expansion use."""
    return {v for f in op.regions for inner in f.walk() for v in inner.operands}.union(
        *(f.returns for f in op.regions)
    )


def _native(op: Op) -> bool:
    """Whether the backends surely have `op` as it is."""
    if isinstance(op, EXPANDED):
        return False
    return all(v.dtype.compute is v.dtype for v in op.operands)


def scalar(b: Builder, op: Op) -> Value:
    """The scalar op `op` (not yet emitted) in terms of ops that the backends have."""
    operand = op.operands[-1]
    narrow = operand.dtype.compute is not operand.dtype
    if isinstance(op, Cast):
        return _cast(b, op.x, op.dtype)
    if narrow and not isinstance(op, Select | Bitcast):
        wide = [_cast(b, v, float32) if v.dtype is operand.dtype else v for v in op.operands]
        mapping = dict(zip(op.operands, wide, strict=True))
        result = scalar(b, op.with_operands(lambda v: mapping[v]))
        keeps = not isinstance(op, Comparison | IsNan | Truncate)
        return _cast(b, result, operand.dtype) if keeps else result
    value: Value
    match op:
        case Transcendental() | Atan2() | Special():
            return _polynomial(b, op)
        case Pow() if operand.dtype.is_floating:
            return _polynomial(b, op)
        case Pow(x=x, y=y):
            return _integer_power(b, x, y)
        case FloorDiv(x=x, y=y) if operand.dtype.is_floating:
            value = b.emit(Floor((Term(b, x) / Term(b, y)).value))
        case Maximum(x=x, y=y):
            first = Term(b, x)._emit("greater", Term(b, y))
            value = where(_or_nan(b, first, x), Term(b, x), Term(b, y)).value
        case Minimum(x=x, y=y):
            first = Term(b, x)._emit("less", Term(b, y))
            value = where(_or_nan(b, first, x), Term(b, x), Term(b, y)).value
        case Relu(x=x):
            value = where(Term(b, x) <= 0, Term(b, x).const(0), Term(b, x)).value
        case Sign(x=x):
            t = Term(b, x)
            negative = t if x.dtype.is_unsigned else where(t < 0, t.const(-1), t)
            value = where(t > 0, t.const(1), negative).value
        case IsNan(x=x):
            value = b.emit(NotEqual(x, x))
        case LogicalNot(x=x):
            value = Term(b, x)._emit("bitwise_xor", True).value
        case Abs(x=x) if not x.dtype.is_floating:
            t = Term(b, x)
            value = x if x.dtype.is_unsigned else where(t < 0, -t, t).value
        case FloorMod():
            value = b.emit(op)
        case _:
            value = b.emit(op)
    return value


def _or_nan(b: Builder, condition: Term, x: Value) -> Term:
    if not x.dtype.is_floating:
        return condition
    return condition._emit("bitwise_or", Term(b, b.emit(NotEqual(x, x))))


def _polynomial(b: Builder, op: Op) -> Value:
    emitter = IrEmitter(b)
    arguments = [polynomials.Scalar(emitter, v, v.dtype.short) for v in op.operands]
    function: Callable[..., Any] = getattr(polynomials, op.mnemonic)
    value: Value = function(*arguments, *op.attributes.values()).value
    return value


def _integer_power(b: Builder, x: Value, y: Value) -> Value:
    """x**y by squaring, one step for every bit that y may have; wraps. 0 for y < 0, but for the
    x that have an inverse (1 and -1)."""
    base, result = Term(b, x), Term(b, x).const(1)
    exponent = Term(b, y)
    for bit in range(x.dtype.bits - (not x.dtype.is_unsigned)):
        odd = exponent._emit("bitwise_and", 1)._emit("not_equal", 0)
        result = where(odd, result * base, result)
        exponent = exponent._emit("shift_right_logical", 1)
        if bit + 1 < x.dtype.bits:
            base = base * base
    if x.dtype.is_unsigned:
        return result.value
    t, n = Term(b, x), Term(b, y)
    even = n._emit("bitwise_and", 1)._emit("equal", 0)
    sign = where(even, t.const(1), t)
    unit = (t * t)._emit("equal", 1)
    inverse = where(unit, sign, t.const(0))
    return where(n < 0, inverse, result).value


def _cast(b: Builder, x: Value, dtype: DType) -> Value:
    """Convert as Cast's docstring says."""
    source: DType = x.dtype
    value: Value
    if source is dtype:
        return x
    if source in (float16, bfloat16) and dtype is not float32:
        return _cast(b, _cast(b, x, float32), dtype)
    if source is bfloat16:
        bits = Term(b, b.emit(Cast(b.emit(Bitcast(x, as_dtype("u16"))), as_dtype("u32"))))
        value = b.emit(Bitcast(bits._emit("shift_left", 16).value, float32))
        return value
    if dtype is bool_:
        return Term(b, x)._emit("not_equal", 0).value
    if dtype in (float16, bfloat16):
        if source is float64 or (source.is_integer and source.bits > 16):
            x = _round_to_odd(b, _cast(b, _fit_float64(b, x), float64))
        elif source is not float32:
            x = b.emit(Cast(x, float32))
        return _to_bfloat16(b, x) if dtype is bfloat16 else b.emit(Cast(x, dtype))
    if source.is_floating and dtype.is_integer:
        return _saturate(b, x, dtype)
    value = b.emit(Cast(x, dtype))
    return value


def _saturate(b: Builder, x: Value, dtype: DType) -> Value:
    t = Term(b, x)
    inside = Term(b, b.emit(Truncate(x, dtype)))
    low, high = int(dtype.min), int(dtype.max)
    result = where(t >= float(high + 1), inside.const(high), inside)
    result = where(t <= float(low), inside.const(low), result)
    nan = Term(b, b.emit(NotEqual(x, x)))
    return where(nan, inside.const(0), result).value


def _fit_float64(b: Builder, x: Value) -> Value:
    """An integer of 64 bits that float64 holds: beyond 2^53 the low 11 bits become one sticky bit
    above them, so that one more rounding gives what rounding x once would have."""
    if not x.dtype.is_integer or x.dtype.bits < 64:
        return x
    t = Term(b, x)
    low = (1 << 11) - 1
    kept = t._emit("bitwise_and", -1 - low if not x.dtype.is_unsigned else (1 << 64) - 1 - low)
    exact = t._emit("bitwise_and", low)._emit("equal", 0)
    odd = where(exact, kept, kept._emit("bitwise_or", low + 1))
    large = t >= 1 << 53
    if not x.dtype.is_unsigned:
        large = large._emit("bitwise_or", t <= -(1 << 53))
    return where(large, odd, t).value


def _round_to_odd(b: Builder, x: Value) -> Value:
    """f64 to f32 so that one more rounding gives what rounding once would have (Boldo and
    Melquiond, "Emulation of FMA and correctly rounded sums", 2008): inexact results are cut
    towards zero and made odd."""
    t, y = Term(b, x), b.emit(Cast(x, float32))
    back = Term(b, b.emit(Cast(y, float64)))
    bits = Term(b, b.emit(Bitcast(y, int32)))
    larger = Term(b, b.emit(Abs(back.value))) > Term(b, b.emit(Abs(x)))
    odd = where(larger, bits - 1, bits)._emit("bitwise_or", 1)
    exact = back._emit("equal", t)._emit("bitwise_or", Term(b, b.emit(NotEqual(x, x))))
    return b.emit(Bitcast(where(exact, bits, odd).value, float32))


def _to_bfloat16(b: Builder, x: Value) -> Value:
    """The upper half of an f32, rounded to nearest even."""
    bits = Term(b, b.emit(Bitcast(x, as_dtype("u32"))))
    upper = bits._emit("shift_right_logical", 16)
    rounded = (bits + (upper._emit("bitwise_and", 1) + 0x7FFF))._emit("shift_right_logical", 16)
    nan = Term(b, b.emit(NotEqual(x, x)))
    quiet = upper._emit("bitwise_or", 0x40)
    chosen = where(nan, quiet, rounded).value
    return b.emit(Bitcast(b.emit(Cast(chosen, as_dtype("u16"))), bfloat16))
