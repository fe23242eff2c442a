"""Truncated Taylor series in one operand: a value and its derivatives, by the same algebra.

A `Jet` holds c_0 ... c_n of c_0 + c_1 h + ... (A. Griewank and A. Walther, Evaluating Derivatives,
2008, chapter 13). Of order 0 it is one scalar, and costs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Union

from .exponential import exp
from .logarithm import log
from .scalar import Scalar, select

Number = Union["Jet", Scalar, float]


class Jet:
    """The coefficients, lowest first."""

    def __init__(self, parts: Sequence[Scalar]) -> None:
        self.parts = list(parts)

    @property
    def order(self) -> int:
        return len(self.parts) - 1

    def const(self, value: Scalar | float) -> Jet:
        """A jet that does not change."""
        first = value if isinstance(value, Scalar) else self.parts[0].const(value)
        return Jet([first] + [first.const(0.0)] * self.order)

    def __add__(self, other: Number) -> Jet:
        if not isinstance(other, Jet):
            return Jet([self.parts[0] + other, *self.parts[1:]])
        return Jet([x + y for x, y in zip(self.parts, other.parts, strict=True)])

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet([-x for x in self.parts])

    def __sub__(self, other: Number) -> Jet:
        if not isinstance(other, Jet):
            return Jet([self.parts[0] - other, *self.parts[1:]])
        return Jet([x - y for x, y in zip(self.parts, other.parts, strict=True)])

    def __rsub__(self, other: Scalar | float) -> Jet:
        return self.const(other) - self

    def __mul__(self, other: Number) -> Jet:
        if not isinstance(other, Jet):
            return Jet([x * other for x in self.parts])
        x, y = self.parts, other.parts
        return Jet([_sum([x[i] * y[k - i] for i in range(k + 1)]) for k in range(len(x))])

    __rmul__ = __mul__

    def __truediv__(self, other: Jet) -> Jet:
        y = other.parts
        quotient: list[Scalar] = []
        for k, x in enumerate(self.parts):
            rest = [q * y[k - i] for i, q in enumerate(quotient)]
            quotient.append((x - _sum(rest) if rest else x) / y[0])
        return Jet(quotient)

    def __rtruediv__(self, other: Scalar | float) -> Jet:
        return self.const(other) / self

    def integral(self, first: Scalar, slope: Jet) -> Jet:
        """f(self), of which `first` is the value and `slope` the jet of f'(self)."""
        parts = [first]
        for k in range(1, self.order + 1):
            terms = [slope.parts[k - i] * self.parts[i] * float(i) for i in range(1, k + 1)]
            parts.append(_sum(terms) * (1.0 / k))
        return Jet(parts)

    def exp(self, first: Scalar | None = None) -> Jet:
        """e^self; `first` is its value where that is known better."""
        parts = [exp(self.parts[0]) if first is None else first]
        for k in range(1, self.order + 1):
            terms = [parts[k - i] * self.parts[i] * float(i) for i in range(1, k + 1)]
            parts.append(_sum(terms) * (1.0 / k))
        return Jet(parts)

    def log(self) -> Jet:
        return self.integral(log(self.parts[0]), 1.0 / self)

    def sqrt(self) -> Jet:
        root = self.parts[0].sqrt()
        parts = [root]
        for k in range(1, self.order + 1):
            rest = [parts[i] * parts[k - i] for i in range(1, k)]
            top = self.parts[k] - _sum(rest) if rest else self.parts[k]
            parts.append(top / (root + root))
        return Jet(parts)


def _sum(terms: Sequence[Scalar]) -> Scalar:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def choose(condition: Scalar, x: Jet, y: Jet) -> Jet:
    """x where the condition holds, else y."""
    return Jet([select(condition, a, b) for a, b in zip(x.parts, y.parts, strict=True)])


def polynomial(x: Jet, coefficients: Sequence[float]) -> Jet:
    """coefficients[0] + coefficients[1] x + ..."""
    from .scalar import horner

    if not x.order:
        return Jet([horner(x.parts[0], coefficients)])
    result = x.const(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = result * x + coefficient
    return result


def carried(
    count: int,
    start: Sequence[Jet],
    body: Callable[..., Sequence[Jet]],
) -> list[Jet]:
    """`repeat` on jets."""
    from .scalar import repeat

    size = start[0].order + 1

    def split(values: Sequence[Scalar]) -> list[Jet]:
        return [Jet(values[i : i + size]) for i in range(0, len(values), size)]

    def inner(k: Scalar, *values: Scalar) -> list[Scalar]:
        return [x for jet in body(k, *split(values)) for x in jet.parts]

    return split(repeat(count, [x for jet in start for x in jet.parts], inner))
