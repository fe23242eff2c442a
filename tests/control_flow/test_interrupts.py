"""Compiled loops end at signals and deadlines, and leave Variables as they were."""

from __future__ import annotations

import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.code_levels import quick_in
from tests.sampling import by_turns
from tfc.autograph import conversion


class Interrupt(BaseException):
    """What the signal handler raises."""


@contextmanager
def signalled(delay: float) -> Iterator[None]:
    """The signal comes again each second: Python drops what a handler raises while it calls back
    for an object that dies."""

    def handler(*_: Any) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, delay, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


V = tf.Variable(np.zeros(5000, np.float32))


@tf.function
def scalar(x: Any) -> Any:
    """One kernel."""
    while x < 1e30:
        x = x * 1.0
    return x


@tf.function
def nested(n: Any) -> Any:
    """One kernel, with a short loop in a long one."""
    total = tf.constant(0)
    for i in tf.range(n):
        j = i % 3
        while j > 0:
            j -= 1
            total += 1
    return total


@tf.function
def tensors(x: Any) -> Any:
    """Rounds of launches, which change a Variable."""
    while tf.reduce_max(x) < 1e30:
        V.assign_add(tf.sin(x) + 1.0)
        x = x * 1.0
    return x


@tf.function
def rows(x: Any) -> Any:
    """A scan, of seconds for what it keeps."""

    def step(a: Any, b: Any) -> Any:
        for _ in range(100):
            a = tf.sin(a @ a)
        return a + b

    return tf.scan(step, tf.range(0.0, x), tf.ones([8, 8]))


@tf.function
def growing(x: Any) -> Any:
    """What it carries grows; or its rounds are kept for a gradient."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while tf.reduce_max(y) < 1e30:
            y = tf.sin(y @ y)
    return tape.gradient(y, x)


LOOPS: list[tuple[Callable[[Any], Any], Any]] = [
    (scalar, tf.constant(1.0)),
    (nested, tf.constant(2**31 - 1)),
    (tensors, tf.ones([5000])),
    (rows, tf.constant(1.5e5)),
    (growing, tf.ones([30, 30]) / 30.0),
]


@pytest.mark.parametrize("index", range(len(LOOPS)))
def test_signals(index: int) -> None:
    loop, x = LOOPS[index]
    before = V.numpy().copy()
    start = time.monotonic()
    for delay in (0.2, 0.05):  # compiled first, and compiled already
        with pytest.raises(Interrupt), signalled(delay):
            loop(x)
    assert (V.numpy() == before).all()
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("index", range(len(LOOPS)))
def test_deadlines(index: int) -> None:
    loop, x = LOOPS[index]
    late = pytest.raises(tf.errors.DeadlineExceededError, match=r"deadline of 0\.1 s")
    with late as caught, tf.config.deadline(100), tf.config.deadline(0.1), tf.config.deadline(50):
        loop(x)
    assert __file__ in str(caught.value)
    assert not V.numpy().any()


def test_loops_that_end_are_what_they_were() -> None:
    with tf.config.deadline(1000):
        assert int(nested(tf.constant(3000))) == 3000
    assert float(scalar(tf.constant(2e30))) == float(np.float32(2e30))
    assert rows(tf.constant(3.0)).shape == (3, 8, 8)
    with pytest.raises(ValueError, match="so many seconds"):
        tf.config.deadline(-1)
    with pytest.raises(ValueError, match="so many seconds"):
        tf.config.deadline(float("nan"))


def test_another_thread_has_its_own() -> None:
    """The main thread takes signals, a deadline ends the other one's loop."""
    caught: list[BaseException] = []

    def run() -> None:
        try:
            with tf.config.deadline(0.5):
                scalar(tf.constant(1.0))
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    with pytest.raises(Interrupt), signalled(0.1):
        scalar(tf.constant(1.0))
    thread.join(60)
    assert isinstance(caught[0], tf.errors.DeadlineExceededError)


