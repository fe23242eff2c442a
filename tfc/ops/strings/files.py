"""Files as strings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tfc.ir.ops.host_functions import Use

from ...core import blame, errors
from ...core.context import user_location
from ...core.conversion import operand
from ...core.tensor import Tensor
from ..on_host import on_host
from .text import as_bytes


def _path(filename: str | bytes | os.PathLike[str] | Tensor, op: str) -> Path:
    if isinstance(filename, os.PathLike):
        return Path(filename)
    found = as_bytes(filename, "filename", op)
    if b"\0" in found:
        raise blame.value_error(f"no name of a file: {found!r}", op)
    return Path(os.fsdecode(found))


def _some_string(filename: Any, name: str | None = None) -> Tensor:
    return operand("io.read_file", "")


@on_host("io.read_file", sample=_some_string, effect=True, use=Use.READS)
def read_file(filename: str | bytes | os.PathLike[str] | Tensor, name: str | None = None) -> Tensor:
    """The bytes of a file, as a scalar string.

    Args:
        filename: A path: a Python string, a `PathLike`, or a scalar.

    Returns:
        A scalar string.

    Raises:
        NotFoundError: If there is no such file.
        PermissionDeniedError: If it may not be read.
        FailedPreconditionError: If it cannot be read for another reason, as a folder.
        TypeError: If `filename` is no path.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.txt")
    ...     tf.io.write_file(path, "hello")
    ...     print(tf.io.read_file(path))
    tf.Tensor(b'hello', shape=(), dtype=string)
    """
    op = "io.read_file"
    return operand(op, read_bytes(filename, op)[1])


def read_bytes(filename: Any, op: str) -> tuple[Path, bytes]:
    """The path that an argument names, and what the file holds."""
    path = _path(filename, op)
    try:
        return path, path.read_bytes()
    except OSError as error:
        raise _failed(error, path, op) from None


def _nothing(filename: Any, contents: Any, name: str | None = None) -> None:
    pass


@on_host("io.write_file", sample=_nothing, effect=True)
def write_file(
    filename: str | bytes | os.PathLike[str] | Tensor,
    contents: str | bytes | Tensor,
    name: str | None = None,
) -> None:
    """Write a string to a file, in the place of one that is there; folders on its way are made.

    Args:
        filename: A path: a Python string, a `PathLike`, or a scalar.
        contents: What the file holds then: a Python string (as UTF-8), bytes, or a scalar.

    Raises:
        PermissionDeniedError: If it may not be written.
        NotFoundError: If a folder on its way cannot be made.
        FailedPreconditionError: If it cannot be written for another reason.
        TypeError: If `filename` is no path, or `contents` no string.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.write_file(os.path.join(folder, "new", "a.txt"), b"hello")
    """
    op = "io.write_file"
    path, data = _path(filename, op), as_bytes(contents, "contents", op)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise _failed(error, path, op) from None


def _failed(error: OSError, path: Path, op: str) -> Exception:
    kinds = {
        FileNotFoundError: errors.NotFoundError,
        PermissionError: errors.PermissionDeniedError,
    }
    kind = kinds.get(type(error), errors.FailedPreconditionError)
    return kind(f"{path}; {error.strerror}", op=op, location=user_location())
