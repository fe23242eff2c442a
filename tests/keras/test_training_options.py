"""What users turn on beside plain training: mixed precision, scaled losses, accumulated gradients,
averages of weights, clipping, quantization and LoRA; against NumPy or float32."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL

keras = tf.keras
DRAW = np.random.default_rng(5)
X = DRAW.normal(size=(32, 6)).astype("float32")
Y = (X @ DRAW.normal(size=(6, 2)) + 0.5).astype("float32")


def linear(**options: Any) -> Any:
    """A model of one layer of zeros, with squared errors."""
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(2, kernel_initializer="zeros")])
    model.compile(loss="mse", **options)
    return model


def weights_of(model: Any) -> list[np.ndarray]:
    return [np.asarray(w, np.float32) for w in model.get_weights()]


def gradients(kernel: np.ndarray, bias: np.ndarray, x: np.ndarray, y: np.ndarray) -> Any:
    """Of the mean of squared errors."""
    error = 2 * (x @ kernel + bias - y) / y.size
    return x.T @ error, error.sum(0)


def trained(optimizer: Any, steps: int = 4, **options: Any) -> list[np.ndarray]:
    """The weights after some steps of 8 rows, with fit."""
    model = linear(optimizer=optimizer, **options)
    model.fit(X[: 8 * steps], Y[: 8 * steps], batch_size=8, shuffle=False, verbose=0)
    return weights_of(model)


def steps_of(count: int = 4) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for i in range(count):
        yield X[8 * i : 8 * i + 8], Y[8 * i : 8 * i + 8]


@pytest.mark.parametrize("options", [{}, {"run_eagerly": True}, {"steps_per_execution": 4}])
def test_accumulated_gradients(options: dict[str, Any]) -> None:
    got = trained(keras.optimizers.SGD(0.1, gradient_accumulation_steps=2), **options)
    kernel, bias = np.zeros((6, 2)), np.zeros(2)
    kept: list[Any] = []
    for x, y in steps_of():
        kept.append(gradients(kernel, bias, x, y))
        if len(kept) == 2:
            kernel -= 0.1 * (kept[0][0] + kept[1][0]) / 2
            bias -= 0.1 * (kept[0][1] + kept[1][1]) / 2
            kept = []
    np.testing.assert_allclose(got[0], kernel, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(got[1], bias, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("options", [{}, {"run_eagerly": True}, {"steps_per_execution": 4}])
def test_averages_of_weights(options: dict[str, Any]) -> None:
    optimizer = keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.8)
    got = trained(optimizer, **options)  # fit puts the average in the place of the weights
    kernel, bias = np.zeros((6, 2)), np.zeros(2)
    average = [kernel.copy(), bias.copy()]
    for number, (x, y) in enumerate(steps_of()):
        for v, g in zip((kernel, bias), gradients(kernel, bias, x, y), strict=True):
            v -= 0.1 * g
        momentum = 0.8 if number else 0.0
        average = [
            momentum * a + (1 - momentum) * v for a, v in zip(average, (kernel, bias), strict=True)
        ]
    np.testing.assert_allclose(got[0], average[0], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(got[1], average[1], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("way", ["clipvalue", "clipnorm", "global_clipnorm"])
def test_clipping(way: str) -> None:
    got = trained(keras.optimizers.SGD(1.0, **{way: 0.05}))
    kernel, bias = np.zeros((6, 2)), np.zeros(2)
    for x, y in steps_of():
        pair = gradients(kernel, bias, x, y)
        whole = np.sqrt(sum((g**2).sum() for g in pair))
        for v, g in zip((kernel, bias), pair, strict=True):
            if way == "clipvalue":
                v -= np.clip(g, -0.05, 0.05)
            else:
                norm = whole if way == "global_clipnorm" else np.sqrt((g**2).sum())
                v -= g * min(1.0, 0.05 / norm)
    np.testing.assert_allclose(got[0], kernel, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(got[1], bias, rtol=1e-4, atol=1e-5)


@cache
def trained_in(policy: str) -> tuple[Any, list[np.ndarray]]:
    keras.utils.set_random_seed(2)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            keras.layers.Dense(16, activation="relu", dtype=policy),
            keras.layers.Dense(2, dtype=policy),
        ]
    )
    model.compile(keras.optimizers.SGD(0.05), "mse")
    history = model.fit(X, Y, batch_size=8, epochs=3, shuffle=False, verbose=0)
    return (model, history), weights_of(model)


@pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
def test_mixed_precision(policy: str) -> None:
    """Layers compute in 16 bits, weights are float32; with float16 the loss is scaled."""
    (model, history), got = trained_in(policy)
    assert model(X[:1]).dtype == getattr(tf, policy.removeprefix("mixed_"))
    assert all(v.dtype == "float32" for v in model.trainable_variables)
    (_, plain), wanted = trained_in("float32")
    close = 0.02 if policy == "mixed_bfloat16" else 0.004
    np.testing.assert_allclose(history.history["loss"], plain.history["loss"], rtol=close * 2)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a, b, atol=close)


class OwnStep(keras.Model):
    """A step as guides write it."""

    def train_step(self, data: Any) -> Any:
        x, y = data[:2]
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
            scaled = self.optimizer.scale_loss(loss)
        weights = self.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(scaled, weights), weights, strict=True))
        return {"loss": loss}


@pytest.mark.parametrize("way", ["compiled", "eager", "own step"])
def test_scaled_losses(way: str) -> None:
    """A gradient that is not finite changes nothing but the scale; good ones let it grow again."""
    optimizer = keras.optimizers.LossScaleOptimizer(
        keras.optimizers.SGD(0.1), initial_scale=2.0**10, dynamic_growth_steps=2
    )
    model = linear(optimizer=optimizer, run_eagerly=way == "eager")
    if way == "own step":
        model = OwnStep(model.inputs, model.outputs)
        model.compile(optimizer, "mse")
    model.train_on_batch(X[:8], Y[:8])
    assert float(optimizer.dynamic_scale) == 2.0**10
    before = weights_of(model)
    broken = X[:8].copy()
    broken[0, 0] = np.inf
    model.train_on_batch(broken, Y[:8])
    assert float(optimizer.dynamic_scale) == 2.0**9
    for a, b in zip(weights_of(model), before, strict=True):
        np.testing.assert_array_equal(a, b)
    for _ in range(2):
        model.train_on_batch(X[:8], Y[:8])
    assert float(optimizer.dynamic_scale) == 2.0**10
    kernel, bias = np.zeros((6, 2)), np.zeros(2)
    for _ in range(3):
        for v, g in zip((kernel, bias), gradients(kernel, bias, X[:8], Y[:8]), strict=True):
            v -= 0.1 * g
    np.testing.assert_allclose(weights_of(model)[0], kernel, rtol=1e-4, atol=1e-6)


def network() -> Any:
    keras.utils.set_random_seed(4)
    return keras.Sequential(
        [
            keras.Input((8,), dtype="int32"),
            keras.layers.Embedding(40, 16),
            keras.layers.EinsumDense("abc,cd->abd", output_shape=(8, 16), bias_axes="d"),
            keras.layers.GlobalAveragePooling1D(),
            keras.layers.Dense(4),
        ]
    )


@pytest.mark.filterwarnings("ignore:Layer .* does not have a `quantize` method")
@pytest.mark.parametrize(("mode", "error"), [("int8", 0.02), ("int4", 0.2), ("float8", 0.12)])
def test_quantized_models(mode: str, error: float, tmp_path: Path) -> None:
    """Give about what the model gave before, compiled too, and are saved as they are."""
    tokens = DRAW.integers(0, 40, (5, 8))
    model = network()
    wanted = model.predict(tokens, verbose=0)
    if mode == "float8":  # embeddings have none; scales are learnt by training
        model.layers[1].quantize(mode)
        model.layers[-1].quantize(mode)
        model.compile(keras.optimizers.SGD(0.0), "mse")
        model.fit(tokens, wanted, epochs=2, verbose=0)
        got = model.predict(tokens, verbose=0)
    else:
        model.quantize(mode)
        got = model.predict(tokens, verbose=0)
        kernel = model.layers[-1]._kernel
        assert kernel.dtype == "int8" and not model.layers[-1].trainable_variables[1:]
        np.testing.assert_allclose(np.asarray(model(tokens)), got, atol=1e-6)
        model.save(tmp_path / "q.keras")
        again = keras.models.load_model(tmp_path / "q.keras")
        np.testing.assert_array_equal(again.predict(tokens, verbose=0), got)
    scale = np.abs(wanted).max()
    assert 0 < np.abs(got - wanted).max() < error * scale


@pytest.mark.filterwarnings("ignore:Layer .* does not have a `quantize` method")
@pytest.mark.parametrize("mode", [None, "int8", "int4"])
def test_lora(mode: str | None, tmp_path: Path) -> None:
    """The layer's own weights stay, those of low rank learn; saved models have them merged."""
    keras.utils.set_random_seed(6)
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(8), keras.layers.Dense(2)])
    if mode is not None:
        model.quantize(mode)
    layer = model.layers[0]
    layer.enable_lora(2)
    before = np.asarray(layer._kernel)
    model.compile(keras.optimizers.SGD(0.05), "mse")
    first = model.evaluate(X, Y, verbose=0)
    model.fit(X, Y, epochs=20, batch_size=8, verbose=0)
    assert model.evaluate(X, Y, verbose=0) < first
    np.testing.assert_array_equal(layer._kernel, before)
    assert len(layer.trainable_variables) == 3  # two of low rank, and the bias
    wanted = model.predict(X, verbose=0)
    model.save_weights(tmp_path / "m.weights.h5")
    other = keras.Sequential([keras.Input((6,)), keras.layers.Dense(8), keras.layers.Dense(2)])
    if mode is not None:
        other.quantize(mode)
    other.load_weights(tmp_path / "m.weights.h5")
    bound = {None: 1e-5, "int8": 0.05, "int4": 0.5}[mode] * np.abs(wanted).max()
    np.testing.assert_allclose(other.predict(X, verbose=0), wanted, atol=bound)


