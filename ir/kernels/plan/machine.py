"""What the plan of a function's kernels asks of the kind of machine that they are for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Protocol

from ...core import Function, Op, Value
from ...extent import Shape
from ...value_classes import dataclass, field
from .groups import Asked, Group, Plan, Schedule, Uses
from .reasons import OTHER_KIND, Mismatch

if TYPE_CHECKING:
    from ..builder import Index
    from ..group_builder import GroupBuilder
    from ..target import Target

# Merges groups of a plan, given the place in the order of execution of the group of each value.
Join = Callable[[Function, Plan, dict[Value, int], "Target"], None]


class Spread(Protocol):
    """Emits `fill` for all indices of a shape, on any threads; the first `serial` axes in order."""

    def __call__(
        self, lower: GroupBuilder, shape: Shape, fill: Callable[[Index], None], serial: int = 0
    ) -> None: ...


@dataclass(frozen=True, eq=False)
class Machine:
    """A kind of machine: which schedules it has, and how work is dealt out to its threads."""

    schedules: tuple[type[Schedule], ...]  # in the order of preference; the last is for any group
    streams_max: float  # arrays that one kernel goes through side by side
    row_joins: tuple[Join, ...]  # before it is known which values kernels keep for themselves
    last_joins: tuple[Join, ...]  # after that
    spread: Spread
    # Emits `fill` for all indices of a shape; what differs in the first axis one after another.
    ordered: Callable[[GroupBuilder, Shape, Callable[[Index], None]], None]
    # By classes of ops, which schedules have something to do with one of them.
    _heads: dict[type[Op], tuple[type[Schedule], ...]] = field(default_factory=dict, init=False)
    _begun: dict[type[Op], tuple[type[Schedule], ...]] = field(default_factory=dict, init=False)

    def head(self, op: Op, uses: Uses) -> tuple[type[Schedule], Iterable[Value]] | None:
        """The first schedule that `op` begins a group of, and what has to be in memory for that;
        None where it may be pulled by what reads it."""
        kind = type(op)
        candidates = self._heads.get(kind)
        if candidates is None:
            candidates = tuple(s for s in self.schedules if issubclass(kind, s.heads))
            self._heads[kind] = candidates
        for schedule in candidates:
            values = schedule.stored_values(op, uses)
            if values is not None:
                return schedule, values
        return None

    def choose(self, group: Group, plan: Plan, target: Target) -> Schedule:
        """The schedule of a group, when the plan is complete."""
        kind = type(group.op)
        candidates = self._begun.get(kind)
        if candidates is None:
            candidates = tuple(s for s in self.schedules if issubclass(kind, s.begins))
            self._begun[kind] = candidates
        for candidate in candidates:
            found = candidate.matches(group, plan, target)
            if not isinstance(found, Mismatch):
                return found
        raise AssertionError("the last schedule is for any group")

    def asked(self, group: Group, plan: Plan, target: Target) -> Asked:
        """What `choose` asked, in order."""
        for candidate in self.schedules:
            begun = isinstance(group.op, candidate.begins)
            found = candidate.matches(group, plan, target) if begun else OTHER_KIND
            yield candidate, found
            if not isinstance(found, Mismatch):
                return


def readers(ops: Collection[Op]) -> dict[Value, list[Op]]:
    """The ops that read each value, in order."""
    found: dict[Value, list[Op]] = defaultdict(list)
    for op in ops:
        for v in op.operands:
            reading = found[v]
            if not reading or reading[-1] is not op:  # an op may read it twice
                reading.append(op)
    return found
