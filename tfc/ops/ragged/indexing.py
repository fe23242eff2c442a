"""Elements, rows and slices of ragged tensors."""

from __future__ import annotations

import contextlib
import operator
from typing import Any

from tfc.ir.dtypes import bool_, int64

from ...core import blame
from ...core.context import user_location
from ...core.tensor import Held
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from . import rows as _rows
from .tensor import RaggedTensor, coordinates


def getitem(x: RaggedTensor, index: Any) -> Any:
    """`x[index]`: rows by number or slice, then indices into the rows; a ragged axis takes slices,
    None and `...`.

    Args:
        x: The RaggedTensor.
        index: An integer, slice, None, Ellipsis, or a tuple of these.

    Returns:
        A RaggedTensor, or a tensor.

    Raises:
        IndexError: If there is no such row (InvalidArgumentError in functions).
        ValueError: If an axis behind a ragged one is given a number.
    """
    return _item(x, list(index) if isinstance(index, tuple | list) else [index])


def _item(x: Any, keys: list[Any]) -> Any:
    if not isinstance(x, RaggedTensor):
        return x[tuple(keys)]
    if not keys:
        return x
    first, *rest = keys
    if first is Ellipsis:
        keys = [slice(None)] * (len(x.shape) - sum(k is not None for k in rest)) + rest
        return _item(x, keys)
    if first is None:
        return _inside(_rows.uniform(x, x.nrows(), 1, x.row_splits.dtype), rest)
    if isinstance(first, slice):
        return _inside(_rows_of(x, first), rest)
    return _item(_row(x, first), rest)


def _row(x: RaggedTensor, number: Any) -> Any:
    known = _key(number)
    count = x.shape[0]
    if isinstance(known, int) and count is not None and not -count <= known < count:
        raise IndexError(f"Row key {known} out of bounds ({user_location()})")
    starts, limits = x.row_starts()[known], x.row_limits()[known]
    return x.values[starts:limits]


def _key(value: Any) -> Any:
    """A number of a row: a tensor, or a Python integer."""
    if isinstance(value, Held) and value.dtype.is_integer and not len(value.shape):
        return value
    if not isinstance(value, bool | Held):
        with contextlib.suppress(TypeError):
            return operator.index(value)
    raise TypeError(
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        f"tf.int32/tf.int64 tensors are valid indices, got {value!r} ({user_location()})"
    )


def _check_bounds(key: slice) -> None:
    """Refuse what is no bound of a slice."""
    for bound in (key.start, key.stop, key.step):
        if bound is not None:
            _key(bound)


def _rows_of(x: RaggedTensor, key: slice) -> RaggedTensor:
    """Some of the rows."""
    _check_bounds(key)
    if key == slice(None):
        return x
    if key.step in (None, 1):
        starts, limits = x.row_starts()[key], x.row_limits()[key]
        some = _shaping.size(starts) > 0
        first, last = (
            _comparisons.select(some, _end(v, i), _creation.zeros([], v.dtype))
            for v, i in ((starts, 0), (limits, -1))
        )
        splits = _joining.concat([starts - first, _shaping.reshape(last - first, [1])], 0)
        return RaggedTensor._made(x.values[first:last], splits, x.uniform_row_length)
    return _rows.take_rows(x, _rows.counting(x.nrows())[key])


def _end(vector: Any, place: int) -> Any:
    """The first or last element; 0 where there is none."""
    zero = _creation.zeros([1], vector.dtype)
    return _joining.concat([vector, zero] if place == 0 else [zero, vector], 0)[place]


