"""A network that several processes train, with the same numbers whatever their number is.

Start it alone or by a launcher, stop it when you like, and start it again with another number of
processes: it goes on from its checkpoint, and the last line is the same.

    pip install 'tfc-lang[mpi]'
    mpiexec -n 4 python examples/data_parallel.py --folder /tmp/spirals
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile

import numpy as np

import tfc as tf
from tfc import distribute, keras

CLASSES = 3


def spirals(points: int = 768) -> tuple[np.ndarray, np.ndarray]:
    """Points of three arms of a spiral, and which arm each is of."""
    rng = np.random.default_rng(0)
    arm = np.arange(points) % CLASSES
    radius = rng.uniform(0.1, 1, points)
    angle = 4 * radius + 2 * np.pi / CLASSES * arm + rng.normal(0, 0.1, points)
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return x.astype(np.float32), arm


class Checkpoints(keras.callbacks.Callback):
    """After each epoch the first process writes what is needed to go on."""

    def __init__(self, manager: tf.train.CheckpointManager) -> None:
        super().__init__()
        self.manager = manager

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        if distribute.rank() == 0:
            self.manager.save(checkpoint_number=epoch + 1)
            logs = logs or {}
            print(f"epoch {epoch + 1}: loss {logs['loss']:.4f}, accuracy {logs['accuracy']:.3f}")


def main(folder: str, epochs: int, shards: int) -> None:
    keras.utils.set_random_seed(1)
    strategy = distribute.MultiWorkerMirroredStrategy(logical_shards=shards)
    with strategy.scope():
        hidden = [keras.layers.Dense(64, "relu") for _ in range(2)]
        model = keras.Sequential([keras.Input((2,)), *hidden, keras.layers.Dense(CLASSES)])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
        model.optimizer.build(model.trainable_variables)

    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    first = 0
    if distribute.rank() == 0 and manager.latest_checkpoint:  # fit gives all what this one has
        checkpoint.restore(manager.latest_checkpoint).assert_consumed()
        first = int(manager.latest_checkpoint.rpartition("-")[2])
        print(f"going on from epoch {first}")
    x, arm = spirals()
    callbacks = [Checkpoints(manager)]
    model.fit(x, arm, 128, epochs, verbose=0, callbacks=callbacks, initial_epoch=first)

    if distribute.rank() == 0:
        learnt = hashlib.sha256(b"".join(v.numpy().tobytes() for v in model.variables))
        print(f"{distribute.size()} processes, {shards} parts a batch")
        print(f"weights: {learnt.hexdigest()[:16]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", help="where checkpoints are; by default nowhere for long")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--shards", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        main(given.folder or temporary, given.epochs, given.shards)
