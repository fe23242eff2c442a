"""Extents: the sizes of dimensions, as ints or symbolic integer expressions.

A symbolic extent is a polynomial with integer coefficients in atoms; an atom is a symbol (`n`) or
an opaque floor division or remainder of two extents (`(n + 3)//4`), or what is positive of one
(`positive(n - 2)`). Polynomials are kept in one canonical form, so that equal structure means equal
value: `n*2 + n` *is* `3*n`. Equality that the form cannot prove is checked at run time.

    >>> n, m = symbol("n"), symbol("m")
    >>> (n + 1) * (n - 1) - n * n
    -1
    >>> (n * m * 4) // (m * 2), (n + 3) // 4
    (2*n, (n + 3)//4)
    >>> evaluate((n + 3) // 4, {"n": 10})
    3
    >>> minimum(n, 5), evaluate(minimum(n, 5), {"n": 3})
    (n - positive(n - 5), 3)
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Mapping
from typing import TypeAlias

Atom: TypeAlias = "str | Division | Positive"
Monomial: TypeAlias = tuple[Atom, ...]


class Division:
    """An opaque atom: the floor quotient (`//`) or remainder (`%`) of two extents."""

    __slots__ = ("_key", "denominator", "kind", "numerator")

    def __init__(self, kind: str, numerator: Extent, denominator: Extent) -> None:
        self.kind = kind
        self.numerator = numerator
        self.denominator = denominator
        self._key = str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Division) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return f"{_wrap(self.numerator)}{self.kind}{_wrap(self.denominator)}"


class Positive:
    """An opaque atom: an extent, or 0 where that is negative. It cuts sizes to what is there."""

    __slots__ = ("_key", "argument")

    def __init__(self, argument: Expr) -> None:
        self.argument = argument
        self._key = str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Positive) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return f"positive({self.argument})"


def _wrap(extent: Extent) -> str:
    text = str(extent)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


class Expr:
    """A symbolic extent: `sum(coefficient * product(atoms))` in canonical order."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Extent) -> Extent:
        terms = dict(self.terms)
        for monomial, coefficient in _terms(other):
            terms[monomial] = terms.get(monomial, 0) + coefficient
        return _canonical(terms)

    __radd__ = __add__

    def __neg__(self) -> Extent:
        return self * -1

    def __sub__(self, other: Extent) -> Extent:
        return self + other * -1

    def __rsub__(self, other: Extent) -> Extent:
        return self * -1 + other

    def __mul__(self, other: Extent) -> Extent:
        terms: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in _terms(other):
                key = tuple(sorted(left + right, key=str))
                terms[key] = terms.get(key, 0) + a * b
        return _canonical(terms)

    __rmul__ = __mul__

    def __floordiv__(self, other: Extent) -> Extent:
        return floordiv(self, other)

    def __rfloordiv__(self, other: int) -> Extent:
        return floordiv(other, self)

    def __mod__(self, other: Extent) -> Extent:
        return remainder(self, other)

    def __rmod__(self, other: int) -> Extent:
        return remainder(other, self)

    def __str__(self) -> str:
        text = ""
        for monomial, coefficient in self.terms:
            factors = [f"({a})" if isinstance(a, Division) else str(a) for a in monomial]
            if abs(coefficient) != 1 or not monomial:
                factors.insert(0, str(abs(coefficient)))
            negative = coefficient < 0
            sign = (" - " if negative else " + ") if text else "-" if negative else ""
            text += sign + "*".join(factors)
        single = len(self.terms) == 1 and len(self.terms[0][0]) == 1 and self.terms[0][1] == 1
        return text[1:-1] if single and text.startswith("(") else text

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise TypeError(f"the symbolic extent {self} has no truth value")


Extent: TypeAlias = "int | Expr"
Shape: TypeAlias = "tuple[Extent, ...]"


def symbol(name: str) -> Expr:
    """The extent that `name` stands for; its value is known when the code runs."""
    return Expr((((name,), 1),))


def _terms(extent: Extent) -> Iterable[tuple[Monomial, int]]:
    if isinstance(extent, Expr):
        return extent.terms
    return (((), int(extent)),) if extent else ()


def _canonical(terms: dict[Monomial, int]) -> Extent:
    kept = [(m, c) for m, c in terms.items() if c]
    if not kept:
        return 0
    if len(kept) == 1 and kept[0][0] == ():
        return kept[0][1]
    kept.sort(key=lambda term: (-len(term[0]), [str(a) for a in term[0]]))
    return Expr(tuple(kept))


