"""tfc: a compiled array language with TensorFlow 2's eager face.

>>> import tfc as tf
>>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
>>> @tf.function
... def f(x):
...     return tf.reduce_sum(tf.tanh(x) * 2.0)
>>> float(f(x)) == float(tf.reduce_sum(tf.tanh(x) * 2.0))
True
"""

from __future__ import annotations

import gc as _gc
import os as _os
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .core.quiet import Quiet as _Quiet

if _gc.isenabled():
    _quiet = _Quiet()  # while all that follows is imported

from . import config, dtypes, errors, ir
from .core import above as _above
from .core.context import executing_eagerly, inside_function
from .core.conversion import convert_to_tensor, register_tensor_conversion_function
from .core.indexed_slices import IndexedSlices
from .core.indexed_slices_specs import IndexedSlicesSpec
from .core.scopes import (
    DeviceSpec,
    control_dependencies,
    device,
    get_current_name_scope,
    group,
    init_scope,
    name_scope,
    no_op,
)
from .core.shapes import TensorShape
from .core.specs import TensorSpec, type_spec_from_value
from .core.tensor import Tensor
from .core.tracebacks import show_filtered as _show_filtered
from .core.type_specs import TypeSpec
from .core.variable import Variable, is_tensor
from .core.variable import register_with_native_code as _register_with_native_code
from .core.variable_creation import variable_creator_scope
from .core.variable_methods import VariableAggregation, VariableSynchronization
from .dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from .explore import explore
from .ops.array.conversion import (
    bitcast,
    cast,
    ensure_shape,
    get_static_value,
    identity,
    is_symbolic_tensor,
    saturate_cast,
    stop_gradient,
)
from .ops.array.creation import (
    constant,
    eye,
    fill,
    linspace,
    one_hot,
    ones,
    ones_like,
    range,
    zeros,
    zeros_like,
)
from .ops.array.joining import concat, split, stack, unstack
from .ops.array.shaping import broadcast_to_shape as broadcast_to
from .ops.array.shaping import (
    expand_dims,
    rank,
    reshape,
    reverse,
    shape,
    size,
    squeeze,
    tile,
    transpose,
)
from .ops.array.slicing import slice_ as slice
from .ops.array.slicing import strided_slice
from .ops.linalg.products import matmul, tensordot
from .ops.math.arithmetic import (
    abs,
    add,
    add_n,
    divide,
    floor,
    maximum,
    minimum,
    multiply,
    negative,
    pow,
    round,
    sign,
    square,
    squared_difference,
    subtract,
    truediv,
)
from .ops.math.comparisons import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
)
from .ops.math.complex import complex
from .ops.math.reductions import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from .ops.math.transcendental import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    exp,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .ops.operators import install as _install_operators

