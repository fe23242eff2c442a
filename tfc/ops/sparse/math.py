"""`tfc.sparse`: sums, products and reductions of sparse tensors, and lookups by them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir.dtypes import int64

from ...core import blame, errors
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import flag, is_whole, numbers
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import scatter as _scatter
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..array import unique as _unique
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from ..math import complex as _complex
from ..math import reductions as _reductions
from ..math import segments as _segments_ops
from ..math import transcendental as _transcendental
from .structure import _rank, retain
from .tensor import SparseTensor, filling, linear, places, sparse_operand

_py_range = builtins.range


def sparse_dense_matmul(
    sp_a: SparseTensor | TensorLike,
    b: SparseTensor | TensorLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of a sparse and a dense matrix (or of a dense and a sparse one).

    Differentiable in the values of the sparse matrix and in the dense one.

    Args:
        sp_a: A SparseTensor of rank 2; or a dense matrix, where `b` is sparse.
        b: A dense matrix of the same dtype; or a SparseTensor, where `sp_a` is dense.
        adjoint_a: Whether `sp_a` is transposed (and conjugated) first.
        adjoint_b: Whether `b` is.

    Returns:
        A dense matrix.

    Raises:
        InvalidArgumentError: If an operand is no matrix, the dtypes differ, or the columns of the
            one are not as many as the rows of the other.
        TypeError: If none of them is sparse.

    >>> import tfc as tf
    >>> a = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
    >>> print(tf.sparse.sparse_dense_matmul(a, [[1.0], [10.0]]))
    tf.Tensor(
    [[20.]
     [ 3.]], shape=(2, 1), dtype=float32)
    """
    op = "sparse.sparse_dense_matmul"
    if isinstance(b, SparseTensor) and not isinstance(sp_a, SparseTensor):
        # a b is the transpose of b' a'
        flipped = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return _adjoint(flipped)
    sp = sparse_operand(op, sp_a)
    dense = operand(op, b, dtype_hint=sp.dtype)
    if _rank(sp, op) != 2 or len(dense.shape) != 2:
        raise blame.invalid(f"needs two matrices, got shapes {sp.shape} and {dense.shape}", op)
    if dense.dtype is not sp.dtype:
        raise blame.invalid_dtype(
            f"operands must have the same dtype, got {sp.dtype.name} and {dense.dtype.name}", op
        )
    values = sp.values
    rows, columns = sp.indices[:, 0], sp.indices[:, 1]
    count, inner = sp.dense_shape[0], sp.dense_shape[1]
    if flag(adjoint_a, "adjoint_a", op):
        rows, columns, count, inner = columns, rows, inner, count
        values = _complex.conj(values)
    if flag(adjoint_b, "adjoint_b", op):
        dense = _adjoint(dense)
    message = "Cannot multiply A and B because inner dimension does not match"
    _checks.assert_equal(_shaping.shape(dense, out_type=int64)[0], inner, message)
    terms = _shaping.expand_dims(values, 1) * _indexing.gather(dense, columns)
    return _segments_ops.unsorted_segment_sum(terms, rows, count)


def _adjoint(x: Tensor) -> Tensor:
    return _complex.conj(_shaping.transpose(x))


def _merged(parts: list[SparseTensor]) -> tuple[Any, list[Any]]:
    """The row-major numbers of all places, each once and in order, and for each tensor where its
    own are among them."""
    own = [linear(sp.indices, sp.dense_shape) for sp in parts]
    whole = _sorting.sort(_unique.unique(_joining.concat(own, 0))[0])
    return whole, [_sorting.searchsorted(whole, n, out_type=int64) for n in own]


def _count(vector: Tensor) -> Tensor:
    return _shaping.shape(vector, out_type=int64)[0]


def _same_shapes(a: SparseTensor, b: SparseTensor, op: str) -> None:
    if a.rank != b.rank:
        raise blame.invalid(
            f"Operands do not have the same ranks; got shapes: {a.shape} and {b.shape}", op
        )
    if a.dtype is not b.dtype:
        raise blame.invalid_dtype(
            f"operands must have the same dtype, got {a.dtype.name} and {b.dtype.name}", op
        )
    _checks.assert_equal(a.dense_shape, b.dense_shape, "Operands' shapes do not match")


