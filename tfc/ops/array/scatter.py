"""Writing at computed places: `scatter_nd`, the `tensor_scatter_nd_*` functions, `dynamic_stitch`.

Updates are applied in their order, so that results do not depend on how they are computed; where
TensorFlow leaves the order open (an index that comes twice), the last update stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import int32, int64, string
from tfc.ir.extent import Extent, product

from ...core import blame, errors
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import ShapeLike, TensorLike
from ...dispatch.index_errors import placed, placed_row
from ...dispatch.primitive import Primitive, Sizes, measured, primitive, retype
from ..declare import Form, Function, op
from ..extents import _shape, extents_of
from ..math import arithmetic, reductions
from . import conversion
from .creation import fill, zeros
from .indexing import (
    chosen,
    fitted,
    ignores_bad_indices,
    index_depth,
    linear_index,
    require_extents,
    within,
)
from .joining import concat
from .shaping import reshape


def _rows(
    b: Builder, name: str, indices: Value, updates: Value, shape: tuple[Extent, ...], depth: int
) -> tuple[Value, Value, Extent]:
    """Linear indices and updates as rows, and how many rows a tensor of `shape` has then, for
    indices that name places in its first `depth` axes."""
    if depth > len(shape):
        raise OpError(
            f"{name}: Inner dimensions of output shape must match inner dimensions of updates "
            f"shape. The inner dimension of indices ({depth}) must be at most the rank "
            f"({len(shape)})"
        )
    outer = (*indices.shape[:-1], *shape[depth:])
    front = updates.shape[: indices.rank - 1]
    part = "Inner" if front == tuple(indices.shape[:-1]) else "Outer"
    problem = (
        f"{name}: {part} dimensions of indices and update must match: updates must have the shape "
        f"indices.shape[:-1] + shape[{depth}:]"
    )
    updates = fitted(b, updates, outer, problem)
    n = product(indices.shape[:-1])
    flat = b.emit(ir.Reshape(linear_index(b, name, indices, shape[:depth]), (n,)))
    rows = b.emit(ir.Reshape(updates, (n, *shape[depth:])))
    return flat, rows, product(shape[:depth])


@primitive
def _scatter_nd(
    b: Builder, indices: Value, updates: Value, depth: int, shape: tuple[Extent, ...]
) -> Value:
    flat, rows, count = _rows(b, "scatter_nd", indices, updates, shape, depth)
    return b.emit(ir.Reshape(b.emit(ir.ScatterAdd(flat, rows, count)), shape))


def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """Zeros of `shape`, with `updates` added at the places that the last axis of `indices` names.

    `updates` has the shape indices.shape[:-1] + shape[indices.shape[-1]:]. An index outside of its
    axis is an InvalidArgumentError.

    Args:
        indices: A tensor of integers, whose last axis has as many as name a place.
        updates: What is added there: shape indices.shape[:-1] + shape[indices.shape[-1]:].
        shape: The shape of the result.
        bad_indices_policy: What becomes of an index outside: "IGNORE" leaves its update out,
            "ERROR" (also "" and "DEFAULT") is an error.

    Returns:
        A tensor of that shape and the dtype of `updates`. Updates of equal places add up, in order;
        of strings the last stays.

    Raises:
        InvalidArgumentError: If an index is not within `shape`.

    >>> import tfc as tf
    >>> print(tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]))
    tf.Tensor([ 0 12  0  6], shape=(4,), dtype=int32)
    """
    places, values = operand("scatter_nd", indices), operand("scatter_nd", updates)
    depth = index_depth(places, "scatter_nd")
    if values.dtype.is_bool:  # True and True is True
        return conversion.cast(
            scatter_nd(places, conversion.cast(values, int32), shape, None, bad_indices_policy),
            values.dtype,
        )
    if values.dtype is string:  # which have no sum: of equal places the last stays
        return tensor_scatter_nd_update(fill(shape, ""), places, values)
    ignore = ignores_bad_indices(bad_indices_policy, "scatter_nd")
    sizes = _shape(shape, "scatter_nd")
    count = places.shape.num_elements()
    if count and 0 in sizes[:depth]:
        raise blame.invalid(
            f"Indices and updates specified for empty output.  indices shape: "
            f"[{','.join(map(str, extents_of(places)))}]",
            "scatter_nd",
        )
    if ignore:
        held, places = within(places, sizes[:depth])
        values = chosen(held, values)
    try:
        return _scatter_nd(places, values, static=(depth, sizes))
    except errors.InvalidArgumentError as error:
        raise placed_row(error, places, sizes, "shape") from None


def _tensor_scatter(
    b: Builder, x: Value, indices: Value, updates: Value, name: str, combine: str, depth: int
) -> Value:
    flat, rows, count = _rows(b, name, indices, updates, x.shape, depth)
    base = b.emit(ir.Reshape(x, (count, *rows.shape[1:])))
    return b.emit(ir.Reshape(b.emit(ir.Scatter(base, flat, rows, combine)), x.shape))


@cache
def _scatter_named(name: str) -> Primitive:
    return Primitive(_tensor_scatter, name)


def tensor_scatter(name: str, combine: str, tensor: Any, indices: Any, updates: Any) -> Tensor:
    """`tensor`, combined with `updates` at the places that the last axis of `indices` names."""
    return _scattered(_scatter_named(name), combine, tensor, indices, updates)


def _scattered(primitive: Primitive, combine: str, tensor: Any, indices: Any, updates: Any) -> Any:
    name = primitive.name
    x = operand(name, tensor)
    places, values = operand(name, indices), operand(name, updates, dtype_hint=x.dtype)
    if values.dtype is not x.dtype:
        raise blame.invalid_dtype(
            f"the updates must be of dtype {x.dtype.name}, got {values.dtype.name}", name
        )
    try:
        return primitive.fast(name, combine, index_depth(places, name))(x, places, values)
    except errors.InvalidArgumentError as error:
        raise placed_row(error, places, extents_of(x), "shape") from None


@primitive
def _dynamic_update_slice(b: Builder, x: Value, update: Value, starts: Value) -> Value:
    if starts.rank != 1:
        raise OpError("dynamic_update_slice: the indices must be a vector")
    return b.emit(ir.UpdateSlice(x, update, retype(b, starts, (x.rank,))))


def dynamic_update_slice(
    input: TensorLike, update: Any, indices: TensorLike, name: str | None = None
) -> Tensor:
    """A tensor with another one in the place of one of its slices. A slice that would leave it is
    moved back into it.

    It is what TensorFlow has as `raw_ops.XlaDynamicUpdateSlice`.

    Args:
        input: A tensor of any numeric dtype or bools.
        update: What takes the place of the slice: a tensor of the same rank and dtype, no larger
            than `input`.
        indices: A vector of integers, one an axis: where the slice begins.

    Returns:
        A tensor like `input`.

    Raises:
        InvalidArgumentError: If `update` is larger, or ranks do not fit (ValueError while tracing);
            if the dtypes differ or the indices are no integers (TypeError).

    >>> import tfc as tf
    >>> print(tf.experimental.dynamic_update_slice(tf.zeros([2, 4]), [[1.0, 2.0]], [1, 1]))
    tf.Tensor(
    [[0. 0. 0. 0.]
     [0. 1. 2. 0.]], shape=(2, 4), dtype=float32)
    """
    title = "dynamic_update_slice"
    x, starts = operand(title, input), operand(title, indices)
    rank, have = len(x.shape), extents_of(starts)
    if len(have) == 1 and isinstance(have[0], int) and have[0] != rank:
        raise blame.invalid(f"needs {rank} indices, one an axis, got {have[0]}", title)
    return _dynamic_update_slice.fast()(x, operand(title, update, dtype_hint=x.dtype), starts)


@primitive
def _scatter_rows(b: Builder, x: Value, indices: Value, updates: Value, combine: str) -> Value:
    (n,) = indices.shape
    problem = "scatter: there must be one update of the shape of a row for every index"
    updates = fitted(b, updates, (n, *x.shape[1:]), problem)
    return b.emit(ir.Scatter(x, indices, updates, combine))


def scatter_rows(x: Any, indices: Any, updates: Any, combine: str) -> Tensor:
    """x with row indices[i] combined with updates[i], for a vector of indices."""
    try:
        return _scatter_rows.fast(combine)(x, indices, updates)
    except errors.InvalidArgumentError as error:
        raise placed(error, indices) from None


def _combining(combine: str) -> Form:
    """Updates at indices are combined with a tensor in this way."""

    def of(primitive: Primitive) -> Function:
        def function(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
            return _scattered(primitive, combine, tensor, indices, updates)

        return function

    return Form(of)


@op(_tensor_scatter, _combining("update"))
def tensor_scatter_nd_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """`tensor` with `updates` in the place of the elements (or slices) at the places that the last
    axis of `indices` names, in their order: of equal indices the last stays.

    `updates` has the shape indices.shape[:-1] + tensor.shape[indices.shape[-1]:]. An index outside
    of its axis is an InvalidArgumentError.

    Args:
        tensor: A tensor of any dtype.
        indices: A tensor of integers, whose last axis has as many as name a place.
        updates: What is put there, of the dtype of `tensor`.

    Returns:
        A tensor of the shape and dtype of `tensor`.

    Raises:
        InvalidArgumentError: If an index is not within the shape.

    >>> import tfc as tf
    >>> print(tf.tensor_scatter_nd_update([1, 1, 1, 1], [[1], [3]], [5, 6]))
    tf.Tensor([1 5 1 6], shape=(4,), dtype=int32)
    >>> print(tf.tensor_scatter_nd_update([[1, 1], [1, 1]], [[1]], [[5, 6]]))  # a row
    tf.Tensor(
    [[1 1]
     [5 6]], shape=(2, 2), dtype=int32)
    """


@op(_tensor_scatter, _combining("add"))
def tensor_scatter_nd_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """`tensor` with `updates` added at the places that `indices` name, which are given as to
    `tensor_scatter_nd_update`; updates of equal indices add up.

    Args:
        tensor: A tensor of numbers.
        indices: A tensor of integers, whose last axis has as many as name a place.
        updates: What is added there, of the dtype of `tensor`.

    Returns:
        A tensor of the shape and dtype of `tensor`.

    Raises:
        InvalidArgumentError: If an index is not within the shape.

    >>> import tfc as tf
    >>> print(tf.tensor_scatter_nd_add([1, 1, 1, 1], [[1], [3], [1]], [5, 6, 7]))
    tf.Tensor([ 1 13  1  7], shape=(4,), dtype=int32)
    """


@op(_tensor_scatter, _combining("sub"))
def tensor_scatter_nd_sub(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A tensor with updates subtracted at some places.

    Args:
        tensor: A tensor of numbers.
        indices: A tensor of integers, whose last axis has as many as name a place of `tensor`.
        updates: A tensor of the dtype of `tensor` and the shape indices.shape[:-1] +
            tensor.shape[indices.shape[-1]:].

    Returns:
        A tensor like `tensor`.

    Raises:
        InvalidArgumentError: If an index is outside; if the shapes do not fit (ValueError while
            tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.tensor_scatter_nd_sub([9, 9, 9, 9], [[1], [3], [1]], [5, 6, 1]))
    tf.Tensor([9 3 9 3], shape=(4,), dtype=int32)
    """


