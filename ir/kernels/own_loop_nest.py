"""Ops that write a loop nest of their own (`Scheduled`): scatters, scans, sorts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ..core import Op, Value
from ..extent import Extent, floordiv
from ..ops.scheduled import Scheduled
from ..value_classes import dataclass
from .plan.groups import OPERATIONS_PER_NANOSECOND, Group, Kind, Plan, Schedule, Uses
from .plan.reasons import Mismatch

if TYPE_CHECKING:
    from .group_builder import GroupBuilder
    from .target import Target


Nest = TypeVar("Nest", bound=Scheduled)


@dataclass(frozen=True)
class ScheduledOp(Schedule, Generic[Nest]):
    """The base of schedules for such ops. Nothing else is computed in the same kernel."""

    kind = Kind.ALONE

    op: Nest  # of one of the classes `begins`

    @classmethod
    def misfit(cls, op: Nest) -> Mismatch | None:
        """Why the schedule is not for `op`, one of those it `begins` with; None where it is."""
        return None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op: Any = group.op
        return cls.misfit(op) or cls(op)

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        """As for elements that are pulled; of what is updated, those that are written."""
        if self.op.updated() is None:
            return super().cost(group, plan, target)
        written = self.op.operations() * 4 * self.op.result.dtype.itemsize
        return floordiv(written, OPERATIONS_PER_NANOSECOND)

    def in_place(self) -> Mapping[Value, Value]:
        base = self.op.updated()
        return {} if base is None else {base: self.op.result}


@dataclass(frozen=True)
class OwnLoopNest(ScheduledOp[Scheduled]):
    """The loops that the op itself writes, for what no schedule before is for."""

    takes = "ops that write loops of their own"
    heads = begins = (Scheduled,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return (*op.results, *op.operands)

    def emit(self, lower: GroupBuilder) -> None:
        for type_ in self.op.scratch():
            lower.scratch(type_)
        self.op.store(lower, *lower.outputs.values())
