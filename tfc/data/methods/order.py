"""Which elements, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from tfc.ir.dtypes import int64

from ...core import blame, nest
from ...core.conversion import convert_to_tensor
from ...core.tensor import Tensor
from ..functions import ElementFunction
from ..plan import INFINITE, UNKNOWN
from ..plans.checking import Unique
from ..plans.choosing import Resampled
from ..plans.combining import Zip
from ..plans.order import Repeat, Shard, Skip, Take
from ..plans.shuffling import Shuffle, drawn_seed, drawn_seeds
from ..plans.sources import Range
from .base import DatasetBase, positive, whole


class Order(DatasetBase):
    """Which elements, and in which order."""

    def take(self, count: Any, name: str | None = None) -> Self:
        """The first elements.

        Args:
            count: How many; -1: all.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(9).take(2).as_numpy_iterator())
        0 1
        """
        return self._of(Take(self._plan, whole(count, "take", "count")))

    def skip(self, count: Any, name: str | None = None) -> Self:
        """All but the first elements.

        Args:
            count: How many are left out; -1: all.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(4).skip(2).as_numpy_iterator())
        2 3
        """
        return self._of(Skip(self._plan, whole(count, "skip", "count")))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Self:
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
        shards, number = whole(num_shards, "shard", "num_shards"), whole(index, "shard", "index")
        if shards < 1 or not 0 <= number < shards:
            if shards < 1:
                text = (
                    f"Number of shards must be greater than zero (currently num_shards = {shards})."
                )
            else:
                text = f"Index must be between 0 and {shards - 1} (currently index = {number})."
            raise blame.invalid(text, "shard")
        return self._of(Shard(self._plan, shards, number))

    def repeat(self, count: Any = None, name: str | None = None) -> Self:
        """The same again.

        Args:
            count: How often in all; None or -1: for ever.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(2).repeat(2).as_numpy_iterator())
        0 1 0 1
        """
        return self._of(
            Repeat(self._plan, -1 if count is None else whole(count, "repeat", "count"))
        )

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Self:
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
            InvalidArgumentError: If the buffer has no place.

        >>> import tfc as tf
        >>> shuffled = tf.data.Dataset.range(5).shuffle(5, seed=1)
        >>> sorted(int(x) for x in shuffled)
        [0, 1, 2, 3, 4]
        """
        if isinstance(buffer_size, Tensor) and int(buffer_size) == -1:
            buffer_size = None
        size = np.iinfo(np.int64).max if buffer_size is None else buffer_size
        count = self._plan.cardinality
        if buffer_size is None and count in (INFINITE, UNKNOWN):
            raise blame.value_error("the number of elements is not known: give a size", "shuffle")
        number = positive(size, "shuffle", "buffer_size")
        drawn = drawn_seeds(None if seed is None else whole(seed, "shuffle", "seed"))
        reshuffles = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        return self._of(Shuffle(self._plan, number, drawn, reshuffles))

    def enumerate(self, start: Any = 0, name: str | None = None) -> Self:
        """The elements with their numbers in front.

        Args:
            start: The first number.

        Returns:
            A Dataset of pairs of an int64 scalar and an element.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.from_tensor_slices([7, 8]).enumerate().as_numpy_iterator())
        (np.int64(0), np.int32(7)) (np.int64(1), np.int32(8))
        """
        first = whole(start, "enumerate", "start")
        numbers = Range(first, np.iinfo(np.int64).max, 1, int64)
        return self._of(Zip([numbers, self._plan], nest.decompose((0, 0))[1]))

    def unique(self, name: str | None = None) -> Self:
        """The elements that were not there before.

        Returns:
            A Dataset. All that came is kept in memory while it is gone through.

        Raises:
            TypeError: If elements are not single tensors.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.from_tensor_slices([1, 3, 1, 2]).unique().as_numpy_iterator())
        1 3 2
        """
        return self._of(Unique(self._plan))

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Self:
        """The elements with their classes, some left out at random, so that classes come as often
        as wanted.

        Args:
            class_func: A function of an element that gives its class, an integer scalar.
            target_dist: How often each class is wanted: a vector.
            initial_dist: How often each class comes; None: it is counted on the way.
            seed: An integer; None: one of the global seed, or of the operating system.

        Returns:
            A Dataset of pairs of a class and an element.

        Raises:
            ValueError: If the two distributions are not vectors of one length.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.from_tensor_slices([0, 0, 0, 1]).repeat(200)
        >>> even = numbers.rejection_resample(lambda x: x, [0.5, 0.5], [0.75, 0.25], seed=1)
        >>> classes = [int(number) for number, _ in even]
        >>> 0.4 < sum(classes) / len(classes) < 0.6
        True
        """
        op = "rejection_resample"
        plan = self._plan
        function = ElementFunction(class_func, plan.spec, op, plan.first)
        target = np.array(convert_to_tensor(target_dist), np.float64)
        first = None if initial_dist is None else convert_to_tensor(initial_dist)
        initial = None if first is None else np.array(first, np.float64)
        if target.ndim != 1 or (initial is not None and initial.shape != target.shape):
            raise blame.value_error("distributions must be vectors of one length", op)
        number = drawn_seed(None if seed is None else whole(seed, op, "seed"))
        return self._of(Resampled(plan, function, target, initial, number))


__all__ = ["Order"]
