"""Loops whose variables change their shapes: eager, compiled, with unknown extents, gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import by_turns

Program = Callable[..., Any]
options = tf.autograph.experimental.set_loop_options
VECTOR = tf.TensorShape([None])
SCALAR = tf.TensorShape([])


def doubled(x: Any, n: Any) -> Any:
    """The example of TensorFlow's documentation, with rows of x."""
    return tf.while_loop(
        lambda i, m: i < n,
        lambda i, m: [i + 1, tf.concat([m, m], axis=0)],
        loop_vars=[tf.constant(0), tf.stack([x, x])],
        shape_invariants=[SCALAR, tf.TensorShape([None, x.shape[0]])],
    )[1]


def appended(x: Any, n: Any) -> Any:
    y = x
    for i in tf.range(n):
        options(shape_invariants=[(y, VECTOR)])
        y = tf.concat([y, [tf.sin(y[-1]) * tf.cast(i + 1, x.dtype)]], 0)
    return y


def filtered(x: Any, n: Any) -> Any:
    """What is left depends on the elements."""
    y, total = x * 1.0, tf.reduce_sum(x) * 0.0
    while n > 0:
        options(shape_invariants=[(y, VECTOR)])
        total += tf.reduce_sum(y) * 0.5
        y = tf.boolean_mask(tf.concat([y * y * 0.9, y], 0), tf.concat([y, y], 0) < 1.2)
        n -= 1
    return tf.concat([y, [total]], 0)


def both_ways(x: Any, n: Any) -> Any:
    """Two variables that change, one that is carried as it is, and one of integers."""

    def body(i: Any, y: Any, z: Any, w: Any, k: Any) -> Any:
        longer = tf.concat([y, z[:2] * w[0]], 0)
        return i + 1, longer, z[1:] * 1.5, w * 0.5 + z[0], tf.concat([k, [i]], 0)

    given = (0, x, tf.concat([x, x, x], 0), x[:1] + 1.0, tf.zeros([0], tf.int32))
    shapes = (SCALAR, VECTOR, VECTOR, tf.TensorShape([1]), VECTOR)
    _, y, z, w, k = tf.while_loop(
        lambda i, y, z, w, k: tf.logical_and(i < n, tf.shape(z)[0] > 1),
        body,
        given,
        shape_invariants=shapes,
    )
    return tf.concat([y, z, w, tf.cast(k, x.dtype)], 0)


def nested(x: Any, n: Any) -> Any:
    """A loop that changes a shape, inside another, with a branch between."""
    y = x
    for i in tf.range(n):
        options(shape_invariants=[(y, VECTOR)])
        z = y[:1]
        while tf.reduce_sum(z) < 2.0:
            options(shape_invariants=[(z, VECTOR)])
            z = tf.concat([z, z * 0.5 + 0.5], 0)
        scale = tf.reduce_sum(z) if i % 2 == 0 else tf.reduce_max(z)
        y = tf.concat([y, [scale * 0.1]], 0)
    return y


def unchanged(x: Any, n: Any) -> Any:
    """A shape that may change and does not."""
    y = x
    while n > 0:
        options(shape_invariants=[(y, VECTOR)])
        y = tf.tanh(y)
        n -= 1
    return y


PROGRAMS = [doubled, appended, filtered, both_ways, nested, unchanged]
X = [0.5, 1.1, 0.3]


def same(got: Any, wanted: Any) -> None:
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape and got.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("program", PROGRAMS)
def test_eager_compiled_and_symbolic(program: Program) -> None:
    compiled = tf.function(program)
    spec = [tf.TensorSpec([None], tf.float64), tf.TensorSpec([], tf.int32)]
    symbolic = tf.function(program, input_signature=spec)
    inside = tf.function(lambda x, n: tf.reduce_sum(program(x, n)))
    for rounds in (0, 1, 2, 5):
        x, n = tf.constant(X, tf.float64), tf.constant(rounds)
        eager = program(x, n)
        same(compiled(x, n), eager)
        same(inside(x, n), tf.reduce_sum(eager))
        if program is not doubled:  # which reads a static extent
            same(symbolic(x, n), eager)
    assert compiled.experimental_get_tracing_count() == 1


def first(f: Program, x: Any, n: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(f(x, n)))
    return tape.gradient(y, x)


