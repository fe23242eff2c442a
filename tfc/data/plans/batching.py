"""`batch`: so many elements along a new first axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.specs import TensorSpec
from ...core.tensor import StringTensor
from ...ops.array.joining import concat
from ...ops.array.shaping import reshape
from ...ops.array.shaping import shape as shape_of
from ..elements import Chunk, Columns, Element, joined, stacked_spec
from ..packing import batched
from ..plan import INFINITE, UNKNOWN, Cursor, Places, Plan, Run
from .prefetching import Prefetch


class Batch(Plan):
    """So many elements along a new first axis; at the end perhaps fewer."""

    kind = "Batch"

    def __init__(self, source: Plan, size: int, drops: bool) -> None:
        super().__init__()
        self.source, self.size, self.drops = source, size, drops
        self.inputs = (source,)
        count = source.cardinality
        whole = drops or count == INFINITE or (count != UNKNOWN and count % size == 0)
        self.spec = source.spec.map(lambda leaf: stacked_spec(leaf, size if drops else None))
        self.indexed = source.indexed and source.stackable
        self.stackable = self.indexed and whole
        self.computes, self.varies = source.computes, source.varies
        self.by_rows = source.by_rows

    @property
    def cardinality(self) -> int:
        count = self.source.cardinality
        if count in (INFINITE, UNKNOWN):
            return count
        return count // self.size if self.drops else -(-count // self.size)

    def stacked_specs(self) -> list[TensorSpec]:
        return self.source.stacked_specs()

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        rows = (places[:, None] * self.size + np.arange(self.size)).reshape(-1)
        return self.source.stacked_inputs(rows, run.children[0])

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return tuple([self._grouped(column) for column in self.source.stacked(inputs)])

    def _grouped(self, column: Any) -> Any:
        """A column of elements as one of batches."""
        if isinstance(column, StringTensor):
            return reshape(column, [-1, self.size, *column.shape[1:]])
        rest = shape_of(column)[1:]
        return reshape(column, concat([[-1, self.size], rest], 0))

    def single_specs(self) -> list[TensorSpec]:
        return self.source.stacked_specs()

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        return self.source.stacked_inputs(self._rows(place), run.children[0])

    def single(self, inputs: Iterator[Any]) -> Element:
        return self.source.stacked(inputs)

    def slices(self) -> tuple[Plan, int] | None:
        finite = self.source.cardinality != INFINITE
        return (self.source, self.size) if self.indexed and self.by_rows and finite else None

    def element(self, place: int, run: Run) -> Element:
        columns = self.source.elements(self._rows(place), run.children[0]).columns()
        assert columns is not None
        return columns

    def _rows(self, place: int) -> Places:
        start, stop = place * self.size, (place + 1) * self.size
        count = self.source.cardinality
        return np.arange(start, stop if count == INFINITE else min(stop, count))

    def stream(self, run: Run) -> Cursor:
        return _BatchCursor(self, self.source.cursor(run.children[0]))

    def describe(self) -> str:
        return f"batch {self.size}" + (", none smaller" if self.drops else "")


class _BatchCursor(Cursor):
    def __init__(self, plan: Batch, source: Cursor) -> None:
        self._plan, self._source = plan, source

    def _next(self) -> Element | None:
        plan = self._plan
        found = taken(self._source, plan.size)
        if not len(found) or (plan.drops and len(found) < plan.size):
            return None
        return batched(found, plan.source.spec, "batch")

    def _skip(self, count: int) -> int:
        done = self._source.skip(count * self._plan.size)
        whole = self._plan.drops
        return done // self._plan.size if whole else -(-done // self._plan.size)

    def close(self) -> None:
        self._source.close()


def taken(source: Cursor, count: int) -> Chunk:
    """So many elements of a cursor; fewer only where there are no more."""
    chunks = []
    left = count
    while left:
        chunk = source.take(left)
        if not len(chunk):
            break
        chunks.append(chunk)
        left -= len(chunk)
    return joined(chunks)


def batch_size(plan: Plan) -> int | None:
    """How many elements a batch has; None where the plan is not one of batches."""
    return plan.size if isinstance(plan, Batch) else None


def ends_smaller(plan: Plan) -> bool:
    """Whether it is known that the last one of several batches is smaller."""
    while isinstance(plan, Prefetch):
        plan = plan.source
    if not isinstance(plan, Batch) or plan.drops:
        return False
    count = plan.source.cardinality
    return count > plan.size and count % plan.size > 0


__all__ = ["Batch", "batch_size", "ends_smaller", "taken"]
