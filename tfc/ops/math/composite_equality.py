"""Whether two objects made of tensors are equal: extension types, structured tensors."""

from __future__ import annotations

from typing import Any

from ...core import nest
from ...core.conversion import convert_to_tensor
from . import comparisons, reductions


def equal_composites(x: object, y: object) -> Any:
    """A tensor that says whether all tensors in `x` are those in `y`; False where their structure,
    dtypes or shapes differ."""
    mine, theirs = (nest.decompose_composites(v) for v in (x, y))
    if mine[1] != theirs[1]:
        return False
    same: Any = convert_to_tensor(True)
    for a, b in zip(mine[0], theirs[0], strict=True):
        if a.dtype is not b.dtype or not a.shape.is_compatible_with(b.shape):
            return False
        same = comparisons.logical_and(same, reductions.reduce_all(comparisons.equal(a, b)))
    return same
