"""Training: all ways of running a step give the same bits; what users override is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.dispatch import execution

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(70, 6)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int32)


def network() -> Any:
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((6,)),
            layers.Dense(8, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.25),
            layers.Dense(2, activation="softmax"),
        ]
    )


def compiled(**options: Any) -> Any:
    tf.keras.utils.set_random_seed(1)
    model = network()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"], **options)
    return model


def bits(model: Any) -> list[bytes]:
    return [np.asarray(w).tobytes() for w in model.get_weights()]


@cache
def fitted(**options: Any) -> list[bytes]:
    model = compiled(**options)
    model.fit(X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    return bits(model)


def by_batches() -> list[bytes]:
    model = compiled()
    for _ in range(2):
        for i in range(0, len(X), 8):
            model.train_on_batch(X[i : i + 8], Y[i : i + 8])
    return bits(model)


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(lambda: fitted(run_eagerly=True), id="eagerly"),
        pytest.param(lambda: fitted(steps_per_execution=2), id="two steps an execution"),
        pytest.param(lambda: fitted(steps_per_execution=8), id="eight steps an execution"),
        pytest.param(by_batches, id="train_on_batch"),
    ],
)
def test_all_ways_have_the_same_bits(way: Callable[[], list[bytes]]) -> None:
    """70 rows in nine batches of 8: the last one is smaller."""
    assert way() == fitted()


def test_equal_models_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a cross validation, though their optimizers' Variables have other names."""
    models = [compiled() for _ in range(2)]
    fitted = []
    for model in models:
        model.fit(X[:40], Y[:40], batch_size=16, shuffle=False, verbose=0)
        fitted.append(bits(model))
        monkeypatch.setattr(execution, "_compile", None)
    names = [[v.path for v in model.optimizer.variables] for model in models]
    assert names[0] != names[1] and fitted[0] == fitted[1]


def test_it_learns() -> None:
    model = compiled()
    model.optimizer.learning_rate = 0.01
    history = model.fit(X, Y, epochs=30, validation_split=0.2, verbose=0).history
    assert history["loss"][-1] < 0.8 * history["loss"][0]
    assert set(history) == {"loss", "accuracy", "val_loss", "val_accuracy"}
    loss, accuracy = model.evaluate(X, Y, verbose=0)
    assert accuracy > 0.75 and loss < 0.6
    whole = model.predict(X, verbose=0)
    assert whole.shape == (70, 2) and np.allclose(whole, model(X), atol=1e-6)
    assert np.array_equal(model.predict_on_batch(X[:3]), np.asarray(model(X[:3])))


def test_tapes_know_the_variables_of_keras() -> None:
    model = network()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(X, training=False) ** 2)
    slopes = tape.gradient(loss, model.trainable_weights)
    assert [s.shape.as_list() for s in slopes] == [list(w.shape) for w in model.trainable_weights]
    frozen = model.layers[0].kernel
    frozen.trainable = False
    with tf.GradientTape() as tape:  # as in TensorFlow, tapes watch it: what it makes is known
        loss = tf.reduce_sum(model(X, training=False) ** 2)
    np.testing.assert_array_equal(tape.gradient(loss, frozen), slopes[0])
    assert len(model.trainable_weights) == len(slopes) - 1


def test_a_train_step_of_ones_own() -> None:
    class Own(tf.keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.dense = tf.keras.layers.Dense(1)
            self.seen = tf.keras.metrics.Mean("mine")

        def call(self, x: Any) -> Any:
            return self.dense(x)

        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x)[:, 0] - tf.cast(y, tf.float32)))
            slopes = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(slopes, self.trainable_variables, strict=True))
            self.seen.update_state(loss)
            return {"mine": self.seen.result()}

    model = Own()
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
    seen = model.fit(X, Y, epochs=3, verbose=0).history["mine"]
    assert seen == sorted(seen, reverse=True)


