"""What is unique in a vector, and what another one does not have."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, int32, int64
from tfc.ir.extent import Extent
from tfc.ir.value_classes import NamedTuple

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import Sizes, broadcast_to, measured, primitive


@primitive
def _unique(b: Builder, x: Value) -> Any:
    """For each element the number of its value, by first occurrence; where values occur first;
    and how many there are."""
    (n,) = x.shape
    places = b.emit(ir.ArgSort(x, False))
    ordered = b.emit(ir.Gather(x, places, 0))
    numbers = Term(b, b.emit(ir.Iota((n,), 0, int64)))
    # Runs of equals; in front of the first element stands one that is taken for another.
    before = ir.Maximum((numbers - 1).value, numbers.const(0).value)
    previous = b.emit(ir.Gather(ordered, b.emit(before), 0))
    changed = Term(b, b.emit(ir.NotEqual(ordered, previous)))
    new = changed | numbers.equal(0)
    run = _count(b, new.value, n)
    # The run of each element, and of each run the first place in x: equals kept their order.
    run_of = b.emit(ir.ScatterAdd(places, run, n))
    first = b.emit(ir.SegmentMin(run, places, n, "drop"))
    first_of = b.emit(ir.Gather(first, run_of, 0))
    mark = b.emit(ir.Equal(first_of, numbers.value))
    number_of = _count(b, mark, n)
    total = b.emit(ir.ReduceSum(b.emit(ir.Cast(mark, int64)), (0,)))
    return b.emit(ir.Gather(number_of, first_of, 0)), mark, total


def _count(b: Builder, mark: Value, n: Extent) -> Value:
    """How many marks there are up to each place, less one."""
    counted = Term(b, b.emit(ir.CumSum(b.emit(ir.Cast(mark, int64)), 0, False)))
    return (counted - 1).value


@primitive
def _marked(b: Builder, x: Value, mark: Value, count: tuple[Extent]) -> Any:
    """The elements that are marked, and their places."""
    places = b.emit(ir.Nonzero(mark, count[0]))
    return b.emit(ir.Gather(x, places, 0)), places


@primitive
def _occurrences(b: Builder, numbers: Value, count: tuple[Extent], dtype: DType) -> Value:
    ones = broadcast_to(b, b.constant(1, dtype), numbers.shape)
    return b.emit(ir.SegmentSum(numbers, ones, count[0], "drop"))


@primitive
def _as(b: Builder, x: Value, dtype: DType) -> Value:
    return b.emit(ir.Cast(x, dtype))


def _vector(x: Any, name: str) -> Tensor:
    x = operand(name, x)
    if len(x.shape) != 1:
        raise blame.invalid(f"{name} expects a 1D vector, got rank {len(x.shape)}", name)
    return x


class Unique(NamedTuple):
    """What `unique` returns."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` returns."""

    y: Any
    idx: Any
    count: Any


class UniqueAll(NamedTuple):
    """What `unique_all` returns: everything that one may want to know of what is unique."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


def unique_all(x: Any, dtype: DType = int64) -> UniqueAll:
    """The values of a vector, each once, in the order in which they occur first; where that is;
    for each element the number of its value; and how often each occurs. Every nan is a value of
    its own, and -0.0 is 0.0."""
    numbers, mark, total = _unique(x)
    count = Sizes((measured(total),))
    values, places = _marked(x, mark, static=(count,))
    counts = _occurrences(numbers, static=(count, dtype))
    if dtype is not int64:
        numbers, places = _as.fast(dtype)(numbers), _as.fast(dtype)(places)
    return UniqueAll(values, places, numbers, counts)


def unique(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> Any:
    """The values in the vector x, each once, in the order in which they occur first, and for
    each element the number of its value: a pair (y, idx) with x = y[idx].

    Args:
        x: A vector of any dtype.
        out_idx: The dtype of the numbers: int32 or int64.

    Returns:
        A pair (y, idx): the values, and for each element of `x` the number of its value.

    Raises:
        InvalidArgumentError: If the rank is not 1 (ValueError while tracing).

    >>> import tfc as tf
    >>> y, idx = tf.unique([1, 1, 2, 4, 4, 4, 7, 8, 8])
    >>> print(y)
    tf.Tensor([1 2 4 7 8], shape=(5,), dtype=int32)
    >>> print(idx)
    tf.Tensor([0 0 1 2 2 2 3 4 4], shape=(9,), dtype=int32)
    """
    found = unique_all(_vector(x, "unique"), as_dtype(out_idx))
    return Unique(found.values, found.inverse_indices)


def unique_with_counts(x: TensorLike, out_idx: DTypeLike = int32, name: str | None = None) -> Any:
    """As `unique`, and how often each value occurs: (y, idx, count).

    Args:
        x: A vector of any dtype.
        out_idx: The dtype of the numbers: int32 or int64.

    Returns:
        A triple (y, idx, count).

    Raises:
        InvalidArgumentError: If the rank is not 1 (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.unique_with_counts([1, 1, 2, 4, 4, 4]).count)
    tf.Tensor([2 1 3], shape=(3,), dtype=int32)
    """
    found = unique_all(_vector(x, "unique_with_counts"), as_dtype(out_idx))
    return UniqueWithCounts(found.values, found.inverse_indices, found.counts)


@primitive
def _absent(b: Builder, x: Value, y: Value) -> Any:
    """Where elements of x are not in y, and how many there are."""
    (n,), (m,) = x.shape, y.shape
    if x.dtype is not y.dtype:
        raise OpError("setdiff1d: operands must have the same dtype", "dtype")
    ordered = b.emit(ir.Gather(y, b.emit(ir.ArgSort(y, False)), 0))
    place = b.emit(ir.SearchSorted(ordered, x, "left"))
    longer = b.emit(ir.Concat((ordered, b.emit(ir.Constant(y.dtype.zeros(1)))), 0))
    equal = b.emit(ir.Equal(b.emit(ir.Gather(longer, place, 0)), x))
    bound = b.emit(ir.Broadcast(b.emit(ir.ExtentOf(m)), (n,), ()))
    there = Term(b, equal) & Term(b, b.emit(ir.Less(place, bound)))
    mark = there.logical_not().value
    return mark, b.emit(ir.ReduceSum(b.emit(ir.Cast(mark, int64)), (0,)))


class ListDiff(NamedTuple):
    """What `setdiff1d` returns."""

    out: Any
    idx: Any


def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: DTypeLike = int32, name: str | None = None
) -> Any:
    """The elements of a vector that are not in another one, in order and as often as they are
    there, and their places.

    Args:
        x: A vector of numbers or bools.
        y: A vector of the same dtype.
        index_dtype: The dtype of the places.

    Returns:
        A pair (out, idx) of vectors, with out = x[idx].

    Raises:
        InvalidArgumentError: If a rank is not 1 (ValueError while tracing), or the dtypes differ or
            are strings (TypeError).

    >>> import tfc as tf
    >>> out, idx = tf.setdiff1d([1, 2, 3, 4, 5, 6], [1, 3, 5])
    >>> print(out, idx)
    tf.Tensor([2 4 6], shape=(3,), dtype=int32) tf.Tensor([1 3 5], shape=(3,), dtype=int32)
    """
    x = _vector(x, "setdiff1d")
    y = operand("setdiff1d", y, dtype_hint=x.dtype)
    mark, total = _absent(x, _vector(y, "setdiff1d"))
    out, places = _marked(x, mark, static=(Sizes((measured(total),)),))
    return ListDiff(out, _as.fast(as_dtype(index_dtype))(places))
