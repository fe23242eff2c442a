"""Large inputs for the cases of the public functions, made of their small ones.

An extent of a case's arrays is multiplied wherever it occurs, each row of these axes being
repeated: so indices stay within what they name, sorted numbers stay sorted, and what must agree
agrees. Which extents can grow is tried: a case may name sizes itself, and then fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import tfc as tf
from tests.cases import Case
from tfc import nest


@dataclass(frozen=True)
class Scaled:
    """A case with one of its extents multiplied."""

    case: Case
    extent: int
    factor: int

    @cached_property
    def tensors(self) -> list[Any]:
        """What the function is called with."""
        return [tf.constant(enlarged(a, self.extent, self.factor)) for a in self.case.arrays]

    def __call__(self) -> Any:
        return self.case.call(*self.tensors)

    @cached_property
    def size(self) -> int:
        """The bytes of all inputs and outputs."""
        results = [np.asarray(r) for r in nest.flatten(self()) if isinstance(r, tf.Tensor)]
        return _bytes([np.asarray(t) for t in self.tensors]) + _bytes(results)


def enlarged(array: np.ndarray, extent: int, factor: int) -> np.ndarray:
    """An array with each axis of this extent so many times as long."""
    for axis, size in enumerate(array.shape):
        if size == extent:
            array = np.repeat(array, factor, axis)
    return array


def extents(case: Case) -> list[int]:
    """What may be multiplied: extents of first axes before those of others."""
    found = [a.shape[axis] for axis in range(8) for a in case.arrays if axis < a.ndim]
    return [e for e in dict.fromkeys(found) if e > 1]


def _bytes(arrays: Sequence[np.ndarray]) -> int:
    return sum(a.nbytes for a in arrays)
