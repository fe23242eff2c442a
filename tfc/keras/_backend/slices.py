"""What Keras' functions do with IndexedSlices, the gradients of embeddings.

As in Keras on TensorFlow, what is 0 where its operand is works on the rows that are there; the rest
takes the dense tensor. Rows that are named twice are two rows until something adds them up: their
squares are those of either, not of the sum, so an accumulator of squares grows otherwise than with
a dense gradient.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from keras.src.backend.common import KerasVariable

import tfc as tf


def zero_stays_zero(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one operand, that gives 0 for 0."""

    @functools.wraps(function)
    def unary(x: Any, *more: Any, **named: Any) -> Any:
        if isinstance(x, tf.IndexedSlices):
            return x.with_values(function(x.values, *more, **named))
        return function(x, *more, **named)

    return unary


def zero_if_either_is(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A function of two operands that gives 0 where one is: a product."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if isinstance(x1, tf.IndexedSlices):
            rows = _rows(x2, x1)
            if rows is not None:
                return x1.with_values(function(x1.values, rows))
        elif isinstance(x2, tf.IndexedSlices):
            rows = _rows(x1, x2)
            if rows is not None:
                return x2.with_values(function(rows, x2.values))
        return function(x1, x2)

    return binary


def zero_if_first_is(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A quotient: 0 where what is divided is, and the divisor is not."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if isinstance(x1, tf.IndexedSlices) and not isinstance(x2, tf.IndexedSlices):
            rows = _rows(x2, x1)
            if rows is not None:
                return x1.with_values(function(x1.values, rows))
        return function(x1, x2)

    return binary


def zero_if_both_are(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A sum or difference: of two that have the same rows."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if (
            isinstance(x1, tf.IndexedSlices)
            and isinstance(x2, tf.IndexedSlices)
            and x1.indices is x2.indices
        ):
            return x1.with_values(function(x1.values, x2.values))
        return function(x1, x2)

    return binary


def _rows(x: Any, slices: tf.IndexedSlices) -> Any:
    """What of `x` meets the rows of `slices`; None where it does not lie on the same tensor."""
    if isinstance(x, tf.IndexedSlices):
        return x.values if x.indices is slices.indices else None
    if isinstance(x, int | float) or len(x.shape) == 0:
        return x
    if tuple(x.shape) != tuple(slices.shape):
        return None
    return tf.gather(x.value if isinstance(x, KerasVariable) else x, slices.indices)


def mean_of_all(slices: tf.IndexedSlices) -> tf.Tensor:
    """The mean of all elements of the tensor that these are rows of."""
    total = tf.reduce_sum(slices.values)
    return total / tf.cast(tf.reduce_prod(slices.dense_shape), total.dtype)
