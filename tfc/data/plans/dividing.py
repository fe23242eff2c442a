"""Parts of batches: of each batch some rows, of which alone is computed what can be left out.

Of an indexed input the other rows are never made. Of another one (lines of files, what a filter
leaves) all elements are read, and what pure functions make of them is computed for the rows of the
part: mostly that is where the time goes, in parsing and decoding.
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import nest
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ..elements import NOTHING, Chunk, Element, ElementSpec, stacked_spec
from ..functions import Elementwise
from ..packing import batched
from ..plan import Cursor, Places, Plan, Run
from .batching import Batch, taken
from .checking import WithOptions
from .mapping import Map, MapCursor
from .order import Repeat, Skip, Take
from .parallel import ParallelMapCursor
from .prefetching import Prefetch

Part = tuple[int, int, int]  # the first one, the one behind the last one, of so many


def span(count: int, part: Part) -> tuple[int, int]:
    """Which rows of so many are made for a part: its own, from count * first // parts on, and one
    at least for each of the smallest parts in it, which may have none of their own."""
    first, last, parts = part
    low, behind = (
        min(count * first // parts, count - 1),
        min(count * (last - 1) // parts, count - 1),
    )
    return low, max(count * last // parts, behind + 1)


def part_of_batches(plan: Plan, part: Part) -> Plan | None:
    """The plan of parts of a plan's batches, and how many rows each whole batch has: elements are
    (the rows of `span`, an int64 scalar). None where batches have to be made to be divided."""
    if type(plan) in (Prefetch, Repeat, Skip, Take, WithOptions):
        source = part_of_batches(plan.inputs[0], part)
        (_, *rest), options = plan.made_of
        wrapped: Callable[..., Plan] = type(plan)
        return None if source is None else wrapped(source, *rest, **options)
    if type(plan) is not Batch:
        return None
    if plan.indexed:
        return BatchPart(plan, part)
    source, functions = _without_maps(plan.source)
    return StreamPart(plan, part, source, functions) if functions else None


def _without_maps(plan: Plan) -> tuple[Plan, list[tuple[Elementwise, int]]]:
    """What stands before pure functions, and these, the first one first, with the number of threads
    that each has."""
    functions: list[tuple[Elementwise, int]] = []
    while True:
        if type(plan) is Map and plan.whole.pure:
            functions.insert(0, (plan.whole, plan.calls))
            plan = plan.base
        elif type(plan) is Prefetch:
            plan = plan.source
        else:
            return plan, functions


class BatchPart(Batch):
    """Parts of the batches of an indexed input."""

    def __init__(self, batch: Batch, part: Part) -> None:
        super().__init__(batch.source, batch.size, batch.drops)
        self.whole, self.part = batch, part
        self.spec = _counted(batch.source.spec)
        self.stackable = False  # parts may differ by a row

    def slices(self) -> tuple[Plan, int] | None:
        return None

    def element(self, place: int, run: Run) -> Element:
        rows = len(super()._rows(place))
        return (*super().element(place, run), wrap(np.array(rows, np.int64)))

    def _rows(self, place: int) -> Places:
        rows = super()._rows(place)
        low, high = span(len(rows), self.part)
        return rows[low:high]

    def describe(self) -> str:
        first, last, parts = self.part
        return f"{super().describe()}, of which parts {first} to {last} of {parts}"


class StreamPart(Batch):
    """Parts of the batches of another input, before which there are pure functions."""

    def __init__(
        self, batch: Batch, part: Part, source: Plan, functions: list[tuple[Elementwise, int]]
    ) -> None:
        super().__init__(batch.source, batch.size, batch.drops)
        self.whole, self.part, self._functions = batch, part, functions
        self.inputs = (source,)
        self.spec = _counted(batch.source.spec)

    def stream(self, run: Run) -> Cursor:
        source = run.children[0]
        rows = _Rows(self.inputs[0].cursor(source), self.size, self.drops, self.part)
        cursor: Cursor = rows
        for function, calls in self._functions:
            threads = calls if run.threads is None else min(calls, run.threads)
            if threads > 1:
                cursor = ParallelMapCursor(cursor, function, threads)
            else:
                cursor = MapCursor(cursor, function, run.threads)
        return _StreamPartCursor(rows, cursor, self.source.spec)

    def describe(self) -> str:
        first, last, parts = self.part
        return f"{super().describe()}, of which parts {first} to {last} of {parts}"


def _counted(spec: ElementSpec) -> ElementSpec:
    """Of batches of elements of this spec, each with a number."""
    nested = spec.structure.pack([None] * len(spec.leaves))
    leaves = [stacked_spec(leaf, None) for leaf in spec.leaves]
    structure = nest.decompose((nested, None))[1]
    return ElementSpec([*leaves, TensorSpec([], "int64")], structure)


class _Rows(Cursor):
    """The rows of parts, before anything is computed. Threads may take them."""

    def __init__(self, source: Cursor, size: int, drops: bool, part: Part) -> None:
        self._source, self._size, self._drops, self._part = source, size, drops, part
        self._lock = threading.RLock()
        self._batches: collections.deque[tuple[int, int]] = collections.deque()
        self._rest: collections.deque[Chunk] = collections.deque()

    def batch(self) -> tuple[int, int] | None:
        """How many rows the next batch has, and how many of these are the part's; None where there
        is none."""
        with self._lock:
            if not self._batches:
                self._read()
            return self._batches.popleft() if self._batches else None

    def _read(self) -> bool:
        rows = taken(self._source, self._size)
        if not len(rows) or (self._drops and len(rows) < self._size):
            return False
        low, high = span(len(rows), self._part)
        self._batches.append((len(rows), high - low))
        self._rest.append(rows.part(low, high))
        return True

    def _take(self, count: int) -> Chunk:
        with self._lock:
            if not self._rest and not self._read():
                return NOTHING
            rows = self._rest.popleft()
            if len(rows) > count:
                self._rest.appendleft(rows.part(count, len(rows)))
            return rows.part(0, count)

    def close(self) -> None:
        self._source.close()


class _StreamPartCursor(Cursor):
    def __init__(self, rows: _Rows, source: Cursor, spec: ElementSpec) -> None:
        self._rows, self._source, self._spec = rows, source, spec

    def _next(self) -> Element | None:
        found = self._rows.batch()
        if found is None:
            return None
        whole, own = found
        count: Any = wrap(np.array(whole, np.int64))
        return (*batched(taken(self._source, own), self._spec, "batch"), count)

    def close(self) -> None:
        self._source.close()


__all__ = ["BatchPart", "StreamPart", "part_of_batches", "span"]
