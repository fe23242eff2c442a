"""`reduce`: one state after all elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograph.experimental import set_loop_options
from ..autograph.loops import for_stmt
from ..core.context import context
from ..dispatch.tracing import in_trace
from .composites import visible
from .elements import Element, ElementSpec, element_of, spec_of
from .explaining import how_each
from .functions import ElementFunction
from .iterator import Iterator
from .loops import TracedLoop
from .nested import output_of
from .plan import Plan, begin
from .plans.mapping import named
from .states import ROUNDS, State, state_function

_AT_ONCE = 64  # elements that are taken at once, where the input can make many
_OP = "reduce"


def reduced(plan: Plan, initial: Any, python: Callable[..., Any]) -> Any:
    """The last state."""
    state = State(initial)
    pack = state.spec.structure.pack
    if context.trace is not None:
        return pack(_traced(plan, state, python))
    function = state_function(
        python, state, plan.spec, _OP, lambda: None, lambda following: following
    )
    plan.reduced[named(python)] = how_each(function)
    run = function.one if function.traced else _checked(function, state)
    found = state.first
    cursor = plan.cursor(begin(plan))
    many = _AT_ONCE if plan.indexed and plan.stackable else 1
    try:
        while len(chunk := cursor.take(many)):
            for element in chunk.elements():
                found = run(*found, *element)
    finally:
        cursor.close()
    return pack(found)


def _checked(function: ElementFunction, state: State) -> Callable[..., Element]:
    """A function that is called in Python with each element: what it returns is looked at."""

    def run(*leaves: Any) -> Element:
        found = function.one(*leaves)
        assert function.structure is not None
        state.check(ElementSpec(map(spec_of, found), function.structure), _OP)
        return found

    return run


def _traced(plan: Plan, state: State, python: Callable[..., Any]) -> Element:
    """The last state, in a trace: a loop."""
    loop = TracedLoop(plan, Iterator, True)
    names = [f"the state's part {i}" for i in range(len(state.first))]
    current = [state.first]
    pack, called = state.spec.structure.pack, in_trace(python)

    widest = _widest(plan.spec, state, python)

    def body(element: Any) -> None:
        if widest is not state.spec:
            parts = zip(widest.parts_of(current[0]), widest.parts, strict=True)
            set_loop_options(shape_invariants=[(part, spec.shape) for part, spec in parts])
        found, structure = element_of(called(pack(current[0]), element))
        state.check(ElementSpec(map(spec_of, found), structure), _OP)
        current[0] = found

    def assigned(leaves: Element) -> None:
        current[0] = leaves

    for_stmt(loop, None, body, lambda: current[0], assigned, names, names, (), ())
    return current[0]


def _widest(elements: ElementSpec, state: State, python: Callable[..., Any]) -> ElementSpec:
    """What holds of all states: extents that a step changes are not known."""
    found = state.spec
    if not found.traceable or all(not part.shape.rank for part in found.parts):
        return found
    for _ in range(ROUNDS):
        pair = ElementSpec.of((found.nested, elements.nested))
        try:
            following = output_of(python, pair).map(visible)
            wider = found.merged(following, _OP)
        except Exception:  # what is wrong is said where the loop is traced
            return state.spec
        if wider == found:
            return found
        found = wider
    return found


__all__ = ["reduced"]
