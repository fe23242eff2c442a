"""The intermediate representation: types, ops, text, passes and derivatives.

`parse(text)` reads what `str(function)` prints; the result can be called on arrays. `format(text)`
lays out text as it is printed, and `python -m tfc.ir format` does so with files.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import core, dtypes, extent, ops, rules, types
from .core import Builder, Function, Op, Value

if TYPE_CHECKING:  # what is imported when it is first used
    from . import passes, text
    from .formatting import format
    from .kernels import ops as kernel_ops
    from .text import parse

_LAZY = {
    "format": ("formatting", "format"),
    "kernel_ops": ("kernels.ops", None),
    "parse": ("text", "parse"),
    "passes": ("passes", None),
    "text": ("text", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, inside = _LAZY[name]
    value: Any = import_module(f"{__name__}.{module}")
    value = globals()[name] = getattr(value, inside) if inside else value
    return value


def __dir__() -> list[str]:
    return __all__


def _import_ops() -> None:
    ops.import_all()
    import_module(f"{__name__}.kernels.ops")


def _shown(f: Function) -> str:
    from .text import print_function

    return print_function(f)


Op.by_name.import_rest = _import_ops
Function.shown = _shown

__all__ = [
    "Builder",
    "Function",
    "Op",
    "Value",
    "core",
    "dtypes",
    "extent",
    "format",
    "kernel_ops",
    "ops",
    "parse",
    "passes",
    "text",
    "types",
]
