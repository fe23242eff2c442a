"""Jacobians: against NumPy, eager and traced, where a trace knows no extents, and their errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

X = np.array([[1.0, 2.0, -0.5], [3.0, 4.0, 0.25]])


def f(x: Any) -> Any:
    """[b, n] to [b, 2]; each row by itself."""
    return tf.stack([tf.reduce_sum(tf.sin(x) * x, 1), tf.reduce_sum(x * x * x, 1)], 1)


WANTED = np.stack([np.cos(X) * X + np.sin(X), 3 * X * X], 1)


def batch_jacobian(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.batch_jacobian(y, x)


def jacobian(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x)


def rows(x: Any) -> Any:
    """A target whose extents a trace does not know: [b, n]."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x) * tf.reduce_sum(x, 1, keepdims=True)
    return tape.batch_jacobian(y, x)


def rows_wanted(x: np.ndarray) -> np.ndarray:
    e, s = np.exp(x), x.sum(1, keepdims=True)
    return e[:, :, None] + (e * s)[:, :, None] * np.eye(x.shape[1])


SIGNATURES: list[Any] = [[2, 3], [None, 3], [2, None], [None, None]]


@pytest.mark.parametrize("shape", SIGNATURES, ids=str)
def test_against_numpy(shape: Any) -> None:
    spec = [tf.TensorSpec(shape, tf.float64)]
    full = np.zeros((2, 2, 2, 3))
    full[0, :, 0], full[1, :, 1] = WANTED[0], WANTED[1]
    for function, wanted in ((batch_jacobian, WANTED), (jacobian, full), (rows, rows_wanted(X))):
        eager = function(tf.constant(X))
        np.testing.assert_allclose(eager, wanted, rtol=1e-13, atol=1e-13)
        traced = tf.function(function, input_signature=spec)(tf.constant(X))
        assert eager.numpy().tobytes() == traced.numpy().tobytes()


def test_one_program_serves_all_sizes() -> None:
    g = tf.function(rows, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    for n, m in ((1, 1), (4, 2), (3, 5), (0, 2), (2, 0)):
        x = np.random.default_rng(n).normal(size=(n, m))
        np.testing.assert_allclose(g(tf.constant(x)), rows_wanted(x), rtol=1e-12)


@pytest.mark.parametrize("shape", SIGNATURES, ids=str)
def test_jacobians_can_be_differentiated(shape: Any) -> None:
    def second(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.square(rows(x)))
        return tape.gradient(y, x)

    got = tf.function(second, input_signature=[tf.TensorSpec(shape, tf.float64)])(tf.constant(X))
    step = 1e-6
    for place in np.ndindex(X.shape):
        high, low = X.copy(), X.copy()
        high[place] += step
        low[place] -= step
        slope = (np.sum(rows_wanted(high) ** 2) - np.sum(rows_wanted(low) ** 2)) / (2 * step)
        assert np.isclose(got.numpy()[place], slope, rtol=1e-6)


def test_variables_and_structures() -> None:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    unused = tf.Variable(1.0)

    def both(unconnected: str) -> Any:
        with tf.GradientTape() as tape:
            y = v * w
        return tape.jacobian(y, {"v": v, "w": [w], "u": unused}, unconnected)

    for call in (both, tf.function(both)):
        found = call("zero")
        assert found["v"].numpy().tolist() == [[3, 0], [0, 3]]
        assert found["w"][0].numpy().tolist() == [1, 2] and found["u"].numpy().tolist() == [0, 0]
    assert both("none")["u"] is None

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def unknown(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * w
        return tape.jacobian(y, [x, w, unused], "zero")

    by_x, by_w, by_u = unknown(tf.constant([1.0, 2.0]))
    assert by_x.numpy().tolist() == [[3, 0], [0, 3]]
    assert by_w.numpy().tolist() == [1, 2] and by_u.numpy().tolist() == [0, 0]


def test_what_is_not_connected() -> None:
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.constant(X[:, :2])
        none = tf.zeros([2, 0], tf.float64) * tf.reduce_sum(x)
    assert tape.jacobian(y, x) is None
    assert tape.batch_jacobian(y, x).numpy().tolist() == np.zeros((2, 2, 3)).tolist()
    assert tape.jacobian(none, x).shape == (2, 0, 2, 3)
    assert tape.batch_jacobian(none, x).shape == (2, 0, 3)


def test_errors() -> None:
    x = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x[:2] * 2.0
        s = tf.reduce_sum(x)
    with pytest.raises(ValueError, match=r"first dimension.*\(2, 1\).*\(3, 1\).*match"):
        tape.batch_jacobian(y, x)
    with pytest.raises(ValueError, match="at least one axis"):
        tape.batch_jacobian(s, x)
    with tf.GradientTape() as once:
        once.watch(x)
        y = x * x
    once.batch_jacobian(y, x)
    with pytest.raises(RuntimeError, match="non-persistent"):
        once.batch_jacobian(y, x)


def test_many_rows_are_a_loop_of_the_program() -> None:
    """What compiles does not grow with the rows; bits are those of eager code."""
    sizes = []
    for n in (257, 290):
        x = tf.constant(np.linspace(-3.0, 3.0, n, dtype=np.float32))
        v = tf.Variable([0.5, 2.0])

        def step(x: Any, v: Any = v) -> Any:
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = tf.where(x > 0.0, x * v[0], tf.sin(x)) * v[1]
                total = tf.reduce_sum(y)
            return tape.jacobian(y, [x, v]), tape.jacobian(y, x[1:]), tape.gradient(total, x)

        (by_x, by_v), none, gradient = (compiled := tf.function(step))(x)
        assert none is None
        (eager_x, eager_v), _, eager = step(x)
        for got, wanted in ((by_x, eager_x), (by_v, eager_v), (gradient, eager)):
            assert got.numpy().tobytes() == wanted.numpy().tobytes()
        sizes.append(len(compiled.get_concrete_function(x).ir().splitlines()))
    assert max(sizes) < 200 and sizes[0] == sizes[1]
