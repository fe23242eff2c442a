"""Rows of the table of ops: random numbers."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops

from .table import Arg, Row


def rows() -> Iterator[Row]:
    shapes = ({"a": 3, "b": 5}, {"a": 0, "b": 2}, {"a": 65, "b": 1}, {"a": 2, "b": 64})
    words = ((1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 4, 3), (2, 1, 0), (2, 2, 1), (2, 4, 2), (4, 2, 1))
    for which in words:
        yield Row(
            ops.RandomBits,
            (Arg("3", "u64", 0, 2**62),),
            "u32",
            shapes,
            lambda e, w=which: {"shape": (e["a"], e["b"]), "words": w},
            note="-".join(map(str, which)),
        )
