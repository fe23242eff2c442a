"""Making, reshaping, joining and indexing tensors."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, float32, int32, int64
from tfc.ir.extent import Expr, Extent, floordiv, product, symbols

from .. import blame
from ..context import context
from ..dispatch import Sizes, broadcast_to, measured, primitive, retype, same_extents
from ..tensor import (
    Held,
    SymbolicTensor,
    Tensor,
    convert_to_tensor,
    operand,
    shown,
    wrap,
)

_py_range = builtins.range  # `range` below is TensorFlow's

# Extents, as users give them.


def extents_of(tensor: Any) -> tuple[Extent, ...]:
    """The extents of a tensor, symbols included."""
    if isinstance(tensor, SymbolicTensor):
        shape: tuple[Extent, ...] = tensor._value.shape
        return shape
    return tuple(tensor._array.shape)


def as_extents(shape: Any, name: str) -> tuple[Extent, ...]:
    """A shape given as ints, tensors, a TensorShape or one tensor; -1 is allowed.

    What is computed inside of a tfc.function becomes extents that depend on data."""
    if isinstance(shape, SymbolicTensor):
        if shape._extents is None:
            if not shape.dtype.is_integer or shape.shape.rank not in (0, 1):
                raise blame.invalid("a shape must be a vector of integers", name)
            scalars = unstack(shape) if shape.shape.rank else [shape]
            return tuple(measured(d) for d in scalars)
        found = shape._extents
        return tuple(found) if isinstance(found, tuple) else (found,)
    if isinstance(shape, Held):
        shape = np.asarray(shape)
    if isinstance(shape, np.ndarray):
        shape = shape.tolist()
    if isinstance(shape, int | np.integer | Expr):
        shape = [shape]
    if not hasattr(shape, "__iter__"):
        raise blame.type_error(f"a shape must be integers, got {shown(shape)}", name)
    result: list[Extent] = []
    for d in shape:
        if isinstance(d, SymbolicTensor):
            (extent,) = as_extents(d, name)
            result.append(extent)
        elif isinstance(d, Expr):
            result.append(d)
        elif d is None:
            raise blame.value_error(f"the shape {tuple(shape)} is not fully known", name)
        else:
            result.append(_integer(d, "an extent", name))
    return tuple(result)


def _shape(shape: Any, name: str) -> Sizes:
    extents = as_extents(shape, name)
    if any(isinstance(e, int) and e < 0 for e in extents):
        raise blame.invalid(f"Dimensions must be >= 0, got {extents}", name)
    if math.prod(e for e in extents if isinstance(e, int) and e) >= 2**63:
        raise blame.invalid(f"Encountered overflow when multiplying the extents {extents}", name)
    return Sizes(extents)


def _integer(value: Any, what: str, name: str) -> int:
    """`value` as an int; floats are none."""
    try:
        return operator.index(value)
    except TypeError:
        raise blame.type_error(f"{what} must be an integer, got {shown(value)}", name) from None


def _require(extent: Extent) -> None:
    """Take `extent` not to be negative, where only run time can tell; what a function was traced
    for with symbols is traced again where it is."""
    if isinstance(extent, Expr) and context.trace is not None:
        context.trace.require(extent)


def _require_equal(a: Extent, b: Extent) -> None:
    """Take two extents to be equal, where only run time can tell."""
    trace, difference = context.trace, a - b
    if trace is not None and trace.builder.measured.intersection(symbols(difference)):
        trace.builder.emit(ir.SameExtent(a, b))  # not to be known before the call
        return
    _require(a - b)
    _require(b - a)


def _axis(axis: Any, rank: int, name: str) -> int:
    a = _integer(axis, "an axis", name)
    if not -rank <= a < rank:
        raise blame.invalid(f"axis {a} is out of range for rank {rank}", name)
    return a % rank


# Making.


def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Tensor:
    """A tensor of numbers, NumPy arrays or nested lists; broadcast or reshaped to `shape`.

    >>> import tfc as tf
    >>> tf.constant([[1, 2], [3, 4]])
    <tf.Tensor: shape=(2, 2), dtype=int32, numpy=
    array([[1, 2],
           [3, 4]], dtype=int32)>
    """
    tensor = convert_to_tensor(value, dtype)
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
def _fill(b: Builder, value: Value, shape: tuple[Extent, ...]) -> Any:
    return broadcast_to(b, value, shape)


def fill(dims: Any, value: Any, name: Any = None) -> Any:
    """A tensor of shape `dims` with `value` everywhere."""
    return _fill(operand("fill", value), static=(_shape(dims, "fill"),))


def zeros(shape: Any, dtype: Any = float32, name: Any = None) -> Any:
    """Zeros (False for bool)."""
    return fill(shape, wrap(np.zeros((), as_dtype(dtype).numpy)))


def ones(shape: Any, dtype: Any = float32, name: Any = None) -> Any:
    """Ones (True for bool)."""
    return fill(shape, wrap(np.ones((), as_dtype(dtype).numpy)))


def _like(x: Any, dtype: Any, number: int) -> Any:
    x = operand("zeros_like", x)
    target = x.dtype if dtype is None else as_dtype(dtype)
    return fill(Sizes(extents_of(x)), wrap(np.asarray(number).astype(target.numpy)))


def zeros_like(input: Any, dtype: Any = None, name: Any = None) -> Any:
    """Zeros in the shape (and dtype, unless given) of `input`."""
    return _like(input, dtype, 0)


def ones_like(input: Any, dtype: Any = None, name: Any = None) -> Any:
    """Ones in the shape (and dtype, unless given) of `input`."""
    return _like(input, dtype, 1)


@primitive
def _range(b: Builder, start: Value, delta: Value, shape: tuple[Extent, ...]) -> Any:
    steps = b.emit(ir.Iota(shape, 0, start.dtype))
    spread = [broadcast_to(b, v, shape) for v in (start, delta)]
    return b.emit(ir.Add(spread[0], b.emit(ir.Mul(steps, spread[1]))))


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: Any = None
) -> Any:
    """start, start + delta, ... up to but without `limit`.

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
    parts = [operand("range", v) for v in (start, limit, delta)]
    if dtype is not None:
        kind = as_dtype(dtype)
    else:
        order = [int32, int64, float32, as_dtype("float64")]
        kind = max((p.dtype for p in parts), key=lambda d: order.index(d) if d in order else 0)
    if any(isinstance(p, SymbolicTensor) for p in parts):
        start, limit, delta = parts
        return _computed_range(start, limit, delta, kind)
    low, high, by = (np.asarray(p).astype(kind.numpy) for p in parts)
    if any(a.ndim or not np.isfinite(a.astype(np.float64)) for a in (low, high, by)):
        raise blame.invalid(f"Requires finite scalars, got {low}, {high}, {by}", "range")
    if by == 0:
        raise blame.invalid("Requires delta != 0", "range")
    if kind.is_integer:
        count = max(0, -((int(low) - int(high)) // int(by)))
    else:
        count = max(0, int(np.ceil((float(high) - float(low)) / float(by))))
    return _range(wrap(low), wrap(by), static=(Sizes((count,)),))


def _computed_range(start: Any, limit: Any, delta: Any, kind: DType) -> Any:
    """The range whose bounds are known at run time."""
    from . import math

    low, high, by = (math.cast(p, kind) for p in (start, limit, delta))
    if kind.is_integer:
        span, step = math.cast(high, int64) - math.cast(low, int64), math.cast(by, int64)
        count = math.floordiv(span + step - math.sign(step), step)
    else:
        count = math.cast(math.ceil((high - low) / by), int64)
    return _range(low, by, static=(Sizes((measured(math.maximum(count, np.int64(0))),)),))


def linspace(start: Any, stop: Any, num: int, name: Any = None, axis: int = 0) -> Any:
    """`num` evenly spaced numbers from `start` to `stop`, both included."""
    start, stop = operand("linspace", start), operand("linspace", stop)
    if int(num) < 1:
        raise blame.invalid(f"Requires num > 0, got {int(num)}", "linspace")
    if int(num) == 1:
        return reshape(start, [1])
    steps = range(int(num) - 1, dtype=start.dtype)
    inner = start + steps * ((stop - start) / (int(num) - 1))
    return concat([inner, reshape(stop, [1])], 0)


@primitive
def _eye(b: Builder, shape: tuple[Extent, ...], dtype: DType) -> Any:
    i, j = (b.emit(ir.Iota(shape, len(shape) - k, int64)) for k in (2, 1))
    return b.emit(ir.Cast(b.emit(ir.Equal(i, j)), dtype))


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = float32,
    name: Any = None,
) -> Any:
    """The identity matrix, or a batch of them: ones where row and column are equal, else zeros.

    >>> import tfc as tf
    >>> tf.eye(2, 3, batch_shape=[4]).shape
    TensorShape([4, 2, 3])
    """
    columns = num_rows if num_columns is None else num_columns
    batch = () if batch_shape is None else as_extents(batch_shape, "eye")
    extents = (*batch, *as_extents([num_rows, columns], "eye"))
    return _eye(static=(_shape(extents, "eye"), as_dtype(dtype)))


@primitive
def _one_hot(b: Builder, indices: Value, on: Value, off: Value, axis: int, depth: Any) -> Any:
    rank = indices.rank + 1
    shape = (*indices.shape[:axis], depth[0], *indices.shape[axis:])
    dims = tuple(i for i in _py_range(rank) if i != axis)
    spread = b.emit(ir.Broadcast(b.emit(ir.Cast(indices, int64)), shape, dims))
    hot = b.emit(ir.Equal(spread, b.emit(ir.Iota(shape, axis, int64))))
    return b.emit(ir.Select(hot, broadcast_to(b, on, shape), broadcast_to(b, off, shape)))


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: Any = None,
) -> Any:
    """`on_value` (1) at the place that each index names along a new axis, else `off_value` (0).

    >>> import tfc as tf
    >>> print(tf.one_hot([0, 2], 3))
    tf.Tensor(
    [[1. 0. 0.]
     [0. 0. 1.]], shape=(2, 3), dtype=float32)
    """
    indices = operand("one_hot", indices)
    if not indices.dtype.is_integer:
        raise blame.invalid_dtype(f"indices must be integers, got {indices.dtype.name}", "one_hot")
    kind = as_dtype(dtype) if dtype is not None else float32
    one, zero = (wrap(np.array(v, kind.numpy)) for v in (1, 0))
    on = one if on_value is None else operand("one_hot", on_value, kind)
    off = zero if off_value is None else operand("one_hot", off_value, kind)
    place = _axis(-1 if axis is None else axis, len(indices.shape) + 1, "one_hot")
    return _one_hot(indices, on, off, static=(place, _shape([depth], "one_hot")))


