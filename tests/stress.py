"""Functions under load: what is called, traced and dropped again and again must leave nothing.

`python -m tests.stress` runs the long forms (some minutes); the tests run short ones.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import tfc as tf

MB = 1 << 20
Growth = Callable[[], int]


@contextmanager
def growth() -> Iterator[Growth]:
    """How many bytes the process has grown by since the beginning."""
    gc.collect()
    start = resident()
    yield lambda: resident() - start


def resident() -> int:
    """The bytes of memory that this process has in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Model(tf.Module):
    """A module with a function for each instance."""

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.w = tf.Variable(tf.ones([size]))

    @tf.function
    def step(self, x: Any) -> Any:
        self.w.assign_add(x)
        return tf.reduce_sum(self.w * x)


@tf.function
def outside(model: Model, x: Any) -> Any:
    return tf.reduce_sum(model.w * x)


def models(count: int, size: int = 64) -> list[weakref.ref[Any]]:
    """Make models, call what is traced for each, and drop them; without the cycle collector."""
    x = tf.ones([size])
    references = []
    gc.disable()
    try:
        for _ in range(count):
            model = Model(size)
            assert float(model.step(x)) == 2 * size
            assert float(outside(model, x)) == 2 * size
            references += [weakref.ref(model), weakref.ref(model.w)]
    finally:
        gc.enable()
    del model
    return references


def functions(count: int) -> list[weakref.ref[Any]]:
    """Make functions, call them, and drop them."""
    x = tf.ones([3])
    references = []
    for i in range(count):
        held = tf.Variable(float(i))
        f = tf.function(lambda x, held=held: x * held, autograph=False)
        assert float(f(x)[0]) == i
        references += [weakref.ref(f), weakref.ref(held)]
    del f, held
    return references


def calls(count: int) -> None:
    """Compiled calls of all kinds: by position, by keyword, of methods, under a tape."""
    model, x = Model(8), tf.ones([8])
    f = tf.function(lambda x, n=1, scale=1.0: {"y": x * float(n) * scale})
    for i in range(count):
        model.step(x)
        f(x)
        f(x, n=i % 3, scale=2.0)
        if i % 64 == 0:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)["y"]
            tape.gradient(y, x)


def raising(count: int) -> None:
    """Calls that fail in native code, and leave their Variable as it was."""
    v = tf.Variable(0.0)

    @tf.function
    def f(x: Any, i: Any) -> Any:
        v.assign_add(1.0)
        return tf.gather(x * 2.0, i)

    x, i = tf.ones([1024]), tf.constant([5000])
    for _ in range(count):
        try:
            f(x, i)
        except tf.errors.InvalidArgumentError:
            continue
        raise AssertionError("it was allowed")
    assert float(v) == 0


def retraces(count: int) -> int:
    """One function for many Python values: more than it keeps."""
    f = tf.function(lambda x, n: x + n, autograph=False)
    x = tf.constant(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for i in range(count):
            assert int(f(x, i)) == i + 1
    return int(f.experimental_get_tracing_count())


def threads(workers: int, rounds: int) -> list[Any]:
    """Many threads that call, trace and drop the same and other functions; what went wrong."""
    shared = tf.function(lambda x, n=1: tf.tanh(x) * float(n))
    model = Model(4)
    wrong: list[Any] = []
    gate = threading.Barrier(workers)
    wanted = {
        (n, k): np.asarray(tf.tanh(tf.fill([n], 0.5)) * float(k))
        for n in range(7)
        for k in range(1, 4)
    }

    def work(own: int) -> None:
        gate.wait()
        try:
            for i in range(rounds):
                n, k = (i + own) % 7, (i * own) % 3 + 1
                x = tf.fill([n], 0.5)
                if np.asarray(shared(x, n=k)).tobytes() != wanted[n, k].tobytes():
                    wrong.append(("shared", n, k))
                scale = float(own)
                mine = tf.function(lambda x, scale=scale: x * scale)
                if np.asarray(mine(x)).tolist() != [0.5 * scale] * n:
                    wrong.append(("mine", own))
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = shared(x, n=k)
                gradient = tape.gradient(y, x)
                if gradient.shape != (n,):
                    wrong.append(("gradient", n))
                other = Model(4)
                if float(other.step(tf.ones([4]))) != 8:
                    wrong.append(("model", own))
                if not np.isfinite(float(outside(model, tf.ones([4])))):
                    wrong.append(("outside", own))
        except BaseException as error:
            wrong.append(error)

    running = [threading.Thread(target=work, args=(k,)) for k in range(workers)]
    for t in running:
        t.start()
    for t in running:
        t.join()
    return wrong


def forks(children: int, seconds: float = 60.0) -> list[Any]:
    """Forks while other threads trace, compile and call; each child does so too."""
    stop = threading.Event()
    shared = tf.function(lambda x, n: tf.exp(x) * float(n))
    x = tf.ones([5])

    def busy(own: int) -> None:
        i = 0
        with warnings.catch_warnings():
            while not stop.is_set():
                i += 1
                shared(x, own * 1000 + i % 50)
                tf.function(lambda x, i=i: x * float(i))(x)

    warnings.simplefilter("ignore", RuntimeWarning)
    workers = [threading.Thread(target=busy, args=(k,), daemon=True) for k in range(3)]
    for t in workers:
        t.start()
    wrong: list[Any] = []
    try:
        for i in range(children):
            time.sleep(0.01)
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    known = np.asarray(shared(x, 7 + i % 3))
                    fresh = np.asarray(tf.function(lambda x, i=i: tf.exp(x) * 2.0 + float(i))(x))
                    right = np.float32(np.e)
                    good = np.allclose(known, right * (7 + i % 3))
                    good &= np.allclose(fresh, right * 2 + i)
                    status = 0 if good else 2
                finally:
                    os._exit(status)
            status = _wait(child, seconds)
            if status != 0:
                wrong.append((i, status))
    finally:
        stop.set()
        for t in workers:
            t.join()
    return wrong


def _wait(child: int, seconds: float) -> Any:
    """The exit status of a child; it is ended where it hangs."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


def main() -> None:
    """The long forms."""
    steps: list[tuple[str, Callable[[int], Any], int, int]] = [
        ("models", models, 10_000, 24 * MB),
        ("functions", functions, 10_000, 24 * MB),
        ("calls", calls, 1_000_000, 8 * MB),
        ("raising calls", raising, 100_000, 8 * MB),
        ("retraces", retraces, 10_000, 8 * MB),
    ]
    for name, run, count, bound in steps:
        run(1500 if run is retraces else 200)  # what stays: caches with a bound
        start = time.perf_counter()
        with growth() as grown:
            run(count)
            gc.collect()
            print(f"{count} {name}: {time.perf_counter() - start:.0f} s, {grown() / MB:+.1f} MB")
            assert grown() < bound, f"{name} leak"
    for name, wrong in (("threads", threads(16, 200)), ("forks", forks(200))):
        print(f"{name}: {wrong or 'right'}")
        assert not wrong
    sys.stdout.flush()


if __name__ == "__main__":
    main()
