"""Python's cycle collector, which waits while a function is traced, and a program compiled.

A compiler makes many objects that live until it is done. The collector takes their number for a
sign that it has to look for garbage, and goes through all objects of the process again and again:
a tenth to a fifth of the time that compiling takes, and more where much else is alive. What it
leaves out is made up for by one look at what is new.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfc.backends import forks

_lock = forks.whole(threading.Lock())
_waiting = 0  # how many wait for their programs now, in all threads
_was_on = False  # whether the collector worked before the first of them


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
    try:
        yield
    finally:
        with _lock:
            _waiting -= 1
            if not _waiting and _was_on:
                gc.enable()


def _in_child() -> None:
    """Of those who were at it, none but the thread that forks goes on, and it never forks here."""
    global _waiting
    if _waiting and _was_on:
        gc.enable()
    _waiting = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

__all__ = ["held_back"]
