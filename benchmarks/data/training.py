"""A step of training, fed by a pipeline, by arrays, or by nobody: whether it waits for data."""

from __future__ import annotations

import gc
import time

import numpy as np

BATCH = 128


class Training:
    """A network of digits (784-512-512-10) and what feeds it: "dataset", "arrays" or "nobody"."""

    def __init__(self, way: str, quick: bool) -> None:
        import tfc as tf

        self.steps = 4 if quick else 200
        rng, keras = np.random.default_rng(0), tf.keras
        count = self.steps * BATCH
        images = rng.integers(0, 256, (count, 28, 28)).astype(np.uint8)
        labels = rng.integers(0, 10, count).astype(np.int32)
        layers = [keras.layers.Flatten(), *[keras.layers.Dense(512, "relu") for _ in range(2)]]
        self.model = keras.Sequential([*layers, keras.layers.Dense(10)])
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.model.compile("adam", loss, metrics=["accuracy"])
        scaled = images.astype(np.float32) / np.float32(255)
        slices = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(count, seed=1)
        ready = slices.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y)).batch(BATCH)
        if way == "dataset":
            self.data = (ready.prefetch(tf.data.AUTOTUNE),)
        elif way == "arrays":
            self.data = (scaled, labels)
        else:
            batch = tf.data.Dataset.from_tensors((scaled[:BATCH], labels[:BATCH]))
            self.data = (batch.repeat(self.steps),)
        self.seconds()

    def seconds(self) -> float:
        """The seconds of a step, in an epoch."""
        gc.collect()
        start = time.perf_counter()
        options = {"batch_size": BATCH} if len(self.data) > 1 else {}
        self.model.fit(*self.data, verbose=0, shuffle=len(self.data) > 1, **options)
        return (time.perf_counter() - start) / self.steps
