"""`tf.io.gfile.GFile`: a file that is open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Any

from ...core import blame, errors
from ...core.context import user_location
from .paths import local_path, told

_MODES = ("r", "w", "a", "r+", "w+", "a+")
_OP = "gfile.GFile"


class GFile:
    """A file, which is opened when it is first read or written. A context that closes it.

    Args:
        name: Its path.
        mode: "r", "w" or "a", with "+" for both reading and writing; with "b" strings of bytes are
            read, else of characters. Both are written in each.
        encoding: Of characters.

    Positions and numbers of what is read are in bytes.

    Raises:
        InvalidArgumentError: If there is no such mode.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "a.txt")
    ...     with tf.io.gfile.GFile(path, "w") as file:
    ...         file.write("first\\nsecond\\n")
    ...     with tf.io.gfile.GFile(path) as file:
    ...         for line in file:
    ...             print(line.strip())
    first
    second
    """

    def __init__(self, name: Any, mode: str = "r", encoding: str = "utf-8") -> None:
        self._name, self._mode, self._encoding = name, mode, encoding
        self._kind = mode.replace("b", "")
        self._file: IO[bytes] | None = None
        if self._kind not in _MODES:
            raise errors.InvalidArgumentError(
                f"mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+', but {mode!r}",
                op=_OP,
                location=user_location(),
            )

    @property
    def name(self) -> Any:
        """Its path, as it was given."""
        return self._name

    @property
    def mode(self) -> str:
        """Its mode."""
        return self._mode

    def _opened(self, writing: bool) -> IO[bytes]:
        allowed = ("w", "a", "+") if writing else ("r", "+")
        if not any(letter in self._kind for letter in allowed):
            what = "writing" if writing else "reading"
            raise errors.PermissionDeniedError(
                f"File isn't open for {what}", op=_OP, location=user_location()
            )
        if self._file is None:
            path = local_path(self._name, _OP)
            with told(_OP):
                self._file = open(path, f"{self._kind[0]}b{self._kind[1:]}")  # noqa: SIM115
        return self._file

    def _text(self, data: bytes) -> Any:
        return data if "b" in self._mode else data.decode(self._encoding)

    def size(self) -> int:
        """How many bytes there are."""
        self.flush()
        with told(_OP):
            return os.stat(local_path(self._name, _OP)).st_size

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes, or all that follows."""
        file = self._opened(writing=False)
        with told(_OP):
            return self._text(file.read(n))

    def readline(self) -> Any:
        """The next line with its end; nothing at the end of the file."""
        file = self._opened(writing=False)
        with told(_OP):
            return self._text(file.readline())

    def readlines(self) -> list[Any]:
        """All lines that follow."""
        return list(self)

    def write(self, file_content: str | bytes) -> None:
        """Write characters or bytes."""
        file = self._opened(writing=True)
        if isinstance(file_content, str):
            file_content = file_content.encode(self._encoding)
        if not isinstance(file_content, bytes | bytearray | memoryview):
            kind = type(file_content).__name__
            raise blame.type_error(f"Expected binary or unicode string, got {kind}", _OP)
        with told(_OP):
            file.write(file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go on elsewhere: `offset` bytes behind the beginning (`whence` 0), the present position
        (1) or the end (2). `position` is an older name of `offset`."""
        if (offset is None) == (position is None):
            raise blame.type_error("seek() takes an offset", _OP)
        place = position if offset is None else offset
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(
                f"whence is 0, 1 or 2, not {whence}", op=_OP, location=user_location()
            )
        file = self._opened(writing=False)
        with told(_OP):
            file.seek(place or 0, whence)

    def tell(self) -> int:
        """The present position."""
        file = self._opened(writing="r" not in self._kind)
        with told(_OP):
            return file.tell()

    def seekable(self) -> bool:
        """True."""
        return True

    def flush(self) -> None:
        """Hand what was written to the system."""
        if self._file is not None and self._kind != "r":
            with told(_OP):
                self._file.flush()

    def close(self) -> None:
        """Close the file. What is done with it then opens it again."""
        if self._file is not None:
            file, self._file = self._file, None
            with told(_OP):
                file.close()

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__

    def __repr__(self) -> str:
        return f"<tf.io.gfile.GFile {self._name!r} mode={self._mode!r}>"
