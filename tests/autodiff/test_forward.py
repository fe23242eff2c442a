"""Forward accumulators: against finite differences, reverse mode, and what TensorFlow gives."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

import tfc as tf

Accumulator = tf.autodiff.ForwardAccumulator


def network(x: Any, w: Any) -> Any:
    h = tf.tanh(x @ w)
    return tf.nn.softmax(h) * tf.reduce_sum(tf.sort(h, axis=1), 1, keepdims=True)


def test_products_are_those_of_jacobians() -> None:
    x = tf.random.stateless_normal([3, 4], [1, 2], dtype=tf.float64)
    w = tf.random.stateless_normal([4, 5], [3, 4], dtype=tf.float64)
    u = tf.random.stateless_normal([3, 4], [5, 6], dtype=tf.float64)
    v = tf.random.stateless_normal([4, 5], [7, 8], dtype=tf.float64)

    def product() -> Any:
        with Accumulator([x, w], [u, v]) as acc:
            y = network(x, w)
        return acc.jvp(y)

    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = network(x, w)
    by_x, by_w = tape.jacobian(y, [x, w])
    wanted = tf.tensordot(by_x, u, 2) + tf.tensordot(by_w, v, 2)
    np.testing.assert_allclose(product(), wanted, rtol=1e-12)
    np.testing.assert_allclose(tf.function(product)(), wanted, rtol=1e-12)


def test_accumulators_in_accumulators() -> None:
    x = tf.constant(1.1)

    def twice(late: bool) -> Any:
        one = tf.constant(1.0)
        with Accumulator(x, one) as outer:
            with Accumulator(x, one) as inner:
                y = x ** tf.constant(3.5)
            first = None if late else inner.jvp(y)
        first = inner.jvp(y) if first is None else first
        return first, outer.jvp(first)

    wanted = 3.5 * 1.1**2.5, 3.5 * 2.5 * 1.1**1.5
    for late in (False, True):
        np.testing.assert_allclose(twice(late), wanted, rtol=1e-6)
    np.testing.assert_allclose(tf.function(lambda: twice(False))(), wanted, rtol=1e-6)


def test_over_a_tape_and_under_one() -> None:
    v = tf.Variable([1.0, 2.0])
    with Accumulator(v, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v**3.0)
        backward = tape.gradient(y, v)
    np.testing.assert_allclose(backward, [3.0, 12.0])
    np.testing.assert_allclose(acc.jvp(backward), [6.0, 0.0])
    with tf.GradientTape() as tape, Accumulator(v, tf.constant([1.0, 1.0])) as acc:
        moved = acc.jvp(tf.reduce_sum(v**3.0))
    np.testing.assert_allclose(tape.gradient(moved, v), [6.0, 12.0])


def test_what_does_not_move() -> None:
    x = tf.constant([1.0, 2.0])
    with Accumulator({"x": x}, {"x": tf.ones([2])}) as acc:
        y, z = x * 2.0, tf.constant(3.0) * 2.0
    moved = acc.jvp([y, z])
    assert moved[0].numpy().tolist() == [2, 2] and moved[1] is None
    assert float(acc.jvp(z, tf.UnconnectedGradients.ZERO)) == 0
    assert acc.jvp(x).numpy().tolist() == [1, 1]


def test_errors() -> None:
    with pytest.raises(ValueError, match="tangent of shape"):
        Accumulator(tf.ones([2]), tf.ones([3]))
    with pytest.raises(ValueError, match="structure"):
        Accumulator([tf.ones([2])], tf.ones([2]))
    acc = Accumulator(tf.ones([2]), tf.ones([2]))
    with pytest.raises(ValueError, match="not entered"):
        acc.jvp(tf.ones([2]))
    with acc:
        pass
    with pytest.raises(ValueError, match="Accumulator is already recording"), acc:
        pass


def test_several_tangents_at_once() -> None:
    """As many products as tangents, along a first axis: rows of identities give Jacobians."""
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    x = tf.constant([0.5, -1.0])
    directions = [tf.reshape(tf.eye(4), [4, 2, 2]), tf.ones([4, 2])]

    def products() -> Any:
        with Accumulator._batch_accumulator([w, x], directions) as acc:
            y = tf.linalg.matvec(w, x) ** 2.0
            z = tf.constant(1.0)
        zero = tf.UnconnectedGradients.ZERO
        return acc.jvp(y), acc.jvp(z, zero), acc.jvp(x)

    single = []
    for i in range(4):
        with Accumulator([w, x], [d[i] for d in directions]) as acc:
            y = tf.linalg.matvec(w, x) ** 2.0
        single.append(acc.jvp(y))
    for found in (products(), tf.function(products)()):
        np.testing.assert_array_equal(found[0], tf.stack(single))
        assert found[1].numpy().tolist() == [0, 0, 0, 0]
        assert found[2].shape == (4, 2)
    with Accumulator(x, tf.ones([2])) as outer:
        with Accumulator._batch_accumulator(x, tf.eye(2)) as inner:
            y = tf.reduce_sum(x**3.0)
        gradient = inner.jvp(y)
    np.testing.assert_allclose(outer.jvp(gradient), 6 * x.numpy())
    with pytest.raises(ValueError, match="one known number of rows"):
        Accumulator._batch_accumulator([x, x + 0.0], [tf.eye(2), tf.ones([3, 2])])
    with pytest.raises(ValueError, match="specified as a primal multiple times"):
        Accumulator([x, x], [x, x])
    with pytest.raises(ValueError, match="tangent of shape"):
        Accumulator._batch_accumulator(x, tf.ones([2, 3]))


@pytest.mark.parametrize("word", ["".join(w) for w in itertools.product("fb", repeat=3)])
def test_derivatives_of_derivatives(word: str) -> None:
    """Third ones, forward and back in every order, in eager code and in functions."""
    x = tf.constant([1.5, 0.25], tf.float64)

    def derivative(kind: str, f: Any) -> Any:
        def forward(v: Any) -> Any:
            with Accumulator(v, tf.ones_like(v)) as acc:
                y = f(v)
            return acc.jvp(y)

        def back(v: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(v)
                y = f(v)
            return tape.gradient(y, v)

        return forward if kind == "f" else back

    f = functools.reduce(lambda f, kind: derivative(kind, f), reversed(word), tf.tanh)
    t = np.tanh(x.numpy())
    wanted = (1 - t**2) * (6 * t**2 - 2)
    for call in (f, tf.function(f)):
        np.testing.assert_allclose(call(x), wanted, rtol=1e-12)
