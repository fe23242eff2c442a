"""Lookup tables that begin with the elements of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_element_type, string

from ..core import blame
from ..core.specs import TensorSpec
from ..core.types import DTypeLike, TensorLike
from ..ops.lookup.static import StaticHashTable, StaticVocabularyTable
from .dataset import Dataset
from .elements import joined
from .methods.base import whole
from .plan import begin
from .plans.checking import Asserted

_AT_ONCE = 4096  # elements; not measured


class DatasetInitializer:
    """Keys and values of a table, from the elements of a dataset, which is gone through when the
    table is made.

    Args:
        dataset: A Dataset of pairs of scalars, a key and its value.

    Raises:
        ValueError: If its elements are others.

    >>> import tfc as tf
    >>> keys = tf.data.Dataset.range(3)
    >>> pairs = tf.data.Dataset.zip((keys, keys.map(lambda x: tf.strings.as_string(x * 2))))
    >>> init = tf.data.experimental.DatasetInitializer(pairs)
    >>> table = tf.lookup.StaticHashTable(init, "")
    >>> print(table.lookup(tf.constant([2, 5], tf.int64)))
    tf.Tensor([b'4' b''], shape=(2,), dtype=string)
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._leaves = _pair(dataset.element_spec)

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._leaves[0].dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._leaves[1].dtype

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys and values, from one iteration over the dataset.

        Returns:
            Two vectors of NumPy.
        """
        plan = self.dataset._plan
        cursor = plan.cursor(begin(plan))
        chunks = []
        try:
            while len(chunk := cursor.take(_AT_ONCE)):
                chunks.append(chunk)
        finally:
            cursor.close()
        columns = joined(chunks).columns() if chunks else None
        if columns is None:
            return self.key_dtype.zeros(0), self.value_dtype.zeros(0)
        keys, values = (np.asarray(column._array) for column in columns)
        return keys, values


def _pair(spec: Any) -> Sequence[TensorSpec]:
    """The specs of a key and a value."""
    wanted = "a table begins with pairs of scalars, (key, value)"
    if not isinstance(spec, tuple) or len(spec) != 2:
        raise blame.value_error(f"{wanted}, not with elements {spec}", "DatasetInitializer")
    for what, leaf in zip(("keys", "values"), spec, strict=True):
        if not isinstance(leaf, TensorSpec) or leaf.shape.rank not in (None, 0):
            raise blame.value_error(f"{wanted}; the {what} are {leaf}", "DatasetInitializer")
    return spec


def table_from_dataset(
    dataset: Dataset,
    num_oov_buckets: Any = 0,
    vocab_size: Any = None,
    default_value: TensorLike | None = None,
    hasher_spec: Any = None,
    key_dtype: DTypeLike = string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """A table of the pairs of a dataset.

    Args:
        dataset: A Dataset of pairs of scalars, a key and its value.
        num_oov_buckets: How many numbers there are for keys that are not there, behind those of the
            table; 0 to give these the default value.
        vocab_size: How many elements the dataset is taken to have; None for all.
        default_value: The value of keys that are not there; None: -1.
        hasher_spec: None: a key's number follows from its fingerprint.
        key_dtype: The dtype of keys that are looked up, where there are buckets.

    Returns:
        A table.

    Raises:
        ValueError: If the elements are no pairs of scalars, there is no default value for values
            that are no numbers, or a number is too small.
        TypeError: If `key_dtype` is neither an integer nor string.
        FailedPreconditionError: If there are fewer elements than `vocab_size`, or a key has two
            different values.
        UnimplementedError: If there is a `hasher_spec`.

    >>> import tfc as tf
    >>> pairs = tf.data.Dataset.from_tensor_slices((["a", "b"], [10, 20]))
    >>> table = tf.data.experimental.table_from_dataset(pairs)
    >>> print(table.lookup(tf.constant(["b", "z"])))
    tf.Tensor([20 -1], shape=(2,), dtype=int32)
    """
    op = "table_from_dataset"
    _, value = _pair(dataset.element_spec)
    if default_value is None:
        default_value = -1
        if not (value.dtype.is_integer or value.dtype.is_floating):
            raise blame.value_error(
                f"`default_value` must be specified for values of type {value.dtype}", op
            )
    buckets = whole(num_oov_buckets, op, "num_oov_buckets")
    if buckets < 0:
        raise blame.value_error(f"`num_oov_buckets` must not be negative, got {buckets}", op)
    if hasher_spec is not None:
        raise blame.unimplemented("a hasher_spec", op)
    keys = as_element_type(key_dtype)
    if not keys.is_integer and keys is not string:
        raise blame.type_error(f"`key_dtype` must be an integer or string, got {keys}", op)
    if vocab_size is not None:
        count = whole(vocab_size, op, "vocab_size")
        if count < 1:
            raise blame.value_error(f"`vocab_size` must be greater than 0, got {count}", op)
        dataset = Dataset._of(Asserted(dataset.take(count)._plan, count))
    initializer = DatasetInitializer(dataset)
    if buckets:
        return StaticVocabularyTable(initializer, buckets, keys, name)
    return StaticHashTable(initializer, default_value, name)


def index_table_from_dataset(
    dataset: Dataset,
    num_oov_buckets: Any = 0,
    vocab_size: Any = None,
    default_value: TensorLike = -1,
    hasher_spec: Any = None,
    key_dtype: DTypeLike = string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """A table that numbers the elements of a dataset.

    Args:
        dataset: A Dataset of scalars, the keys, each of which comes once.
        num_oov_buckets: How many numbers there are for keys that are not there, behind those of the
            table; 0 to give these the default value.
        vocab_size: How many elements the dataset is taken to have; None for all.
        default_value: The value of keys that are not there.
        hasher_spec: None: a key's number follows from its fingerprint.
        key_dtype: The dtype of keys that are looked up, where there are buckets.

    Returns:
        A table, whose values are int64.

    Raises:
        ValueError: If the elements are no scalars, or a number is too small.
        TypeError: If `key_dtype` is neither an integer nor string.
        FailedPreconditionError: If a key comes twice, or there are fewer than `vocab_size`.
        UnimplementedError: If there is a `hasher_spec`.

    >>> import tfc as tf
    >>> words = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> table = tf.data.experimental.index_table_from_dataset(words, num_oov_buckets=1)
    >>> print(table.lookup(tf.constant(["b", "z"])))
    tf.Tensor([1 2], shape=(2,), dtype=int64)
    """
    numbered = dataset.enumerate().map(lambda number, key: (key, number))
    return table_from_dataset(
        numbered, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype, name
    )


__all__ = ["DatasetInitializer", "index_table_from_dataset", "table_from_dataset"]
