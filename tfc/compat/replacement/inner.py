"""TensorFlow's inner modules (`tensorflow.python...`, and messages of `tensorflow.core`), as far as
libraries import them.

They are no public interface, so only what libraries were seen to need is here. What is named
`module:attribute` is taken from tfc, anything else is the public name. Modules whose functions are
public under the same names are told by the namespaces that these are in.
"""

from __future__ import annotations

import importlib
from types import ModuleType, SimpleNamespace
from typing import Any

import tfc as _tfc

_OWN = f"{__package__}.inner_functions:"
_REGISTRY = f"{__package__}.inner_registry:"
_COMPOSITES = "tfc.core.composite_tensors:"

# What rewrites functions by TensorFlow's own AutoGraph, as auto-batching in TensorFlow Probability,
# can be imported; it ends in an error when it is used.
_AUTOGRAPH = (
    "converters.break_statements converters.continue_statements converters.return_statements "
    "core.converter pyct.anno pyct.common_transformers.anf pyct.inspect_utils pyct.loader "
    "pyct.naming pyct.parser pyct.qual_names pyct.static_analysis.activity pyct.templates"
)

# By the path below tensorflow.python: the public namespaces that have its names, in order. Most
# functions there have TensorFlow 1's arguments; those that end in _v2 are public without it.
_NAMESPACES = {
    "eager.backprop": "tf",
    "framework.constant_op": "compat.v1",
    "framework.dtypes": "dtypes tf",
    "framework.errors": "errors",
    "framework.errors_impl": "errors",
    "framework.graph_util": "compat.v1.graph_util",
    "framework.importer": "compat.v1",
    "framework.indexed_slices": "tf",
    "framework.ops": "compat.v1",
    "framework.sparse_tensor": "tf compat.v1",
    "framework.tensor": "tf",
    "ops.array_ops": "compat.v1",
    "ops.bitwise_ops": "bitwise",
    "ops.check_ops": "compat.v1 debugging",
    "ops.clip_ops": "compat.v1",
    "ops.cond": "compat.v1",
    "ops.control_flow_ops": "compat.v1",
    "ops.data_flow_ops": "compat.v1 queue",
    "ops.functional_ops": "compat.v1",
    "ops.gradients": "compat.v1",
    "ops.gradients_impl": "compat.v1",
    "ops.image_ops": "image",
    "ops.io_ops": "io compat.v1",
    "ops.linalg_ops": "linalg compat.v1",
    "ops.logging_ops": "compat.v1",
    "ops.lookup_ops": "lookup compat.v1",
    "ops.map_fn": "compat.v1",
    "ops.math_ops": "compat.v1 math linalg",
    "ops.nn": "compat.v1.nn math",
    "ops.nn_ops": "compat.v1.nn",
    "ops.parsing_ops": "io compat.v1",
    "ops.random_ops": "random compat.v1",
    "ops.signal.signal": "signal",
    "ops.sparse_ops": "sparse",
    "ops.special_math_ops": "math tf",
    "ops.standard_ops": "compat.v1",
    "ops.state_ops": "compat.v1",
    "ops.string_ops": "strings compat.v1",
    "ops.tensor_array_ops": "tf",
    "ops.variable_scope": "compat.v1",
    "ops.variables": "compat.v1",
    "ops.while_loop": "compat.v1",
    "platform.gfile": "io.gfile compat.v1.gfile",
    "platform.test": "test",
    "platform.tf_logging": "compat.v1.logging",
    "saved_model.builder": "compat.v1.saved_model.builder",
    "saved_model.loader": "compat.v1.saved_model.loader",
    "saved_model.signature_constants": "compat.v1.saved_model.signature_constants",
    "saved_model.signature_def_utils": "compat.v1.saved_model.signature_def_utils",
    "saved_model.tag_constants": "compat.v1.saved_model.tag_constants",
    "saved_model.utils": "compat.v1.saved_model.utils",
    "training.moving_averages": "train",
    "training.saver": "compat.v1.train",
}

