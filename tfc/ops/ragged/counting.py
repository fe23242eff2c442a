"""Counts of the numbers in rows, where most do not occur."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.types import TensorLike
from ..arguments import flag, one_of
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import counting as _counting
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..array import unique as _unique
from ..math import arithmetic as _arithmetic
from ..math import reductions as _reductions
from ..math import segments as _segments
from ..sparse.tensor import SparseTensor
from . import rows as _rows
from .tensor import RaggedTensor


def of_rows(values: Any, weights: Any, axis: Any, op: str) -> tuple[Any, Any, Any, Any]:
    """The numbers one after the other, the row of each, how many rows there are, and the weights.
    All are in one row where `axis` is not -1."""
    count: Any
    if isinstance(values, SparseTensor):
        flat, rows, count = values.values, values.indices[:, 0], values.dense_shape[0]
        one = len(values.shape) < 2
    elif isinstance(values, RaggedTensor):
        flat, rows, count = values.flat_values, values.value_rowids(), values.nrows()
        one = False
        if isinstance(values.values, RaggedTensor) and axis == -1:
            raise blame.value_error(f"values of shape {values.shape}: only of two axes", op)
    else:
        held = _rows.ragged_or_dense(op, values)
        flat = _shaping.reshape(held, [-1])
        one = len(held.shape) < 2
        extents = _shaping.shape(held, out_type=int64)
        count = _creation.constant(1, int64) if one else extents[0]
        width = _creation.constant(1, int64) if one else extents[1]
        places = _rows.counting(_shaping.shape(flat, out_type=int64)[0])
        rows = _arithmetic.floordiv(places, _arithmetic.maximum(width, 1))
    if axis != -1 or one:
        rows, count = _creation.zeros_like(_conversion.cast(flat, int64)), None
    if isinstance(weights, SparseTensor):
        weights = weights.values
    elif isinstance(weights, RaggedTensor):
        weights = weights.flat_values
    elif weights is not None:
        weights = _shaping.reshape(_rows.ragged_or_dense(op, weights), [-1])
    number = None if count is None else _conversion.cast(count, int64)
    return flat, _conversion.cast(rows, int64), number, weights


def bincount(
    values: Any,
    weights: Any = None,
    axis: int | None = 0,
    minlength: TensorLike | None = None,
    maxlength: TensorLike | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """How often numbers occur, or the sums of their weights, of those that do occur.

    Args:
        values: A tensor of integers that are not negative, with one or two axes: dense, ragged or
            sparse.
        weights: What counts for each, in the shape of `values`; None: 1.
        axis: -1 counts each row by itself; None or 0: all.
        minlength: The least length of the result.
        maxlength: Its length: numbers from there on are not counted; None: what the largest asks
            for.
        binary_output: Whether to say only that a number occurs.

    Returns:
        A SparseTensor, with the numbers as places.

    Raises:
        InvalidArgumentError: If a number is negative, or weights and `binary_output` are both
            given.
        ValueError: For another axis, or more axes.

    >>> import tfc as tf
    >>> x = tf.sparse.bincount(tf.ragged.constant([[1, 9], [9, 9]]), axis=-1)
    >>> print(x.indices.numpy().tolist(), x.values.numpy().tolist(), x.shape)
    [[0, 1], [0, 9], [1, 9]] [1, 1, 2] (2, 10)
    """
    op = "sparse.bincount"
    if not one_of(axis, (None, 0, -1)):
        raise blame.value_error(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.",
            op,
        )
    binary = flag(binary_output, "binary_output", op)
    if binary and weights is not None:
        text = "Arguments `binary_output` and `weights` are mutually exclusive"
        raise blame.value_error(f"{text}. Please specify only one.", op)
    flat, rows, count, heavy = of_rows(values, weights, axis, op)
    wide = _conversion.cast(flat, int64)
    _checks.assert_non_negative(wide, "Input values must all be non-negative")
    if maxlength is not None:
        size = _conversion.cast(maxlength, int64)
        kept = _indexing.where(wide < size)[:, 0]
        wide, rows = _indexing.gather(wide, kept), _indexing.gather(rows, kept)
        heavy = None if heavy is None else _indexing.gather(heavy, kept)
    else:
        size = _reductions.reduce_max(_joining.concat([wide, [-1]], 0)) + 1
        if minlength is not None:
            size = _arithmetic.maximum(size, _conversion.cast(minlength, int64))
    numbers = rows * size + wide
    order = _sorting.argsort(numbers, stable=True)
    found, segment = _unique.unique(_indexing.gather(numbers, order))
    if heavy is None:
        heavy = _creation.ones_like(_conversion.cast(numbers, flat.dtype))
    total = _shaping.shape(found)[0]
    counts = _segments.unsorted_segment_sum(_indexing.gather(heavy, order), segment, total)
    if binary:
        counts = _creation.ones_like(counts)
    if count is None:
        return SparseTensor(_shaping.expand_dims(found, 1), counts, _shaping.reshape(size, [1]))
    by = _arithmetic.maximum(size, 1)
    places = _joining.stack([_arithmetic.floordiv(found, by), _arithmetic.floormod(found, by)], 1)
    return SparseTensor(places, counts, _joining.stack([count, size]))


def dense_bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = "int32",
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    """`tf.math.bincount` of a ragged or sparse tensor, of which the elements that are given count.

    Args:
        arr: A RaggedTensor or SparseTensor of integers that are not negative.
        weights: What counts for each, in the shape of `arr`; None: 1.
        minlength: The least length of the result.
        maxlength: The most: numbers from there on are not counted.
        dtype: The dtype of counts without weights.
        axis: None or 0 counts all elements, -1 each row by itself.
        binary_output: Whether to say only if a number occurs.

    Returns:
        A vector, or with `axis=-1` a matrix.

    Raises:
        InvalidArgumentError: If a number is negative.
        ValueError: If there are more than two axes with `axis=-1`.
    """
    op = "bincount"
    flat, rows, count, heavy = of_rows(arr, weights, axis, op)
    if count is None:
        return _counting.bincount(
            flat, heavy, minlength, maxlength, dtype, None, None, binary_output
        )
    size = _reductions.reduce_max(_joining.concat([_conversion.cast(flat, int64), [-1]], 0)) + 1
    for bound, extreme in ((minlength, _arithmetic.maximum), (maxlength, _arithmetic.minimum)):
        if bound is not None:
            size = extreme(size, _conversion.cast(bound, int64))
    wide = _conversion.cast(flat, int64)
    kept = _indexing.where(wide < size)[:, 0]
    numbers = _indexing.gather(rows * size + wide, kept)
    heavy = None if heavy is None else _indexing.gather(heavy, kept)
    total = size * count
    counts = _counting.bincount(numbers, heavy, total, total, dtype, None, None, binary_output)
    return _shaping.reshape(counts, _joining.stack([count, size]))


__all__ = ["bincount", "dense_bincount", "of_rows"]
