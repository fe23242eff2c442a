"""Reading at computed places: gathers, masks, and selections whose size depends on data."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import bool_, int64
from tfc.ir.extent import Extent, product

from ...core import above, blame, errors
from ...core.conversion import operand
from ...core.tensor import Tensor, wrap
from ...core.types import AxisLike, TensorLike
from ...dispatch.index_errors import placed, placed_row
from ...dispatch.known import is_unknown
from ...dispatch.primitive import Primitive, Sizes, measured, primitive, retype, same_extents
from ..arguments import one_of
from ..extents import _axis, _integer, extents_of
from ..math import comparisons
from .shaping import reshape

_py_range = builtins.range


# Linear indices: how places in several axes become one index of a reshaped tensor.


def extent_value(b: Builder, extent: Extent, shape: tuple[Extent, ...] = ()) -> Value:
    """An extent as i64 in every element of `shape`."""
    scalar = b.emit(ir.ExtentOf(extent)) if not isinstance(extent, int) else None
    scalar = b.constant(extent, int64) if scalar is None else scalar
    return b.emit(ir.Broadcast(scalar, shape, ())) if shape else scalar


def batch_numbers(b: Builder, shape: tuple[Extent, ...], batch: int) -> Term | None:
    """For each place in `shape` the row-major number of its first `batch` indices."""
    number: Term | None = None
    for axis in _py_range(batch):
        here = Term(b, b.emit(ir.Iota(shape, axis, int64)))
        if number is not None:
            here = number * Term(b, extent_value(b, shape[axis], shape)) + here
        number = here
    return number


def linear_index(
    b: Builder, name: str, indices: Value, extents: Sequence[Extent], batch: int = 0
) -> Value:
    """Row-major numbers of the places that the last axis of `indices` names in `extents`; the
    places of batch k come behind those of the batches before it. Each component is checked."""
    shape = indices.shape[:-1]
    number = batch_numbers(b, shape, batch)
    for k in _py_range(len(extents)):
        begin = (0,) * len(shape) + (k,)
        column = b.emit(ir.Slice(indices, begin, (*shape, 1), (1,) * indices.rank))
        flat = b.emit(ir.Reshape(column, shape))
        here = Term(b, b.emit(ir.CheckedIndex(flat, extents[k], name)))
        if number is not None:
            here = number * Term(b, extent_value(b, extents[k], shape)) + here
        number = here
    return extent_value(b, 0, shape) if number is None else number.value


def fitted(b: Builder, v: Value, shape: tuple[Extent, ...], message: str) -> Value:
    """v as of `shape`, where this may only be told at run time; an error where it is not."""
    unify = getattr(b, "unify", lambda x, y: False)
    if v.rank != len(shape) or not all(
        e == w or unify(w, e) for e, w in zip(v.shape, shape, strict=True)
    ):
        raise OpError(message)
    return retype(b, v, shape)


def index_depth(indices: Any, name: str) -> int:
    """The last extent of `indices`: how many axes an index names."""
    if not indices.dtype.is_integer:
        raise blame.invalid_dtype(f"indices must be integers, got {indices.dtype.name}", name)
    if not len(indices.shape):
        raise blame.invalid("indices must be at least a vector", name)
    depth = extents_of(indices)[-1]
    if not isinstance(depth, int):
        raise blame.unknown_extent("the last extent of the indices must be known", name)
    return depth


# Gathers.


@primitive
def _gather(b: Builder, x: Value, indices: Value, axis: int) -> Value:
    return b.emit(ir.Gather(x, indices, axis))


def _gather_batch(b: Builder, x: Value, indices: Value, axis: int, batch: int) -> Value:
    pair = same_extents(b, (x, indices), _py_range(batch))
    if pair is None:
        raise OpError(f"gather: the first {batch} extents of params and indices must be the same")
    x, indices = pair
    extent, inner = x.shape[axis], _py_range(batch, axis)
    front = (*_py_range(batch), axis, *inner, *_py_range(axis + 1, x.rank))
    x = b.emit(ir.Transpose(x, front)) if inner else x
    number = batch_numbers(b, indices.shape, batch)
    place = Term(b, b.emit(ir.CheckedIndex(indices, extent, "gather")))
    assert number is not None
    flat = number * Term(b, extent_value(b, extent, indices.shape)) + place
    rows = b.emit(ir.Reshape(x, (product(x.shape[: batch + 1]), *x.shape[batch + 1 :])))
    found = b.emit(ir.Gather(rows, flat.value, 0))
    if not inner:
        return found
    # The axes of the indices stand in front of those between the batch and the axis.
    count, between = indices.rank, len(inner)
    order = (
        *_py_range(batch),
        *_py_range(count, count + between),
        *_py_range(batch, count),
        *_py_range(count + between, found.rank),
    )
    return b.emit(ir.Transpose(found, order))


_batched_gather = Primitive(_gather_batch, "gather")


def gather(
    params: Any,
    indices: TensorLike,
    validate_indices: Any = None,
    axis: AxisLike | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` at `indices` along `axis`; by default the first axis, or the first
    behind the `batch_dims` axes that params and indices have in common.

    The shape is params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]. An
    index outside of the axis (negative ones too) is an InvalidArgumentError.

    Args:
        params: A tensor of any dtype and rank 1 or more.
        indices: A tensor of integers.
        validate_indices: Not used: indices are always checked.
        axis: The axis of `params` that is indexed; None is the first behind the batch.
        batch_dims: How many leading axes both have in common.

    Returns:
        A tensor of the dtype of `params`.

    Raises:
        InvalidArgumentError: If an index is negative or not below the extent; the message has the
            index, the line and, eagerly, the place among the indices.

    >>> import tfc as tf
    >>> print(tf.gather([10, 20, 30], [2, 0]))
    tf.Tensor([30 10], shape=(2,), dtype=int32)
    >>> print(tf.gather([[1, 2], [3, 4]], [[1], [0]], batch_dims=1))
    tf.Tensor(
    [[2]
     [3]], shape=(2, 1), dtype=int32)
    """
    x, places = operand("gather", params), operand("gather", indices)
    if not places.dtype.is_integer:
        raise blame.invalid_dtype(f"indices must be integers, got {places.dtype.name}", "gather")
    rank, batch = len(x.shape), _integer(batch_dims, "batch_dims", "gather")
    if not -len(places.shape) <= batch <= len(places.shape):
        raise blame.value_error(
            f"batch_dims = {batch} must be in [-{len(places.shape)}, {len(places.shape)}]", "gather"
        )
    batch += len(places.shape) if batch < 0 else 0
    if is_unknown(axis) and not batch and len(places.shape) == 1:

        def last(tensors: Any) -> Tensor:
            return gather(tensors[0], places, axis=-1)

        result: Tensor = above.applied_along(last, [x], axis, "gather")
        return result
    place = _axis(batch if axis is None else axis, rank, "gather")
    if place < batch:
        raise blame.value_error(
            f"batch_dims ({batch}) must be less than or equal to axis ({place})", "gather"
        )
    try:
        if batch:
            return _batched_gather.fast(place, batch)(x, places)
        return _gather.fast(place)(x, places)
    except errors.InvalidArgumentError as error:
        raise placed(error, places) from None


