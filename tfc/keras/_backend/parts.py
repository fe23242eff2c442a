"""Which part of a batch code works on, where several replicas divide it.

Random numbers are keyed by the replica's number. Losses that are means are weighted by the share of
the batch's rows, so that the sum over all replicas is the mean of the batch; in loops of the user's
own, where nobody knows the share, by one divided by the number of replicas, as in Keras on
TensorFlow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import tfc as tf
from tfc.core.context import settings

_part: ContextVar[tuple[Any, Any] | None] = ContextVar("tfc.keras.part", default=None)


@contextmanager
def part_of_batch(replica: Any, share: Any) -> Iterator[None]:
    """Code inside is that of a replica, which has this share of the batch's rows; None: whose
    losses are not to be weighted by it."""
    token = _part.set((replica, share))
    try:
        yield
    finally:
        _part.reset(token)


def replica_number() -> Any:
    """The number of the replica, for what it draws; None where the batch is not divided."""
    state = _part.get()
    return None if state is None else state[0]


def replica_of_several() -> Any:
    """The replica of `strategy.run` that code runs in, where there are several; else None."""
    if settings.replicas is None:
        return None
    from tfc.distribute import replicas

    state = replicas.current()
    replica = None if state is None else state[1]
    return None if replica is None or replica.num_replicas_in_sync == 1 else replica


def counted(change: Any) -> Any:
    """What a replica adds to a metric: nothing where its one row is that of another one."""
    state = _part.get()
    if state is None or state[1] is None:
        return change
    return tf.where(state[1] > 0, change, tf.zeros_like(change))


def _share(dtype: Any) -> Any:
    """Of the batch; None where it is not divided."""
    state = _part.get()
    if state is not None:
        return None if state[1] is None else tf.cast(state[1], dtype)
    replica = replica_of_several()
    if replica is None:
        return None
    return tf.cast(1.0 / replica.num_replicas_in_sync, dtype)


def weighted(value: Any) -> Any:
    """A loss that is a mean over a part, as its summand in the mean over the batch."""
    value = tf.convert_to_tensor(value)
    share = _share(value.dtype)
    return value if share is None else value * share


def unweighted(value: Any) -> Any:
    """The mean over the part again."""
    value = tf.convert_to_tensor(value)
    share = _share(value.dtype)
    return value if share is None else tf.math.divide_no_nan(value, share)


__all__ = [
    "counted",
    "part_of_batch",
    "replica_number",
    "replica_of_several",
    "unweighted",
    "weighted",
]
