"""Programs of TensorFlow 1, as its books have them: graphs, sessions, what is fed and fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc.compat.v1 as v1
from tfc.compat.graphs.default_graph import enable_eager_execution

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
        assert session.run(cost, {x: [2.0, 2.0], y: 0.0, w: 1.0, b: 1.0}).tolist() == [9, 9]
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


def test_a_convolution_with_dropout() -> None:
    pictures, classes = digits(32)
    x = tf.placeholder(tf.float32, [None, 64])
    y = tf.placeholder(tf.float32, [None, 4])
    keep = tf.placeholder(tf.float32)

    def weights(shape: Any) -> Any:
        return tf.Variable(tf.truncated_normal(shape, stddev=0.1, seed=1))

    image = tf.reshape(x, [-1, 8, 8, 1])
    h = tf.nn.conv2d(image, weights([3, 3, 1, 4]), strides=[1, 1, 1, 1], padding="SAME")
    h = tf.nn.relu(h + tf.Variable(tf.constant(0.1, shape=[4])))
    h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    h = tf.nn.dropout(tf.reshape(h, [-1, 64]), keep_prob=keep)
    logits = tf.matmul(h, weights([64, 4]))
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    train = tf.train.AdamOptimizer(0.02).minimize(loss)
    right = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(30):
            session.run(train, {x: pictures, y: classes, keep: 0.8})
        assert session.run(accuracy, {x: pictures, y: classes, keep: 1.0}) > 0.95
        one, other = (session.run(h, {x: pictures, keep: 0.5}) for _ in range(2))
        assert not np.array_equal(one, other) and 0.4 < np.mean(one == 0.0)


def test_a_recurrent_network() -> None:
    x = tf.placeholder(tf.float32, [None, 5, 3])
    w = tf.get_variable("w", [3, 4], initializer=tf.constant_initializer(0.5))
    u = tf.get_variable("u", [4, 4], initializer=tf.zeros_initializer())
    steps = tf.transpose(x, [1, 0, 2])

    def body(i: Any, state: Any) -> Any:
        return i + 1, tf.tanh(tf.matmul(tf.gather(steps, i), w) + tf.matmul(state, u))

    start = (tf.constant(0), tf.zeros([tf.shape(x)[0], 4]))
    _, last = tf.while_loop(lambda i, state: i < 5, body, start)
    loss = tf.reduce_mean(tf.square(last - 1.0))
    optimizer = tf.train.RMSPropOptimizer(0.01)
    pairs = optimizer.compute_gradients(loss)
    clipped, norm = tf.clip_by_global_norm([g for g, _ in pairs], 0.1)
    train = optimizer.apply_gradients(list(zip(clipped, [v for _, v in pairs], strict=True)))
    batch = np.ones((2, 5, 3), np.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(last, {x: batch}), np.tanh(1.5), rtol=1e-5)
        before = session.run(loss, {x: batch})
        for _ in range(20):
            assert session.run([train, norm], {x: batch})[1] > 0
        assert session.run(loss, {x: batch[:1]}) < before


def test_words_by_their_neighbours() -> None:
    table = tf.Variable(tf.random_uniform([10, 4], -1.0, 1.0, seed=3))
    weights, biases = tf.Variable(tf.zeros([10, 4])), tf.Variable(tf.zeros([10]))
    inputs, labels = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
    embedded = tf.nn.embedding_lookup(table, inputs)
    logits = tf.matmul(embedded, weights, transpose_b=True) + biases
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    fed = {inputs: [0, 1, 2, 3], labels: [1, 2, 3, 0]}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = table.eval()
        before, _ = session.run([loss, train], fed)
        for _ in range(30):
            session.run(train, fed)
        assert session.run(loss, fed) < 0.2 * before
        assert np.array_equal(table.eval()[4:], first[4:])


def test_an_autoencoder() -> None:
    tf.set_random_seed(7)  # how far it comes depends on where it starts
    pictures, _ = digits(32)
    x = tf.placeholder(tf.float32, [None, 64])

    def layer(inputs: Any, count: int, name: str) -> Any:
        with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [inputs.shape[1], count])
            b = tf.get_variable("b", [count], initializer=tf.zeros_initializer)
        return tf.nn.sigmoid(tf.matmul(inputs, w) + b)

    again = layer(layer(x, 8, "encoder"), 64, "decoder")
    assert layer(x, 8, "encoder").shape[1] == 8
    names = [v.name for v in tf.global_variables()]
    assert names == ["encoder/w:0", "encoder/b:0", "decoder/w:0", "decoder/b:0"]
    loss = tf.reduce_mean(tf.pow(x - again, 2))
    train = tf.train.MomentumOptimizer(1.0, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss, {x: pictures})
        for _ in range(60):
            session.run(train, {x: pictures})
        assert session.run(loss, {x: pictures}) < 0.6 * before
    with pytest.raises(ValueError, match="already exists"), tf.variable_scope("encoder"):
        tf.get_variable("w", [64, 8])
    with pytest.raises(ValueError, match="does not exist"), tf.variable_scope("e", reuse=True):
        tf.get_variable("w", [64, 8])


def test_two_networks_against_each_other() -> None:
    noise, real = tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.float32, [None, 1])
    with tf.variable_scope("G"):
        made = noise * tf.get_variable("a", [], initializer=tf.ones_initializer())
        made = made + tf.get_variable("b", [], initializer=tf.zeros_initializer())

    def judge(x: Any) -> Any:
        with tf.variable_scope("D", reuse=tf.AUTO_REUSE):
            return x * tf.get_variable("w", [], initializer=tf.ones_initializer())

    of_real, of_made = judge(real), judge(made)
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    loss_d = tf.reduce_mean(
        cross(logits=of_real, labels=tf.ones_like(of_real))
        + cross(logits=of_made, labels=tf.zeros_like(of_made))
    )
    loss_g = tf.reduce_mean(cross(logits=of_made, labels=tf.ones_like(of_made)))
    g = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="G")
    d = [v for v in tf.trainable_variables() if v.name.startswith("D")]
    train_d = tf.train.AdamOptimizer(0.1).minimize(loss_d, var_list=d)
    train_g = tf.train.AdamOptimizer(0.1).minimize(loss_g, var_list=g)
    fed = {noise: [[-1.0], [1.0]], real: [[3.0], [5.0]]}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train_d, fed)
        assert session.run(g) == [1.0, 0.0] and session.run(d) != [1.0]
        kept = session.run(d)
        for _ in range(10):
            session.run(train_g, fed)
        assert session.run(g[1]) > 0.5 and session.run(d) == kept


def test_conditions_assignments_and_order() -> None:
    x = tf.placeholder_with_default([1.0, 2.0], [None])
    v, n = tf.Variable(1.0), tf.Variable(0, name="n")
    chosen = tf.cond(tf.reduce_sum(x) > 5.0, lambda: v + 1.0, lambda: v - 1.0)
    counted = tf.cond(tf.reduce_sum(x) > 5.0, lambda: n.assign_add(1), lambda: n + 0)
    average = tf.train.ExponentialMovingAverage(decay=0.5)
    update = tf.assign(v, 3.0)
    with tf.control_dependencies([update]):
        track = average.apply([v])
    with tf.control_dependencies([track]):
        after = tf.identity(v, name="after")
    add, more = tf.assign_add(n, 2), n.assign_add(3)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        assert session.run(chosen) == 0.0 and session.run(chosen, {x: [3.0] * 3}) == 2.0
        assert session.run(counted) == 0 and session.run(n) == 0
        assert session.run(counted, {x: [6.0]}) == 1 and session.run(n) == 1
        assert session.run(after) == 3.0
        assert session.run(average.average(v)) == 2.0
        assert session.run("after:0") == 3.0 and session.run(average.average(v)) == 2.5
        rows = tf.Variable([[1.0], [2.0]])
        session.run(rows.initializer)
        assert session.run(tf.scatter_add(rows, [1], [[5.0]])).tolist() == [[1.0], [7.0]]
        assert rows.eval().tolist() == [[1.0], [7.0]]
        session.run([add, more])
        assert session.run(n) == 6 and session.run(more.op) is None and n.eval() == 9
    assert [f.name for f in (x.op, v, n.op)] == ["Placeholder", "Variable:0", "n"]


def test_summaries(tmp_path: Path) -> None:
    x = tf.placeholder(tf.float32, [None])
    tf.summary.scalar("mean", tf.reduce_mean(x))
    tf.summary.histogram("all", x)
    merged = tf.summary.merge_all()
    with tf.Session() as session, tf.summary.FileWriter(str(tmp_path)) as writer:
        found = session.run(merged, {x: [1.0, 3.0]})
        writer.add_summary(found, 1)
    message = tf.Summary.FromString(found)
    assert [v.tag for v in message.value] == ["mean_1", "all"]  # "Mean" is there
    assert message.value[0].simple_value == 2.0 and message.value[1].histo.num == 2


def test_python_functions_run_where_they_are_fetched() -> None:
    seen = []
    x, v = tf.placeholder(tf.float32, [2]), tf.Variable([2.0, 4.0])

    def note(value: Any) -> Any:
        seen.append(value.tolist())
        return value + 1

    one, other = (tf.py_func(note, [x * k], tf.float32) for k in (1.0, 3.0))
    for y in (one, other):
        y.set_shape([2])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(v / 2.0).tolist() == [1.0, 2.0]  # as the session has it, behind the call
        assert session.run(other, {x: [1.0, 2.0]}).tolist() == [4.0, 7.0]
        assert seen == [[3.0, 6.0]]


def test_what_draws_random_numbers() -> None:
    a, b = tf.random_normal([3]), tf.random_normal([3])
    v = tf.Variable(tf.random_uniform([3]))
    with tf.Session() as session:
        (x, y), z = session.run([a, b]), session.run(a)
        assert not np.array_equal(x, y) and not np.array_equal(x, z)
        session.run(v.initializer)
        assert np.array_equal(session.run(v), session.run(v))


def test_the_default_graph() -> None:
    with tf.init_scope():
        tf.disable_v2_behavior()
        try:
            assert not tf.executing_eagerly()
            with tf.Session() as session:
                assert session.run(tf.constant(1.0) + 2.0) == 3.0
                assert tf.constant(5).eval() == 5
            tf.reset_default_graph()
            assert tf.get_default_graph().get_operations() == []
            session = tf.InteractiveSession()
            x = tf.placeholder(tf.float32, name="x")
            assert x.graph.get_tensor_by_name("x:0").eval({x: 2.0}) == 2.0
            session.close()
            y = tf.placeholder(tf.float32, [None, 3])
            assert (y.shape[1].value, y.get_shape()[0].value, str(y.shape)) == (3, None, "(?, 3)")
            assert [d.value for d in y.shape] == [None, 3] and y.shape.as_list() == [None, 3]
            n = y.get_shape()[1]
            assert tf.reshape(y, [-1, n // 3, n]).shape[1].value == 1
            assert tf.zeros([2, n]).shape == (2, 3) and tf.Variable(tf.zeros([n, n])).shape[0] == 3
            with pytest.raises(ValueError, match="No default session"):
                x.eval({x: 2.0})
            with pytest.raises(ValueError, match="startup"):
                tf.enable_eager_execution()
        finally:
            enable_eager_execution()
        assert tf.executing_eagerly()


def test_operations_are_made_by_graphs() -> None:
    for bad in (None, tf.float32, [2, 8]):
        with pytest.raises(TypeError, match=r"graph must be a tf\.Graph, got .*Operation"):
            tf.Operation(bad, "name", "NoOp")


def test_older_names_and_arguments() -> None:
    x = tf.placeholder(tf.float32, [None, 2])
    with tf.name_scope(None, default_name="norm"):
        w = tf.Variable([[1.0], [2.0]])
    assert w.name.startswith("norm/")
    with pytest.raises(ValueError, match="default_name"):
        tf.name_scope(None, values=[x])
    shares = tf.nn.softmax(x, dim=0), tf.nn.log_softmax(x, dim=0)
    with pytest.raises(ValueError, match="both"):
        tf.nn.softmax(x, axis=0, dim=0)
    with tf.Session() as session:
        tf.initialize_all_variables().run()
        feed = {x: [[0.0, 1.0], [0.0, 1.0]]}
        plain, logs = session.run(shares, feed)
        assert plain.tolist() == [[0.5, 0.5]] * 2 and np.allclose(logs, np.log(0.5))
        session.run(w.assign([[5.0], [5.0]]))
        session.run(tf.initialize_variables([w]))
        assert session.run(tf.matmul(x, w), feed).tolist() == [[2.0], [2.0]]


def test_iterators_begin_when_their_initializers_run() -> None:
    count = tf.placeholder(tf.int64, [])
    elements = tf.data.make_initializable_iterator(tf.data.Dataset.range(count))
    x = elements.get_next()
    doubled = 2 * x
    assert elements.output_types is tf.int64 and elements.output_shapes == []
    first, second = tf.Session(), tf.Session()
    with pytest.raises(tf.errors.FailedPreconditionError, match="has not been initialized"):
        first.run(x)
    assert first.run(elements.initializer, {count: 2}) is None
    second.run(elements.initializer, {count: 1})
    assert first.run([x, doubled]) == [0, 0]  # of one element
    assert (second.run(x), first.run(x)) == (0, 1)  # each session has its place
    for session in (first, second):
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(x)
    first.run(elements.initializer, {count: 5})
    assert first.run(x) == 0
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, elements.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed"):
        first.run(tf.tables_initializer())
    with pytest.raises(RuntimeError, match=r"__iter__\(\) is only supported"):
        iter(tf.data.Dataset.range(3))


def test_one_shot_iterators_feed_training() -> None:
    x, y = np.arange(8, dtype=np.float32).reshape(4, 2), np.ones(4, np.float32)
    features, labels = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None])
    batches = tf.data.Dataset.from_tensor_slices((features, labels)).repeat().batch(2)
    elements = batches.make_initializable_iterator()
    rows, wanted = elements.get_next()
    w = tf.get_variable("w", [2, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean((tf.squeeze(rows @ w, 1) - wanted) ** 2)
    step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer()])
        session.run(elements.initializer, {features: x, labels: y})
        losses = [session.run([loss, step])[0] for _ in range(20)]
        assert losses[0] == 1.0 and losses[-1] < 0.1
    numbers = tf.data.Dataset.range(1).map(lambda n: n + 7).make_one_shot_iterator().get_next()
    for _ in range(2):
        with tf.Session() as session:
            assert session.run(numbers) == 7
            with pytest.raises(tf.errors.OutOfRangeError):
                session.run(numbers)


def test_iterators_of_several_datasets() -> None:
    few, many = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 20)
    either = tf.data.Iterator.from_structure(few.output_types, few.output_shapes)
    x = either.get_next()
    begin = [either.make_initializer(few), either.make_initializer(many)]
    handle = tf.placeholder(tf.string, [])
    fed = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
    one, other = few.make_one_shot_iterator(), many.make_initializable_iterator()
    with tf.Session() as session:
        for operation, first in zip(begin, (0, 10), strict=True):
            session.run(operation)
            assert (session.run(x), session.run(x)) == (first, first + 1)
        names = session.run([one.string_handle(), other.string_handle()])
        session.run(other.initializer)
        found = [session.run(fed, {handle: names[i]}) for i in (0, 1, 0, 1)]
        assert found == [0, 10, 1, 11]
        with pytest.raises(tf.errors.InvalidArgumentError, match="handle of no iterator"):
            session.run(fed, {handle: "nobody"})
    with pytest.raises(TypeError, match="the iterator is for elements"):
        either.make_initializer(tf.data.Dataset.from_tensors(1.0))
    with pytest.raises(ValueError, match="does not have an initializer"):
        _ = either.initializer


def test_sizes_are_asked_of_what_is_fetched() -> None:
    x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    total, twice, last = x + y, x * 2.0, x[2]
    more = twice * y
    square = tf.reshape(x, [2, 2])
    with tf.Session() as session:
        feed = {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]}
        assert session.run(twice, feed).tolist() == [2, 4]
        for tensor in (total, more, last, square):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(tensor, feed)
        feed = {x: [1.0, 2.0, 3.0, 4.0], y: [1.0]}
        assert session.run([square, last], feed)[0].tolist() == [[1, 2], [3, 4]]


def test_checks_are_operations() -> None:
    x = tf.placeholder(tf.float32, [None])
    with tf.control_dependencies([tf.assert_positive(x), tf.Assert(x[0] < 9.0, [x])]):
        checked = tf.identity(x)
    with tf.Session() as session:
        assert session.run(2 * x, {x: [-1.0]}) == [-2]
        assert session.run(checked, {x: [1.0]}) == [1]
        for wrong in (-1.0, 10.0):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(checked, {x: [wrong]})


def test_tensors_without_names_are_called_as_in_tensorflow() -> None:
    """By their ops and scopes: these are what TensorFlow 2.21 prints."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [2, 2])
        made = [x, x + 1.0, tf.add(x, x), x + x, tf.nn.relu(x), tf.matmul(x, x), -x, x > 0.0]
        made += [tf.reduce_mean(x), tf.reduce_sum(tf.square(x)), tf.concat([x, x], 0), x[0]]
        made += [tf.random_normal([2]), tf.zeros([2]), tf.cast(x, tf.int32), tf.multiply(x, x)]
        with tf.name_scope("layer"):
            made += [tf.nn.softmax(x), tf.add(x, x, name="sum"), x * x]
        names = "Placeholder add Add_1 add_2 Relu MatMul Neg Greater Mean Sum concat strided_slice "
        names += "random_normal zeros Cast Mul layer/Softmax layer/sum layer/mul"
        assert [y.name for y in made] == [f"{name}:0" for name in names.split()]
        relu = graph.get_tensor_by_name("Relu:0")
        assert session.run(relu, {x: np.eye(2) - 1.0}).sum() == 0
        added = tf.add(x, x, name=None), tf.add(x, x, "of_two"), tf.zeros([2], name=None)
        assert [y.name for y in added] == ["Add_3:0", "of_two:0", "zeros_1:0"]
        operations = [op.name for op in graph.get_operations()]
        assert len({name.lower() for name in operations}) == len(operations)


