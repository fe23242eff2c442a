"""`prefetch`: elements are made by another thread while those before them are used."""

from __future__ import annotations

import atexit
import collections
import os
import threading
import weakref

from ..core import blame
from .elements import Chunk, joined
from .order import Reordered
from .plan import Cursor, Places, Plan, Run

_AT_ONCE = 64  # elements of an indexed plan that are made at once; not measured


class Prefetch(Reordered):
    """The same elements, some of them made before they are asked for. What an indexed plan below
    it makes of them goes through one program all the same."""

    kind = "Prefetch"

    def __init__(self, source: Plan, size: int) -> None:
        super().__init__(source)
        self._size = size

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def moved(self, places: Places, run: Run) -> Places:
        return places

    def opened(self, run: Run) -> Cursor:
        source = self.source.cursor(run.children[0])
        if not self._size:
            return source
        at_once = max(1, min(_AT_ONCE, self._size // 4)) if self.source.stackable else 1
        return PrefetchCursor(source, self._size, at_once)

    def slices(self) -> tuple[Plan, int] | None:
        return self.source.slices()

    def describe(self) -> str:
        return f"prefetch {self._size}, by a thread"


class PrefetchCursor(Cursor):
    """A cursor whose elements a thread takes from another one."""

    def __init__(self, source: Cursor, size: int, at_once: int) -> None:
        self._source = source
        self._shared = _Shared(source, size, at_once)
        self._thread: threading.Thread | None = None
        self._rest: Chunk | None = None
        self._process = os.getpid()

    def _take(self, count: int) -> Chunk:
        if self._process != os.getpid():
            raise blame.runtime_error(
                "prefetch: the thread of this iterator is in the process that was forked; make an "
                "iterator here"
            )
        chunk, self._rest = self._rest, None
        if chunk is None:
            if self._thread is None:
                self._thread = self._started()
            chunk = self._shared.get()
        if len(chunk) > count:
            self._rest, chunk = chunk.part(count, len(chunk)), chunk.part(0, count)
        return chunk

    def _skip(self, count: int) -> int:
        if self._thread is None:
            return self._source.skip(count)
        return super()._skip(count)

    def _started(self) -> threading.Thread:
        shared = self._shared
        weakref.finalize(self, shared.stop)
        _LIVE.add(shared)
        thread = threading.Thread(target=shared.fill, name="tfc.data prefetch", daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        self._shared.stop()
        if self._thread is not None:
            self._thread.join()
        self._source.close()


class _Shared:
    """What the thread and the cursor share: the elements that are ready."""

    def __init__(self, source: Cursor, size: int, at_once: int) -> None:
        self._source, self._size, self._at_once = source, size, at_once
        self._changed = threading.Condition()
        self._ready: collections.deque[Chunk | BaseException] = collections.deque()
        self._count = 0  # of elements that are ready
        self._stopped = self._ended = False

    def fill(self) -> None:
        """What the thread does."""
        while True:
            with self._changed:
                while not self._stopped and self._count >= self._size:
                    self._changed.wait()
                if self._stopped:
                    return
                room = min(self._at_once, self._size - self._count)
            try:
                found: Chunk | BaseException = self._source.take(room)
            except BaseException as failure:
                found = failure
            with self._changed:
                self._ready.append(found)
                self._count += 1 if isinstance(found, BaseException) else len(found)
                self._ended = not isinstance(found, BaseException) and not len(found)
                self._changed.notify_all()
                if self._ended:
                    return

    def get(self) -> Chunk:
        """What is ready; waits for one element."""
        with self._changed:
            while not self._ready and not self._ended and not self._stopped:
                self._changed.wait()
            found = []
            while self._ready and not isinstance(self._ready[0], BaseException):
                chunk = self._ready.popleft()
                assert isinstance(chunk, Chunk)
                found.append(chunk)
            if not found and self._ready:
                failure = self._ready.popleft()
                self._count -= 1
                self._changed.notify_all()
                assert isinstance(failure, BaseException)
                raise failure
            chunk = joined([c for c in found if len(c)])
            self._count -= len(chunk)
            self._changed.notify_all()
            return chunk

    def stop(self) -> None:
        """Let the thread end."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()


_LIVE: weakref.WeakSet[_Shared] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for shared in list(_LIVE):
        shared.stop()


__all__ = ["Prefetch", "PrefetchCursor"]
