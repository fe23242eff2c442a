"""Functions that were parsed from text are called like others: in functions, and under tapes."""

from __future__ import annotations

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