def _inside(x: Any, keys: list[Any]) -> Any:
    """The same part of each row."""
    if not keys:
        return x
    first, *rest = keys
    if first is Ellipsis:
        keys = [slice(None)] * (len(x.shape) - 1 - sum(k is not None for k in rest)) + rest
        return _inside(x, keys) if keys else x
    if not isinstance(x, RaggedTensor):
        return x[(slice(None), *keys)]
    kind = x.row_splits.dtype
    if first is None:
        found = _rows.uniform(x, 1, x.nrows(), kind)
        return found.with_values(_inside(found.values, rest)) if rest else found
    if isinstance(first, slice):
        part = x if first == slice(None) else _columns(x, first)
        if not rest:
            return part
        if isinstance(part.values, RaggedTensor):
            return part.with_values(_inside(part.values, rest))
        return part.with_values(part.values[(slice(None), *rest)])
    length = x.uniform_row_length
    if length is None:
        raise blame.value_error("Cannot index into an inner ragged dimension.", "RaggedTensor")
    number = _conversion.cast(_key(first), kind)
    number = _comparisons.select(number < 0, number + length, number)
    fits = _comparisons.logical_and(number >= 0, number < length)
    _checks.assert_equal(fits, True, "Index out of bounds when indexing into a ragged tensor")
    return _item(_rows.take_rows(x.values, x.row_starts() + number), [slice(None), *rest])


def _columns(x: RaggedTensor, key: slice) -> RaggedTensor:
    """`x[:, a:b:c]`: as Python takes slices of lists, row by row."""
    _check_bounds(key)
    kind = x.row_splits.dtype
    step = 1 if key.step is None else int(key.step)
    if step == 0:
        raise blame.invalid("Requires delta != 0: a slice step cannot be zero", "RaggedTensor")
    lengths = x.row_lengths()
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

    def bound(value: Any, otherwise: Any) -> Any:
        if value is None:
            return _creation.zeros_like(lengths) + otherwise
        given = _conversion.cast(value, kind)
        given = _creation.zeros_like(lengths) + given
        given = _comparisons.select(given < 0, given + lengths, given)
        return _arithmetic.maximum(_arithmetic.minimum(given, high), low)

    begin = bound(key.start, low if step > 0 else high)
    end = bound(key.stop, high if step > 0 else low)
    distance = end - begin if step > 0 else begin - end
    size = abs(step)
    counts = _arithmetic.maximum(_arithmetic.floordiv(distance + (size - 1), size), 0)
    splits, rows, places = _rows.spread(counts)
    numbers = _indexing.gather(x.row_starts() + begin, rows) + places * step
    length = _uniform_part(x, key)
    return RaggedTensor._made(_rows.take_rows(x.values, numbers), splits, length)


def _uniform_part(x: RaggedTensor, key: slice) -> Any:
    """The length of the slices, where all rows are of one length that is known."""
    length = x._length()
    bounds = (key.start, key.stop, key.step)
    if length is None or not all(b is None or isinstance(b, int) for b in bounds):
        return None
    return _creation.constant(len(range(*key.indices(length))), x.row_splits.dtype)


# Functions.


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """Rows of a ragged or dense tensor, by ragged or dense numbers.

    Args:
        params: Where rows are taken.
        indices: Their numbers.
        axis: The axis along which they are counted; None: `batch_dims`.
        batch_dims: How many axes `params` and `indices` have in common.

    Returns:
        A RaggedTensor, or a tensor.

    Raises:
        InvalidArgumentError: If a number is out of range.
        ValueError: If `axis` and `batch_dims` do not fit.
    """
    op = "gather"
    x = _rows.ragged_or_dense(op, params)
    numbers = _rows.ragged_or_dense(op, indices, int64)
    if not numbers.dtype.is_integer:
        raise blame.invalid_dtype(f"indices must be integers, got {numbers.dtype.name}", op)
    rank = len(numbers.shape)
    batch = batch_dims + rank if batch_dims < 0 else batch_dims
    place = batch if axis is None else _rows.axis_of(axis, len(x.shape), op)
    if not 0 <= batch <= min(place, rank):
        raise blame.value_error(
            f"batch_dims={batch_dims} out of bounds: expected {-rank}<=batch_dims<={rank}, and at "
            f"most the axis, {place}",
            op,
        )
    if batch > 0:
        return _in_batches(x, numbers, place, batch, op)
    if place > 0:
        return _along_axis(x, numbers, place, op)
    if isinstance(numbers, RaggedTensor):
        return numbers.with_flat_values(_taken(x, numbers.flat_values))
    return _taken(x, numbers)


