"""Programs of TensorFlow 1, as its books have them: graphs, sessions, what is fed and fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc.compat.v1 as v1

tf: Any = v1


@pytest.fixture(autouse=True)
def graph() -> Iterator[Any]:
    """A graph of its own for each program."""
    with tf.Graph().as_default() as made:
        yield made


def digits(count: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Pictures of 8 times 8 that are told apart by where they are bright, and their classes."""
    random = np.random.default_rng(0)
    classes = random.integers(0, 4, count)
    x = random.uniform(0.0, 0.3, (count, 8, 8)).astype(np.float32)
    for i, c in enumerate(classes):
        x[i, 4 * (c // 2) :, 4 * (c % 2) :][:4, :4] += 0.6
    return x.reshape(count, 64), np.eye(4, dtype=np.float32)[classes]


def test_linear_regression() -> None:
    x, y = tf.placeholder(tf.float32), tf.placeholder("float")
    w, b = tf.Variable(0.3, name="weight"), tf.Variable(-0.3, name="bias")
    cost = tf.square(tf.add(tf.multiply(x, w), b) - y)
    optimizer = tf.train.GradientDescentOptimizer(0.05).minimize(cost)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value"):
            session.run(cost, {x: 1.0, y: 1.0})
        assert session.run(tf.global_variables_initializer()) is None
        assert session.run([w, b]) == pytest.approx([0.3, -0.3])
        for _ in range(100):
            for at, value in ((1.0, 3.0), (2.0, 5.0), (3.0, 7.0)):
                session.run(optimizer, feed_dict={x: at, y: value})
        assert session.run([w, b]) == pytest.approx([2.0, 1.0], abs=0.1)
        assert session.run(cost, {x: 2.0, y: 0.0, w: 1.0, b: 1.0}) == 9.0
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"You must feed .*'Placeholder_1'"
        ):
            session.run(cost, {x: 1.0})
        with pytest.raises(ValueError, match=r"Cannot feed value of shape \(1,\)"):
            session.run(cost, {x: [1.0], y: 1.0})
    with pytest.raises(RuntimeError, match="closed"):
        session.run(cost)


def test_softmax_on_digits() -> None:
    pictures, classes = digits()
    x = tf.placeholder(tf.float32, [None, 64], name="x")
    y = tf.placeholder(tf.float32, [None, 4])
    w, b = tf.Variable(tf.zeros([64, 4])), tf.Variable(tf.zeros([4]))
    logits = tf.matmul(x, w) + b
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits)
    loss = tf.reduce_mean(losses)
    step = tf.Variable(0, trainable=False, name="global_step")
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, global_step=step)
    right = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    assert [v.name for v in tf.trainable_variables()] == ["Variable:0", "Variable_1:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss, {x: pictures, y: classes})
        assert first == pytest.approx(np.log(4))
        for i in range(40):
            rows = slice(16 * (i % 4), 16 * (i % 4) + 16)
            _, last = session.run([train, loss], {x: pictures[rows], y: classes[rows]})
        found = session.run({"a": accuracy, "s": (step, step)}, {"x:0": pictures, y: classes})
        assert found == {"a": 1.0, "s": (40, 40)} and last < 0.5 * first
        assert accuracy.eval({x: pictures[:7], y: classes[:7]}) == 1.0
        assert len(x.graph.programs) <= 6  # a slice is compiled once


def test_a_saver(tmp_path: Path) -> None:
    with tf.variable_scope("layer"):
        w = tf.get_variable("w", initializer=tf.constant([1.0, 2.0]))
    count = tf.Variable(0, name="count")
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in range(3):
            session.run([w.assign(2.0 * w), count.assign_add(1)])
            path = saver.save(session, str(tmp_path / "model"), global_step=i)
    assert tf.train.latest_checkpoint(str(tmp_path)) == path == str(tmp_path / "model-2")
    assert not (tmp_path / "model-0.index").exists()
    assert dict(tf.train.list_variables(path)) == {"layer/w": [2], "count": []}
    with tf.Session() as session:
        saver.restore(session, path)
        assert session.run(w).tolist() == [8.0, 16.0] and session.run(count) == 3
        tf.train.Saver({"count": count}).restore(session, str(tmp_path / "model-1"))
        assert session.run(count) == 2
        with pytest.raises(tf.errors.NotFoundError, match="Key other"):
            tf.train.Saver({"other": count}).restore(session, path)
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            saver.restore(session, str(tmp_path / "none"))
