"""Models as programs write them, with data: the same script for every backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Build = Callable[[Any], Any]
Data = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Case:
    """A model, its batches, and how many of them an epoch has."""

    title: str
    build: Build  # from Keras to a model that is not compiled
    data: Data  # of so many rows
    batch: int
    steps: int


def mlp(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((784,)),
            layers.Dense(512, activation="relu"),
            layers.Dense(512, activation="relu"),
            layers.Dense(10),
        ]
    )


def cnn(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((28, 28, 1)),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(10),
        ]
    )


def lstm(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential([keras.Input((100, 16)), layers.LSTM(64), layers.Dense(10)])


def transformer(keras: Any) -> Any:
    layers = keras.layers
    words = keras.Input((64,), dtype="int32")
    x = layers.Embedding(1000, 128)(words)
    for _ in range(2):
        normal = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(4, 32)(normal, normal)])
        inner = layers.Dense(512, activation="gelu")(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Dense(128)(inner)])
    return keras.Model(words, layers.Dense(1000)(layers.LayerNormalization()(x)))


def embedding(keras: Any) -> Any:
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((50,), dtype="int32"),
            layers.Embedding(20000, 64),
            layers.GlobalAveragePooling1D(),
            layers.Dense(64, activation="relu"),
            layers.Dense(2),
        ]
    )


def _numbers(*shape: int, classes: int = 10) -> Data:
    def data(draw: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
        x = draw.normal(size=(rows, *shape)).astype(np.float32)
        return x, draw.integers(0, classes, rows).astype(np.int32)

    return data


def _words(length: int, vocabulary: int, classes: int | None) -> Data:
    def data(draw: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
        x = draw.integers(0, vocabulary, (rows, length)).astype(np.int32)
        shape: Any = (rows, length) if classes is None else rows
        return x, draw.integers(0, classes or vocabulary, shape).astype(np.int32)

    return data


CASES = {
    "mlp": Case("MLP 784-512-512-10", mlp, _numbers(784), 128, 64),
    "cnn": Case("CNN of 28 x 28", cnn, _numbers(28, 28, 1), 64, 24),
    "lstm": Case("LSTM 64, 100 steps", lstm, _numbers(100, 16), 64, 12),
    "transformer": Case("transformer, 64 words", transformer, _words(64, 1000, None), 16, 12),
    "embedding": Case("embedding of 20,000", embedding, _words(50, 20000, 2), 64, 64),
}


def compiled(keras: Any, case: Case) -> Any:
    """The model with Adam and a loss on logits."""
    keras.utils.set_random_seed(0)
    model = case.build(keras)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(1e-3), loss, metrics=["accuracy"])
    return model
