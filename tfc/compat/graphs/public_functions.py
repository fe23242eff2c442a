"""The functions that programs call: what a graph may have to see of them."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, ModuleType

import tfc as _tfc

_NAMESPACES = (
    "math nn linalg strings image signal random sparse ragged bitwise debugging sets special audio"
)
namespaces: list[ModuleType] = []  # others: those of `compat.v1` that have functions of their own


def public_functions() -> Iterator[FunctionType]:
    """Those of tfc and of its namespaces, each once."""
    modules = [_tfc, *namespaces]
    modules += [getattr(_tfc, name) for name in _NAMESPACES.split()]
    seen: set[FunctionType] = set()
    for module in modules:
        # Of modules with functions of their own, what they import is not one.
        home = module.__name__ if module in namespaces else "tfc"
        for name in dir(module):
            function = getattr(module, name, None)
            if not isinstance(function, FunctionType) or name.startswith("_"):
                continue
            if function.__module__.startswith("tfc.compat.graph_def"):
                continue  # `name` stands in front of all that it makes
            if function.__module__.startswith(home) and function not in seen:
                seen.add(function)
                yield function


__all__ = ["namespaces", "public_functions"]