def _taken(x: Any, numbers: Any) -> Any:
    """Rows by dense numbers of any rank."""
    if not isinstance(x, RaggedTensor):
        return _indexing.gather(x, numbers)
    kind = x.row_splits.dtype
    wide = _conversion.cast(numbers, kind)
    if len(wide.shape) == 0:
        return _row(x, wide)
    if len(wide.shape) == 1:
        return _rows.take_rows(x, wide)
    shape = _rows.as_ragged(wide, len(wide.shape) - 1, kind)
    return shape.with_flat_values(_rows.take_rows(x, shape.flat_values))


def _in_batches(x: Any, numbers: Any, axis: int, batch: int, op: str) -> Any:
    kind = _rows.splits_dtype([x, numbers], op)
    have, want = numbers.shape[:batch], x.shape[:batch]
    if any(None not in pair and pair[0] != pair[1] for pair in zip(have, want, strict=True)):
        raise blame.value_error(
            f"batch shape from indices {have} does not match params shape {x.shape}", op
        )
    if not isinstance(numbers, RaggedTensor):
        numbers = _rows.as_ragged(numbers, 1, kind) if len(numbers.shape) > 1 else numbers
    x = _rows.as_ragged(x, 1, kind)
    if batch > 1:
        _checks.assert_equal(x.row_splits, numbers.row_splits, "batches differ")
        return numbers.with_values(gather(x.values, numbers.values, None, axis - 1, batch - 1))
    _checks.assert_equal(x.nrows(), _rows.row_count(numbers, kind), "batches differ")
    if axis > 1:
        raise blame.unimplemented(f"gather with batch_dims=1 along axis {axis}", op)
    if not isinstance(numbers, RaggedTensor):  # one of each row
        return _picked(x, numbers, _rows.counting(x.nrows()))
    flat = numbers.values
    rows: Any = numbers.value_rowids()
    if isinstance(flat, RaggedTensor) or len(flat.shape) > 1:
        inner = _rows.as_ragged(flat, len(flat.shape) - 1, kind)
        for ids in inner.nested_value_rowids():
            rows = _indexing.gather(rows, ids)
        found: Any = inner.with_flat_values(_picked(x, inner.flat_values, rows))
    else:
        found = _picked(x, flat, rows)
    whole = numbers.with_values(found)
    dense = numbers._length() is not None and not isinstance(found, RaggedTensor)
    return whole.to_tensor() if dense else whole


def _picked(x: RaggedTensor, numbers: Any, rows: Any) -> Any:
    """Element numbers[i] of row rows[i]."""
    kind = x.row_splits.dtype
    places = _conversion.cast(numbers, kind)
    limits = _indexing.gather(x.row_lengths(), rows)
    fits = _comparisons.logical_and(places >= 0, places < limits)
    _checks.assert_equal(fits, True, "gather: index out of the row")
    return _rows.take_rows(x.values, _indexing.gather(x.row_starts(), rows) + places)


