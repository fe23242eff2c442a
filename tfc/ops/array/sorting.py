"""Order: sorting, the largest, searching in what is sorted, turning permutations around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, int32, int64
from tfc.ir.extent import Extent, product
from tfc.ir.value_classes import NamedTuple

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import AxisLike, DTypeLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import Sizes, broadcast_to, primitive, same_extents
from ..arguments import flag, one_of
from ..declare import op
from ..extents import _axis, _require, extent_operand, extents_of
from ..math.reductions import reduce_all
from .shaping import reshape


def along(b: Builder, x: Value, places: Value) -> Value:
    """From each row of x, which lie along the last axis, the elements at the places in the same
    row of `places`."""
    if x.rank == 1:
        return b.emit(ir.Gather(x, places, 0))
    rows, n = product(x.shape[:-1]), x.shape[-1]
    table = (rows, places.shape[-1])
    length = Term(b, b.emit(ir.Broadcast(b.emit(ir.ExtentOf(n)), table, ())))
    start = Term(b, b.emit(ir.Iota(table, 0, int64))) * length
    within = b.emit(ir.CheckedIndex(b.emit(ir.Reshape(places, table)), n, "gather"))
    flat = b.emit(ir.Reshape(x, (rows * n,)))
    found = b.emit(ir.Gather(flat, (start + Term(b, within)).value, 0))
    return b.emit(ir.Reshape(found, places.shape))


def last(b: Builder, x: Value, axis: int) -> Value:
    """x with `axis` and the last axis exchanged."""
    order = list(range(x.rank))
    order[axis], order[-1] = order[-1], order[axis]
    return x if axis == x.rank - 1 else b.emit(ir.Transpose(x, tuple(order)))


def _along(function: Callable[[Any], Tensor], values: Any, axis: Any, name: str) -> Tensor:
    """`function` along an axis that only a call tells."""
    result: Tensor = above.applied_along(function, [operand(name, values)], axis, name)
    return result


def _ordering(values: Any, axis: Any, direction: Any, name: str) -> tuple[Any, int, bool]:
    """The operand, the axis, and whether to sort downwards."""
    x = operand(name, values)
    if not one_of(direction, ("ASCENDING", "DESCENDING")):
        raise blame.value_error(
            f"Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. "
            f"Received: {direction!r}",
            name,
        )
    if not len(x.shape):
        raise blame.invalid("a scalar has no axis to sort along", name)
    return x, _axis(axis, len(x.shape), name), direction == "DESCENDING"


@primitive
def _sort(b: Builder, x: Value, axis: int, descending: bool) -> Value:
    return last(b, b.emit(ir.Sort(last(b, x, axis), descending)), axis)


def sort(
    values: Any, axis: AxisLike = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements in order along `axis`, upwards or downwards ("DESCENDING"). nan counts as
    larger than everything, -0.0 as less than 0.0. The gradient goes to the places that elements
    came from.

    Args:
        values: A tensor of real numbers, bools or strings.
        axis: The axis along which elements are sorted.
        direction: "ASCENDING" or "DESCENDING".

    Returns:
        A tensor of the shape and dtype of `values`.

    Raises:
        ValueError: If `direction` is another word.

    >>> import tfc as tf
    >>> print(tf.sort([1, 10, 26, 2]))
    tf.Tensor([ 1  2 10 26], shape=(4,), dtype=int32)
    """
    if is_unknown(axis):
        return _along(lambda xs: sort(xs[0], -1, direction), values, axis, "sort")
    x, place, descending = _ordering(values, axis, direction, "sort")
    return _sort.fast(place, descending)(x)


@primitive
def _argsort(b: Builder, x: Value, axis: int, descending: bool) -> Value:
    places = last(b, b.emit(ir.ArgSort(last(b, x, axis), descending)), axis)
    return b.emit(ir.Cast(places, int32))


