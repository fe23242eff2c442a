"""Iterators of graphs: where each session is in a dataset, and the tensors and operations that ask.

An iterator of a graph has a place of its own in each session that runs it. What `get_next` gives is
computed by a call of Python; all parts of an element are of one call, so what is fetched together
is of one element.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator as PythonIterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.core import blame, errors
from tfc.core.tensor import SymbolicTensor
from tfc.data.elements import ElementSpec
from tfc.data.iterator import Iterator
from tfc.data.loops import TracedLoop
from tfc.data.nested import Unknown
from tfc.data.optional import Optional
from tfc.data.plan import Plan

_session: ContextVar[Any] = ContextVar("_session", default=None)
_numbers = itertools.count(1)
_living: weakref.WeakValueDictionary[int, GraphIterator] = weakref.WeakValueDictionary()


@contextmanager
def running(session: Any) -> PythonIterator[None]:
    """What runs in here runs for a session."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)


def running_session() -> Any:
    """The session that runs what runs here; None if none does."""
    return _session.get()


class GraphIterator(Iterator):
    """An iterator whose elements are tensors of a graph.

    Args:
        graph: The graph.
        spec: Of the elements.
        plan: What it goes over; None: what `make_initializer` says.
        one_shot: Whether it begins by itself.
        handle: A string scalar of the graph that names the iterator to ask; None: this one.
    """

    def __init__(
        self,
        graph: Any,
        spec: ElementSpec,
        plan: Plan | None = None,
        one_shot: bool = False,
        handle: Any = None,
    ) -> None:
        self._graph, self._spec, self._plan = graph, spec, Unknown(spec)
        self._source, self._one_shot = plan, one_shot
        self._number = next(_numbers)
        self._handle = handle
        self._places: weakref.WeakKeyDictionary[Any, Iterator] = weakref.WeakKeyDictionary()
        self._initializer: Any = None
        _living[self._number] = self
        graph.iterators.append(self)  # fetches know it by its number

    @property
    def initializer(self) -> Any:
        """The operation that begins it, anew where it began before.

        Raises:
            ValueError: If it begins by itself, or goes over no dataset of its own.
        """
        if self._source is None or self._one_shot:
            raise blame.value_error(
                "The iterator does not have an initializer: make_initializer gives one for a "
                "dataset"
                if self._source is None
                else "A one-shot iterator has no initializer",
                "Iterator.initializer",
            )
        if self._initializer is None:
            self._initializer = self._beginning(self._source)
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """The operation that begins it with a dataset.

        Args:
            dataset: A Dataset, whose elements are of the structure that the iterator was made for.
            name: Not used.

        Returns:
            An operation.

        Raises:
            TypeError: If its elements are others.
        """
        if not self._spec.covers(dataset._plan.spec):
            raise blame.type_error(
                f"the iterator is for elements {self._spec}, and those of the dataset are "
                f"{dataset._plan.spec}",
                "Iterator.make_initializer",
            )
        return self._beginning(dataset._plan)

    def _beginning(self, plan: Plan) -> Any:
        with self._graph.as_default():
            return self._graph.group([TracedLoop(plan, self._begun, True).begin()], "MakeIterator")

    def _begun(self, plan: Plan) -> Iterator:
        """Begin with what a plan gives, in the session that runs."""
        self._places[_session.get()] = found = Iterator(plan)
        return found

    def here(self) -> Iterator:
        """Where it is in the session that runs."""
        found = self._places.get(_session.get())
        if found is None and self._one_shot and self._source is not None:
            return self._begun(self._source)
        if found is None:
            raise errors.FailedPreconditionError(
                "GetNext() failed because the iterator has not been initialized. Ensure that you "
                "have run the initializer operation for this iterator before getting the next "
                "element.",
                op="IteratorGetNext",
            )
        return found

    def _traced_loop(self) -> TracedLoop:
        with self._graph.as_default():
            handle = self._handle
            handle = _tfc.constant(self._number, _tfc.int64) if handle is None else handle
            return TracedLoop(self._plan, _named, False, handle)

    def get_next(self, name: str | None = None) -> Any:
        """The tensors of the next element of each run; one run gets one element of each call.

        Args:
            name: What the tensors are called.

        Returns:
            Tensors, in the structure of an element.
        """
        with self._graph.as_default():
            found = self._traced_loop().next()
            for leaf in _tfc.nest.flatten(found):
                if isinstance(leaf, SymbolicTensor) and not leaf._value.name:
                    leaf._value.name = self._graph.name_in_scope(name or "IteratorGetNext")
            return found

    __next__ = get_next

    def get_next_as_optional(self) -> Optional:
        with self._graph.as_default():
            return self._traced_loop().optional()

    def string_handle(self, name: str | None = None) -> Any:
        """A string scalar by which `Iterator.from_string_handle` knows it.

        Args:
            name: Not used.

        Returns:
            A tensor of the graph.
        """
        with self._graph.as_default():
            handle = _tfc.constant(f"{_PREFIX}{self._number}")
            return self._graph.constant(handle, "IteratorToStringHandle")

    def _serialize_to_tensors(self) -> dict[str, Any]:
        raise blame.unimplemented("iterators of graphs are in no checkpoints", "Iterator.save")

    def close(self) -> None:
        """End it in all sessions."""
        for place in list(self._places.values()):
            place.close()


_PREFIX = "Iterator:"


def _named(handle: Any) -> Iterator:
    """Where the iterator with a number, or a handle, is in the session that runs."""
    given = np.asarray(handle).item()
    text = given.decode() if isinstance(given, bytes) else str(given)
    number = text.removeprefix(_PREFIX)
    found = _living.get(int(number)) if number.isdigit() else None
    if found is None:
        raise errors.InvalidArgumentError(f"{text!r} is the handle of no iterator", op="Iterator")
    return found.here()


def iterator_of(graph: Any, plan: Plan, one_shot: bool) -> GraphIterator:
    """The iterator of a graph over a dataset."""
    return GraphIterator(graph, plan.spec, plan, one_shot)


def iterator_for(graph: Any, spec: ElementSpec, handle: Any) -> GraphIterator:
    """The iterator of a graph over datasets that come later: of those that initializers name, or of
    the iterators that are fed as handles."""
    return GraphIterator(graph, spec, handle=handle)


__all__ = ["GraphIterator", "iterator_for", "iterator_of", "running"]
