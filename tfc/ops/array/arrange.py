"""Arranging elements: rolling, repeating, padding, reversing, meshes, and static shapes."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, bool_, int32, int64
from tfc.ir.extent import Expr, Extent, product

from ...core import above, blame, errors
from ...core.context import context, user_location
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.shapes import TensorShape
from ...core.tensor import Held, SymbolicTensor, Tensor, wrap
from ...core.types import AxisLike, DTypeLike, TensorLike
from ...dispatch.index_errors import placed
from ...dispatch.known import is_unknown
from ...dispatch.primitive import (
    Primitive,
    Sizes,
    broadcast_to,
    measured,
    primitive,
    same_extents,
)
from ..arguments import numbers, one_of
from ..extents import _axis, _integer, _shape, extents_of
from ..math import arithmetic, comparisons, reductions
from . import conversion
from .indexing import _checked, extent_value, gather, places_of
from .joining import concat, stack, unstack
from .shaping import reshape
from .shaping import shape as shape_of
from .sizes import numbers_of

_py_range = builtins.range


def named(name: str) -> Callable[[Callable[..., Any]], Primitive]:
    """Make a Primitive that errors call by another name than that of its body."""
    return lambda body: Primitive(body, name)


# Rolling and reversing.


@primitive
def _roll(b: Builder, x: Value, axis: int, shift: tuple[Extent, ...]) -> Value:
    """The last `shift` elements, then the others; 0 <= shift <= the extent."""
    (n,), rank = shift, x.rank
    split = x.shape[axis] - n
    parts = []
    for start, size in ((split, n), (0, split)):
        begin = tuple(start if a == axis else 0 for a in _py_range(rank))
        sizes = tuple(size if a == axis else e for a, e in enumerate(x.shape))
        parts.append(b.emit(ir.Slice(x, begin, sizes, (1,) * rank)))
    return b.emit(ir.Concat(tuple(parts), axis))


@named("roll")
def _roll_by(b: Builder, x: Value, shift: Value, axis: int) -> Value:
    n = (x.shape[axis],)
    extent = Term(b, b.emit(ir.Maximum(extent_value(b, n[0]), b.constant(1, int64))))
    moved = Term(b, b.emit(ir.FloorMod(b.emit(ir.Cast(shift, int64)), extent.value)))
    place = Term(b, b.emit(ir.Iota(n, 0, int64)))
    place = place - Term(b, b.emit(ir.Broadcast(moved.value, n, ())))
    spread = Term(b, b.emit(ir.Broadcast(extent.value, n, ())))
    return b.emit(ir.Gather(x, where(place < 0, place + spread, place).value, axis))


def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The elements moved on by `shift` along `axis`; what leaves at one end comes in at the other.
    Several axes may be given, with one shift for each; an axis may come more than once.

    Args:
        input: A tensor of any dtype.
        shift: How far: an integer, or one for each axis.
        axis: The axis, or a list of them.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If an axis is not there, or there are not as many shifts as axes
            (ValueError while tracing).
        TypeError: If a shift or an axis is no integer.

    >>> import tfc as tf
    >>> print(tf.roll([0, 1, 2, 3, 4], 2, 0))
    tf.Tensor([3 4 0 1 2], shape=(5,), dtype=int32)
    """
    x = operand("roll", input)
    if is_unknown(axis) and axis.shape.num_elements() == 1:
        by_one = reshape(operand("roll", shift), [])
        result: Tensor = above.applied_along(
            lambda xs: roll(xs[0], by_one, -1), [x], reshape(axis, []), "roll"
        )
        return result
    axes = axis if isinstance(axis, list | tuple | range) else numbers(axis, "axis", "roll")
    if isinstance(shift, list | tuple) and any(isinstance(s, SymbolicTensor) for s in shift):
        shift = operand("roll", shift)
    known = not isinstance(shift, SymbolicTensor)
    shifts = numbers(shift, "shift", "roll") if known else _scalars(shift)
    if len(shifts) != len(axes):
        raise blame.invalid("shift and axis must have the same size", "roll")
    for by, along in zip(shifts, axes, strict=True):
        place = _axis(along, len(x.shape), "roll")
        extent = extents_of(x)[place]
        if known and isinstance(extent, int):
            x = _roll(x, static=(place, Sizes((_integer(by, "a shift", "roll") % max(extent, 1),))))
        else:
            x = _roll_by.fast(place)(x, operand("roll", by))
    return x


def _scalars(vector: Any) -> list[Any]:
    return unstack(reshape(vector, [-1]))


