"""The schedules of products on tensor cores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ....core import Value
from ....dtypes import DType, bfloat16, float16, float32
from ...plan.groups import Group, Plan
from ..simt.gemm import TiledContraction, is_contraction, problem_of, shape_of
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
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        if not is_contraction(op) or not (kind := kind_of(target, op.operands[0].dtype)):
            return None

        def in_memory(value: Value) -> bool:
            return plan.in_memory(value, group)

        operands = OperandMemory(op, shape_of(op, in_memory), in_memory)
        return cls(op, kind) if cls.fits(kind, operands, target) else None

    @classmethod
    @abstractmethod
    def fits(cls, kind: str, operands: OperandMemory, target: Target) -> bool:
        """Whether the schedule is for a product of fragments of this kind."""


@dataclass(frozen=True)
class WgmmaGemm(TensorCores):
    """Tiles that warpgroups multiply out of shared memory, where both operands can be copied there
    as they are, and are large."""

    @classmethod
    def fits(cls, kind: str, operands: OperandMemory, target: Target) -> bool:
        return target.warpgroups and kind != "tf32" and wgmma.fits(operands)

    def emit(self, lower: GroupBuilder) -> None:
        wgmma.WarpgroupTiling(lower, self.op, problem_of(lower, self.op), self.fragments).write()


@dataclass(frozen=True)
class MmaGemm(TensorCores):
    """Tiles whose fragments warps multiply in registers."""

    @classmethod
    def fits(cls, kind: str, operands: OperandMemory, target: Target) -> bool:
        return True

    def emit(self, lower: GroupBuilder) -> None:
        TensorTiling(lower, self.op, problem_of(lower, self.op), self.fragments).write()


def kind_of(target: Target, dtype: DType) -> str:
    """How the tensor cores multiply matrices of `dtype`; "" where they do not, or may not."""
    if dtype in (float16, bfloat16) and target.tensor_cores:
        return str(dtype.short)
    return "tf32" if dtype is float32 and target.tf32 else ""
