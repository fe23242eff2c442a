"""`tfc.compat.v1.train`: gradient descent as the first eager programs write it, their count of
steps, and what is asked of checkpoints there. Other optimizers of TensorFlow 1 are not here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tfc as _tfc
from tfc.core.context import user_location
from tfc.core.indexed_slices import IndexedSlices
from tfc.core.types import TensorLike
from tfc.core.variable import Variable
from tfc.train import (
    Checkpoint,
    CheckpointManager,
    CheckpointOptions,
    checkpoints_iterator,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfc.train.looking import CheckpointReader
from tfc.train.state import checkpoint_exists, remove_checkpoint, update_checkpoint_state

_steps: list[Any] = []  # the Variable, once somebody asked for it

NewCheckpointReader = CheckpointReader


def get_global_step(graph: Any = None) -> Any:
    """The Variable that counts steps, or None before `get_or_create_global_step` made it."""
    return _steps[0] if _steps else None


def get_or_create_global_step(graph: Any = None) -> Any:
    """The Variable, an int64, that counts the steps of training: one in a process.

    >>> import tfc.compat.v1 as tf
    >>> step = tf.train.get_or_create_global_step()
    >>> step is tf.train.get_or_create_global_step(), step.dtype
    (True, tf.int64)
    """
    if not _steps:
        with _tfc.init_scope():
            _steps.append(_tfc.Variable(0, trainable=False, dtype=_tfc.int64, name="global_step"))
    return _steps[0]


class GradientDescentOptimizer:
    """Moves Variables against their gradients, by `learning_rate` times these: a number, a scalar
    tensor, or a callable that gives one.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(2.0)
    >>> optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.25)
    >>> optimizer.minimize(lambda: w * w)
    >>> float(w)
    1.0
    """

    def __init__(
        self,
        learning_rate: TensorLike | Callable[[], TensorLike],
        use_locking: bool = False,
        name: str = "GradientDescent",
    ) -> None:
        self._learning_rate = learning_rate
        self._name = name

    def get_name(self) -> str:
        """The optimizer's name."""
        return self._name

    def minimize(
        self,
        loss: Callable[[], Any],
        global_step: Variable | None = None,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: TensorLike | None = None,
    ) -> None:
        """One step: `compute_gradients`, then `apply_gradients`.

        Args: `loss`, a callable without arguments; `global_step`, a Variable that is counted up;
        `var_list`, by default the trainable Variables that `loss` reads; `grad_loss`, what the
        gradients start from; the others are for graphs. Raises ValueError where no Variable has a
        gradient.
        """
        found = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        self.apply_gradients(found, global_step)

    def compute_gradients(
        self,
        loss: Callable[[], Any],
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: TensorLike | None = None,
    ) -> list[tuple[Any, Any]]:
        """The pairs (gradient or None, Variable) of a loss, which must be callable."""
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                f"execution is enabled. ({user_location()})"
            )
        with _tfc.GradientTape() as tape:
            if var_list is not None:
                tape.watch(list(var_list))
            value = loss()
        variables = list(tape.watched_variables() if var_list is None else var_list)
        gradients = tape.gradient(value, variables, grad_loss)
        return list(zip(gradients, variables, strict=True))

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> None:
        """Move each Variable by its gradient; those with None stay. `global_step` counts up."""
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError(f"No variables provided. ({user_location()})")
        if all(g is None for g, _ in pairs):
            names = [v.name for _, v in pairs]
            raise ValueError(
                f"No gradients provided for any variable: {names}. ({user_location()})"
            )
        rate = self._learning_rate
        rate = rate() if callable(rate) else rate
        for g, v in pairs:
            if g is None:
                continue
            step = _tfc.cast(rate, v.dtype)
            if isinstance(g, IndexedSlices):
                v.scatter_sub(IndexedSlices(g.values * step, g.indices, g.dense_shape))
            else:
                v.assign_sub(g * step)
        if global_step is not None:
            global_step.assign_add(1)


__all__ = [
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "GradientDescentOptimizer",
    "NewCheckpointReader",
    "checkpoint_exists",
    "checkpoints_iterator",
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
