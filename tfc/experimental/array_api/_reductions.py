"""Reductions, scans, searching, sorting and sets of the array API standard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import tfc as tf
from tfc.core.tensor import Held, Tensor
from tfc.core.types import DTypeLike
from tfc.ir.dtypes import DType, as_dtype

from ._dtypes import promote
from ._manipulation import Axes, axes_of, from_end, take_along_axis


def _numeric(name: str, x: Tensor, kinds: str = "iufc") -> None:
    if not isinstance(x, Held):
        raise TypeError(f"{name} takes an array, got {type(x).__name__}")
    if x.dtype.kind not in kinds:
        raise TypeError(f"{name} is not defined for dtype {x.dtype.name}")


def _summed(x: Tensor, dtype: DTypeLike | None) -> DType:
    """The dtype of sums: small integers become 64 bits wide, as the default integer is."""
    if dtype is not None:
        return as_dtype(dtype)
    if x.dtype.is_integer:
        return tf.uint64 if x.dtype.is_unsigned else tf.int64
    return x.dtype


def _reduced(
    name: str, function: Callable[..., Tensor], x: Tensor, axis: Axes, keepdims: bool
) -> Tensor:
    return function(x, list(axes_of(axis, x.ndim, name)), keepdims)


def sum(
    x: Tensor, /, *, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The sum along `axis` (None: all). Integers are added in 64 bits."""
    _numeric("sum", x)
    return _reduced("sum", tf.reduce_sum, tf.cast(x, _summed(x, dtype)), axis, keepdims)


