"""Candidate samplers: what is drawn, how often it is expected, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)


def probabilities(kind: str, n: int) -> np.ndarray:
    k = np.arange(n)
    if kind == "log_uniform":
        return np.log((k + 2) / (k + 1)) / np.log(n + 1)
    return np.full(n, 1 / n)


SAMPLERS: dict[str, Any] = {
    "log_uniform": tf.random.log_uniform_candidate_sampler,
    "uniform": tf.random.uniform_candidate_sampler,
}


@pytest.mark.parametrize("kind", SAMPLERS)
def test_frequencies_and_expected_counts(kind: str) -> None:
    tf.random.set_seed(3)
    p = probabilities(kind, 12)
    true = np.arange(12)[:, None]
    drawn, expected, own = SAMPLERS[kind](true, 1, 6000, False, 12)
    assert drawn.dtype == "int64" and drawn.shape == (6000,) and expected.shape == (12, 1)
    seen = np.bincount(drawn.numpy(), minlength=12)
    assert np.all(np.abs(seen - 6000 * p) < 5 * np.sqrt(6000 * p))
    np.testing.assert_allclose(expected.numpy()[:, 0], 6000 * p, rtol=1e-6)
    np.testing.assert_allclose(own, 6000 * p[drawn.numpy()], rtol=1e-6)


@pytest.mark.parametrize("kind", SAMPLERS)
def test_unique_classes(kind: str) -> None:
    p = probabilities(kind, 30)
    counts = np.zeros(30)
    for seed in range(150):
        drawn, expected, _ = SAMPLERS[kind](np.arange(30)[:, None], 1, 5, True, 30, seed=seed)
        values = drawn.numpy()
        assert len(set(values.tolist())) == 5 and values.min() >= 0 and values.max() < 30
        counts[values] += 1
        # 1 - (1 - p)^tries for a whole number of tries
        tries = np.log1p(-expected.numpy()[:, 0].astype(np.float64)) / np.log1p(-p)
        assert np.allclose(tries, np.round(tries[0]), rtol=1e-3) and round(tries[0]) >= 5
    assert counts.sum() == 750 and counts[0] >= counts[25:].max() - 40


def test_functions_draw_as_eager_code_does() -> None:
    def f(y: Any) -> Any:
        return tf.random.log_uniform_candidate_sampler(y, 2, 4, True, 50, seed=2)

    true = tf.constant([[1, 2], [3, 4]], tf.int64)
    tf.random.set_seed(1)
    eager = [f(true) for _ in range(3)]
    tf.random.set_seed(1)
    g = tf.function(f, input_signature=[tf.TensorSpec([None, 2], tf.int64)])
    for want in eager:
        for a, b in zip(want, g(true), strict=True):
            assert a.numpy().tobytes() == b.numpy().tobytes()
    assert eager[0][0].numpy().tolist() != eager[1][0].numpy().tolist()


def test_unigrams() -> None:
    sample = tf.random.fixed_unigram_candidate_sampler
    weights = [1.0, 4.0, 0.0, 9.0]
    drawn, expected, _ = sample([[1, 3]], 2, 4000, False, 4, unigrams=weights, distortion=0.5)
    seen = np.bincount(drawn.numpy(), minlength=4)
    p = np.array([1, 2, 0, 3]) / 6
    assert seen[2] == 0 and np.all(np.abs(seen - 4000 * p) <= 5 * np.sqrt(4000 * p))
    np.testing.assert_allclose(expected, [[4000 / 3, 2000]], rtol=1e-6)
    found = sample([[0]], 1, 3, True, 6, num_reserved_ids=2, unigrams=weights)
    assert sorted(found.sampled_candidates.numpy().tolist()) == [2, 3, 5]
    found = sample([[0]], 1, 50, False, 4, unigrams=[1.0] * 4, num_shards=2, shard=1)
    assert set(found.sampled_candidates.numpy().tolist()) == {1, 3}
    with pytest.raises(tf.errors.InvalidArgumentError, match="3 with a positive weight"):
        sample([[0]], 1, 4, True, 4, unigrams=weights)
    with pytest.raises(ValueError, match="number of unigrams"):
        sample([[0]], 1, 4, True, 5, unigrams=weights)
    with pytest.raises(tf.errors.UnimplementedError, match="vocabulary"):
        sample([[0]], 1, 4, True, 4, vocab_file="words.txt")


def test_what_is_refused() -> None:
    sample = tf.random.uniform_candidate_sampler
    for arguments, text in (
        (([[1.0]], 1, 2, True, 5), "integers"),
        (([[1]], 2, 2, True, 5), "num_true = 2"),
        (([1], 1, 2, True, 5), "num_true = 1"),
        (([[1]], 1, 6, True, 5), "6 different classes cannot be drawn of 5"),
        (([[1]], 1, 0, True, 5), "num_sampled must be a positive integer"),
        (([[1]], 1, 1, True, "x"), "range_max must be a number"),
    ):
        with pytest.raises(ERRORS, match=text):
            sample(*arguments)
    with pytest.raises(ERRORS, match="inputs must be floats"):
        tf.nn.nce_loss(tf.zeros([5, 2]), tf.zeros([5]), [[1]], [1, 2], 2, 5)


def test_a_sampled_model_learns() -> None:
    """With many candidates the sampled loss leads where the full one does."""
    tf.random.set_seed(7)
    w, b = tf.Variable(tf.zeros([20, 4])), tf.Variable(tf.zeros([20]))
    x = tf.random.normal([40, 4], seed=2)
    y = tf.reshape(tf.argmax(x, 1), [-1, 1])

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sampled_softmax_loss(w, b, y, x, 10, 20))
        for v, g in zip((w, b), tape.gradient(loss, [w, b]), strict=True):
            v.assign_sub(2.0 * tf.convert_to_tensor(g))

    for _ in range(60):
        step()
    full = tf.argmax(tf.matmul(x, w, transpose_b=True) + b, 1)
    assert np.mean(full.numpy() == y.numpy()[:, 0]) > 0.9
