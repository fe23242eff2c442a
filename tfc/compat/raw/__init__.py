"""Functions by the names of TensorFlow's ops, made of a table (table.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .. import tables
from .table import TABLE

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


@cache
def entries() -> dict[str, tables.Entry]:
    """The table by the names of ops."""
    return tables.entries_of(TABLE)


@cache
def function_of(name: str) -> Callable[..., Any]:
    """The function of an op, which takes its arguments by name."""
    entry = entries()[name]
    parameters = f"*, {entry.parameters}, name=None" if entry.parameters else "*, name=None"
    made = tables.function_of(entry, parameters, _MODULES)
    made.__module__ = "tfc.raw_ops"
    made.__doc__ = f"TensorFlow's op {name}, as `{entry.expression}`."
    return made


__all__ = ["entries", "function_of"]
