"""`tfc.autograph`: Python's control flow on tensors, inside `tfc.function`.

`if`, `while`, `for`, `break`, `continue`, `return`, `and`, `or`, `not`, conditional expressions,
`assert`, and calls of `print`, `range`, `len`, ... work on tensors in functions that are traced:
see transformer.py for how, and operators.py for what it means. Called functions are converted too,
unless they are marked by `do_not_convert`, or belong to a library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import experimental
from .conversion import convert, converted_source, do_not_convert


def to_graph(entity: Callable[..., Any], recursive: bool = True) -> Callable[..., Any]:
    """The converted function."""
    return convert(entity)


def to_code(entity: Callable[..., Any], recursive: bool = True) -> str:
    """The source of the converted function, as it runs inside a `tfc.function`."""
    return converted_source(getattr(entity, "python_function", entity))


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accepted for TensorFlow's sake; nothing is logged."""


def trace(*args: Any) -> None:
    """Print the arguments while a function is traced."""
    print(*args)


__all__ = [
    "convert",
    "do_not_convert",
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
