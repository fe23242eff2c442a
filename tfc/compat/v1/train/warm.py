"""`tfc.compat.v1.train`: Variables that begin with what a checkpoint has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.core import blame
from tfc.train import latest_checkpoint, load_checkpoint

from ...graphs.trace import current_graph
from ...graphs.variables import GraphVariable, global_variables


def init_from_checkpoint(ckpt_dir_or_file: str | os.PathLike[str], assignment_map: Any) -> None:
    """Let Variables begin with values of a checkpoint: their initializers give these from here on.

    Args:
        ckpt_dir_or_file: A checkpoint, or the folder of the latest one.
        assignment_map: From names in the checkpoint to Variables or their names; or from scopes
            there ("old/", or "/" for all) to scopes here ("new/").

    Raises:
        RuntimeError: If there is no graph.
        ValueError: If there is no such name here or there, or a shape is another one.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "model")
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     old = tf.get_variable("old/w", initializer=[1.0, 2.0])
    ...     session.run(old.initializer)
    ...     path = tf.train.Saver().save(session, path)
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     new = tf.get_variable("new/w", [2])
    ...     tf.train.init_from_checkpoint(path, {"old/": "new/"})
    ...     session.run(new.initializer)
    ...     print(session.run(new))
    [1. 2.]
    """
    op = "train.init_from_checkpoint"
    if current_graph() is None:
        raise blame.located(RuntimeError, "init_from_checkpoint needs a graph: see Checkpoint.read")
    folder = os.fsdecode(ckpt_dir_or_file)
    path = latest_checkpoint(folder) if os.path.isdir(folder) else folder
    if path is None:
        raise blame.value_error(f"Couldn't find 'checkpoint' file or checkpoints in {folder}", op)
    reader = load_checkpoint(path)
    here = {v.op_name: v for v in global_variables()}
    pairs = assignment_map.items() if isinstance(assignment_map, Mapping) else assignment_map
    there = reader.get_variable_to_shape_map()
    for source, target in pairs:
        if isinstance(target, str) and target.endswith("/"):
            prefix = "" if source == "/" else source
            scope = "" if target == "/" else target
            for name, variable in here.items():
                own = f"{prefix}{name.removeprefix(scope)}"
                if name.startswith(scope) and own not in there:
                    raise blame.value_error(
                        f"Tensor {own} ({name} in {target}) is not found in {path} checkpoint", op
                    )
                if name.startswith(scope):
                    _begin(variable, reader.get_tensor(own), own, op)
            continue
        found = here.get(target) if isinstance(target, str) else target
        for variable in found if isinstance(found, list | tuple) else [found]:
            if not isinstance(variable, GraphVariable):
                raise blame.value_error(f"Variable {target} is not in the graph", op)
            if source not in there:
                raise blame.value_error(f"Tensor {source} is not found in {path} checkpoint", op)
            _begin(variable, reader.get_tensor(source), source, op)


def _begin(variable: GraphVariable, array: Any, name: str, op: str) -> None:
    """Let a Variable begin with an array."""
    values = np.asarray(array)
    if not variable.shape.is_compatible_with(values.shape):
        raise blame.value_error(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of "
            f"tensor {name} ({values.shape}) from checkpoint reader.",
            op,
        )
    tensor = variable.graph.constant(
        _tfc.constant(values, variable.dtype), "checkpoint_initializer"
    )
    variable.initial_value = tensor
    variable.initializer.values = (tensor._value,)
    variable.initializer.assigns = variable, tensor._value


def assert_global_step(global_step_tensor: Any) -> None:
    """Check that something counts steps: a scalar of integers.

    Args:
        global_step_tensor: A Variable or tensor.

    Raises:
        TypeError: If it is another one.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.train.assert_global_step(tf.train.create_global_step())
    """
    given = global_step_tensor
    if not _tfc.is_tensor(given):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {given}.')
    if not given.dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {given.dtype}')
    if given.shape.rank != 0:
        raise TypeError(f'Existing "global_step" is not scalar: {given.shape}')


def basic_train_loop(
    supervisor: Any,
    train_step_fn: Any,
    args: Any = None,
    kwargs: Any = None,
    master: str = "",
) -> None:
    """Train with a Supervisor until it should stop.

    Args:
        supervisor: A Supervisor.
        train_step_fn: A step: a function of the session and `args`.
        args: Its arguments behind the session.
        kwargs: Its named arguments.
        master: Not used.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     more = tf.assign_add(tf.train.create_global_step(), 1)
    ...     supervisor = tf.train.Supervisor()
    ...     def step(session):
    ...         if session.run(more) == 3:
    ...             supervisor.request_stop()
    ...     tf.train.basic_train_loop(supervisor, step)
    """
    with supervisor.managed_session(master) as session:
        while not supervisor.should_stop():
            train_step_fn(session, *(args or ()), **(kwargs or {}))


__all__ = ["assert_global_step", "basic_train_loop", "init_from_checkpoint"]
