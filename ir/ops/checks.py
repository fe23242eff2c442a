"""Checks of values: what must hold when a program runs, wherever its results go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import Builder, Value
from ..dtypes import float64, int64
from ..element_builder import ElementBuilder, Index
from ..types import TensorType
from .elementwise import Bitcast, Cast, Elementwise
from .printing import Templated


class Check(Elementwise):
    """The condition, which must hold in every element; where it does not, the program ends with
    `message` and the element's place and values. Nothing drops it, and it keeps its place among
    other effects."""

    condition: Value
    values: tuple[Value, ...]
    message: str
    effect = True

    @property
    def can_fail(self) -> bool:
        return True

    def infer(self) -> TensorType:
        if not self.condition.dtype.is_bool:
            raise self.error("the condition must be bool", "dtype")
        if len(self.values) > 3:
            raise self.error("no more than three values can be shown", "value")
        for v in self.values:
            if v.shape != self.condition.shape:
                raise self.error("operands must have the same shape")
            if v.dtype.kind not in "biuf":
                raise self.error(f"not defined for dtype {v.dtype.name}", "dtype")
        return self.condition.tensor_type

    def numpy(self, condition: np.ndarray, *values: np.ndarray) -> np.ndarray:
        if not np.all(condition):
            raise ValueError(self.message)
        return condition

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,) * len(self.operands)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        condition = lower.element(self.condition, index)
        shown = [lower.linear(index, self.condition.shape)]
        for v in self.values:
            element = lower.element(v, index)
            if v.dtype.is_floating:
                wide = lower.emit(Cast(element, float64)) if v.dtype is not float64 else element
                shown.append(lower.emit(Bitcast(wide, int64)))
            else:
                shown.append(lower.emit(Cast(element, int64)))
        kinds = "".join(v.dtype.kind for v in self.values)
        lower.check(condition, tuple(shown), "check", self, (self.message, kinds))
        return condition


class Fail(Templated):
    """Ends the program with its text, which shows up to `summarize` elements of each value. It
    stands in a branch for what must not happen."""

    summarize: int

    def numpy(self, *values: np.ndarray) -> np.ndarray:
        error: Any = ValueError(self.text(summary(v, self.summarize) for v in values))
        error.op = "Assert"
        raise error


def summary(array: Any, count: int) -> str:
    """The first elements of an array, as the text of an assertion between its brackets: those of
    matrices row by row where all of them are shown."""
    array = np.asarray(array)
    if array.ndim > 1 and array.size <= count:
        return "".join(f"[{summary(row, count)}]" for row in array)
    shown = " ".join(map(_element, array.reshape(-1)[:count]))
    return shown + "..." if array.size > count else shown


def _element(x: Any) -> str:
    if isinstance(x, bytes):
        return x.decode(errors="replace")
    if isinstance(x, np.bool_):
        return str(int(x))
    return f"{x:g}" if isinstance(x, np.floating) else str(x)
