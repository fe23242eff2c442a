"""What functions hold: two functions of one source, which differ in tensors alone, are one function
of these tensors.

A function that makes a dataset for each element makes other functions each time, such as
`lambda y: y + x`, where x is a part of the element. Taken apart, they are the same code and another
x; so they are traced once, with x as an argument (`Scope`).
"""

from __future__ import annotations

import itertools
import threading
import types
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from ..core import nest
from ..core.containers import Composite
from ..core.tensor import StringTensor, SymbolicTensor, Tensor
from .elements import spec_of

Build = Callable[[Iterator[Any]], Any]


class Captures(NamedTuple):
    """A value that was taken apart.

    Args:
        key: What it is but for its tensors; equal for values that differ in these alone.
        tensors: The tensors in it.
        rebuilt: The value with others in their places.
        held: What the key knows by its identity: it must live as long.
    """

    key: Hashable
    tensors: tuple[Any, ...]
    rebuilt: Callable[[Sequence[Any]], Any]
    held: tuple[Any, ...]


class _Recursive(Exception):
    """A value holds itself."""


class _Walk:
    """Takes a value apart; `tensors` and `held` are what was found so far."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []
        self.held: list[Any] = []
        self._around: set[int] = set()

    def value(self, x: Any) -> tuple[Hashable, Build]:
        """The key of a value, and what makes it again."""
        if isinstance(x, Tensor | StringTensor):
            self.tensors.append(x)
            return ("tensor", _shown(spec_of(x)), isinstance(x, SymbolicTensor)), next
        if x is None or type(x) in (bool, int, float, complex, str, bytes):
            known = repr(x) if type(x) in (float, complex) else x  # 0.0 is not -0.0
            return ("value", type(x), known), lambda tensors: x
        if id(x) in self._around:
            raise _Recursive
        self._around.add(id(x))
        try:
            if isinstance(x, Composite):
                return self._composite(x)
            if type(x) in (tuple, list) and len(x) <= _LOOKED_INTO:
                return self._sequence(x)
            if type(x) is dict and len(x) <= _LOOKED_INTO:
                keys, build = self._sequence(list(x.values()))
                return ("dict", tuple(map(self._named, x)), keys), _dict(tuple(x), build)
            if isinstance(x, types.FunctionType):
                return self._function(x)
            own = getattr(getattr(x, "_plan", None), "captures", None)
            if isinstance(own, Captures):  # a dataset that is made of some tensors
                return self._again(own)
        finally:
            self._around.discard(id(x))
        return self._named(x), lambda tensors: x

    def _named(self, x: Any) -> Hashable:
        """What is known by its identity; strings and numbers by their values."""
        if type(x) in (str, int):
            return type(x), x
        self.held.append(x)
        return "object", id(x)

    def _composite(self, x: Any) -> tuple[Hashable, Build]:
        leaves, structure = nest.decompose_composites(x)
        keys, build = self._sequence(leaves)
        return ("composite", structure, keys), lambda tensors: structure.pack(build(tensors))

    def _again(self, x: Captures) -> tuple[Hashable, Build]:
        """Of what was taken apart before."""
        self.tensors += x.tensors
        self.held += x.held
        count = len(x.tensors)
        return ("again", x.key), lambda tensors: x.rebuilt(list(itertools.islice(tensors, count)))

    def _sequence(self, items: Sequence[Any]) -> tuple[Hashable, Build]:
        pairs = [self.value(item) for item in items]
        kind = type(items)

        def build(tensors: Iterator[Any]) -> Any:
            return kind([own(tensors) for _, own in pairs])  # type: ignore[call-arg]

        return (kind, tuple([key for key, _ in pairs])), build

    def _function(self, f: types.FunctionType) -> tuple[Hashable, Build]:
        before = len(self.tensors)
        self.held += [f.__code__, f.__globals__]
        cells = [_cell(cell) for cell in f.__closure__ or ()]
        parts = [cells, list(f.__defaults__ or ()), f.__kwdefaults__ or {}]
        keys, build = self._sequence(parts)
        key = "function", id(f.__code__), id(f.__globals__), keys
        if len(self.tensors) == before:
            return key, lambda tensors: f

        def made(tensors: Iterator[Any]) -> types.FunctionType:
            closure, defaults, options = build(tensors)
            own = tuple([types.CellType() if x is _EMPTY else types.CellType(x) for x in closure])
            found = types.FunctionType(
                f.__code__, f.__globals__, f.__name__, tuple(defaults) or None, own
            )
            found.__kwdefaults__ = options or None
            found.__qualname__ = f.__qualname__
            return found

        return key, made


_LOOKED_INTO = 256  # items of a list; longer ones are data, and known by their identity
_EMPTY = object()  # in the place of what a cell does not hold yet


def _cell(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY


def _dict(keys: tuple[Any, ...], build: Build) -> Build:
    return lambda tensors: dict(zip(keys, build(tensors), strict=True))


def _shown(spec: Any) -> Hashable:
    rank = spec.shape.rank
    return spec.dtype, None if rank is None else tuple(spec.shape.as_list())


def taken_apart(value: Any) -> Captures | None:
    """A value's tensors, and what it is beside them; None where it holds itself."""
    walk = _Walk()
    try:
        key, build = walk.value(value)
    except _Recursive:
        return None
    tensors = tuple(walk.tensors)
    return Captures(key, tensors, lambda others: build(iter(others)), (value, *walk.held))


class Made:
    """What is kept of a function that is made again and again: `kept` by its owner, and the scope
    for the functions that it makes itself."""

    def __init__(self, held: tuple[Any, ...]) -> None:
        self.held = held
        self.inner = Scope()
        self.kept: dict[str, Any] = {}


class Scope:
    """The functions that a function makes in its calls."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Made] = {}
        self._lock = threading.Lock()

    def made(self, captures: Captures, *more: Hashable) -> Made:
        """What is kept of a function, which stands where others stood before."""
        key = captures.key, more
        with self._lock:
            found = self._made.pop(key, None) or Made(captures.held)
            self._made[key] = found  # the last one used is the last one here
            if len(self._made) > _MOST:
                del self._made[next(iter(self._made))]
            return found


_MOST = 64  # functions that one function may make, before the first ones are forgotten

scope: ContextVar[Scope | None] = ContextVar("scope", default=None)

__all__ = ["Captures", "Made", "Scope", "scope", "taken_apart"]
