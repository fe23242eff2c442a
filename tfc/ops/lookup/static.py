"""Tables that stay as they begin: `StaticHashTable`, `StaticVocabularyTable`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_element_type, int32, int64, string

from ...core import blame
from ...core.conversion import convert_to_tensor
from ...core.errors import FailedPreconditionError
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ..arguments import whole_number
from ..array.conversion import cast
from ..strings.hashing import fingerprint64
from .initializers import Initializer
from .store import Store, shown
from .tables import Table, by_key, default_of, with_rows


def _filled(initializer: Initializer, op: str) -> Store:
    """A store with what an initializer gives."""
    keys, values = initializer.read()
    key_dtype, value_dtype = map(as_element_type, (initializer.key_dtype, initializer.value_dtype))
    store = Store(key_dtype, value_dtype, fixed=True)
    clash = store.insert_once(keys, values)
    if clash is not None:
        key, first, second = map(shown, clash)
        raise FailedPreconditionError(
            f"HashTable has different value for same key. Key {key} has {first} and trying to add "
            f"value {second}",
            op=op,
        )
    return store


class StaticHashTable(Table):
    """A table that stays as it is made: values by keys.

    Args:
        initializer: What it begins with: `KeyValueTensorInitializer`, `TextFileInitializer`.
        default_value: The value of keys that are not there.
        name: Its name.
        experimental_is_anonymous: Not used: no table is shared by its name.

    Raises:
        FailedPreconditionError: If a key has two different values.
        TypeError: If `default_value` has another dtype than the values.

    >>> import tfc as tf
    >>> table = tf.lookup.StaticHashTable(
    ...     tf.lookup.KeyValueTensorInitializer(["a", "b"], [0, 1]), default_value=-1)
    >>> print(table.lookup(tf.constant([["b", "z"]])))
    tf.Tensor([[ 1 -1]], shape=(1, 2), dtype=int32)
    >>> @tf.function
    ... def numbers(line):
    ...     return table[tf.strings.split(line)]
    >>> print(numbers(tf.constant("a b c")))
    tf.Tensor([ 0  1 -1], shape=(3,), dtype=int32)
    """

    _default: Tensor

    def __init__(
        self,
        initializer: Initializer,
        default_value: TensorLike,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        op = "StaticHashTable"
        default = default_of(default_value, as_element_type(initializer.value_dtype), op)
        if default.shape.rank:
            raise blame.value_error(
                f"Shapes {default.shape} and () are not compatible: default_value is a scalar", op
            )
        super().__init__(_filled(initializer, op), default, name or "hash_table")
        self._initializer = initializer

    def _trackable_children(self) -> dict[str, Any]:
        return {"_initializer": self._initializer}  # nothing to save: TensorFlow's graphs have it

    @property
    def default_value(self) -> Tensor:
        """The value of keys that are not there."""
        return self._default

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys.

        Args:
            keys: A tensor of keys, ragged and sparse ones, too.

        Returns:
            The value of each key, or the default value: as `keys` is, dense, ragged or sparse.

        Raises:
            TypeError: If the keys have another dtype than the table's.
        """
        return with_rows(keys, lambda k: self._found(self._keys(k, "lookup"), self._default))


@by_key
def find_or_hash(store: Store, keys: np.ndarray, buckets: np.ndarray) -> tuple[np.ndarray, ...]:
    """The values of keys; for those that are not there, a number from their hash."""
    found = store.find(keys, np.array(-1, np.int64))
    first, count = len(store), int(buckets)
    missing = found < 0
    if missing.any():
        others = (_text(key) for key in keys[missing].tolist())
        found[missing] = [first + fingerprint64(key) % count for key in others]
    return (found,)


def _text(key: Any) -> bytes:
    return key if isinstance(key, bytes) else str(key).encode()


class StaticVocabularyTable(Table):
    """Numbers of words: those of a table, and for other words numbers behind them, by their hash.

    Args:
        initializer: What the table begins with: values are int64, each from 0 on; None for nothing.
        num_oov_buckets: How many numbers there are for words that are not there. (Which one it is
            follows from the word alone, as in TensorFlow.)
        lookup_key_dtype: The dtype of keys that are looked up; by default that of the table.
        name: Its name.
        experimental_is_anonymous: Not used: no table is shared by its name.

    Raises:
        ValueError: If `num_oov_buckets` is less than 1.
        TypeError: If values are no int64, or keys neither strings nor integers.

    >>> import tfc as tf
    >>> words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    >>> table = tf.lookup.StaticVocabularyTable(words, num_oov_buckets=3)
    >>> print(table.lookup(tf.constant(["a", "z", "y"])), table.size().numpy())
    tf.Tensor([0 3 4], shape=(3,), dtype=int64) 5
    """

    def __init__(
        self,
        initializer: Initializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: DTypeLike | None = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        op = "StaticVocabularyTable"
        buckets = whole_number(num_oov_buckets, "num_oov_buckets", op)
        if buckets < 1:
            raise blame.value_error("`num_oov_buckets` must be > 0; use StaticHashTable.", op)
        self._buckets = convert_to_tensor(buckets, int64)
        own = string if initializer is None else initializer.key_dtype
        self._key_dtype = own if lookup_key_dtype is None else as_element_type(lookup_key_dtype)
        if initializer is None:
            store = Store(self._key_dtype, int64, fixed=True)
        else:
            if initializer.value_dtype is not int64:
                raise blame.type_error(
                    f"Invalid `value_dtype`, expected {int64} but got {initializer.value_dtype}.",
                    op,
                )
            store = _filled(initializer, op)
        kinds = [d is string for d in (self._key_dtype, store.key_dtype)]
        allowed = all(d in (string, int32, int64) for d in (self._key_dtype, store.key_dtype))
        if not allowed or kinds[0] is not kinds[1]:
            raise blame.type_error(
                f"Invalid key dtype: keys are {store.key_dtype}, and {self._key_dtype} is looked "
                "up; both must be strings or integers",
                op,
            )
        super().__init__(store, None, name or "vocabulary_table")

    def _trackable_children(self) -> dict[str, Any]:
        return {}

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._key_dtype

    def size(self, name: str | None = None) -> Tensor:
        """How many numbers there are: words, and numbers of others.

        Returns:
            An int64 scalar.
        """
        return super().size() + self._buckets

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of words.

        Args:
            keys: A tensor of keys, ragged and sparse ones, too.

        Returns:
            int64: the number of each key, as `keys` is, dense, ragged or sparse.

        Raises:
            TypeError: If the keys have another dtype than the table's.
        """

        def of_tensor(given: Any) -> Tensor:
            tensor = self._keys(given, "lookup")
            if tensor.dtype is not self._store.key_dtype:
                tensor = cast(tensor, self._store.key_dtype)
            return self._found(tensor, self._buckets, find_or_hash)

        return with_rows(keys, of_tensor)


__all__ = ["StaticHashTable", "StaticVocabularyTable"]
