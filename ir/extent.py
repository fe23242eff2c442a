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

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cache
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
        self._key = f"{_wrap(numerator)}{kind}{_wrap(denominator)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Division) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self._key


class Positive:
    """An opaque atom: an extent, or 0 where that is negative. It cuts sizes to what is there."""

    __slots__ = ("_key", "argument")

    def __init__(self, argument: Expr) -> None:
        self.argument = argument
        self._key = f"positive({argument})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Positive) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self._key


def _wrap(extent: Extent) -> str:
    text = str(extent)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


class Expr:
    """A symbolic extent: `sum(coefficient * product(atoms))` in canonical order."""

    __slots__ = ("_hash", "_symbols", "_text", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)
        self._text: str | None = None  # made when somebody asks, as the symbols
        self._symbols: tuple[str, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and self.terms == other.terms)

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Extent) -> Extent:
        terms = dict(self.terms)
        for monomial, coefficient in terms_of(other):
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
        if isinstance(other, int):
            return Expr(tuple([(m, c * other) for m, c in self.terms])) if other else 0
        terms: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in terms_of(other):
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
        if self._text is None:
            self._text = self._written()
        return self._text

    def _written(self) -> str:
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


def symbol(name: str, most: int | None = None) -> Expr:
    """The extent that `name` stands for; its value is known when the code runs. If it is from 1 to
    `most` at that time, the symbol's own name says so: `symbol("n", 32)` is `n_to32`."""
    return Expr((((name if most is None else f"{name}_to{most}",), 1),))


_RANGED = re.compile(r"\w+_to([1-9]\d{0,17})", re.ASCII)


@cache
def _most_of(name: str) -> int | None:
    ranged = _RANGED.fullmatch(name)
    return int(ranged[1]) if ranged else None


def reach(extent: Extent) -> tuple[int | None, int | None]:
    """Numbers that an extent is surely not below and not above, as far as its symbols say so.

    >>> n = symbol("n", 32)
    >>> reach(3 * n + 1), reach((n + 7) // 8), reach(100 - n), reach(symbol("m"))
    ((4, 97), (1, 4), (68, 99), (0, None))
    """
    if isinstance(extent, int):
        return extent, extent
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in extent.terms:
        least: int = 1
        most: int | None = 1
        for atom in monomial:
            below, above = _reach_of(atom)
            if below is None or below < 0:
                return None, None
            least, most = least * below, None if most is None or above is None else most * above
        ends = least, most
        below, above = ends if coefficient > 0 else ends[::-1]
        low = None if low is None or below is None else low + coefficient * below
        high = None if high is None or above is None else high + coefficient * above
    return low, high


def _reach_of(atom: Atom) -> tuple[int | None, int | None]:
    if isinstance(atom, str):
        most = _most_of(atom)
        return (0, None) if most is None else (1, most)
    if isinstance(atom, Positive):
        low, high = reach(atom.argument)
        return max(low or 0, 0), None if high is None else max(high, 0)
    by = atom.denominator
    if not isinstance(by, int) or by < 1:
        return None, None
    low, high = reach(atom.numerator)
    if atom.kind == "//":
        return None if low is None else low // by, None if high is None else high // by
    return 0, by - 1


def in_reach(extent: Extent, number: int) -> bool:
    """Whether an extent may be this number, as far as its symbols say so."""
    low, high = reach(extent)
    return (low is None or low <= number) and (high is None or number <= high)


def largest(extent: Extent) -> Extent:
    """The number that an extent is at most, where its symbols say so; else the extent."""
    most = reach(extent)[1]
    return extent if most is None else most


def terms_of(extent: Extent) -> Iterable[tuple[Monomial, int]]:
    """The sum that an extent is: products of atoms, and how often each is added."""
    if isinstance(extent, Expr):
        return extent.terms
    return (((), int(extent)),) if extent else ()


def _canonical(terms: dict[Monomial, int]) -> Extent:
    kept = [(m, c) for m, c in terms.items() if c]
    if not kept:
        return 0
    if len(kept) == 1 and kept[0][0] == ():
        return kept[0][1]
    if len(kept) > 1:
        kept.sort(key=lambda term: (-len(term[0]), [str(a) for a in term[0]]))
    return Expr(tuple(kept))


def floordiv(a: Extent, b: Extent) -> Extent:
    """`a // b`; divides out what divides exactly, and keeps the rest opaque."""
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if isinstance(b, int) and b == 1:
        return a
    exact = _exact_quotient(a, b)
    if exact is not None:
        return exact
    whole, rest = _multiples(a, b)
    return whole + _divided("//", rest, b)


def remainder(a: Extent, b: Extent) -> Extent:
    """`a % b` (floor convention, as in Python)."""
    if isinstance(a, int) and isinstance(b, int):
        return a % b
    if _exact_quotient(a, b) is not None:
        return 0
    _, rest = _multiples(a, b)
    return _divided("%", rest, b)


def _divided(kind: str, a: Extent, b: Extent) -> Extent:
    if isinstance(a, int) and isinstance(b, int):
        return a // b if kind == "//" else a % b
    if isinstance(b, int) and b > 0:
        low, high = reach(a)
        if low is not None and high is not None and low // b == high // b:
            return low // b if kind == "//" else a - low // b * b
    return Expr((((Division(kind, a, b),), 1),))