def test_rows_of_an_embedding_stay_sparse_and_are_right() -> None:
    """Some rows twice in a batch, most never."""

    def trained(run_eagerly: bool) -> np.ndarray:
        tf.keras.utils.set_random_seed(3)
        layers = tf.keras.layers
        model = tf.keras.Sequential([layers.Embedding(50, 4), layers.Flatten(), layers.Dense(1)])
        model.compile("rmsprop", "mse", run_eagerly=run_eagerly)
        places = np.array([[1, 2], [2, 7], [2, 2]])
        model.fit(places, np.ones((3, 1)), epochs=2, verbose=0)
        return np.asarray(model.layers[0].embeddings)

    found = trained(False)
    assert np.array_equal(found, trained(True))
    start = np.asarray(tf.keras.initializers.RandomUniform(seed=3)((50, 4)))
    assert found.shape == start.shape


def test_bias_and_activation_are_part_of_a_convolution() -> None:
    """In one kernel, which stores what is behind them."""
    layers = tf.keras.layers
    model = tf.keras.Sequential([tf.keras.Input((8, 8, 3)), layers.Conv2D(4, 3, activation="relu")])
    x = DRAW.normal(size=(2, 8, 8, 3)).astype(np.float32)
    model.layers[0].bias.assign([-1.0, 0.0, 1.0, 2.0])
    compiled = tf.function(lambda x: model(x), autograph=False)
    assert np.array_equal(compiled(x), model(x))
    profile = str(compiled.get_concrete_function(tf.constant(x)).profile(tf.constant(x)))
    assert "1 kernel," in profile and "conv + relu + add" in profile
    assert np.array_equal(tf.keras.ops.add(x[:1, :1, :1], x[:1]), x[:1, :1, :1] + x[:1])
    assert tf.keras.ops.add(np.ones((1, 1)), np.ones((1, 1))).shape == (1, 1)


def test_files(tmp_path: Any) -> None:
    model = compiled()
    model.fit(X, Y, epochs=1, verbose=0)
    model.save(tmp_path / "model.keras")
    again = tf.keras.models.load_model(tmp_path / "model.keras")
    assert bits(again) == bits(model)
    assert np.array_equal(again.predict(X, verbose=0), model.predict(X, verbose=0))
    model.save_weights(tmp_path / "w.weights.h5")
    other = compiled()
    other.load_weights(tmp_path / "w.weights.h5")
    assert bits(other) == bits(model)
    for trained in (again, model):  # the optimizer's state came along
        tf.keras.utils.set_random_seed(5)
        trained.layers[2].seed_generator.state.assign(tf.constant([0, 5]))
        trained.fit(X, Y, epochs=1, verbose=0, shuffle=False)
    assert bits(again) == bits(model)


@pytest.mark.parametrize("name", ["LSTM", "GRU", "SimpleRNN"])
def test_sequences(name: str) -> None:
    """Masked steps leave states as they are; unrolled is the same."""
    layer = getattr(tf.keras.layers, name)
    x = DRAW.normal(size=(3, 5, 4)).astype(np.float32)
    mask = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 0, 1, 0, 1]], bool)
    rolled = layer(6, return_sequences=True)
    unrolled = layer(6, return_sequences=True, unroll=True)
    rolled.build(x.shape)
    unrolled.build(x.shape)
    unrolled.set_weights(rolled.get_weights())
    wanted = np.asarray(unrolled(x, mask=mask))
    np.testing.assert_allclose(np.asarray(rolled(x, mask=mask)), wanted, atol=1e-6)
    np.testing.assert_allclose(
        np.asarray(tf.function(lambda x: rolled(x, mask=mask))(x)), wanted, atol=1e-6
    )
    short = np.asarray(rolled(x[:1, :3]))
    np.testing.assert_allclose(np.asarray(rolled(x, mask=mask))[0, 2], short[0, 2], atol=1e-6)
