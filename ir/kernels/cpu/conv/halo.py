"""What a convolution reads instead of its operand: a copy with a border of zeros, in the dtype that
is computed in, and with the channels of each group side by side (see access.py)."""

from __future__ import annotations

from typing import Any

from ....core import Value
from ....extent import Extent, product
from ....ops.window import Conv
from ....types import TensorType
from ..gemm.packing import Index, Packer
from .access import Walk


class Bordered:
    """Writes the copy, or parts of it that have so many places along some axes. A line of it is
    what lies behind the last axis that has a border, or that there is a part of."""

    def __init__(
        self, t: Packer, op: Conv, how: Walk, compute: Any, part: dict[int, int] | None = None
    ) -> None:
        self.t, self.how, self.compute = t, how, compute
        self.groups, whole = (how.shape[0], how.shape[1:]) if how.split else (1, how.shape)
        self.parts = part or {}
        self.shape = tuple(self.parts.get(a, e) for a, e in enumerate(whole))
        self.run = op.w.shape[-2] if how.split else 1  # what is read side by side, if groups part
        self.channels = op.x.shape[-1] if how.split else 1
        lows: list[Any] = [0] * op.x.rank
        lows[1:-1] = how.low
        self.low = [lows[a] for a in how.order]
        self.inner = [op.x.shape[a] for a in how.order]  # without the border
        if how.split:
            self.inner[-1] = self.run
        pairs = list(enumerate(zip(whole, self.inner, self.low, strict=True)))
        self.bordered = [a for a, (all_, e, low) in pairs if all_ != e or low or a in self.parts]
        last = max((a for a in self.bordered if a not in self.parts), default=0)
        self.last = max(last, *(a + 1 for a in self.parts), 0)
        dense = product(self.shape[self.last + 1 :])
        self.total: Extent = self.shape[self.last] * dense  # elements of a line
        self.first: Extent = self.low[self.last] * dense  # where the operand begins in it
        count: Any = self.inner[self.last]
        self.inside: Extent = count * dense
        self.lines = product(self.shape[: self.last])
        self.buffer: Value

    def write(self, x: Value) -> Value:
        """Copies all of `x`, which may be computed meanwhile, and gives what is read."""
        t, lower = self.t, self.t.lower
        self.buffer = lower.scratch(TensorType(self.compute, self.how.shape))

        def line(number: Value) -> None:
            def part(group: Value) -> None:
                self.line(x, number, {}, group, t.mul(group, t.extent(self.lines)))

            lower.loop(t.value(0), t.extent(self.groups), part)

        work = product((self.lines, self.groups, self.total)) // 4
        lower.parallel(self.lines, work, line)
        return self.buffer

    def write_part(self, x: Value, first: dict[int, Value], group: Value) -> Value:
        """The same for a part that begins there, of one group, in memory of its own."""
        t = self.t
        size = product(self.shape)
        assert isinstance(size, int)
        self.buffer = t.local(size)

        def line(number: Value) -> None:
            self.line(x, number, first, group, t.value(0))

        t.lower.loop(t.value(0), t.extent(self.lines), line)
        return self.buffer

    def line(
        self, x: Value, number: Value, first: dict[int, Value], group: Value, before: Value
    ) -> None:
        """A line of a group; so many lines lie before those of the group."""
        t, lower = self.t, self.t.lower
        places = list(lower.unlinear(number, self.shape[: self.last])) if self.last else []
        for a, corner in first.items():
            places[a] = t.add(places[a], corner)
        at = [t.minus(p, t.extent(e)) for p, e in zip(places, self.low, strict=False)]
        seen: Value | None = None
        for a in self.bordered:
            if a < self.last:
                good = t.op("greater_equal", at[a], 0)
                good = t.both(good, t.op("less", at[a], t.extent(self.inner[a])))
                seen = good if seen is None else t.both(seen, good)
        to = t.mul(t.add(before, number), t.extent(self.total))
        copy = self.copy if lower.is_flat(x) else self.compute_line
        if seen is None:
            copy(x, tuple(at), group, to)
        else:
            t.when(seen, lambda: copy(x, tuple(at), group, to))
            t.when(t.no(seen), lambda: self.clear(to, 0, self.total))

    def clear(self, to: Value, low: Extent, high: Extent) -> None:
        t, lower = self.t, self.t.lower
        zero = lower.b.constant(0, self.compute)

        def element(e: Value) -> None:
            lower.store(self.buffer, t.add(to, e), zero)

        if low != high:
            lower.loop(t.extent(low), t.extent(high), element, "vector", step=2)

    def copy(self, x: Value, at: Index, group: Value, to: Value) -> None:
        """A line of elements that depend on where they lie alone, one run after another."""
        t, lower = self.t, self.t.lower
        corner = (*at, *[t.value(0)] * (len(self.shape) - self.last))
        source = t.mul(lower.linear(corner, tuple(self.inner)), self.channels // self.run)
        source = t.add(source, t.mul(group, t.extent(self.run)))

        def run(source: Value, to: Value, length: Extent) -> None:
            def element(e: Value) -> None:
                value = lower.flat_element(x, t.add(source, e))
                lower.store(self.buffer, t.add(to, e), lower.cast(value, self.compute))

            lower.loop(t.value(0), t.extent(length), element, "vector", step=2)

        self.clear(to, 0, self.first)
        start = t.add(to, t.extent(self.first))
        if self.run == self.channels:
            run(source, start, self.inside)
        else:

            def place(p: Value) -> None:
                here = t.add(source, t.mul(p, t.extent(self.channels)))
                run(here, t.add(start, t.mul(p, t.extent(self.run))), self.run)

            lower.loop(t.value(0), t.extent(self.inside // self.run), place)
        self.clear(to, self.first + self.inside, self.total)

    def compute_line(self, x: Value, at: Index, group: Value, to: Value) -> None:
        """A line of elements that are computed of their index."""
        t, lower = self.t, self.t.lower
        rest = tuple(self.inner[self.last :])
        start = t.add(to, t.extent(self.first))
        first = t.mul(group, t.extent(self.run)) if self.run != self.channels else t.value(0)

        def element(index: Index) -> None:
            place = t.add(start, lower.linear(index, rest))
            index = (*at, *index[:-1], t.add(index[-1], first))
            value = lower.element(x, index[len(index) - x.rank :])
            lower.store(self.buffer, place, lower.cast(value, self.compute))

        self.clear(to, 0, self.first)
        lower.nest(rest, element, serial=len(rest) - 1)
        self.clear(to, self.first + self.inside, self.total)
