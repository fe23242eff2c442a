"""Second derivatives that are zero everywhere: zeros where TensorFlow has zeros, None where it has
None, in every way of asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

ZEROS: dict[str, Callable[[Any], Any]] = {
    "relu": tf.nn.relu,
    "relu6": tf.nn.relu6,
    "leaky_relu": tf.nn.leaky_relu,
    "crelu": tf.nn.crelu,
    "max_pool1d": lambda x: tf.nn.max_pool1d(x[..., None], 2, 2, "VALID"),
    "abs": tf.abs,
    "relu of a sum": lambda x: tf.nn.relu(x + 1.0) * 2.0,
    "relu of relu": lambda x: tf.nn.relu(tf.nn.relu(x) - 0.5),
}
NONE: dict[str, Callable[[Any], Any]] = {
    "maximum": lambda x: tf.maximum(x, 0.0),
    "minimum": lambda x: tf.minimum(x, 0.5),
    "clip_by_value": lambda x: tf.clip_by_value(x, -1.0, 1.0),
    "reduce_max": lambda x: tf.reduce_max(x, axis=1),
    "where": lambda x: tf.where(x > 0.0, x, -x),
    "sum": tf.reduce_sum,
    "sign": tf.sign,  # its first derivative is 0, whatever x is
}
X = tf.constant([[1.0, -2.0, 3.0, 0.5], [0.0, 7.0, -0.5, 6.0]])


def first(f: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x))
    return tape.gradient(y, x)


def second(f: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        g = first(f, x)
    return tape.gradient(g, x)


def in_a_branch(f: Any, x: Any) -> Any:
    """Of a function with a branch on a tensor."""

    def run(x: Any) -> Any:
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: f(x) * 3.0, lambda: f(x))

    return tf.function(lambda x: second(run, x))(x)


def in_a_loop(f: Any, x: Any) -> Any:
    """Of a loop, whose rounds hand on what they were given."""

    def run(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y + f(x)), (0, f(x)))[1]

    return tf.function(lambda x: second(run, x))(x)


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "eager": second,
    "in a function": lambda f, x: tf.function(lambda x: second(f, x))(x),
    "around a function": lambda f, x: second(tf.function(f), x),
    "between": lambda f, x: tf.grad(tf.function(lambda x: tf.reduce_sum(first(f, x))))(x),
    "branch": in_a_branch,
    "loop": in_a_loop,
}


@pytest.mark.parametrize("name", ZEROS)
def test_zeros(name: str) -> None:
    for way, run in WAYS.items():
        found = run(ZEROS[name], X)
        assert found is not None, way
        np.testing.assert_array_equal(found, np.zeros(X.shape), err_msg=way)


@pytest.mark.parametrize("name", NONE)
def test_none(name: str) -> None:
    for way in ("eager", "in a function", "around a function"):
        assert WAYS[way](NONE[name], X) is None, way


def test_what_else_there_is_stays_alone() -> None:
    """Zeros are not added to anything, and nothing is computed of them."""
    w = tf.constant([[2.0, 1.0], [0.5, -1.0], [1.0, 1.0], [-1.0, 2.0]])

    def penalty(x: Any, w: Any) -> Any:
        g = first(lambda x: tf.nn.relu(x @ w), x)
        return tf.reduce_sum(g * g)

    slope = tf.function(tf.grad(penalty, argnums=(0, 1)))
    concrete = slope.get_concrete_function(X, w)
    by_x, by_w = concrete(X, w)
    np.testing.assert_array_equal(by_x, np.zeros(X.shape))
    mask = (X.numpy() @ w.numpy() > 0).astype(np.float32)
    np.testing.assert_allclose(by_w, (2 * (mask @ w.numpy().T)).T @ mask, rtol=1e-6)
    text = concrete.ir("optimised")
    assert " link " not in text
    assert text.count("contract") + text.count("matmul") <= 3


def test_what_a_gradient_keeps_is_no_more_than_before() -> None:
    """Of leaky_relu a truth value an element, and no floats."""
    f = tf.function(lambda x: tf.nn.leaky_relu(x))
    x = tf.ones([1000])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    kept = f.get_concrete_function(x)._recorded.function.returns[1:]
    assert sum(v.type.dtype.numpy.itemsize * int(np.prod(v.shape)) for v in kept) <= 1000
    np.testing.assert_array_equal(tape.gradient(y, x), np.ones(1000))
