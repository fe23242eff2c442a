"""Recurrent networks of cells: outputs, states, derivatives and the names of Variables, as
TensorFlow 2.21 gives them with its older Keras."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc.compat.v1 as v1

tf: Any = v1
cells: Any = tf.nn.rnn_cell
X = np.random.default_rng(0).normal(size=(3, 5, 4)).astype(np.float32)
LENGTHS = [5, 2, 3]


def start() -> Any:
    return tf.random_uniform_initializer(-0.3, 0.3, seed=7)


CELLS = (
    (lambda: cells.BasicRNNCell(3), [3.5064, 0.2364, 2.4133]),
    (lambda: cells.GRUCell(3), [0.4881, 0.1761, 0.1828]),
    (
        lambda: cells.LSTMCell(3, use_peepholes=True, num_proj=2, cell_clip=0.5, proj_clip=0.4),
        [0.0182, -0.6986, 0.0255],
    ),
    (
        lambda: cells.MultiRNNCell(
            [cells.BasicLSTMCell(3, forget_bias=0.5), cells.BasicLSTMCell(2)]
        ),
        [0.0022, -0.2707, -0.0032],
    ),
    (
        lambda: cells.ResidualWrapper(cells.DropoutWrapper(cells.GRUCell(4), output_keep_prob=1.0)),
        [52.169, -0.0104, 6.1598],
    ),
)


def test_networks() -> None:
    """Each as a loop, of rows that end early or not; and both ways."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 5, 4])
        outputs = []
        for i, (make, _) in enumerate(CELLS):
            with tf.variable_scope(f"n{i}", initializer=start()):
                lengths = LENGTHS if i % 2 else None
                found, state = tf.nn.dynamic_rnn(make(), x, lengths, dtype=tf.float32)
                loss = tf.reduce_sum(found * found)
                whole = tf.add_n([tf.reduce_sum(v) for v in tf.nest.flatten(state)])
                outputs.append([loss, whole, tf.reduce_sum(tf.gradients(loss, x)[0])])
        pair = cells.GRUCell(2), cells.GRUCell(3)
        with tf.variable_scope("b", initializer=start()):
            both, ends = tf.nn.bidirectional_dynamic_rnn(
                *pair, x, sequence_length=LENGTHS, dtype=tf.float32
            )
            outputs.append([tf.reduce_sum(v) for v in (*both, ends[1])])
        with tf.variable_scope("s", initializer=start()):
            rows, a, b = tf.nn.static_bidirectional_rnn(
                cells.GRUCell(2),
                cells.GRUCell(2),
                tf.unstack(x, axis=1),
                dtype=tf.float32,
                sequence_length=LENGTHS,
            )
            outputs.append([tf.reduce_sum(v) for v in (rows[1], a, b)])
        session.run(tf.global_variables_initializer())
        expected = [*(numbers for _, numbers in CELLS), [0.578, 0.3164, 0.3438]]
        expected.append([0.4602, 0.0072, 0.0639])
        np.testing.assert_allclose(session.run(outputs, {x: X}), expected, atol=2e-4)
        names = {v.name for v in tf.global_variables()}
        assert len(names) == 36
        assert {
            "n2/rnn/lstm_cell/w_f_diag:0",
            "n2/rnn/lstm_cell/projection/kernel:0",
            "n3/rnn/multi_rnn_cell/cell_1/basic_lstm_cell/kernel:0",
            "b/bidirectional_rnn/bw/gru_cell/candidate/bias:0",
        } <= names


def test_cells_of_ones_own() -> None:
    class Sum(cells.RNNCell):  # type: ignore[misc]
        state_size = output_size = 4

        def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
            with tf.variable_scope(scope or "sum"):
                w = tf.get_variable("w", [4], initializer=tf.ones_initializer())
            return inputs * w + state, inputs * w + state

    with tf.Graph().as_default(), tf.Session() as session:
        outputs, state = tf.nn.dynamic_rnn(Sum(), tf.constant(X), dtype=tf.float32)
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(outputs), X.cumsum(1), atol=1e-5)
        np.testing.assert_allclose(session.run(state), X.sum(1), atol=1e-5)
        assert [v.name for v in tf.global_variables()] == ["rnn/sum/w:0"]
        with pytest.raises(ValueError, match="`dtype` must be specified"):
            tf.nn.dynamic_rnn(Sum(), tf.constant(X))
        with pytest.raises(TypeError, match="inputs must be a sequence"):
            tf.nn.static_rnn(Sum(), tf.constant(X))
        with pytest.raises(ValueError, match="at least one cell"):
            cells.MultiRNNCell([])
