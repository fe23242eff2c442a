"""`cache`: elements are computed once and kept."""

from __future__ import annotations

import threading

import numpy as np

from ...core.tensor import wrap
from ..elements import Chunk, Element, Loose, Stacked
from ..plan import INFINITE, UNKNOWN, Cursor, Given, Places, Plan, Run, begin


def cached(source: Plan) -> Plan:
    """What keeps the elements of a plan in memory."""
    fixed = source.spec.numeric and all(
        leaf.shape.is_fully_defined() for leaf in source.spec.leaves
    )
    finite = source.cardinality not in (INFINITE, UNKNOWN)
    return IndexedCache(source) if source.stackable and fixed and finite else StreamCache(source)


class IndexedCache(Given):
    """The elements of an indexed plan in arrays, which are filled as they are asked for."""

    kind = "Cache"
    indexed = stackable = True

    def __init__(self, source: Plan) -> None:
        super().__init__()
        self.source = source  # its iteration is the first one for ever: it is no input
        self.spec = source.spec
        self._lock_of_arrays = threading.Lock()
        self._run_of_source: Run | None = None
        self._arrays: list[np.ndarray] = []
        self._there = np.zeros(0, bool)

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def elements(self, places: Places, run: Run) -> Chunk:
        self._fill(places)
        return Stacked(tuple([wrap(array[places]) for array in self._arrays]), len(places))

    def element(self, place: int, run: Run) -> Element:
        self._fill(np.array([place]))
        return tuple(
            [wrap(array[place : place + 1].reshape(array.shape[1:])) for array in self._arrays]
        )

    def _fill(self, places: Places) -> None:
        with self._lock_of_arrays:
            if self._run_of_source is None:
                count = self.cardinality
                self._arrays = [
                    np.empty([count, *leaf.shape.as_list()], leaf.dtype.numpy)
                    for leaf in self.spec.leaves
                ]
                self._there = np.zeros(count, bool)
                self._run_of_source = begin(self.source)
            missing = places[~self._there[places]]
            if not len(missing):
                return
            columns = self.source.elements(missing, self._run_of_source).columns()
            assert columns is not None
            for array, column in zip(self._arrays, columns, strict=True):
                array[missing] = column._array
            self._there[missing] = True

    def describe(self) -> str:
        return f"cache in memory ({int(self._there.sum())} of {self.cardinality} are there)"


class StreamCache(Plan):
    """The elements of a stream in a list, once it has been gone through."""

    kind = "Cache"

    def __init__(self, source: Plan) -> None:
        super().__init__()
        self.source = source
        self.inputs = (source,)
        self.spec = source.spec
        self.kept: list[Element] | None = None

    @property
    def cardinality(self) -> int:
        return self.source.cardinality if self.kept is None else len(self.kept)

    def stream(self, run: Run) -> Cursor:
        if self.kept is not None:
            return ListCursor(self.kept)
        return _FillingCursor(self, self.source.cursor(run.children[0]))

    def describe(self) -> str:
        return "cache in memory" + (", which is filled" if self.kept is not None else "")


class ListCursor(Cursor):
    """A place in a list of elements."""

    def __init__(self, elements: list[Element]) -> None:
        self._elements, self._place = elements, 0

    def _take(self, count: int) -> Chunk:
        start = self._place
        found = self._elements[start : start + count]
        self._place += len(found)
        return Loose(found)

    def _skip(self, count: int) -> int:
        return len(self._take(count))


class _FillingCursor(Cursor):
    def __init__(self, plan: StreamCache, source: Cursor) -> None:
        self._plan, self._source = plan, source
        self._found: list[Element] = []
        self._whole = True  # whether nothing has failed

    def _take(self, count: int) -> Chunk:
        try:
            chunk = self._source.take(count)
        except Exception:
            self._whole = False
            raise
        self._found += chunk.elements()
        if count and not len(chunk) and self._whole and self._plan.kept is None:
            self._plan.kept = self._found
        return chunk

    def close(self) -> None:
        self._source.close()


__all__ = ["IndexedCache", "ListCursor", "StreamCache", "cached"]