def identity(input: Any, name: Any = None) -> Any:
    """The same tensor."""
    x = operand("identity", input)
    if isinstance(x, SymbolicTensor):
        return SymbolicTensor(x._trace, x._value, x._extents)
    return _identity(x) if context.tapes else wrap(x._array)


@primitive
def _identity(b: Builder, x: Value) -> Any:
    return x


# Shapes.


@primitive
def _extent_vector(b: Builder, shape: tuple[Extent, ...], dtype: DType) -> Any:
    parts = []
    for extent in shape:
        scalar = b.emit(ir.Cast(b.emit(ir.ExtentOf(extent)), dtype))
        parts.append(b.emit(ir.Reshape(scalar, (1,))))
    if not parts:
        return b.emit(ir.Constant(np.zeros((0,), dtype.numpy)))
    return b.emit(ir.Concat(tuple(parts), 0))


def shape(input: Any, out_type: Any = int32, name: Any = None) -> Any:
    """The extents as a tensor; what is unknown while tracing is known when it runs."""
    x = operand("shape", input)
    extents = extents_of(x)
    kind = as_dtype(out_type)
    if all(isinstance(e, int) for e in extents):
        return wrap(np.array(extents, dtype=kind.numpy))
    result = _extent_vector(static=(Sizes(extents), kind))
    result._extents = extents
    return result


