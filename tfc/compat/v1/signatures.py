"""Functions with the arguments that they have in TensorFlow 1, made of a table.

    moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None) =
        x axes shift keepdims=keep_dims|keepdims

Before the sign of equality stands TensorFlow 1's signature, behind it what tfc's function of that
name (or of another: `other: x axes`) is given: `new=first|second` is whichever of several is given,
and what is None is left to its default. Arguments that do not stand there are not used. Lines that
are indented go on.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tfc.core import blame

_ROW = re.compile(r"(\w+)\((.*?)\) = (?:([\w.]+): )?(.*)")


def functions_of(table: str, namespace: Callable[[str], Any]) -> dict[str, Callable[..., Any]]:
    """The functions of a table, by their names; `namespace` gives tfc's function of a name."""
    found = {}
    for line in filter(str.strip, table.replace("\n    ", " ").splitlines()):
        row = _ROW.fullmatch(line.strip())
        assert row is not None, line
        name, parameters, other, taken = row.groups()
        given = {}
        for part in taken.split():
            new, _, old = part.partition("=")
            given[new] = (old or new).split("|")
        found[name] = _function(name, parameters, given, partial(namespace, other or name))
    return found


def _function(
    name: str, parameters: str, given: dict[str, list[str]], ours: Callable[[], Any]
) -> Callable[..., Any]:
    # Text of a table of this package alone.
    signature = inspect.signature(eval(f"lambda {parameters}: None"))

    def renamed(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        bound.apply_defaults()
        arguments = {}
        for new, names in given.items():
            values = [(old, bound.arguments[old]) for old in names]
            values = [(old, value) for old, value in values if value is not None]
            if len(values) > 1:
                both = " and ".join(repr(old) for old, _ in values)
                raise blame.value_error(f"Cannot specify both {both}", name)
            if values:
                arguments[new] = values[0][1]
        return ours()(**arguments)

    call: Any = renamed
    call.__name__ = call.__qualname__ = name
    call.__signature__ = signature
    call.__doc__ = f"As tfc's {name}, with TensorFlow 1's arguments: {parameters}."
    return renamed


__all__ = ["functions_of"]
