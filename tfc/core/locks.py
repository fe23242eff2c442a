"""Locks that are free again in the child of a fork, whatever other threads did with them. What a
fork waits for stands in tfc/backends/forks.py."""

from __future__ import annotations

import os
import threading

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


def _in_child() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

__all__ = ["ForkLock"]
