"""Batches."""

from __future__ import annotations

from typing import Any, Self

from ..batching import Batch
from .base import DatasetBase, positive


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
            ValueError: If the size is not positive.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(5).batch(2).as_numpy_iterator())
        [0 1] [2 3] [4]
        """
        size = positive(batch_size, "batch", "batch_size")
        return self._of(Batch(self._plan, size, bool(drop_remainder)))


__all__ = ["Batches"]
