"""One nest of loops over the elements of a group, for what no other schedule is for.

    for i, on any threads:
        for j, along the lanes or on any threads:
            store each root's element at (i, j)

Where all that is pulled lies in memory as the result does, there is one loop over linear indices.
Where the rest is the same for all rows (a bias, scales of channels), one loop goes through these.
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
    `flat`; else the first axes are one loop where no element needs their indices."""

    takes = "any values that have the same shape"
    heads = (Reduction, Window)

    flat: bool
    leading: int = 1  # how many axes are the first loop

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if isinstance(op, Window):  # each element is read for many
            return (*op.results, *op.operands)
        return op.results

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        flat = bool(group.shape) and all(plan.is_flat(root, group) for root in group.roots)
        return cls(flat, 1 if flat or target.grid else _leading(group, plan))

    def emit(self, lower: GroupBuilder) -> None:
        shape = lower.group.shape
        if not self.flat:
            rows, rest = shape[: self.leading], shape[self.leading :]

            def one(index: Index) -> None:
                lower.store_roots((*lower.unlinear(index[0], rows), *index[1:]))

            if self.leading > 1:
                lower.spread((product(rows), *rest), one)
            else:
                lower.spread(shape, lower.store_roots)
            return
        index = unused(shape)

        def fill(flat: Index) -> None:
            with lower.at_offset(index, flat[0]):
                lower.store_roots(index)

        lower.spread((product(shape),), fill)


def _leading(group: Group, plan: Plan) -> int:
    """Into how many axes of a group nothing reaches but linear indices: as many as can be, which
    leaves columns for the lanes."""
    for axis in range(len(group.shape) - 1, 1, -1):
        if all(plan.is_flat(root, group, axis) for root in group.roots):
            return axis
    return 1
