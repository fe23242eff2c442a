"""`tf.train.Coordinator`: several threads stop when one of them does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..core import errors

Raised = tuple[type[BaseException], BaseException, TracebackType | None]


class Coordinator:
    """What threads ask whether they should stop, and tell that all should.

    Args:
        clean_stop_exception_types: Exceptions that stop all threads and are not raised by `join`;
            None: OutOfRangeError.

    >>> import threading
    >>> import tfc as tf
    >>> coordinator, rounds = tf.train.Coordinator(), []
    >>> def work():
    ...     while not coordinator.should_stop():
    ...         rounds.append(1)
    ...         if len(rounds) == 3:
    ...             coordinator.request_stop()
    >>> threads = [threading.Thread(target=work)]
    >>> for thread in threads:
    ...     thread.start()
    >>> coordinator.join(threads)
    >>> len(rounds)
    3
    """

    def __init__(self, clean_stop_exception_types: Sequence[type] | None = None) -> None:
        clean = clean_stop_exception_types
        self._clean = (errors.OutOfRangeError,) if clean is None else tuple(clean)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._raised: Raised | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    @property
    def joined(self) -> bool:
        """Whether `join` has ended."""
        return self._joined

    def should_stop(self) -> bool:
        """Whether threads should stop.

        Returns:
            A bool.
        """
        return self._stop.is_set()

    def request_stop(self, ex: Any = None) -> None:
        """Let all threads stop.

        Args:
            ex: The exception, or what `sys.exc_info` gives, that `join` raises where nobody
                has asked before.
        """
        raised = ex[1] if isinstance(ex, tuple) else ex
        with self._lock:
            if self._joined and raised is not None and not isinstance(raised, self._clean):
                raise raised
            first = not self._stop.is_set()  # later ones come of stopping
            if raised is not None and first and not isinstance(raised, self._clean):
                trace = ex[2] if isinstance(ex, tuple) else raised.__traceback__
                self._raised = type(raised), raised, trace
            self._stop.set()

    def clear_stop(self) -> None:
        """Forget that threads should stop."""
        with self._lock:
            self._joined = False
            self._raised = None
            self._stop.clear()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until threads should stop.

        Args:
            timeout: For how many seconds at most; None: for ever.

        Returns:
            Whether they should.
        """
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Let `join` wait for a thread.

        Args:
            thread: The thread.
        """
        with self._lock:
            self._threads.add(thread)

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Exceptions inside stop all threads, and are raised by `join`.

        Yields:
            Nothing.
        """
        try:
            yield
        except Exception as error:
            self.request_stop(error)

    def join(
        self,
        threads: Sequence[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait until all threads have ended.

        Args:
            threads: Threads beside those that are registered.
            stop_grace_period_secs: For how many seconds after they should stop.
            ignore_live_threads: Whether threads that are still alive then are no error.

        Raises:
            RuntimeError: If threads are still alive.
            Exception: The one that a thread told.
        """
        with self._lock:
            waiting = self._threads | set(threads or ())
        while any(t.is_alive() for t in waiting) and not self._stop.wait(0.05):
            pass
        end = time.monotonic() + stop_grace_period_secs
        for thread in waiting:
            thread.join(max(0.0, end - time.monotonic()) if self._stop.is_set() else None)
        alive = [t.name for t in waiting if t.is_alive()]
        with self._lock:
            self._joined = True
            self._threads = set()
            if self._raised is not None:
                raise self._raised[1].with_traceback(self._raised[2])
        if alive and not ignore_live_threads:
            raise RuntimeError(f"threads are still running: {' '.join(alive)}")

    def raise_requested_exception(self) -> None:
        """Raise the exception that was told, if any.

        Raises:
            Exception: That one.
        """
        with self._lock:
            if self._raised is not None:
                raise self._raised[1].with_traceback(self._raised[2])


__all__ = ["Coordinator"]
