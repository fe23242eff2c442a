"""The strings that calls of the host have given to a program, kept for as long as it may need them.

A program holds the addresses of strings. Those of its arguments are the arguments' own; those that
calls make belong to nobody, and stay here until the call of the program ends, when its results
refer to theirs. In a loop that would be all that any of its rounds has made: so at the end of a
round what neither the next one nor a result has is forgotten (passes/loop_strings.py). Now and
then, that is: as soon as it is more than what is looked through for it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

Given = TypeVar("Given")
_LEAST = 4096  # strings for which nothing is looked through


class KeptStrings:
    """What one call of a program keeps. A mark is where a loop began; loops are nested."""

    __slots__ = ("_fresh", "_left", "_marks", "_rows", "_strings")

    def __init__(self) -> None:
        self._strings: list[np.ndarray[Any, Any]] = []
        self._rows: list[np.ndarray[Any, Any]] = []  # that loops have stacked
        self._marks: list[tuple[int, int]] = []  # lengths of both
        self._fresh = 0  # strings since something was forgotten
        self._left = 0  # and those that stayed then

    def keep(self, array: np.ndarray[Any, Any]) -> None:
        """Keep the strings in an array, which is not changed any more."""
        self._strings.append(array)
        self._fresh += array.size

    def mark(self) -> None:
        """A loop begins."""
        self._marks.append((len(self._strings), len(self._rows)))

    def end_round(self, carried: Sequence[Any], rows: Sequence[Any]) -> None:
        """A round of the innermost loop has ended: what it hands on, and what it stacks."""
        self._rows += [np.array(row, object) for row in rows]
        searched = sum(array.size for array in carried)
        if self._fresh <= max(_LEAST, 2 * self._left, searched):
            return
        start, _ = self._marks[-1]
        alive = np.concatenate([np.zeros(0, np.int64), *map(addresses, carried)])
        kept = []
        for array in self._strings[start:]:
            found = np.isin(addresses(array), alive)
            if found.any():
                kept.append(array.reshape(-1)[found])
        self._strings[start:] = kept
        self._fresh, self._left = 0, sum(array.size for array in kept)

    def end_loop(self) -> None:
        """The innermost loop has ended: to those around, its rows are strings like others."""
        _, start = self._marks.pop()
        for row in self._rows[start:]:
            self.keep(row)
        del self._rows[start:]


def addresses(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The addresses of the objects in an array, as a vector over the same memory."""
    if not array.size:
        return np.zeros(0, np.int64)
    memory: Any = (ctypes.c_byte * array.nbytes).from_address(array.ctypes.data)
    return np.ndarray(array.size, np.int64, memory)


class _Running(threading.local):
    """What is kept for the program that this thread runs; None: it runs none that has strings."""

    kept: KeptStrings | None = None


running = _Running()


def keeping_strings(call: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, which runs a program, or several that are parts of one; with the strings of calls
    kept until it returns, when its results own theirs."""

    def run(*arguments: Any) -> Any:
        if running.kept is not None:  # a part
            return call(*arguments)
        running.kept = KeptStrings()
        try:
            return call(*arguments)
        finally:
            running.kept = None

    return run


def alone(function: Callable[..., Given], *arguments: Any) -> Given:
    """What a function gives that a program calls: programs that it runs are no parts of that."""
    kept, running.kept = running.kept, None
    try:
        return function(*arguments)
    finally:
        running.kept = kept
