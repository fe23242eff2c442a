"""`tfc.compat.v1.graph_util`: graphs as messages, cut and changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import tfc as _tfc
from tfc.records.graph import GraphDef, NodeDef

from ..graph_def.bodies import ref_of as _ref_of
from ..graph_def.importing import import_graph_def

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_READS = ("ReadVariableOp", "Identity", "RefIdentity")


def _copied(node: NodeDef) -> NodeDef:
    made = NodeDef()
    made.CopyFrom(node)
    return made


def _graph_of(nodes: Iterable[NodeDef], like: GraphDef) -> GraphDef:
    """A graph of these nodes, with the functions of another one."""
    made = GraphDef(node=list(nodes))
    made.versions.CopyFrom(like.versions)
    if like.HasField("library"):
        made.library.CopyFrom(like.library)
    return made


def extract_sub_graph(graph_def: GraphDef, dest_nodes: Sequence[str]) -> GraphDef:
    """The part of a graph that some nodes need.

    Args:
        graph_def: The graph.
        dest_nodes: The names of the nodes.

    Returns:
        A GraphDef with these nodes and what they need, in their order.

    Raises:
        TypeError: If `graph_def` is no GraphDef, or `dest_nodes` a string.
        AssertionError: If a node is not there.

    >>> import tfc.compat.v1 as tf
    >>> graph = tf.GraphDef(node=[{"name": "x"}, {"name": "y", "input": ["x"]}, {"name": "z"}])
    >>> [node.name for node in tf.graph_util.extract_sub_graph(graph, ["y"]).node]
    ['x', 'y']
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        raise TypeError(
            f"dest_nodes must be an iterable of strings, but got type {type(dest_nodes)}."
        )
    nodes = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise AssertionError(f"{name} is not in graph")
    wanted: set[str] = set()
    left = list(dest_nodes)
    while left:
        name = left.pop()
        if name not in wanted and name in nodes:
            wanted.add(name)
            left += [_ref_of(text).node for text in nodes[name].input]
    return _graph_of([_copied(n) for n in graph_def.node if n.name in wanted], graph_def)


def remove_training_nodes(input_graph: GraphDef, protected_nodes: Any = None) -> GraphDef:
    """A graph without the checks of numbers and the identities, which only training needs.

    Args:
        input_graph: The graph.
        protected_nodes: Names of nodes that stay.

    Returns:
        A GraphDef.

    >>> import tfc.compat.v1 as tf
    >>> graph = tf.GraphDef(node=[{"name": "x", "op": "Placeholder"},
    ...                           {"name": "same", "op": "Identity", "input": ["x"]},
    ...                           {"name": "y", "op": "Abs", "input": ["same"]}])
    >>> [(n.name, n.input) for n in tf.graph_util.remove_training_nodes(graph).node]
    [('x', []), ('y', ['x'])]
    """
    kept = set(protected_nodes or ())
    instead: dict[str, str] = {}
    for node in input_graph.node:
        single = len(node.input) == 1 and not node.input[0].startswith("^")
        if node.op in ("CheckNumerics", "Identity") and single and node.name not in kept:
            instead[node.name] = node.input[0]
    made = []
    for node in input_graph.node:
        if node.name in instead:
            continue
        copy = _copied(node)
        del copy.input[:]
        for text in node.input:
            seen = set()
            while text.removesuffix(":0") in instead and text not in seen:
                seen.add(text)
                text = instead[text.removesuffix(":0")]
            copy.input.append(text)
        made.append(copy)
    return _graph_of(made, input_graph)


