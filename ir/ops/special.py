"""Special functions, elementwise. Kernels hold the expansions of ir/kernels/expand instead.

The reference meanings are SciPy's, which is wanted for tests alone.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..dtypes import as_dtype
from ..element_builder import ElementBuilder, Index
from ..types import TensorType
from .elementwise import Binary, Bitcast, Elementwise, Sign, Unary
from .transcendental import Cos, Exp, Log, Sigmoid, Sin, Transcendental


def _scipy(name: str, *arrays: np.ndarray) -> np.ndarray:
    """A function of scipy.special, computed in float64."""
    from scipy import special

    with np.errstate(all="ignore"):
        wide = [np.asarray(x, np.float64) for x in arrays]
        return np.asarray(getattr(special, name)(*wide)).astype(arrays[0].dtype)


def emit(op: type[Elementwise], *terms: Term) -> Term:
    """An elementwise op on terms."""
    return Term(terms[0].b, terms[0].b.emit(op(*(t.value for t in terms))))


class Special(Elementwise, abstract=True):
    """The base of those of several operands."""

    cost = 60
    kinds = "f"


class SpecialUnary(Transcendental, abstract=True):
    """The base of those of one operand."""

    cost = 60

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _scipy(self.mnemonic, x)


# The gamma function and its relatives.


class Lgamma(SpecialUnary):
    """log |gamma(x)|."""

    expansion = "gamma"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _scipy("gammaln", x)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Digamma, x)


class Digamma(SpecialUnary):
    """The derivative of lgamma."""

    expansion = "gamma"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _scipy("psi", x)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Trigamma, x)


class Trigamma(SpecialUnary):
    """The derivative of digamma."""

    expansion = "gamma"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        from scipy import special

        with np.errstate(all="ignore"):
            wide = x.astype(np.float64)
            reflected = (np.pi / np.sin(np.pi * wide)) ** 2 - special.zeta(2, 1 - wide)
            y = np.where(wide < 0, reflected, special.zeta(2, np.abs(wide)))
            return np.where((wide <= 0) & (wide == np.floor(wide)), np.inf, y).astype(x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Zeta, x.const(3), x) * -2


class Zeta(Special):
    """The sum of (q + k)^-s over k >= 0."""

    s: Value
    q: Value
    expansion = "gamma"

    def numpy(self, s: np.ndarray, q: np.ndarray) -> np.ndarray:
        return _scipy("zeta", s, q)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        s, q = Term(b, self.s), Term(b, self.q)
        return None, (Term(b, dz) * -s * emit(Zeta, s + 1, q)).value


# Inverses of the error function.


class Erfinv(SpecialUnary):
    """The number whose erf is x; nan outside of [-1, 1]."""

    expansion = "inverse_error"

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Exp, y * y) * (math.sqrt(math.pi) / 2)


class Erfcinv(SpecialUnary):
    """The number whose erfc is x; nan outside of [0, 2]."""

    expansion = "inverse_error"

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Exp, y * y) * (-math.sqrt(math.pi) / 2)


# Bessel functions.


class Bessel(SpecialUnary, abstract=True):
    expansion = "bessel"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _scipy(self.mnemonic.removeprefix("bessel_"), x)


class BesselI0(Bessel):
    """The modified Bessel function of the first kind, order 0."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselI1, x)


class BesselI0e(Bessel):
    """exp(-|x|) times the modified Bessel function of the first kind, order 0, which does not
    overflow."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselI1e, x) - emit(Sign, x) * y


class BesselI1(Bessel):
    """The modified Bessel function of the first kind, order 1."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselI0, x) - _over(y, x)


class BesselI1e(Bessel):
    """exp(-|x|) times the modified Bessel function of the first kind, order 1, which does not
    overflow."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselI0e, x) - emit(Sign, x) * y - _over(y, x)


class BesselJ0(Bessel):
    """The Bessel function of the first kind, order 0."""

    def derivative(self, x: Term, y: Term) -> Term:
        return -emit(BesselJ1, x)


class BesselJ1(Bessel):
    """The Bessel function of the first kind, order 1."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselJ0, x) - _over(y, x)


class BesselY0(Bessel):
    """The Bessel function of the second kind, order 0."""

    def derivative(self, x: Term, y: Term) -> Term:
        return -emit(BesselY1, x)


class BesselY1(Bessel):
    """The Bessel function of the second kind, order 1."""

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(BesselY0, x) - y / x


class BesselK0(Bessel):
    """The modified Bessel function of the second kind, order 0."""

    def derivative(self, x: Term, y: Term) -> Term:
        return -emit(BesselK1, x)


class BesselK0e(Bessel):
    """exp(x) times the modified Bessel function of the second kind, order 0, which does not
    underflow."""

    def derivative(self, x: Term, y: Term) -> Term:
        return y - emit(BesselK1e, x)


class BesselK1(Bessel):
    """The modified Bessel function of the second kind, order 1."""

    def derivative(self, x: Term, y: Term) -> Term:
        return -emit(BesselK0, x) - y / x


