"""Ops that write a loop nest of their own (`Scheduled`): scatters, scans, sorts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..core import Op, Value
from ..ops.scheduled import Scheduled
from .plan.groups import Group, Kind, Plan, Schedule, Uses

if TYPE_CHECKING:
    from .group_builder import GroupBuilder
    from .target import Target


@dataclass(frozen=True)
class ScheduledOp(Schedule):
    """The base of schedules for such ops. Nothing else is computed in the same kernel."""

    kind = Kind.ALONE

    op: Any  # one of `ops`
    ops: ClassVar[tuple[type[Op], ...]] = ()

    @classmethod
    def fits(cls, op: Any) -> bool:
        """Whether the schedule is for `op`, one of `ops`."""
        return True

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | None:
        op = group.op
        return cls(op) if isinstance(op, cls.ops) and cls.fits(op) else None

    def in_place(self) -> Mapping[Value, Value]:
        base = self.op.updated()
        return {} if base is None else {base: self.op.result}


@dataclass(frozen=True)
class OwnLoopNest(ScheduledOp):
    """The loops that the op itself writes, for what no schedule before is for."""

    heads = ops = (Scheduled,)

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        return (*op.results, *op.operands)

    def emit(self, lower: GroupBuilder) -> None:
        for type_ in self.op.scratch():
            lower.scratch(type_)
        self.op.store(lower, *lower.outputs.values())