if _TYPE_CHECKING:  # what is imported when it is first used
    from . import (
        audio,
        autograph,
        bitwise,
        debugging,
        distribute,
        image,
        io,
        linalg,
        lookup,
        math,
        nest,
        nn,
        profiler,
        quantization,
        queue,
        ragged,
        random,
        raw_ops,
        saved_model,
        sets,
        signal,
        sparse,
        strings,
        summary,
        sysconfig,
        test,
        train,
        types,
        version,
        xla,
    )
    from .autodiff.custom_gradient import custom_gradient, grad_pass_through
    from .autodiff.functions import grad, gradients_function, value_and_grad
    from .autodiff.python_calls import numpy_function, py_function
    from .autodiff.symbolic import AggregationMethod, gradients, hessians
    from .autodiff.tape import GradientTape, UnconnectedGradients
    from .control_flow.branches import case, cond, switch_case
    from .control_flow.scans import foldl, foldr, map_fn, scan, vectorized_map
    from .control_flow.tensor_array import TensorArray, TensorArraySpec
    from .control_flow.while_loops import while_loop
    from .core.critical_section import CriticalSection
    from .core.loggers import get_logger
    from .core.module import Module
    from .data.optional import OptionalSpec
    from .debugging import (
        assert_greater_equal,
        assert_integer,
        assert_less_equal,
        assert_near,
        assert_negative,
        assert_non_negative,
        assert_non_positive,
        assert_none_equal,
        assert_positive,
        assert_rank_at_least,
        assert_rank_in,
        assert_scalar,
        assert_type,
    )
    from .function.checkpointing import recompute_grad
    from .function.polymorphic import function
    from .ops.array.arrange import (
        broadcast_dynamic_shape,
        broadcast_static_shape,
        meshgrid,
        parallel_stack,
        repeat,
        reverse_sequence,
        roll,
        sequence_mask,
        shape_n,
        unravel_index,
    )
    from .ops.array.checks import Assert, assert_equal, assert_greater, assert_less
    from .ops.array.counting import histogram_fixed_width, histogram_fixed_width_bins
    from .ops.array.indexing import boolean_mask, dynamic_partition, gather, gather_nd, where
    from .ops.array.padding import pad
    from .ops.array.scatter import (
        dynamic_stitch,
        scatter_nd,
        tensor_scatter_nd_add,
        tensor_scatter_nd_max,
        tensor_scatter_nd_min,
        tensor_scatter_nd_sub,
        tensor_scatter_nd_update,
    )
    from .ops.array.several import identity_n, tuple
    from .ops.array.shape_checks import assert_rank
    from .ops.array.sorting import argsort, searchsorted, sort
    from .ops.array.unique import setdiff1d, unique, unique_with_counts
    from .ops.clock import timestamp
    from .ops.linalg.einsum import einsum
    from .ops.linalg.factorisations import eig, eigvals
    from .ops.linalg.norms import norm
    from .ops.math.clipping import clip_by_global_norm, clip_by_norm, clip_by_value
    from .ops.math.cumulative import cumsum
    from .ops.math.elementwise import scalar_mul, truncatediv, truncatemod
    from .ops.nn.blocks import (
        batch_to_space,
        required_space_to_batch_paddings,
        space_to_batch,
        space_to_batch_nd,
    )
    from .ops.nn.windows import extract_volume_patches
    from .ops.parsing.sparse_tensors import make_ndarray, make_tensor_proto
    from .ops.printing import print
    from .ops.ragged.tensor import RaggedTensor, RaggedTensorSpec
    from .ops.random.initializers import (
        constant_initializer,
        ones_initializer,
        random_normal_initializer,
        random_uniform_initializer,
        zeros_initializer,
    )
    from .ops.sparse.tensor import SparseTensor, SparseTensorSpec
    from .ops.strings.coding import fingerprint
    from .ops.strings.edits import edit_distance
    from .ops.strings.text import as_string

__version__ = "0.1.0"
newaxis = None

