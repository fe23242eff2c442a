"""Datasets whose batches are divided among replicas."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from typing import Any

import numpy as np

from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import wrap
from ..data.dataset import Dataset
from ..data.iterator import Iterator
from ..data.loops import TracedLoop
from ..data.options import AutoShardPolicy
from ..data.plan import Plan
from ..ops.array.joining import concat
from . import collectives
from .division import Divided, Grouped
from .per_replica import PerReplica, PerReplicaSpec


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


class DistributedIterator(Iterator):
    """Goes over values of replicas: `iter` of what a strategy has made of a dataset.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> rows = iter(strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4)))
    >>> print(*(v.numpy() for v in rows.get_next().values))
    [0 1] [2 3]
    """

    @property
    def element_spec(self) -> Any:
        """The structure of what it gives, with a spec for each leaf."""
        return _spec_of(self._plan)


def _spec_of(plan: Plan) -> Any:
    return nest.map_structure(
        lambda x: PerReplicaSpec(*x.values) if isinstance(x, PerReplica) else x, plan.spec.nested
    )


class DistributedDataset:
    """What a strategy makes of a dataset: an iterable of values of replicas, over and over, also in
    functions.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> batches = tf.data.Dataset.range(8).batch(4)
    >>> for rows in strategy.experimental_distribute_dataset(batches):
    ...     print(*(v.numpy() for v in rows.values))
    [0 1] [2 3]
    [4 5] [6 7]

    Attributes:
        whole: The dataset whose batches it divides; None where a function has made one for each
            process.
    """

    def __init__(self, plan: Plan, whole: Dataset | None = None) -> None:
        self._plan = plan
        self.whole = whole  # whose batches it divides; None: each process has batches of its own

    @property
    def element_spec(self) -> Any:
        """The structure of what it gives, with a spec for each leaf."""
        return _spec_of(self._plan)

    def cardinality(self) -> Any:
        """How many values it gives: see `tf.data.Dataset.cardinality`."""
        return convert_to_tensor(self._plan.cardinality, "int64")

    def __len__(self) -> int:
        return len(Dataset(self._plan))

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> DistributedIterator:
        if context.trace is not None:
            raise blame.runtime_error(
                "iter of a distributed dataset in a tf.function would be one iterator for all its "
                "calls: make it outside, or write `for x in dataset`, where AutoGraph knows the "
                "function's source"
            )
        return DistributedIterator(self._plan)

    def _traced_loop(self) -> TracedLoop:
        """What `for x in dataset` is in a trace."""
        return TracedLoop(self._plan, DistributedIterator, True)


def divided(strategy: Any, dataset: Any) -> DistributedDataset:
    """Batches of a job, of which each replica gets its rows."""
    plan, here = _plan_of(dataset), strategy._replicas_here
    if strategy._across:
        agree_on_orders(dataset)
    return DistributedDataset(Divided(plan, here, strategy._count), dataset)


def grouped(strategy: Any, dataset: Any) -> DistributedDataset:
    """Batches of replicas, some of which are this process'."""
    return DistributedDataset(Grouped(_plan_of(dataset), strategy._replicas_here))


def _plan_of(dataset: Any) -> Plan:
    if not isinstance(dataset, Dataset):
        raise blame.type_error(f"a tf.data.Dataset is needed, got {dataset!r:.100}", "dataset")
    return dataset._plan


def agree_on_orders(dataset: Dataset) -> None:
    """Let all ranks draw the orders that the first one draws, unless the dataset is each one's own:
    AutoShardPolicy.OFF."""
    options = dataset.options().experimental_distribute
    if options.auto_shard_policy is AutoShardPolicy.OFF:
        return
    drawing = [p for p in _plans(dataset._plan) if isinstance(getattr(p, "_seed", None), int)]
    words = [int(p._seed).to_bytes(32, "little", signed=True) for p in drawing]  # type: ignore[attr-defined]
    own = np.frombuffer(b"".join(words), np.uint8)
    for seen, given in zip(drawing, _same(own).reshape(-1, 32), strict=True):
        seen._seed = int.from_bytes(given.tobytes(), "little", signed=True)  # type: ignore[attr-defined]


def _plans(plan: Plan) -> PythonIterator[Plan]:
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


__all__ = ["DistributedDataset", "DistributedIterator", "InputContext"]
