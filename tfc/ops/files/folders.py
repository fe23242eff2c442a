"""Files and folders of this machine, as `tf.io.gfile` names what is done with them.

Paths are strings, bytes, path objects or scalar strings.
"""

from __future__ import annotations

import errno
import glob as python_glob
import os
import shutil
import stat as modes
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ...core import blame, errors
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..on_host import on_host
from ..strings.text import text
from .paths import local_path, told


class FileStatistics(NamedTuple):
    """What is known of a file: see `stat`."""

    length: int
    mtime_nsec: int
    is_directory: bool


def exists(path: Any) -> bool:
    """Whether there is such a file or folder.

    Args:
        path: A path.

    Returns:
        A Python bool.

    >>> import tfc as tf
    >>> tf.io.gfile.exists("/no/such/file")
    False
    """
    return os.path.exists(local_path(path, "gfile.exists"))


def isdir(path: Any) -> bool:
    """Whether there is such a folder.

    Args:
        path: A path.

    Returns:
        A Python bool.

    >>> import tfc as tf
    >>> tf.io.gfile.isdir("/")
    True
    """
    return os.path.isdir(local_path(path, "gfile.isdir"))


def glob(pattern: Any) -> list[str]:
    """The files and folders whose paths match a pattern, or one of several, in order.

    `*` stands for any characters, `?` for one, `[...]` for one of those; none for a slash. Names
    that begin with a dot match, too.

    Args:
        pattern: A pattern, or a list of them.

    Returns:
        A list of strings.

    >>> import pathlib, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a.txt", "b.txt", "c.bin"):
    ...         pathlib.Path(folder, name).touch()
    ...     [path[-5:] for path in tf.io.gfile.glob(tf.io.gfile.join(folder, "*.txt"))]
    ['a.txt', 'b.txt']
    """
    patterns = pattern if isinstance(pattern, list | tuple) else [pattern]
    return _matching([local_path(p, "gfile.glob") for p in patterns])


def _matching(patterns: Sequence[str]) -> list[str]:
    found = [path for p in patterns for path in python_glob.glob(p, include_hidden=True)]
    return sorted(path.rstrip("/") or "/" for path in found)


def _some_files(pattern: Any, name: str | None = None) -> Tensor:
    return operand("io.matching_files", [b""])


@on_host("io.matching_files", sample=_some_files, effect=True)
def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """The files and folders whose paths match a pattern, or one of several, in order.

    Args:
        pattern: A scalar or a vector of strings: see `tf.io.gfile.glob`.

    Returns:
        A vector of strings.

    Raises:
        ValueError: If `pattern` is of a higher rank.

    >>> import tfc as tf
    >>> print(tf.io.matching_files("/no/such/*").shape)
    (0,)
    """
    op = "io.matching_files"
    patterns = text(op, pattern)
    if patterns.ndim > 1:
        raise blame.value_error(f"pattern is a scalar or a vector, got {patterns.shape}", op)
    found = _matching([local_path(p, op) for p in patterns.reshape(-1)])
    return operand(op, [os.fsencode(path) for path in found], "string")


def listdir(path: Any) -> list[str]:
    """The names of what is in a folder, in order.

    Args:
        path: The path of the folder.

    Returns:
        A list of strings, without "." and "..".

    Raises:
        NotFoundError: If there is no such folder.

    >>> import tfc as tf
    >>> tf.io.gfile.listdir("/no/such/folder")
    Traceback (most recent call last):
    ...
    tfc.errors.NotFoundError: ...
    """
    op = "gfile.listdir"
    folder = local_path(path, op)
    if not os.path.isdir(folder):
        raise errors.NotFoundError(f"Could not find directory {folder}", op=op)
    with told(op):
        return sorted(os.listdir(folder))


def mkdir(path: Any) -> None:
    """Make a folder. One that is there stays.

    Args:
        path: Its path.

    Raises:
        NotFoundError: If there is no folder to make it in.
        AlreadyExistsError: If there is a file of this name.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(tf.io.gfile.join(folder, "new"))
    ...     tf.io.gfile.listdir(folder)
    ['new']
    """
    folder = local_path(path, "gfile.mkdir")
    if not os.path.isdir(folder):
        with told("gfile.mkdir"):
            os.mkdir(folder)


def makedirs(path: Any) -> None:
    """Make a folder, and those on the way to it. Those that are there stay.

    Args:
        path: Its path.

    Raises:
        FailedPreconditionError: If there is a file on the way.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.makedirs(tf.io.gfile.join(folder, "a", "b"))
    ...     [names for _, names, _ in tf.io.gfile.walk(folder)]
    [['a'], ['b'], []]
    """
    op = "gfile.makedirs"
    try:
        with told(op):
            os.makedirs(local_path(path, op), exist_ok=True)
    except errors.AlreadyExistsError as error:
        message = error.message
        raise errors.FailedPreconditionError(message, op=op, location=error.location) from None