# Imported when they are first used.
_LAZY = (
    "audio",
    "autodiff",
    "autograph",
    "bitwise",
    "compat",
    "contrib",
    "data",
    "debugging",
    "distribute",
    "experimental",
    "graph_util",
    "image",
    "io",
    "keras",
    "linalg",
    "lookup",
    "math",
    "nest",
    "nn",
    "profiler",
    "quantization",
    "queue",
    "ragged",
    "random",
    "raw_ops",
    "sets",
    "saved_model",
    "signal",
    "sparse",
    "strings",
    "summary",
    "sysconfig",
    "test",
    "train",
    "types",
    "version",
    "xla",
)
_NAMES_OF = {  # of modules that are imported when one of the names is first used
    "ops.parsing.sparse_tensors": "make_ndarray make_tensor_proto",
    "ops.strings.text": "as_string",
    "ops.linalg.factorisations": "eig eigvals",
    "ops.strings.coding": "fingerprint",
    "core.critical_section": "CriticalSection",
    "autodiff.custom_gradient": "custom_gradient grad_pass_through",
    "autodiff.functions": "grad gradients_function value_and_grad",
    "autodiff.python_calls": "numpy_function py_function",
    "autodiff.symbolic": "AggregationMethod gradients hessians",
    "autodiff.tape": "GradientTape UnconnectedGradients",
    "compat.replacement": "as_tensorflow",
    "control_flow.branches": "case cond switch_case",
    "compat.graph_def.importing": "import_graph_def",
    "compat.graphs.graph": "Graph Operation",
    "control_flow.scans": "foldl foldr map_fn scan vectorized_map",
    "control_flow.tensor_array": "TensorArray TensorArraySpec",
    "control_flow.while_loops": "while_loop",
    "core.loggers": "get_logger",
    "core.module": "Module",
    "data.optional": "OptionalSpec",
    "debugging": (
        "assert_greater_equal assert_integer assert_less_equal assert_near assert_negative "
        "assert_non_negative assert_non_positive assert_none_equal assert_positive "
        "assert_rank_at_least assert_rank_in assert_scalar assert_type"
    ),
    "function.checkpointing": "recompute_grad",
    "function.polymorphic": "function",
    "ops.array.arrange": (
        "broadcast_dynamic_shape broadcast_static_shape meshgrid parallel_stack repeat "
        "reverse_sequence roll sequence_mask shape_n unravel_index"
    ),
    "ops.array.checks": "Assert assert_equal assert_greater assert_less",
    "ops.array.counting": "histogram_fixed_width histogram_fixed_width_bins",
    "ops.array.indexing": "boolean_mask dynamic_partition gather gather_nd where",
    "ops.array.padding": "pad",
    "ops.array.scatter": (
        "dynamic_stitch scatter_nd tensor_scatter_nd_add tensor_scatter_nd_max "
        "tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update"
    ),
    "ops.array.several": "guarantee_const identity_n tuple",
    "ops.array.shape_checks": "assert_rank",
    "ops.array.sorting": "argsort searchsorted sort",
    "ops.array.unique": "setdiff1d unique unique_with_counts",
    "ops.clock": "timestamp",
    "ops.linalg.einsum": "einsum",
    "ops.linalg.norms": "norm",
    "ops.math.clipping": "clip_by_global_norm clip_by_norm clip_by_value",
    "ops.math.cumulative": "cumsum",
    "ops.math.elementwise": "scalar_mul truncatediv truncatemod",
    "ops.nn.blocks": (
        "batch_to_space required_space_to_batch_paddings space_to_batch space_to_batch_nd"
    ),
    "ops.nn.windows": "extract_volume_patches",
    "ops.printing": "print",
    "ops.ragged.tensor": "RaggedTensor RaggedTensorSpec",
    "ops.random.initializers": (
        "constant_initializer ones_initializer random_normal_initializer "
        "random_uniform_initializer zeros_initializer"
    ),
    "ops.sparse.tensor": "SparseTensor SparseTensorSpec",
    "ops.strings.edits": "edit_distance",
}
# The room that is called as its decorator: from now on the name is the decorator's.
_import_module(f"{__name__}.function")
del globals()["function"]
_LAZY_NAMES = {name: module for module, names in _NAMES_OF.items() for name in names.split()}


# As TensorFlow has them; the layers as TensorFlow 1 had.
_OF_KERAS = ("initializers", "layers", "losses", "metrics", "optimizers")


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        return _import_module(f"{__name__}.{name}")
    if name in _LAZY_NAMES:
        value = globals()[name] = getattr(_module(_LAZY_NAMES[name]), name)
        return value
    if name in _OF_KERAS:
        if name == "initializers" and not _is_installed("keras"):
            return _module("ops.random.scaled_initializers")
        return getattr(_import_module(f"{__name__}.keras"), name)
    from .compat.hints import hint
    from .core.absent import why

    text = hint(name) or why(f"tf.{name}")
    raise AttributeError(f"module 'tfc' has no attribute {name!r}" + (f": {text}" if text else ""))


def __dir__() -> list[str]:
    return __all__


def _is_installed(package: str) -> _Any:
    from importlib.util import find_spec

    return find_spec(package) is not None


def _module(name: str) -> _Any:
    """A module of this package, `a.b`. What `a` does when it is imported is done then, even if
    Ctrl-C once ended that when `a.b` was there already."""
    _import_module(f"{__name__}.{name.partition('.')[0]}")
    return _import_module(f"{__name__}.{name}")


def _later(module: str, name: str) -> _Any:
    """A function of a module that is imported when it is first called."""

    def call(*args: _Any, **options: _Any) -> _Any:
        return getattr(_module(module), name)(*args, **options)

    return call


