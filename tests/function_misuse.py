"""The table of misuses of functions, of which there are two modules: function_misuses_*.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Misuse(NamedTuple):
    run: Callable[[], Any]
    error: type[BaseException]
    text: str


MISUSES: dict[str, Misuse] = {}


def misuse(error: type[BaseException], text: str) -> Callable[..., Any]:
    """Put a function into the table: what it raises when it is called."""

    def note(run: Callable[[], Any]) -> Callable[[], Any]:
        assert run.__name__ not in MISUSES
        MISUSES[run.__name__] = Misuse(run, error, text)
        return run

    return note