# By the path below tensorflow.python, or with its own first name: a module that stands for it, or
# its names.
MODULES: dict[str, str | dict[str, str]] = {
    **{f"autograph.{name}": {} for name in _AUTOGRAPH.split()},
    "autograph.pyct.transformer": {"Base": f"{_OWN}AutographTransformer"},
    "core.framework.attr_value_pb2": "tfc.records.graph",
    "core.framework.function_pb2": "tfc.records.graph",
    "core.framework.graph_pb2": "tfc.records.graph",
    "core.framework.node_def_pb2": "tfc.records.graph",
    "core.framework.op_def_pb2": "tfc.records.graph",
    "core.framework.tensor_pb2": "tfc.records.tensor",
    "core.framework.tensor_shape_pb2": "tfc.records.tensor",
    "core.protobuf.meta_graph_pb2": "tfc.records.meta_graph",
    "core.protobuf.saved_model_pb2": "tfc.records.meta_graph",
    "core.protobuf.struct_pb2": "tfc.records.structure",
    "data.ops.iterator_ops": {"OwnedIterator": "tfc.data.iterator:Iterator"},
    "data.util.nest": f"{__package__}.inner_nest",
    "eager.context": {
        "context": f"{_OWN}context",
        "eager_mode": "init_scope",
        "executing_eagerly": "executing_eagerly",
        "graph_mode": f"{_OWN}graph_mode",
    },
    "eager.def_function": {"Function": "tfc.function.polymorphic:PolymorphicFunction"},
    "eager.monitoring": {"BoolGauge": f"{_OWN}BoolGauge"},
    "framework.composite_tensor": {"CompositeTensor": f"{_COMPOSITES}CompositeTensor"},
    "framework.ops": {
        "EagerTensor": f"{_OWN}EagerTensor",
        "convert_to_tensor": "convert_to_tensor",
        "get_default_graph": "compat.v1.get_default_graph",
        "name_scope": "name_scope",
    },
    "framework.tensor_shape": {
        "TensorShape": "TensorShape",
        "Dimension": "compat.v1.Dimension",
        "as_shape": "TensorShape",
        "dimension_value": "compat.dimension_value",
        "dimension_at_index": "compat.dimension_at_index",
    },
    "framework.tensor_spec": {
        "BoundedTensorSpec": f"{_OWN}BoundedTensorSpec",
        "DenseSpec": "tfc.core.specs:DenseSpec",
        "TensorSpec": "TensorSpec",
    },
    "framework.tensor_util": {
        "constant_value": "get_static_value",
        "constant_value_as_shape": f"{_OWN}constant_value_as_shape",
        "is_tf_type": "is_tensor",
        "try_evaluate_constant": "get_static_value",
    },
    "framework.test_util": {
        "run_all_in_graph_and_eager_modes": f"{_OWN}run_all_in_graph_and_eager_modes",
        "run_in_graph_and_eager_modes": f"{_OWN}run_in_graph_and_eager_modes",
    },
    "framework.type_spec": {
        "BatchableTypeSpec": "TypeSpec",
        "TypeSpec": "TypeSpec",
        "type_spec_from_value": "type_spec_from_value",
    },
    "framework.type_spec_registry": {
        "_NAME_TO_TYPE_SPEC": f"{_REGISTRY}BY_NAME",
        "_TYPE_SPEC_TO_NAME": f"{_REGISTRY}NAMES",
        "get_name": f"{_REGISTRY}get_name",
        "lookup": f"{_REGISTRY}lookup",
        "register": f"{_REGISTRY}register",
    },
    "ops.array_ops": {"prevent_gradient": f"{_OWN}prevent_gradient"},
    "ops.control_flow_case": {"_case_helper": f"{_OWN}case_helper"},
    "ops.control_flow_util": {"GraphOrParentsInXlaContext": f"{_OWN}is_compiled_by_xla"},
    "ops.linalg.linear_operator": {
        "LinearOperator": "linalg.LinearOperator",
        "make_composite_tensor": f"{_OWN}same_class",
    },
    "ops.linalg.linear_operator_addition": {"add_operators": f"{_OWN}add_operators"},
    "ops.nn_ops": {"Convolution": f"{_OWN}Convolution"},
    "ops.parallel_for.control_flow_ops": {"pfor": f"{_OWN}pfor"},
    "ops.random_ops": {"parameterized_truncated_normal": f"{_OWN}parameterized_truncated_normal"},
    "ops.resource_variable_ops": {"VariableSpec": f"{_COMPOSITES}VariableSpec"},
    "saved_model.nested_structure_coder": {
        "decode_proto": f"{_OWN}decode_structure",
        "encode_structure": "tfc.records.structure:encode",
    },
    "tf2": {"enabled": "executing_eagerly"},
    "trackable.base": {"Trackable": f"{_OWN}Trackable"},
    "trackable.data_structures": {
        "ListWrapper": f"{_OWN}itself",
        "NoDependency": f"{_OWN}itself",
        "sticky_attribute_assignment": f"{_OWN}attribute",
        "wrap_or_unwrap": f"{_OWN}itself",
    },
    "util.deprecation": {
        "deprecated": f"{_OWN}deprecated",
        "deprecated_alias": f"{_OWN}deprecated_alias",
        "deprecated_arg_values": f"{_OWN}deprecated_arguments",
        "deprecated_args": f"{_OWN}deprecated_arguments",
        "deprecated_argument_lookup": f"{_OWN}deprecated_argument_lookup",
        "silence": f"{_OWN}silence",
    },
    "util.nest": f"{__package__}.inner_nest",
    "util.object_identity": {"Reference": f"{_OWN}Reference"},
    "util.tf_decorator": {"make_decorator": f"{_OWN}make_decorator"},
    "util.tf_export": {"tf_export": f"{_OWN}as_it_is"},
    "util.tf_inspect": f"{__package__}.inner_inspect",
    "util.variable_utils": {"convert_variables_to_tensors": f"{_COMPOSITES}without_variables"},
}


