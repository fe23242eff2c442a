"""`tfc.dtypes`: the element types, and conversions between them."""

from typing import Any as _Any

from tfc.ir.dtypes import (
    DType,
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
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from tfc.ir.dtypes import (
    any_dtype as _any_dtype,
)
from tfc.ir.dtypes import bool_ as bool

from . import dtypes_experimental as experimental
from .core.absent import refusal as _refusal
from .ops.array.conversion import cast, saturate_cast
from .ops.math.complex import complex


def as_dtype(type_value: _Any) -> DType:
    """The `DType` that `type_value` names.

    Args:
        type_value: A DType, its name, a NumPy dtype or scalar type; Python's `bool`, `int`,
            `float`, `complex` and `str` mean bool, int32, float32, complex128 and string. Dtypes
            that tensors here do not have ("qint8", "variant", "float32_ref") are known by name.

    Returns:
        A DType.

    Raises:
        TypeError: If it names none.

    >>> import tfc as tf
    >>> tf.as_dtype("float32"), tf.as_dtype(str)
    (tf.float32, tf.string)
    """
    return _any_dtype(type_value)


half, double = float16, float64
__getattr__ = _refusal("tf.dtypes")
__all__ = [
    "DType",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex",
    "complex64",
    "complex128",
    "double",
    "experimental",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "qint8",
    "qint16",
    "qint32",
    "quint8",
    "quint16",
    "resource",
    "saturate_cast",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]
