"""`map` and `filter`: functions of elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np

from ...core.specs import TensorSpec
from ..elements import NOTHING, Chunk, Columns, Element, ElementSpec, Loose, joined
from ..functions import Composed, ElementFunction, Elementwise
from ..plan import UNKNOWN, Cursor, Places, Plan, Run
from .parallel import ParallelMapCursor


class Map(Plan):
    """What a function makes of each element."""

    kind = "Map"

    def __init__(self, source: Plan, function: ElementFunction, calls: int = 0) -> None:
        super().__init__()
        self.source, self.function = source, function
        self.calls = calls if function.waits else 0  # of Python, at a time
        if calls:
            self.kind = "ParallelMap"  # type: ignore[misc]
        self.inputs = (source,)
        # Functions that follow one another are one.
        self._base, self._depth, self.whole = source, 1, cast("Elementwise", function)
        in_order = not self.calls and function.traced and not function.shared
        if type(source) is Map and in_order and source._is_joined():
            self._base, self._depth = source._base, source._depth + 1
            self.whole = Composed(source.whole, function)
        self.indexed = self._base.indexed and self.whole.pure
        self.stackable = self._base.stackable and self.indexed and self._is_one_program()
        self.computes = not self.whole.shared  # the programs of plans are not
        self.by_rows, self.varies = source.by_rows, source.varies
        self.sees_variables = function.sees_variables

    def _is_one_program(self) -> bool:
        """Whether many elements are one program, together with what is around."""
        whole = self.whole
        return not whole.concurrent and not whole.shared and whole.loops

    def _is_joined(self) -> bool:
        """Whether a map behind it runs with it as one function."""
        return not self.calls and self.whole.traced and not self.whole.shared

    @property
    def packs(self) -> bool:
        if not self.indexed or self.stackable:
            return False
        whole = self.whole
        return whole.concurrent or (whole.shared and whole.loops) or whole.packs

    @property
    def base(self) -> Plan:
        """What `whole` is a function of the elements of."""
        return self._base

    @property
    def joins(self) -> bool:
        """Whether the map before it runs as a part of it."""
        return self._depth > 1

    def _base_run(self, run: Run) -> Run:
        for _ in range(self._depth):
            (run,) = run.children
        return run

    @property
    def spec(self) -> ElementSpec:  # type: ignore[override]
        return self.function.output

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def stacked_specs(self) -> list[TensorSpec]:
        return self._base.stacked_specs()

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        return self._base.stacked_inputs(places, self._base_run(run))

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return self.whole.looped(self._base.stacked(inputs))

    def single_specs(self) -> list[TensorSpec]:
        return self._base.single_specs()

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        return self._base.single_inputs(place, self._base_run(run))

    def single(self, inputs: Iterator[Any]) -> Element:
        return self.whole.one(*self._base.single(inputs))

    def elements(self, places: Places, run: Run) -> Chunk:
        if self.packs:
            elements = self._base.elements(places, self._base_run(run))
            found = self.whole.of_many(elements, run.threads)
            if found is not None:
                return found
        return super().elements(places, run)

    def element(self, place: int, run: Run) -> Element:
        if self.whole.concurrent:  # what calls the host is no program
            return self.whole.one(*self._base.element(place, self._base_run(run)))
        return super().element(place, run)

    def slices(self) -> tuple[Plan, int] | None:
        return self._base.slices() if self.indexed else None

    def _threads(self, run: Run) -> int:
        """How many threads make elements before they are asked for."""
        return self.calls if run.threads is None else min(self.calls, run.threads)

    def opened(self, run: Run) -> Cursor:
        return self.stream(run) if self._threads(run) > 1 else super().opened(run)

    def stream(self, run: Run) -> Cursor:
        cursor = self._base.cursor(self._base_run(run))
        function, calls = run.own(self.whole), self._threads(run)
        if calls > 1:
            return ParallelMapCursor(cursor, function, calls)
        return MapCursor(cursor, function, run.threads)

    def describe(self) -> str:
        threads = f", {self.calls} threads" if self.calls else ""
        return f"map {named(self.function.python)}{threads}"


class Computing(Cursor):
    """The base: a function of the elements of another cursor, which is computed for all that were
    taken; for one by one where that fails."""

    def __init__(self, source: Cursor, function: Elementwise, threads: int | None = None) -> None:
        self._source, self._function, self._threads = source, function, threads
        self._read: Chunk = NOTHING  # and not computed yet

    def many(self, chunk: Chunk) -> Chunk | None:
        """What becomes of many elements; None where they have to be computed one by one."""
        return self._function.of_many(chunk, self._threads)

    def one(self, element: Element) -> Element | None:
        """What becomes of an element; None where nothing does."""
        return self._function.one(*element)

    def _take(self, count: int) -> Chunk:
        while True:
            chunk = self._taken(count)
            if not len(chunk):
                return chunk
            found = self._results(chunk)
            if len(found):
                return found
            if self._failure is not None:
                return self.take(count)

    def _taken(self, count: int) -> Chunk:
        """Elements of the input; first those that were read before something failed."""
        if not len(self._read):
            return self._source.take(count)
        chunk, self._read = self._read.part(0, count), self._read.part(count, len(self._read))
        return chunk

    def _results(self, chunk: Chunk) -> Chunk:
        try:
            whole = self.many(chunk) if len(chunk) > 1 else None
            if whole is not None:
                return whole
        except Exception:  # one of them: which?
            pass
        found: list[Element] = []
        for i, element in enumerate(chunk.elements()):
            try:
                result = self.one(element)
            except Exception as failure:
                self._read = joined([chunk.part(i + 1, len(chunk)), self._read])
                if not found:
                    raise
                self._failure = failure
                break
            if result is not None:
                found.append(result)
        return Loose(found)

    def close(self) -> None:
        self._source.close()


class MapCursor(Computing):
    """A cursor of `map`."""

    def _skip(self, count: int) -> int:
        if not self._function.pure or len(self._read):
            return super()._skip(count)
        return self._source.skip(count)


class Filter(Plan):
    """The elements that a function says yes to."""

    kind = "Filter"

    def __init__(self, source: Plan, function: ElementFunction) -> None:
        super().__init__()
        self.source, self.function = source, function
        self.inputs = (source,)
        self.spec = source.spec
        self.varies = source.varies
        self.sees_variables = function.sees_variables

    @property
    def cardinality(self) -> int:
        return 0 if self.source.cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        known = self.source.indexed and self.source.stackable and self.function.pure
        ahead = _AHEAD_BYTES // max(1, self.spec.size) if known and self.spec.size else 0
        cursor = self.source.cursor(run.children[0])
        return _FilterCursor(cursor, run.own(self.function), min(_AHEAD, ahead), run.threads)

    def describe(self) -> str:
        return f"filter {named(self.function.python)}"


class _FilterCursor(Computing):
    """A cursor of `filter`. Elements that follow from their places may be read before they are
    asked for."""

    def __init__(
        self, source: Cursor, function: ElementFunction, ahead: int, threads: int | None
    ) -> None:
        super().__init__(source, function, threads)
        fast = function.loops and function.pure and not function.concurrent
        self._ahead = ahead if fast else 0
        self._found: Chunk = NOTHING  # and not asked for yet

    def _take(self, count: int) -> Chunk:
        if not len(self._found) and self._ahead and count > 1 and not len(self._read):
            self._look_ahead(max(count, self._ahead))
        if not len(self._found):
            return super()._take(count)
        whole = self._found
        found, self._found = whole.part(0, count), whole.part(count, len(whole))
        return found

    def _look_ahead(self, count: int) -> None:
        while not len(self._found):
            chunk = self._source.take(count)
            try:
                found = self.many(chunk)
            except Exception:  # one of them: which? That is found out when its turn comes.
                found = None
            if found is None:
                self._read = chunk
                return
            self._found = found

    def many(self, chunk: Chunk) -> Chunk | None:
        found = self._function.of_many(chunk, self._threads)
        columns = None if found is None else found.columns()
        return None if columns is None else chunk.kept(np.asarray(columns[0]._array, bool))

    def one(self, element: Element) -> Element | None:
        (wanted,) = self._function.one(*element)
        return element if bool(wanted) else None


_AHEAD = 1024  # elements that a filter looks at; asking for 128 at a time took 30 times as long
_AHEAD_BYTES = 1 << 20  # of them


def named(function: Callable[..., Any]) -> str:
    """How a function is called in a description."""
    return getattr(function, "__name__", type(function).__name__)


__all__ = ["Computing", "Filter", "Map", "MapCursor", "named"]
