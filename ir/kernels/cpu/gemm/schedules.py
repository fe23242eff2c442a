"""The schedule of matrix products; which one of choice.py it is depends on its shape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent
from ....ops.contraction import Matmul
from ....value_classes import dataclass
from ...contraction import matmul_shape, matrix_product
from ...plan import prologues
from ...plan.computed_operands import check_gathers, untransposed
from ...plan.groups import Asked, Group, Kind, Plan, Schedule, Uses
from ...plan.reasons import Mismatch
from .choice import GemmSchedule, asked, choose, is_small_left
from .micro_kernel import Tiles
from .unpacked import reads_rows

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


@dataclass(frozen=True)
class Gemm(Schedule):
    """A matrix product, with what is cheap enough for its write-back."""

    takes = "matrix products"
    kind = Kind.CONTRACTION
    heads = begins = (Matmul,)

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
            elif not prologues.candidate(cls, op, number, uses):
                values.append(untransposed(v, uses.stored))
        return values

    @classmethod
    def source(cls, op: Op, number: int, target: Target) -> Value:
        return untransposed(op.operands[number])

    @classmethod
    def recomputes(cls, op: Op, number: int, target: Target) -> Extent | None:
        """As the list says of the product with that operand computed; but a small left operand is
        stored, so that it need not be packed: UnpackedGemm then reads it where it is."""
        assert isinstance(op, Matmul)
        stored = matmul_shape(op, lambda value: True)
        shape = replace(stored, left_computed=not number, right_computed=bool(number)).largest()
        if not number and is_small_left(shape):
            return None
        return choose(shape, target).repeats(number, shape, target)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        assert isinstance(op, Matmul)
        shape = matmul_shape(op, lambda value: plan.in_memory(value, group))
        return cls(op, choose(shape, target))

    def asked(self, group: Group, plan: Plan, target: Target) -> Asked:
        shape = matmul_shape(self.op, lambda value: plan.in_memory(value, group))
        return asked(shape, target)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return matmul_shape(self.op, lambda value: plan.in_memory(value, group)).cost(target)

    def emit(self, lower: GroupBuilder) -> None:
        check_gathers(lower, self.op)
        self.way.emit(Tiles(lower, matrix_product(lower, self.op)))
