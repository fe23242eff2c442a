"""Contractions: products summed over shared axes. Kernels for them come from tile templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Value
from ..extent import Extent, product
from ..types import TensorType
from .shape import Transpose

BLOCK = 256  # elements along k whose products are added up one after another
# Columns of a product of which one kernel keeps strips of rows, between two products: 12 rows of
# doubles in half a MiB, which is a quarter of L2.
FUSED_COLUMNS_MAX = 5461


class Matmul(Op):
    """x[..., m, k] @ y[..., k, n], the same batch axes on both sides.

    k is cut into blocks of BLOCK elements. The products of a block are added up by the chain
    fma(x[k], y[k], ...) in order of k, from 0; the sums of the blocks are added to 0 in order. So
    the bits depend on the length k alone. float16 and bfloat16 accumulate in float32. A block of
    complex numbers has four such chains, of the parts of x times those of y: rr, ri, ir and ii. Its
    sum is (rr - ii) + (ri + ir) i, so x times its conjugate transpose has a real diagonal.
    """

    x: Value
    y: Value

    def infer(self) -> TensorType:
        x, y = self.x, self.y
        if x.dtype is not y.dtype:
            raise self.error("operands must have the same dtype", "dtype")
        if not x.dtype.has_arithmetic:
            raise self.error(f"not defined for dtype {x.dtype.name}", "dtype")
        if x.rank < 2 or x.rank != y.rank or x.shape[:-2] != y.shape[:-2]:
            raise self.error("operands must be matrices, or batches of them of one shape")
        if x.shape[-1] != y.shape[-2]:
            raise self.error("the inner extents differ")
        return TensorType(x.dtype, (*x.shape[:-1], y.shape[-1]))

    def operations(self) -> Extent:
        return product((*self.result.shape, self.x.shape[-1])) * 2

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        compute = self.x.dtype.compute.numpy
        wide: Any = np.longdouble if compute == np.float64 else np.float64
        if self.x.dtype.is_complex:
            wide = np.complex128 if compute == np.complex64 else np.clongdouble
        if self.x.dtype.is_integer:
            wide = compute
        return np.asarray(np.matmul(x.astype(wide), y.astype(wide)), x.dtype)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y = Term(b, self.x).conj().value, Term(b, self.y).conj().value
        return b.emit(Matmul(dz, transposed(b, y))), b.emit(Matmul(transposed(b, x), dz))


def transposed(b: Builder, x: Value) -> Value:
    """x with its last two axes exchanged."""
    perm = (*range(x.rank - 2), x.rank - 1, x.rank - 2)
    return b.emit(Transpose(x, perm))