def size(input: Any, out_type: Any = int32, name: Any = None) -> Any:
    """The number of elements, as a scalar tensor."""
    total = product(extents_of(operand("size", input)))
    if isinstance(total, int):
        return wrap(np.array(total, dtype=as_dtype(out_type).numpy))
    vector = _extent_vector(static=(Sizes((total,)), as_dtype(out_type)))
    result = reshape(vector, [])
    result._extents = total
    return result


def rank(input: Any, name: Any = None) -> Any:
    """The number of axes, as a scalar int32 tensor."""
    return wrap(np.array(len(operand("rank", input).shape), dtype=np.int32))


@primitive
def _reshape(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Any:
    return x if x.shape == shape else b.emit(ir.Reshape(x, shape))


def reshape(tensor: Any, shape: Any, name: Any = None) -> Any:
    """The elements in row-major order under another shape; one extent may be -1.

    >>> import tfc as tf
    >>> tf.reshape([1, 2, 3, 4, 5, 6], [2, -1]).shape
    TensorShape([2, 3])
    """
    x = operand("reshape", tensor)
    want = list(as_extents(shape, "reshape"))
    have = product(extents_of(x))
    holes = [i for i, e in enumerate(want) if e == -1]
    problem = f"Input to reshape is a tensor with {have} values, but the requested shape is {want}"
    if len(holes) > 1:
        raise blame.invalid("Only one input size may be -1", "reshape")
    if holes:
        rest = product(e for e in want if e != -1)
        if rest == 0 or (isinstance(have, int) and isinstance(rest, int) and have % rest):
            raise blame.invalid(problem, "reshape")
        want[holes[0]] = floordiv(have, rest)
    if have != product(want):
        if not isinstance(have - product(want), Expr):
            raise blame.invalid(problem, "reshape")
        _require_equal(have, product(want))
    return _reshape(x, static=(_shape(want, "reshape"),))


def expand_dims(input: Any, axis: int, name: Any = None) -> Any:
    """A new axis of extent 1 at `axis`."""
    x = operand("expand_dims", input)
    extents = extents_of(x)
    place = _axis(axis, len(extents) + 1, "expand_dims")
    return _reshape(x, static=(Sizes((*extents[:place], 1, *extents[place:])),))


def squeeze(input: Any, axis: Any = None, name: Any = None) -> Any:
    """Without the axes of extent 1, or without those named."""
    x = operand("squeeze", input)
    extents = extents_of(x)
    if axis is None:
        if not all(isinstance(e, int) for e in extents):
            raise blame.unimplemented("needs the axis where an extent is unknown", "squeeze")
        gone = [i for i, e in enumerate(extents) if e == 1]
    else:
        given = axis if isinstance(axis, list | tuple) else [axis]
        gone = [_axis(a, len(extents), "squeeze") for a in given]
        for a in gone:
            if not isinstance(extents[a], int):
                _require_equal(extents[a], 1)
            elif extents[a] != 1:
                raise blame.invalid(
                    f"Can not squeeze dim[{a}], expected a dimension of 1, got {extents[a]}",
                    "squeeze",
                )
    return _reshape(x, static=(Sizes(e for i, e in enumerate(extents) if i not in gone),))


@primitive
def _transpose(b: Builder, x: Value, perm: tuple[int, ...]) -> Any:
    return b.emit(ir.Transpose(x, perm))


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: Any = None) -> Any:
    """Axis i of the result is axis perm[i] (None: all axes in reverse)."""
    x = operand("transpose", a)
    rank_ = len(x.shape)
    if perm is None:
        order = tuple(reversed(_py_range(rank_)))
    else:
        order = tuple(_axis(p, rank_, "transpose") for p in np.asarray(perm).tolist())
    if sorted(order) != list(_py_range(rank_)):
        raise blame.invalid(f"perm {perm} is no permutation of {rank_} axes", "transpose")
    return _transpose.fast(order)(x)


