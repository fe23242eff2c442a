"""Functions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

from ...core import blame
from ..functions import ElementFunction, predicate_function
from ..plans.checking import IgnoreErrors
from ..plans.flattening import DatasetFunction, FlatMap, Interleave
from ..plans.mapping import Filter, Map
from ..plans.scanning import TakeWhile, scanned
from ..reducing import reduced
from .base import AUTOTUNE, DatasetBase, positive, threads, whole


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
            num_parallel_calls: How many threads call it, where it calls Python (py_function, what
                cannot be traced); tf.data.AUTOTUNE: as many as there are processors. So many
                elements are read ahead, and they keep their order. What is one program needs none.
            deterministic: Not used: the order is always that of the elements.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda x: x * 10)
        >>> print(*dataset.as_numpy_iterator())
        0 10 20
        """
        plan = self._plan
        function = ElementFunction(map_func, plan.spec, "map", plan.first)
        return self._of(Map(plan, function, threads(num_parallel_calls, "map")))

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
            raise blame.type_error(
                f"`transformation_func` must return a `tf.data.Dataset` object. Got {type(found)}.",
                "apply",
            )
        return found

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Self:
        """The elements of the datasets that a function makes of elements, one after another.

        The function is called with each element; what its datasets have for elements is found by
        calling it once with symbolic tensors.

        Args:
            map_func: A function of an element that gives a Dataset.

        Returns:
            A Dataset.

        Raises:
            TypeError: If the function returns anything else.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> print(*dataset.flat_map(tf.data.Dataset.from_tensor_slices).as_numpy_iterator())
        1 2 3 4
        """
        plan = self._plan
        function = DatasetFunction(map_func, plan.spec, "flat_map", plan.first)
        return self._of(FlatMap(plan, function))

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """The elements of such datasets in turns: so many of one, then so many of the next.

        Args:
            map_func: A function of an element that gives a Dataset.
            cycle_length: How many datasets are open at a time; None or tf.data.AUTOTUNE: 16, on any
                machine, so that the order is the same.
            block_length: How many elements of each come in its turn; None: 1.
            num_parallel_calls: How many threads open datasets and read the next elements of each, a
                block at most; tf.data.AUTOTUNE: as many as there are processors.
            deterministic: Not used: the order is the same with and without threads.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If a number is not positive.
            TypeError: If the function returns anything but a Dataset.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(1, 4).interleave(
        ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2
        ... )
        >>> print(*dataset.as_numpy_iterator())
        1 1 2 2 1 2 3 3 3
        """
        op = "interleave"
        chosen = cycle_length is None or whole(cycle_length, op, "cycle_length") == AUTOTUNE
        cycle = _CYCLE if chosen else positive(cycle_length, op, "cycle_length")
        block = 1 if block_length is None else positive(block_length, op, "block_length")
        plan = self._plan
        function = DatasetFunction(map_func, plan.spec, op, plan.first)
        calls = threads(num_parallel_calls, op)
        return self._of(Interleave(plan, function, cycle, block, calls))

    def scan(
        self, initial_state: Any, scan_func: Callable[..., Any], name: str | None = None
    ) -> Self:
        """What a function makes of a state and each element, beside the next state.

        Args:
            initial_state: A tensor, or a structure of them.
            scan_func: A function of the state and an element that gives the next state and an
                output.

        Returns:
            A Dataset of the outputs.

        Raises:
            TypeError: If it returns anything else, or the state changes its structure or dtypes.

        >>> import tfc as tf
        >>> def add(total, x):
        ...     return total + x, total + x
        >>> sums = tf.data.Dataset.range(1, 5).scan(tf.constant(0, tf.int64), add)
        >>> print(*sums.as_numpy_iterator())
        1 3 6 10
        """
        return self._of(scanned(self._plan, initial_state, scan_func))

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Self:
        """The elements before the first one that a function says no to.

        Args:
            predicate: A function of an element that gives a bool scalar.

        Returns:
            A Dataset.

        Raises:
            ValueError: If it returns anything else.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(10).take_while(lambda x: x < 3).as_numpy_iterator())
        0 1 2
        """
        plan = self._plan
        function = predicate_function(predicate, plan.spec, "take_while", plan.first)
        return self._of(TakeWhile(plan, function))

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Self:
        """The elements that can be computed: where one fails, the next one comes.

        Args:
            log_warning: Whether to log what failed, as a warning of Python's `logging`.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 0.0, 4.0])
        >>> checked = numbers.map(lambda x: tf.debugging.check_numerics(1.0 / x, "no number"))
        >>> print(*checked.ignore_errors().as_numpy_iterator())
        1.0 0.5 0.25
        """
        return self._of(IgnoreErrors(self._plan, bool(log_warning)))


_CYCLE: Final = 16  # open datasets: files, mostly


__all__ = ["Functions"]
