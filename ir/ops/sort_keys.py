"""Keys: integers that are ordered as elements are."""

from __future__ import annotations

import numpy as np

from ..algebra import Term, where
from ..core import Value
from ..dtypes import DType, as_dtype, int32, int64
from ..element_builder import ElementBuilder
from .elementwise import Bitcast, Cast

PLACES = 1 << 32  # that there are at most in a `placed_key`


def key_dtype(dtype: DType) -> DType:
    """The unsigned integers that `key` gives for elements of `dtype`."""
    return as_dtype(f"uint{8 * dtype.itemsize}")


def key(lower: ElementBuilder, x: Value, descending: bool) -> Value:
    """An unsigned integer that is ordered as x is: nan behind everything, -0.0 equal to 0.0."""
    dtype = x.dtype
    wide = key_dtype(dtype)
    if dtype.is_bool:
        bits = Term(lower.b, lower.emit(Cast(x, wide)))
    else:
        bits = Term(lower.b, x if dtype is wide else lower.emit(Bitcast(x, wide)))
        sign = 1 << (dtype.bits - 1)
        if dtype.kind == "i":
            bits = bits ^ sign
        elif dtype.is_floating:
            # The magnitude says what is zero (0) and what is nan (above the bits of infinity).
            size = bits & (sign - 1)
            bits = where(size.equal(0), bits.const(0), bits)
            infinity = int(np.array(np.inf).astype(dtype.numpy).view(wide.numpy))
            bits = where(size > infinity, bits.const(sign - 1), bits)
            # Below zero larger magnitudes come first: all bits flip, above zero the sign alone.
            negative = bits.shift_right_arithmetic(dtype.bits - 1)
            bits = bits ^ (negative | sign)
    if descending:
        bits = bits ^ ((1 << wide.bits) - 1)
    return bits.value


def placed_key(lower: ElementBuilder, bits_of_key: Value, place: Value) -> Value:
    """A signed integer of 64 bits that is ordered as a `key` of at most 32 bits is, and where keys
    are equal as their places are, which it ends with."""
    bits = Term(lower.b, lower.cast(bits_of_key, int64)) - (1 << 31)
    return ((bits << 32) | Term(lower.b, place)).value


def place_of(lower: ElementBuilder, placed: Value) -> Value:
    """The place that such a key ends with."""
    return (Term(lower.b, placed) & (PLACES - 1)).value


def total_key_dtype(dtype: DType) -> DType:
    """The signed integers that `total_key` gives for elements of `dtype`."""
    return int64 if dtype.itemsize == 8 else int32


def total_key(lower: ElementBuilder, x: Value, descending: bool) -> Value:
    """A signed integer that is ordered as `Sort` orders x, another one for other bits."""
    dtype, wide = x.dtype, total_key_dtype(x.dtype)
    if not dtype.is_floating:
        bits = Term(lower.b, lower.cast(x, wide))
        if dtype.is_unsigned and dtype.bits == wide.bits:
            bits = bits ^ wide.min
    else:
        short = as_dtype(f"int{dtype.bits}")
        bits = Term(lower.b, lower.emit(Bitcast(x, short)))
        # Below zero larger magnitudes come first: all bits but the sign flip.
        flips = bits.shift_right_arithmetic(dtype.bits - 1)
        bits = bits ^ (flips & short.max)
        # What has a sign and is nan would come first now. It goes around to the end.
        bits = bits - negative_nans(dtype)
        bits = Term(lower.b, lower.cast(bits.value, wide))
    if descending:
        bits = bits ^ (-1)
    return bits.value


def from_total_key(lower: ElementBuilder, key: Value, dtype: DType, descending: bool) -> Value:
    """The element of `dtype` that has this `total_key`."""
    bits = Term(lower.b, key)
    if descending:
        bits = bits ^ (-1)
    if not dtype.is_floating:
        if dtype.is_unsigned and dtype.bits == key.dtype.bits:
            bits = bits ^ key.dtype.min
        value = lower.cast(bits.value, dtype)
        return value
    short = as_dtype(f"int{dtype.bits}")
    bits = Term(lower.b, lower.cast(bits.value, short)) + negative_nans(dtype)
    flips = bits.shift_right_arithmetic(dtype.bits - 1)
    bits = bits ^ (flips & short.max)
    value = lower.emit(Bitcast(bits.value, dtype))
    return value


def negative_nans(dtype: DType) -> int:
    """How many different nans of a dtype have a sign."""
    infinity = np.array(np.inf).astype(dtype.numpy).view(f"u{dtype.itemsize}")
    return (1 << (dtype.bits - 1)) - 1 - int(infinity)
