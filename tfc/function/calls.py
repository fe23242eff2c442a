"""How calls of a `tfc.function` reach native code: a dispatcher for each set of Python values.

The tensors of a call go to native code, which tries the programs that it knows. Python values
(numbers, strings, flags, None), Variables, modules and the structure of what is nested are
compiled in, so they tell which dispatcher to ask. Everything else, such as other objects, goes the
long way through `PolymorphicFunction.call`.
"""

from __future__ import annotations

import inspect
import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from ..core import nest
from ..core.context import context, settings
from ..core.conversion import convert_to_tensor
from ..core.module import Module
from ..core.nest import decompose_composites as decompose
from ..core.placement import HOST, is_on_host
from ..core.tensor import StringTensor, Tensor
from ..core.variable import Variable
from .concrete import ConcreteFunction, UnrankedError

_MAX_PATTERNS = 64
_MAX_KNOWN = 8
_VALUES = frozenset({bool, int, str, type(None)})
_TENSORS = frozenset({Tensor, StringTensor})
_Living = TypeVar("_Living")
_TENSOR = object()  # stands for a tensor in a pattern


class Owner(Protocol):
    """The function that calls belong to."""

    @property
    def signature(self) -> inspect.Signature:
        """Of the Python function."""

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run it, the long way."""

    def prepare(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, list[Tensor]]:
        """The trace for these arguments, and the tensors among them."""

    def at_once(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run it op by op."""


