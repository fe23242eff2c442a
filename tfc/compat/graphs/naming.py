"""Names of tensors: what the program passes as `name`, in the scopes that it stands in. Those that
it gives none have the names of their ops (see op_names.py)."""

from __future__ import annotations

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
        code = function.__code__
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        known = getattr(function, "__signature__", None)
        taken = [*(parameters if known is None else known.parameters)]
        if "name" in taken:
            calls = overloads_of(function).first
            calls.append((_is_named, _named(function)))
            if own := FUNCTIONS.get(function.__name__):
                calls.append((_is_unnamed(taken.index("name")), partial(function, name=own)))


def _is_named(args: Any, kwargs: Any) -> bool:
    return kwargs.get("name") is not None and _is_in_graph(args, kwargs)


def _is_unnamed(place: int) -> Callable[[Any, Any], bool]:
    def is_unnamed(args: Any, kwargs: Any) -> bool:
        if len(args) > place or kwargs.get("name") is not None or not _is_in_graph(args, kwargs):
            return False
        trace: Any = context.trace
        named: bool = trace.builder.names  # and is no step of a function that has a name
        return named

    return is_unnamed


def _is_in_graph(args: Any, kwargs: Any) -> bool:
    return isinstance(context.trace, GraphTrace) and not has_open(args, kwargs)  # kept calls name


def _named(function: FunctionType) -> Callable[..., Any]:
    """The function, and a name for the tensor that it makes: a tensor that was there before keeps
    its own."""

    def named(*args: Any, **kwargs: Any) -> Any:
        name = kwargs.pop("name")
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
