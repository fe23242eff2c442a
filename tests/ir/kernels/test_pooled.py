"""Convolutions and windows over them as one kernel: the bits of two, and when it is not done."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.kernels.cpu.conv.pooled import PooledConv
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.plan.costs import cost
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.target import Target

# (rows, columns, channels, results), taps, padding, (window, strides, padding), pool
CASES = {
    "any batch, odd": ((13, 11, 3, 40), 3, "SAME", (2, 2, "SAME"), tf.nn.max_pool2d),
    "without a halo": ((12, 13, 16, 33), 3, "VALID", (2, 2, "VALID"), tf.nn.max_pool2d),
    "bands": ((34, 36, 4, 40), 5, "SAME", (3, 3, "VALID"), tf.nn.max_pool2d),
    "windows overlap": ((14, 14, 16, 32), 3, "SAME", (3, 2, "SAME"), tf.nn.max_pool2d),
    "one by one": ((7, 7, 16, 24), 1, "SAME", ((1, 2), (1, 2), "VALID"), tf.nn.max_pool2d),
    "averages": ((12, 9, 8, 20), 3, "SAME", (2, 2, "VALID"), tf.nn.avg_pool2d),
}


def schedules(f: Any, target: Target | None = None) -> list[type]:
    """Of the kernels of a function that has been called."""
    optimised = f.get_concrete_function().compiled.stages.optimised
    return [type(g.schedule) for g in fuse(optimised, CPU, target or Target()).groups]


@pytest.mark.parametrize("case", CASES)
def test_the_bits_are_those_of_two_kernels(case: str) -> None:
    """Also of weights that are inf, which zeros of a halo must not meet."""
    (rows, columns, channels, results), taps, padding, window, pool = CASES[case]
    rng = np.random.default_rng(3)
    x = rng.standard_normal((3, rows, columns, channels)).astype(np.float32)
    w = rng.standard_normal((taps, taps, channels, results)).astype(np.float32)
    b = rng.standard_normal(results).astype(np.float32)

    def f(x: Any, w: Any, b: Any) -> Any:
        return pool(tf.nn.relu(tf.nn.conv2d(x, w, 1, padding) + b), *window) * 2.0

    batch = None if case.startswith("any batch") else 3
    specs = [tf.TensorSpec([batch, *x.shape[1:]]), tf.TensorSpec(w.shape), tf.TensorSpec(b.shape)]
    compiled = tf.function(f, input_signature=specs)
    infinite = w.copy()
    infinite[0, 0, 0, ::3] = np.inf
    for weights in (w, infinite):
        wanted = f(tf.constant(x), tf.constant(weights), tf.constant(b)).numpy()
        np.testing.assert_array_equal(compiled(x, weights, b).numpy(), wanted)
    for target in (Target(), Target(vector_bytes=32, registers=16)):
        assert PooledConv in schedules(compiled, target)


def test_what_is_wanted_elsewhere_is_stored() -> None:
    """By who called, by a gradient."""
    x, w = tf.TensorSpec([4, 12, 12, 3]), tf.TensorSpec([3, 3, 3, 32])

    def layer(x: Any, w: Any) -> Any:
        y = tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME"))
        return y, tf.nn.max_pool2d(y, 2, 2, "VALID")

    def gradient(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            z = tf.reduce_sum(layer(x, w)[1] ** 2.0)
        return tape.gradient(z, w)

    for f in (layer, gradient):
        assert PooledConv not in schedules(tf.function(f, input_signature=[x, w]))
    pooled = tf.function(lambda x, w: layer(x, w)[1], input_signature=[x, w])
    assert PooledConv in schedules(pooled)
    # Tables of kernels count what the convolution computes, too.
    (launch,) = pooled.get_concrete_function().compiled.stages.lowered.body
    assert cost(launch).name == "conv + relu + max_pool"
    assert int(cost(launch).operations) >= 4 * 12 * 12 * 32 * 2 * 3 * 3 * 3


def test_a_row_that_is_too_long_for_a_stack() -> None:
    specs = [tf.TensorSpec([1, 8, 1000, 3]), tf.TensorSpec([3, 3, 3, 32])]

    def f(x: Any, w: Any) -> Any:
        return tf.nn.max_pool2d(tf.nn.conv2d(x, w, 1, "SAME"), 2, 2, "VALID")

    assert PooledConv not in schedules(tf.function(f, input_signature=specs))
