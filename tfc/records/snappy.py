"""Snappy's compressed form, read (google/snappy, format_description.txt): blocks of a table may
have it. Nothing here writes it.

The length (varint), then elements: literal bytes, or a copy of what was given before.
"""

from __future__ import annotations

from ..core.errors import DataLossError
from . import wire

_LITERAL, _NEAR, _FAR = 0, 1, 2
# A copy takes two bytes or more, and gives at most 64.
_RATIO = 32


def decompress(data: memoryview, where: str) -> bytes:
    """What was compressed.

    Args:
        data: The compressed bytes.
        where: What to call them in messages.

    Raises:
        DataLossError: If they are none.
    """
    wanted, at = wire.read_varint(data, 0)
    if wanted > len(data) * _RATIO:
        raise _damaged(where, f"{len(data)} bytes claim to be {wanted}")
    found = bytearray()
    end = len(data)
    while at < end:
        tag = data[at]
        at += 1
        kind, rest = tag & 3, tag >> 2
        if kind == _LITERAL:
            if rest >= 60:
                wide = rest - 59
                rest = int.from_bytes(data[at : at + wide], "little")
                at += wide
            if rest + 1 > end - at:
                raise _damaged(where, "a literal ends too early")
            found += data[at : at + rest + 1]
            at += rest + 1
        else:
            if kind == _NEAR:
                length, high, wide = (rest & 7) + 4, rest >> 3 << 8, 1
            else:
                length, high, wide = rest + 1, 0, 2 if kind == _FAR else 4
            if wide > end - at:
                raise _damaged(where, "a copy ends too early")
            back = high | int.from_bytes(data[at : at + wide], "little")
            at += wide
            if not 0 < back <= len(found):
                raise _damaged(where, "a copy of what is not there")
            start = len(found) - back
            piece = found[start : start + length]
            while len(piece) < length:  # it overlaps what it makes
                piece += piece[: length - len(piece)]
            found += piece
        if len(found) > wanted:
            break
    if len(found) != wanted:
        raise _damaged(where, f"{len(found)} bytes come out, not {wanted}")
    return bytes(found)


def _damaged(where: str, why: str) -> DataLossError:
    return DataLossError(f"{where} is damaged: {why}")
