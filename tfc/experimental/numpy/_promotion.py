"""How NumPy's functions choose dtypes: `np.result_type`, with Python numbers weak.

Made of Python numbers alone, arrays are int64, float64 and complex128, as NumPy's are; with
`prefer_float32` int32, float32 and complex64. In the modes "all" and "safe" TensorFlow's lattice
says instead what comes of operands, and Python numbers are int32, float32 and complex128.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.core import blame
from tfc.core.conversion import convert_to_tensor, is_python
from tfc.core.tensor import Held, Tensor
from tfc.core.types import DTypeLike, TensorLike
from tfc.ir.dtypes import DType, as_dtype

from ._lattice import Kind, in_lattice, join, keeps_bits
from ._weak import WeakTensor

_ARRAYS: Any = (Held, np.ndarray, np.generic)
_NARROW = {"int64": "int32", "float64": "float32", "complex128": "complex64"}


class _Settings:
    prefer_float32 = False
    mode = "legacy"

    @property
    def lattice(self) -> bool:
        """Whether TensorFlow's lattice promotes, not NumPy's rules."""
        return self.mode in ("all", "safe")


settings = _Settings()


def default(name: str) -> DType:
    """The dtype for Python numbers of the kind that this 64-bit dtype stands for."""
    if settings.lattice:
        return as_dtype(_NARROW[name] if name != "complex128" else name)
    return as_dtype(_NARROW[name] if settings.prefer_float32 else name)


def kind_of(x: Any) -> Kind | None:
    """The node of the lattice that an operand is of; None where it is of none."""
    if isinstance(x, WeakTensor):
        return Kind(x.tensor.dtype, True)
    if not isinstance(x, _ARRAYS) and not isinstance(x, list | tuple | int | float | complex):
        return None
    tensor = x if isinstance(x, Held) else convert_to_tensor(x)
    weak = Kind(tensor.dtype, True)
    if not isinstance(x, _ARRAYS) and is_python(x) and in_lattice(weak):
        return weak
    strong = Kind(tensor.dtype, False)
    return strong if in_lattice(strong) else None


def joined(kinds: Sequence[Kind], op: str | None = None) -> Kind:
    """What comes of operands of these kinds. TypeError where mode "safe" does not allow it."""
    result = kinds[0]
    for kind in kinds[1:]:
        if settings.mode == "safe" and not keeps_bits(result, kind):
            a, b = (f"({k.dtype!r}, weak={k.weak})" for k in (result, kind))
            raise blame.type_error(
                f"In promotion mode PromoMode.SAFE, implicit dtype promotion between {a} and {b} "
                "is disallowed. You need to explicitly specify the dtype in your op, or relax your "
                "dtype promotion rules (such as from SAFE mode to ALL mode).",
                op or "promotion",
            )
        result = join(result, kind)
    return result


def _weak(x: object) -> type | None:
    """The type of a Python number, or of the numbers of a list, which are as weak; else None."""
    kind = type(x)
    if kind in (bool, int, float, complex):
        return kind
    if settings.lattice or not isinstance(x, list | tuple) or not x:
        return None
    if _has_tensor(x) or _of_numpy(x):
        return None
    try:
        return _TYPE_OF.get(np.asarray(x).dtype.kind)
    except ValueError:  # of several lengths
        return None


_TYPE_OF: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


_DEFAULT_OF = {int: "int64", float: "float64", complex: "complex128"}


def promote_types(type1: DTypeLike, type2: DTypeLike) -> DType:
    """The dtype that holds both: NumPy's; float32 for float16 and bfloat16."""
    a, b = as_dtype(type1), as_dtype(type2)
    if settings.lattice and in_lattice(Kind(a, False)) and in_lattice(Kind(b, False)):
        return joined([Kind(a, False), Kind(b, False)]).dtype
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
    if settings.lattice and arrays_and_dtypes:
        kinds = [kind_of(x) or Kind(_dtype_of(x), False) for x in arrays_and_dtypes]
        if all(map(in_lattice, kinds)):
            return joined(kinds).dtype
    found: DType | None = None
    numbers = [_weak(x) for x in arrays_and_dtypes]
    for x, number in zip(arrays_and_dtypes, numbers, strict=True):
        if number is None:
            own = _dtype_of(x)
            found = own if found is None else promote_types(found, own)
    for number in numbers:
        if number is not None:
            found = _with_number(found, number)
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
    if isinstance(x, list | tuple | WeakTensor):
        return asarray(x).dtype
    return as_dtype(x)


def asarray(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """`a` as a tensor, with NumPy's dtypes for Python numbers."""
    if isinstance(a, Held | WeakTensor):
        held = tf.convert_to_tensor(a)
        return held if dtype is None else tf.cast(held, dtype)
    if isinstance(a, np.ndarray | np.generic):
        return tf.convert_to_tensor(a, dtype)
    if hasattr(type(a), "__tf_tensor__"):  # Keras's Variables
        return asarray(tf.convert_to_tensor(a), dtype)
    if isinstance(a, list | tuple) and _has_tensor(a):
        parts = promote(*(asarray(v) for v in a))
        stacked = tf.stack(parts)
        return stacked if dtype is None else tf.cast(stacked, dtype)
    array = np.asarray(a)
    if array.dtype.name in _NARROW and not _of_numpy(a):
        array = array.astype(default(array.dtype.name).numpy)
    tensor = tf.convert_to_tensor(array)
    return tensor if dtype is None else tf.cast(tensor, dtype)


def _has_tensor(a: Sequence[object]) -> bool:
    return any(
        isinstance(v, Held | WeakTensor) or (isinstance(v, list | tuple) and _has_tensor(v))
        for v in a
    )


def _of_numpy(a: object) -> bool:
    """Whether nested sequences hold NumPy's own numbers, which have a dtype."""
    if isinstance(a, list | tuple):
        return any(map(_of_numpy, a))
    return isinstance(a, np.ndarray | np.generic)


def promote(*operands: TensorLike) -> list[Tensor]:
    """The operands as tensors of the dtype of their result."""
    ready = [x if _weak(x) or isinstance(x, Held | WeakTensor) else asarray(x) for x in operands]
    dtype = result_type(*ready)
    return [asarray(x, dtype) for x in ready]


def inexact(x: TensorLike) -> Tensor:
    """x as floats, if it is neither float nor complex: what `np.sin` computes in."""
    x = asarray(x)
    return x if x.dtype.is_inexact else tf.cast(x, default("float64"))
