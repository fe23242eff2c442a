"""Namespaces dressed as modules."""

from __future__ import annotations

from types import ModuleType
from typing import Any


class Inside(ModuleType):
    """A namespace dressed as a module, with some names of its own."""

    def __init__(self, name: str, space: Any, **own: Any) -> None:
        super().__init__(name, getattr(space, "__doc__", None))
        vars(self).update(own, __path__=[], _space=space)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(vars(self)["_space"], name)

    def __dir__(self) -> list[str]:
        return sorted({*dir(vars(self)["_space"]), *vars(self)} - {"_space"})
