"""Files as data has to have them: read where they are files, and written whole or not at all (under
another name, which is then changed)."""

from __future__ import annotations

import contextlib
import glob
import os
import platform
import secrets
import stat
import sys
import zlib
from collections.abc import Iterable
from functools import cache
from typing import IO, Any

import numpy as np

from tfc.backends.cpu import records as native

from ..core.errors import FailedPreconditionError
from .tfrecord import failed

_AT_ONCE = 1 << 30  # bytes: no system call takes more than 2 GB
_BUFFER = 1 << 20
_CHUNK = 1 << 18  # bytes: what was read just now, the checksum finds in the cache
_BINARY = getattr(os, "O_BINARY", 0)


def opened(path: str) -> IO[bytes]:
    """A file to read from, without a buffer.

    Raises:
        OSError: As the system says.
        FailedPreconditionError: If it is something else: a folder, or a pipe, which would block.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FailedPreconditionError(f"{path} is no file")
    return open(handle, "rb", buffering=0)


def fill(file: IO[bytes], offset: int, array: np.ndarray, crc: int = 0) -> int:
    """Read the bytes of an array from there; their CRC-32C, behind what has the checksum `crc`.

    Raises:
        EOFError: If the file is too short.
        OSError: As the system says.
    """
    view = view_of(array)
    file.seek(offset)
    for start in range(0, len(view), _CHUNK):
        part = view[start : start + _CHUNK]
        at = 0
        while at < len(part):
            count = file.readinto(part[at:])  # type: ignore[attr-defined]
            if not count:
                raise EOFError
            at += count
        crc = native.crc32c(part, crc)
    return crc


def whole(path: str) -> bytes:
    """All that a file has. Raises what `opened` does."""
    with opened(path) as file:
        return file.read()


def beside(path: str) -> str:
    """Another name in the folder of `path`, for what is to become it."""
    return f"{path}.tempstate-{_host()}-{os.getpid()}-{secrets.token_hex(4)}"


@cache
def _host() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def clean(prefix: str) -> None:
    """Remove what processes have left that ended while they wrote files of this name, or of what
    begins with it and a dot."""
    start = glob.escape(prefix)
    for path in glob.glob(f"{start}.*tempstate-{_host()}-*"):
        process = path.rsplit("-", 2)[1]
        if process.isdecimal() and not _runs(int(process)):
            remove(path)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def view_of(array: np.ndarray) -> memoryview:
    """The bytes of an array of numbers, as they lie in memory."""
    flat: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return memoryview(flat)


def bytes_of(array: np.ndarray) -> memoryview:
    """The bytes of an array of numbers as files have them, the lowest first."""
    return view_of(array.byteswap() if sys.byteorder == "big" else array)


def write_new(path: str, parts: Iterable[Any]) -> None:
    """Write a file of these bytes, down to the disk; nothing stays of it where that fails.

    Raises:
        OSError: As the system says.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        with open(handle, "wb", buffering=_BUFFER) as file:
            for part in parts:
                for at in range(0, len(part), _AT_ONCE):
                    file.write(part[at : at + _AT_ONCE])
            file.flush()
            os.fsync(handle)
    except BaseException:
        remove(path)
        raise


def put(path: str, parts: Iterable[Any]) -> None:
    """Write a file in place of the one of that name: whenever the process ends, one of both is
    there, whole.

    Raises:
        OSError: As the system says.
    """
    clean(path)
    new = beside(path)
    write_new(new, parts)
    try:
        os.replace(new, path)
    except BaseException:
        remove(new)
        raise
    settle(os.path.dirname(path))


def replace(path: str, parts: Iterable[Any], op: str) -> None:
    """`put`, for which an OpError says what failed.

    Raises:
        OpError: If the file cannot be written.
    """
    try:
        put(path, parts)
    except OSError as error:
        raise failed(error, path, op) from None


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def settle(folder: str) -> None:
    """See that the names in a folder are on the disk."""
    if os.name != "posix":
        return
    handle = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