@primitive
def _reverse_sequence(b: Builder, x: Value, lengths: Value, seq: int, batch: int) -> Value:
    rest = [a for a in _py_range(x.rank) if a not in (seq, batch)]
    order = (batch, seq, *rest)
    front = b.emit(ir.Transpose(x, order))
    fit = same_extents(b, (front, lengths), (0,))
    if fit is None:
        raise OpError(
            f"reverse_sequence: Length of seq_lengths != input.dims({batch}), "
            f"({lengths.shape[0]} vs. {x.shape[batch]})"
        )
    front, lengths = fit
    count, steps = shape = front.shape[:2]
    limit = b.emit(ir.CheckedIndex(lengths, steps + 1, "reverse_sequence"))
    length = Term(b, b.emit(ir.Broadcast(limit, shape, (0,))))
    row, step = (Term(b, b.emit(ir.Iota(shape, axis, int64))) for axis in (0, 1))
    place = where(step < length, length - 1 - step, step)
    flat = row * Term(b, extent_value(b, steps, shape)) + place
    rows = b.emit(ir.Reshape(front, (count * steps, *front.shape[2:])))
    turned = b.emit(ir.Gather(rows, flat.value, 0))
    return b.emit(ir.Transpose(turned, tuple(int(i) for i in np.argsort(order))))


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: Any = None,
    batch_axis: Any = None,
    name: str | None = None,
) -> Tensor:
    """The first elements of each row from last to first, as many as its length says; what follows
    stays.

    Args:
        input: A tensor of any dtype, of rank 2 at least.
        seq_lengths: A tensor of integers [extent of `batch_axis`]: how many elements are reversed
            in each row.
        seq_axis: The axis along which they are reversed.
        batch_axis: The axis of the rows; None is 0.

    Returns:
        A tensor like `input`.

    Raises:
        ValueError: If `seq_axis` is not given.
        InvalidArgumentError: If a length is not within the axis; if an axis is not there, both are
            one, or there is another number of lengths (ValueError while tracing); if the lengths
            are no integers (TypeError).

    >>> import tfc as tf
    >>> print(tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1))
    tf.Tensor(
    [[2 1 3]
     [6 5 4]], shape=(2, 3), dtype=int32)
    """
    name = "reverse_sequence"
    x, lengths = operand(name, input), operand(name, seq_lengths)
    if seq_axis is None:
        raise blame.value_error("seq_axis must be given", name)
    text = "_dim must be < input rank ( {axis} vs. {rank})"
    seq = _axis(seq_axis, len(x.shape), name, "seq" + text)
    batch = _axis(0 if batch_axis is None else batch_axis, len(x.shape), name, "batch" + text)
    if seq == batch:
        raise blame.invalid(f"batch_dim == seq_dim == {seq}", name)
    if len(lengths.shape) != 1:
        raise blame.invalid(f"seq_lengths must be 1-dim, not {len(lengths.shape)}", name)
    try:
        return _reverse_sequence.fast(seq, batch)(x, lengths)
    except errors.InvalidArgumentError as error:
        text = f"{{where}} = {{value}} is < 0 or > input.dims({seq})"
        raise placed(error, lengths, "seq_lens", text) from None


# Repeating.


@primitive
def _repeat(b: Builder, x: Value, axis: int, times: tuple[Extent, ...]) -> Value:
    shape, after = x.shape, axis + 1
    longer = (*shape[:after], times[0], *shape[after:])
    dims = tuple(a for a in _py_range(len(longer)) if a != after)
    spread = b.emit(ir.Broadcast(x, longer, dims))
    return b.emit(ir.Reshape(spread, (*shape[:axis], shape[axis] * times[0], *shape[after:])))


@named("repeat")
def _one_for_each(b: Builder, times: Value, extent: tuple[Extent, ...]) -> Value:
    """`times` for each of `extent` slices, where only run time knows whether it is one number for
    all of them."""
    given, wanted = (Term(b, b.emit(ir.ExtentOf(e))) for e in (times.shape[0], extent[0]))
    fits = given.equal(1) | given.equal(wanted)
    b.emit(ir.Check(fits.value, (given.value, wanted.value), "repeats for an axis of other extent"))
    last = Term(b, broadcast_to(b, (given - 1).value, extent))
    place = Term(b, b.emit(ir.Iota(extent, 0, int64))).minimum(last)
    return b.emit(ir.Gather(times, place.value, 0))


