"""AccumulatorChains: how the products of a block of k are summed up (the rule is that of `Matmul`).

    real       total = the chain fma(x[k], y[k], ...)
    complex    rr, ri, ir, ii = four such chains, of the parts of x times the parts of y;
               total = (rr - ii) + (ri + ir) i

So complex products are multiply-adds, too, which wait for each other no more than real ones do, and
x times its conjugate transpose is hermitian to the last bit, with a real diagonal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core import Value
from ..dtypes import DType
from ..ops.complex import Complex, Imag, Real
from ..types import TensorType, scalar_type

if TYPE_CHECKING:
    from .writer import Writer

Parts = tuple[Value, ...]  # a number, or the real and the imaginary part of one


class AccumulatorChains:
    """The chains of one element of a contraction in the dtype `compute`."""

    def __init__(self, t: Writer, compute: DType) -> None:
        self.t, self.compute = t, compute
        self.part = compute.real_dtype
        self.parts = 2 if compute.is_complex else 1
        self.count = self.parts**2

    @property
    def types(self) -> tuple[TensorType, ...]:
        return (scalar_type(self.part),) * self.count

    @property
    def start(self) -> tuple[Value, ...]:
        """What chains begin with."""
        return (self.t.lower.b.constant(0, self.part),) * self.count

    def parts_of(self, value: Value) -> Parts:
        if not self.compute.is_complex:
            return (value,)
        emit = self.t.lower.emit
        return emit(Real(value)), emit(Imag(value))

    def add(self, x: Parts, y: Parts, totals: Sequence[Value]) -> list[Value]:
        """The chains with one more product."""
        pairs = [(a, b) for a in x for b in y]
        return [self.t.lower.fma(a, b, total) for (a, b), total in zip(pairs, totals, strict=True)]

    def total(self, totals: Sequence[Value]) -> Value:
        """What the chains of a block make."""
        if not self.compute.is_complex:
            return totals[0]
        rr, ri, ir, ii = totals
        real, imag = self.t.index(rr) - ii, self.t.index(ri) + ir
        return self.t.lower.emit(Complex(real.value, imag.value))

    def totals(self, found: Sequence[Value]) -> list[Value]:
        """What the chains of several elements make."""
        size = self.count
        return [self.total(found[i : i + size]) for i in range(0, len(found), size)]
