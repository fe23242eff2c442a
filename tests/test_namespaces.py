"""What is no op: devices and switches, scopes, modules, TensorFlow 1's names, tests' helpers."""

from __future__ import annotations

import importlib
import logging
import os
import time
from typing import Any

import numpy as np
import pytest

import tfc as tf
import tfc.compat.v1 as v1
from tfc.contrib import eager as tfe


def test_devices() -> None:
    (cpu,) = tf.config.list_physical_devices()
    assert cpu.device_type == "CPU" and tf.config.list_physical_devices("GPU") == []
    assert tf.config.experimental.list_physical_devices("CPU") == [cpu]
    assert [d.name for d in tf.config.list_logical_devices()] == ["/device:CPU:0"]
    tf.config.set_visible_devices(cpu)
    tf.config.set_visible_devices([], "GPU")
    assert tf.config.get_visible_devices() == [cpu]
    tf.config.experimental.set_memory_growth(cpu, True)
    assert tf.config.experimental.get_memory_info("CPU:0")["current"] >= 0
    tf.config.threading.set_intra_op_parallelism_threads(2)
    assert tf.config.threading.get_intra_op_parallelism_threads() == 2
    tf.config.threading.set_intra_op_parallelism_threads(0)
    tf.config.experimental.enable_tensor_float_32_execution(False)
    assert not tf.config.experimental.tensor_float_32_execution_enabled()
    tf.config.experimental.enable_op_determinism()
    tf.config.optimizer.set_jit(True)
    assert tf.config.optimizer.get_jit() == "autoclustering"
    tf.config.optimizer.set_jit(False)
    for call in (
        lambda: tf.config.set_visible_devices([], "CPU"),
        lambda: tf.config.set_visible_devices("GPU:0"),
        lambda: tf.config.experimental.set_memory_growth("GPU:0", True),
        lambda: tf.config.experimental.get_device_details([]),
        lambda: tf.config.threading.set_inter_op_parallelism_threads(-1),
        lambda: tf.config.threading.set_intra_op_parallelism_threads(-1),
    ):
        with pytest.raises(ValueError):
            call()
    limited = tf.config.LogicalDeviceConfiguration(memory_limit=1024)
    with pytest.raises(ValueError, match="memory"):
        tf.config.set_logical_device_configuration(cpu, [limited])


def test_device_scopes() -> None:
    for name in (
        "/cpu:0",
        "CPU:0",
        "/device:CPU:0",
        "cpu",
        None,
        "/job:localhost/task:0/cpu:0",
        "",
    ):
        with tf.device(name):
            assert float(tf.constant(1.0) + 1) == 2
    for name in ("/gpu:0", "/device:GPU:1", "TPU:0", "/cpu:1"):
        refused = pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"there is no device.*\(.*test_namespaces\.py:\d+\)",
        )
        with refused, tf.device(name):
            pass
    with pytest.raises(ValueError, match="no device specification"), tf.device("what is this?"):
        pass
    tf.config.set_soft_device_placement(True)
    try:
        with tf.device("/gpu:0"):
            assert "CPU" in tf.constant(1.0).device
    finally:
        tf.config.set_soft_device_placement(False)
    spec = tf.DeviceSpec.from_string("/job:worker/task:1/device:GPU:2")
    assert (spec.job, spec.task, spec.device_type, spec.device_index) == ("worker", 1, "GPU", 2)
    assert tf.DeviceSpec.from_string(spec.to_string()) == spec


def test_name_scopes() -> None:
    with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
        v = tf.Variable(1.0, name="v")
        assert tf.get_current_name_scope() == "a/b"
        with tf.name_scope(outer):
            assert tf.get_current_name_scope() == "a"
            w = tf.Variable(1.0)
    assert tf.get_current_name_scope() == ""
    assert (outer, inner, v.name, w.name) == ("a/", "a/b/", "a/b/v:0", "a/Variable:0")
    assert tf.Variable(1.0, name="v").name == "v:0"
    for bad in (None, 3, "a b", "-a"):
        with pytest.raises(ValueError):
            tf.name_scope(bad)


def test_the_logger_is_that_of_tensorflow_1() -> None:
    logger, before = tf.get_logger(), v1.logging.get_verbosity()
    assert logger is logging.getLogger("tensorflow") is tf.get_logger()
    try:
        logger.setLevel("ERROR")
        assert v1.logging.get_verbosity() == v1.logging.ERROR
    finally:
        v1.logging.set_verbosity(before)
    assert v1.logging.get_verbosity() == before


