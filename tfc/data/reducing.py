"""`reduce`: one state after all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograph.loops import for_stmt
from ..core import blame, errors
from ..core.context import context
from ..core.specs import TensorSpec
from ..dispatch.tracing import in_trace
from ..function.polymorphic import function
from .elements import Element, ElementSpec, element_of, spec_of
from .iterator import Iterator
from .loops import TracedLoop
from .plan import Plan, begin

_AT_ONCE = 64  # elements that are taken at once, where the input can make many


class StateFunction:
    """A user's function of a state and an element, which gives the next state (and perhaps more).

    The shape of a state may change: then it is traced with sizes that are not known.
    """

    def __init__(
        self,
        python: Callable[..., Any],
        state: Element,
        shape: ElementSpec,
        spec: ElementSpec,
        op: str,
    ) -> None:
        self.python, self.state, self.input, self.op = python, shape, spec, op
        self._traced: Any = None
        if shape.dense and spec.dense:
            self._traced = function(self.traced)

    def traced(self, state: Element, leaves: Element) -> Element:
        """The next state, in a trace."""
        return self._next(in_trace(self.python), state, leaves)

    def _next(self, python: Callable[..., Any], state: Element, leaves: Element) -> Element:
        result = python(self.state.structure.pack(state), self.input.structure.pack(leaves))
        found, structure = element_of(result)
        if structure != self.state.structure:
            raise blame.type_error(
                f"the state is nested as {self.state.nested}, and the next one otherwise", self.op
            )
        for spec, leaf in zip(self.state.leaves, found, strict=True):
            if isinstance(spec, TensorSpec) and spec_of(leaf).dtype is not spec.dtype:
                raise blame.type_error(
                    f"the state is {self.state.nested}, and a part of the next one {spec_of(leaf)}",
                    self.op,
                )
        return found

    def __call__(self, state: Element, leaves: Element) -> Element:
        if self._traced is not None:
            try:
                return tuple(self._traced(state, leaves))
            except errors.UnimplementedError:
                self._traced = None
        return self._next(self.python, state, leaves)


def reduced(plan: Plan, initial: Any, python: Callable[..., Any]) -> Any:
    """The last state."""
    state, structure = element_of(initial)
    shape = ElementSpec(map(spec_of, state), structure)
    step = StateFunction(python, state, shape, plan.spec, "reduce")
    if context.trace is not None:
        return structure.pack(_traced(plan, state, step))
    cursor = plan.cursor(begin(plan))
    many = _AT_ONCE if plan.indexed and plan.stackable else 1
    try:
        while len(chunk := cursor.take(many)):
            for element in chunk.elements():
                state = step(state, element)
    finally:
        cursor.close()
    return structure.pack(state)


def _traced(plan: Plan, state: Element, step: StateFunction) -> Element:
    """The last state, in a trace: a loop."""
    loop = TracedLoop(plan, lambda: Iterator(plan), True)
    names = [f"the state's part {i}" for i in range(len(state))]
    current = [state]

    def body(element: Any) -> None:
        current[0] = step.traced(current[0], plan.spec.flat(element))

    def assigned(leaves: Element) -> None:
        current[0] = leaves

    for_stmt(loop, None, body, lambda: current[0], assigned, names)
    return current[0]


__all__ = ["StateFunction", "reduced"]
