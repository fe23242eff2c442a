"""What a function is, as text that is the same in every process.

Equal texts mean that whatever is made of the functions is equal, but for the user's lines. Those
are numbered in the order in which they are met: which ops share a line is part of the text, which
line that is is not. So a program that was kept fits after lines were added above a function, and
its errors name the lines of now.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from .core import Location, Op
from .dtypes import DType
from .extent import Expr
from .types import BufferType, TensorType

_PACKAGE = __name__.partition(".")[0] + "."

Lines: TypeAlias = "dict[tuple[type, Location], int]"


class Unknown(Exception):
    """Something that two processes cannot compare, such as a Python function."""


def fingerprint(value: Any) -> tuple[str, Lines]:
    """The text of `value` (the `structure` of a function, and what else is made of tuples), and
    the numbers of the lines in it."""
    items: list[str] = []
    lines: Lines = {}
    _write(value, items, lines)
    return " ".join(items), lines


_PLAIN = frozenset({int, str, bool, type(None)})


@cache
def _class_name(cls: Any) -> str:
    if issubclass(cls, Op) and not cls.__module__.startswith(_PACKAGE):
        raise Unknown(cls)  # an op of somebody else's, whose code may change
    return f"{cls.__module__}.{cls.__qualname__}"


def _write(value: Any, items: list[str], lines: Lines) -> None:
    kind = type(value)
    if kind is tuple:
        items.append("(")
        for item in value:
            if type(item) in _PLAIN:  # most
                items.append(repr(item))
            else:
                _write(item, items, lines)
        items.append(")")
    elif kind in _PLAIN:
        items.append(repr(value))
    elif isinstance(value, type):
        items.append(_class_name(value))
    elif isinstance(value, TensorType | BufferType | Expr):
        items.append(f"{kind.__name__}:{value}")
    elif isinstance(value, DType):
        items.append(f"dtype:{value.short}")
    elif isinstance(value, StrEnum):
        items.append(repr(str(value)))
    elif kind is bytes:
        items.append(f"bytes:{value.hex()}")
    elif isinstance(value, Location):
        number = lines.setdefault((kind, value), len(lines))
        items.append(f"{kind.__name__}:{number}")
    elif isinstance(value, tuple):  # a named one
        items.append(f"{kind.__module__}.{kind.__qualname__}")
        _write(tuple(value), items, lines)
    else:
        raise Unknown(kind)
