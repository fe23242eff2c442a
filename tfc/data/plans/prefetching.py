"""`prefetch`: elements are made by another thread while those before them are used."""

from __future__ import annotations

import atexit
import collections
import os
import queue
import threading
import time
import weakref

from tfc.backends.threads import start

from ...core import blame
from ..elements import NOTHING, Chunk, Element, joined
from ..plan import Cursor, Places, Plan, Run
from .order import Reordered

_AT_ONCE = 64  # elements of an indexed plan that are made at once; not measured
# Seconds that an element takes, from which on AUTOTUNE has a thread make them; how many in a row.
# Handing one over takes 20 us: batches of 128 lines of text, each of 15 us, took 34 by a thread.
_WORTH, _SLOW = 1e-4, 4


class Worth:
    """Whether a thread is worth it for the elements of a plan, as far as iterators have found."""

    def __init__(self, known: bool = False) -> None:
        self.known = known


class Prefetch(Reordered):
    """The same elements, some of them made before they are asked for. What an indexed plan below
    it makes of them goes through one program all the same."""

    kind = "Prefetch"

    def __init__(self, source: Plan, size: int, measured: bool = False) -> None:
        """`measured`: a thread is started once elements take longer than handing them over."""
        super().__init__(source)
        self._size, self._measured = size, measured
        self._worth = Worth(not measured)

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def moved(self, places: Places, run: Run) -> Places:
        return places

    def opened(self, run: Run) -> Cursor:
        source = self.source.cursor(run.children[0])
        if not self._size:
            return source
        many = self.source.stackable or self.source.packs
        at_once = max(1, min(_AT_ONCE, self._size // 4)) if many else 1
        return PrefetchCursor(source, self._worth, self._size, at_once)

    def slices(self) -> tuple[Plan, int] | None:
        return self.source.slices()

    def describe(self) -> str:
        where = " where elements take longer than handing them over" if self._measured else ""
        return f"prefetch {self._size}, by a thread{where}"


class PrefetchCursor(Cursor):
    """A cursor whose elements a thread takes from another one.

    Ctrl-C may come anywhere in here. So what is ready is moved by native code from the queue into
    `_box`, and leaves it when it is given away, or comes back; a queue of Python's own that is
    interrupted could stay locked, or lose the word that there is room.
    """

    def __init__(self, source: Cursor, worth: Worth, size: int, at_once: int) -> None:
        self._source, self._worth = source, worth
        self._slow = 0  # elements in a row that took long
        self._shared = _Shared(source, max(1, size // at_once), at_once)
        self._thread: threading.Thread | None = None
        self._box: collections.deque[Chunk | BaseException | None] = collections.deque()
        self._moved = map(self._box.append, iter(self._shared.ready.get, _NEVER))
        self._process = os.getpid()

    def _take(self, count: int) -> Chunk:
        if self._process != os.getpid():
            raise blame.runtime_error(
                "prefetch: the thread of this iterator is in the process that was forked; make an "
                "iterator here"
            )
        if self._thread is None and not self._worth.known and not self._box:
            begin = time.perf_counter()
            made = self._source.take(count)
            try:
                slow = time.perf_counter() - begin > _WORTH * count
                self._slow = self._slow + 1 if slow else 0
                self._worth.known = self._slow >= _SLOW
            except BaseException:  # Ctrl-C, behind the call
                if len(made):
                    self._box.append(made)
                raise
            return made
        if self._thread is None:
            self._thread = self._started()
        box, shared = self._box, self._shared
        if not box:
            shared.room()
            next(self._moved)  # waits for an element
        while len(box) < count and not shared.ready.empty():
            next(self._moved)
        shared.room()
        failure = box[0]
        if isinstance(failure, BaseException):
            del box[0]
            raise failure
        parts: list[Chunk] = []
        left = count
        try:
            while left and box and isinstance(box[0], Chunk):
                chunk, rest = box[0], None
                if len(chunk) > left:
                    chunk, rest = chunk.part(0, left), chunk.part(left, len(chunk))
                left -= len(chunk)
                # Python looks for signals behind calls: between these lines there is none.
                if rest is None:
                    del box[0]
                else:
                    box[0] = rest
                parts.append(chunk)
            return joined(parts)  # none where the box has None in front: the end, which stays there
        except BaseException:
            box.extendleft(reversed(parts))
            raise

    def next(self) -> Element | None:
        chunk = NOTHING
        try:
            chunk = self.take(1)
            return chunk.element(0) if len(chunk) else None
        except BaseException:
            if len(chunk):
                self._box.appendleft(chunk)
            raise

    def _skip(self, count: int) -> int:
        if self._thread is None:
            return self._source.skip(count)
        return super()._skip(count)

    def _started(self) -> threading.Thread:
        shared = self._shared
        weakref.finalize(self, shared.stop)
        _LIVE.add(shared)
        thread = threading.Thread(target=shared.fill, name="tfc.data prefetch", daemon=True)
        start(thread)
        return thread

    def close(self) -> None:
        self._shared.stop()
        if self._thread is not None:
            self._thread.join()
        self._source.close()


_NEVER = object()  # what a queue does not give


class _Shared:
    """What the thread and the cursor share: a queue of what is ready, None behind the last.

    The thread waits for `woken` where there are `most` chunks in the queue. It says so before it
    looks once more how many there are, so that whoever takes one either is seen or wakes it.
    """

    def __init__(self, source: Cursor, most: int, at_once: int) -> None:
        self._source, self._most, self._at_once = source, most, at_once
        self.ready: queue.SimpleQueue[Chunk | BaseException | None] = queue.SimpleQueue()
        self._woken: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._waits = self._stopped = False
        self._taken = threading.Lock()  # by the one thread that fills the queue

    def fill(self) -> None:
        """What the thread does. A second one, after Ctrl-C in the start of the first, ends."""
        if not self._taken.acquire(blocking=False):
            return
        while not self._stopped:
            if self.ready.qsize() >= self._most:
                self._waits = True
                if self.ready.qsize() >= self._most and not self._stopped:
                    self._woken.get()
                self._waits = False
                continue
            try:
                found: Chunk | BaseException = self._source.take(self._at_once)
            except BaseException as failure:
                found = failure
            if isinstance(found, Chunk) and not len(found):
                self.ready.put(None)
                return
            self.ready.put(found)

    def room(self) -> None:
        """Wake the thread, if it waits for room."""
        if self._waits and self.ready.qsize() < self._most:
            self._woken.put(None)

    def stop(self) -> None:
        """Let the thread end."""
        self._stopped = True
        self._woken.put(None)


_LIVE: weakref.WeakSet[_Shared] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for shared in list(_LIVE):
        shared.stop()


__all__ = ["Prefetch", "PrefetchCursor", "Worth"]
