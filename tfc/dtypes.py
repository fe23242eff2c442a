"""`tfc.dtypes`: the element types, and conversions between them."""

from tfc.ir.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from tfc.ir.dtypes import bool_ as bool

from .ops.complex import complex
from .ops.math import cast, saturate_cast

half, double = float16, float64

__all__ = [name for name in globals() if not name.startswith("_")]
