"""What each optimizer is besides a Keras optimizer: it takes gradients of which some rows are given
(IndexedSlices, of embeddings), and changes those rows alone.

How much of a step that is depends on the optimizer, as in Keras on TensorFlow: SGD and Adagrad go
through the rows that were read; momenta of all rows decay in every step.

In checkpoints its state has the names that Keras on TensorFlow gives it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from keras.src.backend.common import KerasVariable
from keras.src.backend.common.stateless_scope import in_stateless_scope
from keras.src.optimizers import base_optimizer

import tfc as tf
from tfc.core import tracking
from tfc.core.argument_variables import ArgumentVariable

from .parts import replica_of_several
from .sparse import divisors_are_not_zero


class Optimizer(base_optimizer.BaseOptimizer):
    """The base of Keras' optimizers on this backend."""

    _tells = True  # of its attributes, to those who wait

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_variables":
            value = tracking.ListWrapper(value)  # to which Keras adds state as it is made
        elif name == "_trainable_variables":
            value = [_given(v) for v in value]
        super().__setattr__(name, value)
        if tracking.waiting:
            tracking.assigned(self, name, value)

    def _trackable_children(self) -> dict[str, Any]:
        return dict(vars(self))

    def assign(self, variable: Any, value: Any) -> None:
        if _of_rows(value):
            _held(variable).scatter_update(tf.cast(value, variable.dtype))
        else:
            super().assign(variable, value)

    def assign_add(self, variable: Any, value: Any) -> None:
        if _of_rows(value):
            _held(variable).scatter_add(tf.cast(value, variable.dtype))
        else:
            super().assign_add(variable, value)

    def assign_sub(self, variable: Any, value: Any) -> None:
        if _of_rows(value):
            _held(variable).scatter_sub(tf.cast(value, variable.dtype))
        else:
            super().assign_sub(variable, value)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "apply" in vars(cls):  # as that of a LossScaleOptimizer, which looks at gradients first
            cls.apply = _once_for_all(vars(cls)["apply"])  # type: ignore[method-assign]

    def apply(self, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        """Update Variables; in a replica of several once, by the sum of all replicas' gradients."""
        _apply(self, grads, trainable_variables)

    def _var_key(self, variable: Any) -> int:
        """Where a Variable is an argument of a function, state belongs to that of the first call;
        as in TensorFlow, later calls with others go on with it."""
        return id(_given(variable))

    def _backend_update_step(
        self, grads: Sequence[Any], trainable_variables: Sequence[Any], learning_rate: Any
    ) -> None:
        for gradient, variable in zip(grads, trainable_variables, strict=True):
            if _of_rows(gradient) and tf.executing_eagerly() and self._is_kerass_own():
                self._update_rows(gradient, variable, learning_rate)
            else:
                with divisors_are_not_zero():
                    self.update_step(gradient, variable, learning_rate)

    def _is_kerass_own(self) -> bool:
        return type(self).__module__.split(".")[0] == "keras"

    def _update_rows(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """`update_step` as one program. Op by op it would compute what is divided by (the root of
        an accumulator) for all rows; a program does so for those that are asked for."""
        program = vars(self).get("_row_program")
        if program is None:

            def step(rows: Any, indices: Any, rate: Any, index: int, settings: Any) -> None:
                known = self._trainable_variables[index]
                shape = tf.constant(tuple(known.shape), tf.int32)
                with divisors_are_not_zero():
                    self.update_step(tf.IndexedSlices(rows, indices, shape), known, rate)

            program = tf.function(step, autograph=False, reduce_retracing=True)
            object.__setattr__(self, "_row_program", program)  # Keras tracks other attributes
        rate = tf.convert_to_tensor(learning_rate)
        # A trace holds for the numbers that it has seen: beta_1, epsilon, ...
        settings = {k: v for k, v in vars(self).items() if isinstance(v, bool | int | float)}
        index = self._get_variable_index(variable)
        program(gradient.values, gradient.indices, rate, index, settings)


def _once_for_all(apply: Callable[..., None]) -> Callable[..., None]:
    """An optimizer's `apply`: in a replica of several, once by the sum of all gradients."""

    @functools.wraps(apply)
    def applied(self: Any, grads: Sequence[Any], trainable_variables: Any = None) -> None:
        replica = replica_of_several()
        if replica is None:
            apply(self, grads, trainable_variables)
            return
        there = [tf.convert_to_tensor(g) for g in grads if g is not None]

        def update(strategy: Any, gradients: Any) -> None:
            totals = iter(strategy.reduce("sum", gradients, axis=None))
            summed = [None if g is None else next(totals) for g in grads]
            apply(self, summed, trainable_variables)

        replica.merge_call(update, (there,))

    return applied


_apply = _once_for_all(base_optimizer.BaseOptimizer.apply)


def _given(variable: Any) -> Any:
    """The Variable behind an argument of a function."""
    return variable.original if isinstance(variable, ArgumentVariable) else variable


def _of_rows(value: Any) -> bool:
    """Whether this is to change rows alone; what is asked for without state is a whole tensor."""
    return isinstance(value, tf.IndexedSlices) and not in_stateless_scope()


def _held(variable: Any) -> tf.Variable:
    return variable.value if isinstance(variable, KerasVariable) else variable


__all__ = ["Optimizer"]
