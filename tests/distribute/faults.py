"""Ranks are killed at random moments, and the job goes on from its checkpoint with another number
of processes: `python -m tests.distribute.faults --kills 50`.

Ranks are on one machine, or MPICH takes them for ranks on several, so that all that moves bytes is
used, and gradients leave in buckets or at once. A job must end within seconds of the death of a
rank, every checkpoint must be whole, and in the end the numbers must be those of training that
nobody disturbed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tests.distribute.launch import ROOT, command
from tfc import distribute

SOON = 15.0  # seconds, on a busy machine


class Training:
    """A network that learns from random batches, of which the number of the step is the seed."""

    def __init__(self) -> None:
        self.strategy = distribute.MultiWorkerMirroredStrategy(logical_shards=4)
        rng = np.random.default_rng(0)
        shapes = [(16, 64), (64, 64), (64, 1)]
        self.weights = [tf.Variable(0.2 * rng.normal(size=s).astype(np.float32)) for s in shapes]
        self.step = tf.Variable(0, dtype=tf.int64)
        self._run = tf.function(lambda x: self.strategy.run(self._replica, (x,)))

    def _replica(self, x: Any) -> None:
        with tf.GradientTape() as tape:
            y = x
            for w in self.weights:
                y = tf.tanh(y @ w)
            loss = tf.nn.compute_average_loss(tf.square(y[:, 0] - x[:, 0]), global_batch_size=32)
        context: Any = distribute.get_replica_context()
        gradients = context.all_reduce("sum", tape.gradient(loss, self.weights))
        context.merge_call(self._update, (gradients,))

    def _update(self, strategy: Any, gradients: Any) -> None:
        for w, g in zip(self.weights, gradients, strict=True):
            w.assign_sub(0.1 * g)

    def go(self) -> None:
        """One step."""
        rows = np.random.default_rng(int(self.step)).normal(size=(32, 16)).astype(np.float32)
        batch = tf.data.Dataset.from_tensors(rows)
        for part in self.strategy.experimental_distribute_dataset(batch):
            self._run(part)
        self.step.assign_add(1)

    def digest(self) -> str:
        """The hash of what was learnt."""
        return hashlib.sha256(b"".join(w.numpy().tobytes() for w in self.weights)).hexdigest()


def work(folder: str, steps: int) -> None:
    """Train up to a step, from the last checkpoint on; write who this is, and what came of it."""
    training = Training()
    checkpoint = tf.train.Checkpoint(step=training.step, weights=training.weights)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint).assert_consumed()
    distribute.broadcast_variables([training.step, training.weights])  # one may be newer by now
    processes = distribute.all_gather(tf.constant(os.getpid())).numpy().tolist()
    if distribute.rank() == 0:
        print("step", int(training.step), *processes, flush=True)
    while int(training.step) < steps:
        training.go()
        if int(training.step) % 5 == 0 and distribute.rank() == 0:
            manager.save(checkpoint_number=int(training.step))
    print(f"{training.digest()}\n", end="", flush=True)


def started(
    ranks: int, folder: str, steps: int, machines: int = 1, bucket: int = 0
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(ranks, machines, "faults", "--work", folder, "--steps", str(steps)),
        cwd=ROOT,
        env={**os.environ, "TFC_NUM_THREADS": "1", "TFC_COLLECTIVE_BUCKET": str(bucket)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed(ranks: int, machines: int, folder: str, chance: random.Random) -> tuple[int, float]:
    """Start a job, and kill one of its ranks: at which step it began, how long it lived on."""
    job = started(ranks, folder, 1_000_000, machines, chance.choice((0, 4096)))
    assert job.stdout is not None
    line = job.stdout.readline().split()
    assert line[:1] == ["step"], job.communicate()
    step, *processes = map(int, line[1:])
    assert len(processes) == ranks
    time.sleep(3 * chance.random() ** 2)
    os.kill(chance.choice(processes), signal.SIGKILL)
    begin = time.monotonic()
    try:
        job.communicate(timeout=SOON)
    finally:
        job.kill()
    assert job.returncode != 0
    # The launcher does not wait for what it has started on other machines.
    while left := [p for p in processes if Path(f"/proc/{p}").exists()]:
        assert time.monotonic() - begin < SOON, f"processes {left} live on"
        time.sleep(0.05)
    lived = time.monotonic() - begin
    return step, lived


def campaign(kills: int, seed: int) -> None:
    """Kill so many ranks; raises AssertionError or TimeoutExpired where something is wrong."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        slowest = 0.0
        for number in range(kills):
            ranks = chance.choice((1, 2, 2, 4))
            machines = chance.choice([n for n in (1, 2, 4) if n <= ranks])
            step, lived = killed(ranks, machines, folder, chance)
            slowest = max(slowest, lived)
            print(
                f"{number + 1:3}: {ranks} ranks on {machines}, from step {step}, {lived:.1f} s",
                flush=True,
            )
        latest = tf.train.latest_checkpoint(folder)
        steps = 5 + (int(latest.rpartition("-")[2]) if latest else 0)
        job = started(2, folder, steps)
        told = job.communicate(timeout=60)[0]
        assert job.returncode == 0
    whole = Training()
    for _ in range(steps):
        whole.go()
    assert told.count(whole.digest()) == 2, "not the numbers of undisturbed training"
    print(f"{kills} ranks killed, {steps} steps, the slowest end in {slowest:.1f} s: same numbers")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.steps)
    else:
        campaign(given.kills, given.seed)
