"""The table of AutoGraph misuses, of which there are two modules: autograph_misuses_*.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Misuse(NamedTuple):
    function: Callable[..., Any]
    argument: Any
    error: type[Exception]
    text: str


MISUSES: dict[str, Misuse] = {}


def misuse(argument: Any, error: type[Exception] | str, text: str) -> Callable[..., Any]:
    """Put a function into the table: what it raises when it is compiled and called."""

    def note(f: Callable[..., Any]) -> Callable[..., Any]:
        assert f.__name__ not in MISUSES
        MISUSES[f.__name__] = Misuse(f, argument, error, text)  # type: ignore[arg-type]
        return f

    return note