def test_init_scope_and_control_dependencies() -> None:
    made: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        with tf.init_scope():
            assert tf.executing_eagerly()
            made.append(tf.Variable(tf.constant(3.0) * 2))
        with tf.control_dependencies([x]):
            return x * made[0]

    assert float(f(tf.constant(2.0))) == 12 and float(made[0]) == 6
    assert tf.group(f) is None and tf.no_op() is None


def test_the_time() -> None:
    before = time.time()

    @tf.function
    def f() -> Any:
        first = tf.timestamp()
        tf.print("", output_stream=f"file://{os.devnull}")
        return first, tf.timestamp()

    for a, b in (f(), f(), (tf.timestamp(), tf.timestamp())):
        assert a.dtype == "float64" and a.shape == ()
        assert before <= float(a) <= float(b) <= time.time()
        before = float(b)


def test_assertions_at_the_top() -> None:
    tf.assert_greater_equal(2, 2)
    assert tf.assert_near is tf.debugging.assert_near
    with v1.Graph().as_default():
        assert isinstance(v1.assert_near(tf.constant(1.0), 1.0), v1.Operation)
    with pytest.raises(tf.errors.InvalidArgumentError, match="x >= y did not hold"):
        tf.assert_greater_equal(1, 2)
    for name in tf._LAZY_NAMES:
        assert callable(getattr(tf, name)), name


class Layer(tf.Module):
    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.w = tf.Variable(1.0, name="w")
        self.b = tf.Variable(0.0, name="b", trainable=False)


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Layer("first"), (Layer("second"),)]
        self.more = {"z": Layer("third"), "again": self.layers[0]}
        self.scale = tf.Variable(2.0, name="scale")
        self.me = self


def test_modules() -> None:
    model = Model()
    first, second, third = model.layers[0], model.layers[1][0], model.more["z"]
    assert model.name == "model" and first.name == "first"
    assert [m.name for m in model.submodules] == ["first", "second", "third"]
    wanted = [model.scale, first.b, first.w, second.b, second.w, third.b, third.w]
    assert [id(v) for v in model.variables] == [id(v) for v in wanted]
    assert [v.name for v in model.trainable_variables] == ["scale:0", "w:0", "w:0", "w:0"]
    assert [v.name for v in model.non_trainable_variables] == ["b:0"] * 3
    with tf.GradientTape() as tape:
        y = sum(v * v for v in model.trainable_variables)
    assert len(tape.gradient(y, model.trainable_variables)) == 4
    with pytest.raises(ValueError, match="valid module name"):
        tf.Module("not a name")


def test_initializers() -> None:
    assert tf.zeros_initializer()([2]).numpy().tolist() == [0, 0]
    assert tf.ones_initializer()([2], tf.int32).numpy().tolist() == [1, 1]
    assert tf.constant_initializer(3)([2], tf.float32).numpy().tolist() == [3, 3]
    assert tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    for initializer in (
        tf.random_uniform_initializer(-1, 1, seed=1),
        tf.random_normal_initializer(0, 1, seed=1),
    ):
        x = initializer([400]).numpy()
        assert abs(x.mean()) < 0.15 and 0.4 < x.std() < 1.1
        with pytest.raises(ValueError, match="float"):
            initializer([2], tf.bool)


def test_tensorflow_1_names() -> None:
    tf1: Any = v1
    assert tf1.log(1.0).numpy() == 0 and tf1.random_uniform([3]).shape == (3,)
    assert importlib.import_module("tfc.compat").v1 is v1 and tf.compat.v2 is tf
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(tf1.reduce_mean(x, reduction_indices=0), [2, 3])
    assert tf1.argmax(x, dimension=1).numpy().tolist() == [1, 1]
    assert tf1.div(7, 2).numpy() == 3 and tf1.to_int32(1.5).dtype == "int32"
    v = tf1.get_variable("v", [3, 4])
    assert v.name == "v:0" and v.shape == (3, 4) and np.ptp(v.numpy()) > 0
    assert tf1.get_variable("z", [2], initializer=tf.zeros_initializer()).numpy().tolist() == [0, 0]
    assert tf1.assign(v, tf.zeros([3, 4])).numpy().sum() == 0
    tf1.debugging.assert_equal(1, 1)
    session = tf1.Session(config=tf1.ConfigProto())
    with pytest.raises(RuntimeError, match=r"graph is empty.*ops run at once"):
        session.run(x)
    assert tf1.global_variables_initializer() is None
    with pytest.raises(AttributeError, match="leave it out"):
        tf.global_variables_initializer  # noqa: B018
    with pytest.raises(RuntimeError, match=r"not compatible with eager execution.*tfc\.function"):
        tf1.placeholder(tf.float32)
    with pytest.raises(AttributeError, match=r"tfc\.math\.log"):
        tf.log  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        tf1.nonsense  # noqa: B018


