"""Which transposes move the last axis, so that what is read or what is stored lies apart: tiles of
them are transposed where that costs little."""

from __future__ import annotations

from ...ops.shape import Transpose
from ..plan.groups import Group, Plan
from ..plan.reasons import COMPLEX, Mismatch


def misfit(op: Transpose, group: Group, plan: Plan) -> Mismatch | None:
    """Why `op`, which begins a group, is none of them, or not alone with its operand in memory;
    None where it is."""
    rank = op.result.rank
    if len(group.roots) > 1:
        return Mismatch("{} is made in the same loops", group.roots[1])
    if not plan.in_memory(op.x, group):
        return Mismatch("{} is not in memory", op.x)
    if rank < 2 or op.perm[-1] == rank - 1:
        return Mismatch("the last axis stays where it is")
    return COMPLEX if op.result.dtype.is_complex else None
