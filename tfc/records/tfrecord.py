"""Files of records: `tf.io.TFRecordWriter`, and what reads them.

A record is its length (8 bytes, little-endian), the checksum of that, its bytes and their checksum.
A checksum is a masked CRC-32C. A file may be compressed as a whole (GZIP, ZLIB).
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import IO, Any

from tfc.backends.cpu import records as native

from ..core import blame
from ..core.errors import DataLossError, FailedPreconditionError
from ..core.formatting import shown
from .reading import BLOCK, compression_of, failed, opened

_FOOT = struct.Struct("<I")
_LENGTH = struct.Struct("<Q")


def masked(crc: int) -> int:
    """A CRC-32C as files hold it: checksums of what contains some are as good."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def masked_crc32c(data: bytes | memoryview) -> int:
    """The checksum of `data` as files hold it."""
    return masked(native.crc32c(data))


def framed(record: bytes) -> bytes:
    """A record as it stands in a file."""
    head = _LENGTH.pack(len(record))
    parts = head, _FOOT.pack(masked_crc32c(head)), record, _FOOT.pack(masked_crc32c(record))
    return b"".join(parts)


class TFRecordOptions:
    """How files of records are compressed.

    Args:
        compression_type: "GZIP", "ZLIB" or "" for none.
        compression_level: From 0 (fast) to 9 (small); by default zlib's choice.

    TensorFlow's other options, which tune its zlib, are taken and not looked at: every reader reads
    what is written without them.

    Raises:
        ValueError: If there is no such compression.

    >>> import tfc as tf
    >>> tf.io.TFRecordOptions("GZIP").compression_type
    'GZIP'
    """

    def __init__(
        self,
        compression_type: str | None = None,
        flush_mode: Any = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: Any = None,
        mem_level: int | None = None,
        compression_strategy: Any = None,
    ) -> None:
        self.compression_type = compression_of(compression_type, "io.TFRecordOptions")
        self.compression_level = compression_level


class TFRecordWriter:
    """Writes records to a file, which is made anew. A context that closes it.

    Args:
        path: The file.
        options: "GZIP", "ZLIB", or a `TFRecordOptions`.

    Raises:
        ValueError: If there is no such compression.
        FailedPreconditionError: If the file cannot be written.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.tfrecord")
    ...     with tf.io.TFRecordWriter(path) as writer:
    ...         writer.write(b"first")
    ...         writer.write(b"second")
    ...     list(tf.compat.v1.io.tf_record_iterator(path))
    [b'first', b'second']
    """

    def __init__(self, path: str | bytes | os.PathLike[str], options: Any = None) -> None:
        self._path = os.fsdecode(path)
        kind = compression_of(options, "io.TFRecordWriter")
        level = getattr(options, "compression_level", None)
        level = zlib.Z_DEFAULT_COMPRESSION if level is None else level
        try:
            self._file: IO[bytes] = open(self._path, "wb")  # noqa: SIM115  (closed by `close`)
        except OSError as error:
            raise failed(error, self._path, "io.TFRecordWriter") from None
        bits = zlib.MAX_WBITS + 16 if kind == "GZIP" else zlib.MAX_WBITS
        self._packer = zlib.compressobj(level, wbits=bits) if kind else None

    def write(self, record: bytes) -> None:
        """Write a record.

        Args:
            record: Its bytes; a string is written as UTF-8.

        Raises:
            TypeError: If it is neither.
            FailedPreconditionError: If the writer is closed, or the disk is full.
        """
        record = record.encode() if isinstance(record, str) else record
        if not isinstance(record, bytes | bytearray | memoryview):
            message = f"a record is bytes, got {shown(record)} of {type(record).__name__}"
            raise blame.type_error(message, "io.TFRecordWriter")
        self._put(framed(bytes(record)))

    def _put(self, data: bytes) -> None:
        if self._file.closed:
            raise FailedPreconditionError("the writer is closed", op="io.TFRecordWriter")
        try:
            self._file.write(self._packer.compress(data) if self._packer else data)
        except OSError as error:
            raise failed(error, self._path, "io.TFRecordWriter") from None

    def flush(self) -> None:
        """Hand what was written to the system.

        Raises:
            FailedPreconditionError: If the writer is closed, or the disk is full.
        """
        if self._file.closed:
            raise FailedPreconditionError("the writer is closed", op="io.TFRecordWriter")
        try:
            if self._packer:
                self._file.write(self._packer.flush(zlib.Z_SYNC_FLUSH))
            self._file.flush()
        except OSError as error:
            raise failed(error, self._path, "io.TFRecordWriter") from None

    def close(self) -> None:
        """Write the rest and close the file. A second time nothing happens.

        Raises:
            FailedPreconditionError: If the disk is full.
        """
        if self._file.closed:
            return
        try:
            try:
                if self._packer:
                    self._file.write(self._packer.flush())
            finally:
                self._file.close()
        except OSError as error:
            raise failed(error, self._path, "io.TFRecordWriter") from None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: str, compression: str = "", op: str = "io.TFRecord") -> Iterator[bytes]:
    """The records of a file.

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If it is damaged, or ends within a record.
    """
    for block in blocks(path, compression, op):
        yield from block


def blocks(path: str, compression: str = "", op: str = "io.TFRecord") -> Iterator[list[bytes]]:
    """The same, some at a time; those before what is damaged come first."""
    with opened(path, compression, op) as file:
        yield from _blocks(file, path, op)


def _blocks(file: IO[bytes], path: str, op: str) -> Iterator[list[bytes]]:
    rest, before, wanted = b"", 0, BLOCK
    while True:
        more = file.read(max(BLOCK, min(wanted - len(rest), 64 * BLOCK)))
        data = rest + more if rest else more
        at = 0
        while True:
            found = native.scan(memoryview(data)[at:])
            if len(found.spans):
                yield [data[at + s : at + s + length] for s, length in found.spans.tolist()]
            at += found.used
            if found.damage:
                where = f"the record at byte {before + at} of {path}"
                raise DataLossError(f"{where} is damaged: {found.damage}", op=op)
            if not len(found.spans):
                break
        rest, before, wanted = data[at:], before + at, found.wanted
        if not more:
            if rest:
                message = f"{path} ends within the record at byte {before}"
                raise DataLossError(message, op=op)
            return
