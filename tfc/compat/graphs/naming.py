"""Names of tensors: what the program passes as `name`, in the scopes that it stands in. Those that
it gives none have the names of their ops (see op_names.py)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from tfc.core.context import context
from tfc.core.tensor import SymbolicTensor
from tfc.dispatch.overloads import overloads_of

from .kept_calls import has_open
from .op_names import FUNCTIONS
from .public_functions import public_functions
from .trace import GraphTrace

_installed: list[bool] = []


def install() -> None:
    """Let public functions name what they make: from the first graph on that is entered."""
    if _installed:
        return
    _installed.append(True)
    for function in public_functions():
        place = _place(function)
        if place is not None:
            calls = overloads_of(function).first
            calls.append((partial(_is_named, place), _named(function, place)))
            if own := FUNCTIONS.get(function.__name__):
                calls.append((partial(_is_unnamed, place), _called(function, place, own)))


def _place(function: FunctionType) -> int | None:
    """At which place a function takes a name, a large number where by its keyword alone; None where
    it takes none."""
    parameters = inspect.signature(function).parameters
    known = parameters.get("name")
    if known is None:
        return None
    by_place = known.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [*parameters].index("name") if by_place else sys.maxsize


def _given(place: int, args: Any, kwargs: Any) -> Any:
    """The name among arguments, which is at this place."""
    return args[place] if len(args) > place else kwargs.get("name")


def _with_name(place: int, args: Any, kwargs: Any, name: str | None) -> tuple[Any, Any]:
    """The arguments with another one."""
    if len(args) > place:
        return (*args[:place], name, *args[place + 1 :]), kwargs
    return args, {**kwargs, "name": name}


def _is_named(place: int, args: Any, kwargs: Any) -> bool:
    return _given(place, args, kwargs) is not None and _is_in_graph(args, kwargs)


def _is_unnamed(place: int, args: Any, kwargs: Any) -> bool:
    if _given(place, args, kwargs) is not None or not _is_in_graph(args, kwargs):
        return False
    trace: Any = context.trace
    named: bool = trace.builder.names  # and is no step of a function that has a name
    return named


def _is_in_graph(args: Any, kwargs: Any) -> bool:
    return isinstance(context.trace, GraphTrace) and not has_open(args, kwargs)  # kept calls name


def _called(function: FunctionType, place: int, own: str) -> Callable[..., Any]:
    """The function with a name of its own."""

    def called(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = _with_name(place, args, kwargs, own)
        return function(*args, **kwargs)

    return called


def _named(function: FunctionType, place: int) -> Callable[..., Any]:
    """The function, and a name for the tensor that it makes: a tensor that was there before keeps
    its own."""

    def named(*args: Any, **kwargs: Any) -> Any:
        name = _given(place, args, kwargs)
        args, kwargs = _with_name(place, args, kwargs, None)
        trace: Any = context.trace
        start = len(trace.builder.body)
        with trace.builder.unnamed():
            found = function(*args, **kwargs)
        if isinstance(found, SymbolicTensor) and found._trace is trace:
            value = found._value
            made = {id(op) for op in trace.builder.body[start:]}
            if value.op is not None and id(value.op) in made:
                value.name = trace.graph.name_in_scope(name)
            else:
                found = trace.graph.copy(found, name)
        return found

    return named


__all__ = ["install"]
