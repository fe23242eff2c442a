"""Five models, trained for five epochs: on tfc by a test, on TensorFlow to have its numbers.

    KERAS_BACKEND=tensorflow python tests/keras/agreement/training.py

writes `numbers.npz` beside this file: for each model the losses of the epochs, and the weights at
the end. It needs Keras and TensorFlow, and nothing of tfc. Data and seeds are the
same in both, so the same weights are drawn at first, and the same units dropped; batches are taken
in order, since Keras on TensorFlow shuffles with other random numbers than on other backends.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import layers

NUMBERS = Path(__file__).with_name("numbers.npz")
EPOCHS, ROWS, BATCH = 5, 88, 16  # the last batch has 8
Arrays = tuple[np.ndarray, np.ndarray]
MODELS: dict[str, Callable[[], tuple[Any, Arrays]]] = {}


def trained(make: Callable[[], tuple[Any, Arrays]]) -> Callable[[], tuple[Any, Arrays]]:
    """Adds a compiled model, and what it learns from, to the table."""
    MODELS[make.__name__] = make
    return make


def rows(*shape: int) -> np.ndarray:
    """Normal numbers, ROWS times."""
    return np.random.default_rng(len(shape)).normal(size=(ROWS, *shape)).astype("float32")


def words(length: int) -> np.ndarray:
    """Rows of numbers of words; 0 behind their end."""
    draw = np.random.default_rng(7)
    lengths = draw.integers(2, length + 1, (ROWS, 1))
    return np.where(np.arange(length) < lengths, draw.integers(1, 12, (ROWS, length)), 0)


@trained
def mlp() -> tuple[Any, Arrays]:
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(12, activation="relu", kernel_regularizer="l2"),
            layers.Dropout(0.25),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy")
    x = rows(6)
    return model, (x, (x[:, :3].argmax(1)).astype("int32"))


@trained
def cnn() -> tuple[Any, Arrays]:
    model = keras.Sequential(
        [
            keras.Input((8, 8, 1)),
            layers.Conv2D(4, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.Conv2D(6, 3, strides=2, use_bias=False),
            layers.BatchNormalization(momentum=0.9),
            layers.ReLU(),
            layers.GlobalAveragePooling2D(),
            layers.Dense(2),
        ]
    )
    optimizer = keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer, loss)
    x = rows(8, 8, 1)
    return model, (x, (x[:, :4].mean((1, 2, 3)) > 0).astype("int32"))


@trained
def lstm() -> tuple[Any, Arrays]:
    model = keras.Sequential(
        [
            keras.Input((7, 4)),
            layers.LSTM(6, return_sequences=True),
            layers.LSTM(5, dropout=0.1),
            layers.Dense(1),
        ]
    )
    model.compile(keras.optimizers.RMSprop(0.01), "mse")
    x = rows(7, 4)
    return model, (x, x[:, -3:].sum((1, 2))[:, None] / 4)


@trained
def transformer() -> tuple[Any, Arrays]:
    given = keras.Input((9, 8))
    x = layers.Masking()(given)
    attended = layers.MultiHeadAttention(2, 4, dropout=0.1)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, attended]))
    x = layers.Add()([x, layers.Dense(8)(layers.Dense(10, activation="gelu")(x))])
    x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
    model = keras.Model(given, layers.Dense(1, activation="sigmoid")(x))
    rate = keras.optimizers.schedules.CosineDecay(0.02, 40)
    # Biases of keys have no gradient but rounding, of which a smaller epsilon would make steps.
    optimizer = keras.optimizers.AdamW(rate, epsilon=1e-4, clipnorm=1.0)
    model.compile(optimizer, "binary_crossentropy")
    x = rows(9, 8) * (words(9) > 0)[..., None]
    return model, (x, (x[:, 0, :4].sum(1) > x[:, 1, 4:].sum(1)).astype("float32")[:, None])


@trained
def embedding() -> tuple[Any, Arrays]:
    """With Adam, which squares the gradients of a row that occurs several times in a batch one by
    one, where they stay rows; on backends where they are dense, it squares their sum."""
    model = keras.Sequential(
        [
            keras.Input((6,), dtype="int32"),
            layers.Embedding(12, 5, mask_zero=True),
            layers.GlobalAveragePooling1D(),
            layers.Dense(4, activation="tanh"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    optimizer = keras.optimizers.Adam(0.05, use_ema=True, ema_momentum=0.9)
    model.compile(optimizer, "binary_crossentropy")
    x = words(6)
    return model, (x, ((x == 3).sum(1) > 0).astype("float32")[:, None])


def numbers(name: str) -> dict[str, np.ndarray]:
    """The losses of the model of that name, and the elements of its weights at the end."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(11)
    model, (x, y) = MODELS[name]()
    history = model.fit(x, y, batch_size=BATCH, epochs=EPOCHS, shuffle=False, verbose=0)
    weights = np.concatenate([w.ravel() for w in model.get_weights()])
    return {"losses": np.array(history.history["loss"], "float32"), "weights": weights}


def main() -> None:
    """Write what this backend gives."""
    print(f"Keras {keras.__version__} on {keras.backend.backend()}")
    given = {name: numbers(name) for name in MODELS}
    for name, found in given.items():
        print(name, *(f"{loss:.4f}" for loss in found["losses"]))
    flat = {f"{name}: {key}": x for name, found in given.items() for key, x in found.items()}
    np.savez_compressed(NUMBERS, **flat)


if __name__ == "__main__":
    main()
