"""Programs that note how long each of their kernels takes.

Around every kernel stands a look at the clock (runtime/profiling.c). What it gives is added to the
kernel's row of `Counters`, and written to the list of `Events` while one is kept.
"""

from __future__ import annotations

import ctypes
import threading
from bisect import bisect_right
from collections.abc import Sequence

from tfc.ir.kernels.plan.costs import Cost
from tfc.ir.value_classes import NamedTuple

from .. import forks
from ..measured import Limits, Measured
from .measured_peak import measure

# A row of counters: calls, nanoseconds in all, the fewest in a call, bytes and operations in all.
CALLS, TOTAL, LEAST, BYTES, OPERATIONS = range(5)
ROW = 8  # int64 a row: a cache line
EVENT = 6  # the kernel's row, thread, start, end, bytes, operations


class Event(NamedTuple):
    """One run of a kernel; times in nanoseconds of the clock of `time.perf_counter_ns`."""

    cost: Cost
    thread: int
    start: int
    end: int
    bytes: int
    operations: int


class Counters:
    """What the kernels of one program took since it was loaded, or `clear`."""

    def __init__(self, kernels: Sequence[Cost]) -> None:
        self.kernels = tuple(kernels)
        self._rows = (ctypes.c_int64 * (ROW * max(1, len(kernels))))()
        self.address = ctypes.addressof(self._rows)
        self.clear()

    def clear(self) -> None:
        """Forget the runs so far."""
        for i in range(len(self.kernels)):
            self._rows[ROW * i : ROW * (i + 1)] = [0] * ROW
            self._rows[ROW * i + LEAST] = 2**63 - 1

    def read(self) -> list[Measured]:
        """What each kernel took, in the order of the program; those that ran."""
        measured = []
        for i, kernel in enumerate(self.kernels):
            row = list(self._rows[ROW * i : ROW * (i + 1)])
            if row[CALLS]:
                measured.append(
                    Measured(kernel, *(row[k] for k in (CALLS, TOTAL, LEAST, BYTES, OPERATIONS)))
                )
        return measured

    def limits(self, parallel: bool) -> Limits:
        """What the machine could do at best, on as many threads as a kernel may use."""
        from .runtime import runtime

        return measure(runtime.threads() if parallel else 1)

    def find(self, address: int) -> Cost | None:
        """The kernel whose row this is."""
        number, rest = divmod(address - self.address, 8 * ROW)
        return self.kernels[number] if rest == 0 and 0 <= number < len(self.kernels) else None


_list = (ctypes.c_int64 * 3)()  # how many events fit, how many there were, where they go
_lock = forks.whole(threading.Lock())
_programs: list[Counters] = []  # that may have written events; native code borrows their rows


def imports(counters: Counters) -> dict[str, int]:
    """The addresses that a profiled program is linked with. Its counters are kept for good."""
    with _lock:
        _programs.append(counters)
    return {"tfc_counters": counters.address, "tfc_events": ctypes.addressof(_list)}


class Events:
    """A list of what all profiled programs run from now on, until `stop`."""

    def __init__(self, capacity: int) -> None:
        with _lock:
            if _list[0]:
                raise RuntimeError("events are being listed already")
            self._rows = (ctypes.c_int64 * (EVENT * capacity))()
            self.capacity = capacity
            _list[1], _list[2] = 0, ctypes.addressof(self._rows)
            _list[0] = capacity

    def stop(self) -> tuple[list[Event], int]:
        """The events in the order in which they ended, and how many had no room."""
        with _lock:
            _list[0] = 0
            count = _list[1]
            known = {c.address: c for c in _programs}
        starts = sorted(known)
        events = []
        for i in range(min(count, self.capacity)):
            address, thread, *rest = self._rows[EVENT * i : EVENT * (i + 1)]
            place = bisect_right(starts, address) - 1
            kernel = known[starts[place]].find(address) if place >= 0 else None
            if kernel is not None:
                events.append(Event(kernel, thread, *rest))
        return events, max(0, count - self.capacity)