def second(f: Program, x: Any, n: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(first(f, x, n) ** 2)
    return tape.gradient(y, x)


@pytest.mark.parametrize("order", [first, second])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Program, order: Program) -> None:
    x, n = tf.constant(X, tf.float64), tf.constant(3)
    eager = order(program, x, n)
    ways = [
        lambda: order(tf.function(program), x, n),
        lambda: tf.function(lambda x, n: order(program, x, n))(x, n),
    ]
    for other in by_turns(ways, PROGRAMS.index(program), 1 if order is second else 2):
        np.testing.assert_allclose(other(), eager, rtol=1e-11, atol=1e-13)
    if order is second:
        return
    step = 1e-6
    for i in range(3):
        d = np.eye(3)[i] * step
        ends = [np.sum(np.sin(program(tf.constant(np.asarray(X) + s * d), n))) for s in (1, -1)]
        np.testing.assert_allclose(eager[i], (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


def test_no_round_and_no_rows() -> None:
    @tf.function
    def rows(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(
                lambda i, y: i < n,
                lambda i, y: (i + 1, tf.concat([y, x[None]], 0)),
                (0, tf.zeros([0, 2])),
                shape_invariants=(SCALAR, tf.TensorShape([None, 2])),
            )[1]
            total = tf.reduce_sum(y * y)
        return y, tape.gradient(total, x)

    x = tf.constant([1.0, 3.0])
    y, g = rows(x, tf.constant(0))
    assert y.shape == (0, 2) and g.numpy().tolist() == [0, 0]
    y, g = rows(x, tf.constant(3000))
    assert y.shape == (3000, 2) and g.numpy().tolist() == [6000, 18_000]


def test_variables_are_carried_beside() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(n: Any) -> Any:
        y = tf.zeros([1])
        for _ in tf.range(n):
            options(shape_invariants=[(y, VECTOR)])
            v.assign(v * 2.0)
            y = tf.concat([y, v], 0)
        return y

    assert f(tf.constant(2)).numpy().tolist() == [0, 2, 4, 4, 8]
    assert v.numpy().tolist() == [4, 8]


def test_a_failure_inside() -> None:
    """Errors name the line; nothing is kept."""

    @tf.function
    def f(n: Any, most: Any) -> Any:
        y = tf.zeros([1])
        while n > 0:
            options(shape_invariants=[(y, VECTOR)])
            tf.debugging.assert_less(tf.shape(y)[0], most, message="too long")
            y = tf.concat([y, y], 0)
            n -= 1
        return y

    assert f(tf.constant(3), tf.constant(9)).shape == (8,)
    for _ in range(3):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"too long.*test_changing_shapes"):
            f(tf.constant(20), tf.constant(9))


def test_sizes_that_clash_inside() -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        y = x
        for _ in tf.range(n):
            options(shape_invariants=[(y, VECTOR)])
            y = tf.concat([y + x, [1.0]], 0)
        return y

    x = tf.constant([1.0, 2.0])
    assert f(x, tf.constant(1)).numpy().tolist() == [2, 4, 1]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"extents [23] and [23] .*test_changing_shapes"
    ):
        f(x, tf.constant(2))


MISUSES: list[tuple[Program, str]] = [
    (
        lambda x: tf.while_loop(lambda y: True, lambda y: (tf.concat([y, y], 0),), (x,)),
        r"with shape \(2,\), but has shape \(4,\) after one iteration. .* `shape_invariants`",
    ),
    (
        lambda x: tf.while_loop(
            lambda y: True,
            lambda y: (tf.stack([y, y]),),
            (x,),
            shape_invariants=(tf.TensorShape(None),),
        ),
        r"with shape \(2,\), but has shape \(2, 2\) after",
    ),
    (
        lambda x: tf.while_loop(
            lambda y: True,
            lambda y: (tf.concat([y, y], 0),),
            (x,),
            shape_invariants=(tf.TensorShape([2]),),
        ),
        r"with shape \(2,\), but has shape \(4,\) after",
    ),
    (
        lambda x: tf.while_loop(
            lambda y: True, lambda y: (y,), (x,), shape_invariants=(tf.TensorShape([3]),)
        ),
        r"enters the loop with shape \(2,\), but the specified shape invariant is \(3,\)",
    ),
]


@pytest.mark.parametrize("i", range(len(MISUSES)))
def test_misuses(i: int) -> None:
    program, text = MISUSES[i]
    with pytest.raises(ValueError, match=text) as caught:
        tf.function(program)(tf.constant([1.0, 2.0]))
    assert "test_changing_shapes.py" in str(caught.value)
