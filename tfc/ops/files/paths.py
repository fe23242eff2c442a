"""Names of files, and what goes wrong with files as TensorFlow's errors."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core import blame, errors
from ...core.context import user_location
from ..strings.text import as_bytes

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_KINDS = {
    errno.ENOENT: errors.NotFoundError,
    errno.EEXIST: errors.AlreadyExistsError,
    errno.EACCES: errors.PermissionDeniedError,
    errno.EPERM: errors.PermissionDeniedError,
    errno.ENOSPC: errors.ResourceExhaustedError,
    errno.EDQUOT: errors.ResourceExhaustedError,
}


def local_path(path: Any, op: str) -> str:
    """The name of a file on this machine: a string, bytes, a path or a scalar; "file://" may stand
    in front of it.

    Raises:
        TypeError: If it is something else.
        UnimplementedError: If it is a file of another system, as "gs://".
    """
    if isinstance(path, os.PathLike):
        path = os.fspath(path)
    name = os.fsdecode(as_bytes(path, "path", op))
    scheme = _SCHEME.match(name)
    if scheme is None:
        return name
    if scheme[1].lower() != "file":
        raise blame.unimplemented(f"File system scheme {scheme[1]!r} not implemented: {name}", op)
    return name[scheme.end() :]


@contextmanager
def told(op: str) -> Iterator[None]:
    """What the system refuses, as an error of TensorFlow's."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno or 0, errors.FailedPreconditionError)
        what = f"{error.filename}; {error.strerror}" if error.filename else str(error)
        raise kind(what, op=op, location=user_location()) from None
