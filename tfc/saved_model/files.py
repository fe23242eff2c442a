"""The files of a saved model, which may come from anybody: nothing is read that does not lie there
as a file, inflated, unpickled or evaluated, and no array is larger than the file that has it."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tfc.ir.dtypes import ALL, string

from .encoding import ARRAYS, checksum, unpacked_strings
from .traces import damaged

_NAMED = {dtype.name: dtype for dtype in ALL}
_VERSIONS = {(1, 0): 2, (2, 0): 4, (3, 0): 4}  # of NumPy's format: bytes of the header's length
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?[a-z]\d{1,2})', 'fortran_order': (False|True), "
    rb"'shape': \(((?:\d{1,19}, ?)*(?:\d{1,19})?)\), ?\} *\n?"
)


def read_file(folder: Path, name: str) -> bytes:
    """What a file has. Raises OSError; DataLossError for what is no file, and would block."""
    handle = os.open(folder / name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise damaged(name, "it is no file")
        return file.read()


_BINARY = getattr(os, "O_BINARY", 0)


def read_checked(folder: Path, name: str, checksums: Mapping[str, Any]) -> bytes:
    """What a file has, which must be as it was written."""
    try:
        data = read_file(folder, name)
    except OSError as error:
        raise damaged(name, error.strerror or "cannot be read") from None
    if checksum(data) != checksums.get(name):
        raise damaged(name, "it is not as it was written: its checksum differs")
    return data


def read_arrays(data: bytes, kinds: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The arrays of `variables.npz`, which are of these kinds: (dtype, shape) by name."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: info for info in archive.infolist()}
            if len(members) < len(archive.infolist()):
                raise damaged(ARRAYS, "a name is there twice")
            if sum(info.file_size for info in members.values()) > len(data):
                raise damaged(ARRAYS, "it claims to have more than the file")
            return {
                name: _read(archive, members.get(f"{name}.npy"), name, kind)
                for name, kind in kinds.items()
            }
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
        raise damaged(ARRAYS, str(error) or "it is no archive") from None
    except (OSError, OverflowError, LookupError, TypeError, AttributeError) as error:
        raise damaged(ARRAYS, f"{type(error).__name__}: {error}") from None


def _read(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo | None, name: str, kind: Any
) -> np.ndarray:
    """An array, of numbers or strings."""
    if kind[0] != string.name:
        return _array(archive, info, name, kind)
    _, shape, size = kind
    if not _is_shape(shape):
        raise damaged(ARRAYS, f"the array {name!r} has no shape")
    return unpacked_strings(_array(archive, info, name, ["uint8", [size]]), shape)


def _is_shape(shape: Any) -> bool:
    return type(shape) is list and all(type(n) is int and n >= 0 for n in shape)


def _array(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo | None, name: str, kind: Any
) -> np.ndarray:
    """An array, which stands there as it is: neither compressed nor encrypted."""
    if info is None:
        raise damaged(ARRAYS, f"there is no array {name!r}")
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise damaged(ARRAYS, f"the array {name!r} is compressed, which `save` never does")
    dtype_name, shape = kind
    dtype = _NAMED[dtype_name]
    if not _is_shape(shape):
        raise damaged(ARRAYS, f"the array {name!r} has no shape")
    data = archive.read(info)
    if data[:6] != b"\x93NUMPY" or tuple(data[6:8]) not in _VERSIONS:
        raise damaged(ARRAYS, f"{name!r} is no array")
    start = 8 + _VERSIONS[data[6], data[7]]
    stop = start + int.from_bytes(data[8:start], "little")
    header = _HEADER.fullmatch(data[start:stop])
    if header is None:
        raise damaged(ARRAYS, f"the header of the array {name!r}")
    stored = np.dtype(header[1].decode())
    if stored != dtype.numpy and stored != np.dtype(f"u{dtype.itemsize}"):
        raise damaged(ARRAYS, f"the array {name!r} has dtype {stored}, not {dtype.name}")
    have = [int(n) for n in header[3].replace(b" ", b"").split(b",") if n]
    if have != shape or header[2] != b"False":
        raise damaged(ARRAYS, f"the array {name!r} has shape {have}, not {shape}")
    count = 1
    for n in shape:
        count *= n
    if len(data) - stop != count * dtype.itemsize:
        raise damaged(ARRAYS, f"the array {name!r} has {len(data) - stop} bytes")
    array = np.empty(shape, dtype.numpy)
    flat = array.reshape(-1).view(np.uint8)
    flat[:] = np.frombuffer(data, np.uint8, offset=stop)
    if dtype.is_bool and flat.size and flat.max() > 1:
        raise damaged(ARRAYS, f"the array {name!r} has bools that are none")
    return array


__all__ = ["read_arrays", "read_checked", "read_file"]
