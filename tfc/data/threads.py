"""Threads: those of one iterator, and those that compute elements side by side for all."""

from __future__ import annotations

import collections
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tfc.backends.cpu.runtime.runtime import available_threads

from ..core.tensor import Tensor, wrap
from .elements import Chunk, Element, Loose, Stacked


def pool(owner: object, threads: int, name: str) -> ThreadPoolExecutor:
    """Threads that end with what owns them."""
    found = ThreadPoolExecutor(threads, f"tfc.data {name}")
    weakref.finalize(owner, found.shutdown, wait=False, cancel_futures=True)
    return found


class _Shared:
    """The threads that all iterators share, made when they are needed first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self.count = 0

    def pool(self) -> ThreadPoolExecutor:
        with self._lock:
            count = available_threads()
            if self._pool is None or count > self.count:
                self._pool = ThreadPoolExecutor(count, "tfc.data")
                self.count = count
            return self._pool


_shared = _Shared()
_here = threading.local()  # `inside`: this thread is one of the shared


def _in_child() -> None:
    global _shared
    _shared = _Shared()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def side_by_side(
    function: Callable[..., Element], elements: Sequence[Element], threads: int | None
) -> Chunk:
    """What a function makes of some elements, computed by threads; in order.

    Args:
        function: A function of the leaves of an element.
        elements: The elements.
        threads: How many at most; None: a processor each.

    Raises:
        Exception: What one of the calls raises.
    """
    most = available_threads() if threads is None else min(threads, available_threads())
    count = min(most, len(elements))
    found = _Gathered(len(elements))
    if count < 2 or getattr(_here, "inside", False):  # a thread of the pool does not wait for it
        for i, element in enumerate(elements):
            found.put(i, function(*element))
        return found.chunk()
    places = iter(range(len(elements)))

    def run() -> None:
        outer, _here.inside = getattr(_here, "inside", False), True
        try:
            for i in places:  # next() of a range's iterator is atomic
                found.put(i, function(*elements[i]))
        except BaseException:
            collections.deque(places, 0)  # the others need not go on
            raise
        finally:
            _here.inside = outer

    others = [_shared.pool().submit(run) for _ in range(count - 1)]
    try:
        run()
    finally:
        failures = [other.exception() for other in others]
    for failure in failures:
        if failure is not None:
            raise failure
    return found.chunk()


class _Gathered:
    """Elements as they are computed, in any order. While they have the shapes of the first one they
    become rows at once, by the thread that has them in its cache, and their own memory serves the
    next ones: 16 images of 0.9 MB took a quarter less time so than stacked together."""

    def __init__(self, count: int) -> None:
        self._elements: list[Any] = [None] * count
        self._columns: list[np.ndarray] | None = None
        self._lock = threading.Lock()

    def put(self, i: int, element: Element) -> None:
        """The element with this number."""
        columns = self._columns
        if columns is None:
            with self._lock:
                columns = self._columns
                if columns is None:
                    columns = self._columns = self._like(element)
        if columns and _fits(element, columns):
            for column, leaf in zip(columns, element, strict=True):
                column[i] = leaf._array
        else:
            self._elements[i] = element

    def _like(self, element: Element) -> list[np.ndarray]:
        """Room for so many elements; none where they cannot be rows."""
        if not all(
            type(leaf) is Tensor and isinstance(leaf._array, np.ndarray) for leaf in element
        ):
            return []
        count = len(self._elements)
        return [np.empty((count, *leaf._array.shape), leaf._array.dtype) for leaf in element]

    def chunk(self) -> Chunk:
        """All of them."""
        elements = self._elements
        if not self._columns:
            return Loose(elements)
        rows = Stacked(tuple(map(wrap, self._columns)), len(elements))
        if all(element is None for element in elements):
            return rows
        return Loose([rows.element(i) if e is None else e for i, e in enumerate(elements)])


def _fits(element: Element, columns: list[np.ndarray]) -> bool:
    """Whether an element can be a row."""
    return all(
        type(leaf) is Tensor
        and leaf._array.shape == column.shape[1:]
        and leaf._array.dtype == column.dtype
        for leaf, column in zip(element, columns, strict=True)
    )


__all__ = ["pool", "side_by_side"]
