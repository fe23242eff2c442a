"""Keys of slices: a name and ranges as bytes whose order is theirs (TensorFlow's OrderedCode).

A bundle keeps the slices of a partitioned tensor under these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def slice_key(name: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """The key of a slice of the tensor `name`.

    Args:
        name: The tensor.
        ranges: The first index and the length of each axis; 0 and -1 for all of an axis.
    """
    parts = [_number(0), _string(name), _number(len(ranges))]
    for start, length in ranges:
        parts += [_signed(start), _signed(length)]
    return b"".join(parts)


def _number(value: int) -> bytes:
    """A number that is not negative: how many bytes it takes, and these, the highest first."""
    digits = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([len(digits)]) + digits


def _string(value: bytes) -> bytes:
    """A string and its end, with what could be taken for one written otherwise."""
    return re.sub(rb"[\0\xff]", lambda found: _ESCAPES[found[0]], value) + b"\0\1"


_ESCAPES = {b"\0": b"\0\xff", b"\xff": b"\xff\0"}


def _signed(value: int) -> bytes:
    """A number: seven bits a byte, behind as many ones as there are bytes (and all of it inverted
    where the number is negative)."""
    size = (~value if value < 0 else value).bit_length() // 7 + 1
    digits = bytearray(value.to_bytes(10, "big", signed=True)[10 - size :])
    head = 0xFFFF << 16 - size & 0xFFFF
    digits[0] ^= head >> 8
    if size > 1:
        digits[1] ^= head & 255
    return bytes(digits)
