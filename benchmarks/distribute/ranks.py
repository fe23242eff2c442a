"""One process of a job of tfc: `mpiexec -n 2 python -m benchmarks.distribute.ranks ...`. The first
prints what was measured, as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.distribute import world

from .models import CASES, examples, keras_model
from .overlap import overlap


def least(call: Callable[[], Any], seconds: float, most: int = 2000) -> float:
    """The least seconds that a call takes, of as many as fit, on all ranks alike."""
    call()
    begin = time.perf_counter()
    call()
    once = float(tf.distribute.all_reduce(tf.constant(time.perf_counter() - begin), "max"))
    found = np.inf
    for _ in range(max(5, min(most, int(seconds / once)))):
        begin = time.perf_counter()
        call()
        found = min(found, time.perf_counter() - begin)
    return float(tf.distribute.all_reduce(tf.constant(found), "max"))


def sums(sizes: Sequence[int]) -> dict[str, float]:
    """All-reduce of so many bytes: tfc's, what it does without Python's dispatch, and MPI's own."""
    found = {}
    transport = world.transport()
    for size in sizes:
        array = np.ones(size // 4, np.float32)
        tensor = tf.constant(array)
        found[f"tfc {size}"] = least(lambda t=tensor: tf.distribute.all_reduce(t), 0.5)
        if transport is not None:
            from mpi4py import MPI

            found[f"transport {size}"] = least(
                lambda a=array: transport.all_reduce([a], "sum", "here"), 0.5
            )
            comm, own = MPI.COMM_WORLD, array.copy()
            found[f"mpi {size}"] = least(
                lambda c=comm, a=own: c.Allreduce(MPI.IN_PLACE, a, MPI.SUM), 0.3
            )
    return found


class Clock(tf.keras.callbacks.Callback):
    """The seconds of each step: by the processor, which a busy machine does not change, and on the
    wall."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[list[float]] = []

    def _now(self) -> np.ndarray:
        return np.array([time.process_time(), time.perf_counter()])

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._begin = self._now()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.seconds.append((self._now() - self._begin).tolist())


def step(name: str, batch: int, shards: int, steps: int = 16) -> tuple[float, float]:
    """The least seconds of a training step with `fit`, and so many rows on all ranks: by the
    processor, and on the wall; of the slowest rank."""
    keras = tf.keras
    keras.utils.set_random_seed(1)
    strategy = tf.distribute.MultiWorkerMirroredStrategy(logical_shards=shards or None)
    with strategy.scope():
        model = keras_model(name, keras)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("sgd", loss)
    x, y = (a[:batch] for a in examples(CASES[name]))
    clock = Clock()
    model.fit(x, y, batch, steps, verbose=0, callbacks=[clock], shuffle=False)
    least = np.min(clock.seconds[2:], axis=0)
    processor, wall = tf.distribute.all_reduce(tf.constant(least), "max").numpy().tolist()
    return processor, wall


def parameters(name: str) -> int:
    """The bytes of a network's gradients."""
    return 4 * int(keras_model(name, tf.keras).count_params())


def main(what: str, *arguments: str) -> None:
    if what == "sums":
        found: Any = sums([int(a) for a in arguments])
    elif what == "overlap":
        found = overlap(*map(int, arguments))
    else:
        name, *ways = arguments  # rows:shards, as 128:8; 0 shards: one for each process
        found = {"bytes": parameters(name)}
        for way in ways:
            found[way], found[f"{way} wall"] = step(name, *map(int, way.split(":")))
    if tf.distribute.rank() == 0:
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
