"""`tfc.compat.v1.summary`: TensorFlow 1's writer of event files, and the messages that it takes.

Summaries are of values or, in a graph, of tensors, where `merge_all` gives one of all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import tfc as _tfc
from tfc.core import blame
from tfc.core.formatting import shown
from tfc.core.tensor import Tensor
from tfc.records.event import Event, SessionLog, Summary, TaggedRunMetadata
from tfc.records.graph import GraphDef
from tfc.records.tfrecord import read
from tfc.summary.files import EventFile
from tfc.summary.graphs import made_graph

from ..graphs.graph import GraphKeys, HostResult
from ..graphs.trace import current_graph
from .summary_kinds import audio, histogram, image, scalar, tensor_summary, text


class FileWriter:
    """Writes events into a file in a folder. A context that closes it.

    Args:
        logdir: The folder, which is made if it is not there.
        graph: A function, or a `GraphDef`, that is written first.
        max_queue: How many events may wait to be written.
        flush_secs: After how many seconds they are written at the latest.
        filename_suffix: What the file's name ends with.

    Raises:
        FailedPreconditionError: If the file cannot be written.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.FileWriter(folder) as writer:
    ...         writer.add_summary(tf.summary.scalar("loss", 0.5), global_step=3)
    ...     [name] = os.listdir(folder)
    ...     records = list(tf.io.tf_record_iterator(os.path.join(folder, name)))
    >>> event = tf.Event.FromString(records[-1])
    >>> event.step, event.summary.value[0].simple_value
    (3, 0.5)
    """

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        self._arguments = (
            os.fsdecode(logdir),
            int(max_queue),
            int(1000 * flush_secs),
            filename_suffix or "",
        )
        self._file = EventFile(*self._arguments)
        if graph is not None or graph_def is not None:
            self.add_graph(graph_def if graph is None else graph)

    def get_logdir(self) -> str:
        """The folder."""
        return self._file.folder

    def add_event(self, event: Event) -> None:
        """Write an event."""
        if not isinstance(event, Event):
            raise blame.type_error(f"an Event is wanted, got {shown(event)}", "add_event")
        self._file.append(event.SerializeToString())

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a `Summary`, or its bytes."""
        if not isinstance(summary, Summary):
            summary = summary.numpy() if isinstance(summary, Tensor) else summary
            summary = Summary.FromString(summary)
        self._add(Event(summary=summary), global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Write a function, or a `GraphDef`, for the tab of graphs."""
        found = made_graph(graph if graph_def is None else graph_def, "add_graph")
        self._add(Event(graph_def=found.SerializeToString()), global_step)

    def add_session_log(self, session_log: SessionLog, global_step: Any = None) -> None:
        """Write a `SessionLog`."""
        self._add(Event(session_log=session_log), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Write a `RunMetadata` under a tag."""
        tagged = TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event: Event, global_step: Any) -> None:
        step = 0 if global_step is None else int(global_step)
        self._file.put(event.SerializeToString(), step)

    def flush(self) -> None:
        """Write what waits."""
        self._file.flush()

    def close(self) -> None:
        """Write what waits and close the file. A second time nothing happens."""
        self._file.close()

    def reopen(self) -> None:
        """After `close`, begin another file."""
        if self._file.closed:
            self._file = EventFile(*self._arguments)

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FileWriterCache:
    """The FileWriters of this process, one for each folder.

    >>> import tempfile
    >>> import tfc.compat.v1 as tf
    >>> folder = tempfile.mkdtemp()
    >>> writer = tf.summary.FileWriterCache.get(folder)
    >>> writer is tf.summary.FileWriterCache.get(folder)
    True
    >>> tf.summary.FileWriterCache.clear()
    """

    _writers: ClassVar[dict[str, FileWriter]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()

    @staticmethod
    def get(logdir: str | os.PathLike[str]) -> FileWriter:
        """The FileWriter of a folder."""
        folder = os.fsdecode(logdir)
        with FileWriterCache._lock:
            found = FileWriterCache._writers.get(folder)
            if found is None:
                graph = current_graph()
                found = FileWriterCache._writers[folder] = FileWriter(folder, graph)
            return found

    @staticmethod
    def clear() -> None:
        """Close all and forget them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._writers.values():
                writer.close()
            FileWriterCache._writers.clear()


def merge(inputs: Sequence[Any], collections: Any = None, name: str | None = None) -> Any:
    """Several serialised `Summary` messages as one.

    Args:
        inputs: A list of scalar strings; in a graph, of what `scalar` gives there.
        collections: Of the graph, to which it is added; None: none.

    Returns:
        A scalar string.

    >>> import tfc.compat.v1 as tf
    >>> both = tf.summary.merge([tf.summary.scalar("a", 1.0), tf.summary.scalar("b", 2.0)])
    >>> [v.tag for v in tf.Summary.FromString(both.numpy()).value]
    ['a', 'b']
    """
    graph = current_graph()
    if graph is not None:
        result = HostResult(graph, name or "Merge", inputs, lambda *parts: b"".join(parts))
        graph.add_to_collections(collections or (), result)
        return result
    parts = [_tfc.convert_to_tensor(x).numpy() for x in inputs]  # messages in a row are merged
    return _tfc.constant(b"".join(parts))


def merge_all(key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: Any = None) -> Any:
    """All summaries of the default graph as one; None if there is none.

    Args:
        key: The collection that has them.
        scope: What the names of those begin with that are taken.

    Returns:
        What a session fetches as bytes.

    >>> import tfc.compat.v1 as tf
    >>> tf.summary.merge_all() is None
    True
    """
    graph = current_graph()
    found = [] if graph is None else graph.get_collection(key, scope)
    return merge(found) if found else None


def summary_iterator(path: str | os.PathLike[str]) -> Iterator[Event]:
    """The events of a file that a writer of summaries has made, as `tf.compat.v1.train` has it.

    Args:
        path: The file.

    Returns:
        An iterator over Events.

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If it is damaged; events before the damage were given.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.FileWriter(folder) as writer:
    ...         writer.add_summary(tf.summary.scalar("loss", 0.5), global_step=3)
    ...     [name] = os.listdir(folder)
    ...     found = list(tf.train.summary_iterator(os.path.join(folder, name)))
    >>> [(e.step, v.tag) for e in found for v in e.summary.value]
    [(3, 'loss')]
    """
    return map(Event.FromString, read(os.fsdecode(path), "", "train.summary_iterator"))


def __getattr__(name: str) -> Any:
    instead = f": write tfc.summary.{name}" if hasattr(_tfc.summary, name) else ""
    raise AttributeError(f"module 'tfc.compat.v1.summary' has no attribute {name!r}{instead}")


def initialize(graph: Any = None, session: Any = None) -> None:
    """Nothing to do: writers of TensorFlow 2's summaries are ready where they are made.

    >>> import tfc.compat.v1 as tf
    >>> tf.summary.initialize()
    """


def all_v2_summary_ops() -> list[Any]:
    """The operations that write TensorFlow 2's summaries in a graph: none, as functions write them.

    >>> import tfc.compat.v1 as tf
    >>> tf.summary.all_v2_summary_ops()
    []
    """
    return []


__all__ = [
    "Event",
    "FileWriter",
    "FileWriterCache",
    "GraphDef",
    "SessionLog",
    "Summary",
    "TaggedRunMetadata",
    "all_v2_summary_ops",
    "audio",
    "histogram",
    "image",
    "initialize",
    "merge",
    "merge_all",
    "scalar",
    "summary_iterator",
    "tensor_summary",
    "text",
]
