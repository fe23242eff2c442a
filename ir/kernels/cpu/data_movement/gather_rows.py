"""The schedule of a gather of whole rows: they are asked for ahead, and checked before.

Rows at random places are no stream that a processor could fetch by itself. So the lines of a row
are asked for while others before it are copied. All indices are checked first, so that nothing that
can fail is in the loops that threads share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....algebra import Term
from ....core import Value
from ....dtypes import DType, int64
from ....extent import Extent, product
from ....ops.gather import Gather
from ...flow import here
from ...ops import Load, Prefetch

LINE_BYTES = 64
AHEAD_BYTES = 4 << 10  # of rows that are asked for and not yet read
AHEAD_MAX = 16  # rows
LINES_MAX = 16  # of a row; the rest of a long one is a stream


def write(lower: Any) -> bool:
    """Write the kernel of a group; false, and nothing is written, where it is no such gather."""
    (root, *others) = lower.group.roots
    op = root.op
    if others or not isinstance(op, Gather) or op.axis or lower.target.grid:
        return False
    width, n = product(op.x.shape[1:]), op.indices.type.size
    if n == 1 or narrow(width, root.dtype) or not all(map(lower.in_memory, op.operands)):
        return False
    table, indices, out = lower.buffer(op.x), lower.buffer(op.indices), lower.outputs[root]
    bound, length = lower.extent(op.x.shape[0]), lower.extent(width)

    def number(i: Value) -> Value:
        value: Value = lower.cast(lower.emit(Load(indices, i, None)), int64)
        return value

    def check(i: Value) -> None:
        lower.check_index(number(i), bound, op)

    def row(i: Value) -> None:
        ask(lower, table, number, i, n, width, "load")
        source = Term(lower.b, number(i)) * Term(lower.b, length)
        target = Term(lower.b, i) * Term(lower.b, length)

        def copy(j: Value) -> None:
            at, to = (here(lower, start) + Term(lower.b, j) for start in (source, target))
            lower.store(out, to.value, lower.emit(Load(table, at.value, None)))

        lower.loop(lower.extent(0), length, copy, "vector")

    lower.loop(lower.extent(0), lower.extent(n), check, "vector")
    lower.parallel(n, n * width * root.dtype.itemsize // 8, row)
    return True


def narrow(width: Extent, dtype: DType) -> bool:
    """Whether rows are surely too short to ask for them."""
    return dtype.is_complex or (isinstance(width, int) and width * dtype.itemsize < LINE_BYTES)


def ask(
    lower: Any,
    table: Value,
    number: Callable[[Value], Value],
    i: Value,
    n: Extent,
    width: Extent,
    purpose: str,
) -> None:
    """Ask for the row of `table` whose number an index some places behind the i-th of n is."""
    if narrow(width, table.dtype):
        return
    itemsize, ahead = table.dtype.itemsize, AHEAD_MAX
    if isinstance(width, int):
        ahead = min(AHEAD_MAX, max(1, AHEAD_BYTES // (width * itemsize)))
    line = max(1, LINE_BYTES // itemsize)
    last = Term(lower.b, lower.extent(n)) - 1
    later = (Term(lower.b, i) + ahead)._emit("minimum", last)
    length = Term(lower.b, lower.extent(width))
    start = Term(lower.b, number(later.value)) * length

    def one(j: Value) -> None:
        at = here(lower, start) + Term(lower.b, j)
        lower.b.emit_all(Prefetch(table, at.value, purpose))

    end = length._emit("minimum", line * LINES_MAX).value
    lower.loop(lower.extent(0), end, one, step=line)
