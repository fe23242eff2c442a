"""Segments: rows combined by the number of the segment that each belongs to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import as_dtype, int64
from tfc.ir.extent import Extent, product

from ...core import blame, errors
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.index_errors import elements, placed
from ...dispatch.primitive import Body, Primitive, Sizes, broadcast_to, measured, primitive, retype
from ..declare import Form, Function, OpClass, op
from ..extents import extent_operand, extents_of

Finish = Callable[[Builder, Value, Value], Value]  # of what was combined, and the counts


def _fitted(b: Builder, data: Value, ids: Value) -> tuple[Value, Value]:
    """Rows of data, and the vector of their ids: the axes of the ids become one."""
    name = f"data.shape = {list(data.shape)}", f"segment_ids.shape = {list(ids.shape)}"
    unify = getattr(b, "unify", lambda x, y: False)
    front = data.shape[: ids.rank]
    if data.rank < ids.rank or not all(
        e == f or unify(e, f) for e, f in zip(front, ids.shape, strict=True)
    ):
        raise OpError(f"segment: {name[0]} does not start with {name[1]}")
    ids = retype(b, ids, front)
    if ids.rank == 1:
        return data, ids
    n = product(front)
    rows = b.emit(ir.Reshape(data, (n, *data.shape[ids.rank :])))
    return rows, b.emit(ir.Reshape(ids, (n,)))


def _counts(b: Builder, ids: Value, rows: Extent, check: str, like: Value) -> Value:
    """How many rows of data each segment has, as i64 in the shape of the result."""
    ones = broadcast_to(b, b.constant(1, int64), ids.shape)
    counts = b.emit(ir.SegmentSum(ids, ones, rows, check))
    return b.emit(ir.Broadcast(counts, like.shape, (0,)))


def _mean(b: Builder, total: Value, counts: Value) -> Value:
    n, dtype = Term(b, counts), total.dtype
    n = n.maximum(n.const(1))
    divisor = Term(b, b.emit(ir.Cast(n.value, dtype)))
    if not dtype.is_integer:
        return (Term(b, total) / divisor).value
    # Integers are rounded towards zero, as by TensorFlow's kernel.
    if dtype.is_unsigned:
        return (Term(b, total) // divisor).value
    size = Term(b, b.emit(ir.Abs(total))) // divisor
    return where(Term(b, total) < 0, -size, size).value


def _true_mean(b: Builder, total: Value, counts: Value) -> Value:
    """As `/` divides: integers give floats."""
    if total.dtype.is_integer:
        total = b.emit(ir.Cast(total, as_dtype("f32" if total.dtype.bits < 32 else "f64")))
    return _mean(b, total, counts)


def _over_root(b: Builder, total: Value, counts: Value) -> Value:
    if not total.dtype.is_floating:
        raise OpError(f"segment: not defined for dtype {total.dtype.name}", "dtype")
    n = Term(b, counts)
    divisor = b.emit(ir.Cast(n.maximum(n.const(1)).value, total.dtype))
    return (Term(b, total) / Term(b, b.emit(ir.Sqrt(divisor)))).value


def _zero_where_none(b: Builder, extremum: Value, counts: Value) -> Value:
    x = Term(b, extremum)
    return where(Term(b, counts) > 0, x, 0).value


@primitive
def _segment_count(b: Builder, ids: Value) -> Value:
    """One more than the largest id; 0 of none."""
    if ids.rank != 1 or not ids.dtype.is_integer:
        raise OpError("segment: segment_ids should be a vector of integers")
    top = Term(b, b.emit(ir.ReduceMax(b.emit(ir.Cast(ids, int64)), (0,))))
    return (top.maximum(top.const(-1)) + 1).value


def _combined(mode: str, finish: Finish | None) -> Callable[[OpClass], Body]:
    """The IR of an op over segments: sorted ones, or in any order ("drop" those outside)."""

    def made(op: OpClass) -> Body:
        def body(b: Builder, data: Value, ids: Value, rows: tuple[Extent]) -> Value:
            data, ids = _fitted(b, data, ids)
            result = b.emit(op(ids, data, rows[0], mode))
            if finish is None:
                return result
            return finish(b, result, _counts(b, ids, rows[0], mode, result))

        return body

    return made


def _sorted(finish: Finish | None = None) -> Form:
    """Sorted segments: a row for each up to the last. `finish` is given the counts."""

    def of(primitive: Primitive) -> Function:
        title = primitive.name

        def function(data: Any, segment_ids: Any, name: str | None = None) -> Any:
            x, ids = operand(title, data), operand(title, segment_ids)
            if not ids.dtype.is_integer:
                raise blame.invalid_dtype("segment_ids must be integers", title)
            if len(ids.shape) != 1:
                raise blame.invalid("segment_ids should be a vector.", title)
            have, want = extents_of(x)[:1], extents_of(ids)
            if isinstance(want[0], int) and all(isinstance(e, int) for e in have) and have != want:
                raise blame.invalid(
                    "segment_ids should be the same size as dimension 0 of input.", title
                )
            rows = measured(_segment_count.fast()(ids))
            try:
                return primitive(x, ids, static=(Sizes((rows,)),))
            except errors.InvalidArgumentError as error:
                raise disorder(error, ids) from None

        return function

    return Form(of, _combined("sorted", finish))


def disorder(error: errors.InvalidArgumentError, ids: Tensor) -> errors.InvalidArgumentError:
    """What is wrong with the numbers of sorted segments, as TensorFlow tells it: of the segments in
    their order, the first that is followed by a smaller one, or is not up to the last id.

    Args:
        error: What a kernel has told, which looks at each number by itself.
        ids: The numbers, of which some are negative or less than the one before.
    """
    if not re.match(r"index -?\d+ is not in|segment ids are not", error.message or ""):
        return error
    numbers = elements(ids)
    last = int(numbers[-1])
    order = numbers[np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))]
    falls = np.flatnonzero(np.diff(order) < 0)
    outside = np.flatnonzero((order < 0) | (order > last))
    if last < 0:
        message = f"segment ids must be >= 0, got {last}"
    elif len(falls) and not (len(outside) and outside[0] < falls[0]):
        message = f"segment ids are not increasing: {order[falls[0] + 1]} comes after "
        message += str(order[falls[0]])
    elif len(outside):
        message = f"Segment id {order[outside[0]]} out of range [0, {last + 1}), possibly because "
        message += "'segment_ids' input is not sorted."
    else:
        return error
    return errors.InvalidArgumentError(message, op=error.op, location=error.location)


def _unsorted(finish: Finish | None = None) -> Form:
    """Segments in any order, of which the number is given. `finish` is given the counts."""

    def of(primitive: Primitive) -> Function:
        title = primitive.name

        def function(
            data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
        ) -> Any:
            x, ids = operand(title, data), operand(title, segment_ids)
            if not ids.dtype.is_integer:
                raise blame.invalid_dtype("segment_ids must be integers", title)
            rows = extent_operand(num_segments, title)
            try:
                return primitive(x, ids, static=(Sizes((rows,)),))
            except errors.InvalidArgumentError as error:
                text = "{where} = {value} is out of range [0, {extent})"
                raise placed(error, ids, "segment_ids", text, None) from None

        return function

    return Form(of, _combined("drop", finish))


@op(ir.SegmentSum, _sorted())
def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The sum of the rows data[i] whose segment_ids[i] is s, in row s of the result.

    The ids are a vector, one for each row; they must not fall, and there is a row for each up to
    the last. The sum of none is 0. Raises InvalidArgumentError where ids fall or are negative.

    Args:
        data: A tensor [n, ...] of numbers.
        segment_ids: A vector of n integers that do not fall.

    Returns:
        A tensor [last id + 1, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If ids fall or are negative.

    >>> import tfc as tf
    >>> print(tf.math.segment_sum([[1, 2], [3, 4], [5, 6]], [0, 0, 1]))
    tf.Tensor(
    [[4 6]
     [5 6]], shape=(2, 2), dtype=int32)
    """


