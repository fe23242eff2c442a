"""The messages of graphs, as TensorFlow's graph.proto, node_def.proto, attr_value.proto,
op_def.proto and function.proto say, and those of config.proto that TensorBoard shows."""

from __future__ import annotations

from typing import ClassVar

from .message import Field, Message
from .tensor import TensorProto, TensorShapeProto


class AttrValue(Message):
    """What an attribute of a node is.

    >>> import tfc as tf
    >>> tf.compat.v1.AttrValue(i=3).WhichOneof("value")
    'i'
    """

    __slots__ = ()
    ListValue: ClassVar[type[Message]]


class NameAttrList(Message):
    """A function of a graph's library, and the attributes that it is called with."""

    __slots__ = ()
    FIELDS: ClassVar = {"name": Field(1, "string"), "attr": Field(2, AttrValue, keyed=True)}


class AttributeList(Message):
    """An attribute that is a list of one kind."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "s": Field(2, "bytes", repeated=True),
        "i": Field(3, "int64", repeated=True),
        "f": Field(4, "float", repeated=True),
        "b": Field(5, "bool", repeated=True),
        "type": Field(6, "int32", repeated=True),
        "shape": Field(7, TensorShapeProto, repeated=True),
        "tensor": Field(8, TensorProto, repeated=True),
        "func": Field(9, NameAttrList, repeated=True),
    }


AttrValue.declare(
    {
        "list": Field(1, AttributeList, oneof="value"),
        "s": Field(2, "bytes", oneof="value"),
        "i": Field(3, "int64", oneof="value"),
        "f": Field(4, "float", oneof="value"),
        "b": Field(5, "bool", oneof="value"),
        "type": Field(6, "int32", oneof="value"),
        "shape": Field(7, TensorShapeProto, oneof="value"),
        "tensor": Field(8, TensorProto, oneof="value"),
        "placeholder": Field(9, "string", oneof="value"),
        "func": Field(10, NameAttrList, oneof="value"),
    }
)
AttrValue.ListValue = AttributeList


class NodeDef(Message):
    """A node of a graph: its name, its op, whose results it takes, its attributes.

    >>> import tfc as tf
    >>> tf.compat.v1.NodeDef(name="y", op="Add", input=["x", "x"]).input
    ['x', 'x']
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "name": Field(1, "string"),
        "op": Field(2, "string"),
        "input": Field(3, "string", repeated=True),
        "device": Field(4, "string"),
        "attr": Field(5, AttrValue, keyed=True),
    }


class Versions(Message):
    """Which programs may have written a graph, and which may read it."""

    __slots__ = ()
    FIELDS: ClassVar = {"producer": Field(1, "int32"), "min_consumer": Field(2, "int32")}


class ArgDef(Message):
    """An argument of an op or of a function: its name, and of which dtype it is."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "name": Field(1, "string"),
        "type": Field(3, "int32"),
        "type_attr": Field(4, "string"),
        "number_attr": Field(5, "string"),
        "type_list_attr": Field(6, "string"),
    }


class OpDef(Message):
    """What an op or a function takes and gives."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "name": Field(1, "string"),
        "input_arg": Field(2, ArgDef, repeated=True),
        "output_arg": Field(3, ArgDef, repeated=True),
        "is_stateful": Field(17, "bool"),
        "control_output": Field(20, "string", repeated=True),
    }


class NamePair(Message):
    """An entry of a map from names to names."""

    __slots__ = ()
    FIELDS: ClassVar = {"key": Field(1, "string"), "value": Field(2, "string")}


class FunctionDef(Message):
    """A function of a graph's library: its nodes, and which of their results are its own (`ret`,
    and `control_ret` for what has to run)."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "signature": Field(1, OpDef),
        "node_def": Field(3, NodeDef, repeated=True),
        "ret": Field(4, NamePair, repeated=True),
        "attr": Field(5, AttrValue, keyed=True),
        "control_ret": Field(6, NamePair, repeated=True),
    }


class FunctionDefLibrary(Message):
    """The functions that nodes of a graph call."""

    __slots__ = ()
    FIELDS: ClassVar = {"function": Field(1, FunctionDef, repeated=True)}


class GraphDef(Message):
    """A graph: its nodes, and the functions that these call.

    >>> import tfc as tf
    >>> graph = tf.compat.v1.GraphDef(node=[{"name": "x", "op": "Placeholder"}])
    >>> graph.node[0].name
    'x'
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "node": Field(1, NodeDef, repeated=True),
        "library": Field(2, FunctionDefLibrary),
        "versions": Field(4, Versions),
    }


class FunctionGraphs(Message):
    """The graphs of a function, as it was traced and as it runs."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "partition_graphs": Field(1, GraphDef, repeated=True),
        "pre_optimization_graph": Field(2, GraphDef),
        "post_optimization_graph": Field(3, GraphDef),
    }


class RunMetadata(Message):
    """What is known of a run, as far as TensorBoard shows it: the graphs of its functions."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "partition_graphs": Field(3, GraphDef, repeated=True),
        "function_graphs": Field(4, FunctionGraphs, repeated=True),
    }
    FunctionGraphs: ClassVar = FunctionGraphs
