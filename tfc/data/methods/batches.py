"""Batches."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from tfc.ir.dtypes import as_dtype, int64

from ...core import blame
from ...core.shapes import TensorShape
from ...core.types import DTypeLike
from ..plans.batching import Batch
from ..plans.padding import RaggedBatch, SparseBatch, padded_batches
from ..plans.unbatching import Rebatch, Unbatch
from .base import DatasetBase, dropping, positive


class Batches(DatasetBase):
    """Batches."""

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """So many elements along a new first axis; the last batch may be smaller.

        Args:
            batch_size: How many.
            drop_remainder: Whether to leave out a smaller one at the end, so that the size is
                known.

        Returns:
            A Dataset. Where elements differ in shape, an InvalidArgumentError says which.

        Raises:
            InvalidArgumentError: If the size is not positive.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(5).batch(2).as_numpy_iterator())
        [0 1] [2 3] [4]
        """
        size = positive(batch_size, "batch", "batch_size", "Batch size")
        return self._of(Batch(self._plan, size, dropping(drop_remainder, batch_size)))

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """So many elements along a new first axis, filled up to one shape.

        Args:
            batch_size: How many.
            padded_shapes: The shape, or a structure of shapes; an unknown extent (None or -1) is
                that of the largest element in the batch. None: the extents that are unknown in the
                spec of the elements.
            padding_values: What is filled in: a scalar, or a structure of them. None: 0, and empty
                strings.
            drop_remainder: Whether to leave out a smaller batch at the end.

        Returns:
            A Dataset. An element that is larger than its padded shape is a DataLossError.

        Raises:
            InvalidArgumentError: If the size is not positive.
            ValueError: If a shape does not fit the elements.
            TypeError: If elements are no tensors, or a padding value has another dtype.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(1, 4).map(lambda x: tf.fill([x], x))
        >>> for batch in dataset.padded_batch(3, padding_values=tf.constant(-1, tf.int64)):
        ...     print(batch.numpy().tolist())
        [[1, -1, -1], [2, 2, -1], [3, 3, 3]]
        """
        size = positive(batch_size, "padded_batch", "batch_size", "Batch size")
        drops = dropping(drop_remainder, batch_size)
        plan = padded_batches(self._plan, size, padded_shapes, padding_values, drops)
        return self._of(plan)

    def ragged_batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        row_splits_dtype: DTypeLike = int64,
        name: str | None = None,
    ) -> Self:
        """So many elements along a new first axis; where the spec of the elements has an unknown
        extent, as a RaggedTensor.

        Args:
            batch_size: How many.
            drop_remainder: Whether to leave out a smaller batch at the end.
            row_splits_dtype: The dtype of the splits, int32 or int64.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If the size is not positive.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda x: tf.fill([x], x))
        >>> print(*dataset.ragged_batch(3))
        <tf.RaggedTensor [[], [1], [2, 2]]>
        """
        size = positive(batch_size, "ragged_batch", "batch_size", "Batch size")
        drops = dropping(drop_remainder, batch_size)
        return self._of(RaggedBatch(self._plan, size, drops, as_dtype(row_splits_dtype)))

    def sparse_batch(self, batch_size: Any, row_shape: Any, name: str | None = None) -> Self:
        """So many tensors along a new first axis, as a SparseTensor with all their elements.

        Args:
            batch_size: How many.
            row_shape: The shape of a row of the result, None where it is that of the largest one.

        Returns:
            A Dataset. A tensor that is larger than a row is an InvalidArgumentError.

        Raises:
            InvalidArgumentError: If the size is not positive.
            TypeError: If elements are not single tensors.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda x: tf.fill([x], x))
        >>> for batch in dataset.sparse_batch(3, [4]):
        ...     print(tf.sparse.to_dense(batch).numpy().tolist())
        [[0, 0, 0, 0], [1, 0, 0, 0], [2, 2, 0, 0]]
        """
        size = positive(batch_size, "sparse_batch", "batch_size", "Batch size")
        return self._of(SparseBatch(self._plan, size, TensorShape(row_shape)))

    def unbatch(self, name: str | None = None) -> Self:
        """The rows of the elements, one after another.

        Returns:
            A Dataset. Where leaves of an element have different numbers of rows, an
            InvalidArgumentError says so.

        Raises:
            ValueError: If elements have scalars, or by their specs different numbers of rows.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> print(*dataset.unbatch().as_numpy_iterator())
        1 2 3 4
        """
        return self._of(Unbatch(self._plan))

    def rebatch(
        self, batch_size: Any, drop_remainder: bool = False, name: str | None = None
    ) -> Self:
        """Batches of other sizes: as `unbatch` and `batch`, but for elements that are batches.

        Args:
            batch_size: How many elements, or a list of sizes that are taken in turns.
            drop_remainder: Whether to leave out a smaller batch at the end.

        Returns:
            A Dataset.

        Raises:
            ValueError: If a size is negative, or all are 0.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(7).batch(4)
        >>> print(*dataset.rebatch([2, 1]).as_numpy_iterator())
        [0 1] [2] [3 4] [5] [6]
        """
        sizes = [int(n) for n in np.reshape(np.asarray(batch_size), [-1])]
        if not sizes or min(sizes) < 0 or not any(sizes):
            raise blame.value_error(f"batch_size must be positive, got {sizes}", "rebatch")
        return self._of(Rebatch(self._plan, sizes, bool(drop_remainder)))


__all__ = ["Batches"]
