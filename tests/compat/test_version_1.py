"""TensorFlow 1's programs: control flow of graphs whose branches and bodies have an order and
effects, and what `tf.compat.v1` has besides the functions that tests/differential compares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc
import tfc.compat.v1 as tf


def test_bodies_of_loops_have_the_order_of_the_program() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0)

        def body(i: Any, seen: Any) -> Any:
            with tf.control_dependencies([tf.assign_add(v, 2.0)]):
                return tf.identity(i + 1), seen + v

        loop = tf.while_loop(lambda i, seen: i < 3, body, (tf.constant(0), tf.constant(0.0)))
        session.run(tf.global_variables_initializer())
        assert session.run(loop) == (3, 15.0) and session.run(v) == 7.0


def test_branches_of_operations_are_one() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        p = tf.placeholder(tf.bool, [])
        change = tf.cond(p, lambda: tf.group(tf.assign(v, 9.0)), tf.no_op)
        with tf.control_dependencies([change]):
            after = tf.identity(v)
        session.run(tf.global_variables_initializer())
        session.run(change, {p: False})
        assert session.run(v) == 1.0 and session.run(after, {p: True}) == 9.0


def test_branches_assign_before_they_read() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        p = tf.placeholder(tf.bool, [])

        def assigned() -> Any:
            with tf.control_dependencies([tf.assign(v, 7.0)]):
                return tf.identity(v)

        found = tf.cond(p, assigned, lambda: tf.identity(v) * 2.0)
        session.run(tf.global_variables_initializer())
        assert session.run(found, {p: False}) == 2.0 and session.run(v) == 1.0
        assert session.run(found, {p: True}) == 7.0 and session.run(v) == 7.0


def test_prints_in_maps(capfd: pytest.CaptureFixture[str]) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        twice = tf.map_fn(lambda e: tf.Print(e * 2.0, [e], "e: "), x)
        assert session.run(twice, {x: [1.0, 2.0]}).tolist() == [2.0, 4.0]
    lines = capfd.readouterr().err.splitlines()  # a slow machine says more
    assert [line for line in lines if line.startswith("e: ")] == ["e: [1]", "e: [2]"]


def test_a_session_brings_its_graph() -> None:
    """Also where ops run at once otherwise."""
    assert tfc.executing_eagerly()
    with tf.Session() as session:
        assert not tfc.executing_eagerly() and tf.get_default_graph() is session.graph
        assert session.run(tfc.add(tf.constant(1), 2)) == 3
    assert tfc.executing_eagerly()
    tf.reset_default_graph()


def test_variables() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True, collections=[tf.GraphKeys.MODEL_VARIABLES])
        w = tf.get_local_variable("w", [2])
        assert tf.model_variables() == [v] and tf.local_variables() == [w]
        assert tf.global_variables() == [] and isinstance(w, tf.Variable)
        names, there = tf.report_uninitialized_variables([v, w]), tf.is_variable_initialized(v)
        assert session.run(names).tolist() == [v.op_name.encode(), w.op_name.encode()]
        assert not session.run(there)
        with pytest.raises(tf.errors.InvalidArgumentError, match="no value"):
            session.run(tf.assert_variables_initialized([v]))
        session.run([v.initializer, w.initializer])
        assert session.run(there) and session.run(names).size == 0
        session.run(tf.assert_variables_initialized([v]))


def test_counts_have_a_limit() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        count = tf.count_up_to(tf.Variable(0), 2)
        session.run(tf.global_variables_initializer())
        assert [session.run(count) for _ in range(2)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(count)


def test_templates_share_variables() -> None:
    with tf.Graph().as_default():
        layer = tf.make_template("layer", lambda x: x @ tf.get_variable("w", [2, 2]))
        layer(layer(tf.ones([1, 2])))
        assert [v.name for v in tf.global_variables()] == ["layer/w:0"]


def test_losses_are_collected() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        tf.losses.absolute_difference([1.0], tf.constant([3.0]))
        tf.losses.hinge_loss([1.0], tf.constant([0.0]), weights=4.0)
        tf.losses.add_loss(tf.constant(10.0), tf.GraphKeys.REGULARIZATION_LOSSES)
        assert session.run(tf.losses.get_losses()) == [2.0, 4.0]
        assert session.run(tf.losses.get_total_loss()) == 16.0
        assert session.run(tf.losses.get_total_loss(False)) == 6.0
    with tf.Graph().as_default(), pytest.raises(ValueError, match="at least one"):
        tf.losses.get_total_loss()


def test_metrics_are_of_graphs() -> None:
    with pytest.raises(RuntimeError, match="not supported when eager"):
        tf.metrics.mean([1.0])
    with tf.Graph().as_default():
        value, update = tf.metrics.accuracy([1], tf.constant([1]), None, ["values"], ["updates"])
        assert tf.get_collection("values") == [value] and tf.get_collection("updates") == [update]
        assert len(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)) == 2


def test_names() -> None:
    """Those of namespaces, too, are TensorFlow 1's."""
    x = tf.constant([3.0, 4.0])[:, tf.newaxis]
    assert float(tf.global_norm([x])) == 5.0
    assert tf.sets.set_size is tfc.sets.size and tf.linalg.det is tfc.linalg.det
    assert tf.train.Example is tfc.train.Example and tf.VERSION == tfc.__version__
    assert tf.random.multinomial([[0.0]], 3).shape == (1, 3) and tf.random.normal([2]).shape == (2,)
    with pytest.raises(AttributeError, match="manip"):
        tf.manip.matmul  # noqa: B018
    with pytest.raises(AttributeError):
        tf.sets.nothing  # noqa: B018


