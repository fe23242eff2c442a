"""What is kept of the Python functions that a program runs, for as long as somebody may read it.

What a run gives is kept by its token until it is read, or until the call of the program, a session,
ends.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfc.ir.dtypes import int64

from ..core.context import active, current
from ..core.tensor import Tensor


class Run:
    """What is kept of a run."""

    __slots__ = ("inputs", "outputs", "reads", "tape")

    def __init__(self, inputs: list[Any], outputs: list[Any], reads: int, tape: Any) -> None:
        self.inputs = inputs  # those that are floats
        self.outputs = outputs
        self.reads = reads
        self.tape = tape


runs: dict[int, Run] = {}  # by token
following: dict[tuple[bool, int], int] = {}  # (whether it is an `advance`, before) -> token


def _forget(keys: list[Any]) -> None:
    for key in keys:
        (following if isinstance(key, tuple) else runs).pop(key, None)
    keys.clear()


@contextmanager
def session() -> Iterator[list[Any]]:
    """One call of a program: what Python functions give in it is forgotten behind it. The parts
    of a program that is called in parts share it."""
    if current().kept is not None:
        yield []
        return
    keys: list[Any] = []
    try:
        with active(kept=keys):
            yield keys
    finally:
        _forget(keys)


def in_session(call: Callable[..., Any], exported: bool) -> Callable[..., Any]:
    """`call`, which runs a program, as a session of its own. Where tokens are `exported`, runs
    are kept for as long as there is one of the results that may be a token."""

    def run(*arguments: Any) -> Any:
        with session() as keys:
            result = call(*arguments)
            if exported and keys and isinstance(result, tuple):
                kept = _Kept(keys)
                for t in result:
                    if isinstance(t, Tensor) and t.dtype is int64:
                        kept.hold(t)
                keys.clear()
                kept.release()
        return result

    return run


class _Kept:
    """Forgets runs once all that holds them is gone."""

    def __init__(self, keys: list[Any]) -> None:
        self.keys = list(keys)
        self.holders = 1

    def hold(self, x: Any) -> None:
        self.holders += 1
        weakref.finalize(x, self.release).atexit = False

    def release(self) -> None:
        self.holders -= 1
        if not self.holders:
            _forget(self.keys)
