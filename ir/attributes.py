"""Attributes of ops by their bits, and the numbers that constants have."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import DType
from .extent import Expr

_PLAIN = frozenset({int, str, bool, type(None), DType, Expr})  # which stand for themselves
_ROUNDED = (float, complex, np.inexact)


def attribute_key(value: Any) -> Any:
    """A hashable stand-in for an attribute, equal only for attributes of equal bits."""
    kind = type(value)
    if kind in _PLAIN:  # most
        return value
    if kind is tuple:
        return tuple([v if type(v) in _PLAIN else attribute_key(v) for v in value])
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, _ROUNDED):
        return kind, np.asarray(value).tobytes()
    return value


class Number:
    """An array of a constant, with what is asked of it again and again."""

    __slots__ = ("array", "key", "literal")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.key = attribute_key(array)
        # The number that all elements are. Complex numbers are not told: their products with 1
        # need not be themselves (nan, -0.0).
        told = array.size == 1 and array.dtype.kind != "c"
        self.literal: bool | int | float | None = array.item() if told else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


_numbers: dict[Any, Number] = {}  # the last few thousand scalars, by key


def scalar_key(value: Any, dtype: DType) -> Any:
    """Equal for numbers of equal bits in `dtype`."""
    distinct = value and not isinstance(value, complex)
    return dtype.name, type(value), value if distinct else repr(value)  # 0.0 == -0.0


def number_of(value: Any, dtype: DType) -> Number:
    """A scalar of `dtype`, read-only; the same one for equal bits, mostly."""
    key = scalar_key(value, dtype)
    found = _numbers.get(key)
    if found is None:
        if len(_numbers) >= 4096:
            _numbers.clear()
        array = np.asarray(value).astype(dtype.numpy)
        array.flags.writeable = False
        found = _numbers[key] = Number(array)
    return found
