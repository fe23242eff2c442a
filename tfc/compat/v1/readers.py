"""`tfc.compat.v1`: readers, which give the records of files whose names a queue has."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import tfc
from tfc.core import blame, errors
from tfc.core.tensor import Tensor
from tfc.data.queue_calls import called, effect_of
from tfc.data.queues import QueueBase

from ..graphs.trace import current_graph
from .io import tf_record_iterator

_STRING = tfc.string
_AROUND = 16  # bytes of a record's length and of two checksums


class ReaderRead(NamedTuple):
    """What `read` gives: the name of a record, and what is in it."""

    key: Any
    value: Any


class _Place:
    """Where a reader is, in one session."""

    def __init__(self, reader: ReaderBase) -> None:
        self._reader = reader
        self.reset()

    def reset(self) -> None:
        self.produced = self.completed = 0
        self._records: Iterator[tuple[bytes, bytes]] | None = None

    def next(self, queue: QueueBase, goes_on: bool = True) -> tuple[bytes, bytes] | None:
        """The next record, of the next file where one is at its end; None there unless it
        `goes_on`."""
        while True:
            if self._records is None:
                if not goes_on:
                    return None
                work = queue._here().some(1, 1)[0][0].item()
                self._records = self._reader._records(work)
            found = next(self._records, None)
            if found is not None:
                self.produced += 1
                return found
            self._records = None
            self.completed += 1

    def cancel(self) -> None:
        """Nobody waits here: the queue does."""


class ReaderBase:
    """What all readers do: give the records of files, one by one or many at a time.

    >>> import tfc.compat.v1 as tf
    >>> issubclass(tf.TextLineReader, tf.ReaderBase)
    True
    """

    supports_serialize = False

    def __init__(self, reader_ref: Any = None, supports_serialize: bool = False) -> None:
        graph = current_graph()
        if graph is None:
            raise blame.located(
                RuntimeError,
                "Readers are not supported when eager execution is enabled. Instead, please use "
                "tf.data to get data into your model.",
            )
        self._graph: Any = graph
        graph.resources.append(self)

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The records of a file: a name for each, and what is in it."""
        raise NotImplementedError

    def _here(self) -> _Place:
        found: _Place = self._graph.resource(id(self), lambda: _Place(self))
        return found

    def read(self, queue: QueueBase, name: str | None = None) -> ReaderRead:
        """The next record.

        Args:
            queue: A queue of the names of files.
            name: The name of the op.

        Returns:
            Two scalar strings: what the record is called, and what is in it.

        Raises:
            OutOfRangeError: When it runs, if the queue is closed and has no more files.
        """

        def record() -> list[Tensor]:
            found = self._here().next(queue)
            assert found is not None
            return [tfc.constant(x, _STRING) for x in found]

        specs: Any = [(_STRING, []), (_STRING, [])]
        return ReaderRead(*called(record, [], specs, name or "ReaderReadV2"))

    def read_up_to(self, queue: QueueBase, num_records: Any, name: str | None = None) -> ReaderRead:
        """Several records: fewer where a file is at its end.

        Args:
            queue: A queue of the names of files.
            num_records: How many at most.
            name: The name of the op.

        Returns:
            Two vectors of strings.

        Raises:
            OutOfRangeError: When it runs, if the queue is closed and has no more files.
        """
        most = tfc.convert_to_tensor(num_records, tfc.int64)

        def records(number: Any) -> list[Tensor]:
            rows: list[tuple[bytes, bytes]] = []
            while len(rows) < int(number):
                found = self._here().next(queue, goes_on=not rows)
                if found is None:
                    break
                rows.append(found)
            return [tfc.constant(list(column), _STRING) for column in zip(*rows, strict=True)]

        specs: Any = [(_STRING, [None]), (_STRING, [None])]
        return ReaderRead(*called(records, [most], specs, name or "ReaderReadUpToV2"))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records it has given, an int64 scalar."""
        return self._number(lambda: self._here().produced, name or "ReaderNumRecordsProducedV2")

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files it has read to their ends, an int64 scalar."""
        return self._number(lambda: self._here().completed, name or "ReaderNumWorkUnitsCompletedV2")

    def _number(self, count: Any, name: str) -> Any:
        one: Any = [(tfc.int64, [])]
        return called(lambda: [tfc.constant(count(), tfc.int64)], [], one, name)[0]

    def reset(self, name: str | None = None) -> Any:
        """An operation that lets it begin anew, with the next file of the queue."""
        return effect_of(lambda: self._here().reset(), [], name or "ReaderResetV2")


