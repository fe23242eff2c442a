"""`tfc.dtypes`: the element types."""

from tfc.ir.dtypes import (
    DType,
    as_dtype,
    bfloat16,
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

half, double = float16, float64

__all__ = [name for name in globals() if not name.startswith("_")]
