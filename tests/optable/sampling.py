"""Which of its dtypes each row of the table is run with, where not with all.

Most rows that take nearly every dtype do the same with each: what differs is how wide elements are,
and of what kind. Either half below has every kind and every width. An op's wide rows take turns, so
that an op with two of them is run with all dtypes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tfc.ir import ops

from .table import Row

WIDE = 8  # dtypes of a row that is sampled
HALVES = (
    {"bool", "i8", "u16", "i32", "u64", "f16", "f32", "c64"},
    {"bool", "u8", "i16", "u32", "i64", "bf16", "f32", "f64", "c128"},
)
# Where each dtype is another conversion, has limits of its own, or another schedule.
EACH = (ops.Cast, ops.FloorDiv, ops.FloorMod, ops.Pow, ops.Matmul, ops.Sort, ops.ArgSort)


def sample(rows: Sequence[Row]) -> list[tuple[Row, tuple[str, ...]]]:
    """Rows with those of their dtypes that stand for all."""
    turns: dict[type, itertools.count[int]] = {}
    found = []
    for row in rows:
        dtypes = tuple(row.dtypes.split())
        if len(dtypes) >= WIDE and row.op not in EACH:
            turn = next(turns.setdefault(row.op, itertools.count(len(turns))))
            dtypes = tuple(d for d in dtypes if d in HALVES[turn % 2])
        found.append((row, dtypes))
    return found
