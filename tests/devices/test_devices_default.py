"""Where code runs that says nothing: on the GPU, where it is the default."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.emulated_gpu import ROOT, array, emulated_gpus, environment, on_gpu
from tfc.backends.cuda import driver
from tfc.core.context import settings


@pytest.fixture
def gpu() -> Iterator[Any]:
    with emulated_gpus("default") as (device,):
        yield device


def test_the_emulator_is_no_default_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with emulated_gpus("forward"):
        assert settings.default_gpu is None and not on_gpu(tf.constant(1.0) + 1.0)
    for words, wanted in (("emulate", False), ("emulate,default", True), ("named", False)):
        monkeypatch.setenv("TFC_CUDA", words)
        assert driver.by_default() is wanted, words


def test_ops_tensors_and_variables(gpu: Any) -> None:
    x, v = tf.constant(array(3, 4)), tf.Variable(array(4, 2))
    for made in (x, v, x + 1.0, x @ v, tf.zeros([2]), tf.random.normal([2]), tf.argmax(x, 1)):
        assert on_gpu(made), made
    assert on_gpu(tf.exp(array(2, 2)))  # what comes from the host, too
    assert on_gpu(tf.function(lambda x: tf.nn.softmax(x))(array(2, 2)))
    np.testing.assert_array_equal((x + 1.0).numpy(), array(3, 4) + 1.0)


def test_numbers_of_steps_and_shapes_stay_on_the_cpu(gpu: Any) -> None:
    n = tf.constant(3)
    assert not any(map(on_gpu, (n, n + 1, tf.range(n), tf.shape(tf.constant([1.0])))))
    assert on_gpu(tf.cast(n, tf.float32)) is on_gpu(n)  # where its operand is
    assert on_gpu(tf.constant([1.0, 2.0])[tf.constant(1)])
    assert on_gpu(tf.Variable(0))


def test_the_cpu_can_be_named(gpu: Any) -> None:
    x = tf.constant(array(3))
    with tf.device("/cpu:0"):
        y = x * 2.0
        assert not on_gpu(y) and not on_gpu(tf.constant(1.0)) and not on_gpu(tf.Variable(1.0))
        assert not on_gpu(tf.function(lambda x: x + 1.0)(x))
        with tf.device(None):
            assert on_gpu(y + 1.0)
    assert on_gpu(y + 1.0) and not on_gpu(x.cpu())


def test_training_is_what_it_is_on_the_cpu(gpu: Any) -> None:
    def trained() -> list[np.ndarray]:
        w, b = tf.Variable(array(5, 3)), tf.Variable(tf.zeros([3]))
        x, y = tf.constant(array(7, 5, seed=1)), tf.constant(array(7, 3, seed=2))

        @tf.function
        def step(x: Any, y: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.tanh(x @ w + b) - y) ** 2)
            for v, g in zip((w, b), tape.gradient(loss, (w, b)), strict=True):
                v.assign_sub(0.1 * g)
            return loss

        losses = [step(x, y) for _ in range(3)]
        return [t.numpy() for t in (*losses, w, b)]

    here = trained()
    with tf.device("/cpu:0"):
        there = trained()
    for a, b in zip(here, there, strict=True):
        np.testing.assert_array_equal(a, b)


def test_strings_and_what_the_gpu_cannot_do_run_on_the_cpu(
    gpu: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tfc import errors
    from tfc.dispatch import execution

    assert tf.strings.length(["ab"]).numpy().tolist() == [2]
    compiled = execution._compile

    def refused(f: Any, signature: Any, device: Any, *known: Any) -> Any:
        if device is not None and f.name == "refused":
            raise errors.UnimplementedError("this does not run on a GPU", op="refused")
        return compiled(f, signature, device, *known)

    monkeypatch.setattr(execution, "_compile", refused)
    v = tf.Variable([1.0])

    def refused_(x: Any) -> Any:
        return v.assign_add(x)

    refused_.__name__ = "refused"
    f = tf.function(refused_)
    for wanted in ([3.0], [5.0]):
        result = f(tf.constant([2.0]))
        assert not on_gpu(result) and result.numpy().tolist() == wanted
    assert on_gpu(v) and v.numpy().tolist() == [5.0]
    with tf.device("/gpu:0"), pytest.raises(errors.UnimplementedError, match="does not run"):
        f(tf.constant([2.0]))


def run(code: str, cuda: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(cuda),
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_gpu_that_is_named_before_one_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TFC_CUDA", "off")
    fresh = type(settings)()
    fresh.accelerated = True  # a GPU was opened by name
    assert fresh.default_gpu is None and fresh.accelerated


def test_a_whole_process_and_its_visible_devices() -> None:
    code = (
        "import tfc as tf\n"
        "print((tf.constant([1.0]) + 1.0).device[-5:])\n"
        "tf.config.set_visible_devices([], 'GPU')\n"
        "print((tf.constant([1.0]) + 1.0).device[-5:])\n"
        "tf.config.set_visible_devices(tf.config.list_physical_devices('GPU'), 'GPU')\n"
        "print((tf.constant([1.0]) + 1.0).device[-5:])\n"
    )
    assert run(code, "emulate,default").split() == ["GPU:0", "CPU:0", "GPU:0"]


def test_nothing_is_compiled_for_the_cpu_in_vain(gpu: Any) -> None:
    f = tf.function(lambda x: tf.exp(x) + 1.0)
    for n in (3, 4, 3):
        x = array(n)
        np.testing.assert_array_equal(f(x).numpy(), (tf.exp(tf.constant(x)) + 1.0).numpy())
    assert f.get_concrete_function(tf.constant(array(3)))._compiled is None
