"""`map` with several calls of Python at a time: threads make them; elements keep their order."""

from __future__ import annotations

import collections
import os
from concurrent.futures import Future, ThreadPoolExecutor

from ...core import blame
from ..elements import Chunk, Element, Loose
from ..functions import Elementwise
from ..plan import Cursor
from ..threads import pool


class ParallelMapCursor(Cursor):
    """What a function makes of the elements of another cursor, of which so many calls run at a
    time. No more elements are read ahead than that."""

    def __init__(self, source: Cursor, function: Elementwise, calls: int) -> None:
        self._source, self._function, self._calls = source, function, calls
        self._running: collections.deque[Future[Element] | Exception] = collections.deque()
        self._pool: ThreadPoolExecutor | None = None
        self._ended = False
        self._process = os.getpid()

    def _fill(self) -> None:
        """Let as many calls run as may."""
        if self._process != os.getpid():
            raise blame.runtime_error(
                "map: the threads of this iterator are in the process that was forked; make an "
                "iterator here"
            )
        if self._pool is None:
            self._pool = pool(self, self._calls, "map")
        one = self._function.one
        while not self._ended and len(self._running) < self._calls:
            try:
                chunk = self._source.take(self._calls - len(self._running))
            except Exception as failure:
                self._running.append(failure)
                continue
            self._ended = not len(chunk)
            for element in chunk.elements():
                self._running.append(self._pool.submit(one, *element))

    def _take(self, count: int) -> Chunk:
        found: list[Element] = []
        while len(found) < count:
            self._fill()
            if not self._running:
                break
            result = self._running.popleft()
            try:
                if isinstance(result, Exception):
                    raise result
                found.append(result.result())
            except Exception as failure:
                if not found:
                    raise
                self._failure = failure
                break
        return Loose(found)

    def _skip(self, count: int) -> int:
        if self._running or not self._function.pure:
            return super()._skip(count)
        return self._source.skip(count)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._source.close()


__all__ = ["ParallelMapCursor"]
