"""Functions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ...core import blame
from ...core.formatting import shown
from ..functions import ElementFunction, predicate_function
from ..mapping import Filter, Map
from ..reducing import reduced
from .base import DatasetBase


class Functions(DatasetBase):
    """Functions of elements."""

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Self:
        """What a function makes of each element.

        It is traced once, for one element, and runs natively; for a batch as a loop over its
        elements. A function that cannot be traced is called with each element.

        Args:
            map_func: The function. Where elements are tuples it gets their parts as arguments.
            num_parallel_calls: How many calls of Python functions may run at a time.
            deterministic: Not used: the order is always that of the elements.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda x: x * 10)
        >>> print(*dataset.as_numpy_iterator())
        0 10 20
        """
        plan = self._plan
        return self._of(Map(plan, ElementFunction(map_func, plan.spec, "map", plan.first)))

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Self:
        """The elements that a function says yes to.

        Args:
            predicate: A function of an element that gives a bool scalar.

        Returns:
            A Dataset.

        Raises:
            ValueError: If it returns anything else.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(6).filter(lambda x: x % 2 == 1).as_numpy_iterator())
        1 3 5
        """
        plan = self._plan
        return self._of(
            Filter(plan, predicate_function(predicate, plan.spec, "filter", plan.first))
        )

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: Any = None) -> Any:
        """The last state of `state = reduce_func(state, element)`.

        Args:
            initial_state: A tensor, or a structure of them.
            reduce_func: A function of the state and an element that gives the next state.

        Returns:
            The last state.

        Raises:
            TypeError: If the structure or a dtype of the state changes.

        >>> import tfc as tf
        >>> print(tf.data.Dataset.range(5).reduce(tf.constant(0, tf.int64), lambda s, x: s + x))
        tf.Tensor(10, shape=(), dtype=int64)
        """
        return reduced(self._plan, initial_state, reduce_func)

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """What a function makes of the dataset: for pipelines that are written as a chain.

        Args:
            transformation_func: A function of a Dataset.

        Returns:
            What it returns, a Dataset.

        Raises:
            TypeError: If it is no Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(9).apply(lambda d: d.take(2)).as_numpy_iterator())
        0 1
        """
        found = transformation_func(self)
        if not isinstance(found, DatasetBase):
            raise blame.type_error(f"the function returned {shown(found)}, no Dataset", "apply")
        return found


__all__ = ["Functions"]
