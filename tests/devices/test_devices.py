"""Tensors and Variables on a GPU, which is here the emulator of backends/cuda/emulator."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import tfc as tf
import tfc.contrib.eager as tfe
from tests.emulated_gpu import ROOT, array, emulated_gpus, environment, live, on_gpu
from tfc.backends.cuda.devices import find
from tfc.backends.cuda.driver import NoDriver

F32 = np.float32


# Where things are.


def test_what_there_is(gpu: Any) -> None:
    cpu, found = tf.config.list_physical_devices()
    assert (cpu.device_type, found.device_type) == ("CPU", "GPU")
    assert [d.name for d in tf.config.list_logical_devices()] == ["/device:CPU:0", "/device:GPU:0"]
    assert tf.test.is_gpu_available() and tf.test.gpu_device_name() == "/device:GPU:0"
    assert tf.test.is_gpu_available(min_cuda_compute_capability=(8, 0))
    assert not tf.test.is_gpu_available(min_cuda_compute_capability=(99, 0))
    assert tfe.num_gpus() == 1 and tfe.list_devices()[1].endswith("GPU:0")
    details = tf.config.experimental.get_device_details(found)
    assert details["compute_capability"] >= (8, 0) and details["device_name"]
    tf.config.experimental.set_memory_growth(found, True)


def test_devices_can_be_hidden(gpu: Any) -> None:
    tf.config.set_visible_devices([], "GPU")
    assert tf.config.list_logical_devices("GPU") == [] and tfe.num_gpus() == 0
    assert len(tf.config.list_physical_devices("GPU")) == 1
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="set_visible_devices")
    with refused, tf.device("/gpu:0"):
        pass
    tf.config.set_visible_devices(tf.config.list_physical_devices("GPU"), "GPU")
    assert len(tf.config.get_visible_devices()) == 2


def test_scopes(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 2.0])
        with tf.device("CPU:0"):
            y = x + 1.0
            with tf.device("/device:GPU:0"):
                z = y + 1.0
        with tf.device(None):
            w = y + 1.0
            v = x + 1.0
        assert on_gpu(x + 1.0)
    assert on_gpu(x) and not on_gpu(y) and on_gpu(z) and not on_gpu(w) and on_gpu(v)
    assert z.numpy().tolist() == [3, 4] and y.numpy().tolist() == [2, 3]
    assert not on_gpu(tf.constant(1.0))
    with pytest.raises(ZeroDivisionError), tf.device("/gpu:0"):
        raise ZeroDivisionError
    assert not on_gpu(tf.constant(1.0) + 1.0)
    what = r"there is no device '/gpu:1'.*GPU:0"
    with pytest.raises(tf.errors.InvalidArgumentError, match=what), tf.device("/gpu:1"):
        pass


def test_decorators(gpu: Any) -> None:
    @tf.device("/gpu:0")
    def f(x: Any) -> Any:
        return x * 2.0

    for _ in range(2):
        y = f(tf.constant([1.0]))
        assert on_gpu(y) and y.numpy().tolist() == [2]


def test_ops_follow_their_operands(gpu: Any) -> None:
    x = tf.constant(array(5, 4)).gpu()
    y = tf.constant(array(4, seed=1))
    assert on_gpu(x) and not on_gpu(y)
    for result in (x + y, y * x, tf.exp(x), tf.reduce_sum(x, 1), x[1:, ::2], tf.concat([x, x], 0)):
        assert on_gpu(result)
    np.testing.assert_array_equal((x + y).numpy(), (x.cpu() + y).numpy())
    assert not on_gpu(x.cpu()) and x.gpu() is x and y.cpu() is y


def test_soft_placement_takes_the_cpu(gpu: Any) -> None:
    tf.config.set_soft_device_placement(True)
    try:
        with tf.device("/gpu:3"):
            assert not on_gpu(tf.constant(1.0))
    finally:
        tf.config.set_soft_device_placement(False)


def test_strings_stay(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        x = tf.constant(["b", "a"])
        assert not on_gpu(x) and tf.sort(x).numpy().tolist() == [b"a", b"b"]


def test_two_gpus() -> None:
    with emulated_gpus("two") as (first, second):
        assert tfe.num_gpus() == 2
        x = tf.constant([1.0, 2.0]).gpu(0)
        with tf.device("/gpu:1"):
            y = x + 1.0
            f = tf.function(lambda a, b: a * b)
            z = f(x, y)
        assert [t._array.device for t in (x, y, z)] == [first, second, second]
        assert z.numpy().tolist() == [2, 6] and z.device.endswith("GPU:1")
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[1], "GPU")
        assert z.device.endswith("GPU:0") and tf.constant(1.0).gpu()._array.device is second

        @tf.function
        def g(a: Any) -> Any:
            with tf.device("/gpu:0"):
                a = a + 1.0
            tf.config.set_visible_devices(tf.config.list_physical_devices("GPU"), "GPU")
            with tf.device("/gpu:0"):
                return a + 1.0

        with pytest.raises(tf.errors.UnimplementedError, match="a function runs on one device"):
            g(x)


# Bits, and elements on the host.


def test_bits_are_those_of_the_cpu(ordered: Any) -> None:
    x, y = array(33, 70), array(70, seed=1)
    cases = [
        lambda a, b: a + b,
        lambda a, b: tf.tanh(a) * tf.exp(b) / (1.0 + a * a),
        lambda a, b: tf.reduce_sum(a, 1),
        lambda a, b: tf.reduce_max(a, 0),
        lambda a, b: tf.nn.softmax(a),
        lambda a, b: tf.transpose(a),
        lambda a, b: tf.cumsum(a, 1),
        lambda a, b: tf.sort(a, 1),
        lambda a, b: tf.cast(a, tf.float16) + tf.cast(b, tf.float16),
        lambda a, b: tf.cast(a, tf.int32) // 3,
        lambda a, b: tf.gather(a, [3, 1, 3], axis=1),
    ]
    for f in cases:
        want = f(tf.constant(x), tf.constant(y))
        with tf.device("/gpu:0"):
            have = f(tf.constant(x), tf.constant(y))
        assert on_gpu(have)
        np.testing.assert_array_equal(have.numpy(), want.numpy())


def test_elements_come_to_the_host(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        x, s, n = tf.constant([[1.5, 2.5]]), tf.constant(2.5), tf.constant(3)
    assert np.asarray(x).tolist() == [[1.5, 2.5]] and float(s) == 2.5 and int(n) == 3
    assert [10, 11, 12, 13][n] == 13 and bool(s > 2.0) and len(x) == 1 and complex(s) == 2.5
    assert [v.numpy().tolist() for v in x] == [[1.5, 2.5]]
    assert str(x) == "tf.Tensor([[1.5 2.5]], shape=(1, 2), dtype=float32)"
    assert "numpy=array([[1.5, 2.5]], dtype=float32)" in repr(x) and f"{s:.2f}" == "2.50"
    assert x.shape == (1, 2) and x.dtype is tf.float32 and x.ndim == 2
    assert np.add(x, 1).tolist() == [[2.5, 3.5]]
    restored = pickle.loads(pickle.dumps(x))
    assert not on_gpu(restored) and restored.numpy().tolist() == [[1.5, 2.5]]
    assert copy.copy(x) is x
    x.numpy()[0, 0] = 9
    assert float(x[0, 0]) == 1.5


def test_copies_are_made_once(emulator: Any) -> None:
    x = tf.constant(array(1000))
    with tf.device("/gpu:0"):
        first = x + 1.0
        before = live(emulator)
        second = x + 1.0
        assert live(emulator) == before + 4000
    assert np.array_equal(first.numpy(), second.numpy())
    del x, first, second
    assert live(emulator) < before


# Variables.


def test_variables_stay_where_they_were_made(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        v = tf.Variable([1.0, 2.0])
    w = tf.Variable([1.0, 2.0])
    assert on_gpu(v) and not on_gpu(w)
    v.assign([3.0, 4.0])
    assert on_gpu(v) and on_gpu(v + 1.0) and on_gpu(v.read_value())
    w.assign(v)
    assert not on_gpu(w) and w.numpy().tolist() == [3, 4]
    v.assign_add(w)
    assert on_gpu(v) and v.numpy().tolist() == [6, 8]
    v.scatter_nd_update([[0]], [1.0])
    v[1].assign(5.0)
    assert on_gpu(v) and v.numpy().tolist() == [1, 5]
    assert "numpy=array([1., 5.], dtype=float32)" in repr(v)
    with tf.device("/cpu:0"):
        v.assign_sub([1.0, 1.0])
        assert on_gpu(v) and not on_gpu(v + 0.0)
    assert v.numpy().tolist() == [0, 4]
    with tf.device("/gpu:0"):
        w.assign(w * 2.0)
    assert not on_gpu(w) and w.numpy().tolist() == [6, 8]


def test_random_numbers_leave_the_generator_where_it_is(gpu: Any) -> None:
    def sample() -> Any:
        return tf.random.normal([7]), tf.random.uniform([2], 0, 100, tf.int32)

    tf.random.set_seed(5)
    want = [sample() for _ in range(2)]
    tf.random.set_seed(5)
    with tf.device("/gpu:0"):
        first = sample()
    second = sample()
    assert on_gpu(first[0]) and not on_gpu(second[0])
    for have, wanted in zip((*first, *second), (*want[0], *want[1]), strict=True):
        np.testing.assert_array_equal(have.numpy(), wanted.numpy())


# Other libraries.


class Producer:
    """What another library would give: a capsule that says it is on GPU 0."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(stream=options["stream"], max_version=options["max_version"])


