"""Registers of generated code: LLVM's types and literals, and vectors made of scalars."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfc.ir.core import Function, Value
from tfc.ir.dtypes import ALL, EMPTY, DType, bool_, float16, float32, int64, string
from tfc.ir.extent import Atom, Extent, Positive, symbols

from .machine import Machine

_SCALARS = {d.short: f"i{d.bits}" for d in (*ALL, string)}  # types by the names of dtypes
_SCALARS |= {"f16": "half", "bf16": "i16", "f32": "float", "f64": "double", "bool": "i1"}


class _Vectors(dict[tuple[str, int], str]):
    """The types of vectors, by dtype and lanes; each is written once."""

    def __missing__(self, key: tuple[str, int]) -> str:
        short, lanes = key
        scalar = _SCALARS[short]
        self[key] = scalar if lanes == 1 else f"<{lanes} x {scalar}>"
        return self[key]


_vectors = _Vectors()


def llvm_type(dtype: DType) -> str:
    """The LLVM type of a scalar in a register."""
    return _SCALARS[dtype.short]


def vector_type(dtype: DType, lanes: int) -> str:
    """The LLVM type of a register of `lanes` lanes."""
    return _vectors[dtype.short, lanes]


def memory_type(dtype: DType) -> str:
    """The LLVM type of an element in memory."""
    return "i8" if dtype is bool_ else llvm_type(dtype)


def literal(value: Any, dtype: DType) -> str:
    """A scalar constant in LLVM's spelling, exact to the bit."""
    if dtype is bool_:
        return "true" if value else "false"
    if dtype.is_integer:
        return str(int(value))
    if dtype is string:
        if value != EMPTY:
            raise ValueError("code holds no strings but the empty one")
        return "0"
    array = np.asarray(value, dtype=dtype.numpy)
    if dtype.compute is not dtype:
        bits = int(array.view(f"u{dtype.itemsize}"))
        return f"0xH{bits:04X}" if dtype is float16 else str(bits)
    # A float is written as the double of the same value; a nan's payload moves with it.
    number = array.item()
    if dtype is float32 and number != number:
        bits32 = int(array.view(np.uint32))
        wide = (bits32 >> 31 << 63) | (0x7FF << 52) | ((bits32 & 0x7FFFFF) << 29)
        return f"0x{wide:016X}"
    return "0x" + struct.pack(">d", number).hex().upper()


class Reg:
    """A value in the text: `name` of `dtype`, in `lanes` lanes (1: the same in all).

    `stride` is for indices: lane i holds `name` + i * stride, and `name` is a scalar.
    """

    __slots__ = ("dtype", "lanes", "name", "stride")

    def __init__(self, name: str, dtype: DType, lanes: int = 1, stride: str | None = None) -> None:
        self.name = name
        self.dtype = dtype
        self.lanes = lanes
        self.stride = stride


def llvm_bits(dtype: DType) -> int:
    """The width of a dtype in a register."""
    return 1 if dtype is bool_ else dtype.bits


def type_code(element: str) -> str:
    """How an intrinsic's name spells a type."""
    return {"float": "f32", "double": "f64", "half": "f16"}.get(element, element)


def memory_vector(dtype: DType, lanes: int) -> str:
    """The LLVM type of `lanes` elements side by side in memory."""
    element = memory_type(dtype)
    return element if lanes == 1 else f"<{lanes} x {element}>"


def extent_code(
    extent: Extent,
    emit: Callable[[str], str],
    load: Callable[[str], str],
    made: dict[Atom, str] | None = None,
) -> str:
    """Instructions that compute `extent` as an i64; `load` gives a symbol's value. What `made` has
    is not computed again; what is computed goes there."""
    if isinstance(extent, int):
        return str(extent)
    known = {name: load(name) for name in symbols(extent)}
    made = {} if made is None else made

    def divide(kind: str, x: str, y: str) -> str:
        """Rounded down. No tensor has an extent with a divisor below 1: then any value will do."""
        if not y.isdigit() or y == "0":
            bad = emit(f"icmp slt i64 {y}, 1")
            y = emit(f"select i1 {bad}, i64 1, i64 {y}")
        elif (number := int(y)) & (number - 1) == 0:
            if kind == "%":
                return emit(f"and i64 {x}, {number - 1}")
            return emit(f"ashr i64 {x}, {number.bit_length() - 1}")
        rest = emit(f"srem i64 {x}, {y}")
        below = emit(f"icmp slt i64 {rest}, 0")
        if kind == "%":
            lifted = emit(f"add i64 {rest}, {y}")
            return emit(f"select i1 {below}, i64 {lifted}, i64 {rest}")
        borrow = emit(f"sext i1 {below} to i64")
        quotient = emit(f"sdiv i64 {x}, {y}")
        return emit(f"add i64 {quotient}, {borrow}")

    def code(e: Extent) -> str:
        if isinstance(e, int):
            return str(e)
        total = ""
        for monomial, coefficient in e.terms:
            term = "" if coefficient == 1 and monomial else str(coefficient)
            for atom in monomial:
                if isinstance(atom, str):
                    factor = known[atom]
                elif atom in made:
                    factor = made[atom]
                elif isinstance(atom, Positive):
                    inner = code(atom.argument)
                    above = emit(f"icmp sgt i64 {inner}, 0")
                    factor = made[atom] = emit(f"select i1 {above}, i64 {inner}, i64 0")
                else:
                    operands = code(atom.numerator), code(atom.denominator)
                    factor = made[atom] = divide(atom.kind, *operands)
                term = emit(f"mul i64 {term}, {factor}") if term else factor
            total = emit(f"add i64 {total}, {term}") if total else term
        return total

    return code(extent)


