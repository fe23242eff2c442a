"""Functions as graphs that TensorBoard shows: `graph`.

A node is an op of the IR. Its name begins with the function and the line of Python that it comes
from, so that the graph folds by lines. The ops of a branch or a loop stand behind the name of the
op that they belong to, which waits for their results.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tfc.ir.core import Function, Op, Value
from tfc.ir.ops import Constant

from ..core import blame
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..function.concrete import ConcreteFunction
from ..function.polymorphic import PolymorphicFunction
from ..records.graph import AttrValue, GraphDef, NodeDef
from .recording import event_of_graph
from .state import current, resolved

_LONGEST = 200  # characters of an attribute
_NO_NAME = re.compile(r"[^A-Za-z0-9_.\-/]")


def graph_of(functions: Iterable[tuple[str, Function]]) -> GraphDef:
    """The graph of functions with their names; of several, each is a scope."""
    graph = GraphDef(versions={"producer": 1})
    taken: Counter[str] = Counter()
    listed = list(functions)
    files = {op.location.file for _, f in listed for op in f.walk() if op.location is not None}
    for name, f in listed:
        scope = f"{_unique(taken, _plain(name))}/" if len(listed) > 1 else ""
        _Nodes(graph, taken, len(files) > 1).function(scope, f)
    return graph


def graph_of_body(
    params: Iterable[tuple[str, Value]],
    body: Sequence[Op],
    known: Mapping[Value, str],
    of_param: Callable[[Value, NodeDef], None],
    of_op: Callable[[Op, NodeDef, Mapping[Value, str]], None],
    taken: Iterable[str] = (),
) -> tuple[GraphDef, Mapping[Value, str]]:
    """The graph of ops that are in no function, and of the values with their names that they take.
    What has a name keeps it. `known` are inputs that nodes elsewhere give; `of_param` and `of_op`
    are told of each node, and may change it; names in `taken` are others'. Gives also what inputs
    of nodes say for values."""
    graph = GraphDef(versions={"producer": 1})
    nodes = _Nodes(graph, Counter(taken), False)
    nodes.know(known)
    nodes.named(params, body, of_param, of_op)
    return graph, nodes.names


class _Nodes:
    """Appends the nodes of a function to a graph."""

    def __init__(self, graph: GraphDef, taken: Counter[str], many: bool) -> None:
        """`many` says whether the ops come from more than one file."""
        self._graph, self._taken, self._many = graph, taken, many
        self.names: dict[Value, str] = {}  # what inputs of nodes say

    def function(self, scope: str, f: Function) -> None:
        self._parameters(scope, f)
        self._body(scope, f)
        for i, value in enumerate(f.returns):
            self._node(f"{scope}output_{i}", "Identity", [self.names[value]], [value])

    def know(self, names: Mapping[Value, str]) -> None:
        """Take over what other nodes give."""
        self.names.update(names)
        self._taken.update({name.partition(":")[0] for name in names.values()})

    def named(
        self,
        params: Iterable[tuple[str, Value]],
        body: Sequence[Op],
        of_param: Callable[[Value, NodeDef], None],
        of_op: Callable[[Op, NodeDef, Mapping[Value, str]], None],
    ) -> None:
        for name, value in params:
            self.names[value] = self._node(_plain(name), "Placeholder", [], [value])
            of_param(value, self._graph.node[-1])
        for op in body:
            own = op.results[0].name if op.results else None
            line = "" if op.location is None else f"line_{op.location.line}/"
            start = len(self._graph.node)
            self._op(_plain(own) if own else f"{line}{op.mnemonic}", op)
            for inside in self._graph.node[start:-1]:
                inside.attr["_tfc_inside"].CopyFrom(AttrValue(b=True))
            of_op(op, self._graph.node[-1], self.names)

    def _parameters(self, scope: str, f: Function) -> None:
        for i, p in enumerate(f.params):
            name = self._node(f"{scope}{_plain(p.name or f'input_{i}')}", "Placeholder", [], [p])
            self.names[p] = name

    def _body(self, scope: str, f: Function) -> None:
        for op in f.body:
            place = scope
            if op.location is not None:
                file = op.location.file
                of_file = f".{_plain(os.path.basename(file))}" if self._many else ""
                place = f"{scope}line_{op.location.line}{of_file}/"
            self._op(f"{place}{op.mnemonic}", op)

    def _op(self, wanted: str, op: Op) -> None:
        inputs = [self.names[v] for v in op.operands]
        name = _unique(self._taken, wanted)
        for field, region in zip(op.spec.regions, op.regions, strict=True):
            inside = f"{name}/{field}/"
            self._parameters(inside, region)
            self._body(inside, region)
            inputs += [f"^{self.names[v].partition(':')[0]}" for v in region.returns]
        kind = "Const" if isinstance(op, Constant) else type(op).__name__  # TensorBoard's sign
        self._append(name, kind, inputs, op.results, op.attributes)
        for i, result in enumerate(op.results):
            self.names[result] = f"{name}:{i}" if i else name

    def _node(self, wanted: str, kind: str, inputs: list[str], values: Iterable[Value]) -> str:
        name = _unique(self._taken, wanted)
        self._append(name, kind, inputs, values, {})
        return name

    def _append(
        self,
        name: str,
        kind: str,
        inputs: list[str],
        values: Iterable[Value],
        attributes: dict[str, Any],
    ) -> None:
        node: NodeDef = self._graph.node.add(name=name, op=kind, input=inputs)
        for key, value in attributes.items():
            node.attr[key].CopyFrom(AttrValue(s=_text(value).encode()))
        values = [v for v in values if hasattr(v.type, "dtype")]
        if values:
            node.attr["dtype"].CopyFrom(AttrValue(type=values[0].dtype.as_datatype_enum))
            shapes = [{"dim": [{"size": _extent(e)} for e in v.shape]} for v in values]
            node.attr["_output_shapes"].CopyFrom(AttrValue(list={"shape": shapes}))


def _extent(extent: Any) -> int:
    return extent if isinstance(extent, int) else -1


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.tolist() if value.size <= 16 else f"{value.dtype}{list(value.shape)}"
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _plain(name: str) -> str:
    return _NO_NAME.sub("_", name) or "_"


def _unique(taken: Counter[str], name: str) -> str:
    """A name that no other node has."""
    while True:
        taken[name] += 1
        found = name if taken[name] == 1 else f"{name}_{taken[name] - 1}"
        if found == name or not taken[found]:
            taken[found] = max(taken[found], 1)
            return found


def _functions(data: Any) -> list[tuple[str, Function]] | None:
    """The functions that something stands for, as they were traced; None where it is none."""
    data = getattr(data, "func", data)  # a method
    if isinstance(data, Function):
        return [(data.name, data)]
    if isinstance(data, ConcreteFunction):
        return [(data.name, data.function)]
    if isinstance(data, PolymorphicFunction):
        return [(c.name, c.function) for c in data.concrete_functions]
    if isinstance(data, list | tuple):
        parts = [_functions(part) for part in data]
        return None if None in parts else [row for part in parts if part for row in part]
    return None


def graph(graph_data: Any) -> Any:
    """Write a function as a graph for TensorBoard, which folds by lines of Python.

    Args:
        graph_data: A `tfc.function` that was called, a concrete function, a function of the IR, a
            list of such, or a `tf.compat.v1.GraphDef`.

    Returns:
        A scalar bool: whether it was written.

    Raises:
        ValueError: If it is something else, or inside of a `tfc.function`.

    >>> import tempfile
    >>> import tfc as tf
    >>> f = tf.function(lambda x: tf.tanh(x) * 2.0)
    >>> concrete = f.get_concrete_function(tf.TensorSpec([3]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.graph(concrete)))
    True
    """
    op = "summary.graph"
    if context.trace is not None:
        raise blame.value_error("graph() cannot be invoked inside a graph context.", op)
    state = current()
    writer = state.writer.value
    if writer is None or not writer.records or not resolved(state.recording.value):
        return convert_to_tensor(False)
    writer.put(event_of_graph(made_graph(graph_data, op).SerializeToString()), 0)
    return convert_to_tensor(True)


def made_graph(data: Any, op: str) -> GraphDef:
    """The graph that something stands for."""
    if isinstance(data, GraphDef):
        return data
    if hasattr(data, "as_graph_def"):
        made: GraphDef = data.as_graph_def()
        return made
    functions = _functions(data)
    if functions is None:
        raise blame.value_error(f"a function or a GraphDef is wanted, got {shown(data)}", op)
    return graph_of(functions)


__all__ = ["graph", "graph_of"]
