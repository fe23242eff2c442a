"""Rows of the table of ops: reductions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfc.ir import ops

from .table import FLOATS, INTEGERS, NUMBERS, Arg, Row


def rows() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b}
        for a, b in (
            (3, 5),
            (1, 1),
            (2, 16),
            (17, 15),
            (2, 63),
            (3, 64),
            (65, 3),
            (2, 130),
            (4, 0),
            (0, 4),
        )
    )
    some = tuple(s for s in sizes if s["a"] * s["b"])
    x = (Arg("ab"),)
    cubes = ({"a": 2, "b": 3, "c": 5}, {"a": 5, "b": 17, "c": 4}, {"a": 9, "b": 1, "c": 66})
    for axes in ((1,), (0,), (0, 1), ()):
        note = "axes" + "".join(map(str, axes))

        def of(e: Any, axes: Any = axes) -> Any:
            return {"axes": axes}

        one = (Arg("ab", low=0.8, high=1.2),)
        yield Row(ops.ReduceSum, x, FLOATS, sizes, of, tolerance=1, note=note)
        yield Row(ops.ReduceSum, x, INTEGERS, sizes, of, note=note + "-int")
        yield Row(
            ops.ReduceSum, x, "f64", sizes[:3], of, tolerance=1, smooth=True, note=note + "-smooth"
        )
        yield Row(ops.ReduceProd, one, FLOATS, sizes, of, tolerance=4, note=note)
        yield Row(ops.ReduceProd, x, INTEGERS, sizes, of, note=note + "-int")
        yield Row(
            ops.ReduceProd,
            one,
            "f64",
            sizes[:3],
            of,
            tolerance=1,
            smooth=True,
            note=note + "-smooth",
        )
        for op in (ops.ReduceMax, ops.ReduceMin):
            yield Row(op, (Arg("ab", special=True),), NUMBERS, sizes, of, note=note)
            yield Row(op, x, "f64", some[:3], of, smooth=True, note=note + "-smooth")
        for op in (ops.ReduceAll, ops.ReduceAny):
            yield Row(op, x, "bool", sizes, of, note=note)
    for axes in ((0, 2), (1,), (1, 2), (2, 0)):
        yield Row(
            ops.ReduceSum,
            (Arg("abc"),),
            "f32 f64 i32",
            cubes,
            lambda e, a=axes: {"axes": a},
            tolerance=1,
            note="cube" + "".join(map(str, axes)),
        )
    for op in (ops.ArgMax, ops.ArgMin):
        for axis in (0, 1):
            of = lambda e, a=axis: {"axes": (a,)}  # noqa: E731
            yield Row(
                op,
                (Arg("ab", low=-2, high=2, special=True),),
                NUMBERS,
                some,
                of,
                note=f"axis{axis}",
            )
    sizes3 = tuple(
        {"m": m, "k": k, "n": n}
        for m, k, n in (
            (1, 1, 1),
            (3, 5, 7),
            (14, 16, 32),
            (15, 17, 33),
            (29, 3, 65),
            (2, 0, 3),
            (0, 2, 3),
            (2, 3, 0),
            (1, 130, 1),
            (16, 64, 16),
        )
    )
    mk, kn = Arg("mk"), Arg("kn")
    yield Row(ops.Matmul, (mk, kn), FLOATS, sizes3, tolerance=1)
    yield Row(ops.Matmul, (mk, kn), INTEGERS, sizes3, note="int")
    yield Row(ops.Matmul, (mk, kn), "f64", sizes3[1:2], tolerance=1, smooth=True, note="smooth")
    batched = tuple({"a": 2, "b": 3, **s} for s in sizes3[:4])
    yield Row(
        ops.Matmul, (Arg("abmk"), Arg("abkn")), "f32 f64 i32", batched, tolerance=1, note="batch"
    )
    yield Row(
        ops.Matmul,
        (Arg("amk"), Arg("akn")),
        "f64",
        batched[1:2],
        tolerance=1,
        smooth=True,
        note="batch-smooth",
    )
