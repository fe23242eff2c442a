"""Kinds of fields that are no messages: what they take, their bytes and their text."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import DataLossError
from . import wire


class Scalar(NamedTuple):
    """A kind of field that is no message."""

    wire: int
    default: Any
    take: Callable[[Any], Any]  # what a user gives, as Python holds it; TypeError, ValueError
    dtype: str = ""  # of packed numbers that are not varints


def _integer(bits: int, negative: bool) -> Callable[[Any], int]:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if negative else (0, (1 << bits) - 1)

    def take(value: Any) -> int:
        number = operator.index(value.item() if isinstance(value, np.ndarray) else value)
        if not low <= number <= high:
            raise ValueError(f"{number} is no {'' if negative else 'u'}int{bits}")
        return number

    return take


def _single(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError(f"a number is wanted, got {value!r}")
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _double(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError(f"a number is wanted, got {value!r}")
    return float(value)


def _bytes(value: Any) -> bytes:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"bytes are wanted, got {value!r} of {type(value).__name__}")
    return bytes(value)


def as_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"a string is wanted, got {value!r} of {type(value).__name__}")
    return value


SCALARS = {
    "int64": Scalar(wire.VARINT, 0, _integer(64, negative=True)),
    "sint64": Scalar(wire.VARINT, 0, _integer(64, negative=True)),  # alone, not in lists
    "int32": Scalar(wire.VARINT, 0, _integer(32, negative=True)),
    "uint64": Scalar(wire.VARINT, 0, _integer(64, negative=False)),
    "uint32": Scalar(wire.VARINT, 0, _integer(32, negative=False)),
    "bool": Scalar(wire.VARINT, False, bool),
    "float": Scalar(wire.FIXED32, 0.0, _single, "<f4"),
    "double": Scalar(wire.FIXED64, 0.0, _double, "<f8"),
    "fixed32": Scalar(wire.FIXED32, 0, _integer(32, negative=False), "<u4"),
    "bytes": Scalar(wire.BYTES, b"", _bytes),
    "string": Scalar(wire.BYTES, "", as_text),
}


def packed(kind: str, items: list[Any]) -> bytes:
    scalar = SCALARS[kind]
    if scalar.wire != wire.VARINT:
        return np.array(items, scalar.dtype).tobytes()
    if len(items) < 8:
        return b"".join(wire.varint(int(i)) for i in items)
    return wire.pack_varints(np.array(items, np.uint64 if kind == "uint64" else np.int64))


def raw(kind: str, value: int) -> int:
    """The number that is written for a varint."""
    return int(value) << 1 ^ int(value) >> 63 if kind == "sint64" else int(value)


def unpacked(kind: str, scalar: Scalar, data: int | memoryview) -> list[Any]:
    assert not isinstance(data, int)
    if scalar.wire == wire.VARINT:
        return [_number(kind, n & (1 << 64) - 1) for n in wire.unpack_varints(data).tolist()]
    size = np.dtype(scalar.dtype).itemsize
    if len(data) % size:
        raise DataLossError(f"a message is damaged: {len(data)} bytes of numbers of {size}")
    numbers: list[Any] = np.frombuffer(data, scalar.dtype).tolist()
    return numbers


def one(kind: str, scalar: Scalar, value: int | memoryview) -> Any:
    if isinstance(value, int):
        return _number(kind, value)
    if scalar.wire == wire.BYTES:
        return bytes(value).decode() if kind == "string" else bytes(value)
    letter = {"float": "<f", "double": "<d", "fixed32": "<I"}[kind]
    return struct.unpack(letter, value)[0]


def _number(kind: str, value: int) -> Any:
    if kind == "bool":
        return value != 0
    if kind == "uint64":
        return value
    if kind == "sint64":
        return value >> 1 ^ -(value & 1)
    if kind == "uint32":
        return value & 0xFFFFFFFF
    if kind == "int32":
        low = value & 0xFFFFFFFF
        return low - (1 << 32) if low >> 31 else low
    return wire.signed(value)


def short(value: float) -> str:
    """The shortest text that stands for a float32."""
    text = str(np.float32(value))
    return text.removesuffix(".0") if text.endswith(".0") else text


_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def quoted(value: bytes | str) -> str:
    data = value.encode() if isinstance(value, str) else value
    shown = (_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in data)
    return '"' + "".join(shown) + '"'
