"""The schedules of convolutions: channel by channel, or as contractions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent
from ....ops.window import Conv
from ...plan import prologues
from ...plan.groups import Group, Kind, Plan, Schedule, Uses
from . import depthwise, im2col
from .access import walk, weights
from .im2col import is_tiled
from .weights import LARGE

FEW_COLUMNS = 8  # of a group, up to which it has a writer of its own (few_channels.py)
TWICE, OFTEN = 2, 8  # how often weights are packed; small ones are so once

if TYPE_CHECKING:
    from ...fused_builder import FusedKernelBuilder
    from ...target import Target


@dataclass(frozen=True)
class DepthwiseConv(Schedule):
    """One channel a group, whose channels lie along the lanes: see depthwise.py."""

    kind = Kind.CONTRACTION
    heads = (Conv,)

    op: Conv
    writer: type[depthwise.FewTaps] | type[depthwise.FewPlaces]

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return (op.result, *depthwise.memory(op)) if depthwise.schedule(op) else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        writer = depthwise.schedule(group.op)
        return cls(group.op, writer) if writer and isinstance(group.op, Conv) else None

    def emit(self, k: FusedKernelBuilder) -> None:
        self.writer(k, self.op).write()


@dataclass(frozen=True)
class ConvTiles(Schedule):
    """A convolution as one contraction, or one for each group: see im2col.py."""

    kind = Kind.CONTRACTION
    heads = (Conv,)

    op: Conv

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
            values.append(weights(op))
        return values

    @classmethod
    def source(cls, op: Op, number: int, target: Target) -> Value:
        assert isinstance(op, Conv)
        access = walk(op)
        if number:
            return op.w if cls.recomputes(op, number, target) is not None else weights(op)
        return op.x if access is None else access.memory

    @classmethod
    def recomputes(cls, op: Op, number: int, target: Target) -> Extent | None:
        assert isinstance(op, Conv)
        return _repeats(op, number)

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        return cls(op) if isinstance(op, Conv) and _is_contraction(op) else None

    def emit(self, k: FusedKernelBuilder) -> None:
        im2col.write(k, self.op)


def _is_contraction(op: Conv) -> bool:
    return is_tiled(op) or walk(op) is not None


def _repeats(op: Conv, number: int) -> Extent | None:
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
