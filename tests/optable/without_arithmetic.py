"""Floats of 8 bits are cast, compared for equality, chosen and moved, and not computed with."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops
from tfc.ir.dtypes import as_dtype

from .table import ALL, COMPLEX, Arg, Row, binary, lengths

STORED = "f8e4m3fn f8e5m2"
FEW = ({"n": 0}, {"n": 1}, {"n": 17}, {"n": 130})


def rows() -> Iterator[Row]:
    for to in STORED.split():
        # Around the largest (448, 57344), and around the least (2^-9, 2^-16) that is not 0.
        for note, bound in ((to, 7e4), (f"{to}-small", 0.01)):
            yield Row(
                ops.Cast,
                (Arg("n", "T", -bound, bound, special=True),),
                f"{ALL} {STORED} {COMPLEX}" if note == to else "f16 bf16 f32 f64",
                lengths(),
                lambda e, to=to: {"dtype": as_dtype(to)},
                note=note,
            )
    wide = Arg("n", "T", -300, 300, special=True)
    for to in (*ALL.split(), "c64"):
        yield Row(
            ops.Cast,
            (wide,),
            STORED,
            FEW,
            lambda e, to=to: {"dtype": as_dtype(to)},
            note=f"{to}-from-f8",
        )
    for op in (ops.Equal, ops.NotEqual):
        yield binary(op, STORED, low=-2, high=2, note="f8")
    yield Row(ops.Select, (Arg("n", "bool"), wide, wide), STORED, FEW, note="f8")
    for source, to in (("f8e4m3fn f8e5m2", "u8"), ("i8 u8", "f8e4m3fn"), ("i8 u8", "f8e5m2")):
        yield Row(
            ops.Bitcast,
            (wide,),
            source,
            FEW,
            lambda e, to=to: {"dtype": as_dtype(to)},
            note=f"{to}-f8",
        )
    sizes = ({"a": 3, "b": 5}, {"a": 17, "b": 65}, {"a": 0, "b": 2})
    x = Arg("ab")
    for note, op, attributes in (
        ("f8", ops.Transpose, {"perm": (1, 0)}),
        ("f8", ops.Reverse, {"axes": (1,)}),
    ):
        yield Row(op, (x,), STORED, sizes, lambda e, a=attributes: a, note=note)
    yield Row(ops.Concat, (x, x), STORED, sizes, lambda e: {"axis": 0}, note="f8")
    yield Row(ops.Link, (Arg("n", "T"),) * 2, "f32 f64 c64", FEW, smooth=True)