def add(
    a: SparseTensor | TensorLike, b: SparseTensor | TensorLike, threshold: TensorLike = 0
) -> SparseTensor | Tensor:
    """The sum of two sparse tensors, or of a sparse and a dense one.

    Args:
        a: A SparseTensor of numbers, or a dense tensor.
        b: A SparseTensor, or a dense tensor, of the same dtype and shape; one of the two is sparse.
        threshold: Where both are sparse: elements of the sum whose absolute value is less are left
            out. With 0 all are kept, zeros too.

    Returns:
        A SparseTensor in row-major order, where both are; else a dense tensor.

    Raises:
        InvalidArgumentError: If the shapes or the dtypes differ.
        TypeError: If none of them is sparse.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([0, 1, 2]), tf.sparse.from_dense([5, 1, 0])
    >>> print(tf.sparse.to_dense(tf.sparse.add(a, b)))
    tf.Tensor([5 2 2], shape=(3,), dtype=int32)
    """
    op = "sparse.add"
    if not isinstance(a, SparseTensor) or not isinstance(b, SparseTensor):
        if isinstance(b, SparseTensor):
            a, b = b, a
        sp = sparse_operand(op, a)
        dense = operand(op, b, dtype_hint=sp.dtype)
        if sp.rank not in (None, len(dense.shape)):
            raise blame.invalid(
                f"Two operands have different ranks; received: {sp.rank} and {len(dense.shape)}", op
            )
        _checks.assert_equal(
            _shaping.shape(dense, out_type=int64), sp.dense_shape, "the shapes differ"
        )
        return _scatter.tensor_scatter_nd_add(dense, sp.indices, sp.values)
    _same_shapes(a, b, op)
    whole, own = _merged([a, b])
    values = _segments_ops.unsorted_segment_sum(
        _joining.concat([a.values, b.values], 0), _joining.concat(own, 0), _count(whole)
    )
    total = SparseTensor(places(whole, a.dense_shape), values, a.dense_shape)
    if isinstance(threshold, int | float) and threshold == 0:
        return total
    size = _arithmetic.abs(total.values)
    return retain(total, size >= operand(op, threshold, size.dtype))


