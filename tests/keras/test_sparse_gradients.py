"""Gradients of embeddings stay rows (IndexedSlices) up to the optimizer's update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

keras = tf.keras
optimizers = keras.optimizers

# Elements 0, 1, 6, 7, 15 and 4 of the table below after three steps of Keras 3.15.1 on TensorFlow
# 2.21. Rows 0 and 2 are read twice and thrice in a step, row 1 (element 4) never.
OPTIMIZERS: dict[str, tuple[Callable[[], Any], list[float]]] = {
    "sgd": (
        lambda: optimizers.SGD(0.1),
        [0.066696, -0.055413, 0.508026, 1.660325, -1.271453, -0.535669],
    ),
    "momentum": (
        lambda: optimizers.SGD(0.1, momentum=0.9),
        [0.012396, 0.016248, -0.239027, 2.241182, -1.711115, -0.535669],
    ),
    "adagrad": (
        lambda: optimizers.Adagrad(0.1),
        [0.013857, -0.009826, 1.143751, 1.244527, -0.967198, -0.535669],
    ),
    "adam": (
        lambda: optimizers.Adam(0.1),
        [-0.091901, 0.096629, 1.089325, 1.327401, -1.032746, -0.535669],
    ),
    "rmsprop": (
        lambda: optimizers.RMSprop(0.1),
        [-0.031023, 0.033028, 0.812036, 1.97572, -1.546067, -0.535669],
    ),
    "adadelta": (
        lambda: optimizers.Adadelta(1.0),
        [0.11977, -0.127072, 1.300924, 0.952517, -0.736563, -0.535669],
    ),
    "adafactor": (
        lambda: optimizers.Adafactor(0.1),
        [0.029245, 0.012418, 1.121474, 1.302973, -1.024732, -0.535669],
    ),
    "adamw": (
        lambda: optimizers.AdamW(0.1),
        [-0.091837, 0.096589, 1.087852, 1.326114, -1.031749, -0.535027],
    ),
    "ftrl": (
        lambda: optimizers.Ftrl(0.1),
        [-0.011913, 0.008025, 1.062765, 1.040953, -0.803299, 0.0],
    ),
    "clipnorm": (
        lambda: optimizers.SGD(0.1, clipnorm=0.5),
        [0.119225, -0.123134, 1.209192, 1.001986, -0.773909, -0.535669],
    ),
    "clipvalue": (
        lambda: optimizers.SGD(0.1, clipvalue=0.5),
        [0.066696, -0.055413, 1.154, 1.189051, -0.882267, -0.535669],
    ),
    "accumulation": (
        lambda: optimizers.SGD(0.1, gradient_accumulation_steps=2),
        [0.101779, -0.098889, 0.952387, 1.141973, -0.880129, -0.535669],
    ),
    "loss scale": (
        lambda: optimizers.LossScaleOptimizer(optimizers.Adagrad(0.1), initial_scale=8.0),
        [0.099513, -0.096843, 1.156101, 1.13239, -0.875173, -0.535669],
    ),
    "average": (
        lambda: optimizers.SGD(0.1, use_ema=True, ema_overwrite_frequency=2),
        [0.082234, -0.073839, 0.693708, 1.379803, -1.059984, -0.535669],
    ),
}
INDICES = np.array([[0, 2], [2, 2], [5, 0]])


def trained(make: Callable[[], Any], compiled: bool) -> np.ndarray:
    """A table after three steps."""
    rng = np.random.default_rng(0)
    table = keras.Variable(rng.normal(size=(6, 3)).astype("float32"))
    weights = rng.normal(size=(3, 2, 3)).astype("float32")
    optimizer = make()
    optimizer.build([table])

    def step() -> None:
        with tf.GradientTape() as tape:
            rows = keras.ops.take(table, INDICES, axis=0)
            loss = keras.ops.sum(rows**2 * weights)
        (gradient,) = tape.gradient(loss, [table])
        assert isinstance(gradient, tf.IndexedSlices)
        optimizer.apply_gradients([(gradient, table)])

    run = tf.function(step) if compiled else step
    for _ in range(3):
        run()
    return np.array(table)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name: str) -> None:
    make, wanted = OPTIMIZERS[name]
    eager, compiled = trained(make, False), trained(make, True)
    np.testing.assert_array_equal(eager, compiled)
    np.testing.assert_allclose(eager.ravel()[[0, 1, 6, 7, 15, 4]], wanted, atol=2e-6)


def model() -> Any:
    return keras.Sequential(
        [
            keras.Input((3,), dtype="int32"),
            keras.layers.Embedding(50, 4, mask_zero=True),
            keras.layers.GlobalAveragePooling1D(),
            keras.layers.Dense(1),
        ]
    )


@pytest.mark.parametrize("name", ["sgd", "adagrad", "adam"])
def test_all_ways_of_running_steps(name: str) -> None:
    """Give the same bits; what is read by no batch stays as it is."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 20, (32, 3)), rng.normal(size=(32, 1)).astype("float32")
    found = []
    for options in ({}, {"steps_per_execution": 4}, {"run_eagerly": True}):
        keras.utils.set_random_seed(3)
        net = model()
        before = np.array(net.trainable_variables[0])
        net.compile(OPTIMIZERS[name][0](), "mse", **options)
        net.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
        found.append(np.array(net.trainable_variables[0]))
        np.testing.assert_array_equal(found[-1][20:], before[20:])
        assert (found[-1][1:20] != before[1:20]).any()
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("rows", [100, 30_000])
def test_executions_of_several_steps_copy_no_large_tables(rows: int) -> None:
    """A native loop works on copies, so it is there for small ones; the bits are the same."""
    x = np.random.default_rng(2).integers(0, rows, (32, 3))
    y = np.ones((32, 12), "float32")
    found = []
    for steps in (1, 4):
        keras.utils.set_random_seed(4)
        table = keras.layers.Embedding(rows, 4)
        net = keras.Sequential([keras.Input((3,), dtype="int32"), table, keras.layers.Flatten()])
        net.compile(optimizers.SGD(0.1), "mse", steps_per_execution=steps)
        places = set()
        for _ in range(3):
            net.fit(x, y, batch_size=8, shuffle=False, verbose=0)
            places.add(np.asarray(table.embeddings.value).ctypes.data)
        assert len(places) == 1 or rows == 100  # changed where it is
        (function,) = net.train_function.functions
        (trace,) = function.concrete_functions
        assert ("while" in trace.ir("optimised")) == (steps > 1 and rows == 100)
        found.append(np.array(table.embeddings))
    np.testing.assert_array_equal(*found)


