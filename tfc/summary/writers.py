"""Writers of summaries: `create_file_writer` and what it gives."""

from __future__ import annotations

import os
from typing import Any

from ..core import blame
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from . import state
from .effects import effect
from .files import EventFile


class SummaryWriter:
    """Where summaries go: see `create_file_writer`.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = tf.summary.create_file_writer(folder)
    ...     with writer.as_default(step=1):
    ...         print(bool(tf.summary.scalar("loss", 0.5)))
    ...     writer.close()
    True
    """

    records = False  # whether anything is written

    def as_default(self, step: Any = None) -> _Default:
        """Make this the default writer for a while: a context, behind which it is flushed.

        Args:
            step: The default step meanwhile; by default the one that is set already.

        Returns:
            A context, which gives the writer.

        Raises:
            RuntimeError: If the writer is closed.
        """
        self._check()
        return _Default(self, step)

    def set_as_default(self, step: Any = None) -> None:
        """Make this the default writer of this thread.

        Args:
            step: The default step from now on; by default the one that is set already.

        Raises:
            RuntimeError: If the writer is closed.
        """
        self._check()
        state.say(writer=self)
        if step is not None:
            state.set_step(step)

    def init(self) -> None:
        """Nothing to do: a writer can be used once it is made."""
        self._check()

    def flush(self) -> None:
        """Write what waits. In a function this is done when the program gets there."""

    def close(self) -> None:
        """Write what waits and close the file. A second time nothing happens."""

    def _check(self) -> None:
        """Raise where the writer is closed."""

    def put(self, what: bytes, step: int) -> None:
        """Append an event: `what` are its fields but for the time and the step."""


class _Default(state.saying):
    """A writer as the default one."""

    def __init__(self, writer: SummaryWriter, step: Any) -> None:
        values = {} if step is None else {"step": state.checked_step(step)}
        super().__init__(writer=writer, **values)
        self._writer = writer

    def __enter__(self) -> SummaryWriter:
        super().__enter__()
        return self._writer

    def __exit__(self, *exception: object) -> None:
        super().__exit__(*exception)
        self._writer.flush()


class NoopWriter(SummaryWriter):
    """Writes nothing."""


class FileWriter(SummaryWriter):
    """Writes event files."""

    records = True

    def __init__(self, file: EventFile) -> None:
        self.file = file

    def put(self, what: bytes, step: int) -> None:
        self.file.put(what, step)

    def flush(self) -> None:
        effect("summary_flush", lambda: self.file.flush())

    def close(self) -> None:
        effect("summary_close", lambda: self.file.close())

    def _check(self) -> None:
        if self.file.closed:
            raise blame.runtime_error(f"SummaryWriter {self!r} is already closed")

    def __repr__(self) -> str:
        return f"<tf.summary.SummaryWriter of {self.file.folder}>"


def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """A writer of summaries into a file in a folder, which TensorBoard shows.

    Args:
        logdir: The folder, which is made if it is not there.
        max_queue: How many summaries may wait to be written: 10 by default.
        flush_millis: After how many milliseconds they are written with the next one at the latest:
            120,000 by default.
        filename_suffix: What the file's name ends with: ".v2" by default.
        experimental_trackable: Not used.
        experimental_mesh: Not used.

    Returns:
        A SummaryWriter. It is flushed when its last `as_default` ends, when it goes, and when the
        process ends.

    Raises:
        ValueError: If `logdir` is None, or a number is negative.
        FailedPreconditionError: If the file cannot be written.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     writer = tf.summary.create_file_writer(folder)
    ...     with writer.as_default():
    ...         for step in range(3):
    ...             _ = tf.summary.scalar("loss", 1.0 / (1 + step), step=step)
    ...     [name] = os.listdir(folder)
    ...     records = list(tf.compat.v1.io.tf_record_iterator(os.path.join(folder, name)))
    >>> [tf.compat.v1.Event.FromString(r).step for r in records]
    [0, 0, 1, 2]
    """
    op = "summary.create_file_writer"
    if logdir is None:
        raise blame.value_error("Argument `logdir` cannot be None", op)
    queue = _count(max_queue, 10, "max_queue", op)
    millis = _count(flush_millis, 120_000, "flush_millis", op)
    suffix = ".v2" if filename_suffix is None else _text(filename_suffix, "filename_suffix", op)
    return FileWriter(EventFile(_text(logdir, "logdir", op), queue, millis, suffix))


def _count(value: Any, default: int, what: str, op: str) -> int:
    if value is None:
        return default
    found = int(convert_to_tensor(value))
    if found < 0:
        raise blame.value_error(f"{what} must not be negative, got {found}", op)
    return found


def _text(value: Any, what: str, op: str) -> str:
    value = value.numpy() if hasattr(value, "numpy") else value
    if not isinstance(value, str | bytes | os.PathLike):
        raise blame.type_error(f"{what} must be a string or a path, got {shown(value)}", op)
    return os.fsdecode(value)


def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing.

    Returns:
        A SummaryWriter.

    >>> import tfc as tf
    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(bool(tf.summary.scalar("loss", 0.5, step=0)))
    False
    """
    return NoopWriter()


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Write what waits in a writer, or in the default one, if there is one.

    Args:
        writer: A SummaryWriter.

    Raises:
        ValueError: If it is something else.

    >>> import tfc as tf
    >>> tf.summary.flush()
    """
    writer = state.current().writer.value if writer is None else writer
    if writer is None:
        return
    if not isinstance(writer, SummaryWriter):
        raise blame.value_error(f"Invalid argument to flush(): {shown(writer)}", "summary.flush")
    writer.flush()


__all__ = ["SummaryWriter", "create_file_writer", "create_noop_writer", "flush"]
