"""The encoding of Protocol Buffers (developers.google.com/protocol-buffers/docs/encoding).

A message is a sequence of fields: a tag (number and wire type) and a value. Numbers are varints,
seven bits a byte, the lowest first; lists of numbers are packed: one field of many numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.errors import DataLossError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_LONGEST = 10  # bytes of a varint of 64 bits
_MASK = (1 << 64) - 1
_SMALL = [bytes([number]) for number in range(128)]


def varint(number: int) -> bytes:
    """A number of 64 bits; negative ones as what is congruent modulo 2^64."""
    if 0 <= number < 128:
        return _SMALL[number]
    number &= _MASK
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number that begins at `at`, from 0 to 2^64 - 1, and where it ends."""
    if at < len(data) and data[at] < 128:
        return data[at], at + 1
    number, shift = 0, 0
    for end in range(at, min(at + _LONGEST, len(data))):
        byte = data[end]
        number |= (byte & 127) << shift
        if byte < 128:
            return number & _MASK, end + 1
        shift += 7
    raise DataLossError(f"a message is damaged: no number ends behind byte {at} of {len(data)}")


def signed(number: int) -> int:
    """What stands for an int64."""
    return number - (1 << 64) if number >> 63 else number


def tag(number: int, kind: int) -> bytes:
    return varint(number << 3 | kind)


def block(number: int, data: bytes) -> bytes:
    """A field of bytes: a string, a message or packed numbers."""
    return b"".join((tag(number, BYTES), varint(len(data)), data))


def fields(data: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """Number, wire type and value of each field. Values of VARINT are numbers, others bytes."""
    at, size = 0, len(data)
    while at < size:
        key = data[at]
        if key < 128:
            at += 1
        else:
            key, at = read_varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
            yield number, kind, value
            continue
        if kind == BYTES:
            length, at = read_varint(data, at)
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
        else:
            raise DataLossError(f"a message is damaged: wire type {kind} at byte {at}")
        if not number or length > size - at:
            raise DataLossError(f"a message is damaged: a field of {length} bytes at byte {at}")
        yield number, kind, data[at : at + length]
        at += length


def pack_varints(numbers: np.ndarray) -> bytes:
    """The varints of an array of 64-bit integers."""
    rest = np.ascontiguousarray(numbers).astype(np.uint64, copy=False).reshape(-1)
    if not rest.size:
        return b""
    digits = np.empty((rest.size, _LONGEST), np.uint8)
    lengths = np.ones(rest.size, np.int64)
    for place in range(_LONGEST):
        digits[:, place] = (rest & np.uint64(127)).astype(np.uint8)
        rest = rest >> np.uint64(7)
        lengths += rest > 0
    places = np.arange(_LONGEST)
    digits[places < lengths[:, None] - 1] |= 128
    return digits[places < lengths[:, None]].tobytes()


def unpack_varints(data: memoryview) -> np.ndarray:
    """The int64 array that packed varints stand for."""
    digits = np.frombuffer(data, np.uint8)
    if not digits.size:
        return np.empty(0, np.int64)
    ends = np.flatnonzero(digits < 128)
    starts = np.concatenate([[0], ends[:-1] + 1]) if ends.size else np.zeros(1, np.int64)
    if not ends.size or ends[-1] != digits.size - 1 or (ends - starts >= _LONGEST).any():
        raise DataLossError(f"a message is damaged: {digits.size} bytes are no packed numbers")
    place = np.arange(digits.size) - np.repeat(starts, ends - starts + 1)
    shifted = (digits & 127).astype(np.uint64) << (place * 7).astype(np.uint64)
    return np.add.reduceat(shifted, starts).view(np.int64)
