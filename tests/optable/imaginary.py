"""Rows of the table of ops: complex numbers.

The name sorts behind elementwise.py, whose rows stand for an op where one row has to do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tfc.ir import ops
from tfc.ir.core import Op
from tfc.ir.dtypes import as_dtype

from .table import ALL, COMPLEX, Arg, Row, binary, lengths, unary

Z = Arg("n", "c128", 0.3, 2.0)
SPECIAL = Arg("n", "T", special=True)


def _analytic(op: type[Op], arity: int = 1, ulp: float = 3.0) -> Iterator[Row]:
    """An elementwise op on complex numbers; `smooth` rows work in c128 whatever the dtype."""
    yield Row(op, (Arg("n", low=-2, high=2),) * arity, COMPLEX, lengths(), ulp=ulp, note="complex")
    yield Row(op, (Z,) * arity, "f64", lengths()[1:4], ulp=ulp, smooth=True, note="complex-smooth")


def _index_maps() -> Iterator[Row]:
    sizes = ({"a": 3, "b": 5}, {"a": 2, "b": 17}, {"a": 1, "b": 0}, {"a": 4, "b": 66})
    maps = (
        (ops.Reshape, lambda e: {"shape": (e["b"], e["a"])}),
        (ops.Transpose, lambda e: {"perm": (1, 0)}),
        (ops.Reverse, lambda e: {"axes": (1,)}),
        (ops.Broadcast, lambda e: {"shape": (2, e["a"], e["b"]), "dims": (1, 2)}),
        (
            ops.Slice,
            lambda e: {"begin": (1, 0), "size": (e["a"] - 1, e["b"]), "strides": (1, 1)},
        ),
    )
    for op, attributes in maps:
        yield Row(op, (Arg("ab"),), COMPLEX, sizes, attributes, note="complex")
        yield Row(
            op, (Arg("ab", "c128"),), "f64", sizes[:1], attributes, smooth=True, note="c-smooth"
        )
    rest = (
        (ops.Pad, (Arg("ab"), Arg("")), {"begin": (1, 0), "strides": (1, 1)}),
        (ops.Concat, (Arg("ab"), Arg("ab")), {"axis": 0}),
    )
    for op, args, fixed in rest:

        def of(e, fixed=fixed):  # type: ignore[no-untyped-def]
            return fixed | ({"shape": (e["a"] + 3, e["b"])} if "begin" in fixed else {})

        smooth = tuple(Arg(a.dims, "c128") for a in args)
        yield Row(op, args, COMPLEX, sizes, of, note="complex")
        yield Row(op, smooth, "f64", sizes[:1], of, smooth=True, note="c-smooth")
    few = tuple(s for s in sizes if s["a"])
    gather = (Arg("ab"), Arg("n", "i32", index="a"))
    for op, args, of in (
        (ops.Gather, gather, lambda e: {"axis": 0}),
        (ops.ScatterAdd, (Arg("n", "i32", index="a"), Arg("nb")), lambda e: {"rows": e["a"]}),
    ):
        placed = tuple({**s, "n": 7} for s in few)
        smooth = tuple(
            Arg(a.dims, "c128" if a.dtype == "T" else a.dtype, index=a.index) for a in args
        )
        yield Row(op, args, COMPLEX, placed, of, note="complex")
        yield Row(op, smooth, "f64", placed[:1], of, smooth=True, note="c-smooth")


def rows() -> Iterator[Row]:
    for op in (ops.Add, ops.Sub):
        yield binary(op, COMPLEX, note="complex")
        yield Row(op, (Z, Z), "f64", lengths()[1:3], smooth=True, note="complex-smooth")
    yield from _analytic(ops.Mul, 2)
    yield from _analytic(ops.Div, 2)
    yield from _analytic(ops.Pow, 2, ulp=24)
    for op in (ops.Exp, ops.Expm1, ops.Log, ops.Log1p, ops.Sqrt, ops.Rsqrt, ops.Sigmoid):
        yield from _analytic(op, ulp=6)
    for op in (ops.Sin, ops.Cos, ops.Tan, ops.Sinh, ops.Cosh, ops.Tanh):
        yield from _analytic(op, ulp=6)
    for op in (ops.Asin, ops.Acos, ops.Atan, ops.Asinh, ops.Acosh, ops.Atanh):
        yield from _analytic(op, ulp=6)
    yield Row(ops.Abs, (Arg("n"),), COMPLEX, lengths(), ulp=2, note="complex")
    yield Row(ops.Abs, (Z,), "f64", lengths()[1:3], ulp=2, smooth=True, note="complex-smooth")
    yield Row(ops.Sign, (Arg("n"),), COMPLEX, lengths(), ulp=3, note="complex")
    for op in (ops.Neg, ops.Conj, ops.Real, ops.Imag, ops.StopGradient):
        yield unary(op, COMPLEX, note="complex")
        if op is not ops.StopGradient:
            yield Row(op, (Z,), "f64", lengths()[1:3], smooth=True, note="complex-smooth")
    yield Row(ops.Complex, (SPECIAL, SPECIAL), "f32 f64", lengths())
    yield Row(ops.Complex, (Arg("n"), Arg("n")), "f64", lengths()[1:3], smooth=True, note="smooth")
    for op in (ops.Equal, ops.NotEqual):
        same = Arg("n", "T", 0, 1, special=True)
        yield Row(op, (same, same), COMPLEX, lengths(), note="complex")
    yield Row(ops.Select, (Arg("n", "bool"), SPECIAL, SPECIAL), COMPLEX, lengths(), note="complex")
    for to in COMPLEX.split():
        of = lambda e, to=to: {"dtype": as_dtype(to)}  # noqa: E731
        yield Row(ops.Cast, (SPECIAL,), f"{ALL} {COMPLEX}", lengths()[1:4], of, note=to)
    for to in ("i32", "f16", "f32", "f64"):
        of = lambda e, to=to: {"dtype": as_dtype(to)}  # noqa: E731
        yield Row(ops.Cast, (SPECIAL,), COMPLEX, lengths()[1:4], of, note=f"complex-{to}")
    of = lambda e: {"dtype": as_dtype("f64")}  # noqa: E731
    yield Row(ops.Cast, (Z,), "f64", lengths()[1:3], of, smooth=True, note="from-complex-smooth")
    of = lambda e: {"dtype": as_dtype("c128")}  # noqa: E731
    yield Row(ops.Cast, (Arg("n"),), "f64", lengths()[1:3], of, smooth=True, note="to-c-smooth")
    sizes = tuple(
        {"a": a, "b": b} for a, b in ((3, 5), (17, 15), (2, 63), (65, 3), (2, 130), (4, 0))
    )
    ones = Arg("ab", low=0.6, high=0.8)
    for axes in ((1,), (0,), (0, 1)):
        over = lambda e, axes=axes: {"axes": axes}  # noqa: E731
        note = "complex" + "".join(map(str, axes))
        yield Row(ops.ReduceSum, (Arg("ab"),), COMPLEX, sizes, over, tolerance=4, note=note)
        yield Row(ops.ReduceProd, (ones,), COMPLEX, sizes, over, tolerance=40, note=note)
        wide = Arg("ab", "c128", 0.5, 0.9)
        for op in (ops.ReduceSum, ops.ReduceProd):
            yield Row(
                op, (wide,), "f64", sizes[:1], over, tolerance=4, smooth=True, note=note + "-smooth"
            )
    shapes = tuple(
        {"a": 2, "m": m, "k": k, "n": n}
        for m, k, n in ((1, 1, 1), (3, 5, 7), (29, 17, 33), (2, 0, 3))
    )
    yield Row(ops.Matmul, (Arg("amk"), Arg("akn")), COMPLEX, shapes, tolerance=4, note="complex")
    wide = (Arg("mk", "c128"), Arg("kn", "c128"))
    plain = tuple({d: e for d, e in s.items() if d != "a"} for s in shapes)
    yield Row(ops.Matmul, wide, "f64", plain[1:2], tolerance=4, smooth=True, note="complex-smooth")
    yield from _index_maps()
    for value in (1.5 - 2j, [[1j, complex(-0.0, np.inf)], [2, 3]]):
        yield Row(
            ops.Constant,
            (),
            COMPLEX,
            ({},),
            lambda e, v=value: {"value": v},
            note=f"complex-rank{np.ndim(value)}",
        )
