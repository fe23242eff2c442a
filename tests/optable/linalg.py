"""Rows of the table of ops: factorisations and solvers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfc.ir import ops
from tfc.ir.dtypes import DType

from .table import Arg, Row, Sizes


@dataclass(frozen=True)
class Definite(Arg):
    """Hermitian matrices whose eigenvalues are at least 1."""

    def values(self, dtype: DType, sizes: Sizes, rng: np.random.Generator) -> np.ndarray:
        x = super().values(dtype, sizes, rng)
        square = x @ np.conj(np.swapaxes(x, -1, -2)) / 4
        return (square + np.eye(x.shape[-1])).astype(dtype.numpy)


@dataclass(frozen=True)
class Dominant(Arg):
    """Square matrices that are far from singular."""

    def values(self, dtype: DType, sizes: Sizes, rng: np.random.Generator) -> np.ndarray:
        x = super().values(dtype, sizes, rng)
        n = x.shape[-1]
        return (x + np.diag(4.0 * n + np.arange(n))).astype(dtype.numpy)


@dataclass(frozen=True)
class Bands(Arg):
    """Three diagonals; what is far from 0 stands on the main one, or (`swapping`) beside it, so
    that elimination exchanges every other row."""

    swapping: bool = True

    def values(self, dtype: DType, sizes: Sizes, rng: np.random.Generator) -> np.ndarray:
        x = super().values(dtype, sizes, rng)
        n = x.shape[-1]
        if self.swapping:
            x[..., 0, : n - n % 2 : 2] += 20
            x[..., 2, 1::2] += 20
            x[..., 1, n - n % 2 :] += 20
        else:
            x[..., 1, :] += 20
        return x


def rows() -> Iterator[Row]:
    every = "f32 c128"
    square: tuple[Sizes, ...] = tuple({"a": a, "n": n} for a, n in ((2, 3), (1, 1), (3, 0), (1, 7)))
    few: tuple[Sizes, ...] = square[:1]
    yield Row(ops.Cholesky, (Definite("ann"),), every, square)
    for op in (ops.Eigenvalues, ops.Eigen):
        yield Row(op, (Dominant("ann"),), every, square)
    for op in (ops.Inverse, ops.Determinant, ops.LogDeterminant):
        yield Row(op, (Dominant("ann"),), every, square)
        yield Row(op, (Dominant("ann"),), "f64", few, smooth=True, note="smooth")
    for op in (ops.HermitianEigen, ops.HermitianEigenvalues):
        yield Row(op, (Definite("ann"),), every, square)
        yield Row(op, (Definite("ann"),), "f64", few, smooth=True, note="smooth")
    wide: tuple[Sizes, ...] = tuple(
        {**s, "m": m} for s, m in zip(square, (2, 1, 4, 7), strict=True)
    )
    yield Row(ops.Solve, (Dominant("ann"), Arg("anm")), every, wide)
    yield Row(ops.Solve, (Dominant("ann"), Arg("anm")), "f64", wide[:1], smooth=True, note="smooth")
    yield from _small()
    yield from _rectangular(every)
    for op in (ops.MatrixExponential, ops.MatrixSquareRoot):
        args: Any = (Arg("ann") if op is ops.MatrixExponential else Definite("ann"),)
        yield Row(op, args, every, square)
        yield Row(op, args, "f64", few, smooth=True, note="smooth")
    yield Row(ops.MatrixLogarithm, (Definite("ann"),), "c128", square)
    for lower in (True, False):
        for adjoint in (True, False):
            of = {"lower": lower, "adjoint": adjoint}
            note = f"{'lower' if lower else 'upper'}{'-adjoint' if adjoint else ''}"
            args = (Dominant("ann"), Arg("anm"))

            def given(e: Any, of: Any = of) -> Any:
                return of

            yield Row(ops.TriangularSolve, args, every, wide, given, tolerance=1, note=note)
            if lower != adjoint:
                continue
            note = note + "-smooth"
            few = wide[:1]
            yield Row(ops.TriangularSolve, args, "f64", few, given, 0, 1, smooth=True, note=note)
    bands: tuple[Sizes, ...] = (
        {"a": 2, "n": 3, "m": 2},
        {"a": 1, "n": 1, "m": 1},
        {"a": 3, "n": 0, "m": 2},
    )
    bands = (*bands, {"a": 1, "n": 2, "m": 1}, {"a": 1, "n": 19, "m": 17})
    for pivoting in (True, False):
        three = (Bands("a3n", swapping=pivoting), Arg("anm"))
        note = "pivoting" if pivoting else "plain"

        def how(e: Any, pivoting: bool = pivoting) -> Any:
            return {"pivoting": pivoting}

        kinds = every if pivoting else "f64"
        yield Row(ops.TridiagonalSolve, three, kinds, bands, how, tolerance=4, note=note)
        if pivoting:
            few = bands[:1]
            yield Row(
                ops.TridiagonalSolve, three, "f64", few, how, 0, 1, smooth=True, note="smooth"
            )
    mixed = ({"a": 2, "n": 3}, {"a": 1, "n": 1}, {"a": 3, "n": 0}, {"a": 2, "n": 17})
    yield Row(ops.Lu, (Arg("ann"),), every, mixed, tolerance=4)
    yield Row(ops.Lu, (Arg("ann"),), "f64", mixed[:1], tolerance=4, smooth=True, note="smooth")


def _small() -> Iterator[Row]:
    """Matrices whose rows are few and known: in registers, and in tiles. The bits are NumPy's."""
    batches: tuple[Sizes, ...] = tuple({"a": a} for a in (2, 19, 0, 1))
    for n, m in ((3, 2), (1, 1), (7, 3)):
        pair = (Dominant(f"a{n}{n}"), Arg(f"a{n}{m}"))
        for op in (ops.SmallCholesky, ops.SmallInverse, ops.SmallDeterminant, ops.SmallSolve):
            args = pair if op is ops.SmallSolve else pair[:1]
            if op is ops.SmallCholesky:
                args = (Definite(f"a{n}{n}"),)
            yield Row(op, args, "f32 f64", batches, note=f"{n}")
            if n == 3 and op is not ops.SmallCholesky:  # whose cotangent is symmetric
                yield Row(op, args, "f64", batches[:1], smooth=True, note="smooth")


