"""Weights of classes as weights of samples, for batches of datasets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from keras.src import tree
from keras.src.trainers.data_adapters import data_adapter_utils

import tfc as tf


def weighing(class_weight: Mapping[int, float]) -> Callable[..., Any]:
    """What `dataset.map` takes so that each sample has the weight of its class; of a class that
    has none: 1."""
    last = max(class_weight)
    weights = tf.constant([float(class_weight.get(i, 1.0)) for i in range(int(last) + 1)])

    def weighted(*data: Any) -> Any:
        x, y, given = data_adapter_utils.unpack_x_y_sample_weight(data)
        if given is not None:
            raise ValueError("You cannot `class_weight` and `sample_weight` at the same time.")
        if tree.is_nested(y):
            raise ValueError("`class_weight` is only supported for Models with a single output.")
        return x, y, tf.gather(weights, _classes(y))

    return weighted


def _classes(y: Any) -> Any:
    """The class of each target, which is a number or a row with a place for each class."""
    if y.shape.rank < 2:
        return tf.cast(tf.round(y), tf.int32)
    width = y.shape[-1]
    if width is None:
        return tf.cond(tf.shape(y)[-1] > 1, lambda: _largest(y), lambda: _only(y))
    return _largest(y) if width > 1 else _only(y)


def _largest(y: Any) -> Any:
    return tf.argmax(y, axis=-1, output_type=tf.int32)


def _only(y: Any) -> Any:
    return tf.cast(tf.round(y[..., 0]), tf.int32)


__all__ = ["weighing"]
