"""Programs as Keras' guides and examples have them, made small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
from keras import layers, ops

import tfc as tf

ROWS = np.random.default_rng(0).random((24, 6)).astype("float32")


def test_masks_can_be_read() -> None:
    words = keras.utils.pad_sequences([[7, 6, 7], [7, 8, 3, 2]], padding="post")
    vectors = layers.Embedding(10, 2, mask_zero=True)(words)
    np.testing.assert_array_equal(vectors._keras_mask, words != 0)
    with pytest.raises(AttributeError, match="_keras_mask"):
        _ = tf.constant(1.0)._keras_mask
    rows = ops.tile(ops.expand_dims(ops.cast(words, "float32"), -1), [1, 1, 3])
    np.testing.assert_array_equal(layers.Masking()(rows)._keras_mask, words != 0)


class Wasserstein(keras.Model):
    """A GAN with a gradient penalty, of which a step asks for gradients of gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.critic = keras.Sequential(
            [keras.Input((6,)), layers.Dense(5, "tanh"), layers.Dense(1)]
        )
        self.generator = keras.Sequential([keras.Input((6,)), layers.Dense(6, "sigmoid")])
        self.of_critic, self.of_generator = (keras.optimizers.Adam(0.01) for _ in range(2))

    def penalty(self, real: Any, fake: Any) -> Any:
        between = real + 0.25 * (fake - real)
        with tf.GradientTape() as tape:
            tape.watch(between)
            found = self.critic(between, training=True)
        norm = tf.sqrt(tf.reduce_sum(tf.square(tape.gradient(found, [between])[0]), axis=1))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real: Any) -> Any:
        noise = tf.ones_like(real) * 0.5 - real
        for _ in range(2):
            with tf.GradientTape() as tape:
                fake = self.generator(noise, training=True)
                apart = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
                loss = apart + 10.0 * self.penalty(real, fake)
            weights = self.critic.trainable_variables
            self.of_critic.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        with tf.GradientTape() as tape:
            other = -tf.reduce_mean(self.critic(self.generator(noise, training=True)))
        weights = self.generator.trainable_variables
        self.of_generator.apply_gradients(zip(tape.gradient(other, weights), weights, strict=True))
        return {"critic": loss, "generator": other}


def test_gradient_penalty() -> None:
    found = []
    for eagerly in (False, True):
        keras.utils.set_random_seed(3)
        model = Wasserstein()
        model.compile(run_eagerly=eagerly)
        history = model.fit(ROWS, batch_size=12, epochs=2, shuffle=False, verbose=0).history
        found.append((history, [w.numpy() for w in model.weights]))
    (compiled, weights), (eager, of_eager) = found
    assert compiled == eager
    for a, b in zip(weights, of_eager, strict=True):
        np.testing.assert_array_equal(a, b)
    assert len(set(compiled["critic"])) == 2


class Distiller(keras.Model):
    """Trains a model to answer as another one does."""

    def __init__(self, teacher: Any, student: Any) -> None:
        super().__init__()
        self.teacher, self.student = teacher, student

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
    ) -> Any:
        soft = ops.softmax(self.teacher(x, training=False) / 3.0, axis=1)
        apart = keras.losses.KLDivergence()(soft, ops.softmax(y_pred / 3.0, axis=1)) * 9.0
        hard = keras.losses.SparseCategoricalCrossentropy(from_logits=True)(y, y_pred)
        return 0.1 * hard + 0.9 * apart

    def call(self, x: Any) -> Any:
        return self.student(x)