def convert_variables_to_constants(
    sess: Any,
    input_graph_def: GraphDef,
    output_node_names: Sequence[str],
    variable_names_whitelist: Any = None,
    variable_names_blacklist: Any = None,
) -> GraphDef:
    """A graph with the values that Variables have in a session: frozen.

    Args:
        sess: The session.
        input_graph_def: The graph, which is that of the session.
        output_node_names: The nodes that are wanted.
        variable_names_whitelist: The Variables that become constants; None: all.
        variable_names_blacklist: Those that do not.

    Returns:
        A GraphDef of what these nodes need.

    >>> import tfc.compat.v1 as tf
    >>> number = {"dtype": {"type": 1}, "shape": {"shape": {"dim": [{"size": 1}]}}}
    >>> graph = tf.GraphDef(node=[{"name": "v", "op": "VariableV2", "attr": number},
    ...                           {"name": "y", "op": "Neg", "input": ["v"]}])
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     tf.import_graph_def(graph, name="")
    ...     session.run("v/Assign")
    ...     frozen = tf.graph_util.convert_variables_to_constants(session, graph, ["y"])
    >>> [(node.name, node.op) for node in frozen.node]
    [('v', 'Const'), ('y', 'Neg')]
    """
    inner = extract_sub_graph(input_graph_def, output_node_names)
    names = [node.name for node in inner.node if node.op in _VARIABLES]
    if variable_names_whitelist is not None:
        names = [n for n in names if n in variable_names_whitelist]
    names = [n for n in names if n not in (variable_names_blacklist or ())]
    arrays = dict(zip(names, sess.run([f"{n}:0" for n in names]), strict=True)) if names else {}
    made = []
    for node in inner.node:
        copy = _copied(node)
        if node.name in arrays:
            tensor = _tfc.make_tensor_proto(arrays[node.name])
            copy = NodeDef(name=node.name, op="Const")
            copy.attr["dtype"].type = tensor.dtype
            copy.attr["value"].tensor.CopyFrom(tensor)
        elif node.op in _READS and node.input and _ref_of(node.input[0]).node in arrays:
            dtype = node.attr["dtype" if node.op == "ReadVariableOp" else "T"].type
            copy = NodeDef(name=node.name, op="Identity", input=list(node.input))
            copy.attr["T"].type = dtype
        elif node.op == "ResourceGather" and _ref_of(node.input[0]).node in arrays:
            axis = f"{node.name}/axis"
            made.append(_number(axis, node.attr["batch_dims"].i))
            copy.op = "GatherV2"
            copy.input.append(axis)
        made.append(copy)
    return _graph_of(made, input_graph_def)


def _number(name: str, value: int) -> NodeDef:
    node = NodeDef(name=name, op="Const")
    tensor = _tfc.make_tensor_proto(value, _tfc.int32)
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)
    return node


def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TensorFlow runs a node on the processor whatever else there is: Variables, where
    these shall, and what gives strings or few integers.

    Args:
        node: A NodeDef.
        pin_variables_on_cpu: Whether Variables shall.

    Returns:
        A bool.

    >>> import tfc.compat.v1 as tf
    >>> tf.graph_util.must_run_on_cpu(tf.NodeDef(name="x", op="MatMul"))
    False
    """
    if node.op in _VARIABLES:
        return pin_variables_on_cpu
    if node.op == "Const":
        value = node.attr["value"].tensor
        if _tfc.as_dtype(node.attr["dtype"].type) == _tfc.string:
            return True
        integral = node.attr["dtype"].type in (3, 9)
        rank = len(value.tensor_shape.dim)
        return bool(integral and (rank == 0 or (rank == 1 and value.tensor_shape.dim[0].size <= 3)))
    return bool(node.op in ("DynamicStitch",))


def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> Any:
    """The shape of a tensor of a graph.

    Args:
        graph: The graph.
        input_name: Its name; "x" is "x:0".

    Returns:
        A TensorShape.
    """
    name = input_name if ":" in input_name else f"{input_name}:0"
    return graph.get_tensor_by_name(name).shape


__all__ = [
    "convert_variables_to_constants",
    "extract_sub_graph",
    "import_graph_def",
    "must_run_on_cpu",
    "remove_training_nodes",
    "tensor_shape_from_node_def_name",
]
