"""`tfc.queue`: queues of tensors between threads. They are Python's own: ops run at once, and a
queue is used outside of functions."""

from __future__ import annotations

import heapq
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import DType, as_element_type, int64

from ..core import blame, errors
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import Tensor
from .array import creation, joining, padding

Element = tuple[Any, ...]


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
                    f"Queue names must have the same length as dtypes, got {len(self._names)} "
                    f"names and {len(self._dtypes)} dtypes"
                )
        self._capacity = -1
        self._least = 0  # elements that are left behind while it is open
        self._name = ""
        self._closed = False
        self._changed = threading.Condition()

    # How elements are kept: what kinds of queues differ in.

    def _put(self, element: Element) -> None:
        raise NotImplementedError

    def _take(self) -> Element:
        raise NotImplementedError

    def _count(self) -> int:
        raise NotImplementedError

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
        return creation.constant(self._count(), "int32")

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue was closed.

        Returns:
            A bool scalar.
        """
        return creation.constant(self._closed)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> None:
        """No elements come any more. Those that are there can be taken.

        Args:
            cancel_pending_enqueues: Whether those that wait for room are given up.
        """
        with self._changed:
            self._closed = True
            if cancel_pending_enqueues:
                self._capacity = -2
            self._changed.notify_all()

    # Elements.

    def enqueue(self, vals: Any, name: str | None = None) -> None:
        """Add an element; wait while there is no room.

        Args:
            vals: A tensor, a list of tensors, or a dictionary.

        Raises:
            CancelledError: If the queue is closed.
            ValueError: If it does not fit the dtypes, shapes or names of the queue.
        """
        self._outside("enqueue")
        self._add([self._element(vals, batched=False)])

    def enqueue_many(self, vals: Any, name: str | None = None) -> None:
        """Add many elements, whose tensors are stacked along a first axis; wait while there is no
        room.

        Args:
            vals: A tensor, a list of tensors, or a dictionary.

        Raises:
            CancelledError: If the queue is closed.
            ValueError: If they do not fit the dtypes, shapes or names of the queue.
        """
        self._outside("enqueue_many")
        columns = [joining.unstack(t) for t in self._element(vals, batched=True)]
        self._add(list(zip(*columns, strict=True)))

    def dequeue(self, name: str | None = None) -> Any:
        """Take an element; wait while there is none.

        Returns:
            A tensor, a list of tensors, or a dictionary.

        Raises:
            OutOfRangeError: If the queue is closed and has none.
        """
        self._outside("dequeue")
        return self._given(self._some(1, 1)[0])

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
        return self._stacked(int(n), int(n), "dequeue_many")

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
        return self._stacked(int(n), 1, "dequeue_up_to")

    def _outside(self, op: str) -> None:
        if context.trace is not None:
            raise blame.unimplemented("queues are used outside of functions", f"queue.{op}")

    def _element(self, values: Any, batched: bool) -> Element:
        if self._names is not None:
            if not isinstance(values, dict) or sorted(values) != sorted(self._names):
                raise ValueError(
                    f"an element is a dictionary of {self._names}, got {values!r:.100}"
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

    def _add(self, elements: Sequence[Element]) -> None:
        with self._changed:
            if self._closed:
                raise self._error(errors.CancelledError, "is closed.")
            for element in elements:
                while self._count() >= self._capacity >= 0:
                    self._changed.wait()
                if self._capacity == -2:
                    raise self._error(errors.CancelledError, "is closed.")
                self._put(element)
                self._changed.notify_all()

    def _some(self, most: int, least: int) -> list[Element]:
        with self._changed:
            left = self._least
            while not self._closed and self._count() < most + left:
                self._changed.wait()
            there = self._count()
            if there < (min(most, max(least, 1)) if self._closed else most):
                text = f"is closed and has insufficient elements (requested {most}, {there} there)"
                raise self._error(errors.OutOfRangeError, text)
            found = [self._take() for _ in range(min(most, there))]
            self._changed.notify_all()
        return found

    def _error(self, kind: Callable[..., Exception], text: str) -> Exception:
        title = type(self).__name__
        return kind(f"{title} '{self._name}' {text}", op="queue", location=user_location())

    def _stacked(self, most: int, least: int, op: str) -> Any:
        self._outside(op)
        if self._shapes is None:
            raise ValueError(f"{op} needs a queue with shapes ({user_location()})")
        if most == 0:
            shapes = [[0, *s.as_list()] for s in self.shapes]
            empty = [creation.zeros(s, d) for s, d in zip(shapes, self._dtypes, strict=True)]
            return self._given(tuple(empty))
        columns = zip(*self._some(most, least), strict=True)
        return self._given(tuple(self._batch(list(column)) for column in columns))

    def _batch(self, column: list[Any]) -> Any:
        return joining.stack(column)

    def _given(self, element: Element) -> Any:
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
        super().__init__(dtypes, shapes, names)
        self._capacity = max(int(capacity), -1)
        self._name = name
        self._elements: deque[Element] = deque()

    def _put(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        return self._elements.popleft()

    def _count(self) -> int:
        return len(self._elements)


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

    def _batch(self, column: list[Any]) -> Any:
        whole = [max(extents) for extents in zip(*(t.shape.as_list() for t in column), strict=True)]
        return joining.stack(
            [
                padding.pad(t, [[0, w - e] for w, e in zip(whole, t.shape.as_list(), strict=True)])
                if whole
                else t
                for t in column
            ]
        )


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
        super().__init__(dtypes, shapes, names)
        self._capacity = max(int(capacity), -1)
        self._least = int(min_after_dequeue)
        self._name = name
        self._random = random.Random(seed)
        self._elements: list[Element] = []

    def _put(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        place = self._random.randrange(len(self._elements))
        self._elements[place], last = self._elements[-1], self._elements[place]
        self._elements.pop()
        return last

    def _count(self) -> int:
        return len(self._elements)


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
        super().__init__([int64, *types], shapes, names)
        self._capacity = max(int(capacity), -1)
        self._name = name
        self._elements: list[tuple[int, int, Element]] = []
        self._came = 0

    def _put(self, element: Element) -> None:
        self._came += 1
        heapq.heappush(self._elements, (int(element[0]), self._came, element))

    def _take(self) -> Element:
        return heapq.heappop(self._elements)[2]

    def _count(self) -> int:
        return len(self._elements)


__all__ = ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"]
