"""TensorFlow's inner modules (`tensorflow.python...`), as far as libraries import them.

They are no public interface, so only what libraries were seen to need is here. What is named
`module:attribute` is taken from tfc, anything else is the public name.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import tfc as _tfc

_OWN = f"{__package__}.inner_functions:"

# By the path below tensorflow.python: a module that stands for it, or its names.
MODULES: dict[str, str | dict[str, str]] = {
    "eager.context": {
        "context": f"{_OWN}context",
        "executing_eagerly": "executing_eagerly",
    },
    "framework.composite_tensor": {"CompositeTensor": "__internal__.CompositeTensor"},
    "framework.tensor_shape": {
        "TensorShape": "TensorShape",
        "Dimension": "compat.v1.Dimension",
        "as_shape": "TensorShape",
        "dimension_value": "compat.dimension_value",
        "dimension_at_index": "compat.dimension_at_index",
    },
    "util.deprecation": {
        "deprecated": f"{_OWN}deprecated",
        "deprecated_alias": f"{_OWN}deprecated_alias",
        "deprecated_arg_values": f"{_OWN}deprecated_arguments",
        "deprecated_args": f"{_OWN}deprecated_arguments",
        "deprecated_argument_lookup": f"{_OWN}deprecated_argument_lookup",
    },
    "util.nest": "tfc.nest",
    "util.tf_export": {"tf_export": f"{_OWN}as_it_is"},
    "util.tf_inspect": "inspect",
}


def module(path: str) -> ModuleType | None:
    """The module tensorflow.PATH; None where it is not here."""
    inside = path.removeprefix("python").removeprefix(".")
    name = f"tensorflow.{path}"
    entry = MODULES.get(inside)
    if isinstance(entry, str):
        return importlib.import_module(entry)
    made = ModuleType(name, f"What libraries use of {name}.")
    if entry is not None:

        def get(name: str) -> Any:
            if name in entry:
                return resolved(entry[name])
            raise AttributeError(f"module {made.__name__!r} has no attribute {name!r}: it is tfc's")

        vars(made).update(__getattr__=get, __dir__=lambda: sorted(entry))
        return made
    if any(key.startswith(f"{inside}." if inside else "") for key in MODULES):
        vars(made)["__path__"] = []
        return made
    return None


def resolved(place: str) -> Any:
    """What a table's entry names."""
    start, _, rest = place.rpartition(":")
    found: Any = importlib.import_module(start) if start else _tfc
    for part in rest.split("."):
        found = getattr(found, part)
    return found
