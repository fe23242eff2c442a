"""The schedule of products on tensor cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ....dtypes import DType, bfloat16, float16, float32
from ...plan.groups import Group, Plan
from ..simt.gemm import TiledContraction, is_contraction, problem_of
from .mma import TensorTiling
from .wgmma import WarpgroupTiling

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder
    from ...target import Target


@dataclass(frozen=True)
class TensorCores(TiledContraction):
    """Tiles whose fragments are multiplied by warps, or by warpgroups where these are worth it."""

    kind_of_fragment: str

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        kind = kind_of(target, op.operands[0].dtype) if is_contraction(op) else ""
        return cls(op, kind) if kind else None

    def emit(self, k: FusedKernelBuilder) -> None:
        problem = problem_of(k, self.op)
        ways = (
            way(k, self.op, problem, self.kind_of_fragment)
            for way in (WarpgroupTiling, TensorTiling)
        )
        next(tiling for tiling in ways if tiling.suits()).write()


def kind_of(target: Target, dtype: DType) -> str:
    """How the tensor cores multiply matrices of `dtype`; "" where they do not, or may not."""
    if dtype in (float16, bfloat16) and target.tensor_cores:
        return str(dtype.short)
    return "tf32" if dtype is float32 and target.tf32 else ""
