"""Files of records and the examples in them, read by native code (runtime/records.c, examples.c),
which is compiled at its first use.

A record of TensorFlow's files is its length (8 bytes, little-endian), the masked CRC-32C of that,
its bytes, and the masked CRC-32C of these.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tfc.ir.value_classes import NamedTuple

from . import crc32c_instruction, jit
from .machine import host
from .runtime import native

_POLYNOMIAL = 0x82F63B78  # Castagnoli's, with the lowest bit first


class Scan(NamedTuple):
    """The whole records that some bytes begin with."""

    spans: np.ndarray  # for each its first byte, and its length
    used: int  # where they end
    wanted: int  # how many bytes the next one takes, as far as they tell
    damage: str  # what is wrong with the next one, or nothing


_DAMAGE = ("", "the checksum of its length is wrong", "the checksum of its bytes is wrong")


def crc32c(data: bytes | memoryview | np.ndarray, start: int = 0) -> int:
    """The CRC-32C of `data`, or of what has the checksum `start` with `data` behind it."""
    if isinstance(data, bytes):
        return int(_library().crc32c(_library().tables, start, data, len(data)))
    array = np.frombuffer(data, np.uint8)
    return int(_library().crc32c(_library().tables, start, array.ctypes.data, array.size))


def scan(data: bytes | memoryview, capacity: int = 4096) -> Scan:
    """The records at the beginning of `data`, at most `capacity`."""
    array = np.frombuffer(data, np.uint8)
    spans = np.empty((capacity, 2), np.int64)
    used, wanted, wrong = (ctypes.c_int64() for _ in range(3))
    place, size = array.ctypes.data, array.size
    where = [ctypes.addressof(x) for x in (used, wanted, wrong)]
    count = _library().records(_library().tables, place, size, spans.ctypes.data, capacity, *where)
    return Scan(spans[:count], used.value, wanted.value, _DAMAGE[wrong.value])


STRINGS, FLOATS, INTEGERS = 1, 2, 3  # kinds of features, as their lists are numbered


class Damaged(Exception):
    """A message is no message. The argument is its number."""


class Columns:
    """The features with these names of serialised examples.

    Attributes:
        kinds: For each example and name the kind of the feature, 0 where there is none.

    Raises:
        Damaged: If one of them is none.
    """

    def __init__(self, examples: Sequence[bytes], names: Sequence[str]) -> None:
        self._bytes = b"".join(examples)
        self._data = np.frombuffer(self._bytes, np.uint8)
        keys = [name.encode() for name in names]
        ends, key_ends = (np.cumsum([*map(len, x)], dtype=np.int64) for x in (examples, keys))
        text = b"".join(keys)
        self._spans = np.empty((len(examples), len(keys), 4), np.int64)
        sizes = ends.ctypes.data, len(examples), text, key_ends.ctypes.data, len(keys)
        where = self._data.ctypes.data
        wrong = _library().find_features(where, *sizes, self._spans.ctypes.data)
        if wrong >= 0:
            raise Damaged(wrong)
        self.kinds = self._spans[:, :, 2]

    def values(self, place: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the feature `place`, which is of this kind wherever it is: all examples' values one
        behind another, and how many each has."""
        count, wanted, parts = self._spans.shape
        counts = self._spans[:, place, 3].copy()
        total = int(counts.sum())
        shape = (total, 2) if kind == STRINGS else (total,)
        found = np.empty(shape, np.float32 if kind == FLOATS else np.int64)
        first = self._spans.ctypes.data + place * parts * 8
        read = _library().feature_values
        read(self._data.ctypes.data, first, wanted, count, found.ctypes.data)
        if kind == STRINGS:
            data = self._bytes
            strings = np.empty(len(found), object)
            found[:, 1] += found[:, 0]
            strings[:] = [data[start:stop] for start, stop in found.tolist()]
            return strings, counts
        return found, counts


_BY_TABLES = "define i32 @tfc_crc32c("


def _text() -> str:
    """The module: with the processor's instruction for checksums, where it has one."""
    text = native.records_text()
    faster = crc32c_instruction.text(host(), "tfc_crc32c", 8 * 256 * 4)
    if not faster:
        return text
    assert _BY_TABLES in text
    return text.replace(_BY_TABLES, "define i32 @tfc_crc32c_by_tables(") + faster


def _tables() -> np.ndarray:
    """The remainders of a byte that 0 to 7 others follow; then what the faster way needs."""
    first: np.ndarray = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        first = (first >> 1) ^ np.where(first & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    tables: list[np.ndarray] = [first]
    for _ in range(7):
        tables.append((tables[-1] >> 8) ^ first[tables[-1] & 255])
    shifts = crc32c_instruction.shift_tables(first)
    return np.ascontiguousarray([*tables, *shifts], np.uint32)


class _Library(NamedTuple):
    crc32c: Any
    records: Any
    find_features: Any
    feature_values: Any
    tables: int  # their address
    kept: tuple[jit.Library, np.ndarray]  # stay as long as this


@cache
def _library() -> _Library:
    code = jit.load(_text())
    pointer, count, word = ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint32

    def function(name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(code.address(name))

    tables = _tables()
    return _Library(
        function("tfc_crc32c", word, pointer, word, pointer, count),
        function("tfc_records", count, pointer, pointer, count, pointer, count, *[pointer] * 3),
        function("tfc_find_features", count, *[pointer] * 2, count, *[pointer] * 2, count, pointer),
        function("tfc_feature_values", None, *[pointer] * 2, count, count, pointer),
        tables.ctypes.data,
        (code, tables),
    )