# What lower rooms ask of higher ones that are not imported yet (see core/above.py).
_above.graph_of_trace = _later("compat.graphs.function_graph", "graph_of_trace")
_above.graph_of_concrete = _later("compat.graphs.function_graph", "graph_of_concrete")
_above.convert = _later("autograph.conversion", "convert_asked")
_above.why_python_decides = _later("autograph.conversion", "why_python_decides")
_above.cond = _later("control_flow.branches", "cond")
_above.foldl = _later("control_flow.scans", "foldl")
_above.function = _later("function.polymorphic", "function")
_above.dense = _later("ops.array.indexed_slices", "dense")
_above.known_numbers = _later("ops.array.indexed_slices", "known_numbers")
_above.custom_gradient = _later("autodiff.custom_gradient", "custom_gradient")
_above.numpy_function = _later("autodiff.python_calls", "numpy_function")
_above.transposed_by = _later("ops.array.unknown_axes", "transposed_by")
_above.reduced_along = _later("ops.array.unknown_axes", "reduced_along")
_above.applied_along = _later("ops.array.unknown_axes", "applied_along")
_above.inserted_at = _later("ops.array.unknown_axes", "inserted_at")
_above.moved_last = _later("ops.array.unknown_axes", "moved_last")
_above.load_tensorflow_model = _later("compat.graph_def.loading", "load")
_above.graphs = lambda: _import_module(f"{__name__}.compat.graphs.session")
_above.array_namespace = lambda: _import_module(f"{__name__}.experimental.array_api")

_above.ragged_tensors_are_met = _later("ops.composites.ragged", "install")
_above.sparse_tensors_are_met = _later("ops.composites.sparse", "install")

_install_operators()
_register_with_native_code()
_show_filtered()

if any(_name.startswith("TFC_") for _name in _os.environ):
    from .core.environment import check as _check_environment

    _check_environment()
# Parsed text runs: see tfc.ir.parse.
ir.core.Function.run = staticmethod(_later("function.parsed", "call"))

__all__ = [
    "AggregationMethod",
    "Assert",
    "CriticalSection",
    "DType",
    "DeviceSpec",
    "GradientTape",
    "Graph",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "Module",
    "Operation",
    "OptionalSpec",
    "RaggedTensor",
    "RaggedTensorSpec",
    "SparseTensor",
    "SparseTensorSpec",
    "Tensor",
    "TensorArray",
    "TensorArraySpec",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "as_tensorflow",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_scalar",
    "assert_type",
    "atan",
    "atan2",
    "atanh",
    "audio",
    "autodiff",
    "autograph",
    "batch_to_space",
    "bfloat16",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "compat",
    "complex",
    "complex64",
    "complex128",
    "concat",
    "cond",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "data",
    "debugging",
    "device",
    "distribute",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "edit_distance",
    "eig",
    "eigvals",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "experimental",
    "explore",
    "extract_volume_patches",
    "eye",
    "fill",
    "fingerprint",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_current_name_scope",
    "get_logger",
    "get_static_value",
    "grad",
    "grad_pass_through",
    "gradients",
    "gradients_function",
    "graph_util",
    "greater",
    "greater_equal",
    "group",
    "guarantee_const",
    "half",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "image",
    "import_graph_def",
    "init_scope",
    "inside_function",
    "int8",
    "int16",
    "int32",
    "int64",
    "io",
    "ir",
    "is_symbolic_tensor",
    "is_tensor",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "lookup",
    "make_ndarray",
    "make_tensor_proto",
    "map_fn",
    "math",
    "matmul",
    "maximum",
    "meshgrid",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_op",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "pad",
    "parallel_stack",
    "pow",
    "print",
    "profiler",
    "py_function",
    "qint8",
    "qint16",
    "qint32",
    "quantization",
    "queue",
    "quint8",
    "quint16",
    "ragged",
    "random",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "raw_ops",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "register_tensor_conversion_function",
    "repeat",
    "required_space_to_batch_paddings",
    "reshape",
    "resource",
    "reverse",
    "reverse_sequence",
    "roll",
    "round",
    "saturate_cast",
    "saved_model",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "setdiff1d",
    "sets",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "sparse",
    "split",
    "sqrt",
    "square",
    "squared_difference",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "strings",
    "subtract",
    "summary",
    "switch_case",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "train",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "tuple",
    "type_spec_from_value",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unstack",
    "value_and_grad",
    "variable_creator_scope",
    "variant",
    "vectorized_map",
    "version",
    "where",
    "while_loop",
    "xla",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]

globals().pop("_quiet", None)
