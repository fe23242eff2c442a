"""`tfc.raw_ops`: functions by the names of TensorFlow's ops, with their arguments by name.

They are the public functions; so what these refuse is refused here, too.

>>> import tfc as tf
>>> print(tf.raw_ops.AddV2(x=[1, 2], y=[3, 4]))
tf.Tensor([4 6], shape=(2,), dtype=int32)
"""

from __future__ import annotations

import functools as _functools
from collections.abc import Callable as _Callable
from importlib import import_module as _import_module
from typing import Any as _Any

# By the op: the public function of one operand, or of x and y.
_SAME = {
    "Abs": "abs",
    "Acos": "acos",
    "Acosh": "acosh",
    "Add": "add",
    "AddV2": "add",
    "Angle": "math.angle",
    "Asin": "asin",
    "Asinh": "asinh",
    "Atan": "atan",
    "Atan2": "atan2",
    "Atanh": "atanh",
    "BesselI0": "math.bessel_i0",
    "BesselI1": "math.bessel_i1",
    "BitwiseAnd": "bitwise.bitwise_and",
    "BitwiseOr": "bitwise.bitwise_or",
    "BitwiseXor": "bitwise.bitwise_xor",
    "Ceil": "math.ceil",
    "ComplexAbs": "abs",
    "Conj": "math.conj",
    "Cos": "cos",
    "Cosh": "cosh",
    "Digamma": "math.digamma",
    "Div": "divide",
    "DivNoNan": "math.divide_no_nan",
    "Elu": "nn.elu",
    "Equal": "equal",
    "Erf": "math.erf",
    "Erfc": "math.erfc",
    "Erfinv": "math.erfinv",
    "Exp": "exp",
    "Expm1": "math.expm1",
    "Floor": "floor",
    "FloorDiv": "math.floordiv",
    "FloorMod": "math.floormod",
    "Greater": "greater",
    "GreaterEqual": "greater_equal",
    "Identity": "identity",
    "Imag": "math.imag",
    "Inv": "math.reciprocal",
    "Invert": "bitwise.invert",
    "InvertPermutation": "math.invert_permutation",
    "IsFinite": "math.is_finite",
    "IsInf": "math.is_inf",
    "IsNan": "math.is_nan",
    "L2Loss": "nn.l2_loss",
    "LeftShift": "bitwise.left_shift",
    "Less": "less",
    "LessEqual": "less_equal",
    "Lgamma": "math.lgamma",
    "Log": "math.log",
    "Log1p": "math.log1p",
    "LogSoftmax": "nn.log_softmax",
    "LogicalAnd": "logical_and",
    "LogicalNot": "logical_not",
    "LogicalOr": "logical_or",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "Mul": "multiply",
    "MulNoNan": "math.multiply_no_nan",
    "Neg": "negative",
    "NotEqual": "not_equal",
    "OnesLike": "ones_like",
    "Pow": "pow",
    "Real": "math.real",
    "RealDiv": "truediv",
    "Reciprocal": "math.reciprocal",
    "Relu": "nn.relu",
    "Relu6": "nn.relu6",
    "RightShift": "bitwise.right_shift",
    "Rint": "math.rint",
    "Round": "round",
    "Rsqrt": "math.rsqrt",
    "Selu": "nn.selu",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Sinh": "sinh",
    "Softmax": "nn.softmax",
    "Softplus": "nn.softplus",
    "Softsign": "nn.softsign",
    "Sqrt": "sqrt",
    "Square": "square",
    "SquaredDifference": "math.squared_difference",
    "StopGradient": "stop_gradient",
    "Sub": "subtract",
    "Tan": "tan",
    "Tanh": "tanh",
    "TruncateDiv": "truncatediv",
    "TruncateMod": "truncatemod",
    "Xdivy": "math.xdivy",
    "Xlog1py": "math.xlog1py",
    "Xlogy": "math.xlogy",
    "ZerosLike": "zeros_like",
}
_REDUCED = {"input": "input_tensor", "keep_dims": "keepdims"}
_IGNORED = ("name", "T", "Tidx", "Tindices", "Tparams", "Tout", "validate_indices", "N")
# By the op: the public function, and its name of each argument that has another one.
_OTHERS: dict[str, tuple[str, dict[str, str]]] = {
    "All": ("reduce_all", _REDUCED),
    "Any": ("reduce_any", _REDUCED),
    "ArgMax": ("argmax", {"dimension": "axis"}),
    "ArgMin": ("argmin", {"dimension": "axis"}),
    "BatchMatMul": ("matmul", {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"}),
    "BatchMatMulV2": ("matmul", {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"}),
    "BiasAdd": ("nn.bias_add", {}),
    "Bitcast": ("bitcast", {}),
    "BroadcastTo": ("broadcast_to", {}),
    "Cast": ("cast", {"DstT": "dtype"}),
    "Cholesky": ("linalg.cholesky", {}),
    "ClipByValue": ("clip_by_value", {}),
    "Complex": ("complex", {}),
    "ConcatV2": ("concat", {}),
    "Cumprod": ("math.cumprod", {}),
    "Cumsum": ("cumsum", {}),
    "ExpandDims": ("expand_dims", {}),
    "Fill": ("fill", {}),
    "Gather": ("gather", {}),
    "GatherNd": ("gather_nd", {}),
    "GatherV2": ("gather", {}),
    "Igamma": ("math.igamma", {}),
    "Igammac": ("math.igammac", {}),
    "LeakyRelu": ("nn.leaky_relu", {}),
    "MatMul": ("matmul", {}),
    "MatrixDiagPartV2": ("linalg.diag_part", {}),
    "MatrixInverse": ("linalg.inv", {}),
    "Max": ("reduce_max", _REDUCED),
    "Mean": ("reduce_mean", _REDUCED),
    "Min": ("reduce_min", _REDUCED),
    "MirrorPad": ("pad", {"input": "tensor"}),
    "NextAfter": ("math.nextafter", {}),
    "OneHot": ("one_hot", {}),
    "Pack": ("stack", {}),
    "Pad": ("pad", {"input": "tensor"}),
    "PadV2": ("pad", {"input": "tensor"}),
    "Prod": ("reduce_prod", _REDUCED),
    "Range": ("range", {}),
    "Rank": ("rank", {}),
    "Reshape": ("reshape", {}),
    "ReverseV2": ("reverse", {}),
    "Roll": ("roll", {}),
    "ScatterNd": ("scatter_nd", {}),
    "SegmentMaxV2": ("math.unsorted_segment_max", {}),
    "SegmentMinV2": ("math.unsorted_segment_min", {}),
    "SegmentProdV2": ("math.unsorted_segment_prod", {}),
    "SegmentSumV2": ("math.unsorted_segment_sum", {}),
    "Select": ("where", {}),
    "SelectV2": ("where", {"t": "x", "e": "y"}),
    "Shape": ("shape", {}),
    "Size": ("size", {}),
    "Slice": ("slice", {"input": "input_"}),
    "Split": ("split", {"num_split": "num_or_size_splits"}),
    "SplitV": ("split", {"size_splits": "num_or_size_splits"}),
    "Squeeze": ("squeeze", {}),
    "Sum": ("reduce_sum", _REDUCED),
    "TensorScatterAdd": ("tensor_scatter_nd_add", {}),
    "TensorScatterUpdate": ("tensor_scatter_nd_update", {}),
    "Tile": ("tile", {}),
    "TopKV2": ("math.top_k", {}),
    "Transpose": ("transpose", {"x": "a"}),
    "Unpack": ("unstack", {}),
    "UnsortedSegmentMax": ("math.unsorted_segment_max", {}),
    "UnsortedSegmentMin": ("math.unsorted_segment_min", {}),
    "UnsortedSegmentProd": ("math.unsorted_segment_prod", {}),
    "UnsortedSegmentSum": ("math.unsorted_segment_sum", {}),
    "Where": ("where", {}),
    "Zeta": ("math.zeta", {}),
}
# By the op: what is made of several functions.
_MADE = {
    "BroadcastGradientArgs": "ops.array.raw:broadcast_gradient_args",
    "BlockLSTM": "ops.nn.raw:block_lstm",
    "BlockLSTMV2": "ops.nn.raw:block_lstm_v2",
    "FusedBatchNorm": "ops.nn.raw:batch_norm",
    "FusedBatchNormV2": "ops.nn.raw:batch_norm",
    "FusedBatchNormV3": "ops.nn.raw:batch_norm_v3",
    "IgammaGradA": "ops.math.raw:igamma_gradient",
    "ImageProjectiveTransformV2": "ops.image.projection:image_projective_transform",
    "ImageProjectiveTransformV3": "ops.image.projection:image_projective_transform",
    "RandomGammaGrad": "ops.random.raw:gamma_gradient",
    "UniqueWithCountsV2": "ops.array.raw:unique_with_counts",
}
__all__ = []  # ops are found by the table alone


def _public(path: str) -> _Callable[..., _Any]:
    found: _Any = _import_module("tfc")
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _of_operands(name: str, function: _Callable[..., _Any]) -> _Callable[..., _Any]:
    def op(**arguments: _Any) -> _Any:
        given = {k: v for k, v in arguments.items() if k not in _IGNORED}
        if len(given) > 1 and given.keys() != {"x", "y"}:
            raise TypeError(f"{name} takes x and y, got {sorted(given)}")
        return function(*(given[k] for k in sorted(given)))

    op.__name__ = op.__qualname__ = name
    op.__doc__ = f"`{function.__name__}`, by the name of TensorFlow's op."
    return op


def _renamed(
    name: str, function: _Callable[..., _Any], names: dict[str, str]
) -> _Callable[..., _Any]:
    def op(**arguments: _Any) -> _Any:
        given = {names.get(k, k): v for k, v in arguments.items() if k not in _IGNORED}
        return function(**given)

    op.__name__ = op.__qualname__ = name
    op.__doc__ = f"`{function.__name__}`, by the name of TensorFlow's op."
    return op


@_functools.cache
def __getattr__(name: str) -> _Any:
    if name in _SAME:
        return _of_operands(name, _public(_SAME[name]))
    if name in _OTHERS:
        path, names = _OTHERS[name]
        return _renamed(name, _public(path), names)
    if name in _MADE:
        module, _, function = _MADE[name].partition(":")
        return _renamed(name, getattr(_import_module(f"tfc.{module}"), function), {})
    raise AttributeError(f"module 'tfc.raw_ops' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*_SAME, *_OTHERS, *_MADE])
