"""Reductions, scans, sorting and products under NumPy's names."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import DTypeLike, TensorLike
from tfc.experimental.array_api import _manipulation, _reductions
from tfc.experimental.array_api import linalg as _linalg
from tfc.experimental.array_api._manipulation import Axes
from tfc.ir.dtypes import as_dtype
from tfc.ops.extents import extents_of

from ._arrays import moveaxis, ravel
from ._joining import diagonal
from ._plain import take_tensors
from ._promotion import asarray, default, inexact, promote


def _axes(a: Tensor, axis: Axes, name: str) -> list[int]:
    return list(_manipulation.axes_of(axis, a.ndim, name))


def _summed(a: TensorLike, dtype: DTypeLike | None) -> Tensor:
    """a in the dtype in which NumPy adds it up: integers in 64 bits."""
    a = asarray(a)
    if dtype is not None:
        return tf.cast(a, dtype)
    if a.dtype.is_inexact or a.dtype.bits == 64:
        return a
    wide = default("int64")
    return tf.cast(a, f"u{wide.name}" if a.dtype.is_unsigned else wide)


def sum(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The sum along `axis` (None: all)."""
    a = _summed(a, dtype)
    return tf.reduce_sum(a, _axes(a, axis, "sum"), keepdims)


def prod(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The product along `axis` (None: all)."""
    a = _summed(a, dtype)
    return tf.reduce_prod(a, _axes(a, axis, "prod"), keepdims)


def _extremum(
    name: str, function: Callable[..., Tensor], joined: Callable[..., Tensor], doc: str
) -> Callable[..., Tensor]:
    def extremum(a: TensorLike, axis: Axes = None, keepdims: bool = False) -> Tensor:
        a = asarray(a)
        axes = _axes(a, axis, name)
        if builtins.any(a.shape[i] == 0 for i in axes):
            raise ValueError(f"{name}: an axis of shape {a.shape} has no elements")
        return (joined if a.dtype.is_bool else function)(a, axes, keepdims)

    extremum.__name__ = extremum.__qualname__ = name
    extremum.__doc__ = doc
    return extremum


max = amax = _extremum("max", tf.reduce_max, tf.reduce_any, "The largest along `axis`.")
min = amin = _extremum("min", tf.reduce_min, tf.reduce_all, "The smallest along `axis`.")


def ptp(a: TensorLike, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The largest minus the smallest along `axis`."""
    return max(a, axis, keepdims) - min(a, axis, keepdims)


def mean(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The mean along `axis` (None: all), of integers as floats."""
    a = inexact(a) if dtype is None else asarray(a, dtype)
    return tf.reduce_mean(a, _axes(a, axis, "mean"), keepdims)


def var(
    a: TensorLike,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Tensor:
    """The sum of squared distances from the mean, divided by the count minus `ddof`."""
    a = inexact(a) if dtype is None else asarray(a, dtype)
    axes = tuple(_axes(a, axis, "var"))
    if a.dtype.is_complex:
        return tf.cast(tf.math.reduce_variance(a, list(axes), keepdims), a.dtype.real_dtype)
    return _reductions.var(a, axis=axes, correction=ddof, keepdims=keepdims)


def std(
    a: TensorLike,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    ddof: float = 0,
    keepdims: bool = False,
) -> Tensor:
    """The square root of the variance."""
    return tf.sqrt(var(a, axis, dtype, ddof, keepdims))


def average(
    a: TensorLike, axis: Axes = None, weights: TensorLike | None = None, returned: bool = False
) -> Any:
    """The mean, or that weighed by `weights`, along `axis`; `returned`: and the weights' sum."""
    a = inexact(a)
    if weights is None:
        found = mean(a, axis)
        if not returned:
            return found
        counts = tf.gather(tf.shape(a, tf.int64), _axes(a, axis, "average"))
        total = tf.fill(tf.shape(found), tf.cast(tf.reduce_prod(counts), a.dtype))
    else:
        a, w = promote(a, weights)
        if not w.shape.is_compatible_with(a.shape):
            if axis is None or w.ndim != 1:
                raise TypeError("average: weights of another shape need an axis, and to be 1-d")
            (place,) = _axes(a, axis, "average")
            w = tf.reshape(w, [-1 if i == place else 1 for i in range(a.ndim)])
            w = tf.broadcast_to(w, tf.shape(a))
        total = sum(w, axis)
        found = sum(a * w, axis) / total
    return (found, total) if returned else found


def _without_nan(a: TensorLike, value: int) -> Tensor:
    a = asarray(a)
    if not a.dtype.is_inexact:
        return a
    return tf.where(tf.math.is_nan(a), tf.constant(value, a.dtype), a)


def nansum(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The sum of what is not nan."""
    return sum(_without_nan(a, 0), axis, dtype, keepdims)


def nanprod(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The product of what is not nan."""
    return prod(_without_nan(a, 1), axis, dtype, keepdims)


def nanmean(
    a: TensorLike, axis: Axes = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> Tensor:
    """The mean of what is not nan."""
    a = inexact(a) if dtype is None else asarray(a, dtype)
    count = sum(tf.cast(tf.equal(a, a), a.dtype), axis, keepdims=keepdims)
    return nansum(a, axis, keepdims=keepdims) / count


def all(a: TensorLike, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether all elements along `axis` (None: all) are true, or not 0."""
    return _reductions.all(asarray(a), axis=axis, keepdims=keepdims)


def any(a: TensorLike, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Whether an element along `axis` (None: all) is true, or not 0."""
    return _reductions.any(asarray(a), axis=axis, keepdims=keepdims)


def count_nonzero(a: TensorLike, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """How many elements along `axis` (None: all) are not 0."""
    return _reductions.count_nonzero(asarray(a), axis=axis, keepdims=keepdims)


def _numbers(a: TensorLike) -> Tensor:
    a = asarray(a)
    return tf.cast(a, tf.int8) if a.dtype.is_bool else a


def argmax(a: TensorLike, axis: int | None = None) -> Tensor:
    """The place of the first largest element along `axis` (None: of all)."""
    return _reductions.argmax(_numbers(a), axis=axis)


def argmin(a: TensorLike, axis: int | None = None) -> Tensor:
    """The place of the first smallest element along `axis` (None: of all)."""
    return _reductions.argmin(_numbers(a), axis=axis)


def sort(a: TensorLike, axis: int | None = -1, kind: str = "quicksort") -> Tensor:
    """The elements in order along `axis` (None: of all)."""
    a = asarray(a)
    if axis is None:
        a, axis = ravel(a), -1
    return tf.cast(_reductions.sort(_numbers(a), axis=axis), a.dtype)


def argsort(a: TensorLike, axis: int | None = -1, kind: str = "quicksort") -> Tensor:
    """The places of the elements in order along `axis` (None: of all); equal ones keep theirs."""
    a = _numbers(a)
    if axis is None:
        a, axis = ravel(a), -1
    return _reductions.argsort(a, axis=axis)


def cumsum(a: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of the elements up to and with each, along `axis` (None: of all)."""
    return _scan(tf.math.cumsum, a, axis, dtype)


def cumprod(a: TensorLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The products of the elements up to and with each, along `axis` (None: of all)."""
    return _scan(tf.math.cumprod, a, axis, dtype)


def _scan(
    function: Callable[..., Tensor], a: TensorLike, axis: int | None, dtype: DTypeLike | None
) -> Tensor:
    a = _summed(a, dtype)
    if axis is None:
        a, axis = ravel(a), 0
    return function(a, axis=axis % a.ndim)


def diff(a: TensorLike, n: int = 1, axis: int = -1) -> Tensor:
    """The differences of neighbours along `axis`, n times over."""
    a = asarray(a)
    if not a.dtype.is_bool:
        return _reductions.diff(a, axis=axis, n=n)
    (place,) = _axes(a, axis, "diff")
    front = (slice(None),) * place
    for _ in range(n):
        a = tf.not_equal(a[(*front, slice(1, None))], a[(*front, slice(None, -1))])
    return a


def polyval(p: TensorLike, x: TensorLike) -> Tensor:
    """The polynomial with coefficients p, that of the highest power first, at x."""
    p, x = promote(p, x)
    value = tf.zeros_like(x)
    for i in range(p.shape[0]):
        value = value * x + p[i]
    return value


def trace(
    a: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None
) -> Tensor:
    """The sum of the diagonal of two axes."""
    return sum(diagonal(a, offset, axis1, axis2), -1, dtype)


# Products.


def matmul(x1: TensorLike, x2: TensorLike) -> Tensor:
    """The matrix product of the last two axes; vectors are rows on the left, columns right."""
    x1, x2 = promote(x1, x2)
    if x1.dtype.is_bool:
        found = _linalg.matmul(tf.cast(x1, tf.int32), tf.cast(x2, tf.int32))
        return tf.cast(found, tf.bool)
    return _linalg.matmul(x1, x2)


def dot(a: TensorLike, b: TensorLike) -> Tensor:
    """The sum of products over the last axis of a and the last but one of b (or its only one)."""
    a, b = promote(a, b)
    if not a.ndim or not b.ndim:
        return a * b
    return tf.tensordot(a, b, [[a.ndim - 1], [builtins.max(b.ndim - 2, 0)]])


def inner(a: TensorLike, b: TensorLike) -> Tensor:
    """The sum of products over the last axis of both."""
    a, b = promote(a, b)
    if not a.ndim or not b.ndim:
        return a * b
    return tf.tensordot(a, b, [[a.ndim - 1], [b.ndim - 1]])


def outer(a: TensorLike, b: TensorLike) -> Tensor:
    """The products of each element of a with each of b."""
    a, b = promote(a, b)
    return tf.reshape(a, [-1, 1]) * tf.reshape(b, [1, -1])


def vdot(a: TensorLike, b: TensorLike) -> Tensor:
    """The sum of conj(a) * b over all elements."""
    a, b = promote(a, b)
    return _linalg.vecdot(ravel(a), ravel(b))


def tensordot(a: TensorLike, b: TensorLike, axes: int | Sequence[Sequence[int]] = 2) -> Tensor:
    """The sum of products over `axes`: a number of the last of a and first of b, or a pair."""
    a, b = promote(a, b)
    return tf.tensordot(a, b, axes)


def kron(a: TensorLike, b: TensorLike) -> Tensor:
    """Each element of a times all of b, as blocks."""
    a, b = promote(a, b)
    rank = builtins.max(a.ndim, b.ndim)
    first, second = ([*[1] * (rank - v.ndim), *extents_of(v)] for v in (a, b))
    left = tf.reshape(a, [e for n in first for e in (n, 1)])
    right = tf.reshape(b, [e for n in second for e in (1, n)])
    return tf.reshape(left * right, [n * m for n, m in zip(first, second, strict=True)])


def cross(a: TensorLike, b: TensorLike, axis: int = -1) -> Tensor:
    """The vector product of vectors of 3 along `axis`."""
    a, b = (moveaxis(v, axis, -1) for v in promote(a, b))
    if a.shape[-1] not in (3, None) or b.shape[-1] not in (3, None):
        raise ValueError(f"cross needs vectors of 3, got {a.shape[-1]} and {b.shape[-1]}")
    first, second = [1, 2, 0], [2, 0, 1]

    def at(v: Tensor, order: list[int]) -> Tensor:
        return tf.gather(v, order, axis=v.ndim - 1)

    found = at(a, first) * at(b, second) - at(a, second) * at(b, first)
    return moveaxis(found, -1, axis)


def einsum(subscripts: str, *operands: TensorLike) -> Tensor:
    """The sum of products that `subscripts` describes."""
    return tf.einsum(subscripts, *promote(*operands))


# Comparing.


def array_equal(a1: TensorLike, a2: TensorLike) -> Tensor:
    """Whether shapes and all elements are equal."""
    a1, a2 = promote(a1, a2)
    if a1.shape != a2.shape:
        return tf.constant(False)
    return tf.reduce_all(tf.equal(a1, a2))


def isscalar(num: object) -> bool:
    """Whether it is a number, or an array without axes."""
    return np.isscalar(num) or (isinstance(num, tf.Tensor) and num.ndim == 0)


def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> bool:
    """Whether a dtype is one of a kind of NumPy's hierarchy."""
    names: list[Any] = [as_dtype(a).numpy if not _abstract(a) else a for a in (arg1, arg2)]
    return np.issubdtype(*names)


def _abstract(a: object) -> bool:
    return isinstance(a, type) and issubclass(a, np.generic) and a.__module__ == "numpy"


def iscomplexobj(x: TensorLike) -> bool:
    """Whether the dtype is complex."""
    return asarray(x).dtype.is_complex


def isrealobj(x: TensorLike) -> bool:
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


take_tensors(globals())
