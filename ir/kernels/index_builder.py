"""A builder that knows how far loops count, so that what this decides is not computed.

    for %i in 0..128:  greater_equal %i, 0        true
                       %i + 1 < 129               true
                       %i >= 1                    is computed

So what lies beside an array is only asked for where an index can be there: lanes would compare one
by one, in registers that hold eight indices.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core import Builder, Op, Value
from ..dtypes import bool_
from ..offsets import Offsets
from ..ops.elementwise import Comparison
from ..types import INDEX


class IndexBuilder(Builder):
    """Emits into a kernel, or a region inside of it, whose loops it is told (`counts`)."""

    def __init__(self, name: str = "f", rules: Iterable[str] = ()) -> None:
        super().__init__(name, rules)
        self.offsets = Offsets()

    def inner(self) -> IndexBuilder:
        b = super().inner()
        assert isinstance(b, IndexBuilder)
        b.offsets = self.offsets
        return b

    def counts(self, counter: Value, low: Value | None, high: Value, step: int = 1) -> None:
        """A counter goes from `low` (None: 0) up to `high` in steps, in the region that this
        emits into."""
        self.offsets.counts(counter, low, high, step)

    def _rewritten(self, op: Op) -> tuple[Value, ...] | None:
        if isinstance(op, Comparison) and op.x.type == INDEX:
            known = self.offsets.decided(op)
            if known is not None:
                return (self.constant(known, bool_),)
        return super()._rewritten(op)
