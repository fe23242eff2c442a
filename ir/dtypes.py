"""Element types: the one `DType` class that the IR, the backends and users share.

A dtype has TensorFlow's name (`float32`), a short name used in IR text (`f32`), a kind and a
width. `float16` and `bfloat16` are storage types: their arithmetic is done in `float32` and
rounded after every operation, so that fused and unfused code agree to the last bit. The floats of
8 bits have no arithmetic: they are stored, moved, compared for equality, and cast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

_finfo: Any = ml_dtypes.finfo


class DType:
    """An element type. Instances are unique: compare with `is` or `==`.

    >>> from tfc.ir import dtypes
    >>> dtypes.float32
    tf.float32
    >>> dtypes.float32 == "float32", dtypes.as_dtype(np.int64).short
    (True, 'i64')
    """

    __slots__ = (
        "as_numpy_dtype",
        "bits",
        "has_arithmetic",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_inexact",
        "is_integer",
        "is_numeric",
        "is_unsigned",
        "kind",
        "name",
        "numpy",
        "short",
    )

    def __new__(cls, type_enum: Any, *given: Any, **options: Any) -> DType:
        # TensorFlow's way to get one by its number; made are they in this module alone.
        if given or options:
            return super().__new__(cls)
        number = int(type_enum)
        if number not in _BY_ENUM and number not in _NAMED_BY_ENUM:
            raise TypeError(f"{number} does not correspond to a valid tensorflow::DataType")
        return any_dtype(number)

    def __init__(self, name: Any, short: str = "", kind: str = "", scalar: Any = None) -> None:
        if not short:  # it is there
            return
        self.name = name
        self.short = short
        # "b" bool, "i" signed, "u" unsigned, "f" float, "c" complex, "e" float without arithmetic,
        # "s" string
        self.kind = kind
        self.as_numpy_dtype = scalar
        self.numpy: np.dtype[Any] = np.dtype(scalar)
        self.bits: int = self.numpy.itemsize * 8
        # What kind it is, which compilers ask by the thousand.
        self.is_floating = kind in "fe"
        self.is_complex = kind == "c"
        self.is_inexact = kind in "fc"  # what has arithmetic and can be differentiated by
        self.is_integer = kind in "iu"
        self.is_bool = kind == "b"
        self.is_unsigned = kind == "u"
        self.is_numeric = kind not in "bs"
        self.has_arithmetic = (
            kind in "iufc"
        )  # its numbers can be added: no bools, no floats of 8 bits

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize

    @property
    def size(self) -> int:
        """Bytes of one element (TensorFlow's name for `itemsize`)."""
        return self.numpy.itemsize

    @property
    def compute(self) -> DType:
        """The dtype in which arithmetic on this one is carried out; for floats of 8 bits, the one
        by which they are compared and cast."""
        return float32 if self.bits < 32 and self.kind in "fe" else self

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real and the imaginary part; of others than complex, itself."""
        if not self.is_complex:
            return self
        return float32 if self.bits == 64 else float64

    @property
    def min(self) -> Any:
        """The smallest finite value: of integers a Python integer, of others a NumPy scalar. Raises
        TypeError for complex dtypes and bools."""
        if self.is_bool or self.is_complex:
            raise self._no_end("minimum")
        if self.is_floating:
            return self.numpy.type(_finfo(self.numpy).min)
        return int(np.iinfo(self.numpy).min)

    @property
    def max(self) -> Any:
        """The largest finite value: of integers a Python integer, of others a NumPy scalar. Raises
        TypeError for complex dtypes and bools."""
        if self.is_bool or self.is_complex:
            raise self._no_end("maximum")
        if self.is_floating:
            return self.numpy.type(_finfo(self.numpy).max)
        return int(np.iinfo(self.numpy).max)

    @property
    def limits(self) -> tuple[Any, Any]:
        """The bounds of what images are in: (0, 1) for floats, 0 and the largest of integers.
        Raises ValueError for dtypes that images do not have."""
        if self.is_bool:
            return 0, True
        if self.is_inexact and not self.is_complex and self is not bfloat16:
            return 0, 1
        if not self.is_integer:
            raise ValueError(f"{self} does not have defined limits.")
        return 0, int(self.max)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether it is another dtype's subtype: they are the same."""
        return bool(self == other)

    def most_specific_common_supertype(self, types: Any) -> DType | None:
        """Itself, where all others are the same; else None."""
        return self if all(self == other for other in types) else None

    def zeros(self, shape: int | tuple[int, ...] = ()) -> np.ndarray[Any, Any]:
        """An array of zeros; of empty strings, where it is the dtype of strings."""
        return np.zeros(shape, self.numpy)

    @property
    def base_dtype(self) -> DType:
        """Itself: there are no dtypes of references."""
        return self

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number of the dtype (types.proto)."""
        return _ENUM[self.name]

    @property
    def is_quantized(self) -> bool:
        """False: there are no quantized dtypes."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """True: every dtype is one of NumPy's (bfloat16 and float8 are those of ml_dtypes)."""
        return True

    def is_compatible_with(self, other: Any) -> bool:
        """Whether `other` names the same dtype. Raises TypeError where it names none."""
        return as_dtype(other) is self

    def _no_end(self, end: str) -> TypeError:
        return TypeError(f"Cannot find {end} value of {self} with type {self.base_dtype}.")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        try:
            return as_dtype(other) is self
        except TypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


class HostType(DType):
    """The dtype of strings, which are Python's `bytes`. Programs move them without looking at them:
    an element is the address of the object, or 0 for the empty string. What they hold, the host
    alone knows (ir/ops/host_functions.py). It is no dtype of numbers: `as_dtype` does not give it,
    `as_element_type` does."""

    __slots__ = ()

    @property
    def min(self) -> Any:
        raise self._no_end("minimum")

    @property
    def max(self) -> Any:
        raise self._no_end("maximum")

    @property
    def limits(self) -> tuple[Any, Any]:
        raise ValueError(f"{self} does not have defined limits.")

    @property
    def size(self) -> int:
        return 0

    def zeros(self, shape: int | tuple[int, ...] = ()) -> np.ndarray[Any, Any]:
        found = np.empty(shape, np.object_)
        found[...] = EMPTY
        return found

    def is_compatible_with(self, other: Any) -> bool:
        return names_string(other)

    def __eq__(self, other: object) -> bool:
        return names_string(other)

    __hash__ = DType.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return _string, ()


def _string() -> HostType:
    return string


class NamedType(DType):
    """A dtype of TensorFlow's that no tensor here has, for programs that name it: quantized
    integers, handles of objects, and references to tensors of another dtype."""

    __slots__ = ("_base", "_number")

    def __init__(self, name: str, number: int, scalar: Any = np.void, base: DType | None = None):
        super().__init__(name, name, "h", np.void)
        self._number, self._base = number, base
        if base is not None:
            scalar = base.as_numpy_dtype
            self.is_integer, self.is_floating = base.is_integer, base.is_floating
            self.is_bool, self.is_complex = base.is_bool, base.is_complex
            self.is_unsigned = base.is_unsigned
        self.as_numpy_dtype = scalar

    @property
    def size(self) -> int:
        if self._base is not None:
            return self._base.size
        return np.dtype(self.as_numpy_dtype).itemsize if self.is_quantized else 1

    @property
    def base_dtype(self) -> DType:
        return self if self._base is None else self._base

    @property
    def real_dtype(self) -> DType:
        return self if self._base is None else self._base.real_dtype

    @property
    def as_datatype_enum(self) -> int:
        return self._number

    @property
    def is_quantized(self) -> bool:
        return self.base_dtype.name in _QUANTIZED

    @property
    def is_numpy_compatible(self) -> bool:
        return self.is_quantized or self._base is not None

    @property
    def min(self) -> Any:
        if self._base is not None:
            return self._base.min
        raise self._no_end("minimum")

    @property
    def max(self) -> Any:
        if self._base is not None:
            return self._base.max
        raise self._no_end("maximum")

    @property
    def limits(self) -> tuple[Any, Any]:
        if self._base is not None:
            return self._base.limits
        raise ValueError(f"{self} does not have defined limits.")

    def is_compatible_with(self, other: Any) -> bool:
        return any_dtype(other) is self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        return isinstance(other, str) and _NAMED.get(other) is self

    __hash__ = DType.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return any_dtype, (self.name,)


string = HostType("string", "string", "s", np.object_)
EMPTY = b""  # what zeros are among strings


def names_string(value: Any) -> bool:
    """Whether `value` means the dtype of strings."""
    if isinstance(value, DType):
        return value is string
    if isinstance(value, np.dtype):
        return value.kind in "OSU"
    if isinstance(value, type):
        return value in (str, bytes, np.str_, np.bytes_, np.object_)
    return isinstance(value, str) and value == "string"


bool_ = DType("bool", "bool", "b", np.bool_)
int8 = DType("int8", "i8", "i", np.int8)
int16 = DType("int16", "i16", "i", np.int16)
int32 = DType("int32", "i32", "i", np.int32)
int64 = DType("int64", "i64", "i", np.int64)
uint8 = DType("uint8", "u8", "u", np.uint8)
uint16 = DType("uint16", "u16", "u", np.uint16)
uint32 = DType("uint32", "u32", "u", np.uint32)
uint64 = DType("uint64", "u64", "u", np.uint64)
float16 = DType("float16", "f16", "f", np.float16)
bfloat16 = DType("bfloat16", "bf16", "f", ml_dtypes.bfloat16)
float32 = DType("float32", "f32", "f", np.float32)
float64 = DType("float64", "f64", "f", np.float64)
complex64 = DType("complex64", "c64", "c", np.complex64)
complex128 = DType("complex128", "c128", "c", np.complex128)
float8_e4m3fn = DType("float8_e4m3fn", "f8e4m3fn", "e", ml_dtypes.float8_e4m3fn)
float8_e5m2 = DType("float8_e5m2", "f8e5m2", "e", ml_dtypes.float8_e5m2)

ALL: tuple[DType, ...] = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64)
ALL += (float16, bfloat16, float32, float64, complex64, complex128)
ALL += (float8_e4m3fn, float8_e5m2)

