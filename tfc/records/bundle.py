"""Bundles: the tensors of a checkpoint in TensorFlow's own format.

    prefix.index                  a table: "" -> header, name -> where the tensor stands
    prefix.data-00000-of-00001    the elements, the lowest byte first, one tensor behind another

Each tensor has a CRC-32C of its bytes; the table has its own. Strings are their lengths (varints),
the checksum of these, and their bytes. Of a partitioned tensor the table names the slices, which
stand under keys of their own.

This module has what both directions share; bundle_writer.py and bundle_reader.py are these.
"""

from __future__ import annotations

from typing import NamedTuple

from tfc.backends.cpu import records as native
from tfc.ir.dtypes import ALL, string

from ..core.errors import DataLossError
from . import wire
from .bundle_messages import TensorSliceProto

VERSION = 1  # of the format; a file says how new what reads it must be
DTYPES = {dtype.as_datatype_enum: dtype for dtype in (*ALL, string)}
MOST_SHARDS = 1 << 16
MOST_AXES = 254

Range = tuple[int, int]  # first index and length of an axis; (0, -1) for all of it


def data_path(prefix: str, shard: int, shards: int) -> str:
    """The name of a file with elements."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def index_path(prefix: str) -> str:
    """The name of the file that says where elements stand."""
    return f"{prefix}.index"


class Entry(NamedTuple):
    """A tensor of a bundle: BundleEntryProto."""

    dtype: int  # its number in types.proto
    shape: tuple[int, ...]
    shard: int = 0
    offset: int = 0
    size: int = 0
    crc: int = 0  # masked
    slices: tuple[tuple[Range, ...], ...] = ()

    def encoded(self) -> bytes:
        """The message."""
        axes = (
            wire.block(2, b"" if n == 0 else wire.tag(1, wire.VARINT) + wire.varint(n))
            for n in self.shape
        )
        parts = [wire.tag(1, wire.VARINT), wire.varint(self.dtype), wire.block(2, b"".join(axes))]
        for number, value in ((3, self.shard), (4, self.offset), (5, self.size)):
            if value:
                parts += [wire.tag(number, wire.VARINT), wire.varint(value)]
        if self.crc:
            parts += [wire.tag(6, wire.FIXED32), self.crc.to_bytes(4, "little")]
        return b"".join(parts)


_NUMBERS = {1: "dtype", 3: "shard", 4: "offset", 5: "size"}


def decoded(data: bytes) -> Entry:
    """The entry that a message is.

    Raises:
        DataLossError: If it is none.
    """
    found: dict[str, int] = {"dtype": 0}
    shape: list[int] = []
    slices: list[tuple[Range, ...]] = []
    for number, kind, value in wire.fields(memoryview(data)):
        if kind == wire.VARINT and isinstance(value, int) and number in _NUMBERS:
            found[_NUMBERS[number]] = value
        elif isinstance(value, int):
            continue
        elif number == 6 and kind == wire.FIXED32:
            found["crc"] = int.from_bytes(value, "little")
        elif number == 2 and kind == wire.BYTES:
            shape += _axes(value)
        elif number == 7 and kind == wire.BYTES:
            message = TensorSliceProto.FromString(value)
            slices.append(
                tuple((e.start, e.length if e.HasField("length") else -1) for e in message.extent)
            )
    if len(shape) > MOST_AXES:
        raise DataLossError(f"a tensor of {len(shape)} axes")
    return Entry(shape=tuple(shape), slices=tuple(slices), **found)


def _axes(data: memoryview) -> list[int]:
    """The extents in a TensorShapeProto."""
    shape: list[int] = []
    for number, kind, value in wire.fields(data):
        if number == 3 and value:
            raise DataLossError("a tensor of unknown rank")
        if number == 2 and kind == wire.BYTES and not isinstance(value, int):
            extent = 0
            for inner, _, n in wire.fields(value):
                if inner == 1 and isinstance(n, int):
                    extent = n
            if extent >> 63:
                raise DataLossError("a tensor of unknown shape")
            shape.append(extent)
    return shape


def lengths_crc(lengths: list[int]) -> int:
    """The checksum of the lengths of strings: of each as a number of 4 bytes, or 8."""
    return native.crc32c(b"".join(n.to_bytes(4 if n < 1 << 32 else 8, "little") for n in lengths))
