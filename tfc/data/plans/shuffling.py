"""`shuffle`: orders that follow from the seeds, the number of the iteration, and nothing else."""

from __future__ import annotations

import itertools
import os
import threading
from contextvars import ContextVar
from typing import Final

import numpy as np

from ...ops.random.streams import global_seed, seed_settings, seeds_of
from ..elements import Chunk, Element, Loose
from ..plan import INFINITE, UNKNOWN, Cursor, Places, Plan, Run
from .drawn import Orders, Pair, Stream, words
from .order import Reordered


class Shuffle(Reordered):
    """The elements in random order: each is drawn from a buffer, in whose place the next one goes.

    Of an indexed input the buffer holds numbers. Where it holds all of them the order is a uniform
    permutation. The buffer is a ring, and what is drawn changes places with its first element, as
    in TensorFlow, which so gives the same orders for the same seeds.
    """

    kind = "Shuffle"
    varies = True

    def __init__(self, source: Plan, size: int, seeds: Pair, reshuffles: bool) -> None:
        super().__init__(source)
        self._size, self._seeds, self._reshuffles = size, seeds, reshuffles
        self.orders = Orders()
        self.indexed = source.indexed and source.cardinality != INFINITE
        self.stackable = source.stackable
        self.redraws = reshuffles
        self.varies = reshuffles or source.varies

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def draw(self) -> int:
        return self.orders.begun() if self._reshuffles else 0

    def _drawn_by(self, run: Run) -> Pair:
        """The seeds of one iteration."""
        return self.orders.seeds(self._seeds, run) if self._reshuffles else self._seeds

    def moved(self, places: Places, run: Run) -> Places:
        if run.kept is None:
            run.kept = self._order(run)
        order: Places = run.kept
        return order[places]

    def _order(self, run: Run) -> Places:
        count = self.source.cardinality
        return _order(words(self._drawn_by(run), 0, count), self._size)

    def stream(self, run: Run) -> Cursor:
        cursor = self.source.cursor(run.children[0])
        return _ShuffleCursor(cursor, self._size, Stream(self._drawn_by(run)))

    def describe(self) -> str:
        count = self.source.cardinality
        whole = self.indexed and count != UNKNOWN and count <= self._size
        return "shuffle: a permutation" if whole else f"shuffle: a buffer of {self._size}"


def _order(drawn: np.ndarray, size: int) -> Places:
    """The order of so many numbers as a buffer of this size gives it."""
    count = len(drawn)
    size = min(size, count)
    if not size:
        return np.empty(0, np.int64)
    offsets = (drawn % np.minimum(np.arange(count, 0, -1), size).astype(np.uint64)).astype(np.int64)
    ring, order = list(range(size)), []
    whole = count - size  # so many are drawn from a buffer that is filled again
    if whole:
        numbers = np.arange(whole)
        firsts, places = (numbers % size).tolist(), ((numbers + offsets[:whole]) % size).tolist()
        for following, (first, place) in enumerate(zip(firsts, places, strict=True), size):
            order.append(ring[place])
            ring[place] = ring[first]
            ring[first] = following
        turned = whole % size
        ring = ring[turned:] + ring[:turned]
    for i, place in enumerate((np.arange(size) + offsets[whole:]).tolist()):
        drawn_here = ring[place]
        ring[place] = ring[i]
        ring[i] = drawn_here
    return np.array(order + ring, np.int64)


