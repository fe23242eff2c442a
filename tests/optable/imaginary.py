"""Rows of the table of ops: complex numbers. Functions of one: tests/ops/test_complex.py.

The name sorts behind elementwise.py, whose rows stand for an op where one row has to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfc.ir import ops
from tfc.ir.core import Op
from tfc.ir.dtypes import as_dtype

from .table import ALL, COMPLEX, Arg, Row, binary, lengths, unary

Z = Arg("n", "c128", 0.3, 2.0)  # whatever the row's dtype is, for smooth rows
SPECIAL = Arg("n", "T", special=True)
FEW = lengths()[1:3]


def _elementwise() -> Iterator[Row]:
    for op in (ops.Add, ops.Sub):
        yield binary(op, COMPLEX, note="complex")
    for op, ulp in ((ops.Mul, 3), (ops.Div, 3), (ops.Pow, 24)):
        args = (Arg("n", low=-2, high=2),) * 2
        yield Row(op, args, COMPLEX, lengths(), ulp=ulp, note="complex")
        if op is not ops.Pow:
            yield Row(op, (Z, Z), "f64", FEW, ulp=ulp, smooth=True, note="complex-smooth")
    for op in (ops.Exp, ops.Log, ops.Sqrt):
        yield Row(op, (Z,), "f64", FEW, ulp=6, smooth=True, note="complex-smooth")
    yield Row(ops.Abs, (Arg("n"),), COMPLEX, lengths(), ulp=2, note="complex")
    yield Row(ops.Abs, (Z,), "f64", FEW, ulp=2, smooth=True, note="complex-smooth")
    yield Row(ops.Sign, (Arg("n"),), COMPLEX, lengths(), ulp=3, note="complex")
    for op in (ops.Neg, ops.Conj, ops.Real, ops.Imag, ops.StopGradient):
        yield unary(op, COMPLEX, note="complex")
    for op in (ops.Conj, ops.Real, ops.Imag):
        yield Row(op, (Z,), "f64", FEW, smooth=True, note="complex-smooth")
    yield Row(ops.Complex, (SPECIAL, SPECIAL), "f32 f64", lengths())
    yield Row(ops.Complex, (Arg("n"), Arg("n")), "f64", FEW, smooth=True, note="smooth")
    for op in (ops.Equal, ops.NotEqual):
        same = Arg("n", "T", 0, 1, special=True)
        yield Row(op, (same, same), "c64", lengths(), note="complex")
    yield Row(ops.Select, (Arg("n", "bool"), SPECIAL, SPECIAL), "c64", lengths(), note="complex")


def _casts() -> Iterator[Row]:
    def to(name: str) -> Any:
        return lambda e: {"dtype": as_dtype(name)}

    yield Row(ops.Cast, (SPECIAL,), f"{ALL} {COMPLEX}", FEW, to("c64"), note="c64")
    yield Row(ops.Cast, (SPECIAL,), "f64 c64", FEW, to("c128"), note="c128")
    for name in ("i32", "f16", "f64"):
        yield Row(ops.Cast, (SPECIAL,), "c128", FEW, to(name), note=f"complex-{name}")
    yield Row(ops.Cast, (Z,), "f64", FEW, to("f64"), smooth=True, note="from-complex-smooth")
    yield Row(ops.Cast, (Arg("n"),), "f64", FEW, to("c128"), smooth=True, note="to-complex-smooth")


def _sums() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b} for a, b in ((3, 5), (17, 15), (2, 63), (65, 3), (2, 130), (4, 0))
    )
    one, wide = Arg("ab", low=0.6, high=0.8), Arg("ab", "c128", 0.5, 0.9)
    for axes in ((1,), (0,), (0, 1)):

        def over(e: Any, axes: Any = axes) -> Any:
            return {"axes": axes}

        note = "complex" + "".join(map(str, axes))
        yield Row(ops.ReduceSum, (Arg("ab"),), COMPLEX, sizes, over, tolerance=4, note=note)
        yield Row(ops.ReduceProd, (one,), COMPLEX, sizes, over, tolerance=40, note=note)
    for op in (ops.ReduceSum, ops.ReduceProd):
        yield Row(op, (wide,), "f64", sizes[:1], over, tolerance=4, smooth=True, note="c-smooth")
    shapes = tuple(
        {"m": m, "k": k, "n": n} for m, k, n in ((1, 1, 1), (3, 5, 7), (29, 17, 33), (2, 0, 3))
    )
    yield Row(ops.Matmul, (Arg("mk"), Arg("kn")), COMPLEX, shapes, tolerance=4, note="complex")
    both = (Arg("mk", "c128"), Arg("kn", "c128"))
    yield Row(ops.Matmul, both, "f64", shapes[1:2], tolerance=4, smooth=True, note="complex-smooth")


def _index_maps() -> Iterator[Row]:
    sizes = tuple({"a": a, "b": b, "n": 7} for a, b in ((3, 5), (2, 17), (1, 0), (4, 66)))
    x, places = Arg("ab"), Arg("n", "i32", index="a")
    maps: tuple[tuple[type[Op], Any, Any], ...] = (
        (ops.Transpose, (x,), lambda e: {"perm": (1, 0)}),
        (ops.Reverse, (x,), lambda e: {"axes": (1,)}),
        (ops.Broadcast, (x,), lambda e: {"shape": (2, e["a"], e["b"]), "dims": (1, 2)}),
        (ops.Concat, (x, x), lambda e: {"axis": 0}),
        (
            ops.Pad,
            (x, Arg("")),
            lambda e: {"begin": (1, 0), "shape": (e["a"] + 3, e["b"]), "strides": (1, 1)},
        ),
        (
            ops.Slice,
            (x,),
            lambda e: {"begin": (1, 0), "size": (e["a"] - 1, e["b"]), "strides": (1, 1)},
        ),
        (ops.Gather, (x, places), lambda e: {"axis": 0}),
        (ops.ScatterAdd, (places, Arg("nb")), lambda e: {"rows": e["a"]}),
    )
    for op, args, attributes in maps:
        used = {d for a in args for d in a.dims} | {"a", "b"}
        own = tuple({d: e for d, e in s.items() if d in used} for s in sizes)
        yield Row(op, args, "c64", own, attributes, note="complex")
    wide = (Arg("ab", "c128"), places)
    yield Row(ops.Gather, wide, "f64", sizes[:1], maps[-2][2], smooth=True, note="complex-smooth")
    for value in (1.5 - 2j, [[1j, complex(-0.0, np.inf)], [2, 3]]):
        note = f"complex-rank{np.ndim(value)}"
        yield Row(ops.Constant, (), COMPLEX, ({},), lambda e, v=value: {"value": v}, note=note)


def rows() -> Iterator[Row]:
    yield from _elementwise()
    yield from _casts()
    yield from _sums()
    yield from _index_maps()
