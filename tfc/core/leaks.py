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
    """What refers to `x`, in words: a global, an attribute, a closure, a container of these.

    The collector goes through all objects of the process to tell what refers to some, which takes
    tenths of a second where there are millions: it is asked of all containers of a level at once.
    """
    wanted = [x]  # this list refers to them as well; nothing else here does while it is asked
    shown = [""]  # what stands before the name of a place where each is kept
    for level in range(depth + 1):
        holders = [h for h in gc.get_referrers(*wanted) if h is not wanted and _holds(h)]
        places = {id(v): i for i, v in enumerate(wanted)}
        owners = _owners([h for h in holders if isinstance(h, dict)])
        functions = _functions([h for h in holders if isinstance(h, CellType)])
        containers, around = [], []
        for holder in holders:
            key, place = _entry(holder, places)
            if isinstance(holder, CellType):
                name = functions.get(id(holder), "")
            elif isinstance(holder, dict):
                name = owners[id(holder)].format(key) if id(holder) in owners else ""
                name = name if isinstance(key, str) else ""
            elif isinstance(holder, _CONTAINERS) or key is None:
                name = ""
            else:
                name = _attribute(holder).format(key)
            if name:
                return shown[place] + name
            if isinstance(holder, _CONTAINERS):
                containers.append(holder)
                around.append(f"{shown[place]}a {type(holder).__name__}, ")
        if level == depth:
            break
        for holder, text in zip(containers, around, strict=True):
            if place_here := _local(holder):
                return text + place_here
        wanted, shown = containers, around
        del holders, containers
    return ""


def _holds(holder: Any) -> bool:
    return not isinstance(holder, FrameType)


def _entry(holder: Any, places: dict[int, int]) -> tuple[Any, int]:
    """Where in `holder` one of the objects with these ids is, and the number of that object."""
    if isinstance(holder, CellType):
        return None, places.get(id(holder.cell_contents), 0)
    if isinstance(holder, _CONTAINERS) and not isinstance(holder, dict):
        return None, next((places[id(v)] for v in holder if id(v) in places), 0)
    # An object may have attributes, and not in a dict of its own yet.
    items = holder if isinstance(holder, dict) else getattr(holder, "__dict__", {})
    return next(((k, places[id(v)]) for k, v in items.items() if id(v) in places), (None, 0))


def _owners(namespaces: list[dict[Any, Any]]) -> dict[int, str]:
    """By id, for those that are the names of a module or object: how such a name is called."""
    ids = set(map(id, namespaces))
    found: dict[int, str] = {}
    for owner in gc.get_referrers(*namespaces) if namespaces else ():
        names = None if isinstance(owner, FrameType) else getattr(owner, "__dict__", None)
        if id(names) in ids:
            found.setdefault(id(names), _attribute(owner))
    return found


def _attribute(owner: Any) -> str:
    """How an attribute of `owner` is called, with {} for its name."""
    if isinstance(owner, ModuleType):
        return f"the global {{!r}} of {owner.__name__}"
    return f"the attribute {{!r}} of a {type(owner).__name__}"


def _functions(cells: list[CellType]) -> dict[int, str]:
    """By id, for variables that a nested function shares with the one around it: their names."""
    ids = set(map(id, cells))
    closures = [c for c in gc.get_referrers(*cells) if isinstance(c, tuple)] if cells else []
    found: dict[int, str] = {}
    for f in gc.get_referrers(*closures) if closures else ():
        if isinstance(f, FunctionType) and f.__closure__ is not None:
            for name, cell in zip(f.__code__.co_freevars, f.__closure__, strict=True):
                if id(cell) in ids:
                    found.setdefault(id(cell), f"the variable {name!r} around {f.__name__}")
    return found


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
