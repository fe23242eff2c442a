"""Products of batches of matrices whose numbers of rows or columns differ."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core import blame
from ..array import arrange as _arrange
from ..array import checks as _checks
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import shaping as _shaping
from ..linalg import diagonals as _diagonals
from ..linalg import products as _products
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from ..math import segments as _segments
from . import rows as _rows
from .tensor import RaggedTensor

_UNEVEN = (
    "The matrices in `a` and `b` may not be ragged in their innermost dimension: rows of a matrix "
    "differ."
)


class _Batch(NamedTuple):
    """Matrices of one size, each filled up with zeros, and how many rows and columns each has:
    None, where that is all that there are."""

    dense: Any
    rows: Any
    columns: Any

    def transposed(self, conjugated: bool = False) -> _Batch:
        dense = _diagonals.matrix_transpose(self.dense, conjugate=conjugated)
        return _Batch(dense, self.columns, self.rows)


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    **options: Any,
) -> Any:
    """`tf.matmul` of batches of matrices, ragged or dense: each with its own.

    Args:
        a: A tensor with three axes. The second, or the second and the third, may be ragged: all
            rows of a matrix have one length. Or one matrix, whose rows are of one length.
        b: A tensor alike, or one matrix for all.
        transpose_a: Whether the matrices of `a` are transposed first.
        transpose_b: The same of `b`.
        adjoint_a: Whether they are conjugated, too.
        adjoint_b: The same of `b`.
        **options: Others of `tf.matmul`.

    Returns:
        A RaggedTensor, or of one matrix a tensor.

    Raises:
        InvalidArgumentError: If rows of one matrix differ in length, or a matrix has another
            number of columns than the one that it is multiplied by has rows.
        UnimplementedError: For more axes.
    """
    for which, transposed, adjoint in (
        ("a", transpose_a, adjoint_a),
        ("b", transpose_b, adjoint_b),
    ):
        if transposed and adjoint:
            text = f"Only one of transpose_{which} and adjoint_{which} can be True."
            raise blame.value_error(text, "matmul")
    held: list[Any] = [_matrix_or_batch(_rows.ragged_or_dense("matmul", x)) for x in (a, b)]
    if not any(isinstance(x, RaggedTensor) for x in held):
        return _products.matmul(
            held[0], held[1], transpose_a, transpose_b, adjoint_a, adjoint_b, **options
        )
    _check_operands(held[0], held[1])
    kind = _rows.splits_dtype(held, "matmul")
    left, right = (_batch(x) for x in held)
    if transpose_a or adjoint_a:
        left = left.transposed(adjoint_a)
    if transpose_b or adjoint_b:
        right = right.transposed(adjoint_b)
    _check_sizes(left, right, kind)
    dense = _products.matmul(left.dense, right.dense, **options)
    return _cut(dense, left.rows, right.columns, kind)


def _check_operands(a: Any, b: Any) -> None:
    """Refuse operands of two dtypes, or of different numbers of matrices."""
    if a.dtype is not b.dtype:
        raise blame.value_error(
            f"`a` and `b` must have the same dtype, got {a.dtype.name} and {b.dtype.name}", "matmul"
        )
    if len(b.shape) < 2 or len(a.shape) < 2:
        raise blame.value_error(
            f"`a` and `b` must have the same rank, got shapes {a.shape} and {b.shape}", "matmul"
        )
    if len(a.shape) == len(b.shape) == 3:
        have, want = a.shape[0], b.shape[0]
        if None not in (have, want) and have != want:
            raise blame.value_error(
                f"Dimensions {have} and {want} are not compatible: numbers of matrices", "matmul"
            )


def _matrix_or_batch(x: Any) -> Any:
    """One matrix as the dense tensor that it is."""
    if not isinstance(x, RaggedTensor) or len(x.shape) == 3:
        return x
    if len(x.shape) > 3:
        raise blame.unimplemented(f"ragged ones of shape {x.shape}: up to three axes", "matmul")
    dense = x.to_tensor()
    width = _shaping.shape(dense, out_type=x.row_splits.dtype)[1]
    _checks.assert_equal(x.row_lengths(), width, _UNEVEN)
    return dense


def _batch(x: Any) -> _Batch:
    if not isinstance(x, RaggedTensor):
        return _Batch(x, None, None)
    columns = None
    if isinstance(x.values, RaggedTensor):
        lengths, rows = x.values.row_lengths(), x.value_rowids()
        longest = _segments.unsorted_segment_max(lengths, rows, x.nrows())
        columns = _arithmetic.maximum(longest, 0)  # of a matrix without rows: none
        _checks.assert_equal(lengths, _indexing.gather(columns, rows), _UNEVEN)
    return _Batch(x.to_tensor(), x.row_lengths(), columns)


def _check_sizes(left: _Batch, right: _Batch, kind: Any) -> None:
    """Matrices on the left have as many columns as those on the right have rows."""
    if left.columns is None and right.rows is None:
        return
    columns, rows = left.columns, right.rows
    if columns is None:
        columns = _shaping.shape(left.dense, out_type=kind)[-1]
    if rows is None:
        rows = _shaping.shape(right.dense, out_type=kind)[-2]
    fits = _comparisons.equal(columns, rows)
    for lines in (left.rows, right.columns):  # without one of them, the product is empty
        if lines is not None:
            fits = _comparisons.logical_or(fits, _comparisons.equal(lines, 0))
    _checks.assert_equal(fits, True, "matrices do not fit: columns and rows differ in number")


def _cut(dense: Any, rows: Any, columns: Any, kind: Any) -> Any:
    """Products without what the zeros of their operands added to them."""
    if columns is None:
        return RaggedTensor.from_tensor(dense, rows)
    if rows is None:
        extents = _shaping.shape(dense, out_type=kind)
        rows = _creation.fill(_shaping.reshape(extents[0], [1]), extents[1])
    return RaggedTensor.from_tensor(dense, [rows, _arrange.repeat(columns, rows)])


__all__ = ["matmul"]
