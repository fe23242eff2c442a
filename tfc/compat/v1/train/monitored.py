"""`tfc.compat.v1.train`: sessions that initialise or restore themselves, call hooks around their
runs, and stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from tfc.core import blame, errors
from tfc.train import Coordinator

from ...graphs.graph import GraphKeys
from .hooks import SessionRunArgs, SessionRunContext, SessionRunValues
from .queue_runner import start_queue_runners
from .saving_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from .session_manager import Scaffold, SessionManager

_DEFAULT: Any = object()  # an argument that nobody has given
_LOST = (errors.AbortedError, errors.UnavailableError)  # of sessions that are made anew


class SessionCreator:
    """Makes the session of a MonitoredSession.

    >>> import tfc.compat.v1 as tf
    >>> class Plain(tf.train.SessionCreator):
    ...     def create_session(self):
    ...         return tf.Session()
    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1.0)
    ...     with tf.train.MonitoredSession(Plain()) as session:
    ...         print(session.run(x))
    1.0
    """

    def create_session(self) -> Any:
        """The session."""
        raise NotImplementedError("create_session is not implemented.")


class ChiefSessionCreator(SessionCreator):
    """Makes sessions whose Variables are initialised, or restored from a checkpoint.

    Args:
        scaffold: What does that; None: a Scaffold.
        master: Not used.
        config: Kept.
        checkpoint_dir: Where the latest checkpoint is looked for.
        checkpoint_filename_with_path: Or the checkpoint.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(4.0)
    ...     with tf.train.MonitoredSession(tf.train.ChiefSessionCreator()) as session:
    ...         print(session.run(v))
    4.0
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._config = config
        self._folder, self._path = checkpoint_dir, checkpoint_filename_with_path

    def _manager(self) -> SessionManager:
        scaffold = self._scaffold.finalize()
        return SessionManager(
            scaffold.local_init_op,
            scaffold.ready_op,
            scaffold.ready_for_local_init_op,
            local_init_feed_dict=scaffold.local_init_feed_dict,
        )

    def create_session(self) -> Any:
        manager, scaffold = self._manager(), self._scaffold
        return manager.prepare_session(
            "",
            init_op=scaffold.init_op,
            saver=scaffold.saver,
            checkpoint_dir=self._folder,
            checkpoint_filename_with_path=self._path,
            config=self._config,
            init_feed_dict=scaffold.init_feed_dict,
            init_fn=scaffold.init_fn,
        )


