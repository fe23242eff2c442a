"""Functions that only call the host, run without native code: one call after another.

What reads files, decodes images or parses records is such a function mostly. A program of native
code would copy each result into its own memory, and would find its way back to Python for each of
them: 0.1 ms for a batch of parsed examples, 0.16 ms for an image of 640x480.

Only calls of routines and what moves their results are run like this: nothing that could have other
bits than in a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from tfc.ir.core import Function, Op
from tfc.ir.extent import Expr, Extent, evaluate
from tfc.ir.failures import Site
from tfc.ir.ops.extents import BindExtent, SameExtent
from tfc.ir.ops.host_functions import HostFunction, HostResult, HostRun, fitting
from tfc.ir.ops.shape import Reshape

from .failures import host_error, runtime_error

_Sizes = dict[str, int]
_Values = list[Any]  # by the numbers of slots
_Step = Callable[[_Values, _Sizes], None]

_KNOWN: Final = (HostRun, HostFunction, HostResult, BindExtent, SameExtent, Reshape)


def host_steps(f: Function) -> HostSteps | None:
    """The steps of a function; None where it computes anything by itself, or calls nothing."""
    if not all(isinstance(op, _KNOWN) for op in f.body):
        return None
    return HostSteps(f) if any(isinstance(op, HostRun | HostFunction) for op in f.body) else None


class HostSteps:
    """A function as calls of the host."""

    def __init__(self, f: Function) -> None:
        values = [*f.params, *(result for op in f.body for result in op.results)]
        self._slots = {value: i for i, value in enumerate(values)}
        self._name = f.name
        self._shapes = [_named(param.shape) for param in f.params]
        self._steps = [self._step(op) for op in f.body]
        self._returns = [self._slots[value] for value in f.returns]

    def __call__(self, arrays: Sequence[Any]) -> list[np.ndarray] | None:
        """What it returns for arrays of the dtypes and ranks of its parameters; None where their
        shapes are others than its, or they are no arrays of the host."""
        sizes: _Sizes = {}
        for shape, array in zip(self._shapes, arrays, strict=True):
            if not isinstance(array, np.ndarray):
                return None
            for extent, size in zip(shape, array.shape, strict=True):
                known = sizes.setdefault(extent, size) if isinstance(extent, str) else extent
                if known != size:  # or an expression
                    return None
        values: _Values = [*arrays, *[None] * (len(self._slots) - len(arrays))]
        with np.errstate(all="ignore"):
            for step in self._steps:
                step(values, sizes)
        return [_in_rows(values[i]) for i in self._returns]

    def _step(self, op: Op) -> _Step:
        inputs = [self._slots[value] for value in op.operands]
        outputs = [self._slots[value] for value in op.results]
        match op:
            case HostRun(routine=routine, places=places, axes=axes):
                measured = list(zip(outputs[1:], places, axes, strict=True))

                def step(values: _Values, sizes: _Sizes) -> None:
                    found = _guarded(op, routine.__call__, *[values[i] for i in inputs])
                    values[outputs[0]] = found
                    for slot, place, axis in measured:
                        values[slot] = found[place].shape[axis]

            case HostFunction(routine=routine, shape=shape):
                extents = _named(shape)

                def step(values: _Values, sizes: _Sizes) -> None:
                    (found,) = _guarded(op, routine.__call__, *[values[i] for i in inputs])
                    known = tuple([_size(e, sizes) for e in extents])
                    values[outputs[0]] = _announced(op, found, known, routine.name)

            case HostResult(place=place, shape=shape):
                extents, name = _named(shape), f"result {place}"

                def step(values: _Values, sizes: _Sizes) -> None:
                    found = values[inputs[0]][place]
                    known = tuple([_size(e, sizes) for e in extents])
                    values[outputs[0]] = _announced(op, found, known, name)

            case BindExtent(symbol=symbol):
                name = str(symbol)

                def step(values: _Values, sizes: _Sizes) -> None:
                    sizes[name] = values[inputs[0]]

            case SameExtent(x=x, y=y):

                def step(values: _Values, sizes: _Sizes) -> None:
                    self._check(op, "equal", _size(x, sizes), _size(y, sizes))

            case Reshape(shape=shape):
                extents = _named(shape)

                def step(values: _Values, sizes: _Sizes) -> None:
                    array = values[inputs[0]]
                    wanted = tuple([_size(e, sizes) for e in extents])
                    for size in wanted:
                        if size < 0:
                            self._fail(op, "size", size)
                    self._check(op, "count", array.size, int(np.prod(wanted, dtype=np.int64)))
                    values[outputs[0]] = array.reshape(wanted)

            case _:
                raise AssertionError(op.mnemonic)
        return step

    def _check(self, op: Op, kind: str, x: int, y: int) -> None:
        if x != y:
            self._fail(op, kind, x, y)

    def _fail(self, op: Op, kind: str, *values: int) -> None:
        raise runtime_error(self._name, [Site(kind, op.mnemonic, op.location)], 1, values)


def _size(extent: Extent | str, sizes: _Sizes) -> int:
    if isinstance(extent, int):
        return extent
    return sizes[extent] if isinstance(extent, str) else evaluate(extent, sizes)


def _named(extents: Iterable[Extent]) -> list[Extent | str]:
    """Extents for `_size`: those that are symbols by their names."""
    named = [(e, str(e)) for e in extents]
    return [name if isinstance(e, Expr) and name.isidentifier() else e for e, name in named]


def _guarded(op: Op, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives; what it raises becomes the error that a program would raise."""
    try:
        return function(*arguments)
    except BaseException as error:
        raise host_error(error, op.mnemonic, op.location) from error.__cause__


def _announced(op: Any, found: Any, shape: tuple[int, ...], name: str) -> np.ndarray:
    array: np.ndarray = _guarded(op, fitting, found, shape, op.dtype, name)
    return array


def _in_rows(array: np.ndarray) -> np.ndarray:
    return array if array.flags.c_contiguous else array.copy(order="C")


__all__ = ["HostSteps", "host_steps"]
