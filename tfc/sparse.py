"""`tfc.sparse`: tensors of which few elements are not 0, given by their places."""

from .ops.array.indexed_slices import mask
from .ops.ragged.counting import bincount
from .ops.sparse.math import (
    add,
    fill_empty_rows,
    maximum,
    minimum,
    reduce_max,
    reduce_sum,
    segment_mean,
    segment_sqrt_n,
    segment_sum,
    softmax,
    sparse_dense_matmul,
    to_indicator,
)
from .ops.sparse.sampled import sampled_addmm
from .ops.sparse.structure import (
    concat,
    expand_dims,
    eye,
    from_dense,
    map_values,
    reorder,
    reset_shape,
    reshape,
    retain,
    slice,
    split,
    to_dense,
    transpose,
)
from .ops.sparse.tensor import SparseTensor
from .ops.strings.crossing import sparse_cross as cross
from .ops.strings.crossing import sparse_cross_hashed as cross_hashed

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "cross",
    "cross_hashed",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "mask",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "sampled_addmm",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]