def test_dlpack(emulator: Any) -> None:
    for dtype in (tf.float32, tf.bfloat16, tf.int8, tf.bool, tf.complex64):
        x = tf.cast(tf.constant([[1, 0, 3]]), dtype).gpu()
        assert x.__dlpack_device__() == (2, 0)
        shared = tf.experimental.dlpack.from_dlpack(Producer(x))
        assert on_gpu(shared) and shared.dtype is dtype
        np.testing.assert_array_equal(shared.numpy(), x.numpy())
        from tfc.core.dlpack import from_dlpack

        same = from_dlpack(Producer(x), copy=False)
        assert same._array.address == x._array.address != shared._array.address
        want = x.numpy()
        address = x._array.address
        del x
        np.testing.assert_array_equal(tf.equal(same, same).numpy(), want == want)
        assert address == same._array.address
        del same, shared
    before = live(emulator)
    x = tf.constant(array(9)).gpu()
    capsule = x.__dlpack__(stream=1, max_version=(1, 0))
    old = x.__dlpack__()
    del x
    assert live(emulator) == before + 72
    del capsule, old
    assert live(emulator) == before
    x = tf.constant(array(9)).gpu()
    np.testing.assert_array_equal(np.from_dlpack(OnHost(x)), x.numpy())
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__(copy=False)
    with pytest.raises(BufferError, match="cannot be exported"):
        x.__dlpack__(dl_device=(2, 5))