class _ShuffleCursor(Cursor):
    def __init__(self, source: Cursor, size: int, random: Stream) -> None:
        self._source, self._size, self._random = source, size, random
        self._buffer: list[Element] = []  # a ring, until the source has ended
        self._first = 0
        self._ended = False

    def _take(self, count: int) -> Chunk:
        self._fill()
        if self._ended or count == 1:
            return super()._take(count)
        # Each element that is drawn makes room for one more.
        coming = self._source.take(count).separate()
        found = [self._replaced(element) for element in coming]
        if not coming:
            self._end()
            found.append(self._drawn())
        return Loose(found)

    def _next(self) -> Element | None:
        self._fill()
        if not self._buffer:
            return None
        coming = None if self._ended else self._source.next()
        if coming is None:
            self._end()
            return self._drawn()
        return self._replaced(coming)

    def _replaced(self, coming: Element) -> Element:
        """An element of the ring; the first one takes its place, and what comes that one's."""
        buffer, first, size = self._buffer, self._first, self._size
        place = (first + self._random.next() % size) % size
        drawn = buffer[place]
        buffer[place] = buffer[first]
        buffer[first] = coming
        self._first = (first + 1) % size
        return drawn

    def _drawn(self) -> Element:
        """An element of what is left; the first one takes its place."""
        buffer, first = self._buffer, self._first
        place = first + self._random.next() % (len(buffer) - first)
        drawn = buffer[place]
        buffer[place] = buffer[first]
        self._first += 1
        if self._first == len(buffer):
            self._buffer, self._first = [], 0
        return drawn

    def _end(self) -> None:
        """There are no more elements: what is left begins with the first one."""
        if not self._ended:
            self._buffer = self._buffer[self._first :] + self._buffer[: self._first]
            self._first, self._ended = 0, True

    def _fill(self) -> None:
        while not self._ended and len(self._buffer) < self._size:
            chunk = self._source.take(self._size - len(self._buffer))
            self._ended = not len(chunk)
            self._buffer += chunk.separate()

    def close(self) -> None:
        self._source.close()


_scope: ContextVar[SeedScope | None] = ContextVar("_scope", default=None)


class SeedScope:
    """Where a function makes datasets for each element: the shuffles that it makes get the same
    seeds in each call, as they would if it were traced once."""

    def __init__(self) -> None:
        self._seed = SEEDS.next(global_seed(), None)
        self._numbers = threading.local()
        self._tokens: threading.local = threading.local()

    def next(self) -> int:
        """The next seed of this call."""
        self._numbers.count = number = getattr(self._numbers, "count", 0) + 1
        return int(np.random.SeedSequence([self._seed, number]).generate_state(1, np.uint64)[0])

    def __enter__(self) -> None:
        self._numbers.count = 0
        self._tokens.token = _scope.set(self)

    def __exit__(self, *exception: object) -> None:
        _scope.reset(self._tokens.token)


class Seeds:
    """The seeds of shuffles that were given none: drawn from the global one where there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._settings = 0

    def next(self, seed: int | None, given: int | None) -> int:
        """A seed of 64 bits for a shuffle, of the global seed and its own."""
        scope = _scope.get()
        if given is None and scope is not None:
            return scope.next()
        if seed is None and given is None:
            return int.from_bytes(os.urandom(8), "little")
        with self._lock:
            if self._settings != seed_settings():  # set_seed begins all streams anew
                self._settings = seed_settings()
                self._numbers = itertools.count()
            numbers = self._numbers
            number = next(numbers) if given is None else given
        words = np.random.SeedSequence([(seed or 0) & _WORD, number & _WORD, given is None])
        return int(words.generate_state(1, np.uint64)[0])


_WORD = (1 << 64) - 1
SEEDS: Final = Seeds()


def drawn_seed(given: int | None) -> int:
    """The seed of what draws random numbers: of the global seed, and of its own if it has one."""
    return SEEDS.next(global_seed(), given)


def drawn_seeds(given: int | None) -> Pair:
    """The seeds of what draws TensorFlow's numbers."""
    scope = _scope.get()
    if given is None and scope is not None:
        return scope.next(), 0
    found = seeds_of("shuffle", given)
    return (int.from_bytes(os.urandom(8), "little"), 0) if found is None else found


__all__ = ["SeedScope", "Shuffle", "drawn_seed", "drawn_seeds"]
