"""Scopes: tapes, traces, devices and names, whatever interrupts them and however they overlap."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL
from tfc.backends.cpu.runtime import runtime
from tfc.core import context as module
from tfc.core.context import context, current

OURS = os.path.dirname(os.path.dirname(os.path.realpath(module.__file__)))


class Interrupt(BaseException):
    """What a signal handler raises."""


def untouched() -> None:
    """Nothing is going on, for Python and for native code."""
    assert current() is module._NOTHING
    assert runtime.watched() == (0, 0)
    assert context.trace is None and context.tapes == () and context.functions == ()


@pytest.fixture(autouse=True)
def afterwards() -> Iterator[None]:
    untouched()
    yield
    gc.collect()
    untouched()


X = tf.constant(3.0)


def small_tape() -> None:
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * X
        with tape.stop_recording():
            z = y * 2.0
        y = y + z
    assert float(tape.gradient(y, X)) == 6.0


def small_trace() -> None:
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        with tf.name_scope("inner"), tf.init_scope():
            assert tf.executing_eagerly()
        return tf.cond(x > 0.0, lambda: x * 2.0, lambda: x)

    f.get_concrete_function(tf.TensorSpec([]))


def scopes() -> None:
    with tf.device("/cpu:0"), tf.name_scope("a"), tf.name_scope("b") as name:
        assert name == "a/b/"
    with tf.debugging.trace_nans():
        assert context.inspect


def interrupted(work: Callable[[], None], number: int, near: bool) -> bool:
    """Run `work` with an exception where Python may look for signals: when the number-th function
    begins or ends, of Python or (when it ends) of C; of those called in scopes and tapes (`near`)
    or of all. Whether there were so many."""
    count = 0
    files = (module.__file__, __file__, "tape.py", "scopes.py")

    def profile(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if event in ("call", "return", "c_return") and frame.f_code is not interrupted.__code__:
            count += not near or frame.f_code.co_filename.endswith(files)
            if count == number:
                count += 1
                sys.setprofile(None)
                raise Interrupt

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    except Interrupt:
        return True
    finally:
        sys.setprofile(before)
    return False


@pytest.mark.parametrize("work", [small_tape, small_trace, scopes])
@pytest.mark.parametrize("near", [True, False])
def test_an_exception_at_any_call(work: Callable[[], None], near: bool) -> None:
    """All of those in scopes and tapes; of all others, a sample."""
    work()
    number, reached = 1, 0
    while interrupted(work, number, near):
        untouched()
        reached += 1
        number += 1 if near else 1 + number // 100
    assert reached > 20
    work()


def test_signals_at_any_moment() -> None:
    """A timer's signals, whose handler raises, over tapes and traces; what comes then is right."""

    def handler(*_: Any) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, handler)
    caught = 0
    try:
        end = time.monotonic() + (3.0 if ALL else 1.0)  # some hundred of them
        rng = np.random.default_rng(0)
        while time.monotonic() < end or caught < 50:
            try:
                signal.setitimer(signal.ITIMER_REAL, float(rng.uniform(1e-5, 2e-3)))
                for _ in range(3):
                    small_tape()
                    scopes()
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupt:
                caught += 1
            untouched()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    small_tape()


