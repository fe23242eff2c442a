"""Placeholders without a shape, and sparse ones: programs whose numbers TensorFlow 2.21 gave."""

from __future__ import annotations

from collections.abc import Iterator
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


def test_what_is_known_of_them(graph: Any) -> None:
    x = tf.placeholder(tf.float32, name="x")
    assert str(x) == 'Tensor("x:0", dtype=float32)'
    assert repr(x) == "<tf.Tensor 'x:0' shape=<unknown> dtype=float32>"
    assert str(x.shape) == "<unknown>"
    assert [str((2.0 * x).shape), str(x[0].shape)] == ["<unknown>"] * 2
    assert [tf.rank(x).shape.rank, tf.shape(x).shape.as_list()] == [0, [None]]
    assert tf.reduce_sum(x).shape.as_list() == [] and tf.reshape(x, [-1]).shape.as_list() == [None]
    assert graph.get_tensor_by_name("x:0") is x and x.op.name == "x"
    with pytest.raises(TypeError, match="int32"):
        x + tf.constant(1)
    with pytest.raises(ValueError, match="unknown TensorShape"):
        x.shape.as_list()
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"You must feed .* 'x'"):
            session.run(2.0 * x)
        assert session.run(2.0 * x, {x: [1.0, 2.0]}).tolist() == [2, 4]
        assert session.run(2.0 * x, {"x:0": 5.0}) == 10


def test_a_line_through_points() -> None:
    w, b = tf.Variable([0.3]), tf.Variable([-0.3])
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    line = w * x + b
    loss = tf.reduce_sum(tf.square(line - y))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    feed = {x: [1, 2, 3, 4], y: [0, -1, -2, -3]}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(line, {x: [1, 2, 3, 4]}) == pytest.approx([0, 0.3, 0.6, 0.9])
        assert session.run(loss, feed) == pytest.approx(23.66)
        for _ in range(1000):
            session.run(train, feed)
        assert session.run([w, b]) == [pytest.approx([-0.9999969]), pytest.approx([0.9999908])]
        session.run(train, {x: 1.0, y: 0.0})
        session.run(train, {x: [[1.0, 2.0]], y: [[0.0, 2.0]]})
        assert session.run(w) == pytest.approx([-0.87999654])


def test_a_network_with_rates_and_conditions_that_are_fed() -> None:
    x, y = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32)
    rate, training = tf.placeholder(tf.float32), tf.placeholder(tf.bool)
    w, b = tf.Variable(tf.ones([3, 1]) * 0.1), tf.Variable(tf.zeros([1]))
    q = tf.matmul(x, w) + b
    p = tf.cond(training, lambda: q * 2.0, lambda: q)
    loss = tf.reduce_mean(tf.square(p - y))
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss)
    feed = {x: np.arange(12.0).reshape(4, 3) / 6, y: [[1], [2], [3], [4]]}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(train, {**feed, rate: 0.1, training: True})
        assert session.run(w) == pytest.approx(np.array([[0.75548923], [0.8839679], [1.0124471]]))
        assert session.run([b, loss], {**feed, training: False}) == [
            pytest.approx([0.77087444]),
            pytest.approx(0.6872543, rel=1e-5),
        ]


def test_rows_of_embeddings() -> None:
    ids = tf.placeholder(tf.int32)
    rows = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
    found = tf.nn.embedding_lookup(rows, ids)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(found * found))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for wanted in ([0, 2], [[0, 1]], 1):
            session.run(train, {ids: wanted})
        want = [[0, 0.64], [1.28, 1.92], [3.2, 4.0]]
        assert session.run(rows) == pytest.approx(np.array(want), rel=1e-6)


