"""Native entries behind dispatchers, and called by many threads."""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from tests.backends.entries import (
    FAIL,
    WAIT,
    HandlerError,
    Tensor,
    Variable,
    add_program,
    adder,
    build,
    live,
    types,
)
from tfc.backends.cpu.runtime import runtime
from tfc.backends.cpu.runtime.runtime import Dispatcher
from tfc.ir.extent import Extent, symbol

pytestmark = pytest.mark.usefixtures("own_tensors")


def test_dispatcher() -> None:
    seen = []

    def slow(*arguments: Any) -> Any:
        seen.append(arguments)
        entry = adder(arguments[0]._array.size)
        dispatcher.add(entry)
        return entry(*arguments)

    dispatcher = Dispatcher(slow, "plus")
    assert dispatcher.call.__name__ == "plus"
    for size in (2, 3, 2, 3, 4):
        x = Tensor(np.ones(size, np.float32))
        assert dispatcher.call(x, x)._array.tolist() == [2.0] * size
    assert len(seen) == len(list(dispatcher.entries)) == 3
    for size in range(5, 15):
        x = Tensor(np.ones(size, np.float32))
        dispatcher.call(x, x)
    assert len(dispatcher.entries) == 8
    x = Tensor(np.ones(14, np.float32))
    runtime.set_active(1)
    try:
        count = len(seen)
        dispatcher.call(x, x)
        assert len(seen) == count + 1
    finally:
        runtime.set_active(-1)
    dispatcher.call(x, x)
    assert len(seen) == count + 1
    dispatcher.clear()
    dispatcher.call(x, x)
    assert len(seen) == count + 2
    others: list[Any] = [len, slow, dispatcher.call]
    for wrong in others:
        with pytest.raises(TypeError):
            dispatcher.add(wrong)


def test_slow_gets_the_same_arguments_and_errors_pass() -> None:
    def slow(*arguments: Any) -> Any:
        if not arguments:
            raise KeyError("nothing")
        return arguments

    dispatcher = Dispatcher(slow)
    dispatcher.add(adder(2))
    values = (1, "a", None, [2])
    assert all(a is b for a, b in zip(dispatcher.call(*values), values, strict=True))
    with pytest.raises(KeyError):
        dispatcher.call()
    failing = Dispatcher(slow)
    failing.add(build(FAIL, params=(), results=()))
    with pytest.raises(HandlerError):
        failing.call()


def test_entries_may_be_dropped_by_their_own_call() -> None:
    def forget(*values: int) -> None:
        dispatcher.clear()
        for _ in range(20):
            dispatcher.add(adder(3))
        gc.collect()
        raise HandlerError(values)

    dispatcher = Dispatcher(lambda *a: "slow")
    dispatcher.add(build(FAIL, params=(), results=(), on_error=forget))
    with pytest.raises(HandlerError):
        dispatcher.call()
    assert dispatcher.call() == "slow"


@pytest.mark.parametrize("work", [0, 1 << 20, symbol("n") * 1000])
def test_lock_is_released_for_long_work(work: Extent) -> None:
    steps = 20_000_000_000 if work != 0 else 1000
    entry = build(WAIT.replace("STEPS", str(steps)), params=types("i32[n]"), results=(), work=work)
    flag = np.zeros(1000, np.int32)
    if work == 0:  # with the lock held, nobody else can set the flag
        with pytest.raises(HandlerError):
            entry(Tensor(flag))
        return
    argument = Tensor(flag)

    def replace() -> None:
        time.sleep(0.05)
        argument._array = None  # the entry holds the array itself meanwhile
        gc.collect()
        flag[0] = 1

    thread = threading.Thread(target=replace)
    thread.start()
    entry(argument)
    thread.join()
    assert sys.getrefcount(flag) == 2


def test_many_threads() -> None:
    state = Variable(np.zeros(1 << 15, np.float32))
    entry = build(
        add_program(),
        state,
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]", "f32[n]"),
        updates=((0, 0),),
        work=1 << 20,
        arena=10_000,
    )
    dispatcher = Dispatcher(lambda *a: None)
    dispatcher.add(entry)
    x, before = Tensor(np.ones(1 << 15, np.float32)), live()

    def work() -> None:
        for _ in range(300):
            assert dispatcher.call(x)._array.shape == (1 << 15,)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    value = state._array[0]
    assert 300 <= value <= 1200 and (state._array == value).all()
    state._array = None
    gc.collect()
    assert live() == before
