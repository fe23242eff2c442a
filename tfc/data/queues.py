"""`tfc.queue`: queues of tensors between threads. They are Python's own: in a function or a graph
their ops are calls of Python. A queue of a graph has elements of its own in each session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_element_type, bool_, int32, int64

from ..core import blame
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import SymbolicTensor, Tensor, wrap
from ..ops.random.streams import seeds_of
from .queue_calls import called, effect_of
from .queue_stores import RankedStore, ShuffledStore, Store


class QueueBase:
    """What all queues do: elements, which are tuples of tensors, come and go one by one or many at
    a time. Who finds no room or no element waits, until another thread makes some.

    Args:
        dtypes: The dtype of each tensor of an element.
        shapes: The shape of each, or None, where it is not fixed.
        names: Names of the tensors: then elements are dictionaries.
        queue_ref: Not used.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.

    >>> import tfc as tf
    >>> isinstance(tf.queue.FIFOQueue(3, tf.int32), tf.queue.QueueBase)
    True
    """

    def __init__(
        self, dtypes: Any, shapes: Any = None, names: Any = None, queue_ref: Any = None
    ) -> None:
        self._begin(dtypes, shapes, names)

    def _begin(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        name: str = "queue",
        shared_name: str | None = None,
        make: Callable[[], Store] | None = None,
    ) -> None:
        many = isinstance(dtypes, list | tuple)
        self._dtypes = [as_element_type(d) for d in (dtypes if many else [dtypes])]
        if shapes is None:
            self._shapes: list[TensorShape] | None = None
        else:
            given = shapes if type(shapes) in (list, tuple) else [shapes]
            self._shapes = [TensorShape(s) for s in given]
            if len(self._shapes) != len(self._dtypes):
                raise ValueError(
                    f"Queue shapes must have the same length as dtypes, got {len(self._shapes)} "
                    f"shapes and {len(self._dtypes)} dtypes"
                )
        self._names: list[str] | None = None
        if names is not None:
            self._names = [names] if isinstance(names, str) else list(names)
            if len(self._names) != len(self._dtypes):
                raise ValueError(
                    "List of names must have the same length as the list of dtypes, received "
                    f"len(names)={len(self._names)},len(dtypes)={len(self._dtypes)}"
                )
        self._name = name
        self._make = make or (lambda: Store(self._title, -1))
        trace: Any = context.trace
        self._graph: Any = None if trace is None else trace.outermost.graph
        self._shared = shared_name or id(self)
        self._store: Store | None = None
        if self._graph is not None:
            self._name = self._graph.name_in_scope(name)
            self._graph.resources.append(self)
        elif trace is None:
            self._store = self._make()
        else:
            raise blame.unimplemented(
                "a queue is made outside of functions, which may use it", type(self).__name__
            )

    @property
    def _title(self) -> str:
        return f"{type(self).__name__} '{self._name}'"

    def _here(self) -> Store:
        """Where elements are: for a queue of a graph, in the session that runs."""
        if self._store is not None:
            return self._store
        found: Store = self._graph.resource(self._shared, self._make)
        return found

    # What it is.

    @property
    def name(self) -> str:
        """The queue's name."""
        return self._name

    @property
    def dtypes(self) -> list[DType]:
        """The dtype of each tensor of an element."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shape of each tensor of an element."""
        return self._shapes or [TensorShape(None)] * len(self._dtypes)

    @property
    def names(self) -> list[str] | None:
        """The names of the tensors; None, where elements are no dictionaries."""
        return self._names

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are.

        Returns:
            An int32 scalar.
        """
        found: Tensor = called(
            lambda: [wrap(np.array(self._here().count(), np.int32))], [], [(int32, [])], "size"
        )[0]
        return found

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue was closed.

        Returns:
            A bool scalar.
        """
        found: Tensor = called(
            lambda: [wrap(np.array(self._here().closed))], [], [(bool_, [])], "is_closed"
        )[0]
        return found

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """No elements come any more. Those that are there can be taken.

        Args:
            cancel_pending_enqueues: Whether those that wait for room are given up.

        Returns:
            None; in a graph, an operation.
        """
        return effect_of(lambda: self._here().close(cancel_pending_enqueues), [], name or "close")

    # Elements.

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Add an element; wait while there is no room.

        Args:
            vals: A tensor, a list of tensors, or a dictionary.

        Returns:
            None; in a graph, an operation.

        Raises:
            CancelledError: If the queue is closed.
            ValueError: If it does not fit the dtypes, shapes or names of the queue.
        """
        element = self._element(vals, batched=False)
        return effect_of(
            lambda *parts: self._here().add([tuple(map(np.asarray, parts))]),
            element,
            name or f"{self._name}_enqueue",
        )

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Add many elements, whose tensors are stacked along a first axis; wait while there is no
        room.

        Args:
            vals: A tensor, a list of tensors, or a dictionary.

        Returns:
            None; in a graph, an operation.

        Raises:
            CancelledError: If the queue is closed.
            ValueError: If they do not fit the dtypes, shapes or names of the queue.
        """

        def add(*parts: Any) -> None:
            columns = [[t[i, ...] for i in range(len(t))] for t in map(np.asarray, parts)]
            self._here().add(list(zip(*columns, strict=True)))

        element = self._element(vals, batched=True)
        return effect_of(add, element, name or f"{self._name}_EnqueueMany")

    def dequeue(self, name: str | None = None) -> Any:
        """Take an element; wait while there is none.

        Returns:
            A tensor, a list of tensors, or a dictionary.

        Raises:
            OutOfRangeError: If the queue is closed and has none.
        """
        specs = list(zip(self._dtypes, self.shapes, strict=True))
        found = called(
            lambda: [wrap(part) for part in self._here().some(1, 1)[0]],
            [],
            specs,
            name or f"{self._name}_Dequeue",
        )
        return self._given(found)

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Take this many elements; wait while there are fewer.

        Args:
            n: How many.

        Returns:
            Their tensors, stacked along a first axis.

        Raises:
            OutOfRangeError: If the queue is closed and has fewer.
            ValueError: If shapes are not fixed.
        """
        return self._stacked(n, None, "dequeue_many", name or f"{self._name}_DequeueMany")

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Take this many elements, or, of a closed queue, those that are left.

        Args:
            n: How many.

        Returns:
            Their tensors, stacked along a first axis.

        Raises:
            OutOfRangeError: If the queue is closed and has none.
            ValueError: If shapes are not fixed.
        """
        return self._stacked(n, 1, "dequeue_up_to", name or f"{self._name}_DequeueUpTo")

    @classmethod
    def from_list(cls, index: Any, queues: Sequence[QueueBase]) -> QueueBase:
        """One of several queues of the same dtypes and names.

        Args:
            index: Which: an integer.
            queues: The queues.

        Returns:
            That one.

        Raises:
            TypeError: If they differ.

        >>> import tfc as tf
        >>> queues = [tf.queue.FIFOQueue(n, tf.int32) for n in (1, 2)]
        >>> tf.queue.QueueBase.from_list(1, queues) is queues[1]
        True
        """
        if not queues or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        if any(q.dtypes != queues[0].dtypes for q in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != queues[0].names for q in queues):
            raise TypeError("Queues do not have matching component names.")
        return queues[int(index)]

    def _element(self, values: Any, batched: bool) -> tuple[Tensor, ...]:
        if self._names is not None:
            if not isinstance(values, dict):
                raise ValueError(
                    "You must enqueue a dictionary in a Queue with names: of "
                    f"{self._names}, got {values!r:.100}"
                )
            if sorted(values) != sorted(self._names):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue. Dictionary: "
                    f"{sorted(values)},Queue: {sorted(self._names)}"
                )
            values = [values[n] for n in self._names]
        elif isinstance(values, dict):
            raise ValueError("Queue must have names to enqueue a dictionary")
        elif len(self._dtypes) == 1 and not isinstance(values, list | tuple):
            values = [values]
        if len(self._dtypes) == 1 and len(values) != 1:
            values = [values]
        if len(values) != len(self._dtypes):
            raise ValueError(f"an element has {len(self._dtypes)} tensors, got {len(values)}")
        tensors = [convert_to_tensor(v, d) for v, d in zip(values, self._dtypes, strict=True)]
        for t, shape in zip(tensors, self.shapes, strict=True):
            own = t.shape[1:] if batched else t.shape
            if not own.is_compatible_with(shape):
                raise ValueError(f"Shapes {own} and {shape} are incompatible ({user_location()})")
        return tuple(tensors)

    def _stacked(self, n: Any, least: int | None, op: str, name: str) -> Any:
        if self._shapes is None:
            raise blame.invalid_data(
                f"{type(self).__name__}'s DequeueMany and DequeueUpTo require the components to "
                f"have specified shapes: {op} needs a queue with shapes",
                op,
            )
        known = _known(n)

        def take(*given: Any) -> list[Any]:
            most = int(given[0].numpy()) if known is None else known
            if most == 0:
                shapes = [[0, *(e or 0 for e in s.as_list())] for s in self.shapes]
                pairs = zip(shapes, self._dtypes, strict=True)
                return [wrap(np.zeros(s, d.as_numpy_dtype)) for s, d in pairs]
            columns = zip(*self._here().some(most, least or most), strict=True)
            return [wrap(self._batch(list(column))) for column in columns]

        fixed = None if least else known
        specs = [(d, [fixed, *s.as_list()]) for d, s in zip(self._dtypes, self.shapes, strict=True)]
        inputs = [] if known is not None else [convert_to_tensor(n)]
        return self._given(called(take, inputs, specs, name))

    def _batch(self, column: list[np.ndarray]) -> np.ndarray:
        return np.stack(column)

    def _given(self, element: Sequence[Any]) -> Any:
        if self._names is not None:
            return dict(zip(self._names, element, strict=True))
        return element[0] if len(element) == 1 else list(element)


