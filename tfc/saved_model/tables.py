"""Lookup tables as data: what they hold when a model is saved, and how they may change.

A table has an entry with the names of two arrays, `keys` and `values`. Where it may change, it has
a `kind`, and a dense one two keys that it may not hold. As in TensorFlow, a loaded table begins
with what it held when it was saved, and all functions of the model share it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.tensor import Tensor
from ..ops.lookup.mutable import DenseHashTable, MutableHashTable, Reserved
from ..ops.lookup.store import Store
from ..ops.lookup.tables import Table


def described(store: Store) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a table is, but for its arrays; and these, by what they are."""
    keys, values = store.export()
    arrays = {"keys": keys, "values": values}
    if store.fixed:
        return {}, arrays
    if isinstance(store, Reserved):
        return {"kind": "dense"}, arrays | {"empty": store.empty, "deleted": store.deleted}
    return {"kind": "mutable"}, arrays


def store_of(entry: dict[str, Any], constant: Callable[[str], Tensor]) -> Store:
    """The table of an entry.

    Raises:
        ValueError: If it is none; what dictionaries and NumPy raise, where parts are missing.
    """
    keys, values = (constant(entry[name]) for name in ("keys", "values"))
    kind = entry.get("kind")
    if kind is None:
        if keys.ndim != 1 or keys.shape != values.shape:
            raise ValueError("a table has a vector of keys, and a value for each")
        store = Store(keys.dtype, values.dtype, fixed=True)
    else:
        if not keys.ndim or not values.ndim or keys.shape[0] != values.shape[0]:
            raise ValueError("a table has rows of keys, and a value for each")
        shapes = tuple(keys.shape[1:]), tuple(values.shape[1:])
        if kind == "dense":
            empty, deleted = (constant(entry[name]) for name in ("empty", "deleted"))
            for key in empty, deleted:
                if key.dtype is not keys.dtype or tuple(key.shape) != shapes[0]:
                    raise ValueError("a key that a table may not hold is no key of it")
            dense = Reserved(keys.dtype, values.dtype, *shapes)
            if not dense.reserve(empty._array, deleted._array):
                raise ValueError("the keys that a table may not hold are equal")
            store = dense
        elif kind == "mutable":
            store = Store(keys.dtype, values.dtype, *shapes)
        else:
            raise ValueError(f"no kind of table: {kind!r:.40}")
    store.insert(keys._array, values._array)
    return store


def changes(value: Any) -> bool:
    """Whether something is a table that an attribute of a model may be."""
    return type(value) in (MutableHashTable, DenseHashTable)


def table_of(store: Store, default: Tensor, name: str | None) -> Table:
    """A table that holds what the functions of a model hold.

    Raises:
        ValueError: If it may not change, or the default value is none.
    """
    if store.fixed or default.dtype is not store.value_dtype:
        raise ValueError("no table that changes")
    if tuple(default.shape) != store.value_shape:
        raise ValueError("a default value has the shape of a value")
    dense = isinstance(store, Reserved)
    found: Table = object.__new__(DenseHashTable if dense else MutableHashTable)
    Table.__init__(found, store, default, name)
    return found


__all__ = ["changes", "described", "store_of", "table_of"]
