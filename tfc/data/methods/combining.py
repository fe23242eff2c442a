"""Several datasets as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from ...core import blame, nest
from ...core.conversion import convert_to_tensor
from ...core.formatting import shown
from ..plan import Plan
from ..plans.choosing import Chosen, Sampled, SampledByWeights
from ..plans.combining import Concatenate, Zip
from ..plans.shuffling import drawn_seeds
from .base import DatasetBase, whole


class Combining(DatasetBase):
    """Several datasets as one."""

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Self:
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
        if args and datasets is not None:
            raise blame.type_error("Both `*args` and `datasets` cannot be set.", "zip")
        given = datasets if not args else args[0] if len(args) == 1 else args
        if isinstance(given, list):
            raise blame.type_error(
                "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
                "`tf.data.Dataset` objects. Python `list` is not supported and you should use "
                "`tuple` instead.",
                "zip",
            )
        leaves, structure = nest.decompose(given)
        if given is None or not leaves:
            raise blame.type_error("Must pass at least one dataset to `zip`.", "zip")
        for leaf in leaves:
            if not isinstance(leaf, DatasetBase):
                raise blame.type_error(
                    "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
                    "`tf.data.Dataset` objects but encountered object of type "
                    f"{type(leaf)}: {shown(given)}",
                    "zip",
                )
        return cls._of(Zip([leaf._plan for leaf in leaves], structure))

    def concatenate(self, dataset: DatasetBase, name: str | None = None) -> Self:
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
        if not isinstance(dataset, DatasetBase):
            raise blame.type_error(f"expected a Dataset, got {shown(dataset)}", "concatenate")
        return self._of(Concatenate(self._plan, dataset._plan))

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Sequence[DatasetBase],
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Self:
        """Each element from a dataset that is drawn at random.

        Args:
            datasets: Datasets whose elements have the same structure and dtypes.
            weights: How often each of them is drawn: a vector, or a dataset of vectors, one for
                each element; None: all equally often.
            seed: An integer; None: one of the global seed, or of the operating system.
            stop_on_empty_dataset: Whether to end with the first dataset that has no more; else that
                one is not drawn any more.
            rerandomize_each_iteration: Whether each iteration draws anew.

        Returns:
            A Dataset.

        Raises:
            TypeError: If structures or dtypes differ.
            ValueError: If there is no dataset, or not one weight for each.

        >>> import tfc as tf
        >>> ones, twos = (tf.data.Dataset.from_tensors(n).repeat() for n in (1, 2))
        >>> mixed = tf.data.Dataset.sample_from_datasets([ones, twos], [0.9, 0.1], seed=1)
        >>> sum(int(x) for x in mixed.take(100)) < 130
        True
        """
        op = "sample_from_datasets"
        plans = _plans(datasets, op)
        number = drawn_seeds(None if seed is None else whole(seed, op, "seed"))
        again = bool(rerandomize_each_iteration)
        stops = bool(stop_on_empty_dataset)
        if isinstance(weights, DatasetBase):
            return cls._of(SampledByWeights(plans, weights._plan, number, stops, again))
        each = [1.0] * len(plans) if weights is None else np.array(convert_to_tensor(weights))
        if np.shape(each) != (len(plans),) or np.min(each, initial=0) < 0 or not np.any(each):
            raise blame.value_error(
                "Invalid `weights`. `weights` should have the same length as `datasets`, and one "
                f"of them be positive: {weights} for {len(plans)} datasets",
                op,
            )
        return cls._of(Sampled(plans, list(each), number, stops, again))

    @classmethod
    def choose_from_datasets(
        cls,
        datasets: Sequence[DatasetBase],
        choice_dataset: DatasetBase,
        stop_on_empty_dataset: bool = True,
    ) -> Self:
        """Each element from the dataset whose number another dataset gives.

        Args:
            datasets: Datasets whose elements have the same structure and dtypes.
            choice_dataset: A dataset of int64 scalars.
            stop_on_empty_dataset: Whether to end with the first dataset that has no more; else what
                is chosen from that one is left out.

        Returns:
            A Dataset. A number of no dataset is an InvalidArgumentError.

        Raises:
            TypeError: If structures or dtypes differ, or choices are no int64 scalars.
            ValueError: If there is no dataset.

        >>> import tfc as tf
        >>> words = [tf.data.Dataset.from_tensors(word).repeat() for word in ("a", "b")]
        >>> choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 1], tf.int64))
        >>> chosen = tf.data.Dataset.choose_from_datasets(words, choices)
        >>> print(*chosen.as_numpy_iterator())
        b'a' b'b' b'b'
        """
        op = "choose_from_datasets"
        plans = _plans(datasets, op)
        (choices,) = _plans([choice_dataset], op)
        return cls._of(Chosen(plans, choices, bool(stop_on_empty_dataset)))


def _plans(datasets: Sequence[DatasetBase], op: str) -> list[Plan]:
    if not datasets:
        raise blame.value_error("Invalid `datasets`. `datasets` should not be empty.", op)
    for dataset in datasets:
        if not isinstance(dataset, DatasetBase):
            raise blame.type_error(f"expected datasets, got {shown(dataset)}", op)
    return [dataset._plan for dataset in datasets]


__all__ = ["Combining"]
