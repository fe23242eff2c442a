"""Products of matrices, of which some elements alone are wanted."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import float32

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ..array import conversion as _conversion
from ..array import shaping as _shaping
from ..array.indexing import gather
from ..math import reductions as _reductions


def sampled_addmm(
    indices: TensorLike,
    values: TensorLike,
    dense_shape: TensorLike,
    mat1: TensorLike,
    mat2: TensorLike,
    beta: float = 1.0,
    alpha: float = 1.0,
    output_type: DTypeLike = float32,
) -> tuple[Tensor, Tensor, Tensor]:
    """alpha mat1 @ mat2 + beta values, at the given places alone: a dot product for each.

    Args:
        indices: The places: integers [..., n, 2].
        values: What is added: [..., n].
        dense_shape: The extents of the product, handed on.
        mat1: Matrices [..., m, k].
        mat2: Matrices [..., k, n].
        beta: The factor of `values`.
        alpha: The factor of the product.
        output_type: The dtype of the result.

    Returns:
        The indices, the elements at these places, and the extents.

    Raises:
        ValueError: If ranks do not fit.
        InvalidArgumentError: If a place is out of range.

    >>> import tfc as tf
    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> _, found, _ = tf.sparse.sampled_addmm([[0, 1], [1, 0]], [0.0, 1.0], [2, 2], a, a)
    >>> print(found)
    tf.Tensor([10. 16.], shape=(2,), dtype=float32)
    """
    op = "sparse.sampled_addmm"
    places, extents = (operand(op, v) for v in (indices, dense_shape))
    a, b, added = (_conversion.cast(operand(op, v), output_type) for v in (mat1, mat2, values))
    rank: Any = len(a.shape)
    if (
        rank < 2
        or len(b.shape) != rank
        or len(places.shape) != rank
        or rank - 1 != len(added.shape)
    ):
        raise blame.value_error(
            f"indices {places.shape}, values {added.shape}, mat1 {a.shape} and mat2 {b.shape} "
            "do not fit",
            op,
        )
    columns = _shaping.transpose(b, [*range(rank - 2), rank - 1, rank - 2])
    picked: Any = places
    left = gather(a, picked[..., 0], batch_dims=rank - 2)
    right = gather(columns, picked[..., 1], batch_dims=rank - 2)
    found: Any = _reductions.reduce_sum(left * right, -1)
    return places, found * alpha + added * beta, extents
