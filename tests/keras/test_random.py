"""Random numbers: drawn at once or inside of a function, the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf


@pytest.mark.parametrize("shape", [(3, 4), (4, 4), (2, 3, 1, 5), (), (0, 3)])
@pytest.mark.parametrize("name", ["uniform", "normal", "truncated_normal"])
def test_drawn_at_once_or_in_a_function(name: str, shape: tuple[int, ...]) -> None:
    draw = getattr(tf.keras.random, name)
    found = draw(shape, seed=2**31 + 5)
    assert tuple(found.shape) == shape
    compiled: Any = tf.function(lambda: draw(shape, seed=2**31 + 5), autograph=False)
    assert np.array_equal(found, compiled())


def test_means_have_gradients() -> None:
    mean = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        drawn = tf.keras.random.normal((3, 2), mean=mean, seed=1)
    assert float(tape.gradient(drawn, mean)) == 6.0
