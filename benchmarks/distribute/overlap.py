"""Steps whose gradients leave in buckets while the backward pass goes on, and those where all leave
at once, on a machine whose memory is as slow as a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.distribute import world
from tfc.distribute.window import SharedWindow
from tfc.ir.ops.collective import job as programs

from .scaling import BUCKETS, DELAYS


class Network(SharedWindow):
    """Memory that ranks share, and where sums take as long as a network would: `bandwidth` is in
    bytes a second, for which nobody needs a processor; 0: no longer than they take."""

    bandwidth = 0.0

    def reduce_vectors(
        self, given: Sequence[np.ndarray], results: Sequence[np.ndarray], how: str, call: Any
    ) -> None:
        super().reduce_vectors(given, results, how, call)
        if self.bandwidth:
            time.sleep(sum(a.nbytes for a in given) / self.bandwidth)


def overlap(width: int, layers: int, rows: int, rounds: int) -> dict[str, float]:
    """The least seconds of a step of a plain network, by the processor and on the wall, for each
    bucket and network: measured in turn."""
    from mpi4py import MPI

    tf.distribute.init()
    network = programs.transport = Network(MPI.COMM_WORLD, MPI, 600.0)
    rng = np.random.default_rng(tf.distribute.rank())
    scale = width**-0.5
    weights = [tf.Variable(tf.random.normal([width, width]) * scale) for _ in range(layers)]
    tf.distribute.broadcast_variables(weights)
    x = tf.constant(rng.normal(size=(rows, width)).astype(np.float32))

    def made(bucket: int) -> Callable[[], Any]:
        world.choose_bucket(bucket)

        @tf.function
        def step() -> Any:
            with tf.GradientTape() as tape:
                y = x
                for w in weights:
                    y = tf.nn.relu(y @ w)
                loss = tf.reduce_mean(y * y)
            gradients = tf.distribute.all_reduce(tape.gradient(loss, weights), "mean")
            for w, g in zip(weights, gradients, strict=True):
                w.assign_sub(0.01 * g)
            return loss

        step()
        return lambda: float(step())

    steps = {bucket: made(bucket) for bucket in BUCKETS}
    found: dict[str, float] = {"bytes": 4.0 * layers * width * width}
    for bandwidth in DELAYS:
        network.bandwidth = bandwidth
        least = dict.fromkeys(steps, (np.inf, np.inf))
        for _ in range(rounds):
            for bucket, call in steps.items():
                tf.distribute.barrier()
                begin = time.process_time(), time.perf_counter()
                call()
                took = time.process_time() - begin[0], time.perf_counter() - begin[1]
                least[bucket] = tuple(map(min, zip(least[bucket], took, strict=True)))
        for bucket, times in least.items():
            processor, wall = tf.distribute.all_reduce(tf.constant(times), "max").numpy().tolist()
            found[f"{bandwidth:g} {bucket}"] = processor
            found[f"{bandwidth:g} {bucket} wall"] = wall
    return found