class Emitter:
    """The text of one kernel as it grows: instructions, names, and what is in which register."""

    def __init__(self, name: str, kernel: Function, table: Sequence[str], machine: Machine) -> None:
        self.name = name
        self.kernel = kernel
        self.table = table
        self.machine = machine
        self.lines: list[str] = []
        self.values: dict[Value, Reg] = {}
        self.splats: dict[Any, str] = {}
        self.declared: set[str] = set()
        self.natural: set[str] = set()  # registers of integers that are surely not negative
        self.helpers: dict[str, str] = {}  # functions that kernels of a module share, by name
        self.extents: dict[Extent, str] = {}
        self.lanes = 1
        self.mask: str | None = None  # of the lanes that the loop has left
        self.block = "entry"
        self.count = 0
        self.allocas: list[str] = []

    # Small change.

    def fresh(self, hint: str = "v") -> str:
        self.count += 1
        return f"%{hint}{self.count}"

    def emit(self, code: str) -> str:
        """Append an instruction with a result; the result's name."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {code}")
        return name

    def do(self, code: str) -> None:
        self.lines.append(f"  {code}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def type(self, dtype: DType, lanes: int) -> str:
        return vector_type(dtype, lanes)

    def extent(self, extent: Extent) -> str:
        """An extent as an i64, from the table of the symbols' values."""

        def load(symbol: str) -> str:
            at = self.table.index(symbol)
            pointer = self.emit(f"getelementptr i64, ptr %symbols, i64 {at}")
            return self.emit(f"load i64, ptr {pointer}")

        return extent_code(extent, self.emit, load)

    @contextmanager
    def scope(self, lanes: int | None = None, mask: str | None = None) -> Iterator[None]:
        """What is defined inside is not there outside."""
        saved = self.values, self.splats, self.lanes, self.mask
        self.values, self.splats = dict(self.values), dict(self.splats)
        if lanes is not None:
            self.lanes, self.mask = lanes, mask
        yield
        self.values, self.splats, self.lanes, self.mask = saved

    # Registers.

    def splat(self, scalar: str, dtype: DType, lanes: int) -> str:
        """A vector with `scalar` in every lane."""
        if lanes == 1:
            return scalar
        kind = self.type(dtype, lanes)
        if not scalar.startswith("%"):
            return f"splat ({llvm_type(dtype)} {scalar})"
        key = (scalar, dtype, lanes)
        if key not in self.splats:
            one = self.emit(f"insertelement {kind} poison, {llvm_type(dtype)} {scalar}, i64 0")
            zeros = f"<{lanes} x i32> zeroinitializer"
            self.splats[key] = self.emit(f"shufflevector {kind} {one}, {kind} poison, {zeros}")
        return self.splats[key]

    def iota(self, lanes: int, kind: str = "i64") -> str:
        return "<" + ", ".join([f"{kind} {i}" for i in range(lanes)]) + ">"

    def vector(self, reg: Reg, lanes: int) -> str:
        """`reg` as a register of `lanes` lanes."""
        if reg.stride is not None:
            key = ("lanes", reg.name, reg.stride)
            if key not in self.splats:
                kind = f"<{lanes} x i64>"
                steps = self.iota(lanes)
                if reg.stride != "1":
                    by = self.splat(reg.stride, int64, lanes)
                    steps = self.emit(f"mul {kind} {steps}, {by}")
                base = self.splat(reg.name, int64, lanes)
                self.splats[key] = self.emit(f"add {kind} {base}, {steps}")
            return self.splats[key]
        return reg.name if reg.lanes == lanes else self.splat(reg.name, reg.dtype, lanes)

    def varying(self, *regs: Reg) -> int:
        """In how many lanes an op on `regs` is computed."""
        for reg in regs:
            if reg.lanes > 1 or reg.stride is not None:
                return self.lanes
        return 1
