"""Loops whose variables change their shapes on a GPU, which is here the emulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated_gpu import live, on_gpu
from tests.function.test_changing_shapes import (
    PROGRAMS,
    VECTOR,
    Program,
    X,
    appended,
    first,
    options,
    same,
)
from tests.sampling import by_turns


def second(f: Program, x: Any, n: Any) -> Any:
    return first(lambda x, n: first(f, x, n), x, n)


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients(gpu: Any, program: Program) -> None:
    """The bits of the CPU, however many rounds there are, in any order of calls."""
    before = live(gpu)
    orders = by_turns([program, lambda x, n: first(program, x, n)], PROGRAMS.index(program), 1)
    if program is appended:
        orders.append(lambda x, n: second(program, x, n))
    for f in orders:
        compiled = tf.function(f)
        for rounds in (2, 0, 3):
            x, n = tf.constant(X, tf.float64), tf.constant(rounds)
            there = compiled(x.gpu(), n.gpu())
            assert on_gpu(there)
            same(there.numpy(), compiled(x, n))
    del compiled, x, n, there
    assert live(gpu) <= before + 256  # constants of the functions


def test_a_failure_inside(gpu: Any) -> None:
    @tf.function
    def f(n: Any, most: Any) -> Any:
        y = tf.zeros([1])
        while n > 0:
            options(shape_invariants=[(y, VECTOR)])
            tf.debugging.assert_less(tf.shape(y)[0], most, message="too long")
            y = tf.concat([y, y], 0)
            n -= 1
        return y

    with tf.device("/gpu:0"):
        assert f(tf.constant(3), tf.constant(9)).shape == (8,)
        for _ in range(3):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"too long.*test_devices_growing"
            ):
                f(tf.constant(20), tf.constant(9))
        assert f(tf.constant(2), tf.constant(9)).shape == (4,)


def test_sizes_that_clash_inside(gpu: Any) -> None:
    """What a size was in the round before does not count."""

    @tf.function
    def f(x: Any, n: Any) -> Any:
        y = x
        for _ in tf.range(n):
            options(shape_invariants=[(y, VECTOR)])
            y = tf.concat([y + x, [1.0]], 0)
        return y

    x = tf.constant([1.0, 2.0]).gpu()
    np.testing.assert_array_equal(f(x, tf.constant(1)).numpy(), [2, 4, 1])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"extents [23] and [23] .*test_devices_growing"
    ):
        f(x, tf.constant(2))
