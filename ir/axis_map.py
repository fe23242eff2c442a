"""Where ops read their operands, as data.

An op whose elements are made of elements of its operands at places that the index alone tells says
where these are in `Op.operand_indices`, by an `AxisMap` for each axis of each operand. From that
derive how elements are pulled (`Op.at`), what fusion knows of it, how a contraction computes its
operands while it packs them, and in which order a convolution's operand lies in memory.

    result[i, j] = x[j, i]            x: AxisMap(1), AxisMap(0)
    result[i, j] = x[j, 0]            x: AxisMap(1), AxisMap()
    result[i] = x[2 + 3*i]            x: AxisMap(0, stride=3, offset=2)
    result[i] = sum of x[k, i]        x: AxisMap(1), AxisMap(0); k is a loop of the op
"""

from __future__ import annotations

from functools import cache

from .extent import Extent
from .value_classes import NamedTuple


class AxisMap(NamedTuple):
    """Where an operand is read along one of its axes: (stride * index[axis] + offset) / step.

    An `axis` below the rank of the result is one of its axes, those from there on are the loops of
    the op itself; without one, the place is `offset` for all elements. Where `inside` is given, the
    operand may have no such element: it has one where the place is a whole number in [0, inside).
    """

    axis: int | None = None
    stride: int = 1
    offset: Extent = 0
    step: int = 1
    inside: Extent | None = None

    @property
    def plain(self) -> bool:
        """Whether the place is the index along an axis itself, or always 0. What reads only so has
        either all elements along an axis or the first one."""
        return self.stride == 1 and self.offset == 0 and self.step == 1 and self.inside is None


AxisMaps = tuple[AxisMap, ...]  # one for each axis of an operand


@cache
def same_index(rank: int) -> AxisMaps:
    """The maps of an operand that is read at the index itself."""
    return tuple(map(AxisMap, range(rank)))
