"""`import tf_keras`: the name that libraries ask for where Keras 3 is `tf.keras`, since they were
written for Keras 2. It is `tf.keras` here, too: names that both have do what Keras 3 does.
"""

from __future__ import annotations

import functools
import importlib
from types import ModuleType, SimpleNamespace
from typing import Any

from .inside import Inside

NAME = "tf_keras"
SYMBOLIC: list[type] = []  # classes that libraries registered; Keras 3 asks for none


def _register_symbolic_tensor_type(cls: type) -> None:
    """Keep a class that Keras 2 would take for its symbolic tensors. Keras 3 knows its own alone:
    layers that give objects of such a class work on tensors, not in functional models."""
    SYMBOLIC.append(cls)


@functools.cache
def _optimizer() -> Any:
    """The base of optimizers, whose first argument is a name as in Keras 2; those of Keras 3 count
    as such."""
    base: Any = importlib.import_module("tfc.keras").optimizers.Optimizer

    kind: Any = type(base)

    class Meta(kind):
        def __instancecheck__(self, value: Any) -> bool:
            return (
                isinstance(value, base) if self is Optimizer else super().__instancecheck__(value)
            )

    class Optimizer(base, metaclass=Meta):
        """An optimizer that is made as in Keras 2."""

        def __init__(self, name: str, **options: Any) -> None:
            options.pop("jit_compile", None)
            super().__init__(options.pop("learning_rate", 0.0), name=name, **options)

    return Optimizer


def module(path: str) -> ModuleType | None:
    """The module tf_keras.PATH; None where it is not here."""
    if path in ("", "api._v1.keras"):
        keras = importlib.import_module("tfc.keras")
        names = [name for name in dir(keras) if not name.startswith("_")]
        own = Inside(f"{NAME}.optimizers", keras.optimizers, Optimizer=_optimizer())
        name = f"{NAME}.{path}" if path else NAME
        return Inside(name, keras, __all__=names, optimizers=own)
    if path in ("api", "api._v1", *_LEGACY[:-1]):
        return Inside(f"{NAME}.{path}", SimpleNamespace())
    if path == "__internal__":
        utils = SimpleNamespace(register_symbolic_tensor_type=_register_symbolic_tensor_type)
        return Inside(f"{NAME}.{path}", SimpleNamespace(utils=utils))
    if path == _LEGACY[-1]:
        return Inside(f"{NAME}.{path}", importlib.import_module("tfc.keras").layers)
    try:
        space: Any = importlib.import_module("tfc.keras")
        for part in path.split("."):
            space = getattr(space, part)
    except AttributeError:
        return None
    return space if isinstance(space, ModuleType) else None


_LEGACY = [
    "api._v1.keras.__internal__",
    "api._v1.keras.__internal__.legacy",
    "api._v1.keras.__internal__.legacy.layers",
]
