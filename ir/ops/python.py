"""Calls of the user's own Python functions while a program runs.

A call is taken apart, since the shapes of what it gives are known only when it has run:

    PythonRun     runs the function, once, in program order, and gives a token: its number
    PythonShape   the shape of a result of the run with this token
    PythonResult  a result of the run with this token
    PythonGradient  the cotangents of a run's arguments, from the tape of that run
    PythonReplay  the token of a run that was made before, from the same token

Each run takes the token of the run before, so that the tokens of a program form a chain. Where a
program computes something again (the gradient of a loop, for example), nothing runs twice:
`PythonRun` becomes `PythonReplay` there, which finds in the chain what the run has given.

What a run keeps is the front end's affair: a `Callback` is its side of the call.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from .. import literals
from ..copying import copy_op
from ..core import Builder, Function, Op, Value
from ..dtypes import DType, int64
from ..extent import Shape
from ..kept_strings import alone
from ..types import INDEX, TensorType, Type
from .host import HostCall

KEEP = -1  # instead of a number of reads: until the call of the program ends


class Callback:
    """A Python function that programs call; in their text it is a number of this process.

    A run is found again by the run before it and by its `role`: of each role there is one run
    behind another, though it may have been traced more than once.
    """

    role = "run"

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = next(_numbers)
        _callbacks[self.number] = self

    def __str__(self) -> str:
        return str(self.number)

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        """Run it on copies of the arrays; the token. The results are dropped after so many reads;
        where `taped`, `gradient` will be asked for."""
        raise NotImplementedError

    def replay(self, before: int) -> int:
        """The token of the run that had this token before it."""
        raise NotImplementedError

    def shape(self, token: int, index: int) -> tuple[int, ...]:
        """The shape of a result, which is one read of it."""
        raise NotImplementedError

    def result(self, token: int, index: int) -> Any:
        """A result, as an array."""
        raise NotImplementedError

    def gradient(
        self, token: int, indices: Sequence[int], cotangents: Sequence[Any]
    ) -> tuple[list[Any], int]:
        """The cotangents of the arguments that are floats, and the token of this computation."""
        raise NotImplementedError


_numbers = itertools.count(1)
_callbacks: WeakValueDictionary[int, Callback] = WeakValueDictionary()


def callback_of(number: int) -> Callback:
    """The callback with this number. Raises ValueError where the process has none."""
    found = _callbacks.get(number)
    if found is None:
        raise ValueError(f"this process has no Python function with the number {number}")
    return found


literals.READERS["Callback"] = lambda written: callback_of(literals.read("int", written))


class PythonCall(HostCall, abstract=True):
    """The base of these ops."""

    def index(self, token: Value) -> None:
        """Raise where this is no token."""
        if token.type != INDEX:
            raise self.error("a token is an i64 scalar", "dtype")


class PythonStart(PythonCall):
    """The first token of a chain."""

    effect = True

    def infer(self) -> TensorType:
        return INDEX

    def numpy(self) -> np.int64:
        return np.int64(next(_tokens))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return ()


_tokens = itertools.count(1)


def fresh_token() -> int:
    """A number that is no other token in this process."""
    return next(_tokens)


class PythonRun(PythonCall):
    """Runs the function on `args`; gives its token. See `settle` for `reads` and `taped`."""

    token: Value
    args: tuple[Value, ...]
    callback: Callback
    reads: int
    taped: bool
    effect = True
    sparse = True

    def infer(self) -> TensorType:
        self.index(self.token)
        return INDEX

    def numpy(self, token: np.ndarray, *args: np.ndarray) -> np.int64:
        return np.int64(alone(self.callback.run, int(token), args, self.reads, self.taped))

    def vjp(self, b: Builder, dy: Value | None) -> Sequence[Value | None]:
        return (None,) * len(self.operands)

    def quiet(self) -> Op:
        """What stands in its place where it is not to run once more."""
        return PythonReplay(self.token, self.callback)


class PythonReplay(PythonCall):
    """The token of the run of this function that followed `token`."""

    token: Value
    callback: Callback
    sparse = True

    def infer(self) -> TensorType:
        self.index(self.token)
        return INDEX

    def numpy(self, token: np.ndarray) -> np.int64:
        return np.int64(self.callback.replay(int(token)))

    def vjp(self, b: Builder, dy: Value | None) -> Sequence[Value | None]:
        return (None,)


class PythonShape(PythonCall):
    """The shape, of this rank, of a result of a run."""

    token: Value
    callback: Callback
    place: int
    rank: int
    sparse = True

    def infer(self) -> TensorType:
        self.index(self.token)
        return TensorType(int64, (self.rank,))

    def numpy(self, token: np.ndarray) -> np.ndarray:
        shape = self.callback.shape(int(token), self.place)
        if len(shape) != self.rank:
            raise ValueError(
                f"{self.callback.name} returned shape {list(shape)} for result {self.place}, "
                f"which was taken to have rank {self.rank}"
            )
        return np.array(shape, np.int64)

    def vjp(self, b: Builder, dy: Value | None) -> Sequence[Value | None]:
        return (None,)


class PythonResult(PythonCall):
    """A result of the run with this token, on `args`."""

    token: Value
    args: tuple[Value, ...]
    callback: Callback
    place: int
    shape: Shape
    dtype: DType
    sparse = True

    def infer(self) -> TensorType:
        self.index(self.token)
        return TensorType(self.dtype, self.shape)

    def numpy(self, token: np.ndarray, *args: np.ndarray) -> np.ndarray:
        found = np.asarray(self.callback.result(int(token), self.place))
        if found.shape != self.shape:
            raise ValueError(
                f"{self.callback.name} returned shape {list(found.shape)} for result {self.place}, "
                f"which was said to have shape {list(self.shape)}"
            )
        return found

    def vjp(self, b: Builder, dy: Value | None) -> Sequence[Value | None]:
        assert dy is not None
        op = PythonGradient(self.token, self.args, (dy,), self.callback, (self.place,))
        return (None, *_spread(b, op))


class PythonGradient(PythonCall):
    """The cotangents of those `args` that are floats, from those of the results at `places`, and
    a token, with which all this can be differentiated again."""

    token: Value
    args: tuple[Value, ...]
    cotangents: tuple[Value, ...]
    callback: Callback
    places: tuple[int, ...]
    sparse = True

    def infer(self) -> tuple[Type, ...]:
        self.index(self.token)
        return (*(v.type for v in self.args if v.dtype.is_inexact), INDEX)

    def numpy(self, token: np.ndarray, *rest: np.ndarray) -> tuple[np.ndarray | np.int64, ...]:
        given = rest[len(self.args) :]
        found, after = alone(self.callback.gradient, int(token), self.places, given)
        return (*found, np.int64(after))

    def vjp(self, b: Builder, *cotangents: Value | None) -> Sequence[Value | None]:
        *found, token = self.results
        rows = [(i, d) for i, d in enumerate(cotangents[: len(found)]) if d is not None]
        args = (*self.args, *self.cotangents)
        given = tuple(d for _, d in rows)
        op = PythonGradient(token, args, given, self.callback, tuple(i for i, _ in rows))
        return (None, *_spread(b, op))


def _spread(b: Builder, op: PythonGradient) -> Sequence[Value | None]:
    """The results of a gradient, each in the place of its argument."""
    found = iter(b.emit_all(op)[:-1])
    return [next(found) if v.dtype.is_inexact else None for v in op.args]


def calls_python(f: Function) -> bool:
    """Whether `f` runs Python functions of the user's."""
    return PythonRun in f.all_op_classes


