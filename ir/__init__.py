"""The intermediate representation: types, ops, text, passes and derivatives.

`parse(text)` reads what `str(function)` prints; the result can be called on arrays. `format(text)`
lays out text as it is printed, and `python -m tfc.ir format` does so with files.
"""

from . import core, dtypes, extent, ops, passes, rules, text, types
from .core import Builder, Function, Op, Value
from .formatting import format
from .kernels import ops as kernel_ops  # `parse` knows the ops that are loaded
from .text import parse

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
