"""Gradients and second derivatives of smooth programs of float64, against differences.

With L(x) the sum of all results by fixed random weights, v and u random directions and dL the
gradient by a tape: dL(x) v is the slope of h -> L(x + h v), and the tape's derivative of dL(x) v
along u the slope of h -> dL(x + h u) v. A slope is taken by central differences at h and h / 2,
from which Richardson's extrapolation removes the error of second order; what this changes bounds
the error that is left. Where that is not small, there is a kink or a pole nearby, and nothing is
decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import tfc as tf
from tests.fuzz.ways import Case, Difference

STEP = 1e-3
DECIDED = 1e-5  # the largest error of a difference, against the scale, by which to judge


def check(case: Case) -> int:
    """How many of the two derivatives could be judged; Difference where one of them is wrong."""
    draw = np.random.default_rng(0)
    start = [np.asarray(x) for x in case.inputs]
    results = [y for y in case.program(*case.inputs) if y.dtype.is_floating]
    weights = [draw.normal(size=y.shape) for y in results]
    v, u = ([draw.normal(size=x.shape) for x in start] for _ in range(2))

    def loss(inputs: Sequence[Any]) -> Any:
        results = [y for y in case.program(*inputs) if y.dtype.is_floating]
        parts = [tf.reduce_sum(y * w) for y, w in zip(results, weights, strict=True)]
        return tf.add_n(parts)

    def slope(inputs: Sequence[Any]) -> Any:
        """dL v."""
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            y = loss(inputs)
        found = tape.gradient(y, inputs, unconnected_gradients="zero")
        return tf.add_n([tf.reduce_sum(g * d) for g, d in zip(found, v, strict=True)])

    def curve(inputs: Sequence[Any]) -> Any:
        """The derivative of dL v along u."""
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            y = slope(inputs)
        found = tape.gradient(y, inputs, unconnected_gradients="zero")
        return tf.add_n([tf.reduce_sum(g * d) for g, d in zip(found, u, strict=True)])

    first = judged("gradient", loss, slope, start, v)
    return first + judged("second derivative", slope, curve, start, u)


def judged(
    what: str,
    f: Callable[[Sequence[Any]], Any],
    derivative: Callable[[Sequence[Any]], Any],
    start: Sequence[Any],
    direction: Sequence[Any],
) -> bool:
    """Whether `derivative` could be compared with the slope of `f`; Difference if it is another."""

    def at(h: float) -> float:
        return float(f([tf.constant(x + h * d) for x, d in zip(start, direction, strict=True)]))

    # Where the first steps lie across a kink, the second do not.
    for step in (STEP, STEP / 64):
        with np.errstate(all="ignore"):
            slopes = [(at(h) - at(-h)) / (2 * h) for h in (step, step / 2, step / 4)]
            rough, better = ((4 * fine - coarse) / 3 for coarse, fine in pairwise(slopes))
            error = abs(better - rough)
            scale = max(abs(better), abs(at(0.0)), 1.0)
        if not np.isfinite(error) or error > DECIDED * scale:
            return False
        got = float(derivative([tf.constant(x) for x in start]))
        if abs(got - better) <= 10 * error + DECIDED * scale:
            return True
    raise Difference(f"{what} is {got}, by differences {better} (within {error:.1e})")