def test_images_of_unknown_size_are_resized() -> None:
    image = np.float32(np.arange(24)).reshape(1, 4, 6, 1)
    for method in ("resize_bilinear", "resize_nearest_neighbor", "resize_bicubic"):
        resize = getattr(tf.image, method)
        f = tfc.function(lambda x, size, resize=resize: resize(x, size))
        spec = tfc.TensorSpec([None, None, None, 1]), tfc.TensorSpec([2], "int32")
        found = tfc.function(f.python_function, input_signature=spec)(image, [3, 4])
        np.testing.assert_array_equal(found, resize(image, [3, 4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="align_corners must be False"):
        tf.image.resize_bilinear(image, [2, 2], align_corners=True, half_pixel_centers=True)
    with pytest.raises(ValueError, match="not implemented"):
        tf.image.resize_images(image, [2, 2], 7)


def test_names_are_what_the_program_says() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        with tf.name_scope("layer"):
            x = tf.constant(1.0, name="x")
            y, z = tf.add(x, 2.0, name="sum"), tf.nn.relu(x, name="sum")
        assert [t.name for t in (x, y, z)] == ["layer/x:0", "layer/sum:0", "layer/sum_1:0"]
        assert session.run("layer/sum:0") == 3.0 and graph.get_tensor_by_name(z.name) is not None
        assert tf.reshape(y, [], name="same").name == "same:0" and y.name == "layer/sum:0"
        nodes = {node.name: node for node in graph.as_graph_def().node}
        assert nodes["layer/sum"].op == "Add" and "layer/x" in nodes["layer/sum"].input


def test_defaults_and_values_are_fed() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = x * tf.placeholder_with_default(3.0, [], name="k")
        for _ in range(2):
            assert session.run(y, {x: [1.0]}) == [3.0]
            assert session.run(y, {x: [1.0], "k:0": 2.0}) == [2.0]


def test_graphs_are_written(tmp_path: Any) -> None:
    with tf.Graph().as_default() as graph:
        tf.get_variable("w", [2]) * tf.placeholder(tf.float32, [None, 2], name="x")
        with tf.summary.FileWriter(str(tmp_path), graph) as writer:
            writer.add_graph(graph)
    (file,) = tmp_path.iterdir()
    events = [tf.Event.FromString(r) for r in tf.io.tf_record_iterator(str(file))]
    graphs = [tf.GraphDef.FromString(e.graph_def) for e in events if e.graph_def]
    assert len(graphs) == 2 and {"w", "x"} <= {node.name for node in graphs[0].node}


def test_summaries_of_all_kinds(tmp_path: Any) -> None:
    """Tags, scaled pixels and buckets are TensorFlow's."""
    pixels = np.float32([[[[-1.0], [0.5]], [[1.0], [np.nan]]], [[[0.0], [1.0]], [[2.0], [4.0]]]])
    with tf.Graph().as_default() as graph, tf.Session() as session, tf.name_scope("s"):
        x = tf.placeholder(tf.float32)  # of a rank that nobody says
        kinds = [
            tf.summary.image("i", pixels),
            tf.summary.audio("a", x, 8000.0, max_outputs=1),
            tf.summary.text("t", tf.constant(["x"])),
            tf.summary.scalar("a b", 2.0, family="f"),
            tf.summary.histogram("h", [1.0, 2.0, 2.0, -5.0]),
        ]
        parts = session.run([*kinds, tf.summary.merge_all()], {x: [[0.5, -1.0]]})
        gradient = tf.gradients(tf.reduce_mean(x), [x])[0]
        tf.summary.FileWriter(str(tmp_path), graph).close()  # also of what stands for others
        assert session.run(gradient, {x: [1.0, 1.0]}).tolist() == [0.5, 0.5]
    values = tf.Summary.FromString(parts[-1]).value
    tags = ["s/i/image/0", "s/i/image/1", "s/a/audio", "s/t", "f/s/f/a_b", "s/h"]
    assert [v.tag for v in values] == tags
    seen = [
        tfc.io.decode_png(v.image.encoded_image_string).numpy().ravel().tolist() for v in values[:2]
    ]
    assert seen == [[1, 191, 255, 255], [0, 63, 127, 255]]
    samples, rate = tfc.audio.decode_wav(values[2].audio.encoded_audio_string)
    assert samples.numpy().ravel().tolist() == [0.5, -1.0] and rate == 8000
    assert values[3].tensor.string_val == [b"x"]
    assert values[3].metadata.plugin_data.plugin_name == "text"
    assert values[5].histo.bucket == [0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0]
    for make, text in (
        (lambda: tf.summary.image("x", np.zeros((2, 2))), "rank 4"),
        (lambda: tf.summary.audio("x", np.zeros(2), 1.0), "rank 2 or 3"),
        (lambda: tf.summary.text("x", 3.0), "dtype string"),
    ):
        with pytest.raises(ValueError, match=text):
            make()


def test_runs_in_parts() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = (tf.placeholder(tf.float32, []) for _ in range(2))
        noise = a + tf.random_uniform([])
        found = noise * b
        assert [o.outputs[0].name for o in noise.consumers()] == [found.name]
        handle = session.partial_run_setup([noise, found], [a, b])
        first = session.partial_run(handle, noise, {a: 2.0})
        with pytest.raises(tf.errors.InvalidArgumentError, match="already been fetched"):
            session.partial_run(handle, noise)
        with pytest.raises(tf.errors.InvalidArgumentError, match="already been fed"):
            session.partial_run(handle, found, {a: 2.0})
        second = session.partial_run(handle, {"x": found}, {b: 3.0})
        assert second["x"] == np.float32(3.0) * first  # drawn once


def test_variables_begin_with_a_checkpoint(tmp_path: Any) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in (("old/w", [1.0, 2.0]), ("b", [3.0])):
            session.run(tf.get_variable(name, initializer=value).initializer)
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("new", regularizer=tf.no_regularizer):
            w = tf.get_variable("w", [2], partitioner=tf.fixed_size_partitioner(2))
        c, d = tf.get_variable("c", [1]), tf.get_variable("d", [4])
        tf.train.init_from_checkpoint(str(tmp_path), {"old/": "new/", "b": c})
        session.run([w.initializer, c.initializer])
        assert session.run([w, c])[0].tolist() == [1.0, 2.0] and session.run(c) == 3.0
        assert tf.losses.get_regularization_losses() == []
        for given, text in (
            ({"b": d}, "doesn't match"),
            ({"z": c}, "Tensor z is not found"),
            ({"b": "nothing"}, "not in the graph"),
            ({"old/": "c/"}, None),
            ({"x/": "new/"}, "x/w .new/w in new/. is not found"),
        ):
            if text is None:
                tf.train.init_from_checkpoint(path, given)
                continue
            with pytest.raises(ValueError, match=text):
                tf.train.init_from_checkpoint(path, given)


def test_partitions_and_small_names() -> None:
    """The numbers of parts are TensorFlow's."""
    shapes = ([100, 7], tf.float32), ([1000], tf.string), ([1, 5], tf.float64)
    makers = (
        tf.fixed_size_partitioner(3),
        tf.variable_axis_size_partitioner(64),
        tf.variable_axis_size_partitioner(30, max_shards=5),
        tf.min_max_variable_partitioner(8, min_slice_size=64),
    )
    found = [[make(shape=s, dtype=d)[0] for make in makers] for s, d in shapes]
    assert found == [[3, 50, 5, 8], [3, 250, 5, 8], [1, 1, 1, 1]]
    with tf.Graph().as_default():
        assert tf.get_seed(3) == tf.random.get_seed(3) == (87654321, 3)
        assert tf.get_seed(None) == (None, None)
        tf.set_random_seed(4)
        assert tf.get_seed(None) == (4, 0) and tf.get_seed(None) == (4, 1)
        for wrong in (tf.constant(1.0), tf.constant([1])):
            with pytest.raises(TypeError, match="global_step"):
                tf.train.assert_global_step(wrong)


def test_means_of_batches_are_kept_in_a_branch() -> None:
    """Variables that a branch makes are the graph's: batch normalisation, as it was written."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, train = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.bool, [])
        mean, _ = tf.nn.moments(x, [0])
        averages = tf.train.ExponentialMovingAverage(0.5)

        def moved() -> Any:
            with tf.control_dependencies([averages.apply([mean])]):
                return tf.identity(mean)

        found = tf.cond(train, moved, lambda: tf.identity(averages.average(mean)))
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            assert session.run(found, {x: [[1.0, 2.0], [3.0, 4.0]], train: True}).tolist() == [2, 3]
        assert session.run(found, {x: [[9.0, 9.0]], train: False}).tolist() == [1.5, 2.25]


def test_sparse_derivatives_behind_unknown_ranks_move_variables() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        table, keep = tf.Variable(tf.ones([4, 2])), tf.placeholder(tf.float32)
        rows = tf.nn.embedding_lookup(table, [1, 1, 3]) * keep
        train = tf.train.AdamOptimizer(0.5).minimize(tf.reduce_sum(rows))
        session.run(tf.global_variables_initializer())
        session.run(train, {keep: 2.0})
        assert np.round(session.run(table)[:, 0], 3).tolist() == [1.0, 0.5, 1.0, 0.5]


def test_tensors_of_graphs_are_keys() -> None:
    """Constants, too, which can be fed; a tensor is equal to itself alone."""
    with tf.Graph().as_default(), tf.Session() as session:
        a, p = tfc.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2])
        assert {a: 1, p: 2}[a] == 1 and a != p and p == p and a in [p, a]
        assert session.run(a * 2.0 + p, {a: [5.0, 6.0], p: [1.0, 1.0]}).tolist() == [11, 13]
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)


def test_derivatives_of_graphs_beside_differences() -> None:
    with tf.Graph().as_default(), tf.Session():
        x = tf.constant([1.0, 2.0])
        table = tf.constant([[1.0], [2.0], [3.0]])
        y = tf.square(x) * tf.reduce_sum(tf.gather(table, [0, 2, 2]))
        start = np.array([0.5, 2.0], np.float32)
        theoretical, numeric = tf.test.compute_gradient(x, [2], y, [2], start, 0.01)
        np.testing.assert_allclose(theoretical, np.diag(14.0 * start), rtol=1e-6)
        np.testing.assert_allclose(numeric, theoretical, atol=0.01)
        error = tf.test.compute_gradient_error
        assert error([x, table], [[2], [3, 1]], y, [2], [start, np.ones((3, 1))], 0.01) < 0.01
        z = tf.constant([1.0 + 2.0j])
        assert error(z, [1], z * z, [1], [0.5 + 1.0j]) < 0.01
    with pytest.raises(ValueError, match="needs a session"):
        error(x, [2], y, [2])


class OfGraphs(tfc.test.TestCase):  # type: ignore[misc]
    """What tests do in graphs."""

    def runTest(self) -> None:
        with tf.Graph().as_default():
            x = tf.constant([1.0, 2.0])
            self.assertAllClose(2.0 * x, [2.0, 4.0])
            found = self.evaluate({"a": x, "b": (x + 1.0,)})
            self.assertAllEqual(found["b"][0], [2.0, 3.0])
            with self.cached_session() as session:
                v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
                session.run(tf.global_variables_initializer())
                self.evaluate(v.assign_add(1.0))
            self.assertEqual(self.evaluate(v), 1.0)  # in the same session
            with self.session() as other, self.assertRaises(tf.errors.FailedPreconditionError):
                other.run(v)
            with (
                self.assertRaisesRegex(ValueError, "different than the one"),
                self.cached_session(tf.Graph()),
            ):
                pass
        self.assertEqual(self.evaluate([lambda: tf.constant(1), None]), [1, None])
        with self.session() as session:
            self.assertEqual(session.run(tf.constant(2)), 2)


def test_cases_of_tests_run_in_graphs() -> None:
    result = OfGraphs().run()
    assert result.wasSuccessful(), result.errors + result.failures
