"""Ragged tensors as arrays of NumPy: what sessions give, and take in their place."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


class RaggedTensorValue:
    """A ragged tensor as arrays of NumPy: what `Session.run` gives for one.

    Args:
        values: All rows one after the other: an array, or a RaggedTensorValue.
        row_splits: Where rows begin and end: an array of int32 or int64.

    Raises:
        TypeError: If they are no such.

    >>> import tfc.compat.v1 as tf
    >>> tf.ragged.constant_value([[1, 2], [3]])
    tf.RaggedTensorValue(values=array([1, 2, 3]), row_splits=array([0, 2, 3]))
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        fits = isinstance(row_splits, np.ndarray | np.generic)
        if not fits or row_splits.dtype not in (np.int64, np.int32) or row_splits.ndim != 1:
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, np.ndarray | np.generic | RaggedTensorValue):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and values.row_splits.dtype != row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    @property
    def values(self) -> Any:
        """All rows one after the other: an array, or a RaggedTensorValue."""
        return self._values

    @property
    def row_splits(self) -> Any:
        """Where rows begin and end."""
        return self._row_splits

    @property
    def flat_values(self) -> Any:
        """The values of the innermost ragged axis: an array."""
        inner = self._values
        return inner.flat_values if isinstance(inner, RaggedTensorValue) else inner

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of every ragged axis, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedTensorValue) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of the values."""
        return self._values.dtype

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The extents; None for ragged axes."""
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    def to_list(self) -> list[Any]:
        """Nested lists of the elements.

        Returns:
            A list.
        """
        inner = self._values
        rows = inner.to_list() if isinstance(inner, RaggedTensorValue) else inner.tolist()
        return [rows[a:b] for a, b in itertools.pairwise(self._row_splits)]

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"


def packed(flat: Any, *splits: Any) -> Any:
    """The value with these splits, the outermost first."""
    for row_splits in reversed(splits):
        flat = RaggedTensorValue(flat, row_splits)
    return flat


__all__ = ["RaggedTensorValue", "packed"]