class OnHost:
    """Asks for a copy in the memory of the CPU."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(max_version=(1, 0), dl_device=(1, 0))


def test_cuda_array_interface(gpu: Any) -> None:
    x = tf.constant(array(2, 3)).gpu()
    shown = x.__cuda_array_interface__
    assert shown["shape"] == (2, 3) and shown["typestr"] == "<f4" and shown["version"] == 3
    assert shown["data"] == (x._array.address, True) and shown["strides"] is None
    assert not hasattr(tf.constant(1.0), "__cuda_array_interface__")
    assert hasattr(tf.Variable(x), "__cuda_array_interface__")


def test_to_device(gpu: Any) -> None:
    x = tf.constant([1.0])
    y = x.to_device("gpu:0")
    assert on_gpu(y) and y.to_device("gpu") is y and not on_gpu(y.to_device("cpu"))
    assert y.to_device(y.device) is y
    with pytest.raises(ValueError, match="no device 'gpu:4', only 'cpu', 'gpu:0'"):
        x.to_device("gpu:4")
    with pytest.raises(ValueError, match="there is no GPU 4"):
        x.gpu(4)


# Without one.


@pytest.mark.skipif("TFC_TEST_GPU" in os.environ, reason="there is one")
def test_without_a_gpu() -> None:
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="there is no GPU 0, because"):
        x.gpu()
    assert x.cpu() is x
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="There is no GPU because")
    with refused, tf.device("/gpu:0"):
        pass


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("off", "TFC_CUDA says that none is used"),
        ("nonsense", "'nonsense' is not known"),
        ("emulate,backwards", "does not know 'backwards'"),
    ],
)
def test_the_environment(monkeypatch: pytest.MonkeyPatch, words: str, reason: str) -> None:
    monkeypatch.setenv("TFC_CUDA", words)
    with pytest.raises(NoDriver, match=reason):
        find()


def test_a_whole_process() -> None:
    code = (
        "import tfc as tf\n"
        "with tf.device('/gpu:0'):\n"
        "    x = tf.constant([1.0, 2.0])\n"
        "print(x.device[-5:], (x * 3.0).numpy())\n"
    )
    given = environment("emulate,reversed")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=given, cwd=ROOT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "GPU:0 [3. 6.]\n", "")
