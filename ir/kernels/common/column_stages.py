"""The reductions down the columns of a group, in stages: what one trip through the rows gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import Value
from ...extent import largest
from ...ops.reduction import Reduction
from ...value_classes import NamedTuple
from ..plan.groups import needs

if TYPE_CHECKING:
    from ..group_builder import GroupBuilder

# Rows that are read side by side, one column after another, in place of one after another: a page
# each, as many as there are streams for (STREAMS_MAX). Not measured by itself.
SIDE_BY_SIDE_ROWS_MAX = 16


class Stage(NamedTuple):
    """Reductions of the same rows, which are read once for all of them, and what then is known."""

    reductions: list[Reduction]
    others: list[Value]


def is_tall(op: Reduction) -> bool:
    """Whether the operand's rows are read one after another, each lane adding to its own column;
    few of them are read side by side."""
    count = largest(op.count)
    return not op.x.dtype.is_complex and not (
        isinstance(count, int) and count <= SIDE_BY_SIDE_ROWS_MAX
    )


def stages_of(lower: GroupBuilder) -> list[Stage]:
    """The group's roots, every reduction as early as what it needs allows."""
    stages: list[Stage] = []
    for root in lower.group.roots:
        op = root.op
        if not isinstance(op, Reduction):
            stages[-1].others.append(root)
            continue
        found = None
        for stage in reversed(stages):
            made = {*stage.others, *(r.result for r in stage.reductions)}
            if any(v in made for v, _ in needs(root, lower.plan, made)):
                break
            first = stage.reductions[0]
            if (first.axes, first.x.shape) == (op.axes, op.x.shape):
                found = stage
        if found:
            found.reductions.append(op)
        else:
            stages.append(Stage([op], []))
    return stages