@primitive
def _gather_nd(b: Builder, x: Value, indices: Value, batch: int, depth: int) -> Value:
    pair = same_extents(b, (x, indices), _py_range(batch))
    if pair is None:
        raise OpError(f"gather_nd: the first {batch} extents of params and indices must be equal")
    x, indices = pair
    stop = batch + depth
    if not stop:  # an index without components names the whole
        shape = (*indices.shape[:-1], *x.shape)
        return b.emit(ir.Broadcast(x, shape, tuple(_py_range(indices.rank - 1, len(shape)))))
    rows = b.emit(ir.Reshape(x, (product(x.shape[:stop]), *x.shape[stop:])))
    places = linear_index(b, "gather_nd", indices, x.shape[batch:stop], batch)
    return b.emit(ir.Gather(rows, places, 0))


def gather_nd(
    params: Any,
    indices: TensorLike,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """The slices of `params` at the places that the last axis of `indices` names.

    An index outside of its axis (negative ones too) is an InvalidArgumentError.

    Args:
        params: A tensor of any dtype.
        indices: A tensor of integers, whose last axis has as many as name a place.
        batch_dims: How many leading axes both have in common.
        bad_indices_policy: What becomes of an index outside: "IGNORE" gives zeros for it, "ERROR"
            (also "" and "DEFAULT") is an error.

    Returns:
        A tensor of the dtype of `params` and the shape indices.shape[:-1] +
        params.shape[indices.shape[-1]:].

    Raises:
        InvalidArgumentError: If an index is negative or not below its extent; the message has the
            index and the line.

    >>> import tfc as tf
    >>> print(tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 1]]))
    tf.Tensor([2 4], shape=(2,), dtype=int32)
    """
    ignore = ignores_bad_indices(bad_indices_policy, "gather_nd")
    x, places = operand("gather_nd", params), operand("gather_nd", indices)
    depth = index_depth(places, "gather_nd")
    batch = _integer(batch_dims, "batch_dims", "gather_nd")
    if not 0 <= batch < len(places.shape):
        raise blame.value_error(
            f"Argument `batch_dims` = {batch} must be less than rank(`indices`) = "
            f"{len(places.shape)}",
            "gather_nd",
        )
    if batch + depth > len(x.shape):
        raise blame.invalid(
            f"index innermost dimension length must be <= params rank; saw: {depth} vs. "
            f"{len(x.shape) - batch}",
            "gather_nd",
        )
    if ignore:
        held, places = within(places, extents_of(x)[batch : batch + depth])
        return chosen(held, _gather_nd.fast(batch, depth)(x, places))
    try:
        return _gather_nd.fast(batch, depth)(x, places)
    except errors.InvalidArgumentError as error:
        if batch:
            raise
        raise placed_row(error, places, extents_of(x), "param shape") from None


def ignores_bad_indices(policy: Any, name: str) -> bool:
    """Whether indices outside are left out, by the argument `bad_indices_policy`."""
    if not one_of(policy, ("", "DEFAULT", "ERROR", "IGNORE")):
        raise blame.invalid(
            f"bad_indices_policy must be 'ERROR', 'IGNORE', 'DEFAULT' or '', got {policy!r}", name
        )
    return bool(policy == "IGNORE")


def within(places: Tensor, extents: Sequence[Extent]) -> tuple[Tensor, Tensor]:
    """Whether each row of `places` names one in axes of these extents, and the rows with 0 for
    those that do not."""
    held = _inside(places, static=(Sizes(extents),))
    return held, comparisons.select(reshape(held, [*extents_of(held), 1]), places, 0)


def chosen(held: Tensor, rows: Tensor) -> Tensor:
    """`rows` where `held`, whose axes are the first ones of theirs; else zeros."""
    behind = [1] * (len(rows.shape) - len(held.shape))
    return comparisons.select(
        reshape(held, [*extents_of(held), *behind]), rows, wrap(rows.dtype.zeros())
    )


@primitive
def _inside(b: Builder, places: Value, extents: tuple[Extent, ...]) -> Value:
    shape = places.shape[:-1]
    held = Term(b, b.emit(ir.Broadcast(b.constant(True, bool_), shape, ())))
    for k, extent in enumerate(extents):
        begin = (0,) * len(shape) + (k,)
        column = b.emit(ir.Slice(places, begin, (*shape, 1), (1,) * places.rank))
        here = Term(b, b.emit(ir.Cast(b.emit(ir.Reshape(column, shape)), int64)))
        held = held & (here >= 0) & (here < Term(b, extent_value(b, extent, shape)))
    return held.value


# Where a mask holds.


@primitive
def _count(b: Builder, mask: Value) -> Value:
    held = b.emit(ir.Cast(mask, int64))
    return b.emit(ir.ReduceSum(held, tuple(_py_range(mask.rank))))


@primitive
def _places(b: Builder, mask: Value, count: tuple[Extent, ...]) -> Value:
    return b.emit(ir.Nonzero(b.emit(ir.Reshape(mask, (mask.tensor_type.size,))), count[0]))


def places_of(mask: TensorLike) -> Tensor:
    """The row-major places where `mask` holds, as an int64 vector in order."""
    return _places(mask, static=(Sizes((measured(_count.fast()(mask)),)),))


@primitive
def _coordinates(b: Builder, places: Value, shape: tuple[Extent, ...]) -> Value:
    (n,) = places.shape
    if not shape:
        return b.emit(ir.Broadcast(b.constant(0, int64), (n, 0), ()))
    columns: list[Value] = []
    rest = Term(b, places)
    for extent in reversed(shape[1:]):
        # Where an extent is 0 there are no places, but a divisor must not be 0 all the same.
        one = b.constant(1, int64)
        size = Term(b, b.emit(ir.Maximum(extent_value(b, extent), one)))
        spread = Term(b, b.emit(ir.Broadcast(size.value, (n,), ())))
        columns.append((rest % spread).value)
        rest = rest // spread
    columns.append(rest.value)
    return b.emit(ir.Concat(tuple(b.emit(ir.Reshape(c, (n, 1))) for c in reversed(columns)), 1))


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """x where the condition holds, else y, with broadcasting. What is not chosen has gradient 0,
    even where its own gradient is infinite or nan. Without x and y: the indices of the elements
    that hold (or are not 0), one int64 row for each, in row-major order.

    Args:
        condition: A tensor of bools; without `x` and `y`, of any dtype.
        x: What is taken where the condition holds.
        y: What is taken elsewhere, of the dtype of `x`; or neither is given.

    Returns:
        A tensor of the dtype of `x` and the shape that the three broadcast to; without `x` and `y`
        int64[number, rank].

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ (TypeError).

    >>> import tfc as tf
    >>> print(tf.where([True, False], 1.0, [5.0, 6.0]))
    tf.Tensor([1. 6.], shape=(2,), dtype=float32)
    """
    if x is not None and y is not None:
        return comparisons.select(condition, x, y)
    if x is not None or y is not None:
        raise blame.value_error("x and y must both be non-None or both be None", "where")
    held = operand("where", condition)
    mask = _as_bools(held, "where")
    return _coordinates(places_of(mask), static=(Sizes(extents_of(mask)),))


@primitive
def _same_extents(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Value:
    return fitted(b, x, shape, "strided_slice: the mask must have the extents of the axes it masks")


def _as_bools(mask: Tensor, op: str) -> Tensor:
    """Where a mask of bools or numbers holds."""
    if mask.dtype.is_bool:
        return mask
    if mask.dtype.kind not in "iufc":
        raise blame.invalid_dtype(f"a mask of bools or numbers, not of {mask.dtype.name}", op)
    return comparisons.not_equal(mask, 0)


def _shown_shape(extents: Sequence[Extent]) -> str:
    return str(tuple(e if isinstance(e, int) else None for e in extents))


def require_extents(mask: Any, shape: tuple[Extent, ...], name: str) -> Tensor:
    """`mask`, whose extents must be those of `shape`."""
    have = extents_of(mask)
    if have == shape:
        return mask
    if len(have) != len(shape) or any(
        isinstance(e, int) and isinstance(w, int) and e != w
        for e, w in zip(have, shape, strict=True)
    ):
        both = f"Shapes {_shown_shape(shape)} and {_shown_shape(have)}"
        raise blame.value_error(f"{both} are incompatible", name)
    return _same_extents(mask, static=(Sizes(shape),))


def boolean_mask(
    tensor: TensorLike, mask: TensorLike, axis: AxisLike | None = None, name: Any = "boolean_mask"
) -> Tensor:
    """The elements (or slices) of `tensor` where `mask` holds, along one new axis in the place of
    the axes that the mask has, which begin at `axis` (0).

    Args:
        tensor: A tensor of any dtype.
        mask: A tensor of bools, or of numbers, which hold where they are not 0; its shape is that
            of `tensor` from `axis` on.
        axis: The first axis that the mask is for; None is 0.

    Returns:
        A tensor of the dtype of `tensor`, whose extent along the new axis depends on the mask's
        values.

    Raises:
        ValueError: If the mask's shape does not fit.

    >>> import tfc as tf
    >>> print(tf.boolean_mask([[1, 2], [3, 4], [5, 6]], [True, False, True]))
    tf.Tensor(
    [[1 2]
     [5 6]], shape=(2, 2), dtype=int32)
    """
    x, held = operand("boolean_mask", tensor), operand("boolean_mask", mask)
    held = _as_bools(held, "boolean_mask")
    count, extents = len(held.shape), extents_of(x)
    if not count:
        raise blame.value_error("mask cannot be scalar.", "boolean_mask")
    if count == 1 and is_unknown(axis):
        along: Tensor = above.applied_along(
            lambda xs: boolean_mask(xs[0], held, -1), [x], axis, "boolean_mask"
        )
        return along
    first = _axis(0 if axis is None else axis, max(len(extents), 1), "boolean_mask")
    held = require_extents(held, extents[first : first + count], "boolean_mask")
    n = product(extents_of(held))
    rows = reshape(x, [*extents[:first], n, *extents[first + count :]])
    return gather(rows, places_of(held), axis=first)


# Partition.


@primitive
def _checked(b: Builder, indices: Value, name: str, bound: tuple[Extent, ...]) -> Value:
    return b.emit(ir.CheckedIndex(indices, bound[0], name))


def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: int, name: str | None = None
) -> Any:
    """The slices of a tensor, divided among several.

    Args:
        data: A tensor of any dtype.
        partitions: A tensor of integers, whose shape is a prefix of that of `data`: the number of
            the part that each slice belongs to.
        num_partitions: How many parts there are, an integer of Python or a known tensor.

    Returns:
        A list of `num_partitions` tensors [slices, ...] of the dtype of `data`: part i has the
        slices for which `partitions` is i, in order.

    Raises:
        ValueError: If `num_partitions` is below 1 or above 2^20.
        TypeError: If `num_partitions` is no integer.
        InvalidArgumentError: If a number is no part's; if the shape of `partitions` is no prefix
            (ValueError while tracing); if they are no integers (TypeError).

    >>> import tfc as tf
    >>> [t.numpy().tolist() for t in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    name = "dynamic_partition"
    x, parts = operand(name, data), operand(name, partitions)
    total = _integer(num_partitions, "num_partitions", name)
    if total < 1:
        raise blame.value_error(f"num_partitions must be at least 1, got {total}", name)
    if total > 2**20:
        raise blame.value_error(f"{total} partitions are more than can be listed", name)
    if not parts.dtype.is_integer:
        raise blame.invalid_dtype(f"partitions must be integers, got {parts.dtype.name}", name)
    rank, extents = len(parts.shape), extents_of(x)
    have = extents_of(parts)
    if all(isinstance(e, int) for e in (*have, *extents)) and have != extents[:rank]:
        shapes = [",".join(map(str, e)) for e in (extents, have)]
        raise blame.invalid(
            f"data.shape must start with partitions.shape, got data.shape = [{shapes[0]}], "
            f"partitions.shape = [{shapes[1]}]",
            name,
        )
    parts = require_extents(parts, extents[:rank], name)
    try:
        number = _checked(parts, static=(name, Sizes((total,))))
    except errors.InvalidArgumentError as error:
        raise placed(error, parts, "partitions") from None
    rows = reshape(x, [product(extents[:rank]), *extents[rank:]])
    return [gather(rows, places_of(comparisons.equal(number, i))) for i in _py_range(total)]


@primitive
def _batched_indices(b: Builder, indices: Value) -> Value:
    shape = indices.shape
    columns = [b.emit(ir.Iota(shape, axis, int64)) for axis in _py_range(indices.rank - 1)]
    columns.append(b.emit(ir.Cast(indices, int64)))
    parts = tuple(b.emit(ir.Reshape(c, (*shape, 1))) for c in columns)
    return b.emit(ir.Concat(parts, indices.rank))


def batched_indices(indices: TensorLike) -> Any:
    """Indices into the last of several axes, with the places in the axes before it in front."""
    return _batched_indices.fast()(operand("batch_scatter_update", indices))