class WorkerSessionCreator(ChiefSessionCreator):
    """Makes sessions whose Variables another process, the chief, initialises. There are no servers
    that share Variables, so it waits in vain, but for graphs that have none.

    Args:
        scaffold: A Scaffold; None: a new one.
        master: Not used.
        config: Kept.
        max_wait_secs: For how many seconds it waits.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant(4.0)
    ...     with tf.train.MonitoredSession(tf.train.WorkerSessionCreator()) as session:
    ...         print(session.run(x))
    4.0
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        max_wait_secs: float = 30 * 60,
    ) -> None:
        super().__init__(scaffold, master, config)
        self._seconds = max_wait_secs

    def create_session(self) -> Any:
        return self._manager().wait_for_session("", self._config, self._seconds)


class StepContext:
    """What a function that `run_step_fn` calls is told."""

    def __init__(self, session: Any, run: Callable[..., Any]) -> None:
        self._session, self._run = session, run

    @property
    def session(self) -> Any:
        """The session below the monitored one: no hooks see its runs."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """As `run` of the monitored session."""
        return self._run(*args, **kwargs)

    def request_stop(self) -> None:
        """Let the monitored session stop.

        Raises:
            StopIteration: Always: it ends the function, and the `with` statement around.
        """
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Monitored:
    """What MonitoredSession and SingularMonitoredSession are."""

    StepContext = StepContext

    def __init__(
        self,
        session_creator: Any,
        hooks: Sequence[Any] | None,
        should_recover: bool,
        stop_grace_period_secs: float,
    ) -> None:
        self._hooks = list(hooks or ())
        self._recovers, self._grace = should_recover, stop_grace_period_secs
        for hook in self._hooks:
            hook.begin()
        self._creator = ChiefSessionCreator() if session_creator is None else session_creator
        self._session: Any = None
        self._stop = False
        self._create()

    def _create(self) -> None:
        self._session = self._creator.create_session()
        self._coordinator = Coordinator(clean_stop_exception_types=[])
        if self._session.graph.get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(self._session, self._coordinator)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coordinator)

    @property
    def graph(self) -> Any:
        """The graph; None once the session is closed."""
        return None if self._session is None else self._session.graph

    def _tf_sess(self) -> Any:
        return self._session

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Run fetches, as `Session.run`, and what hooks want with them.

        Args:
            fetches: What is fetched.
            feed_dict: What is fed.
            options: Given to hooks.
            run_metadata: Given to hooks.

        Returns:
            The values of the fetches.

        Raises:
            RuntimeError: If the session has stopped, or a hook feeds what is fed already.
        """
        return self._safely(lambda: self._run(fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Call a function with a StepContext, which can run with hooks or without.

        Args:
            step_fn: A function of `step_context`.

        Returns:
            What it gives.

        Raises:
            ValueError: If it takes something else.
        """
        code: Any = getattr(step_fn, "__code__", None)
        names: tuple[str, ...] = () if code is None else code.co_varnames[: code.co_argcount]
        bound = names[1:] if hasattr(step_fn, "__self__") else names
        outer = len(names) == 2 and names[0] == "self"
        if code is not None and bound != ("step_context",) and not outer:
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and "
                "`step_context` arguments if it's an instance method. Got "
                f"{names} instead."
            )
        return self._safely(lambda: step_fn(StepContext(self._session, self._run)))

    def _safely(self, run: Callable[[], Any]) -> Any:
        while True:
            if self._session is None:
                raise blame.located(RuntimeError, "Session is already closed.")
            try:
                return run()
            except _LOST:
                if not self._recovers:
                    raise
                self._end()
                self._create()
            except Exception as error:
                try:
                    self._coordinator.raise_requested_exception()
                except _LOST:
                    raise
                except Exception:
                    raise error from None
                raise

    def _run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        if self.should_stop():
            raise blame.located(RuntimeError, "Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict, options), self._session)
        feeds = dict(feed_dict or {})
        wanted: dict[Any, Any] = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            both = set(feeds) & set(request.feed_dict or {})
            if both:
                raise blame.located(
                    RuntimeError, f"Same tensor is fed by two hooks, or by one and run: {both}"
                )
            feeds.update(request.feed_dict or {})
        results = self._session.run({"caller": fetches, **wanted}, feeds, options, run_metadata)
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(results.get(hook), options, run_metadata))
        self._stop = self._stop or context.stop_requested
        return results["caller"]

    def should_stop(self) -> bool:
        """Whether it has stopped: a hook or a thread has asked for it, or it is closed."""
        return self._session is None or self._stop or self._coordinator.should_stop()

    def close(self) -> None:
        """End it: hooks first."""
        self._close(None)

    def _close(self, raised: type[BaseException] | None) -> None:
        try:
            if raised is None:
                for hook in self._hooks:
                    hook.end(self._session)
        finally:
            if self._session is None:
                raise blame.located(RuntimeError, "Session is already closed.")
            self._end()

    def _end(self) -> None:
        session, self._session = self._session, None
        self._coordinator.request_stop()
        try:
            self._coordinator.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            session.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self,
        raised: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        clean = raised is None or issubclass(raised, errors.OutOfRangeError | StopIteration)
        self._close(None if clean else raised)
        return clean


class MonitoredSession(_Monitored):
    """A session that is initialised, or restored from a checkpoint, by itself, that starts the
    threads of queues, calls hooks around its runs, and ends a `with` statement without an error
    where data is at its end. After an AbortedError or UnavailableError it is made anew.

    Args:
        session_creator: Makes the session; None: a ChiefSessionCreator.
        hooks: SessionRunHooks.
        stop_grace_period_secs: For how many seconds threads may go on at the end.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0)
    ...     more = tf.assign_add(v, 1.0)
    ...     with tf.train.MonitoredSession() as session:
    ...         print(session.run(more), session.should_stop())
    2.0 False
    """

    def __init__(
        self,
        session_creator: Any = None,
        hooks: Sequence[Any] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_Monitored):
    """As MonitoredSession, of one session: errors end it.

    Args:
        hooks: SessionRunHooks.
        scaffold: A Scaffold.
        master: Not used.
        config: Kept.
        checkpoint_dir: Where the latest checkpoint is looked for.
        stop_grace_period_secs: For how many seconds threads may go on at the end.
        checkpoint_filename_with_path: A checkpoint that is restored.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0)
    ...     with tf.train.SingularMonitoredSession() as session:
    ...         print(session.run(v), session.raw_session().run(v))
    1.0 1.0
    """

    def __init__(
        self,
        hooks: Sequence[Any] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self) -> Any:
        """The session below."""
        return self._session


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: Sequence[Any] | None = None,
    chief_only_hooks: Sequence[Any] | None = None,
    save_checkpoint_secs: float | None = _DEFAULT,
    save_summaries_steps: int | None = _DEFAULT,
    save_summaries_secs: float | None = _DEFAULT,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: int | None = _DEFAULT,
    summary_dir: str | None = None,
    save_graph_def: bool = True,
) -> MonitoredSession:
    """A MonitoredSession for training, which saves checkpoints and summaries, and goes on where
    the latest checkpoint is.

    Args:
        master: Not used.
        is_chief: Whether it initialises, restores and saves.
        checkpoint_dir: The folder of checkpoints; None: there are none.
        scaffold: A Scaffold.
        hooks: SessionRunHooks.
        chief_only_hooks: Those of the chief alone.
        save_checkpoint_secs: After how many seconds a checkpoint is saved: 600, where nothing is
            said of steps.
        save_summaries_steps: After how many steps summaries are: 100, where nothing is said.
        save_summaries_secs: Or after how many seconds.
        config: Kept.
        stop_grace_period_secs: For how many seconds threads may go on at the end.
        log_step_count_steps: After how many steps it is logged how fast they are.
        max_wait_secs: For how many seconds to wait for the chief.
        save_checkpoint_steps: After how many steps a checkpoint is saved.
        summary_dir: The folder of event files; None: that of checkpoints.
        save_graph_def: Whether the graph is written beside checkpoints.

    Returns:
        A MonitoredSession.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> folder = tempfile.mkdtemp()
    >>> for last in 3, 5:
    ...     with tf.Graph().as_default():
    ...         train = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    ...         stop = tf.train.StopAtStepHook(last_step=last)
    ...         with tf.train.MonitoredTrainingSession(
    ...             checkpoint_dir=folder, hooks=[stop]
    ...         ) as session:
    ...             while not session.should_stop():
    ...                 step = session.run(train)
    ...         print(step)
    3
    5
    >>> os.path.basename(tf.train.latest_checkpoint(folder))
    'model.ckpt-5'
    """
    if save_summaries_steps is _DEFAULT and save_summaries_secs is _DEFAULT:
        save_summaries_steps, save_summaries_secs = 100, None
    elif save_summaries_secs is _DEFAULT:
        save_summaries_secs = None
    elif save_summaries_steps is _DEFAULT:
        save_summaries_steps = None
    if save_checkpoint_steps is _DEFAULT and save_checkpoint_secs is _DEFAULT:
        save_checkpoint_steps, save_checkpoint_secs = None, 600
    elif save_checkpoint_secs is _DEFAULT:
        save_checkpoint_secs = None
    elif save_checkpoint_steps is _DEFAULT:
        save_checkpoint_steps = None
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks, stop_grace_period_secs)
    own: list[Any] = list(chief_only_hooks or ())
    events = summary_dir or checkpoint_dir
    if events:
        if log_step_count_steps and log_step_count_steps > 0:
            own.append(StepCounterHook(log_step_count_steps, output_dir=events))
        if (save_summaries_steps or 0) > 0 or (save_summaries_secs or 0) > 0:
            own.append(
                SummarySaverHook(
                    save_summaries_steps, save_summaries_secs, events, scaffold=scaffold
                )
            )
    if checkpoint_dir and ((save_checkpoint_secs or 0) > 0 or (save_checkpoint_steps or 0) > 0):
        own.append(
            CheckpointSaverHook(
                checkpoint_dir,
                save_checkpoint_secs,
                save_checkpoint_steps,
                scaffold=scaffold,
                save_graph_def=save_graph_def,
            )
        )
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(creator, [*own, *(hooks or ())], stop_grace_period_secs)


__all__ = [
    "ChiefSessionCreator",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "SessionCreator",
    "SingularMonitoredSession",
    "WorkerSessionCreator",
]
