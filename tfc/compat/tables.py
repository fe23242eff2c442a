"""Functions that a table describes: what each takes, and what it is in terms of others.

    Unique(x, out_idx=tf.int32) -> y idx = tf.unique(x, out_idx)

Where one has several results, their names stand behind the arrow. The expression behind = is
evaluated with the arguments. Lines that are indented go on; those that begin with # are comments.
"""

from __future__ import annotations

import inspect
import re
from collections import namedtuple
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

_HEAD = re.compile(r"(\w+)\((.*?)\)(?: -> ([\w ]+))? = (.*)")


class Entry(NamedTuple):
    """A row of a table."""

    name: str
    parameters: str
    results: list[str]  # of several results
    expression: str


def entries_of(table: str) -> dict[str, Entry]:
    """The rows by the names of functions."""
    found = {}
    for line in table.replace("\n    ", " ").splitlines():
        if line and not line.startswith("#"):
            row = _HEAD.fullmatch(line)
            assert row is not None, line
            name, parameters, results, expression = row.groups()
            found[name] = Entry(name, parameters, (results or "").split(), expression)
    return found


def function_of(entry: Entry, parameters: str, modules: Mapping[str, str]) -> Callable[..., Any]:
    """The function of a row, with these parameters. `modules` are those that the expression may
    name, by the names that it has for them."""
    scope = {
        key: import_module(module)
        for key, module in modules.items()
        if re.search(rf"\b{key}\.", f"{parameters} {entry.expression}")
    }
    # Text of a table alone, which is a part of this package.
    made: Any = eval(f"lambda {parameters}: {entry.expression}", scope)
    if entry.results:
        made = _named(made, namedtuple(entry.name, entry.results))
    made.__name__ = made.__qualname__ = entry.name
    return made


def _named(function: Callable[..., Any], kind: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose results have names."""

    def named(*args: Any, **kwargs: Any) -> Any:
        return kind(*function(*args, **kwargs))

    call: Any = named
    call.__signature__ = inspect.signature(function)
    return call


__all__ = ["Entry", "entries_of", "function_of"]
