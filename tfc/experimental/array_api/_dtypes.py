"""Dtypes of the array API standard: promotion, `isdtype`, `finfo`, `iinfo`, and `inspection`.

The promotion rules are those of https://data-apis.org/array-api/2024.12/API_specification/
type_promotion.html. float16 and bfloat16, which the standard has not, promote among floats.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, TypeGuard

import ml_dtypes
import numpy as np

import tfc as tf
from tfc.core.tensor import Held, Tensor
from tfc.core.types import DTypeLike
from tfc.ir.dtypes import ALL, DType, as_dtype

_ARRAYS: Any = (Held, np.ndarray, np.generic)
DEFAULTS = {
    "real floating": tf.float32,
    "complex floating": as_dtype("complex64"),
    "integral": tf.int64,  # as PyTorch's: indices and counts meet without promotion
    "indexing": tf.int64,
}
Kind: TypeAlias = "DTypeLike | tuple[Kind, ...]"  # a dtype, the name of a kind, or some of these
_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def promoted(a: DType, b: DType) -> DType:
    """The dtype of a result of operands of these dtypes; TypeError where the standard has none."""
    if a is b:
        return a
    kinds = {a.kind, b.kind}
    if kinds <= {"i"} or kinds <= {"u"}:
        return max(a, b, key=lambda d: d.bits)
    if kinds == {"i", "u"}:
        signed, unsigned = (a, b) if a.kind == "i" else (b, a)
        bits = max(signed.bits, 2 * unsigned.bits)
        if bits <= 64:
            return as_dtype(f"int{bits}")
    if kinds <= {"f", "c"}:
        part = _wider(a.real_dtype, b.real_dtype)
        if "c" not in kinds:
            return part
        return as_dtype("complex128" if part.bits == 64 else "complex64")
    raise TypeError(f"{a.name} and {b.name} cannot be promoted to one dtype: use astype")


def _wider(a: DType, b: DType) -> DType:
    """The float that holds both: float32 for float16 and bfloat16."""
    if a.bits == b.bits and a is not b:
        return tf.float32
    return max(a, b, key=lambda d: d.bits)


def result_type(*arrays_and_dtypes: Tensor | DTypeLike | complex) -> DType:
    """The dtype that the rules of promotion give for arrays, dtypes and Python numbers (of which
    there must not be only the last)."""
    dtypes = [_dtype_of(x) for x in arrays_and_dtypes if not _is_scalar(x)]
    if not dtypes:
        raise ValueError("result_type needs at least one array or dtype")
    found = dtypes[0]
    for dtype in dtypes[1:]:
        found = promoted(found, dtype)
    for x in arrays_and_dtypes:
        if _is_scalar(x):
            found = with_scalar(found, x)
    return found


def with_scalar(dtype: DType, value: complex) -> DType:
    """The dtype of an array operated on with a Python number; TypeError where it does not fit."""
    fits = {bool: "b", int: "iufc", float: "fc", complex: "fc"}[type(value)]
    if dtype.kind not in fits:
        raise TypeError(f"a Python {type(value).__name__} does not fit dtype {dtype.name}")
    if isinstance(value, complex) and dtype.is_floating:
        return promoted(dtype, as_dtype("complex64"))
    return dtype


def _is_scalar(x: object) -> TypeGuard[complex]:
    return type(x) in (bool, int, float, complex)


def _dtype_of(x: object) -> DType:
    if isinstance(x, _ARRAYS):
        return as_dtype(x.dtype)
    return as_dtype(x)


def promote(*operands: Tensor | complex) -> list[Tensor]:
    """The operands as tensors of their common dtype."""
    dtype = result_type(*operands)
    return [
        tf.cast(x, dtype) if not _is_scalar(x) else tf.convert_to_tensor(x, dtype) for x in operands
    ]


def can_cast(from_: Tensor | DTypeLike, to: DTypeLike, /) -> bool:
    """Whether a dtype (or that of an array) can be cast to another by the rules of promotion."""
    try:
        return promoted(_dtype_of(from_), as_dtype(to)) is as_dtype(to)
    except TypeError:
        return False


def isdtype(dtype: DTypeLike, kind: Kind) -> bool:
    """Whether a dtype is of a kind: a dtype, the name of a kind, or a tuple of these.

    >>> from tfc.experimental import array_api as xp
    >>> xp.isdtype(xp.float32, "numeric"), xp.isdtype(xp.float32, ("integral", xp.float64))
    (True, False)
    """
    given = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(given, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"{kind!r} is no kind of dtype: {', '.join(_KINDS)}")
        return given.kind in _KINDS[kind]
    return given is as_dtype(kind)


def astype(
    x: Tensor, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None
) -> Tensor:
    """x converted to another dtype. A copy cannot be told from a tensor that nobody changes."""
    check_device(device)
    target = as_dtype(dtype)
    if x.dtype.is_complex and not target.is_complex:
        raise TypeError(f"{x.dtype.name} cannot be cast to {target.name}: take real or abs first")
    return tf.cast(x, target)


class finfo_object(NamedTuple):  # noqa: N801  (the standard's name)
    """The limits of a floating-point dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class iinfo_object(NamedTuple):  # noqa: N801  (the standard's name)
    """The limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Tensor | DTypeLike, /) -> finfo_object:
    """The limits of a floating-point dtype, or of the parts of a complex one."""
    dtype = _dtype_of(type).real_dtype
    if not dtype.is_floating:
        raise TypeError(f"finfo is for floating-point dtypes, got {dtype.name}")
    info: Any = ml_dtypes.finfo(dtype.numpy)
    return finfo_object(
        dtype.bits,
        float(info.eps),
        float(info.max),
        float(info.min),
        float(info.smallest_normal),
        dtype,
    )


def iinfo(type: Tensor | DTypeLike, /) -> iinfo_object:
    """The limits of an integer dtype."""
    dtype = _dtype_of(type)
    if not dtype.is_integer:
        raise TypeError(f"iinfo is for integer dtypes, got {dtype.name}")
    return iinfo_object(dtype.bits, int(dtype.max), int(dtype.min), dtype)


def check_device(device: str | None) -> None:
    """ValueError unless it is the CPU, the one device there is."""
    if device is not None and str(device).upper() not in ("CPU", "CPU:0", _DEVICE.upper()):
        raise ValueError(f"there is no device {device!r}, only 'cpu'")


_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class Info:
    """What `__array_namespace_info__` returns."""

    def capabilities(self) -> dict[str, bool | None]:
        """What the standard leaves open: boolean masks and shapes that depend on data are there;
        there is no bound on the rank."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> str:
        return _DEVICE

    def devices(self) -> list[str]:
        return [_DEVICE]

    def default_dtypes(self, *, device: str | None = None) -> dict[str, DType]:
        """float32, complex64 and int64."""
        check_device(device)
        return dict(DEFAULTS)

    def dtypes(self, *, device: str | None = None, kind: Kind | None = None) -> dict[str, DType]:
        """The standard's dtypes, or those of a kind, by name."""
        check_device(device)
        own = {d.name: d for d in ALL if not (d.is_floating and d.bits < 32)}
        return {n: d for n, d in own.items() if kind is None or isdtype(d, kind)}


def __array_namespace_info__() -> Info:  # noqa: N807  (the standard's name)
    """What this namespace can do: devices, dtypes and capabilities.

    >>> from tfc.experimental import array_api as xp
    >>> xp.__array_namespace_info__().default_dtypes()["real floating"]
    tf.float32
    """
    return Info()
