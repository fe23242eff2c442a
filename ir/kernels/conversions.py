"""Conversions between dtypes, in terms of those that machines have."""

from __future__ import annotations

import math

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool_,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int32,
)
from ..ops.elementwise import Abs, Bitcast, Cast, NotEqual, Truncate


def is_native(source: DType, dtype: DType) -> bool:
    """Whether machines surely have the conversion, as `Cast` means it."""
    if source is dtype or dtype is bool_ or (source.is_floating and dtype.is_integer):
        return False
    return source.compute is source and dtype.compute is dtype


def cast(b: Builder, x: Value, dtype: DType) -> Value:
    """Convert as Cast's docstring says."""
    source: DType = x.dtype
    value: Value
    if source is dtype:
        return x
    if source.compute is not source and dtype is not float32:
        return cast(b, cast(b, x, float32), dtype)
    if source is float8_e4m3fn or source is float8_e5m2:
        return _from_float8(b, x)
    if source is bfloat16:
        bits = Term(b, b.emit(Cast(b.emit(Bitcast(x, as_dtype("u16"))), as_dtype("u32"))))
        value = b.emit(Bitcast(bits._emit("shift_left", 16).value, float32))
        return value
    if dtype is bool_:
        return Term(b, x)._emit("not_equal", 0).value
    if dtype.compute is not dtype:
        if source is float64 or (source.is_integer and source.bits > 16):
            x = _round_to_odd(b, cast(b, _fit_float64(b, x), float64))
        elif source is not float32:
            x = b.emit(Cast(x, float32))
        if dtype is float16:
            value = b.emit(Cast(x, dtype))
            return value
        return _to_bfloat16(b, x) if dtype is bfloat16 else _to_float8(b, x, dtype)
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


# The floats of 8 bits ("FP8 Formats for Deep Learning", Micikevicius et al., 2022; OCP OFP8 1.0):
# the width of the mantissa, the bias of the exponent, the code of what is too large, that of nan.
# e5m2 is IEEE's, the upper half of float16; e4m3fn has no infinity, and nan beyond 464 instead.
_FLOAT8 = {float8_e4m3fn: (3, 7, 0x7F, 0x7F), float8_e5m2: (2, 15, 0x7C, 0x7E)}


def _from_float8(b: Builder, x: Value) -> Value:
    """As an f32, by way of f16, which machines convert: exact."""
    bits = Term(b, b.emit(Cast(b.emit(Bitcast(x, as_dtype("u8"))), as_dtype("u16"))))
    if x.dtype is float8_e5m2:
        half = b.emit(Bitcast(bits._emit("shift_left", 8).value, float16))
        value: Value = b.emit(Cast(half, float32))
        return value
    # The four bits of the exponent are the lower ones of float16's five: 2^(15 - 7) is missing.
    magnitude = bits._emit("bitwise_and", 0x7F)
    sign = bits._emit("bitwise_and", 0x80)._emit("shift_left", 8)
    shifted = magnitude._emit("shift_left", 7)
    nan = magnitude._emit("equal", 0x7F)
    code = where(nan, shifted.const(0x7E00), shifted)._emit("bitwise_or", sign)
    half = b.emit(Bitcast(code.value, float16))
    return (Term(b, b.emit(Cast(half, float32))) * 256.0).value


def _to_float8(b: Builder, x: Value, dtype: DType) -> Value:
    """An f32, rounded to nearest even.

    Codes follow one another as the numbers do, so that a carry out of the mantissa is right. What
    is below the normal numbers is rounded by adding a power of two whose last place is the least
    float8.
    """
    mantissa, bias, beyond, nan = _FLOAT8[dtype]
    bits = Term(b, b.emit(Bitcast(x, as_dtype("u32"))))
    magnitude = bits._emit("bitwise_and", 0x7FFFFFFF)
    cut = 23 - mantissa
    even = magnitude._emit("shift_right_logical", cut)._emit("bitwise_and", 1)
    normal = magnitude + even + ((1 << (cut - 1)) - 1)
    normal = (normal - ((127 - bias) << 23))._emit("shift_right_logical", cut)
    power = 2.0 ** (24 - bias - mantissa)
    raised = Term(b, b.emit(Abs(x))) + power
    small = Term(b, b.emit(Bitcast(raised.value, as_dtype("u32")))) - _bits_of(power)
    code = where(magnitude < ((128 - bias) << 23), small, normal)
    code = where(code > beyond, code.const(beyond), code)
    code = where(magnitude > 0x7F800000, code.const(nan), code)
    sign = bits._emit("shift_right_logical", 24)._emit("bitwise_and", 0x80)
    signed = code._emit("bitwise_or", sign).value
    return b.emit(Bitcast(b.emit(Cast(signed, as_dtype("u8"))), dtype))


def _bits_of(power: float) -> int:
    """The bits of a power of two as an f32."""
    return (127 + int(math.log2(power))) << 23
