"""What a table holds: values by keys. Programs hold it like a string, and call its functions.

A value is a row of an array, and a dictionary has the number of each key's row. So the values of
many keys are found by one `take`. Rows that are free again are used first.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType

from ...core import blame
from ...core.locks import ForkLock

_NONE = -1  # the row of a key that is not there
_LEAST = 4  # rows that there is room for


class Store:
    """Values of one dtype and shape by keys of one dtype and shape. Any thread may call."""

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        key_shape: tuple[int, ...] = (),
        value_shape: tuple[int, ...] = (),
    ) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.key_shape, self.value_shape = key_shape, value_shape
        self._rows: dict[Any, int] = {}
        self._values = value_dtype.zeros((_LEAST, *value_shape))
        self._used = 0  # rows that hold, or held, a value
        self._free: list[int] = []
        self._lock = ForkLock()

    def __len__(self) -> int:
        return len(self._rows)

    def outer(self, keys: np.ndarray) -> tuple[int, ...]:
        """The shape of an array of keys, each of which counts as one."""
        return keys.shape[: keys.ndim - len(self.key_shape)]

    def keys_in(self, keys: np.ndarray) -> list[Any]:
        """The keys in an array, as the dictionary has them."""
        if not self.key_shape:
            return keys.reshape(-1).tolist()
        if keys.shape[-len(self.key_shape) :] != self.key_shape:
            raise blame.invalid(
                f"Expected key shape {self.key_shape}, got keys of shape {keys.shape}", "lookup"
            )
        width = int(np.prod(self.key_shape))
        return list(map(tuple, keys.reshape(-1, width).tolist()))

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        """The values of keys; for those that are not there `default`, or its row for that key."""
        wanted = self.keys_in(keys)
        with self._lock:
            rows = np.fromiter(map(self._rows.get, wanted, repeat(_NONE)), np.int64, len(wanted))
            found = self._values.take(rows, 0)
        missing = rows == _NONE
        if missing.any():
            single = default.ndim == len(self.value_shape)
            found[missing] = default if single else default.reshape(found.shape)[missing]
        return found.reshape((*self.outer(keys), *self.value_shape))

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Let keys have these values; of one that is there twice, the last."""
        given = self.keys_in(keys)
        rows = values.reshape((-1, *self.value_shape))
        with self._lock:
            self._reserve(len(given))
            for key, value in zip(given, rows, strict=True):
                self._values[self._row(key)] = value

    def insert_once(self, keys: np.ndarray, values: np.ndarray) -> tuple[Any, Any, Any] | None:
        """As `insert`; a key with two different values is returned, with both."""
        given, items = self.keys_in(keys), values.tolist()
        for key, item in zip(given, items, strict=True):
            row = self._rows.setdefault(key, len(self._rows))
            if row < self._used and self._values[row] != item:
                return key, self._values[row], item
            if row == self._used:
                self._reserve(len(given))
                self._values[row] = item
                self._used += 1
        return None

    def remove(self, keys: np.ndarray) -> None:
        """Forget keys; those that are not there are none to forget."""
        with self._lock:
            for key in self.keys_in(keys):
                row = self._rows.pop(key, None)
                if row is not None:
                    self._values[row : row + 1] = self.value_dtype.zeros((1, *self.value_shape))
                    self._free.append(row)

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """All keys and their values."""
        with self._lock:
            keys, rows = list(self._rows), list(self._rows.values())
            values = self._values.take(np.array(rows, np.int64), 0)
        found = self.key_dtype.zeros((len(keys), *self.key_shape))
        if keys:
            found[...] = np.array(keys, self.key_dtype.numpy).reshape(found.shape)
        return found, values

    def _row(self, key: Any) -> int:
        row = self._rows.get(key)
        if row is None:
            row = self._free.pop() if self._free else self._used
            self._used = max(self._used, row + 1)
            self._rows[key] = row
        return row

    def _reserve(self, count: int) -> None:
        """Have room for so many further rows."""
        needed = self._used + count
        if needed > len(self._values):
            more = max(needed, 2 * len(self._values)) - len(self._values)
            rest = self.value_dtype.zeros((more, *self.value_shape))
            self._values = np.concatenate([self._values, rest])


def shown(key: Any) -> str:
    """A key or value in messages."""
    return key.decode(errors="backslashreplace") if isinstance(key, bytes) else str(key)


def held(store: Store) -> np.ndarray:
    """A scalar array that refers to a store."""
    found = np.empty((), object)
    found[()] = store
    return found
