"""Datasets whose batches are divided among replicas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import wrap
from ..data.dataset import Dataset
from ..data.plan import Plan
from ..data.plans.batching import part_of_batches
from ..ops.array.shaping import concat, shape
from . import collectives
from .per_replica import regrouped


def part(count: int, replica: int, replicas: int) -> tuple[int, int]:
    """Which rows of so many are a replica's: they differ by one at most."""
    return count * replica // replicas, count * (replica + 1) // replicas


class InputContext:
    """What a function that makes a dataset is told.

    Attributes:
        num_input_pipelines: How many processes make one.
        input_pipeline_id: Which of them this is.
        num_replicas_in_sync: How many replicas there are.

    >>> import tfc as tf
    >>> tf.distribute.InputContext(2, 0, 4).get_per_replica_batch_size(32)
    8
    """

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The rows of a batch that one replica gets.

        Args:
            global_batch_size: The rows of the whole batch.

        Returns:
            An int.

        Raises:
            ValueError: If the replicas do not divide it.
        """
        each, rest = divmod(global_batch_size, self.num_replicas_in_sync)
        if rest:
            raise blame.value_error(
                f"{self.num_replicas_in_sync} replicas do not divide the global_batch_size "
                f"{global_batch_size}",
                "InputContext",
            )
        return each


class _Distributed:
    """The base: an iterable of values of replicas."""

    def __init__(self, strategy: Any, dataset: Any) -> None:
        if not isinstance(dataset, Dataset):
            raise blame.type_error(f"a tf.data.Dataset is needed, got {dataset!r:.100}", "dataset")
        self._strategy, self._dataset = strategy, dataset

    @property
    def element_spec(self) -> Any:
        """The structure of a batch of the dataset, with a spec for each leaf."""
        return self._dataset.element_spec

    def cardinality(self) -> Any:
        """How many values it gives: see `tf.data.Dataset.cardinality`."""
        return convert_to_tensor(self._cardinality(), "int64")

    def _cardinality(self) -> int:
        return int(self._dataset.cardinality())

    def __len__(self) -> int:
        return len(self._dataset)

    def __iter__(self) -> Iterator[Any]:
        if context.trace is not None:
            raise blame.runtime_error(
                "go through a distributed dataset outside of the tf.function, and call that with "
                "what it gives"
            )
        return self._values()

    def _values(self) -> Iterator[Any]:
        raise NotImplementedError


class DistributedDataset(_Distributed):
    """Batches of a job, of which each replica gets its rows.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> batches = tf.data.Dataset.range(8).batch(4)
    >>> for rows in strategy.experimental_distribute_dataset(batches):
    ...     print(*(v.numpy() for v in rows.values))
    [0 1] [2 3]
    [4 5] [6 7]
    """

    def __init__(self, strategy: Any, dataset: Any) -> None:
        super().__init__(strategy, dataset)
        self._own: Dataset | None = None
        if strategy._across:
            agree_on_orders(dataset._plan)
            here = strategy._replicas_here
            if len(here) == 1:
                plan = part_of_batches(dataset._plan, here[0], here[0] + 1, strategy._count)
                self._own = None if plan is None else Dataset(plan)

    def _values(self) -> Iterator[Any]:
        if self._own is not None:
            yield from self._own
            return
        strategy = self._strategy
        for batch in self._dataset:
            parts = [
                rows_of(batch, replica, strategy.num_replicas_in_sync)
                for replica in strategy._replicas_here
            ]
            yield regrouped(parts)


class DatasetOfFunction(_Distributed):
    """Batches of replicas, some of which are this process'."""

    def _cardinality(self) -> int:
        count = super()._cardinality()
        return count if count < 0 else count // len(self._strategy._replicas_here)

    def __len__(self) -> int:
        return len(self._dataset) // len(self._strategy._replicas_here)

    def _values(self) -> Iterator[Any]:
        each = iter(self._dataset)
        count = len(self._strategy._replicas_here)
        while True:
            taken = [value for _, value in zip(range(count), each, strict=False)]
            if len(taken) < count:
                return
            yield regrouped(taken)


def rows_of(batch: Any, replica: int, replicas: int) -> Any:
    """A replica's rows of a batch."""
    if replicas == 1:
        return batch

    def cut(leaf: Any) -> Any:
        start, stop = part(int(shape(leaf)[0]), replica, replicas)
        return leaf[start:stop]

    return nest.map_structure(cut, batch)


def agree_on_orders(plan: Plan) -> None:
    """Let all ranks draw the orders that the first one draws."""
    drawing = [p for p in _plans(plan) if isinstance(getattr(p, "_seed", None), int)]
    words = [int(p._seed).to_bytes(32, "little", signed=True) for p in drawing]  # type: ignore[attr-defined]
    own = np.frombuffer(b"".join(words), np.uint8)
    for seen, given in zip(drawing, _same(own).reshape(-1, 32), strict=True):
        seen._seed = int.from_bytes(given.tobytes(), "little", signed=True)  # type: ignore[attr-defined]


def _plans(plan: Plan) -> Iterator[Plan]:
    yield plan
    for source in plan.inputs:
        yield from _plans(source)


def _same(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers of the first rank, on all."""
    found: np.ndarray[Any, Any] = collectives.broadcast(wrap(numbers.copy())).numpy()
    return found


def gathered_rows(rows: Any) -> Any:
    """The rows of all ranks, of which each may have another number, unless a trace is made."""
    if context.trace is not None:
        return collectives.all_gather(rows)
    own = rows.shape[0]
    counts = collectives.all_gather(convert_to_tensor([own])).numpy().tolist()
    most = max(counts)
    if min(counts) < most:
        missing = np.zeros((most - own, *rows.shape[1:]), rows.dtype.as_numpy_dtype)
        rows = concat([rows, wrap(missing)], 0)
    found = collectives.all_gather(rows)
    if min(counts) == most:
        return found
    return concat([found[i * most : i * most + n] for i, n in enumerate(counts)], 0)


__all__ = ["DistributedDataset", "InputContext"]
