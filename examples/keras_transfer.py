"""Transfer: a network that names digits is taught another question, from forty images.

The first network is trained, saved and loaded. What it has below its last layer is frozen, gets a
new head, which learns to tell odd digits from even ones; then all is tuned at a small rate. Beside
it the same network learns from the same images, without what the first one knew.

    python examples/keras_transfer.py --epochs 10
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import tfc as tf

layers = tf.keras.layers
Array = np.ndarray


def features() -> tf.keras.Model:
    return tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(32, activation="relu"),
        ],
        name="features",
    )


def classifier(base: tf.keras.Model, classes: int) -> tf.keras.Model:
    inputs = tf.keras.Input((8, 8, 1))
    outputs = layers.Dense(classes, activation="softmax")(base(inputs))
    return tf.keras.Model(inputs, outputs)


def learn(model: tf.keras.Model, images: Array, labels: Array, epochs: int, rate: float) -> None:
    model.compile(
        tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    model.fit(images, labels, epochs=epochs, batch_size=32, verbose=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train on digits, then on another question.")
    parser.add_argument("--epochs", type=int, default=10)
    epochs = parser.parse_args().epochs

    tf.keras.utils.set_random_seed(1)
    images, digits = load_digits(return_X_y=True)
    images = (images / 16).astype("float32").reshape(-1, 8, 8, 1)
    odd = digits % 2
    first_half, few, rest = slice(0, 900), slice(900, 940), slice(940, None)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "first.keras")
        first = classifier(features(), 10)
        learn(first, images[first_half], digits[first_half], epochs, 0.003)
        first.save(path)
        base = tf.keras.models.load_model(path).get_layer("features")

    base.trainable = False
    before = base.get_weights()
    model = classifier(base, 2)
    learn(model, images[few], odd[few], 50, 0.01)
    same = all(np.array_equal(a, b) for a, b in zip(before, base.get_weights(), strict=True))
    print(f"trained weights: {len(model.trainable_weights)} of {len(model.weights)}")
    print(f"the frozen ones are as they were: {same}")
    _, accuracy = model.evaluate(images[rest], odd[rest], verbose=0)
    print(f"a new head: accuracy {accuracy:.1%} on {len(odd[rest])} images")

    base.trainable = True
    learn(model, images[few], odd[few], 10, 0.0003)
    _, accuracy = model.evaluate(images[rest], odd[rest], verbose=0)
    print(f"all tuned:  accuracy {accuracy:.1%}")

    alone = classifier(features(), 2)
    learn(alone, images[few], odd[few], 50, 0.003)
    _, accuracy = alone.evaluate(images[rest], odd[rest], verbose=0)
    print(f"alone:      accuracy {accuracy:.1%}")


if __name__ == "__main__":
    main()
