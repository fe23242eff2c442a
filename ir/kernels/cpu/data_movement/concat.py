"""The schedule of a concatenation: each operand is copied into its part of the result.

Pulled element by element, a concatenation asks every operand for every element, under a mask: that
is for few operands, and for what reads the result where it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from ....core import Op, Value
from ....extent import Extent
from ....ops.shape import Concat
from ....value_classes import dataclass
from ...builder import Index
from ...plan.groups import Group, Plan, Schedule, Uses
from ...plan.reasons import Mismatch

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder
    from ...target import Target

PULLED_OPERANDS_MAX = 4  # of a concatenation that its readers may pull elements of


@dataclass(frozen=True)
class ConcatParts(Schedule):
    """A loop nest for each operand, which may be computed as it is copied. What else the group has
    is computed from it at once."""

    takes = "concatenations"
    heads = begins = (Concat,)

    op: Concat

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        assert isinstance(op, Concat)
        return op.results if len(op.xs) > PULLED_OPERANDS_MAX else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        op = group.op
        assert isinstance(op, Concat)
        return cls(op)

    def emit(self, lower: GroupBuilder) -> None:
        op = self.op
        start: Extent = 0
        for x in op.xs:

            def copy(index: Index, x: Value = x, start: Extent = start) -> None:
                at = list(index)
                at[op.axis] = (lower.index(index[op.axis]) + lower.index(start)).value
                lower.define(op.result, tuple(at), lower.element(x, index))
                lower.store_roots(tuple(at))

            lower.spread(x.shape, copy)
            start = start + x.shape[op.axis]
