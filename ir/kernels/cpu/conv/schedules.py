"""The schedules of convolutions: channel by channel, or as contractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent, floordiv, product
from ....ops.contraction import BLOCK
from ....ops.window import Conv
from ...common.im2col import gemm_shape, is_single_gemm
from ...plan import prologues
from ...plan.groups import Group, Kind, Plan, Schedule, Uses
from ..gemm import choice
from ..gemm.micro_kernel import Tiles
from .access import access_of, stored_operand, stored_weights
from .depthwise import UNROLLED_TAPS_MAX, DepthwiseTiles, kinds
from .depthwise_weight_gradient import DepthwiseWeightGradient
from .few_channels import FewChannels, FewChannelsPlan, has_few_columns
from .finite_guard import Guard, guard_of, write_guarded
from .im2col import Im2colStrips
from .loops import ConvLoops
from .plan import PACKED_WEIGHTS_MAX, ConvPlan

# Places along the last axis of a depthwise gradient of weights, which are written out: sums that
# registers hold, with two vectors of channels 32. Benchmarks have 3.
UNROLLED_PLACES_MAX = 16
# How often weights are packed, for the price of computing them meanwhile: small ones are so once,
# with a margin; the number for large ones is a guess. int8 weights of 3x3x256x256: 2.1 ms, 2.5
# where they are stored (14x14, Intel Xeon).
SMALL_WEIGHTS_PACKINGS, LARGE_WEIGHTS_PACKINGS = (
    2,
    8,
)

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


@dataclass(frozen=True)
class DepthwiseConv(Schedule):
    """One channel a group, whose channels lie along the lanes: see depthwise.py."""

    kind = Kind.CONTRACTION
    heads = (Conv,)

    op: Conv
    writer: type[DepthwiseTiles] | type[DepthwiseWeightGradient]

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return (
            (op.result, stored_operand(op.operands[0])[0], op.operands[1])
            if depthwise_writer(op)
            else None
        )

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        writer = depthwise_writer(group.op)
        return cls(group.op, writer) if writer and isinstance(group.op, Conv) else None

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        """Mostly what goes through memory."""
        op = self.op
        moved = product(op.x.shape) + product(op.w.shape) + product(op.result.shape)
        return floordiv(moved * op.x.dtype.compute.itemsize, 8)

    def emit(self, lower: GroupBuilder) -> None:
        self.writer(lower, self.op).write()


@dataclass(frozen=True)
class ConvTiles(Schedule):
    """A convolution as one matrix product, or one for each group: see plan.py."""

    kind = Kind.CONTRACTION
    heads = (Conv,)

    op: Conv
    way: ConvPlan | FewChannelsPlan | None  # None for im2col
    guard: Guard

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if not isinstance(op, Conv) or not _is_contraction(op):
            return None
        values = [op.result]
        if not prologues.candidate(cls, op, 0, uses):
            values.append(cls.source(op, 0, uses.target))
        if op.w in values or op.w in uses.stored:
            values.append(op.w)
        elif not prologues.candidate(cls, op, 1, uses):
            values.append(stored_weights(op))
        return values

    @classmethod
    def source(cls, op: Op, number: int, target: Target) -> Value:
        assert isinstance(op, Conv)
        access = access_of(op)
        if number:
            return op.w if cls.recomputes(op, number, target) is not None else stored_weights(op)
        return op.x if access is None else access.memory

    @classmethod
    def recomputes(cls, op: Op, number: int, target: Target) -> Extent | None:
        assert isinstance(op, Conv)
        return _repeats(op, number, target)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        if not isinstance(op, Conv) or not _is_contraction(op):
            return None
        way = _choose(op, target, lambda value: plan.in_memory(value, group))
        skips = isinstance(way, ConvPlan) and way.access.clipped  # what would be zeros
        return cls(op, way, Guard.NONE if skips else guard_of(op, plan.outputs(group)))

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return gemm_shape(self.op).cost(target)

    def emit(self, lower: GroupBuilder) -> None:
        im2col = Im2colStrips(lower, self.op)
        t = Tiles(lower, im2col.problem() if self.way is None else im2col.places())
        match self.way:
            case ConvPlan() as plan:
                write = ConvLoops(t, plan).write
            case FewChannelsPlan() as plan:
                write = FewChannels(t, im2col, plan).write
            case None:
                write = partial(choice.write, t)
        write_guarded(t, self.op, self.guard, write)


def _choose(
    op: Conv, target: Target, in_memory: Callable[[Value], bool]
) -> ConvPlan | FewChannelsPlan | None:
    """In the order that __init__.py explains."""
    access = access_of(op)
    plan = ConvPlan.of(op, access, target, in_memory) if access else None
    if plan is not None and plan.is_weight_gradient:
        return plan
    return FewChannelsPlan.of(op, target) or plan


def depthwise_writer(op: Op) -> type[DepthwiseTiles] | type[DepthwiseWeightGradient] | None:
    """What writes a convolution with one channel a group; None where it is none of these."""
    if not isinstance(op, Conv) or not op.size or op.groups * op.batch_groups == 1:
        return None
    if op.w.shape[-2] != 1 or op.in_group != 1:
        return None
    axis, size = op.axes(op.x.shape, op.w.shape)[-1], op.size[-1]
    if not all(isinstance(e, int) for e in (size, *axis.numbers)):
        return None
    if op.groups != 1:
        taps, along = product(op.w.shape[:-2]), op.w.shape[-3]
        few = isinstance(taps, int) and taps <= BLOCK
        few = few and isinstance(along, int) and along <= UNROLLED_TAPS_MAX
        return DepthwiseTiles if few and kinds(axis, size) else None
    alone = op.result.shape[0] == 1 and all(e == 1 for e in op.lhs_dilation)
    few = isinstance(product(op.size), int) and size <= UNROLLED_PLACES_MAX  # type: ignore[operator]
    return DepthwiseWeightGradient if alone and few else None


def _is_contraction(op: Conv) -> bool:
    return is_single_gemm(op) or access_of(op) is not None


def _repeats(op: Conv, number: int, target: Target) -> Extent | None:
    """What windows look at is computed where it is copied, with a halo say; weights are so where
    they are looked through (see ir/kernels/cpu/conv/finite_guard.py) and where they are packed."""
    access = access_of(op)
    if access is None or has_few_columns(op, target):
        return None
    if number == 0:
        return 1 if access.copied else None
    plain = op.batch_groups == 1 and all(e == 1 for e in op.lhs_dilation)
    if not plain or access.groups.extent != 1 or access.clipped:
        return None
    size = op.w.tensor_type.size
    return (
        SMALL_WEIGHTS_PACKINGS
        if isinstance(size, int) and size <= PACKED_WEIGHTS_MAX
        else LARGE_WEIGHTS_PACKINGS
    )
