"""A text classifier: words as numbers, an embedding, and a bidirectional LSTM.

The sentences are made here: reviews of a few words, of which one decides whether it is a good one,
and a "not" before it turns that round. Words that are not among the known ones, and the empty
places behind short sentences, have numbers of their own, and the latter are masked.

    python examples/keras_text.py --epochs 8
"""

from __future__ import annotations

import argparse

import numpy as np

import tfc as tf

GOOD, BAD = ["good", "great", "lovely", "fine"], ["bad", "awful", "dull", "poor"]
OTHER = [
    "the",
    "a",
    "film",
    "plot",
    "story",
    "music",
    "was",
    "very",
    "and",
    "we",
    "saw",
    "it",
    "then",
]
WORDS = {word: i for i, word in enumerate(["", "[UNK]", "not", *GOOD, *BAD, *OTHER])}
LENGTH = 10


def sentence(rng: np.random.Generator) -> tuple[str, int]:
    """A review, and whether it is a good one."""
    good, negated = rng.random() < 0.5, rng.random() < 0.5
    words = list(rng.choice(OTHER, rng.integers(2, LENGTH - 1)))
    decisive = str(rng.choice(GOOD if good else BAD))
    place = rng.integers(len(words) + 1)
    words[place:place] = ["not", decisive] if negated else [decisive]
    return " ".join(words), int(good != negated)


def numbers(sentences: list[str]) -> np.ndarray:
    """The sentences as rows of numbers of words, 0 behind their ends."""
    rows = [[WORDS.get(word, 1) for word in text.split()] for text in sentences]
    return tf.keras.utils.pad_sequences(rows, maxlen=LENGTH, padding="post")


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a classifier of short texts.")
    parser.add_argument("--epochs", type=int, default=8)
    epochs = parser.parse_args().epochs

    tf.keras.utils.set_random_seed(1)
    rng = np.random.default_rng(1)
    texts, labels = zip(*[sentence(rng) for _ in range(2500)], strict=True)
    x, y = numbers(list(texts)), np.array(labels, np.float32)

    model = tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(len(WORDS), 16, mask_zero=True),
            tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(16)),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(
        loss="binary_crossentropy",
        optimizer=tf.keras.optimizers.Adam(0.01),
        metrics=["accuracy"],
    )
    stopping = tf.keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True)
    history = model.fit(
        x, y, epochs=epochs, validation_split=0.2, callbacks=[stopping], verbose=0
    ).history
    for epoch, (loss, accuracy) in enumerate(
        zip(history["val_loss"], history["val_accuracy"], strict=True)
    ):
        print(f"epoch {epoch + 1}: validation loss {loss:.4f}, accuracy {accuracy:.1%}")

    for text in ("the music was great", "the music was not great", "a not dull story"):
        print(f"{text!r} is good with {model.predict(numbers([text]), verbose=0)[0, 0]:.3f}")


if __name__ == "__main__":
    main()
