"""Initializers where Keras is not installed: TensorFlow's numbers, for the seed 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ops.random import scaled_initializers as ours

WANTED: dict[str, list[float]] = {  # of shape [2, 3]
    "GlorotUniform": [-0.66622162, 0.96255732, 0.070711374, 0.74718416, -0.69492495, -0.83491707],
    "GlorotNormal": [-0.48287305, 1.2050892, -0.67891753, 0.43711135, -0.30131587, -0.35646439],
    "HeNormal": [-0.76348931, 1.9054133, -1.0734628, 0.69113374, -0.47642225, -0.56361967],
    "HeUniform": [-1.0533888, 1.5219365, 0.1118046, 1.1814018, -1.0987728, -1.3201197],
    "LecunNormal": [-0.53986847, 1.3473307, -0.75905287, 0.48870534, -0.3368814, -0.3985393],
    "LecunUniform": [-0.74485838, 1.0761718, 0.079057813, 0.83537734, -0.7769497, -0.93346572],
    "TruncatedNormal": [-0.03357924, 0.08380252, -0.04721227, 0.03039695, -0.02095366, -0.02478872],
    "Orthogonal": [-0.39354825, -0.5533272, 0.73413122, 0.74841624, 0.27089423, 0.60538375],
}


@pytest.mark.parametrize("name", WANTED)
def test_numbers_of_a_seed(name: str) -> None:
    initializer = getattr(ours, name)(seed=3)
    for _ in range(2):
        np.testing.assert_allclose(np.ravel(initializer([2, 3])), WANTED[name], rtol=2e-6)
    again = getattr(ours, name)(**initializer.get_config())
    assert again([2, 3]).numpy().tolist() == initializer([2, 3]).numpy().tolist()


def test_others() -> None:
    plain = ours.VarianceScaling(2.0, "fan_avg", "untruncated_normal", seed=3)
    wanted = [-0.60068369, 1.4991051, -0.84455878, 0.54375714, 1.120525, 1.2096703]
    np.testing.assert_allclose(np.ravel(plain([2, 3])), wanted, rtol=2e-6)
    window = ours.GlorotUniform(seed=3)([1, 2, 2, 1])
    np.testing.assert_allclose(
        np.ravel(window), [-0.60817432, 0.87869048, 0.0645504, 0.68208265], rtol=2e-6
    )
    tf.random.set_seed(5)
    new = ours.GlorotUniform()
    np.testing.assert_allclose(new([2]), [0.30959857, 0.073100686], rtol=2e-6)
    np.testing.assert_allclose(new([2]), [0.49408042, -1.1185157], rtol=2e-6)
    assert ours.Identity(2.0)([2, 3]).numpy().tolist() == [[2, 0, 0], [0, 2, 0]]
    tall = ours.Orthogonal(seed=1)([3, 2, 4]).numpy().reshape(6, 4)
    np.testing.assert_allclose(tall.T @ tall, np.eye(4), atol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ours.VarianceScaling(0.0),
        lambda: ours.VarianceScaling(1.0, "fan"),
        lambda: ours.VarianceScaling(1.0, "fan_in", "cauchy"),
        lambda: ours.HeNormal()([2, 2], tf.int32),
        lambda: ours.Orthogonal()([2]),
        lambda: ours.Identity()([2]),
    ],
)
def test_errors(call: Any) -> None:
    with pytest.raises(ValueError, match=r"must be positive|no mode|no dist|Expected float|axes"):
        call()


def test_uniform_integers() -> None:
    found = tf.random_uniform_initializer(0, 5, seed=1)([1000], tf.int64)
    assert found.dtype is tf.int64 and sorted(set(found.numpy().tolist())) == [0, 1, 2, 3, 4]


def test_they_stand_in_for_those_of_keras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tf, "_is_installed", lambda package: False)
    assert tf.initializers is ours