def argsort(
    values: Any,
    axis: AxisLike = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The places, as int32, that put the elements along `axis` into order. Equals always keep
    their order, upwards and downwards; nan counts as larger than everything.

    Args:
        values: A tensor of real numbers, bools or strings.
        axis: The axis along which elements are sorted.
        direction: "ASCENDING" or "DESCENDING".
        stable: Not used: it always is.

    Returns:
        A tensor of int32 of the shape of `values`.

    Raises:
        ValueError: If `direction` is another word.

    >>> import tfc as tf
    >>> print(tf.argsort([1, 10, 26, 2], direction="DESCENDING"))
    tf.Tensor([2 1 3 0], shape=(4,), dtype=int32)
    """
    if is_unknown(axis):
        return _along(lambda xs: argsort(xs[0], -1, direction), values, axis, "argsort")
    x, place, descending = _ordering(values, axis, direction, "argsort")
    return _argsort.fast(place, descending)(x)


class TopK(NamedTuple):
    """What `top_k` returns."""

    values: Any
    indices: Any


@primitive
def _top_k(b: Builder, x: Value, k: tuple[Extent], dtype: DType) -> Any:
    if x.rank < 1:
        raise OpError("top_k: input must be >= 1-D, got shape []")
    places = b.emit(ir.TopPlaces(x, k[0]))
    return along(b, x, places), b.emit(ir.Cast(places, dtype))


def top_k(
    input: TensorLike,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = int32,
    name: str | None = None,
) -> Any:
    """The k largest elements along the last axis, the largest first, and their places: a pair
    (values, indices). Of equals, the one at the lower place comes first; nan counts as larger
    than everything. With `sorted=False` TensorFlow promises no order; here it is the same.

    Args:
        input: A tensor of real numbers or bools, of rank 1 or more.
        k: How many.
        sorted: Not used: they always are.
        index_type: The dtype of the places.

    Returns:
        A pair (values, indices), each of the shape of `input` with `k` along the last axis.

    Raises:
        InvalidArgumentError: If `k` is more than there are (ValueError while tracing).

    >>> import tfc as tf
    >>> values, indices = tf.math.top_k([1, 2, 98, 1, 1, 99, 3, 1, 3, 96, 4, 1], k=3)
    >>> print(values, indices)
    tf.Tensor([99 98 96], shape=(3,), dtype=int32) tf.Tensor([5 2 9], shape=(3,), dtype=int32)
    """
    x, kind = operand("top_k", input), as_dtype(index_type)
    if isinstance(k, int) and k < 0:
        raise blame.invalid(f"Need k >= 0, got {k}", "top_k")
    count = extent_operand(k, "top_k")
    if len(x.shape):
        n = extents_of(x)[-1]
        if isinstance(n, int) and isinstance(count, int) and count > n:
            raise blame.invalid(
                f"input must have at least k columns. Had {n}, needed {count}", "top_k"
            )
        _require(n - count)
    return TopK(*_top_k(x, static=(Sizes((count,)), kind)))


@primitive
def _in_top_k(b: Builder, targets: Value, predictions: Value, k: Value) -> Value:
    if predictions.rank != 2 or not predictions.dtype.is_floating:
        raise OpError("in_top_k: predictions must be a matrix of floats")
    if targets.rank != 1 or not targets.dtype.is_integer:
        raise OpError("in_top_k: targets must be 1-dimensional, a vector of integers")
    fitted = _same_rows(b, targets, predictions)
    if fitted is None:
        raise OpError(
            f"in_top_k: First dimension of predictions {predictions.shape[0]} must match length of "
            f"targets {targets.shape[0]}"
        )
    targets, predictions = fitted
    rows, classes = predictions.shape
    place = Term(b, b.emit(ir.Cast(targets, int64)))
    bound = Term(b, b.emit(ir.Broadcast(b.emit(ir.ExtentOf(classes)), (rows,), ())))
    inside = (place >= 0) & (place < bound)
    numbers = b.emit(ir.Iota((rows, classes), 1, int64))
    chosen = b.emit(ir.Equal(numbers, b.emit(ir.Broadcast(place.value, (rows, classes), (0,)))))
    own = where(Term(b, chosen), Term(b, predictions), 0)
    mine = b.emit(ir.ReduceSum(own.value, (1,)))
    better = b.emit(ir.Greater(predictions, b.emit(ir.Broadcast(mine, (rows, classes), (0,)))))
    ahead = b.emit(ir.ReduceSum(b.emit(ir.Cast(better, int64)), (1,)))
    finite = Term(b, b.emit(ir.Abs(predictions))) < np.inf
    limit = broadcast_to(b, b.emit(ir.Cast(k, int64)), (rows,))
    good = Term(b, b.emit(ir.Less(ahead, limit))) & inside
    return (good & Term(b, b.emit(ir.ReduceAll(finite.value, (1,))))).value


def _same_rows(b: Builder, *values: Value) -> list[Value] | None:
    return same_extents(b, values, [0])


def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: Any, name: str | None = None
) -> Tensor:
    """Whether the target is among the k classes with the highest scores, in each row. Ties with the
    target count as in. False where the target is no class or a score of the row is not finite.

    Args:
        targets: A tensor of integers [rows]: the number of a class.
        predictions: A tensor of floats [rows, classes].
        k: An integer, or a scalar of integers.

    Returns:
        A tensor of bools [rows].

    Raises:
        InvalidArgumentError: If the shapes do not fit (ValueError while tracing), or a dtype is
            another one (TypeError).
        TypeError: If `k` is no integer.

    >>> import tfc as tf
    >>> scores = [[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]]
    >>> print(tf.math.in_top_k([2, 2], scores, k=2))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    return _in_top_k(operand("in_top_k", targets), operand("in_top_k", predictions), k)


@primitive
def _nth_element(b: Builder, x: Value, n: Value, reverse: bool) -> Value:
    if x.rank < 1:
        raise OpError("nth_element: Input must be >= 1-D, got shape []")
    order = b.emit(ir.ArgSort(x, reverse))
    place = broadcast_to(b, b.emit(ir.Cast(n, int64)), (*x.shape[:-1], 1))
    found = along(b, x, along(b, order, place))
    y = b.emit(ir.StopGradient(b.emit(ir.Reshape(found, x.shape[:-1]))))
    return y if not x.dtype.is_floating else _shared(b, x, y)


def _shared(b: Builder, x: Value, y: Value) -> Value:
    """y, whose gradient goes to the equal elements of its row of x, to each the same share."""
    forward, backward = Builder("chosen"), Builder("shared")
    params = [forward.parameter(v.type) for v in (x, y)]
    x_, y_, dy = (backward.parameter(v.type) for v in (x, y, y))
    rows = tuple(range(x.rank - 1))

    def spread(v: Value) -> Value:
        return backward.emit(ir.Broadcast(v, x.shape, rows))

    equal = backward.emit(ir.Equal(x_, spread(y_)))
    ones = backward.emit(ir.Cast(equal, x.dtype))
    share = backward.emit(ir.Div(dy, backward.emit(ir.ReduceSum(ones, (x.rank - 1,)))))
    dx = where(Term(backward, equal), Term(backward, spread(share)), 0)
    chosen = ir.CustomGradient(
        (x, y), forward.build(params[1]), backward.build(dx.value), (True, False)
    )
    return b.emit(chosen)


def nth_element(
    input: TensorLike, n: Any, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The element at one place of each row along the last axis, in ascending or descending order.
    Equals share its gradient, as in TensorFlow.

    Args:
        input: A tensor of real numbers or bools, of rank 1 at least.
        n: The place, from 0: a scalar of integers.
        reverse: Whether the order is descending.

    Returns:
        A tensor of the dtype of `input`, without the last axis.

    Raises:
        InvalidArgumentError: If there is no such place; if `n` is no integer scalar, or there is no
            axis (ValueError while tracing), or the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.nn.nth_element([[9, 4, 7], [1, 3, 2]], 1))
    tf.Tensor([7 2], shape=(2,), dtype=int32)
    """
    x, place = operand("nth_element", input), operand("nth_element", n)
    if len(place.shape) or not place.dtype.is_integer:
        raise blame.invalid("n must be an integer scalar", "nth_element")
    return _nth_element.fast(flag(reverse, "reverse", "nth_element"))(x, place)


@primitive
def _searchsorted(b: Builder, x: Value, values: Value, side: str, dtype: DType) -> Value:
    if x.dtype is not values.dtype:
        raise OpError("searchsorted: operands must have the same dtype", "dtype")
    fitted = None
    if x.rank == values.rank and x.rank:
        fitted = same_extents(b, (x, values), range(x.rank - 1))
    if fitted is None:
        raise OpError("searchsorted: Leading dim_size of both tensors must match.")
    x, values = fitted
    return b.emit(ir.Cast(b.emit(ir.SearchSorted(x, values, side)), dtype))


def searchsorted(
    sorted_sequence: TensorLike,
    values: Any,
    side: str = "left",
    out_type: DTypeLike = int32,
    name: str | None = None,
) -> Tensor:
    """For each value the first place in its row of `sorted_sequence` where it could be put in
    ("left"), or the last one ("right"). Both have the same leading axes; nan sorts last.

    Args:
        sorted_sequence: A tensor [..., n] of real numbers, each row in ascending order.
        values: A tensor [..., m] of the same dtype.
        side: "left" or "right".
        out_type: The dtype of the places: int32 or int64.

    Returns:
        A tensor of integers of the shape of `values`, each from 0 to n.

    Raises:
        InvalidArgumentError: If the leading extents differ (ValueError while tracing), or the
            dtypes differ (TypeError).
        ValueError: If `side` is another one.

    >>> import tfc as tf
    >>> print(tf.searchsorted([1, 3, 9], [0, 3, 10], side="right"))
    tf.Tensor([0 2 3], shape=(3,), dtype=int32)
    """
    if not one_of(side, ("left", "right")):
        raise blame.value_error(
            f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'.",
            "searchsorted",
        )
    x = operand("searchsorted", sorted_sequence)
    kind = as_dtype(out_type)
    if kind not in (int32, int64):
        raise blame.invalid_dtype(
            f"Value passed to parameter 'out_type' has DataType {kind.name} not in list of allowed "
            "values: int32, int64",
            "searchsorted",
        )
    return _searchsorted.fast(side, kind)(x, operand("searchsorted", values, dtype_hint=x.dtype))


@op(ir.InvertPermutation)
def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """The vector y with y[x[i]] = i.

    Args:
        x: A vector of integers: a permutation of 0, 1, ..., len(x) - 1.

    Returns:
        A vector of the same dtype.

    Raises:
        InvalidArgumentError: If it is none; if the rank is not 1 (ValueError while tracing), or the
            dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.math.invert_permutation([3, 4, 0, 2, 1]))
    tf.Tensor([2 4 3 0 1], shape=(5,), dtype=int32)
    """


def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether no element, in row-major order, is below the one before it.

    Args:
        x: A tensor of real numbers.

    Returns:
        A scalar bool.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> bool(tf.math.is_non_decreasing([1, 2, 2])), bool(tf.math.is_non_decreasing([2, 1]))
    (True, False)
    """
    return _ordered("is_non_decreasing", x, strict=False)


def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether each element, in row-major order, is above the one before it.

    Args:
        x: A tensor of real numbers.

    Returns:
        A scalar bool.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.is_strictly_increasing([1, 2, 2]))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _ordered("is_strictly_increasing", x, strict=True)


def _ordered(name: str, x: Any, strict: bool) -> Tensor:
    flat = reshape(operand(name, x), [-1])
    before, after = flat[:-1], flat[1:]
    return reduce_all(before < after if strict else before <= after)