def _rectangular(every: str) -> Iterator[Row]:
    """Decompositions of matrices with more rows, more columns, and as many."""
    for letters, count, sizes in (
        ("amn", "n", ((2, 4, 3), (1, 1, 1), (2, 3, 0), (1, 9, 4))),
        ("amn", "m", ((2, 3, 4), (1, 1, 1), (2, 0, 3), (1, 4, 9))),
        ("ann", "n", ((2, 3, 3), (1, 1, 1), (1, 0, 0))),
    ):
        given = tuple(dict(zip(letters, s, strict=True)) for s in sizes)
        shape = "square" if letters == "ann" else "deep" if count == "n" else "wide"

        def counted(e: Any, count: str = count) -> Any:
            return {"count": e[count]}

        x = (Arg(letters),)
        yield Row(ops.SingularValues, x, every, given, counted, note=shape)
        for op in (ops.Qr, ops.Svd):
            for full in (False, True):
                note = shape + ("-full" if full else "")

                def of(e: Any, full: bool = full, count: str = count, op: Any = op) -> Any:
                    rows = e.get("m", e["n"])
                    return {"full": full, "count": rows if full and op is ops.Qr else e[count]}

                yield Row(op, x, "f32" if full else every, given, of, note=note)
                if not full and shape in ("deep", "wide" if op is ops.Qr else ""):
                    few = given[:1]
                    yield Row(op, x, "f64", few, of, smooth=True, note=note + "-smooth")
