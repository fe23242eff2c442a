"""`tfc.sparse`: tensors of which few elements are not 0, given by their places."""

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

__all__ = [name for name in globals() if not name.startswith("_")]
