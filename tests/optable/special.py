"""Rows of the table of ops: special functions, and small elementwise ones with their own rules.

Their kernels are long, so that most have few sizes and dtypes here; the gradients of those without
a smooth row are tested by tests/cases/special.py and tests/ops/test_special.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops
from tfc.ir.core import Op

from .table import FLOATS, INTEGERS, Arg, Row, Sizes, binary, lengths, unary

SMALL: tuple[Sizes, ...] = ({"m": 0, "n": 3}, {"m": 3, "n": 7}, {"m": 2, "n": 16})


def _row(op: type[Op], *ranges: tuple[float, float], dtypes: str = "f32", **more: object) -> Row:
    """Matrices of numbers in these ranges."""
    args = tuple(Arg("mn", "T", low, high) for low, high in ranges)
    return Row(op, args, dtypes, SMALL, **more)  # type: ignore[arg-type]


def rows() -> Iterator[Row]:
    for op in (ops.Lgamma, ops.Digamma):
        yield unary(op, "f16 bf16 f32", 0.1, 12, False, ulp=1.5)
        yield _row(op, (-3.9, -3.1), ulp=1.5, note="negative")
        yield _row(op, (2.1, 9), dtypes="f64", ulp=16, smooth=True, note="smooth")
    yield _row(ops.Trigamma, (0.1, 12), ulp=1.5)
    yield _row(ops.Erfinv, (-0.9, 0.9), ulp=1.5)
    yield _row(ops.Erfcinv, (0.1, 0.9), ulp=1.5)
    for op in (ops.BesselI0, ops.BesselI0e, ops.BesselI1, ops.BesselI1e, ops.BesselJ0):
        yield _row(op, (-12, 12), ulp=1.5)
    yield _row(ops.BesselI1e, (0.5, 4), dtypes="f64", ulp=40, smooth=True, note="smooth")
    for op in (ops.BesselK0, ops.BesselK0e, ops.BesselK1, ops.BesselK1e, ops.BesselJ1):
        yield _row(op, (0.2, 12), ulp=1.5)
    for op in (ops.BesselY0, ops.BesselY1, ops.Dawsn, ops.Expint, ops.Spence):
        yield _row(op, (0.2, 12), ulp=1.5)
    for op in (ops.FresnelCos, ops.FresnelSin):
        yield _row(op, (-4, 4), ulp=1.5)
    yield _row(ops.Zeta, (2, 9), (0.5, 6), ulp=1.5)
    for op in (ops.Igamma, ops.Igammac):
        yield _row(op, (0.5, 6), (0.2, 9), dtypes="f32 f64", ulp=400)
    order = {"attributes": lambda e: {"order": 1}}
    yield _row(ops.IgammaDerivative, (0.5, 6), (0.5, 6), ulp=4, **order)
    yield _row(ops.Betainc, (0.5, 6), (0.5, 6), (0.1, 0.9), ulp=1.5)

    wide = Arg("n", "T", -9, 9, special=True)
    yield Row(ops.NextAfter, (wide, wide), "f32 f64", lengths())
    yield binary(ops.MultiplyNoNan, FLOATS)
    yield binary(ops.MultiplyNoNan, "f64", 0.5, 3.0, False, smooth=True, note="smooth")
    for op in (ops.MaximumNumber, ops.MinimumNumber):
        yield binary(op)
        yield binary(op, "f64", special=False, smooth=True, note="smooth")
    yield Row(ops.PopulationCount, (Arg("n", "T", -1e9, 1e9),), INTEGERS, lengths())
