"""Joining tensors and taking them apart: concat, stack, unstack, split."""

from __future__ import annotations

import builtins
from itertools import pairwise
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Expr, floordiv

from ...core import above, blame
from ...core.context import active, context
from ...core.conversion import is_python, operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import AxisLike, TensorLike
from ...dispatch.known import is_unknown
from ...dispatch.primitive import primitive, same_extents
from ..extents import (
    _axis,
    _integer,
    _require,
    _require_equal,
    as_extents,
    extents_of,
    known_extents,
)
from .shaping import _sliced

_py_range = builtins.range

_OPERANDS_MAX = 32  # that are joined by one program: it takes LLVM a second to compile


@primitive
def _concat(b: Builder, *values_axis: Any) -> Value:
    *values, axis = values_axis
    fitted = _joinable(b, "concat", values, axis)
    if fitted is None:
        raise OpError(f"concat: Dimensions of inputs should match{_mismatch(values, axis)}")
    return b.emit(ir.Concat(tuple(fitted), axis))


def _mismatch(values: list[Value], axis: int) -> str:
    """Which axes of tensors keep them from being joined along `axis`."""
    first = values[0]
    for i, v in enumerate(values):
        if v.rank != first.rank:
            return (
                f": input {i} has rank {v.rank}, and input 0 has rank {first.rank}. Ranks of all "
                f"input tensors should match: shape[0] = {_listed(first)} vs. shape[{i}] = "
                f"{_listed(v)}"
            )
        for other, (e, want) in enumerate(zip(v.shape, first.shape, strict=True)):
            if other != axis and e != want:
                return (
                    f" but for axis {axis}: axis {other} of input {i} has {e} elements, and of "
                    f"input 0 {want}. Dimension {other} in both shapes must be equal: shape[0] = "
                    f"{_listed(first)} vs. shape[{i}] = {_listed(v)}"
                )
    return ""


def _listed(v: Value) -> str:
    """A shape, written as TensorFlow's kernels do."""
    return f"[{','.join(map(str, v.shape))}]"


def _joinable(b: Builder, name: str, values: Any, axis: int | None) -> list[Value] | None:
    """The values with the same dtype, and the same shape but for `axis`."""
    first = values[0]
    if any(v.dtype is not first.dtype for v in values):
        raise OpError(f"{name}: all tensors must have the same dtype", "dtype")
    if any(v.rank != first.rank for v in values):
        return None
    return same_extents(b, values, [i for i in _py_range(first.rank) if i != axis])


