"""Derivatives of smooth programs of float64, eagerly and in a function, against differences.

With L(x) the sum of all results by fixed random weights, u, v and w random directions and dL the
gradient by a tape:

    gradient             dL(x) v                            the slope along v of   L
    second derivative    of dL(x) v along u, by a tape      along u                dL v
    third derivative     of that along w, by a tape         along w                that
    back over forward    of the forward derivative of L     along u                dL v
                         along v, along u by a tape

A slope of f along d is that of h -> f(x + h d), eagerly, by central differences at h and h / 2,
from which Richardson's extrapolation removes the error of second order; what this changes bounds
the error that is left. Where that is not small, there is a kink or a pole nearby, and nothing is
decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import tfc as tf
from tests.fuzz.ways import Case, Difference

STEP = 1e-3
DECIDED = 1e-5  # the largest error of a difference, against the scale, by which to judge
ORDERS = 4  # derivatives of a program
Derivative = Callable[[Sequence[Any]], Any]


def check(case: Case) -> int:
    """How many of the derivatives could be judged; Difference where one of them is wrong."""
    draw = np.random.default_rng(0)
    start = [np.asarray(x) for x in case.inputs]
    results = [y for y in case.program(*case.inputs) if y.dtype.is_floating]
    weights = [draw.normal(size=y.shape) for y in results]
    v, u, w = ([draw.normal(size=x.shape) for x in start] for _ in range(3))

    def loss(inputs: Sequence[Any]) -> Any:
        results = [y for y in case.program(*inputs) if y.dtype.is_floating]
        parts = [tf.reduce_sum(y * w) for y, w in zip(results, weights, strict=True)]
        return tf.add_n(parts)

    def forward(inputs: Sequence[Any]) -> Any:
        """dL v, by an accumulator."""
        with tf.autodiff.ForwardAccumulator(list(inputs), list(map(tf.constant, v))) as accumulator:
            y = loss(inputs)
        return accumulator.jvp(y, unconnected_gradients="zero")

    slope = along(loss, v)
    curve = along(slope, u)
    rows = (
        ("gradient", loss, slope, v),
        ("second derivative", slope, curve, u),
        ("third derivative", curve, along(curve, w), w),
        ("back over forward", slope, along(forward, u), u),
    )
    staged = tf.function(lambda *inputs: [derivative(inputs) for _, _, derivative, _ in rows])
    compiled = staged(*case.inputs)
    return sum(
        judged(what, f, {"": derivative(case.inputs), " in a function": c}, start, direction)
        for (what, f, derivative, direction), c in zip(rows, compiled, strict=True)
    )


def along(f: Derivative, direction: Sequence[Any]) -> Derivative:
    """The derivative of `f` in a direction, by a tape."""

    def derivative(inputs: Sequence[Any]) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            y = f(inputs)
        found = tape.gradient(y, inputs, unconnected_gradients="zero")
        return tf.add_n([tf.reduce_sum(g * d) for g, d in zip(found, direction, strict=True)])

    return derivative


def judged(
    what: str,
    f: Derivative,
    derivatives: Mapping[str, Any],
    start: Sequence[Any],
    direction: Sequence[Any],
) -> bool:
    """Whether these could be compared with the slope of `f`; Difference if one is another."""

    def at(h: float) -> float:
        return float(f([tf.constant(x + h * d) for x, d in zip(start, direction, strict=True)]))

    left = {how: float(got) for how, got in derivatives.items()}
    # Where the first steps lie across a kink, the second do not.
    for step in (STEP, STEP / 64):
        with np.errstate(all="ignore"):
            slopes = [(at(h) - at(-h)) / (2 * h) for h in (step, step / 2, step / 4)]
            rough, better = ((4 * fine - coarse) / 3 for coarse, fine in pairwise(slopes))
            error = abs(better - rough)
            scale = max(abs(better), abs(at(0.0)), 1.0)
        if not np.isfinite(error) or error > DECIDED * scale:
            return False
        near = 10 * error + DECIDED * scale
        left = {how: got for how, got in left.items() if not abs(got - better) <= near}
        if not left:
            return True
    told = ", ".join(f"{what}{how} is {got}" for how, got in left.items())
    raise Difference(f"{told}, by differences {better} (within {error:.1e})")
