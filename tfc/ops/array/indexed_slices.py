"""What IndexedSlices ask of ops: the dense tensor, and which of the extents are known."""

from __future__ import annotations

from tfc.ir.extent import Expr

from ...core import blame
from ...core.conversion import convert_to_tensor
from ...core.indexed_slices import IndexedSlices
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import Sizes, measured
from ..extents import extents_of
from .creation import zeros
from .indexing import gather
from .scatter import scatter_rows
from .shaping import reshape
from .sizes import numbers_of
from .unique import setdiff1d


def dense(slices: IndexedSlices) -> Tensor:
    """Zeros of the dense shape, to which the rows are added in their order."""
    numbers = numbers_of(slices.dense_shape)
    extents = [n if isinstance(n, int | Expr) else measured(n) for n in numbers]
    rank = len(slices.indices.shape)
    rows = reshape(slices.values, [-1, *extents_of(slices.values)[rank:]])
    base = zeros(Sizes(extents), slices.dtype)
    total: Tensor = scatter_rows(base, reshape(slices.indices, [-1]), rows, "add")
    return total


def known_numbers(vector: Tensor) -> list[int | None]:
    """The numbers in a vector of extents; None for those that only run time knows."""
    return [n if isinstance(n, int) else None for n in numbers_of(vector)]


def mask(a: IndexedSlices, mask_indices: TensorLike, name: str | None = None) -> IndexedSlices:
    """IndexedSlices without some of their rows: `tf.sparse.mask`.

    Args:
        a: IndexedSlices.
        mask_indices: A vector of integers: the indices of the rows that are left out.

    Returns:
        IndexedSlices.

    Raises:
        TypeError: If `a` is something else.

    >>> import tfc as tf
    >>> rows = tf.IndexedSlices([[1.0], [2.0], [3.0]], [5, 7, 9], [12, 1])
    >>> tf.sparse.mask(rows, [7]).indices.numpy().tolist()
    [5, 9]
    """
    if not isinstance(a, IndexedSlices):
        raise blame.type_error(f"needs IndexedSlices, got {type(a).__name__}", "sparse.mask")
    kept, places = setdiff1d(a.indices, convert_to_tensor(mask_indices, a.indices.dtype))
    return IndexedSlices(gather(a.values, places), kept, a.dense_shape)
