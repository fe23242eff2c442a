"""Sums, least and greatest elements of several arrays, by a binary tree over their numbers.

    ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))

A process that holds neighbours reduces its own subtree, and the tree goes on across processes. So
eight arrays have one sum, bit for bit, on 1, 2, 4 and 8 processes: wherever each process holds the
leaves of a whole subtree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

STEPS: dict[str, Callable[..., Any]] = {
    "sum": np.add,
    "mean": np.add,  # and divided once, at the end
    "min": np.minimum,
    "max": np.maximum,
}


def reduce_in_place(arrays: Sequence[Array], how: str) -> Array:
    """Reduce into the first array, which it gives; the others are overwritten."""
    step = STEPS[how]
    distance = 1
    while distance < len(arrays):
        for i in range(0, len(arrays) - distance, 2 * distance):
            step(arrays[i], arrays[i + distance], out=arrays[i])
        distance *= 2
    return finish(arrays[0], how, len(arrays))


def reduce(arrays: Sequence[Array], how: str) -> Array:
    """The same, in memory of its own: `arrays` stay as they are."""
    step = STEPS[how]
    level = list(arrays)
    if len(level) == 1:
        return finish(level[0].copy(), how, 1)
    while len(level) > 1:
        pairs = [step(x, y) for x, y in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[2 * len(pairs) :]
    return finish(level[0], how, len(arrays))


def finish(total: Array, how: str, count: int) -> Array:
    """A sum, in its place, as the mean of so many; all else as it is."""
    if how == "mean" and count > 1:
        np.divide(total, total.dtype.type(count), out=total)
    return total
