"""The schedule of the gradient of a maximum over windows that lie apart.

Each element of such a gradient is in one window at most, so that a window is looked at once for all
of its elements: the first maximum gets the cotangent, the others get nothing. Places of maxima are
never in memory. What the group computes of the gradient is stored in the same loop.

    for each window, its channels along the lanes:
        for its elements:  is it above those before, is it not below those behind
        for each element of the window, and what is between it and the next one:
            store select(it is the first maximum, the window's cotangent, 0), but for what the
                tensor does not have behind the last window
    for what no window reaches, behind the last one of each axis:  store 0
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product as indices
from typing import TYPE_CHECKING, Any, Self

from ....algebra import Term
from ....core import Op, Value
from ....extent import as_ints
from ....ops.pooling import MaxPlace, Unpool
from ....value_classes import dataclass
from ...plan.groups import Group, Plan, Schedule, Uses
from ...plan.reasons import OTHER_KIND, Mismatch

if TYPE_CHECKING:
    from ...builder import Index
    from ...group_builder import GroupBuilder
    from ...target import Target

WINDOW = ("window", "size", "strides", "low", "rhs_dilation")
# Elements of a window that are written out. Gradient of that max pool (2x2): 1.67 of the time by
# its places.
CELL_ELEMENTS_MAX = 16


def apart(op: Unpool) -> bool:
    """Whether an element is in one window at most, all of them whole, and their places are known
    to be those of maxima."""
    pool = op.place.op
    if not isinstance(pool, MaxPlace) or op.extents != pool.x.shape[1:-1]:
        return False
    if any(getattr(op, name) != getattr(pool, name) for name in WINDOW):
        return False
    axes: Any = pool.axes(pool.x.shape)
    return math.prod(op.strides) <= CELL_ELEMENTS_MAX and all(
        axis.regular() and axis.low == 0 and (axis.taps - 1) * axis.rhs_dilation < axis.stride
        for axis in axes
    )


@dataclass(frozen=True)
class MaxUnpool(Schedule):
    """The gradient of maxima over windows that lie apart, cell by cell; the places of the
    maxima are found again."""

    takes = "gradients of maxima over windows"
    heads = (Unpool, MaxPlace)

    op: Unpool

    @classmethod
    def stored_values(cls, op: Op, uses: Uses) -> Iterable[Value] | None:
        if isinstance(op, Unpool):
            return (op.result, op.x) if apart(op) else None
        readers = uses.readers.get(op.result, ())
        again = all(isinstance(reader, Unpool) and apart(reader) for reader in readers)
        return op.operands if again else None

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        ops = [r.op for r in group.roots if isinstance(r.op, Unpool)]
        for op in ops:
            if apart(op):
                return cls(op)
        return Mismatch("windows overlap, are cut off, or are large") if ops else OTHER_KIND

    def emit(self, lower: GroupBuilder) -> None:
        _Cells(lower, self.op).write()


class _Cells:
    """A cell is a window and what is between it and the next one."""

    def __init__(self, lower: GroupBuilder, op: Unpool) -> None:
        assert isinstance(op.place.op, MaxPlace)
        self.lower = lower
        self.op = op
        self.pool = op.place.op

    def write(self) -> None:
        n, *_, channels = self.op.result.shape
        self.lower.spread((n, *self.op.size, channels), self.cell)
        for axis in range(self.op.spatial):
            self.behind(axis)

    def cell(self, index: Index) -> None:
        """The elements of the cell at an index of the windows."""
        lower, op = self.lower, self.op
        n, *window, channel = index
        counts = as_ints(op.window)
        first = [Term(lower.b, o) * s for o, s in zip(window, op.strides, strict=True)]
        taps = {
            tuple(k * t for k, t in zip(tap, op.rhs_dilation, strict=True))
            for tap in indices(*map(range, counts))
        }
        places = sorted(indices(*map(range, op.strides)))

        def at(place: tuple[int, ...]) -> Index:
            return (n, *((o + k).value for o, k in zip(first, place, strict=True)), channel)

        values = [lower.element(self.pool.x, at(place)) for place in places if place in taps]
        dy = Term(lower.b, lower.element(op.x, index)) + 0  # a sum: that of -0.0 alone is 0.0
        chosen = iter(self.pool.first(lower, values))
        for place in places:
            mine = next(chosen).select(dy, dy.const(0)) if place in taps else dy.const(0)
            store = partial(self.store, at(place), mine.value)
            inside = self.inside(place, first)
            if inside is None:
                store()
            else:
                lower.when(inside, store, as_loop=True)

    def inside(self, place: tuple[int, ...], first: Sequence[Term]) -> Term | None:
        """Whether the tensor has this place of the cell that begins at `first`; None where every
        cell does. What is behind the last window may be cut off."""
        extents = as_ints(self.op.result.shape[1:-1])
        found: Term | None = None
        for axis, k in enumerate(place):
            last = (as_ints(self.op.size)[axis] - 1) * self.op.strides[axis]
            if last + k >= extents[axis]:
                there = first[axis] + k < extents[axis]
                found = there if found is None else found & there
        return found

    def behind(self, axis: int) -> None:
        """What no window reaches because the axis goes on behind the last one."""
        lower, op = self.lower, self.op
        size = as_ints(op.size)
        reached = [o * s for o, s in zip(size, op.strides, strict=True)]
        n, *around, channels = op.result.shape
        extents = as_ints(around)
        rest = max(0, extents[axis] - reached[axis])
        zero = lower.b.constant(0, op.result.dtype)

        def fill(index: Index) -> None:
            places = list(index)
            places[axis + 1] = (Term(lower.b, places[axis + 1]) + reached[axis]).value
            self.store(tuple(places), zero)

        before = [min(r, e) for r, e in zip(reached[:axis], extents, strict=False)]
        if rest:
            lower.nest((n, *before, rest, *extents[axis + 1 :], channels), fill)

    def store(self, index: Index, element: Value) -> None:
        self.lower.define(self.op.result, index, element)
        self.lower.store_roots(index)
