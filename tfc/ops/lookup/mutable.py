"""Tables that change: `MutableHashTable`, `DenseHashTable`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.backends.cpu.tables import NONE, KeyRows
from tfc.ir.dtypes import as_element_type

from ...core import blame
from ...core.tensor import Tensor, wrap
from ...core.types import DTypeLike, TensorLike
from ...dispatch.host_functions import Result
from ..arguments import is_whole, number
from .buckets import in_buckets
from .store import Store
from .tables import Table, default_of, routine, with_rows


@routine
def insert(store: Store, keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Let keys have values."""
    if values.shape != (*store.outer(keys), *store.value_shape):
        wanted = [*store.outer(keys), *store.value_shape]
        raise blame.invalid(
            f"Expected shape {wanted} for value, got {list(values.shape)}", "insert"
        )
    store.insert(keys, values)
    return ()


@routine
def remove(store: Store, keys: np.ndarray) -> tuple[np.ndarray, ...]:
    """Forget keys."""
    store.remove(keys)
    return ()


@routine
def buckets(store: Store) -> tuple[np.ndarray, ...]:
    """All keys and values, as TensorFlow's dense tables keep them."""
    assert isinstance(store, Reserved)
    return in_buckets(*store.export(), store.empty)


class _Mutable(Table):
    """The base: keys may be inserted and removed, in functions in the order of the program."""

    _changes = True
    _default: Tensor

    # Checkpoints: under these names TensorFlow has the keys and values of a table.

    _checkpoint_attribute = "table"
    _checkpoint_tensors = "-keys", "-values"

    def _serialize_to_tensors(self) -> dict[str, Tensor]:
        return dict(zip(self._checkpoint_tensors, self.export(), strict=True))

    def _restore_from_tensors(self, tensors: dict[str, Any]) -> None:
        store = self._store
        given = [np.asarray(tensors[name]._array) for name in self._checkpoint_tensors]
        shapes = [(-1, *store.key_shape), (-1, *store.value_shape)]
        dtypes = [self.key_dtype, self.value_dtype]
        for what, array, dtype in zip(("keys", "values"), given, dtypes, strict=True):
            if wrap(array).dtype is not dtype:
                raise blame.invalid(
                    f"the {what} in the checkpoint are {wrap(array).dtype.name}, and those of the "
                    f"table {dtype.name}",
                    "Checkpoint.restore",
                )
        try:
            keys, values = (x.reshape(s) for x, s in zip(given, shapes, strict=True))
            fits = len(keys) == len(values)
        except ValueError:
            fits = False
        if not fits:
            raise blame.value_error(
                f"keys of shape {given[0].shape} and values of shape {given[1].shape} in the "
                f"checkpoint do not fit the table, whose keys have shape {store.key_shape} and "
                f"values {store.value_shape}",
                "Checkpoint.restore",
            )
        store.replace(keys, values)

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> None:
        """Let keys have these values, whether they are there or not.

        Args:
            keys: A tensor of keys.
            values: The value of each.

        Raises:
            TypeError: If keys or values have other dtypes than the table's.
            InvalidArgumentError: If the shapes do not fit (ValueError while tracing).
        """
        tensor = self._keys(keys, "insert")
        self._run(insert, (tensor, self._values(values, tensor, "insert")), ())

    def remove(self, keys: TensorLike, name: str | None = None) -> None:
        """Forget keys; nothing happens for those that are not there.

        Args:
            keys: A tensor of keys.

        Raises:
            TypeError: If the keys have another dtype than the table's.
        """
        tensor = self._keys(keys, "remove")
        self._outer(tensor)
        self._run(remove, (tensor,), ())


