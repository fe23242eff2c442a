"""Gradients of regions: what they use is added up in the order of the same ops run eagerly.

Each program uses values around a branch or loop several times in it, and outside too, so that
another order of the additions shows in the last bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.native import Native
from tests.sampling import ALL, by_turns
from tfc.ir import passes
from tfc.ir.core import Function

Program = Callable[..., Any]


def in_a_branch(x):
    y = x * 1.7
    if tf.reduce_sum(x) > 0.0:
        y = y + tf.sin(x) * x + tf.exp(x * 0.3) * x
    return y * x + tf.cos(x)


def in_both_branches(x):
    y = x * 1.3
    if tf.reduce_sum(x) > 0.0:
        z = tf.sin(y) * y + tf.exp(y * 0.1)
    else:
        z = y * y * x
    return z * y + y * tf.cos(x)


def behind_a_branch(x):
    """What the branch returns is needed by its slope and twice behind it."""
    y = tf.tanh(x) if tf.reduce_sum(x) > 0.0 else x * 2.0
    return y * y


def in_one_branch_alone(x):
    y, w = x * 1.3, x * 0.7
    z = y * w
    if tf.reduce_sum(x) > 0.0:
        z = z * w + tf.sin(w) * y
    return z * w + tf.cos(w) * y


def in_a_while(x):
    y, i = tf.ones_like(x), 0
    while tf.reduce_sum(y) < 40.0 and i < 5:
        y = y * tf.abs(x) + tf.sin(x) * y + 1.0
        i += 1
    return y + tf.cos(x) * x


def in_a_for(x):
    y = tf.ones_like(x)
    for _ in tf.range(5):
        y = tf.tanh(y * x + tf.sin(x) * y)
    return y + tf.cos(x) * x


def in_loops_and_branches(x):
    y = tf.ones_like(x) * 0.3
    for _ in tf.range(4):
        if tf.reduce_sum(y) > 1.0:
            y = y * tf.sin(x) + x * 0.1
            for _ in tf.range(2):
                y = y + tf.cos(x) * y * x
        else:
            y = y + tf.cos(x) * x
        y = y * 0.9 + x * x
    return y * x + tf.cos(x)


def in_gathers(x):
    y = x[0] * 0.0
    for i in tf.range(3):
        y = y + tf.sin(x[i]) * x[0] + tf.gather(x, [i, i])[1] * y
    return y * x[1] + tf.cos(x[0])


def in_a_map(x):
    w = tf.sin(x)
    return tf.map_fn(lambda v: tf.reduce_sum(w * v * tf.cos(w)), x) * w + w * w


def in_composites(x):
    y = tf.nn.softmax(x * 0.7)
    for _ in tf.range(2):
        for _ in tf.range(2):
            y = tf.nn.softmax(y * x) + tf.sigmoid(y) * tf.reduce_sum(tf.sin(y))
        if tf.reduce_sum(y) > 1.0:
            if tf.reduce_sum(x) > 0.0:
                y = y * tf.math.log_softmax(x) + tf.nn.softplus(y)
            y = tf.tanh(y) * tf.nn.softmax(y)
    return y * x


def in_a_while_in_a_while(x):
    y, i = tf.sin(x), 0
    while i < 2:
        j = 0
        while j < 2 and tf.reduce_sum(tf.abs(y)) < 50.0:
            y = tf.tanh(tf.sin(y) * x + y)
            j += 1
        y = y * tf.cos(x)
        i += 1
    return y * x


def where_sizes_change(x):
    y, total = x * 1.0, x[0] * 0.0
    while tf.shape(y)[0] > 1:
        tf.autograph.experimental.set_loop_options(shape_invariants=[(y, tf.TensorShape([None]))])
        total = total + tf.reduce_sum(y * tf.sin(x[0]) * x[1])
        y = y[1:] * x[0] * tf.cos(x[0])
    return total * x[0] + y * tf.sin(x[1])


PROGRAMS: list[Program] = [
    *(in_a_branch, in_both_branches, behind_a_branch, in_one_branch_alone, in_a_while, in_a_for),
    *(in_loops_and_branches, in_gathers, in_a_map, in_composites, in_a_while_in_a_while),
    where_sizes_change,
]
ROWS = [[0.5, 1.25, 3.0], [0.3, -1.1, 0.4]]


def slope(run: Program, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(run(x)))
    return tape.gradient(y, x)


def ways(program: Program, derivative: Program) -> list[Program]:
    spec = [tf.TensorSpec([None], tf.float64)]
    compiled = tf.function(program)
    return [
        tf.function(lambda x: derivative(program, x)),
        tf.function(lambda x: derivative(program, x), input_signature=spec),
        lambda x: derivative(compiled, x),
    ]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_bits_of_the_eager_tape(program: Program) -> None:
    every = by_turns(ways(program, slope), PROGRAMS.index(program), 2)
    for row in ROWS:
        x = tf.constant(row, tf.float64)
        wanted = slope(program, x).numpy()
        for way in every:
            assert way(x).numpy().tobytes() == wanted.tobytes()
        for i in range(len(row)):
            d = np.eye(len(row))[i] * 1e-6
            ends = [
                np.sum(np.sin(np.asarray(program(tf.constant(np.asarray(row) + s * d)))))
                for s in (1, -1)
            ]
            np.testing.assert_allclose(wanted[i], (ends[0] - ends[1]) / 2e-6, 1e-5, 1e-7)


LEFT_OUT = [None, *passes.OPTIMISE[1:]]


@cache
def traced_slope(program: Program) -> tuple[Function, list[bytes]]:
    """The derivative for any size, and what it is for each row."""
    given = tf.TensorSpec([None], tf.float64)
    f = tf.function(lambda x: slope(program, x)).get_concrete_function(given).function
    return f, [slope(program, tf.constant(row, tf.float64)).numpy().tobytes() for row in ROWS]


@pytest.mark.parametrize("program", [in_a_while, in_loops_and_branches, where_sizes_change])
@pytest.mark.parametrize("left_out", LEFT_OUT, ids=lambda p: p.__name__ if p else "every pass")
def test_each_pass_off(program: Program, left_out: passes.Pass | None) -> None:
    f, wanted = traced_slope(program)
    run = Native(f, tuple(p for p in passes.OPTIMISE if p is not left_out))
    assert [run(np.array(row))[0].tobytes() for row in ROWS] == wanted


def curvature(run: Program, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(slope(run, x) ** 2)
    return tape.gradient(y, x)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p is not where_sizes_change])
def test_second_order_has_the_bits_of_the_eager_tape(program: Program) -> None:
    """What the first derivative computes again is one value with what it repeats. Programs take
    turns with the ways, each of which compiles another program of thousands of lines."""
    every = by_turns(ways(program, curvature), PROGRAMS.index(program), 1)
    for row in ROWS:
        x = tf.constant(row, tf.float64)
        wanted = curvature(program, x).numpy()
        for way in every:
            assert way(x).numpy().tobytes() == wanted.tobytes()
        for i in range(len(row)):
            d = np.eye(len(row))[i] * 1e-6
            ends = [
                np.sum(np.asarray(slope(program, tf.constant(np.asarray(row) + s * d))) ** 2)
                for s in (1, -1)
            ]
            np.testing.assert_allclose(wanted[i], (ends[0] - ends[1]) / 2e-6, 1e-5, 1e-7)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p is not where_sizes_change])
def test_back_over_forward(program: Program) -> None:
    """The gradient of a derivative along x: a loop begins with x, and its tangent, too."""

    def derivative(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
                y = program(x)
            d = accumulator.jvp(y)
        return tape.gradient(d, x)

    x = tf.constant(ROWS[0], tf.float64)
    expected = derivative(x)
    for compiled in tf.function(derivative), tf.function(derivative, reduce_retracing=True):
        np.testing.assert_allclose(compiled(x), expected, rtol=1e-12)


def test_third_derivative_through_a_loop_that_runs_again() -> None:
    """Each run has a symbol of its own for its rounds, and rows of both are added."""

    def loop(v: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, w: (i + 1, tf.sin(w) + v), (0, v))[1]

    def thrice(run: Program, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(slope(run, x) ** 2)
            z = tf.reduce_sum(inner.gradient(y, x) ** 2)
        return tape.gradient(z, x)

    def program(x: Any, run: Program) -> Any:
        return tf.sin(x) + run(tf.vectorized_map(lambda v: tf.where(v > 0.0, v, v / 4.0), x))

    x = tf.constant([[0.5, -1.25], [2.0, 0.25]], tf.float64)
    expected = thrice(lambda x: program(x, loop), x)
    again = lambda x: program(x, tf.recompute_grad(loop))  # noqa: E731
    np.testing.assert_allclose(thrice(again, x), expected, 1e-12)
    np.testing.assert_allclose(tf.function(lambda x: thrice(again, x))(x), expected, 1e-12)


def test_second_order_where_sizes_change() -> None:
    """Rows of changing sizes are computed again as values of their own, whatever the way: that
    with the most symbols stands for all."""
    x = tf.constant(ROWS[0], tf.float64)
    wanted = curvature(where_sizes_change, x).numpy()
    every = ways(where_sizes_change, curvature)
    for way in every if ALL else every[1:2]:
        np.testing.assert_allclose(way(x), wanted, 1e-13)


def test_what_a_branch_does_not_use_has_no_cotangent() -> None:
    """A sum that a region is handed, and gives back as it was, connects nothing."""

    def program(run: Program, x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((x, y))
            z = run(x, y)
        return tape.gradient(z, (x, y))

    def rounded(x, y):
        if x > 0.0:
            z = x * tf.round(y)
        else:
            z = x * 2.0
        return z

    x, y = tf.constant(1.5), tf.constant(2.0)
    for way in (program, tf.function(lambda run, x, y: program(run, x, y))):
        by_x, by_y = way(rounded, x, y)
        assert float(by_x) == 2.0 and (by_y is None or float(by_y) == 0.0)