def _elementwise(name: str, function: Callable[[Any, Any], Any]) -> Callable[..., SparseTensor]:
    op = f"sparse.{name}"

    def combine(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
        a, b = sparse_operand(op, sp_a), sparse_operand(op, sp_b)
        _same_shapes(a, b, op)
        whole, own = _merged([a, b])
        count = _count(whole)
        x, y = (
            _segments_ops.unsorted_segment_sum(sp.values, at, count)
            for sp, at in zip((a, b), own, strict=True)
        )
        return SparseTensor(places(whole, a.dense_shape), function(x, y), a.dense_shape)

    combine.__name__ = combine.__qualname__ = name
    return combine


maximum = _elementwise("maximum", lambda x, y: _arithmetic.maximum(x, y))
maximum.__doc__ = """The larger element of two sparse tensors at every place where one has
    any; where the other has none, it counts as 0.

    Args:
        sp_a: A SparseTensor of numbers.
        sp_b: A SparseTensor of the same dtype and shape.

    Returns:
        A SparseTensor of their shape, in row-major order.

    Raises:
        InvalidArgumentError: If the shapes or the dtypes differ.
        TypeError: If one is no SparseTensor.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([0, 1, -2]), tf.sparse.from_dense([-5, 3, 0])
    >>> print(tf.sparse.to_dense(tf.sparse.maximum(a, b)))
    tf.Tensor([0 3 0], shape=(3,), dtype=int32)
    """
minimum = _elementwise("minimum", lambda x, y: _arithmetic.minimum(x, y))
minimum.__doc__ = """The smaller element of two sparse tensors at every place where one has
    any; where the other has none, it counts as 0.

    Args:
        sp_a: A SparseTensor of numbers.
        sp_b: A SparseTensor of the same dtype and shape.

    Returns:
        A SparseTensor of their shape, in row-major order.

    Raises:
        InvalidArgumentError: If the shapes or the dtypes differ.
        TypeError: If one is no SparseTensor.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([0, 1, -2]), tf.sparse.from_dense([-5, 3, 0])
    >>> print(tf.sparse.to_dense(tf.sparse.minimum(a, b)))
    tf.Tensor([-5  1 -2], shape=(3,), dtype=int32)
    """


# Reductions.


def _groups(sp: SparseTensor, axis: TensorLike | None, op: str) -> tuple[Any, np.ndarray]:
    """For each element the number of its place along the axes that are kept; and these."""
    rank = _rank(sp, op)
    if axis is None:
        reduced = list(_py_range(rank))
    else:
        given = numbers(axis, "axis", op)
        if any(not is_whole(a) or not -rank <= a < rank for a in given):
            raise blame.invalid(f"axis {shown(axis)} is out of range for rank {rank}", op)
        reduced = sorted({int(a) % rank for a in given})
    kept = np.array([i for i in _py_range(rank) if i not in reduced], np.int64)
    groups = linear(
        _indexing.gather(sp.indices, kept, axis=1), _indexing.gather(sp.dense_shape, kept)
    )
    return groups, kept


def _reduce(
    op: str,
    sp_input: SparseTensor,
    axis: TensorLike | None,
    keepdims: bool | None,
    sparsely: bool,
    segment: Callable[..., Tensor],
    empty: bool,
) -> Any:
    sp = sparse_operand(op, sp_input)
    groups, kept = _groups(sp, axis, op)
    extents = _indexing.gather(sp.dense_shape, kept)
    shape: Any = extents
    if keepdims:  # a list says which extents are 1, also where nobody knows the others
        sizes = _joining.unstack(sp.dense_shape)
        shape = [n if i in kept else 1 for i, n in enumerate(sizes)]
    if sparsely:
        shape = _joining.stack(shape) if keepdims else shape
        found = _sorting.sort(_unique.unique(groups)[0])
        at = _sorting.searchsorted(found, groups, out_type=int64)
        values = segment(sp.values, at, _count(found))
        return SparseTensor(places(found, shape), values, shape)
    total = _reductions.reduce_prod(extents)
    values = segment(sp.values, groups, total)
    if empty:  # what has no element is 0
        count = _segments_ops.unsorted_segment_sum(_creation.ones_like(groups), groups, total)
        values = _comparisons.select(count > 0, values, _creation.zeros_like(values))
    return _shaping.reshape(values, shape)


def reduce_sum(
    sp_input: SparseTensor,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The sums along `axis`.

    Args:
        sp_input: A SparseTensor of numbers.
        axis: The axis, or a list of them; None: all.
        keepdims: Whether the axes stay, with extent 1.
        output_is_sparse: Whether the result is sparse, with a place for each sum that has terms.

    Returns:
        A tensor of the dtype of `sp_input` without these axes, dense or sparse.

    Raises:
        InvalidArgumentError: If an axis is not there.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[1, 0, 1], [0, 1, 0]])
    >>> print(tf.sparse.reduce_sum(x, 0), tf.sparse.reduce_sum(x).numpy())
    tf.Tensor([1 1 1], shape=(3,), dtype=int32) 3
    """
    segment = _segments_ops.unsorted_segment_sum
    return _reduce("sparse.reduce_sum", sp_input, axis, keepdims, output_is_sparse, segment, False)


def reduce_max(
    sp_input: SparseTensor,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The largest of the elements that are there along `axis`; 0 where there is none.

    Args:
        sp_input: A SparseTensor of real numbers.
        axis: The axis, or a list of them; None: all.
        keepdims: Whether the axes stay, with extent 1.
        output_is_sparse: Whether the result is sparse, with a place where there are elements.

    Returns:
        A tensor of the dtype of `sp_input` without these axes, dense or sparse.

    Raises:
        InvalidArgumentError: If an axis is not there.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[-1, 0, -3], [0, 0, 0]])
    >>> print(tf.sparse.reduce_max(x, 1))
    tf.Tensor([-1  0], shape=(2,), dtype=int32)
    """
    segment = _segments_ops.unsorted_segment_max
    return _reduce("sparse.reduce_max", sp_input, axis, keepdims, output_is_sparse, segment, True)


