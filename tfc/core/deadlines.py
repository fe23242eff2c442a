"""How long compiled loops may run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tfc.backends.calling_convention import patience

from . import blame, errors
from .context import Scope, current, user_location
from .formatting import shown


def deadline(seconds: float) -> Scope:
    """A context in which loops of compiled functions run for so many seconds at most, all of them
    together. Then a `while` or `for` on tensors ends with DeadlineExceededError; Variables are as
    they were before the call.

    Loops look at the clock (and at signals, such as Ctrl-C) about every 50 ms, between two rounds.
    So do the kernels of long calls: products, sorts, scatters, searches, what is computed element
    by element. What goes on to its end are Python's own loops and what libraries compute (Fourier
    transforms, factorisations). Of several contexts the earliest deadline counts. Each thread and
    each task has its own.

    Args:
        seconds: How long, from when the context is entered. Not negative.

    Returns:
        A context manager, which is a decorator as well.

    Raises:
        ValueError: If the number is negative or nan.

    >>> import tfc as tf
    >>> @tf.function
    ... def forever(x):
    ...     while x < 1e30:
    ...         x = x * 1.0
    ...     return x
    >>> with tf.config.deadline(0.1):
    ...     forever(tf.constant(1.0))
    Traceback (most recent call last):
        ...
    tfc.errors.DeadlineExceededError: the deadline of 0.1 s has passed ...
    """
    if not isinstance(seconds, int | float) or not seconds >= 0:
        raise blame.value_error(
            f"a deadline is in so many seconds, got {shown(seconds)}", "deadline"
        )
    return _Deadline(float(seconds))


class _Deadline(Scope):
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def changes(self) -> Mapping[str, Any]:
        own, around = (time.monotonic() + self._seconds, self._seconds), current().deadline
        return {"deadline": own if around is None else min(around, own)}


def check() -> None:
    """Raise where the deadline has passed; compiled loops ask now and then."""
    found = current().deadline
    if found is not None and time.monotonic() > found[0]:
        raise errors.DeadlineExceededError(
            f"the deadline of {found[1]:g} s has passed", location=user_location()
        )


patience.append(check)

__all__ = ["deadline"]