def test_settings_may_change_between_eager_steps() -> None:
    table = keras.Variable(np.ones((3, 2), "float32"))
    optimizer = optimizers.Adagrad(1.0, epsilon=0.0)
    optimizer.build([table])
    rows = tf.IndexedSlices(tf.ones([1, 2]), [1], [3, 2])
    optimizer.apply([rows], [table])
    after = 1 - 1 / np.sqrt(np.float32(1.1))
    np.testing.assert_allclose(table, [[1, 1], [after, after], [1, 1]], rtol=1e-6)
    optimizer.epsilon = 1.9
    optimizer.learning_rate = 2.0
    optimizer.apply([rows], [table])
    after -= 2 / np.sqrt(2.1 + 1.9)
    np.testing.assert_allclose(table, [[1, 1], [after, after], [1, 1]], rtol=1e-6)


def test_functions_of_slices() -> None:
    """What is 0 for 0 keeps the rows; the rest is the dense tensor's."""
    ops = keras.ops
    s = tf.IndexedSlices([[3.0, -4.0], [1.0, 2.0]], [2, 0], [3, 2])
    dense = np.float32([[1, 2], [0, 0], [3, -4]])
    other = np.arange(1, 7, dtype="float32").reshape(3, 2)
    for function, of_dense in (
        (ops.square, np.square),
        (ops.negative, np.negative),
        (ops.absolute, np.abs),
        (ops.sign, np.sign),
        (lambda x: ops.multiply(x, 2.0), lambda x: x * 2),
        (lambda x: ops.multiply(other, x), lambda x: x * other),
        (lambda x: ops.divide(x, other), lambda x: x / other),
        (lambda x: ops.multiply(x, x), lambda x: x * x),
        (lambda x: ops.add(x, ops.square(x)), lambda x: x + x * x),
        (lambda x: ops.cast(x, "float64"), lambda x: x.astype("float64")),
        (lambda x: ops.clip(x, -1, 1), lambda x: np.clip(x, -1, 1)),
    ):
        got = function(s)
        assert isinstance(got, tf.IndexedSlices)
        np.testing.assert_allclose(tf.convert_to_tensor(got), of_dense(dense), rtol=1e-6)
    for function, of_dense in (
        (ops.exp, np.exp),
        (lambda x: ops.add(x, 1.0), lambda x: x + 1),
        (lambda x: ops.subtract(other, x), lambda x: other - x),
        (lambda x: ops.multiply(x, np.float32([1, 2])), lambda x: x * np.float32([1, 2])),
        (ops.mean, np.mean),
        (ops.sum, np.sum),
        (lambda x: ops.sum(x, axis=0), lambda x: x.sum(0)),
    ):
        got = function(s)
        assert isinstance(got, tf.Tensor)
        np.testing.assert_allclose(got, of_dense(dense), rtol=1e-6)
