"""Random numbers under NumPy's names, drawn by `tfc.random`."""

from __future__ import annotations

from typing import Any

import tfc as tf

from ._promotion import default


def _shape(size: Any) -> list[int]:
    return [] if size is None else [size] if isinstance(size, int) else list(size)


def seed(s: int) -> None:
    """Start the numbers of `tfc.random` anew."""
    tf.random.set_seed(s)


def rand(*size: int) -> Any:
    """Uniform numbers in [0, 1)."""
    return tf.random.uniform(list(size), dtype=default("float64"))


def randn(*size: int) -> Any:
    """Numbers of the standard normal distribution."""
    return tf.random.normal(list(size), dtype=default("float64"))


def random(size: Any = None) -> Any:
    """Uniform numbers in [0, 1)."""
    return rand(*_shape(size))


def standard_normal(size: Any = None) -> Any:
    """Numbers of the standard normal distribution."""
    return randn(*_shape(size))


def uniform(low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
    """Uniform numbers from `low` up to but without `high`."""
    return tf.random.uniform(_shape(size), low, high, default("float64"))


def normal(loc: float = 0.0, scale: float = 1.0, size: Any = None) -> Any:
    """Numbers of a normal distribution."""
    return tf.random.normal(_shape(size), loc, scale, default("float64"))


def randint(low: int, high: int | None = None, size: Any = None, dtype: Any = None) -> Any:
    """Uniform integers from `low` (0) up to but without `high`."""
    low, high = (0, low) if high is None else (low, high)
    kind = default("int64") if dtype is None else tf.as_dtype(dtype)
    return tf.cast(tf.random.uniform(_shape(size), low, high, tf.int64), kind)
