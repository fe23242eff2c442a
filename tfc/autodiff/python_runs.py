"""What Python functions give while a program runs, and what is kept of it.

The other side of the ops of tfc/ir/ops/python.py: what a run gives is kept here by its token, until
it is read, or until the call of the program ends.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, int64
from tfc.ir.ops.python import KEEP, Callback, fresh_token

from ..core import above, errors
from ..core.context import active, user_location
from ..core.indexed_slices import dense
from ..core.tensor import Tensor, convert_to_tensor, wrap
from ..core.variable import Variable
from .tape import GradientTape


class _Run:
    """What is kept of a run."""

    __slots__ = ("inputs", "outputs", "reads", "tape")

    def __init__(self, inputs: list[Any], outputs: list[Any], reads: int, tape: Any) -> None:
        self.inputs = inputs  # those that are floats
        self.outputs = outputs
        self.reads = reads
        self.tape = tape


_runs: dict[int, _Run] = {}  # by token
_following: dict[tuple[bool, int], int] = {}  # (whether it is an `advance`, before) -> token


class _Session(threading.local):
    def __init__(self) -> None:
        self.keys: list[Any] | None = None  # what the current call of a program keeps


_session = _Session()


def _forget(keys: list[Any]) -> None:
    for key in keys:
        (_following if isinstance(key, tuple) else _runs).pop(key, None)
    keys.clear()


@contextmanager
def session() -> Iterator[list[Any]]:
    """One call of a program: what Python functions give in it is forgotten behind it. The parts
    of a program that is called in parts share it."""
    if _session.keys is not None:
        yield []
        return
    keys: list[Any] = []
    _session.keys = keys
    try:
        yield keys
    finally:
        _session.keys = None
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


class PythonFunction(Callback):
    """A function of the user's with the dtypes that it returns."""

    def __init__(self, function: Callable[..., Any], dtypes: Sequence[DType], op: str) -> None:
        super().__init__(getattr(function, "__name__", type(function).__name__))
        self.function = function
        self.dtypes = tuple(dtypes)
        self.op = op

    @property
    def taking_tensors(self) -> bool:
        return self.op == "py_function"

    def call(self, inputs: Sequence[Any]) -> list[Tensor]:
        """Call it, and make what it returns tensors of the right dtypes."""
        given = inputs if self.taking_tensors else [_array(t) for t in inputs]
        found = self.function(*given)
        outputs = (
            list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
        )
        if not self.dtypes:
            return []  # called for its effects
        if len(outputs) != len(self.dtypes):
            raise self.wrong(f"returned {len(outputs)} values, Tout has {len(self.dtypes)}")
        return [
            self.converted(i, x, d)
            for i, (x, d) in enumerate(zip(outputs, self.dtypes, strict=True))
        ]

    def converted(self, i: int, value: Any, dtype: DType) -> Tensor:
        """A result as a tensor of its dtype."""
        value = value.value() if isinstance(value, Variable) else value
        if not isinstance(value, Tensor):
            if not self.taking_tensors:
                value = np.asarray(value)
            try:
                value = convert_to_tensor(dense(value), dtype if self.taking_tensors else None)
            except (TypeError, ValueError) as error:
                raise self.wrong(f"returned what is no {dtype.name} tensor: {error}") from None
        if value.dtype is not dtype:
            raise self.wrong(
                f"{i}-th value returned is {value.dtype.name}, but expects {dtype.name}"
            )
        return value

    def wrong(self, what: str) -> errors.InvalidArgumentError:
        return errors.InvalidArgumentError(
            f"{self.name}: {what}", op=self.op, location=user_location()
        )

    # While a program runs.

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        inputs = [wrap(np.array(a)) for a in arrays]  # the program's own memory is used again
        tape = GradientTape(True, False) if taped and self.taking_tensors else None
        with _outside():
            if tape is None:
                outputs = self.call(inputs)
            else:
                with tape:
                    tape.watch(inputs)
                    outputs = self.call(inputs)
        token = fresh_token()
        if reads:
            floats = [t for t in inputs if t.dtype.is_inexact]
            self._keep(before, token, _Run(floats, outputs, reads, tape))
        elif taped:
            self._keep(before, token, _Run([], [], KEEP, None))
        return token

    def _keep(self, before: int, token: int, run: _Run) -> None:
        _runs[token] = run
        keys = _session.keys
        if keys is not None:
            keys.append(token)
        if run.reads == KEEP:
            _following[self.function is nothing, before] = token
            if keys is not None:
                keys.append((self.function is nothing, before))

    def replay(self, before: int) -> int:
        return _following[self.function is nothing, before]

    def shape(self, token: int, index: int) -> tuple[int, ...]:
        return tuple(_runs[token].outputs[index]._array.shape)

    def result(self, token: int, index: int) -> Any:
        run = _runs[token]
        if run.reads > 0:
            run.reads -= 1
            if not run.reads:
                del _runs[token]
        return run.outputs[index]._array

    def gradient(
        self, token: int, indices: Sequence[int], cotangents: Sequence[Any]
    ) -> tuple[list[Any], int]:
        run = _runs[token]
        targets = [run.outputs[i] for i in indices]
        seeds = [wrap(np.array(d)) for d in cotangents]
        with _outside(), run.tape:  # it records this too: there may be gradients of gradients
            run.tape.watch(seeds)
            found = run.tape.gradient(targets, run.inputs, seeds, "zero")
        found = [dense(g) for g in found]
        after = fresh_token()
        _runs[after] = _Run([*run.inputs, *seeds], found, KEEP, run.tape)
        if _session.keys is not None:
            _session.keys.append(after)
        return [g._array for g in found], after


@contextmanager
def _outside() -> Iterator[None]:
    """The user's code, called by a program, is in no trace and under no tape."""
    own, _session.keys = _session.keys, None
    try:
        with active(trace=None, tapes=[]):
            yield
    finally:
        _session.keys = own


def _array(x: Any) -> Any:
    """What `numpy_function` hands over."""
    return x.numpy()


def nothing() -> None:
    """A function whose run only moves on in the chain."""


above.in_session = in_session

__all__ = ["PythonFunction", "in_session", "nothing", "session"]
