"""Training gives the losses and weights that Keras on TensorFlow gives."""

from __future__ import annotations

import keras
import numpy as np
import pytest

import tfc as tf
from tests.keras.agreement.training import EPOCHS, MODELS, NUMBERS, numbers


@pytest.mark.parametrize("name", MODELS)
def test_five_epochs(name: str) -> None:
    with np.load(NUMBERS) as stored:
        prefix = f"{name}: "
        given = {k.removeprefix(prefix): stored[k] for k in stored if k.startswith(prefix)}
    found = numbers(name)
    assert list(found) == list(given)
    assert len(found["losses"]) == EPOCHS and found["losses"][-1] < found["losses"][0]
    for key, expected in given.items():
        np.testing.assert_allclose(found[key], expected, rtol=1e-4, atol=1e-4, err_msg=key)


@pytest.mark.parametrize("name", ["Adam", "RMSprop", "Adagrad"])
def test_rows_that_occur_several_times_are_added_before_they_are_squared(name: str) -> None:
    """As in Keras on JAX and PyTorch; on TensorFlow each is squared alone."""
    rows = np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, 4.0]], np.float32)
    slices = tf.IndexedSlices(tf.constant(rows), tf.constant([2, 0, 2]), (4, 2))
    ends = []
    for gradient in (slices, tf.convert_to_tensor(slices)):
        variable = keras.Variable(np.ones((4, 2), np.float32))
        getattr(keras.optimizers, name)(0.1).apply([gradient], [variable])
        ends.append(variable.numpy())
    np.testing.assert_allclose(*ends, rtol=1e-6)
    assert np.all(ends[0][[0, 2]] != 1) and np.all(ends[0][[1, 3]] == 1)
