"""Functions of all elements along axes: sums, extremes, moments, and running ones."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import tfc as tf

from ..core import dense_tensor, shape
from ..sparse import mean_of_all
from .elementwise import isnan, maximum, minimum
from .promotion import exact, floating, in_dtype, joined, numbers, operands, tensor, truth, wide

_all, _any = tf.reduce_all, tf.reduce_any


def axes_of(axis: Any, rank: int) -> list[int]:
    """`axis` (None: all; a number; several) as numbers from 0."""
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, tuple | list) else [axis]
    for a in given:
        if not -rank <= a < rank:
            raise ValueError(
                f"axis {a} is out of bounds for array of dimension {rank}. Received: axis={axis}"
            )
    return [a % rank for a in given]


def all(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return _all(truth(x), axis, keepdims)


def any(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return _any(truth(x), axis, keepdims)


def count_nonzero(x: Any, axis: Any = None) -> tf.Tensor:
    return tf.reduce_sum(tf.cast(truth(x), tf.int32), axis)


# Sums and products.


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    if isinstance(x, tf.IndexedSlices) and axis is None and not keepdims:
        return sum(x.values)
    if isinstance(x, tf.SparseTensor):
        whole = x.with_values(wide(x.values))
        return tf.sparse.reduce_sum(whole, axis, keepdims, output_is_sparse=True)
    return tf.reduce_sum(wide(x), axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> tf.Tensor:
    x = wide(x) if dtype is None else dense_tensor(x, dtype)
    return tf.reduce_prod(x, axis, keepdims)


def _without_nan(x: Any, value: float) -> tf.Tensor:
    x = tensor(x)
    return tf.where(isnan(x), tf.constant(value, x.dtype), x) if x.dtype.is_inexact else x


def nansum(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return sum(_without_nan(x, 0), axis, keepdims)


def nanprod(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return prod(_without_nan(x, 1), axis, keepdims)


def _running(function: Callable[..., tf.Tensor], x: Any, axis: int | None, dtype: Any) -> tf.Tensor:
    x = numbers(x) if dtype is None else numbers(dense_tensor(x, dtype))
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return function(x, axis=axis)


def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> tf.Tensor:
    return _running(tf.math.cumsum, x, axis, dtype)


def cumprod(x: Any, axis: int | None = None, dtype: Any = None) -> tf.Tensor:
    return _running(tf.math.cumprod, x, axis, dtype)


def nancumsum(x: Any, axis: int | None = None, dtype: Any = None) -> tf.Tensor:
    return cumsum(_without_nan(x, 0), axis, dtype)


def nancumprod(x: Any, axis: int | None = None, dtype: Any = None) -> tf.Tensor:
    return cumprod(_without_nan(x, 1), axis, dtype)


# Extremes.


def _extreme(name: str, function: Any, bools: Any, of_two: Any) -> Callable[..., tf.Tensor]:
    def extreme(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> tf.Tensor:
        x = tensor(x)
        if initial is None and builtins.any(x.shape[a] == 0 for a in axes_of(axis, len(x.shape))):
            raise ValueError(f"Cannot compute the {name} of an empty tensor.")
        extremum = (bools if x.dtype.is_bool else function)(x, axis, keepdims)
        return extremum if initial is None else in_dtype(of_two(extremum, initial), x.dtype.name)

    extreme.__name__ = extreme.__qualname__ = name
    return extreme


max = _extreme("max", tf.reduce_max, _any, maximum)
min = _extreme("min", tf.reduce_min, _all, minimum)


def amax(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return max(x, axis, keepdims)


def amin(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return min(x, axis, keepdims)


def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = tensor(x)
    return max(x, axis, keepdims) - min(x, axis, keepdims)


def _place(
    name: str, function: Callable[..., tf.Tensor], worst: float
) -> tuple[Callable[..., tf.Tensor], Callable[..., tf.Tensor]]:
    """argmax or argmin, and the same among what is not nan: -1 where there is nothing else."""

    def place(x: Any, axis: int | None = None, keepdims: bool = False) -> tf.Tensor:
        x = numbers(x)
        rank = x.ndim
        row = tf.reshape(x, [-1]) if axis is None or not rank else x
        places = function(row, axis=0 if axis is None or not rank else axis, output_type=tf.int32)
        if not keepdims:
            return places
        return tf.reshape(places, [1] * rank) if axis is None else tf.expand_dims(places, axis)

    def among_numbers(x: Any, axis: int | None = None, keepdims: bool = False) -> tf.Tensor:
        x = tensor(x)
        places = place(_without_nan(x, worst), axis, keepdims)
        return tf.where(_all(isnan(x), axis, keepdims), tf.constant(-1), places)

    place.__name__ = place.__qualname__ = name
    among_numbers.__name__ = among_numbers.__qualname__ = f"nan{name}"
    return place, among_numbers


argmax, nanargmax = _place("argmax", tf.argmax, float("-inf"))
argmin, nanargmin = _place("argmin", tf.argmin, float("inf"))


def _nan_where_nothing(x: Any, extremum: tf.Tensor, axis: Any, keepdims: bool) -> tf.Tensor:
    if not extremum.dtype.is_inexact:
        return extremum
    nothing = _all(isnan(x), axis, keepdims)
    return tf.where(nothing, tf.constant(float("nan"), extremum.dtype), extremum)


def nanmax(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    extremum = max(_without_nan(x, float("-inf")), axis, keepdims)
    return _nan_where_nothing(x, extremum, axis, keepdims)


def nanmin(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    extremum = min(_without_nan(x, float("inf")), axis, keepdims)
    return _nan_where_nothing(x, extremum, axis, keepdims)


# Moments. They are added up in float32 at least.


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    if isinstance(x, tf.IndexedSlices) and axis is None and not keepdims:
        return mean_of_all(x)
    x = tensor(x)
    x = x if x.dtype.is_inexact else in_dtype(x, joined(x.dtype.name, "float32"))
    return in_dtype(tf.reduce_mean(exact(x), axis, keepdims), x.dtype.name)


def _variance(x: tf.Tensor, axis: Any, keepdims: bool) -> tf.Tensor:
    variance = tf.math.reduce_variance(exact(x), axis, keepdims)
    return tf.math.real(variance) if variance.dtype.is_complex else variance


def _of_moment(x: tf.Tensor, moment: tf.Tensor) -> tf.Tensor:
    """In the dtype of x; of complex numbers, that of their parts."""
    return moment if x.dtype.is_complex else in_dtype(moment, x.dtype.name)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = floating(x)
    return _of_moment(x, _variance(x, axis, keepdims))


def std(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = floating(x)
    return _of_moment(x, tf.sqrt(_variance(x, axis, keepdims)))


def _nan_mean(x: tf.Tensor, axis: Any, keepdims: bool) -> tf.Tensor:
    there = tf.cast(tf.logical_not(isnan(x)), x.dtype)
    return nansum(x, axis, keepdims) / tf.reduce_sum(there, axis, keepdims)


def nanmean(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = floating(x)
    return in_dtype(_nan_mean(exact(x), axis, keepdims), x.dtype.name)


def _nan_variance(x: tf.Tensor, axis: Any, keepdims: bool) -> tf.Tensor:
    distance = tf.abs(x - _nan_mean(x, axis, True))  # nan where x is
    return _nan_mean(tf.square(distance), axis, keepdims)


def nanvar(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = floating(x)
    return _of_moment(x, _nan_variance(exact(x), axis, keepdims))


def nanstd(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    x = floating(x)
    return _of_moment(x, tf.sqrt(_nan_variance(exact(x), axis, keepdims)))


def average(x: Any, axis: Any = None, weights: Any = None) -> tf.Tensor:
    if weights is None:
        return mean(x, axis)
    x, weights = (floating(v) for v in operands(x, weights))
    if weights.ndim != x.ndim and axis is not None:
        axes = axes_of(axis, x.ndim)
        weights = tf.transpose(weights, sorted(range(len(axes)), key=axes.__getitem__))
        sizes = iter(shape(weights))
        weights = tf.reshape(weights, [next(sizes) if i in axes else 1 for i in range(x.ndim)])
    return tf.reduce_sum(x * weights, axis) / tf.reduce_sum(weights, axis)