_ENUM = {  # as numbered in tensorflow/core/framework/types.proto
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
    "float8_e5m2": 24,
    "float8_e4m3fn": 25,
    "string": 7,
}

_BY_ENUM = {_ENUM[d.name]: d for d in ALL}
_BY_NAME = {d.name: d for d in ALL} | {d.short: d for d in ALL}
_BY_NAME |= {"half": float16, "float": float32, "double": float64}
_BY_NUMPY = {d.numpy: d for d in ALL}
_BY_TYPE: dict[Any, DType] = {bool: bool_, int: int32, float: float32, complex: complex128}

_QUANTIZED = {"qint8": (11, "i1"), "quint8": (12, "u1"), "qint32": (13, "i4")}
_QUANTIZED |= {"qint16": (15, "i2"), "quint16": (16, "u2")}
_NAMED: dict[str, DType] = {
    name: NamedType(name, number, np.dtype([(name, kind)]))
    for name, (number, kind) in _QUANTIZED.items()
}
_NAMED |= {"resource": NamedType("resource", 20), "variant": NamedType("variant", 21)}
_NAMED |= {
    f"{d.name}_ref": NamedType(f"{d.name}_ref", d.as_datatype_enum + 100, base=d)
    for d in (*ALL, string, *_NAMED.values())
}
_NAMED_BY_ENUM = {d.as_datatype_enum: d for d in _NAMED.values()} | {7: string}
qint8, quint8, qint16, quint16, qint32, resource, variant = (
    _NAMED[n] for n in ("qint8", "quint8", "qint16", "quint16", "qint32", "resource", "variant")
)