class Calls:
    """The native side of one function, which owns this object."""

    def __init__(self, function: weakref.ref[Owner], name: str, arrays: bool) -> None:
        """`arrays`: whether NumPy's arrays are tensors of their own dtype, and Variables none."""
        self._function = function
        self._arrays = arrays
        self._name = name
        self._plain: Pattern
        self._patterns: dict[Any, Pattern] = {}

    def plain(self, *args: Any) -> Any:
        """A call by position. From the first one on it is native code that is called here."""
        pattern = Pattern(self._function, self._name)
        own = weakref.ref(self)
        pattern.connect(lambda *operands: _owner(own).positional(operands), not self._arrays)
        pattern = self.__dict__.setdefault("_plain", pattern)  # the same for all threads
        self.plain = pattern.call  # type: ignore[method-assign]
        return pattern.call(*args)

    def positional(self, args: tuple[Any, ...]) -> Any:
        """A call by position that native code did not take."""
        if all(type(a) in _TENSORS for a in args):
            return self._plain.slow(args)
        return self.mixed(args, {})

    def mixed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with Python values or keywords."""
        if context.trace is not None or settings.functions_run_eagerly:
            return _owner(self._function).call(args, kwargs)
        leaves = [*args, *kwargs.values()]
        structure = None
        key: list[Any] = [len(args), *kwargs]
        tensors = _classified(leaves, key, self._arrays)
        if tensors is None and any(map(nest.is_nested, leaves)):
            leaves, structure = decompose((list(args), list(kwargs.values())))
            key = [len(args), *kwargs, structure]
            tensors = _classified(leaves, key, self._arrays)
        if tensors is None:
            return _owner(self._function).call(args, kwargs)
        whole = tuple(key)
        pattern = self._patterns.get(whole)
        if pattern is None:
            pattern = self._new(whole, leaves, len(args), tuple(kwargs), structure)
        order = pattern.order
        return pattern.call(*(tensors if order is None else [tensors[i] for i in order]))

    def _new(
        self,
        key: tuple[Any, ...],
        leaves: Sequence[Any],
        positional: int,
        keywords: tuple[str, ...],
        structure: nest.Structure | None,
    ) -> Pattern:
        if len(self._patterns) >= _MAX_PATTERNS:
            self._patterns.clear()
        calls = weakref.ref(self)

        def forget(_: Any) -> None:
            found = calls()
            if found is not None:
                found._patterns.pop(key, None)

        def held(x: Any) -> Any:
            if type(x) in _TENSORS or type(x) is np.ndarray:
                return _TENSOR
            # The id of an object is in the key as long as it lives.
            return weakref.ref(x, forget) if isinstance(x, Module | Variable) else x

        pattern = Pattern(self._function, self._name, positional, keywords, structure)
        pattern.values = [held(x) for x in leaves]
        pattern.arrange()
        own = weakref.ref(pattern)
        pattern.connect(lambda *tensors: _owner(own).slow(tensors), True)
        self._patterns[key] = pattern
        return pattern


def _classified(leaves: Sequence[Any], key: list[Any], arrays: bool) -> list[Tensor] | None:
    """The tensors among the leaves; `key` gets what everything else is. None where that cannot
    be told for good."""
    tensors: list[Tensor] = []
    for x in leaves:
        kind = type(x)
        if kind in _TENSORS:
            tensors.append(x)
            key.append(_TENSOR)
        elif kind in _VALUES:
            key.append((kind, x))
        elif kind is float:
            key.append((kind, x.hex()))
        elif kind is np.ndarray and arrays:
            tensors.append(convert_to_tensor(x))
            key.append(_TENSOR)
        elif isinstance(x, Module | Variable) and _by_identity(x):
            key.append((kind, id(x)))
        else:
            return None
    return tensors


class Pattern:
    """Calls that differ in their tensors only, and the traces that some of them ran."""

    def __init__(
        self,
        function: weakref.ref[Owner],
        name: str,
        positional: int = 0,
        keywords: tuple[str, ...] = (),
        structure: nest.Structure | None = None,
    ) -> None:
        self._function = function
        self._name = name
        self._positional = positional
        self._keywords = keywords
        self._structure = structure  # of (args, values of kwargs), where these are nested
        self.values: list[Any] | None = None  # the leaves; None: only tensors, by position
        self._known: list[ConcreteFunction] = []
        self._dispatcher: Any = None
        self.order: list[int] | None = None  # of the tensors of a call as the trace has them
        self.call: Callable[..., Any]

    def connect(self, slow: Callable[..., Any], variables: bool) -> None:
        """Make the native callable, which asks `slow` where it knows no program. `variables` says
        whether these are tensors here."""
        from tfc.backends.cpu.runtime.runtime import Dispatcher

        self._dispatcher = Dispatcher(slow, self._name, variables)
        self.call = self._dispatcher.call

    def slow(self, tensors: tuple[Any, ...]) -> Any:
        """A call that native code did not take."""
        if context.trace is None and not settings.functions_run_eagerly:
            for concrete in self._known:
                if len(concrete.types) == len(tensors) and concrete.fits(tensors):
                    if concrete.misses(context.tapes):
                        continue
                    if not context.tapes:
                        self._offer(concrete, tensors)
                    return concrete.run(tensors)
        function = _owner(self._function)
        args, kwargs = self._rebuilt(tensors)
        if context.trace is not None or settings.functions_run_eagerly:
            return function.call(args, kwargs)
        try:
            concrete, found = function.prepare(args, kwargs)
        except UnrankedError:
            return function.at_once(args, kwargs)
        if len(found) == len(tensors) and all(map(_same, found, tensors)):
            self._known.insert(0, concrete)
            del self._known[_MAX_KNOWN:]
            if not context.tapes:
                self._offer(concrete, found)
        return concrete.run(found)

    def _rebuilt(self, tensors: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the call."""
        if self.values is None:
            return tensors, {}
        order = self.order or range(len(tensors))
        given = iter([t for _, t in sorted(zip(order, tensors, strict=True), key=_place)])
        return self._packed(
            [
                next(given) if v is _TENSOR else v() if isinstance(v, weakref.ref) else v
                for v in self.values
            ]
        )

    def _packed(
        self, leaves: list[Any], parts: bool = False
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        cut = self._positional
        args, named = leaves[:cut], leaves[cut:]
        if (structure := self._structure) is not None:
            args, named = structure.pack_parts(leaves) if parts else structure.pack(leaves)
        return tuple(args), dict(zip(self._keywords, named, strict=True))

    def arrange(self) -> None:
        """Find the order in which a trace has the tensors of a call: that of the signature."""
        assert self.values is not None
        numbers = itertools.count()
        marks = [_Mark(next(numbers)) if v is _TENSOR else None for v in self.values]
        args, kwargs = self._packed(marks, parts=True)
        try:
            bound = _owner(self._function).signature.bind(*args, **kwargs)
        except TypeError:  # raised again by the call
            return
        leaves, _ = decompose((list(bound.args), dict(bound.kwargs)))
        order = [leaf.number for leaf in leaves if isinstance(leaf, _Mark)]
        if order != sorted(order):
            self.order = order

    def _offer(self, concrete: ConcreteFunction, tensors: Sequence[Any]) -> None:
        """Let native code call it, where its results need nothing and its sizes are checked there
        (requirements are not), and where it is one program (stages run from Python)."""
        if settings.accelerated and not _on_cpu(tensors, concrete):
            return  # it runs on a GPU: nothing is to be compiled for the CPU
        if not concrete.plain or concrete.requirements or not concrete.is_native:
            return
        if concrete.offered not in self._dispatcher.entries:
            self._dispatcher.add(concrete.offered)


def _on_cpu(tensors: Sequence[Any], concrete: ConcreteFunction) -> bool:
    """Whether a call runs on the CPU, as far as this is told quickly."""
    if settings.default_gpu is not None or context.device not in (None, HOST):
        return False
    return all(is_on_host(x._array) for x in (*tensors, *concrete.captured))


class _Mark:
    """The place of a tensor in a call."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


def _by_identity(x: Any) -> bool:
    """Whether an object is compared by identity, and is no structure."""
    if isinstance(x, Variable):
        return True
    equal: Any = type(x).__eq__
    return equal is object.__eq__ and not nest.is_nested(x)


def _owner(reference: weakref.ref[_Living]) -> _Living:
    """What is alive as long as it is being called."""
    found = reference()
    assert found is not None
    return found


def _same(a: Any, b: Any) -> bool:
    return a is b


def _place(pair: tuple[int, Any]) -> int:
    return pair[0]


__all__ = ["Calls"]
