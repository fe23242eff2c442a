"""`import_graph_def`: a graph's nodes, as a part of the graph that is the default one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

import tfc as tf
from tfc.core import blame
from tfc.core.context import active, current
from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.core.variable import Variable
from tfc.ir.core import Value
from tfc.records.graph import GraphDef, NodeDef

from ..graphs.default_graph import get_default_graph
from ..graphs.graph import Graph, GraphKeys, Operation
from ..graphs.nodes import ATTRIBUTE
from ..graphs.unranked import UnrankedTensor
from ..graphs.variables import GraphVariable
from .attributes import OP
from .bodies import Body, Library, Node, Ref, library_of, ref_of
from .running import Run, Values, is_known


class ImportedNode:
    """A node of a graph that was imported, as programs look it up: by `x` and `x:0`."""

    def __init__(self, graph: Graph, operation: Any, values: Values, missing: str = "") -> None:
        self.graph, self.values, self.missing = graph, values, missing
        self._operation = operation

    @property
    def operation(self) -> Any:
        self._check()
        return self._operation

    def tensor(self, number: int, name: str) -> Any:
        """A result as a tensor of the graph."""
        self._check()
        if number >= len(self.values):
            raise KeyError(f"The name '{name}' refers to a Tensor which does not exist.")
        value = self.values[number]
        if isinstance(value, Variable):
            return SymbolicTensor(self.graph.trace, self.graph.trace.value_of(value))
        if isinstance(value, Tensor) and not isinstance(value, SymbolicTensor):
            with self.graph.as_default():
                value = self.values[number] = self.graph.constant(value, "Const")
            value._value.name = name.partition(":")[0]
            self.graph.hidden.add(id(value._value.op))
        return value

    def names(self) -> Iterator[tuple[Value, str]]:
        """The values that stand for its results, with the names of these."""
        for number, value in enumerate(self.values):
            name = f"{self.operation.name}:{number}" if number else self.operation.name
            if isinstance(value, Variable):
                yield self.graph.trace.value_of(value), name
            elif isinstance(value, UnrankedTensor) and value.is_open:
                continue
            elif isinstance(value, SymbolicTensor) and value._trace is self.graph.trace:
                yield value._value, name

    def _check(self) -> None:
        if self.missing:
            raise blame.unimplemented(self.missing, OP)


class ImportedOperation(Operation):
    """An operation that a node has become: with the inputs and attributes of that.

    Attributes:
        node_def: The node, as it stands in the graph.
    """

    def __init__(
        self, graph: Graph, name: str, node: Node, needed: Sequence[Any], run: _Import
    ) -> None:
        super().__init__(graph, name, node.op, (), needed)
        self._node, self._run = node, run
        self.node_def = NodeDef()
        self.node_def.CopyFrom(node.message)
        self.node_def.name = name
        del self.node_def.input[:]
        self.node_def.input.extend(_input_names(run, node))

    def _tensors(self, made: ImportedNode) -> list[Any]:
        found = [made.tensor(i, made.operation.name) for i in range(len(made.values))]
        return [t for t in found if isinstance(t, Tensor)]

    @property
    def outputs(self) -> list[Any]:
        """The tensors that it gives."""
        made = self._run.nodes_made.get(self._node.name)
        return [] if made is None else self._tensors(made)

    @outputs.setter
    def outputs(self, given: Any) -> None:
        pass  # `tensor` makes them

    @property
    def inputs(self) -> list[Any]:
        """The tensors that it takes."""
        found = []
        for ref in self._node.inputs:
            given = self._run.given.get(ref)
            made = self._run.nodes_made.get(ref.node)
            if given is not None or made is None:
                found.append(given)
            else:
                found.append(made.tensor(ref.number, made.operation.name))
        return found

    @property
    def control_inputs(self) -> list[Any]:
        """The operations that it comes behind."""
        return [self._run.nodes_made[name].operation for name in self._node.controls]

    def get_attr(self, name: str) -> Any:
        """The value of an attribute.

        Raises:
            ValueError: If there is none of this name.
        """
        if name not in self._node.message.attr:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self._node[name]


def _input_names(run: _Import, node: Node) -> list[str]:
    """The names of what a node takes, in the graph that it has become a part of."""
    found = []
    for ref in node.inputs:
        given = run.given.get(ref)
        name = f"{run.full(ref.node)}:{ref.number}" if given is None else str(given.name)
        found.append(name.removesuffix(":0"))
    return found + [f"^{run.full(name)}" for name in node.controls]


class _Import(Run):
    """The run of all nodes of a graph that is imported."""

    def __init__(
        self, graph: Graph, prefix: str, library: Library, body: Body, trainable: set[str] | None
    ) -> None:
        super().__init__(library, body)
        self.graph, self.prefix, self.trainable = graph, prefix, trainable
        self.nodes_made: dict[str, ImportedNode] = {}
        self.variables: dict[str, GraphVariable] = {}
        self._named: set[Value] = set()  # values that have the names of nodes
        self._before = {id(op) for op in graph.trace.builder.body}
        # Names that the graph has not yet.
        self._full = {name: graph.unique_name(prefix + name) for name in body.nodes}

    def _own(self, node: Node) -> str:
        """The name of a node, which is given to what is made now."""
        name = self.full(node.name)
        self.graph.release_name(name)
        return name

    def full(self, name: str) -> str:
        """The name of a node in the graph that it becomes a part of."""
        return self._full.get(name, self.prefix + name)

    def variable(self, node: Node) -> Any:
        shape, dtype = tf.TensorShape(node["shape"]), node["dtype"]
        if not shape.is_fully_defined():
            raise blame.unimplemented(f"the Variable {node.name} has the shape {shape}", OP)
        zeros = tf.constant("", shape=shape) if dtype == tf.string else tf.zeros(shape, dtype)
        trains = self.trainable is None or node.name in self.trainable
        made: Any = tf.Variable(zeros, trainable=trains, name=self._own(node))
        for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
            held = self.graph.get_collection_ref(key)
            held[:] = [v for v in held if v is not made]  # a meta graph says which have it
        self.variables[node.name] = made
        return made

    def placeholder(self, node: Node) -> Any:
        shape = node.get("shape", tf.TensorShape(None))
        return self.graph.placeholder(node["dtype"], shape, self._own(node))

    def defaulting(self, node: Node, default: Any) -> Any:
        known = tf.get_static_value(default)
        if known is None:
            return tf.compat.v1.identity(default)
        text = node["dtype"] == tf.string
        given = np.asarray(known, object) if text else np.asarray(known)
        return self.graph.placeholder(node["dtype"], node["shape"], self._own(node), given)

    def behind(self, controls: Sequence[str]) -> AbstractContextManager[Any]:
        done = [self.nodes_made[name]._operation for name in controls if name in self.nodes_made]
        context: AbstractContextManager[Any] = self.graph.control_dependencies(done or None)
        return context

    def done(self, node: Node, values: Values) -> Values:
        full = self.full(node.name)
        trace = self.graph.trace
        for number, value in enumerate(values):
            if isinstance(value, UnrankedTensor) and value.is_open:
                value._name = full if number == 0 else f"{full}_{number}"
            elif isinstance(value, SymbolicTensor) and value._trace is trace:
                inner = value._value
                if inner not in self._named and id(inner.op) not in self._before:
                    self._named.add(inner)
                    inner.name = full if number == 0 else f"{full}_{number}"
        tensors = [v for v in values if isinstance(v, SymbolicTensor) and v._trace is trace]
        own = [v for v in values if isinstance(v, Operation)]
        needed = [self.graph.element(v) for v in (*tensors, *own)]
        operation = ImportedOperation(self.graph, full, node, needed, self)
        self.nodes_made[node.name] = ImportedNode(self.graph, operation, values)
        return values

    def missing(self, node: Node, why: str) -> None:
        self.nodes_made[node.name] = ImportedNode(self.graph, None, [], why)


def run_import(
    graph: Graph,
    message: GraphDef,
    prefix: str,
    input_map: Mapping[str, Any],
    trainable: set[str] | None = None,
) -> _Import:
    """Let a graph have the nodes of another one, with `prefix` in front of their names."""
    library, body = library_of(message), Body(message.node)
    run = _Import(graph, prefix, library, body, trainable)
    used = {(ref.node, ref.number) for node in body.nodes.values() for ref in node.inputs}
    for name, value in input_map.items():
        ref = ref_of(name)
        if (ref.node, ref.number) not in used and ref.node not in body.nodes:
            raise ValueError(
                "Attempted to map inputs that were not found in graph_def: "
                f"[{ref.node}:{ref.number}]"
            )
        run.given[Ref(ref.node, ref.number)] = tf.convert_to_tensor(value)
    start, inputs = len(graph.trace.builder.body), set(graph.trace.builder.params)
    wanted = list(body.nodes)
    with active(names=""):
        for node in body.order(wanted):
            lacks = [r.node for r in node.inputs if _lacks(run, r)]
            lacks += [name for name in node.controls if run.nodes_made[name].missing]
            if lacks:
                run.missing(node, run.nodes_made[lacks[0]].missing)
            elif not (is_known(node.op) or node.op in library or ATTRIBUTE in node.message.attr):
                run.missing(node, f"the graph has an op that tfc does not have: {node.op} "
                            f"(node {prefix}{node.name})")  # fmt: skip
            else:
                try:
                    for name in node.functions:
                        inner = library.body(name)
                        needs = [*(ref.node for ref in inner.results), *inner.effects]
                        library.check(inner, needs, is_known)
                    run.nodes([node.name])
                except tf.errors.UnimplementedError as error:
                    run.missing(node, error.message)
    builder = graph.trace.builder
    graph.hidden.update(id(op) for op in builder.body[start:])
    graph.hidden.update(id(v) for v in builder.params if v not in inputs)
    if message.HasField("library"):
        graph.libraries.append(message.library)
    for name in body.nodes:
        graph.imported[run.full(name)] = run.nodes_made[name]
    return run


def _lacks(run: _Import, ref: Ref) -> bool:
    if ref in run.given:
        return False
    return bool(run.nodes_made[ref.node].missing)


def import_graph_def(
    graph_def: GraphDef,
    input_map: Mapping[str, Any] | None = None,
    return_elements: Sequence[str] | None = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Let the default graph have the nodes of a `GraphDef` that TensorFlow wrote, such as a frozen
    graph. Each is run by the function of `tf.raw_ops` that has its op's name. What tfc has no op
    for is left out, with all that needs it, until somebody asks for it. `name` stands in front of
    all names: "import" where nothing is said, nothing for "".

    Args:
        graph_def: The graph.
        input_map: Tensors that are taken instead of those of these names.
        return_elements: Names of operations (`x`) and tensors (`x:0`) that are returned.
        op_dict: Not used.
        producer_op_list: Not used.

    Returns:
        What `return_elements` names; None without it.

    Raises:
        TypeError: If `graph_def` is no GraphDef, or an argument is of another kind.
        ValueError: If a name is not there.
        DataLossError: If the graph is damaged.
        UnimplementedError: If what is asked for needs an op that tfc does not have.

    >>> import tfc.compat.v1 as tf
    >>> frozen = tf.GraphDef(node=[
    ...     {"name": "x", "op": "Placeholder", "attr": {"dtype": {"type": 1}}},
    ...     {"name": "y", "op": "Square", "input": ["x"]}])
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     tf.import_graph_def(frozen, name="")
    ...     print(session.run("y:0", {"x:0": 3.0}))
    9.0
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    if not isinstance(input_map or {}, Mapping):
        raise TypeError(
            f"Argument `input_map` must be a dictionary. Obtained {type(input_map).__name__}"
        )
    graph = get_default_graph()
    with graph.as_default() if not _is_default(graph) else active():
        prefix = _prefix(graph, name)
        run = run_import(graph, graph_def, prefix, input_map or {})
    if return_elements is None:
        return None
    return [_element(run, text) for text in return_elements]


def _is_default(graph: Graph) -> bool:
    return current().trace is graph.trace


def _prefix(graph: Graph, name: str | None) -> str:
    """What stands in front of names."""
    if name == "":
        return str(current().names)
    scope = graph.name_in_scope("import" if name is None else name.rstrip("/"))
    return f"{scope}/"


def _element(run: _Import, text: str) -> Any:
    ref = ref_of(text)
    made = run.nodes_made.get(ref.node)
    if made is None:
        kind = "tensor" if ":" in text else "node"
        raise ValueError(f"Requested return {kind} {text!r} not found in graph def")
    if ":" not in text:
        return made.operation
    count = len(made.values)
    if not made.missing and ref.number >= count:
        raise ValueError(
            f"Invalid return output {ref.number} of node {ref.node!r}, which has {count} output(s)"
        )
    return made.tensor(ref.number, f"{run.full(ref.node)}:{ref.number}")


__all__ = ["ImportedNode", "import_graph_def", "run_import"]