class FIFOQueue(QueueBase):
    """A queue that gives elements in the order in which they came.

    Args:
        capacity: How many elements it holds at most; negative: any number.
        dtypes: The dtype of each tensor of an element.
        shapes: The shape of each, or None, where it is not fixed.
        names: Names of the tensors: then elements are dictionaries.
        shared_name: Not used.
        name: The queue's name.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.

    >>> import tfc as tf
    >>> queue = tf.queue.FIFOQueue(3, tf.int32)
    >>> queue.enqueue_many([1, 2])
    >>> print(queue.dequeue(), queue.size())
    tf.Tensor(1, shape=(), dtype=int32) tf.Tensor(1, shape=(), dtype=int32)
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "fifo_queue",
    ) -> None:
        most = max(int(capacity), -1)
        make = lambda: Store(self._title, most)  # noqa: E731
        self._begin(dtypes, shapes, names, name, shared_name, make)


class PaddingFIFOQueue(FIFOQueue):
    """A FIFOQueue whose tensors may differ in extents: those that are taken together are filled up
    with zeros.

    Args:
        capacity: How many elements it holds at most; negative: any number.
        dtypes: The dtype of each tensor of an element.
        shapes: The shape of each, with None for extents that differ.
        names: Names of the tensors: then elements are dictionaries.
        shared_name: Not used.
        name: The queue's name.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.

    >>> import tfc as tf
    >>> queue = tf.queue.PaddingFIFOQueue(3, tf.int32, [[None]])
    >>> queue.enqueue([[1]])
    >>> queue.enqueue([[2, 3]])
    >>> print(queue.dequeue_many(2))
    tf.Tensor(
    [[1 0]
     [2 3]], shape=(2, 2), dtype=int32)
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ) -> None:
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)

    def _batch(self, column: list[np.ndarray]) -> np.ndarray:
        whole = tuple(max(extents) for extents in zip(*(a.shape for a in column), strict=True))
        found = np.zeros((len(column), *whole), column[0].dtype)
        if found.dtype == object:
            found.fill(b"")
        for row, array in zip(found, column, strict=True) if whole else ():
            row[tuple(map(slice, array.shape))] = array
        return found if whole else np.stack(column)


