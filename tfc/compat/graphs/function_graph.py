"""The graphs of functions: what they were traced to, as TensorFlow shows it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tfc.core import blame
from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.core.variable import Variable
from tfc.dispatch.tracing import Trace
from tfc.ir.core import Value
from tfc.ir.ops import Constant

from .graph import Graph, Operation


class FuncGraph(Graph):
    """The graph of a function: `concrete.graph`, and `x.graph` of a tensor that is being traced.
    It can be looked at, and nothing is appended to it but by the function itself.

    Unlike TensorFlow, the ops are those of the IR, and what a Variable is given is no op of it.

    Attributes:
        name: The function's name.
        inputs: The tensors that it is given: those among the arguments, then what it captures.
        outputs: The tensors among its results.
        captures: Pairs of what it takes from outside and the placeholder of that.
        variables: The Variables among these.

    >>> import tfc as tf
    >>> v = tf.Variable(2.0, name="v")
    >>> concrete = tf.function(lambda x: x * v).get_concrete_function(tf.TensorSpec([3]))
    >>> isinstance(concrete.graph, tf.Graph)
    True
    >>> [(op.name, op.type) for op in concrete.graph.get_operations()]
    [('x', 'Placeholder'), ('v', 'Placeholder'), ('broadcast', 'Broadcast'), ('mul', 'Mul')]
    >>> [x.name for x in concrete.graph.outputs]
    ['mul:0']
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self.trace: Any = trace
        self.name = trace.builder.name
        self.concrete: Any = None
        self.outer_graph = None
        self._called: dict[Value, str] = {}

    @property
    def building_function(self) -> bool:
        """Whether it is the graph of a function: True."""
        return True

    # What it is made of.

    @property
    def inputs(self) -> list[Tensor]:
        return [self._tensor(v) for v in self.trace.builder.params]

    @property
    def outputs(self) -> list[Tensor]:
        return [self._tensor(v) for v in self._concrete().function.returns[: self.concrete.count]]

    @property
    def captures(self) -> list[tuple[Any, Tensor]]:
        concrete = self._concrete()
        return list(zip(concrete.captured, self.inputs[len(concrete.types) :], strict=True))

    @property
    def external_captures(self) -> list[Any]:
        """What it takes from outside."""
        return [outer for outer, _ in self.captures]

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders of that."""
        return [inner for _, inner in self.captures]

    @property
    def variables(self) -> tuple[Variable, ...]:
        found: tuple[Variable, ...] = self._concrete().variables
        return found

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of them that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def structured_outputs(self) -> Any:
        """The results, with the tensors of the graph in them."""
        return self._concrete().pack(self.outputs)

    @property
    def structured_input_signature(self) -> Any:
        """The arguments, with a TensorSpec for every tensor."""
        return self._concrete().structured_input_signature

    @property
    def function(self) -> Any:
        """The function of the IR."""
        return self._concrete().function

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> Any:
        """Its nodes, as TensorBoard shows them.

        Args:
            from_version: Not used.
            add_shapes: Not used: shapes are there.

        Returns:
            A GraphDef.
        """
        from tfc.summary.graphs import graph_of

        return graph_of([(self.name, self.function)])

    def as_default(self) -> Any:
        """Refused: a function that was traced stays as it is."""
        raise blame.unimplemented(
            "the graph of a function takes no more ops: make a function that calls it", "as_default"
        )

    def get_operations(self) -> list[Operation]:
        builder = self.trace.builder
        values = [*builder.params, *(op.results[0] for op in builder.body if op.results)]
        return [self.operation_of(self._tensor(v)) for v in values]

    def operation_of(self, tensor: SymbolicTensor) -> Operation:
        value = tensor._value
        kind = "Placeholder" if value.op is None else type(value.op).__name__
        if isinstance(value.op, Constant):
            kind = "Const"
        return Operation(self, self.name_of(value), kind, [value], (), [tensor])

    def get_tensor_by_name(self, name: str) -> Any:
        builder = self.trace.builder
        for value in (*builder.params, *(v for op in builder.body for v in op.results)):
            if f"{self.name_of(value)}:0" == name:
                return self._tensor(value)
        raise KeyError(f"The name '{name}' refers to a Tensor which does not exist.")

    def name_of(self, value: Value) -> str:
        """The name of a value that no other has: its own, or that of its op, with a number."""
        if value not in self._called:
            builder = self.trace.builder
            taken: Counter[str] = Counter()
            for v in (*builder.params, *(v for op in builder.body for v in op.results)):
                name = v.name or (v.op.mnemonic if v.op is not None else "input")
                taken[name] += 1
                number = taken[name] - 1
                self._called[v] = f"{name}_{number}" if number else name
        return self._called.get(value, value.name or "value")

    def _tensor(self, value: Value) -> SymbolicTensor:
        return SymbolicTensor(self.trace, value)

    def _concrete(self) -> Any:
        if self.concrete is None:
            raise blame.value_error(
                f"{self.name} is being traced: it has results when it is done", "FuncGraph"
            )
        return self.concrete

    def __repr__(self) -> str:
        return f"<FuncGraph {self.name}>"


class _Finished(Trace):
    """The trace of a function, once more, for the tensors of its graph: none takes part in ops."""

    def __init__(self, concrete: Any) -> None:
        super().__init__(concrete.name)
        self.builder.params[:] = concrete.function.params
        self.builder.body[:] = concrete.function.body
        self.graph = FuncGraph(self)
        self.graph.concrete = concrete


def graph_of_concrete(concrete: Any) -> FuncGraph:
    """The graph of a concrete function."""
    found: FuncGraph = _Finished(concrete).graph
    return found


def graph_of_trace(trace: Trace) -> FuncGraph:
    """The graph of what is being traced, as far as it has come: the same one for all of it."""
    found = trace.shown
    if found is None:
        found = trace.shown = FuncGraph(trace)
    graph: FuncGraph = found
    graph._called.clear()  # there may be more ops than when it was asked before
    return graph


__all__ = ["FuncGraph", "graph_of_concrete", "graph_of_trace"]