@named("sequence_mask")
def _below(b: Builder, lengths: Value, dtype: DType, limit: tuple[Extent, ...]) -> Value:
    shape = (*lengths.shape, limit[0])
    steps = b.emit(ir.Iota(shape, lengths.rank, int64))
    wide = b.emit(ir.Cast(lengths, int64))
    spread = b.emit(ir.Broadcast(wide, shape, tuple(_py_range(lengths.rank))))
    return b.emit(ir.Cast(b.emit(ir.Less(steps, spread)), dtype))


def repeat(
    input: TensorLike, repeats: Any, axis: AxisLike | None = None, name: str | None = None
) -> Tensor:
    """Each element (or slice along `axis`) repeats[i] times; without an axis, of the elements in
    row-major order. One number in `repeats` stands for all; they may be computed while tracing. Of
    several, a negative one is 0; alone it is an InvalidArgumentError.

    Args:
        input: A tensor of any dtype.
        repeats: How often: one number, or one for each element along `axis`.
        axis: The axis; None: of all elements in row-major order.

    Returns:
        A tensor of the dtype of `input`.

    Raises:
        ValueError: If there is another number of repeats than of slices (InvalidArgumentError where
            only a call tells), or the axis is not there.
        InvalidArgumentError: If one for all is negative, or they are no integers (TypeError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.repeat([3, 4], [2, 1]))
    tf.Tensor([3 3 4], shape=(3,), dtype=int32)
    """
    x, times = operand("repeat", input), operand("repeat", repeats)
    if not times.dtype.is_integer:
        raise blame.invalid_dtype(f"repeats must be integers, got {times.dtype.name}", "repeat")
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    if not len(x.shape):
        x = reshape(x, [1])
    if is_unknown(axis):
        along: Tensor = above.applied_along(
            lambda xs: repeat(xs[0], times, -1), [x], axis, "repeat"
        )
        return along
    place = _integer(axis, "an axis", "repeat")
    if not -len(x.shape) <= place < len(x.shape):
        raise blame.value_error(
            f"axis={place} out of bounds: expected -{len(x.shape)}<=axis<{len(x.shape)}", "repeat"
        )
    place %= len(x.shape)
    if len(times.shape) > 1:
        raise blame.value_error("repeats must be a scalar or a vector", "repeat")
    known = conversion.get_static_value(times) if isinstance(x, SymbolicTensor) else None
    if known is not None and (known.size == 1 or isinstance(extents_of(x)[place], int)):
        return _repeat_known(x, known, place)
    if len(times.shape) and extents_of(times)[0] != 1:
        times = arithmetic.maximum(times, np.array(0).astype(times.dtype.numpy))
    bounded = _checked(times, static=("repeat", Sizes((2**62,))))
    if not len(times.shape) or extents_of(times)[0] == 1:
        count = measured(reshape(bounded, []))
        return _repeat(x, static=(place, Sizes((count,))))
    extent, given = extents_of(x)[place], extents_of(times)[0]
    if isinstance(extent, int) and isinstance(given, int) and extent != given:
        raise blame.value_error(f"Dimensions {extent} and {given} are not compatible", "repeat")
    if extent != given:
        bounded = _one_for_each(bounded, static=(Sizes((extent,)),))
    most = arithmetic.maximum(reductions.reduce_max(bounded), np.int64(0))
    mask = _below(bounded, static=(bool_, Sizes((measured(most),))))
    rows = arithmetic.floordiv(places_of(mask), arithmetic.maximum(most, np.int64(1)))
    return gather(x, rows, axis=place)


def _repeat_known(x: Tensor, times: np.ndarray, axis: int) -> Tensor:
    """`repeat` of a traced tensor by numbers that are known: the extent of its result is, too."""
    if times.size == 1:
        if times.item() < 0:
            raise blame.invalid(f"repeats must not be negative, got {times.item()}", "repeat")
        return _repeat(x, static=(axis, Sizes((int(times.item()),))))
    extent = extents_of(x)[axis]
    if times.size != extent:
        raise blame.value_error(
            f"Dimensions {extent} and {times.size} are not compatible", "repeat"
        )
    try:
        rows = np.repeat(np.arange(times.size), np.maximum(times, 0))
    except (MemoryError, ValueError):  # which is what NumPy raises for more than any memory has
        raise errors.ResourceExhaustedError(
            f"repeat: OOM when allocating the result of {sum(np.maximum(times, 0).tolist())} rows",
            op="repeat",
            location=user_location(),
        ) from None
    return gather(x, rows, axis=axis)


