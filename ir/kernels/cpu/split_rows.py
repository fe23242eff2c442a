"""The schedule of few and long rows, each shared by threads (see common/split_reductions.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ...value_classes import dataclass
from ..common import split_reductions
from ..common.row_reductions import Rows, row, runs_of
from ..plan.groups import Group, Kind, Plan
from ..plan.reasons import OTHER_KIND, Mismatch

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder
    from ..target import Target


@dataclass(frozen=True)
class SplitRows(Rows):
    """Threads share each row, where there are few and long ones."""

    takes = "reductions of few, long rows"

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        if group.kind is not Kind.ROWS:
            return OTHER_KIND
        return split_reductions.misfit(group) or cls()

    def emit(self, lower: GroupBuilder) -> None:
        shape, runs = lower.group.shape, runs_of(lower)
        lower.nest(shape, lambda index: row(lower, runs, index, shared=True), serial=len(shape))
