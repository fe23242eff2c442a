"""Loops that Python runs while a function is traced: each round adds its ops to the trace.

An endless generator would do so until memory is full. TensorFlow warns; here the trace ends with an
error that names the loop, behind a warning that comes much earlier.
"""

from __future__ import annotations

import warnings

from ..core import blame
from ..core.context import context, user_location

MANY, TOO_MANY = 10_000, 200_000  # rounds that add ops

_ADVICE = (
    "write it as a loop on tensors, over tf.range or a tensor, or with a tensor in the condition "
    "of a `while`"
)


class Unrolling:
    """Counts those rounds of one loop that make the trace longer."""

    def __init__(self) -> None:
        self.trace = context.trace
        self.rounds = 0
        self.length = 0 if self.trace is None else len(self.trace.builder.body)

    def step(self) -> None:
        """A round is over."""
        if self.trace is None or len(self.trace.builder.body) == self.length:
            return
        self.length = len(self.trace.builder.body)
        self.rounds += 1
        if self.rounds == MANY:
            location = user_location()
            message = (
                f"a loop of Python is unrolled; {MANY} rounds so far have added ops: {_ADVICE}"
            )
            if location is None:
                warnings.warn(message, RuntimeWarning, stacklevel=2)
            else:
                warnings.warn_explicit(message, RuntimeWarning, location.file, location.line)
        elif self.rounds >= TOO_MANY:
            raise blame.runtime_error(
                f"a loop of Python was unrolled {TOO_MANY} times and has not ended: {_ADVICE}"
            )
