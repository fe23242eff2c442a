"""What a table holds: values by keys. Programs hold it like a string, and call its functions.

Native code numbers the keys (backends/cpu/tables.py), and a value is the row of an array with that
number. So the values of many keys are found by one `take`. Rows that are free again are used first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.backends.cpu.tables import NONE, KeyRows
from tfc.ir.dtypes import DType, string

from ...core import blame
from ...core.locks import ForkLock


class Store:
    """Values of one dtype and shape by keys of one dtype and shape. Any thread may call."""

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        key_shape: tuple[int, ...] = (),
        value_shape: tuple[int, ...] = (),
        fixed: bool = False,
    ) -> None:
        """`fixed` says that it will stay as it is once it is filled."""
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.key_shape, self.value_shape = key_shape, value_shape
        self.fixed = fixed
        self._lock = ForkLock()
        self._clear()

    def _clear(self) -> None:
        whole = not self.key_shape and self.key_dtype.numpy.itemsize <= _WORD
        self._as_integers = whole and self.key_dtype is not string
        self._rows = KeyRows(of_strings=not self._as_integers)
        self._keys = self.key_dtype.zeros((0, *self.key_shape))
        self._values = self.value_dtype.zeros((1, *self.value_shape))  # `take` wants one

    def __len__(self) -> int:
        return len(self._rows)

    def outer(self, keys: np.ndarray) -> tuple[int, ...]:
        """The shape of an array of keys, each of which counts as one."""
        return keys.shape[: keys.ndim - len(self.key_shape)]

    def keys_in(self, keys: np.ndarray) -> np.ndarray:
        """The keys in an array, as a vector of what native code takes: int64 or bytes."""
        if keys.dtype != self.key_dtype.numpy:  # a saved model may say anything
            raise blame.invalid(f"keys are {self.key_dtype.name}, not {keys.dtype}", "lookup")
        if self.key_shape and keys.shape[-len(self.key_shape) :] != self.key_shape:
            raise blame.invalid(
                f"Expected key shape {self.key_shape}, got keys of shape {keys.shape}", "lookup"
            )
        if self.key_dtype is string and not self.key_shape:
            return keys.reshape(-1)
        if self.key_dtype.is_floating or self.key_dtype.is_complex:
            keys = keys + keys.dtype.type(0)  # -0.0 is 0.0
        if self._as_integers:
            if keys.dtype.kind in "iub":
                return keys.reshape(-1).astype(np.int64)
            return np.ascontiguousarray(keys).reshape(-1).view(f"i{keys.itemsize}").astype(np.int64)
        return _rows_as_bytes(keys.reshape(-1, int(np.prod(self.key_shape))))

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        """The values of keys; for those that are not there `default`, or its row for that key."""
        wanted = self.keys_in(keys)
        self._check_values(default)
        with self._lock:
            rows, missing = self._rows.find(wanted)
            found = self._values.take(rows, 0)
        if missing:
            single = default.ndim == len(self.value_shape)
            absent = rows == NONE
            found[absent] = default if single else default.reshape(found.shape)[absent]
        return found.reshape((*self.outer(keys), *self.value_shape))

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Let keys have these values; of one that is there twice, the last."""
        given = self.keys_in(keys)
        self._check_values(values)
        with self._lock:
            rows, _ = self._add(keys, given)
            self._values[rows] = values.reshape((-1, *self.value_shape))

    def _check_values(self, values: np.ndarray) -> None:
        if values.dtype != self.value_dtype.numpy:  # a saved model may say anything
            raise blame.invalid(f"values are {self.value_dtype.name}, not {values.dtype}", "lookup")

    def insert_once(self, keys: np.ndarray, values: np.ndarray) -> tuple[Any, Any, Any] | None:
        """As `insert`, of what is empty; a key with two different values is returned, with both."""
        rows, fresh = self._add(keys, self.keys_in(keys))
        self._values[rows[fresh]] = values[fresh]
        kept = self._values[rows]
        differ = kept != values
        differ[fresh] = False  # nan differs from itself
        if not differ.any():
            return None
        place = int(differ.argmax())
        key, first, second = (x[place : place + 1].tolist()[0] for x in (keys, kept, values))
        return key, first, second

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Hold these keys and values, and no others."""
        given = self.keys_in(keys)
        with self._lock:
            self._clear()
            rows, _ = self._add(keys, given)
            self._values[rows] = values.reshape((-1, *self.value_shape))

    def remove(self, keys: np.ndarray) -> None:
        """Forget keys; those that are not there are none to forget."""
        given = self.keys_in(keys)
        with self._lock:
            rows = self._rows.remove(given)
            nothing = (len(rows), *self.value_shape)
            self._values[rows] = self.value_dtype.zeros(nothing)
            self._keys[rows] = self.key_dtype.zeros((len(rows), *self.key_shape))

    def export(self) -> tuple[np.ndarray, np.ndarray]:
        """All keys and their values."""
        with self._lock:
            rows = self._rows.rows()
            return self._keys.take(rows, 0), self._values.take(rows, 0)

    def _add(self, keys: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The row of each key, for whose value there is room, and the places of the new ones."""
        rows, fresh = self._rows.add(given)
        used = self._rows.used
        self._keys = _with_room(self._keys, used, self.key_dtype)
        self._values = _with_room(self._values, used, self.value_dtype)
        self._keys[rows[fresh]] = keys.reshape((-1, *self.key_shape))[fresh]
        return rows, fresh


_WORD = 8  # bytes


def _with_room(array: np.ndarray, rows: int, dtype: DType) -> np.ndarray:
    """An array with at least so many rows."""
    if rows <= len(array):
        return array
    more = max(rows, 2 * len(array)) - len(array)
    return np.concatenate([array, dtype.zeros((more, *array.shape[1:]))])


def _rows_as_bytes(keys: np.ndarray) -> np.ndarray:
    """The rows of a matrix, each as bytes."""
    found = np.empty(len(keys), object)
    if keys.dtype.hasobject:
        found[:] = [b"".join(b"%d:%b" % (len(x), x) for x in row) for row in keys.tolist()]
    else:
        found[:] = [row.tobytes() for row in np.ascontiguousarray(keys)]
    return found


def shown(key: Any) -> str:
    """A key or value in messages."""
    return key.decode(errors="backslashreplace") if isinstance(key, bytes) else str(key)


def held(store: Store) -> np.ndarray:
    """A scalar array that refers to a store."""
    found = np.empty((), object)
    found[()] = store
    return found
