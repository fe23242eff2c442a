"""Random numbers of datasets: those that TensorFlow draws from the same seeds.

A stream is words of 32 bits, four from each block of Philox4x32-10 (Salmon et al., "Parallel Random
Numbers: As Easy as 1, 2, 3", 2011). A pair of seeds says which: the first is the key, the second
the upper half of the counter.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import numpy as np

from ..plan import Run

Pair = tuple[int, int]

_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_MULTIPLIERS: Final = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS: Final = 0x9E3779B9, 0xBB67AE85
_SCRAMBLER: Final = 0x02461E293EC8F720  # the key that TensorFlow mixes seeds of stateless ops by


def _blocks(key: Any, counter: list[Any]) -> list[np.ndarray]:
    """The four words of each block; key and counter are words of 32 bits, as numbers of 64."""
    a, b, c, d = counter
    low, high = key
    for i in range(10):
        first, second = a * _MULTIPLIERS[0], c * _MULTIPLIERS[1]
        one = (low + np.uint64(i * _STEPS[0])) & _LOW
        two = (high + np.uint64(i * _STEPS[1])) & _LOW
        a, b = (second >> _HALF) ^ b ^ one, second & _LOW
        c, d = (first >> _HALF) ^ d ^ two, first & _LOW
    return [a, b, c, d]


def _halves(x: Any) -> tuple[Any, Any]:
    x = np.asarray(x, np.uint64) if isinstance(x, np.ndarray) else np.uint64(x & _WORD)
    return x & _LOW, x >> _HALF


_WORD: Final = (1 << 64) - 1


def words(seeds: Pair, start: int, count: int) -> np.ndarray:
    """Words of a stream, as uint64: so many from number `start` on."""
    first, last = start // 4, (start + count + 3) // 4
    numbers = np.arange(first, last, dtype=np.uint64)
    upper = [np.full_like(numbers, half) for half in _halves(seeds[1])]
    found = _blocks(_halves(seeds[0]), [*_halves(numbers), *upper])
    return np.stack(found, 1).reshape(-1)[start - 4 * first :][:count]


def later_seeds(seeds: Pair, number: int) -> Pair:
    """The seeds of iteration `number` of what draws anew in each."""
    one, two = words(seeds, 2 * number, 2).tolist()
    return one, two


def uniforms(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """What stateless ops draw first, from each pair of seeds: float64 from 0 to below 1."""
    mixed = _blocks(_halves(_SCRAMBLER), [*_halves(first), *_halves(second)])
    zero = np.zeros_like(mixed[0])
    found = _blocks(mixed[:2], [zero, zero, *mixed[2:]])
    mantissa = ((found[0] & np.uint64(0xFFFFF)) << _HALF) | found[1]
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