def remove(path: Any) -> None:
    """Remove a file.

    Args:
        path: Its path.

    Raises:
        NotFoundError: If there is no such file.
        FailedPreconditionError: If it is a folder.

    >>> import tfc as tf
    >>> tf.io.gfile.remove("/no/such/file")
    Traceback (most recent call last):
    ...
    tfc.errors.NotFoundError: ...
    """
    op = "gfile.remove"
    file = local_path(path, op)
    if os.path.isdir(file):
        raise errors.FailedPreconditionError(f"{file}; Is a directory", op=op)
    with told(op):
        os.remove(file)


def rmtree(path: Any) -> None:
    """Remove a folder with all that is in it, or a file.

    Args:
        path: Its path.

    Raises:
        NotFoundError: If there is none.

    >>> import tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.gfile.rmtree(folder)
    >>> tf.io.gfile.exists(folder)
    False
    """
    op = "gfile.rmtree"
    place = local_path(path, op)
    with told(op):
        if os.path.isdir(place) and not os.path.islink(place):
            shutil.rmtree(place)
        else:
            os.remove(place)


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or a folder another path.

    Args:
        src: Its path.
        dst: The new path.
        overwrite: Whether what has that path goes.

    Raises:
        NotFoundError: If there is none.
        AlreadyExistsError: If the new path is taken, and is not to be overwritten.

    >>> import pathlib, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pathlib.Path(folder, "a").touch()
    ...     tf.io.gfile.rename(tf.io.gfile.join(folder, "a"), tf.io.gfile.join(folder, "b"))
    ...     tf.io.gfile.listdir(folder)
    ['b']
    """
    op = "gfile.rename"
    source, target = local_path(src, op), local_path(dst, op)
    _free(target, overwrite, op)
    with told(op):
        os.replace(source, target)


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    Args:
        src: Its path.
        dst: The path of the copy.
        overwrite: Whether a file that has that path goes.

    Raises:
        NotFoundError: If there is no such file.
        AlreadyExistsError: If the path is taken, and is not to be overwritten.
        FailedPreconditionError: If it is a folder.

    >>> import pathlib, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pathlib.Path(folder, "a").touch()
    ...     tf.io.gfile.copy(tf.io.gfile.join(folder, "a"), tf.io.gfile.join(folder, "b"))
    ...     tf.io.gfile.listdir(folder)
    ['a', 'b']
    """
    op = "gfile.copy"
    source, target = local_path(src, op), local_path(dst, op)
    _free(target, overwrite, op)
    with told(op):
        shutil.copyfile(source, target)


def _free(target: str, overwrite: bool, op: str) -> None:
    if not overwrite and os.path.exists(target):
        raise errors.AlreadyExistsError(f"file already exists: {target}", op=op)


def stat(path: Any) -> FileStatistics:
    """What is known of a file or a folder.

    Args:
        path: Its path.

    Returns:
        An object with `length` (bytes), `mtime_nsec` (when it was changed, in nanoseconds since
        1970) and `is_directory`.

    Raises:
        NotFoundError: If there is none.

    >>> import tfc as tf
    >>> tf.io.gfile.stat("/").is_directory
    True
    """
    op = "gfile.stat"
    with told(op):
        found = os.stat(local_path(path, op))
    return FileStatistics(found.st_size, found.st_mtime_ns, modes.S_ISDIR(found.st_mode))


def walk(
    top: Any, topdown: bool = True, onerror: Callable[[Exception], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """All folders in a folder, itself included.

    Args:
        top: Its path.
        topdown: Whether a folder comes before those in it, or behind them.
        onerror: Is called with the error where a folder cannot be read; by default that is left
            out.

    Returns:
        An iterator over triples: the path of a folder, the names of folders in it, and those of
        files.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [(folders, files) for _, folders, files in tf.io.gfile.walk(folder)]
    [([], [])]
    """
    op = "gfile.walk"

    def report(error: OSError) -> None:
        if onerror is not None and error.errno != errno.ENOENT:
            try:
                with told(op):
                    raise error
            except errors.OpError as found:
                onerror(found)

    for folder, folders, files in os.walk(local_path(top, op), topdown, report):
        folders.sort()
        yield folder, folders, sorted(files)


def join(path: Any, *paths: Any) -> Any:
    """Parts of a path, joined as `os.path.join` does.

    Args:
        path: The first part.
        *paths: The others.

    Returns:
        A string, or bytes of bytes.

    >>> import tfc as tf
    >>> tf.io.gfile.join("folder", "file.txt")
    'folder/file.txt'
    """
    return os.path.join(os.fspath(path), *map(os.fspath, paths))


def get_registered_schemes() -> list[str]:
    """What may stand in front of "://" in a path.

    Returns:
        A list of strings.

    >>> import tfc as tf
    >>> tf.io.gfile.get_registered_schemes()
    ['', 'file']
    """
    return ["", "file"]