class BesselK1e(Bessel):
    """exp(x) times the modified Bessel function of the second kind, order 1, which does not
    underflow."""

    def derivative(self, x: Term, y: Term) -> Term:
        return y - emit(BesselK0e, x) - y / x


def _over(y: Term, x: Term) -> Term:
    """y / x of an odd function whose slope at 0 is 1/2."""
    zero = x._emit("equal", 0)
    return where(zero, x.const(0.5), y / where(zero, x.const(1), x))


# Integrals.


class Dawsn(SpecialUnary):
    """Dawson's integral, exp(-x^2) times the integral of exp(t^2) from 0 to x."""

    expansion = "integrals"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return _scipy("dawsn", x)

    def derivative(self, x: Term, y: Term) -> Term:
        return 1 - x * y * 2


class Expint(SpecialUnary):
    """The exponential integral Ei of numbers that are not negative."""

    expansion = "integrals"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.where(x < 0, np.asarray(np.nan, x.dtype), _scipy("expi", x))

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Exp, x) / x


class FresnelCos(SpecialUnary):
    """Fresnel's integral of cos(pi/2 t^2) from 0 to x."""

    expansion = "integrals"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        from scipy import special

        return np.asarray(special.fresnel(x.astype(np.float64))[1], x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Cos, x * x * (math.pi / 2))


class FresnelSin(SpecialUnary):
    """Fresnel's integral of sin(pi/2 t^2) from 0 to x."""

    expansion = "integrals"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        from scipy import special

        return np.asarray(special.fresnel(x.astype(np.float64))[0], x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Sin, x * x * (math.pi / 2))


class Spence(SpecialUnary):
    """Spence's integral of log t / (1 - t) from 1 to x."""

    expansion = "integrals"

    def derivative(self, x: Term, y: Term) -> Term:
        one = x._emit("equal", 1)
        safe = where(one, x.const(2), x)
        return where(one, x.const(-1), emit(Log, safe) / (1 - safe))


# Incomplete functions.


def _power_times(power: Term, base: Term) -> Term:
    """power * log(base), 0 where the power is."""
    zero = power._emit("equal", 0)
    return where(zero, base.const(0), power * emit(Log, where(zero, base.const(1), base)))


def _gamma_density(a: Term, x: Term) -> Term:
    """x^(a - 1) e^-x / gamma(a), the derivative of P(a, x) by x."""
    return emit(Exp, _power_times(a - 1, x) - x - emit(Lgamma, a))


class Igamma(Special):
    """P(a, x), the regularised lower incomplete gamma function."""

    a: Value
    x: Value
    expansion = "incomplete_gamma"

    def numpy(self, a: np.ndarray, x: np.ndarray) -> np.ndarray:
        return _scipy("gammainc", a, x)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        a, x, d = Term(b, self.a), Term(b, self.x), Term(b, dz)
        by_a = Term(b, b.emit(IgammaDerivative(self.a, self.x, 1)))
        return (d * by_a).value, (d * _gamma_density(a, x)).value


class Igammac(Special):
    """Q(a, x) = 1 - P(a, x)."""

    a: Value
    x: Value
    expansion = "incomplete_gamma"

    def numpy(self, a: np.ndarray, x: np.ndarray) -> np.ndarray:
        return _scipy("gammaincc", a, x)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        a, x, d = Term(b, self.a), Term(b, self.x), Term(b, dz)
        by_a = Term(b, b.emit(IgammaDerivative(self.a, self.x, 1)))
        return (-(d * by_a)).value, (-(d * _gamma_density(a, x))).value


class IgammaDerivative(Special):
    """P(a, x) differentiated by a, `order` times."""

    a: Value
    x: Value
    order: int
    expansion = "incomplete_gamma"

    def infer(self) -> TensorType:
        if not 1 <= self.order <= 16:  # the code grows with its square
            raise self.error(f"no derivative {self.order}", "value")
        return super().infer()

    def numpy(self, a: np.ndarray, x: np.ndarray) -> np.ndarray:
        import mpmath

        def one(a: float, x: float) -> float:
            def f(t: Any) -> Any:
                return mpmath.gammainc(t, 0, x, regularized=True)

            return float(mpmath.diff(f, a, self.order))

        with mpmath.workdps(40):
            values = [one(float(s), float(t)) for s, t in zip(a.flat, x.flat, strict=True)]
        return np.array(values, np.float64).reshape(a.shape).astype(a.dtype)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        a, x, d = Term(b, self.a), Term(b, self.x), Term(b, dz)
        by_a = Term(b, b.emit(IgammaDerivative(self.a, self.x, self.order + 1)))
        # the density p(x; a), differentiated by a: the (n + 1)-th derivative is the sum of
        # binomials times the n-th ones and those of log p = log x - digamma(a)
        density = [_gamma_density(a, x)]
        slopes = [emit(Log, x) - emit(Digamma, a)]
        for n in range(self.order):
            terms = [density[n - k] * slopes[k] * math.comb(n, k) for k in range(n + 1)]
            total = terms[0]
            for term in terms[1:]:
                total = total + term
            density.append(total)
            sign = (-1.0) ** (n + 1) * math.factorial(n + 1)  # of -polygamma(n + 1, a)
            slopes.append(emit(Zeta, a.const(n + 2.0), a) * sign)
        return (d * by_a).value, (d * density[-1]).value


