"""Files as bytes, which may be compressed as a whole, and the simplest records in them: lines, and
records of one length."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from typing import IO, Any

from ..core import blame
from ..core.errors import (
    DataLossError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
)
from ..core.formatting import shown

BLOCK = 1 << 20  # bytes read at once
COMPRESSIONS = ("", "GZIP", "ZLIB")


def compression_of(options: Any, op: str) -> str:
    """The kind of compression that options ask for: a name, or `TFRecordOptions`."""
    kind = getattr(options, "compression_type", options)
    kind = "" if kind is None else kind.decode() if isinstance(kind, bytes) else kind
    if not isinstance(kind, str) or kind not in COMPRESSIONS:
        raise blame.value_error(f"compression is '', 'GZIP' or 'ZLIB', not {shown(kind)}", op)
    return kind


@contextlib.contextmanager
def opened(path: str, compression: str, op: str) -> Iterator[IO[bytes]]:
    """What a file holds, from its beginning. Within this context, what reading it raises becomes an
    error that names the file.

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If what is compressed is damaged.
        FailedPreconditionError: If the file cannot be read for another reason.
    """
    try:
        with open(path, "rb") as file:
            if compression == "GZIP":
                yield gzip.GzipFile(fileobj=file)  # type: ignore[misc]
            elif compression == "ZLIB":
                yield io.BufferedReader(_Inflated(file), BLOCK)
            else:
                yield file
    except (OSError, EOFError, zlib.error) as error:
        raise failed(error, path, op) from None


class _Inflated(io.RawIOBase):
    """What a file of zlib's format holds."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._unpacker = file, zlib.decompressobj()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        room = memoryview(buffer).cast("B")
        while not self._unpacker.eof:
            given = self._unpacker.unconsumed_tail or self._file.read(BLOCK)
            found = self._unpacker.decompress(given, len(room))
            if found:
                room[: len(found)] = found
                return len(found)
            if not given:
                raise EOFError("the compressed file ends too early")
        return 0


def failed(error: Exception, path: str, op: str) -> OpError:
    """What to raise where a file cannot be read or written."""
    if isinstance(error, FileNotFoundError):
        return NotFoundError(f"{path}: there is no such file or folder", op=op)
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return DataLossError(f"{path} is damaged: {error}", op=op)
    reason = getattr(error, "strerror", None) or str(error)
    return FailedPreconditionError(f"{path}: {reason}", op=op)


def lines(path: str, compression: str, block: int, op: str) -> Iterator[list[bytes]]:
    """The lines of a file, some at a time, without what ends them. Carriage returns are left out
    wherever they stand, as TensorFlow leaves them out."""
    with opened(path, compression, op) as file:
        parts: list[bytes] = []  # of the line that has not ended yet
        while data := file.read(block):
            first, *others = data.split(b"\n")
            parts.append(first)
            if others:
                found = [b"".join(parts), *others]
                parts = [found.pop()]
                yield _without_returns(found) if b"\r" in data or b"\r" in found[0] else found
        if last := b"".join(parts):
            yield _without_returns([last])


def csv_records(
    path: str, compression: str, header: bool, quotes: bool, op: str
) -> Iterator[list[bytes]]:
    """The records of a file of fields, some at a time: lines, which go on where a quote is open, if
    there may be `quotes`. With `header` the first one is left out."""
    parts: list[bytes] = []  # of a record whose quote is open
    for block in lines(path, compression, BLOCK, op):
        found = []
        for line in block:
            ends = not quotes or (line.count(b'"') % 2 == 1) == bool(parts)
            parts.append(line)
            if ends:
                found.append(b"\n".join(parts))
                parts = []
        if header and found:
            header = False
            del found[0]
        yield found
    if parts:
        yield [b"\n".join(parts)]


def _without_returns(found: list[bytes]) -> list[bytes]:
    return [line.replace(b"\r", b"") for line in found]


class Lengths:
    """How long the parts of a file are: a header, records, a footer."""

    def __init__(self, header: int, record: int, footer: int) -> None:
        self.header, self.record, self.footer = header, record, footer

    def count(self, size: int, path: str, op: str) -> int:
        """How many records a file of so many bytes has.

        Raises:
            InvalidArgumentError: If they do not fill it.
        """
        body = size - self.header - self.footer
        if body < 0 or body % self.record:
            raise InvalidArgumentError(
                f"Excluding the header ({self.header} bytes) and footer ({self.footer} bytes), "
                f'input file "{path}" has body length {body} bytes, which is not an exact multiple '
                f"of the record length ({self.record} bytes).",
                op=op,
            )
        return body // self.record

    def sizes(self, path: str, op: str) -> int:
        """How many records a file has that is not compressed."""
        try:
            return self.count(os.path.getsize(path), path, op)
        except OSError as error:
            raise failed(error, path, op) from None


def fixed(path: str, compression: str, lengths: Lengths, op: str) -> Iterator[list[bytes]]:
    """The records of one length of a file, some at a time. A file that is not compressed is
    measured first, one that is at its end."""
    if not compression:
        lengths.sizes(path, op)
    length = lengths.record
    with opened(path, compression, op) as file:
        size = len(file.read(lengths.header))
        rest = b""
        while data := file.read(max(BLOCK, length + lengths.footer)):
            size += len(data)
            data = rest + data
            end = max(0, len(data) - lengths.footer) // length * length
            yield [data[i : i + length] for i in range(0, end, length)]
            rest = data[end:]
        lengths.count(size, path, op)