def _along_axis(x: Any, numbers: Any, axis: int, op: str) -> Any:
    """The same numbers for each row."""
    kind = _rows.splits_dtype([x, numbers], op)
    x = _rows.as_ragged(x, 1, kind)
    if axis > 1:
        return x.with_values(gather(x.values, numbers, None, axis - 1))
    count = x.nrows()
    row = _rows.uniform(numbers, _rows.row_count(numbers, kind), 1, kind)
    if not isinstance(numbers, RaggedTensor) and len(numbers.shape) == 0:
        return _picked(
            x, _creation.fill(_shaping.reshape(count, [1]), numbers), _rows.counting(count)
        )
    each = _rows.take_rows(row, _creation.zeros(_shaping.reshape(count, [1]), kind))
    found = _in_batches(x, each, 1, 1, op)
    if isinstance(found, RaggedTensor) and not isinstance(numbers, RaggedTensor):
        inner = found.values
        if not isinstance(inner, RaggedTensor):
            return found.to_tensor()
    return found


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Elements of each row, by the numbers in the same row: `gather` with all axes of `indices` but
    the last in common.

    Args:
        params: A ragged or dense tensor.
        indices: A ragged or dense tensor of integers.

    Returns:
        A RaggedTensor, or a tensor.

    Raises:
        InvalidArgumentError: If a number is out of its row.
        ValueError: If `indices` is a scalar.
    """
    numbers = _rows.ragged_or_dense("batch_gather", indices, int64)
    rank = len(numbers.shape)
    if rank == 0:
        raise blame.value_error("indices.rank must be greater than 0", "batch_gather")
    return gather(params, numbers, batch_dims=rank - 1)


def gather_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Any:
    """Elements or slices of a ragged tensor, by their places.

    Args:
        params: A RaggedTensor.
        indices: Places: integers [..., k] for the first k axes.
        batch_dims: 0: others are not there.

    Returns:
        A RaggedTensor, or a tensor.

    Raises:
        InvalidArgumentError: If a place is out of range.
        UnimplementedError: For another number of batch_dims.
        ValueError: If the places themselves, the last axis of `indices`, are ragged.
    """
    op = "gather_nd"
    places = _rows.ragged_or_dense(op, indices, int64)
    if batch_dims:
        raise blame.unimplemented(f"batch_dims={batch_dims} is not taken for ragged params", op)
    if isinstance(places, RaggedTensor):
        if places.ragged_rank == len(places.shape) - 1:
            raise blame.value_error("the innermost axis of indices may not be ragged", op)
        return places.with_values(gather_nd(params, places.values))
    if not isinstance(params, RaggedTensor):
        return _indexing.gather_nd(params, places, batch_dims)
    depth = places.shape[-1]
    if depth is None:
        raise blame.unknown_extent("the last extent of indices must be known", op)
    if depth == 0:
        return NotImplemented
    kind = params.row_splits.dtype
    wide = _conversion.cast(places, kind)
    outer = _shaping.shape(wide)[:-1]
    flat = _shaping.reshape(wide, [-1, depth])
    x: Any = params
    numbers = flat[:, 0]
    for i in range(1, depth):
        if not isinstance(x, RaggedTensor):
            rest = _joining.concat([_shaping.expand_dims(numbers, 1), flat[:, i:]], 1)
            return _shaped(_indexing.gather_nd(x, rest), outer, len(wide.shape) - 1)
        lengths = _indexing.gather(x.row_lengths(), numbers)
        fits = _comparisons.logical_and(flat[:, i] >= 0, flat[:, i] < lengths)
        _checks.assert_equal(fits, True, "gather_nd: index out of bounds")
        numbers = _indexing.gather(x.row_starts(), numbers) + flat[:, i]
        x = x.values
    if len(wide.shape) == 2:
        return _rows.take_rows(x, numbers)
    return _taken(x, _shaping.reshape(numbers, outer))


def _shaped(x: Any, outer: Any, rank: int) -> Any:
    if rank == 1:
        return x
    return _shaping.reshape(x, _joining.concat([outer, _shaping.shape(x)[1:]], 0))


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """The places of what holds in a ragged tensor; or x where it holds, else y.

    Args:
        condition: A tensor of bools, ragged or dense.
        x: What is taken where it holds.
        y: What is taken elsewhere.

    Returns:
        int64[number, rank]; with `x` and `y` a RaggedTensor.

    Raises:
        InvalidArgumentError: If rows do not fit.
        ValueError: If one of `x` and `y` is given alone.
    """
    from .broadcasting import elementwise

    if (x is None) != (y is None):
        raise blame.value_error("x and y must be either both None or both non-None", "where")
    if x is not None:
        condition = _rows.ragged_or_dense("where", condition, bool_)
        return elementwise(_comparisons.select, [condition, x, y], "where")
    return coordinates(condition, _indexing.where(condition.flat_values))


__all__ = ["batch_gather", "gather", "gather_nd", "getitem", "where"]