def module(path: str) -> ModuleType | None:
    """The module tensorflow.PATH; None where it is not here."""
    inside = path.removeprefix("python").removeprefix(".")
    name = f"tensorflow.{path}"
    entry = MODULES.get(inside)
    if isinstance(entry, str):
        return importlib.import_module(entry)
    made = ModuleType(name, f"What libraries use of {name}.")
    if entry is not None or inside in _NAMESPACES:
        named, spaces = entry or {}, _NAMESPACES.get(inside, "").split()

        def get(name: str) -> Any:
            found = resolved(named[name]) if name in named else _public(name, spaces)
            if found is None:
                raise AttributeError(
                    f"module {made.__name__!r} has no attribute {name!r}: it is tfc's"
                )
            return found

        vars(made).update(__getattr__=get, __dir__=lambda: sorted(named))
        return made
    if any(key.startswith(f"{inside}." if inside else "") for key in {**MODULES, **_NAMESPACES}):
        vars(made)["__path__"] = []
        return made
    return None


def _public(name: str, spaces: list[str]) -> Any:
    """The class, function or value of that name in the first of these namespaces; None without."""
    plain = name.removesuffix("_v2")
    if name.startswith("_"):
        return None
    for space in spaces:
        if plain != name:
            space = space.removeprefix("compat.v1").removeprefix(".")
        try:
            found = resolved(f"{space}.{plain}" if space not in ("", "tf") else plain)
        except AttributeError:
            continue
        if not isinstance(found, ModuleType | SimpleNamespace):
            return found
    return None


def resolved(place: str) -> Any:
    """What a table's entry names."""
    start, _, rest = place.rpartition(":")
    found: Any = importlib.import_module(start) if start else _tfc
    for part in rest.split("."):
        found = getattr(found, part)
    return found