def test_the_first_eager_programs() -> None:
    """Functions of contrib.eager, as articles of its time use them."""

    def square(x: Any) -> Any:
        return tf.multiply(x, x)

    assert square(3.0).numpy() == 9.0
    grad = tfe.gradients_function(square)
    assert grad(3.0)[0].numpy() == 6.0
    second = tfe.gradients_function(lambda x: grad(x)[0])
    assert second(3.0)[0].numpy() == 2.0
    value, grads = tfe.value_and_gradients_function(lambda a, b: a * a * b)(2.0, 5.0)
    assert value.numpy() == 20 and [g.numpy() for g in grads] == [20, 4]
    for params in (["b"], [1], "b"):
        (by_b,) = tfe.gradients_function(lambda a, b: a * a * b, params)(2.0, 5.0, dy=3.0)
        assert by_b.numpy() == 12
    for params in (["c"], [2]):
        with pytest.raises(ValueError, match=r"there is no argument .* among the 2 given"):
            tfe.value_and_gradients_function(lambda a, b: a * b, params)(2.0, 5.0)
    w, b = tfe.Variable(2.0), tfe.Variable(1.0)

    def loss(x: Any) -> Any:
        return tf.square(w * x + b)

    value, pairs = tfe.implicit_value_and_gradients(loss)(3.0)
    assert value.numpy() == 49 and {id(v) for _, v in pairs} == {id(w), id(b)}
    found = {id(v): g.numpy() for g, v in tfe.implicit_gradients(loss)(3.0)}
    assert found == {id(w): 42, id(b): 14}
    with pytest.raises(ValueError, match="No trainable variables"):
        tfe.implicit_gradients(lambda x: x)(1.0)
    assert tfe.num_gpus() == 0 and tfe.in_eager_mode() and tfe.defun(square)(2.0).numpy() == 4
    tfe.enable_eager_execution()


def test_shapes_of_new_variables() -> None:
    assert v1.get_variable("a", tf.TensorShape([2, 3])).shape == (2, 3)
    assert v1.get_variable("b", 4, tf.int32).shape == (4,) and v1.get_variable("c", []).shape == ()
    for shape in (None, [2, None]):
        with pytest.raises(ValueError, match=r"variable \(d\) must be fully defined"):
            v1.get_variable("d", shape)


def test_strings_and_versions() -> None:
    assert tf.compat.as_bytes("é") == b"\xc3\xa9" and tf.compat.as_text(b"a") == "a"
    assert tf.compat.as_str_any(3) == "3" and tf.compat.dimension_value(None) is None
    with pytest.raises(TypeError, match="binary or unicode"):
        tf.compat.as_bytes(3)
    assert tf.version.VERSION == tf.__version__


