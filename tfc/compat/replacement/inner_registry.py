"""`tensorflow.python.framework.type_spec_registry`: specs of libraries, by the names that they
have in files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tfc.core.type_specs import TypeSpec

BY_NAME: dict[str, type] = {}
NAMES: dict[type, str] = {}


def register(name: str) -> Callable[[type], type]:
    """A decorator of a class of specs, which gives it a name.

    Raises:
        TypeError: The name is no text, or the class none of specs.
        ValueError: The name is no `module.Class`, or the class or the name is registered already.
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if not re.fullmatch(r"([\w-]+\.)+\w+", name):
        raise ValueError(
            f"Registered name must have the form '{{project_name}}.{{type_name}}'. Got {name!r}."
        )

    def decorate(cls: type) -> type:
        if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
        if cls in NAMES:
            raise ValueError(f"Class {cls} has already been registered with name {NAMES[cls]}.")
        if name in BY_NAME:
            raise ValueError(f"Name {name} has already been registered for class {BY_NAME[name]}.")
        BY_NAME[name], NAMES[cls] = cls, name
        return cls

    return decorate


def get_name(cls: type) -> str:
    """The name that a class was registered with; ValueError where there is none."""
    if cls not in NAMES:
        raise ValueError(f"TypeSpec {cls} has not been registered.")
    return NAMES[cls]


def lookup(name: Any) -> type:
    """The class of a name; ValueError where there is none."""
    if name not in BY_NAME:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return BY_NAME[name]