class RandomShuffleQueue(QueueBase):
    """A queue that gives any of its elements.

    Args:
        capacity: How many elements it holds at most.
        min_after_dequeue: How many are left in it at least, while it is open.
        dtypes: The dtype of each tensor of an element.
        shapes: The shape of each, or None, where it is not fixed.
        names: Names of the tensors: then elements are dictionaries.
        seed: What the order comes of; None: another one each time.
        shared_name: Not used.
        name: The queue's name.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.

    >>> import tfc as tf
    >>> queue = tf.queue.RandomShuffleQueue(9, 0, tf.int32, shapes=[[]], seed=1)
    >>> queue.enqueue_many([1, 2, 3])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        most, least = max(int(capacity), -1), int(min_after_dequeue)
        seeds = seeds_of("RandomShuffleQueue", seed)
        make = lambda: ShuffledStore(self._title, most, least, seeds)  # noqa: E731
        self._begin(dtypes, shapes, names, name, shared_name, make)


class PriorityQueue(QueueBase):
    """A queue that gives the element with the least number first.

    Args:
        capacity: How many elements it holds at most; negative: any number.
        types: The dtypes of the tensors behind the number, an int64 scalar.
        shapes: The shape of each.
        names: Names of the tensors: then elements are dictionaries.
        shared_name: Not used.
        name: The queue's name.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.

    >>> import tfc as tf
    >>> queue = tf.queue.PriorityQueue(9, [tf.string], [[]])
    >>> queue.enqueue((2, "later"))
    >>> queue.enqueue((1, "now"))
    >>> print(queue.dequeue()[1])
    tf.Tensor(b'now', shape=(), dtype=string)
    """

    def __init__(
        self,
        capacity: int,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ) -> None:
        types = list(types) if isinstance(types, list | tuple) else [types]
        if shapes is not None:
            shapes = [[], *(shapes if isinstance(shapes, list | tuple) else [shapes])]
        most = max(int(capacity), -1)
        make = lambda: RankedStore(self._title, most)  # noqa: E731
        self._begin([int64, *types], shapes, names, name, shared_name, make)


def _known(n: Any) -> int | None:
    """A number that is known now; None for one of a tensor that a program computes."""
    return None if isinstance(n, SymbolicTensor) else int(n)


__all__ = ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"]
