"""Orders and ranks: sorting, quantiles, places in sorted sequences, sets."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

import tfc as tf

from ..core import dense_tensor, shape
from .elementwise import isnan
from .promotion import floating, in_dtype, operands, tensor
from .reductions import axes_of


def _comparable(x: Any) -> tf.Tensor:
    x = tensor(x)
    return tf.cast(x, tf.uint8) if x.dtype.is_bool else x


def sort(x: Any, axis: int | None = -1) -> tf.Tensor:
    x = tensor(x)
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return in_dtype(tf.sort(_comparable(x), axis=axis), x.dtype.name)


def argsort(x: Any, axis: int | None = -1) -> tf.Tensor:
    x = _comparable(x)
    if axis is None or not x.ndim:
        x, axis = tf.reshape(x, [-1]), 0
    return tf.argsort(x, axis=axis, stable=True)


def argpartition(x: Any, kth: Any, axis: int | None = -1) -> tf.Tensor:
    return argsort(x, axis)  # what is sorted is partitioned at every place


# Places in sorted sequences.


def searchsorted(sorted_sequence: Any, values: Any, side: str = "left") -> tf.Tensor:
    sequence, values = map(_comparable, operands(sorted_sequence, values))
    if sequence.ndim != 1:
        raise ValueError(
            "`searchsorted` only supports 1-D sorted sequences. You can use "
            "`keras.ops.vectorized_map` to extend it to N-D sequences. Received: "
            f"sorted_sequence.shape={sequence.shape}"
        )
    places = tf.searchsorted(sequence, tf.reshape(values, [-1]), side=side)
    return tf.reshape(places, tf.shape(values))


def digitize(x: Any, bins: Any) -> Any:
    if isinstance(x, tf.SparseTensor) and _begin_above_zero(bins):
        return x.with_values(searchsorted(bins, x.values, "right"))
    return tf.ragged.map_flat_values(searchsorted, bins, x, "right")


def _begin_above_zero(bins: Any) -> bool:
    """Whether 0 is in the first bin."""
    known = tf.get_static_value(dense_tensor(bins))
    return known is not None and bool(np.all(known > 0))


def isin(x1: Any, x2: Any, assume_unique: bool = False, invert: bool = False) -> tf.Tensor:
    x1, x2 = operands(x1, x2)
    sequence = sort(x2, None)
    before, behind = (searchsorted(sequence, x1, side) for side in ("left", "right"))
    there = tf.logical_and(tf.greater(behind, before), tf.equal(x1, x1))  # nan is in no set
    return tf.logical_not(there) if invert else there


# Quantiles.


def quantile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> tf.Tensor:
    return _quantile(x, q, axis, method, keepdims, skip_nan=False)


def nanquantile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> tf.Tensor:
    return _quantile(x, q, axis, method, keepdims, skip_nan=True)


def percentile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> tf.Tensor:
    return quantile(x, dense_tensor(q, "float64") / 100, axis, method, keepdims)


def nanpercentile(
    x: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> tf.Tensor:
    return nanquantile(x, dense_tensor(q, "float64") / 100, axis, method, keepdims)


def median(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return quantile(x, 0.5, axis, keepdims=keepdims)


def nanmedian(x: Any, axis: Any = None, keepdims: bool = False) -> tf.Tensor:
    return nanquantile(x, 0.5, axis, keepdims=keepdims)


def _quantile(x: Any, q: Any, axis: Any, method: str, keepdims: bool, skip_nan: bool) -> tf.Tensor:
    """The elements of the axes as sorted rows, and in each the place that q says: between two
    elements, `method` chooses. nan goes behind all others, and is not counted if skipped."""
    x, q = floating(x), dense_tensor(q, "float64")
    axes = axes_of(axis, x.ndim)
    rest = [a for a in range(x.ndim) if a not in axes]
    extents = shape(x)
    batch = [extents[a] for a in rest]
    rows = tf.reshape(tf.transpose(x, rest + axes), [*batch, math.prod(extents[a] for a in axes)])
    gone = isnan(rows)
    rows = tf.sort(tf.where(gone, tf.constant(math.inf, x.dtype), rows), axis=-1)
    there = tf.reduce_sum(tf.cast(tf.logical_not(gone), tf.int32), -1, True)
    count = there if skip_nan else tf.fill(tf.shape(there), shape(rows)[-1])
    none = tf.equal(there, 0) if skip_nan else tf.less(there, count)

    last = tf.cast(count - 1, tf.float64)
    place = tf.clip_by_value(last * tf.reshape(q, [-1]), 0.0, tf.maximum(last, 0.0))
    at = functools.partial(_at, rows)
    match method:
        case "lower":
            between = at(tf.floor(place))
        case "higher":
            between = at(tf.math.ceil(place))
        case "nearest":
            between = at(tf.round(place))
        case "midpoint":
            between = (at(tf.floor(place)) + at(tf.math.ceil(place))) / 2
        case "linear":
            low, high = at(tf.floor(place)), at(tf.math.ceil(place))
            part = tf.cast(place - tf.floor(place), x.dtype)
            between = tf.where(tf.equal(part, 0), low, low + (high - low) * part)
        case _:
            raise ValueError(
                "method must be one of 'linear', 'lower', 'higher', 'midpoint', 'nearest'. "
                f"Received: method={method}"
            )
    quantiles = tf.where(none, tf.constant(math.nan, x.dtype), between)
    quantiles = tf.transpose(quantiles, [quantiles.ndim - 1, *range(quantiles.ndim - 1)])
    kept = [1 if a in axes else extents[a] for a in range(x.ndim)] if keepdims else batch
    return tf.reshape(quantiles, [*shape(q), *kept])


def _at(rows: tf.Tensor, places: tf.Tensor) -> tf.Tensor:
    """The elements of each row at its own places."""
    return tf.gather(rows, tf.cast(places, tf.int32), axis=-1, batch_dims=rows.ndim - 1)


# Sets.


def unique(
    x: Any,
    sorted: bool = True,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    size: int | None = None,
    fill_value: Any = None,
) -> Any:
    """Along an axis, slices are compared as wholes. They are sorted whether that is asked for or
    not: equal ones are found by it."""
    x = tensor(x)
    whole = x if axis is not None else tf.reshape(x, [-1])
    (place,) = axes_of(axis or 0, whole.ndim)
    whole = tf.transpose(whole, [place, *(a for a in range(whole.ndim) if a != place)])
    count = shape(whole)[0]
    rows = _comparable(tf.reshape(whole, [count, math.prod(shape(whole)[1:])]))
    order = _lexicographic(rows)
    ordered = tf.gather(rows, order)
    new = tf.reduce_any(tf.not_equal(ordered[1:], ordered[:-1]), 1)
    new = tf.concat([tf.fill([tf.minimum(count, 1)], True), new], 0)
    starts = tf.cast(tf.where(new)[:, 0], tf.int32)
    group = tf.cumsum(tf.cast(new, tf.int32)) - 1
    places = tf.gather(order, starts)
    values = tf.gather(whole, places)
    ends = tf.concat([starts[1:], tf.fill([tf.minimum(count, 1)], count)], 0)
    inverse = tf.gather(group, tf.math.invert_permutation(order))
    counts = ends - starts
    if size is not None:
        fill = 0 if fill_value is None else fill_value
        values = _of_length(values, size, fill)
        counts = _of_length(counts, size, 0)
        places = _of_length(places, size, tf.reduce_sum(places[:1]))  # again the first, if any
    values = tf.transpose(values, [*range(1, place + 1), 0, *range(place + 1, whole.ndim)])
    inverse = tf.reshape(inverse, tf.shape(x)) if axis is None else inverse
    optional = (return_index, places), (return_inverse, inverse), (return_counts, counts)
    results = (values, *(result for wanted, result in optional if wanted))
    return results if len(results) > 1 else values


def _lexicographic(rows: tf.Tensor) -> tf.Tensor:
    """The order of rows: by the last column first, and each column before it keeps that order
    among equals."""
    columns = shape(rows)[1]
    start = tf.range(shape(rows)[0])

    def step(i: Any, order: tf.Tensor) -> tuple[Any, tf.Tensor]:
        column = tf.gather(tf.gather(rows, i, axis=1), order)
        return i - 1, tf.gather(order, tf.argsort(column, stable=True))

    if isinstance(columns, int) and columns <= 1:
        return tf.argsort(rows[:, 0], stable=True) if columns else start
    _, order = tf.while_loop(
        lambda i, _: tf.greater_equal(i, 0), step, (tf.convert_to_tensor(columns - 1), start)
    )
    return order


def _of_length(x: tf.Tensor, length: int, fill: Any) -> tf.Tensor:
    """The first rows of x; where there are not as many, rows of `fill` follow."""
    x = x[:length]
    more = tf.fill([length - shape(x)[0], *shape(x)[1:]], dense_tensor(fill, x.dtype))
    return tf.ensure_shape(tf.concat([x, more], 0), [length, *x.shape[1:]])
