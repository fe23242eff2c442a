"""The walk through a graph: what is reached from some of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def reachable(
    start: Iterable[Any], follow: Callable[[Any], Iterable[Any]], seen: set[int] | None = None
) -> list[Any]:
    """All that is reached from elements of a graph, each once, these included.

    Args:
        start: Where to begin.
        follow: Gives what is reached from an element at once.
        seen: The ids of what was reached before, which is left out; those found are added.
    """
    found: list[Any] = []
    seen = set() if seen is None else seen
    pending = list(start)
    while pending:
        x = pending.pop()
        if id(x) not in seen:
            seen.add(id(x))
            found.append(x)
            pending += follow(x)
    return found


__all__ = ["reachable"]
