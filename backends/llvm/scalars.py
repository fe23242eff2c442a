"""Scalar ops as LLVM instructions on registers of one or many lanes."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.core import Op
from tfc.ir.dtypes import DType, bool_, int64
from tfc.ir.kernels.ops import neutral
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.reduction import LANES

from .registers import Emitter, literal, llvm_bits, vector_type

BINARY: dict[type[Op], tuple[str, str]] = {  # instructions on integers, and on floats
    ew.Add: ("add", "fadd"),
    ew.Sub: ("sub", "fsub"),
    ew.Mul: ("mul", "fmul"),
    ew.BitwiseAnd: ("and", ""),
    ew.BitwiseOr: ("or", ""),
    ew.BitwiseXor: ("xor", ""),
}
_SHIFT = {ew.ShiftLeft: "shl", ew.ShiftRightLogical: "lshr", ew.ShiftRightArithmetic: "ashr"}
COMPARE = {
    ew.Equal: ("eq", "oeq"),
    ew.NotEqual: ("ne", "une"),
    ew.Less: ("lt", "olt"),
    ew.LessEqual: ("le", "ole"),
    ew.Greater: ("gt", "ogt"),
    ew.GreaterEqual: ("ge", "oge"),
}
_INTRINSIC = {
    ew.Sqrt: "sqrt",
    ew.Abs: "fabs",
    ew.Floor: "floor",
    ew.Ceil: "ceil",
    ew.Round: "roundeven",
}
PAST = "!nontemporal !{i32 1}"  # of a store that is not to stay in any cache


def _power_of_two(constant: str) -> int | None:
    """p where a constant, or a vector of it, is 2^p."""
    number = _constant(constant)
    return number.bit_length() - 1 if number and number.bit_count() == 1 else None


def _constant(name: str) -> int | None:
    """A number that is not negative, or that each lane of a vector is; None for what is none."""
    digits = name.removesuffix(")").rpartition(" ")[2]
    return int(digits) if digits.isdigit() else None


class ScalarWriter(Emitter):
    """Writes elementwise ops, and what combines two partial results of a reduction."""

    def instruction(self, op: Op, names: list[str], lanes: int) -> str:
        """One elementwise op on registers of `lanes` lanes."""
        first = op.operands[0].type.dtype
        kind = vector_type(first, lanes)
        binary = BINARY.get(type(op))
        if binary is not None:
            return self.emit(f"{binary[first.is_floating]} {kind} {names[0]}, {names[1]}")
        match op:
            case ew.Fma():
                return self.intrinsic("fma", first, lanes, names)
            case ew.Div():
                return self.emit(f"fdiv {kind} {names[0]}, {names[1]}")
            case ew.Neg() if first.is_floating:
                return self.emit(f"fneg {kind} {names[0]}")
            case ew.Neg():
                zero = self.splat("0", first, lanes)
                return self.emit(f"sub {kind} {zero}, {names[0]}")
            case ew.ShiftLeft() | ew.ShiftRightLogical() | ew.ShiftRightArithmetic():
                amount = names[1]
                number = _constant(amount)
                if number is None or number >= first.bits:
                    width = self.splat(str(first.bits - 1), first, lanes)
                    amount = self.emit(f"and {kind} {amount}, {width}")
                return self.emit(f"{_SHIFT[type(op)]} {kind} {names[0]}, {amount}")
            case ew.Comparison():
                whole, real = COMPARE[type(op)]
                if first.is_floating:
                    return self.emit(f"fcmp {real} {kind} {names[0]}, {names[1]}")
                if whole not in ("eq", "ne"):
                    whole = ("u" if first.is_unsigned else "s") + whole
                return self.emit(f"icmp {whole} {kind} {names[0]}, {names[1]}")
            case ew.Select():
                bools, kind = self.type(bool_, lanes), self.type(op.result.dtype, lanes)
                return self.emit(f"select {bools} {names[0]}, {kind} {names[1]}, {kind} {names[2]}")
            case ew.Sqrt() | ew.Abs() | ew.Floor() | ew.Ceil() | ew.Round():
                return self.intrinsic(_INTRINSIC[type(op)], first, lanes, names)
            case ew.FloorDiv() | ew.FloorMod() if first.is_integer:
                return self.floor_division(op, names, lanes)
            case ew.FloorMod():
                return self.float_modulo(first, names, lanes)
            case ew.Cast(dtype=dtype) | ew.Truncate(dtype=dtype):
                return self.convert(names[0], first, dtype, lanes)
            case ew.Bitcast(dtype=dtype):
                to = self.type(dtype, lanes)
                return names[0] if to == kind else self.emit(f"bitcast {kind} {names[0]} to {to}")
        raise NotImplementedError(f"no code for {op.mnemonic} on {first.name}")

    def suffix(self, dtype: DType, lanes: int) -> str:
        name = f"{'f' if dtype.is_floating else 'i'}{dtype.bits}"
        return name if lanes == 1 else f"v{lanes}{name}"

    def declare(self, result: str, name: str, params: str) -> None:
        self.declared.add(f"declare {result} @{name}({params})")

    def fetch(self, pointer: str, purpose: str) -> None:
        """Ask the caches for a line; see `Prefetch`."""
        self.declare("void", "llvm.prefetch.p0", "ptr, i32, i32, i32")
        kind = {"load": "i32 0, i32 3", "store": "i32 1, i32 3", "later": "i32 0, i32 2"}[purpose]
        self.do(f"call void @llvm.prefetch.p0(ptr {pointer}, {kind}, i32 1)")

    def intrinsic(self, name: str, dtype: DType, lanes: int, operands: Sequence[str]) -> str:
        kind = self.type(dtype, lanes)
        full = f"llvm.{name}.{self.suffix(dtype, lanes)}"
        self.declare(kind, full, ", ".join([kind] * len(operands)))
        return self.emit(f"call {kind} @{full}({', '.join(f'{kind} {x}' for x in operands)})")

    def floor_division(self, op: Op, names: list[str], lanes: int) -> str:
        """Integer quotient or remainder rounded towards minus infinity. The divisor is not 0
        where it counts; lanes that do not count divide by 1."""
        dtype = op.operands[0].dtype
        kind, bools = self.type(dtype, lanes), self.type(bool_, lanes)
        zero, one = self.splat("0", dtype, lanes), self.splat("1", dtype, lanes)
        x, y = names
        known = y.lstrip("-").isdigit() or y.startswith("splat")
        if not known:
            y = self.divisor(y, dtype, lanes)
        quotient = isinstance(op, ew.FloorDiv)
        power = _power_of_two(y)
        if power is not None:  # x = floor(x / 2^p) * 2^p + (x mod 2^p) in two's complement
            shift = "lshr" if dtype.is_unsigned else "ashr"
            if quotient:
                result = self.emit(f"{shift} {kind} {x}, {self.splat(str(power), dtype, lanes)}")
            else:
                rest = self.splat(str((1 << power) - 1), dtype, lanes)
                result = self.emit(f"and {kind} {x}, {rest}")
            if not quotient or x in self.natural:
                self.natural.add(result)
            return result
        natural = x in self.natural and (y.isdigit() or y in self.natural)
        if dtype.is_unsigned or natural:
            result = self.emit(f"{'udiv' if quotient else 'urem'} {kind} {x}, {y}")
            if natural:
                self.natural.add(result)
            return result
        # The smallest integer over -1 overflows: divide by 1 and negate instead.
        minus = self.splat("-1", dtype, lanes)
        if y == minus:
            return self.emit(f"sub {kind} {zero}, {x}") if quotient else zero
        if not known:
            flip = self.emit(f"icmp eq {kind} {y}, {minus}")
            y = self.emit(f"select {bools} {flip}, {kind} {one}, {kind} {y}")
            negated = self.emit(f"sub {kind} {zero}, {x}")
            x = self.emit(f"select {bools} {flip}, {kind} {negated}, {kind} {x}")
        q = self.emit(f"sdiv {kind} {x}, {y}")
        product = self.emit(f"mul {kind} {q}, {y}")
        r = self.emit(f"sub {kind} {x}, {product}")
        inexact = self.emit(f"icmp ne {kind} {r}, {zero}")
        mixed = self.emit(f"xor {kind} {r}, {y}")
        negative = self.emit(f"icmp slt {kind} {mixed}, {zero}")
        adjust = self.emit(f"and {bools} {inexact}, {negative}")
        if quotient:
            lower = self.emit(f"sub {kind} {q}, {one}")
            return self.emit(f"select {bools} {adjust}, {kind} {lower}, {kind} {q}")
        higher = self.emit(f"add {kind} {r}, {y}")
        return self.emit(f"select {bools} {adjust}, {kind} {higher}, {kind} {r}")

    def divisor(self, y: str, dtype: DType, lanes: int) -> str:
        """`y`, or 1 where that is 0."""
        key = ("divisor", y, dtype, lanes)
        if key not in self.splats:
            kind, bools = self.type(dtype, lanes), self.type(bool_, lanes)
            bad = self.emit(f"icmp eq {kind} {y}, {self.splat('0', dtype, lanes)}")
            one = self.splat("1", dtype, lanes)
            self.splats[key] = self.emit(f"select {bools} {bad}, {kind} {one}, {kind} {y}")
            if y in self.natural:
                self.natural.add(self.splats[key])
        return self.splats[key]

    def float_modulo(self, dtype: DType, names: list[str], lanes: int) -> str:
        """C's fmod, moved to the sign of the divisor."""
        kind, bools = self.type(dtype, lanes), self.type(bool_, lanes)
        zero = self.splat(literal(0.0, dtype), dtype, lanes)
        r = self.remainder(dtype, names[0], names[1], lanes)
        nonzero = self.emit(f"fcmp one {kind} {r}, {zero}")
        below = self.emit(f"fcmp olt {kind} {r}, {zero}")
        divisor = self.emit(f"fcmp olt {kind} {names[1]}, {zero}")
        differ = self.emit(f"xor {bools} {below}, {divisor}")
        adjust = self.emit(f"and {bools} {nonzero}, {differ}")
        moved = self.emit(f"fadd {kind} {r}, {names[1]}")
        signed = self.intrinsic("copysign", dtype, lanes, [r, names[1]])
        is_zero = self.emit(f"fcmp oeq {kind} {r}, {zero}")
        r = self.emit(f"select {bools} {is_zero}, {kind} {signed}, {kind} {r}")
        return self.emit(f"select {bools} {adjust}, {kind} {moved}, {kind} {r}")

    def remainder(self, dtype: DType, x: str, y: str, lanes: int) -> str:
        """C's fmod."""
        return self.emit(f"frem {self.type(dtype, lanes)} {x}, {y}")

    def convert(self, x: str, source: DType, target: DType, lanes: int) -> str:
        have, want = self.type(source, lanes), self.type(target, lanes)
        if have == want and source.is_floating == target.is_floating:
            return x
        if source.is_floating and target.is_floating:
            code = "fpext" if target.bits > source.bits else "fptrunc"
        elif source.is_floating:
            code = "fptoui" if target.is_unsigned else "fptosi"
        elif target.is_floating:
            code = "uitofp" if source.is_unsigned or source.is_bool else "sitofp"
        elif llvm_bits(target) < llvm_bits(source):
            code = "trunc"
        else:
            code = "zext" if source.is_unsigned or source.is_bool else "sext"
        return self.emit(f"{code} {have} {x} to {want}")

    # Partial results.

    def combine(
        self, how: str, old: Sequence[str], new: Sequence[str], dtypes: Sequence[DType], lanes: int
    ) -> list[str]:
        """Two partial results as one."""
        dtype = dtypes[0]
        kind, bools = self.type(dtype, lanes), self.type(bool_, lanes)
        x, y = old[0], new[0]
        if how == "complex_mul":
            return self.complex_product(kind, x, old[1], y, new[1])
        if how in ("add", "mul"):
            code = f"{'f' if dtype.is_floating else ''}{how} {kind}"
            return [self.emit(f"{code} {a}, {b}") for a, b in zip(old, new, strict=True)]
        if how in ("bitwise_and", "bitwise_or"):
            return [self.emit(f"{how[8:]} {kind} {x}, {y}")]
        larger = how in ("maximum", "argmax")
        if dtype.is_floating:
            better = self.emit(f"fcmp {'ogt' if larger else 'olt'} {kind} {x}, {y}")
            nan = self.emit(f"fcmp uno {kind} {x}, {x}")
            if how in ("maximum", "minimum"):  # the first select is one instruction of processors
                found = self.emit(f"select {bools} {better}, {kind} {x}, {kind} {y}")
                return [self.emit(f"select {bools} {nan}, {kind} {x}, {kind} {found}")]
            keep = self.emit(f"or {bools} {better}, {nan}")
        else:
            sign = "u" if dtype.is_unsigned else "s"
            keep = self.emit(f"icmp {sign}{'gt' if larger else 'lt'} {kind} {x}, {y}")
        if how in ("maximum", "minimum"):
            return [self.emit(f"select {bools} {keep}, {kind} {x}, {kind} {y}")]
        # Of equals (two nans are equal here) the earlier place wins.
        places = self.type(int64, lanes)
        earlier = self.emit(f"icmp slt {places} {old[1]}, {new[1]}")
        if dtype.is_floating:
            nan_y = self.emit(f"fcmp uno {kind} {y}, {y}")
            both = self.emit(f"and {bools} {nan}, {nan_y}")
            same = self.emit(f"fcmp oeq {kind} {x}, {y}")
            same = self.emit(f"or {bools} {same}, {both}")
            strict = self.emit(f"xor {bools} {both}, {self.splat('true', bool_, lanes)}")
            keep = self.emit(f"and {bools} {keep}, {strict}")
        else:
            same = self.emit(f"icmp eq {kind} {x}, {y}")
        tie = self.emit(f"and {bools} {same}, {earlier}")
        keep = self.emit(f"or {bools} {keep}, {tie}")
        return [
            self.emit(f"select {bools} {keep}, {kind} {x}, {kind} {y}"),
            self.emit(f"select {bools} {keep}, {places} {old[1]}, {places} {new[1]}"),
        ]

    def complex_product(self, kind: str, a: str, b: str, c: str, d: str) -> list[str]:
        """(a + bi) (c + di), every product rounded."""
        ac, bd, ad, bc = (
            self.emit(f"fmul {kind} {x}, {y}") for x, y in ((a, c), (b, d), (a, d), (b, c))
        )
        return [self.emit(f"fsub {kind} {ac}, {bd}"), self.emit(f"fadd {kind} {ad}, {bc}")]

    def neutral(self, how: str, dtypes: Sequence[DType]) -> list[str]:
        """Where a slot starts."""
        return [literal(x, d) for x, d in zip(neutral(how, dtypes), dtypes, strict=True)]

    def slots(self, count: str) -> int:
        """How many of the LANES slots can hold anything; the others are neutral."""
        if not count.isdigit():
            return LANES
        return min(LANES, 1 << max(0, int(count) - 1).bit_length())
