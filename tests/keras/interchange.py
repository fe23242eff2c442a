"""Models that one backend saves and another one loads, with what they then give.

    python tests/keras/interchange.py write FOLDER
    python tests/keras/interchange.py check FOLDER

Each with the backend that KERAS_BACKEND names, in an environment that has it; without it, where tfc
is installed, that is tfc. What is checked: predictions of the `.keras` file, those of a new model
with the weights of the `.weights.h5` file, the loss of one more step of training, and what the
model predicts then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__" and "KERAS_BACKEND" not in os.environ:
    import tfc.keras  # noqa: F401

import keras
from keras import layers

DRAW = np.random.default_rng(0)
IMAGES = DRAW.normal(size=(6, 8, 8, 3)).astype("float32")
SENTENCES = DRAW.permutation(42).reshape(6, 7)  # 42 words
WANTED = np.ones((6, 2), "float32")
Make = Callable[[], tuple[Any, np.ndarray]]


@keras.saving.register_keras_serializable("interchange")
class Scaled(layers.Layer):  # type: ignore[misc]
    """A layer of one's own, with a weight and an argument."""

    def __init__(self, factor: float = 2.0, **options: Any) -> None:
        super().__init__(**options)
        self.factor = factor

    def build(self, shape: Any) -> None:
        self.scale = self.add_weight(shape=shape[-1:], initializer="ones", name="scale")

    def call(self, x: Any) -> Any:
        return x * self.scale * self.factor

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "factor": self.factor}


@keras.saving.register_keras_serializable("interchange")
def doubled_tanh(x: Any) -> Any:
    """An activation of one's own."""
    return 2 * keras.ops.tanh(x)


def images() -> tuple[Any, np.ndarray]:
    """Layers that prepare images, convolutions, statistics; a schedule."""
    inputs = keras.Input((8, 8, 3))
    x = layers.Normalization(mean=[0.1, 0.2, 0.3], variance=[1, 2, 3])(inputs)
    x = layers.Conv2D(4, 3, activation=doubled_tanh)(layers.Rescaling(0.5)(x))
    x = layers.SeparableConv2D(4, 3)(Scaled(3.0)(layers.BatchNormalization()(x)))
    outputs = layers.Dense(2)(layers.GlobalAveragePooling2D()(x))
    model = keras.Model(inputs, outputs)
    rate = keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.5)
    model.compile(keras.optimizers.Adam(rate), "mse")
    return model, IMAGES


def sentences() -> tuple[Any, np.ndarray]:
    """An embedding with a mask, attention, a recurrent layer in both directions."""
    inputs = keras.Input((7,), dtype="int32")
    x = layers.Embedding(42, 6, mask_zero=True)(inputs)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 3)(x, x))
    outputs = layers.Dense(2)(layers.Bidirectional(layers.LSTM(3))(x))
    model = keras.Model(inputs, outputs)
    model.compile("rmsprop", "mse")
    return model, SENTENCES


def write(make: Make, folder: Path) -> list[str]:
    """Train, save, and note what comes next."""
    keras.utils.set_random_seed(5)
    model, data = make()
    model.fit(data, WANTED, epochs=2, shuffle=False, verbose=0)
    model.save(folder / f"{make.__name__}.keras")
    model.save_weights(folder / f"{make.__name__}.weights.h5")
    predicted = model.predict_on_batch(data)
    loss = model.train_on_batch(data, WANTED)
    after = model.predict_on_batch(data)
    np.savez(folder / f"{make.__name__}.npz", predicted=predicted, loss=loss, after=after)
    return []


def differences(make: Make, folder: Path, bound: float = 1e-5) -> list[str]:
    """What differs by more than the bound from what was noted."""
    noted = np.load(folder / f"{make.__name__}.npz")
    keras.utils.set_random_seed(6)
    model = keras.models.load_model(folder / f"{make.__name__}.keras")
    new, data = make()
    new.load_weights(folder / f"{make.__name__}.weights.h5")
    found = {
        "predicted": model.predict_on_batch(data),
        "predicted by a new model": new.predict_on_batch(data),
        "loss": model.train_on_batch(data, WANTED),
        "after": model.predict_on_batch(data),
    }
    errors = {name: np.abs(x - noted[name.split()[0]]).max() for name, x in found.items()}
    return [f"{make.__name__}: {name}: {e:.1e}" for name, e in errors.items() if e > bound]


def main() -> int:
    action, folder = {"write": write, "check": differences}[sys.argv[1]], Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    differ = [line for make in (images, sentences) for line in action(make, folder)]
    print(f"{sys.argv[1]} with {keras.backend.backend()}:", "; ".join(differ) or "well")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
