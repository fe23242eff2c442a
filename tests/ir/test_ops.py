"""Every op of the table, natively: against NumPy, static against symbolic, fused against not, and
gradients against finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import native
from tests.optable import ROWS, Row
from tfc.ir import autodiff, ops
from tfc.ir.core import Builder, Function, Op, OpError, Value
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.interpreter import interpret
from tfc.ir.types import TensorType

CASES = [pytest.param(r, d, id=f"{r.name}-{d}") for r in ROWS for d in r.dtypes.split()]
SMOOTH = [pytest.param(r, id=r.name) for r in ROWS if r.smooth]

# What has no meaning outside of kernels, or takes functions (tested in test_functional.py).
NOT_IN_TABLE = {"load", "store", "for", "reduce", "assert", "launch", "truncate", "call"}
NOT_IN_TABLE |= {"custom_gradient"}


def test_every_op_has_a_row() -> None:
    assert set(Op.by_name) - NOT_IN_TABLE == {row.op.mnemonic for row in ROWS}


def unit(array: np.ndarray, dtype: DType) -> np.ndarray:
    """The distance between neighbours in `dtype` around each element, as float64 or wider."""
    wide = np.longdouble if dtype.bits == 64 else np.float64
    digits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[dtype.short]
    smallest = {"f16": -24, "bf16": -133, "f32": -149, "f64": -1074}[dtype.short]
    _, exponent = np.frexp(np.abs(array.astype(wide)))
    return np.ldexp(wide(1), np.maximum(exponent - digits, smallest))


def assert_close(row: Row, dtype: DType, got: np.ndarray, wanted: np.ndarray) -> None:
    """As near as the row says; nan, inf and zeros (of either sign) where NumPy has them."""
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if not dtype.is_floating or (row.ulp == 0 and row.tolerance == 0):
        equal = (got == wanted) | ((got != got) & (wanted != wanted))
        assert equal.all(), f"{got[~equal]} instead of {wanted[~equal]}"
        return
    wide = np.longdouble if dtype.bits == 64 else np.float64
    x, y = got.astype(wide), wanted.astype(wide)
    finite = np.isfinite(y)
    np.testing.assert_array_equal(x[~finite], y[~finite])
    step = unit(y, dtype)[finite]
    bound = row.ulp * step
    if row.tolerance:
        top = np.max(np.abs(y[finite]), initial=1.0)
        bound = row.tolerance * 8 * unit(np.asarray(top), dtype) + bound
    error = np.abs(x - y)[finite]
    assert (error <= bound).all(), f"off by {np.max(error / step)} ulp"


@pytest.mark.parametrize(("row", "short"), CASES)
def test_native(row: Row, short: str) -> None:
    """The kernel on symbolic extents against NumPy at all sizes, and one static size bit for bit."""
    dtype = as_dtype(short)
    symbolic = row.function(dtype)
    compiled = native.Native(symbolic)
    for sizes in row.sizes:
        arrays = row.arrays(dtype, sizes)
        got = compiled(*arrays)
        for x, y in zip(got, interpret(symbolic, arrays), strict=True):
            assert_close(row, as_dtype(x.dtype), x, y)
    sizes = row.sizes[len(row.sizes) // 2]
    arrays = row.arrays(dtype, sizes)
    fixed = native.run(row.function(dtype, sizes), *arrays)
    native.assert_same_bits(fixed, compiled(*arrays), f"static {sizes}")


RANKS = [(), (5,), (3, 17), (2, 3, 5), (2, 1, 3, 4), (0, 3), (3, 0), (1, 1, 1, 1)]
ELEMENTWISE = {r.op: r for r in reversed(ROWS) if {a.dims for a in r.args} == {"n"} and r.dtypes}


@pytest.mark.parametrize("row", [pytest.param(r, id=r.name) for r in ELEMENTWISE.values()
                                 if issubclass(r.op, ops.Add.__mro__[2])])
def test_ranks(row: Row) -> None:
    """An elementwise op gives the same bits under every shape, static or not."""
    dtype = as_dtype(row.dtypes.split()[-1])
    for shape in RANKS:
        n = int(np.prod(shape))
        arrays = row.arrays(dtype, {"n": n})
        wanted = native.run(row.function(dtype), *arrays)[0]
        b = Builder(row.op.mnemonic)
        params = [b.parameter(TensorType(as_dtype(a.dtype), shape)) for a in arrays]
        f = b.build(b.emit(row.build(dtype, params, {"n": n})))
        got = native.run(f, *(a.reshape(shape) for a in arrays))[0]
        assert got.shape == shape
        native.assert_same_bits([got.reshape(-1)], [wanted], f"{shape}")


def directional(f: Function, arrays: list[Any], step: float, rng: Any) -> tuple[float, float]:
    """<w, df(v)> by central differences, and <vjp(w), v> by the pullback, for random v and w."""
    backward = autodiff.pullback(f)
    directions = [
        rng.uniform(-1, 1, a.shape) if p.dtype.is_floating else np.zeros_like(a)
        for p, a in zip(f.params, arrays, strict=True)
    ]
    moved = [
        interpret(f, [a + (sign * step * v).astype(a.dtype) if a.dtype.kind == "f" else a
                      for a, v in zip(arrays, directions, strict=True)])
        for sign in (1, -1)
    ]
    weights = [
        rng.uniform(0.5, 1, np.shape(y)).astype(y.dtype) if y.dtype.kind == "f" else np.zeros_like(y)
        for y in moved[0]
    ]
    numeric = sum(
        float(np.sum(w * (up - down) / (2 * step)))
        for w, up, down in zip(weights, *moved, strict=True) if up.dtype.kind == "f"
    )
    grads = iter(native.run(backward, *arrays, *weights))
    exact = sum(
        float(np.sum(next(grads) * v))
        for v, used in zip(directions, backward.notes["connected"], strict=True) if used
    )
    return numeric, exact


@pytest.mark.parametrize("row", SMOOTH)
def test_gradients(row: Row) -> None:
    """vjp against finite differences; then the pullback's own vjp against its differences."""
    rng = np.random.default_rng(1)
    for sizes in row.sizes[:2] if len(row.sizes) < 9 else row.sizes[1:5:3]:
        f = row.function("f64", sizes)
        arrays = row.arrays("f64", sizes)
        for order in (1, 2):
            numeric, exact = directional(f, arrays, 1e-6, rng)
            assert exact == pytest.approx(numeric, rel=1e-5, abs=1e-6), f"order {order}, {sizes}"
            if order == 1:
                f = autodiff.pullback(f)
                arrays += [rng.uniform(0.5, 1, p.shape) for p in f.params[len(arrays):]]


@pytest.mark.parametrize("row", SMOOTH)
def test_pullbacks_give_the_same_bits_however_they_run(row: Row) -> None:
    """Fused, with every value stored, op by op, and on symbolic extents."""
    sizes = row.sizes[len(row.sizes) // 2]
    f = autodiff.pullback(row.function("f32", sizes))
    rng = np.random.default_rng(2)
    arrays = row.arrays("f32", sizes)
    arrays += [rng.normal(size=p.shape).astype(np.float32) for p in f.params[len(arrays):]]
    fused = native.run(f, *arrays)
    native.assert_same_bits(native.Native(f, ())(*arrays), fused, "no passes")
    native.assert_same_bits(native.run_eagerly(f, *arrays), fused, "op by op")
    everything = tuple(v for op in f.body for v in op.results)
    stored = Function(f.name, f.params, f.body, (*f.returns, *everything))
    native.assert_same_bits(native.run(stored, *arrays)[: len(fused)], fused, "all stored")
    symbolic = autodiff.pullback(row.function("f32"))
    native.assert_same_bits(native.run(symbolic, *arrays), fused, "symbolic")
