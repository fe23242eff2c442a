"""Rows of the table of ops: diagonals of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfc.ir import ops

from .table import Arg, Row


def rows() -> Iterator[Row]:
    bands = ((0, 0), (-1, 1), (1, 2), (-2, -2))
    for low, high in bands:
        for above, below in ((True, False), (False, True), (True, True)):
            if (low, high) != (-1, 1) and not (above and below):
                continue
            of = {"low": low, "high": high, "right_above": above, "right_below": below}
            sizes: list[dict[str, int]] = []
            for m, n in ((3, 3), (4, 7), (6, 3), (18, 17)):
                length = min(m + min(high, 0), n - max(low, 0))
                sizes.append({"a": 2, "m": m, "n": n, "l": length})
            note = f"{low}to{high}{'r' if above else 'l'}{'r' if below else 'l'}"
            count = str(high - low + 1)

            def taken(e: Any, of: Any = of) -> Any:
                return {**of, "length": e["l"]}

            def laid(e: Any, of: Any = of) -> Any:
                return {**of, "rows": e["m"], "columns": e["n"]}

            dtypes = "f32 i8" if low == -1 else "f64"
            matrix = (Arg("amn"), Arg(""))
            stripes = (Arg("a" + count + "l"), Arg(""))
            smooth = above and below and high < 2
            yield Row(ops.Diagonals, matrix, dtypes, tuple(sizes), taken, note=note)
            yield Row(ops.FromDiagonals, stripes, dtypes, tuple(sizes), laid, note=note)
            if smooth:
                few = tuple(sizes[1:2])
                yield Row(
                    ops.Diagonals, matrix, "f64", few, taken, smooth=True, note=note + "-smooth"
                )
                yield Row(
                    ops.FromDiagonals, stripes, "f64", few, laid, smooth=True, note=note + "-smooth"
                )
