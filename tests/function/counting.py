"""What tests of functions have in common: bits of results, and how often a function is traced."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import tfc as tf


def bits(x: Any) -> tuple[Any, ...]:
    array = np.asarray(x)
    return array.dtype, array.shape, array.tobytes()


def counted(f: Any, **options: Any) -> tuple[Any, list[Any]]:
    """`tf.function(f)` and a list that grows with every trace."""
    traces: list[Any] = []

    @functools.wraps(f)
    def traced(*args: Any, **kwargs: Any) -> Any:
        traces.append(args)
        return f(*args, **kwargs)

    return tf.function(traced, **options), traces
