"""Counting: how often numbers occur, histograms, confusion matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import as_dtype, float64, int32, int64
from tfc.ir.extent import Extent

from ...core import blame, errors
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import AxisLike, DTypeLike, TensorLike
from ...dispatch.index_errors import elements
from ...dispatch.primitive import Sizes, broadcast_to, measured, primitive, same_extents
from ..arguments import flag, one_of, whole_number
from ..array.conversion import cast
from ..array.shaping import reshape
from ..extents import extent_operand


@primitive
def _most(b: Builder, *values: Value) -> Value:
    """One more than the largest number in any of the values; at least 0."""
    tops = []
    for v in values:
        wide = b.emit(ir.Cast(v, int64))
        tops.append(Term(b, b.emit(ir.ReduceMax(wide, tuple(range(v.rank))))))
    top = tops[0].const(-1)
    for other in tops:
        top = top.maximum(other)
    return (top + 1).value


@primitive
def _within(b: Builder, size: Value, low: Value, high: Value) -> Value:
    least = b.emit(ir.Maximum(size, b.emit(ir.Cast(low, int64))))
    return b.emit(ir.Minimum(least, b.emit(ir.Cast(high, int64))))


@primitive
def _bincount(b: Builder, x: Value, weights: Value, size: tuple[Extent], binary: bool) -> Value:
    """Row by row; what is `size` or more is counted nowhere, what is negative is an error."""
    rows, n = x.shape
    if weights.rank:
        fitted = same_extents(b, (x, weights), (0, 1)) if weights.rank == 2 else None
        if fitted is None:
            raise OpError("bincount: `weights` must be the same shape as `arr`")
        x, weights = fitted
    total = rows * size[0]
    number = Term(b, b.emit(ir.Cast(x, int64)))

    def everywhere(extent: Extent) -> Term:
        return Term(b, b.emit(ir.Broadcast(b.emit(ir.ExtentOf(extent)), (rows, n), ())))

    row = Term(b, b.emit(ir.Iota((rows, n), 0, int64)))
    place = number + row * everywhere(size[0])
    place = where(number < everywhere(size[0]), place, everywhere(total))
    place = where(number < 0, number, place)
    flat = b.emit(ir.Reshape(place.value, (rows * n,)))
    data = b.emit(ir.Reshape(broadcast_to(b, weights, (rows, n)), (rows * n,)))
    counts = b.emit(ir.SegmentSum(flat, data, total, "count"))
    if binary:
        counts = b.emit(ir.Minimum(counts, Term(b, counts).const(1).value))
    return b.emit(ir.Reshape(counts, (rows, size[0])))


def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
    axis: AxisLike | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often 0, 1, 2, ... occur in `arr`, or the sums of their `weights`.

    The result is as long as the largest number asks for, but at least `minlength` and at most
    `maxlength`: numbers from there on are not counted. `axis=-1` counts each row of a matrix by
    itself. `binary_output` says only whether a number occurs. Without weights counts are of
    `dtype`. The gradient goes to the weights.

    Raises InvalidArgumentError for negative numbers.

    Args:
        arr: A tensor of integers that are not negative.
        weights: A tensor of the shape of `arr`; None: 1 for each.
        minlength: The least length of the result.
        maxlength: The most: numbers from there on are not counted.
        dtype: The dtype of counts without weights.
        axis: None or 0 counts all elements, -1 each row by itself.
        binary_output: Whether to say only if a number occurs.

    Returns:
        A vector, or with `axis=-1` a matrix.

    Raises:
        InvalidArgumentError: If a number is negative.

    >>> import tfc as tf
    >>> print(tf.math.bincount([1, 1, 2, 3, 2, 4, 4, 5]))
    tf.Tensor([0 2 2 1 2 1], shape=(6,), dtype=int32)
    """
    x = operand("bincount", arr)
    if not x.dtype.is_integer:
        raise blame.invalid_dtype(f"arr must be integers, got {x.dtype.name}", "bincount")
    if not one_of(axis, (None, 0, -1)):
        raise blame.value_error(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.",
            "bincount",
        )
    if flag(binary_output, "binary_output", "bincount") and weights is not None:
        raise blame.value_error(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one.",
            "bincount",
        )
    rows = axis == -1 and len(x.shape) == 2
    if axis == -1 and len(x.shape) > 2:
        raise blame.invalid(
            "Shape must be at most rank 2: bincount only supports inputs with a rank <= 2",
            "bincount",
        )
    if weights is not None:
        w = operand("bincount", weights)
        if len(w.shape) != len(x.shape):
            raise blame.invalid("`weights` must be the same shape as `arr`", "bincount")
        w = w if rows else reshape(w, [1, -1])
    else:
        w = operand("bincount", 1, as_dtype(dtype))
    size = _bins(x, minlength, maxlength)
    if isinstance(size, int) and size < 0:  # one more than the largest int64
        raise blame.invalid(f"no tensor has {size + (1 << 64)} bins", "bincount")
    x = x if rows else reshape(x, [1, -1])
    counts = _bincount(
        x, w, static=(Sizes((size,)), flag(binary_output, "binary_output", "bincount"))
    )
    return counts if rows else reshape(counts, [size])


