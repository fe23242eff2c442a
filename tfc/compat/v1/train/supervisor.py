"""`tfc.compat.v1.train.Supervisor`."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfc.core import blame
from tfc.records.event import SessionLog, Summary
from tfc.train import Coordinator

from ...graphs.default_graph import get_default_graph
from ...graphs.graph import GraphKeys
from ...graphs.variables import global_variables_initializer
from .. import logging, summary
from ..state_ops import report_uninitialized_variables
from .queue_runner import LooperThread, start_queue_runners
from .session_manager import Scaffold, SessionManager, saver_of_collection
from .writing import write_graph

_START, _STOP, _CHECKPOINT = 1, 2, 3  # of SessionLog.status


class Supervisor:
    """What initialises or restores the session of a graph, and saves checkpoints and summaries
    from threads while a program trains. (MonitoredTrainingSession is what came after it.)

    Args:
        graph: The graph; None: the default one.
        ready_op: Gives the names of Variables without values; None: not asked.
        ready_for_local_init_op: The same, asked before `local_init_op` runs.
        is_chief: Whether it initialises, restores and saves.
        init_op: What initialises Variables; None: nothing.
        init_feed_dict: What is fed to it.
        local_init_op: What initialises local Variables and tables; None: nothing.
        logdir: The folder of checkpoints and event files; None: there are none.
        summary_op: All summaries as one; None: a program writes them itself.
        saver: The Saver; None: nothing is saved.
        global_step: The Variable that counts steps.
        save_summaries_secs: How many seconds lie between two summaries.
        save_model_secs: And between two checkpoints.
        recovery_wait_secs: And between two looks whether a session is ready.
        stop_grace_secs: For how many seconds threads may go on at the end.
        checkpoint_basename: What the names of checkpoints begin with.
        session_manager: A SessionManager.
        summary_writer: A FileWriter; None: nothing is written.
        init_fn: What is called with the session after `init_op`.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> folder = tempfile.mkdtemp()
    >>> with tf.Graph().as_default():
    ...     step = tf.train.create_global_step()
    ...     train = tf.assign_add(step, 1)
    ...     supervisor = tf.train.Supervisor(logdir=folder)
    ...     with supervisor.managed_session() as session:
    ...         while not supervisor.should_stop() and session.run(train) < 3:
    ...             pass
    ...         path = supervisor.saver.save(session, supervisor.save_path, step)
    >>> os.path.basename(path)
    'model.ckpt-3'
    """

    USE_DEFAULT: Any = 0

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Any], None] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        self._graph = get_default_graph() if graph is None else graph
        keys, one = GraphKeys, Scaffold.get_or_default
        with self._graph.as_default():

            def chosen(given: Any, key: str, make: Callable[[], Any]) -> Any:
                return one(key, key, make) if given is self.USE_DEFAULT else given

            self.ready_op = chosen(ready_op, keys.READY_OP, report_uninitialized_variables)
            self.ready_for_local_init_op = (
                None if ready_for_local_init_op is self.USE_DEFAULT else ready_for_local_init_op
            )
            self.init_op = chosen(init_op, keys.INIT_OP, global_variables_initializer)
            self.local_init_op = chosen(
                local_init_op, keys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
            self.saver = saver_of_collection() if saver is self.USE_DEFAULT else saver
            self.summary_op = chosen(summary_op, keys.SUMMARY_OP, summary.merge_all)
            self.global_step = (
                next(iter(self._graph.get_collection(keys.GLOBAL_STEP)), None)
                if global_step is self.USE_DEFAULT
                else global_step
            )
        self.is_chief = is_chief
        self.init_feed_dict, self.init_fn = init_feed_dict, init_fn
        self.coord = Coordinator()
        self._recovery, self._grace = recovery_wait_secs, stop_grace_secs
        self.save_summaries_secs = save_summaries_secs
        self.save_model_secs = save_model_secs
        self._folder = logdir if is_chief else None
        self.save_path = os.path.join(self._folder, checkpoint_basename) if self._folder else None
        self._writer = summary_writer
        if summary_writer is self.USE_DEFAULT:
            self._writer = summary.FileWriter(self._folder) if self._folder else None
        self.session_manager = session_manager or SessionManager(
            self.local_init_op,
            self.ready_op,
            self.ready_for_local_init_op,
            self._graph,
            recovery_wait_secs,
        )
        self._written = False
        self._graph.finalize()

    @property
    def summary_writer(self) -> Any:
        """The FileWriter."""
        return self._writer

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """A session that is ready.

        Args:
            master: Not used.
            config: Kept.
            wait_for_checkpoint: Whether to wait until there is a checkpoint.
            max_wait_secs: For how many seconds at most.
            start_standard_services: Whether to start the threads that save.

        Returns:
            The session.
        """
        self.coord.clear_stop()
        if self._writer is not None and hasattr(self._writer, "reopen"):
            self._writer.reopen()
        if not self.is_chief:
            session = self.session_manager.wait_for_session(master, config, max_wait_secs)
        else:
            session = self.session_manager.prepare_session(
                master,
                init_op=self.init_op,
                saver=self.saver,
                checkpoint_dir=self._folder,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self.init_feed_dict,
                init_fn=self.init_fn,
            )
            self._write_graph()
            if start_standard_services:
                self.start_standard_services(session)
        self.start_queue_runners(session)
        return session

    def _write_graph(self) -> None:
        if self._folder:
            write_graph(self._graph, self._folder, "graph.pbtxt")
        if self._writer is not None and not self._written:
            self._writer.add_graph(self._graph.as_graph_def())
            self._written = True

    def start_standard_services(self, sess: Any) -> list[Any] | None:
        """Start the threads that save checkpoints and summaries.

        Args:
            sess: The session.

        Returns:
            The threads; None where this is not the chief, or there is no folder.

        Raises:
            RuntimeError: If this is not the chief.
        """
        if not self.is_chief:
            raise blame.located(RuntimeError, "Only chief supervisor can start standard services. ")
        if not self._folder:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self.global_step is not None and self._writer is not None:
            started = SessionLog(status=_START)
            self._writer.add_session_log(started, int(sess.run(self.global_step)))
        threads = []
        if self.summary_op is not None and self.save_summaries_secs and self._writer is not None:
            threads.append(self.loop(self.save_summaries_secs, self._summarize, (sess,)))
            if self.global_step is not None:
                rates = _Rates(self, sess)
                threads.append(self.loop(self.save_summaries_secs, rates.write))
        if self.saver is not None and self.save_model_secs:
            threads.append(self.loop(self.save_model_secs, self._save, (sess,)))
        return threads

    def _step(self, sess: Any) -> int | None:
        return None if self.global_step is None else int(sess.run(self.global_step))

    def _summarize(self, sess: Any) -> None:
        self._writer.add_summary(sess.run(self.summary_op), self._step(sess))
        self._writer.flush()

    def _save(self, sess: Any) -> None:
        logging.info("Saving checkpoint to path %s", self.save_path)
        self.saver.save(sess, self.save_path, global_step=self.global_step)
        if self._writer is not None and self.global_step is not None:
            log = SessionLog(status=_CHECKPOINT, checkpoint_path=self.save_path)
            self._writer.add_session_log(log, self._step(sess))

    def start_queue_runners(
        self, sess: Any, queue_runners: Sequence[Any] | None = None
    ) -> list[Any]:
        """Start the threads of QueueRunners: those of the graph, or these.

        Args:
            sess: The session.
            queue_runners: QueueRunners; None: all of the graph.

        Returns:
            The threads.
        """
        if queue_runners is None:
            return start_queue_runners(sess, self.coord)
        return [t for r in queue_runners for t in r.create_threads(sess, self.coord, True, True)]

    def loop(
        self,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Start a thread that calls a function now and then, until all should stop.

        Args:
            timer_interval_secs: How many seconds lie between two calls.
            target: The function.
            args: Its arguments.
            kwargs: Its named arguments.

        Returns:
            The thread.
        """
        return LooperThread.loop(self.coord, timer_interval_secs, target, args, kwargs)

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Write a summary that the program has fetched.

        Args:
            sess: The session.
            summary: The bytes, or a Summary.
            global_step: The step; None: what the session says.

        Raises:
            RuntimeError: If there is no FileWriter.
        """
        if self._writer is None:
            raise blame.located(RuntimeError, "Writing a summary requires a summary writer.")
        step = self._step(sess) if global_step is None else global_step
        self._writer.add_summary(summary, step)

    def stop(
        self,
        threads: Any = None,
        close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:
        """Stop the threads, and close the FileWriter.

        Args:
            threads: Threads to wait for beside those that are registered.
            close_summary_writer: Whether it is closed.
            ignore_live_threads: Whether threads that go on are no error.
        """
        self.coord.request_stop()
        try:
            self.coord.join(threads, self._grace, ignore_live_threads)
        finally:
            if close_summary_writer and self._writer is not None:
                self._writer.add_session_log(SessionLog(status=_STOP))
                self._writer.close()
                self._written = False

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop."""
        self.coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether all should stop."""
        return self.coord.should_stop()

    def stop_on_exception(self) -> Any:
        """A context whose exceptions stop all threads."""
        return self.coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Wait until all should stop."""
        self.coord.wait_for_stop()

    @contextlib.contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:
        """A context that gives a session that is ready, and stops all at its end; where an
        exception has ended it, it is raised there, unless data was at its end.

        Args:
            master: Not used.
            config: Kept.
            start_standard_services: Whether to start the threads that save.
            close_summary_writer: Whether the FileWriter is closed at the end.

        Yields:
            The session.
        """
        session = None
        try:
            session = self.prepare_or_wait_for_session(
                master, config, start_standard_services=start_standard_services
            )
            yield session
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if session is not None:
                    session.close()


class _Rates:
    """Writes how many steps were made in a second."""

    def __init__(self, supervisor: Supervisor, session: Any) -> None:
        self._supervisor, self._session = supervisor, session
        counter: Any = supervisor.global_step
        self._tag = f"{counter.op.name}/sec"
        self._time, self._step = time.monotonic(), supervisor._step(session) or 0

    def write(self) -> None:
        now, step = time.monotonic(), self._supervisor._step(self._session) or 0
        seconds = now - self._time
        rate = (step - self._step) / seconds if seconds else float("inf")
        self._time, self._step = now, step
        found = Summary(value=[{"tag": self._tag, "simple_value": rate}])
        self._supervisor.summary_writer.add_summary(found, step)
        logging.info("%s: %g", self._tag, rate)


__all__ = ["Supervisor"]
