"""Symbolic tensors outside of the function that they were traced in: what to say about them.

Looking for what keeps a tensor alive costs milliseconds, and is done for errors only.
"""

from __future__ import annotations

import gc
import sys
from types import CellType, FrameType, FunctionType, ModuleType
from typing import Any, Protocol

from tfc.ir.core import Value

from .context import Trace, context, user_location


class Traced(Protocol):
    """A symbolic tensor."""

    _trace: Trace
    _value: Value


_CONTAINERS = (list, tuple, set, frozenset, dict)


def is_traced(x: Traced) -> bool:
    """Whether the function that `x` belongs to is being traced here."""
    trace = context.trace
    while trace is not None:
        if trace is x._trace:
            return True
        trace = trace.outer
    return False


def story(x: Traced) -> str:
    """Where `x` was made, where it is used, and what has kept it."""
    name, op = x._trace.outermost.builder.name, x._value.op
    made = f"as an argument of {name}" if op is None else f"at {op.location} by {op.mnemonic}"
    place = keeper(x)
    kept = f" It was kept in {place}." if place else ""
    if x._trace.branch:
        return (
            f"{x!r} is out of scope and cannot be used here: it was made {made} in "
            f"{x._trace.branch} of control flow on tensors, and has leaked out of it (used "
            f"at {user_location()}). Assign it to a local variable there, or return it: these "
            f"are carried out; for many values use a tf.TensorArray.{kept}"
        )
    return (
        f"{x!r} is out of scope and cannot be used here: it was made {made} while {name} "
        f"was traced, and has leaked out of it (used at {user_location()}). It has no elements "
        f"outside: return it from {name}, or assign it to a tf.Variable there.{kept}"
    )


def keeper(x: Any, depth: int = 3) -> str:
    """What refers to `x`, in words: a global, an attribute, a closure, a container of these."""
    containers: list[Any] = []
    for holder in gc.get_referrers(x):
        if isinstance(holder, FrameType):
            continue
        if isinstance(holder, CellType):
            if name := _closure(holder):
                return name
        elif isinstance(holder, dict):
            if name := _in_dict(holder, x):
                return name
            containers.append(holder)
        elif isinstance(holder, _CONTAINERS):
            containers.append(holder)
        elif name := _attribute(holder, x):
            return name
    for holder in containers if depth else ():
        place = _local(holder) or keeper(holder, depth - 1)
        if place:
            return f"a {type(holder).__name__}, {place}"
    return ""


def _in_dict(namespace: dict[Any, Any], x: Any) -> str:
    """The name of a global or attribute, where `namespace` is that of a module or object."""
    key = next((k for k, v in namespace.items() if v is x), None)
    if not isinstance(key, str):
        return ""
    for owner in gc.get_referrers(namespace):
        if isinstance(owner, FrameType) or getattr(owner, "__dict__", None) is not namespace:
            continue
        if isinstance(owner, ModuleType):
            return f"the global {key!r} of {owner.__name__}"
        return f"the attribute {key!r} of a {type(owner).__name__}"
    return ""


def _attribute(owner: Any, x: Any) -> str:
    """The name of an attribute that the object itself has (not in a dict of its own yet)."""
    for key, value in getattr(owner, "__dict__", {}).items():
        if value is x:
            return f"the attribute {key!r} of a {type(owner).__name__}"
    return ""


def _closure(cell: CellType) -> str:
    """The name of a variable that a nested function shares with the one around it."""
    for cells in gc.get_referrers(cell):
        if not isinstance(cells, tuple):
            continue
        for f in gc.get_referrers(cells):
            if isinstance(f, FunctionType) and f.__closure__ is cells:
                place = next(i for i, c in enumerate(cells) if c is cell)
                return f"the variable {f.__code__.co_freevars[place]!r} around {f.__name__}"
    return ""


def _local(container: Any) -> str:
    """The name of a local variable or global in the functions that are running."""
    frame = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__package__")).partition(".")[0] != "tfc":
            for name, value in frame.f_locals.items():
                if value is container and frame.f_code.co_name == "<module>":
                    return f"the global {name!r} of {frame.f_globals.get('__name__')}"
                if value is container:
                    return f"the variable {name!r} of {frame.f_code.co_name}"
        frame = frame.f_back  # type: ignore[assignment]
    return ""


__all__ = ["is_traced", "keeper", "story"]
