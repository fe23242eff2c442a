"""Which strategy, and which replica, code runs in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any

from ..core import blame
from . import replicas

default: Any = None  # the strategy outside of all scopes: strategies.py has it
# Called where code asks for its replica that has none, although others compute on parts, too.
asked: ContextVar[Callable[[], None] | None] = ContextVar("tfc.distribute.asked", default=None)


class StrategyScope(AbstractContextManager[Any]):
    """Code inside runs in the scope of a strategy, and in no replica."""

    def __init__(self, strategy: Any) -> None:
        self._strategy = strategy
        self._entered: list[AbstractContextManager[None]] = []

    def __enter__(self) -> Any:
        scope = replicas.entered(self._strategy, None)
        scope.__enter__()
        self._entered.append(scope)
        return self._strategy

    def __exit__(self, *exception: Any) -> None:
        self._entered.pop().__exit__(*exception)


def get_strategy() -> Any:
    """The strategy whose scope code runs in.

    Returns:
        A Strategy; outside of scopes one of one replica.

    >>> import tfc as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     tf.distribute.get_strategy() is strategy
    True
    """
    state = replicas.current()
    return default if state is None else state[0]


def has_strategy() -> bool:
    """Whether code runs in the scope of a strategy.

    Returns:
        A bool.

    >>> import tfc as tf
    >>> tf.distribute.has_strategy()
    False
    """
    return replicas.current() is not None


def get_replica_context() -> replicas.ReplicaContext | None:
    """The replica that code runs in.

    Returns:
        A ReplicaContext; None in the scope of a strategy outside of `run`, and in what `merge_call`
        calls.

    >>> import tfc as tf
    >>> int(tf.distribute.get_replica_context().all_reduce("SUM", tf.constant(3)))
    3
    """
    state = replicas.current()
    if state is not None:
        return state[1]
    ask = asked.get()
    if ask is not None:
        ask()
    return replicas.ReplicaContext(default, 0, None)


def in_cross_replica_context() -> bool:
    """Whether code runs in the scope of a strategy, and in no replica.

    Returns:
        A bool.

    >>> import tfc as tf
    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
    ...     tf.distribute.in_cross_replica_context()
    True
    """
    state = replicas.current()
    return state is not None and state[1] is None


def experimental_set_strategy(strategy: Any) -> None:
    """Let all that follows in this thread run in the scope of a strategy.

    Args:
        strategy: It; None: that of none.

    Raises:
        RuntimeError: If code runs in the scope of a strategy that a `with` has entered.

    >>> import tfc as tf
    >>> tf.distribute.experimental_set_strategy(tf.distribute.OneDeviceStrategy("/cpu:0"))
    >>> tf.distribute.in_cross_replica_context()
    True
    >>> tf.distribute.experimental_set_strategy(None)
    """
    if not replicas.last_from_here(strategy):
        raise blame.runtime_error(
            "code runs in the scope of a strategy that `with` or `run` has entered"
        )


__all__ = [
    "experimental_set_strategy",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]
