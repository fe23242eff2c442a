"""`shuffle`: orders that follow from the seed, the number of the iteration, and nothing else."""

from __future__ import annotations

import itertools
import os
import threading
from contextvars import ContextVar
from typing import Final

import numpy as np

from ...ops.random.streams import global_seed, seed_settings
from ..elements import Chunk, Element, Loose
from ..plan import INFINITE, UNKNOWN, Cursor, Places, Plan, Run
from .order import Reordered


class Shuffle(Reordered):
    """The elements in random order: each is drawn from a buffer, in whose place the next one goes.

    Of an indexed input the buffer holds numbers. Where it holds all of them the order is a uniform
    permutation.
    """

    kind = "Shuffle"
    varies = True

    def __init__(self, source: Plan, size: int, seed: int, reshuffles: bool) -> None:
        super().__init__(source)
        self._size, self._seed, self._reshuffles = size, seed, reshuffles
        self.indexed = source.indexed and source.cardinality != INFINITE
        self.stackable = source.stackable
        self.redraws = reshuffles
        self.varies = reshuffles or source.varies

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def _random(self, run: Run) -> np.random.Philox:
        """Numbers for one iteration. NumPy's Philox gives the same words in all versions."""
        turns = run.turns if self._reshuffles else ()
        words = np.random.SeedSequence([self._seed, run.epoch, *turns])
        return np.random.Philox(words)

    def moved(self, places: Places, run: Run) -> Places:
        if run.kept is None:
            run.kept = self._order(run)
        order: Places = run.kept
        return order[places]

    def _order(self, run: Run) -> Places:
        count = self.source.cardinality
        random = self._random(run)
        if count <= self._size:
            return np.argsort(random.random_raw(count), kind="stable")
        return _buffered(random.random_raw(count), self._size)

    def stream(self, run: Run) -> Cursor:
        cursor = self.source.cursor(run.children[0])
        return _ShuffleCursor(cursor, self._size, self._random(run))

    def describe(self) -> str:
        count = self.source.cardinality
        whole = self.indexed and count != UNKNOWN and count <= self._size
        return "shuffle: a permutation" if whole else f"shuffle: a buffer of {self._size}"


def _slots(words: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """A number below each size, of a word of 64 bits: the upper half of their product."""
    high, size = words >> np.uint64(32), sizes.astype(np.uint64)
    low = (words & np.uint64(0xFFFFFFFF)) * size
    return ((high * size + (low >> np.uint64(32))) >> np.uint64(32)).astype(np.int64)


def _buffered(words: np.ndarray, size: int) -> Places:
    """The order of so many numbers as a buffer of this size gives it."""
    count = len(words)
    left = np.minimum(np.arange(count, 0, -1), size)
    slots = _slots(words, left).tolist()
    buffer = list(range(size))
    order = np.empty(count, np.int64)
    following = size
    for i, slot in enumerate(slots):
        order[i] = buffer[slot]
        if following < count:
            buffer[slot] = following
            following += 1
        else:
            buffer[slot] = buffer[-1]
            buffer.pop()
    return order


class _ShuffleCursor(Cursor):
    def __init__(self, source: Cursor, size: int, random: np.random.Philox) -> None:
        self._source, self._size, self._random = source, size, random
        self._buffer: list[Element] = []
        self._ended = False

    def _take(self, count: int) -> Chunk:
        self._fill()
        if self._ended or count == 1:
            return super()._take(count)
        # Each element that is drawn makes room for one more.
        coming = self._source.take(count).separate()
        buffer, found = self._buffer, []
        words = self._random.random_raw(len(coming))
        slots = _slots(words, np.full(len(coming), self._size)).tolist()
        for slot, element in zip(slots, coming, strict=True):
            found.append(buffer[slot])
            buffer[slot] = element
        if not coming:
            found.append(self._drawn(None))
        return Loose(found)

    def _next(self) -> Element | None:
        self._fill()
        if not self._buffer:
            return None
        return self._drawn(None if self._ended else self._source.next())

    def _drawn(self, coming: Element | None) -> Element:
        """An element of the buffer, whose place another one takes."""
        buffer = self._buffer
        slot = int(self._random.random_raw()) * len(buffer) >> 64  # as `_slots`
        drawn = buffer[slot]
        if coming is None:
            buffer[slot] = buffer[-1]
            buffer.pop()
        else:
            buffer[slot] = coming
        return drawn

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


__all__ = ["SeedScope", "Shuffle", "drawn_seed"]
