"""TensorFlow 1's `Saver`: the Variables of a graph by their names, in files as checkpoints are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfc.core import blame, errors
from tfc.core.tensor import wrap
from tfc.records import bundle_writer
from tfc.records.bundle_reader import BundleReader
from tfc.train.state import checkpoint_exists, remove_checkpoint, update_checkpoint_state

from ...graphs.meta_graphs import meta_graph_of
from ...graphs.trace import current_graph
from ...graphs.variables import global_variables
from .. import logging


class Saver:
    """Saves the values that Variables have in a session, and gives them back.

    Args:
        var_list: The Variables, or a dictionary of them by the names they have in files; None:
            all of the graph.
        reshape: Not used.
        sharded: Not used: there is one file.
        max_to_keep: How many checkpoints stay; None or 0: all.

    Raises:
        ValueError: If there are none.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "model")
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable([1.0, 2.0], name="v")
    ...     saver = tf.train.Saver()
    ...     session.run(v.initializer)
    ...     saved = saver.save(session, path, global_step=3)
    ...     v.load([0.0, 0.0], session)
    ...     saver.restore(session, saved)
    ...     print(os.path.basename(saved), session.run(v))
    model-3 [1. 2.]
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        **unused: Any,
    ) -> None:
        self._given, self._keep = var_list, max_to_keep
        self._saved: list[str] = []
        if var_list is None and current_graph() is None:
            raise RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or dict of "
                "variables to save"
            )
        if not self._variables():
            raise ValueError("No variables to save")

    def _variables(self) -> dict[str, Any]:
        given = global_variables() if self._given is None else self._given
        if isinstance(given, Mapping):
            return dict(given)
        return {v.name.removesuffix(":0"): v for v in given}

    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints that have been saved and are kept, the oldest first."""
        return list(self._saved)

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Take over checkpoints that were saved before: those that are there."""
        self._saved = [os.fsdecode(p) for p in checkpoint_paths if checkpoint_exists(p)]

    def set_last_checkpoints(self, last_checkpoints: Any) -> None:
        """Take over the paths of checkpoints, the oldest first."""
        self._saved = [os.fsdecode(p) for p in last_checkpoints]

    def save(
        self,
        sess: Any,
        save_path: str | os.PathLike[str],
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        **unused: Any,
    ) -> str:
        """Write a checkpoint, and beside it the graph, which `import_meta_graph` reads.

        Args:
            sess: The session.
            save_path: What the names of the files begin with.
            global_step: A number, Variable or tensor, which stands behind it.
            latest_filename: The name of the file that says which is the latest.
            meta_graph_suffix: The ending of the graph's file.
            write_meta_graph: Whether to write the graph.
            write_state: Whether to write that file.

        Returns:
            The path of the checkpoint.

        Raises:
            FailedPreconditionError: If a Variable has no value.
        """
        path = os.fsdecode(save_path)
        if global_step is not None:
            known = isinstance(global_step, int | np.integer)
            path += f"-{int(global_step if known else sess.run(global_step))}"
        variables = self._variables()
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        arrays = [np.asarray(a) for a in sess.run(list(variables.values()))]
        bundle_writer.write(path, dict(zip(variables, arrays, strict=True)), "Saver.save")
        if write_meta_graph and getattr(sess, "graph", None) is not None:
            message = meta_graph_of(sess.graph)
            with open(f"{path}.{meta_graph_suffix}", "wb") as file:
                file.write(message.SerializeToString())
        self._saved = [*(p for p in self._saved if p != path), path]
        while self._keep and len(self._saved) > self._keep:
            remove_checkpoint(self._saved.pop(0))
        if write_state:
            update_checkpoint_state(
                os.path.dirname(path), path, self._saved, latest_filename=latest_filename
            )
        return path

    def restore(self, sess: Any, save_path: str | None) -> None:
        """Give the Variables the values that a checkpoint has for their names.

        Args:
            sess: The session.
            save_path: The path that `save` gave.

        Raises:
            ValueError: If it is None, or there is no checkpoint, or a shape is another one.
            NotFoundError: If it has no value for one of the names.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        if not os.path.exists(f"{save_path}.index"):
            raise blame.value_error(
                f"The passed save_path is not a valid checkpoint: {save_path}", "Saver.restore"
            )
        logging.info("Restoring parameters from %s", save_path)
        reader = BundleReader(os.fsdecode(save_path), "Saver.restore")
        rows = []
        for name, variable in self._variables().items():
            if name not in reader:
                raise errors.NotFoundError(
                    f"Key {name} not found in checkpoint", op="Saver.restore"
                )
            array = reader.read(name)
            if not variable.shape.is_compatible_with(array.shape):
                raise blame.value_error(
                    f"{name} has shape {array.shape} in the checkpoint and {variable.shape} in the "
                    "graph",
                    "Saver.restore",
                )
            rows.append((variable, wrap(np.array(array, variable.dtype.as_numpy_dtype))))
        for variable, value in rows:
            sess.set(variable, value)


__all__ = ["Saver"]
