"""`tfc.compat.v1.train`: threads that fill queues, and what programs start them with."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from tfc.core import blame, errors
from tfc.train import Coordinator

from ...graphs.default_graph import get_default_graph
from ...graphs.graph import GraphKeys, default_session
from .. import logging


class QueueRunner:
    """Operations that add to a queue, each run again and again by a thread of its own, until the
    queue is closed, its source is at its end, or a coordinator says so.

    Args:
        queue: The queue.
        enqueue_ops: The operations, one for each thread.
        close_op: What closes the queue when there is no more; None: what its `close` gives.
        cancel_op: What closes it when threads are stopped; None: what its `close` gives.
        queue_closed_exception_types: Exceptions that mean that the source is at its end.

    Raises:
        ValueError: If there is no queue, or there are no operations.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     queue = tf.FIFOQueue(2, tf.float32, shapes=[[]])
    ...     runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.constant(1.5))])
    ...     coordinator = tf.train.Coordinator()
    ...     threads = runner.create_threads(session, coord=coordinator, start=True)
    ...     print(session.run(queue.dequeue()))
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    1.5
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: Sequence[type[Exception]] | None = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if queue is None or not enqueue_ops:
            raise ValueError("queue and enqueue_ops are required.")
        self._queue, self._ops = queue, list(enqueue_ops)
        self._close_op = queue.close() if close_op is None else close_op
        if cancel_op is None:
            cancel_op = queue.close(cancel_pending_enqueues=True)
        self._cancel_op = cancel_op
        self._ends: tuple[type[Exception], ...] = tuple(
            queue_closed_exception_types or (errors.OutOfRangeError,)
        )
        self._lock = threading.Lock()
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._raised: list[BaseException] = []

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> list[Any]:
        """The operations that add to it."""
        return self._ops

    @property
    def close_op(self) -> Any:
        """What closes it when there is no more."""
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        """What closes it when threads are stopped."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[Exception], ...]:
        """Exceptions that mean that the source is at its end."""
        return self._ends

    @property
    def name(self) -> str:
        """The queue's name."""
        return str(self._queue.name)

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """What threads raised that no coordinator was told of."""
        return self._raised

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Threads that run the operations in a session, and one that closes the queue when the
        coordinator stops.

        Args:
            sess: The session.
            coord: A Coordinator, or None.
            daemon: Whether the process may end while they run.
            start: Whether they are started.

        Returns:
            The threads: none where those of an earlier call run.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._ops)
        self._raised = []
        name = f"QueueRunnerThread-{self.name}"
        threads = [
            threading.Thread(
                target=self._run, args=(sess, op, coord), name=f"{name}-{i}", daemon=daemon
            )
            for i, op in enumerate(self._ops)
        ]
        if coord is not None:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop,
                    args=(sess, coord),
                    name=f"{name}-close_on_stop",
                    daemon=True,
                )
            )
        for thread in threads:
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return threads

    def _run(self, sess: Any, operation: Any, coord: Any) -> None:
        counted = True
        try:
            while coord is None or not coord.should_stop():
                try:
                    sess.run(operation)
                except self._ends:
                    with self._lock:
                        self._running[sess] -= 1
                        counted, last = False, self._running[sess] == 0
                    if last:
                        self._closed(sess, self._close_op)
                    return
        except Exception as error:
            if coord is not None:
                coord.request_stop(error)
            else:
                logging.error("Exception in QueueRunner: %s", error)
                with self._lock:
                    self._raised.append(error)
                raise
        finally:
            if counted:
                with self._lock:
                    self._running[sess] -= 1

    def _close_on_stop(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        self._closed(sess, self._cancel_op)

    @staticmethod
    def _closed(sess: Any, operation: Any) -> None:
        try:
            sess.run(operation)
        except Exception as error:  # the session may be closed already
            logging.vlog(logging.DEBUG, "Ignored exception: %s", error)


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Add a QueueRunner to a collection of the graph, for `start_queue_runners`.

    Args:
        qr: It.
        collection: The collection.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.FIFOQueue(2, tf.float32)
    ...     tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    ...     print(len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)))
    1
    """
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Start the threads of all QueueRunners of the graph.

    Args:
        sess: The session; None: the default one.
        coord: A Coordinator, or None.
        daemon: Whether the process may end while they run.
        start: Whether they are started.
        collection: The collection that has the QueueRunners.

    Returns:
        The threads.

    Raises:
        ValueError: If there is no session.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     queue = tf.FIFOQueue(2, tf.float32, shapes=[[]])
    ...     tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    ...     number = queue.dequeue()
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.train.start_queue_runners(session, coordinator)
    ...     print([float(session.run(number)) for _ in range(4)])
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [1.0, 1.0, 1.0, 1.0]
    """
    session = default_session() if sess is None else sess
    if session is None:
        raise blame.value_error(
            "Cannot start queue runners: No default session is registered. Use `with "
            "sess.as_default()` or pass an explicit session to "
            "tf.start_queue_runners(sess=sess)",
            "train.start_queue_runners",
        )
    runners = session.graph.get_collection(collection)
    return [t for r in runners for t in r.create_threads(session, coord, daemon, start)]


class LooperThread(threading.Thread):
    """A thread that runs something again and again until a coordinator says so.

    Args:
        coord: The Coordinator.
        timer_interval_secs: How many seconds lie between two runs; None: none.
        target: What is run.
        args: Its arguments.
        kwargs: Its named arguments.

    Raises:
        ValueError: If `coord` is none.

    >>> import tfc.compat.v1 as tf
    >>> coordinator, seen = tf.train.Coordinator(), []
    >>> def work():
    ...     seen.append(1)
    ...     coordinator.request_stop()
    >>> thread = tf.train.LooperThread.loop(coordinator, None, work)
    >>> coordinator.join([thread])
    >>> seen
    [1]
    """

    def __init__(
        self,
        coord: Any,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Any = None,
        kwargs: Any = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs
        self._work = target
        self._given = tuple(args or ()), dict(kwargs or {})
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Any,
        timer_interval_secs: float | None,
        target: Any,
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Start one.

        Returns:
            The thread.
        """
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.wait_for_stop(max(0.0, due - time.monotonic())):
                due += self._interval or 0.0
                self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Before the first run."""

    def stop_loop(self) -> None:
        """After the last one."""

    def run_loop(self) -> None:
        """A run."""
        if self._work is not None:
            args, kwargs = self._given
            self._work(*args, **kwargs)


__all__ = ["LooperThread", "QueueRunner", "add_queue_runner", "start_queue_runners"]
