"""`tfc.compat.v1`: into how many parts Variables are divided. `get_variable` takes them, and makes
Variables whole: there are no parameter servers that would have the parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tfc as _tfc

Partitioner = Callable[..., list[int]]


def _parts(shape: Any, axis: int, count: int) -> list[int]:
    found = [1] * len(_tfc.TensorShape(shape).as_list())
    found[axis] = count
    return found


def _rows(shape: Any, axis: int) -> int:
    return int(_tfc.TensorShape(shape).as_list()[axis] or 0)


def _bytes(shape: Any, dtype: Any, per_string: int) -> int:
    kind = _tfc.as_dtype(dtype)
    size = per_string if kind is _tfc.string else int(kind.size)
    return int(_tfc.TensorShape(shape).num_elements() or 0) * size


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """A number of parts along an axis.

    Args:
        num_shards: The number.
        axis: The axis.

    Returns:
        A function of a shape and a dtype that gives how many parts each axis has.

    >>> import tfc.compat.v1 as tf
    >>> tf.fixed_size_partitioner(2)([4, 3], tf.float32)
    [2, 1]
    """
    return lambda shape, dtype=None, **_: _parts(shape, axis, min(num_shards, _rows(shape, axis)))


def variable_axis_size_partitioner(
    max_shard_bytes: int,
    axis: int = 0,
    bytes_per_string_element: int = 16,
    max_shards: int | None = None,
) -> Partitioner:
    """As many parts along an axis that none has more than a number of bytes.

    Args:
        max_shard_bytes: The number.
        axis: The axis.
        bytes_per_string_element: How many bytes a string is counted for.
        max_shards: How many parts there are at most.

    Returns:
        A function of a shape and a dtype that gives how many parts each axis has.

    Raises:
        ValueError: If a number is not positive.

    >>> import tfc.compat.v1 as tf
    >>> tf.variable_axis_size_partitioner(16)([4, 3], tf.float32)
    [4, 1]
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("max_shard_bytes and bytes_per_string_element must be positive")
    if max_shards is not None and max_shards < 1:
        raise ValueError(f"max_shards must be positive, got {max_shards}")

    def partition(shape: Any, dtype: Any, **_: Any) -> list[int]:
        rows = _rows(shape, axis)
        each = _bytes(shape, dtype, bytes_per_string_element) / max(rows, 1)
        held = max(1, math.floor(max_shard_bytes / each)) if each else rows
        count = min(rows, math.ceil(rows / held))
        return _parts(shape, axis, count if max_shards is None else min(max_shards, count))

    return partition


def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Partitioner:
    """As many parts along an axis that each has at least a number of bytes.

    Args:
        max_partitions: How many parts there are at most.
        axis: The axis.
        min_slice_size: The number.
        bytes_per_string_element: How many bytes a string is counted for.

    Returns:
        A function of a shape and a dtype that gives how many parts each axis has.

    >>> import tfc.compat.v1 as tf
    >>> tf.min_max_variable_partitioner(8, min_slice_size=16)([4, 3], tf.float32)
    [3, 1]
    """

    def partition(shape: Any, dtype: Any, **_: Any) -> list[int]:
        whole = _bytes(shape, dtype, bytes_per_string_element)
        rows = _rows(shape, axis)
        count = min(max(1, math.ceil(whole / min_slice_size)), rows, max_partitions)
        return _parts(shape, axis, count)

    return partition


__all__ = [
    "fixed_size_partitioner",
    "min_max_variable_partitioner",
    "variable_axis_size_partitioner",
]
