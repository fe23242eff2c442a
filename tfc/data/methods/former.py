"""TensorFlow 1's names."""

from __future__ import annotations

from typing import Any

from ...core import blame, nest
from ...core.tensor import Tensor
from ..iterator import Iterator, graph_trace
from .base import DatasetBase


class Former(DatasetBase):
    """TensorFlow 1's names."""

    def make_one_shot_iterator(self) -> Iterator:
        """TensorFlow 1's `iter(dataset)`.

        Returns:
            An Iterator.

        >>> import tfc.compat.v1 as tf
        >>> elements = tf.data.Dataset.range(2).make_one_shot_iterator()
        >>> print(elements.get_next().numpy(), elements.get_next().numpy())
        0 1
        """
        graph = graph_trace()
        return iter(self) if graph is None else graph.iterator(self._plan, True)  # type: ignore

    def make_initializable_iterator(self, shared_name: str | None = None) -> Iterator:
        """An iterator of a graph, which begins when a session runs its `initializer`.

        Args:
            shared_name: Not used.

        Returns:
            An Iterator, whose `get_next` gives tensors of the graph.

        Raises:
            RuntimeError: As in TensorFlow where ops run at once: write `iter(dataset)`.

        >>> import tfc.compat.v1 as tf
        >>> with tf.Graph().as_default(), tf.Session() as session:
        ...     elements = tf.data.Dataset.range(3).make_initializable_iterator()
        ...     x = elements.get_next()
        ...     session.run(elements.initializer)
        ...     print(session.run(x), session.run(x))
        0 1
        """
        graph = graph_trace()
        if graph is not None:
            found: Iterator = graph.iterator(self._plan, False)
            return found
        raise blame.runtime_error(
            "`make_initializable_iterator()` is not supported in eager mode. Use Python-style "
            "iteration instead: iter(dataset)"
        )

    @property
    def output_types(self) -> Any:
        """The dtypes of an element, in its structure."""
        return self._plan.spec.structure.pack(
            [getattr(leaf, "dtype", None) for leaf in self._plan.spec.leaves]
        )

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element, in its structure."""
        return self._plan.spec.structure.pack(
            [getattr(leaf, "shape", None) for leaf in self._plan.spec.leaves]
        )

    @property
    def output_classes(self) -> Any:
        """The classes of the parts of an element, in its structure."""
        return nest.map_structure(
            lambda leaf: getattr(leaf, "value_type", Tensor), self._plan.spec.nested
        )


__all__ = ["Former"]
