"""`tf.compat.v1.wrap_function`: a function of TensorFlow 1's style, with its graph to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tfc as _tfc
from tfc.core import nest
from tfc.core.context import active, context
from tfc.core.conversion import convert_to_tensor
from tfc.core.specs import TensorSpec
from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.core.variable import Variable
from tfc.ir.core import Value
from tfc.saved_model.traces import appended

from .graph import Graph, Operation
from .session import Session
from .slices import Slice
from .variables import GraphVariable


class WrappedFunction:
    """What `wrap_function` gives: it is called with tensors.

    Attributes:
        graph: The graph that the function has made.
        variables: Its Variables, which have values outside of sessions.
    """

    def __init__(self, graph: Graph, inputs: Sequence[Any], outputs: Any) -> None:
        self.graph, self.inputs = graph, list(inputs)
        self.structured_outputs = outputs
        self._outside: dict[int, Variable] = {}
        held = [x for x, _ in graph.trace.captures.values() if isinstance(x, GraphVariable)]
        held += [v for v in graph.get_collection("variables") if isinstance(v, GraphVariable)]
        made = list(dict.fromkeys(held))
        if made:
            with active(trace=None, tapes=()), Session(graph=graph) as session:
                for variable in made:
                    session.run(variable.initializer)
                arrays = session.run(made)
            with active(trace=None, tapes=(), creators=()):
                for variable, array in zip(made, arrays, strict=True):
                    name, trains = variable.op_name, variable.trainable
                    outside = Variable(
                        convert_to_tensor(array, variable.dtype), trainable=trains, name=name
                    )
                    self._outside[id(variable)] = outside
        self.variables = tuple(self._outside.values())
        self._call = self.prune(self.inputs, outputs)

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its Variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def prune(self, feeds: Any, fetches: Any, name: str | None = None) -> Callable[..., Any]:
        """A function of some tensors of the graph that gives others.

        Args:
            feeds: The tensors that are given, or their names.
            fetches: A structure of tensors, operations or their names.
            name: Not used.

        Returns:
            A function that takes tensors, and gives the structure; None for operations.
        """
        graph = self.graph
        elements = [graph.as_graph_element(x) for x in nest.flatten(feeds)]
        given = [graph.element(x) for x in elements]
        leaves = [graph.as_graph_element(x) for x in nest.flatten(fetches)]
        with graph.as_default():
            wanted = [graph.element(x) for x in leaves]
        values = [v for v in given if isinstance(v, Value)]
        # Placeholders that nobody feeds have their defaults.
        defaults = {v: d for v, d in graph.placeholders.items() if d is not None}
        left = [(v, d) for v, d in defaults.items() if v not in values]
        made = Slice(graph, wanted, [*values, *(v for v, _ in left)], graph.world({}))
        constants = [convert_to_tensor(d, v.dtype) for v, d in left]
        specs = [TensorSpec(SymbolicTensor(graph.trace, v).shape, v.dtype) for v in values]

        def call(*tensors: Tensor) -> list[Any]:
            captured = [self._outside.get(id(x), x) for x in made.captured]
            results = appended(
                made.function, [*tensors, *constants, *captured], made._required, "prune"
            )
            trace: Any = context.trace
            for variable, value in zip(made.assigned, results[made.count :], strict=False):
                trace.assign(self._outside.get(id(variable), variable), value)
            return [None if place is None else results[place] for place in made.places]

        compiled = _tfc.function(call, autograph=False)

        def pruned(*args: Any) -> Any:
            if len(args) != len(specs):
                raise TypeError(f"takes {len(specs)} tensors, got {len(args)}")
            pairs = zip(args, specs, strict=True)
            found = compiled(*[convert_to_tensor(x, s.dtype) for x, s in pairs])
            return nest.pack_sequence_as(fetches, found)

        return pruned


def wrap_function(
    fn: Callable[..., Any], signature: Any, name: str | None = None
) -> WrappedFunction:
    """Run a function once, in a graph of its own, as TensorFlow 1 would: then call what it made.

    Args:
        fn: The function. It may make Variables, and placeholders.
        signature: TensorSpecs of its arguments.
        name: Not used.

    Returns:
        A WrappedFunction.

    >>> import tfc as tf
    >>> def scaled(x):
    ...     return x * tf.compat.v1.get_variable("w", initializer=2.0)
    >>> wrapped = tf.compat.v1.wrap_function(scaled, [tf.TensorSpec([], tf.float32)])
    >>> float(wrapped(tf.constant(3.0))), [v.name for v in wrapped.variables]
    (6.0, ['w:0'])
    """
    graph = Graph()
    with graph.as_default():
        inputs = [graph.placeholder(s.dtype, s.shape, s.name) for s in nest.flatten(signature)]
        outputs = fn(*nest.pack_sequence_as(signature, inputs))
    if isinstance(outputs, Operation) or outputs is None:
        outputs = [] if outputs is None else outputs
    return WrappedFunction(graph, inputs, outputs)


__all__ = ["WrappedFunction", "wrap_function"]
