"""Training gives the losses and weights that Keras on TensorFlow gives."""

from __future__ import annotations

import numpy as np
import pytest

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
