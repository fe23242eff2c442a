"""Public functions that do something else for values of other classes: ragged and sparse tensors,
classes of the user's.

    @otherwise(concat, RaggedTensor)
    def ragged_concat(values, axis, name=None): ...

A function that nobody has said anything about is as it was written, and costs what it did. The
first time that something is said about it, its code is exchanged for a call of its `Overloads`:
everybody who has the function has the overloaded one from then on, by whatever name and wherever
it was imported, which no wrapper could give.

Two questions are asked. Before the function itself runs: what was registered for a signature by
`dispatch_for_api`. And where it refuses its arguments (TypeError, ValueError): what the classes
that are among them say, the last one that was registered first.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, TypeVar

Function = Callable[..., Any]
Declared = TypeVar("Declared", bound=Function)


class Overloads:
    """What a public function does for other classes. It is called in the function's place."""

    def __init__(self, function: FunctionType) -> None:
        self.first: list[tuple[Callable[..., bool], Function]] = []
        self.otherwise: list[tuple[type | tuple[type, ...], Function]] = []
        self.original = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        self.original.__kwdefaults__ = function.__kwdefaults__
        self.original.__qualname__ = function.__qualname__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for takes, function in self.first:
            if takes(args, kwargs):
                return function(*args, **kwargs)
        try:
            return self.original(*args, **kwargs)
        except (TypeError, ValueError):
            result = self.refused(args, kwargs)
            if result is NotImplemented:
                raise
            return result

    def refused(self, args: Any, kwargs: Any) -> Any:
        """What the classes of arguments say that the function itself does not take."""
        found = list(_values((*args, *kwargs.values())))
        for classes, function in reversed(self.otherwise):
            if any(isinstance(value, classes) for value in found):
                result = function(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        return NotImplemented


def _values(values: Iterable[Any], depth: int = 3) -> Iterator[Any]:
    """Values, and those in lists, tuples and dicts among them."""
    for value in values:
        if isinstance(value, list | tuple | dict) and depth:
            yield from _values(value.values() if isinstance(value, dict) else value, depth - 1)
        else:
            yield value


@functools.cache
def _forwarding(count: int) -> CodeType:
    """The code of a function that calls its `overloads`, with this many variables of enclosing
    functions: code can be exchanged for one with as many of them."""
    names = "".join(f"v{i}, " for i in range(count))
    text = f"""
def enclosing({names}):
    def forwarding(*args, overloads, **kwargs):
        return overloads(*args, **kwargs)
        {names or "pass"}
    return forwarding
"""
    found: dict[str, Any] = {}
    exec(text, found)
    code: CodeType = found["enclosing"](*[None] * count).__code__
    return code.replace(co_filename=__file__)


_known: dict[FunctionType, Overloads] = {}


def overloads_of(function: Function) -> Overloads:
    """What a public function does for other classes; from now on it is asked.

    Raises:
        ValueError: If the function is none that Python code defines.
    """
    if not isinstance(function, FunctionType):
        raise ValueError(f"{function!r} does not support dispatch.")
    known = _known.get(function)
    if known is None:
        known = _known[function] = Overloads(function)
        described: Any = function
        described.__signature__ = inspect.signature(function)
        code = function.__code__
        function.__code__ = _forwarding(len(code.co_freevars)).replace(
            co_name=code.co_name, co_qualname=code.co_qualname
        )
        function.__defaults__ = None
        function.__kwdefaults__ = {"overloads": known}
    return known


def is_overloaded(function: Function) -> bool:
    """Whether something was said about a function."""
    return function in _known


def otherwise(function: Function, *classes: type) -> Callable[[Declared], Declared]:
    """Register what `function` does for arguments of these classes that it does not take itself."""

    def register(declared: Declared) -> Declared:
        overloads_of(function).otherwise.append((classes, declared))
        return declared

    return register


__all__ = ["Overloads", "is_overloaded", "otherwise", "overloads_of"]
