"""Convolutions whose operand is a view of what is stored: axes of 1 that come and go, transposes.

An axis of 1 lies anywhere in memory, so that taps and channels need not lie at one stride, and the
taps that see nothing of it are left out one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import by_turns

View = Callable[[Any], Any]
# Of an array [n, m, channels]: what a convolution in one dimension is given.
VIEWS: dict[str, View] = {
    "expanded": lambda x: tf.expand_dims(x[:, 0] * 2.0, 1),
    "reduced": lambda x: tf.reduce_sum(x, 1, keepdims=True),
    "exchanged": lambda x: tf.transpose(tf.expand_dims(tf.reduce_max(x, 1), 0), [1, 0, 2]),
    "batch of one": lambda x: tf.expand_dims(tf.reduce_sum(x, 0), 0),
    "turned": lambda x: tf.transpose(x * 2.0, [1, 0, 2]),
}
WINDOWS = [(2, 1, 1), (3, 1, 1), (3, 2, 1), (2, 1, 2)]  # taps, stride, dilation


@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("view", VIEWS)
def test_bits_are_those_of_eager_ops(view: str, window: tuple[int, int, int]) -> None:
    """Which store the operand as it is shown. Sizes go round."""
    taps, stride, dilation = window
    draw = np.random.default_rng(0)
    turn = list(VIEWS).index(view) + WINDOWS.index(window)
    for n in by_turns((9, 65, 1, 17), turn, 1):
        channels, results = ((2, 1), (3, 5), (1, 2), (5, 17))[turn % 3 + (n > 60)]
        x = tf.constant(draw.normal(size=(n, 2, channels)).astype(np.float32))
        w = tf.constant(draw.normal(size=(taps, channels, results)).astype(np.float32))

        def convolved(x: Any, w: Any) -> Any:
            shown = VIEWS[view](x)
            y = tf.nn.conv1d(shown, w, stride, "SAME", dilations=dilation)
            if stride == 1 or dilation == 1:
                back = tf.nn.conv1d_transpose(y, w, tf.shape(shown), stride, "SAME")
                return y, back
            return y, y

        for got, wanted in zip(tf.function(convolved)(x, w), convolved(x, w), strict=True):
            assert np.asarray(got).tobytes() == np.asarray(wanted).tobytes(), (n, channels)
