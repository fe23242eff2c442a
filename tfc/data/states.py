"""Functions of a state and an element: what `reduce` and `scan` go on with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import blame
from .elements import Element, ElementSpec, element_of, spec_of
from .functions import ElementFunction

ROUNDS = 16  # in which the shape of a state may change until it is as wide as it gets


class State:
    """The first state of an iteration, and what is known of all states.

    Args:
        value: A tensor, or a structure of them.
    """

    def __init__(self, value: Any) -> None:
        self.first, structure = element_of(value)
        self.spec = ElementSpec(map(spec_of, self.first), structure)

    def check(self, following: ElementSpec, op: str) -> None:
        """Raise TypeError where the next state is of another structure, or of other dtypes."""
        if not following.structure.resembles(self.spec.structure):
            raise blame.type_error(
                "The nested structure of the new state must match the initial state. Expected "
                f"{self.spec.nested}, got {following.nested}.",
                op,
            )
        for mine, its in zip(self.spec.leaves, following.leaves, strict=True):
            same = type(mine) is type(its) and getattr(mine, "dtype", None) is getattr(
                its, "dtype", None
            )
            if not same:
                kind = "classes" if type(mine) is not type(its) else "types"
                wanted, got = (getattr(s, "dtype", s) for s in (mine, its))
                if kind == "classes":
                    wanted, got = type(mine).__name__, type(its).__name__
                raise blame.type_error(
                    f"The element {kind} for the new state must match the initial state. Expected "
                    f"{wanted}, got {got}.",
                    op,
                )


def state_function(
    python: Callable[..., Any],
    state: State,
    elements: ElementSpec,
    op: str,
    example: Callable[[], Element | None],
    following: Callable[[ElementSpec], ElementSpec],
) -> ElementFunction:
    """A function of a state and an element. Where it gives states of other shapes than the first
    one, it is traced once more, with extents that are not known, and `state` is told. Of a
    function that is called in Python nothing is asked.

    Args:
        python: The function.
        state: The state.
        elements: What is known of the elements.
        op: The method that it was given to, for messages.
        example: Gives an element, or None.
        following: What is known of the next state, for what is known of the result.

    Raises:
        TypeError: If the next state is of another structure, or of other dtypes.
    """

    def example_of_both() -> Element | None:
        element = example()
        return None if element is None else (*state.first, *element)

    for _ in range(ROUNDS):
        pair = ElementSpec.of((state.spec.nested, elements.nested))
        function = ElementFunction(python, pair, op, example_of_both)
        if not function.traced:
            return function
        found = following(function.output)
        state.check(found, op)
        wider = state.spec.merged(found, op)
        if wider == state.spec:
            return function
        state.spec = wider
    raise blame.type_error(f"the shape of the state changes in each round: {state.spec}", op)


__all__ = ["ROUNDS", "State", "state_function"]