def _bins(x: Any, minlength: Any, maxlength: Any) -> Extent:
    """How long the result of `bincount` is."""
    low = 0 if minlength is None else minlength
    high = int(int64.max) if maxlength is None else maxlength
    known = not any(isinstance(v, SymbolicTensor) for v in (low, high))
    if known:
        low = whole_number(low, "minlength", "bincount")
        high = whole_number(high, "maxlength", "bincount")
        if low < 0 or high < 0:
            raise blame.invalid("lengths must not be negative", "bincount")
        if low >= high:
            return high
    size = _most(x)
    if minlength is not None or maxlength is not None:
        low, high = (
            v if isinstance(v, SymbolicTensor) else operand("bincount", v, int64)
            for v in (low, high)
        )
        size = _within(size, low, high)
    return measured(size)


# Histograms.


@primitive
def _bin_numbers(b: Builder, values: Value, ends: Value, count: Value, exact: bool) -> Value:
    """The number of the bin of each value; what lies outside is in the first or the last bin.

    `exact`: as TensorFlow's kernel that counts, in float64; else in the dtype of the values.
    """
    if ends.dtype is not values.dtype:
        raise OpError("histogram: operands must have the same dtype", "dtype")
    compute = float64 if exact or values.dtype.is_integer else values.dtype

    def end(i: int) -> Value:
        one = b.emit(ir.Slice(ends, (i,), (1,), (1,)))
        return broadcast_to(b, b.emit(ir.Reshape(one, ())), values.shape)

    low, high = end(0), end(1)
    number = Term(b, broadcast_to(b, b.emit(ir.Cast(count, compute)), values.shape))
    if exact:
        above = b.emit(ir.Sub(b.emit(ir.Maximum(values, low)), low))
        width = Term(b, b.emit(ir.Cast(b.emit(ir.Sub(high, low)), compute))) / number
        place = Term(b, b.emit(ir.Cast(above, compute))) / width
    else:
        above, span = (b.emit(ir.Sub(v, low)) for v in (values, high))
        ratio = Term(b, b.emit(ir.Cast(above, compute))) / Term(b, b.emit(ir.Cast(span, compute)))
        place = Term(b, b.emit(ir.Floor((number * ratio).value)))
    place = place.minimum(number - 1).maximum(number.const(0))
    return b.emit(ir.Cast(place.value, int32))


def _binned(values: Any, value_range: Any, nbins: Any, exact: bool, name: str) -> Any:
    x = operand(name, values)
    if not (x.dtype.is_floating or x.dtype.is_integer):
        raise blame.invalid_dtype(f"not defined for dtype {x.dtype.name}", name)
    ends = operand(name, value_range, None if hasattr(value_range, "dtype") else x.dtype)
    if len(ends.shape) != 1 or ends.shape[0] not in (None, 2):
        raise blame.invalid(f"value_range should be a vector of 2 elements, not {ends.shape}", name)
    if not isinstance(ends, SymbolicTensor):
        low_high = np.asarray(ends)
        if not low_high[0] < low_high[1]:
            raise blame.invalid(
                f"value_range should satisfy value_range[0] < value_range[1], but got "
                f"'[{low_high[0]}, {low_high[1]}]'",
                name,
            )
    count = extent_operand(nbins, name)
    if count == 0:
        raise blame.invalid("nbins should be a positive number, but got '0'", name)
    number = operand(name, nbins)
    return _bin_numbers.fast(exact)(x, ends, number), count


