"""What a thread of its own does for a process, one after another, while the process goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import count
from typing import Any

# Results that nobody asks for are those of programs that have failed in between.
_KEPT_MAX = 4096


class Background:
    """The thread is there once something was begun."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._begun: dict[int, Future[Any]] = {}
        self._last: Future[Any] | None = None
        self._numbers = count(1)
        self._thread = 0

    def _begin(self) -> None:
        self._thread = threading.get_ident()

    def start(self, work: Callable[[], Any]) -> int:
        """Have something done; its number."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, "tfc.distribute", self._begin)
        number = next(self._numbers)
        self._begun[number] = self._last = self._pool.submit(work)
        if len(self._begun) > _KEPT_MAX:
            del self._begun[next(iter(self._begun))]
        return number

    def done(self, found: Any) -> int:
        """The number of something that needed nobody."""
        number, future = next(self._numbers), Future[Any]()
        future.set_result(found)
        self._begun[number] = future
        return number

    def finish(self, number: int) -> Any:
        """What it gave, once it is done; raises what it raised."""
        return self._begun.pop(number).result()

    def here(self) -> bool:
        """Whether this is the thread."""
        return threading.get_ident() == self._thread

    def settle(self) -> None:
        """Wait until all is done, whatever comes of it."""
        if self._last is not None:
            wait([self._last])
            self._last = None