def prod(
    x: Tensor, /, *, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The product along `axis` (None: all). Integers are multiplied in 64 bits."""
    _numeric("prod", x)
    return _reduced("prod", tf.reduce_prod, tf.cast(x, _summed(x, dtype)), axis, keepdims)


def _extremum(
    name: str, function: Callable[..., Tensor], x: Tensor, axis: Axes, keepdims: bool
) -> Tensor:
    _numeric(name, x, "iuf")
    for a in axes_of(axis, x.ndim, name):
        if x.shape[a] == 0:
            raise ValueError(f"{name}: axis {a} of shape {x.shape} has no elements")
    return _reduced(name, function, x, axis, keepdims)


def max(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The largest along `axis` (None: all); nan if one is."""
    return _extremum("max", tf.reduce_max, x, axis, keepdims)


def min(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The smallest along `axis` (None: all); nan if one is."""
    return _extremum("min", tf.reduce_min, x, axis, keepdims)


def mean(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The mean along `axis` (None: all) of floats."""
    _numeric("mean", x, "fc")
    return _reduced("mean", tf.reduce_mean, x, axis, keepdims)


def var(
    x: Tensor, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """The sum of squared distances from the mean, divided by the count minus `correction`."""
    _numeric("var", x, "f")
    axes = list(axes_of(axis, x.ndim, "var"))
    if not correction:
        return tf.math.reduce_variance(x, axes, keepdims)
    count: Any = 1.0
    for a in axes:
        extent = x.shape[a]
        count *= tf.cast(tf.shape(x)[a], x.dtype) if extent is None else extent
    centred = x - tf.reduce_mean(x, axes, True)
    return tf.reduce_sum(tf.square(centred), axes, keepdims) / (count - correction)


def std(
    x: Tensor, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """The square root of the variance."""
    return tf.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def truth(x: Tensor) -> Tensor:
    """Whether each element is not 0."""
    return x if x.dtype.is_bool else tf.not_equal(x, tf.zeros([], x.dtype))


def all(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether all elements along `axis` (None: all) are true, or not 0."""
    return _reduced("all", tf.reduce_all, truth(x), axis, keepdims)


def any(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether an element along `axis` (None: all) is true, or not 0."""
    return _reduced("any", tf.reduce_any, truth(x), axis, keepdims)


def count_nonzero(x: Tensor, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """How many elements along `axis` (None: all) are not 0, as int64."""
    ones = tf.cast(truth(x), tf.int64)
    return _reduced("count_nonzero", tf.reduce_sum, ones, axis, keepdims)


def _place(
    name: str, function: Callable[..., Tensor], x: Tensor, axis: int | None, keepdims: bool
) -> Tensor:
    _numeric(name, x, "iuf")
    rank = x.ndim
    flat = axis is None
    if flat:
        x, axis = tf.reshape(x, [-1]), 0
    (a,) = axes_of(axis, x.ndim, name)
    found = function(x, a)
    if flat:
        return tf.reshape(found, [1] * rank) if keepdims else found
    return tf.expand_dims(found, a) if keepdims else found


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place of the first largest element along `axis` (None: of all), as int64."""
    return _place("argmax", tf.argmax, x, axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The place of the first smallest element along `axis` (None: of all), as int64."""
    return _place("argmin", tf.argmin, x, axis, keepdims)


def where(condition: Tensor, x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
    """x1 where the condition holds, else x2."""
    x1, x2 = promote(x1, x2)
    if not condition.dtype.is_bool:
        raise TypeError(f"where: the condition must be bool, got {condition.dtype.name}")
    return tf.where(condition, x1, x2)


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """The indices, axis by axis, of the elements that are not 0, in row-major order."""
    if x.ndim == 0:
        raise ValueError("nonzero needs at least one axis")
    found = tf.where(truth(x))
    return tuple(found[:, i] for i in range(x.ndim))


def _scan(
    name: str,
    function: Callable[..., Tensor],
    x: Tensor,
    axis: Axes,
    dtype: DTypeLike | None,
    initial: bool,
    one: int,
) -> Tensor:
    _numeric(name, x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{name}: `axis` is needed for rank {x.ndim}")
        axis = 0
    (a,) = axes_of(axis, x.ndim, name)
    x = tf.cast(x, _summed(x, dtype))
    result = function(x, axis=a)
    if not initial:
        return result
    edge = [1 if i == a else e for i, e in enumerate(x.shape)]
    return tf.concat([tf.fill(edge, tf.constant(one, x.dtype)), result], a)


def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """The sums of the elements up to and with each, along `axis`; `include_initial`: after a 0."""
    return _scan("cumulative_sum", tf.math.cumsum, x, axis, dtype, include_initial, 0)


def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """The products of the elements up to and with each, along `axis`; `include_initial`: after
    a 1."""
    return _scan("cumulative_prod", tf.math.cumprod, x, axis, dtype, include_initial, 1)


def diff(
    x: Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along `axis`, n times over."""
    _numeric("diff", x)
    (a,) = axes_of(axis, x.ndim, "diff")
    parts = [p for p in (prepend, x, append) if p is not None]
    x = tf.concat(promote(*parts), a) if len(parts) > 1 else x
    front: tuple[Any, ...] = (slice(None),) * a
    for _ in range(n):
        x = x[(*front, slice(1, None))] - x[(*front, slice(None, -1))]
    return x


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The elements in order along `axis`; nan comes last."""
    _numeric("sort", x, "iuf")
    places = argsort(x, axis=axis, descending=descending, stable=stable)
    return take_along_axis(x, places, axis=axis)


def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """The places of the elements in order along `axis`, as int64; equal ones keep their order."""
    _numeric("argsort", x, "iuf")
    (a,) = axes_of(axis, x.ndim, "argsort")
    direction = "DESCENDING" if descending else "ASCENDING"
    return tf.cast(tf.argsort(x, axis=a, direction=direction, stable=True), tf.int64)


def searchsorted(
    x1: Tensor | complex,
    x2: Tensor | complex,
    /,
    *,
    side: str = "left",
    sorter: Tensor | None = None,
) -> Tensor:
    """Where each element of x2 would go in the sorted vector x1 to keep it sorted, as int64."""
    x1, x2 = promote(x1, x2)
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', got {side!r}")
    if sorter is not None:
        x1 = tf.gather(x1, from_end(sorter, x1, 0))
    flat = tf.reshape(x2, [-1])
    found = tf.searchsorted(x1, flat, side=side, out_type=tf.int64)
    return tf.reshape(found, tf.shape(x2))


class UniqueAll(NamedTuple):
    """The unique values in order, where each is first, where each element's value is, how many."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """The unique values in order, and how many times each is there."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """The unique values in order, and for each element where its value is among them."""

    values: Tensor
    inverse_indices: Tensor


def unique_all(x: Tensor, /) -> UniqueAll:
    """The unique elements in order. Each nan counts as a value of its own."""
    shape = tf.shape(x)
    flat = tf.reshape(x, [-1])
    size = flat.shape[0]
    if size == 0:
        none = tf.zeros([0], tf.int64)
        return UniqueAll(flat, none, tf.zeros(shape, tf.int64), none)
    order = _order(flat)
    ordered = tf.gather(flat, order)
    start = tf.concat([tf.constant([True]), tf.not_equal(ordered[1:], ordered[:-1])], 0)
    first = tf.reshape(tf.where(start), [-1])
    group = tf.math.cumsum(tf.cast(start, tf.int64)) - 1
    back = tf.argsort(order, stable=True)
    counts = tf.concat([first[1:], tf.constant([size], tf.int64)], 0) - first
    inverse = tf.reshape(tf.gather(group, back), shape)
    return UniqueAll(tf.gather(ordered, first), tf.gather(order, first), inverse, counts)


def _order(x: Tensor) -> Tensor:
    """The places of a vector's elements in order; complex ones by real, then imaginary part."""
    if x.dtype.is_complex:
        inner = _order(tf.math.imag(x))
        return tf.gather(inner, _order(tf.gather(tf.math.real(x), inner)))
    key = tf.cast(x, tf.uint8) if x.dtype.is_bool else x
    return tf.cast(tf.argsort(key, stable=True), tf.int64)


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The unique elements in order, and how many times each is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The unique elements in order, and for each element where it is among them."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """The unique elements in order."""
    return unique_all(x).values
