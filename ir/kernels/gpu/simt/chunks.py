"""Reductions longer than a chunk, by threads that have some slots of the tree each.

    for each chunk of chunks (so many levels), in order:
        what it gives, of the level below
        added to the slot that is its turn, by the thread that has it

So slots are added to in the order in which one thread would (see `Reduce`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ....algebra import Term
from ....core import Value
from ....element_builder import Index
from ....ops.reduction import CHUNK, LANES

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder

Parts = TypeVar("Parts")  # what a level gives


def chunks_of_chunks(
    lower: GroupBuilder,
    number: int,
    low: Value,
    count: Value,
    start: Sequence[Value],
    below: Callable[[int, Value, Value], Parts],
    add: Callable[[list[Value], Term, Parts], None],
) -> tuple[Value, ...]:
    """The slots after `count` elements from `low` on. `below` is the level under this one, of the
    elements from a place on; `add(slots, which, parts)` adds what it gave to the slot `which`."""
    span = CHUNK**number
    pieces = ((Term(lower.b, count) + (span - 1)) // span).value

    def piece(number_of: Value, before: Index) -> Sequence[Value]:
        slots = list(before)
        c = Term(lower.b, number_of)
        first = c * span
        rest = (Term(lower.b, count) - first).minimum(span)
        parts = below(number - 1, (first + Term(lower.b, low)).value, rest.value)
        add(slots, c & (LANES - 1), parts)
        return slots

    return lower.carry(lower.extent(0), pieces, start, piece)
