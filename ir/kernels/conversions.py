"""Conversions between dtypes, in terms of those that machines have."""

from __future__ import annotations

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import DType, as_dtype, bfloat16, bool_, float16, float32, float64, int32
from ..ops.elementwise import Abs, Bitcast, Cast, NotEqual, Truncate


def cast(b: Builder, x: Value, dtype: DType) -> Value:
    """Convert as Cast's docstring says."""
    source: DType = x.dtype
    value: Value
    if source is dtype:
        return x
    if source in (float16, bfloat16) and dtype is not float32:
        return cast(b, cast(b, x, float32), dtype)
    if source is bfloat16:
        bits = Term(b, b.emit(Cast(b.emit(Bitcast(x, as_dtype("u16"))), as_dtype("u32"))))
        value = b.emit(Bitcast(bits._emit("shift_left", 16).value, float32))
        return value
    if dtype is bool_:
        return Term(b, x)._emit("not_equal", 0).value
    if dtype in (float16, bfloat16):
        if source is float64 or (source.is_integer and source.bits > 16):
            x = _round_to_odd(b, cast(b, _fit_float64(b, x), float64))
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
