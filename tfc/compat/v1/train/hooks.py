"""`tfc.compat.v1.train`: hooks, which monitored sessions call around their runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from tfc.core import blame

from ...graphs.default_graph import get_default_graph
from ...graphs.graph import GraphKeys
from .. import logging


class SessionRunArgs(NamedTuple):
    """What a hook wants from a run, beside what the program fetches.

    >>> import tfc.compat.v1 as tf
    >>> tf.train.SessionRunArgs(["loss:0"]).feed_dict is None
    True
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What a run gave to a hook: `results` are the values of its fetches.

    >>> import tfc.compat.v1 as tf
    >>> tf.train.SessionRunValues(3, None, None).results
    3
    """

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """What a hook is told of the run that it is called around.

    Attributes:
        original_args: The SessionRunArgs of the program.
        session: The session below the monitored one.
        stop_requested: Whether a hook has asked to stop.

    >>> import tfc.compat.v1 as tf
    >>> context = tf.train.SessionRunContext(tf.train.SessionRunArgs([]), None)
    >>> context.request_stop()
    >>> context.stop_requested
    True
    """

    def __init__(self, original_args: Any, session: Any) -> None:
        self._args, self._session, self._stop = original_args, session, False

    @property
    def original_args(self) -> Any:
        """What the program asked `run` for."""
        return self._args

    @property
    def session(self) -> Any:
        """The session that runs."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether the monitored session should stop."""
        return self._stop

    def request_stop(self) -> None:
        """Let the monitored session stop after this run."""
        self._stop = True


class SessionRunHook:
    """What a monitored session calls when it begins, around each run, and at its end. Classes of
    their own say what happens then.

    >>> import tfc.compat.v1 as tf
    >>> class Count(tf.train.SessionRunHook):
    ...     runs = 0
    ...     def after_run(self, run_context, run_values):
    ...         self.runs += 1
    >>> count = Count()
    >>> with tf.Graph().as_default():
    ...     x = tf.constant(2.0)
    ...     with tf.train.MonitoredSession(hooks=[count]) as session:
    ...         print(session.run(x), count.runs)
    2.0 1
    """

    def begin(self) -> None:
        """Before the session is made: the graph can still be added to."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """After a session was made."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Before each run.

        Returns:
            What the hook wants from it, or None.
        """

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """After each run."""

    def end(self, session: Any) -> None:
        """At the end, unless it is an error."""


class SecondOrStepTimer:
    """Says whether it is time, by seconds or by steps.

    Args:
        every_secs: After how many seconds it is; None: steps say it.
        every_steps: After how many steps it is.

    Raises:
        ValueError: If neither or both are given.

    >>> import tfc.compat.v1 as tf
    >>> timer = tf.train.SecondOrStepTimer(every_steps=2)
    >>> timer.should_trigger_for_step(0), timer.update_last_triggered_step(0)
    (True, (None, None))
    >>> timer.should_trigger_for_step(1), timer.should_trigger_for_step(2)
    (False, True)
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._seconds, self._steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it was time."""
        self._step: int | None = None
        self._time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at a step: the first time always, and never twice at one step."""
        if self._step is None or self._time is None:
            return True
        if self._step == step:
            return False
        if self._seconds is not None:
            return time.time() >= self._time + self._seconds
        assert self._steps is not None
        return step >= self._step + self._steps

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Note that it is time at a step.

        Returns:
            Seconds and steps since the last time; None where this is the first.
        """
        now, past = time.time(), (self._time, self._step)
        self._time, self._step = now, step
        if past[0] is None or past[1] is None:
            return None, None
        return now - past[0], step - past[1]

    def last_triggered_step(self) -> int | None:
        """The step at which it was time."""
        return self._step


def counted_steps(hook: Any) -> Any:
    """The Variable that counts steps.

    Raises:
        RuntimeError: If there is none in the graph.
    """
    found = get_default_graph().get_collection(GraphKeys.GLOBAL_STEP)
    if not found:
        name = type(hook).__name__
        raise blame.located(RuntimeError, f"Global step should be created to use {name}.")
    return found[0]


class StopAtStepHook(SessionRunHook):
    """Stops at a step.

    Args:
        num_steps: After how many steps from where the session begins.
        last_step: At which step.

    Raises:
        ValueError: If neither or both are given.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     step = tf.train.get_or_create_global_step()
    ...     train, hook = tf.assign_add(step, 1), tf.train.StopAtStepHook(last_step=3)
    ...     with tf.train.MonitoredTrainingSession(hooks=[hook]) as session:
    ...         while not session.should_stop():
    ...             last = session.run(train)
    >>> int(last)
    3
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._count, self._last = num_steps, last_step

    def begin(self) -> None:
        self._step = counted_steps(self)

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last is None:
            assert self._count is not None
            self._last = int(session.run(self._step)) + self._count

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        assert self._last is not None
        if run_values.results + 1 >= self._last and (
            run_context.session.run(self._step) >= self._last
        ):
            run_context.request_stop()


