"""Several datasets as one: `zip`, `concatenate`; `enumerate` is a zip with a range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core.nest import Structure
from ...core.specs import TensorSpec
from ..elements import Chunk, Columns, Element, ElementSpec, Loose, Stacked, joined
from ..plan import INFINITE, UNKNOWN, Cursor, Given, Places, Plan, Run


class Zip(Plan):
    """The elements of several plans side by side, as long as all have one."""

    kind = "Zip"

    def __init__(self, sources: Sequence[Plan], structure: Structure) -> None:
        super().__init__()
        self.inputs = tuple(sources)
        nested = structure.pack([source.spec.nested for source in sources])
        self.spec = ElementSpec.of(nested)
        self.indexed = all(source.indexed for source in sources)
        self.stackable = all(source.stackable for source in sources)
        self.by_rows = all(source.by_rows for source in sources)
        self.computes = any(source.computes for source in sources)
        self.varies = any(source.varies for source in sources)

    @property
    def cardinality(self) -> int:
        sizes = [source.cardinality for source in self.inputs]
        finite = [size for size in sizes if size != INFINITE]
        if 0 in finite:
            return 0
        return UNKNOWN if UNKNOWN in finite else min(finite, default=INFINITE)

    def stacked_specs(self) -> list[TensorSpec]:
        return [spec for source in self.inputs for spec in source.stacked_specs()]

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        pairs = zip(self.inputs, run.children, strict=True)
        return [x for source, own in pairs for x in source.stacked_inputs(places, own)]

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return tuple([column for source in self.inputs for column in source.stacked(inputs)])

    def single_specs(self) -> list[TensorSpec]:
        return [spec for source in self.inputs for spec in source.single_specs()]

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        pairs = zip(self.inputs, run.children, strict=True)
        return [x for source, own in pairs for x in source.single_inputs(place, own)]

    def single(self, inputs: Iterator[Any]) -> Element:
        return tuple([leaf for source in self.inputs for leaf in source.single(inputs)])

    def element(self, place: int, run: Run) -> Element:
        if self.computes and self.spec.dense:
            return super().element(place, run)
        pairs = zip(self.inputs, run.children, strict=True)
        return tuple([leaf for source, own in pairs for leaf in source.element(place, own)])

    def stream(self, run: Run) -> Cursor:
        pairs = zip(self.inputs, run.children, strict=True)
        return _ZipCursor([source.cursor(own) for source, own in pairs])


class _ZipCursor(Cursor):
    def __init__(self, sources: list[Cursor]) -> None:
        self._sources = sources

    def _next(self) -> Element | None:
        found: list[Any] = []
        for source in self._sources:
            element = source.next()
            if element is None:
                return None
            found += element
        return tuple(found)

    def _skip(self, count: int) -> int:
        return min(source.skip(count) for source in self._sources)

    def close(self) -> None:
        for source in self._sources:
            source.close()


class Concatenate(Given):
    """The elements of one plan, then those of another."""

    kind = "Concatenate"

    def __init__(self, first: Plan, second: Plan) -> None:
        super().__init__()
        self.inputs = (first, second)
        self.spec = first.spec.merged(second.spec, "concatenate")
        self.indexed = first.indexed and second.indexed and first.cardinality != INFINITE
        same = first.spec == second.spec
        self.stackable = first.stackable and second.stackable and same and self.spec.dense
        self.varies = first.varies or second.varies

    @property
    def cardinality(self) -> int:
        sizes = [source.cardinality for source in self.inputs]
        for special in (INFINITE, UNKNOWN):
            if special in sizes:
                return special
        return sum(sizes)

    def elements(self, places: Places, run: Run) -> Chunk:
        border = self.inputs[0].cardinality
        later = places >= border
        (first, second), (one, two) = self.inputs, run.children
        if not later.any():
            return first.elements(places, one)
        if later.all():
            return second.elements(places - border, two)
        chunks = [first.elements(places[~later], one), second.elements(places[later] - border, two)]
        order = np.concatenate([np.flatnonzero(~later), np.flatnonzero(later)])
        both = joined(chunks)
        if isinstance(both, Stacked):
            return both.rows(np.argsort(order, kind="stable"))
        found: list[Any] = [None] * len(places)
        for place, element in zip(order, both.elements(), strict=True):
            found[place] = element
        return Loose(found)

    def element(self, place: int, run: Run) -> Element:
        border = self.inputs[0].cardinality
        if place < border:
            return self.inputs[0].element(place, run.children[0])
        return self.inputs[1].element(place - border, run.children[1])

    def stream(self, run: Run) -> Cursor:
        pairs = zip(self.inputs, run.children, strict=True)
        return _ConcatenateCursor([source.cursor(own) for source, own in pairs])


class _ConcatenateCursor(Cursor):
    def __init__(self, sources: list[Cursor]) -> None:
        self._sources = sources

    def _take(self, count: int) -> Chunk:
        chunk: Chunk = Loose([])
        while self._sources:
            chunk = self._sources[0].take(count)
            if len(chunk):
                break
            self._sources.pop(0).close()
        return chunk

    def _skip(self, count: int) -> int:
        done = 0
        while self._sources and done < count:
            step = self._sources[0].skip(count - done)
            done += step
            if done < count:
                self._sources.pop(0).close()
        return done

    def close(self) -> None:
        for source in self._sources:
            source.close()


__all__ = ["Concatenate", "Zip"]
