"""Special functions, elementwise. Kernels hold the expansions of ir/expand instead.

The reference meanings are SciPy's, which is wanted for tests alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from .elementwise import Cos, Elementwise, Exp, Log, Sign, Sin, Transcendental


def _scipy(name: str, *arrays: Any) -> Any:
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

    kinds = "f"


class SpecialUnary(Transcendental, abstract=True):
    """The base of those of one operand."""

    def numpy(self, x: Any) -> Any:
        return _scipy(self.mnemonic, x)


# The gamma function and its relatives.


class Lgamma(SpecialUnary):
    """log |gamma(x)|."""

    def numpy(self, x: Any) -> Any:
        return _scipy("gammaln", x)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Digamma, x)


class Digamma(SpecialUnary):
    def numpy(self, x: Any) -> Any:
        return _scipy("psi", x)

    def derivative(self, x: Term, y: Term) -> Term:
        return emit(Trigamma, x)


class Trigamma(SpecialUnary):
    def numpy(self, x: Any) -> Any:
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

    def numpy(self, s: Any, q: Any) -> Any:
        return _scipy("zeta", s, q)

    def vjp(self, b: Builder, dz: Value) -> Sequence[Value | None]:
        s, q = Term(b, self.s), Term(b, self.q)
        return None, (Term(b, dz) * -s * emit(Zeta, s + 1, q)).value
