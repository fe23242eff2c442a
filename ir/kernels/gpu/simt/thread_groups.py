"""What schedules for teams of threads are written with: grids of them, branches, loops, searches.

What teams do is free of checks, which could end one thread before the others: what can fail is
computed before, by single threads, and found in memory here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....algebra import Term, where
from ....core import Function, Value
from ....element_builder import Index
from ....extent import Extent, Shape, ceildiv, minimum, positive
from ....ops.elementwise import Less, LessEqual, Select
from ....types import INDEX
from ...ops import Grid, Reload

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


# Threads of a block that sorts, scans or searches: eight warps. Not measured: no GPU was at hand
# when it was set.
SORT_TEAM = 256
# Elements that each has. Not measured: no GPU was at hand when it was set.
THREAD_ELEMENTS = 4
# Elements that a block keeps in shared memory.
TEAM_ELEMENTS = SORT_TEAM * THREAD_ELEMENTS


def tiles(n: Extent) -> Extent:
    """How many teams have a row of n elements."""
    return ceildiv(n, TEAM_ELEMENTS)


def only_if_above(count: Extent, n: Extent, bound: int) -> Extent:
    """`count` where n > bound, else 0."""
    return count * minimum(1, positive(n - bound))


def index_at(lower: GroupBuilder, rank: int, axes: Sequence[int], places: Sequence[Value]) -> Index:
    """The index that has so many places on its axes, and 0 on the others."""
    index = [lower.extent(0)] * rank
    for a, place in zip(axes, places, strict=True):
        index[a] = place
    return tuple(index)


def launch_grid(lower: GroupBuilder, counts: Sequence[Extent], team: int, body: Function) -> None:
    """`body` for each index below the counts, by so many threads each."""
    zeros = (lower.extent(0),) * len(counts)
    ends = tuple(lower.extent(e) for e in counts)
    lower.b.emit_all(Grid(zeros, ends, (1,) * len(counts), team, body))


def teams(
    lower: GroupBuilder,
    shape: Shape,
    fill: Callable[[Index, Term], None],
    team: int = SORT_TEAM,
) -> None:
    """A team for each index of `shape`; `fill` gets the index, and the thread's number."""
    axes = [a for a, e in enumerate(shape) if e != 1]

    def body(params: Index) -> Sequence[Value]:
        *places, thread = params
        fill(index_at(lower, len(shape), axes, places), Term(lower.b, thread))
        return ()

    region = lower.region("body", (INDEX,) * (len(axes) + 1), body)
    launch_grid(lower, [shape[a] for a in axes], team, region)


def store_scalars(
    lower: GroupBuilder,
    condition: Value,
    index: Index,
    roots: Sequence[Value],
    values: Sequence[Value],
) -> None:
    """Store those of the roots that have memory, by the threads for which the condition holds."""

    def fill() -> None:
        for root, value in zip(roots, values, strict=True):
            if lower.stores(root):
                lower.store(*lower.place(root, index), value)

    if any(map(lower.stores, roots)):
        lower.when(condition, fill)


def counts_before(
    lower: GroupBuilder,
    keys: Value,
    wanted: Sequence[Value],
    starts: Sequence[Term],
    lengths: Sequence[Term],
    equals: Sequence[Value],
) -> Index:
    """For each of `wanted` how many of so many sorted keys from a start on are smaller; or equal,
    where `equals` holds. At most TEAM_ELEMENTS keys each."""
    zero = lower.extent(0)

    def step(params: list[Term]) -> Sequence[Value]:
        size, *found = params
        for e, (key, start, length, too) in enumerate(
            zip(wanted, starts, lengths, equals, strict=True)
        ):
            further = found[e] + size
            inside = further <= lower.index(length)
            at = lower.index(start) + further - 1
            other = lower.emit(Reload(keys, at.value, inside.value))
            smaller = lower.emit(Less(other, key))
            before = lower.emit(Select(too, lower.emit(LessEqual(other, key)), smaller))
            goes = inside & Term(lower.b, before)
            found[e] = where(goes, further, found[e])
        return (size.shift_right_logical(1).value, *(f.value for f in found))

    init = (lower.b.constant(TEAM_ELEMENTS, INDEX.dtype), *(zero for _ in wanted))
    return lower.while_(init, lambda params: params[0] > 0, step)[1:]
