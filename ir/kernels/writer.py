"""The base of the classes that write parts of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..algebra import Term
from ..core import Value
from ..element_builder import Index
from ..extent import Extent
from ..kernel_op import LoopKind

if TYPE_CHECKING:
    from .group_builder import GroupBuilder


class Writer:
    """A builder, and short names for what is asked of it most."""

    def __init__(self, lower: GroupBuilder) -> None:
        self.lower = lower

    def extent(self, x: Value | Extent) -> Value:
        """An extent as an index."""
        return self.lower.extent(x)

    def index(self, x: Value | Term | Extent) -> Term:
        """An index for arithmetic in the innermost region."""
        return self.lower.index(x)

    def when(self, condition: Value | Term | None, fill: Callable[[], None]) -> None:
        """What `fill` emits runs only where the condition holds: as a loop of one round or none,
        into which vectors may be carried. None holds always."""
        if condition is None:
            fill()
        else:
            self.lower.when(condition, fill, as_loop=True)

    def both(self, known: Value | None, condition: Value | Term) -> Value:
        """A condition beside those that are known, if any."""
        return (
            self.index(condition).value if known is None else (self.index(known) & condition).value
        )

    def between(self, known: Value | None, at: Value, extent: Extent) -> Value:
        """That `at` is in [0, extent), beside the condition that is known, if any."""
        inside = (self.index(at) >= 0).value
        return self.both(known, self.both(inside, self.index(at) < self.extent(extent)))

    def all_between(self, places: Iterable[Value], extents: Iterable[Extent]) -> Value | None:
        """That each place is in [0, extent); None where there are none."""
        known: Value | None = None
        for at, extent in zip(places, extents, strict=True):
            known = self.between(known, at, extent)
        return known

    def store_result(self, result: Value, index: Index, total: Value) -> None:
        """Store what the kernel makes of an element of its first op's result."""
        self.lower.define(result, index, self.lower.cast(total, result.dtype))
        self.lower.store_roots(index)

    def runs(self, low: Value, high: Value, length: Extent) -> tuple[Value, Value]:
        """The first and the last run of so many elements that those from `low` to `high` are in."""
        first = (self.index(low) // self.extent(length)).value
        return first, ((self.index(high) - 1) // self.extent(length)).value

    def clear(
        self, buffer: Value, start: Value, low: Value, high: Value, zero: Value, step: int = 1
    ) -> None:
        """Zeros from `low` to `high` of what begins at `start`."""

        def element(e: Value) -> None:
            self.lower.store(buffer, (self.index(start) + e).value, zero)

        self.lower.loop(low, high, element, LoopKind.VECTOR, step=step)

    def address(self, start: Value, places: Iterable[Value], strides: Iterable[Extent]) -> Value:
        """`start`, and so many places further along each of some axes."""
        for place, stride in zip(places, strides, strict=True):
            start = (self.index(start) + self.index(place) * self.extent(stride)).value
        return start
