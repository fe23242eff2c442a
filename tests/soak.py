"""A soak: all that users do, at once, for as long as wanted; the process ends as it began.

    python -m tests.soak --minutes 60

Three threads train, trace, differentiate and fail, each on objects of its own. Meanwhile the main
thread does the same, is interrupted at random moments as by Ctrl-C, and forks children that work,
too. Every piece of work has the bits that it had at first. At the end there are as many
descriptors and threads as when all had warmed up, and memory has not grown.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import tfc as tf
from tests.stress import MB, _wait

WORKERS = 3
GROWTH = 24 * MB  # what caches with a bound may still take after the warm-up
LONGEST = 0.05  # seconds until an interrupt


class Interrupt(BaseException):
    """What the handler of the signal raises."""


class Wrong(AssertionError):
    """A piece of work has other bits than at first."""


def training() -> bytes:
    """Ten steps of a small network, compiled."""
    x = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(6, 4))
    target = tf.reduce_sum(tf.sin(x), 1, keepdims=True)
    weights = [tf.Variable(tf.ones(shape) * 0.1) for shape in ([4, 8], [8, 1])]

    @tf.function
    def step() -> tf.Tensor:
        with tf.GradientTape() as tape:
            error = tf.tanh(x @ weights[0]) @ weights[1] - target
            loss = tf.reduce_mean(error * error)
        for w, g in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(0.1 * g)
        return loss

    for _ in range(10):
        step()
    return b"".join(w.numpy().tobytes() for w in weights)


def tracing() -> bytes:
    """Functions with control flow, traced for several sizes and dropped."""
    results = []
    for k in range(3):

        @tf.function
        def f(x: tf.Tensor, k: int = k) -> tf.Tensor:
            total = tf.zeros_like(x)
            for i in tf.range(3):
                total += tf.cast(i, tf.float32) * x if i > 0 else x
            return tf.nn.softmax(total * (1.0 + k))

        results += [np.asarray(f(tf.range(float(n)))).tobytes() for n in (3, 5, 7)]
    return b"".join(results)


def tapes() -> bytes:
    """First and second derivatives, eagerly."""
    x = tf.Variable(np.linspace(0.1, 2.0, 7))
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.exp(tf.sin(x)) * x)
        slope = inner.gradient(y, x)
    return np.asarray(slope).tobytes() + np.asarray(outer.gradient(slope, x)).tobytes()


def failing() -> bytes:
    """Errors while tracing, in native code and in Python; what they leave behind."""
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(i: tf.Tensor) -> tf.Tensor:
        v.assign_add([1.0, 1.0])
        return tf.gather(v, i)

    with contextlib.suppress(tf.errors.InvalidArgumentError):
        f(tf.constant([5]))
    f(tf.constant([0]))
    with contextlib.suppress(ValueError, tf.errors.InvalidArgumentError):
        tf.function(lambda: tf.ones([2]) + tf.ones([3]))()
    with contextlib.suppress(ZeroDivisionError), tf.GradientTape():
        tf.function(lambda x: x * (1 // 0))(tf.ones([2]))
    return bytes(v.numpy().tobytes())


WORK: tuple[Callable[[], bytes], ...] = (training, tracing, tapes, failing)


class Soak:
    """The state of a soak: what results should be, and what went wrong."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.wanted = {work: work() for work in WORK}
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.stop = threading.Event()

    def piece(self, rng: random.Random) -> None:
        """One piece of work."""
        work = rng.choice(WORK)
        got = work()
        if got != self.wanted[work]:
            raise Wrong(f"{work.__name__} gives {got.hex()} and not {self.wanted[work].hex()}")
        if not tf.executing_eagerly():
            raise Wrong(f"{work.__name__} left a trace open")
        self.counts[work.__name__] += 1

    def worker(self, seed: int) -> None:
        rng = random.Random(seed)
        try:
            while not self.stop.is_set():
                self.piece(rng)
        except BaseException as error:
            self.wrong.append(f"in a thread: {error!r}")

    def interrupted(self) -> None:
        """A piece of work that ends at any moment; then whole ones must be right."""
        signal.setitimer(signal.ITIMER_REAL, self.rng.uniform(1e-4, LONGEST))
        try:
            self.rng.choice(WORK)()
        except Interrupt:
            self.counts["interrupts"] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)

    def fork(self) -> None:
        """A child that works, while other threads of its parent did."""
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self.piece(random.Random(self.rng.random()))
                status = 0
            finally:
                os._exit(status)
        status = _wait(child, 120.0)
        self.counts["children"] += 1
        if status != 0:
            self.wrong.append(f"a child ended with {status}")

    def round(self) -> None:
        """What the main thread does again and again."""
        for _ in range(4):
            self.piece(self.rng)
        for _ in range(4):
            try:
                self.interrupted()
            except Interrupt:  # between the work and the end of the timer
                self.counts["interrupts"] += 1
        self.piece(self.rng)
        self.fork()

    def run(self, seconds: float) -> None:
        """All at once, until the time is over."""
        self.stop.clear()
        threads = [
            threading.Thread(target=self.worker, args=(self.rng.random(),)) for _ in range(WORKERS)
        ]
        for t in threads:
            t.start()
        end = time.monotonic() + seconds
        try:
            with interrupts():
                while time.monotonic() < end and not self.wrong:
                    self.round()
        finally:
            self.stop.set()
            for t in threads:
                t.join()


@contextlib.contextmanager
def interrupts() -> Iterator[None]:
    def handler(*_: object) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def own_memory() -> int:
    """The bytes of memory that this process alone has, in pages that are in use or swapped out."""
    rows = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return 1024 * sum(int(rows[name].split()[0]) for name in ("RssAnon", "VmSwap"))


def measured() -> dict[str, int]:
    """What a process may lose: memory, descriptors, threads."""
    gc.collect()
    return {
        "bytes": own_memory(),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": len(os.listdir("/proc/self/task")),
    }


def soak(seconds: float, seed: int = 0) -> Soak:
    """Warm up for a tenth of the time, run, and compare what there is before and after it."""
    state = Soak(seed)
    state.run(seconds / 10)
    before = measured()
    state.counts.clear()
    state.run(seconds)
    after = measured()
    if after["bytes"] - before["bytes"] > GROWTH:
        state.wrong.append("memory has grown")
    for name in ("descriptors", "threads"):
        if after[name] > before[name]:
            state.wrong.append(f"there are more {name}")
    for name, value in before.items():
        print(f"{name}: {value:,} before, {after[name]:,} after")
    return state


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    state = soak(60 * options.minutes, options.seed)
    print(", ".join(f"{count:,} {name}" for name, count in sorted(state.counts.items())))
    print("\n".join(state.wrong) or "right")
    return int(bool(state.wrong))


if __name__ == "__main__":
    sys.exit(main())
