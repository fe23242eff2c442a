"""`debugging.trace_nans`: which op made the first nan or infinity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from tfc.ir.core import Builder, Function
from tfc.ir.ops.inspection import origin
from tfc.ir.passes import inline
from tfc.ir.passes.nan_inspection import inspect, look_at

from ..core import errors
from ..core.context import Scope, context, user_location


class trace_nans(Scope):  # noqa: N801  (used as a function)
    """A context, or a decorator, in which the first op that makes nan or infinity raises
    InvalidArgumentError: with its name, the place of the element, its operands there, the line of
    the call, and whether it ran forward or in a gradient ("backward").

    It holds for ops that run eagerly, for compiled functions, which run here as programs that look
    at every value, with the same bits, and for gradients of both. Infinity that comes from outside,
    such as a mask of -inf, is taken to be meant; nan from outside is told where it is used first.
    Where it is entered while a function is traced, it is for the ops that are traced in it.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.reduce_sum(tf.math.log(x) * 2.0)
    >>> with tf.debugging.trace_nans():
    ...     f(tf.constant([1.0, -2.0]))
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: log gave nan (nan) at index [1] of result 0, forward; ...
    """

    def changes(self) -> Mapping[str, Any]:
        return {"inspect": True}

    def given(self, changes: Mapping[str, Any]) -> trace_nans:
        return self

    def leaving(self) -> Callable[..., Any] | None:
        trace = context.trace
        return None if trace is None else partial(_look, trace.builder, len(trace.builder.body))


def _look(b: Builder, start: int, kind: Any, *exception: Any) -> None:
    """Look at what was traced from `start` on."""
    if kind is None:
        for op in b.body[start:]:
            if not op.regions:
                look_at(b, op)


def inspected(f: Function) -> Function:
    """`f` as it runs while nan is traced."""
    return inspect(inline(f))


def check(name: str, operands: Sequence[Any], result: Any) -> None:
    """Raise where an op that ran eagerly is the first to have made nan or infinity."""
    results = result if isinstance(result, tuple) else (result,)
    text = origin(name, [np.asarray(t) for t in results], [np.asarray(t) for t in operands])
    if text is not None:
        raise errors.InvalidArgumentError(text, op=name, location=user_location())


__all__ = ["trace_nans"]
