"""Complex numbers: how they are made of real ones, and taken apart again.

Gradients follow TensorFlow: the cotangent of a complex z is dL/d(real z) + i dL/d(imag z), so
that a step against it goes downhill. What an analytic function f passes back is therefore
dy * conj(f'(z)) (`Term.conj` in the rules of the other elementwise ops).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, complex64, complex128, float32
from .elementwise import Binary, Unary


class Complex(Binary):
    """The complex number with real part x and imaginary part y."""

    def infer(self) -> Any:
        if self.x.dtype.name not in ("float32", "float64"):
            raise self.error(f"not defined for dtype {self.x.dtype.name}", "dtype")
        return super().infer()

    def result_dtype(self, dtype: DType) -> DType:
        return complex64 if dtype is float32 else complex128

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        z = np.empty(np.shape(x), self.result_dtype(self.x.dtype).numpy)
        z.real, z.imag = x, y
        return z

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return b.emit(Real(dz)), b.emit(Imag(dz))


class Part(Unary, abstract=True):
    kinds = "c"

    def result_dtype(self, dtype: DType) -> DType:
        return dtype.real_dtype


class Real(Part):
    """The real part."""

    reference = np.real

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Complex(dy, Term(b, dy).const(0).value)),)


class Imag(Part):
    """The imaginary part."""

    reference = np.imag

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Complex(Term(b, dy).const(0).value, dy)),)


class Conj(Unary):
    """The number with the imaginary part negated."""

    kinds = "c"
    reference = np.conjugate

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(Conj(dy)),)
