"""Programs on a GPU that note how long each of their kernels takes.

Around each launch stand two events of the stream, which the GPU stamps with its own clock. They are
read when somebody asks, so that nothing waits while a program runs. What the CPU does for a program
is measured in the same way, with the copies to it and back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfc.backends.measured import Limits, Measured
from tfc.ir.kernels.plan.costs import Cost
from tfc.ir.value_classes import NamedTuple

from .measured_peak import measure

if TYPE_CHECKING:
    from .device import Device
    from .launch_steps import Run, Step, Table

_PENDING = 4096  # pairs of events that are kept unread


class Event(NamedTuple):
    """One run of a kernel; times in nanoseconds of the clock of `time.perf_counter_ns`."""

    cost: Cost
    device: Device
    line: str  # of the user's code that enqueued it
    start: int
    end: int
    bytes: int
    operations: int


class _Run(NamedTuple):
    """What is noted of a run until its events are read."""

    number: int
    start: Any
    end: Any
    line: str
    bytes: int
    operations: int


class Counters:
    """What the kernels of one program took since it was compiled, or `clear`."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.kernels: list[Cost] = []
        self._numbers: dict[Any, int] = {}
        self._rows: dict[int, list[int]] = {}
        self._runs: list[_Run] = []

    def number(self, key: Any, cost: Cost) -> int:
        """The number of a kernel, which `key` tells from others."""
        found = self._numbers.setdefault(key, len(self.kernels))
        if found == len(self.kernels):
            self.kernels.append(cost)
        return found

    def note(self, run: _Run) -> None:
        """Keep what was enqueued."""
        self._runs.append(run)
        if len(self._runs) >= _PENDING:
            self.settle()

    def settle(self) -> None:
        """Read the events so far; waits for them."""
        runs, self._runs = self._runs, []
        for run in runs:
            spent = max(int(1e6 * run.end.since(run.start)), 1)
            row = self._rows.setdefault(run.number, [0, 0, spent, 0, 0])
            row[0] += 1
            row[1] += spent
            row[2] = min(row[2], spent)
            row[3] += run.bytes
            row[4] += run.operations
            if _timeline is not None:
                cost = self.kernels[run.number]
                _timeline.add(self.device, cost, run.start, spent, run)

    def clear(self) -> None:
        """Forget the runs so far."""
        self.settle()
        self._rows.clear()

    def read(self) -> list[Measured]:
        """What each kernel took, in the order of the program; those that ran."""
        self.settle()
        return [Measured(self.kernels[i], *self._rows[i]) for i in sorted(self._rows)]

    def limits(self, parallel: bool) -> Limits:
        """What the device could do at best."""
        return measure(self.device)


class Timed:
    """The steps of one kernel with events around them."""

    def __init__(
        self, steps: Sequence[Step], counters: Counters, number: int, size: int, operations: int
    ) -> None:
        self._steps = tuple(steps)
        self._counters, self._number = counters, number
        self._bytes, self._operations = size, operations

    def __call__(self, run: Run, table: Table) -> None:
        counters, driver = self._counters, run.driver
        line = ""
        if _timeline is not None:
            _timeline.begin(counters)
            line = _timeline.line()
        start = driver.event()
        for step in self._steps:
            step(run, table)
        counters.note(
            _Run(self._number, start, driver.event(), line, self._bytes, self._operations)
        )


class Timeline:
    """What all profiled programs run from now on, until `stop`. `line` says where the user is."""

    def __init__(self, line: Any) -> None:
        global _timeline
        self.line = line
        self.events: list[Event] = []
        self._origins: dict[Device, tuple[Any, int]] = {}  # an event, and the time of the host then
        self._counters: dict[int, Counters] = {}
        self._lock = threading.Lock()
        _timeline = self

    def begin(self, counters: Counters) -> None:
        """Before a kernel of a program runs."""
        device = counters.device
        with self._lock:
            if id(counters) not in self._counters:
                counters.settle()  # what was before is not shown
                self._counters[id(counters)] = counters
            if device not in self._origins:
                device.driver.synchronize()
                self._origins[device] = device.driver.event(), time.perf_counter_ns()

    def add(self, device: Device, cost: Cost, start: Any, spent: int, run: _Run) -> None:
        """A kernel that has run."""
        if device not in self._origins:
            return
        origin, then = self._origins[device]
        at = then + int(1e6 * start.since(origin))
        line = str(cost.location or run.line)
        self.events.append(Event(cost, device, line, at, at + spent, run.bytes, run.operations))

    def stop(self) -> list[Event]:
        """The events in the order in which they began."""
        global _timeline
        for counters in self._counters.values():
            counters.settle()
        _timeline = None
        return sorted(self.events, key=lambda event: event.start)


_timeline: Timeline | None = None
