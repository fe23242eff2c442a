"""Results of Python functions of which nobody has said the rank.

A slice of a graph knows ranks. So where one needs such a result, the session computes what the
function is given, calls it, and feeds what it gives: there is a program for each rank that comes.
What was computed for it is fed as well, so that nothing upstream has its effects twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.core.shapes import TensorShape
from tfc.core.tensor import Tensor, wrap
from tfc.ir.core import Op, Value
from tfc.ir.dtypes import DType
from tfc.ir.ops import PythonResult, PythonRun, PythonShape

from . import kept_calls
from .reachable import reachable
from .unranked import Graph, Unfed, UnrankedTensor


class HostCall:
    """A call of a Python function on values of a graph.

    Attributes:
        callback: The function.
        args: The values, or tensors of unknown rank.
        after: What runs before it.
        results: Its results of unknown rank, by their places.
    """

    def __init__(self, graph: Graph, callback: Any, args: Sequence[Any]) -> None:
        self.graph, self.callback, self.args = graph, callback, tuple(args)
        self.after = graph.dependencies
        self.results: dict[int, HostTensor] = {}

    def wanted(self) -> list[Any]:
        """What is computed before it: its arguments, and what other calls upstream give."""
        start = [v for v in self.args if isinstance(v, Value)]
        found = reachable(start, lambda v: () if v.op is None else v.op.operands)
        tokens = {id(v) for v in found if isinstance(v.op, PythonRun)}
        body: Sequence[Op] = self.graph.trace.builder.body
        ops = [op for op in body if isinstance(op, PythonResult | PythonShape)]
        return [*self.args, *(op.results[0] for op in ops if id(op.token) in tokens)]

    def given(self, arrays: Sequence[np.ndarray]) -> dict[HostTensor, np.ndarray]:
        """Call it; what it gives for the results of unknown rank."""
        found: list[Tensor] = self.callback.call([wrap(np.array(a)) for a in arrays])
        return {tensor: np.asarray(found[i]) for i, tensor in self.results.items()}


class NeedsCall(Unfed):
    """Raised where a slice needs what a HostCall gives."""

    call: HostCall


class HostTensor(UnrankedTensor):
    """A result of a HostCall. Once `set_shape` has said its rank, it is one of a slice."""

    __slots__ = ("host", "reader")

    def __init__(
        self, host: HostCall, dtype: DType, name: str, read: Callable[..., Value] | None
    ) -> None:
        super().__init__(host.graph, dtype, name)
        self.host, self.reader = host, read

    def set_shape(self, shape: Any) -> None:
        wanted = TensorShape(shape)
        if self._known is None and wanted.extents is not None and self.reader is not None:
            self._known = self.reader(wanted.extents)
            self.graph.unranked.remove(self)
            self.host.results = {i: t for i, t in self.host.results.items() if t is not self}
        else:
            super().set_shape(shape)

    def unfed(self) -> Unfed:
        error = NeedsCall(f"{self._name} is what Python gives", op="Session.run")
        error.call = self.host
        return error


def of_open(
    graph: Graph, callback: Any, tensors: Sequence[Any], shapes: Sequence[TensorShape]
) -> list[HostTensor] | None:
    """The results of a call with tensors of unknown rank; None if all have one."""
    if not any(map(kept_calls.is_open, tensors)):
        return None
    call = HostCall(graph, callback, [graph.element(t) for t in tensors])
    for i, shape in enumerate(shapes):
        _result(call, i, None).set_shape(shape)
    return list(call.results.values())


def _result(call: HostCall, place: int, read: Any) -> HostTensor:
    graph, callback = call.graph, call.callback
    known = callback.name.isidentifier()  # of a queue, and no lambda
    name = graph.name_in_scope(callback.name if known else "PyFunc")
    made = call.results[place] = HostTensor(call, callback.dtypes[place], name, read)
    graph.unranked.append(made)
    return made


def pending(
    graph: Graph, calls: dict[int, HostCall], run: PythonRun, place: int, read: Any
) -> HostTensor:
    """A result of unknown rank of a call that a trace has noted."""
    kept_calls.install()
    call = calls.get(id(run))
    if call is None:
        call = calls[id(run)] = HostCall(graph, run.callback, run.args)
    return _result(call, place, read)


__all__ = ["HostCall", "HostTensor", "NeedsCall", "of_open", "pending"]
