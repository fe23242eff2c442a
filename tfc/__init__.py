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

import builtins as _builtins
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import (
    config,
    dtypes,
    errors,
    ir,
    nest,
    operators,
)
from .context import context as _context
from .control_flow import (
    case,
    cond,
    foldl,
    foldr,
    map_fn,
    scan,
    switch_case,
    vectorized_map,
    while_loop,
)
from .custom_gradient import custom_gradient
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
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .execution import run_function as _run_function
from .function import function
from .gradient_functions import grad, gradients_function, value_and_grad
from .gradient_tape import GradientTape, UnconnectedGradients
from .indexed_slices import IndexedSlices
from .initializers import (
    constant_initializer,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from .module import Module
from .ops.arithmetic import (
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
from .ops.arrange import (
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
from .ops.array import broadcast_to_shape as broadcast_to
from .ops.array import (
    concat,
    expand_dims,
    rank,
    reshape,
    reverse,
    shape,
    size,
    split,
    squeeze,
    stack,
    tile,
    transpose,
    unstack,
)
from .ops.blocks import batch_to_space, space_to_batch, space_to_batch_nd
from .ops.checks import Assert, assert_equal, assert_greater, assert_less
from .ops.clipping import clip_by_global_norm, clip_by_norm, clip_by_value
from .ops.comparisons import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
    where,
)
from .ops.complex import complex
from .ops.conversion import (
    bitcast,
    cast,
    ensure_shape,
    get_static_value,
    identity,
    is_symbolic_tensor,
    saturate_cast,
    stop_gradient,
)
from .ops.counting import histogram_fixed_width, histogram_fixed_width_bins
from .ops.creation import (
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
from .ops.cumulative import cumsum
from .ops.einsum import einsum
from .ops.elementwise import scalar_mul, truncatediv, truncatemod
from .ops.indexing import boolean_mask, dynamic_partition, dynamic_stitch, gather, gather_nd
from .ops.norms import norm
from .ops.padding import pad
from .ops.printing import print
from .ops.products import matmul, tensordot
from .ops.reductions import (
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
from .ops.scatter import (
    scatter_nd,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from .ops.shape_checks import assert_rank
from .ops.slicing import slice_ as slice
from .ops.slicing import strided_slice
from .ops.sorting import argsort, searchsorted, sort
from .ops.transcendental import (
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
from .ops.unique import setdiff1d, unique, unique_with_counts
from .python_calls import numpy_function, py_function
from .scopes import (
    DeviceSpec,
    control_dependencies,
    device,
    group,
    init_scope,
    name_scope,
    no_op,
)
from .shapes import TensorShape, TensorSpec
from .tensor import Tensor, convert_to_tensor
from .variable import Variable
from .variable import register_with_native_code as _register
from .variable_methods import VariableAggregation, VariableSynchronization

if _TYPE_CHECKING:
    from . import math, nn, random

__version__ = "0.1.0"

operators.install()
_register()
ir.core.Function.run = staticmethod(_run_function)  # parsed text runs: see tfc.ir.parse
newaxis = None


def executing_eagerly() -> _builtins.bool:
    """Whether ops run at once: True but while a function is traced.

    >>> import tfc as tf
    >>> f = tf.function(lambda: tf.constant(tf.executing_eagerly()))
    >>> tf.executing_eagerly(), f().numpy().item()
    (True, False)
    """
    return _context.trace is None


def is_tensor(x: object) -> _builtins.bool:
    """Whether `x` is a tensor or a Variable.

    >>> import tfc as tf
    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(tf.Variable(1)), tf.is_tensor([1])
    (True, True, False)
    """
    return isinstance(x, Tensor | Variable)


# Imported when they are first used.
_LAZY = (
    "autograph",
    "bitwise",
    "compat",
    "debugging",
    "experimental",
    "image",
    "io",
    "linalg",
    "math",
    "nn",
    "profiler",
    "quantization",
    "ragged",
    "random",
    "sets",
    "saved_model",
    "signal",
    "sparse",
    "strings",
    "test",
    "version",
)
_LAZY_NAMES = {  # by the module that has them
    "TensorArray": "tensor_array",
    "recompute_grad": "checkpointing",
    "RaggedTensor": "ragged_tensor",
    "SparseTensor": "sparse_tensor",
    "timestamp": "ops.clock",
    **dict.fromkeys(
        (
            "assert_greater_equal",
            "assert_integer",
            "assert_less_equal",
            "assert_near",
            "assert_negative",
            "assert_non_negative",
            "assert_non_positive",
            "assert_none_equal",
            "assert_positive",
            "assert_rank_at_least",
            "assert_rank_in",
            "assert_scalar",
            "assert_type",
        ),
        "debugging",
    ),
}


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        return _import_module(f"{__name__}.{name}")
    if name in _LAZY_NAMES:
        return getattr(_import_module(f"{__name__}.{_LAZY_NAMES[name]}"), name)
    from .compat.hints import hint

    text = hint(name)
    raise AttributeError(f"module 'tfc' has no attribute {name!r}" + (f": {text}" if text else ""))


def __dir__() -> list[str]:
    return __all__


__all__ = [*(name for name in globals() if not name.startswith("_")), *_LAZY, *_LAZY_NAMES]
