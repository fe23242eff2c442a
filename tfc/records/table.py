"""Tables of sorted keys with values, as LevelDB has them (its doc/table_format.md): the index of a
checkpoint.

    [data block]... [meta-index block] [index block] [footer: 48 bytes]

A block is a sequence of entries, of which each leaves out what its key shares with the one before:

    shared (varint), unshared (varint), size of the value (varint), the key's rest, the value

Behind them stand the places where keys are whole (restarts, uint32 each) and their number; behind
the block its kind (0 as it is, 1 Snappy) and the masked CRC-32C of all of it. The index block has
an entry for each data block: a key that is not below any in it, and where it stands.

Reading checks every block's checksum, and that keys rise. So a table gives what was written, or is
a `DataLossError`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from ..core.errors import DataLossError
from . import snappy, wire
from .tfrecord import masked_crc32c

MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_TAIL = struct.Struct("<BI")  # kind and checksum, behind each block
_WORD = struct.Struct("<I")
_AS_IT_IS, _SNAPPY = 0, 1
_INTERVAL = 16  # entries from one whole key to the next
_BLOCK = 1 << 18  # bytes of entries, from which on another block begins


def write(items: Iterable[tuple[bytes, bytes]], block: int = _BLOCK) -> bytes:
    """The table of these pairs, whose keys rise."""
    parts: list[bytes] = []
    index: list[tuple[bytes, bytes]] = []
    at = 0

    def put(entries: list[tuple[bytes, bytes]], interval: int) -> bytes:
        """Write a block; where it stands."""
        nonlocal at
        data = _block(entries, interval) + bytes([_AS_IT_IS])
        handle = wire.varint(at) + wire.varint(len(data) - 1)
        parts.extend((data, _WORD.pack(masked_crc32c(data))))
        at += len(data) + _WORD.size
        return handle

    pending: list[tuple[bytes, bytes]] = []
    size = 0
    for key, value in items:
        pending.append((key, value))
        size += len(key) + len(value) + 8
        if size >= block:
            index.append((key, put(pending, _INTERVAL)))
            pending, size = [], 0
    if pending or not index:
        index.append((pending[-1][0] if pending else b"", put(pending, _INTERVAL)))
    handles = put([], _INTERVAL)
    handles += put(index, 1)
    parts.append(handles.ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", MAGIC))
    return b"".join(parts)


def _block(entries: list[tuple[bytes, bytes]], interval: int) -> bytes:
    parts: list[bytes] = []
    restarts: list[int] = []
    at, before = 0, b""
    for i, (key, value) in enumerate(entries):
        shared = 0
        if i % interval == 0:
            restarts.append(at)
        else:
            shared = _shared(before, key)
        head = wire.varint(shared) + wire.varint(len(key) - shared) + wire.varint(len(value))
        parts.extend((head, key[shared:], value))
        at += len(head) + len(key) - shared + len(value)
        before = key
    restarts = restarts or [0]
    return b"".join([*parts, struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))])


def _shared(a: bytes, b: bytes) -> int:
    """How many bytes both begin with."""
    n = min(len(a), len(b))
    if a[:n] == b[:n]:
        return n
    low, high = 0, n  # a[:low] is shared, a[:high] is not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle)
    return low


def read(data: bytes | memoryview, where: str) -> dict[bytes, bytes]:
    """All pairs of a table, in the order of their keys.

    Args:
        data: The whole file.
        where: What to call it in messages.

    Raises:
        DataLossError: If it is none, or damaged.
    """
    return _Reader(memoryview(data), where).pairs()


class _Reader:
    def __init__(self, data: memoryview, where: str) -> None:
        self.data, self.where = data, where

    def damaged(self, why: str) -> DataLossError:
        return DataLossError(f"{self.where} is damaged, or no table: {why}")

    def pairs(self) -> dict[bytes, bytes]:
        if len(self.data) < _FOOTER:
            raise self.damaged(f"it has {len(self.data)} bytes")
        footer = self.data[-_FOOTER:]
        if struct.unpack("<Q", footer[-8:])[0] != MAGIC:
            raise self.damaged("it does not end as a table does")
        _, at = self.handle(footer, 0)
        (start, size), at = self.handle(footer, at)
        if any(footer[at:-8]):
            raise self.damaged("its footer")
        found: dict[bytes, bytes] = {}
        last: bytes | None = None
        for limit, value in self.entries(start, size):
            handle, end = self.handle(memoryview(value), 0)
            if end != len(value):
                raise self.damaged("its index")
            for key, item in self.entries(*handle):
                if last is not None and key <= last:
                    raise self.damaged("its keys do not rise")
                found[key] = item
                last = key
            if last is not None and last > limit:
                raise self.damaged("a block has keys that its index does not know")
        return found

    def handle(self, data: memoryview, at: int) -> tuple[tuple[int, int], int]:
        """Where a block stands: its first byte and its size."""
        start, at = wire.read_varint(data, at)
        size, at = wire.read_varint(data, at)
        if start + size + _TAIL.size > len(self.data) - _FOOTER:
            raise self.damaged("a block reaches beyond its end")
        return (start, size), at

    def entries(self, start: int, size: int) -> Iterator[tuple[bytes, bytes]]:
        block = self.data[start : start + size]
        kind, checksum = _TAIL.unpack(self.data[start + size : start + size + _TAIL.size])
        if masked_crc32c(self.data[start : start + size + 1]) != checksum:
            raise self.damaged(f"the checksum of the block at byte {start}")
        if kind == _SNAPPY:
            block = memoryview(snappy.decompress(block, self.where))
        elif kind != _AS_IT_IS:
            raise self.damaged(f"the block at byte {start} is of the kind {kind}")
        if len(block) < 4:
            raise self.damaged(f"the block at byte {start} is too short")
        restarts = _WORD.unpack(block[-4:])[0]
        end = len(block) - 4 - 4 * restarts
        if end < 0:
            raise self.damaged(f"the block at byte {start} has {restarts} restarts")
        at, key = 0, b""
        entries = block[:end]
        while at < end:
            shared, at = wire.read_varint(entries, at)
            rest, at = wire.read_varint(entries, at)
            length, at = wire.read_varint(entries, at)
            if shared > len(key) or rest + length > end - at:
                raise self.damaged(f"an entry of the block at byte {start}")
            key = key[:shared] + bytes(entries[at : at + rest])
            at += rest
            yield key, bytes(entries[at : at + length])
            at += length
