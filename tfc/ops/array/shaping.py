"""Shapes of tensors: asking for them, changing them, repeating."""

from __future__ import annotations

import builtins
from itertools import pairwise
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import DType, as_dtype, int32, int64
from tfc.ir.extent import Expr, Extent, floordiv, product

from ...core import above, blame, errors
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Held, SymbolicTensor, Tensor, wrap
from ...core.types import AxisLike, DTypeLike, ShapeLike, TensorLike
from ...dispatch.known import is_unknown, known_elements
from ...dispatch.primitive import Sizes, broadcast_to, primitive, retype
from ..arguments import flag
from ..extents import (
    _axis,
    _require_equal,
    _shape,
    as_extents,
    extents_of,
)
from . import conversion

_py_range = builtins.range


@primitive
def _extent_vector(b: Builder, shape: tuple[Extent, ...], dtype: DType) -> Value:
    parts = []
    for extent in shape:
        scalar = b.emit(ir.Cast(b.emit(ir.ExtentOf(extent)), dtype))
        parts.append(b.emit(ir.Reshape(scalar, (1,))))
    if not parts:
        return b.emit(ir.Constant(dtype.zeros((0,))))
    return b.emit(ir.Concat(tuple(parts), 0))


def shape(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """The extents as a vector; what is unknown while tracing is known when it runs.

    Args:
        input: A tensor, or what becomes one.
        out_type: The dtype of the extents: int32 or int64.

    Returns:
        A vector of integers, one for each axis.

    >>> import tfc as tf
    >>> print(tf.shape([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    return shape_of(extents_of(operand("shape", input)), as_dtype(out_type))


def shape_of(extents: tuple[Extent, ...], kind: DType = int64) -> Tensor:
    """A vector of these extents."""
    if all(isinstance(e, int) for e in extents):
        return wrap(np.array(extents, dtype=kind.numpy))
    result = _extent_vector(static=(Sizes(extents), kind))
    result._extents = extents
    return result


def size(input: TensorLike, out_type: DTypeLike = int32, name: str | None = None) -> Tensor:
    """The number of elements, as a scalar.

    Args:
        input: A tensor, or what becomes one.
        out_type: The dtype of the number: int32 or int64.

    Returns:
        A scalar integer.

    >>> import tfc as tf
    >>> print(tf.size([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(6, shape=(), dtype=int32)
    """
    total = product(extents_of(operand("size", input)))
    if isinstance(total, int):
        return wrap(np.array(total, dtype=as_dtype(out_type).numpy))
    vector = _extent_vector(static=(Sizes((total,)), as_dtype(out_type)))
    result = reshape(vector, [])
    assert isinstance(result, SymbolicTensor)  # extents that are no numbers are those of a trace
    result._extents = total
    return result


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of axes, as an int32 scalar.

    Args:
        input: A tensor, or what becomes one.

    Returns:
        An int32 scalar.

    >>> import tfc as tf
    >>> print(tf.rank([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return wrap(np.array(len(operand("rank", input).shape), dtype=np.int32))


@primitive
def _reshape(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Value:
    return x if x.shape == shape else b.emit(ir.Reshape(x, shape))


@primitive
def _filled(b: Builder, shape: Value, sizes: tuple[Extent, ...]) -> Value:
    """A shape that run time knows, with what is left in the place of -1."""
    wide = Term(b, b.emit(ir.Cast(shape, int64)))
    hole = wide.equal(-1)
    given = where(hole, wide.const(1), wide).value
    others = Term(b, b.emit(ir.ReduceProd(given, tuple(_py_range(shape.rank)))))
    rest = Term(b, b.emit(ir.ExtentOf(sizes[0]))) // where(others.equal(0), others.const(1), others)
    return where(hole, Term(b, broadcast_to(b, rest.value, shape.shape)), wide).value


def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The elements in row-major order under another shape; one extent may be -1.

    Args:
        tensor: A tensor of any dtype.
        shape: The extents: a list, or a vector of integers, of which one may be -1, which stands
            for what is left.

    Returns:
        A tensor of the same elements and dtype; its memory is shared.

    Raises:
        InvalidArgumentError: If the number of elements would be another (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.reshape([1, 2, 3, 4, 5, 6], [2, -1]).shape
    TensorShape([2, 3])
    """
    x = operand("reshape", tensor)
    extents = extents_of(x)
    have = product(extents)
    if isinstance(shape, SymbolicTensor) and shape._extents is None and shape.dtype.is_integer:
        shape = _filled(shape, static=(Sizes((have,)),))
    want = list(as_extents(shape, "reshape"))
    holes = [i for i, e in enumerate(want) if e == -1]
    problem = f"Input to reshape is a tensor with {have} values, but the requested shape "
    if len(holes) > 1:
        two = f"Only one input size may be -1, not both {holes[0]} and {holes[1]}"
        raise blame.invalid(two, "reshape")
    if holes:
        rest = product(e for e in want if e != -1)
        if rest == have == 0:  # of nothing, as if extents of 0 were not there
            filled, others = (product(e for e in s if e not in (0, -1)) for s in (extents, want))
            want[holes[0]] = floordiv(filled, others)
        elif rest == 0 or (isinstance(have, int) and isinstance(rest, int) and have % rest):
            more = f"requires a multiple of {rest}: it is {want}"
            raise blame.invalid(problem + more, "reshape")
        else:
            want[holes[0]] = floordiv(have, rest)
    if have != product(want):
        for i, e in enumerate(want):
            if isinstance(e, int) and e < 0:
                raise blame.invalid(f"Size {i} must be non-negative, not {e}", "reshape")
        if not isinstance(have - product(want), Expr):
            more = f"has {product(want)}: it is {want}"
            raise blame.invalid(problem + more, "reshape")
        _require_equal(have, product(want))
    return _reshape(x, static=(_shape(want, "reshape"),))


def expand_dims(input: TensorLike, axis: int, name: str | None = None) -> Tensor:
    """A new axis of extent 1 at `axis` of the result; -1 is behind the others.

    Args:
        input: A tensor of any dtype.
        axis: Where the new axis stands in the result, from -(rank + 1) to rank.

    Returns:
        A tensor of the same elements, of one rank more.

    Raises:
        InvalidArgumentError: If the axis is out of range (ValueError while tracing).

    >>> import tfc as tf
    >>> x = tf.zeros([2, 3])
    >>> tf.expand_dims(x, 0).shape, tf.expand_dims(x, -1).shape
    (TensorShape([1, 2, 3]), TensorShape([2, 3, 1]))
    """
    x = operand("expand_dims", input)
    extents = extents_of(x)
    if is_unknown(axis):
        along: Tensor = above.inserted_at(expand_dims(x, -1), axis, "expand_dims")
        return along
    text = f"Tried to expand dim index {{axis}} for tensor with {len(extents)} dimensions."
    place = _axis(axis, len(extents) + 1, "expand_dims", text)
    return _reshape(x, static=(Sizes((*extents[:place], 1, *extents[place:])),))


def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """Without the axes of extent 1, or without those that `axis` names, which must be of extent 1.

    Args:
        input: A tensor of any dtype.
        axis: The axes to drop, a number or a list; None, or an empty list: all of extent 1.

    Returns:
        A tensor of the same elements, without these axes.

    Raises:
        InvalidArgumentError: If an axis has another extent than 1 (ValueError while tracing).

    >>> import tfc as tf
    >>> x = tf.zeros([1, 2, 1, 3])
    >>> tf.squeeze(x).shape, tf.squeeze(x, axis=-2).shape
    (TensorShape([2, 3]), TensorShape([1, 2, 3]))
    """
    x = operand("squeeze", input)
    extents = extents_of(x)
    if axis is None or (isinstance(axis, list | tuple | range) and not axis):
        if not all(isinstance(e, int) for e in extents):
            raise blame.unknown_extent("needs the axis where an extent is unknown", "squeeze")
        gone = [i for i, e in enumerate(extents) if e == 1]
    else:
        if isinstance(axis, Held) and len(axis.shape):
            axis = _known_axes(axis, "squeeze")
        given = axis if isinstance(axis, list | tuple | range) else [axis]
        text = "Tried to squeeze dim index {axis} for tensor with {rank} dimensions."
        gone = [_axis(a, len(extents), "squeeze", text) for a in given]
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
def _transpose(b: Builder, x: Value, perm: tuple[int, ...], conjugate: bool) -> Value:
    return b.emit(ir.Transpose(Term(b, x).conj().value if conjugate else x, perm))


def transpose(
    a: TensorLike, perm: TensorLike | None = None, conjugate: bool = False, name: str | None = None
) -> Tensor:
    """Axis i of the result is axis perm[i] (None: all axes in reverse); with `conjugate`, of the
    conjugate.

    Args:
        a: A tensor of any dtype.
        perm: A permutation of the axes; None reverses their order.
        conjugate: Whether complex numbers are conjugated, too.

    Returns:
        A tensor whose axis i is axis perm[i] of `a`.

    Raises:
        InvalidArgumentError: If `perm` is no permutation of the axes (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.transpose([[1, 2, 3], [4, 5, 6]]))
    tf.Tensor(
    [[1 4]
     [2 5]
     [3 6]], shape=(3, 2), dtype=int32)
    """
    x = operand("transpose", a)
    rank_ = len(x.shape)
    if isinstance(perm, list | tuple) and any(isinstance(p, SymbolicTensor) for p in perm):
        perm = operand("transpose", perm)  # of scalars, some of which a function computes
    if perm is None:
        order = tuple(reversed(_py_range(rank_)))
    else:
        given = known_elements(perm) if isinstance(perm, SymbolicTensor) else perm
        if given is None:  # it is computed in the function that is traced
            moved: Tensor = above.transposed_by(x, perm)
            own = tuple(_py_range(rank_))
            return _transpose.fast(own, True)(moved) if conjugate else moved
        try:
            numbers = np.asarray(given)
        except ValueError:  # lists of several lengths
            raise blame.invalid(f"perm {shown(perm)} is no permutation", "transpose") from None
        if numbers.ndim != 1 or len(numbers) != rank_:
            kind = f"a vector of size {len(numbers)}" if numbers.ndim == 1 else "no vector"
            raise blame.invalid(
                f"transpose expects a vector of size {rank_}. But input(1) is {kind}: perm "
                f"{shown(given)}",
                "transpose",
            )
        text = "{axis} is out of range [0 .. {rank})"
        order = tuple(_axis(p, rank_, "transpose", text) for p in numbers.tolist())
    if sorted(order) != list(_py_range(rank_)):
        gone = min(set(_py_range(rank_)) - set(order))
        raise blame.invalid(
            f"{gone} is missing from {{{','.join(map(str, order))}}}: perm {shown(perm)} is no "
            f"permutation of {rank_} axes",
            "transpose",
        )
    return _transpose.fast(order, flag(conjugate, "conjugate", "transpose"))(x)


@primitive
def _broadcast_to(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Value:
    own = [1 if e == 1 else t for e, t in zip(reversed(x.shape), reversed(shape), strict=False)]
    want = (*x.shape[: x.rank - len(own)], *reversed(own))
    unify = getattr(b, "unify", lambda y, z: False)
    if all(e == t or unify(t, e) for e, t in zip(x.shape, want, strict=True)):
        x = retype(b, x, want)
    return broadcast_to(b, x, shape)


def broadcast_to_shape(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """`input` repeated along axes of extent 1 and new axes in front. A shape that it does not
    broadcast to is an InvalidArgumentError.

    Args:
        input: A tensor of any dtype.
        shape: The extents to broadcast to.

    Returns:
        A tensor of that shape and the dtype of `input`.

    Raises:
        InvalidArgumentError: If the shape is none that `input` broadcasts to (ValueError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.broadcast_to([[1], [2]], [2, 3]))
    tf.Tensor(
    [[1 1 1]
     [2 2 2]], shape=(2, 3), dtype=int32)
    """
    x, want = operand("broadcast_to", input), _shape(shape, "broadcast_to")
    try:
        return _broadcast_to(x, static=(want,))
    except (errors.InvalidArgumentError, ValueError):
        _refuse_broadcast(extents_of(x), want)
        raise


def _refuse_broadcast(own: tuple[Extent, ...], want: tuple[Extent, ...]) -> None:
    """Say why a shape does not broadcast to another one, where that is known."""
    if len(own) > len(want):
        raise blame.invalid(
            f"Rank of input ({len(own)}) must be no greater than rank of output shape "
            f"({len(want)}).",
            "broadcast_to",
        ) from None
    for e, t in zip(reversed(own), reversed(want), strict=False):
        if isinstance(e, int) and isinstance(t, int) and e not in (1, t):
            left, right = (",".join(map(str, s)) for s in (own, want))
            text = f"Incompatible shapes: [{left}] vs. [{right}]"
            raise blame.invalid(text, "broadcast_to") from None


@primitive
def _reverse(b: Builder, x: Value, axes: tuple[int, ...]) -> Value:
    return b.emit(ir.Reverse(x, axes))


def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The elements along the given axes (a list of numbers) from last to first.

    Args:
        tensor: A tensor of any dtype.
        axis: A list of axes, or a tensor of them that is known while tracing.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        InvalidArgumentError: If an axis is not there (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.reverse([[1, 2, 3], [4, 5, 6]], axis=[1]))
    tf.Tensor(
    [[3 2 1]
     [6 5 4]], shape=(2, 3), dtype=int32)
    """
    x = operand("reverse", tensor)
    if is_unknown(axis) and axis.shape.num_elements() == 1:

        def last(tensors: Any) -> Tensor:
            return reverse(tensors[0], [-1])

        result: Tensor = above.applied_along(last, [x], reshape(axis, []), "reverse")
        return result
    if isinstance(axis, Held):
        axis = _known_axes(axis, "reverse")
    given = axis if isinstance(axis, list | tuple | range) else [axis]
    text = f"'axis' = {{axis}} is out of valid range [0, {len(x.shape) - 1}]"
    axes = tuple(sorted(_axis(a, len(x.shape), "reverse", text) for a in given))
    for a, b in pairwise(axes):
        if a == b:
            raise blame.invalid(f"axis {a} specified more than once.", "reverse")
    return _reverse.fast(axes)(x) if axes else conversion.identity(x)


def _known_axes(axis: Any, op: str) -> list[int]:
    """Axes that a tensor names; an error where no value is known while tracing."""
    numbers = conversion.get_static_value(axis)
    if numbers is None:
        raise blame.unknown_value(
            "the axes must be known while a function is traced, and these are computed in it: give "
            "Python numbers, or make them from numbers alone",
            op,
            axis,
        )
    return [int(n) for n in np.reshape(numbers, [-1])]


def tile(input: TensorLike, multiples: Any, name: str | None = None) -> Tensor:
    """`input` repeated multiples[i] times along axis i, as a whole (`repeat` repeats elements).

    Args:
        input: A tensor of any dtype.
        multiples: How often along each axis: as many integers as `input` has axes; they may be
            computed while tracing.

    Returns:
        A tensor whose extents are multiples[i] * input.shape[i].

    Raises:
        InvalidArgumentError: If there is not one number for each axis (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.tile([[1, 2]], [2, 3]))
    tf.Tensor(
    [[1 2 1 2 1 2]
     [1 2 1 2 1 2]], shape=(2, 6), dtype=int32)
    """
    x = operand("tile", input)
    try:
        times = _shape(multiples, "tile")
    except (errors.InvalidArgumentError, ValueError):
        for i, t in enumerate(as_extents(multiples, "tile")):
            if isinstance(t, int) and t < 0:
                text = f"Expected multiples[{i}] >= 0, but got {t}"
                raise blame.invalid(text, "tile") from None
        raise
    extents = extents_of(x)
    if len(times) != len(extents):
        raise blame.invalid(
            f"Expected multiples argument to be a vector of length {len(extents)} but got length "
            f"{len(times)}",
            "tile",
        )
    between: list[Extent] = []
    for t, e in zip(times, extents, strict=True):
        between += [t, e]
    dims = tuple(2 * i + 1 for i in _py_range(len(extents)))
    whole = Sizes(t * e for t, e in zip(times, extents, strict=True))
    return _tile(x, static=(Sizes(between), whole, dims))


@primitive
def _tile(b: Builder, x: Value, between: Any, whole: Any, dims: tuple[int, ...]) -> Value:
    return b.emit(ir.Reshape(b.emit(ir.Broadcast(x, between, dims)), whole))


# Indexing.


def _sliced(x: Any, begin: Any, size: Any, strides: Any, reversed_: Any, shape_: Any) -> Tensor:
    extents = extents_of(x)
    if begin == (0,) * len(extents) and size == extents and not reversed_:
        return _reshape(x, static=(Sizes(shape_),)) if shape_ != extents else conversion.identity(x)
    static = (Sizes(begin), Sizes(size), tuple(strides), tuple(reversed_), Sizes(shape_))
    return _slice(x, static=static)


@primitive
def _slice(
    b: Builder, x: Value, begin: Any, size: Any, strides: Any, reversed_: Any, shape_: Any
) -> Value:
    x = b.emit(ir.Slice(x, begin, size, strides))
    if reversed_:
        x = b.emit(ir.Reverse(x, reversed_))
    return x if x.shape == shape_ else b.emit(ir.Reshape(x, shape_))
