"""Making tensors: constants, ranges, identity matrices, one-hot vectors."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import (
    DType,
    as_dtype,
    as_element_type,
    float32,
    float64,
    int32,
    int64,
    string,
    uint64,
)
from tfc.ir.extent import Expr, Extent, product

from ...core import above, blame
from ...core.context import settings
from ...core.conversion import convert_to_tensor, operand
from ...core.placement import placed
from ...core.tensor import Held, SymbolicTensor, Tensor, wrap
from ...core.types import AxisLike, DTypeLike, ShapeLike, TensorLike
from ...dispatch.known import is_unknown, known_elements
from ...dispatch.primitive import Sizes, broadcast_to, broadcast_together, measured, primitive
from ..extents import _axis, _integer, _shape, as_extents, extents_of
from ..math.arithmetic import ceil, maximum
from .conversion import cast
from .shaping import reshape

_py_range = builtins.range  # `range` below is TensorFlow's


def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """A tensor of numbers, NumPy arrays or nested lists; broadcast or reshaped to `shape`.

    Without a `dtype`, Python's ints give int32, floats float32, complex numbers complex128, and
    arrays keep theirs.

    Args:
        value: A number, a NumPy array, a nested list of these, or strings.
        dtype: The dtype; None: that of `value`.
        shape: The shape of the result, where it is not that of `value`.

    Returns:
        A tensor.

    Raises:
        TypeError: If a number does not fit `dtype`, or the shape does not fit the value.
        ValueError: If lists of one level have different lengths.

    >>> import tfc as tf
    >>> tf.constant([[1, 2], [3, 4]])
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 2],
           [3, 4]], dtype=int32)>
    """
    tensor = operand("constant", value, dtype)
    if settings.accelerated:
        tensor = placed(tensor)
    if shape is None:
        return tensor
    extents = _shape(shape, "constant")
    have, want = product(extents_of(tensor)), product(extents)
    if have == 1:
        return fill(extents, reshape(tensor, []) if tensor.ndim else tensor)
    if have != want:
        raise blame.type_error(
            f"constant with unsupported shape: {tensor!r} has {have} elements, but got `shape` "
            f"{list(extents)} with {want} elements",
            "constant",
        )
    return reshape(tensor, extents)


@primitive
def _fill(b: Builder, value: Value, shape: tuple[Extent, ...]) -> Value:
    return broadcast_to(b, value, shape)


def fill(dims: Any, value: TensorLike, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` with `value` everywhere, of the dtype of `value`.

    Args:
        dims: The extents: a list, or a vector of integers, which may be computed while tracing.
        value: A scalar.

    Returns:
        A tensor of that shape, of the dtype of `value`.

    Raises:
        InvalidArgumentError: If an extent is negative (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.fill([2, 3], 7))
    tf.Tensor(
    [[7 7 7]
     [7 7 7]], shape=(2, 3), dtype=int32)
    """
    return _fill(operand("fill", value), static=(_shape(dims, "fill"),))


