"""What is kept of the Python functions that a program runs, for as long as somebody may read it.

What a run gives is kept by its token until it is read, or until the call of the program, a session,
ends. A call that fails leaves the Variables that the program has assigned as they were before.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfc.ir.dtypes import int64
from tfc.ir.ops.python import KEEP, Callback, fresh_token

from ..core.context import active, current
from ..core.tensor import Tensor
from ..core.variable import Variable


class Run:
    """What is kept of a run."""

    __slots__ = ("inputs", "outputs", "reads", "tape")

    def __init__(self, inputs: list[Any], outputs: list[Any], reads: int, tape: Any) -> None:
        self.inputs = inputs  # those that are floats
        self.outputs = outputs
        self.reads = reads
        self.tape = tape


runs: dict[int, Run] = {}  # by token
following: dict[tuple[str, int], int] = {}  # (role of the callback, before) -> token


class Session:
    """What the call of a program keeps."""

    __slots__ = ("before", "keys")

    def __init__(self) -> None:
        self.keys: list[Any] = []  # of `runs` and `following`
        self.before: dict[int, tuple[Variable, Any]] = {}  # by id: what Variables were


def keep(callback: Callback, before: int, run: Run | None) -> int:
    """The token of a run, which is kept; None: which nobody asks for."""
    token = fresh_token()
    if run is None:
        return token
    runs[token] = run
    kept: list[Any] = [token]
    if run.reads == KEEP:
        following[callback.role, before] = token
        kept.append((callback.role, before))
    session = current().kept
    if session is not None:
        session.keys += kept
    return token


def keep_results(run: Run) -> int:
    """The token of what is no run of its own, but is read like one."""
    token = fresh_token()
    runs[token] = run
    session = current().kept
    if session is not None:
        session.keys.append(token)
    return token


def result_of(token: int, index: int) -> Any:
    """A result of a run, as an array; what is read for the last time is forgotten."""
    return _read(token).outputs[index]._array


def shape_of(token: int, index: int) -> tuple[int, ...]:
    """The shape of a result of a run, which is one read of it."""
    return tuple(_read(token).outputs[index]._array.shape)


def _read(token: int) -> Run:
    run = runs[token]
    if run.reads > 0:
        run.reads -= 1
        if not run.reads:
            del runs[token]
    return run


def note_before(variable: Variable) -> None:
    """Remember what a Variable is that the program assigns while it runs."""
    session = current().kept
    if session is not None:
        session.before.setdefault(id(variable), (variable, variable._array))


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
    own = Session()
    try:
        with active(kept=own):
            yield own.keys
    except BaseException:
        for variable, array in own.before.values():
            variable._array = array
        raise
    finally:
        _forget(own.keys)


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