class Betainc(Special):
    """I_x(a, b), the regularised incomplete beta function. As in TensorFlow, it has a gradient
    with respect to x alone."""

    a: Value
    b: Value
    x: Value
    expansion = "incomplete_beta"

    def numpy(self, a: np.ndarray, b: np.ndarray, x: np.ndarray) -> np.ndarray:
        return _scipy("betainc", a, b, x)

    def vjp(self, builder: Builder, dz: Value) -> Sequence[Value | None]:
        a, b, x = Term(builder, self.a), Term(builder, self.b), Term(builder, self.x)
        scale = emit(Lgamma, a + b) - emit(Lgamma, a) - emit(Lgamma, b)
        power = _power_times(a - 1, x) + _power_times(b - 1, 1 - x) + scale
        return None, None, (Term(builder, dz) * emit(Exp, power)).value


# Small ones that are composed in kernels, but have gradients of their own.


class MultiplyNoNan(Binary):
    """x * y, 0 where y is 0 whatever x is."""

    kinds = "fc"

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.where(y == 0, np.zeros_like(x), x * y).astype(x.dtype)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        x, y = (Term(lower.b, lower.element(v, index)) for v in (self.x, self.y))
        result: Value = where(y._emit("equal", 0), y.const(0), x * y).value
        return result

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, d = Term(b, self.x).conj(), Term(b, self.y).conj(), Term(b, dz)
        return emit(MultiplyNoNan, d, y).value, emit(MultiplyNoNan, x, d).value


class ExtremeNumber(Binary, abstract=True):
    """The base: one of x and y; of a nan and a number, the number (IEEE 754-2019, 9.6). A tie is
    x, and so has its gradient."""

    exact = True
    better: ClassVar[str]  # the comparison of x with y that keeps x

    def numpy(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        kept = getattr(operator, self.better)(x, y)
        return np.where(kept | np.isnan(y) if self.x.dtype.is_floating else kept, x, y)

    def kept(self, x: Term, y: Term) -> Term:
        """Whether x is the result."""
        better: Term = getattr(operator, self.better)(x, y)
        return (
            better._emit("bitwise_or", y._emit("is_nan")) if x.value.dtype.is_floating else better
        )

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        x, y = (Term(lower.b, lower.element(v, index)) for v in (self.x, self.y))
        return where(self.kept(x, y), x, y).value

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        x, y, _ = self.terms(b)
        kept, d = self.kept(x, y), Term(b, dz)
        return where(kept, d, 0).value, where(kept, d.const(0), d).value


class MaximumNumber(ExtremeNumber):
    """The larger, and a number where there is one."""

    better = "ge"


class MinimumNumber(ExtremeNumber):
    """The smaller, and a number where there is one."""

    better = "le"


class NextAfter(Binary):
    """The next number of x's dtype from x towards y."""

    exact = True
    kinds = "f"
    reference = np.nextafter

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        x, y = (lower.element(v, index) for v in (self.x, self.y))
        b, dtype = lower.b, self.x.dtype
        t, target = Term(b, x), Term(b, y)
        bits = Term(b, b.emit(Bitcast(x, as_dtype(f"i{dtype.bits}"))))
        sign = Term(b, b.emit(Bitcast(y, bits.value.dtype)))._emit(
            "bitwise_and", int(np.iinfo(bits.value.dtype.numpy).min)
        )
        # away from zero the bits count up, whatever the sign
        outwards = (t < target)._emit("equal", t > 0)
        stepped = where(outwards, bits + 1, bits - 1)
        stepped = where(t._emit("equal", 0), sign._emit("bitwise_or", 1), stepped)
        moved = Term(b, b.emit(Bitcast(stepped.value, dtype)))
        moved = where(t._emit("equal", target), target, moved)
        nan = t._emit("not_equal", t)._emit("bitwise_or", target._emit("not_equal", target))
        result: Value = where(nan, t + target, moved).value
        return result

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        return dz, Term(b, dz).const(0).value


class Softsign(Unary):
    """x / (1 + |x|)."""

    cost = 4
    kinds = "f"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(x / (1 + np.abs(x)))

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        x = Term(lower.b, lower.element(self.x, index))
        result: Value = (x / (x.abs() + 1)).value
        return result

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # 1 / (1 + |x|)^2: no difference, which would cancel far from 0, and no overflow.
        size = Term(b, self.x).abs() + 1
        return ((Term(b, dy) / size / size).value,)


class Softplus(SpecialUnary):
    """log(1 + e^x)."""

    expansion = "rectifiers"

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return np.logaddexp(x.astype(np.float64), 0).astype(x.dtype)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Sigmoid, x)