class TestHelpers(tf.test.TestCase):
    def test_assertions(self) -> None:
        x = tf.constant([1.0, 2.0])
        self.assertAllEqual(x, [1, 2])
        self.assertAllClose({"a": x}, {"a": np.array([1.0, 2.0 + 1e-7])})
        self.assertNotAllEqual(x, [1, 3])
        self.assertAllInRange(x, 1, 2)
        self.assertShapeEqual(x, np.zeros(2))
        self.assertDTypeEqual(x, tf.float32)
        with self.assertRaises(AssertionError):
            self.assertAllClose(x, [1.0, 2.1])
        self.assertEqual(self.evaluate(x).tolist(), [1, 2])
        self.assertAllClose(x, [1.5, 2.0], atol=np.array([0.5, 0.0]))
        with self.assertRaises(AssertionError):
            self.assertAllClose(x, [1.5, 2.0], atol=np.array([0.4, 0.0]))
        self.assertAllClose(x, [1.5, 2.0], atol=np.array([0.5, 0.0]))
        with self.assertRaises(AssertionError):
            self.assertAllClose(x, [1.5, 2.0], atol=np.array([0.4, 0.0]))
        self.assertAllClose([x, {"a": [3.0]}], [[1.0, 2.0], {"a": np.array([3.0])}])
        self.assertAllCloseAccordingToType(tf.cast(x, tf.float16), [1.0005, 2.0])
        self.assertNear(1.0, 1.05, 0.1)
        self.assertNDArrayNear(x, [1.0, 2.01], 0.1)
        self.assertAllGreater(x, 0.5)
        self.assertAllInSet(x, [1.0, 2.0, 3.0])
        self.assertNotAllClose(x, [1.0, 2.1])
        self.assertDeviceEqual("/device:CPU:0", "cpu:0")
        with self.assertRaisesOpError("Incompatible|compatible"):
            tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
        for wrong in (
            lambda: self.assertAllEqual([1, 2], [[1, 2]]),
            lambda: self.assertAllClose({"a": 1.0}, {"b": 1.0}),
            lambda: self.assertAllClose([[1.0], [1.0, 2.0]], [[1.0], [1.0, 3.0]]),
            lambda: self.assertAllLess(x, 2.0),
            lambda: self.assertNear(1.0, 2.0, 0.5),
        ):
            with self.assertRaises(AssertionError):
                wrong()

    def test_each_test_starts_with_the_same_numbers(self) -> None:
        first = tf.random.uniform([3])
        self.setUp()
        self.assertAllEqual(first, tf.random.uniform([3]))
        with self.session() as session:
            self.assertEqual(session.run(tf.constant(3)), 3)

    def test_compute_gradient(self) -> None:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.float64)
        for a, b in zip(*tf.test.compute_gradient(lambda x, y: tf.sin(x) * y, [x, x]), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-9)
        assert not tf.test.is_gpu_available() and tf.test.gpu_device_name() == ""
        with self.assertRaisesRegex(TypeError, "a pair such as"):
            tf.test.is_gpu_available(min_cuda_compute_capability=8)

    def test_compute_gradient_of_complex_numbers_and_structures(self) -> None:
        z = tf.constant([1.0 + 2.0j, 0.5 - 1.0j])
        for f in (lambda z: z * z, lambda z: tf.math.conj(z) * z, tf.math.real, tf.abs):
            ((a,), (b,)) = tf.test.compute_gradient(f, [z])
            assert a.shape[1] == 4
            np.testing.assert_allclose(a, b, atol=1e-6)
        ((a,), (b,)) = tf.test.compute_gradient(lambda x: [x, 2.0 * x], [3.0])
        assert a.tolist() == b.tolist() == [[1.0], [2.0]]
        empty = tf.zeros([0, 2])
        assert [m[0].shape for m in tf.test.compute_gradient(tf.square, [empty])] == [(0, 0)] * 2
        with self.assertRaisesRegex(ValueError, "argument 1 is int32"):
            tf.test.compute_gradient(tf.gather, [z, [0]])
        with self.assertRaisesRegex(ValueError, "`delta` must be positive"):
            tf.test.compute_gradient(tf.square, [1.0], delta=0.0)


def test_gradient_descent_of_the_first_programs() -> None:
    w, b = v1.Variable([1.0, 2.0]), v1.Variable(3.0)
    table = v1.Variable([[1.0], [2.0], [3.0]])
    optimizer = v1.train.GradientDescentOptimizer(lambda: tf.constant(0.5))
    step = v1.train.get_or_create_global_step()
    before = int(step)

    def loss() -> Any:
        return tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(table, [2, 0, 2]))

    found = optimizer.compute_gradients(loss)
    assert [v is want for (_, v), want in zip(found, (w, table), strict=True)] == [True, True]
    assert isinstance(found[1][0], tf.IndexedSlices)
    optimizer.apply_gradients([*found, (None, b)], global_step=step)
    assert w.numpy().tolist() == [0.0, 0.0] and float(b) == 3.0
    assert table.numpy().tolist() == [[0.5], [2.0], [2.0]]
    assert int(step) == before + 1 and v1.train.get_global_step() is step

    compiled = tf.function(lambda: optimizer.minimize(loss, step, [table], grad_loss=2.0))
    compiled()
    assert table.numpy().tolist() == [[-0.5], [2.0], [0.0]] and int(step) == before + 2

    with pytest.raises(ValueError, match=r"No gradients provided for any variable: \['.*'\]"):
        optimizer.minimize(lambda: b * 1.0, var_list=[w])
    with pytest.raises(ValueError, match="No variables provided"):
        optimizer.apply_gradients([])
    with pytest.raises(RuntimeError, match="should be a function"):
        optimizer.minimize(loss())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="loss_grad"):
        optimizer.minimize(loss, loss_grad=2.0)  # type: ignore[call-arg]
