"""Reductions that are longer than a chunk, on processors with lanes.

Each chunk is a `Reduce` of its own, whose result is stored. Then these parts are combined in place,
in the same tree, until one is left:

    for each chunk c:  part[c] = reduce x[k], k in the chunk
    for c >= LANES:  part[c % LANES] combine= part[c]
    the upper half of the first LANES into the lower, until one is left

Where there are few rows, threads share the chunks of each, else they share the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...algebra import Term
from ...core import Builder, Value
from ...dtypes import DType
from ...extent import Extent, ceildiv, largest, maximum, product
from ...kernel_op import LoopKind
from ...ops.elementwise import Select
from ...ops.reduction import CHUNK, LANES, Reduction, chunk_levels
from ...types import INDEX, TensorType
from ..ops import Combine, Local, Reduce, Reload, Repeat
from ..plan.groups import Group
from ..plan.reasons import Mismatch

if TYPE_CHECKING:
    from ..builder import Index
    from ..group_builder import GroupBuilder

# Rows up to which a thread each would leave others without work: as many as there are tasks
# wanted (Target.tasks). Not measured: it depends on the number of threads alone.
SPLIT_ROWS_MAX = 8
# Chunks of a row from which on threads share them, 32K elements. Sum of 4096 x 256, first axis,
# on one thread: 0.99 of the time with 2, 1.00 with 64.
SPLIT_CHUNKS_MIN = 16
# Partial results that are kept on the stack, 16 KB of float32: a bound for the stack of a thread.
STACK_PARTIALS_MAX = 4096


def misfit(group: Group) -> Mismatch | None:
    """Why the rows of a group are dealt out to threads; None where there are few, which are long or
    of unknown length."""
    counts = [largest(r.op.count) for r in group.roots if isinstance(r.op, Reduction)]
    rows = largest(product(group.shape))
    if few(rows, counts):
        return None
    if not isinstance(rows, int) or rows > SPLIT_ROWS_MAX:
        return Mismatch("{} rows are enough to be dealt out (above {})", rows, SPLIT_ROWS_MAX)
    length = max((c for c in counts if isinstance(c, int)), default=0)
    least = SPLIT_CHUNKS_MIN * CHUNK
    return Mismatch("{} elements of a row are too few to share (below {})", length, least)


def few(parts: Extent, counts: Sequence[Extent]) -> bool:
    """Whether so many rows, or panels of columns, are better shared by threads than dealt out."""
    parts = largest(parts)
    long = any(
        not isinstance(c, int) or c >= SPLIT_CHUNKS_MIN * CHUNK for c in map(largest, counts)
    )
    return long and isinstance(parts, int) and parts <= SPLIT_ROWS_MAX


class Row:
    """How the row at `index` is reduced, by one thread or by all that share it."""

    def __init__(self, lower: GroupBuilder, index: Index, shared: bool) -> None:
        self.lower = lower
        self.index = index
        self.shared = shared

    def reduce(
        self, count: Extent, combine: str, element: Callable[[Value], Sequence[Value]]
    ) -> Index:
        """`element(k)` combined over k in [0, count)."""
        lower, outer = self.lower, self.lower.b

        def tree(low: Value, here: Value) -> Index:
            def one(params: Index) -> Sequence[Value]:
                return element((Term(lower.b, low) + Term(lower.b, params[0])).value)

            body = lower.region("body", (INDEX,), one)
            return lower.b.emit_all(Reduce(here, combine, LoopKind.VECTOR, body))

        if chunk_levels(count) == 0:
            return tree(lower.extent(0), lower.extent(count))
        pieces = chunks_of(count)
        parts: list[Value] = []

        def chunk(number: Value) -> None:
            found = tree(*chunk_ends(lower, number, count))
            parts.extend(self.memory(outer, v.dtype, pieces) for v in found)  # before the loop
            store(number, found)

        def at(number: Value) -> Value:
            return self.place(number, pieces)

        def load(number: Value) -> Index:
            return tuple(lower.emit(Reload(part, at(number), None)) for part in parts)

        def store(number: Value, values: Sequence[Value]) -> None:
            for part, value in zip(parts, values, strict=True):
                lower.store(part, at(number), value)

        def join(to: Value, number: Value) -> None:
            store(to, lower.b.emit_all(Combine(combine, load(to), load(number))))

        each_chunk(lower, pieces, self.shared, chunk)
        fold(lower, pieces, join)
        return load(lower.extent(0))

    def memory(self, b: Builder, dtype: DType, pieces: Extent) -> Value:
        """A buffer for what the chunks give."""
        if isinstance(pieces, int) and pieces <= STACK_PARTIALS_MAX:
            return b.emit(Local(dtype, (pieces,)))
        return self.lower.scratch(TensorType(dtype, (*self.lower.group.shape, pieces)))

    def place(self, number: Value, pieces: Extent) -> Value:
        """Where in it the part of the row is."""
        if isinstance(pieces, int) and pieces <= STACK_PARTIALS_MAX:
            return number
        return self.lower.linear((*self.index, number), (*self.lower.group.shape, pieces))


def chunks_of(count: Extent) -> Extent:
    """How many chunks a reduction has; of nothing one, which is neutral."""
    return maximum(1, ceildiv(count, CHUNK))


def each_chunk(
    lower: GroupBuilder, pieces: Extent, shared: bool, fill: Callable[[Value], None]
) -> None:
    """`fill` for each chunk of a reduction, on any threads if they share it."""
    if shared:
        lower.parallel(pieces, lower.cost, fill)
    else:
        lower.loop(lower.extent(0), lower.extent(pieces), fill)


def chunk_ends(lower: GroupBuilder, number: Value, count: Extent) -> tuple[Value, Value]:
    """Where a chunk of `count` elements begins, and how many are in it."""
    first = Term(lower.b, number) * CHUNK
    if isinstance(count, int) and count % CHUNK == 0:
        return first.value, lower.extent(CHUNK)
    rest = Term(lower.b, lower.extent(count)) - first
    return first.value, rest.minimum(CHUNK).value


def fold(lower: GroupBuilder, pieces: Extent, join: Callable[[Value, Value], None]) -> None:
    """Combine parts until the first is all; `join(i, k)` combines part k into part i."""

    def tree(base: Value, count: Value, step: Value, slots: int) -> None:
        """Parts that are `step` apart, from `base` on, into the first of them."""

        def level(number: Value) -> None:
            half = Term(lower.b, lower.extent(slots)).shift_right_logical(Term(lower.b, number))
            # First all that is behind the slots into them, then their upper half into the lower.
            rest, first = Term(lower.b, count) - half, Term(lower.b, number).equal(0)
            least = rest.minimum(half)
            end = lower.emit(Select(first.value, rest.value, least.value))

            def one(k: Value) -> None:
                by, place = Term(lower.b, step), Term(lower.b, k)
                to = (place & (half - 1)) * by + Term(lower.b, base)
                join(to.value, ((place + half) * by + Term(lower.b, base)).value)

            lower.loop(lower.extent(0), end, one)

        lower.loop(lower.extent(0), lower.extent(slots.bit_length()), level)

    first = lower.extent(0)
    if isinstance(pieces, int) and pieces <= CHUNK:
        slots = min(LANES, 1 << (pieces - 1).bit_length())
        tree(first, lower.extent(pieces), lower.extent(1), slots)
        return

    def several(params: Index) -> Sequence[Value]:
        return ((Term(lower.b, params[0]) > 1).value,)

    def once(params: Index) -> Sequence[Value]:
        left, step = params
        shift = lower.extent(CHUNK.bit_length() - 1)
        chunks = (Term(lower.b, left) + (CHUNK - 1)).shift_right_logical(Term(lower.b, shift))
        further = Term(lower.b, step) * CHUNK

        def chunk(number: Value) -> None:
            rest = Term(lower.b, left) - Term(lower.b, number) * CHUNK
            base = Term(lower.b, number) * Term(lower.b, further.value)
            tree(base.value, rest.minimum(CHUNK).value, step, LANES)

        lower.loop(first, chunks.value, chunk)
        return chunks.value, further.value

    test = lower.region("condition", (INDEX, INDEX), several)
    body = lower.region("body", (INDEX, INDEX), once)
    lower.b.emit_all(Repeat((lower.extent(pieces), lower.extent(1)), test, body))