def _joined(first: Any, then: Any, tensors: list[Any]) -> Tensor:
    """Many tensors are joined in groups by `first`, and these by `then`: code is written for each
    operand of a program, and one of a thousand would take half a minute to compile. In a function
    they are joined at once, as one kernel computes all that goes into them."""
    join = first
    while len(tensors) > _OPERANDS_MAX and context.trace is None:
        groups = -(-len(tensors) // _OPERANDS_MAX)
        ends = [len(tensors) * i // groups for i in _py_range(groups + 1)]  # two lengths at most
        tensors = [join(*tensors[a:b]) for a, b in pairwise(ends)]
        join = then
    result: Tensor = join(*tensors)
    return result


def concat(values: Any, axis: AxisLike, name: str | None = None) -> Tensor:
    """The tensors one after another along `axis`.

    Args:
        values: A list of tensors of one dtype and rank, whose other axes have equal extents.
        axis: The axis; negative ones count from the last.

    Returns:
        A tensor whose extent along `axis` is the sum of theirs.

    Raises:
        InvalidArgumentError: If the other extents differ or the axis is not there (ValueError while
            tracing), or the dtypes differ (TypeError).

    >>> import tfc as tf
    >>> print(tf.concat([[1, 2], [3]], 0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Held):
        values = [values]
    if isinstance(values, int | np.integer):
        raise blame.type_error(
            f"values must be a list of tensors, got {values}: write tf.concat(values, axis)",
            "concat",
        )
    hint = next((v.dtype for v in values if isinstance(v, Held)), None)
    tensors = [operand("concat", v, dtype_hint=hint) for v in values]
    if not tensors:
        raise blame.value_error("there must be at least one tensor", "concat")
    if len(tensors[0].shape) == 0:
        raise blame.invalid("Can't concatenate scalars (use tf.stack instead)", "concat")
    if is_unknown(axis):
        result: Tensor = above.applied_along(
            lambda parts: concat(parts, -1), tensors, axis, "concat"
        )
        return result
    if isinstance(axis, list | tuple) and len(axis) == 1:
        (axis,) = axis
    text = "Expected concatenating dimensions in the range [-{rank}, {rank}), but got {axis}"
    join = _concat.fast(_axis(axis, len(tensors[0].shape), "concat", text))
    joined = _joined(join, join, tensors)
    if isinstance(joined, SymbolicTensor) and joined.dtype.is_integer:
        parts = [known_extents(t) for t in tensors]
        if None not in parts:  # what is made of shapes may be one
            joined._extents = tuple(e for part in parts if part is not None for e in part)
    return joined


@primitive
def _stack(b: Builder, *values_axis: Any) -> Value:
    *values, axis = values_axis
    fitted = _joinable(b, "stack", values, None)
    if fitted is None:
        other = next((i for i, v in enumerate(values) if v.shape != values[0].shape), 0)
        shapes = _listed(values[0]), _listed(values[other])
        raise OpError(
            f"stack: Shapes of all inputs must match: values[0].shape = {shapes[0]} != "
            f"values[{other}].shape = {shapes[1]}"
        )
    parts = []
    for v in fitted:
        parts.append(b.emit(ir.Reshape(v, (*v.shape[:axis], 1, *v.shape[axis:]))))
    return b.emit(ir.Concat(tuple(parts), axis))


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The tensors side by side along a new axis. They must have one shape and dtype.

    Args:
        values: A list of tensors of one shape and dtype.
        axis: The place of the new axis in the result; -1 is the last.

    Returns:
        A tensor of one rank more, whose extent along `axis` is the length of the list.

    Raises:
        ValueError: If the axis is out of range.
        InvalidArgumentError: If shapes differ (ValueError while tracing), or the dtypes differ
            (TypeError).

    >>> import tfc as tf
    >>> print(tf.stack([[1, 2], [3, 4], [5, 6]], axis=1))
    tf.Tensor(
    [[1 3 5]
     [2 4 6]], shape=(2, 3), dtype=int32)
    """
    hint = next((v.dtype for v in values if isinstance(v, Held)), None)
    first = isinstance(axis, int) and not axis
    if first and isinstance(values, list | tuple) and values and is_python(values):
        return operand("stack", values)  # numbers, which have one dtype together
    tensors = [operand("stack", v, dtype_hint=hint) for v in values]
    if not tensors:
        return operand("stack", [])
    if is_unknown(axis):
        along: Tensor = above.inserted_at(stack(tensors, -1), axis, "stack")
        return along
    place = _argument_axis(axis, len(tensors[0].shape) + 1, "stack")
    return _joined(_stack.fast(place), _concat.fast(place), tensors)


def _argument_axis(axis: Any, rank: int, name: str) -> int:
    """An axis that Python code looks at before there is an op: a ValueError where it is none."""
    a = _integer(axis, "an axis", name)
    if not -rank <= a < rank:
        raise blame.value_error(f"Argument `axis` = {a} not in range [-{rank}, {rank})", name)
    return a % rank


def unstack(
    value: TensorLike, num: int | None = None, axis: int = 0, name: str | None = None
) -> list[Any]:
    """The slices along `axis`, without this axis; `num` says how many there are, where this is
    unknown while tracing.

    Args:
        value: A tensor of rank 1 or more.
        num: The extent of the axis; needed while tracing where it is not known.
        axis: The axis to take apart.

    Returns:
        A list of tensors of one rank less.

    Raises:
        ValueError: If the axis is not there, or its extent is not known and `num` not given.
        InvalidArgumentError: If `num` is not the extent (ValueError while tracing).

    >>> import tfc as tf
    >>> [row.numpy().tolist() for row in tf.unstack([[1, 2], [3, 4], [5, 6]], axis=1)]
    [[1, 3, 5], [2, 4, 6]]
    """
    x = operand("unstack", value)
    extents = extents_of(x)
    if is_unknown(axis):
        first = extents[0] if extents else None
        if num is None and not (isinstance(first, int) and len(set(extents)) == 1):
            raise blame.value_error(
                "only a call tells which axis it is, and the axes have other extents: give `num`",
                "unstack",
            )
        number = _integer(first if num is None else num, "num", "unstack")
        return unstack(above.moved_last(x, axis, "unstack"), number, -1)
    place = _argument_axis(axis, len(extents), "unstack")
    count = extents[place]
    if num is not None:
        number = _integer(num, "num", "unstack")
        if isinstance(count, int) and count != number:
            shape = ",".join(map(str, extents))
            raise blame.invalid(
                f"Input shape axis {place} must equal {number}, got shape [{shape}]", "unstack"
            )
        _require_equal(count, number)
        count = number
    if not isinstance(count, int):
        raise blame.value_error(
            f"Cannot infer argument `num` from shape {x.shape}: the extent of the axis is unknown "
            "while tracing",
            "unstack",
        )
    if context.trace is None and context.tapes and count > 1 and x.dtype.is_inexact:
        return list(_apart(x, place, count))
    return _slices(x, place, count)


def _slices(x: Any, axis: int, count: int) -> list[Any]:
    """The slices of a tensor along an axis of this extent, which they do not have."""
    extents = extents_of(x)
    size = tuple(1 if i == axis else e for i, e in enumerate(extents))
    rest = (*extents[:axis], *extents[axis + 1 :])
    parts = []
    for k in _py_range(count):
        begin = tuple(k if i == axis else 0 for i in _py_range(len(extents)))
        parts.append(_sliced(x, begin, size, (1,) * len(extents), (), rest))
    return parts


def _apart(x: Any, axis: int, count: int) -> Any:
    """The same on a tape. The derivative puts the slices' cotangents beside each other, as that of
    a loop along them does: one by one, they would be a sum of `count` tensors of the size of x, in
    which a -0.0 is lost."""

    def apart(x: Any) -> Any:
        with active(tapes=()):
            parts = _slices(x, axis, count)
        return tuple(parts), lambda *cotangents: stack(list(cotangents), axis)

    return above.custom_gradient(apart)(x)


def split(
    value: TensorLike,
    num_or_size_splits: Any,
    axis: int = 0,
    num: Any = None,
    name: str | None = None,
) -> list[Any]:
    """Parts along `axis`: a number of equal ones, or ones of the given sizes (one may be -1: what
    is left). Sizes that do not add up are an InvalidArgumentError.

    Args:
        value: A tensor of any dtype.
        num_or_size_splits: The number of equal parts, or a list of their extents.
        axis: The axis to cut.
        num: The number of parts; it follows from the sizes here, and is not needed.

    Returns:
        A list of tensors of the rank and dtype of `value`.

    Raises:
        InvalidArgumentError: If the extent is no multiple of the number, or the sizes do not add up
            to it (ValueError while tracing).

    >>> import tfc as tf
    >>> [part.numpy().tolist() for part in tf.split([1, 2, 3, 4, 5, 6], [1, -1, 2])]
    [[1], [2, 3, 4], [5, 6]]
    """
    x = operand("split", value)
    if is_unknown(axis):
        parts: list[Any] = above.applied_along(
            lambda xs: split(xs[0], num_or_size_splits, -1), [x], axis, "split"
        )
        return parts
    text = "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
    place = _axis(axis, len(x.shape), "split", text)
    extent = extents_of(x)[place]
    given: Any = num_or_size_splits
    if isinstance(given, Held | np.integer | np.ndarray) and not np.ndim(given):  # type: ignore[arg-type]
        num_or_size_splits = _integer(num_or_size_splits, "num_or_size_splits", "split")
    if isinstance(num_or_size_splits, int):
        if num_or_size_splits < 1:
            raise blame.invalid(
                f"Value for attr 'num_split' of {num_or_size_splits} must be at least minimum 1",
                "split",
            )
        if isinstance(extent, int) and extent % num_or_size_splits:
            raise blame.invalid(
                "Number of ways to split should evenly divide the split dimension, but got "
                f"split_dim {place} (size = {extent}) and num_split {num_or_size_splits}: "
                f"Dimension size {extent} must be evenly divisible by {num_or_size_splits}",
                "split",
            )
        one = floordiv(extent, num_or_size_splits)
        _require_equal(one * num_or_size_splits, extent)
        sizes: list[Any] = [one] * num_or_size_splits
    else:
        sizes = list(as_extents(num_or_size_splits, "split"))
        if sizes.count(-1) > 1:
            raise blame.invalid("There can only be one -1 in the input.", "split")
        if num is not None and _integer(num, "num", "split") != len(sizes):
            raise blame.invalid(
                f"size of the split_tensor must be 1-D and have the same elements as outputs got "
                f"1 -D and {len(sizes)} elements, and num = {num}",
                "split",
            )
        if -1 in sizes:
            rest = sum(s for s in sizes if s != -1)
            sizes[sizes.index(-1)] = extent - rest
        if any(isinstance(s, int) and s < 0 for s in sizes) or (
            sum(sizes) != extent and not isinstance(sum(sizes) - extent, Expr)
        ):
            raise blame.invalid(
                "Determined shape must either match input shape along split_dim exactly if fully "
                "specified, or be less than the size of the input along split_dim if not fully "
                f"specified: sizes {sizes} do not add up to {extent}",
                "split",
            )
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


above.stack = stack
above.unstack = unstack
