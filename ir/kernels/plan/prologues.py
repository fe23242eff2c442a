"""Prologues of contractions: operands that are computed where they are packed or copied.

    (x * scale) @ w,   relu(x) @ w,   ((x - mean) * rstd * gamma + beta) @ w,   x @ (cast(q) * s)

Packing pulls elements, so an operand need not be in memory if what it is made of is. What that
saves is a store and a load of each element; what it costs is that an operand which is packed
several times is computed as often. Both are counted in scalar operations (see groups.py), of which
a load of four bytes is worth LOAD. Where nothing is packed, an operand is computed only where each
element is needed once: by one row, one column, or a few rows that share the loads of right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core import Op, Value
from ...extent import Extent, ceildiv, product
from ...ops.contraction import BLOCK, Matmul
from ...ops.elementwise import Elementwise
from ...ops.gather import Gather
from ...ops.reduction import Reduction
from ...ops.shape import Broadcast, Concat, Pad, Slice
from ...ops.window import Conv
from ..cpu.conv.access import walk, weights
from ..cpu.conv.weights import LARGE
from ..cpu.gemm.blocked import COLUMNS_MAX
from ..cpu.gemm.choice import COMPUTED_ROWS, LARGE_ROWS
from ..cpu.gemm.unpacked import SMALL_ONCE, TINY
from .computed_operands import Prologue, prologue, unturned

LOAD = 1  # scalar operations for a byte that is loaded
STORE = 2  # and for one that is stored: its line is read before
UNKNOWN = 4  # how often the left operand is packed where nobody knows how many columns there are
TWICE, OFTEN = 2, 8  # the same for weights of windows: small ones are packed once

# As schedules have them with registers of 64 bytes; others have less, which is no matter here.
PANEL = 32  # columns of a panel
STRIP_ROWS = 12  # rows of a strip
FEW_COLUMNS = 8  # of a convolution's group, up to which it has a schedule of its own
LARGE_RESULT = 1 << 16  # elements of a result of a batch, above which the same holds


def repeats(op: Op, number: int) -> Extent | None:
    """How often each element of an operand is computed if it is not in memory, by the schedule
    that will be chosen (see ir/kernels/cpu/gemm/choice.py and ir/kernels/cpu/conv/im2col.py); None
    where it should be in memory."""
    match op:
        case Matmul():
            return _repeats_of_right(op) if number else _repeats_of_left(op)
        case Conv():
            return _repeats_of_window(op, number)
    return None


def _repeats_of_left(op: Matmul) -> Extent | None:
    """Tiles read its elements one by one, so it has to be packed: for each block of columns."""
    *batch, m, n = op.result.shape
    if m == 1:
        return None
    if n == 1:
        return None if _at_most(op, TINY) else 1
    if _at_most(op, SMALL_ONCE) or (isinstance(m, int) and m < LARGE_ROWS):
        return None
    columns = PANEL
    if not batch or (isinstance(m, int) and isinstance(n, int) and m * n > LARGE_RESULT):
        k, size = op.x.shape[-1], op.result.dtype.compute.itemsize
        depth = min(k, BLOCK) if isinstance(k, int) else BLOCK
        columns = COLUMNS_MAX * 4 // size * BLOCK // max(depth, 1)
    return ceildiv(n, columns) if isinstance(n, int) else UNKNOWN


def _repeats_of_right(op: Matmul) -> Extent | None:
    """It is packed once, or read as whole vectors, once by each strip of rows."""
    m, n = op.result.shape[-2:]
    if m == 1:
        return 1
    if _at_most(op, SMALL_ONCE) or (isinstance(m, int) and m < COMPUTED_ROWS):
        several = not isinstance(m, int) or m > STRIP_ROWS
        return None if several or n == 1 or op.y.type.size == 0 else 1
    return None if isinstance(n, int) and n <= PANEL else 1


def _at_most(op: Matmul, volume: int) -> bool:
    """Whether a product has surely no more multiplications."""
    found = product((*op.result.shape[-2:], op.x.shape[-1]))
    return isinstance(found, int) and found <= volume


def _repeats_of_window(op: Conv, number: int) -> Extent | None:
    """What windows look at is computed where it is copied, with a border say; weights are so where
    they are looked through (see ir/kernels/cpu/conv/im2col.py) and where they are packed."""
    how = walk(op)
    if how is None or (isinstance(op.in_group, int) and op.in_group <= FEW_COLUMNS):
        return None
    if number == 0:
        return 1 if how.copied else None
    plain = op.batch_groups == 1 and all(hole == 1 for hole in op.hole_strides)
    if not plain or how.groups.extent != 1 or how.clipped:
        return None
    size = op.w.type.size
    return TWICE if isinstance(size, int) and size <= LARGE else OFTEN


def source(op: Op, number: int) -> Value:
    """What is in memory of an operand, where it is stored: turning it costs nothing."""
    if isinstance(op, Matmul):
        return unturned(op.operands[number])
    assert isinstance(op, Conv)
    how = walk(op)
    if number:
        return op.w if repeats(op, number) is not None else weights(op)
    return op.x if how is None else how.memory


def candidate(op: Op, number: int, users: dict[Value, list[Op]]) -> bool:
    """Whether an operand may be computed where it is packed: nobody else wants it."""
    v, last = op.operands[number], source(op, number)
    if repeats(op, number) is None or op.operands.count(v) > 1:
        return False
    while v is not last and len(users[v]) == 1:
        assert v.op is not None
        (v,) = v.op.operands
    pulled = Elementwise | Broadcast | Slice | Pad | Concat | Gather
    return v is last and isinstance(v.op, pulled) and len(users[v]) == 1


def worth(
    op: Op,
    number: int,
    kept: Callable[[Value], bool],
    sure: Callable[[Value], bool],
    users: dict[Value, list[Op]],
) -> Prologue | None:
    """How an operand is computed while it is packed, from what is `kept`; None where it is better
    stored. What is `sure` is kept for others, too, as far as can be told by itself."""
    value = op.operands[number] if isinstance(op, Matmul) else source(op, number)
    times, found = repeats(op, number), prologue(value, kept)
    if found is None or not isinstance(times, int):
        return None
    if isinstance(op, Conv) and (not found.inner or found.gathers):  # channels lie side by side
        return None
    if found.gathers and times > 1:  # rows at random places are dear to read
        return None
    if not all(_at_hand(v, found, sure, users) for v in found.large):
        return None
    size = value.dtype.itemsize
    once = found.cost + LOAD * found.loads
    # What is made of statistics of its row is at hand when they are.
    again = found.cost if any(_of_row(v, axes) for v, axes in found.leaves.items()) else once
    return found if times * once <= again + (STORE + times * LOAD) * size else None


def _of_row(v: Value, axes: Sequence[int | None]) -> bool:
    return axes[1] is None and axes[0] is not None and v.op is not None


def _at_hand(
    v: Value, found: Prologue, sure: Callable[[Value], bool], users: dict[Value, list[Op]]
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
