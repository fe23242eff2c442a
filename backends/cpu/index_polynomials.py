"""Indices of a kernel as polynomials: what offsets have in common is then easily told.

Arithmetic of 64 bits wraps around, so that a polynomial is the same number however it is computed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from tfc.ir.core import Value
from tfc.ir.dtypes import int64
from tfc.ir.ops.elementwise import Add, Mul, Sub
from tfc.ir.ops.shape import Constant

Monomial: TypeAlias = tuple[int, ...]  # a product of values, by their numbers, in order
Polynomial: TypeAlias = dict[Monomial, int]  # with the factor of each; () is the number alone

_KINDS = (Add, Sub, Mul)
TERMS_MAX = 8  # of a product that is multiplied out


class IndexPolynomials:
    """The polynomials of one function's indices, and the values that they are made of."""

    def __init__(self) -> None:
        self.values: list[Value] = []  # by number
        self._numbers: dict[Value, int] = {}
        self._known: dict[Value, Polynomial] = {}

    def of(self, value: Value, here: Collection[Value]) -> Polynomial:
        """An index as a polynomial of values that are `here`, as it is itself."""
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._made(value, here)
        return found

    def _made(self, value: Value, here: Collection[Value]) -> Polynomial:
        op = value.op
        is_index = value.dtype is int64
        if is_index and isinstance(op, Constant):
            number = int(op.value)
            return {(): number} if number else {}
        terms = op.operands if is_index and op is not None and type(op) in _KINDS else ()
        if terms and all([v in here or type(v.op) is Constant for v in terms]):
            x, y = [self.of(v, here) for v in terms]
            if not isinstance(op, Mul):
                return _sum(x, y, 1 if isinstance(op, Add) else -1)
            if len(x) * len(y) <= TERMS_MAX:
                return _product(x, y)
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(value)
        return {(self._numbers[value],): 1}


def _sum(x: Polynomial, y: Polynomial, sign: int) -> Polynomial:
    total = dict(x)
    for monomial, factor in y.items():
        total[monomial] = _wrapped(total.get(monomial, 0) + sign * factor)
    return {monomial: factor for monomial, factor in total.items() if factor}


def _product(x: Polynomial, y: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for a, p in x.items():
        for b, q in y.items():
            monomial = tuple(sorted(a + b))
            total[monomial] = _wrapped(total.get(monomial, 0) + p * q)
    return {monomial: factor for monomial, factor in total.items() if factor}


def _wrapped(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63
