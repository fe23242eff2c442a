"""`tfc.compat.v1.train`: sessions whose Variables have values: from a checkpoint, or from what
initialises them. A Scaffold has what a graph needs for that."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from tfc.core import blame, errors
from tfc.train import get_checkpoint_state

from ...graphs.default_graph import get_default_graph
from ...graphs.graph import GraphKeys
from ...graphs.session import Session
from ...graphs.variables import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
)
from .. import logging, summary
from ..graph_ops import group
from ..state_ops import report_uninitialized_variables
from .saver import Saver


class SessionManager:
    """Makes sessions that are ready: their Variables have values.

    Args:
        local_init_op: What is run in each session: it initialises local Variables and tables.
        ready_op: Gives the names of Variables without values; None: not asked.
        ready_for_local_init_op: The same, asked before `local_init_op` runs.
        graph: The graph; None: the default one.
        recovery_wait_secs: How many seconds lie between two tries.
        local_init_run_options: Not used.
        local_init_feed_dict: What is fed to `local_init_op`.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0, name="v")
    ...     init = tf.global_variables_initializer()
    ...     manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    ...     with manager.prepare_session("", init_op=init) as session:
    ...         print(session.run(v))
    2.0
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        self._graph = get_default_graph() if graph is None else graph
        self._local_init, self._feeds = local_init_op, local_init_feed_dict
        self._ready, self._ready_for_local = ready_op, ready_for_local_init_op
        self._wait = recovery_wait_secs

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any], None] | None = None,
    ) -> Session:
        """A session with the values of a checkpoint, where there is one, or initialised.

        Args:
            master: Not used.
            init_op: What initialises Variables.
            saver: What restores them.
            checkpoint_dir: Where the latest checkpoint is looked for.
            checkpoint_filename_with_path: Or the checkpoint.
            wait_for_checkpoint: Whether to wait until there is one.
            max_wait_secs: For how many seconds at most.
            config: Kept.
            init_feed_dict: What is fed to `init_op`.
            init_fn: What is called with the session after it.

        Returns:
            The session.

        Raises:
            RuntimeError: If nothing initialises the Variables, or some have no values then.
        """
        session, restored = self._restored(
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        if not restored:
            if init_op is None and init_fn is None and self._local_init is None:
                raise blame.located(
                    RuntimeError,
                    "Model is not initialized and no init_op or init_fn or local_init_op was given",
                )
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn is not None:
                init_fn(session)
        shown = f"Init op: {getattr(init_op, 'name', None)}, init fn: {init_fn}"
        missing = self._initialized_locally(session)
        if missing:
            raise blame.located(
                RuntimeError,
                f"Init operations did not make model ready for local_init. {shown}, "
                f"error: {missing}",
            )
        missing = _missing(session, self._ready)
        if missing:
            local = getattr(self._local_init, "name", None)
            raise blame.located(
                RuntimeError,
                f"Init operations did not make model ready. {shown}, local_init_op: {local}, "
                f"error: {missing}",
            )
        return session

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """A session, and whether a checkpoint gave its Variables values.

        Args:
            master: Not used.
            saver: What restores them.
            checkpoint_dir: Where the latest checkpoint is looked for.
            checkpoint_filename_with_path: Or the checkpoint.
            wait_for_checkpoint: Whether to wait until there is one.
            max_wait_secs: For how many seconds at most.
            config: Kept.

        Returns:
            The session, and whether it is ready.
        """
        session, restored = self._restored(
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        if not restored:
            return session, False
        ready = not self._initialized_locally(session) and not _missing(session, self._ready)
        return session, ready

    def wait_for_session(
        self, master: str, config: Any = None, max_wait_secs: float = float("Inf")
    ) -> Session:
        """A session whose Variables others initialise.

        Args:
            master: Not used.
            config: Kept.
            max_wait_secs: For how many seconds to wait at most.

        Returns:
            The session.

        Raises:
            DeadlineExceededError: If they have no values by then.
        """
        end = time.monotonic() + (1e9 if max_wait_secs is None else min(max_wait_secs, 1e9))
        while True:
            session = Session(graph=self._graph, config=config)
            if not self._initialized_locally(session) and not _missing(session, self._ready):
                return session
            session.close()
            if time.monotonic() + self._wait > end:
                raise errors.DeadlineExceededError(
                    f"Session was not ready after waiting {max_wait_secs} secs.",
                    op="wait_for_session",
                )
            time.sleep(self._wait)

    def _restored(
        self, saver: Any, folder: Any, path: Any, waits: bool, seconds: float, config: Any
    ) -> tuple[Session, bool]:
        session = Session(graph=self._graph, config=config)
        if folder and path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        if saver is None or not (folder or path):
            return session, False
        if path:
            saver.restore(session, path)
            return session, True
        end = time.monotonic() + seconds
        while (state := get_checkpoint_state(os.fsdecode(folder))) is None or (
            not state.model_checkpoint_path
        ):
            if not waits or time.monotonic() >= end:
                return session, False
            time.sleep(self._wait)
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    def _initialized_locally(self, session: Session) -> str:
        """Run what each session runs; gives what it still lacks for that, if anything."""
        missing = _missing(session, self._ready_for_local)
        if not missing and self._local_init is not None:
            logging.info("Running local_init_op.")
            session.run(self._local_init, feed_dict=self._feeds)
            logging.info("Done running local_init_op.")
        return missing


def _missing(session: Session, ready: Any) -> str:
    """What says that a session is not ready; nothing if it is."""
    if ready is None:
        return ""
    try:
        names = session.run(ready)
    except errors.FailedPreconditionError as error:
        return f"an error occurred: {error}"
    if names is None or not names.size:
        return ""
    return "Variables not initialized: " + ", ".join(n.decode() for n in names)


class Scaffold:
    """What a graph needs for training: what initialises, saves, and sums it up. What is not given
    is made, or found in collections of the graph, by `finalize`.

    Args:
        init_op: What initialises global Variables.
        init_feed_dict: What is fed to it.
        init_fn: What is called after it, with the Scaffold and the session.
        ready_op: Gives the names of Variables without values.
        ready_for_local_init_op: The same, asked before `local_init_op` runs.
        local_init_op: What initialises local Variables and tables.
        summary_op: All summaries as one.
        saver: The Saver.
        copy_from_scaffold: A Scaffold, whose parts are taken where they are not given.
        local_init_feed_dict: What is fed to `local_init_op`.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     scaffold = tf.train.Scaffold(init_fn=lambda s, session: v.load(5.0, session))
    ...     with tf.train.SingularMonitoredSession(scaffold=scaffold) as session:
    ...         print(session.run(v))
    5.0
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[..., None] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def chosen(given: Any, name: str) -> Any:
            return getattr(other, name) if given is None and other is not None else given

        self._init_op = chosen(init_op, "init_op")
        self._init_feed_dict = chosen(init_feed_dict, "init_feed_dict")
        self._user_fn = chosen(init_fn, "_user_fn")
        self._ready_op = chosen(ready_op, "ready_op")
        self._ready_for_local_init_op = chosen(ready_for_local_init_op, "ready_for_local_init_op")
        self._local_init_op = chosen(local_init_op, "local_init_op")
        self._local_init_feed_dict = chosen(local_init_feed_dict, "local_init_feed_dict")
        self._summary_op = chosen(summary_op, "summary_op")
        self._saver = chosen(saver, "saver")

    def finalize(self) -> Scaffold:
        """Make or find what was not given, and note that the graph is whole.

        Returns:
            Itself.
        """
        keys, graph = GraphKeys, get_default_graph()

        def found(given: Any, key: str, make: Callable[[], Any]) -> Any:
            return given if given is not None else self.get_or_default(f"'{key}'", key, make)

        self._init_op = found(self._init_op, keys.INIT_OP, self.default_init_op)
        self._ready_op = found(
            self._ready_op, keys.READY_OP, lambda: report_uninitialized_variables()
        )
        self._ready_for_local_init_op = found(
            self._ready_for_local_init_op,
            "ready_for_local_init_op",
            lambda: report_uninitialized_variables(global_variables()),
        )
        self._local_init_op = found(
            self._local_init_op, keys.LOCAL_INIT_OP, self.default_local_init_op
        )
        self._summary_op = found(self._summary_op, keys.SUMMARY_OP, summary.merge_all)
        if self._saver is None:
            self._saver = saver_of_collection()
        graph.finalize()
        logging.info("Graph was finalized.")
        return self

    @property
    def init_fn(self) -> Callable[[Any], None] | None:
        """What is called with the session after `init_op`."""
        function = self._user_fn
        return None if function is None else lambda session: function(self, session)

    @property
    def init_op(self) -> Any:
        """What initialises global Variables."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """What is fed to it."""
        return self._init_feed_dict

    @property
    def ready_op(self) -> Any:
        """Gives the names of Variables without values."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The same, asked before `local_init_op` runs."""
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        """What initialises local Variables and tables."""
        return self._local_init_op

    @property
    def local_init_feed_dict(self) -> Any:
        """What is fed to it."""
        return self._local_init_feed_dict

    @property
    def summary_op(self) -> Any:
        """All summaries as one."""
        return self._summary_op

    @property
    def saver(self) -> Any:
        """The Saver."""
        return self._saver

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Any) -> Any:
        """What a collection holds, or else what is made, and added to it.

        Args:
            arg_name: What it is called in errors.
            collection_key: The collection.
            default_constructor: What makes it.

        Returns:
            It.

        Raises:
            RuntimeError: If the collection holds more than one.
        """
        graph = get_default_graph()
        held = graph.get_collection(collection_key)
        if len(held) > 1:
            raise blame.located(
                RuntimeError,
                f"More than one item in the collection {collection_key!r}. Please indicate which "
                f"one to use by passing it to the tf.Scaffold constructor as: "
                f"tf.Scaffold({arg_name}=item to use)",
            )
        if held:
            return held[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_init_op() -> Any:
        """What initialises all global Variables."""
        return group(global_variables_initializer())

    @staticmethod
    def default_local_init_op() -> Any:
        """What initialises local Variables, and tables."""
        tables = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
        return group(local_variables_initializer(), *tables)


def saver_of_collection() -> Any:
    """The Saver of the graph's collection of them, or one of all Variables, which is added to it;
    None where there are no Variables."""
    graph = get_default_graph()
    held = graph.get_collection(GraphKeys.SAVERS)
    if len(held) > 1:
        raise blame.located(
            RuntimeError,
            "More than one item in collection SAVERS. Please indicate which one to use by passing "
            "it to the tf.Scaffold constructor as: tf.Scaffold(saver=item to use)",
        )
    if held:
        return held[0]
    if not global_variables():
        return None
    made = Saver(sharded=True)
    graph.add_to_collection(GraphKeys.SAVERS, made)
    return made


__all__ = ["Scaffold", "SessionManager", "saver_of_collection"]
