"""Errors of kernels, memory, graphs and threads on a GPU, which is here the emulator."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated_gpu import ROOT, array, emulated_gpus, environment, live

F32 = np.float32


# Errors.


def test_errors_come_back(ordered: Any) -> None:
    x = tf.constant([1, 2, 3]).gpu()
    v = tf.Variable([5, 5, 5])

    @tf.function
    def f(i: Any) -> Any:
        v.assign_add(x)
        return tf.gather(x, i)

    line = test_errors_come_back.__code__.co_firstlineno
    for call in (lambda: tf.gather(x, [0, 7]), lambda: f(tf.constant([7]))):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            call()
        text = str(caught.value)
        assert "gather" in text and "7 is not in [0, 3)" in text
        assert caught.value.location.file == __file__ and caught.value.location.line > line
        del caught
    assert v.numpy().tolist() == [5, 5, 5]
    assert f(tf.constant([2])).numpy().tolist() == [3] and v.numpy().tolist() == [6, 7, 8]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
        x // tf.constant([1, 0, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"assert_equal|==|equal"):
        tf.debugging.assert_equal(x, [1, 2, 4])
    assert (x + x).numpy().tolist() == [2, 4, 6]


def test_errors_of_libraries(gpu: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linalg.cholesky(tf.constant([[-1.0]]).gpu())


def test_shapes_that_do_not_fit(gpu: Any) -> None:
    x = tf.constant([1.0, 2.0]).gpu()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        x + tf.constant([1.0, 2.0, 3.0])


def test_memory_that_is_not_there(emulator: Any) -> None:
    small, emulator.driver.memory = emulator.driver.memory, 1 << 20
    before = live(emulator)
    try:
        with tf.device("/gpu:0"):
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
                tf.zeros([1 << 20])
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when copying float32"):
                tf.constant(np.zeros(1 << 20, F32))
            x = tf.ones([1000])
            f = tf.function(lambda x: tf.reshape(x, [-1, 1]) * tf.reshape(x, [1, -1]))
            with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
                f(x)
    finally:
        emulator.driver.memory = small
    del x
    assert live(emulator) <= before + 64  # the scalars are kept


# Memory.


def test_memory_is_given_back(emulator: Any) -> None:
    v = tf.Variable(tf.constant(array(100)).gpu())

    @tf.function
    def f(x: Any) -> Any:
        v.assign(v + tf.reduce_sum(x))
        return tf.exp(tf.sort(x)) + 1.0, tf.gather(x, tf.cast(x[:1], tf.int32))

    def work(bad: bool) -> None:
        x = tf.constant(np.full(100, 200 if bad else 3, F32)).gpu()
        try:
            f(x)
            tf.gather(x, [7])
        except tf.errors.InvalidArgumentError:
            assert bad

    work(False), work(True)
    before = live(emulator)
    for _ in range(3):
        work(False), work(True)
    assert live(emulator) == before
    info = tf.config.experimental.get_memory_info("GPU:0")
    assert info["current"] == before <= info["peak"]
    tf.config.experimental.reset_memory_stats("GPU:0")
    assert tf.config.experimental.get_memory_info("GPU:0")["peak"] == before


def test_kept_memory_is_reused() -> None:
    with emulated_gpus("pooled") as (device,), tf.device("/gpu:0"):
        x = tf.constant(array(1000))
        y = x + 1.0
        address = y._array.address
        del y
        assert device.pool.stats()["cached"] > 0
        assert (x + 2.0)._array.address == address
        device.pool.trim()
        assert device.pool.stats()["cached"] == 0


def test_graphs_are_replayed() -> None:
    with emulated_gpus("pooled") as (device,), tf.device("/gpu:0"):
        v = tf.Variable(array(8))
        x = tf.constant(array(8, seed=1))

        @tf.function
        def f(x: Any) -> Any:
            v.assign(v + tf.reverse(tf.cumsum(x), [0]))
            return tf.sort(v), tf.cumsum(v)

        want = v.numpy()
        captured = []
        inner = device.driver.capture
        device.driver.capture = lambda work: captured.append(inner(work)) or captured[-1]
        for _ in range(8):
            a, b = f(x)
            want = want + np.cumsum(x.numpy(), dtype=F32)[::-1]
            np.testing.assert_allclose(v.numpy(), want, rtol=1e-5)
            np.testing.assert_array_equal(a.numpy(), np.sort(v.numpy()))
            del a, b
        assert captured and len(captured[0].work) >= 2


def test_threads(gpu: Any) -> None:
    x = tf.constant(array(50))
    want = tf.nn.softmax(x).numpy()
    found: list[Any] = []

    def work() -> None:
        with tf.device("/gpu:0"):
            found.extend(tf.nn.softmax(x).numpy() for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 15 and all(np.array_equal(f, want) for f in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_forked_process_has_no_gpu() -> None:
    code = (
        "import os, tfc as tf\n"
        "x = tf.constant([1.0]).gpu()\n"
        "if os.fork() == 0:\n"
        "    try:\n"
        "        x + 1.0\n"
        "    except tf.errors.InternalError as error:\n"
        "        print('cannot be used in a forked process' in str(error), flush=True)\n"
        "    del x\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "print((x + 1.0).numpy())\n"
    )
    given = environment("emulate")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=given, cwd=ROOT
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n[2.]\n", "")
