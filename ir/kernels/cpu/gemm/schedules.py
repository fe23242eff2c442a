"""The schedule of matrix products; which one of choice.py it is depends on its shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent, ceildiv, product
from ....ops.contraction import BLOCK, Matmul
from ...contraction import matmul_shape, matrix_product
from ...plan import prologues
from ...plan.computed_operands import check_gathers, unturned
from ...plan.groups import Group, Kind, Plan, Schedule, Uses
from .blocked import COLUMNS_MAX
from .choice import COMPUTED_ROWS, LARGE_RESULT, LARGE_ROWS, GemmSchedule, choose
from .micro_kernel import Tiles
from .unpacked import SMALL_ONCE, TINY, reads_rows

# As schedules have them with registers of 64 bytes; others have less, which is no matter here.
PANEL = 32  # columns of a panel
STRIP_ROWS = 12  # rows of a strip
UNKNOWN = 4  # how often left is packed where nobody knows how many columns there are

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder
    from ...target import Target


@dataclass(frozen=True)
class Gemm(Schedule):
    """A matrix product, with what is cheap enough for its write-back."""

    kind = Kind.CONTRACTION
    heads = (Matmul,)

    op: Matmul
    way: GemmSchedule

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if not isinstance(op, Matmul):
            return None
        values = [op.result]
        for number, v in enumerate(op.operands):
            if number and reads_rows(op):
                values.append(v)
            elif not prologues.candidate(cls, op, number, uses.readers):
                values.append(unturned(v, uses.stored))
        return values

    @classmethod
    def source(cls, op: Op, number: int) -> Value:
        return unturned(op.operands[number])

    @classmethod
    def recomputes(cls, op: Op, number: int) -> Extent | None:
        assert isinstance(op, Matmul)
        return _repeats_of_right(op) if number else _repeats_of_left(op)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        if not isinstance(op, Matmul):
            return None
        shape = matmul_shape(op, lambda value: plan.in_memory(value, group))
        return cls(op, choose(shape, target))

    def emit(self, k: FusedKernelBuilder) -> None:
        check_gathers(k, self.op)
        self.way.emit(Tiles(k, matrix_product(k, self.op)))


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