@op(_tensor_scatter, _combining("min"))
def tensor_scatter_nd_min(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A tensor with updates at some places, where they are smaller than what is there.

    Args:
        tensor: A tensor of real numbers.
        indices: A tensor of integers, whose last axis has as many as name a place of `tensor`.
        updates: A tensor of the dtype of `tensor` and the shape indices.shape[:-1] +
            tensor.shape[indices.shape[-1]:].

    Returns:
        A tensor like `tensor`.

    Raises:
        InvalidArgumentError: If an index is outside; if the shapes do not fit (ValueError while
            tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.tensor_scatter_nd_min([4, 4, 4, 4], [[1], [3]], [5, 3]))
    tf.Tensor([4 4 4 3], shape=(4,), dtype=int32)
    """


@op(_tensor_scatter, _combining("max"))
def tensor_scatter_nd_max(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None
) -> Tensor:
    """A tensor with updates at some places, where they are larger than what is there.

    Args:
        tensor: A tensor of real numbers.
        indices: A tensor of integers, whose last axis has as many as name a place of `tensor`.
        updates: A tensor of the dtype of `tensor` and the shape indices.shape[:-1] +
            tensor.shape[indices.shape[-1]:].

    Returns:
        A tensor like `tensor`.

    Raises:
        InvalidArgumentError: If an index is outside; if the shapes do not fit (ValueError while
            tracing), or the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.tensor_scatter_nd_max([4, 4, 4, 4], [[1], [3]], [5, 3]))
    tf.Tensor([4 5 4 4], shape=(4,), dtype=int32)
    """


def dynamic_stitch(
    indices: Sequence[TensorLike], data: Sequence[TensorLike], name: str | None = None
) -> Tensor:
    """The slices of several tensors, put to where indices say: merged[indices[m][i, ...]] =
    data[m][i, ...], of which the last one stays.

    Args:
        indices: A list of tensors of integers.
        data: A list of as many tensors of one dtype, whose shapes begin with those of the indices
            and then are the same.

    Returns:
        A tensor [largest index + 1, ...] of that dtype. What no index names is 0.

    Raises:
        ValueError: If there are not as many indices as data.
        InvalidArgumentError: If an index is negative; if a shape does not begin with that of its
            indices, or what follows differs (ValueError while tracing); if a dtype is another one
            (TypeError).

    >>> import tfc as tf
    >>> print(tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]))
    tf.Tensor([10 20 30], shape=(3,), dtype=int32)
    """
    name = "dynamic_stitch"
    places = [operand(name, i) for i in indices]
    hint = next((v.dtype for v in data if isinstance(v, Held)), None)
    values = [operand(name, v, dtype_hint=hint) for v in data]
    if not places or len(places) != len(values):
        raise blame.value_error(
            f"List argument 'data' to 'dynamic_stitch' Op with length {len(values)} must match "
            f"length {len(places)} of argument 'indices'.",
            name,
        )
    rows: list[Tensor] = []
    rest = extents_of(values[0])[len(places[0].shape) :]
    for i, v in zip(places, values, strict=True):
        rank = len(i.shape)
        front, have = extents_of(v)[:rank], extents_of(i)
        if all(isinstance(e, int) for e in (*front, *have)) and front != have:
            shapes = [",".join(map(str, e)) for e in (extents_of(v), have)]
            raise blame.invalid(
                f"data[{len(rows)}].shape = [{shapes[0]}] does not start with "
                f"indices[{len(rows)}].shape = [{shapes[1]}]",
                name,
            )
        require_extents(i, front, name)
        if len(v.shape) - rank != len(rest):
            raise blame.invalid("the data must have the same shape behind their indices", name)
        rows.append(reshape(v, [product(extents_of(v)[:rank]), *extents_of(v)[rank:]]))
    flat = concat([reshape(i, [-1]) for i in places], 0)
    highest = arithmetic.maximum(reductions.reduce_max(flat), np.array(-1).astype(flat.dtype.numpy))
    total = measured(conversion.cast(highest, int64) + 1)
    merged = concat(rows, 0)
    base = zeros(Sizes((total, *extents_of(merged)[1:])), merged.dtype)
    return scatter_rows(base, flat, merged, "update")
