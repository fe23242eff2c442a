"""Namespaces whose names are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_of(
    module: str, names: Mapping[str, str], otherwise: Callable[[str], Any]
) -> Callable[[str], Any]:
    """The `__getattr__` of a module of tfc that has these names of other ones, `{"ops.nn.pooling":
    "max_pool avg_pool"}`; what it does not have is for `otherwise`."""
    package = module.partition(".")[0]
    home = {
        name: f"{package}.{where}" for where, listed in names.items() for name in listed.split()
    }

    def find(name: str) -> Any:
        where = home.get(name)
        if where is None:
            return otherwise(name)
        value = getattr(import_module(where), name)
        setattr(sys.modules[module], name, value)
        return value

    return find