@primitive
def _broadcast_to(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Any:
    own = [1 if e == 1 else t for e, t in zip(reversed(x.shape), reversed(shape), strict=False)]
    want = (*x.shape[: x.rank - len(own)], *reversed(own))
    unify = getattr(b, "unify", lambda y, z: False)
    if all(e == t or unify(t, e) for e, t in zip(x.shape, want, strict=True)):
        x = retype(b, x, want)
    return broadcast_to(b, x, shape)


def broadcast_to_shape(input: Any, shape: Any, name: Any = None) -> Any:
    """`input` repeated along axes of extent 1 and new axes in front."""
    return _broadcast_to(operand("broadcast_to", input), static=(_shape(shape, "broadcast_to"),))


@primitive
def _reverse(b: Builder, x: Value, axes: tuple[int, ...]) -> Any:
    return b.emit(ir.Reverse(x, axes))


def reverse(tensor: Any, axis: Any, name: Any = None) -> Any:
    """The elements of the given axes from last to first."""
    x = operand("reverse", tensor)
    given = axis if isinstance(axis, list | tuple) else [axis]
    axes = tuple(sorted(_axis(a, len(x.shape), "reverse") for a in given))
    if len(set(axes)) != len(axes):
        raise blame.invalid(f"axes {tuple(given)} name an axis twice", "reverse")
    return _reverse.fast(axes)(x) if axes else x


# Joining.


@primitive
def _concat(b: Builder, *values_axis: Any) -> Any:
    *values, axis = values_axis
    fitted = _joinable(b, "concat", values, axis)
    if fitted is None:
        raise OpError("concat: Dimensions of inputs should match")
    return b.emit(ir.Concat(tuple(fitted), axis))


def _joinable(b: Builder, name: str, values: Any, axis: int | None) -> list[Value] | None:
    """The values with the same dtype, and the same shape but for `axis`."""
    first = values[0]
    if any(v.dtype is not first.dtype for v in values):
        raise OpError(f"{name}: all tensors must have the same dtype", "dtype")
    if any(v.rank != first.rank for v in values):
        return None
    return same_extents(b, values, [i for i in _py_range(first.rank) if i != axis])


def concat(values: Any, axis: Any, name: Any = None) -> Any:
    """The tensors one after another along `axis`.

    >>> import tfc as tf
    >>> print(tf.concat([[1, 2], [3]], 0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Held):
        values = [values]
    hint = next((v.dtype for v in values if isinstance(v, Held)), None)  # type: ignore
    tensors = [operand("concat", v, dtype_hint=hint) for v in values]
    if not tensors:
        raise blame.value_error("there must be at least one tensor", "concat")
    if len(tensors[0].shape) == 0:
        raise blame.invalid("scalars cannot be joined (use stack)", "concat")
    return _concat.fast(_axis(axis, len(tensors[0].shape), "concat"))(*tensors)


@primitive
def _stack(b: Builder, *values_axis: Any) -> Any:
    *values, axis = values_axis
    fitted = _joinable(b, "stack", values, None)
    if fitted is None:
        raise OpError("stack: Shapes of all inputs must match")
    parts = []
    for v in fitted:
        parts.append(b.emit(ir.Reshape(v, (*v.shape[:axis], 1, *v.shape[axis:]))))
    return b.emit(ir.Concat(tuple(parts), axis))


def stack(values: Any, axis: int = 0, name: Any = None) -> Any:
    """The tensors side by side along a new axis."""
    hint = next((v.dtype for v in values if isinstance(v, Held)), None)  # type: ignore
    tensors = [operand("stack", v, dtype_hint=hint) for v in values]
    if not tensors:
        raise blame.value_error("there must be at least one tensor", "stack")
    return _stack.fast(_axis(axis, len(tensors[0].shape) + 1, "stack"))(*tensors)


def unstack(value: Any, num: int | None = None, axis: int = 0, name: Any = None) -> list[Any]:
    """The slices along `axis`, without this axis; `num` says how many there are, where this is
    unknown while tracing."""
    x = operand("unstack", value)
    extents = extents_of(x)
    place = _axis(axis, len(extents), "unstack")
    count = extents[place]
    if num is not None:
        number = _integer(num, "num", "unstack")
        if isinstance(count, int) and count != number:
            raise blame.value_error(f"expected num = {number} slices, there are {count}", "unstack")
        _require_equal(count, number)
        count = number
    if not isinstance(count, int):
        raise blame.value_error(
            f"Cannot infer argument `num` from shape {x.shape}: the extent of the axis is unknown "
            "while tracing",
            "unstack",
        )
    size = tuple(1 if i == place else e for i, e in enumerate(extents))
    rest = (*extents[:place], *extents[place + 1 :])
    parts = []
    for k in _py_range(count):
        begin = tuple(k if i == place else 0 for i in _py_range(len(extents)))
        parts.append(_sliced(x, begin, size, (1,) * len(extents), (), rest))
    return parts


def split(
    value: Any, num_or_size_splits: Any, axis: int = 0, num: Any = None, name: Any = None
) -> list[Any]:
    """Parts along `axis`: a number of equal ones, or ones of the given sizes (one may be -1)."""
    x = operand("split", value)
    place = _axis(axis, len(x.shape), "split")
    extent = extents_of(x)[place]
    given: Any = num_or_size_splits
    if isinstance(given, Held | np.integer | np.ndarray) and not np.ndim(given):  # type: ignore[arg-type]
        num_or_size_splits = _integer(num_or_size_splits, "num_or_size_splits", "split")
    if isinstance(num_or_size_splits, int):
        if num_or_size_splits < 1:
            raise blame.invalid(f"into {num_or_size_splits} parts", "split")
        if isinstance(extent, int) and extent % num_or_size_splits:
            raise blame.invalid(
                f"Dimension size {extent} must be evenly divisible by {num_or_size_splits}", "split"
            )
        one = floordiv(extent, num_or_size_splits)
        _require_equal(one * num_or_size_splits, extent)
        sizes: list[Any] = [one] * num_or_size_splits
    else:
        sizes = list(as_extents(num_or_size_splits, "split"))
        if -1 in sizes:
            rest = sum(s for s in sizes if s != -1)
            sizes[sizes.index(-1)] = extent - rest
        if any(isinstance(s, int) and s < 0 for s in sizes) or (
            sum(sizes) != extent and not isinstance(sum(sizes) - extent, Expr)
        ):
            raise blame.invalid(f"sizes {sizes} do not add up to {extent}", "split")
        _require_equal(sum(sizes), extent)
        for s in sizes:
            _require(s)
    parts, start = [], 0
    for s in sizes:
        begin = tuple(start if i == place else 0 for i in _py_range(len(x.shape)))
        want = tuple(s if i == place else e for i, e in enumerate(extents_of(x)))
        parts.append(_sliced(x, begin, want, (1,) * len(begin), (), want))
        start = start + s
    return parts


def tile(input: Any, multiples: Any, name: Any = None) -> Any:
    """`input` repeated multiples[i] times along axis i."""
    x = operand("tile", input)
    times = _shape(multiples, "tile")
    extents = extents_of(x)
    if len(times) != len(extents):
        raise blame.invalid(f"expected {len(extents)} multiples, got {len(times)}", "tile")
    between: list[Extent] = []
    for t, e in zip(times, extents, strict=True):
        between += [t, e]
    dims = tuple(2 * i + 1 for i in _py_range(len(extents)))
    whole = Sizes(t * e for t, e in zip(times, extents, strict=True))
    return _tile(x, static=(Sizes(between), whole, dims))


@primitive
def _tile(b: Builder, x: Value, between: Any, whole: Any, dims: tuple[int, ...]) -> Any:
    return b.emit(ir.Reshape(b.emit(ir.Broadcast(x, between, dims)), whole))


# Indexing.


def _sliced(x: Any, begin: Any, size: Any, strides: Any, reversed_: Any, shape_: Any) -> Any:
    extents = extents_of(x)
    if begin == (0,) * len(extents) and size == extents and not reversed_:
        return _reshape(x, static=(Sizes(shape_),)) if shape_ != extents else x
    static = (Sizes(begin), Sizes(size), tuple(strides), tuple(reversed_), Sizes(shape_))
    return _slice(x, static=static)


@primitive
def _slice(
    b: Builder, x: Value, begin: Any, size: Any, strides: Any, reversed_: Any, shape_: Any
) -> Any:
    x = b.emit(ir.Slice(x, begin, size, strides))
    if reversed_:
        x = b.emit(ir.Reverse(x, reversed_))
    return x if x.shape == shape_ else b.emit(ir.Reshape(x, shape_))
