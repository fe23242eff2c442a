"""Transcendental functions, elementwise. Kernels hold the polynomials of kernels/expand instead."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from .elementwise import Binary, Sqrt, Unary


class Transcendental(Unary, abstract=True):
    cost, complex_cost = 20, 100
    kinds = "f"

    def derivative(self, x: Term, y: Term) -> Term:
        """dy/dx, from x and y."""
        raise NotImplementedError

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return ((Term(b, dy) * self.derivative(*self.term(b)).conj()).value,)


def _apply(op: type[Unary], x: Term) -> Term:
    return Term(x.b, x.b.emit(op(x.value)))


class Exp(Transcendental):
    """e to the power x."""

    expansion = "exponential"
    kinds = "fc"
    reference = np.exp

    def derivative(self, x: Term, y: Term) -> Term:
        return y


class Expm1(Transcendental):
    """exp(x) - 1, exact where that cancels."""

    expansion = "exponential"
    kinds = "fc"
    reference = np.expm1

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Exp, x)


class Log(Transcendental):
    """The natural logarithm; nan of negative reals."""

    expansion = "logarithm"
    kinds = "fc"
    reference = np.log

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        x, _ = self.term(b)
        return ((Term(b, dy) / x.conj()).value,)


class Log1p(Transcendental):
    """log(1 + x), exact where 1 + x rounds."""

    expansion = "logarithm"
    kinds = "fc"
    reference = np.log1p

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        x, _ = self.term(b)
        return ((Term(b, dy) / (x + 1).conj()).value,)


class Tanh(Transcendental):
    """The hyperbolic tangent."""

    expansion = "exponential"
    kinds = "fc"
    reference = np.tanh

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 - y * y


class Sigmoid(Transcendental):
    """1 / (1 + exp(-x))."""

    expansion = "exponential"
    kinds = "fc"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        if self.x.dtype.is_complex:
            return (1 / (1 + np.exp(-x.astype(np.clongdouble)))).astype(x.dtype)
        e = np.exp(-np.abs(x))
        return np.asarray(np.where(x < 0, e / (1 + e), 1 / (1 + e)), x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return y * (1 - y)


class Rsqrt(Transcendental):
    """1 / sqrt(x)."""

    expansion = "power"
    kinds = "fc"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(1 / np.sqrt(x), x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return y / x * -0.5


class Sin(Transcendental):
    """The sine of an angle in radians."""

    expansion = "trigonometric"
    kinds = "fc"
    reference = np.sin

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Cos, x)


class Cos(Transcendental):
    """The cosine of an angle in radians."""

    expansion = "trigonometric"
    kinds = "fc"
    reference = np.cos

    def derivative(self, x: Term, y: Term) -> Term:
        return -_apply(Sin, x)


class Tan(Transcendental):
    """The tangent of an angle in radians."""

    expansion = "trigonometric"
    kinds = "fc"
    reference = np.tan

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 + y * y


class Asin(Transcendental):
    """The angle in [-pi/2, pi/2] whose sine is x; nan outside of [-1, 1]."""

    expansion = "inverse_trigonometric"
    kinds = "fc"
    reference = np.arcsin

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 / _apply(Sqrt, 1 - x * x)


class Acos(Transcendental):
    """The angle in [0, pi] whose cosine is x; nan outside of [-1, 1]."""

    expansion = "inverse_trigonometric"
    kinds = "fc"
    reference = np.arccos

    def derivative(self, x: Term, y: Term) -> Term:
        return -1 / _apply(Sqrt, 1 - x * x)


class Atan(Transcendental):
    """The angle in [-pi/2, pi/2] whose tangent is x."""

    expansion = "inverse_trigonometric"
    kinds = "fc"
    reference = np.arctan

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 / (1 + x * x)


class Sinh(Transcendental):
    """The hyperbolic sine, (exp x - exp -x) / 2."""

    expansion = "hyperbolic"
    kinds = "fc"
    reference = np.sinh

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Cosh, x)


class Cosh(Transcendental):
    """The hyperbolic cosine, (exp x + exp -x) / 2."""

    expansion = "hyperbolic"
    kinds = "fc"
    reference = np.cosh

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Sinh, x)


class Asinh(Transcendental):
    """The number whose hyperbolic sine is x."""

    expansion = "hyperbolic"
    kinds = "fc"
    reference = np.arcsinh

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 / _apply(Cosh, y)


class Acosh(Transcendental):
    """The number that is not negative whose hyperbolic cosine is x; nan below 1."""

    expansion = "hyperbolic"
    kinds = "fc"
    reference = np.arccosh

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 / _apply(Sinh, y)


class Atanh(Transcendental):
    """The number whose hyperbolic tangent is x; nan outside of [-1, 1]."""

    expansion = "hyperbolic"
    kinds = "fc"
    reference = np.arctanh

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 / (1 - x * x)


class Erf(Transcendental):
    """The error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x."""

    expansion = "error_function"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        from math import erf

        return np.asarray(np.vectorize(erf, otypes=[np.float64])(x), x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Exp, -(x * x)) * (2 / math.sqrt(math.pi))


class Erfc(Transcendental):
    """1 - erf(x), exact where that cancels."""

    expansion = "error_function"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        from math import erfc

        return np.asarray(np.vectorize(erfc, otypes=[np.float64])(x), x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return _apply(Exp, -(x * x)) * (-2 / math.sqrt(math.pi))


class Atan2(Binary):
    """The angle of the point (y, x), here (self.x, self.y) in TensorFlow's argument order."""

    expansion = "inverse_trigonometric"
    cost = 20
    kinds = "f"
    reference = np.arctan2

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        y, x, _ = self.terms(b)
        scaled = Term(b, dz) / (x * x + y * y)
        return (scaled * x).value, (-scaled * y).value


class Pow(Binary):
    """x to the power y. Integers: repeated squaring, exponents must not be negative. Complex
    numbers: exp(y log x), where log has the imaginary part in (-pi, pi]."""

    expansion = "power"
    cost, complex_cost = 60, 100
    kinds = "iufc"

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.asarray(np.power(x, y))

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, z = self.terms(b)
        d = Term(b, dz)
        slope = y * Term(b, b.emit(Pow(x.value, (y - 1).value)))
        defined = x._emit("not_equal", 0) if x.value.dtype.is_complex else x > 0
        safe = where(defined, x, x.const(1))
        log_x = where(defined, Term(b, b.emit(Log(safe.value))), x.const(0))
        return (d * slope.conj()).value, (d * (z * log_x).conj()).value
