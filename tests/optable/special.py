"""Rows of the table of ops: special functions, and small elementwise ones with their own rules."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops
from tfc.ir.core import Op

from .table import FLOATS, Arg, Row, binary, lengths, unary


def _both(
    op: type[Op], low: float, high: float, ulp: float, tolerance: float = 0.0
) -> Iterator[Row]:
    """In all floats, then the gradient. In float64 SciPy's own errors are most of what is allowed:
    against exact values tests/test_special.py is stricter."""
    yield unary(op, "f16 bf16 f32", low, high, False, ulp=1.5)
    yield unary(
        op, "f64", low, high, False, ulp=ulp, tolerance=tolerance, smooth=True, note="smooth"
    )


def rows() -> Iterator[Row]:
    for op in (ops.Lgamma, ops.Digamma, ops.Trigamma):
        yield from _both(op, 1.6, 12, 200)
        yield unary(op, "f32", -3.9, -3.1, False, ulp=1.5, note="negative")
    yield from _both(ops.Erfinv, -0.9, 0.9, 8)
    yield from _both(ops.Erfcinv, 0.1, 0.9, 8)
    for op in (ops.BesselI0, ops.BesselI0e, ops.BesselI1, ops.BesselI1e):
        yield from _both(op, 0.5, 12, 16)
        yield unary(op, "f32", -12, -0.5, False, ulp=1.5, note="negative")
    for op in (ops.BesselK0, ops.BesselK0e, ops.BesselK1, ops.BesselK1e):
        yield from _both(op, 0.5, 6, 16)
    for op in (ops.BesselJ0, ops.BesselJ1, ops.BesselY0, ops.BesselY1):
        yield from _both(op, 0.5, 14, 16, 2.0)
    yield from _both(ops.Dawsn, 0.1, 7, 20)
    yield from _both(ops.Expint, 0.5, 20, 40)
    for op in (ops.FresnelCos, ops.FresnelSin):
        yield from _both(op, 0.3, 3, 40)
    yield from _both(ops.Spence, 0.1, 6, 40)

    x, y = Arg("n", "T", 2, 9), Arg("n", "T", 0.5, 6)
    yield Row(ops.Zeta, (x, y), "f32 f64", lengths(), ulp=40)
    yield Row(ops.Zeta, (Arg("n", "T", 2, 4), y), "f64", lengths(), ulp=40, note="smooth")
    for op in (ops.Igamma, ops.Igammac):
        yield Row(op, (y, Arg("n", "T", 0.2, 9)), FLOATS, lengths(), ulp=400)
        yield Row(op, (y, y), "f64", lengths(), ulp=400, smooth=True, note="smooth")
    yield Row(
        ops.IgammaDerivative,
        (Arg("n", "T", 0.5, 6), Arg("n", "T", 0.5, 6)),
        "f64",
        ({"n": 0}, {"n": 1}, {"n": 5}, {"n": 9}),
        lambda e: {"order": 1},
        tolerance=100,
        smooth=True,
    )
    shape = Arg("n", "T", 0.5, 6)
    unit = Arg("n", "T", 0.1, 0.9)
    yield Row(ops.Betainc, (shape, shape, unit), "f32 f64", lengths(), ulp=2000)

    wide = Arg("n", "T", -9, 9, special=True)
    yield Row(ops.NextAfter, (wide, wide), "f32 f64", lengths())
    yield binary(ops.MultiplyNoNan, FLOATS)
    yield binary(ops.MultiplyNoNan, "f64", 0.5, 3.0, False, smooth=True, note="smooth")
