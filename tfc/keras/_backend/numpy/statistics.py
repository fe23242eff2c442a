"""Counts, histograms and correlations."""

from __future__ import annotations

import math
from typing import Any

import tfc as tf

from ..core import cast, dense_tensor, shape
from .creation import linspace
from .promotion import floating, in_dtype, joined, kind, operands, tensor
from .sorting import searchsorted


def bincount(x: Any, weights: Any = None, minlength: int = 0, sparse: bool = False) -> Any:
    if isinstance(x, tf.SparseTensor):
        return _sparse_bincount(x, weights, minlength)
    x = tensor(x)
    dtype = "int32"
    if weights is not None:
        weights = tensor(weights)
        dtype = joined(kind(x), kind(weights))
        weights = in_dtype(weights, dtype)
    counts = tf.math.bincount(tf.cast(x, tf.int32), weights=weights, minlength=minlength, axis=-1)
    counts = in_dtype(counts, dtype)
    return tf.sparse.from_dense(counts) if sparse else counts


def _sparse_bincount(x: tf.SparseTensor, weights: Any, minlength: int) -> Any:
    """Counts of the numbers that are there; `weights` has the same places."""
    dtype = "int32"
    if weights is not None:
        weights = weights if isinstance(weights, tf.SparseTensor) else tensor(weights)
        dtype = joined(kind(x), kind(weights))
        weights = cast(weights, dtype)
    counts = tf.sparse.bincount(cast(x, "int32"), weights, minlength=minlength, axis=-1)
    return cast(counts, dtype)


def histogram(x: Any, bins: int = 10, range: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    x = tensor(x)
    values = tf.reshape(floating(x), [-1])
    if range is None:
        low, high = tf.reduce_min(values), tf.reduce_max(values)
    else:
        low, high = (dense_tensor(end, values.dtype) for end in range)
    flat = tf.cast(tf.equal(low, high), values.dtype) / 2  # one value alone is in the middle
    edges = linspace(low - flat, high + flat, bins + 1)
    # The last bin has its right edge, too.
    places = searchsorted(edges[1:-1], values, "right")
    within = tf.logical_and(tf.less_equal(edges[0], values), tf.less_equal(values, edges[-1]))
    places = tf.where(within, places, bins)
    counts = tf.math.bincount(places, minlength=bins + 1, maxlength=bins + 1)[:bins]
    return in_dtype(counts, x.dtype.name), edges


def corrcoef(x: Any) -> tf.Tensor:
    x = floating(x)
    if not x.ndim:
        return tf.constant(math.nan, x.dtype)
    rows = tf.reshape(x, [1, -1]) if x.ndim == 1 else x
    centred = rows - tf.reduce_mean(rows, -1, True)
    products = tf.matmul(centred, centred, adjoint_b=True)
    size = tf.sqrt(tf.math.real(tf.linalg.diag_part(products)))
    sizes = tf.expand_dims(size, -1) * tf.expand_dims(size, -2)
    cosines = products / tf.cast(sizes, x.dtype)
    if x.dtype.is_complex:
        re, im = (tf.clip_by_value(p(cosines), -1.0, 1.0) for p in (tf.math.real, tf.math.imag))
        cosines = tf.complex(re, im)
    else:
        cosines = tf.clip_by_value(cosines, -1.0, 1.0)
    return tf.reshape(cosines, []) if x.ndim == 1 else cosines


def correlate(x1: Any, x2: Any, mode: str = "valid") -> tf.Tensor:
    x1, x2 = (floating(x) for x in operands(x1, x2))
    n, m = shape(x1)[0], shape(x2)[0]
    padded = tf.pad(x1, [[m - 1, m - 1]])
    full = tf.nn.conv1d(
        tf.reshape(padded, [1, -1, 1]), tf.reshape(x2, [-1, 1, 1]), stride=1, padding="VALID"
    )
    full = tf.reshape(full, [-1])
    if mode == "full":
        return full
    known = isinstance(n, int) and isinstance(m, int)
    less, more = (min(n, m), max(n, m)) if known else (tf.minimum(n, m), tf.maximum(n, m))
    if mode == "valid":
        return full[less - 1 : more]
    if mode == "same":
        # NumPy exchanges the operands, and turns the result round, if the second is longer.
        exchanged = int(n < m) if known else tf.cast(tf.less(n, m), tf.int32)
        start = (less - 1 + exchanged) // 2
        return full[start : start + more]
    raise ValueError(f"Invalid mode: '{mode}'. Mode must be one of: 'full', 'same', 'valid'.")
