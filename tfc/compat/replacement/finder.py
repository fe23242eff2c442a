"""Answers `import tensorflow...` by what tfc has.

A first `import keras` is answered by Keras on tfc, too, as it would be on TensorFlow.
`tensorflow.linalg` is `tfc.linalg` itself, and so is each module that has a public name;
namespaces that are no modules are dressed as such. Inner modules are looked up in `inner.py`.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import tfc as _tfc

from . import inner, keras_2
from .inside import Inside

NAME = "tensorflow"
KERAS = "keras"


class Given(importlib.abc.Loader):
    """Loads a module that is there already."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.own = module, getattr(module, "__spec__", None)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        if self.own is not None:  # a module of tfc keeps its spec, which importing has replaced
            module.__spec__ = self.own


class Keras(importlib.abc.Loader):
    """Loads Keras with tfc as its backend, for a program that imports it before `tf.keras`."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        importlib.import_module("tfc.keras")
        module = sys.modules[KERAS]
        self.own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.own  # which the import system has replaced


def asks_for_tensorflow() -> bool:
    """Whether a program that imports Keras now means its backend for TensorFlow: by Keras' default,
    or by name."""
    return os.environ.get("KERAS_BACKEND") in (None, "", NAME, "tfc")


class Finder(importlib.abc.MetaPathFinder):
    """Finds `tensorflow` and what is below it, and `keras` where nobody asked for it before."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top, _, rest = fullname.partition(".")
        if fullname == KERAS and "tfc.keras" not in sys.modules and asks_for_tensorflow():
            there = importlib.machinery.PathFinder.find_spec(fullname, path)
            return there and importlib.machinery.ModuleSpec(
                fullname, Keras(), origin=there.origin, is_package=True
            )
        if top == keras_2.NAME:
            module = keras_2.module(rest)
        elif top != NAME:
            return None
        else:
            module = sys.modules[NAME] if not rest else found(rest)
        if module is None:
            return None
        return importlib.machinery.ModuleSpec(
            fullname, Given(module), origin="tfc in its place", is_package=True
        )


def found(path: str) -> ModuleType | None:
    """The module `tensorflow.path`; None where there is none."""
    if path.partition(".")[0] in ("core", "python"):
        return inner.module(path)
    space: Any = sys.modules[NAME]
    if path.startswith("keras."):
        try:
            return importlib.import_module(f"tfc.{path}")
        except ModuleNotFoundError as error:
            if error.name is not None and not error.name.startswith("tfc.keras"):
                raise
            return None
    for part in path.split("."):
        space = None if part.startswith("_") else getattr(space, part, None)
        if not isinstance(space, ModuleType | SimpleNamespace):
            return None
    if space is _tfc or not public(space):
        return None
    return space if isinstance(space, ModuleType) else Inside(f"{NAME}.{path}", space)


def public(space: Any) -> bool:
    """Whether it is not a room of tfc's, which are attributes of the package, too."""
    room = getattr(space, "__name__", "").removeprefix("tfc.").split(".")[0]
    return not hasattr(_tfc, room) or room in dir(_tfc) or room in _tfc._LAZY


def install(module: ModuleType) -> None:
    """Answer imports from now on, with `module` as `tensorflow`."""
    finder = Finder()
    sys.modules[NAME] = module
    sys.meta_path.insert(0, finder)
    module.__spec__ = importlib.machinery.ModuleSpec(
        NAME, Given(module), origin="tfc in its place", is_package=True
    )
