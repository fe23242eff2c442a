"""A convolution's operand with a halo of zeros: a copy in the dtype that is computed in, with the
channels of each group side by side (see access.py).

    for each line of the copy (on any threads, where it is the whole operand):
        zeros
        what the line has of the operand, if it does not lie in the halo: converted or computed

Of a row band each task makes its own copy, which then stays in the L2 cache (see plan.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from ....core import Value
from ....element_builder import Index
from ....extent import as_int, floordiv, product
from ....ops.window import Conv
from ....types import TensorType
from ..gemm.packing import Packer
from .access import ConvAccess


class HaloCopy:
    """Writes the copy, or parts of it that have so many places along some axes. A line of it is
    what lies behind the last axis that has a halo, or that there is a part of."""

    def __init__(self, t: Packer, op: Conv, access: ConvAccess, part: Mapping[int, int]) -> None:
        self.t, self.access, self.compute = t, access, t.compute
        self.run = op.w.shape[-2] if access.split else 1  # what is side by side, if groups part
        self.channels = op.x.shape[-1] if access.split else 1
        self.axes = [access.read[a] for a in access.order]
        self.shape = tuple(part.get(a, axis.extent) for a, axis in enumerate(self.axes))
        self.inner = tuple(axis.inside for axis in self.axes)
        halo = [a for a, axis in enumerate(self.axes) if axis.low or axis.extent != axis.inside]
        self.last = max((a for a in halo if a not in part), default=0)
        self.last = max(self.last, *(a + 1 for a in part), 0)
        # Axes along which a line may lie in the halo.
        self.checked = [a for a in range(self.last) if a in halo or a in part]
        dense = product(self.shape[self.last + 1 :])
        # Of a line: its elements, where the operand begins in it, and what there is of that.
        self.total = self.shape[self.last] * dense
        self.first = self.axes[self.last].low * dense
        self.inside = self.inner[self.last] * dense
        self.lines = product(self.shape[: self.last])
        self.buffer: Value

    def write(self, x: Value) -> Value:
        """Copies all of `x`, which may be computed meanwhile, and gives what is read."""
        t, lower = self.t, self.t.lower
        groups = self.access.groups.extent if self.access.split else 1
        shape = (groups, *self.shape) if self.access.split else self.shape
        self.buffer = lower.scratch(TensorType(self.compute, shape))

        def line(number: Value) -> None:
            def part(group: Value) -> None:
                self.line(x, number, {}, group, (t.index(group) * t.extent(self.lines)).value)

            lower.loop(t.extent(0), t.extent(groups), part)

        work = product((self.lines, groups, self.total)) // 4
        lower.parallel(self.lines, work, line)
        return self.buffer

    def write_part(self, x: Value, first: Mapping[int, Value], group: Value) -> Value:
        """The same for a part that begins there, of one group, in memory of its own."""
        t = self.t
        self.buffer = t.local(as_int(product(self.shape)))

        def line(number: Value) -> None:
            self.line(x, number, first, group, t.extent(0))

        t.lower.loop(t.extent(0), t.extent(self.lines), line)
        return self.buffer

    def line(
        self, x: Value, number: Value, first: Mapping[int, Value], group: Value, before: Value
    ) -> None:
        """A line of a group; so many lines lie before those of the group."""
        t, lower = self.t, self.t.lower
        places = list(lower.unlinear(number, self.shape[: self.last]))
        for a, corner in first.items():
            places[a] = (t.index(places[a]) + corner).value
        pairs = zip(places, self.axes, strict=False)
        at = tuple((t.index(place) - t.extent(axis.low)).value for place, axis in pairs)
        checked = self.checked
        inside = t.all_between([at[a] for a in checked], [self.inner[a] for a in checked])
        to = ((t.index(before) + number) * t.extent(self.total)).value
        if inside is not None or self.inside != self.total:
            zero = lower.b.constant(0, self.compute)
            t.clear(self.buffer, to, t.extent(0), t.extent(self.total), zero, step=2)
        begin = (t.index(to) + t.extent(self.first)).value
        t.when(inside, lambda: self.fill(x, at, group, begin))

    def fill(self, x: Value, at: Index, group: Value, to: Value) -> None:
        """What the operand has of a line: run by run, where elements depend on where they lie
        alone, else each of its index."""
        t, lower = self.t, self.t.lower
        rest, source = self.inner[self.last :], t.extent(0)
        flat, split = lower.plan.is_flat(x, lower.group), self.run != self.channels
        first = (t.index(group) * t.extent(self.run if split else 0)).value
        if flat:
            corner = (*at, *[t.extent(0)] * len(rest))
            runs = t.extent(floordiv(self.channels, self.run))
            source = (t.index(lower.linear(corner, self.inner)) * runs + first).value
            rest = (floordiv(self.inside, self.run), self.run) if split else (self.inside,)

        def element(index: Index) -> None:
            place = (t.index(to) + lower.linear(index, rest)).value
            if flat:
                offset = lower.linear(index, (*rest[:-1], self.channels))
                value = lower.flat_element(x, (t.index(source) + offset).value)
            else:
                here = (*at, *index[:-1], (t.index(index[-1]) + first).value)
                value = lower.element(x, here[len(here) - x.rank :])
            lower.store(self.buffer, place, lower.cast(value, self.compute))

        lower.nest(rest, element, serial=len(rest) - 1)
