"""A timeline of everything that runs, as a file that browsers show."""

from __future__ import annotations

import json
import os
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tfc.backends.cpu.measured_peak import measure
from tfc.backends.cpu.profiling import Event, Events
from tfc.backends.measured import Limits

from ..core import blame
from ..core.context import settings, user_location

CAPACITY = 1 << 18  # kernels that a timeline has room for
FILE = "trace.json"


class _Call(NamedTuple):
    start: int
    end: int
    line: str


class trace:  # noqa: N801  (used as a function)
    """A context in which every kernel of the whole process is timed; at its end a file
    `trace.json` in the folder `logdir` has one event for each, to be opened in Perfetto
    (ui.perfetto.dev) or chrome://tracing.

    An event is named after the ops that its kernel fuses, and says the user's line, the bytes that
    the kernel moved and the operations that it did, both as rates too, and what share of the
    machine's measured limit that is. Functions and ops are compiled once more for it, at their
    first call inside.

    >>> import tempfile, tfc as tf
    >>> x = tf.ones([100, 100])
    >>> folder = tempfile.mkdtemp()
    >>> with tf.profiler.trace(folder) as timeline:
    ...     y = tf.reduce_sum(x @ x)
    >>> [event["name"] for event in timeline.events if event["cat"] == "kernel"]
    ['matmul', 'reduce_sum']
    """

    def __init__(self, logdir: str | os.PathLike[str]) -> None:
        self.path = Path(os.fspath(logdir)) / FILE
        self.events: list[dict[str, Any]] = []  # what is written, after the end
        self._list: Events | None = None
        self._devices: Any = None  # what runs on GPUs
        self._marks: list[dict[str, Any]] = []
        self._calls: dict[int, list[_Call]] = {}  # of shared programs, by thread

    def __enter__(self) -> trace:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin."""
        from tfc.backends.cpu.runtime import runtime
        from tfc.backends.cuda.profiling import Timeline

        if settings.timeline is not None:
            raise blame.runtime_error("profiler.trace: a timeline is being written already")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._list = Events(CAPACITY)
        self._devices = Timeline(lambda: str(user_location() or ""))
        settings.timeline = self
        runtime.set_active(1)  # native calls ask Python

    def stop(self, save: bool = True) -> None:
        """End, and write the file."""
        from tfc.backends.cpu.runtime import runtime
        from tfc.backends.cuda.measured_peak import measure as limits_of

        if self._list is None:
            raise blame.runtime_error("profiler.trace: this timeline is not being written")
        runtime.set_active(-1)
        settings.timeline = None
        listed, lost = self._list.stop()
        self._list = None
        threads: dict[Any, int] = {}
        self.events = self._marks + [_event(e, self._line(e), threads) for e in listed]
        for event in self._devices.stop():
            number = threads.setdefault(event.device, len(threads))
            shown = _shown(event, event.line, number, limits_of(event.device))
            self.events.append({**shown, "cat": event.device.name})
        self.events.sort(key=lambda event: event["ts"])
        if lost:
            last = self.events[-1]["ts"]
            self.events.append(_mark(f"{lost} more kernels, for which there was no room", last, 0))
        if save:
            text = json.dumps({"traceEvents": self.events, "displayTimeUnit": "ns"})
            self.path.write_text(text)

    def call(self, program: Callable[..., Any], *arguments: Any) -> Any:
        """Call a program whose kernels, where they know no line, are of the user's line now:
        programs of ops that run eagerly serve many lines."""
        start = time.perf_counter_ns()
        result = program(*arguments)
        calls = self._calls.setdefault(threading.get_ident(), [])
        calls.append(_Call(start, time.perf_counter_ns(), str(user_location() or "")))
        return result

    def _line(self, event: Event) -> str:
        if event.cost.location is not None:
            return str(event.cost.location)
        calls = self._calls.get(event.thread, [])
        place = bisect_right(calls, event.start, key=lambda call: call.start) - 1
        inside = place >= 0 and event.end <= calls[place].end
        return calls[place].line if inside else ""

    def mark(self, name: str, start: int, end: int, **details: Any) -> None:
        """Add a span of the user's own, in nanoseconds of `time.perf_counter_ns`."""
        self._marks.append(_mark(name, start / 1e3, (end - start) / 1e3, **details))

    def compiled(self, name: str, start: int, end: int) -> None:
        """Add a span in which a function was traced, or went through a stage of compiling."""
        line = str(user_location() or "")
        span = _mark(name, start / 1e3, (end - start) / 1e3, line=line)
        self._marks.append({**span, "cat": "compile"})


def _mark(name: str, start: float, length: float, **details: Any) -> dict[str, Any]:
    return {
        "name": name,
        "cat": "python",
        "ph": "X",
        "ts": start,
        "dur": length,
        "pid": os.getpid(),
        "tid": threading.get_native_id(),
        "args": {key: str(value) for key, value in details.items()},
    }


def _event(event: Event, line: str, threads: dict[Any, int]) -> dict[str, Any]:
    from tfc.backends.cpu.runtime import runtime

    best = measure(runtime.threads() if event.cost.parallel else 1)
    return _shown(event, line, threads.setdefault(event.thread, len(threads)), best)


def _shown(event: Any, line: str, thread: int, best: Limits) -> dict[str, Any]:
    seconds = max(event.end - event.start, 1) * 1e-9
    return {
        "name": event.cost.name,
        "cat": "kernel",
        "ph": "X",
        "ts": event.start / 1e3,
        "dur": (event.end - event.start) / 1e3,
        "pid": os.getpid(),
        "tid": thread,
        "args": {
            "line": line,
            "bytes": event.bytes,
            "operations": event.operations,
            "GB/s": round(event.bytes / seconds / 1e9, 3),
            "GFLOP/s": round(event.operations / seconds / 1e9, 3),
            "of limit": round(best.seconds(event.bytes, event.operations) / seconds, 3),
        },
    }


class Span:
    """A named span of Python code in the timeline, as a context; see `experimental.Trace`."""

    def __init__(self, name: str, **details: Any) -> None:
        self._name, self._details = name, details
        self._start = 0

    def __enter__(self) -> Span:
        self._start = time.perf_counter_ns()
        return self

    def __exit__(self, *exception: object) -> None:
        if settings.timeline is not None:
            settings.timeline.mark(self._name, self._start, time.perf_counter_ns(), **self._details)
