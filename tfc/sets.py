"""`tfc.sets`: the last axis of a tensor holds sets, one for each place along the other axes."""

from .ops.sparse.sets import (
    difference,
    intersection,
    size,
    union,
)

__all__ = [
    "difference",
    "intersection",
    "size",
    "union",
]
