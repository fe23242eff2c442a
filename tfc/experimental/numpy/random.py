"""Random numbers under NumPy's names, drawn by `tfc.random`."""

from __future__ import annotations

from collections.abc import Sequence

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.types import DTypeLike

from ._promotion import default


def _shape(size: int | Sequence[int] | None) -> list[int]:
    return [] if size is None else [size] if isinstance(size, int) else list(size)


def seed(s: int) -> None:
    """Start the numbers of `tfc.random` anew."""
    tf.random.set_seed(s)


def rand(*size: int) -> Tensor:
    """Uniform numbers in [0, 1)."""
    return tf.random.uniform(list(size), dtype=default("float64"))


def randn(*size: int) -> Tensor:
    """Numbers of the standard normal distribution."""
    return tf.random.normal(list(size), dtype=default("float64"))


def random(size: int | Sequence[int] | None = None) -> Tensor:
    """Uniform numbers in [0, 1)."""
    return rand(*_shape(size))


def standard_normal(size: int | Sequence[int] | None = None) -> Tensor:
    """Numbers of the standard normal distribution."""
    return randn(*_shape(size))


def uniform(low: float = 0.0, high: float = 1.0, size: int | Sequence[int] | None = None) -> Tensor:
    """Uniform numbers from `low` up to but without `high`."""
    return tf.random.uniform(_shape(size), low, high, default("float64"))


def normal(loc: float = 0.0, scale: float = 1.0, size: int | Sequence[int] | None = None) -> Tensor:
    """Numbers of a normal distribution."""
    return tf.random.normal(_shape(size), loc, scale, default("float64"))


def randint(
    low: int,
    high: int | None = None,
    size: int | Sequence[int] | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Uniform integers from `low` (0) up to but without `high`."""
    low, high = (0, low) if high is None else (low, high)
    kind = default("int64") if dtype is None else tf.as_dtype(dtype)
    return tf.cast(tf.random.uniform(_shape(size), low, high, tf.int64), kind)