def _contents(work: bytes, op: str) -> bytes:
    try:
        with open(work, "rb") as file:
            return file.read()
    except FileNotFoundError:
        text = f"{work.decode(errors='replace')}; No such file or directory"
        raise errors.NotFoundError(text, op=op) from None


class WholeFileReader(ReaderBase):
    """Gives whole files: the name, and what is in it.

    Args:
        name: Not used.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer(["image.jpg"])
    ...     key, value = tf.WholeFileReader().read(names)
    >>> value.dtype
    tf.string
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        yield work, _contents(work, "WholeFileReader")


class TextLineReader(ReaderBase):
    """Gives the lines of files.

    Args:
        skip_header_lines: How many lines are left out at the beginning of each.
        name: Not used.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("x,y")
    ...     _ = file.write(chr(10) + "1,2.5")
    >>> with tf.Graph().as_default():
    ...     reader = tf.TextLineReader(skip_header_lines=1)
    ...     names = tf.train.string_input_producer([path], num_epochs=1)
    ...     columns = tf.decode_csv(reader.read(names).value, [[0], [0.0]])
    ...     with tf.train.MonitoredSession() as session:
    ...         print(*session.run(columns))
    1 2.5
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__()
        self._skipped = skip_header_lines or 0

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        data = _contents(work, "TextLineReader")
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, 1):
            if number > self._skipped:
                yield b"%s:%d" % (work, number), line.removesuffix(b"\r")


class FixedLengthRecordReader(ReaderBase):
    """Gives records of one length.

    Args:
        record_bytes: The length.
        header_bytes: How many bytes are left out at the beginning of each file.
        footer_bytes: And at its end.
        hop_bytes: How many bytes lie between the beginnings of two records; None: the length.
        name: Not used.
        encoding: None, or "ZLIB" or "GZIP".

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a.bin")
    >>> with open(path, "wb") as file:
    ...     _ = file.write(bytes(range(6)))
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer([path], num_epochs=1)
    ...     value = tf.FixedLengthRecordReader(3).read(names).value
    ...     numbers = tf.decode_raw(value, tf.uint8)
    ...     with tf.train.MonitoredSession() as session:
    ...         print(session.run(numbers), session.run(numbers))
    [0 1 2] [3 4 5]
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__()
        self._length, self._hop = record_bytes, hop_bytes or record_bytes
        self._ends = header_bytes or 0, footer_bytes or 0
        self._encoding = encoding or ""

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        data = _contents(work, "FixedLengthRecordReader")
        if self._encoding:
            data = (gzip.decompress if self._encoding == "GZIP" else zlib.decompress)(data)
        begin, end = self._ends[0], len(data) - self._ends[1]
        for number, place in enumerate(range(begin, end - self._length + 1, self._hop)):
            yield b"%s:%d" % (work, number), data[place : place + self._length]


class TFRecordReader(ReaderBase):
    """Gives the records of TFRecord files.

    Args:
        name: Not used.
        options: TFRecordOptions.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "a.tfrecord")
    >>> with tf.python_io.TFRecordWriter(path) as writer:
    ...     writer.write(b"first")
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer([path], num_epochs=1)
    ...     record = tf.TFRecordReader().read(names)
    ...     with tf.train.MonitoredSession() as session:
    ...         print(session.run(record.value))
    b'first'
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__()
        self._options = options

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        offset = 0
        for record in tf_record_iterator(work.decode(errors="surrogateescape"), self._options):
            yield b"%s:%d" % (work, offset), record
            offset += len(record) + _AROUND


class IdentityReader(ReaderBase):
    """Gives what the queue has, as names and as what is in them.

    Args:
        name: Not used.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     names = tf.train.string_input_producer(["a"], num_epochs=1)
    ...     record = tf.IdentityReader().read(names)
    ...     with tf.train.MonitoredSession() as session:
    ...         print(session.run(record.value))
    b'a'
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()

    def _records(self, work: bytes) -> Iterator[tuple[bytes, bytes]]:
        yield work, work


__all__ = [
    "FixedLengthRecordReader",
    "IdentityReader",
    "ReaderBase",
    "ReaderRead",
    "TFRecordReader",
    "TextLineReader",
    "WholeFileReader",
]
