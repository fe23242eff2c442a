"""How kernels go through their work on a grid of threads.

The ways are imported when one is first used: programs for CPUs need none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import (
        column_reductions,
        elementwise,
        gemm,
        row_reductions,
        schedules,
        split_reductions,
        transpose,
    )

__all__ = [
    "column_reductions",
    "elementwise",
    "gemm",
    "row_reductions",
    "schedules",
    "split_reductions",
    "transpose",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
