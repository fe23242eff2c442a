"""Prologues of contractions: operands that are computed where they are packed or copied.

    (x * scale) @ w,   relu(x) @ w,   ((x - mean) * rstd * gamma + beta) @ w,   x @ (cast(q) * s)

Packing pulls elements, so an operand need not be in memory if what it is made of is. What that
saves is a store and a load of each element; what it costs is that an operand which is packed
several times is computed as often. Both are counted in scalar operations (see groups.py), of which
a byte that is loaded is worth LOADED_BYTE_OPERATIONS. Where nothing is packed, an operand is
computed only where each element is needed once: by one row, one column, or a few rows that share
the loads of right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...core import Op, Value
from ...extent import largest
from ...ops.contraction import Matmul
from ...ops.elementwise import Elementwise
from ...ops.gather import Gather
from ...ops.reduction import Reduction
from ...ops.shape import Broadcast, Concat, Pad, Slice
from ...ops.window import Conv
from .computed_operands import Prologue, prologue
from .groups import Schedule, Uses

# Scalar operations that loading a byte is worth. Masked 4096x256 by 256x64: 0.91 of the time with
# 0, 0.92 with 4; 16 rows by int8 weights of 2048x2048: 1.03 and 1.01.
LOADED_BYTE_OPERATIONS = 1
# The same for a byte that is stored, whose line is read before. The same rows: 1.02 and 0.97 with
# 0, 0.99 and 0.99 with 8.
STORED_BYTE_OPERATIONS = 2


def candidate(head: type[Schedule], op: Op, number: int, uses: Uses) -> bool:
    """Whether an operand may be computed where the schedules of `op` pack it: nobody else wants
    it."""
    users = uses.readers
    if head.recomputes(op, number, uses.target) is None:
        return False
    v, last = op.operands[number], head.source(op, number, uses.target)
    if op.operands.count(v) > 1:
        return False
    while v is not last and len(users[v]) == 1:
        assert v.op is not None
        (v,) = v.op.operands
    pulled = Elementwise | Broadcast | Slice | Pad | Concat | Gather
    return v is last and isinstance(v.op, pulled) and len(users[v]) == 1


def worth(
    head: type[Schedule],
    op: Op,
    number: int,
    kept: Callable[[Value], bool],
    sure: Callable[[Value], bool],
    uses: Uses,
) -> Prologue | None:
    """How an operand is computed while it is packed, from what is `kept`; None where it is better
    stored. What is `sure` is kept for others, too, as far as can be told by itself."""
    value = op.operands[number] if isinstance(op, Matmul) else head.source(op, number, uses.target)
    repeats, found = head.recomputes(op, number, uses.target), prologue(value, kept)
    times = repeats if repeats is None else largest(repeats)
    if found is None or not isinstance(times, int):
        return None
    if isinstance(op, Conv) and (not found.inner or found.gathers):  # channels lie side by side
        return None
    if found.gathers and times > 1:  # rows at random places are dear to read
        return None
    if not all(_at_hand(v, found, sure, uses.readers) for v in found.large):
        return None
    size = value.dtype.itemsize
    once = found.cost + LOADED_BYTE_OPERATIONS * found.loads
    # What is made of statistics of its row is at hand when they are.
    again = found.cost if any(_of_row(v, axes) for v, axes in found.leaves.items()) else once
    return (
        found
        if times * once <= again + (STORED_BYTE_OPERATIONS + times * LOADED_BYTE_OPERATIONS) * size
        else None
    )


def _of_row(v: Value, axes: Sequence[int | None]) -> bool:
    return axes[1] is None and axes[0] is not None and v.op is not None


def _at_hand(
    v: Value, found: Prologue, sure: Callable[[Value], bool], users: Mapping[Value, list[Op]]
) -> bool:
    """Whether `v` is in memory even if the operand that is made of it is, too. What a contraction
    or reduction gives to nobody else need not be: the operand is stored in its place. Nor need be
    what is only stored because it costs much to compute again."""
    if not sure(v):
        return False
    if not isinstance(v.op, Matmul | Conv | Reduction):
        return True
    reach, size = {v}, 0
    while size != len(reach):
        size = len(reach)
        for op in found.ops:
            if not reach.isdisjoint(op.operands):
                reach.update(op.results)
    last = next(iter(found.ops))  # whose result is what is packed
    return any(user not in found.ops for u in reach if u.op is not last for user in users[u])
