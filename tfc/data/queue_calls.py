"""Calls of Python: what ops of queues, and of what reads files for them, are in functions and
graphs. Where ops run at once, they are made at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import DType

from ..autodiff.python_calls import traced_call
from ..autodiff.python_runs import PythonFunction
from ..core.context import context
from ..core.shapes import TensorShape
from ..core.tensor import Tensor


class _Call(PythonFunction):
    """A function of tensors that sees no Variables, and has no derivative."""

    sees_variables = False

    def call(self, inputs: Sequence[Any]) -> list[Tensor]:
        return list(self.function(*inputs) or ())


def called(
    function: Callable[..., list[Any] | None],
    tensors: Sequence[Any],
    specs: Sequence[tuple[DType, Any]],
    name: str,
) -> list[Any]:
    """What a function of eager tensors gives here.

    Args:
        function: It; gives a list of tensors, or nothing.
        tensors: What it is given.
        specs: The dtype and the shape of each tensor that it gives.
        name: What it is called.
    """
    if context.trace is None:
        return list(function(*tensors) or ())
    call = _Call(function, [dtype for dtype, _ in specs], "queue")
    call.name = name
    found = traced_call(call, tensors, [TensorShape(shape) for _, shape in specs])
    trace: Any = context.trace
    graph = trace.graph
    if graph is not None and len(found) == 1 and found[0].shape.rank is not None:
        found[0]._value.name = graph.name_in_scope(name)
    return found


def effect_of(function: Callable[..., None], tensors: Sequence[Any], name: str) -> Any:
    """Let a function that gives nothing be called; in a graph, an operation that calls it."""
    trace: Any = context.trace
    if trace is not None and trace.graph is not None:
        found = trace.graph.effect_of(function, tensors, name)
        if found is not None:
            return found
    start = 0 if trace is None else len(trace.builder.body)
    called(function, tensors, (), name)
    if trace is None or trace.graph is None:
        return None
    return trace.graph.check(trace.builder.body[start:], name)


__all__ = ["called", "effect_of"]
