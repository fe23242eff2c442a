"""The messages of saved models, as TensorFlow's saved_model.proto, meta_graph.proto and
saved_object_graph.proto say: a graph, how it is called, and the objects that its functions are
attributes of."""

from __future__ import annotations

from typing import ClassVar

from .graph import GraphDef, NamePair
from .message import Field, Message
from .structure import StructuredValue
from .tensor import TensorShapeProto


class SparseNames(Message):
    """The tensors that a sparse one is made of."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "values_tensor_name": Field(1, "string"),
        "indices_tensor_name": Field(2, "string"),
        "dense_shape_tensor_name": Field(3, "string"),
    }


class TensorInfo(Message):
    """Which tensor of a graph is meant, its dtype and its shape."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "name": Field(1, "string", oneof="encoding"),
        "dtype": Field(2, "int32"),
        "tensor_shape": Field(3, TensorShapeProto),
        "coo_sparse": Field(4, SparseNames, oneof="encoding"),
    }


class SignatureDef(Message):
    """How a graph is called: which tensors are fed, and which are fetched, by name."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "inputs": Field(1, TensorInfo, keyed=True),
        "outputs": Field(2, TensorInfo, keyed=True),
        "method_name": Field(3, "string"),
    }


class AssetFileDef(Message):
    """A file that lies beside a graph, and the tensor that is its name."""

    __slots__ = ()
    FIELDS: ClassVar = {"tensor_info": Field(1, TensorInfo), "filename": Field(2, "string")}


class MetaInfoDef(Message):
    """What is told of a graph."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "meta_graph_version": Field(1, "string"),
        "tags": Field(4, "string", repeated=True),
        "tensorflow_version": Field(5, "string"),
        "tensorflow_git_version": Field(6, "string"),
        "stripped_default_attrs": Field(7, "bool"),
    }


class NodeList(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, "string", repeated=True)}


class BytesList(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, "bytes", repeated=True)}


class CollectionDef(Message):
    """What a collection of a graph holds."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "node_list": Field(1, NodeList, oneof="kind"),
        "bytes_list": Field(2, BytesList, oneof="kind"),
    }


class VariableDef(Message):
    """Which nodes of a graph make a Variable."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "variable_name": Field(1, "string"),
        "initializer_name": Field(2, "string"),
        "snapshot_name": Field(3, "string"),
        "is_resource": Field(5, "bool"),
        "initial_value_name": Field(6, "string"),
        "trainable": Field(7, "bool"),
    }


class SaverDef(Message):
    """Which nodes of a graph write its Variables and read them."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "filename_tensor_name": Field(1, "string"),
        "save_tensor_name": Field(2, "string"),
        "restore_op_name": Field(3, "string"),
        "max_to_keep": Field(4, "int32"),
        "sharded": Field(5, "bool"),
        "version": Field(7, "int32"),
    }


# The objects.


class Child(Message):
    """Where a name of an object leads."""

    __slots__ = ()
    FIELDS: ClassVar = {"node_id": Field(1, "int32"), "local_name": Field(2, "string")}


class SavedUserObject(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"identifier": Field(1, "string"), "metadata": Field(3, "string")}


class SavedAsset(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"asset_file_def_index": Field(1, "int32")}


class FunctionSpec(Message):
    """The parameters of a function of Python."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "fullargspec": Field(1, StructuredValue),
        "is_method": Field(2, "bool"),
        "input_signature": Field(5, StructuredValue),
    }


class SavedFunction(Message):
    """A function, with what it was traced to."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "concrete_functions": Field(1, "string", repeated=True),
        "function_spec": Field(2, FunctionSpec),
    }


class SavedVariable(Message):
    __slots__ = ()
    FIELDS: ClassVar = {
        "dtype": Field(1, "int32"),
        "shape": Field(2, TensorShapeProto),
        "trainable": Field(3, "bool"),
        "name": Field(6, "string"),
    }


class SavedBareConcreteFunction(Message):
    """A concrete function: by which names it is called."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "concrete_function_name": Field(1, "string"),
        "argument_keywords": Field(2, "string", repeated=True),
        "allowed_positional_arguments": Field(3, "int64"),
        "function_spec": Field(4, FunctionSpec),
    }


class SavedConstant(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"operation": Field(1, "string")}


class SavedResource(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"device": Field(1, "string")}


class CapturedTensor(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"name": Field(1, "string"), "concrete_function": Field(2, "string")}


class SavedObject(Message):
    """An object: where its names lead, and what it is."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "children": Field(1, Child, repeated=True),
        "user_object": Field(4, SavedUserObject, oneof="kind"),
        "asset": Field(5, SavedAsset, oneof="kind"),
        "function": Field(6, SavedFunction, oneof="kind"),
        "variable": Field(7, SavedVariable, oneof="kind"),
        "bare_concrete_function": Field(8, SavedBareConcreteFunction, oneof="kind"),
        "constant": Field(9, SavedConstant, oneof="kind"),
        "resource": Field(10, SavedResource, oneof="kind"),
        "captured_tensor": Field(12, CapturedTensor, oneof="kind"),
    }


class SavedConcreteFunction(Message):
    """What a trace takes beside its arguments, and the structures of arguments and results."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "bound_inputs": Field(2, "int32", repeated=True),
        "canonicalized_input_signature": Field(3, StructuredValue),
        "output_signature": Field(4, StructuredValue),
    }


class SavedObjectGraph(Message):
    """All objects, of which the first is the root."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "nodes": Field(1, SavedObject, repeated=True),
        "concrete_functions": Field(2, SavedConcreteFunction, keyed=True),
    }


class MetaGraphDef(Message):
    """A graph and what belongs to it."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "meta_info_def": Field(1, MetaInfoDef),
        "graph_def": Field(2, GraphDef),
        "saver_def": Field(3, SaverDef),
        "collection_def": Field(4, CollectionDef, keyed=True),
        "signature_def": Field(5, SignatureDef, keyed=True),
        "asset_file_def": Field(6, AssetFileDef, repeated=True),
        "object_graph_def": Field(7, SavedObjectGraph),
    }
    MetaInfoDef: ClassVar = MetaInfoDef


class SavedModel(Message):
    """The file `saved_model.pb`."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "saved_model_schema_version": Field(1, "int64"),
        "meta_graphs": Field(2, MetaGraphDef, repeated=True),
    }


__all__ = [
    "AssetFileDef",
    "CollectionDef",
    "FunctionSpec",
    "MetaGraphDef",
    "NamePair",
    "SavedConcreteFunction",
    "SavedModel",
    "SavedObject",
    "SavedObjectGraph",
    "SaverDef",
    "SignatureDef",
    "TensorInfo",
    "VariableDef",
]
