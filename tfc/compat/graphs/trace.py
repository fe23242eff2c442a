"""The traces of graphs: what ops are appended to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.core.context import context
from tfc.core.tensor import Tensor
from tfc.core.variable import Variable
from tfc.dispatch.stored_variables import Order
from tfc.dispatch.tracing import Trace
from tfc.ir.core import Value
from tfc.ir.ops import PythonStart

from . import host_calls, iterators
from .op_names import GraphBuilder

Graph = Any  # that of graph.py, which stands above


class GraphTrace(Trace):
    """The trace of a graph. Assignments are operations, which have no effect on what is read
    behind them; where draws of random numbers go on is known of each session: see `states`."""

    def __init__(self, graph: Graph) -> None:
        super().__init__("graph")
        self.builder = GraphBuilder(graph)
        self.builder.learnt = []
        self.graph = graph
        self._calls: dict[int, Any] = {}  # of Python, by id of their ops
        # Of random generators, by id: the state behind a draw, which the next run begins with.
        self.states: dict[int, tuple[Variable, Value]] = {}

    def create(self, variable: Variable) -> None:
        pass

    def has_assigned(self, variable: Variable) -> bool:
        return True  # in some session

    def know(self, variable: Variable, tensor: Tensor) -> None:
        pass

    def assign(self, variable: Variable, tensor: Tensor) -> None:
        """What control flow assigns happens whenever a session runs it."""
        if isinstance(variable, Order):
            return
        self.graph.assignment(variable, tensor, self.value_of(tensor))

    @property
    def token(self) -> Value:
        """What a call of a Python function comes behind: no other, as each may be run alone."""
        return self.builder.emit(PythonStart())

    def iterator(self, plan: Any, one_shot: bool) -> Any:
        """An iterator over a dataset, whose elements are tensors of the graph."""
        return iterators.iterator_of(self.graph, plan, one_shot)

    def iterator_for(self, spec: Any, handle: Any = None) -> Any:
        """An iterator over datasets that come later."""
        return iterators.iterator_for(self.graph, spec, handle)

    def host_call(self, callback: Any, tensors: Any, shapes: Any) -> Any:
        """The results of a call of Python with tensors of unknown rank; None if all have one."""
        return host_calls.of_open(self.graph, callback, tensors, shapes)

    def pending(self, run: Any, place: int, read: Any) -> Any:
        """A result of unknown rank of a call of Python."""
        return host_calls.pending(self.graph, self._calls, run, place, read)

    def store(self) -> None:
        pass

    def forget(self) -> None:
        pass  # Python functions see no Variables of sessions

    def adopt(self, regions: Sequence[Trace], values: Any, carried: bool = False) -> None:
        rows = list(values)
        drawn = {i for r in regions for i in r._states}
        for variable, tensor in rows:
            if id(variable) in drawn:
                self.draw(variable, tensor)
            elif any(r.leaves_assigned(variable) for r in regions):
                self.assign(variable, tensor)

    def draw(self, state: Variable, tensor: Tensor) -> None:
        after = self.value_of(tensor)
        self.states[id(state)] = state, after
        self._variables[id(state)] = state, after

    def meaning(self, variable: Variable, value: Value | None) -> Value | None:
        """Let a Variable be read as a value from here on; gives what it was read as before."""
        before = self._variables.pop(id(variable), (variable, None))[1]
        if value is not None:
            self._variables[id(variable)] = variable, value
        return before


def current_graph() -> Graph | None:
    """The graph that ops are appended to here; None where they run at once."""
    trace: Any = context.trace
    while trace is not None:
        if isinstance(trace, GraphTrace):
            return trace.graph
        trace = trace.outer
    return None


__all__ = ["GraphTrace", "current_graph"]
