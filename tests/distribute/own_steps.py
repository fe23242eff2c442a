"""A training step of the user's own, by any number of processes:
`mpiexec -n 2 python -m tests.distribute.own_steps`."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

import tfc as tf
from tfc import distribute, keras


class Pair(keras.Model):
    """Two networks, each with an optimizer of its own: the second one learns from what the first
    one has become, as in a GAN."""

    def __init__(self) -> None:
        super().__init__()
        self.first = keras.Sequential(
            [
                keras.Input((6,)),
                keras.layers.Dense(8, "relu", kernel_regularizer=keras.regularizers.L2(1e-2)),
                keras.layers.BatchNormalization(),
                keras.layers.Dropout(0.3, seed=5),
                keras.layers.Dense(3),
            ]
        )
        self.second = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
        self.second_optimizer = keras.optimizers.SGD(0.05)
        self.distance = keras.metrics.Mean(name="distance")
        self.seeds = keras.random.SeedGenerator(3)

    @property
    def metrics(self) -> list[Any]:
        return [*super().metrics, self.distance]

    def call(self, x: Any, training: bool = False) -> Any:
        return self.first(x, training=training)

    def train_step(self, data: Any) -> Any:
        x, y = data
        noise = keras.random.normal(tf.shape(x), 0.0, 0.1, seed=self.seeds)
        with tf.GradientTape() as tape:
            y_pred = self(x + noise, training=True)
            loss = self.compute_loss(x, y, y_pred)
        weights = self.first.trainable_variables
        self.optimizer.apply(tape.gradient(loss, weights), weights)
        with tf.GradientTape() as tape:
            apart = self.second(self(x))[:, 0] - tf.cast(y, tf.float32)
            error = tf.nn.compute_average_loss(tf.square(apart))
        weights = self.second.trainable_variables
        self.second_optimizer.apply_gradients(
            zip(tape.gradient(error, weights), weights, strict=True)
        )
        self.distance.update_state(tf.abs(apart))
        return {**self.compute_metrics(x, y, y_pred), "error": error}

    def test_step(self, data: Any) -> Any:
        x, y = data
        y_pred = self(x)
        self.compute_loss(x, y, y_pred)
        return self.compute_metrics(x, y, y_pred)


def trained(strategy: Any, eagerly: bool = False) -> tuple[Any, str]:
    """What training shows, and the hash of what was learnt."""
    keras.utils.set_random_seed(7)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(21, 6)).astype(np.float32)  # the last batch has 1 row for 4 parts
    y = rng.integers(0, 3, 21)
    with strategy.scope():
        model = Pair()
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("adam", loss, metrics=["accuracy"], run_eagerly=eagerly)
    rows = tf.data.Dataset.from_tensor_slices((x, y)).filter(lambda x, y: y >= 0)
    batches = rows.shuffle(9).map(lambda x, y: (2.0 * x, y)).batch(20)  # rows of parts alone
    history = model.fit(batches, epochs=2, verbose=0).history
    accuracy = model.evaluate(batches, verbose=0, return_dict=True)["accuracy"]
    learnt = hashlib.sha256(b"".join(v.numpy().tobytes() for v in model.variables)).hexdigest()
    return {**history, "evaluated": accuracy}, learnt[:12]


def check_variables(strategy: Any) -> None:
    """What is made under a strategy has the first process' values, whenever it is made."""
    own = float(distribute.rank())
    with strategy.scope():
        before = tf.Variable([own, 1.0])
    made: list[Any] = []

    @tf.function
    def step(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(own + 2.0))
        return x * before + made[0]

    for _ in range(2):
        found = strategy.experimental_local_results(strategy.run(step, (tf.constant(2.0),)))
        np.testing.assert_array_equal(found[0], [2.0, 4.0])


if __name__ == "__main__":
    strategy = distribute.MultiWorkerMirroredStrategy(logical_shards=4)
    shown, learnt = trained(strategy)
    check_variables(strategy)
    check_variables(distribute.MultiWorkerMirroredStrategy())
    print(f"{learnt} {sorted(shown)}\n", end="")
