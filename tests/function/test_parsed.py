"""Functions that were parsed from text are called like others: in functions, and under tapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

SCALE = """
func @scale(%x: f32[n,3], %by: f32) -> (f32[n,3], f32[n]) {
  %0 = broadcast %by {shape = (n, 3), dims = ()} : f32[n,3]
  %y = mul %x, %0 : f32[n,3]
  %2 = exp %y : f32[n,3]
  %total = reduce_sum %2 {axes = (1,)} : f32[n]
  return %y, %total
}
"""
X = tf.constant([[0.0, 1.0, 2.0], [3.0, -1.0, 0.5]])
BY = tf.constant(0.5)


def test_under_tapes() -> None:
    f = tf.ir.parse(SCALE)
    with tf.GradientTape() as tape:
        tape.watch([X, BY])
        y, total = f(X, BY)
        loss = tf.reduce_sum(y * y) + tf.reduce_sum(total)
    by_x, by = tape.gradient(loss, [X, BY])
    y, wanted = 0.5 * X, 0.5 * (2 * 0.5 * X + tf.exp(0.5 * X))
    np.testing.assert_allclose(by_x, wanted, rtol=1e-6)
    np.testing.assert_allclose(by, tf.reduce_sum(X * (2 * y + tf.exp(y))), rtol=1e-6)


def test_inside_of_functions() -> None:
    f = tf.ir.parse(SCALE)

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def slope(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, total = f(tf.concat([x, x], 0), 0.5)
        return total, tape.gradient(total, x)

    for x in (X, X[:1]):
        total, gradient = slope(x)
        np.testing.assert_allclose(total, np.tile(np.exp(0.5 * x.numpy()).sum(1), 2), rtol=1e-6)
        np.testing.assert_allclose(gradient, tf.exp(0.5 * x), rtol=1e-6)


def test_what_does_not_fit_is_refused() -> None:
    f = tf.ir.parse(SCALE)
    with pytest.raises(ValueError, match=r"@scale\(f32\[n,3\], f32\) was called with \(f32\[4\]"):
        tf.function(lambda x: f(x, BY)).get_concrete_function(tf.TensorSpec([4]))
    with pytest.raises(TypeError, match="takes 2 arguments, got 1"):
        tf.function(lambda x: f(x)).get_concrete_function(tf.TensorSpec([4, 3]))


def test_lowered_text_runs_and_is_no_part_of_others() -> None:
    concrete = tf.function(lambda x: tf.exp(x) + 1.0).get_concrete_function(tf.TensorSpec([2, 3]))
    text = concrete.ir("lowered", verbose=True)
    assert " = exp " in text and " = exp " not in concrete.ir("kernels", verbose=True)
    kernels = tf.ir.parse(text)
    np.testing.assert_array_equal(kernels(X), concrete(X))
    with pytest.raises(ValueError, match=r"consists of kernels.* call it outside of them"):
        tf.function(lambda x: kernels(x))(X)


def model(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """With a loop, a branch and names."""
    hidden, total = tf.tanh(x @ w), tf.zeros([3])
    for _ in tf.range(3):
        hidden = tf.sin(hidden) * 0.9
        if tf.reduce_sum(hidden) > 0.1:
            total += hidden[0]
    return tf.reduce_mean(hidden**2) + tf.reduce_sum(total), hidden


def second(f: Any, x: tf.Tensor, w: tf.Tensor) -> list[tf.Tensor]:
    """The loss, its first derivatives, and second ones."""
    with tf.GradientTape() as outer:
        outer.watch([x, w])
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            loss, _ = f(x, w)
        by_x, by_w = tape.gradient(loss, [x, w])
        total = tf.reduce_sum(by_x**2) + tf.reduce_sum(by_w * w)
    return [loss, by_x, by_w, *outer.gradient(total, [x, w])]


def unrolled(f: Any, x: tf.Tensor, w: tf.Tensor) -> list[tf.Tensor]:
    """A gradient through a loop that calls it in each round."""
    with tf.GradientTape() as tape:
        tape.watch(w)
        total = tf.constant(0.0)
        for _ in tf.range(3):
            loss, x = f(x, w)
            total += loss
    return [total, tape.gradient(total, w)]


def trained(f: Any, x: tf.Tensor, w: tf.Tensor) -> list[tf.Tensor]:
    """A step on a Variable, inside of a function that is called twice."""
    v = tf.Variable(w)

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss, _ = f(x, v)
        v.assign_sub(0.1 * tape.gradient(loss, v))
        return loss

    return [step(x), step(x), v.read_value()]


@pytest.mark.parametrize(
    ("stage", "uses"),
    [("traced", (second, trained)), ("optimised", (second, tf.function(unrolled)))],
)
def test_a_stage_of_a_function_does_what_the_function_does(stage: str, uses: Any) -> None:
    """Bit for bit, in all that functions are used in."""
    rng = np.random.default_rng(0)
    x, w = (tf.constant(rng.normal(size=(n, 3)), tf.float32) for n in (5, 3))
    f = tf.function(model)
    text = f.get_concrete_function(tf.TensorSpec([None, 3]), w).ir(stage)
    parsed = tf.ir.parse(text)
    for use in uses:
        found, wanted = ([t.numpy() for t in use(g, x, w)] for g in (parsed, f))
        assert [a.tobytes() for a in found] == [a.tobytes() for a in wanted], use


def test_custom_gradients_are_in_the_traced_stage() -> None:
    """Passes inline them, so that the optimised function has the gradient of its ops."""

    @tf.custom_gradient
    def scaled(x: tf.Tensor) -> Any:
        return tf.exp(x), lambda dy: dy * 7.0

    concrete = tf.function(scaled).get_concrete_function(tf.TensorSpec([]))
    slopes = []
    for stage in ("traced", "optimised"):
        x = tf.constant(0.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.ir.parse(concrete.ir(stage))(x)
        slopes.append(float(tape.gradient(y, x)))
    assert slopes == [7.0, 1.0]