def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax along the last axis of the elements that are there: all others have no weight.

    Args:
        sp_input: A SparseTensor of floats.

    Returns:
        A SparseTensor with the same places.

    Raises:
        InvalidArgumentError: If `sp_input` is of integers.
        TypeError: If it is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1.0, 1.0, 7.0], [2, 3])
    >>> print(tf.sparse.softmax(x).values)
    tf.Tensor([0.5 0.5 1. ], shape=(3,), dtype=float32)
    """
    op = "sparse.softmax"
    sp = sparse_operand(op, sp_input)
    groups, _ = _groups(sp, _rank(sp, op) - 1, op)
    found, at = _unique.unique(groups, out_idx=int64)
    count = _count(found)
    top = _conversion.stop_gradient(_segments_ops.unsorted_segment_max(sp.values, at, count))
    raised = _transcendental.exp(sp.values - _indexing.gather(top, at))
    total = _segments_ops.unsorted_segment_sum(raised, at, count)
    return sp.with_values(raised / _indexing.gather(total, at))


# Rows.


def fill_empty_rows(
    sp_input: SparseTensor, default_value: TensorLike | None, name: str | None = None
) -> tuple[SparseTensor, Any]:
    """The same with the `default_value` at the first place of every row that has no element.

    Args:
        sp_input: A SparseTensor, whose first axis has the rows.
        default_value: A scalar of its dtype.

    Returns:
        A pair: the SparseTensor, in row-major order, and a bool vector that says which rows were
        empty.

    Raises:
        InvalidArgumentError: If `default_value` is no scalar.
        TypeError: If it has another dtype, or `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> filled, empty = tf.sparse.fill_empty_rows(tf.sparse.from_dense([[0, 3], [0, 0]]), 9)
    >>> print(tf.sparse.to_dense(filled)[1], empty)
    tf.Tensor([9 0], shape=(2,), dtype=int32) tf.Tensor([False  True], shape=(2,), dtype=bool)
    """
    op = "sparse.fill_empty_rows"
    sp = sparse_operand(op, sp_input)
    rows = sp.indices[:, 0]
    count = _segments_ops.unsorted_segment_sum(_creation.ones_like(rows), rows, sp.dense_shape[0])
    empty = _comparisons.equal(count, 0)
    missing = _indexing.where(empty)
    rest = _creation.zeros_like(missing) * _creation.zeros([1, _rank(sp, op) - 1], int64)
    default = filling(sp.values, default_value, op)
    values = _joining.concat([sp.values, _creation.fill([_count(missing)], default)], 0)
    indices = _joining.concat([sp.indices, _joining.concat([missing, rest], 1)], 0)
    # By rows alone: within a row elements stay in the order that they are given in.
    order = _sorting.argsort(indices[:, 0], stable=True)
    indices, values = _indexing.gather(indices, order), _indexing.gather(values, order)
    return SparseTensor(indices, values, sp.dense_shape), empty


def to_indicator(sp_input: SparseTensor, vocab_size: int, name: str | None = None) -> Tensor:
    """Truth values that say which numbers are among the values along the last axis.

    Args:
        sp_input: A SparseTensor of integers in [0, vocab_size).
        vocab_size: How many numbers there are.

    Returns:
        A dense bool tensor of the shape of `sp_input`, but for the last extent, which is
        `vocab_size`.

    Raises:
        InvalidArgumentError: If a value is negative or not below `vocab_size`, or the values are no
            integers.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [2, 0, 1], [2, 2])
    >>> print(tf.sparse.to_indicator(x, 3))
    tf.Tensor(
    [[False False  True]
     [ True  True False]], shape=(2, 3), dtype=bool)
    """
    op = "sparse.to_indicator"
    sp = sparse_operand(op, sp_input)
    if not sp.dtype.is_integer:
        raise blame.invalid_dtype(f"{op}: values must be integers, got {sp.dtype.name}", op)
    last = _shaping.expand_dims(_conversion.cast(sp.values, int64), 1)
    indices = _joining.concat([sp.indices[:, :-1], last], 1)
    many = _creation.constant([vocab_size], int64)
    extents = _joining.concat([sp.dense_shape[:-1], many], 0)
    return _scatter.scatter_nd(indices, _creation.ones_like(last[:, 0]), extents) > 0


def _segments(name: str, scale: Callable[[Any], Any] | None) -> Callable[..., Any]:
    op = f"sparse.{name}"

    def segment(
        data: TensorLike,
        indices: TensorLike,
        segment_ids: TensorLike,
        num_segments: TensorLike | None = None,
        name: str | None = None,
        sparse_gradient: bool = False,
    ) -> Tensor:
        ids, places = operand(op, segment_ids), operand(op, indices)
        if not ids.shape.is_compatible_with(places.shape):
            raise blame.invalid("segment_ids and indices should have same size.", op)
        try:
            rows = _indexing.gather(data, places)
        except errors.InvalidArgumentError as error:
            raise _bad_index(error, op) from None
        if scale is not None and not rows.dtype.is_inexact:
            raise blame.invalid_dtype(f"{op}: not defined for dtype {rows.dtype.name}", op)

        def summed(terms: Any) -> Any:
            if num_segments is None:
                return _segments_ops.segment_sum(terms, ids)
            return _in_order(terms, ids, num_segments, op)

        total = summed(rows)
        if scale is None:
            return total
        count = summed(_creation.ones_like(ids))
        by = scale(_conversion.cast(_arithmetic.maximum(count, 1), total.dtype))
        more = [1] * (len(total.shape) - 1)
        return total / _shaping.reshape(by, [-1, *more])

    segment.__name__ = segment.__qualname__ = name
    return segment


def _bad_index(error: Any, op: str) -> Any:
    """That an index names no row, as TensorFlow's kernels of segments tell it."""
    found = re.fullmatch(r"(indices.*) = (-?\d+) is not in (.*)", error.message or "")
    if found is None:
        return error
    return errors.InvalidArgumentError(
        f"Bad: {found[1]} == {found[2]} out of range {found[3]}", op=op, location=error.location
    )


def _in_order(terms: Any, ids: Any, count: Any, op: str) -> Any:
    """The sums of `count` segments, whose numbers must not fall."""
    _checks.Assert(
        _reductions.reduce_all(ids[1:] >= ids[:-1]), [f"{op}: segment ids are not increasing"]
    )
    _checks.Assert(_reductions.reduce_all(ids >= 0), [f"{op}: segment ids must be >= 0"])
    total = _conversion.cast(count, ids.dtype)
    _checks.Assert(
        _reductions.reduce_all(ids < total), [f"{op}: segment ids must be < num_segments"]
    )
    return _segments_ops.unsorted_segment_sum(terms, ids, count)


segment_sum = _segments("segment_sum", None)
segment_sum.__doc__ = """The sums of rows data[indices[i]] by the segment segment_ids[i]. A
    segment without rows is 0. The ids must not fall.

    Args:
        data: A tensor of numbers, with at least one axis.
        indices: Which rows of `data` are taken, one after the other: a vector of integers.
        segment_ids: The segment of each of them: a vector of integers that do not fall.
        num_segments: How many segments there are; None: one more than the largest of segment_ids.
        sparse_gradient: Not used: the gradient is that of a gather.

    Returns:
        A tensor of the dtype of `data` and the shape [num_segments] + data.shape[1:].

    Raises:
        InvalidArgumentError: If an index is not below the number of rows, ids fall, are negative or
            not below num_segments, or the two vectors are not equally long.

    >>> import tfc as tf
    >>> print(tf.sparse.segment_sum([1, 10, 100], [0, 2, 1], [0, 0, 1]))
    tf.Tensor([101  10], shape=(2,), dtype=int32)
    """
segment_mean = _segments("segment_mean", lambda count: count)
segment_mean.__doc__ = """The means of rows data[indices[i]] by the segment segment_ids[i]. A
    segment without rows is 0. The ids must not fall.

    Args:
        data: A tensor of floats or complex numbers, with at least one axis.
        indices: Which rows of `data` are taken, one after the other: a vector of integers.
        segment_ids: The segment of each of them: a vector of integers that do not fall.
        num_segments: How many segments there are; None: one more than the largest of segment_ids.
        sparse_gradient: Not used: the gradient is that of a gather.

    Returns:
        A tensor of the dtype of `data` and the shape [num_segments] + data.shape[1:].

    Raises:
        InvalidArgumentError: If an index is not below the number of rows, ids fall, are negative or
            not below num_segments, or the two vectors are not equally long, `data` is of integers.

    >>> import tfc as tf
    >>> print(tf.sparse.segment_mean([1.0, 3.0], [0, 1, 1], [0, 0, 1]))
    tf.Tensor([2. 3.], shape=(2,), dtype=float32)
    """
segment_sqrt_n = _segments("segment_sqrt_n", lambda count: _transcendental.sqrt(count))
segment_sqrt_n.__doc__ = """The sums of rows data[indices[i]] by the segment segment_ids[i], each
    divided by the square root of the number of its rows. A
    segment without rows is 0. The ids must not fall.

    Args:
        data: A tensor of floats or complex numbers, with at least one axis.
        indices: Which rows of `data` are taken, one after the other: a vector of integers.
        segment_ids: The segment of each of them: a vector of integers that do not fall.
        num_segments: How many segments there are; None: one more than the largest of segment_ids.
        sparse_gradient: Not used: the gradient is that of a gather.

    Returns:
        A tensor of the dtype of `data` and the shape [num_segments] + data.shape[1:].

    Raises:
        InvalidArgumentError: If an index is not below the number of rows, ids fall, are negative or
            not below num_segments, or the two vectors are not equally long, `data` is of integers.

    >>> import tfc as tf
    >>> print(tf.sparse.segment_sqrt_n([1.0, 3.0], [0, 1, 1, 1], [0, 0, 0, 0]))
    tf.Tensor([5.], shape=(1,), dtype=float32)
    """
