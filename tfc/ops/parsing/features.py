"""What `tf.io.parse_example` is to find in an example, and what it is to make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfc.ir.dtypes import int32

from ...core.types import DTypeLike


class FixedLenFeature(NamedTuple):
    """A feature with as many values in each example: a tensor of shape [examples, *shape].

    Args:
        shape: Of one example.
        dtype: float32, int64 or string.
        default_value: For examples without the feature; without one it is required.

    >>> import tfc as tf
    >>> tf.io.parse_single_example(b"", {"x": tf.io.FixedLenFeature([2], tf.int64, 7)})["x"].numpy()
    array([7, 7])
    """

    shape: Sequence[int]
    dtype: DTypeLike
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """A feature with any number of values: a SparseTensor of shape [examples, most values].

    Args:
        dtype: float32, int64 or string.

    >>> import tfc as tf
    >>> x = {"float_list": {"value": [0.5, 2.0]}}
    >>> data = tf.train.Example(features={"feature": {"x": x}}).SerializeToString()
    >>> found = tf.io.parse_example([data, b""], {"x": tf.io.VarLenFeature(tf.float32)})
    >>> tf.sparse.to_dense(found["x"]).numpy()
    array([[0.5, 2. ],
           [0. , 0. ]], dtype=float32)
    """

    dtype: DTypeLike


class FixedLenSequenceFeature(NamedTuple):
    """A feature with any number of parts of a shape: a tensor of shape [examples, most parts,
    *shape], filled up with the default value.

    Args:
        shape: Of one part.
        dtype: float32, int64 or string.
        allow_missing: Whether examples may lack it, which must be so in `parse_example`.
        default_value: What fills up; by default zeros and empty strings.

    >>> import tfc as tf
    >>> x = {"int64_list": {"value": [1, 2, 3]}}
    >>> data = tf.train.Example(features={"feature": {"x": x}}).SerializeToString()
    >>> feature = tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)
    >>> tf.io.parse_example([data, b""], {"x": feature})["x"].numpy()
    array([[1, 2, 3],
           [0, 0, 0]])
    """

    shape: Sequence[int]
    dtype: DTypeLike
    allow_missing: bool = False
    default_value: Any = None


class SparseFeature(NamedTuple):
    """A SparseTensor whose indices and values are features: shape [examples, *size].

    Args:
        index_key: The feature with the indices, int64; a list of them for several dimensions.
        value_key: The feature with the values.
        dtype: Of the values: float32, int64 or string.
        size: The extent of each dimension.
        already_sorted: Whether indices are in order in every example.

    >>> import tfc as tf
    >>> features = {"i": {"int64_list": {"value": [3]}}, "v": {"float_list": {"value": [0.5]}}}
    >>> data = tf.train.Example(features={"feature": features}).SerializeToString()
    >>> feature = tf.io.SparseFeature("i", "v", tf.float32, size=5)
    >>> tf.sparse.to_dense(tf.io.parse_single_example(data, {"x": feature})["x"]).numpy()
    array([0. , 0. , 0. , 0.5, 0. ], dtype=float32)
    """

    index_key: str | Sequence[str]
    value_key: str
    dtype: DTypeLike
    size: int | Sequence[int]
    already_sorted: bool = False


class RowSplits(NamedTuple):
    """Rows begin and end where this feature says."""

    key: str


class RowLengths(NamedTuple):
    """Rows have the lengths that this feature says."""

    key: str


class RowStarts(NamedTuple):
    """Rows begin where this feature says."""

    key: str


class RowLimits(NamedTuple):
    """Rows end where this feature says."""

    key: str


class ValueRowIds(NamedTuple):
    """Values are in the rows that this feature says."""

    key: str


class UniformRowLength(NamedTuple):
    """All rows have this length."""

    length: int


class RaggedFeature(NamedTuple):
    """A feature with any number of values: a RaggedTensor with a row for each example.

    Args:
        dtype: float32, int64 or string.
        value_key: The feature with the values; by default the key of this one.
        partitions: What parts the values of an example into rows, the outermost first:
            `RaggedFeature.RowSplits("key")`, `RowLengths`, `RowStarts`, `RowLimits`, `ValueRowIds`,
            or `UniformRowLength(length)`.
        row_splits_dtype: int32 or int64.
        validate: Is not looked at: partitions are always checked.

    >>> import tfc as tf
    >>> values, lengths = {"value": [1, 2, 3]}, {"value": [2, 1]}
    >>> features = {"v": {"int64_list": values}, "n": {"int64_list": lengths}}
    >>> data = tf.train.Example(features={"feature": features}).SerializeToString()
    >>> rows = tf.io.RaggedFeature(tf.int64, "v", [tf.io.RaggedFeature.RowLengths("n")])
    >>> tf.io.parse_example([data], {"x": rows})["x"]
    <tf.RaggedTensor [[[1, 2], [3]]]>
    """

    dtype: DTypeLike
    value_key: str | None = None
    partitions: Sequence[Any] = ()
    row_splits_dtype: DTypeLike = int32
    validate: bool = False


for _partition in (RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength):
    setattr(RaggedFeature, _partition.__name__, _partition)