def histogram_fixed_width_bins(
    values: Any,
    value_range: TensorLike,
    nbins: Any = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """The number of the bin of each value, where bins of equal width lie side by side. What is
    outside is in the first or the last bin.

    Args:
        values: A tensor of real numbers.
        value_range: Two numbers of the same dtype: where the first bin begins, and the last one
            ends.
        nbins: How many bins there are, at least 1.
        dtype: The dtype of the result.

    Returns:
        A tensor of the shape of `values`.

    Raises:
        InvalidArgumentError: If the range is empty, or `nbins` not positive; if `value_range` is
            not two numbers (ValueError while tracing), or the dtype is another one (TypeError).
        TypeError: If `value_range` does not fit the dtype of `values`.

    >>> import tfc as tf
    >>> print(tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5))
    tf.Tensor([0 0 1 2 4 4], shape=(6,), dtype=int32)
    """
    places, _ = _binned(values, value_range, nbins, False, "histogram_fixed_width_bins")
    return cast(places, as_dtype(dtype))


def histogram_fixed_width(
    values: Any,
    value_range: TensorLike,
    nbins: Any = 100,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """How many values there are in each of several bins of equal width. What is outside counts in
    the first or the last bin.

    Args:
        values: A tensor of real numbers.
        value_range: Two numbers of the same dtype: where the first bin begins, and the last one
            ends.
        nbins: How many bins there are, at least 1.
        dtype: The dtype of the counts, of numbers.

    Returns:
        A tensor [nbins].

    Raises:
        InvalidArgumentError: If the range is empty, or `nbins` not positive; if `value_range` is
            not two numbers (ValueError while tracing), or the dtype is another one (TypeError).
        TypeError: If `value_range` does not fit the dtype of `values`, or `dtype` is bool.

    >>> import tfc as tf
    >>> print(tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5))
    tf.Tensor([2 1 1 0 2], shape=(5,), dtype=int32)
    """
    places, count = _binned(values, value_range, nbins, True, "histogram_fixed_width")
    one = operand("histogram_fixed_width", 1, as_dtype(dtype))
    counts = _bincount(reshape(places, [1, -1]), one, static=(Sizes((count,)), False))
    return reshape(counts, [count])


@primitive
def _confusion(
    b: Builder, labels: Value, predictions: Value, weights: Value, classes: tuple[Extent]
) -> Value:
    vectors = [labels, predictions] + [weights] * bool(weights.rank)
    fitted = same_extents(b, vectors, [0]) if all(v.rank == 1 for v in vectors) else None
    if fitted is None:
        raise OpError("confusion_matrix: labels, predictions and weights must be as long")
    labels, predictions = fitted[:2]
    weights = fitted[2] if weights.rank else broadcast_to(b, weights, labels.shape)
    (k,) = classes
    row, column = (
        Term(b, b.emit(ir.CheckedIndex(v, k, "confusion_matrix"))) for v in (labels, predictions)
    )
    width = Term(b, b.emit(ir.Broadcast(b.emit(ir.ExtentOf(k)), labels.shape, ())))
    counts = b.emit(ir.SegmentSum((row * width + column).value, weights, k * k, "drop"))
    return b.emit(ir.Reshape(counts, (k, k)))


def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: Any = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """How often (or with which sum of `weights`) label i was taken for j, at [i, j]. Without
    `num_classes` there are as many classes as the largest number asks for.

    Raises InvalidArgumentError for numbers that are negative, or not below `num_classes`.

    Args:
        labels: A vector of integers: the true classes.
        predictions: A vector of integers, as long: the classes they were taken for.
        num_classes: The number of classes; None: one more than the largest number.
        weights: A weight for each prediction; None: 1.
        dtype: The dtype of the result.

    Returns:
        A matrix [num_classes, num_classes].

    Raises:
        InvalidArgumentError: If a number is negative, or not below `num_classes`.

    >>> import tfc as tf
    >>> print(tf.math.confusion_matrix([1, 2, 2], [1, 0, 2]))
    tf.Tensor(
    [[0 0 0]
     [0 1 0]
     [1 0 1]], shape=(3, 3), dtype=int32)
    """
    truth, guess = _squeezed(labels, predictions)
    kind = as_dtype(dtype)
    if weights is None:
        w = operand("confusion_matrix", 1, kind)
    else:
        w = cast(operand("confusion_matrix", weights), kind)
        if not len(w.shape):
            raise blame.invalid("weights must be a vector", "confusion_matrix")
    if num_classes is None:
        classes = measured(_most(truth, guess))
    else:
        classes = extent_operand(num_classes, "confusion_matrix")
    try:
        return _confusion(truth, guess, w, static=(Sizes((classes,)),))
    except errors.InvalidArgumentError as error:
        raise _wrong_class(error, truth, guess, classes) from None


def _wrong_class(
    error: errors.InvalidArgumentError, truth: Any, guess: Any, classes: Any
) -> errors.InvalidArgumentError:
    """Which of labels and predictions are no classes, and why."""
    for what, vector in (("labels", truth), ("predictions", guess)):
        numbers = elements(vector)
        wrong = "contains negative values" if np.any(numbers < 0) else None
        if wrong is None and np.any(numbers >= classes):
            wrong = f"out of bound. Condition x < y did not hold, y = {classes}"
        if wrong is not None:
            message = f"`{what}` {wrong}, x = {numbers}"
            return errors.InvalidArgumentError(message, op=error.op, location=error.location)
    return error


def _squeezed(labels: Any, predictions: Any) -> list[Any]:
    """Both as integers; where one has a last axis of 1 that the other lacks, without it."""
    pair = [operand("confusion_matrix", v) for v in (labels, predictions)]
    pair = [v if v.dtype.is_integer else cast(v, int64) for v in pair]
    ranks = [len(v.shape) for v in pair]
    for i in (0, 1):
        if ranks[i] - ranks[1 - i] == 1:
            pair[i] = reshape(pair[i], [-1])
    return pair
