"""Hash tables that number keys, by native code (runtime/tables.c), which is compiled at its first
use. Keys are int64 or strings; what else is to be a key is made one of these.

Looking up keys in random order costs a cache miss each, or for strings one each for the string
that is asked for, the slot, the row and the string that is known; the misses of 32 keys overlap.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

import numpy as np

from tfc.ir.value_classes import NamedTuple

from . import jit
from .runtime import native
from .runtime.python_abi import BYTES_CONTENTS, BYTES_SIZE
from .runtime.runtime import copied

NONE = -1  # the row of a key that is not there
_LEAST = 8  # slots
_GROWTH = 2


class KeyRows:
    """Numbers keys from 0 on, each of which has one row; rows of keys that were removed are used
    again first. One thread at a time may call, but any number of them `find` while nobody changes
    it.

    Args:
        of_strings: Whether keys are arrays of `bytes`; else of int64. Arrays are vectors.
    """

    def __init__(self, of_strings: bool) -> None:
        self._kind = "_strings" if of_strings else "_integers"
        self._of_strings = of_strings
        self._count = 0
        self._seed = int.from_bytes(os.urandom(8), "little")
        self._known: np.ndarray = np.zeros(0, np.int64)  # the addresses of strings, by row
        self._owned: np.ndarray = np.zeros(0, object)  # the strings, so that they live
        self._free: np.ndarray = np.zeros(0, np.int64)
        self._rows: np.ndarray = np.zeros(3, np.int64)  # `Rows`, as tables.c has it
        self._slots: np.ndarray = np.zeros((0, 2), np.int64)
        self._resize(_LEAST)

    def __len__(self) -> int:
        return self._count

    @property
    def used(self) -> int:
        """How many rows have, or had, a key."""
        return int(self._rows[2])

    def rows(self) -> np.ndarray:
        """The rows of all keys, in their order."""
        found = self._slots[:, 1]
        return np.sort(found[found != NONE])

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, int]:
        """The row of each key, NONE where it has none, and how many have none."""
        rows = np.empty(len(keys), np.int64)
        return rows, self._call("find", keys, rows)[0]

    def add(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Let each key have a row.

        Returns:
            The row of each, and the places of those keys that had none.
        """
        count = len(keys)
        needed = 2 * (self._count + count)
        if needed > len(self._slots):
            self._resize(1 << (max(needed, _GROWTH * len(self._slots)) - 1).bit_length())
        if self._of_strings and self.used + count > len(self._known):
            more = max(self.used + count, _GROWTH * len(self._known)) - len(self._known)
            self._known = np.concatenate([self._known, np.zeros(more, np.int64)])
            self._owned = np.concatenate([self._owned, np.full(more, None)])
            self._table[3] = self._known.ctypes.data
        rows, fresh = np.empty(count, np.int64), np.empty(count, np.int64)
        self._rows[0] = self._free.ctypes.data
        added, keys = self._call("add", keys, rows, id(self._rows), id(fresh))
        self._count += added
        fresh = fresh[:added]
        if self._of_strings:
            self._owned[rows[fresh]] = keys[fresh]
        return rows, fresh

    def remove(self, keys: np.ndarray) -> np.ndarray:
        """Forget keys. Returns the rows that are free now."""
        rows = np.empty(len(keys), np.int64)
        count, _ = self._call("remove", keys, rows)
        removed = rows[:count]
        self._count -= len(removed)
        if self._of_strings:
            self._owned[removed] = None
        free = int(self._rows[1])
        if free + count > len(self._free):
            more = np.empty(max(free + count, _GROWTH * len(self._free)), np.int64)
            more[:free] = self._free[:free]
            self._free = more
        self._free[free : free + count] = removed
        self._rows[1] = free + count
        return removed

    def _resize(self, size: int) -> None:
        """Have so many slots, a power of two."""
        slots: np.ndarray = copied(np.broadcast_to(np.int64(NONE), (size, 2)))
        where = slots.ctypes.data, self._known.ctypes.data
        table = np.array([where[0], size - 1, self._seed, where[1]], np.uint64)
        if self._count:
            _library().fill(id(table), id(self._slots), len(self._slots))
        self._slots, self._table = slots, table

    def _call(
        self, what: str, keys: np.ndarray, rows: np.ndarray, *more: int
    ) -> tuple[int, np.ndarray]:
        """What a function of tables.c gives, and the keys that it took."""
        functions = _library()
        function = getattr(functions, what + self._kind)
        layout = (id(_LAYOUT),) if self._of_strings else ()
        keys = np.ascontiguousarray(keys)
        found = function(id(self._table), id(keys), len(keys), id(rows), *layout, *more)
        if found < 0:  # there are objects of subclasses
            plain = np.empty(len(keys), object)
            plain[:] = [bytes(key) for key in keys.tolist()]
            return self._call(what, plain, rows, *more)
        return found, keys


# `Layout`, as tables.c has it: the type of strings, where their sizes and their contents are.
_LAYOUT = np.array([id(bytes), BYTES_SIZE, BYTES_CONTENTS], np.int64)


class _Library(NamedTuple):
    fill: Any
    find_integers: Any
    add_integers: Any
    remove_integers: Any
    find_strings: Any
    add_strings: Any
    remove_strings: Any
    kept: jit.Library  # stays as long as this


@cache
def _library() -> _Library:
    code = jit.load(native.tables_text())
    pointer, count = ctypes.c_void_p, ctypes.c_int64

    def function(name: str, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(count, *arguments)(code.address(name))

    given = pointer, pointer, count, pointer
    return _Library(
        ctypes.CFUNCTYPE(None, pointer, pointer, count)(code.address("tfc_fill_table")),
        function("tfc_find_integers", *given),
        function("tfc_add_integers", *given, pointer, pointer),
        function("tfc_remove_integers", *given),
        function("tfc_find_strings", *given, pointer),
        function("tfc_add_strings", *given, pointer, pointer, pointer),
        function("tfc_remove_strings", *given, pointer),
        code,
    )


__all__ = ["NONE", "KeyRows"]
