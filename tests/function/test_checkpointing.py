"""`recompute_grad`: the gradients of the function, from its arguments alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Program = Callable[..., Any]


def gradients(f: Program, x: Any, w: Any) -> list[float]:
    """First order by x and by a Variable, and second order."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, [x, w])
        product = first[0] * first[1]
    return [float(v) for v in (*first, *outer.gradient(product, [x, w]))]


@pytest.mark.parametrize("looped", [False, True])
def test_gradients(looped: bool) -> None:
    w = tf.Variable(0.7, dtype=tf.float64)

    def plain(x: Any) -> Any:
        return tf.tanh(tf.sin(x) * x * w)

    def program(layer: Program) -> Program:
        def run(x: Any) -> Any:
            for _ in tf.range(4):
                x = layer(x) + x
            return x

        return run if looped else layer

    x = tf.constant(0.5, tf.float64)
    wanted = gradients(program(plain), x, w)
    f = program(tf.recompute_grad(plain))
    np.testing.assert_allclose(gradients(f, x, w), wanted, rtol=1e-13)
    np.testing.assert_allclose(gradients(tf.function(f), x, w), wanted, rtol=1e-13)
    inside = tf.function(lambda v: gradients_of(f, v, w))(x)
    np.testing.assert_allclose([float(v) for v in inside], wanted[:2], rtol=1e-13)


def gradients_of(f: Program, x: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, w])


def test_a_loop_keeps_the_arguments_only() -> None:
    """The stacks of a scan hold what the backward pass needs: without, five tensors a round."""

    def block(x: Any) -> Any:
        for _ in range(5):
            x = tf.tanh(tf.sin(x) * 1.5)
        return x

    def loss(layer: Program) -> Program:
        def run(x: Any) -> Any:
            for _ in tf.range(8):
                x = layer(x)
            return tf.reduce_sum(x)

        return run

    def stacks(layer: Program) -> int:
        f = tf.function(lambda x: gradients_by(loss(layer), x))
        text = f.get_concrete_function(tf.TensorSpec([3])).ir("optimised")
        (kept,) = {int(n) for n in _residuals(text) if n != "0"}
        return kept

    assert stacks(block) == 5
    assert stacks(tf.recompute_grad(block)) == 1


def _residuals(text: str) -> list[str]:
    import re

    return re.findall(r"residuals = (\d+)", text)


def gradients_by(f: Program, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_structures_and_keywords() -> None:
    @tf.recompute_grad
    def f(pair: Any, *, scale: float) -> Any:
        return {"sum": pair[0] * scale + pair[1], "none": None}

    x, y = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        result = f((x, y), scale=4.0)
    assert result["none"] is None and float(result["sum"]) == 11
    assert [float(g) for g in tape.gradient(result["sum"], [x, y])] == [4.0, 1.0]


def test_misuses() -> None:
    with pytest.raises(TypeError, match=r"a function is needed, got 3.*test_checkpointing"):
        tf.recompute_grad(3)
    v = tf.Variable(1.0)

    @tf.function
    def assigns(x: Any) -> Any:
        return tf.recompute_grad(lambda y: v.assign_add(y) * 1.0)(x)

    with pytest.raises(tf.errors.UnimplementedError, match=r"assigns the Variable .*outside of it"):
        assigns(tf.constant(1.0))
