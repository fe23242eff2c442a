"""`tfc.compat.v1.ragged`: what it has beside `tfc.ragged`."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc

from ..graphs.ragged_values import RaggedTensorValue, packed
from ..graphs.trace import current_graph
from .graph_ops import placeholder as dense_placeholder


def constant_value(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:
    """Nested lists as arrays of NumPy.

    Args:
        pylist: Lists in lists, with all scalars at one depth; arrays count as lists.
        dtype: NumPy's dtype; None: what NumPy makes of the scalars.
        ragged_rank: How many axes, from the second on, are ragged; None: all that `inner_shape`
            leaves.
        inner_shape: The extents of the last axes, which are not ragged; None: none.
        row_splits_dtype: The dtype of the splits: int32 or int64.

    Returns:
        A RaggedTensorValue; an array, where no axis is ragged.

    Raises:
        ValueError: As `tfc.ragged.constant`.
        TypeError: If the splits have another dtype.

    >>> import tfc.compat.v1 as tf
    >>> tf.ragged.constant_value([[1, 2], [3]]).to_list()
    [[1, 2], [3]]
    """
    kind = np.dtype(getattr(row_splits_dtype, "as_numpy_dtype", row_splits_dtype))
    if kind not in (np.int32, np.int64):
        raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
    places = tfc.ragged.constant(pylist, None, ragged_rank, inner_shape)
    flat = [pylist]
    for _ in range(getattr(places, "ragged_rank", 0)):
        flat = [row for rows in flat for row in rows]
    if not isinstance(places, tfc.RaggedTensor):
        return np.array(pylist, dtype)
    rows = [row for rows in flat for row in rows]
    values = np.array(rows, dtype).reshape((len(rows), *places.flat_values.shape[1:]))
    return packed(values, *(s.numpy().astype(kind) for s in places.nested_row_splits))


def placeholder(
    dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None
) -> Any:
    """A ragged tensor of a graph that is fed when a session runs: with a RaggedTensorValue. Where
    ops run at once, as in TensorFlow, RuntimeError.

    Args:
        dtype: The dtype of the values.
        ragged_rank: How many axes are ragged; 0 makes a tensor.
        value_shape: The extents of each of the flat values; None: they are scalars.
        name: Its name.

    Returns:
        A RaggedTensor.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.ragged.placeholder(tf.int32, 1)
    ...     print(session.run(x + 1, {x: tf.ragged.constant_value([[1, 2], [3]], "int32")}))
    <tf.RaggedTensorValue [[2, 3], [4]]>
    """
    if ragged_rank == 0 or current_graph() is None:
        return dense_placeholder(dtype, value_shape, name)
    with tfc.name_scope(name or "RaggedPlaceholder"):
        extents = tfc.TensorShape([None]).concatenate([] if value_shape is None else value_shape)
        found = dense_placeholder(dtype, extents, "flat_values")
        for i in reversed(range(ragged_rank)):
            splits = dense_placeholder("int64", [None], f"row_splits_{i}")
            found = tfc.RaggedTensor.from_row_splits(found, splits, validate=False)
    return found


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(tfc.ragged, name):
        raise AttributeError(f"module 'tfc.compat.v1.ragged' has no attribute {name!r}")
    return getattr(tfc.ragged, name)


__all__ = ["RaggedTensorValue", "constant_value", "placeholder"]
