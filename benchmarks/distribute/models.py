"""Three networks, with Keras and with PyTorch, of the same layers and batches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

CLASSES = 10


class Case(NamedTuple):
    """A network: the shape of an example, and how many are a batch of the job."""

    title: str
    shape: tuple[int, ...]
    batch: int


CASES = {
    "mlp": Case("MLP 784-512-512-10", (784,), 512),
    "cnn": Case("CNN 32-64 on 28 x 28", (28, 28, 1), 128),
    "transformer": Case("transformer, 2 layers of 128, 64 tokens", (64,), 32),
}
WIDTH, HEADS, WORDS, LAYERS = 128, 4, 1000, 2


def examples(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """A batch of random examples."""
    rng = np.random.default_rng(0)
    whole = (case.batch, *case.shape)
    if case.title.startswith("transformer"):
        return rng.integers(0, WORDS, whole).astype(np.int32), rng.integers(0, CLASSES, case.batch)
    return rng.normal(size=whole).astype(np.float32), rng.integers(0, CLASSES, case.batch)


def keras_model(name: str, keras: Any) -> Any:
    """A network of Keras."""
    layers, case = keras.layers, CASES[name]
    if name == "mlp":
        hidden = [layers.Dense(512, "relu"), layers.Dense(512, "relu")]
        return keras.Sequential([keras.Input(case.shape), *hidden, layers.Dense(CLASSES)])
    if name == "cnn":
        hidden = [layers.Conv2D(32, 3, activation="relu"), layers.Conv2D(64, 3, activation="relu")]
        top = [layers.MaxPooling2D(), layers.Flatten(), layers.Dense(CLASSES)]
        return keras.Sequential([keras.Input(case.shape), *hidden, *top])
    tokens = keras.Input(case.shape, dtype="int32")
    x = layers.Embedding(WORDS, WIDTH)(tokens)
    for _ in range(LAYERS):
        attended = layers.MultiHeadAttention(HEADS, WIDTH // HEADS)(x, x)
        x = layers.LayerNormalization()(x + attended)
        wide = layers.Dense(WIDTH)(layers.Dense(4 * WIDTH, "relu")(x))
        x = layers.LayerNormalization()(x + wide)
    return keras.Model(tokens, layers.Dense(CLASSES)(layers.GlobalAveragePooling1D()(x)))


def torch_model(name: str, torch: Any) -> Any:
    """A network of PyTorch."""
    nn = torch.nn
    if name == "mlp":
        hidden = [nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU()]
        return nn.Sequential(*hidden, nn.Linear(512, CLASSES))
    if name == "cnn":
        hidden = [nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU()]
        return nn.Sequential(*hidden, nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64 * 144, CLASSES))

    class Transformer(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(WORDS, WIDTH)
            made = [
                nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, 0.0, batch_first=True)
                for _ in range(LAYERS)
            ]
            self.blocks = nn.Sequential(*made)
            self.top = nn.Linear(WIDTH, CLASSES)

        def forward(self, tokens: Any) -> Any:
            return self.top(self.blocks(self.words(tokens)).mean(1))

    return Transformer()