# Adafactor makes Variables of Python's numbers while its first step is traced.
NAMES = [
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "Adamax",
    "Ftrl",
    "Lamb",
    "Lion",
    "Muon",
    "Nadam",
    "RMSprop",
]


@pytest.mark.parametrize("name", NAMES if ALL else ["Adafactor"])
def test_optimizers_are_made_while_a_step_is_traced(name: str) -> None:
    """And give the bits of steps that run op by op."""
    make = getattr(keras.optimizers, name)
    compiled, eager = (trained(make(0.01), run_eagerly=eagerly) for eagerly in (False, True))
    assert all(np.array_equal(v, w) for v, w in zip(compiled, eager, strict=True))


def test_functions_make_variables_in_their_first_call_alone() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(optimizer: Any) -> None:
        optimizer.apply_gradients([(2.0 * v, v)])

    first, second = keras.optimizers.Adam(0.1), keras.optimizers.Adam(0.1)
    step(first)
    step(first)
    with pytest.raises(ValueError, match="only supports singleton"):
        step(second)
    second = keras.optimizers.Adam(0.1)
    second.build([v])
    step(second)

    @tf.function
    def anew(x: Any) -> None:
        keras.optimizers.SGD(0.1, momentum=0.9).apply_gradients([(v * x, v)])

    with pytest.raises(ValueError, match="only supports singleton"):
        anew(tf.constant(1.0))
    layer = keras.layers.Dense(2)
    call = tf.function(lambda x: layer(x))
    assert call(tf.ones([1, 2])).shape == call(tf.ones([1, 2])).shape == [1, 2]


def test_steps_are_counted_in_int64() -> None:
    """As beside TensorFlow, whose checkpoints have them so."""
    assert keras.optimizers.SGD(0.1).iterations.dtype == "int64"
