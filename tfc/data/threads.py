"""Threads: those of one iterator, and those that compute elements side by side for all."""

from __future__ import annotations

import collections
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tfc.backends.cpu.runtime.runtime import available_threads

from .elements import Element


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
) -> list[Element]:
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
    if count < 2 or getattr(_here, "inside", False):  # a thread of the pool does not wait for it
        return [function(*element) for element in elements]
    found: list[Any] = [None] * len(elements)
    places = iter(range(len(elements)))

    def run() -> None:
        outer, _here.inside = getattr(_here, "inside", False), True
        try:
            for i in places:  # next() of a range's iterator is atomic
                found[i] = function(*elements[i])
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
    return found


__all__ = ["pool", "side_by_side"]
