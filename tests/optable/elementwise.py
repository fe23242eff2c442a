"""Rows of the table of ops: elementwise."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops
from tfc.ir.core import Op
from tfc.ir.dtypes import as_dtype

from .table import ALL, FLOATS, INTEGERS, NUMBERS, Arg, Row, binary, lengths, unary


def _transcendental(
    op: type[Op], low: float = -4, high: float = 4, ulp: float = 2.0
) -> Iterator[Row]:
    yield unary(op, "f32 f64 f16 bf16", low, high, ulp=ulp)
    yield unary(op, "f64", low, high, False, ulp=ulp, smooth=True, note="smooth")


def rows() -> Iterator[Row]:
    wide = Arg("n", "T", -1e9, 1e9, special=True)
    plain = Arg("n", "T", 0.5, 3.0)
    for op in (ops.Add, ops.Sub, ops.Mul):
        yield binary(op, low=-1e9, high=1e9)
        yield binary(op, "f64", special=False, smooth=True, note="smooth")
    yield binary(ops.Div, FLOATS)
    yield binary(ops.Div, "f64", 0.5, 3.0, False, smooth=True, note="smooth")
    yield binary(ops.FloorDiv, FLOATS)
    yield binary(ops.FloorMod, FLOATS, special=False)
    for op in (ops.FloorDiv, ops.FloorMod):
        yield Row(op, (wide, Arg("n", "T", 1, 9)), INTEGERS, lengths(), note="positive")
        yield Row(op, (wide, Arg("n", "T", -9, -1)), "i8 i16 i32 i64", lengths(), note="negative")
    yield binary(ops.Pow, INTEGERS, -6, 6, False, Arg("n", "T", 0, 9))
    yield binary(ops.Pow, FLOATS, 0, 3, ulp=2)
    yield Row(ops.Pow, (plain, plain), "f64", lengths(), ulp=2, smooth=True, note="smooth")
    for op in (ops.Maximum, ops.Minimum):
        yield binary(op)
        yield binary(op, "f64", special=False, smooth=True, note="smooth")
    yield binary(ops.Atan2, FLOATS, ulp=2)
    yield binary(ops.Atan2, "f64", 0.5, 3, False, ulp=2, smooth=True, note="smooth")
    for op in (ops.Neg, ops.Abs, ops.Sign, ops.Relu):
        yield unary(op, NUMBERS)
        yield unary(op, "f64", 0.5, 3, False, smooth=True, note="smooth")
    for op in (ops.Floor, ops.Ceil, ops.Round):
        yield unary(op, FLOATS, -1e3, 1e3)
    yield unary(ops.Sqrt, FLOATS, 0, 9)
    yield unary(ops.Sqrt, "f64", 0.5, 3, False, smooth=True, note="smooth")
    yield Row(ops.Fma, (wide,) * 3, "f16 bf16 f32", lengths())
    yield Row(ops.Fma, (plain,) * 3, "f64", lengths(), ulp=1, smooth=True, note="smooth")
    for op in (ops.Exp, ops.Expm1, ops.Tanh, ops.Sigmoid, ops.Sin, ops.Cos, ops.Erf, ops.Erfc):
        yield from _transcendental(op, ulp=4 if op in (ops.Erfc, ops.Sigmoid) else 2)
    for op in (ops.Atan, ops.Sinh, ops.Cosh, ops.Asinh, ops.Softplus):
        yield from _transcendental(op)
    for op in (ops.Log, ops.Rsqrt, ops.Log1p):
        yield from _transcendental(op, 0.25, 4)
    yield from _transcendental(ops.Tan, -1.2, 1.2)
    for op in (ops.Asin, ops.Acos, ops.Atanh):
        yield from _transcendental(op, -0.9, 0.9)
    yield from _transcendental(ops.Acosh, 1.25, 4)
    for op in (ops.Equal, ops.NotEqual):
        yield binary(op, ALL, low=-2, high=2)
    for op in (ops.Less, ops.LessEqual, ops.Greater, ops.GreaterEqual):
        yield binary(op, NUMBERS, low=-2, high=2)
    yield unary(ops.IsNan)
    yield unary(ops.LogicalNot, "bool")
    for op in (ops.BitwiseAnd, ops.BitwiseOr, ops.BitwiseXor):
        yield binary(op, f"bool {INTEGERS}", -1e9, 1e9)
    for op in (ops.ShiftLeft, ops.ShiftRightArithmetic, ops.ShiftRightLogical):
        yield Row(op, (wide, Arg("n", "T", 0, 7)), INTEGERS, lengths())
    values = (Arg("n", "bool"), wide, wide)
    yield Row(ops.Select, values, ALL, lengths())
    smooth = (Arg("n", "bool"), Arg("n"), Arg("n"))
    yield Row(ops.Select, smooth, "f64", lengths(), smooth=True, note="smooth")
    for to in ALL.split():
        arg = Arg("n", "T", -300, 300, special=True)
        yield Row(
            ops.Cast, (arg,), ALL, lengths(), lambda e, to=to: {"dtype": as_dtype(to)}, note=to
        )
    yield unary(
        ops.Cast,
        "f64",
        -3,
        3,
        False,
        attributes=lambda e: {"dtype": "T"},
        smooth=True,
        note="smooth",
    )
    for source, to in (
        ("i32 u32 f32", "f32"),
        ("f32 i32", "u32"),
        ("f64 i64 u64", "i64"),
        ("f16 bf16 u16", "i16"),
        ("i16", "bf16"),
        ("i8", "u8"),
        ("i64", "f64"),
    ):
        yield Row(
            ops.Bitcast,
            (wide,),
            source,
            lengths(),
            lambda e, to=to: {"dtype": as_dtype(to)},
            note=to,
        )
    yield unary(ops.StopGradient, ALL)