def test_interrupts_in_libraries_are_what_they_are() -> None:
    """Not an error of the op; and its results, which nobody has computed, are not seen."""
    a = tf.constant(np.random.default_rng(0).normal(size=(150, 150)).astype(np.float32))

    def handler(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    f = tf.function(lambda x: tf.linalg.svd(x, compute_uv=False))
    f(a), tf.linalg.svd(a, compute_uv=False)
    try:
        for call in (f, lambda x: tf.linalg.svd(x, compute_uv=False)):
            for delay in (1e-4, 1e-3, 5e-3, 2e-2):
                with contextlib.suppress(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, delay)
                    found = call(a)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                    assert float(found[0]) > 1.0
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_what_python_functions_raise_goes_through() -> None:
    def leave(x: Any) -> Any:
        raise SystemExit(3)

    f = tf.function(lambda x: tf.numpy_function(leave, [x], tf.TensorSpec([])))
    with pytest.raises(SystemExit) as caught:
        f(X)
    assert caught.value.code == 3


# Scopes that overlap.


def test_tapes_that_are_not_nested() -> None:
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    first.watch(X)
    second.__enter__()
    second.watch(X)
    y = X * X
    first.__exit__(None, None, None)
    z = X * X * X
    assert context.tapes == (second,)
    second.__exit__(None, None, None)
    assert first.gradient(z, X) is None
    assert float(second.gradient(z, X)) == 27.0
    with pytest.raises(ValueError, match="still recording"), first:
        first.__enter__()
    first.__exit__(None, None, None)  # nothing is left to leave
    with tf.GradientTape() as third:
        third.watch(X)
        y = X * 5.0
    assert float(third.gradient(y, X)) == 5.0


def test_scopes_of_generators() -> None:
    def steps(factor: float) -> Iterator[float]:
        with tf.name_scope(f"s{int(factor)}"), tf.GradientTape() as tape:
            tape.watch(X)
            y = X * factor
            yield 0.0
            y = y * X
            yield 1.0
        yield float(tape.gradient(y, X))

    running = [steps(1.0), steps(2.0), steps(3.0)]
    for _ in range(2):
        for g in running:
            next(g)
    assert [next(g) for g in running] == [6.0, 12.0, 18.0]
    abandoned = steps(4.0)
    next(abandoned)
    assert current().names == "s4/" and len(context.tapes) == 1
    del abandoned


def test_tasks_do_not_see_each_other() -> None:
    async def task(i: int) -> tuple[float, str, Any]:
        with tf.GradientTape() as tape, tf.name_scope(f"t{i}"), tf.device(None if i % 2 else "cpu"):
            tape.watch(X)
            y = X * float(i)
            await asyncio.sleep(0)
            assert context.tapes[-1:] == (tape,) and tf.executing_eagerly()
            y = y * X
            await asyncio.sleep(0)
            name, device = tf.Variable(1.0, name="v").name, context.device
        return float(tape.gradient(y, X)), name, device

    async def main() -> Any:
        return await asyncio.gather(*map(task, range(1, 9)))

    found = asyncio.run(main())
    assert [g for g, _, _ in found] == [6.0 * i for i in range(1, 9)]
    assert [n for _, n, _ in found] == [f"t{i}/v:0" for i in range(1, 9)]
    assert all((d is None) == bool(i % 2) for i, (_, _, d) in enumerate(found, 1))


def test_tasks_that_outlive_a_tape() -> None:
    """A task has the state of who began it; a tape that was left records nothing more there."""

    async def later(tape: Any) -> int:
        await asyncio.sleep(0.01)
        assert context.tapes == (tape,)
        _ = X * X
        tape.__exit__(None, None, None)  # not counted twice
        return len(tape._records)

    async def main() -> None:
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = X * 2.0
            task = asyncio.create_task(later(tape))
            await asyncio.sleep(0)
        assert await task == 1
        assert float(tape.gradient(y, X)) == 2.0

    asyncio.run(main())


def test_threads_have_their_own() -> None:
    seen: list[Any] = []
    with tf.GradientTape(), tf.name_scope("outer"):
        thread = threading.Thread(target=lambda: seen.append(current()))
        thread.start()
        thread.join()
    assert seen == [module._NOTHING]


def test_forks_leave_other_threads_behind() -> None:
    inside, done = threading.Event(), threading.Event()

    def other() -> None:
        with tf.GradientTape():
            inside.set()
            done.wait()

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait()
    with tf.GradientTape():
        assert runtime.watched() == (2, 0)
        pid = os.fork()
        if pid == 0:
            os._exit(0 if runtime.watched() == (1, 0) else 1)
        _, status = os.waitpid(pid, 0)
    done.set()
    thread.join()
    assert status == 0
