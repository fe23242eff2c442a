"""A graph as nodes that can be read again.

Placeholders, constants, Variables and what assigns them are nodes of TensorFlow's. A node of
another op says in an attribute which op of the IR it is: as the text of a function of its inputs,
which is read as those of saved models are, so that a graph may come from anybody. What calls
Python has no such text: it is left out where the graph is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfc.core.tensor import Tensor
from tfc.core.variable import Variable
from tfc.ir.copying import copy_op, op_symbols
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.ops import Constant
from tfc.records.graph import AttrValue, GraphDef, NodeDef
from tfc.records.tensor import TensorShapeProto, proto_of
from tfc.saved_model.vocabulary import OPS, forbidden
from tfc.summary.graphs import graph_of_body

ATTRIBUTE = "_tfc_ir"  # of a node: the function of its inputs that it is
INSIDE = "_tfc_inside"  # of a node that only shows what stands in a branch or a loop


def _shape(value: Any) -> TensorShapeProto:
    sizes = [{"size": e if isinstance(e, int) else -1} for e in value.shape]
    return TensorShapeProto(dim=sizes)


class _Nodes:
    """Makes nodes of what a graph holds."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.extra: list[NodeDef] = []
        self.variables: dict[Value, Variable] = {}
        self.constants: dict[Value, Tensor] = {}
        for x, value in graph.trace.captures.values():
            if isinstance(x, Variable):
                self.variables[value] = x
            else:
                self.constants[value] = x
        self.tells: dict[str, Value] = {}  # which value has an extent
        self.names: Mapping[Value, str] = {}

    def note(self, value: Value) -> None:
        for extent in getattr(value, "shape", ()):
            if not isinstance(extent, int) and str(extent).isidentifier():
                self.tells.setdefault(str(extent), value)

    def param(self, value: Value, node: NodeDef) -> None:
        """Say what a value is that no op makes."""
        self.note(value)
        node.attr["shape"].shape.CopyFrom(_shape(value))
        if value in self.variables:
            node.op = "VarHandleOp"
            return
        if value in self.constants:
            self._constant(node, self.constants[value]._array)
            return
        default = self.graph.placeholders.get(value)
        if default is not None:
            name = f"{node.name}/input"
            made = NodeDef(name=name, op="Const")
            self._constant(made, default)
            self.extra.append(made)
            node.op = "PlaceholderWithDefault"
            node.input.append(name)

    def _constant(self, node: NodeDef, array: Any) -> None:
        node.op = "Const"
        tensor = proto_of(array)
        node.attr["dtype"].type = tensor.dtype
        node.attr["value"].tensor.CopyFrom(tensor)

    def op(self, op: Op, node: NodeDef, names: Mapping[Value, str]) -> None:
        """Say what an op is."""
        for value in op.results:
            self.note(value)
        assigned = [o for o in self.graph.attached.get(id(op), ()) if o.assigns is not None]
        for name in list(node.attr):
            if not name.startswith("_") and name != "dtype":
                del node.attr[name]
        del node.input[:]
        if assigned and op.operands:
            variable = self._variable_of(assigned[0].assigns[0])
            if variable is not None:
                node.op = "Assign"
                node.input.extend([names[variable], names[op.operands[0]]])
                self._behind(op, node, names)
                return
        if isinstance(op, Constant):
            self._constant(node, op.value)
            return
        inputs = list(dict.fromkeys(op.operands))
        known = {str(e) for v in inputs for e in v.shape}
        for symbol in op_symbols(op):
            told = self.tells.get(symbol)
            if symbol not in known and told is not None and told not in op.results:
                inputs.append(told)
                known.update(str(e) for e in told.shape)
        builder, env = Builder("node"), {}
        for value in inputs:
            env[value] = builder.parameter(value.type)
        copy_op(op, builder, env)
        results = tuple(env[value] for value in op.results)
        function = Function("node", tuple(builder.params), tuple(builder.body), results)
        if all(o.mnemonic in OPS for o in function.walk()) and forbidden(function) is None:
            node.attr[ATTRIBUTE].CopyFrom(AttrValue(s=str(function).encode()))
        node.input.extend([names[value] for value in inputs])
        self._behind(op, node, names)

    def _variable_of(self, variable: Variable) -> Value | None:
        return next((v for v, x in self.variables.items() if x is variable), None)

    def _behind(self, op: Op, node: NodeDef, names: Mapping[Value, str]) -> None:
        for element in self.graph.waits.get(id(op), ()):
            name = self.name_of(element, names)
            if name is not None:
                node.input.append(f"^{name}")

    def name_of(self, element: Any, names: Mapping[Value, str]) -> str | None:
        """The name of the node that stands for what something comes behind."""
        if isinstance(element, Value):
            found = names.get(element)
            return None if found is None else found.partition(":")[0]
        if isinstance(element, Op):
            return self.name_of(element.results[0], names) if element.results else None
        return str(element.name)

    def operations(self, names: Mapping[Value, str], taken: set[str]) -> None:
        """Nodes for assignments that start Variables, and for groups."""
        for operation in self.graph.operations:
            if operation.name in taken:
                continue
            taken.add(operation.name)
            node = NodeDef(name=operation.name, op="NoOp")
            if operation.assigns is not None:
                variable, value = operation.assigns
                handle = self._variable_of(variable)
                made_by = value.op is not None and self.graph.attached.get(id(value.op))
                if handle is not None and value in names and not made_by:
                    node.op = "Assign"
                    node.input.extend([names[handle], names[value]])
            if node.op == "NoOp":
                elements = [*operation.values, *operation.after]
                for element in elements:
                    name = self.name_of(element, names)
                    if name is not None and f"^{name}" not in node.input:
                        node.input.append(f"^{name}")
            self.extra.append(node)


def nodes_of(graph: Any) -> GraphDef:
    """The nodes of a graph."""
    builder = graph.trace.builder
    imported = [node for node in graph.imported.values() if not node.missing]
    known = {value: name for node in imported for value, name in node.names()}
    made = GraphDef(node=[node.operation.node_def for node in imported])
    for library in graph.libraries:
        made.library.MergeFrom(library)
    nodes = _Nodes(graph)
    for value in known:
        nodes.note(value)
    for variable in graph.get_collection("variables"):  # that nothing has read
        value = graph.trace.value_of(variable)
        nodes.variables.setdefault(value, variable)
    params = [value for value in builder.params if id(value) not in graph.hidden]
    named = [(value.name or "input", value) for value in params]
    named += [(value.name or "value", value) for value in graph.deferred]
    there = {value for _, value in named}
    for value, x in (*nodes.variables.items(), *nodes.constants.items()):
        if value not in there and value not in known:
            name = x.name.partition(":")[0] if isinstance(x, Variable) else "captured"
            named.append((name, value))
    body = [op for op in builder.body if id(op) not in graph.hidden]
    operations = [o.name for o in graph.operations]
    own, names = graph_of_body(named, body, known, nodes.param, nodes.op, operations)
    nodes.operations(names, {node.name for node in made.node})
    made.MergeFrom(own)
    made.node.extend(nodes.extra)
    return made


__all__ = ["ATTRIBUTE", "INSIDE", "nodes_of"]
