"""`tfc.compat.v1.train`: the count of steps, and what else stands under this name: optimizers, the
`Saver`, and what is asked of checkpoints."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.train import (
    Checkpoint,
    CheckpointManager,
    CheckpointOptions,
    Coordinator,
    checkpoints_iterator,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfc.train.looking import CheckpointReader
from tfc.train.state import checkpoint_exists, remove_checkpoint, update_checkpoint_state

from ...graphs.graph import GraphKeys
from ...graphs.trace import current_graph
from .optimizers import (
    AdagradOptimizer,
    AdamOptimizer,
    ExponentialMovingAverage,
    GradientDescentOptimizer,
    MomentumOptimizer,
    Optimizer,
    RMSPropOptimizer,
    exponential_decay,
)
from .saver import Saver

_steps: list[Any] = []  # the Variable, once somebody asked for it

NewCheckpointReader = CheckpointReader


def get_global_step(graph: Any = None) -> Any:
    """The Variable that counts steps, or None before `get_or_create_global_step` made it."""
    found = graph or current_graph()
    if found is not None:
        return next(iter(found.get_collection(GraphKeys.GLOBAL_STEP)), None)
    return _steps[0] if _steps else None


def get_or_create_global_step(graph: Any = None) -> Any:
    """The Variable, an int64, that counts the steps of training: one in a graph, and one in the
    process where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> step = tf.train.get_or_create_global_step()
    >>> step is tf.train.get_or_create_global_step(), step.dtype
    (True, tf.int64)
    """
    found = get_global_step(graph)
    if found is not None:
        return found
    here = current_graph()
    if here is not None:
        zero = _tfc.constant(0, _tfc.int64)
        made = _tfc.Variable(zero, trainable=False, name="global_step")
        here.add_to_collection(GraphKeys.GLOBAL_STEP, made)
        return made
    if not _steps:
        with _tfc.init_scope():
            _steps.append(_tfc.Variable(0, trainable=False, dtype=_tfc.int64, name="global_step"))
    return _steps[0]


__all__ = [
    "AdagradOptimizer",
    "AdamOptimizer",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "Coordinator",
    "ExponentialMovingAverage",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "NewCheckpointReader",
    "Optimizer",
    "RMSPropOptimizer",
    "Saver",
    "checkpoint_exists",
    "checkpoints_iterator",
    "exponential_decay",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "remove_checkpoint",
    "update_checkpoint_state",
]
