"""What a strategy does between replicas: `strategy.extended`, and what functions are told that make
values of replicas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from ..core import nest
from ..core.variable import Variable
from .per_replica import local_results


class ValueContext(NamedTuple):
    """What a function is told that makes a value for a replica.

    Attributes:
        replica_id_in_sync_group: The number of the replica among all of the job.
        num_replicas_in_sync: How many replicas there are.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> strategy.experimental_distribute_values_from_function(
    ...     lambda context: context.replica_id_in_sync_group / context.num_replicas_in_sync
    ... ).values
    (0.0, 0.5)
    """

    replica_id_in_sync_group: int = 0
    num_replicas_in_sync: int = 1


class StrategyExtended:
    """What a strategy does between replicas, in what `merge_call` calls: `strategy.extended`.

    >>> import tfc as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:0"])
    >>> x = tf.distribute.PerReplica([tf.constant(1.0), tf.constant(2.0)])
    >>> float(strategy.extended.reduce_to("SUM", x, destinations=None))
    3.0
    """

    def __init__(self, strategy: Any) -> None:
        self._strategy = strategy

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The devices of the replicas of this process."""
        own = self._strategy
        return tuple([name for replica in own._replicas_here for name in own._devices_of(replica)])

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that Variables are on: as `worker_devices`."""
        return self.worker_devices

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """The same as `strategy.run`.

        Args:
            fn: The function.
            args: Its arguments.
            kwargs: The same, by name.

        Returns:
            What it returns: values of replicas.
        """
        return self._strategy.run(fn, args, kwargs)

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Any = None,
        group: bool = True,
    ) -> Any:
        """Call a function with a Variable, once: there are no copies of it.

        Args:
            var: The Variable.
            fn: Called with it, and the arguments.
            args: The arguments; of values of replicas those of the first one here.
            kwargs: The same, by name.
            group: Not used.

        Returns:
            What it returns.
        """
        own = nest.map_structure(lambda x: local_results(x)[0], (tuple(args), dict(kwargs or {})))
        return fn(var, *own[0], **own[1])

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """Bring the values of all replicas together.

        Args:
            reduce_op: tf.distribute.ReduceOp.SUM or MEAN, or their names.
            value: A value of replicas.
            destinations: Not used: all have the result.
            options: Not used.

        Returns:
            A tensor.
        """
        return self._strategy.reduce(reduce_op, value, axis=None)

    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Sequence[Any], options: Any = None
    ) -> list[Any]:
        """Bring the values of all replicas together, of several at once.

        Args:
            reduce_op: tf.distribute.ReduceOp.SUM or MEAN, or their names.
            value_destination_pairs: Pairs of a value of replicas and what is not used.
            options: Not used.

        Returns:
            A list of tensors.
        """
        values = [value for value, _ in value_destination_pairs]
        return list(self._strategy.reduce(reduce_op, values, axis=None))

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[None]:
        """A context that changes nothing: Variables are on one device.

        Args:
            colocate_with_variable: Not used.

        Returns:
            A context manager.
        """
        return nullcontext()

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether something is a Variable of this strategy: any strategy has all.

        Args:
            v: A Variable.

        Returns:
            A bool.
        """
        return isinstance(v, Variable)


__all__ = ["StrategyExtended", "ValueContext"]
