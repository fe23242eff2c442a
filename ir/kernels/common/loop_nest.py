"""One nest of loops over the elements of a group, for what no other schedule is for.

    for i, on any threads:
        for j, along the lanes or on any threads:
            store each root's element at (i, j)

Where all that is pulled lies in memory as the result does, there is one loop over linear indices.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from ...core import Op, Value
from ...extent import product
from ...ops.reduction import Reduction
from ...ops.window import Window
from ...value_classes import dataclass
from ..builder import Index
from ..group_builder import unused
from ..plan.groups import Group, Plan, Schedule, Uses
from ..plan.reasons import Mismatch

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder
    from ..target import Target


@dataclass(frozen=True)
class LoopNest(Schedule):
    """Every value of the group is stored in the innermost body, by one linear index where all are
    `flat`."""

    takes = "any values that have the same shape"
    heads = (Reduction, Window)

    flat: bool

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if isinstance(op, Window):  # each element is read for many
            return (*op.results, *op.operands)
        return op.results

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        flat = bool(group.shape) and all(plan.is_flat(root, group) for root in group.roots)
        return cls(flat)

    def emit(self, lower: GroupBuilder) -> None:
        shape = lower.group.shape
        if not self.flat:
            lower.spread(shape, lower.store_roots)
            return
        index = unused(shape)

        def fill(flat: Index) -> None:
            with lower.at_offset(index, flat[0]):
                lower.store_roots(index)

        lower.spread((product(shape),), fill)
