"""Scatters and segments on a grid: updates are sorted by the row that they are for, then the thread
of a row's first update combines all of them, in their order. So bits are those of one thread that
goes through all updates, and no two threads write to one place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....algebra import Term
from ....core import Value
from ....dtypes import as_dtype, int64
from ....element_builder import Index
from ....extent import Extent, Shape, product
from ....types import INDEX
from ...ops import Reload
from . import elementwise
from .sorting import sort

if TYPE_CHECKING:
    from ...group_builder import GroupBuilder


# Updates that one thread for each column goes through, in place of a sort. Not measured: no GPU
# was at hand when it was set.
SERIAL_UPDATES_MAX = 32
# The same where columns are many enough to keep a processor busy. Not measured: no GPU was at
# hand when it was set.
SERIAL_WIDE_UPDATES_MAX = 1 << 10
# Columns that are: a thread each, 64K. Not measured: no GPU was at hand when it was set.
WIDE_COLUMNS_MIN = 1 << 16


def ordered_is_better(shape: Shape) -> bool:
    """Whether a thread for each column had better go through all updates of this shape."""
    n, columns = shape[0], product(shape[1:])
    if not isinstance(n, int):
        return False
    return n <= SERIAL_UPDATES_MAX or (
        n <= SERIAL_WIDE_UPDATES_MAX and isinstance(columns, int) and columns >= WIDE_COLUMNS_MIN
    )


def write(
    lower: GroupBuilder,
    data: Value,
    row: Callable[[Value], Value],
    combine: Callable[[Value, Value], Value] | None,
    rows: Extent,
    out: Value,
) -> None:
    """Combine out[row(i), ...] with data[i, ...] for all i, in their order; without `combine` the
    last one stays. `row` checks i; where it gives `rows`, i is left out."""
    n, *columns = data.shape
    kind = as_dtype("u32" if isinstance(rows, int) and rows < 1 << 32 else "u64")

    def key(index: Index) -> Value:
        return lower.cast(row(index[0]), kind)

    found = sort(lower, (), n, kind, key)

    def fill(index: Index) -> None:
        j, side = Term(lower.b, index[0]), found.side()
        mine = found.key(j, side)
        to = Term(lower.b, lower.cast(mine, int64))
        inside = to < Term(lower.b, lower.extent(rows))
        by = -1 if combine is not None else 1
        there = (j + by) >= 0
        there = there & (j + by < Term(lower.b, lower.extent(n)))
        other = found.key(j + by, side, there.value)
        same = there & Term(lower.b, other).equal(Term(lower.b, mine))
        chosen = inside & same.logical_not()
        lower.when(chosen, lambda: store(j, mine, side, to.value, index[1:]))

    def new(j: Term, side: Value, rest: Index) -> Value:
        return lower.element(data, (found.place(j, side), *rest))

    def store(j: Term, mine: Value, side: Value, to: Value, rest: Index) -> None:
        place = lower.linear((to, *rest), (rows, *columns))
        if combine is None:
            lower.store(out, place, new(j, side, rest))
            return

        def step(params: list[Term]) -> tuple[Value, ...]:
            k, _, total = params
            total_now = combine(total.value, new(k, side, rest))
            after = k + 1
            there = after < Term(lower.b, lower.extent(n))
            key_after = Term(lower.b, found.key(after, side, there.value))
            more = there & key_after.equal(Term(lower.b, mine))
            return after.value, lower.cast(more.value, int64), total_now

        old = lower.emit(Reload(out, place, None))
        one = lower.b.constant(1, INDEX.dtype)
        init = (lower.index(j).value, one, old)
        *_, total = lower.while_(init, lambda p: p[1] > 0, step)
        lower.store(out, place, total)

    elementwise.spread(lower, (n, *columns), fill)
