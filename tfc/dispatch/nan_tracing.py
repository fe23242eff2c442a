"""`debugging.trace_nans`: which op made the first nan or infinity."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.core import Function
from tfc.ir.ops.inspection import origin
from tfc.ir.passes import inline
from tfc.ir.passes.nan_inspection import inspect, look_at

from ..core import errors
from ..core.context import active, context, user_location


class trace_nans:  # noqa: N801  (used as a function)
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

    def __init__(self) -> None:
        self._entered: list[Any] = []

    def __enter__(self) -> trace_nans:
        state = active(inspect=True)
        trace = context.trace
        start = None if trace is None else len(trace.builder.body)
        state.__enter__()
        self._entered.append((state, trace, start))
        return self

    def __exit__(self, kind: Any, *exception: object) -> None:
        state, trace, start = self._entered.pop()
        state.__exit__()
        if trace is not None and kind is None:
            b = trace.builder
            for op in b.body[start:]:
                if op.regions:
                    continue
                look_at(b, op)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with trace_nans():
                return function(*args, **kwargs)

        return wrapper


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