def test_assignments_and_what_waits_for_them() -> None:
    x, v = tf.placeholder(tf.float32), tf.Variable(1.0)
    total = tf.assign(v, tf.reduce_sum(x))
    with tf.control_dependencies([total]):
        z = tf.identity(x) * v
    more = v.assign_add(x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(z, {x: [1.0, 2.0]}).tolist() == [3, 6]
        assert session.run(v) == 3
        assert session.run(z, {x: 3.0}) == 9
        session.run(more, {x: 2.0})
        assert session.run(v) == 5
        with pytest.raises(tf.errors.InvalidArgumentError, match="rank 1 for what is fed"):
            session.run(more, {x: [2.0]})


def test_derivatives() -> None:
    x = tf.placeholder(tf.float32)
    y = x * x
    m = tf.reduce_mean(y)
    z = tf.exp(m) * y
    first = tf.gradients(z, x)[0]
    both = tf.gradients(z, [x, m])
    second = tf.gradients(first, x)[0]
    with tf.Session() as session:
        feed = {x: [0.1, 0.2]}
        assert session.run(first, feed) == pytest.approx([0.21018961, 0.42037922])
        assert session.run(both[1], feed) == pytest.approx(0.05126576)
        assert session.run(second, feed) == pytest.approx([2.2264717, 2.3510478])
        assert session.run(both, {x: 0.3}) == pytest.approx([0.71559, 0.09847569])
        assert session.run(z, {m: 0.0, x: [1.0, 2.0]}).tolist() == [1, 4]


def test_shapes_that_are_said_later_and_defaults() -> None:
    x = tf.placeholder(tf.float32)
    y = x + 1.0
    x.set_shape([None, 2])
    w = tf.Variable(tf.ones([2, 2]))
    z = tf.matmul(x, w) + y
    default = tf.placeholder_with_default([1.0, 2.0], None)
    filled = tf.fill(tf.shape(default), 3.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(z, {x: [[1, 2]]}).tolist() == [[5, 6]]
        assert session.run(default * 2.0).tolist() == [2, 4]
        assert session.run(default * 2.0, {default: 5.0}) == 10
        assert session.run(filled, {default: [[1.0]]}).tolist() == [[3]]


def test_what_needs_a_rank_says_so() -> None:
    x = tf.placeholder(tf.float32)
    with pytest.raises(ValueError, match=r"the rank of Placeholder:0 .*set_shape"):
        tf.map_fn(lambda row: row * 2.0, x)
    with pytest.raises(ValueError, match="how many results"):
        tf.unstack(tf.shape(x))


def test_sparse_placeholders() -> None:
    known = tf.sparse_placeholder(tf.float32, shape=[None, 4], name="known")
    assert [x.name for x in (known.indices, known.values, known.dense_shape)] == [
        "known/indices:0",
        "known/values:0",
        "known/shape:0",
    ]
    free = tf.sparse_placeholder(tf.float32)
    assert str(free.shape) == "<unknown>"
    w = tf.Variable(tf.ones([4, 2]))
    product = tf.sparse_tensor_dense_matmul(known, w)
    total, dense = tf.sparse_reduce_sum(free), tf.sparse.to_dense(free)
    value = tf.SparseTensorValue([[0, 1]], [2.0], [3, 4])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(product, {known: value}).tolist() == [[2, 2], [0, 0], [0, 0]]
        found = session.run(known, {known: value})
        assert isinstance(found, tf.SparseTensorValue) and found.values.tolist() == [2]
        assert session.run(total, {free: value}) == 2
        assert session.run(dense, {free: value}).tolist() == [[0, 2, 0, 0], [0] * 4, [0] * 4]
        assert session.run(dense, {free: ([[1]], [2.0], [3])}).tolist() == [0, 2, 0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
            session.run(total)


def test_what_is_no_structure_is_for_the_function_to_refuse() -> None:
    """Functions look for such tensors among their arguments, and say themselves what is wrong."""
    tf.placeholder(tf.float32)  # they look from here on
    endless: list[Any] = []
    endless.append(endless)
    for wrong in (endless, {1: 0.0, "a": 0.0}):
        with pytest.raises(TypeError, match="to a TensorFlow DType"):
            tf.zeros([2], wrong)


def test_results_of_python_have_the_ranks_that_come() -> None:
    """Functions are called once in a run, and what was computed for them is not computed twice."""
    with tf.Graph().as_default(), tf.Session() as session:
        calls = list[int]()

        def positive(a: Any) -> Any:
            calls.append(a.size)
            return a[a > 0] if a.size > 1 else np.float32(7.0)

        x = tf.placeholder(tf.float32, [None])
        y = tf.py_func(positive, [x], tf.float32)
        z = tf.reduce_sum(y * 2.0)
        gradient = tf.gradients(z, y)[0]
        assert y.shape.rank is None
        assert session.run(y, {x: [1.0, -1.0, 3.0]}).tolist() == [1.0, 3.0]
        assert session.run([z, y], {x: [1.0, -1.0, 3.0]})[0] == 8.0
        assert session.run(z, {x: [2.0]}) == 14.0
        assert session.run(gradient, {x: [1.0, 5.0]}).tolist() == [2.0, 2.0]
        assert calls == [3, 3, 1, 2]
        queue = tf.FIFOQueue(9, [tf.float32, tf.string])  # nobody says shapes
        put = queue.enqueue([x, tf.as_string(tf.size(x))])
        number, text = queue.dequeue()
        again = queue.enqueue([number * 2.0, tf.strings.join([text, "!"])])
        session.run(put, {x: [1.0, 2.0]})
        session.run(put, {x: [3.0]})
        session.run(again)
        again.run()
        both = session.run([number, text])
        assert both[0].tolist() == [2.0, 4.0] and both[1] == b"2!"
        assert session.run(queue.size()) == 1
        same = tf.py_func(lambda a: a + 1, [number], tf.float32)
        assert session.run([same, number, text]) == [[7.0], [6.0], b"1!"]
