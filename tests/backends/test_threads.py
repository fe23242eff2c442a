"""Threads that are started while Ctrl-C comes."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from tfc.backends import threads

PROGRAM = """if True:
    import random, signal, threading
    from tfc.backends.threads import start

    def interrupt(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    interrupts = 0
    for _ in range(300):
        try:
            # More than once: Python leaves out what is raised while it frees an object.
            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.00002, 0.0004), 0.01)
            while True:
                start(threading.Thread(target=int, daemon=True))
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            interrupts += 1
    print(interrupts)
"""


def test_interrupts_are_interrupts() -> None:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert found.stdout == "300\n", found.stderr


def test_what_else_goes_wrong_is_said() -> None:
    """The interrupt behind an error of the lock, and the error where there is none."""

    class Interrupted(threading.Thread):
        def start(self) -> None:
            try:
                raise KeyboardInterrupt
            finally:
                threading.Lock().release()

    with pytest.raises(KeyboardInterrupt):
        threads.start(Interrupted())
    thread = threading.Thread(target=int)
    threads.start(thread)
    thread.join()
    with pytest.raises(RuntimeError, match="started once"):
        threads.start(thread)
