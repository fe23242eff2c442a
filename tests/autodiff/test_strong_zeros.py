"""The branch of a `where` that was not taken contributes a zero, whatever its derivative is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

CASES: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "sqrt": (lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, 0.5, 0.25]),
    "log": (lambda x: tf.where(x > 0, tf.math.log(x), x), [1.0, 1.0, 0.25]),
    "chain": (lambda x: tf.where(x > 0, tf.math.log(x * x) * 1.0, 0.0), [0.0, 2.0, 0.5]),
    "second branch": (lambda x: tf.where(x <= 0, 0.0, 1.0 / x), [0.0, -1.0, -0.0625]),
    "nested": (
        lambda x: tf.where(x > 0, tf.where(x > 2, tf.sqrt(x - 1), tf.math.log(x)), 0.0),
        [0.0, 1.0, float(0.5 / np.sqrt(3.0))],
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("compiled", [False, True])
def test_gradient(name: str, compiled: bool) -> None:
    f, wanted = CASES[name]
    derivative = tf.grad(lambda x: tf.reduce_sum(f(x)))
    derivative = tf.function(derivative) if compiled else derivative
    got = derivative(tf.constant([0.0, 1.0, 4.0])).numpy()
    np.testing.assert_allclose(got, np.float32(wanted), rtol=1e-6)