def _multiples(a: Extent, b: Extent) -> tuple[Extent, Extent]:
    """`q` and `r` with `q*b + r == a`: the terms that a number divides are in `q`."""
    if not isinstance(b, int) or b < 1 or isinstance(a, int):
        return 0, a
    whole = {m: c // b for m, c in a.terms if c % b == 0}
    return _canonical(whole), _canonical({m: c for m, c in a.terms if c % b})


def positive(a: Extent) -> Extent:
    """`a`, or 0 where it is negative."""
    if isinstance(a, int):
        return max(a, 0)
    if never_negative(-a):
        return 0
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
    divisor = tuple(terms_of(b))
    if len(divisor) != 1:
        return 1 if a == b else None
    (atoms, coefficient), quotient = divisor[0], {}
    for monomial, c in terms_of(a):
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
    number = 1  # numbers first: they are quicker
    total: Extent | None = None
    for extent in extents:
        if isinstance(extent, int):
            number *= extent
        else:
            total = extent if total is None else total * extent
    return number if total is None else total * number


def as_int(extent: Extent) -> int:
    """The number that an extent is, where all extents are known: in reference meanings, say."""
    if isinstance(extent, Expr):
        raise TypeError(f"the extent {extent} is no number yet")
    return extent


def as_ints(extents: Iterable[Extent]) -> tuple[int, ...]:
    """The numbers that extents are (see `as_int`)."""
    return tuple(as_int(e) for e in extents)


def never_negative(extent: Extent) -> bool:
    """Whether `extent` is plainly at least 0, and defined, for all values of its symbols."""
    if isinstance(extent, int):
        return extent >= 0
    if (low := reach(extent)[0]) is not None and low >= 0:
        return True

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
    if extent._symbols is None:
        names: list[str] = []
        for monomial, _ in extent.terms:
            for atom in monomial:
                if isinstance(atom, str):
                    names.append(atom)
                elif isinstance(atom, Positive):
                    names += symbols(atom.argument)
                else:
                    names += (*symbols(atom.numerator), *symbols(atom.denominator))
        extent._symbols = tuple(dict.fromkeys(names))
    return extent._symbols


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
    """The extent that `text` (as printed by `str`) stands for. Raises ValueError."""
    return _ExtentParser(text).extent()


class _ExtentParser:
    """Reads sums of products. The text may be anybody's, so that all that could take long or much
    memory is bounded: nesting, the numbers, and the terms that products are multiplied out to."""

    _TOKEN = re.compile(r"\s*([A-Za-z_]\w*|[0-9]+|//|[-+*%()])", re.ASCII)
    _DEPTH, _TERMS, _DIGITS = 40, 256, 19

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.tokens: list[str] = []
        place = 0
        while place < len(self.text):
            token = self._TOKEN.match(self.text, place)
            if token is None:
                raise self.fail()
            self.tokens.append(token[1])
            place = token.end()
        self.tokens.append("")
        self.at = self.depth = 0

    def fail(self, why: str = "") -> ValueError:
        shown = self.text if len(self.text) <= 200 else f"{self.text[:200]}..."
        return ValueError(f"not an extent: {shown!r}{why and f' ({why})'}")

    def next(self, *wanted: str) -> str:
        """The next token, if it is one of these; else ""."""
        token = self.tokens[self.at]
        if token not in wanted:
            return ""
        self.at += 1
        return token

    def extent(self) -> Extent:
        found = self.sum()
        if self.tokens[self.at]:
            raise self.fail()
        return found

    def sum(self) -> Extent:
        self.depth += 1
        if self.depth > self._DEPTH:
            raise self.fail("too deep")
        total = self.product()
        while sign := self.next("+", "-"):
            other = self.product()
            total = self.bounded(total + other if sign == "+" else total - other)
        self.depth -= 1
        return total

    def product(self) -> Extent:
        total = self.factor()
        while operation := self.next("*", "//", "%"):
            other = self.factor()
            if operation == "*":
                if len(tuple(terms_of(total))) * len(tuple(terms_of(other))) > self._TERMS:
                    raise self.fail("too many terms")
                total = total * other
            elif isinstance(other, int) and other == 0:
                raise self.fail("a division by 0")
            else:
                total = floordiv(total, other) if operation == "//" else remainder(total, other)
            self.bounded(total)
        return total

    def factor(self) -> Extent:
        negative = False
        while self.next("-"):
            negative = not negative
        found = self.atom()
        return found * -1 if negative else found

    def atom(self) -> Extent:
        token = self.tokens[self.at]
        self.at += 1
        if token.isdigit() and len(token) <= self._DIGITS:
            return self.bounded(int(token))
        if token == "positive" and self.next("("):
            return self.closed(positive(self.sum()))
        if token.isidentifier():
            return symbol(token)
        if token == "(":
            return self.closed(self.sum())
        raise self.fail()

    def closed(self, inner: Extent) -> Extent:
        if not self.next(")"):
            raise self.fail()
        return inner

    def bounded(self, extent: Extent) -> Extent:
        terms = tuple(terms_of(extent))
        if len(terms) > self._TERMS or any(abs(c) >= 1 << 63 for _, c in terms):
            raise self.fail("too large")
        return extent


_fresh = itertools.count()


def fresh_symbol() -> Expr:
    """A symbol that stands nowhere else in this process."""
    return symbol(f"d{next(_fresh)}")


def is_fresh(name: str) -> bool:
    """Whether a symbol has a name as `fresh_symbol` gives."""
    return name[:1] == "d" and name[1:].isdigit()