def returns_token(f: Function) -> bool:
    """Whether a result of `f` is a token, or a stack of them: then another program may
    differentiate the runs."""
    return any(map(_is_token, f.returns))


def _is_token(v: Value) -> bool:
    if v.op is None or v.dtype is not int64:
        return False
    if isinstance(v.op, PythonCall):
        return not isinstance(v.op, PythonShape | PythonResult)
    return any(
        v.index < len(region.returns) and _is_token(region.returns[v.index])
        for region in v.op.regions
    )


def settle(f: Function) -> Function:
    """`f` with every run keeping its results for as long as they are needed: until they are read,
    or, where runs are replayed or differentiated, until the call of the program ends."""
    taped = returns_token(f)
    runs: Counter[Callback] = Counter()
    results: Counter[Callback] = Counter()
    for op in f.walk():
        match op:
            case PythonRun(callback=callback):
                runs[callback] += 1
            case PythonResult(callback=callback) | PythonShape(callback=callback):
                results[callback] += 1
            case PythonReplay() | PythonGradient():
                taped = True

    def settled(f: Function) -> Function:
        if not calls_python(f):
            return f
        b = Builder(f.name)
        env: dict[Value, Value] = {}
        for op in f.body:
            b.location = op.location
            if isinstance(op, PythonRun):
                each, rest = divmod(results[op.callback], runs[op.callback])
                reads = KEEP if taped or rest else each
                changed: dict[str, Any] = {"reads": reads, "taped": taped}
            elif op.regions:
                changed = {n: settled(getattr(op, n)) for n in op.spec.regions}
            else:
                copy_op(op, b, env)
                continue
            here = op.with_operands(lambda v: env.get(v, v)).replace(**changed)
            env.update(zip(op.results, b.emit_all(here), strict=True))
        returns = tuple(env.get(v, v) for v in f.returns)
        return Function(f.name, f.params, tuple(b.body), returns, f.notes)

    return settled(f)
