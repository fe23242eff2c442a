"""Iterators: what a Python loop over a dataset goes with."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import blame
from ..core.containers import Composite, Expanded
from ..core.context import active, context, user_location
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, wrap
from .ahead import ahead
from .elements import NOTHING, Element, ElementSpec
from .loops import TracedLoop, reads_variables
from .methods.sources import signature
from .nested import Unknown
from .optional import IteratorParts, IteratorSpec, Optional
from .plan import Plan, begin
from .plans.exchanged import Exchanged

_AHEAD_BYTES = 1 << 18  # of small elements, which are computed some at a time; not measured
_AHEAD_MOST = 256


class Iterator:
    """Goes over the elements of a dataset: `iter(dataset)` makes one. Threads may share it: each
    element is given once.

    >>> import tfc as tf
    >>> elements = iter(tf.data.Dataset.range(2))
    >>> print(elements.get_next(), next(elements))
    tf.Tensor(0, shape=(), dtype=int64) tf.Tensor(1, shape=(), dtype=int64)
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._lock = threading.RLock()
        self._start(None)

    def _start(self, epochs: list[int] | None) -> None:
        plan = self._plan
        self._run = begin(plan, None if epochs is None else iter(epochs))
        self._cursor = ahead(plan, self._run, plan.cursor(self._run))
        self._spec = plan.spec
        self._pack: Callable[[Element], Any] = self._spec.structure.pack
        self._delivered = 0
        self._chunk, self._at = NOTHING, 0
        self._returned: list[Element] = []
        self._most = _ahead(plan)
        self._next_most = 1

    @classmethod
    def from_structure(
        cls,
        output_types: Any,
        output_shapes: Any = None,
        shared_name: str | None = None,
        output_classes: Any = None,
    ) -> Iterator:
        """TensorFlow 1's iterator that goes over one dataset after another: `make_initializer`
        lets it begin with one.

        Args:
            output_types: The dtypes of an element, in its structure.
            output_shapes: The shapes; None: any.
            shared_name: Not used.
            output_classes: Not used: elements are tensors.

        Returns:
            An Iterator. Before it begins, to ask it for an element is a FailedPreconditionError.

        Raises:
            TypeError: If dtypes and shapes are nested in different ways.

        >>> import tfc.compat.v1 as tf
        >>> elements = tf.data.Iterator.from_structure(tf.int64, [])
        >>> for dataset in (tf.data.Dataset.range(2), tf.data.Dataset.range(7, 9)):
        ...     elements.make_initializer(dataset)
        ...     print(*(int(x) for x in elements))
        0 1
        7 8
        """
        spec = ElementSpec.of(signature(output_types, output_shapes))
        graph = graph_trace()
        if graph is not None:
            made: Iterator = graph.iterator_for(spec)
            return made
        return cls(Exchanged(spec))

    @staticmethod
    def from_string_handle(
        string_handle: Any,
        output_types: Any,
        output_shapes: Any = None,
        output_classes: Any = None,
    ) -> Iterator:
        """TensorFlow 1's iterator that asks another one, which is fed.

        Args:
            string_handle: A string scalar of a graph: what the other's `string_handle` gives.
            output_types: The dtypes of an element, in its structure.
            output_shapes: The shapes; None: any.
            output_classes: Not used: elements are tensors.

        Returns:
            An Iterator.

        Raises:
            RuntimeError: Where ops run at once.
            TypeError: If dtypes and shapes are nested in different ways.

        >>> import tfc.compat.v1 as tf
        >>> with tf.Graph().as_default(), tf.Session() as session:
        ...     handle = tf.placeholder(tf.string, [])
        ...     x = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
        ...     few = tf.data.Dataset.range(7, 9).make_one_shot_iterator()
        ...     print(session.run(x, {handle: session.run(few.string_handle())}))
        7
        """
        graph = graph_trace()
        if graph is None:
            raise blame.runtime_error("Iterator.from_string_handle is for the graphs of sessions")
        spec = ElementSpec.of(signature(output_types, output_shapes))
        made: Iterator = graph.iterator_for(spec, string_handle)
        return made

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """Begin with a dataset, at once: there is no op to run. In graphs it gives the operation.

        Args:
            dataset: A Dataset, whose elements are of the structure that `from_structure` was given.

        Raises:
            TypeError: If its elements are others.
            ValueError: If the iterator is that of another dataset.
        """
        if not isinstance(self._plan, Exchanged):
            raise blame.value_error(
                "the iterator goes over one dataset; Iterator.from_structure makes one for several",
                "Iterator.make_initializer",
            )
        with self._lock:
            self._plan.exchange(dataset._plan)
            self._cursor.close()
            self._start(None)

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        if context.trace is not None:
            return self._traced_loop().next()
        element = None
        try:
            element = self.next_leaves()
            if element is None:
                raise StopIteration
            return self._pack(element)
        except BaseException:
            self._take_back(element)
            raise

    def next_leaves(self) -> Element | None:
        """The leaves of the next element; None where there is none."""
        element: Element | None = None
        try:
            with self._lock:
                element = self._untaped() if context.tapes else self._next()
                if element is not None:
                    self._delivered += 1
            return element
        except BaseException:
            self._take_back(element)
            raise

    def _untaped(self) -> Element | None:
        """As `_next`; nothing flows back to the tensors that the elements are parts of. (Nor does
        it in functions.)"""
        with active(tapes=()):
            return self._next()

    def _next(self) -> Element | None:
        if self._returned:
            return self._returned.pop()
        at = self._at
        if at < len(self._chunk):
            element = self._chunk.element(at)
            self._at = at + 1
            return element
        return self._cursor.next() if self._most == 1 else self._more()

    def _take_back(self, element: Element | None) -> None:
        """Of an interrupted call: its element comes once more."""
        if element is not None:
            with self._lock:
                self._returned.append(element)
                self._delivered -= 1

    def _more(self) -> Element | None:
        """The first of the next elements, of which there are twice as many as before."""
        self._chunk, self._at = self._cursor.take(self._next_most), 1
        self._next_most = min(2 * self._next_most, self._most)
        return self._chunk.element(0) if len(self._chunk) else None

    def get_next(self) -> Any:
        """The next element.

        Returns:
            It, in its structure.

        Raises:
            OutOfRangeError: If there is none.
        """
        if context.trace is not None:
            return self._traced_loop().next()
        element = self.next_leaves()
        if element is None:
            raise blame.out_of_range("End of sequence", "IteratorGetNext")
        return self._pack(element)

    def get_next_as_optional(self) -> Optional:
        """The next element, or that there is none.

        Returns:
            An Optional.

        >>> import tfc as tf
        >>> elements = iter(tf.data.Dataset.range(1))
        >>> for _ in range(2):
        ...     print(bool(elements.get_next_as_optional().has_value()))
        True
        False
        """
        if context.trace is not None:
            return self._traced_loop().optional()
        return Optional(self.next_leaves(), self._spec)

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self.element_spec)

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a spec for each leaf."""
        return self._spec.nested

    @property
    def output_types(self) -> Any:
        """The dtypes of an element, in its structure."""
        return self._each("dtype")

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element, in its structure."""
        return self._each("shape")

    @property
    def output_classes(self) -> Any:
        """The classes of the parts of an element, in its structure."""
        return self._each("value_type")

    def _each(self, name: str) -> Any:
        return self._spec.structure.pack([getattr(x, name, None) for x in self._spec.leaves])

    def _traced_loop(self) -> TracedLoop:
        """What a loop over it is in a trace."""
        return TracedLoop(self._plan, lambda _: self, False)

    # Checkpoints: which iteration it is, and how far it is.

    def _serialize_to_tensors(self) -> dict[str, Any]:
        state = [self._delivered, *self._run.epochs()]
        return {"STATE": wrap(np.array(state, np.int64))}

    def _restore_from_tensors(self, tensors: dict[str, Any]) -> None:
        state = [int(x) for x in np.asarray(tensors["STATE"])]
        if len(state) != 1 + len(self._run.epochs()):
            raise blame.value_error(
                "the state is that of an iterator over another dataset", "Iterator.restore"
            )
        self._cursor.close()
        self._start(state[1:])
        self._delivered = self._cursor.skip(state[0])

    def close(self) -> None:
        """Give back its threads and files; it is at its end."""
        self._cursor.close()

    def __repr__(self) -> str:
        return f"<Iterator element_spec={self.element_spec}>"