def floordiv(a: Extent, b: Extent) -> Extent:
    """`a // b`; divides out what divides exactly, and keeps the rest opaque."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if isinstance(b, int) and b == 1:
        return a
    exact = _exact_quotient(a, b)
    return exact if exact is not None else Expr((((Division("//", a, b),), 1),))


def remainder(a: Extent, b: Extent) -> Extent:
    """`a % b` (floor convention, as in Python)."""
    if isinstance(a, int) and isinstance(b, int):
        return a % b
    if _exact_quotient(a, b) is not None:
        return 0
    return Expr((((Division("%", a, b),), 1),))


def positive(a: Extent) -> Extent:
    """`a`, or 0 where it is negative."""
    if isinstance(a, int):
        return max(a, 0)
    return a if never_negative(a) else Expr((((Positive(a),), 1),))


def minimum(a: Extent, b: Extent) -> Extent:
    """The smaller of two extents."""
    return a - positive(a - b)


def maximum(a: Extent, b: Extent) -> Extent:
    """The larger of two extents."""
    return b + positive(a - b)


def ceildiv(a: Extent, b: Extent) -> Extent:
    """The smallest extent that is at least `a / b`."""
    return floordiv(a + b - 1, b)


def _exact_quotient(a: Extent, b: Extent) -> Extent | None:
    """The polynomial `q` with `q * b == a` where `b` is one term; None where there is none."""
    divisor = tuple(_terms(b))
    if len(divisor) != 1:
        return 1 if a == b else None
    (atoms, coefficient), quotient = divisor[0], {}
    for monomial, c in _terms(a):
        rest = list(monomial)
        for atom in atoms:
            if atom not in rest:
                return None
            rest.remove(atom)
        if c % coefficient:
            return None
        quotient[tuple(rest)] = c // coefficient
    return _canonical(quotient)


def product(extents: Iterable[Extent]) -> Extent:
    """The product of all extents: a tensor's number of elements."""
    total: Extent = 1
    for extent in extents:
        total = total * extent
    return total


def never_negative(extent: Extent) -> bool:
    """Whether `extent` is plainly at least 0, and defined, for all values of its symbols."""
    if isinstance(extent, int):
        return extent >= 0

    def plain(atom: Atom) -> bool:
        if isinstance(atom, str | Positive):
            return True
        by = atom.denominator
        whole = atom.kind == "%" or never_negative(atom.numerator)
        return isinstance(by, int) and by > 0 and whole

    return all(c >= 0 and all(map(plain, atoms)) for atoms, c in extent.terms)


def symbols(extent: Extent) -> tuple[str, ...]:
    """The names that `extent` depends on, in order of appearance, each once."""
    if isinstance(extent, int):
        return ()
    names: dict[str, None] = {}
    for monomial, _ in extent.terms:
        for atom in monomial:
            if isinstance(atom, str):
                names[atom] = None
            elif isinstance(atom, Positive):
                names.update(dict.fromkeys(symbols(atom.argument)))
            else:
                names.update(dict.fromkeys(symbols(atom.numerator)))
                names.update(dict.fromkeys(symbols(atom.denominator)))
    return tuple(names)


def evaluate(extent: Extent, env: Mapping[str, int]) -> int:
    """The value of `extent` where each symbol has the value that `env` gives."""
    result = substitute(extent, env)
    if isinstance(result, Expr):
        raise KeyError(f"extent {extent} has no value in {dict(env)}")
    return result


def substitute(extent: Extent, env: Mapping[str, Extent]) -> Extent:
    """`extent` with the symbols of `env` replaced; others stay."""
    if isinstance(extent, int):
        return extent
    total: Extent = 0
    for monomial, coefficient in extent.terms:
        term: Extent = coefficient
        for atom in monomial:
            if isinstance(atom, str):
                term = term * env.get(atom, symbol(atom))
            elif isinstance(atom, Positive):
                term = term * positive(substitute(atom.argument, env))
            else:
                divide = floordiv if atom.kind == "//" else remainder
                numerator = substitute(atom.numerator, env)
                term = term * divide(numerator, substitute(atom.denominator, env))
        total = total + term
    return total


def parse_extent(text: str) -> Extent:
    """The extent that `text` (as printed by `str`) stands for."""

    def build(node: ast.expr) -> Extent:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                return symbol(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -build(operand)
            case ast.Call(func=ast.Name(id="positive"), args=[argument], keywords=[]):
                return positive(build(argument))
            case ast.BinOp(left=left, op=op, right=right):
                a, b = build(left), build(right)
                match op:
                    case ast.Add():
                        return a + b
                    case ast.Sub():
                        return a - b
                    case ast.Mult():
                        return a * b
                    case ast.FloorDiv():
                        return floordiv(a, b)
                    case ast.Mod():
                        return remainder(a, b)
        raise ValueError(f"not an extent: {text!r}")

    try:
        return build(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError:
        raise ValueError(f"not an extent: {text!r}") from None


_fresh = itertools.count()


def fresh_symbol() -> Expr:
    """A symbol that stands nowhere else in this process."""
    return symbol(f"d{next(_fresh)}")