def test_scopes_that_are_entered_again() -> None:
    """Variables are found again; ops have names of their own each time, as in TensorFlow."""
    names = []
    for _ in range(2):
        with tf.variable_scope("foo", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [1], regularizer=tf.reduce_sum)
            with tf.name_scope("inner"):
                names += [v.name, (1.0 + v).name, tf.Variable(1.0).name]
    assert names[:3] == ["foo/v:0", "foo/inner/add:0", "foo/inner/Variable:0"]
    assert names[3:] == ["foo/v:0", "foo_1/inner/add:0", "foo_1/inner/Variable:0"]
    (loss,) = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert loss.name == "foo/v/Regularizer/Sum:0"
    with tf.variable_scope(None, "foo") as scope:
        assert scope.name == "foo_1"


def test_what_optimizers_keep_has_names() -> None:
    v = tf.Variable([1.0])
    optimizer = tf.train.AdamOptimizer()
    optimizer.minimize(tf.reduce_sum(v * v))
    assert optimizer.get_slot_names() == ["m", "v"]
    assert optimizer.get_slot(v, "v").name == "Variable/Adam_1:0"


def test_tables_begin_with_constants() -> None:
    keys = tf.constant(["a", "b"])
    numbers = tf.lookup.KeyValueTensorInitializer(keys, tf.constant([1, 2], tf.int64))
    found = tf.lookup.StaticHashTable(numbers, -1).lookup(tf.constant(["b", "z"]))
    assert tf.get_static_value(keys).tolist() == [b"a", b"b"]
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        assert session.run(found).tolist() == [2, -1]
