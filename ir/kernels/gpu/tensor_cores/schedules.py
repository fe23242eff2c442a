"""The schedules of products on tensor cores."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Self

from ....core import Value
from ....dtypes import DType, bfloat16, float16, float32
from ....value_classes import dataclass
from ...plan.groups import Group, Plan
from ...plan.reasons import Mismatch
from ..simt.gemm import TiledContraction, is_contraction, no_contraction, problem_of, shape_of
from ..simt.shared_operands import OperandMemory
from . import wgmma
from .mma import TensorTiling

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


@dataclass(frozen=True)
class TensorCores(TiledContraction):
    """The base of schedules on tensor cores."""

    fragments: str  # what they are made of: see `kind_of`

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        if not is_contraction(op):
            return no_contraction(op)
        dtype = op.operands[0].dtype
        if not (kind := kind_of(target, dtype)):
            return Mismatch("tensor cores do not multiply {}, or may not", dtype)

        def in_memory(value: Value) -> bool:
            return plan.in_memory(value, group)

        operands = OperandMemory(op, shape_of(op, in_memory), in_memory)
        return cls.misfit(kind, operands, target) or cls(op, kind)

    @classmethod
    @abstractmethod
    def misfit(cls, kind: str, operands: OperandMemory, target: Target) -> Mismatch | None:
        """Why the schedule is not for a product of fragments of this kind; None where it is."""


@dataclass(frozen=True)
class WgmmaGemm(TensorCores):
    """Tiles that warpgroups multiply out of shared memory, where both operands can be copied there
    as they are, and are large."""

    takes = "large products that warpgroups can copy to shared memory"

    @classmethod
    def misfit(cls, kind: str, operands: OperandMemory, target: Target) -> Mismatch | None:
        if not target.warpgroups:
            return Mismatch("the processor has no warpgroups")
        if kind == "tf32":
            return Mismatch("warpgroups multiply no {}", kind)
        return wgmma.misfit(operands)

    def emit(self, lower: GroupBuilder) -> None:
        wgmma.WarpgroupTiling(lower, self.op, problem_of(lower, self.op), self.fragments).write()


@dataclass(frozen=True)
class MmaGemm(TensorCores):
    """Tiles whose fragments warps multiply in registers."""

    takes = "products of dtypes that tensor cores multiply"

    @classmethod
    def misfit(cls, kind: str, operands: OperandMemory, target: Target) -> Mismatch | None:
        return None

    def emit(self, lower: GroupBuilder) -> None:
        TensorTiling(lower, self.op, problem_of(lower, self.op), self.fragments).write()


def kind_of(target: Target, dtype: DType) -> str:
    """How the tensor cores multiply matrices of `dtype`; "" where they do not, or may not."""
    if dtype in (float16, bfloat16) and target.tensor_cores:
        return str(dtype.short)
    return "tf32" if dtype is float32 and target.tf32 else ""
