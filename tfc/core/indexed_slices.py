"""IndexedSlices: a tensor of which some rows are given, such as the gradient of a gather.

Rows that are named several times add up. Where a tensor is wanted, it is made of the slices: a
dense one of zeros, to which the rows are added in their order.
"""

from __future__ import annotations

from typing import Any

from . import above, blame
from .containers import Composite, Expanded
from .conversion import convert_to_tensor
from .shapes import TensorShape


class IndexedSlices(Composite):
    """The rows `values` at the `indices` of a tensor of shape `dense_shape`, which is 0 elsewhere.

    Args:
        values: The rows: a tensor.
        indices: Where they belong along the first axis: integers.
        dense_shape: The shape of the tensor that they are rows of: a vector of integers; None where
            it is not known.

    >>> import tfc as tf
    >>> table = tf.Variable([[1.0], [2.0], [3.0]])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(tf.gather(table, [2, 0, 2]))
    >>> g = tape.gradient(y, table)
    >>> g.indices.numpy().tolist(), g.values.shape
    ([2, 0, 2], TensorShape([3, 1]))
    >>> tf.convert_to_tensor(g).numpy().tolist()
    [[1.0], [0.0], [2.0]]
    """

    __slots__ = ("__weakref__", "_dense_shape", "_given", "_indices", "_values")
    __array_priority__ = 100
    _is_tensor = True

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._given = values
        self._values = convert_to_tensor(values)
        self._indices = convert_to_tensor(indices)
        self._dense_shape = None if dense_shape is None else convert_to_tensor(dense_shape)

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    def values_as(self, dtype: Any) -> Any:
        """The rows; those that were given as Python numbers are converted to this dtype alone.

        Args:
            dtype: The dtype for numbers.

        Returns:
            A tensor: of another dtype, if the rows were given as one.
        """
        numbers = isinstance(self._given, list | tuple | float)
        return convert_to_tensor(self._given, dtype) if numbers else self._values

    @property
    def indices(self) -> Any:
        """Where they belong along the first axis."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the tensor that they are rows of, as a tensor of integers, or None."""
        return self._dense_shape

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._values.dtype

    @property
    def device(self) -> str:
        """Where the memory is."""
        device: str = self._values.device
        return device

    @property
    def name(self) -> str:
        """The name of the values."""
        return str(getattr(self._values, "name", "IndexedSlices"))

    @property
    def shape(self) -> TensorShape:
        """The shape of the tensor that they are rows of, as far as it is known."""
        rest = self._values.shape[self._indices.shape.rank :]
        if self._dense_shape is None:
            return TensorShape([None]).concatenate(rest)
        return TensorShape(above.known_numbers(self._dense_shape))

    @property
    def _type_spec(self) -> Any:
        dense = self._dense_shape
        return above.slices_spec(
            self.shape,
            self.dtype,
            self._indices.dtype,
            None if dense is None else dense.dtype,
            self._indices.shape,
        )

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        Returns:
            A TensorShape.
        """
        return self.shape

    def consumers(self) -> None:
        """TensorFlow's: the ops that use it in a graph, which is not there.

        Raises:
            NotImplementedError: Always.
        """
        self._values.consumers()

    def dense(self) -> Any:
        """The tensor that they are rows of. Rows with one index are added up, in their order.

        Returns:
            A tensor.

        Raises:
            ValueError: If `dense_shape` is not known.
        """
        if self._dense_shape is None:
            raise blame.value_error(
                f"Tensor conversion requested for IndexedSlices without dense_shape: {self!r}",
                "convert_to_tensor",
            )
        return above.dense(self)

    def _as_tensor(self) -> Any:
        return self.dense()

    def with_values(self, values: Any) -> IndexedSlices:
        """Other rows at the same indices.

        Args:
            values: The rows.

        Returns:
            IndexedSlices.
        """
        return IndexedSlices(values, self._indices, self._dense_shape)

    def _parts(self) -> Expanded:
        return Rows((self.values, self.indices, self.dense_shape))

    def __neg__(self) -> IndexedSlices:
        values: Any = self._values
        return self.with_values(-values)

    def __repr__(self) -> str:
        dense = "" if self._dense_shape is None else f", dense_shape={self._dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{dense})"


def dense(value: Any) -> Any:
    """A tensor in the place of IndexedSlices; anything else as it is."""
    return value.dense() if isinstance(value, IndexedSlices) else value


class Rows(Expanded):
    make = IndexedSlices
