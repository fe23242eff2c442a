"""`tf.raw_ops` that are made of several functions."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

RNG = np.random.default_rng(3)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def test_block_lstm() -> None:
    """Gates i, f, c, o; steps after the last one that counts give zeros."""
    steps, batch, inputs, units = 3, 2, 3, 2
    x, w = RNG.normal(size=(steps, batch, inputs)), RNG.normal(size=(inputs + units, 4 * units))
    c, h, b = RNG.normal(size=(batch, units)), np.zeros((batch, units)), RNG.normal(size=4 * units)
    peephole = tf.zeros([units], tf.float64)
    arguments: dict[str, Any] = {"x": x, "w": w, "b": b, "cs_prev": c, "h_prev": h}
    arguments |= dict.fromkeys(("wci", "wcf", "wco"), peephole)
    tensors = {k: tf.convert_to_tensor(v) for k, v in arguments.items()}
    found = tf.raw_ops.BlockLSTMV2(seq_len_max=tf.constant(2, tf.int64), **tensors)
    assert len(found) == 7 and not found[-1][2].numpy().any()
    for t in range(2):
        i, f, new, o = np.split(np.concatenate([x[t], h], 1) @ w + b, 4, 1)
        c = np.tanh(new) * sigmoid(i) + c * sigmoid(f)
        h = np.tanh(c) * sigmoid(o)
        np.testing.assert_allclose(found[1][t], c, 1e-6)
        np.testing.assert_allclose(found[-1][t], h, 1e-6)


def test_fused_batch_norm() -> None:
    x = RNG.normal(size=(2, 3, 3, 2)).astype(np.float32)
    given = {"x": x, "scale": [1.0, 2.0], "offset": [0.0, 1.0], "mean": [], "variance": []}
    y, mean, variance, *kept = tf.raw_ops.FusedBatchNormV3(**given, epsilon=1e-4)
    np.testing.assert_allclose(mean, x.mean((0, 1, 2)), 1e-4, 1e-6)
    np.testing.assert_allclose(variance, x.var((0, 1, 2)) * 18 / 17, 1e-4)
    assert y.shape == x.shape and len(kept) == 3 and kept[2].shape == (0,)


def test_bias_of_channels_that_are_not_known() -> None:
    f = tf.function(lambda x: tf.nn.bias_add(x, [1.0, 2.0]))
    concrete = f.get_concrete_function(tf.TensorSpec([None, None]))
    assert concrete(tf.zeros([1, 2])).numpy().tolist() == [[1.0, 2.0]]


def test_random_seeds() -> None:
    tf.random.set_seed(None)  # nobody knows which
    first = tf.random.uniform([4])
    tf.random.set_seed(None)
    assert not np.array_equal(first, tf.random.uniform([4]))
    assert np.array_equal(
        tf.random.stateless_uniform([2], [1, 2]), tf.random.stateless_uniform([2], [1, 2])
    )


def test_axes_that_gradients_are_summed_along() -> None:
    """As TensorFlow's op gives them, also for equal shapes and where both have an extent of 1."""
    cases: list[tuple[list[int], list[int], list[int], list[int]]] = [
        ([2, 3], [2, 3], [], []),
        ([1, 3], [2, 3], [0], []),
        ([3], [2, 3], [0], []),
        ([1], [1, 1], [0, 1], [0, 1]),
        ([1, 1], [1, 1], [], []),
        ([2, 1], [1, 3], [1], [0]),
        ([1, 2], [2], [0], [0]),
    ]
    traced = tf.function(lambda a, b: tf.raw_ops.BroadcastGradientArgs(s0=a, s1=b))
    for a, b, *wanted in cases:
        found = tf.raw_ops.BroadcastGradientArgs(s0=tf.constant(a), s1=tf.constant(b))
        assert [x.numpy().tolist() for x in found] == wanted
        again = traced(tf.constant(a), tf.constant(b))
        assert [x.numpy().tolist() for x in again] == wanted


def test_derivatives_of_gamma_functions() -> None:
    a, x = tf.constant([0.5, 2.0]), tf.constant([0.3, 1.5])
    with tf.GradientTape() as tape:
        tape.watch(a)
        total = tf.reduce_sum(tf.math.igamma(a, x))
    slope = tf.raw_ops.IgammaGradA(a=a, x=x)
    assert slope.numpy().tolist() == tape.gradient(total, a).numpy().tolist()
    # -(dF/da) / (dF/dx), the density being x^(a - 1) e^-x / gamma(a)
    density = tf.exp((a - 1) * tf.math.log(x) - x - tf.math.lgamma(a))
    found = tf.raw_ops.RandomGammaGrad(alpha=a, sample=x)
    np.testing.assert_allclose(found, -slope / density, rtol=1e-5)


def test_rows_that_repeat_are_counted() -> None:
    found = tf.raw_ops.UniqueWithCountsV2(x=[[3, 4], [1, 2], [3, 4]], axis=[0])
    assert found.y.numpy().tolist() == [[3, 4], [1, 2]]
    assert found.idx.numpy().tolist() == [0, 1, 0] and found.count.numpy().tolist() == [2, 1]
    assert tf.raw_ops.UniqueWithCountsV2(x=[5, 5, 1], axis=[0]).count.numpy().tolist() == [2, 1]
