"""Names of tensors: what the program passes as `name`, in the scopes that it stands in. Those that
it gives none have the names of its Python variables."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from tfc.core.context import context
from tfc.core.tensor import SymbolicTensor
from tfc.dispatch.overloads import overloads_of

from .kept_calls import has_open
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
        if "name" in (parameters if known is None else known.parameters):
            overloads_of(function).first.append((_is_named, _named(function)))


def _is_named(args: Any, kwargs: Any) -> bool:
    wanted = kwargs.get("name") is not None and isinstance(context.trace, GraphTrace)
    return wanted and not has_open(args, kwargs)  # which kept calls name


def _named(function: FunctionType) -> Callable[..., Any]:
    """The function, and a name for the tensor that it makes: a tensor that was there before keeps
    its own."""

    def named(*args: Any, **kwargs: Any) -> Any:
        name = kwargs.pop("name")
        trace: Any = context.trace
        start = len(trace.builder.body)
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
