"""`tfc.compat.v1.test`: derivatives of graphs beside differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tfc
from tfc.debug.testing import real_parts

from ..graphs.graph import default_session

Pair = tuple[np.ndarray, np.ndarray]


def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> Pair | list[Pair]:
    """The Jacobian of `y` by `x`, by differentiation and by central differences, in the default
    session.

    Args:
        x: A tensor of a graph, or a list of such.
        x_shape: Its shape, or their shapes.
        y: The tensor that depends on it.
        y_shape: Its shape.
        x_init_value: Where to differentiate: an array, or a list of arrays; None: random numbers
            of [0, 1).
        delta: How far the differences go to both sides.
        init_targets: What is run before: operations.
        extra_feed_dict: What is fed besides.

    Returns:
        Two matrices, by differentiation and by differences; a list of such pairs if `x` is a list.
        Rows are the elements of `x`, columns those of `y`, in row-major order; a complex number
        counts as two, its real part first.

    Raises:
        ValueError: If there is no default session, or a dtype has no derivatives.
    """
    session = default_session()
    if session is None:
        raise ValueError("compute_gradient needs a session: call it inside `with tf.Session():`")
    if init_targets is not None:
        session.run(init_targets)
    feeds = extra_feed_dict or {}
    if not isinstance(x, list | tuple):
        start = _start(x, x_shape, x_init_value)
        return _pair(session, x, y, y_shape, start, delta, {**feeds, x: start})
    values = [None] * len(x) if x_init_value is None else x_init_value
    starts = [_start(*each) for each in zip(x, x_shape, values, strict=True)]
    given = {**feeds, **dict(zip(x, starts, strict=True))}
    return [
        _pair(session, each, y, y_shape, start, delta, given)
        for each, start in zip(x, starts, strict=True)
    ]


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> float:
    """How far the two matrices of `compute_gradient` are from each other at most, of all `x`.

    Args:
        x: As in `compute_gradient`, like all other arguments.
        x_shape: Its shape.
        y: The tensor that depends on it.
        y_shape: Its shape.
        x_init_value: Where to differentiate.
        delta: How far the differences go.
        init_targets: What is run before.
        extra_feed_dict: What is fed besides.

    Returns:
        A number; 0 if there are no elements.
    """
    found = compute_gradient(
        x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict
    )
    pairs = found if isinstance(found, list) else [found]
    return max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)


def _start(x: Any, shape: Sequence[int], value: Any) -> np.ndarray:
    """Where to differentiate by a tensor."""
    dtype = np.dtype(x.dtype.as_numpy_dtype)
    if not x.dtype.is_inexact:
        raise ValueError(f"{x.dtype.name} has no derivatives: give a tensor of floats")
    if value is None:
        return np.asarray(np.random.random_sample(tuple(shape)), dtype)
    return np.array(value, dtype)


def _pair(
    session: Any,
    x: Any,
    y: Any,
    y_shape: Any,
    start: np.ndarray,
    delta: float,
    feeds: dict[Any, Any],
) -> Pair:
    weights = np.zeros(tuple(y_shape), y.dtype.as_numpy_dtype)
    upstream = tfc.compat.v1.placeholder(y.dtype, tuple(y_shape))
    gradient = tfc.gradients(y, x, upstream)[0]
    rows, columns = real_parts(start), real_parts(weights)
    theoretical, numeric = (np.zeros((rows.size, columns.size), rows.dtype) for _ in range(2))
    for j in range(columns.size if gradient is not None else 0):
        columns[j] = 1
        found = session.run(gradient, {**feeds, upstream: weights})
        theoretical[:, j] = real_parts(_dense(found, start))
        columns[j] = 0
    for i in range(rows.size):
        ends, middle = [], rows[i].copy()
        for step in (delta, -delta):
            rows[i] = middle + step
            ends.append(real_parts(np.array(session.run(y, {**feeds, x: start}))))
        rows[i] = middle
        numeric[i] = (ends[0] - ends[1]) / (2 * delta)
    return theoretical, numeric


def _dense(gradient: Any, start: np.ndarray) -> np.ndarray:
    """The array of a gradient, also of one that is slices."""
    if not hasattr(gradient, "indices"):
        return np.array(gradient)
    whole = np.zeros_like(start)
    np.add.at(whole, gradient.indices, gradient.values)
    return whole


__all__ = ["compute_gradient", "compute_gradient_error"]
