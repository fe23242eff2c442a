"""Names that only TensorFlow 1 has: losses, rates that fall, flags. The numbers are its own."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tfc.compat.v1 as v1
from tfc.compat.hints import _RENAMED

tf: Any = v1
LABELS = np.float32([[1, 0, 1], [0, 1, 1]])
FOUND = np.float32([[0.2, 0.7, 0.9], [0.4, 0.6, 0.1]])
WEIGHTS = np.float32([[1], [2]])


@pytest.fixture(autouse=True)
def graph() -> Iterator[Any]:
    """A graph of its own for each program."""
    with tf.Graph().as_default() as made:
        yield made


def test_all_renamed_functions_are_here() -> None:
    for name, now in _RENAMED.items():
        assert getattr(tf, name) is not None, name
        assert functools.reduce(getattr, now.split("."), v1._tfc) is not None


def test_losses() -> None:
    losses = tf.losses
    found = [
        losses.absolute_difference(LABELS, FOUND, WEIGHTS),
        losses.huber_loss(LABELS, FOUND * 3, WEIGHTS, delta=0.5),
        losses.log_loss(LABELS, FOUND, WEIGHTS),
        losses.hinge_loss(LABELS, FOUND, WEIGHTS),
        losses.sigmoid_cross_entropy(LABELS, FOUND, WEIGHTS, label_smoothing=0.1),
        losses.cosine_distance(LABELS, FOUND, axis=1, weights=WEIGHTS),
        losses.mean_squared_error(LABELS, FOUND, WEIGHTS),
        losses.softmax_cross_entropy(LABELS, FOUND, [1.0, 2.0]),
        losses.sparse_softmax_cross_entropy([0, 2], FOUND, [0.0, 2.0]),
    ]
    wanted = [0.83333, 0.61333, 1.59454, 1.33333, 1.01371, 0.25, 0.56667, 3.46143, 2.77188]
    reductions = [
        losses.mean_squared_error(LABELS, FOUND, WEIGHTS, reduction=way, loss_collection=None)
        for way in losses.Reduction.all()[1:]
    ]
    assert losses.get_losses() == found
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(found), wanted, atol=1e-5)
        assert session.run(losses.get_total_loss()) == pytest.approx(12.4382, abs=1e-4)
        means = [3.4, 0.3777778, 0.5666667, 0.5666667, 0.5666667]
        np.testing.assert_allclose(session.run(reductions), means, atol=1e-5)
    with pytest.raises(ValueError, match="Invalid Reduction Key mean"):
        losses.mean_squared_error(LABELS, FOUND, reduction="mean")


def test_losses_of_variables() -> None:
    with tf.variable_scope("s", regularizer=lambda v: tf.reduce_sum(v**2) * 0.1):
        tf.get_variable("v", [2], initializer=tf.ones_initializer())
        tf.get_variable("u", [3, 3], initializer=tf.orthogonal_initializer())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(tf.losses.get_regularization_loss()) == pytest.approx(0.5)


STEPS = {  # at steps 0, 3, 7 and 12
    "exponential_decay": ([0.1, 0.06598, 0.03789, 0.01895], (5, 0.5), {}),
    "natural_exp_decay": ([0.1, 0.07408, 0.04966, 0.03012], (5, 0.5), {}),
    "inverse_time_decay": ([0.1, 0.1, 0.06667, 0.05], (5, 0.5, True), {}),
    "polynomial_decay": ([0.1, 0.046, 0.037, 0.028], (5, 0.01), {"cycle": True}),
    "cosine_decay": ([0.1, 0.08145, 0.02855, 0.01], (10, 0.1), {}),
}


@pytest.mark.parametrize("name", STEPS)
def test_rates_that_fall(name: str) -> None:
    wanted, args, options = STEPS[name]
    step = tf.placeholder(tf.int32, [])
    rate = getattr(tf.train, name)(0.1, step, *args, **options)
    with tf.Session() as session:
        found = [session.run(rate, {step: n}) for n in (0, 3, 7, 12)]
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_rates_in_steps() -> None:
    step = tf.train.create_global_step()
    rate = tf.train.piecewise_constant(step, [3, 7], [1.0, 0.5, 0.1])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [(session.run(rate), session.run(tf.assign_add(step, 1)))[0] for _ in range(9)]
        assert tf.train.global_step(session, step) == 9
    np.testing.assert_allclose(found, [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.1])
    with pytest.raises(ValueError, match="already exists"):
        tf.train.create_global_step()


def test_dense_and_split() -> None:
    with tf.Session() as session:
        dense = tf.sparse_to_dense([[0, 1], [2, 0]], [3, 2], [5, 6], 1)
        assert session.run(dense).tolist() == [[1, 5], [1, 1], [6, 1]]
        words = session.run(tf.string_split(["a b", " c  d", ""]))
        assert words.indices.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
        assert words.values.tolist() == [b"a", b"b", b"c", b"d"]
        assert words.dense_shape.tolist() == [3, 2]
        for text, options, wanted in (
            ("a,b;c", {"sep": ",;"}, [b"a", b"b", b"c"]),
            ("abc", {"delimiter": ""}, [b"a", b"b", b"c"]),
            ("a  b", {"skip_empty": False}, [b"a", b"", b"b"]),
        ):
            assert session.run(tf.string_split([text], **options)).values.tolist() == wanted


def test_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    tf.flags.DEFINE_integer("steps_of_the_test", 3, "How many.")
    seen: list[Any] = []
    with pytest.raises(SystemExit):
        arguments = ["program", "--steps_of_the_test=5", "rest"]
        tf.app.run(lambda rest: seen.extend([tf.flags.FLAGS.steps_of_the_test, rest]), arguments)
    assert seen == [5, ["program", "rest"]]