class MutableHashTable(_Mutable):
    """A table that changes: values by keys.

    Args:
        key_dtype: The dtype of the keys.
        value_dtype: The dtype of the values.
        default_value: The value of keys that are not there; its shape is that of each value.
        name: Its name.
        checkpoint: Not used: checkpoints have all tables that a `tf.train.Checkpoint` leads to.
        experimental_is_anonymous: Not used: no table is shared by its name.

    >>> import tfc as tf
    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    >>> table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    >>> table.remove(tf.constant(["b"]))
    >>> print(table.lookup(tf.constant(["a", "b"])), table.size().numpy())
    tf.Tensor([ 1 -1], shape=(2,), dtype=int64) 1
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        dtype = as_element_type(value_dtype)
        default = default_of(default_value, dtype, "MutableHashTable")
        shape = default._array.shape
        super().__init__(Store(as_element_type(key_dtype), dtype, (), shape), default, name)

    def lookup(
        self,
        keys: Any,
        dynamic_default_values: TensorLike | None = None,
        name: str | None = None,
    ) -> Any:
        """The values of keys.

        Args:
            keys: A tensor of keys, ragged and sparse ones, too.
            dynamic_default_values: The value of each key that is not there, or of all, in the place
                of the default value.

        Returns:
            The value of each key: as `keys` is, dense, ragged or sparse.

        Raises:
            TypeError: If the keys have another dtype than the table's.
            InvalidArgumentError: If `dynamic_default_values` do not fit (ValueError while tracing).
        """

        def of_tensor(given: Any) -> Tensor:
            tensor = self._keys(given, "lookup")
            if dynamic_default_values is None:
                return self._found(tensor, self._default)
            return self._found(tensor, self._defaults(dynamic_default_values, tensor))

        return with_rows(keys, of_tensor)


class DenseHashTable(_Mutable):
    """A table that changes: values by keys, of which two are not allowed; keys may have a shape.

    Unlike TensorFlow, `export` gives no rows for empty places.

    Args:
        key_dtype: The dtype of the keys.
        value_dtype: The dtype of the values.
        default_value: The value of keys that are not there; its shape is that of each value.
        empty_key: A key that is never used; its shape is that of each key.
        deleted_key: Another one.
        initial_num_buckets: A power of 2, at least 4; room is made as it is needed.
        name: Its name.
        checkpoint: Not used: checkpoints have all tables that a `tf.train.Checkpoint` leads to.
        experimental_is_anonymous: Not used: no table is shared by its name.

    Raises:
        InvalidArgumentError: If the empty and the deleted key are equal, or have other shapes, or
            for another number of buckets.

    >>> import tfc as tf
    >>> table = tf.lookup.experimental.DenseHashTable(
    ...     tf.int64, tf.int64, default_value=-1, empty_key=0, deleted_key=-1)
    >>> table.insert(tf.constant([3, 4], tf.int64), tf.constant([30, 40], tf.int64))
    >>> print(table[tf.constant([4, 5], tf.int64)])
    tf.Tensor([40 -1], shape=(2,), dtype=int64)
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        empty_key: TensorLike,
        deleted_key: TensorLike,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        op = "DenseHashTable"
        keys, values = as_element_type(key_dtype), as_element_type(value_dtype)
        default = default_of(default_value, values, op)
        empty, deleted = (default_of(key, keys, op) for key in (empty_key, deleted_key))
        if empty.shape != deleted.shape:
            raise blame.invalid("Empty and deleted keys must have same shape", op)
        buckets = 4 if initial_num_buckets is None else number(initial_num_buckets, "buckets", op)
        if not is_whole(buckets) or buckets < 4 or int(buckets) & (int(buckets) - 1):
            raise blame.invalid(
                f"Number of buckets must be at least 4 and a power of 2, got: {buckets}", op
            )
        store = Reserved(keys, values, empty._array.shape, default._array.shape)
        if not store.reserve(empty._array, deleted._array):
            raise blame.invalid("Empty and deleted keys cannot be equal", op)
        super().__init__(store, default, name)

    def _serialize_to_tensors(self) -> dict[str, Tensor]:
        store = self._store
        results = [
            Result(store.key_dtype, (None, *(store.key_shape or (1,)))),
            Result(store.value_dtype, (None, *(store.value_shape or (1,)))),
        ]
        return dict(zip(self._checkpoint_tensors, self._run(buckets, (), results), strict=True))

    def insert_or_assign(
        self, keys: TensorLike, values: TensorLike, name: str | None = None
    ) -> None:
        """The same as `insert`.

        Args:
            keys: A tensor of keys.
            values: The value of each.
        """
        self.insert(keys, values)

    def erase(self, keys: TensorLike, name: str | None = None) -> None:
        """The same as `remove`.

        Args:
            keys: A tensor of keys.
        """
        self.remove(keys)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys.

        Args:
            keys: A tensor of keys, ragged and sparse ones, too.

        Returns:
            The value of each key, or the default value: as `keys` is, dense, ragged or sparse.

        Raises:
            TypeError: If the keys have another dtype than the table's.
            InvalidArgumentError: If one is the empty or the deleted key.
        """
        return with_rows(keys, lambda k: self._found(self._keys(k, "lookup"), self._default))


class Reserved(Store):
    """A store with keys that are not allowed."""

    empty: np.ndarray
    deleted: np.ndarray
    _reserved: KeyRows | None = None

    def reserve(self, empty: np.ndarray, deleted: np.ndarray) -> bool:
        """Allow these keys no longer; whether they differ."""
        self.empty, self.deleted = empty, deleted
        found = KeyRows(of_strings=not self._as_integers)
        for key in (empty, deleted):
            found.add(super().keys_in(key))
        self._reserved = found
        return len(found) == 2

    def keys_in(self, keys: np.ndarray) -> np.ndarray:
        given = super().keys_in(keys)
        if self._reserved is not None:
            rows, others = self._reserved.find(given)
            if others < len(given):
                name = ("empty_key", "deleted_key")[rows[rows != NONE][0]]
                raise blame.invalid(f"Using the {name} as a table key is not allowed", "lookup")
        return given

    def replace(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Hold these keys and values; what are no keys are empty places of TensorFlow's table."""
        assert self._reserved is not None
        free = self._reserved.find(super().keys_in(keys))[0] == NONE
        super().replace(keys[free], values[free])


__all__ = ["DenseHashTable", "MutableHashTable", "Reserved"]
