"""The schedules of convolutions: channel by channel, or as contractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent, as_int, floordiv, product
from ....ops.contraction import BLOCK
from ....ops.window import Conv
from ....value_classes import dataclass
from ...common.im2col import gemm_shape, is_single_gemm
from ...plan import prologues
from ...plan.groups import Asked, Group, Kind, Plan, Schedule, Uses
from ...plan.reasons import OTHER_KIND, Mismatch
from ..gemm import choice
from ..gemm.micro_kernel import Tiles
from .access import access_of, access_or_why, stored_operand, stored_weights
from .depthwise import UNROLLED_TAPS_MAX, DepthwiseTiles, kinds
from .depthwise_weight_gradient import DepthwiseWeightGradient
from .few_channels import FewChannels, FewChannelsPlan, has_few_columns
from .finite_guard import Guard, guard_of, write_guarded
from .im2col import Im2colStrips
from .loops import ConvLoops
from .plan import ConvPlan

# Places along the last axis of a depthwise gradient of weights, which are written out: sums that
# registers hold, with two vectors of channels 32. Benchmarks have 3.
UNROLLED_PLACES_MAX = 16
# How often weights are packed, for the price of computing them meanwhile: small ones are so once,
# with a margin; the number for large ones is a guess. int8 weights of 3x3x256x256: 2.1 ms, 2.5
# where they are stored (14x14, Intel Xeon).
SMALL_WEIGHTS_PACKINGS, LARGE_WEIGHTS_PACKINGS = 2, 8
# Elements of weights up to which they are small. Not measured by itself.
SMALL_WEIGHTS_MAX = 1 << 18

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target


@dataclass(frozen=True)
class DepthwiseConv(Schedule):
    """One channel a group, whose channels lie along the lanes: see depthwise.py."""

    takes = "convolutions with one channel in each group, and their gradients"
    kind = Kind.CONTRACTION
    heads = begins = (Conv,)

    op: Conv
    writer: type[DepthwiseTiles] | type[DepthwiseWeightGradient]

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        assert isinstance(op, Conv)
        fits = isinstance(depthwise_writer(op), type)
        return (op.result, stored_operand(op.operands[0])[0], op.operands[1]) if fits else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        if not isinstance(op, Conv):
            return OTHER_KIND
        writer = depthwise_writer(op)
        return writer if isinstance(writer, Mismatch) else cls(op, writer)

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

    takes = "convolutions"
    kind = Kind.CONTRACTION
    heads = begins = (Conv,)

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
        """What windows look at is computed where it is copied, with a halo say; weights are so
        where they are looked through (see finite_guard.py) and where they are packed."""
        assert isinstance(op, Conv)
        access, size = access_of(op), op.w.tensor_type.size
        if access is None or has_few_columns(op, target):
            return None
        if number == 0:
            return 1 if access.copied else None
        plain = op.batch_groups == 1 and all(e == 1 for e in op.lhs_dilation)
        if not plain or access.groups.extent != 1 or access.clipped:
            return None
        small = isinstance(size, int) and size <= SMALL_WEIGHTS_MAX
        return SMALL_WEIGHTS_PACKINGS if small else LARGE_WEIGHTS_PACKINGS

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        if not isinstance(op, Conv):
            return OTHER_KIND
        if not _is_contraction(op):
            return Mismatch("it has no channels, or its groups cannot be read in place")
        *_, (_, found) = _ways(op, target, lambda value: plan.in_memory(value, group))
        way = found if isinstance(found, ConvPlan | FewChannelsPlan) else None  # the first there is
        skips = isinstance(way, ConvPlan) and way.access.clipped  # what would be zeros
        return cls(op, way, Guard.NONE if skips else guard_of(op, plan.outputs(group)))

    def asked(self, group: Group, plan: Plan, target: Target) -> Asked:
        return _ways(self.op, target, lambda value: plan.in_memory(value, group))

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        return gemm_shape(self.op).cost(target)

    def emit(self, lower: GroupBuilder) -> None:
        im2col = Im2colStrips(lower, self.op)
        t = Tiles(lower, im2col.problem() if self.way is None else im2col.places())
        match self.way:
            case ConvPlan() as plan:
                write = ConvLoops(t, plan).write
            case FewChannelsPlan() as plan:
                write = FewChannels(t, self.op, plan).write
            case None:
                write = partial(choice.write, t)
        write_guarded(t, self.op, self.guard, write)


def _ways(op: Conv, target: Target, in_memory: Callable[[Value], bool]) -> Asked:
    """In the order that __init__.py explains."""
    access = access_or_why(op)
    plan = access if isinstance(access, Mismatch) else ConvPlan.of(op, access, target, in_memory)
    if not (isinstance(plan, ConvPlan) and plan.is_weight_gradient):
        few = FewChannelsPlan.of(op, target)
        yield FewChannelsPlan, few
        if not isinstance(few, Mismatch):
            return
    yield ConvPlan, plan
    if isinstance(plan, Mismatch):
        yield Im2colStrips, None


def depthwise_writer(op: Conv) -> type[DepthwiseTiles] | type[DepthwiseWeightGradient] | Mismatch:
    """What writes a convolution with one channel a group; why it is none of these, else."""
    if not op.size:
        return Mismatch("it has no windows")
    if op.groups * op.batch_groups == 1:
        return Mismatch("it has one group")
    if op.w.shape[-2] != 1 or op.in_group != 1:
        return Mismatch("a group has {} channels, and {} results", op.w.shape[-2], op.in_group)
    axis = op.axes(op.x.shape, op.w.shape)[-1]
    if not all(isinstance(e, int) for e in (axis.places, *axis.numbers)):
        return Mismatch("the sizes of its last axis are not known")
    if op.groups != 1:
        taps = product(op.w.shape[:-2])
        few = isinstance(taps, int) and taps <= BLOCK
        if not few or as_int(axis.taps) > UNROLLED_TAPS_MAX:
            return Mismatch("{} taps of a window are many", taps)
        if not kinds(axis):
            return Mismatch("its windows along the last axis are long, of many kinds, or apart")
        return DepthwiseTiles
    if op.result.shape[0] != 1 or any(e != 1 for e in op.lhs_dilation):
        return Mismatch("its gradient has several batches, or holes")
    if not isinstance(product(op.size), int) or as_int(axis.places) > UNROLLED_PLACES_MAX:
        return Mismatch("{} places along the last axis are many", axis.places)
    return DepthwiseWeightGradient


def _is_contraction(op: Conv) -> bool:
    if op.w.shape[-2] == 0:  # strips are divided by the number of channels
        return False
    return is_single_gemm(op) or access_of(op) is not None
