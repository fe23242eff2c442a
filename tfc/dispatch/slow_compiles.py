"""What people are told while a program compiles for long: one line on stderr, after a second.

    tfc: compiling step has taken 1.0 s so far (train.py:12; x was f32[32,10] and is f32[16,10])

Programs are compiled where somebody waits for them, mostly in silence, as it takes milliseconds.
What takes longer is known where a stage ends, and after the stages in Python a thread waits beside
LLVM, whose calls leave Python free. What tracing took counts as well. `TFC_COMPILE_MESSAGE_AFTER`
sets the time, 0 turns it off.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from tfc.backends.threads import start
from tfc.ir.core import Function

from ..core.context import calling_location

VARIABLE = "TFC_COMPILE_MESSAGE_AFTER"
_SHORT = 0.05  # seconds of the stages in Python, after which LLVM is not waited for either

# Why functions were traced, in words: for what `tfc.function` makes.
reasons: WeakKeyDictionary[Function, str] = WeakKeyDictionary()
traced_in: WeakKeyDictionary[Function, float] = WeakKeyDictionary()  # seconds: they count as well


class SlowCompile:
    """One program that is compiled now."""

    def __init__(self, f: Function) -> None:
        self._function = f
        self._start = time.perf_counter() - traced_in.get(f, 0.0)
        self._after = _seconds()
        self._said = self._after == 0

    def look(self) -> float:
        """Say so, where it takes long by now. Returns the seconds since it began."""
        taken = time.perf_counter() - self._start
        if not self._said and taken >= self._after:
            self._say(self._around())
        return taken

    @contextlib.contextmanager
    def while_waiting(self) -> Iterator[None]:
        """While the native compiler works."""
        taken = self.look()
        if self._said or taken < _SHORT:
            yield
            return
        timer = threading.Timer(self._after - taken, self._say, [self._around()])
        timer.daemon = True
        start(timer)
        try:
            yield
        finally:
            timer.cancel()

    def _around(self) -> str:
        """Where and why, as the thread that compiles knows it."""
        caller = calling_location()
        where = "" if caller is None or caller.file == threading.__file__ else str(caller)
        parts = (where, reasons.get(self._function, ""))  # a thread of tfc's has no caller
        return "; ".join(filter(None, parts))

    def _say(self, around: str) -> None:
        self._said = True
        taken = time.perf_counter() - self._start
        where = f" ({around})" if around else ""
        text = f"tfc: compiling {self._function.name} has taken {taken:.1f} s so far{where}"
        with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody can read it
            print(text, file=sys.stderr, flush=True)


def _seconds() -> float:
    try:
        seconds = float(os.environ.get(VARIABLE, "") or 1)
    except ValueError:
        return 1.0
    return seconds if seconds >= 0 else 1.0
