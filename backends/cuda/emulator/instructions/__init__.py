"""What each PTX instruction does, as LLVM IR. One module a family; importing registers them."""

from __future__ import annotations

from . import (
    arithmetic,
    control,
    conversions,
    copies,
    floats,
    half,
    memory,
    tensor,
    warpgroups,
    warps,
)

__all__ = [
    "arithmetic",
    "control",
    "conversions",
    "copies",
    "floats",
    "half",
    "memory",
    "tensor",
    "warpgroups",
    "warps",
]
