"""`tf.gradients` in functions, beside the tape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf


def test_as_by_a_tape() -> None:
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    table = tf.Variable(tf.ones([4, 2]))

    @tf.function
    def both(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            h = tf.tanh(x @ w)
            y = tf.reduce_sum(h * tf.gather(table, [1, 3]))
        return tf.gradients(y, [x, w, table, h]), tape.gradient(y, [x, w, table])

    ours, tapes = both(tf.constant([[0.5, -1.0], [0.25, 2.0]]))
    assert isinstance(ours[2], tf.IndexedSlices)
    for a, b in zip(ours, tapes, strict=False):
        a, b = tf.convert_to_tensor(a), tf.convert_to_tensor(b)
        assert a.numpy().tobytes() == b.numpy().tobytes()
    np.testing.assert_array_equal(ours[3], np.ones([2, 2]))


def test_options() -> None:
    @tf.function
    def f(a: Any, b: Any) -> Any:
        c = a * b
        d = c * a
        return (
            tf.gradients(d, [a, b, c]),
            tf.gradients(d, [a, b], stop_gradients=[c]),
            tf.gradients([c, d], a, grad_ys=[tf.constant(10.0), None]),
            tf.gradients(a * 2.0, b, unconnected_gradients="zero"),
            tf.gradients(tf.gradients(d, a)[0], a),
        )

    whole, stopped, weighted, unconnected, second = f(tf.constant(3.0), tf.constant(5.0))
    assert [float(x) for x in whole] == [30.0, 9.0, 3.0]
    assert float(stopped[0]) == 15.0 and stopped[1] is None
    assert float(weighted[0]) == 50.0 + 30.0
    assert float(unconnected[0]) == 0.0
    assert float(second[0]) == 10.0


def test_mistakes() -> None:
    with pytest.raises(RuntimeError, match=r"Use tf\.GradientTape"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))

    @tf.function
    def f(x: Any) -> Any:
        with pytest.raises(ValueError, match="1 ys and 2 grad_ys"):
            tf.gradients(x, x, grad_ys=[x, x])
        with pytest.raises(TypeError, match="xs must be tensors and Variables"):
            tf.gradients(x, [1.0])
        return x

    f(tf.constant(1.0))
