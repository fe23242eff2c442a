"""`group_by_reducer`: one state for each key, after all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ..elements import Element, ElementSpec
from ..functions import ElementFunction
from ..plan import UNKNOWN, Cursor, Plan, Run

_OP = "group_by_reducer"


class Reducer:
    """How the elements with one key become one: what `group_by_reducer` takes.

    Args:
        init_func: A function of a key that gives the first state.
        reduce_func: A function of a state and an element that gives the next state.
        finalize_func: A function of the last state that gives the result.

    >>> import tfc as tf
    >>> add = tf.data.experimental.Reducer(
    ...     lambda key: tf.constant(0, tf.int64), lambda total, x: total + x, lambda total: total
    ... )
    >>> sums = tf.data.experimental.group_by_reducer(lambda x: x % 2, add)
    >>> print(*tf.data.Dataset.range(5).apply(sums).as_numpy_iterator())
    6 4
    """

    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        self.init_func, self.reduce_func = init_func, reduce_func
        self.finalize_func = finalize_func


class GroupByReducer(Plan):
    """What becomes of the states of all keys, in the order of the keys."""

    kind = "GroupByReducer"

    def __init__(self, source: Plan, key: Callable[..., Any], reducer: Reducer) -> None:
        super().__init__()
        self.inputs = (source,)
        self.varies = source.varies
        self.key = ElementFunction(key, source.spec, _OP, source.first)
        leaves = self.key.output.leaves
        if len(leaves) != 1 or getattr(leaves[0], "dtype", None) is not int64:
            raise blame.value_error(
                f"key_func must return an int64 scalar, and returns {self.key.output}", _OP
            )
        self.first_state = ElementFunction(
            reducer.init_func, ElementSpec.of(TensorSpec([], int64)), _OP
        )
        state = self.first_state.output
        both = ElementSpec.of((state.nested, source.spec.nested))
        self.step = ElementFunction(reducer.reduce_func, both, _OP)
        found = self.step.output
        if not found.structure.resembles(state.structure) or not state.covers(found):
            raise blame.type_error(f"the state is {state}, and the next one {found}", _OP)
        self.finish = ElementFunction(reducer.finalize_func, state, _OP)
        self.spec = self.finish.output
        self.sees_variables = any(
            f.sees_variables for f in (self.key, self.first_state, self.step, self.finish)
        )

    @property
    def cardinality(self) -> int:
        return 0 if self.inputs[0].cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _GroupByReducerCursor(self, self.inputs[0].cursor(run.children[0]))


class _GroupByReducerCursor(Cursor):
    def __init__(self, plan: GroupByReducer, source: Cursor) -> None:
        self._plan, self._source = plan, source
        self._states: dict[int, Element] = {}
        self._keys: list[int] | None = None  # that are left, once all was read; the last one first

    def _next(self) -> Element | None:
        if self._keys is None:
            self._read()
            self._keys = sorted(self._states, reverse=True)
        if not self._keys:
            return None
        return self._plan.finish.one(*self._states.pop(self._keys.pop()))

    def _read(self) -> None:
        plan = self._plan
        while (element := self._source.next()) is not None:
            (number,) = plan.key.one(*element)
            key = int(number)
            state = self._states.get(key)
            if state is None:
                state = plan.first_state.one(wrap(np.array(key, np.int64)))
            self._states[key] = plan.step.one(*state, *element)

    def close(self) -> None:
        self._source.close()


__all__ = ["GroupByReducer", "Reducer"]
