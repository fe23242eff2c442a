"""How NumPy's functions choose dtypes: `np.result_type`, with Python numbers weak.

Made of Python numbers alone, arrays are int64, float64 and complex128, as NumPy's are; with
`prefer_float32` int32, float32 and complex64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.tensor import Held, Tensor
from tfc.core.types import DTypeLike, TensorLike
from tfc.ir.dtypes import DType, as_dtype

_ARRAYS: Any = (Held, np.ndarray, np.generic)
_NARROW = {"int64": "int32", "float64": "float32", "complex128": "complex64"}


class _Settings:
    prefer_float32 = False


settings = _Settings()


def default(name: str) -> DType:
    """The dtype for Python numbers of the kind that this 64-bit dtype stands for."""
    return as_dtype(_NARROW[name] if settings.prefer_float32 else name)


def _weak(x: object) -> bool:
    return type(x) in (bool, int, float, complex)


_DEFAULT_OF = {int: "int64", float: "float64", complex: "complex128"}


def promote_types(type1: DTypeLike, type2: DTypeLike) -> DType:
    """The dtype that holds both: NumPy's; float32 for float16 and bfloat16."""
    a, b = as_dtype(type1), as_dtype(type2)
    try:
        return as_dtype(np.promote_types(a.numpy, b.numpy))
    except TypeError:
        if a.is_inexact and b.is_inexact:
            return tf.float32
        raise


def result_type(*arrays_and_dtypes: TensorLike | DTypeLike) -> DType:
    """The dtype of a result of these arrays, dtypes and Python numbers.

    >>> from tfc.experimental import numpy as tnp
    >>> tnp.result_type(tnp.int32, tnp.float32), tnp.result_type(tnp.int8, 1.5)
    (tf.float64, tf.float64)
    """
    found: DType | None = None
    for x in arrays_and_dtypes:
        if not _weak(x):
            own = _dtype_of(x)
            found = own if found is None else promote_types(found, own)
    for x in arrays_and_dtypes:
        if _weak(x):
            found = _with_number(found, type(x))
    if found is None:
        raise ValueError("at least one array or dtype is required")
    return found


def _with_number(dtype: DType | None, kind: type) -> DType:
    """The dtype of an array beside a Python number: the number's own kind, where it is higher."""
    own = tf.bool if kind is bool else default(_DEFAULT_OF[kind])
    if dtype is None:
        return own
    order = "biufc"
    mine = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[dtype.kind]
    theirs = {bool: 0, int: 1, float: 2, complex: 3}[kind]
    if theirs <= mine:
        return dtype
    if dtype.is_floating:  # beside a complex number
        return as_dtype("complex128" if dtype.bits == 64 else "complex64")
    assert dtype.kind in order
    return own


def _dtype_of(x: TensorLike | DTypeLike) -> DType:
    if isinstance(x, _ARRAYS):
        return as_dtype(x.dtype)
    if isinstance(x, list | tuple):
        return asarray(x).dtype
    return as_dtype(x)


def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as a tensor, with NumPy's dtypes for Python numbers."""
    if isinstance(a, Held):
        held = tf.convert_to_tensor(a)
        return held if dtype is None else tf.cast(held, dtype)
    if isinstance(a, np.ndarray | np.generic):
        return tf.convert_to_tensor(a, dtype)
    if isinstance(a, list | tuple) and _has_tensor(a):
        parts = promote(*(asarray(v) for v in a))
        stacked = tf.stack(parts)
        return stacked if dtype is None else tf.cast(stacked, dtype)
    array = np.asarray(a)
    if settings.prefer_float32 and array.dtype.name in _NARROW and not _of_numpy(a):
        array = array.astype(_NARROW[array.dtype.name])
    tensor = tf.convert_to_tensor(array)
    return tensor if dtype is None else tf.cast(tensor, dtype)


def _has_tensor(a: Sequence[object]) -> bool:
    return any(isinstance(v, Held) or (isinstance(v, list | tuple) and _has_tensor(v)) for v in a)


def _of_numpy(a: object) -> bool:
    """Whether nested sequences hold NumPy's own numbers, which have a dtype."""
    if isinstance(a, list | tuple):
        return any(map(_of_numpy, a))
    return isinstance(a, np.ndarray | np.generic)


def promote(*operands: TensorLike) -> list[Tensor]:
    """The operands as tensors of the dtype of their result."""
    ready = [x if _weak(x) or isinstance(x, Held) else asarray(x) for x in operands]
    dtype = result_type(*ready)
    return [asarray(x, dtype) for x in ready]


def inexact(x: TensorLike) -> Tensor:
    """x as floats, if it is neither float nor complex: what `np.sin` computes in."""
    x = asarray(x)
    return x if x.dtype.is_inexact else tf.cast(x, default("float64"))
