"""`tfc.compat.v1`: functions that a table says (table.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .. import tables
from .table import TABLE

_MODULES = {"tf": "tfc", "v1": "tfc.compat.v1"}


@cache
def entries() -> dict[str, tables.Entry]:
    """The table by the names of functions."""
    return tables.entries_of(TABLE)


@cache
def function_of(name: str) -> Callable[..., Any]:
    """The function of a name."""
    entry = entries()[name]
    made = tables.function_of(entry, entry.parameters, _MODULES)
    made.__module__ = "tfc.compat.v1"
    made.__doc__ = f"TensorFlow 1's {name}, as `{entry.expression}`."
    return made
