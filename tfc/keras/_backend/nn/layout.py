"""Channels first and last: what computes has them last, or both ways itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from keras.src import backend

import tfc as tf


def is_first(data_format: str | None) -> bool:
    return bool(backend.standardize_data_format(data_format) == "channels_first")


def channels_last(x: tf.Tensor) -> tf.Tensor:
    """[n, channels, ...] as [n, ..., channels]."""
    return tf.transpose(x, [0, *range(2, x.ndim), 1])


def channels_first(x: tf.Tensor) -> tf.Tensor:
    """[n, ..., channels] as [n, channels, ...]."""
    return tf.transpose(x, [0, x.ndim - 1, *range(1, x.ndim - 1)])


def each(value: Any, count: int) -> tuple[int, ...]:
    """A number for each axis."""
    return tuple(value) if isinstance(value, Sequence) else (value,) * count
