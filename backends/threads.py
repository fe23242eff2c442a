"""Threads of Python, started where Ctrl-C may come at any moment."""

from __future__ import annotations

import threading


def start(thread: threading.Thread) -> None:
    """Start it, and wait until it runs. Raises RuntimeError if the system has no more threads, and
    what an interrupt raises: `Thread.start` waits with a lock that is not taken back then, so that
    Python says "release unlocked lock" instead."""
    try:
        thread.start()
    except RuntimeError as error:
        if error.__context__ is not None:
            raise error.__context__ from None
        raise