def test_distillation() -> None:
    teacher, student = (keras.Sequential([keras.Input((6,)), layers.Dense(3)]) for _ in range(2))
    teacher.trainable = False
    before = teacher.get_weights()
    model = Distiller(teacher, student)
    model.compile("adam", metrics=[keras.metrics.SparseCategoricalAccuracy()])
    answers = np.argmax(teacher.predict(ROWS, verbose=0), 1)
    history = model.fit(ROWS, answers, epochs=4, verbose=0).history
    assert history["loss"][-1] < history["loss"][0]
    for a, b in zip(before, teacher.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert set(model.evaluate(ROWS, answers, verbose=0, return_dict=True)) == set(history)


class Triplets(keras.Model):
    """Distances of an anchor to one of its kind, and to another."""

    def __init__(self, embedding: Any) -> None:
        super().__init__()
        self.embedding = embedding
        self.mean = keras.metrics.Mean(name="loss")

    def train_step(self, data: Any) -> Any:
        with tf.GradientTape() as tape:
            anchor, near, far = (self.embedding(x) for x in data)
            apart = [tf.reduce_sum(tf.square(anchor - other), -1) for other in (near, far)]
            loss = tf.maximum(apart[0] - apart[1] + 0.5, 0.0)
        weights = self.embedding.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        self.mean.update_state(loss)
        return {"loss": self.mean.result()}

    @property
    def metrics(self) -> list[Any]:
        return [self.mean]


def test_triplets() -> None:
    rows = tf.data.Dataset.from_tensor_slices(ROWS)
    data = tf.data.Dataset.zip((rows, rows.skip(1), rows.skip(2))).batch(8).prefetch(2)
    model = Triplets(keras.Sequential([keras.Input((6,)), layers.Dense(4)]))
    model.compile("adam", weighted_metrics=[])
    history = model.fit(data, epochs=3, verbose=0).history
    assert history["loss"][-1] < history["loss"][0]


def test_a_decoder_is_taken_out_of_a_loaded_model(tmp_path: Path) -> None:
    """Sequence to sequence: step by step as it was all at once."""
    given, said = keras.Input((None, 5), name="given"), keras.Input((None, 5), name="said")
    _, *state = layers.LSTM(4, return_state=True, name="reader")(given)
    decoder = layers.LSTM(4, return_sequences=True, return_state=True, name="writer")
    spoken, _, _ = decoder(said, initial_state=state)
    model = keras.Model([given, said], layers.Dense(5, "softmax", name="out")(spoken))
    model.save(tmp_path / "model.keras")
    model = keras.models.load_model(tmp_path / "model.keras")

    reader = keras.Model(model.input[0], model.get_layer("reader").output[1:])
    before = [keras.Input((4,)), keras.Input((4,))]
    written, *after = model.get_layer("writer")(model.input[1], initial_state=before)
    writer = keras.Model([model.input[1], *before], [model.get_layer("out")(written), *after])
    text = np.eye(5, dtype="float32")[[[0, 3, 1, 4]]]
    memory, steps = reader.predict(text, verbose=0), []
    for i in range(4):
        step, *memory = writer.predict([text[:, i : i + 1], *memory], verbose=0)
        steps.append(step)
    whole = model.predict([text, text], verbose=0)
    np.testing.assert_allclose(np.concatenate(steps, 1), whole, rtol=1e-6)


def test_an_image_is_trained() -> None:
    """A Variable that is the argument of a step: its optimizer knows it in every trace. Another
    one goes on with its state, as in TensorFlow."""
    image, optimizer = tf.Variable(tf.ones([1, 4])), keras.optimizers.Adam(0.02)

    @tf.function
    def step(image: tf.Variable) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(image**2)
        optimizer.apply_gradients([(tape.gradient(loss, image), image)])
        image.assign(tf.clip_by_value(image, 0.0, 1.0))
        return loss

    losses = [float(step(image)) for _ in range(3)]
    np.testing.assert_allclose(losses, [4.0, 3.8416011, 3.6864915], rtol=1e-6)
    other = tf.Variable(2.0 * tf.ones([1, 4]))
    assert float(step(other)) == 16.0
    np.testing.assert_array_equal(other, np.ones((1, 4)))
    np.testing.assert_allclose(float(step(image)), 3.534724, rtol=1e-6)
    assert int(optimizer.iterations) == 5


def test_maps_of_a_frozen_model() -> None:
    """What its layers make of data is differentiated by, though no tape was told to watch it."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential(
        [keras.Input((4, 4, 1)), layers.Conv2D(2, 3), layers.Flatten(), layers.Dense(3)]
    )
    model.trainable = False
    maps = keras.Model(model.inputs, [model.layers[0].output, model.layers[-1].output])
    with tf.GradientTape() as tape:
        found, scores = maps(tf.ones([1, 4, 4, 1]))
        score = scores[:, 1]
    wanted = tf.reshape(model.layers[-1].kernel[:, 1], found.shape)
    np.testing.assert_allclose(tape.gradient(score, found), wanted, rtol=1e-6)
    assert model.trainable_variables == []
