"""Forks while other threads work: locks that are free again in the child, and whole imports."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading

_LAZY = ("tfc", "llvmlite")
_forks = 0  # how often this process is the child of a fork


class ForkLock:
    """A reentrant lock. Only the thread that forks goes on in the child: a lock that another one
    held at that moment would never be released there, and so it is made anew."""

    __slots__ = ("_forks", "_lock")

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._forks = _forks

    def __enter__(self) -> None:
        if self._forks != _forks:
            self._forks = _forks
            if self._lock.acquire(blocking=False):  # free, or held by this very thread
                return
            self._lock = threading.RLock()
        self._lock.acquire()

    def __exit__(self, *exception: object) -> None:
        self._lock.release()


def _before_fork() -> None:
    """Let other threads finish what they import: in the child it would stay half done for good.
    (Parts of this package are imported when they are first used.)"""
    for name, module in list(sys.modules.items()):
        if name.startswith(_LAZY) and getattr(module.__spec__, "_initializing", False):
            with contextlib.suppress(Exception):  # raised in the thread that imports it
                importlib.import_module(name)


def _after_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)

__all__ = ["ForkLock"]