@op(ir.SegmentProd, _sorted())
def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, which are given as to `segment_sum`. The product of
    none is 1.

    Args:
        data: A tensor [n, ...] of numbers.
        segment_ids: A vector of n integers that do not fall.

    Returns:
        A tensor [last id + 1, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If ids fall or are negative.

    >>> import tfc as tf
    >>> print(tf.math.segment_prod([2, 3, 4], [0, 0, 2]))
    tf.Tensor([6 1 4], shape=(3,), dtype=int32)
    """


@op(ir.SegmentSum, _sorted(_mean))
def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment, which are given as to `segment_sum`. The mean of none
    is 0; of integers it is rounded towards 0.

    Args:
        data: A tensor [n, ...] of numbers.
        segment_ids: A vector of n integers that do not fall.

    Returns:
        A tensor [last id + 1, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If ids fall or are negative.

    >>> import tfc as tf
    >>> print(tf.math.segment_mean([1.0, 2.0, 4.0], [0, 0, 2]))
    tf.Tensor([1.5 0.  4. ], shape=(3,), dtype=float32)
    """


@op(ir.SegmentMax, _sorted(_zero_where_none))
def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment, elementwise; they are given as to `segment_sum`.
    Where there is none, it is 0.

    Args:
        data: A tensor [n, ...] of real numbers.
        segment_ids: A vector of n integers that do not fall.

    Returns:
        A tensor [last id + 1, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If ids fall or are negative.

    >>> import tfc as tf
    >>> print(tf.math.segment_max([[1, 8], [5, 2], [-3, -4]], [0, 0, 1]))
    tf.Tensor(
    [[ 5  8]
     [-3 -4]], shape=(2, 2), dtype=int32)
    """


@op(ir.SegmentMin, _sorted(_zero_where_none))
def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The smallest of the rows of each segment, elementwise; they are given as to `segment_sum`.
    Where there is none, it is 0.

    Args:
        data: A tensor [n, ...] of real numbers.
        segment_ids: A vector of n integers that do not fall.

    Returns:
        A tensor [last id + 1, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If ids fall or are negative.

    >>> import tfc as tf
    >>> print(tf.math.segment_min([7, 3, 5], [0, 0, 2]))
    tf.Tensor([3 0 5], shape=(3,), dtype=int32)
    """


@op(ir.SegmentSum, _unsorted())
def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of data[i] over all i with segment_ids[i] = s, in row s of the result.

    The shape of the ids is a prefix of the data's; they may be in any order, and negative ones are
    left out. The sum of none is 0. Raises InvalidArgumentError for an id that is not below
    `num_segments`.

    Args:
        data: A tensor of numbers.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`.

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, -1, 2], 3))
    tf.Tensor([2 0 5], shape=(3,), dtype=int32)
    """


@op(ir.SegmentProd, _unsorted())
def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The product of each segment, which is given as to `unsorted_segment_sum`. The product of none
    is 1.

    Args:
        data: A tensor of numbers.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`.

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_prod([2, 3, 4, 5], [2, 0, -1, 2], 3))
    tf.Tensor([ 3  1 10], shape=(3,), dtype=int32)
    """


@op(ir.SegmentSum, _unsorted(_true_mean))
def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The mean of each segment, 0 of none.

    Args:
        data: A tensor of numbers.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`. What has a
            negative one is left out.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`; of integers float64, or float32 below
        32 bits.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`, `num_segments` is negative, or
            `data` does not begin with the shape of the ids (ValueError while tracing); if a dtype
            is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_mean([1.0, 2.0, 4.0], [1, 0, 1], 3))
    tf.Tensor([2.  2.5 0. ], shape=(3,), dtype=float32)
    """


@op(ir.SegmentSum, _unsorted(_over_root))
def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of each segment, over the root of how many elements it has; 0 of none.

    Args:
        data: A tensor of floats.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`. What has a
            negative one is left out.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`, `num_segments` is negative, or
            `data` does not begin with the shape of the ids (ValueError while tracing); if a dtype
            is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], 2))
    tf.Tensor([0. 5.], shape=(2,), dtype=float32)
    """


@op(ir.SegmentMax, _unsorted())
def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The largest of each segment, elementwise; given as to `unsorted_segment_sum`. Of none it is
    the smallest finite number of the dtype.

    Args:
        data: A tensor of real numbers.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`.

    >>> import tfc as tf
    >>> x = tf.constant([3, 8, 5], tf.int8)
    >>> print(tf.math.unsorted_segment_max(x, [1, 0, 1], 3))
    tf.Tensor([   8    5 -128], shape=(3,), dtype=int8)
    """


@op(ir.SegmentMin, _unsorted())
def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: Any, name: str | None = None
) -> Tensor:
    """The smallest of each segment, elementwise; given as to `unsorted_segment_sum`. Of none it is
    the largest finite number of the dtype.

    Args:
        data: A tensor of real numbers.
        segment_ids: A tensor of integers, whose shape is a prefix of that of `data`.
        num_segments: The number of segments.

    Returns:
        A tensor [num_segments, ...] of the dtype of `data`.

    Raises:
        InvalidArgumentError: If an id is not below `num_segments`.

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_min([[3, 8], [5, 2]], [0, 0], 1))
    tf.Tensor([[3 2]], shape=(1, 2), dtype=int32)
    """
