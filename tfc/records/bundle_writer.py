"""Writing bundles (see bundle.py), so that at every moment one of both is there whole: the bundle
that had the name before, or the new one.

The elements go into a file that the index of the bundle before does not name; then the new index
takes the place of that one, which is one step. As TensorFlow, this calls the file
`data-00000-of-00001`; where that name is taken, first `data-00000-of-00002`, and when the old file
is needed no more, the usual name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np

from tfc.backends.cpu import records as native
from tfc.ir.dtypes import as_dtype, string

from ..core.errors import DataLossError, FailedPreconditionError
from . import files, table, wire
from .bundle import VERSION, Entry, data_path, index_path, lengths_crc
from .bundle_messages import BundleHeaderProto
from .tfrecord import failed, masked

_CHUNK = 1 << 18  # bytes: what the checksum has read, the system finds in the cache


def write(prefix: str, tensors: Mapping[str, np.ndarray], op: str) -> None:
    """Write a bundle, in place of the one of this name if there is one.

    Args:
        prefix: What the names of its files begin with.
        tensors: Arrays by name; an array of objects holds bytes.
        op: What to call this in messages.

    Raises:
        OpError: If a file cannot be written.
    """
    try:
        _write(prefix, tensors)
    except OSError as error:
        raise failed(error, prefix, op) from None


def _write(prefix: str, tensors: Mapping[str, np.ndarray]) -> None:
    folder = os.path.dirname(prefix)
    if folder:
        os.makedirs(folder, exist_ok=True)
    files.clean(prefix)
    before = _shards(prefix)
    shards = 2 if before == 1 else 1
    entries: list[tuple[bytes, bytes]] = []
    data = data_path(prefix, 0, shards)
    files.put(data, _elements(tensors, entries))
    _write_index(prefix, shards, entries)
    for shard in range(before) if before > 1 else ():
        files.remove(data_path(prefix, shard, before))
    if shards == 1:
        return
    usual = data_path(prefix, 0, 1)
    link = files.beside(usual)
    try:
        os.link(data, link)
    except OSError:  # a file system without links: the other name is as good
        files.remove(usual)
        return
    os.replace(link, usual)
    files.settle(folder)
    _write_index(prefix, 1, entries)
    files.remove(data)


def _shards(prefix: str) -> int:
    """How many files of elements the bundle has that is there; 0 where there is none."""
    try:
        return int(header(table.read(files.whole(index_path(prefix)), prefix)).num_shards)
    except (OSError, DataLossError, FailedPreconditionError):
        return 0


def header(index: Mapping[bytes, bytes]) -> BundleHeaderProto:
    """The header in an index. Raises DataLossError if there is none."""
    return BundleHeaderProto.FromString(index.get(b"", b""))


def _write_index(prefix: str, shards: int, entries: list[tuple[bytes, bytes]]) -> None:
    head = BundleHeaderProto(num_shards=shards, version={"producer": VERSION})
    files.put(index_path(prefix), [table.write([(b"", head.SerializeToString()), *entries])])


def _elements(
    tensors: Mapping[str, np.ndarray], entries: list[tuple[bytes, bytes]]
) -> Iterator[memoryview | bytes]:
    """The bytes of all tensors; says where each stands."""
    offset = 0
    for key, name in sorted((name.encode(), name) for name in tensors):
        array = tensors[name]
        if array.dtype == object:
            number, (parts, crc) = string.as_datatype_enum, _texts(array)
            yield from parts
            size = sum(map(len, parts))
        else:
            number, size, crc = as_dtype(array.dtype).as_datatype_enum, array.nbytes, 0
            flat = files.bytes_of(array)
            for at in range(0, size, _CHUNK):
                part = flat[at : at + _CHUNK]
                crc = native.crc32c(part, crc)
                yield part
        entries.append((key, Entry(number, array.shape, 0, offset, size, masked(crc)).encoded()))
        offset += size


def _texts(array: np.ndarray) -> tuple[list[bytes], int]:
    """The bytes of strings as a file has them, and their checksum."""
    items: list[bytes] = array.reshape(-1).tolist()
    lengths = [len(item) for item in items]
    crc = lengths_crc(lengths)
    foot, data = masked(crc).to_bytes(4, "little"), b"".join(items)
    parts = [b"".join(map(wire.varint, lengths)), foot, data]
    return parts, native.crc32c(data, native.crc32c(foot, crc))
