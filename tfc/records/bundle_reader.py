"""Reading bundles (see bundle.py): each tensor is what was written, or a DataLossError."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from tfc.backends.cpu import records as native
from tfc.ir.dtypes import DType, string

from ..core.errors import DataLossError, NotFoundError, OpError, UnimplementedError
from . import files, table, wire
from .bundle import (
    DTYPES,
    MOST_SHARDS,
    VERSION,
    Entry,
    Range,
    data_path,
    decoded,
    index_path,
    lengths_crc,
)
from .bundle_messages import BundleHeaderProto
from .ordered import slice_key
from .tfrecord import failed, masked

_TRIES = 3  # where files take others' places meanwhile


class BundleReader:
    """The tensors of a bundle.

    Its files are opened at once and stay open, so it goes on giving the same tensors when others
    take their names, or they are removed.

    Args:
        prefix: What the names of its files begin with.
        op: What to call this in messages.

    Raises:
        NotFoundError: If there is none.
        DataLossError: If its index is damaged.
        UnimplementedError: If it was written for newer programs, or on a machine whose numbers
            begin with the highest byte.
    """

    def __init__(self, prefix: str, op: str) -> None:
        self.prefix, self._op = prefix, op
        self._lock = threading.Lock()
        for _ in range(_TRIES):
            self._index = self._read_index()
            self._files: dict[int, IO[bytes]] = {}
            if self._open():
                break

    def _read_index(self) -> dict[bytes, bytes]:
        path = index_path(self.prefix)
        try:
            index = table.read(files.whole(path), path)
        except OSError as error:
            raise self._failed(error, path) from None
        head = BundleHeaderProto.FromString(index.pop(b"", b""))
        if not 0 < head.num_shards <= MOST_SHARDS:
            raise DataLossError(f"{path} is no index of a checkpoint", op=self._op)
        bad = head.version.bad_consumers
        if head.version.min_consumer > VERSION or VERSION in bad or head.endianness:
            message = f"{path} was written for newer programs, or for another kind of machine"
            raise UnimplementedError(message, op=self._op)
        self._shards = head.num_shards
        self._entries: dict[str, Entry] = {}
        self._names = {}
        for key in index:
            with contextlib.suppress(UnicodeDecodeError):  # a slice's key, which `slices` leads to
                self._names[key.decode()] = key
        return index

    def _open(self) -> bool:
        """Open the files of elements; whether all are there."""
        for shard in range(self._shards):
            try:
                self._files[shard] = files.opened(data_path(self.prefix, shard, self._shards))
            except FileNotFoundError:
                continue
            except OSError as error:
                raise self._failed(error, self.prefix) from None
        return len(self._files) == self._shards

    def close(self) -> None:
        """Close its files. Tensors that were read stay."""
        for file in self._files.values():
            file.close()

    def _failed(self, error: OSError, path: str) -> OpError:
        if isinstance(error, FileNotFoundError):
            message = f"there is no checkpoint {self.prefix!r}: no file {path}"
            return NotFoundError(message, op=self._op)
        return failed(error, path, self._op)

    def _damaged(self, name: str, why: str) -> DataLossError:
        return DataLossError(f"{name} in {self.prefix} is damaged: {why}", op=self._op)

    # What is there.

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """The names of all tensors, in their order. Slices are none."""
        return (name for name in self._names if not name.startswith("\0"))

    def entry(self, name: str) -> Entry:
        """Where a tensor stands, its dtype's number and its shape.

        Raises:
            NotFoundError: If there is none of this name.
            DataLossError: If its entry is damaged.
        """
        found = self._entries.get(name)
        if found is None:
            key = self._names.get(name)
            if key is None:
                message = f"Key {name} not found in checkpoint {self.prefix}"
                raise NotFoundError(message, op=self._op)
            found = self._entries[name] = self._decoded(self._index[key], name)
        return found

    def _decoded(self, data: bytes, name: str) -> Entry:
        try:
            return decoded(data)
        except DataLossError as error:
            raise self._damaged(name, error.message) from None

    def dtype(self, name: str) -> DType:
        """The dtype of a tensor.

        Raises:
            UnimplementedError: If it is none of tfc's.
        """
        return self._dtype(self.entry(name), name)

    def _dtype(self, entry: Entry, name: str) -> DType:
        found = DTYPES.get(entry.dtype)
        if found is None:
            message = f"{name} in {self.prefix} has the dtype number {entry.dtype}, which tfc lacks"
            raise UnimplementedError(message, op=self._op)
        return found

    # Tensors.

    def read(self, name: str) -> np.ndarray:
        """The elements of a tensor: an array of its own, of objects (bytes) for strings.

        Raises:
            NotFoundError: If there is none, or the file of its elements is missing.
            DataLossError: If it is damaged.
            UnimplementedError: If its dtype is none of tfc's.
        """
        entry = self.entry(name)
        return self._joined(entry, name) if entry.slices else self._tensor(entry, name)

    def _tensor(self, entry: Entry, name: str) -> np.ndarray:
        dtype = self._dtype(entry, name)
        file = self._files.get(entry.shard)
        if file is None:
            path = data_path(self.prefix, entry.shard, self._shards)
            raise NotFoundError(f"{path}: the file with {name} is not there", op=self._op)
        if entry.offset + entry.size > os.fstat(file.fileno()).st_size:
            raise self._damaged(name, "its file is too short")
        count = math.prod(entry.shape)
        if dtype is string:
            return self._strings(file, entry, count, name)
        if count * dtype.itemsize != entry.size:
            raise self._damaged(name, f"{entry.size} bytes for the shape {list(entry.shape)}")
        array = self._empty(entry.shape, dtype.numpy, name)
        crc = self._fill(file, entry.offset, array, name)
        if masked(crc) != entry.crc:
            raise self._damaged(name, "its checksum differs")
        if dtype.is_bool and count and array.view(np.uint8).max() > 1:
            raise self._damaged(name, "it has bools that are none")
        return array.byteswap() if sys.byteorder == "big" else array

    def _fill(self, file: IO[bytes], offset: int, array: np.ndarray, name: str) -> int:
        """Read into an array; the checksum of what was read."""
        with self._lock:
            try:
                return files.fill(file, offset, array)
            except EOFError:
                raise self._damaged(name, "its file is too short") from None
            except OSError as error:
                raise self._failed(error, self.prefix) from None

    def _strings(self, file: IO[bytes], entry: Entry, count: int, name: str) -> np.ndarray:
        if count + 4 > entry.size:  # a length takes a byte or more
            raise self._damaged(name, f"{entry.size} bytes for {count} strings")
        data = np.empty(entry.size, np.uint8)
        self._fill(file, entry.offset, data, name)
        view, at = files.view_of(data), 0
        lengths: list[int] = []
        try:
            for _ in range(count):
                length, at = wire.read_varint(view, at)
                lengths.append(length)
        except DataLossError as error:
            raise self._damaged(name, error.message) from None
        foot, rest = bytes(view[at : at + 4]), view[at + 4 :]
        crc = lengths_crc(lengths) if max(lengths, default=0) <= len(rest) else -1
        if crc < 0 or masked(crc).to_bytes(4, "little") != foot or sum(lengths) != len(rest):
            raise self._damaged(name, "the lengths of its strings")
        if masked(native.crc32c(rest, native.crc32c(foot, crc))) != entry.crc:
            raise self._damaged(name, "its checksum differs")
        ends = list(itertools.accumulate(lengths, initial=0))
        array = self._empty(entry.shape, object, name)
        array.reshape(-1)[:] = [bytes(rest[a:b]) for a, b in itertools.pairwise(ends)]
        return array

    def _empty(self, shape: tuple[int, ...], dtype: npt.DTypeLike, name: str) -> np.ndarray:
        try:
            return np.empty(shape, dtype)
        except ValueError as error:  # of zero elements, with axes that are too long or too many
            raise self._damaged(name, f"no array has the shape {list(shape)}: {error}") from None

    # Partitioned tensors.

    def _joined(self, entry: Entry, name: str) -> np.ndarray:
        """A tensor of which slices are there: together they must be all of it, each part once."""
        dtype = self._dtype(entry, name)
        boxes = [self._box(ranges, entry.shape, name) for ranges in entry.slices]
        volume = sum(math.prod(b - a for a, b in box) for box in boxes)
        if volume != math.prod(entry.shape) or _overlap(boxes):
            raise self._damaged(name, "its slices are not all of it")
        pieces = []
        for ranges, box in zip(entry.slices, boxes, strict=True):
            data = self._index.get(slice_key(name.encode(), ranges))
            if data is None:
                raise self._damaged(name, f"there is no slice {list(ranges)}")
            part = self._decoded(data, name)
            if part.dtype != entry.dtype or part.shape != tuple(b - a for a, b in box):
                raise self._damaged(name, f"the slice {list(ranges)} is of another kind")
            pieces.append((box, self._tensor(part, name)))
        whole = self._empty(entry.shape, object if dtype is string else dtype.numpy, name)
        for box, piece in pieces:
            whole[tuple(slice(a, b) for a, b in box)] = piece
        return whole

    def _box(self, ranges: tuple[Range, ...], shape: tuple[int, ...], name: str) -> list[Range]:
        """The first index of each axis, and the one behind the last."""
        if len(ranges) != len(shape):
            raise self._damaged(name, "a slice of another rank")
        box = [
            (0, n) if length == -1 and start == 0 else (start, start + length)
            for (start, length), n in zip(ranges, shape, strict=True)
        ]
        if not all(0 <= a <= b <= n for (a, b), n in zip(box, shape, strict=True)):
            raise self._damaged(name, "a slice that reaches beyond it")
        return box


def _overlap(boxes: Iterable[list[Range]]) -> bool:
    """Whether two of these have an element in common. Along the first axis in which they differ,
    sorted boxes that do not overlap are neighbours, mostly; so few pairs are compared."""
    ordered = sorted(boxes)
    for i, box in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if box and other[0][0] >= box[0][1]:
                break
            if all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(box, other, strict=True)):
                return True
    return False
