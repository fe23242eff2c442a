"""Classes drawn as candidates of a sampled loss: with rejection where none may come twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import Value
from ..dtypes import float64, int64
from ..extent import Extent, as_int
from ..types import INDEX, TensorType
from .random_host import Sampler, _generator

TRIES_MAX = 2**27  # a class that is hardly ever drawn must not make a program hang


class Candidates(Sampler, abstract=True):
    """The base: `count` classes as i64, and how many draws that took."""

    def result_types(self, count: Extent) -> tuple[TensorType, TensorType]:
        self.check_state()
        return TensorType(int64, (count,)), INDEX


def distinct(
    draw: Callable[[int], np.ndarray[Any, Any]], count: int, unique: bool
) -> tuple[Any, Any]:
    """`count` numbers of the stream `draw`, each once if `unique`, in the order in which they come
    first, and how many numbers of the stream that took."""
    if not unique:
        return draw(count), np.int64(count)
    found: dict[int, None] = {}
    tries = 0
    while len(found) < count:
        for number in draw(max(64, min(count, 4096))).tolist():
            tries += 1
            found.setdefault(number)
            if len(found) == count:
                break
        if tries > TRIES_MAX:
            raise ValueError(f"{count} different classes were not found in {tries} draws")
    return np.array(list(found), np.int64), np.int64(tries)


class RandomClasses(Candidates):
    """Classes below `classes`: all alike, or, if `logarithmic`, class k with the probability
    log((k + 2) / (k + 1)) / log(classes + 1)."""

    state: Value
    classes: Extent
    count: Extent
    unique: bool
    logarithmic: bool

    def infer(self) -> tuple[TensorType, TensorType]:
        return self.result_types(self.count)

    def numpy(self, state: np.ndarray) -> tuple[np.ndarray, ...]:
        classes = as_int(self.classes)
        count = as_int(self.count)
        if classes >= 2**63:
            raise ValueError(f"{classes} classes are more than int64 counts")
        if classes < 1 or (self.unique and count > classes):
            raise ValueError(f"{count} different classes cannot be drawn of {classes}")
        generator = _generator(state)

        def draw(n: int) -> np.ndarray[Any, Any]:
            if not self.logarithmic:
                return np.asarray((generator.random(n) * classes).astype(np.int64))
            drawn = np.exp(generator.random(n) * np.log1p(classes)).astype(np.int64) - 1
            return np.asarray(np.minimum(drawn, classes - 1))  # rounding may reach the bound

        return distinct(draw, count, self.unique)


class RandomUnigrams(Candidates):
    """Classes, class k with a probability proportional to weights[k]."""

    state: Value
    weights: Value
    count: Extent
    unique: bool

    def infer(self) -> tuple[TensorType, TensorType]:
        if self.weights.dtype is not float64 or self.weights.rank != 1:
            raise self.error("weights must be a vector of f64", "dtype")
        return self.result_types(self.count)

    def numpy(self, state: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, ...]:
        count = as_int(self.count)
        if np.any(~(weights >= 0)) or not np.all(np.isfinite(weights)) or not np.any(weights > 0):
            raise ValueError("the weights must be finite, not negative, and not all 0")
        if self.unique and count > np.count_nonzero(weights):
            raise ValueError(
                f"{count} different classes cannot be drawn of {np.count_nonzero(weights)} with a "
                "positive weight"
            )
        bounds = np.cumsum(weights)
        generator = _generator(state)

        def draw(n: int) -> np.ndarray[Any, Any]:
            return np.asarray(np.searchsorted(bounds, generator.random(n) * bounds[-1], "right"))

        return distinct(draw, count, self.unique)
