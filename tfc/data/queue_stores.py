"""What queues hold: elements, which threads add and take, and wait for."""

from __future__ import annotations

import heapq
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.ops.random import philox_words

from ..core import errors
from ..core.context import user_location

Element = tuple[np.ndarray, ...]


class Store:
    """Elements in the order in which they come.

    Args:
        title: What the queue is called in errors.
        capacity: How many elements there are at most; negative: any number.
        least: How many are left behind, while it is open.
    """

    def __init__(self, title: str, capacity: int, least: int = 0) -> None:
        self.title = title
        self.closed = False
        self._capacity, self._least = capacity, least
        self._stopped = False  # nobody waits for room any more
        self._cancelled = False  # nor for elements
        self._changed = threading.Condition()
        self._takers = threading.Lock()  # who waits for elements gets them before others do
        self._elements: Any = deque()

    def _put(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        found: Element = self._elements.popleft()
        return found

    def _put_back(self, elements: Sequence[Element]) -> None:
        self._elements.extendleft(reversed(elements))

    def count(self) -> int:
        """How many elements there are."""
        return len(self._elements)

    def close(self, cancel_pending_enqueues: bool) -> None:
        """No elements come any more; those who wait for room are given up, or still let in."""
        with self._changed:
            self.closed = True
            self._stopped = self._stopped or cancel_pending_enqueues
            self._changed.notify_all()

    def cancel(self) -> None:
        """Nobody waits any more."""
        with self._changed:
            self.closed = self._stopped = self._cancelled = True
            self._changed.notify_all()

    def add(self, elements: Sequence[Element]) -> None:
        """Add elements; wait while there is no room.

        Raises:
            CancelledError: If it is closed.
        """
        with self._changed:
            if self.closed:
                raise self._error(errors.CancelledError, "is closed.")
            for element in elements:
                while len(self._elements) >= self._capacity >= 0 and not self._stopped:
                    self._changed.wait()
                if self._stopped:
                    raise self._error(errors.CancelledError, "is closed.")
                self._put(element)
                self._changed.notify_all()

    def some(self, most: int, least: int) -> list[Element]:
        """Take this many elements as they come; once it is closed, those that are left.

        Raises:
            OutOfRangeError: If it is closed, and fewer than `least` are left.
            CancelledError: If nobody waits any more.
        """
        found: list[Element] = []
        with self._takers, self._changed:
            while True:
                there = len(self._elements)
                if self.closed and there < most - len(found):
                    self._put_back(found)
                    there += len(found)
                    if self._cancelled:
                        raise self._error(errors.CancelledError, "was cancelled.")
                    if there < least:
                        text = "is closed and has insufficient elements (requested "
                        raise self._error(
                            errors.OutOfRangeError, f"{text}{most}, current size {there})"
                        )
                    found, most = [], there
                left = 0 if self.closed else self._least
                while len(found) < most and len(self._elements) > left:
                    found.append(self._take())
                self._changed.notify_all()
                if len(found) == most:
                    return found
                self._changed.wait()

    def _error(self, kind: Callable[..., Exception], text: str) -> Exception:
        return kind(f"{self.title} {text}", op="queue", location=user_location())


class ShuffledStore(Store):
    """Elements that go in any order: that of TensorFlow's generator, for the same seeds."""

    def __init__(
        self, title: str, capacity: int, least: int, seeds: tuple[int, int] | None
    ) -> None:
        super().__init__(title, capacity, least)
        self._elements = []
        key, number = seeds or (_random_word(), _random_word())
        self._key: Any = np.uint64(key)
        self._upper = np.uint64(number)
        self._words: list[int] = []
        self._block = 0

    def _take(self) -> Element:
        if not self._words:
            place = np.array([self._block], np.uint64)
            words = philox_words(place, np.full(1, self._upper), self._key)[0]
            self._words = words[::-1].tolist()
            self._block += 1
        chosen = self._words.pop() % len(self._elements)
        last = self._elements.pop()
        if chosen == len(self._elements):
            return last
        found: Element
        found, self._elements[chosen] = self._elements[chosen], last
        return found

    def _put_back(self, elements: Sequence[Element]) -> None:
        self._elements.extend(elements)


def _random_word() -> int:
    return int.from_bytes(os.urandom(8), "little")


class RankedStore(Store):
    """Elements that go by their first tensors, the least first."""

    def __init__(self, title: str, capacity: int) -> None:
        super().__init__(title, capacity)
        self._elements = []
        self._came = 0

    def _put(self, element: Element) -> None:
        self._came += 1
        heapq.heappush(self._elements, (int(element[0]), self._came, element))

    def _take(self) -> Element:
        found: Element = heapq.heappop(self._elements)[2]
        return found

    def _put_back(self, elements: Sequence[Element]) -> None:
        for element in elements:
            self._put(element)


__all__ = ["Element", "RankedStore", "ShuffledStore", "Store"]
