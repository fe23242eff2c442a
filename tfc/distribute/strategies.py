"""Strategies: `scope`, `run` and `reduce` as TensorFlow's users know them.

A job has a number of replicas that compute on parts of one batch. Where they run makes no
difference: the batch is cut into as many parts, and sums go by a binary tree over the replicas'
numbers, whether all of them are in one process or each has its own.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..core import blame, config, nest
from ..core.conversion import convert_to_tensor
from ..core.scopes import device
from ..core.tensor import Held
from ..dispatch.tracing import in_trace
from ..function.polymorphic import PolymorphicFunction
from ..ops.array.conversion import cast
from ..ops.array.joining import concat
from ..ops.array.shaping import shape, transpose
from ..ops.math.arithmetic import add, maximum, minimum
from ..ops.math.reductions import reduce_max, reduce_min, reduce_sum
from . import cluster, collectives, datasets, replicas, scopes, world
from .collectives import all_reduce, reduction_of
from .extended import StrategyExtended, ValueContext
from .per_replica import PerReplica, local_results, on_tree


class Strategy:
    """The base of all: one replica. Where none was entered, a strategy of this kind is there.

    >>> import tfc as tf
    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """

    def __init__(self) -> None:
        self._count, self._replicas_here = 1, [0]
        self._devices: Sequence[str | None] = [None]
        self._functions: Any = weakref.WeakKeyDictionary()  # the user's, for replicas of a process
        self._made: list[Any] = []  # Variables that are not the first process' yet
        self._across = False  # whether other processes have replicas of this strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas compute on parts of one batch."""
        return self._count

    @property
    def cluster_resolver(self) -> cluster.ClusterResolver | None:
        """Who this process is among those of the job; None where the strategy has one process."""
        return None

    def scope(self) -> AbstractContextManager[Any]:
        """A context in which this is `tf.distribute.get_strategy()`.

        Returns:
            A context manager, which gives the strategy.
        """
        return scopes.StrategyScope(self)

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Any = None,
        options: Any = None,
    ) -> Any:
        """Call a function in each replica of this process.

        Args:
            fn: The function.
            args: Its arguments; of values of replicas each gets its own.
            kwargs: The same, by name.
            options: Not used.

        Returns:
            What it returns: values of replicas, where this process has several.
        """
        if self._made and replicas.current_replica() is None:
            replicas.agree(self)
        with nullcontext() if replicas.current() else self.scope():
            own = fn if isinstance(fn, PolymorphicFunction) else in_trace(fn)
            return replicas.run(self, own, tuple(args), dict(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """Bring the values of all replicas together.

        Args:
            reduce_op: tf.distribute.ReduceOp.SUM or MEAN, or their names.
            value: What `run` has returned: a nested structure of values of replicas.
            axis: Along which each replica's tensor is reduced, too; None: along none.

        Returns:
            What `value` is, of tensors; a number that nothing was done to as it was.

        Raises:
            ValueError: If there is no such reduction.
        """
        how = reduction_of(reduce_op, "reduce")
        leaves = nest.flatten(value)
        if self._count == 1 and axis is None:
            return value
        return nest.pack_sequence_as(value, self._reduced(how, leaves, axis))

    def _reduced(self, how: str, leaves: Sequence[Any], axis: Any) -> list[Any]:
        own = [[convert_to_tensor(v) for v in self._each(leaf)] for leaf in leaves]
        counts: list[Any] = []
        if axis is not None:
            along = {"sum": reduce_sum, "mean": reduce_sum, "min": reduce_min, "max": reduce_max}
            if how == "mean":
                counts = [
                    on_tree([cast(shape(v)[axis], v.dtype) for v in each], add) for each in own
                ]
            own = [[along[how](v, axis) for v in each] for each in own]
        step: Callable[..., Any] = {"min": minimum, "max": maximum}.get(how, add)
        found = [*(on_tree(each, step) for each in own), *counts]
        if self._across:
            found = all_reduce(found, "sum" if how == "mean" else how)
        if how != "mean":
            return list(found)
        if axis is not None:
            return [x / n for x, n in zip(found[: len(own)], found[len(own) :], strict=True)]
        return [x / cast(self._count, x.dtype) for x in found]

    def _each(self, leaf: Any) -> Sequence[Any]:
        """A value of replicas as that of each here; of a single one all have the same."""
        found = local_results(leaf)
        return found if len(found) == len(self._replicas_here) else found * len(self._replicas_here)

    def _of_first(self, value: Any) -> Any:
        """What the first replica of the job has."""
        first = nest.map_structure(lambda leaf: local_results(leaf)[0], value)
        return collectives.broadcast(first) if self._across else first

    def gather(self, value: Any, axis: int) -> Any:
        """The tensors of all replicas, along an axis, in their order.

        Args:
            value: A nested structure of values of replicas.
            axis: Along which they are put together. In a function, all replicas have the same
                extent along it.

        Returns:
            What `value` is, of tensors.
        """
        return nest.map_structure(lambda leaf: self._gathered(leaf, axis), value)

    def _gathered(self, leaf: Any, axis: int) -> Any:
        each = [convert_to_tensor(v) for v in self._each(leaf)]
        own = each[0] if len(each) == 1 else concat(each, axis)
        if not self._across or world.size() == 1:
            return own
        rank = len(own.shape)
        axis %= rank
        order = [axis, *(i for i in range(rank) if i != axis)]
        back = [order.index(i) for i in range(rank)]
        rows = transpose(own, order) if axis else own
        rows = datasets.gathered_rows(rows)
        return transpose(rows, back) if axis else rows

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas of this process.

        Args:
            value: What `run` has returned.

        Returns:
            A tuple, with one value for each replica.
        """
        if isinstance(value, Held) or not nest.is_nested(value):
            return local_results(value)
        count = max(len(local_results(leaf)) for leaf in nest.flatten(value))
        return tuple(
            nest.map_structure(lambda leaf, i=i: (local_results(leaf) * count)[i], value)
            for i in range(count)
        )

    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The same as `experimental_local_results` (TensorFlow's older name).

        Args:
            value: What `run` has returned.

        Returns:
            A tuple, with one value for each replica.
        """
        return self.experimental_local_results(value)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset of batches, of which each replica gets its part.

        The batch is that of the whole job; of n rows replica i of k gets those from n * i // k on.
        Orders that are drawn by chance are those of the first process in all.

        Args:
            dataset: A `tf.data.Dataset`, batched, the same in all processes.
            options: Not used.

        Returns:
            An iterable of values of replicas, over and over.
        """
        return datasets.divided(self, dataset)

    def distribute_datasets_from_function(self, dataset_fn: Any, options: Any = None) -> Any:
        """The batches of a dataset that each process makes for its replicas.

        Args:
            dataset_fn: Called once with a `tf.distribute.InputContext`; gives a `tf.data.Dataset`
                whose elements are batches of one replica each.
            options: Not used.

        Returns:
            An iterable of values of replicas, over and over.
        """
        place = world.rank() if self._across else 0
        pipelines = world.size() if self._across else 1
        given = dataset_fn(datasets.InputContext(pipelines, place, self._count))
        return datasets.grouped(self, given)

    def experimental_distribute_values_from_function(self, value_fn: Callable[..., Any]) -> Any:
        """Values that are made for each replica of this process.

        Args:
            value_fn: Called for each with a `tf.distribute.ValueContext`; gives a tensor, or a
                structure of them.

        Returns:
            Values of replicas, in the structure of what the function gives.
        """
        found = [value_fn(ValueContext(replica, self._count)) for replica in self._replicas_here]
        if len(found) == 1:
            return found[0]
        return nest.map_structure(lambda *each: PerReplica(each), *found)

    @property
    def extended(self) -> StrategyExtended:
        """What a strategy does between replicas, in `merge_call`."""
        return StrategyExtended(self)

    def _on_device(self, replica: int) -> AbstractContextManager[Any]:
        name = self._devices[self._replicas_here.index(replica)]
        return nullcontext() if name is None else device(name)

    def _devices_of(self, replica: int) -> tuple[str, ...]:
        return (self._devices[self._replicas_here.index(replica)] or "/device:CPU:0",)


class _DefaultStrategy(Strategy):
    """The one outside of all scopes. Its datasets stay what they are."""

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Any, options: Any = None) -> Any:
        return dataset_fn(datasets.InputContext(1, 0, 1))


class OneDeviceStrategy(Strategy):
    """One replica, on a device.

    Args:
        device: Its name.

    >>> import tfc as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> float(strategy.run(lambda x: 2.0 * x, (3.0,)))
    6.0
    """

    def __init__(self, device: str) -> None:
        super().__init__()
        self._devices = [device]


class MirroredStrategy(Strategy):
    """A replica on each of several devices of this process. Variables are not copied: all replicas
    have the same ones.

    Args:
        devices: Their names; None: all GPUs, or the CPU where there is none. A device that is named
            twice has two replicas.
        cross_device_ops: Not used: all replicas are in one process.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> each = strategy.run(lambda x: 2.0 * x, (tf.distribute.PerReplica([1.0, 2.0]),))
    >>> float(strategy.reduce("SUM", each, axis=None))
    6.0
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        super().__init__()
        if devices is None:
            gpus = config.list_logical_devices("GPU")
            devices = [g.name for g in gpus] or [d.name for d in config.list_logical_devices("CPU")]
        if not devices:
            raise blame.value_error("devices must not be empty", "MirroredStrategy")
        self._devices = list(devices)
        self._count = len(devices)
        self._replicas_here = list(range(self._count))


class MultiWorkerMirroredStrategy(Strategy):
    """Replicas in all processes of a job that `mpiexec` has started. Variables that are made in its
    scope have the first process' values in all, once `run` or Keras' `fit` is called.

    `logical_shards` makes results independent of the number of processes: there are as many
    replicas, whatever that is, and each process takes its share of them. Training with 8 gives the
    same bits on 1, 2, 4 and 8 processes. Without it each process has one replica.

    Args:
        cluster_resolver: Not used: MPI knows the processes. TF_CONFIG, where it is set, must say
            the same.
        communication_options: Not used.
        logical_shards: How many replicas there are: the number of processes times a power of two.

    Raises:
        ValueError: If that does not divide, or TF_CONFIG says something else than MPI.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MultiWorkerMirroredStrategy(logical_shards=4)
    >>> each = strategy.run(lambda: tf.distribute.get_replica_context().replica_id_in_sync_group)
    >>> int(strategy.reduce("SUM", each, axis=None))  # on 1, 2 or 4 processes
    6
    """

    def __init__(
        self,
        cluster_resolver: Any = None,
        communication_options: Any = None,
        logical_shards: int | None = None,
    ) -> None:
        super().__init__()
        cluster.check()
        size = world.size()
        count = size if logical_shards is None else int(logical_shards)
        here, rest = divmod(count, size)
        if count < 1 or rest or here & (here - 1):
            raise blame.value_error(
                f"logical_shards is the number of processes ({size}) times a power of two, got "
                f"{logical_shards}",
                "MultiWorkerMirroredStrategy",
            )
        self._count, self._across = count, size > 1
        self._replicas_here = list(range(world.rank() * here, (world.rank() + 1) * here))
        self._devices = [None] * here

    @property
    def cluster_resolver(self) -> cluster.ClusterResolver:
        """Who this process is: its task_type and task_id among those of TF_CONFIG, or of MPI."""
        return cluster.TFConfigClusterResolver()


scopes.default = _DefaultStrategy()

__all__ = ["MirroredStrategy", "MultiWorkerMirroredStrategy", "OneDeviceStrategy", "Strategy"]