def sequence_mask(
    lengths: TensorLike, maxlen: Any = None, dtype: DTypeLike = bool_, name: str | None = None
) -> Tensor:
    """For each length n, along a new last axis of extent `maxlen` (the longest): n times True (1),
    then False (0).

    Args:
        lengths: A tensor of integers, or of floats, which are rounded up.
        maxlen: The extent of the new axis; None: the largest of `lengths`.
        dtype: The dtype of the result.

    Returns:
        A tensor of shape [*lengths.shape, maxlen].

    Raises:
        InvalidArgumentError: If `maxlen` is negative (ValueError while tracing), or the lengths are
            no numbers (TypeError).
        TypeError: If `maxlen` is no integer.
        ValueError: If it is no scalar.

    >>> import tfc as tf
    >>> print(tf.sequence_mask([1, 3], 4, tf.int32))
    tf.Tensor(
    [[1 0 0 0]
     [1 1 1 0]], shape=(2, 4), dtype=int32)
    """
    x = operand("sequence_mask", lengths)
    if x.dtype.is_floating:  # n elements are before the place n, also for a fraction
        x = conversion.cast(arithmetic.ceil(x), int64)
    if not x.dtype.is_integer:
        raise blame.invalid_dtype(f"lengths must be numbers, got {x.dtype.name}", "sequence_mask")
    if maxlen is None:
        longest = arithmetic.maximum(reductions.reduce_max(conversion.cast(x, int64)), np.int64(0))
        limit = measured(longest)
    elif isinstance(maxlen, SymbolicTensor) and maxlen._extents is None:
        limit = measured(maxlen)
    elif isinstance(maxlen, Held | list | tuple) and np.ndim(maxlen):  # type: ignore[arg-type]
        raise blame.value_error(
            f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = "
            f"{shown(maxlen)}",
            "sequence_mask",
        )
    else:
        (limit,) = _shape([maxlen], "sequence_mask")
    return _below(x, static=(as_dtype(dtype), Sizes((limit,))))


# Meshes and places.


