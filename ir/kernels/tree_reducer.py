"""How one thread reduces: in the fixed tree of `Reduce`, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..algebra import Term
from ..core import Value
from ..element_builder import Index
from ..extent import Extent
from ..kernel_op import LoopKind
from ..ops.reduction import CHUNK, chunk_levels
from ..types import INDEX
from ..value_classes import dataclass
from .group_builder import GroupBuilder
from .ops import Reduce


@dataclass(frozen=True)
class TreeReducer:
    """A thread alone (of the kind "serial"), or its lanes ("vector")."""

    lower: GroupBuilder
    kind: LoopKind

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        """`element(k)` combined over k in [0, count), in the fixed tree of sums."""
        lower = self.lower

        def tree(levels: int, low: Value, count: Value) -> Index:
            """The elements from `low` on, in chunks of chunks, so often (see `Reduce`)."""

            def one(params: Index) -> Sequence[Value]:
                return element((Term(lower.b, low) + Term(lower.b, params[0])).value)

            def chunk(params: Index) -> Sequence[Value]:
                first = Term(lower.b, params[0]) * span
                rest = (Term(lower.b, count) - first).minimum(span).value
                return tree(levels - 1, (first + Term(lower.b, low)).value, rest)

            span = CHUNK**levels
            pieces = ((Term(lower.b, count) + (span - 1)) // span).value
            body = lower.region("body", (INDEX,), chunk if levels else one)
            kind = LoopKind.SERIAL if levels else self.kind
            return lower.b.emit_all(Reduce(pieces, combine, kind, body))

        return tree(chunk_levels(count), lower.extent(0), lower.extent(count))
