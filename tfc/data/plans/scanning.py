"""`scan` and `take_while`: what follows from elements that came before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import blame
from ..elements import Element, ElementSpec
from ..functions import ElementFunction
from ..plan import UNKNOWN, Cursor, Plan, Run
from ..states import State, state_function
from .mapping import named


class Scan(Plan):
    """What a function makes of a state and each element, beside the next state."""

    kind = "Scan"

    def __init__(self, source: Plan, state: State, function: ElementFunction) -> None:
        super().__init__()
        self.source, self.initial, self.function = source, state.first, function
        self.inputs = (source,)
        self.varies, self.sees_variables = source.varies, function.sees_variables
        count = len(state.first)
        output = function.output
        self.spec = ElementSpec(output.leaves[count:], output.structure.children[1])

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def stream(self, run: Run) -> Cursor:
        return _ScanCursor(self, run.own(self.function), self.source.cursor(run.children[0]))

    def describe(self) -> str:
        return f"scan {named(self.function.python)}"


class _ScanCursor(Cursor):
    def __init__(self, plan: Scan, function: ElementFunction, source: Cursor) -> None:
        self._function, self._source = function, source
        self._state = plan.initial

    def _next(self) -> Element | None:
        element = self._source.next()
        if element is None:
            return None
        found = self._function.one(*self._state, *element)
        count = len(self._state)
        self._state = found[:count]
        return found[count:]

    def close(self) -> None:
        self._source.close()


def scanned(source: Plan, initial: Any, python: Callable[..., Any]) -> Plan:
    """The plan of `scan`.

    Raises:
        TypeError: If the function does not return a state like the first one, and an output.
    """
    op, state = "scan", State(initial)

    def following(output: ElementSpec) -> ElementSpec:
        children = output.structure.children
        if output.structure.type is not tuple or len(children) != 2:
            raise blame.type_error(
                "Invalid `scan_func`. `scan_func` should return a pair consisting of new state and "
                f"the output value but its return type is {output}.",
                op,
            )
        return ElementSpec(output.leaves[: children[0].count], children[0])

    function = state_function(python, state, source.spec, op, source.first, following)
    state.check(following(function.output), op)
    return Scan(source, state, function)


class TakeWhile(Plan):
    """The elements before the first one that a function says no to."""

    kind = "TakeWhile"

    def __init__(self, source: Plan, function: ElementFunction) -> None:
        super().__init__()
        self.source, self.function = source, function
        self.inputs = (source,)
        self.spec = source.spec
        self.varies, self.sees_variables = source.varies, function.sees_variables

    @property
    def cardinality(self) -> int:
        return 0 if self.source.cardinality == 0 else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _TakeWhileCursor(self.source.cursor(run.children[0]), run.own(self.function))

    def describe(self) -> str:
        return f"take_while {named(self.function.python)}"


class _TakeWhileCursor(Cursor):
    """Elements are read one by one: none behind the end is."""

    def __init__(self, source: Cursor, function: ElementFunction) -> None:
        self._source, self._function = source, function
        self._ended = False

    def _next(self) -> Element | None:
        element = None if self._ended else self._source.next()
        if element is not None:
            (wanted,) = self._function.one(*element)
            if bool(wanted):
                return element
        self._ended = True
        return None

    def close(self) -> None:
        self._source.close()


__all__ = ["Scan", "TakeWhile", "scanned"]
