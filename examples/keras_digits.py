"""Two networks for handwritten digits, as books write them: `compile` and `fit`, and a model class
with a training loop of its own.

The first is a convolutional `Sequential`. The second reads what its convolutions find as a
sequence, with an LSTM; its class and its loop are those of an article on eager execution from 2018,
with `optimizer.apply_gradients` as TensorFlow 2 has it. The data are the 8 x 8 digits that
scikit-learn ships.

    python examples/keras_digits.py --epochs 10
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_digits

import tfc as tf

BATCH = 64

Array = np.ndarray


def load() -> tuple[Array, Array, Array, Array]:
    """Training images and labels, test images and labels (every fifth digit)."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype("float32").reshape(-1, 8, 8, 1)
    order = np.random.default_rng(0).permutation(len(labels))
    test, train = order[::5], np.delete(order, slice(None, None, 5))
    return images[train], labels[train], images[test], labels[test]


def convolutional() -> tf.keras.Model:
    model = tf.keras.models.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            tf.keras.layers.Conv2D(16, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(2),
            tf.keras.layers.Conv2D(32, 2, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dropout(0.25),
            tf.keras.layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.003),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


class Recurrent(tf.keras.Model):
    """Convolutions, of which an LSTM reads the channels one after another."""

    def __init__(self, hidden_units, n_cls):
        super().__init__()
        self.reshape_img = tf.keras.layers.Reshape([8, 8, 1], name="input_reshape")
        self.conv1 = tf.keras.layers.Conv2D(16, 3, padding="SAME", name="conv1")
        self.pool1 = tf.keras.layers.MaxPool2D(padding="SAME", name="pool1")
        self.conv2 = tf.keras.layers.Conv2D(32, 3, padding="SAME", name="conv2")
        self.pool2 = tf.keras.layers.MaxPool2D(padding="SAME", name="pool2")
        self.reshape_conv = tf.keras.layers.Reshape([4, 32], name="conv_feat_reshape")
        self.lstm = tf.keras.layers.LSTM(units=hidden_units, use_bias=True)
        self.dense = tf.keras.layers.Dense(units=n_cls)

    def call(self, imgs):
        imgs = self.reshape_img(imgs)
        conv_feat = self.pool1(self.conv1(imgs))
        conv_feat = self.pool2(self.conv2(conv_feat))
        conv_feat = self.reshape_conv(conv_feat)
        conv_feat = tf.transpose(conv_feat, perm=[0, 2, 1], name="conv_transpose")
        lstm_feat = self.lstm(conv_feat)
        return self.dense(lstm_feat)


def batches(images: Array, labels: Array) -> Iterator[tuple[tf.Tensor, tf.Tensor]]:
    """Whole mini-batches, in another order each time."""
    order = np.random.permutation(len(labels))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        chosen = order[start : start + BATCH]
        yield tf.constant(images[chosen]), tf.constant(labels[chosen])


def train(model: tf.keras.Model, images: Array, labels: Array, epochs: int) -> None:
    """The loop of the article: a tape, the gradients, the optimizer; compiled as a whole."""
    optimizer = tf.keras.optimizers.Adam(0.003)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    acc_metrics = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            logits = model(images)
            loss_value = loss_fn(labels, logits)
        acc_metrics.update_state(labels, logits)
        grads = tape.gradient(loss_value, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return loss_value

    for epoch in range(epochs):
        acc_metrics.reset_state()
        losses = [step(*batch) for batch in batches(images, labels)]
        loss = tf.reduce_mean(losses)
        print(f"epoch {epoch + 1}: loss {loss:.4f}, accuracy {acc_metrics.result():.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Train two Keras models on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=6)
    epochs = parser.parse_args().epochs

    tf.keras.utils.set_random_seed(1)
    train_images, train_labels, test_images, test_labels = load()

    model = convolutional()
    history = model.fit(
        train_images, train_labels, batch_size=BATCH, epochs=epochs, verbose=0
    ).history
    print("losses", *(f"{loss:.4f}" for loss in history["loss"]))
    loss, accuracy = model.evaluate(test_images, test_labels, verbose=0)
    print(f"convolutional: test loss {loss:.4f}, test accuracy {accuracy:.1%}")

    recurrent = Recurrent(hidden_units=32, n_cls=10)
    train(recurrent, train_images, train_labels, epochs)
    predicted = tf.argmax(recurrent(test_images), axis=1)
    accuracy = np.mean(predicted.numpy() == test_labels)
    print(f"recurrent: test accuracy {accuracy:.1%}")


if __name__ == "__main__":
    main()
