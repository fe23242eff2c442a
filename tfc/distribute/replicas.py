"""Replicas: calls of one function, each on its part of the batch, which meet at some points.

A process mostly holds one replica, which then simply runs. Several take turns, each in a thread of
its own: one runs until it comes to a point where all have to meet, then the next one does, and what
is to happen there happens once. So they may be traced, too: all append to one trace, one at a time.
"""

from __future__ import annotations

import contextvars
import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

from tfc.backends.threads import start

from ..autodiff.exchanges import Exchange
from ..core import blame, nest
from ..core.context import context, settings
from ..core.conversion import convert_to_tensor
from ..core.scopes import init_scope
from ..core.variable import Variable
from ..core.variable_methods import VariableAggregation
from ..dispatch.tracing import in_trace
from ..function.polymorphic import PolymorphicFunction
from ..ops.array.creation import range as range_of
from ..ops.array.indexing import gather
from ..ops.array.shaping import reshape, shape
from ..ops.math.reductions import reduce_sum
from .collectives import broadcast_variables, reduction_of
from .per_replica import PerReplica, regrouped, selected

_State = tuple[Any, "ReplicaContext | None"]  # a strategy and a replica, or none

_current: contextvars.ContextVar[_State | None] = contextvars.ContextVar("tfc.distribute")
_lasting: contextvars.ContextVar[_State | None] = contextvars.ContextVar("tfc.distribute.lasting")


class ReplicaContext:
    """What a replica knows of itself: `tf.distribute.get_replica_context()`.

    Attributes:
        strategy: The strategy that runs it.
        replica_id_in_sync_group: Its number among all replicas of the job.

    >>> import tfc as tf
    >>> context = tf.distribute.get_replica_context()
    >>> context.num_replicas_in_sync, context.replica_id_in_sync_group
    (1, 0)
    """

    def __init__(self, strategy: Any, number: int, meet: Callable[..., Any] | None) -> None:
        self.strategy = strategy
        self.replica_id_in_sync_group = number
        self._meet = meet

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas the job has."""
        return int(self.strategy.num_replicas_in_sync)

    @property
    def devices(self) -> tuple[str, ...]:
        """The name of the device that it runs on, alone in a tuple."""
        found: tuple[str, ...] = self.strategy._devices_of(self.replica_id_in_sync_group)
        return found

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Reduce a tensor, or a structure of them, over all replicas; each gets the result.

        Gradients flow through sums and means: that of what a replica gave is the sum, or mean, of
        all replicas' gradients of what they got.

        Args:
            reduce_op: tf.distribute.ReduceOp.SUM or MEAN, or their names.
            value: A nested structure of tensors.
            options: Not used.

        Returns:
            What `value` is.
        """
        how = reduction_of(reduce_op, "all_reduce")

        def pull(*upstream: Any) -> Any:
            return self.all_reduce(how, list(upstream))

        reduce = functools.partial(_reduced, how)
        return self._exchanged(reduce, value, pull if how in ("sum", "mean") else None)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """What all replicas have, along an axis, in their order; each gets the result.

        Args:
            value: A nested structure of tensors.
            axis: Along which they are put together.
            options: Not used.

        Returns:
            What `value` is.
        """
        leaves = [convert_to_tensor(x) for x in nest.flatten(value)]

        def pull(*upstream: Any) -> Any:
            totals = self.all_reduce("sum", list(upstream))
            sizes = [reshape(shape(x)[axis], [1]) for x in leaves]
            counts = self.merge_call(functools.partial(_gathered, 0), (sizes,))
            before = [reduce_sum(n[: self.replica_id_in_sync_group]) for n in counts]
            return [
                reshape(gather(total, begin + range_of(size[0]), axis=axis), shape(x))
                for x, total, begin, size in zip(leaves, totals, before, sizes, strict=True)
            ]

        return self._exchanged(functools.partial(_gathered, axis), value, pull)

    def _exchanged(self, merge: Callable[..., Any], value: Any, pull: Any) -> Any:
        """What `merge` makes of all replicas' values, with this gradient."""
        if self._meet is None:
            return self.merge_call(merge, (value,))
        own = nest.map_structure(convert_to_tensor, value)
        exchange = None if pull is None else Exchange(nest.flatten(own), pull)
        return self._meet(merge, (own,), {}, exchange)

    def merge_call(self, merge_fn: Any, args: Sequence[Any] = (), kwargs: Any = None) -> Any:
        """Call a function once for all replicas of this process, when all of them have come here.

        Args:
            merge_fn: Called with the strategy, and `args` and `kwargs`, whose tensors are
                PerReplica values where this process has several replicas.
            args: What this replica hands over.
            kwargs: The same, by name.

        Returns:
            What the function gives; of PerReplica values that of this replica.
        """
        if self._meet is not None:
            return self._meet(merge_fn, tuple(args), dict(kwargs or {}))
        with entered(self.strategy, None):
            return merge_fn(self.strategy, *args, **(kwargs or {}))


