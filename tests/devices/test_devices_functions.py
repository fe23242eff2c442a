"""Functions, control flow and gradients on a GPU, which is here the emulator."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest

import tfc as tf
import tfc.contrib.eager as tfe
from tests.emulated_gpu import array, on_gpu
from tfc.compat import v1
from tfc.core.context import settings

F32 = np.float32


# Functions.


def test_functions_are_compiled_for_each_device(gpu: Any) -> None:
    traces = []

    @tf.function
    def f(x: Any) -> Any:
        traces.append(1)
        return tf.nn.softmax(x * 2.0)

    x = tf.constant(array(3, 40))
    here, there = f(x), f(x.gpu())
    with tf.device("/gpu:0"):
        scoped = f(x)
    assert [on_gpu(r) for r in (here, there, scoped)] == [False, True, True]
    for result in (there, scoped):
        np.testing.assert_array_equal(result.numpy(), here.numpy())
    assert len(traces) == 1
    for n in (5, 6, 7):
        y = tf.constant(array(n, 40))
        np.testing.assert_array_equal(f(y.gpu()).numpy(), f(y).numpy())
    assert len(traces) == 2


def test_a_function_may_name_its_gpu(gpu: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        with tf.device("/gpu:0"):
            y = x + 1.0
        with tf.device("/cpu:0"):
            return y * 2.0

    with tf.device("/gpu:0"):  # it is in use
        pass
    y = f(tf.constant([1.0]))
    assert on_gpu(y) and y.numpy().tolist() == [4]


def test_variables_in_functions(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        v = tf.Variable([1.0, 2.0])
    w = tf.Variable([10.0, 20.0])

    @tf.function
    def step(x: Any) -> Any:
        v.assign_add(x)
        w.assign(w + v)
        return v * w

    y = step(tf.constant([1.0, 1.0]))
    assert on_gpu(y) and on_gpu(v) and not on_gpu(w)
    assert v.numpy().tolist() == [2, 3] and w.numpy().tolist() == [12, 23]
    with tf.device("/cpu:0"):
        y = step(tf.constant([1.0, 1.0]))
    assert not on_gpu(y) and on_gpu(v) and not on_gpu(w)
    assert v.numpy().tolist() == [3, 4] and w.numpy().tolist() == [15, 27]
    assert y.numpy().tolist() == [45, 108]


def test_several_results_and_shared_memory(gpu: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        return x, x + 1.0, tf.reshape(x, [-1]), {"a": tf.shape(x)}

    x = tf.constant(array(2, 3)).gpu()
    same, more, flat, rest = f(x)
    assert same._array.address == x._array.address == flat._array.address
    assert rest["a"].numpy().tolist() == [2, 3] and on_gpu(more)
    del x, same
    np.testing.assert_array_equal(flat.numpy() + 1, more.numpy().ravel())


def test_extents_that_depend_on_data(gpu: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        kept = tf.boolean_mask(x, x > 0.0)
        return kept * 2.0, tf.reduce_sum(kept)

    x = tf.constant(array(50))
    for _ in range(2):
        (kept, total), (want, whole) = f(x.gpu()), f(x)
        assert on_gpu(kept)
        np.testing.assert_array_equal(kept.numpy(), want.numpy())
        assert float(total) == float(whole)


def test_control_flow(ordered: Any) -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        total = tf.zeros_like(x)
        i = 0
        while i < n:
            if tf.reduce_sum(total) > 3.0:
                total = total - x
            else:
                total = total + tf.cumsum(x)
            i += 1
        return total, i

    @tf.function
    def scan(x: Any) -> Any:
        return tf.scan(lambda a, row: tf.nn.softmax(a + row), x, tf.zeros([3]))

    @tf.function
    def counting(n: Any) -> Any:
        a, b = 0, 1
        while b < n:
            a, b = b, a + b
        return b

    for n in (0, 1, 6):
        x, count = tf.constant(array(5)), tf.constant(n)
        want, have = f(x, count), f(x.gpu(), count)
        np.testing.assert_array_equal(have[0].numpy(), want[0].numpy())
        assert int(have[1]) == n
    rows = tf.constant(array(7, 3))
    np.testing.assert_array_equal(scan(rows.gpu()).numpy(), scan(rows).numpy())
    assert int(counting(tf.constant(50).gpu())) == 55


def test_loops_whose_values_grow(gpu: Any) -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        pieces = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        i = 0
        while tf.reduce_sum(x) < n:
            pieces = pieces.write(i, x)
            x = x * 2.0
            i += 1
        return pieces.stack(), x

    x = tf.constant([1.0, 2.0])
    for n in (0.0, 20.0, 50.0):
        want, have = f(x, tf.constant(n)), f(x.gpu(), tf.constant(n))
        for a, b in zip(have, want, strict=True):
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_what_libraries_compute(gpu: Any, capfd: pytest.CaptureFixture[str]) -> None:
    m = tf.constant(array(4, 4))

    @tf.function
    def f(a: Any) -> Any:
        tf.print("sum", tf.reduce_sum(tf.ones([3])))
        return tf.linalg.inv(a) @ a, tf.signal.fft(tf.cast(a, tf.complex64))

    want, have = f(m), f(m.gpu())
    assert on_gpu(have[0])
    for a, b in zip(have, want, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-4)
    assert capfd.readouterr().err == "sum 3\nsum 3\n"


def test_python_functions(gpu: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        y = tf.numpy_function(lambda a: a * 3, [x], tf.float32)
        y.set_shape([2])
        return y + 1.0

    assert f(tf.constant([1.0, 2.0]).gpu()).numpy().tolist() == [4, 7]


def test_parsed_functions(gpu: Any) -> None:
    text = "func @f(%x: f32[n]) -> f32[n] {\n  %0 = add %x, %x : f32[n]\n  return %0\n}"
    from tfc.dispatch.execution import run_function
    from tfc.ir import parse

    f = parse(text)
    assert on_gpu(run_function(f, tf.constant([1.0]).gpu()))
    assert not on_gpu(run_function(f, tf.constant([1.0])))


# Gradients.


def test_tapes(gpu: Any) -> None:
    def gradients(x: Any, v: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x * v * x)
            dx, dv = tape.gradient(y, [x, v])
        return y, dx, dv, outer.gradient(dx, x)

    x, start = tf.constant(array(6)), array(6, seed=1)
    want = gradients(x, tf.Variable(start))
    with tf.device("/gpu:0"):
        v = tf.Variable(start)
        scoped = gradients(tf.constant(array(6)), v)
    following = gradients(x.gpu(), v)
    for have in (scoped, following):
        for a, b in zip(have, want, strict=True):
            assert on_gpu(a)
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def train(compiled: bool) -> tuple[list[float], list[np.ndarray]]:
    rng = np.random.default_rng(0)
    w1 = tf.Variable(rng.standard_normal((8, 16), dtype=F32) / 3)
    b1 = tf.Variable(tf.zeros([16]))
    w2 = tf.Variable(rng.standard_normal((16, 4), dtype=F32) / 4)
    parameters = [w1, b1, w2]

    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
            )
        for p, g in zip(parameters, tape.gradient(loss, parameters), strict=True):
            p.assign_sub(0.1 * g)
        return loss

    run = tf.function(step) if compiled else step
    x = tf.constant(rng.standard_normal((12, 8), dtype=F32))
    y = tf.constant(rng.integers(0, 4, 12))
    losses = [run(x, y) for _ in range(4)]
    assert all(loss.device == w1.device == x.device for loss in losses)
    return [float(loss) for loss in losses], [p.numpy() for p in parameters]


@pytest.mark.parametrize("compiled", [False, True])
def test_training(gpu: Any, compiled: bool) -> None:
    wanted, values = train(compiled)
    with tf.device("/gpu:0"):
        losses, parameters = train(compiled)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    for have, want in zip(parameters, values, strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-6)
    assert losses[-1] < losses[0]


# A program of the first eager days, as it was written (its matrices are smaller).


def measure(x: Any, steps: int) -> float:
    tf.matmul(x, x)
    start = time.time()
    for _ in range(steps):
        x = tf.matmul(x, x)
        _ = x.numpy()  # Make sure to execute op and not just enqueue it
    end = time.time()
    return end - start


def test_measuring_a_product(gpu: Any) -> None:
    shape = (10, 10)
    with tf.device("/cpu:0"):
        assert measure(v1.random_normal(shape), 2) > 0
    if tfe.num_gpus() > 0:
        with tf.device("/gpu:0"):
            assert measure(x := v1.random_normal(shape), 2) > 0 and on_gpu(x)


def test_training_as_it_was_written(gpu: Any) -> None:
    """All of it under `tf.device`."""
    tf = v1

    def prediction(input: Any, weight: Any, bias: Any) -> Any:
        return input * weight + bias

    def loss(weights: Any, biases: Any) -> Any:
        error = prediction(training_inputs, weights, biases) - training_outputs
        return tf.reduce_mean(tf.square(error))

    def grad(weights: Any, biases: Any) -> Any:
        with tfe.GradientTape() as tape:
            loss_value = loss(weights, biases)
        return tape.gradient(loss_value, [weights, biases])

    tf.set_random_seed(1)
    with tf.device("/gpu:0"):
        training_inputs = tf.random_normal([1000])
        noise = tf.random_normal([1000])
        training_outputs = training_inputs * 3 + 2 + noise
        W, B = tfe.Variable(5.0), tfe.Variable(10.0)
        said = [f"Initial loss: {loss(W, B):.3f}"]
        for _ in range(60):
            dW, dB = grad(W, B)
            W.assign_sub(dW * 0.05)
            B.assign_sub(dB * 0.05)
        said.append(f"Final loss: {loss(W, B):.3f}")
    assert on_gpu(W) and on_gpu(dW) and on_gpu(training_outputs)
    first, last = (float(line.split()[-1]) for line in said)
    assert first > 40 and last < 1.2
    assert abs(W.numpy() - 3) < 0.2 and abs(B.numpy() - 2) < 0.2


def test_an_optimizer_as_it_was_written(gpu: Any) -> None:
    """`minimize`, with a model whose Variables were made on the CPU."""
    tf = v1

    class Model(tf.Module):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.W = tfe.Variable(5.0, name="weight")
            self.B = tfe.Variable(10.0, name="bias")

        def predict(self, inputs: Any) -> Any:
            return inputs * self.W + self.B

    def loss(model: Any, inputs: Any, targets: Any) -> Any:
        return tf.reduce_mean(tf.square(model.predict(inputs) - targets))

    model = Model()
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.05)
    step = tf.train.get_or_create_global_step()
    before = int(step)
    with tf.device("/gpu:0"):
        x = tf.random_normal([500])
        y = x * 3 + 2
        for _ in range(60):
            optimizer.minimize(
                lambda: loss(model, x, y), global_step=tf.train.get_or_create_global_step()
            )
    assert int(step) == before + 60
    assert abs(model.W.numpy() - 3) < 0.1 and abs(model.B.numpy() - 2) < 0.1


def test_training_variables_of_the_cpu(gpu: Any) -> None:
    """The model is made before; only the loop is on the GPU."""
    w, b = tfe.Variable(5.0, name="weight"), tfe.Variable(10.0, name="bias")
    inputs = tf.constant(array(200))
    outputs = inputs * 3 + 2 + tf.constant(array(200, seed=1))

    def loss() -> Any:
        return tf.reduce_mean(tf.square(inputs * w + b - outputs))

    before = float(loss())
    with tf.device("/gpu:0"):
        for _ in range(20):
            with tfe.GradientTape() as tape:
                value = loss()
            dw, db = tape.gradient(value, [w, b])
            assert on_gpu(value) and on_gpu(dw)
            w.assign_sub(dw * 0.1)
            b.assign_sub(db * 0.1)
    assert not on_gpu(w) and float(loss()) < before / 10


@pytest.mark.parametrize("turned", [{}, {"transpose_a": True, "transpose_b": True}])
def test_warpgroups(gpu: Any, turned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are some, they multiply as warps do; a real GPU tells whether that is so."""
    if not gpu.has_warpgroups:
        pytest.skip("compute capability 9.0 alone has wgmma")
    large = [(2048, 2048, 512)] if os.environ.get("TFC_TEST_GPU") else []
    for m, n, k in [(136, 72, 264), (33, 17, 70), *large]:
        shapes = ((k, m), (n, k)) if turned else ((m, k), (k, n))
        x, y = (tf.cast(array(*s, seed=i), tf.bfloat16).gpu() for i, s in enumerate(shapes))
        by_warps = tf.cast(tf.matmul(x, y, **turned), tf.float32)
        with monkeypatch.context() as asked:
            asked.setattr(settings, "warpgroups", True)
            found = [tf.matmul(x, y, **turned), tf.function(tf.matmul)(x, y, **turned)]
        for result in found:
            have = tf.cast(result, tf.float32)
            np.testing.assert_allclose(have, by_warps, rtol=1e-2, atol=1e-2)


def test_tensor_float_32(gpu: Any) -> None:
    x, y = tf.constant(array(64, 64)).gpu(), tf.constant(array(64, 64, seed=1)).gpu()
    f = tf.function(tf.matmul)
    exact = [tf.matmul(x, y).numpy(), f(x, y).numpy()]
    tf.config.experimental.enable_tensor_float_32_execution(True)
    try:
        rounded = [tf.matmul(x, y).numpy(), f(x, y).numpy()]
    finally:
        tf.config.experimental.enable_tensor_float_32_execution(False)
    assert np.array_equal(*exact) and np.array_equal(*rounded)
    error = np.abs(rounded[0] - exact[0]).max()
    assert 0 < error < 0.1
    assert np.array_equal(tf.matmul(x, y).numpy(), exact[0])
