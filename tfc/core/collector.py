"""Python's cycle collector, which waits while a function is traced, and a program compiled.

A compiler makes many objects that live until it is done. The collector takes their number for a
sign that it has to look for garbage, and goes through all objects of the process again and again:
a tenth to a fifth of the time that compiling takes, and more where much else is alive.

Nor does it look as soon as a program is compiled: most of what is new stays as long as the program
does. It counts as old, which the collector looks at when there is much more of it than there was,
and is looked at as a whole here, after so many objects (`LOOK_AFTER`); also where several threads
compile without a pause.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfc.backends import forks

# Objects that became old unseen. A step of 12 convolutions with batch norm makes 110,000, and
# 140,000 for all sizes, of which 25,000 and 45,000 are garbage: 4 MB more for both (python -m
# benchmarks.cold).
LOOK_AFTER = 500_000

_lock = forks.whole(threading.Lock())
_waiting = 0  # how many wait for their programs now, in all threads
_was_on = False  # whether the collector worked before the first of them
_unseen = 0  # objects that became old since the last look
_frozen = False  # whether the program has ever said what the collector shall not look at


@contextmanager
def held_back() -> Iterator[None]:
    """No collection starts by itself meanwhile, in any thread. (What another thread switches on or
    off meanwhile is overruled in the end: the collector has one switch.)"""
    global _waiting, _was_on
    with _lock:
        if not _waiting:
            _was_on = gc.isenabled()
            gc.disable()
        _waiting += 1
    looks = False
    try:
        yield
    finally:
        with _lock:
            _waiting -= 1
            if _was_on:
                looks = _is_much()
            if _was_on and not _waiting:
                gc.enable()
        if looks:
            gc.collect()  # without the lock: finalizers may compile, too


def _is_much() -> bool:
    """Whether it is time to look at everything. Where it is not, and nobody waits any more, what is
    new becomes old without a look at it."""
    global _unseen, _frozen
    new = gc.get_count()[0]
    if _unseen + new >= LOOK_AFTER:
        _unseen = 0
        return True
    if not _waiting:
        _frozen = _frozen or gc.get_freeze_count() > 0  # which counts them: 7 ms for a million
        if not _frozen:
            _unseen += new
            gc.freeze()
            gc.unfreeze()  # puts all among the oldest
    return False


def _in_child() -> None:
    """Of those who were at it, none but the thread that forks goes on, and it never forks here."""
    global _waiting
    if _waiting and _was_on:
        gc.enable()
    _waiting = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

__all__ = ["held_back"]
