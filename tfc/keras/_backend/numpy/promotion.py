"""Which dtype operands meet in: Keras' rules, which are JAX's. Python numbers are weak: they take
the dtype of the tensor that they meet.

`result_type` answers in 32 bits at most. Where an operand has 64 and the answer is only its narrow
form, the 64 bits stay here: a float64 tensor times 2.0 is float64, and so is a model of float64.
"""

from __future__ import annotations

import functools
from typing import Any

from keras.src import backend
from keras.src.backend.common.dtypes import result_type

import tfc as tf

from ..core import dense_tensor

_WEAK = (int, float)
_NARROW = {
    "int64": "int32",
    "uint64": "uint32",
    "float64": "float32",
    "complex128": "complex64",
}
_WIDE = {narrow: wide for wide, narrow in _NARROW.items()}


def floatx() -> str:
    """The dtype for floats where nothing says another."""
    return str(backend.config.floatx())


def kind(x: Any) -> Any:
    """What the rules ask of an operand: its dtype's name, or int or float for Python numbers."""
    return type(x) if type(x) in _WEAK else x.dtype.name


def joined(*kinds: Any) -> str:
    """The dtype that operands of these kinds meet in."""
    return _joined(floatx(), kinds)


@functools.lru_cache(4096)
def _joined(floatx: str, kinds: tuple[Any, ...]) -> str:
    narrow = str(result_type(*kinds))
    wide = _WIDE.get(narrow)
    if wide in kinds or (narrow == "complex64" and "float64" in kinds):
        return str(wide)
    return narrow


def tensor(x: Any) -> tf.Tensor:
    """`x` as a tensor; what is one stays as it is, at no cost."""
    return x if isinstance(x, tf.Tensor) else dense_tensor(x)


def ready(x: Any) -> Any:
    """`x` as a tensor, but Python numbers as they are."""
    return x if isinstance(x, tf.Tensor) or type(x) in _WEAK else dense_tensor(x)


def pair(x1: Any, x2: Any, *, floats: bool = False) -> tuple[Any, Any]:
    """Two operands in their common dtype (a float, if `floats`). A Python number beside a tensor
    stays one: ops take it as a constant of the tensor's dtype."""
    x1, x2 = ready(x1), ready(x2)
    first, second = getattr(x1, "dtype", None), getattr(x2, "dtype", None)
    if first is second and first is not None and (first.is_inexact or not floats):
        return x1, x2
    dtype = joined(kind(x1), kind(x2), *((float,) if floats else ()))
    if first is not None:
        return in_dtype(x1, dtype), x2 if second is None else in_dtype(x2, dtype)
    return x1 if second is not None else in_dtype(x1, dtype), in_dtype(x2, dtype)


def operands(*xs: Any) -> list[tf.Tensor]:
    """All operands as tensors of their common dtype."""
    given = [ready(x) for x in xs]
    first = getattr(given[0], "dtype", None) if given else None
    if first is not None and all(getattr(x, "dtype", None) is first for x in given):
        return given
    dtype = joined(*map(kind, given))
    return [in_dtype(x, dtype) for x in given]


def in_dtype(x: Any, dtype: str) -> tf.Tensor:
    """`x` as a tensor of a dtype."""
    if isinstance(x, tf.Tensor):
        return x if x.dtype.name == dtype else tf.cast(x, dtype)
    return dense_tensor(x, dtype)


def floating(x: Any) -> tf.Tensor:
    """`x` as floats, if it is neither float nor complex."""
    x = tensor(x)
    return x if x.dtype.is_inexact else tf.cast(x, joined(x.dtype.name, float))


def numbers(x: Any) -> tf.Tensor:
    """`x` with bools as int32."""
    x = tensor(x)
    return tf.cast(x, tf.int32) if x.dtype.is_bool else x


def wide(x: Any) -> tf.Tensor:
    """`x` in the dtype that it is added up in: integers in 32 bits or more."""
    x = tensor(x)
    if x.dtype.is_inexact or x.dtype.bits >= 32:
        return x
    return tf.cast(x, tf.uint32 if x.dtype.is_unsigned else tf.int32)


def exact(x: tf.Tensor) -> tf.Tensor:
    """Floats in 32 bits or more: half precision overflows where squares are added up."""
    return tf.cast(x, tf.float32) if x.dtype.is_floating and x.dtype.bits < 32 else x


def truth(x: Any) -> tf.Tensor:
    """Whether each element is not 0."""
    return in_dtype(x, "bool")
