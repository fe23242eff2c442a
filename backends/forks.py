"""Forks while other threads work.

Only the thread that forks goes on in the child. What another one held or had half done at that
moment stays so there for good: a lock that is never released, a module that is half imported. So
a fork waits until nobody else holds one of the locks that are named here, or is in the middle of
an import, and keeps all of these until it has happened. It never waits for one of them while it
has another: who compiles under a lock may import, and what is imported may compile.
"""

from __future__ import annotations

import _imp as imp
import os
import threading
import time
from importlib import _bootstrap
from typing import TYPE_CHECKING, Any

from tfc.ir import value_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

FORK_IMPORTS_SECONDS_MAX = (
    10.0  # seconds that a fork waits for imports of other threads, which may go on and on
)
_INSTANT = 0.001
_locks: list[Any] = []


def whole(lock: Any) -> Any:
    """`lock`, which nobody but the thread that forks holds during a fork."""
    _locks.append(lock)
    return lock


whole(value_classes.lock)


def _importing() -> bool:
    """Whether another thread imports something, or is about to: the lock of a module is there as
    long as somebody wants it. (Parts of this package are imported when they are first used.)"""
    own = threading.get_ident()
    found = [ref() for ref in list(getattr(_bootstrap, "_module_locks", {}).values())]
    return any(lock is not None and getattr(lock, "owner", own) != own for lock in found)


def _all_taken() -> bool:
    """Whether all locks could be had at once."""
    for number, lock in enumerate(_locks):
        if not lock.acquire(blocking=False):
            _release(reversed(_locks[:number]))
            return False
    return True


def _release(locks: Iterator[Any]) -> None:
    for lock in locks:
        lock.release()


def _before() -> None:
    end = time.monotonic() + FORK_IMPORTS_SECONDS_MAX
    while True:
        imp.acquire_lock()
        if (not _importing() or time.monotonic() > end) and _all_taken():
            return
        imp.release_lock()
        time.sleep(_INSTANT)


def _after() -> None:
    _release(reversed(_locks))
    imp.release_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)