SIDE = 1200 if quick_in(Path(__file__)) else 3000  # for kernels of more than 50 ms
LARGE = tf.constant(np.random.default_rng(0).standard_normal((SIDE, SIDE)), tf.float32)
TOTAL = tf.Variable(np.zeros((SIDE, SIDE), np.float32))


def product() -> Any:
    """Parallel loops inside of others."""
    return LARGE @ LARGE


def elementwise() -> Any:
    """One loop, and a sum."""
    x = tf.reshape(LARGE, [-1])
    for _ in range(4):
        x = tf.math.lgamma(x)
    return tf.reduce_sum(x)


def draws() -> Any:
    return tf.reduce_sum(tf.random.stateless_normal([12 * SIDE**2], [1, 2]))


def update() -> Any:
    """The sum is written over the old value, where nothing ends any more."""
    TOTAL.assign_add(LARGE @ LARGE @ LARGE)
    return tf.constant(0.0)


LONG = [product, elementwise, draws, update]


@pytest.mark.parametrize("run", LONG, ids=lambda f: f.__name__)
def test_long_kernels(run: Callable[[], Any]) -> None:
    """Only a kernel that looks up sees a deadline: behind the call nobody asks."""
    f = tf.function(run)
    before = tf.config.threading.get_intra_op_parallelism_threads()
    try:
        for threads in by_turns((1, 2), LONG.index(run), 1):
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            f.get_concrete_function().compiled  # noqa: B018
            TOTAL.assign(tf.zeros_like(TOTAL))
            with pytest.raises(tf.errors.DeadlineExceededError), tf.config.deadline(0.001):
                f()
            assert not TOTAL.numpy().any()
            f()  # the pool is as it was
            assert TOTAL.numpy().any() == (run is update)
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(before)


def test_what_is_written_over_is_whole() -> None:
    """Whenever a deadline comes, an update is made or not."""
    f = tf.function(update)
    f.get_concrete_function().compiled  # noqa: B018
    TOTAL.assign(tf.zeros_like(TOTAL))
    start = time.perf_counter()
    f()
    whole, step = time.perf_counter() - start, TOTAL.numpy()
    for part in (0.2, 0.7, 2.0):
        TOTAL.assign(tf.zeros_like(TOTAL))
        try:
            with tf.config.deadline(part * whole):
                f()
        except tf.errors.DeadlineExceededError:
            assert not TOTAL.numpy().any()
        else:
            np.testing.assert_array_equal(TOTAL, step)


def _segments() -> Any:
    ids = tf.constant(np.arange(3_000_000, dtype=np.int32) % 7)
    return lambda: tf.math.unsorted_segment_sum(tf.ones(ids.shape), ids, 7)


def _checked() -> Any:
    rows = tf.zeros([9, 300])
    places = tf.constant(np.arange(100_000, dtype=np.int32) % 9)
    return lambda: tf.gather(rows, places)


def _carried() -> Any:
    x = tf.constant(np.linspace(0.0, 1.0, 1_000_000, dtype=np.float32))
    return lambda: tf.math.cumulative_logsumexp(x)


@pytest.mark.parametrize("calls", [_segments, _checked, _carried])
def test_kernels_on_one_thread(calls: Callable[[], Any]) -> None:
    """They are cut into batches of rounds, and give the bits that they give in one."""
    call = calls()
    expected = call().numpy()
    with tf.config.deadline(1000):
        assert (call().numpy() == expected).all()
    late = time.monotonic() + 60
    with pytest.raises(Interrupt), signalled(0.2):
        while time.monotonic() < late:
            call()
    assert (call().numpy() == expected).all()


def test_an_import_that_was_interrupted_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during the first trace may leave a package out whose modules are there."""
    for name in ("tfc.autograph", "tfc.autograph.names"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(conversion, "_ag", types.CellType())

    @tf.function
    def larger(x: Any) -> Any:
        return x if x > 2.0 else tf.constant(2.0)

    assert float(larger(tf.constant(1.0))) == 2.0
