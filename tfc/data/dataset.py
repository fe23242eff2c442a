"""`Dataset`: the methods that users write pipelines with. Each makes a plan of another."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator as PythonIterator
from typing import Any, Final

import numpy as np

from tfc.ir.dtypes import as_dtype, int64

from ..core import blame, nest
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.specs import TensorSpec
from ..core.tensor import Tensor
from ..core.types import DTypeLike
from ..ops.random.distributions import global_seed
from .batching import Batch
from .caching import cached
from .combining import Concatenate, zipped
from .elements import ElementSpec, shapes_along
from .explaining import explained
from .functions import ElementFunction, predicate_function
from .iterator import Iterator
from .mapping import Filter, Map
from .order import Repeat, Shard, Skip, Take
from .plan import INFINITE, UNKNOWN, Plan, begin
from .prefetching import Prefetch
from .reducing import reduced
from .shuffling import Seeds, Shuffle
from .sources import Generator, Range, from_tensor_slices, from_tensors, range_of

AUTOTUNE: Final = -1
_PREFETCHED = 2  # elements, where AUTOTUNE leaves it to us: one is used, one is made

_seeds = Seeds()


class Dataset:
    """A sequence of elements: tensors, or structures of them, which are made as they are wanted.

    A dataset is not changed: each method gives another one. Its elements are nested in tuples,
    named tuples, dicts and dataclasses; a list is a tensor. A function gets the parts of a tuple as
    arguments of their own.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4])
    >>> for batch in dataset.map(lambda x: x * x).batch(3):
    ...     print(batch)
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    tf.Tensor([16], shape=(1,), dtype=int32)
    """

    _plan: Plan

    def __init__(self, plan: Plan) -> None:
        if not isinstance(plan, Plan):
            raise blame.type_error(
                "a Dataset is made by one of its functions, like Dataset.from_tensor_slices",
                "Dataset",
            )
        self._plan = plan

    # Sources.

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """One element.

        Args:
            tensors: A tensor, or a structure of them.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.from_tensors([1, 2]).as_numpy_iterator())
        [1 2]
        """
        return Dataset(from_tensors(tensors))

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """The rows of tensors.

        Args:
            tensors: A tensor with an axis, or a structure of them with equally many rows.

        Returns:
            A Dataset.

        Raises:
            ValueError: If a tensor is a scalar, or the numbers of rows differ.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices(([1, 2], ["a", "b"]))
        >>> print(*dataset.as_numpy_iterator())
        (np.int32(1), b'a') (np.int32(2), b'b')
        """
        return Dataset(from_tensor_slices(tensors))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """What a Python generator yields.

        Args:
            generator: A function that gives an iterable; it is called for each iteration.
            output_types: The dtypes, where there is no `output_signature`.
            output_shapes: The shapes beside them; None: any.
            args: Tensors that the function is called with, as ndarrays.
            output_signature: The specs of what is yielded.

        Returns:
            A Dataset. What it yields is checked: a TypeError says what does not fit.

        Raises:
            TypeError: If `generator` cannot be called, or no specs are given.

        >>> import tfc as tf
        >>> def count():
        ...     yield from [1, 2]
        >>> spec = tf.TensorSpec([], tf.int32)
        >>> print(*tf.data.Dataset.from_generator(count, output_signature=spec).as_numpy_iterator())
        1 2
        """
        op = "from_generator"
        if not callable(generator):
            raise blame.type_error("generator must be a function", op)
        if output_signature is None:
            if output_types is None:
                raise blame.type_error("output_signature must say what is yielded", op)
            output_signature = _signature(output_types, output_shapes)
        values = [] if args is None else [x.numpy() for x in map(convert_to_tensor, args)]
        return Dataset(Generator(lambda: generator(*values), ElementSpec.of(output_signature)))

    @staticmethod
    def range(*args: Any, output_type: DTypeLike = int64, name: str | None = None) -> Dataset:
        """Numbers at equal distances.

        Args:
            args: As those of Python's `range`: (stop), (start, stop) or (start, stop, step).
            output_type: The dtype.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If the step is 0.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(5, 1, -2).as_numpy_iterator())
        5 3
        """
        return Dataset(range_of(args, output_type))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """The elements of several datasets side by side, as many as the shortest has.

        Args:
            args: Datasets, or one structure of them.
            datasets: The structure, where there are no `args`.

        Returns:
            A Dataset; its elements are in the structure of the datasets.

        Raises:
            TypeError: If there is anything but a dataset.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.range(3)
        >>> print(*tf.data.Dataset.zip(numbers, numbers.skip(1)).as_numpy_iterator())
        (np.int64(0), np.int64(1)) (np.int64(1), np.int64(2))
        """
        given = datasets if not args else args[0] if len(args) == 1 else args
        leaves, structure = nest.decompose(given)
        if not leaves or not all(isinstance(leaf, Dataset) for leaf in leaves):
            raise blame.type_error(f"expected datasets, got {shown(given)}", "zip")
        return Dataset(zipped([leaf._plan for leaf in leaves], structure))

    # Functions of elements.

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
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
        return Dataset(Map(plan, ElementFunction(map_func, plan.spec, "map", plan.first)))

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
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
        return Dataset(Filter(plan, predicate_function(predicate, plan.spec, "filter", plan.first)))

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

    def apply(self, transformation_func: Callable[[Dataset], Any]) -> Any:
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
        if not isinstance(found, Dataset):
            raise blame.type_error(f"the function returned {shown(found)}, no Dataset", "apply")
        return found

    # Batches.

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
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
        size = _positive(batch_size, "batch", "batch_size")
        return Dataset(Batch(self._plan, size, bool(drop_remainder)))

    # Which elements, and in which order.

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first elements.

        Args:
            count: How many; -1: all.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(9).take(2).as_numpy_iterator())
        0 1
        """
        return Dataset(Take(self._plan, _whole(count, "take", "count")))

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """All but the first elements.

        Args:
            count: How many are left out; -1: all.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(4).skip(2).as_numpy_iterator())
        2 3
        """
        return Dataset(Skip(self._plan, _whole(count, "skip", "count")))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every `num_shards`-th element, from `index` on.

        Args:
            num_shards: How many shards there are.
            index: Which of them.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If there is no such shard.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(7).shard(3, 1).as_numpy_iterator())
        1 4
        """
        shards, number = _whole(num_shards, "shard", "num_shards"), _whole(index, "shard", "index")
        if shards < 1 or not 0 <= number < shards:
            raise blame.invalid(f"there is no shard {number} of {shards}", "shard")
        return Dataset(Shard(self._plan, shards, number))

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """The same again.

        Args:
            count: How often in all; None or -1: for ever.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(2).repeat(2).as_numpy_iterator())
        0 1 0 1
        """
        return Dataset(
            Repeat(self._plan, -1 if count is None else _whole(count, "repeat", "count"))
        )

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements in random order: each is drawn from a buffer, where the next one takes its
        place. With a buffer for all of them any order is equally likely.

        The order follows from the seed and the number of the iteration; it is the same on any
        machine, for any number of threads.

        Args:
            buffer_size: How many elements the buffer holds.
            seed: An integer; None: one of the global seed, or of the operating system.
            reshuffle_each_iteration: Whether each iteration has an order of its own (the default).

        Returns:
            A Dataset.

        Raises:
            ValueError: If the buffer has no place.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(5).shuffle(5, seed=1).as_numpy_iterator())
        4 3 1 2 0
        """
        if isinstance(buffer_size, Tensor) and int(buffer_size) == -1:
            buffer_size = None
        size = np.iinfo(np.int64).max if buffer_size is None else buffer_size
        count = self._plan.cardinality
        if buffer_size is None and count in (INFINITE, UNKNOWN):
            raise blame.value_error("the number of elements is not known: give a size", "shuffle")
        number = _positive(size, "shuffle", "buffer_size")
        drawn = _seeds.next(
            global_seed(), None if seed is None else _whole(seed, "shuffle", "seed")
        )
        reshuffles = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        return Dataset(Shuffle(self._plan, number, drawn, reshuffles))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another.

        Args:
            dataset: The other one; its elements have the same structure and dtypes.

        Returns:
            A Dataset.

        Raises:
            TypeError: If structures or dtypes differ.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.range(2)
        >>> print(*numbers.concatenate(numbers).as_numpy_iterator())
        0 1 0 1
        """
        if not isinstance(dataset, Dataset):
            raise blame.type_error(f"expected a Dataset, got {shown(dataset)}", "concatenate")
        return Dataset(Concatenate(self._plan, dataset._plan))

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """The elements with their numbers in front.

        Args:
            start: The first number.

        Returns:
            A Dataset of pairs of an int64 scalar and an element.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.from_tensor_slices([7, 8]).enumerate().as_numpy_iterator())
        (np.int64(0), np.int32(7)) (np.int64(1), np.int32(8))
        """
        first = _whole(start, "enumerate", "start")
        numbers = Range(first, np.iinfo(np.int64).max, 1, int64)
        return Dataset(zipped([numbers, self._plan], nest.decompose((0, 0))[1]))

    # Time and memory.

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """The same elements, which are computed once and kept.

        Args:
            filename: A file to keep them in; "": memory.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).cache().as_numpy_iterator())
        0 1 2
        """
        return Dataset(cached(self._plan))

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """The same elements, some of which a thread makes before they are asked for.

        Args:
            buffer_size: How many at most; tf.data.AUTOTUNE: two.

        Returns:
            A Dataset.

        Raises:
            ValueError: If it is negative.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE).as_numpy_iterator())
        0 1 2
        """
        size = _whole(buffer_size, "prefetch", "buffer_size")
        if size < 0 and size != AUTOTUNE:
            raise blame.value_error(f"buffer_size is {size}, which is negative", "prefetch")
        return Dataset(Prefetch(self._plan, _PREFETCHED if size == AUTOTUNE else size))

    # Looking at it.

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a spec for each leaf."""
        return self._plan.spec.nested

    def cardinality(self, name: str | None = None) -> Tensor:
        """How many elements there are.

        Returns:
            An int64 scalar; tf.data.INFINITE_CARDINALITY or tf.data.UNKNOWN_CARDINALITY.

        >>> import tfc as tf
        >>> int(tf.data.Dataset.range(42).cardinality())
        42
        """
        return convert_to_tensor(self._plan.cardinality, int64)

    def explain(self) -> str:
        """How the elements are made: which steps only change numbers, which functions are one
        program for a batch, and which are called with each element, and why.

        Returns:
            A text, a line a step, the last step first.

        >>> import tfc as tf
        >>> print(tf.data.Dataset.range(8).map(lambda x: x * x).batch(4).explain())
        batch 4                             2 elements, indexed
          map <lambda>                      8 elements, indexed, one program for many
            Range                           8 elements, indexed
        """
        return explained(self._plan)

    def as_numpy_iterator(self) -> PythonIterator[Any]:
        """The elements as ndarrays.

        Returns:
            An iterator.

        >>> import tfc as tf
        >>> next(tf.data.Dataset.from_tensors({"a": [1, 2]}).as_numpy_iterator())
        {'a': array([1, 2], dtype=int32)}
        """
        return _numpy(self)

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset of one.

        Returns:
            It, in its structure.

        Raises:
            InvalidArgumentError: If there are none, or several.

        >>> import tfc as tf
        >>> print(tf.data.Dataset.range(3).batch(3).get_single_element())
        tf.Tensor([0 1 2], shape=(3,), dtype=int64)
        """
        cursor = self._plan.cursor(begin(self._plan))
        element = cursor.next()
        if element is None:
            raise blame.invalid("Dataset was empty.", "get_single_element")
        if cursor.next() is not None:
            raise blame.invalid("Dataset had more than one element.", "get_single_element")
        return self._plan.spec.structure.pack(element)

    def __iter__(self) -> Iterator:
        return Iterator(self._plan)

    def __len__(self) -> int:
        count = self._plan.cardinality
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<_{self._plan.kind}Dataset element_spec={self.element_spec}>"


def _numpy(dataset: Dataset) -> PythonIterator[Any]:
    for element in dataset:
        yield nest.map_structure(_as_numpy, element)


def _as_numpy(leaf: Any) -> Any:
    return leaf.numpy() if hasattr(leaf, "numpy") else leaf


def _signature(types: Any, shapes: Any) -> Any:
    """The specs of dtypes and shapes that are given apart."""
    if shapes is None:
        return nest.map_structure(lambda t: TensorSpec(None, as_dtype(t)), types)
    leaves, structure = nest.decompose(types)
    found = shapes_along(shapes, structure)
    return structure.pack([TensorSpec(s, t) for s, t in zip(found, leaves, strict=True)])


def _whole(value: Any, op: str, what: str) -> int:
    """An integer argument."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise blame.type_error(f"{what} must be an integer, got {shown(value)}", op) from None


def _positive(value: Any, op: str, what: str) -> int:
    number = _whole(value, op, what)
    if number < 1:
        raise blame.value_error(f"{what} must be positive, got {number}", op)
    return number


__all__ = ["AUTOTUNE", "Dataset"]