@named("meshgrid")
def _spread(b: Builder, x: Value, axis: int, shape: tuple[Extent, ...]) -> Value:
    return b.emit(ir.Broadcast(b.emit(ir.Reshape(x, (x.tensor_type.size,))), shape, (axis,)))


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Any]:
    """The vectors repeated over the grid that they span: one tensor for each. With `indexing`
    "xy" the first two axes are exchanged, with "ij" they are not.

    Args:
        args: Vectors of one dtype; other tensors are taken in row-major order.
        indexing: "xy" or "ij".

    Returns:
        A list of tensors, one for each vector.

    Raises:
        ValueError: If `indexing` is another one.

    >>> import tfc as tf
    >>> print(tf.meshgrid([1, 2], [3, 4, 5])[0])
    tf.Tensor(
    [[1 2]
     [1 2]
     [1 2]], shape=(3, 2), dtype=int32)
    """
    if not one_of(indexing, ("xy", "ij")):
        raise blame.value_error(
            "Argument `indexing` parameter must be either 'xy' or 'ij', got " + shown(indexing),
            "meshgrid",
        )
    vectors = [operand("meshgrid", v) for v in args]
    vectors = [v if len(v.shape) == 1 else reshape(v, [-1]) for v in vectors]
    order = list(_py_range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = [1, 0]
    sizes = [product(extents_of(v)) for v in vectors]
    grid = Sizes(sizes[i] for i in order)
    return [_spread(v, static=(order.index(i), grid)) for i, v in enumerate(vectors)]


@named("unravel_index")
def _unravel(b: Builder, indices: Value, dims: tuple[Extent, ...]) -> Value:
    shape = indices.shape
    rest = Term(b, b.emit(ir.CheckedIndex(indices, product(dims), "unravel_index")))
    rows: list[Value] = []
    for extent in reversed(dims):
        size = Term(b, extent_value(b, extent, shape))
        rows.append((rest % size).value)
        rest = rest // size
    rows = [b.emit(ir.Reshape(b.emit(ir.Cast(r, indices.dtype)), (1, *shape))) for r in rows]
    return b.emit(ir.Concat(tuple(reversed(rows)), 0))


def unravel_index(indices: TensorLike, dims: Any, name: str | None = None) -> Tensor:
    """The indices of elements that are given by their row-major number.

    Args:
        indices: A scalar or vector of integers.
        dims: The extents of the array, positive.

    Returns:
        A tensor [axes] or [axes, indices] of the dtype of `indices`: one row for each of the axes.

    Raises:
        InvalidArgumentError: If a number is not within the array; if an extent is not positive, or
            the rank above 1 (ValueError while tracing); if the dtype is another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.unravel_index([2, 5, 7], [3, 3]))
    tf.Tensor(
    [[0 1 2]
     [2 2 1]], shape=(2, 3), dtype=int32)
    """
    places = operand("unravel_index", indices)
    if not places.dtype.is_integer:
        raise blame.invalid_dtype("indices must be integers", "unravel_index")
    if len(places.shape) > 1:
        raise blame.invalid(
            f"The indices can only be scalar or vector, got {shown(places.shape)}", "unravel_index"
        )
    extents = [n if isinstance(n, int | Expr) else measured(n) for n in numbers_of(dims)]
    if not extents or any(isinstance(e, int) and not 1 <= e < 1 << 63 for e in extents):
        raise blame.invalid(f"Input dims must be positive int64, got {extents}", "unravel_index")
    return _unravel(places, static=(Sizes(extents),))


# Shapes.


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that tensors of these shapes have when they are broadcast together.

    Args:
        shape_x: A TensorShape, or what one is made of.
        shape_y: Another.

    Returns:
        A TensorShape; what is not known of it is None.

    Raises:
        ValueError: If they cannot be broadcast.

    >>> import tfc as tf
    >>> tf.broadcast_static_shape(tf.TensorShape([1, 3]), tf.TensorShape([5, 1]))
    TensorShape([5, 3])
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    if x.rank is None or y.rank is None:
        return TensorShape(None)
    rank = max(x.rank, y.rank)
    rows = [[*[1] * (rank - len(s.as_list())), *s.as_list()] for s in (x, y)]
    result = []
    for a, b in zip(*rows, strict=True):
        if a is not None and b is not None and a != b and 1 not in (a, b):
            raise blame.value_error(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each "
                f"dimension pair they are either equal or one of them is 1. Received: {x} and {y}.",
                "broadcast_static_shape",
            )
        known = [e for e in (a, b) if e not in (1, None)]
        result.append(known[0] if known else (None if None in (a, b) else 1))
    return TensorShape(result)


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that tensors of these shapes have when they are broadcast together, as a tensor.

    Args:
        shape_x: A vector of integers.
        shape_y: Another, of the same dtype.

    Returns:
        A vector of that dtype.

    Raises:
        InvalidArgumentError: If they cannot be broadcast, as far as that is known, or are no
            vectors (ValueError while tracing).
        UnimplementedError: If their lengths are not known while tracing.

    >>> import tfc as tf
    >>> print(tf.broadcast_dynamic_shape([1, 3], [5, 1]))
    tf.Tensor([5 3], shape=(2,), dtype=int32)
    """
    name = "broadcast_dynamic_shape"
    x = operand(name, shape_x)
    y = operand(name, shape_y, dtype_hint=x.dtype)
    if len(x.shape) != 1 or len(y.shape) != 1:
        raise blame.invalid("the shapes must be vectors", name)
    ranks = [extents_of(s)[0] for s in (x, y)]
    if not all(isinstance(r, int) for r in ranks):
        raise blame.unknown_extent("the lengths of the shapes must be known", name)
    rank = max(ranks)  # type: ignore[type-var]
    padded = []
    for s, r in zip((x, y), ranks, strict=True):
        ones = wrap(np.ones(rank - r, x.dtype.numpy))  # type: ignore[arg-type]
        padded.append(concat([ones, s], 0) if len(ones) else s)
    if context.trace is None:
        a, b = (np.asarray(p) for p in padded)
        if np.any((a != b) & (a != 1) & (b != 1)):
            raise blame.invalid(f"Incompatible shapes: {a.tolist()} vs. {b.tolist()}", name)
    return comparisons.select(comparisons.equal(padded[0], 1), padded[1], padded[0])


def shape_n(
    input: Sequence[Any], out_type: DTypeLike = int32, name: str | None = None
) -> list[Any]:
    """The shapes of several tensors.

    Args:
        input: A list of tensors.
        out_type: The dtype of the shapes.

    Returns:
        A list of vectors of this dtype.

    >>> import tfc as tf
    >>> [s.numpy().tolist() for s in tf.shape_n([[1, 2], [[3], [4]]])]
    [[2], [2, 1]]
    """
    return [shape_of(x, out_type) for x in input]


def parallel_stack(values: Any, name: str | None = None) -> Tensor:
    """The tensors side by side along a new first axis.

    Args:
        values: A list of tensors of one shape and dtype.

    Returns:
        A tensor [len(values), ...] of that dtype.

    Raises:
        ValueError: If there are none.
        InvalidArgumentError: If the shapes differ (ValueError while tracing), or the dtypes
            (TypeError).

    >>> import tfc as tf
    >>> print(tf.parallel_stack([[1, 2], [3, 4]]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    return stack(values, 0)
