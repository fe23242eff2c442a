"""Random numbers of datasets: those that TensorFlow draws from the same seeds.

A stream is words of 32 bits, four from each block of Philox. A pair of seeds says which: the first
is the key, the second the upper half of the counter.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from tfc.ir.ops.random import philox_words

from ..plan import Run

Pair = tuple[int, int]

_SCRAMBLER: Final = np.uint64(0x02461E293EC8F720)  # TensorFlow mixes seeds of stateless ops by it
_WORD: Final = (1 << 64) - 1


def words(seeds: Pair, start: int, count: int) -> np.ndarray:
    """Words of a stream, as uint64: so many from number `start` on."""
    key, upper = (np.uint64(seed & _WORD) for seed in seeds)
    first, last = start // 4, (start + count + 3) // 4
    numbers = np.arange(first, last, dtype=np.uint64)
    found = philox_words(numbers, np.full_like(numbers, upper), key)
    return found.astype(np.uint64).reshape(-1)[start - 4 * first :][:count]


def later_seeds(seeds: Pair, number: int) -> Pair:
    """The seeds of iteration `number` of what draws anew in each."""
    one, two = words(seeds, 2 * number, 2).tolist()
    return one, two


def uniforms(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """What stateless ops draw first, from each pair of seeds: float64 from 0 to below 1."""
    mixed = philox_words(first, second, _SCRAMBLER).view(np.uint64)  # a key, and half a counter
    found = philox_words(np.zeros_like(first), mixed[:, 1], mixed[:, 0]).astype(np.uint64)
    mantissa = ((found[:, 0] & np.uint64(0xFFFFF)) << np.uint64(32)) | found[:, 1]
    return mantissa.astype(np.float64) * 2.0**-52


class Orders:
    """The iterations of a plan that draws anew in each of them, numbered as they come."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    def begun(self) -> int:
        """The number of a new iteration."""
        with self._lock:
            self._count += 1
            return self._count - 1

    def seeds(self, seeds: Pair, run: Run) -> Pair:
        """The seeds of an iteration. Its repetitions by one repeat are numbered like iterations;
        those by several, and what functions make, have seeds of all that they follow from."""
        number, turns = run.epoch, run.turns
        if len(turns) > 1 or number >= _NUMBERED:
            mixed = np.random.SeedSequence([*seeds, number, *turns]).generate_state(2, np.uint64)
            return int(mixed[0]), int(mixed[1])
        if any(turns):  # the first repetition was numbered as it began
            number += turns[0]
            with self._lock:
                self._count = max(self._count, number + 1)
        return later_seeds(seeds, number)


_NUMBERED = 1 << 31  # iterations that functions make have greater numbers than this


class Stream:
    """A stream that is read from its beginning."""

    _AT_ONCE = 1024

    def __init__(self, seeds: Pair) -> None:
        self._seeds, self._number = seeds, 0
        self._coming: list[int] = []  # the last one first

    def next(self) -> int:
        """The next word."""
        if not self._coming:
            self._coming = self.take(self._AT_ONCE).tolist()[::-1]
        return self._coming.pop()

    def take(self, count: int) -> np.ndarray:
        """The words behind all that were drawn, as uint64."""
        self._number += count
        return words(self._seeds, self._number - count, count)


__all__ = ["Orders", "Pair", "Stream", "later_seeds", "uniforms", "words"]
