"""Functions by the names of TensorFlow's ops, made of a table (table.py)."""

from __future__ import annotations

import inspect
import re
from collections import namedtuple
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from .table import TABLE

_HEAD = re.compile(r"(\w+)\((.*?)\)(?: -> ([\w ]+))? = (.*)")
_MODULES = {
    "tf": "tfc",
    "h": "tfc.compat.raw.parts",
    "array_raw": "tfc.ops.array.raw",
    "image_raw": "tfc.ops.image.projection",
    "math_raw": "tfc.ops.math.raw",
    "nn_raw": "tfc.ops.nn.raw",
    "random_raw": "tfc.ops.random.raw",
    "v1_image": "tfc.compat.v1.image",
}


class Entry(NamedTuple):
    """A row of the table."""

    name: str
    parameters: str
    results: list[str]  # of several results
    expression: str


@cache
def entries() -> dict[str, Entry]:
    """The table by the names of ops."""
    found = {}
    for line in TABLE.replace("\n    ", " ").splitlines():
        if line and not line.startswith("#"):
            row = _HEAD.fullmatch(line)
            assert row is not None, line
            name, parameters, results, expression = row.groups()
            found[name] = Entry(name, parameters, (results or "").split(), expression)
    return found


@cache
def function_of(name: str) -> Callable[..., Any]:
    """The function of an op."""
    entry = entries()[name]
    parameters = f"{entry.parameters}, " if entry.parameters else ""
    modules = {
        key: import_module(module)
        for key, module in _MODULES.items()
        if re.search(rf"\b{key}\.", parameters + entry.expression)
    }
    # Text of the table alone, which is a part of this package.
    made: Any = eval(f"lambda *, {parameters}name=None: {entry.expression}", modules)
    if entry.results:
        made = _named(made, namedtuple(name, entry.results))
    made.__name__ = made.__qualname__ = name
    made.__module__ = "tfc.raw_ops"
    made.__doc__ = f"TensorFlow's op {name}, as `{entry.expression}`."
    return made


def _named(function: Callable[..., Any], kind: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose results have names."""

    def named(**arguments: Any) -> Any:
        return kind(*function(**arguments))

    call: Any = named
    call.__signature__ = inspect.signature(function)
    return call


__all__ = ["Entry", "entries", "function_of"]
