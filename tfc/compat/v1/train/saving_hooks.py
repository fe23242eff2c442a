"""`tfc.compat.v1.train`: hooks that write: checkpoints, summaries, how fast steps are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tfc.core import blame
from tfc.records.event import SessionLog, Summary

from ...graphs.default_graph import get_default_graph
from ...graphs.graph import GraphKeys
from .. import logging, summary
from .hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    counted_steps,
)
from .writing import write_graph

_START, _CHECKPOINT = 1, 3  # of SessionLog.status


class CheckpointSaverListener:
    """What a CheckpointSaverHook calls around saving. Classes of their own say what happens then.

    >>> import tfc.compat.v1 as tf
    >>> isinstance(tf.train.CheckpointSaverListener(), tf.train.CheckpointSaverListener)
    True
    """

    def begin(self) -> None:
        """Before the session is made."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Before a checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> Any:
        """After a checkpoint was written.

        Returns:
            Whether the session should stop.
        """

    def end(self, session: Any, global_step_value: int) -> None:
        """At the end, after the last one."""


class CheckpointSaverHook(SessionRunHook):
    """Saves checkpoints: at the beginning, now and then, and at the end.

    Args:
        checkpoint_dir: The folder.
        save_secs: After how many seconds.
        save_steps: Or after how many steps.
        saver: The Saver; None: that of `scaffold`, or of the graph's collection of savers.
        checkpoint_basename: What the names of the files begin with.
        scaffold: A Scaffold.
        listeners: CheckpointSaverListeners.
        save_graph_def: Whether the graph is written as `graph.pbtxt`.

    Raises:
        ValueError: If both a saver and a scaffold are given.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> folder = tempfile.mkdtemp()
    >>> with tf.Graph().as_default():
    ...     step = tf.train.create_global_step()
    ...     hook = tf.train.CheckpointSaverHook(folder, save_steps=2, saver=tf.train.Saver())
    ...     train = tf.assign_add(step, 1)
    ...     with tf.train.MonitoredSession(hooks=[hook]) as session:
    ...         _ = session.run(train)
    >>> os.path.basename(tf.train.latest_checkpoint(folder))
    'model.ckpt-1'
    """

    def __init__(
        self,
        checkpoint_dir: str,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Sequence[Any] | None = None,
        save_graph_def: bool = True,
    ) -> None:
        logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold = saver, scaffold
        self._folder = os.fsdecode(checkpoint_dir)
        self._path = os.path.join(self._folder, checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._listeners = list(listeners or ())
        self._save_graph_def = save_graph_def

    def begin(self) -> None:
        self._writer = summary.FileWriterCache.get(self._folder)
        self._step = counted_steps(self)
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        step = int(session.run(self._step))
        if self._save_graph_def:
            write_graph(session.graph, self._folder, "graph.pbtxt")
        self._writer.add_graph(session.graph.as_graph_def())
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._timer.should_trigger_for_step(int(run_values.results) + 1):
            return
        step = int(run_context.session.run(self._step))
        if self._timer.should_trigger_for_step(step):
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Write a checkpoint; gives whether a listener wants to stop."""
        logging.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        logging.info("Saving checkpoints for %d into %s.", step, self._path)
        self._get_saver().save(session, self._path, global_step=step)
        log = SessionLog(status=_CHECKPOINT, checkpoint_path=self._path)
        self._writer.add_session_log(log, step)
        self._writer.flush()
        logging.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        return any([listener.after_save(session, step) for listener in self._listeners])

    def _get_saver(self) -> Any:
        if self._saver is None and self._scaffold is not None:
            return self._scaffold.saver
        if self._saver is None:
            found = get_default_graph().get_collection(GraphKeys.SAVERS)
            if len(found) != 1:
                raise blame.located(
                    RuntimeError,
                    "No items in collection SAVERS. Please add a saver to the collection or "
                    "provide a saver or scaffold."
                    if not found
                    else "More than one item in collection SAVERS. Please indicate which one to "
                    "use by passing it to the constructor.",
                )
            self._saver = found[0]
        return self._saver


class StepCounterHook(SessionRunHook):
    """Logs how many steps are made in a second, and writes it as a summary.

    Args:
        every_n_steps: After how many steps; None: `every_n_secs` says when.
        every_n_secs: Or after how many seconds.
        output_dir: The folder of event files.
        summary_writer: A FileWriter instead.

    Raises:
        ValueError: If not just one of the two says when.

    >>> import tfc.compat.v1 as tf
    >>> isinstance(tf.train.StepCounterHook(10), tf.train.SessionRunHook)
    True
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._writer, self._folder = summary_writer, output_dir

    def begin(self) -> None:
        if self._writer is None and self._folder:
            self._writer = summary.FileWriterCache.get(self._folder)
        self._step = counted_steps(self)
        self._tag = f"{self._step.op.name}/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._timer.should_trigger_for_step(int(run_values.results) + 1):
            return
        step = int(run_context.session.run(self._step))
        if not self._timer.should_trigger_for_step(step):
            return
        seconds, steps = self._timer.update_last_triggered_step(step)
        if seconds is not None and steps is not None:
            self._log_and_record(steps, seconds, step)

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        """Log and write what was measured: programs have classes that do something else."""
        rate = elapsed_steps / elapsed_time
        if self._writer is not None:
            found = Summary(value=[{"tag": self._tag, "simple_value": rate}])
            self._writer.add_summary(found, global_step)
        logging.info("%s: %g", self._tag, rate)


class SummarySaverHook(SessionRunHook):
    """Writes summaries now and then, from the first run on.

    Args:
        save_steps: After how many steps.
        save_secs: Or after how many seconds.
        output_dir: The folder of event files.
        summary_writer: A FileWriter instead.
        scaffold: A Scaffold, whose `summary_op` is taken.
        summary_op: A summary, or a list of them.

    Raises:
        ValueError: If not just one of scaffold and summary_op is given.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     loss = tf.summary.scalar("loss", tf.constant(1.0))
    ...     hook = tf.train.SummarySaverHook(save_steps=10, output_dir="/tmp", summary_op=loss)
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary, self._scaffold = summary_op, scaffold
        self._writer, self._folder = summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        if self._writer is None and self._folder:
            self._writer = summary.FileWriterCache.get(self._folder)
        self._next: int | None = None
        self._step = counted_steps(self)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        fetches = {"global_step": self._step}
        wanted = self._scaffold.summary_op if self._summary is None else self._summary
        if self._due and wanted is not None:
            fetches["summary"] = wanted if isinstance(wanted, list | tuple) else [wanted]
        return SessionRunArgs(fetches)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._writer is None:
            return
        step = int(run_values.results["global_step"]) + 1
        if self._next is None or self._due:
            step = int(run_context.session.run(self._step))
        if self._next is None:
            self._writer.add_session_log(SessionLog(status=_START), step)
        if self._due:
            self._timer.update_last_triggered_step(step)
            for found in run_values.results.get("summary", ()):
                self._writer.add_summary(found, step)
        self._next = step + 1

    def end(self, session: Any) -> None:
        if self._writer is not None:
            self._writer.flush()


__all__ = [
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "StepCounterHook",
    "SummarySaverHook",
]