class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors now and then, as messages of `tf.logging.info`.

    Args:
        tensors: Tensors or their names, or a dictionary of them by what they are called.
        every_n_iter: After how many runs; the first is one of them.
        every_n_secs: Or after how many seconds.
        at_end: Whether they are logged at the end.
        formatter: Makes a line of a dictionary of values; None: "name = value" of each.

    Raises:
        ValueError: If not just one of the three says when.

    >>> import tfc.compat.v1 as tf
    >>> hook = tf.train.LoggingTensorHook({"loss": "loss:0"}, every_n_iter=10)
    >>> isinstance(hook, tf.train.SessionRunHook)
    True
    """

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[Any], str] | None = None,
    ) -> None:
        self._only_end = at_end and every_n_iter is None and every_n_secs is None
        if not self._only_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be "
                "provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._given = tensors if isinstance(tensors, Mapping) else {t: t for t in tensors}
        self._at_end, self._formatter = at_end, formatter
        self._timer = SecondOrStepTimer(every_n_secs, 1 if self._only_end else every_n_iter)
        self._count, self._due = 0, False

    def begin(self) -> None:
        self._timer.reset()
        self._count = 0
        find = get_default_graph().as_graph_element
        self._tensors = {name: find(tensor) for name, tensor in self._given.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._due = not self._only_end and self._timer.should_trigger_for_step(self._count)
        return SessionRunArgs(self._tensors) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._due:
            self._log(run_values.results)
        self._count += 1

    def end(self, session: Any) -> None:
        if self._at_end:
            self._log(session.run(self._tensors))

    def _log(self, values: Any) -> None:
        seconds, _ = self._timer.update_last_triggered_step(self._count)
        if self._formatter is not None:
            logging.info(self._formatter(values))
            return
        with np.printoptions(suppress=True):
            text = ", ".join(f"{name} = {values[name]!s}" for name in self._given)
        logging.info(text if seconds is None else f"{text} ({seconds:.3f} sec)")


class NanLossDuringTrainingError(RuntimeError):
    """What NanTensorHook raises.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.train.NanLossDuringTrainingError())
    NaN loss during training.
    """

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Stops where a loss is NaN.

    Args:
        loss_tensor: The loss.
        fail_on_nan_loss: Whether to raise NanLossDuringTrainingError, or else only to stop.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     loss = tf.placeholder(tf.float32, [])
    ...     with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(loss, False)]) as session:
    ...         _ = session.run(loss, {loss: 1.0})
    ...         print(session.should_stop())
    False
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if np.isnan(run_values.results):
            message = "Model diverged with loss = NaN."
            if self._fail:
                logging.error(message)
                raise NanLossDuringTrainingError
            logging.warning(message)
            run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Waits before each run until others have made a number of steps.

    Args:
        wait_until_step: That number.

    >>> import tfc.compat.v1 as tf
    >>> hook = tf.train.GlobalStepWaiterHook(0)
    >>> isinstance(hook, tf.train.SessionRunHook)
    True
    """

    def __init__(self, wait_until_step: int) -> None:
        self._until = wait_until_step

    def begin(self) -> None:
        self._done = False
        self._step = counted_steps(self)

    def before_run(self, run_context: SessionRunContext) -> None:
        while not self._done and self._until > 0:
            if run_context.session.run(self._step) >= self._until:
                break
            time.sleep(0.5)
        self._done = True


class FinalOpsHook(SessionRunHook):
    """Runs something at the end.

    Args:
        final_ops: What is fetched: a tensor, an operation, or a structure of them.
        final_ops_feed_dict: What is fed for it.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     hook = tf.train.FinalOpsHook(tf.constant(3.0))
    ...     with tf.train.MonitoredSession(hooks=[hook]) as session:
    ...         pass
    >>> print(hook.final_ops_values)
    3.0
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._ops, self._feeds, self._values = final_ops, final_ops_feed_dict, None

    @property
    def final_ops_values(self) -> Any:
        """What was fetched."""
        return self._values

    def end(self, session: Any) -> None:
        if self._ops is not None:
            self._values = session.run(self._ops, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Feeds each run.

    Args:
        feed_fn: Gives a dictionary of values by tensors, or their names.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.placeholder(tf.float32, [])
    ...     hook = tf.train.FeedFnHook(lambda: {x: 2.0})
    ...     with tf.train.MonitoredSession(hooks=[hook]) as session:
    ...         print(session.run(x * 3.0))
    6.0
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(None, self.feed_fn())


__all__ = [
    "FeedFnHook",
    "FinalOpsHook",
    "GlobalStepWaiterHook",
    "LoggingTensorHook",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "SecondOrStepTimer",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "StopAtStepHook",
    "counted_steps",
]
