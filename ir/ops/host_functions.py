"""Functions of the front end that programs call on the host: what strings are, above all.

Programs move strings without looking at them (see `HostType`); what looks into one is a call of
Python. Where the shape of every result is known before, a call is one op. Otherwise it is taken
apart, since extents have to be bound before results are there:

    HostFunction  the result of a routine that gives one, of this shape
    HostRun       runs a routine that gives several, or more than is known before; gives an object
                  that holds them, and those of their extents that are asked for
    HostResult    one of the results in such an object
    HostEffect    a `HostRun` that stays in its place among all effects, and is never dropped

All but `HostEffect` are pure: what is not used is not called, and what is called twice on the same
operands may be called once. The object that holds the results has the dtype of strings: it is
moved as they are, and lives as long.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from .. import literals
from ..core import Builder, Function, Op, Value
from ..dtypes import DType, bool_, string
from ..extent import Shape
from ..kept_strings import alone, running
from ..types import INDEX, TensorType, Type
from ..value_classes import NamedTuple
from .host import HostCall

HELD = TensorType(string)  # the type of what `HostRun` gives


class NamedRoutine(NamedTuple):
    """A routine that has a name, with its options as text: the same in every process."""

    name: str
    options: str

    def __call__(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """The results on arrays, those of strings of `bytes`."""
        return alone(named(self.name), self.options, *arrays)


class Routine:
    """A routine of this process alone, because of what it holds; in text it is a number.

    `stacked` is what does the same for many first operands, which are rows; it may be given none.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., tuple[np.ndarray, ...]],
        stacked: Routine | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.stacked = stacked
        self.number = next(_numbers)
        _routines[self.number] = self

    def __str__(self) -> str:
        return str(self.number)

    def __call__(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """As of a `NamedRoutine`."""
        return alone(self.function, *arrays)


_numbers = itertools.count(1)
_routines: WeakValueDictionary[int, Routine] = WeakValueDictionary()
_named: dict[str, Callable[..., tuple[np.ndarray, ...]]] = {}


class Elementwise(Enum):
    """What a routine of one result does element by element."""

    FIRST = "the first operand, whose shape the result has"
    ALL = "all operands, which are broadcast"


class Use(Enum):
    """How a routine may be used where its place among others is not asked for, as by pipelines
    whose elements do not depend on each other."""

    READS = "it looks at files and changes nothing: it may be called in any order, and by threads"
    THREADS = "it computes, and lets other threads run meanwhile"


_elementwise: dict[str, Elementwise] = {}
_uses: dict[str, Use] = {}


def register(
    name: str,
    function: Callable[..., tuple[np.ndarray, ...]],
    elementwise: Elementwise | None = None,
    use: Use | None = None,
) -> None:
    """Let programs call `function(options, *arrays)` by this name."""
    known = _named.setdefault(name, function)
    assert known is function, f"two host functions named {name}"
    if elementwise is not None:
        _elementwise[name] = elementwise
    if use is not None:
        _uses[name] = use


def use_of(op: Op) -> Use | None:
    """How the routine that an op calls may be used; None of other ops, and of most routines."""
    return _uses.get(op.routine.name) if isinstance(op, _Call) else None


def stacking(
    routine: NamedRoutine | Routine,
) -> tuple[NamedRoutine | Routine, Elementwise | None] | None:
    """The routine that does the same for operands with an axis more in front: for all that its
    being elementwise allows; for the first one alone where it is not. None where there is none."""
    if isinstance(routine, Routine):
        return None if routine.stacked is None else (routine.stacked, None)
    kind = _elementwise.get(routine.name)
    return None if kind is None else (routine, kind)


def named(name: str) -> Callable[..., tuple[np.ndarray, ...]]:
    """The function of this name. Raises ValueError where there is none."""
    found = _named.get(name)
    if found is None:
        raise ValueError(f"there is no host function {name!r}")
    return found


def _read(text: str) -> NamedRoutine | Routine:
    if text.startswith("("):
        name, options = (literals.read("str", part) for part in literals.parts(text, 2))
        named(name)
        return NamedRoutine(name, options)
    number = literals.read("int", text)
    found = _routines.get(number)
    if found is None:
        raise ValueError(f"this process has no routine with the number {number}")
    return found


literals.READERS["NamedRoutine | Routine"] = _read


class _Call(HostCall, abstract=True):
    """The base of what calls a routine."""

    args: tuple[Value, ...]
    routine: NamedRoutine | Routine
    sparse = True

    def vjp(self, b: Builder, *cotangents: Value | None) -> Sequence[Value | None]:
        return (None,) * len(self.operands)


class HostFunction(_Call):
    """What a routine of one result gives for `args`."""

    shape: Shape
    dtype: DType

    def infer(self) -> TensorType:
        return TensorType(self.dtype, self.shape)

    def numpy(self, *args: np.ndarray) -> np.ndarray:
        (found,) = self.routine(*args)
        return fitting(found, self.shape, self.dtype, self.routine.name)


class HostRun(_Call):
    """What a routine gives for `args`, as one object; and of the results at `places` the extents
    along `axes`."""

    places: tuple[int, ...]
    axes: tuple[int, ...]

    def infer(self) -> tuple[Type, ...]:
        if len(self.places) != len(self.axes):
            raise self.error("as many places as axes are needed", "value")
        return (HELD, *(INDEX for _ in self.places))

    def numpy(self, *args: np.ndarray) -> tuple[Any, ...]:
        found = self.routine(*args)
        held = np.empty((), object)
        held[()] = found
        sizes = zip(self.places, self.axes, strict=True)
        return (held, *(np.int64(found[place].shape[axis]) for place, axis in sizes))


class HostEffect(HostRun):
    """As `HostRun`, but it changes something, or looks at what changes."""

    effect = True

    def quiet(self) -> Op:
        """What stands in its place where it is not to run once more."""
        return HostRun(self.args, self.routine, self.places, self.axes)


class HostResult(HostCall):
    """One of the results that an object holds."""

    held: Value
    place: int
    shape: Shape
    dtype: DType
    sparse = True

    def infer(self) -> TensorType:
        if self.held.type != HELD:
            raise self.error("the object is a scalar of the dtype of strings", "dtype")
        return TensorType(self.dtype, self.shape)

    def numpy(self, held: np.ndarray) -> np.ndarray:
        found: Any = held[()]
        if not isinstance(found, tuple):
            raise ValueError(f"{found!r} holds no results")
        if not 0 <= self.place < len(found):
            raise ValueError(f"there is no result {self.place} of {len(found)}")
        return fitting(found[self.place], self.shape, self.dtype, f"result {self.place}")

    def vjp(self, b: Builder, dy: Value | None) -> Sequence[Value | None]:
        return (None,)


class LoopOfStrings(HostCall, abstract=True):
    """The base of what loops tell of strings, for passes/loop_strings.py. Results mean nothing."""

    effect = True

    def infer(self) -> TensorType:
        return TensorType(bool_)


class BeginLoop(LoopOfStrings):
    """A loop begins whose rounds make strings."""

    def numpy(self) -> np.bool_:
        if running.kept is not None:
            running.kept.mark()
        return np.False_


class EndRound(LoopOfStrings):
    """A round has ended: of what it has made, it hands on what is `carried`, and stacks `rows`."""

    carried: tuple[Value, ...]
    rows: tuple[Value, ...]

    def numpy(self, *values: np.ndarray) -> np.bool_:
        count = len(self.carried)
        if running.kept is not None:
            running.kept.end_round(values[:count], values[count:])
        return np.False_


class EndLoop(LoopOfStrings):
    """Such a loop has ended."""

    def numpy(self) -> np.bool_:
        if running.kept is not None:
            running.kept.end_loop()
        return np.False_


def fitting(found: Any, shape: Shape, dtype: DType, name: str) -> np.ndarray:
    """A result, which must be what was announced."""
    array = np.asarray(found)
    if array.shape != shape or array.dtype != dtype.numpy:
        raise ValueError(
            f"{name} gave {array.dtype}{list(array.shape)}, and {dtype.name}{list(shape)} was "
            "announced"
        )
    return array


def holds_strings(f: Function) -> bool:
    """Whether calls of the host in `f` make strings, which must be kept while it runs."""
    return HostCall in f.all_op_classes and any(
        isinstance(op, HostCall) and any(v.dtype is string for v in op.results) for op in f.walk()
    )


def calls_routines(f: Function) -> bool:
    """Whether `f` calls routines of this process alone."""
    return _Call in f.all_op_classes and any(
        isinstance(op, _Call) and isinstance(op.routine, Routine) for op in f.walk()
    )
