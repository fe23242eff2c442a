"""`tfc.compat.v1.data`: `tfc.data`, and TensorFlow 1's functions beside it."""

from __future__ import annotations

from typing import Any

from tfc.data import *  # noqa: F403
from tfc.data import Dataset, Iterator
from tfc.data.nested import Unknown


def make_one_shot_iterator(dataset: Dataset) -> Iterator:
    """`iter(dataset)`; in graphs an iterator whose `get_next` gives tensors, and which begins by
    itself in each session.

    Args:
        dataset: A Dataset.

    Returns:
        An Iterator.

    >>> import tfc.compat.v1 as tf
    >>> elements = tf.data.make_one_shot_iterator(tf.data.Dataset.range(2))
    >>> print(elements.get_next().numpy())
    0
    """
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset: Dataset, shared_name: str | None = None) -> Iterator:
    """An iterator of a graph, which begins when a session runs its `initializer`.

    Args:
        dataset: A Dataset.
        shared_name: Not used.

    Returns:
        An Iterator, whose `get_next` gives tensors of the graph.

    Raises:
        RuntimeError: As in TensorFlow where ops run at once: write `iter(dataset)`.
    """
    return dataset.make_initializable_iterator(shared_name)


def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of an element, in its structure.

    Args:
        dataset_or_iterator: A Dataset or an Iterator.

    Returns:
        The structure.

    >>> import tfc.compat.v1 as tf
    >>> tf.data.get_output_types(tf.data.Dataset.range(2))
    tf.int64
    """
    return _dataset(dataset_or_iterator).output_types


def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of an element, in its structure.

    Args:
        dataset_or_iterator: A Dataset or an Iterator.

    Returns:
        The structure.
    """
    return _dataset(dataset_or_iterator).output_shapes


def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the parts of an element, in its structure.

    Args:
        dataset_or_iterator: A Dataset or an Iterator.

    Returns:
        The structure.
    """
    return _dataset(dataset_or_iterator).output_classes


def _dataset(value: Any) -> Dataset:
    return value if isinstance(value, Dataset) else Dataset(Unknown(value._spec))