def _reduced(how: str, strategy: Any, value: Any) -> Any:
    return strategy.reduce(how, value, axis=None)


def _gathered(axis: int, strategy: Any, value: Any) -> Any:
    return strategy.gather(value, axis)


def current() -> _State | None:
    """The strategy and the replica that code runs in; no replica between replicas."""
    return _current.get(None)


def current_replica() -> ReplicaContext | None:
    """The replica that code runs in, if there is one."""
    state = current()
    return None if state is None else state[1]


@contextmanager
def entered(strategy: Any, replica: ReplicaContext | None) -> Iterator[None]:
    """Code inside is that of a strategy, and of a replica or of none."""
    token = _current.set((strategy, replica))
    try:
        yield
    finally:
        _current.reset(token)


def last_from_here(strategy: Any) -> bool:
    """Let what follows be code of a strategy, or of none. False where a context says which."""
    if current() is not _lasting.get(None):
        return False
    state = None if strategy is None else (strategy, None)
    _current.set(state)
    _lasting.set(state)
    return True


def run(strategy: Any, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a function for each replica of this process."""
    numbers = strategy._replicas_here
    if len(numbers) > 1 and isinstance(function, PolymorphicFunction):
        if context.trace is None and not settings.functions_run_eagerly:
            return _compiled(strategy, function)(args, kwargs)
        function = function.traced_function if context.trace else function.python_function
    if len(numbers) == 1:
        replica = ReplicaContext(strategy, numbers[0], None)
        with entered(strategy, replica), strategy._on_device(numbers[0]):
            return function(*args, **kwargs)
    turns = [
        _Turn(strategy, number, function, selected(args, i), selected(kwargs, i))
        for i, number in enumerate(numbers)
    ]
    try:
        while True:
            for turn in turns:
                turn.go()
            waiting = [turn for turn in turns if turn.merge is not None]
            if not waiting:
                return regrouped([turn.result for turn in turns])
            if len(waiting) < len(turns):
                raise blame.runtime_error(
                    "replicas do not meet: some have ended where others wait for them"
                )
            _merge(strategy, turns)
    finally:
        for turn in turns:
            turn.cancel()


def _compiled(strategy: Any, function: PolymorphicFunction) -> Any:
    """A function of the user's for all replicas of this process: they meet while it is traced."""
    found = strategy._functions.get(function)
    if found is None:
        held, given = weakref.ref(strategy), function.python_function

        def replicas(args: Any, kwargs: Any) -> Any:
            with nullcontext() if current() else entered(held(), None):
                return run(held(), in_trace(given), args, kwargs)

        found = PolymorphicFunction(replicas, None, False, function.autograph)
        strategy._functions[function] = found
    return found


def _merge(strategy: Any, turns: Sequence[_Turn]) -> None:
    """Let what replicas wait for happen once."""
    calls = [turn.merge for turn in turns if turn.merge is not None]
    args = regrouped([args for _, args, _ in calls])
    kwargs = regrouped([kwargs for _, _, kwargs in calls])
    with entered(strategy, None):
        found = calls[0][0](strategy, *args, **kwargs)
    for i, turn in enumerate(turns):
        turn.merge, turn.answer = None, selected(found, i)


class _Cancelled(BaseException):
    """Another replica has failed."""


class _Turn:
    """One of several replicas: a thread that runs while another one waits."""

    def __init__(
        self, strategy: Any, number: int, function: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        self.merge: tuple[Any, Any, Any] | None = None  # what it waits for
        self.answer: Any = None
        self.result: Any = None
        self._error: BaseException | None = None
        self._ended = self._cancelled = False
        self._mine, self._others = threading.Semaphore(0), threading.Semaphore(0)

        self._trace, self._tapes = context.trace, context.tapes

        def body() -> None:
            self._mine.acquire()
            if self._cancelled:
                return
            try:
                replica = ReplicaContext(strategy, number, self._meet)
                with entered(strategy, replica), strategy._on_device(number):
                    self.result = function(*args, **kwargs)
            except BaseException as error:
                self._error = error
            finally:
                self._ended = True
                self._others.release()

        around = contextvars.copy_context()
        self._thread = threading.Thread(target=around.run, args=(body,), daemon=True)
        start(self._thread)

    def _meet(self, function: Any, args: Any, kwargs: Any, exchange: Exchange | None = None) -> Any:
        """Of the replica: wait for the others. Its own tapes do not see what happens meanwhile."""
        if context.trace is not self._trace:
            raise blame.runtime_error(
                "several replicas of a process cannot meet (merge_call, all_reduce, assigning a "
                "Variable, applying an optimizer) inside of a tf.function, tf.cond or "
                "tf.while_loop that a replica has begun: decorate the function that calls "
                "strategy.run, or the one that it is given"
            )
        with ExitStack() as apart:
            for tape in context.tapes:
                if tape not in self._tapes:
                    apart.enter_context(tape.apart(exchange))  # type: ignore[attr-defined]
            self.merge = function, args, kwargs
            self._others.release()
            self._mine.acquire()
            if self._cancelled:
                raise _Cancelled
            if exchange is not None:
                exchange.outputs = nest.flatten(self.answer)
            return self.answer

    def go(self) -> None:
        """Let it run until it waits, or ends. Raises what it raises."""
        self._mine.release()
        self._others.acquire()
        if self._error is not None:
            raise self._error

    def cancel(self) -> None:
        """Let it end."""
        if not self._ended:
            self._cancelled = True
            self._mine.release()
        self._thread.join()


# Variables.


def assigned(variable: Variable, op: str, value: Any) -> bool:
    """Assign a Variable once for all replicas, if a replica does so, and there are several. Whether
    that was done."""
    state = current()
    if state is None or state[1] is None or state[1].num_replicas_in_sync == 1:
        return False
    how = variable.aggregation
    if how is VariableAggregation.NONE:
        raise blame.value_error(
            f"replicas assign the Variable {variable.name!r}, and nothing says what becomes of "
            "their values: give it an aggregation, as "
            "tf.Variable(..., aggregation=tf.VariableAggregation.MEAN)",
            op,
        )

    def update(strategy: Any, given: Any) -> None:
        if how is VariableAggregation.ONLY_FIRST_REPLICA:
            single = strategy._of_first(given)
        else:
            single = strategy.reduce(how.name, given, axis=None)
        getattr(variable, op)(single)

    state[1].merge_call(update, (variable._converted(value, op),))
    return True


def _count() -> int:
    state = current()
    return 1 if state is None else int(state[0].num_replicas_in_sync)


def made(variable: Variable) -> None:
    """Let a Variable of a strategy have the first process' value in all: at once, if it is made in
    a replica; else when `run` is called next. (Counts are no floats: those of a checkpoint are
    made by the process that writes it.)"""
    state = current()
    if state is None or not state[0]._across or not variable.dtype.is_inexact:
        return
    state[0]._made.append(variable)
    if state[1] is not None:
        agree(state[0])


def agree(strategy: Any) -> None:
    """Give Variables that were made under a strategy the first process' values."""
    variables, strategy._made = strategy._made, []
    if variables:
        with init_scope(), entered(strategy, None):
            broadcast_variables(variables)


settings.made = made
settings.replicas = assigned  # from here on, Variables ask who assigns them
settings.replica_count = _count


__all__ = ["PerReplica", "ReplicaContext"]
