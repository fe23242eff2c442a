"""Forks while other threads work: locks that are free again in the child, and whole imports."""

from __future__ import annotations

import _imp as imp
import os
import threading
import time
from importlib import _bootstrap

PATIENCE = 10.0  # seconds that a fork waits for imports of other threads
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


def _importing() -> bool:
    """Whether another thread is in the middle of an import."""
    own = threading.get_ident()
    found = (ref() for ref in list(getattr(_bootstrap, "_module_locks", {}).values()))
    return any(getattr(lock, "owner", None) not in (None, own) for lock in found)


def _before_fork() -> None:
    """Let other threads finish what they import, and keep them from beginning: in the child a
    module would stay half done, and locked, for good. (Parts of this package are imported when they
    are first used.)"""
    end = time.monotonic() + PATIENCE
    imp.acquire_lock()
    while _importing() and time.monotonic() < end:
        imp.release_lock()
        time.sleep(0.001)
        imp.acquire_lock()


def _after_fork() -> None:
    global _forks
    _forks += 1
    imp.release_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=imp.release_lock, after_in_child=_after_fork
    )

__all__ = ["ForkLock"]
