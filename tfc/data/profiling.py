"""`profile`: what each step of a pipeline takes."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

from .elements import Chunk, Element
from .iterator import Iterator
from .plan import Cursor, Plan, measuring


class Step(NamedTuple):
    """What a step has taken: its elements, and the seconds that it spent by itself."""

    name: str
    elements: int
    seconds: float


class Profile:
    """What the steps of a pipeline have taken, the last step first.

    `steps` are named tuples of name, elements and seconds; `seconds` is what the whole took.
    """

    def __init__(self, steps: list[Step], seconds: float) -> None:
        self.steps, self.seconds = steps, seconds

    def __repr__(self) -> str:
        whole = sum(step.seconds for step in self.steps) or 1.0
        lines = [f"{'step':36}{'elements':>10}{'ms':>10}{'us each':>10}{'share':>8}"]
        for name, elements, seconds in self.steps:
            each = f"{1e6 * seconds / elements:.1f}" if elements else ""
            share = f"{seconds / whole:.0%}"
            lines.append(f"{name:36}{elements:10,}{1e3 * seconds:10.2f}{each:>10}{share:>8}")
        return "\n".join([*lines, f"{'in all':36}{'':10}{1e3 * self.seconds:10.2f}"])


class _Meter:
    """What the cursors of a plan take."""

    def __init__(self) -> None:
        self.elements = 0
        self.seconds = 0.0


class _Measured(Cursor):
    """A cursor, and a clock."""

    def __init__(self, inner: Cursor, meter: _Meter, clocks: threading.local) -> None:
        self._inner, self._meter, self._clocks = inner, meter, clocks

    def take(self, count: int) -> Chunk:
        chunk: Chunk = self._timed(self._inner.take, count)
        self._meter.elements += len(chunk)
        return chunk

    def next(self) -> Element | None:
        element: Element | None = self._timed(self._inner.next)
        self._meter.elements += element is not None
        return element

    def skip(self, count: int) -> int:
        done: int = self._timed(self._inner.skip, count)
        return done

    def close(self) -> None:
        self._inner.close()

    def _timed(self, method: Any, *arguments: Any) -> Any:
        """What a method gives. What the cursors that it asks take is theirs."""
        around = getattr(self._clocks, "inside", 0.0)
        self._clocks.inside = 0.0
        start = time.perf_counter()
        try:
            return method(*arguments)
        finally:
            taken = time.perf_counter() - start
            self._meter.seconds += taken - self._clocks.inside
            self._clocks.inside = around + taken


def profiled(plan: Plan, elements: int | None) -> Profile:
    """Go through a plan with clocks."""
    meters: dict[int, _Meter] = {}
    clocks = threading.local()

    def measured(own: Plan, cursor: Cursor) -> Cursor:
        return _Measured(cursor, meters.setdefault(id(own), _Meter()), clocks)

    token = measuring.set(measured)
    try:
        iterator = Iterator(plan)
        start = time.perf_counter()
        done = 0
        while (elements is None or done < elements) and iterator.next_leaves() is not None:
            done += 1
        seconds = time.perf_counter() - start
        iterator.close()
    finally:
        measuring.reset(token)
    return Profile(_steps(plan, meters, 0), seconds)


def _steps(plan: Plan, meters: dict[int, _Meter], depth: int) -> list[Step]:
    """The steps that had cursors of their own, the last one first."""
    meter = meters.get(id(plan))
    found = []
    if meter is not None:
        found.append(Step("  " * depth + plan.describe(), meter.elements, meter.seconds))
    inputs = [step for source in plan.inputs for step in _steps(source, meters, depth + 1)]
    return found + inputs


__all__ = ["Profile", "Step", "profiled"]
