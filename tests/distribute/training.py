"""Training that is stopped, and goes on from its checkpoint with any number of processes:
`mpiexec -n 2 python -m tests.distribute.training folder stop`."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

import tfc as tf
from tfc import distribute, keras

EPOCHS = 3


class _Saving(keras.callbacks.Callback):
    """Saves after each epoch; stops in the one that it is told."""

    def __init__(self, manager: Any, stop: int | None) -> None:
        super().__init__()
        self._manager, self._stop = manager, stop

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if distribute.rank() == 0:
            self._manager.save(checkpoint_number=epoch + 1)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._stop == self._epoch and batch == 1 and distribute.rank() == distribute.size() - 1:
            raise RuntimeError("training is stopped")

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch


def trained(folder: str, stop: int | None = None, eagerly: bool = False) -> str:
    """Train, from the last checkpoint in the folder on; hashes of all that came of it."""
    keras.utils.set_random_seed(7)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(43, 6)).astype(np.float32)  # the last batch has 3 rows for 4 parts
    y = rng.integers(0, 3, 43)
    strategy = distribute.MultiWorkerMirroredStrategy(logical_shards=4)
    with strategy.scope():
        layers = [
            keras.layers.Dense(8, "relu"),
            keras.layers.BatchNormalization(),
            keras.layers.Dropout(0.3),
            keras.layers.Dense(3),
        ]
        model = keras.Sequential([keras.Input((6,)), *layers])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("adam", loss, metrics=["accuracy"], run_eagerly=eagerly)
        model.optimizer.build(model.trainable_variables)
    drawing = layers[2].seed_generator.state.value  # which is no part of a model's checkpoint
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer, drawing=drawing)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
    first = 0
    if distribute.rank() == 0 and manager.latest_checkpoint:  # fit gives all what this one has
        checkpoint.restore(manager.latest_checkpoint).assert_consumed()
        first = int(manager.latest_checkpoint.rpartition("-")[2])
    history = model.fit(
        x,
        y,
        20,
        EPOCHS,
        verbose=0,
        callbacks=[_Saving(manager, stop)],
        initial_epoch=first,
    ).history
    evaluated = model.evaluate(x, y, 20, verbose=0)
    predicted = model.predict(x, 20, verbose=0)
    parts = {
        "numbers": [np.float64([*history["loss"][-1:], *evaluated])],
        "predicted": [predicted],
        "weights": [v.numpy() for v in model.variables],
        "optimizer": [v.numpy() for v in model.optimizer.variables],
    }
    return " ".join(f"{name}:{_hash(arrays)}" for name, arrays in parts.items())


def _hash(arrays: list[np.ndarray]) -> str:
    return hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest()[:12]


if __name__ == "__main__":
    outcome = trained(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
    print(f"rank {distribute.rank()}: {outcome}")
