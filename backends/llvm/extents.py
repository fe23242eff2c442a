"""LLVM text that computes extents: checked 64-bit arithmetic on symbol values."""

from __future__ import annotations

from collections.abc import Iterable

from tfc.ir.extent import Division, Expr, Extent, Positive

UNDEFINED = -(2**63)


class Arithmetic:
    """Appends instructions to `lines`; `values` maps each bound symbol to its register.

    Every result comes with a register that is true when a step overflowed 64 bits. Where a divisor
    is not positive (no tensor has such an extent) the value is UNDEFINED, which equals no extent.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.values: dict[str, str] = {}
        self._count = 0
        self._overflow = ""
        self._undefined = ""

    def emit(self, instruction: str) -> str:
        """Append `instruction` and return the register that holds its result."""
        self._count += 1
        register = f"%x{self._count}"
        self.lines.append(f"  {register} = {instruction}")
        return register

    def all(self, conditions: Iterable[str]) -> str:
        """A register that is true when all `conditions` are."""
        first, *rest = conditions
        for condition in rest:
            first = self.emit(f"and i1 {first}, {condition}")
        return first

    def extent(self, extent: Extent) -> tuple[str, str]:
        """The value of `extent`, and whether it overflowed ("" when it cannot)."""
        self._overflow, self._undefined = "", ""
        value = self._expression(extent)
        if self._undefined:
            value = self.emit(f"select i1 {self._undefined}, i64 {UNDEFINED}, i64 {value}")
            if self._overflow:
                defined = self.emit(f"xor i1 {self._undefined}, true")
                self._overflow = self.emit(f"and i1 {self._overflow}, {defined}")
        return value, self._overflow

    def _either(self, a: str, b: str) -> str:
        return self.emit(f"or i1 {a}, {b}") if a else b

    def _expression(self, extent: Extent) -> str:
        if not isinstance(extent, Expr):
            if -(2**63) <= extent < 2**63:
                return str(extent)
            self._overflow = "true"
            return "0"
        total = ""
        for monomial, coefficient in extent.terms:
            term = ""
            if coefficient != 1 or not monomial:
                term = self._expression(coefficient)
            for atom in monomial:
                if isinstance(atom, str):
                    factor = self.values[atom]
                elif isinstance(atom, Positive):
                    inner = self._expression(atom.argument)
                    above = self.emit(f"icmp sgt i64 {inner}, 0")
                    factor = self.emit(f"select i1 {above}, i64 {inner}, i64 0")
                else:
                    factor = self._divide(atom)
                term = self._checked("mul", term, factor) if term else factor
            total = self._checked("add", total, term) if total else term
        return total

    def _checked(self, operation: str, a: str, b: str) -> str:
        pair = self.emit(
            f"call {{ i64, i1 }} @llvm.s{operation}.with.overflow.i64(i64 {a}, i64 {b})"
        )
        flag = self.emit(f"extractvalue {{ i64, i1 }} {pair}, 1")
        self._overflow = self._either(self._overflow, flag)
        return self.emit(f"extractvalue {{ i64, i1 }} {pair}, 0")

    def _divide(self, division: Division) -> str:
        """Floor division or remainder, as in Python: the remainder is never negative."""
        numerator = self._expression(division.numerator)
        known = division.denominator
        if isinstance(known, int) and known > 0 and known & (known - 1) == 0:
            if division.kind == "%":
                return self.emit(f"and i64 {numerator}, {known - 1}")
            return self.emit(f"ashr i64 {numerator}, {known.bit_length() - 1}")
        given = self._expression(division.denominator)
        bad = self.emit(f"icmp slt i64 {given}, 1")  # 0 and -1 would trap
        self._undefined = self._either(self._undefined, bad)
        denominator = self.emit(f"select i1 {bad}, i64 1, i64 {given}")
        rest = self.emit(f"srem i64 {numerator}, {denominator}")
        below = self.emit(f"icmp slt i64 {rest}, 0")
        if division.kind == "%":
            lifted = self.emit(f"add i64 {rest}, {denominator}")
            return self.emit(f"select i1 {below}, i64 {lifted}, i64 {rest}")
        quotient = self.emit(f"sdiv i64 {numerator}, {denominator}")
        borrow = self.emit(f"sext i1 {below} to i64")
        return self.emit(f"add i64 {quotient}, {borrow}")