def zeros(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """Zeros: False for bool, empty strings for string.

    Args:
        shape: The extents: a list, or a vector of integers, which may be computed while tracing.
        dtype: The dtype.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If an extent is negative (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.zeros([3], tf.int32), tf.zeros([], tf.bool).numpy())
    tf.Tensor([0 0 0], shape=(3,), dtype=int32) False
    """
    return fill(shape, wrap(as_element_type(dtype).zeros()))


def ones(shape: ShapeLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """Ones (True for bool).

    Args:
        shape: The extents: a list, or a vector of integers, which may be computed while tracing.
        dtype: The dtype.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If an extent is negative (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.ones([3]))
    tf.Tensor([1. 1. 1.], shape=(3,), dtype=float32)
    """
    return fill(shape, wrap(np.ones((), as_dtype(dtype).numpy)))


def _like(x: Any, dtype: Any, number: int) -> Tensor:
    x = operand("zeros_like", x)
    target = x.dtype if dtype is None else as_element_type(dtype)
    if target is string:
        if number:
            raise blame.invalid_dtype("ones_like: not defined for dtype string", "ones_like")
        return fill(Sizes(extents_of(x)), wrap(string.zeros()))
    return fill(Sizes(extents_of(x)), wrap(np.asarray(number).astype(target.numpy)))


def zeros_like(
    input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """Zeros in the shape (and dtype, unless given) of `input`.

    Args:
        input: A tensor, or what becomes one.
        dtype: The dtype of the result; None: that of `input`.

    Returns:
        A tensor of zeros of the shape of `input`.

    >>> import tfc as tf
    >>> print(tf.zeros_like([[1, 2, 3]]))
    tf.Tensor([[0 0 0]], shape=(1, 3), dtype=int32)
    """
    return _like(input, dtype, 0)


def ones_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Ones in the shape (and dtype, unless given) of `input`.

    Args:
        input: A tensor, or what becomes one.
        dtype: The dtype of the result; None: that of `input`.

    Returns:
        A tensor of ones of the shape of `input`.

    >>> import tfc as tf
    >>> print(tf.ones_like([1, 2, 3], dtype=tf.float64))
    tf.Tensor([1. 1. 1.], shape=(3,), dtype=float64)
    """
    return _like(input, dtype, 1)


@primitive
def _range(b: Builder, start: Value, delta: Value, shape: tuple[Extent, ...]) -> Value:
    steps = b.emit(ir.Iota(shape, 0, start.dtype))
    spread = [broadcast_to(b, v, shape) for v in (start, delta)]
    return b.emit(ir.Add(spread[0], b.emit(ir.Mul(steps, spread[1]))))


def range(
    start: Any,
    limit: Any = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """start, start + delta, ... up to but without `limit`; with one argument it is the limit, and
    the numbers start at 0. The dtype is the widest of the arguments'. They may be computed while
    tracing. There are ceil((limit - start) / delta) numbers, which floats round in their dtype.

    Args:
        start: The first number; or the limit, if it is the only one given.
        limit: Where the numbers end; it is not one of them.
        delta: The distance from one number to the next, not 0.
        dtype: The dtype; None: the widest of the arguments'.

    Returns:
        A vector.

    Raises:
        InvalidArgumentError: If `delta` is 0 (ValueError while tracing), or there would be too many
            numbers.

    >>> import tfc as tf
    >>> print(tf.range(3, 18, 5))
    tf.Tensor([ 3  8 13], shape=(3,), dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    plain = isinstance(start, int) and start == 0 and isinstance(delta, int) and delta == 1
    if isinstance(limit, SymbolicTensor) and limit._extents is not None and plain:
        (count,) = as_extents(limit, "range")
        kind = limit.dtype if dtype is None else as_dtype(dtype)
        first, step = (wrap(np.asarray(v).astype(kind.numpy)) for v in (0, 1))
        return _range(first, step, static=(Sizes((count,)),))
    given = (start, limit, delta)
    parts = [operand("range", v) for v in given]
    if dtype is not None:
        kind = as_dtype(dtype)
    else:
        names = ("int32", "int64", "float16", "bfloat16", "float32", "float64")
        order = [as_dtype(name) for name in names]
        kind = max((p.dtype for p in parts), key=lambda d: order.index(d) if d in order else 0)
    if not (kind.is_integer or kind.is_floating):
        raise blame.invalid_dtype(f"defined for integers and floats, got {kind.name}", "range")
    if kind.is_floating:  # Python's floats are rounded once, to this dtype
        parts = [
            convert_to_tensor(v, kind) if isinstance(v, float) else p
            for v, p in zip(given, parts, strict=True)
        ]
    if any(isinstance(p, SymbolicTensor) for p in parts):
        known = [known_elements(p) for p in parts]
        if all(k is not None and not k.ndim for k in known):  # so that the result's length is, too
            parts = [wrap(k) for k in known if k is not None]
    if any(isinstance(p, SymbolicTensor) for p in parts):
        start, limit, delta = parts
        return _computed_range(start, limit, delta, kind)
    low, high, by = (np.asarray(p).astype(kind.numpy) for p in parts)
    if any(a.ndim or not np.isfinite(a.astype(np.float64)) for a in (low, high, by)):
        raise blame.invalid(f"Requires finite scalars, got {low}, {high}, {by}", "range")
    if by == 0:
        raise blame.invalid("Requires delta != 0: 0", "range")
    if kind.is_integer:
        count = max(0, -((int(low) - int(high)) // int(by)))
    else:  # in the dtype itself, as where the bounds are computed
        with np.errstate(over="ignore"):
            steps = np.ceil((high - low) / by)
        if not np.isfinite(steps):
            raise blame.invalid(f"({high} - {low}) / {by} is too large for {kind.name}", "range")
        count = max(0, int(steps))
    return _range(wrap(low), wrap(by), static=(Sizes((count,)),))


def _computed_range(start: Any, limit: Any, delta: Any, kind: DType) -> Tensor:
    """The range whose bounds are known at run time."""
    low, high, by = (cast(p, kind) for p in (start, limit, delta))
    if kind.is_integer:
        count = steps_between(low, high, by)
    else:
        count = maximum(cast(ceil((high - low) / by), int64), np.int64(0))
    return _range(low, by, static=(Sizes((measured(count),)),))


@primitive
def _steps_between(b: Builder, low: Value, high: Value, by: Value) -> Value:
    """The distance is computed without a sign, where no two integers are too far apart."""
    wide = [Term(b, b.emit(ir.Cast(v, int64))) for v in broadcast_together(b, low, high, by)]
    start, end, step = wide
    up = step > 0

    def unsigned(v: Term) -> Term:
        return Term(b, b.emit(ir.Bitcast(v.value, uint64)))

    distance = unsigned(where(up, end - start, start - end))
    length = unsigned(where(up, step, -step))
    count = (distance - 1) // length + 1
    going = where(up, start, end) < where(up, end, start)
    return where(going, Term(b, b.emit(ir.Bitcast(count.value, int64))), 0).value


def steps_between(low: Any, high: Any, by: Any) -> Any:
    """How many of the integers low, low + by, ... come before `high`, as int64; `by` is not 0."""
    return _steps_between.fast()(low, high, by)


def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop`, both included.

    Args:
        start: The first number, or a tensor of first numbers. Integers are taken as
            float64, those of less than 32 bits as float32.
        stop: The last number, of the same dtype; shapes broadcast.
        num: How many numbers: an integer, or a scalar that may be computed in a function.
        axis: The axis of the result along which they stand.

    Returns:
        A vector of `num` numbers; of tensors a tensor with one axis more.

    Raises:
        InvalidArgumentError: If `num` is negative (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.linspace(0.0, 1.0, 5))
    tf.Tensor([0.   0.25 0.5  0.75 1.  ], shape=(5,), dtype=float32)
    """
    start = operand("linspace", start)
    stop = operand("linspace", stop, None if isinstance(stop, Held) else start.dtype)
    num = _extent_of_range(num) if isinstance(num, Held) else _integer(num, "num", "linspace")
    if isinstance(num, int) and num < 0:
        raise blame.invalid(f"Requires num >= 0, got {num}", "linspace")
    if start.dtype.is_integer:
        kind = float32 if start.dtype.bits < 32 else float64  # as they are divided
        start, stop = cast(start, kind), cast(stop, kind)
    if is_unknown(axis):
        along: Tensor = above.inserted_at(linspace(start, stop, num, axis=-1), axis, "linspace")
        return along
    place = _axis(axis, max(len(start.shape), len(stop.shape)) + 1, "linspace")
    if isinstance(num, int):
        return _linspace.fast(num, place)(start, stop)
    return _linspace(start, stop, static=(Sizes((num,)), place))


@primitive
def _linspace(b: Builder, start: Value, stop: Value, num: Any, axis: int) -> Value:
    start, stop = broadcast_together(b, start, stop)
    if isinstance(num, tuple):
        return _spaced(b, start, stop, num[0], axis)
    shape = (*start.shape[:axis], num, *start.shape[axis:])
    dims = tuple(a for a in builtins.range(len(shape)) if a != axis)
    ends = (start, stop, ((Term(b, stop) - Term(b, start)) / max(num - 1, 1)).value)
    first, last, step = (Term(b, b.emit(ir.Broadcast(v, shape, dims))) for v in ends)
    number = Term(b, b.emit(ir.Iota(shape, axis, start.dtype)))
    inner = first + number * step
    if num == 1:
        return first.value
    return where(number.equal(num - 1), last, inner).value


def _spaced(b: Builder, start: Value, stop: Value, num: Extent, axis: int) -> Value:
    """As many numbers as only a call tells."""
    shape = (*start.shape[:axis], num, *start.shape[axis:])
    dims = tuple(a for a in builtins.range(len(shape)) if a != axis)
    steps = (Term(b, b.emit(ir.Cast(b.emit(ir.ExtentOf(num)), start.dtype))) - 1).maximum(1).value
    wide = b.emit(ir.Broadcast(steps, start.shape, ())) if start.shape else steps
    step = (Term(b, stop) - Term(b, start)) / Term(b, wide)
    first, end, by = (
        Term(b, b.emit(ir.Broadcast(v, shape, dims))) for v in (start, stop, step.value)
    )
    number = Term(b, b.emit(ir.Iota(shape, axis, start.dtype)))
    limit = Term(b, b.emit(ir.Broadcast(steps, shape, ())))
    return where(number.equal(limit), end, first + number * by).value


def _extent_of_range(num: Any) -> Extent:
    known = known_elements(num)
    return measured(num) if known is None else int(known)


@primitive
def _eye(b: Builder, shape: tuple[Extent, ...], dtype: DType) -> Value:
    i, j = (b.emit(ir.Iota(shape, len(shape) - k, int64)) for k in (2, 1))
    return b.emit(ir.Cast(b.emit(ir.Equal(i, j)), dtype))


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix, or a batch of them: ones where row and column are equal, else zeros.

    Args:
        num_rows: The number of rows.
        num_columns: The number of columns; None: as many.
        batch_shape: The extents of leading axes.
        dtype: The dtype.

    Returns:
        A tensor of shape batch_shape + [num_rows, num_columns].

    Raises:
        InvalidArgumentError: If a number is negative (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.eye(2, 3, batch_shape=[4]).shape
    TensorShape([4, 2, 3])
    """
    columns = num_rows if num_columns is None else num_columns
    batch = () if batch_shape is None else as_extents(batch_shape, "eye")
    extents = (*batch, *as_extents([num_rows, columns], "eye"))
    return _eye(static=(_shape(extents, "eye"), as_dtype(dtype)))


@primitive
def _one_hot(b: Builder, indices: Value, on: Value, off: Value, axis: int, depth: Any) -> Value:
    rank = indices.rank + 1
    shape = (*indices.shape[:axis], depth[0], *indices.shape[axis:])
    dims = tuple(i for i in _py_range(rank) if i != axis)
    spread = b.emit(ir.Broadcast(b.emit(ir.Cast(indices, int64)), shape, dims))
    hot = b.emit(ir.Equal(spread, b.emit(ir.Iota(shape, axis, int64))))
    return b.emit(ir.Select(hot, broadcast_to(b, on, shape), broadcast_to(b, off, shape)))


def one_hot(
    indices: TensorLike,
    depth: TensorLike | Expr,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`on_value` (1) at the place that each index names along a new axis, else `off_value` (0).

    What is given of the two says the dtype where `dtype` does not; otherwise it is float32.

    Args:
        indices: A tensor of integers; one outside of [0, depth) names no place.
        depth: The extent of the new axis.
        on_value: The value at the place; 1 by default.
        off_value: The value elsewhere; 0 by default.
        axis: Where the new axis stands; None is behind the others.
        dtype: The dtype of the result.

    Returns:
        A tensor of one rank more than `indices`.

    Raises:
        InvalidArgumentError: If the indices are no integers (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.one_hot([0, 2], 3))
    tf.Tensor(
    [[1. 0. 0.]
     [0. 0. 1.]], shape=(2, 3), dtype=float32)
    """
    indices = operand("one_hot", indices, dtype_hint=int32)
    if not indices.dtype.is_integer:
        raise blame.invalid_dtype(f"indices must be integers, got {indices.dtype.name}", "one_hot")
    on = None if on_value is None else operand("one_hot", on_value, dtype)
    hint = None if on is None else on.dtype
    off = None if off_value is None else operand("one_hot", off_value, dtype, hint)
    kind = next(
        (t.dtype for t in (on, off) if t is not None), as_dtype(float32 if dtype is None else dtype)
    )
    if off is not None and off.dtype is not kind:
        raise blame.type_error(
            f"dtype {kind!s} of on_value does not match dtype {off.dtype!s} of off_value",
            "one_hot",
        )
    on = wrap(np.array(1, kind.numpy)) if on is None else on
    off = wrap(np.array(0, kind.numpy)) if off is None else off
    if is_unknown(axis):
        hot = one_hot(indices, depth, on, off)
        along: Tensor = above.inserted_at(hot, axis, "one_hot")
        return along
    text = "Expected axis to be -1 or between [0, {rank}).  But received: {axis}"
    place = _axis(-1 if axis is None else axis, len(indices.shape) + 1, "one_hot", text)
    if isinstance(depth, int) and depth < 0:
        raise blame.invalid(f"depth must be non-negative, got: {depth}", "one_hot")
    return _one_hot(indices, on, off, static=(place, _shape([depth], "one_hot")))
