"""Where lanes of small elements ask what lies beside an array, they compare their numbers."""

from __future__ import annotations

import numpy as np
import pytest

import tfc as tf

LENGTHS = (1, 2, 63, 65, 129, 300)


@pytest.mark.parametrize("dtype", ["int8", "uint16"])
def test_neighbours_beyond_both_ends(dtype: str) -> None:
    def beside(x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        around = tf.concat([x[3:], x[:3], x[-1:]], 0)
        return around, tf.pad(x, [[2, 1]])[1:], tf.pad(x, [[0, 3]])

    compiled = tf.function(beside)
    symbolic = tf.function(beside, input_signature=[tf.TensorSpec([None], dtype)])
    for length in LENGTHS:
        x = np.random.default_rng(length).integers(0, 2, length).astype(dtype)
        expected = (
            np.concatenate([x[3:], x[:3], x[-1:]]),
            np.pad(x, (2, 1))[1:],
            np.pad(x, (0, 3)),
        )
        for function in (beside, symbolic, *([compiled] if length == 129 else [])):
            for found, right in zip(function(tf.constant(x)), expected, strict=True):
                np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("scale", [1, 2**56])
def test_any_number_may_be_the_end(scale: int) -> None:
    """An end and what is counted may be further apart than 64 bits tell."""

    @tf.function
    def near(end: tf.Tensor) -> list[tf.Tensor]:
        places, last = tf.range(200, dtype=tf.int64) + 7, tf.cast(end, tf.int64) * scale
        found = places < last, places == last, last < places, last <= places
        return [tf.where(x, tf.constant(1, tf.int8), tf.constant(2, tf.int8)) for x in found]

    places = np.arange(200) + 7
    for end in (-128, -127, -1, 0, 1, 6, 7, 64, 71, 126, 127):
        last = end * scale
        right = places < last, places == last, last < places, last <= places
        for found, expected in zip(near(tf.constant(end, tf.int8)), right, strict=True):
            np.testing.assert_array_equal(found, np.where(expected, 1, 2))