class OwnedIterator(Iterator, Composite):
    """The iterator over a dataset, which functions take as an argument: one trace serves all whose
    elements are alike. A program knows it by a number."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        number = next(_numbers)
        self.handle: Any = wrap(np.array(number, np.int64))
        self._static = (plan.spec, reads_variables(plan))
        _living[number] = self

    def _parts(self) -> Expanded:
        return IteratorParts.of(self.handle, self._static)

    def _stating(self, other: Any) -> Any:
        return HandedIterator(self.handle, other._static)


class HandedIterator(OwnedIterator):
    """An iterator that a function was handed, or has made: a number, and what is known of the
    elements.

    Args:
        handle: The number, an int64 scalar.
        static: The spec of the elements, and whether what reads Variables may make them.
    """

    def __init__(self, handle: Any, static: tuple[ElementSpec, bool]) -> None:
        self.handle, self._static = handle, static
        self._spec = static[0]
        self._asked: dict[Any, int] = {}

    def _traced_loop(self) -> TracedLoop:
        plan = Unknown(self._spec)
        plan.sees_variables = self._static[1]
        return TracedLoop(plan, _iterator_of, False, self.handle)

    def next_leaves(self) -> Element | None:
        found: Element | None = _iterator_of(self.handle).next_leaves()
        return found

    def get_next(self) -> Any:
        if context.trace is not None:
            return self.__next__()
        return _iterator_of(self.handle).get_next()

    def __next__(self) -> Any:
        if context.trace is None:
            return next(_iterator_of(self.handle))
        here = user_location()
        self._asked[here] = count = self._asked.get(here, 0) + 1
        if count > _ASKED_MOST:
            raise blame.runtime_error(
                f"a line asks an iterator for {_ASKED_MOST} elements while a function is traced: "
                "Python's own loop over it does not end there. Write `for x in dataset` where "
                "AutoGraph knows the function's source"
            )
        return super().__next__()

    def _serialize_to_tensors(self) -> dict[str, Any]:
        found: dict[str, Any] = _iterator_of(self.handle)._serialize_to_tensors()
        return found

    def _restore_from_tensors(self, tensors: dict[str, Any]) -> None:
        _iterator_of(self.handle)._restore_from_tensors(tensors)

    def close(self) -> None:
        _iterator_of(self.handle).close()


_ASKED_MOST = 4096  # elements that one line asks for; a trace of them takes some seconds
_numbers = itertools.count(1)
_living: weakref.WeakValueDictionary[int, OwnedIterator] = weakref.WeakValueDictionary()


def _iterator_of(handle: Any) -> OwnedIterator:
    """The iterator that a number names."""
    found = _living.get(int(handle))
    if found is None:
        raise blame.invalid("the iterator is gone", "IteratorGetNext")
    return found


def _made(handle: Any, static: tuple[ElementSpec, bool]) -> Any:
    if isinstance(handle, TensorSpec):
        return IteratorSpec(static[0].nested)
    if not isinstance(handle, SymbolicTensor):
        known = _living.get(int(handle))
        if known is not None and known._static == static:
            return known
    return HandedIterator(handle, static)


IteratorParts.make = staticmethod(_made)


def traced_iterator(loop: TracedLoop) -> OwnedIterator:
    """`iter(dataset)` in a trace: the program begins an iteration each time that it gets here."""
    return HandedIterator(loop.begin(), (loop.spec, loop.sees_variables))


def graph_trace() -> Any:
    """The trace of TensorFlow 1's graph that ops are appended to; None where there is none."""
    trace = context.trace
    return trace if hasattr(trace, "iterator_for") else None


def _ahead(plan: Plan) -> int:
    """How many elements may be computed at a time: of those that follow from their places."""
    if not (plan.indexed and (plan.stackable or plan.packs) and plan.computes):
        return 1
    size = plan.spec.size
    if size is None:
        return 1
    return max(1, min(_AHEAD_MOST, _AHEAD_BYTES // max(size, 1)))


__all__ = ["Iterator", "OwnedIterator", "graph_trace", "traced_iterator"]
