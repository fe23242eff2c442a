"""Iterators beside each other: threads, processes, interrupts, and what is left of them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import tfc as tf
from tfc.data.plans import prefetching

Dataset = tf.data.Dataset


def doubled(count: int) -> Any:
    return Dataset.range(count).map(lambda x: x * 2)


def generated(count: int) -> Any:
    spec = tf.TensorSpec([], tf.int64)
    return Dataset.from_generator(lambda: iter(range(0, 2 * count, 2)), output_signature=spec)


@pytest.mark.parametrize("way", ["indexed", "prefetched", "generated"])
def test_threads_share_an_iterator(way: str) -> None:
    dataset = {
        "indexed": doubled(8000),
        "prefetched": doubled(2000).prefetch(8),
        "generated": generated(2000),
    }[way]
    elements, found = iter(dataset), [[] for _ in range(4)]
    threads = [
        threading.Thread(target=lambda own=own: own.extend(int(x) for x in elements))
        for own in found
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [int(x) for x in dataset]
    assert sorted(x for own in found for x in own) == expected
    assert all(own == sorted(own) for own in found)


def _ended(count: int) -> bool:
    """Whether there are so few threads, soon."""
    for _ in range(200):
        gc.collect(0)
        if threading.active_count() <= count:
            return True
        time.sleep(0.01)
    return False


def test_many_iterators_and_their_threads() -> None:
    before = threading.active_count()
    dataset = doubled(10**9).batch(4).prefetch(2)
    iterators = [iter(dataset) for _ in range(200)]
    for i in range(3):
        assert all(int(next(each)[0]) == 8 * i for each in iterators)
    assert threading.active_count() == before + 200
    iterators[0].close()
    del iterators
    assert _ended(before)


def test_an_iterator_goes_on_behind_an_interrupt() -> None:
    """In order; the element that was on its way when it came may be gone."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    elements = iter(Dataset.range(10**9))
    last = 0
    former = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            while True:
                time.sleep(0)
                last = int(next(elements))
    finally:
        signal.signal(signal.SIGALRM, former)
    following = [int(next(elements)) for _ in range(20)]
    assert last <= following[0] <= last + 2
    assert following == list(range(following[0], following[0] + 20))
    elements.close()


def test_interrupts_do_not_stop_a_thread_that_fetches() -> None:
    """Ctrl-C at any moment of `next`: what is in the queue comes, and the thread is woken."""
    program = """if True:
        import random, signal
        import tfc as tf

        def interrupt(*_):
            raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, interrupt)
        for _ in range(30):  # the first may come while the thread is started
            dataset = tf.data.Dataset.range(10**9).filter(lambda x: x >= 0).prefetch(3)
            elements, last = iter(dataset), -1
            for _ in range(4):
                try:
                    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.00005, 0.004))
                    while True:
                        found = int(next(elements))
                        assert found > last, (found, last)
                        last = found
                except KeyboardInterrupt:
                    pass
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert int(next(elements)) > last
            elements.close()
        # Nothing is left out: a loop keeps what was given last.
        elements, x = iter(tf.data.Dataset.range(10**9).batch(1).prefetch(7)), [-1]
        for _ in range(150):
            last = int(x[0])
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.00005, 0.002))
                for x in elements:
                    assert int(x[0]) == last + 1, (x, last)
                    last = int(x[0])
            except KeyboardInterrupt:
                pass
            signal.setitimer(signal.ITIMER_REAL, 0)
        print("ended")
    """
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert found.stdout == "ended\n", found.stderr


def test_a_child_process_makes_its_own() -> None:
    elements = iter(doubled(100).prefetch(2))
    next(elements)
    if not (child := os.fork()):
        try:
            own = [int(x) for x in doubled(5).prefetch(1)] == [0, 2, 4, 6, 8]
            for _ in range(10):  # what was ready when it was forked may be there
                next(elements)
        except RuntimeError as error:
            os._exit(0 if own and "make an iterator here" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert int(next(elements)) == 2


def test_autotune_starts_a_thread_for_what_takes_long() -> None:
    """(What is cheaper than to be handed over is made where it is asked for.)"""

    def threads() -> set[threading.Thread]:
        return {t for t in threading.enumerate() if t.name == "tfc.data prefetch"}

    def yielding(pause: float) -> Any:
        def elements() -> Any:
            for i in range(40):
                time.sleep(pause)
                yield i

        spec = tf.TensorSpec([], tf.int32)
        made = tf.data.Dataset.from_generator(elements, output_signature=spec)
        return iter(made.prefetch(tf.data.AUTOTUNE))

    before = threads()
    slow = yielding(0.001)
    assert [int(next(slow)) for _ in range(10)] == list(range(10)) and threads() - before
    assert [int(x) for x in slow] == list(range(10, 40))


def test_an_interrupt_while_nothing_is_made_ahead_leaves_no_element_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elements = iter(tf.data.Dataset.range(6).prefetch(tf.data.AUTOTUNE))
    assert int(next(elements)) == 0
    calls = iter([0.0])

    def interrupted() -> float:
        for moment in calls:
            return moment
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(prefetching.time, "perf_counter", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(elements)
    assert [int(x) for x in elements] == [1, 2, 3, 4, 5]
