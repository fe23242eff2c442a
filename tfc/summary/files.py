"""Event files: records of messages, as TensorBoard reads them.

A file begins with an event that names the format. What follows is collected, and written together
once more than `max_queue` events wait or `flush_millis` have passed since the last time; so who
reads the file meanwhile sees whole events.

What waits is written when the writer goes and when the process ends. A fork has a file of its own
from its first event on: what waited is the parent's to write.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
import weakref

from ..core import blame
from ..core.locks import ForkLock
from ..records import wire
from ..records.event import Event
from ..records.tfrecord import failed, framed

VERSION = "brain.Event:2"
_WALL_TIME = struct.Struct("<Bd")
_WALL_TIME_TAG = 1 << 3 | wire.FIXED64
_STEP_TAG = wire.tag(2, wire.VARINT)
_OP = "summary.create_file_writer"


class _Output:
    """An open file of this process, and what waits to be written to it."""

    def __init__(self, folder: str, suffix: str) -> None:
        self.process = os.getpid()
        now = time.time()
        start = f"events.out.tfevents.{int(now):010d}.{socket.gethostname()}.{self.process}"
        number = 0
        while True:
            self.path = os.path.join(folder, f"{start}.{number}{suffix}")
            try:
                self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                break
            except FileExistsError:  # another writer of this second
                number += 1
        first = Event(
            wall_time=now, file_version=VERSION, source_metadata={"writer": "tfc.summary"}
        )
        self.waiting = [framed(first.SerializeToString())]
        self.write()

    def write(self) -> None:
        """Write what waits."""
        data = b"".join(self.waiting)
        self.waiting.clear()
        self.written = time.monotonic()
        while data:
            data = data[os.write(self._file, data) :]

    def close(self) -> None:
        """Write what waits, where it is this process' own, and close the file. Once."""
        if self._file < 0:
            return
        try:
            if self.process == os.getpid():
                self.write()
        finally:
            file, self._file = self._file, -1
            os.close(file)


class EventFile:
    """The file of one writer, in `folder`, which is made if it is not there."""

    def __init__(self, folder: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        self.folder, self.suffix = folder, suffix
        self.max_queue, self.seconds = max_queue, flush_millis / 1000
        self.closed = False
        self._lock = ForkLock()
        self._begin()

    def _begin(self) -> None:
        try:
            os.makedirs(self.folder, exist_ok=True)
            self._output = _Output(self.folder, self.suffix)
        except OSError as error:
            raise failed(error, self.folder, _OP) from None
        self._finish = weakref.finalize(self, self._output.close)  # also when the process ends
        # Processes of multiprocessing that were forked end in a way of their own.
        endings = sys.modules.get("multiprocessing.util")
        if endings is not None:
            endings.Finalize(self, self._finish, exitpriority=0)

    @property
    def path(self) -> str:
        """The file that is being written."""
        return self._output.path

    def put(self, what: bytes, step: int, wall_time: float | None = None) -> None:
        """Append an event: `what` are its fields but for the time and the step."""
        now = time.time() if wall_time is None else wall_time
        parts = (_STEP_TAG, wire.varint(step), what) if step else (what,)
        self.append(_WALL_TIME.pack(_WALL_TIME_TAG, now) + b"".join(parts))

    def append(self, event: bytes) -> None:
        """Append a serialised event.

        Raises:
            RuntimeError: If the file is closed.
            FailedPreconditionError: If the disk is full, for example.
        """
        record = framed(event)
        with self._lock:
            output = self._mine()
            output.waiting.append(record)
            full = len(output.waiting) > self.max_queue
            if full or time.monotonic() - output.written > self.seconds:
                self._write(output)

    def _mine(self) -> _Output:
        """The file of this process."""
        if self.closed:
            raise blame.runtime_error("this SummaryWriter is closed already")
        if self._output.process != os.getpid():
            self._finish()
            self._begin()
        return self._output

    def _write(self, output: _Output) -> None:
        try:
            output.write()
        except OSError as error:
            raise failed(error, output.path, "summary") from None

    def flush(self) -> None:
        """Write what waits. Of a file that is closed, nothing."""
        with self._lock:
            if not self.closed and self._output.process == os.getpid():
                self._write(self._output)

    def close(self) -> None:
        """Write what waits and close the file. A second time nothing happens."""
        with self._lock:
            self.closed = True
            try:
                self._finish()
            except OSError as error:
                raise failed(error, self._output.path, "summary") from None
