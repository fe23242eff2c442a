"""The cycle collector waits while programs are compiled, and goes on after."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import tfc as tf
from tfc.core.collector import held_back
from tfc.dispatch import execution


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    assert gc.isenabled() == was_on


def test_programs_are_compiled_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the trace on, in which a function's Python code runs."""
    seen: list[bool] = []

    class Stages(execution.Stages):
        def __init__(self, *arguments: Any) -> None:
            seen.append(gc.isenabled())
            super().__init__(*arguments)

    monkeypatch.setattr(execution, "Stages", Stages)

    @tf.function
    def f(x: Any) -> Any:
        seen.append(gc.isenabled())
        return tf.sin(x) * 3.25

    f(tf.constant([1.0, 2.0]))
    assert len(seen) > 1 and not any(seen)
    assert gc.isenabled()


NEW_COUNTS_AS_OLD = """
import gc, weakref
from tfc.core import collector

collected, refs = [], []
gc.callbacks.append(lambda phase, info: phase == "start" and collected.append(info["generation"]))

class Loop:
    def __init__(self):
        self.own = self

def looks():
    collected.clear()
    with collector.held_back():
        loops = [Loop() for _ in range(5000)]
        refs.extend(map(weakref.ref, loops))
        del loops
    return list(collected)

gc.collect()
assert looks() == []
assert all(r() is not None for r in refs)
assert 5000 <= collector._unseen < collector.LOOK_AFTER
collector._unseen = collector.LOOK_AFTER - 5000
assert looks() == [2], collected
assert all(r() is None for r in refs)
assert collector._unseen == 0

with collector.held_back():  # as another thread does, which is never done
    assert looks() == []
    collector._unseen = collector.LOOK_AFTER - 5000
    assert looks() == [2], collected
assert all(r() is None for r in refs)
collector._unseen = 0

gc.freeze()
before = gc.get_freeze_count()
with collector.held_back():
    kept = [[i] for i in range(5000)]
assert gc.get_freeze_count() >= before - 100, "what the program froze is not thawed"
assert collector._unseen == 0

gc.get_freeze_count = None  # it counts all of them: asked once, not for each program
looks()
"""


def test_what_is_new_counts_as_old() -> None:
    """No collection starts when a program is compiled, but after many of them one of everything;
    and what a program has frozen stays so. (Tests themselves run with much that is frozen.)"""
    run = subprocess.run(
        [sys.executable, "-c", NEW_COUNTS_AS_OLD], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_it_goes_on_after_errors() -> None:
    with pytest.raises(ZeroDivisionError), held_back():
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()


def test_it_stays_off_where_it_was() -> None:
    gc.disable()
    try:
        with held_back():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_last_thread_switches_it_on() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def other() -> None:
        with held_back():
            inside.set()
            go_on.wait(60)

    thread = threading.Thread(target=other)
    with held_back():
        thread.start()
        assert inside.wait(60)
        with held_back():
            pass
        assert not gc.isenabled()
    assert not gc.isenabled()  # the other one is not done
    go_on.set()
    thread.join()
    assert gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_it_works_in_a_child_whose_parent_compiles() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def other() -> None:
        with held_back():
            inside.set()
            go_on.wait(60)

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(60)
    child = os.fork()
    if not child:
        before = gc.isenabled()
        with held_back():
            within = gc.isenabled()
        os._exit(0 if (before, within, gc.isenabled()) == (True, False, True) else 1)
    go_on.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