INEXACT_NUMBERS = frozenset(d.numpy.num for d in ALL if d.is_inexact)  # NumPy's type numbers


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # such as a list in a list in a list ...
        return f"<{type(value).__name__}>"


_NO_DTYPE = "Cannot convert the argument `type_value`: {} to a TensorFlow DType."

refusal: Callable[[str], TypeError] = TypeError  # the front end's names the call, too


def as_dtype(value: Any) -> DType:
    """The `DType` that `value` names: a DType, its name, a NumPy dtype or scalar type, or
    TensorFlow's number of it.

    Python's `bool`, `int`, `float` and `complex` mean bool, int32, float32 and complex128, as in
    TensorFlow. Raises TypeError for anything else (strings, objects).

    >>> as_dtype("half"), as_dtype(float), as_dtype(np.uint8)
    (tf.float16, tf.float32, tf.uint8)
    """
    if type(value) is DType:
        return value
    found = named_dtype(value)
    if isinstance(found, str):
        raise refusal(found)
    return found


def named_dtype(value: Any) -> DType | str:
    """The `DType` that `value` names, as `as_dtype` has it; or what to say where it names none."""
    if isinstance(value, DType):
        if value is string:
            return "dtype string is not defined here: strings are no numbers"
        if isinstance(value, NamedType):
            return f"dtype {value.name} is not defined here: no tensors have it"
        return value
    if isinstance(value, np.dtype) and (found := _BY_NUMPY.get(value)) is not None:
        return found
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    if isinstance(value, type) and value in _BY_TYPE:
        return _BY_TYPE[value]
    if type(value) is int and value in _BY_ENUM:
        return _BY_ENUM[value]
    if value is None:  # NumPy's name for float64
        return _NO_DTYPE.format("None")
    try:
        return _BY_NUMPY[np.dtype(value).newbyteorder("=")]
    except (KeyError, TypeError, ValueError, RecursionError):
        return _NO_DTYPE.format(_shown(value))


def any_dtype(value: Any) -> DType:
    """`as_element_type`, which knows those dtypes of TensorFlow's, too, that no tensors have here:
    quantized ones, "variant", "resource", and references such as "float32_ref".

    >>> any_dtype("qint8"), any_dtype("float32_ref").base_dtype, any_dtype(21)
    (tf.qint8, tf.float32, tf.variant)
    """
    if isinstance(value, NamedType):
        return value
    found: DType | None = None
    if type(value) is int:
        found = _NAMED_BY_ENUM.get(value)
    elif isinstance(value, str):
        found = _NAMED.get(value)
    return as_element_type(value) if found is None else found


def as_element_type(value: Any) -> DType:
    """`as_dtype`, which knows the dtype of strings, too.

    >>> as_element_type("string"), as_element_type(np.dtype(object)), as_element_type(int)
    (tf.string, tf.string, tf.int32)
    """
    if isinstance(value, np.dtype) and (found := _BY_NUMPY.get(value)) is not None:
        return found  # most: that of a constant
    return string if names_string(value) else as_dtype(value)
