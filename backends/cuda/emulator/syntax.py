"""What PTX is made of: modules, functions, variables, instructions and their operands."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True)
class Register:
    name: str


@dataclass(frozen=True)
class Negated:
    """`!%p`: a predicate that is read inverted."""

    name: str


@dataclass(frozen=True)
class Immediate:
    """A number. `float_bits` is 32 or 64 where it was written as the bits of a float."""

    value: int
    float_bits: int = 0


@dataclass(frozen=True)
class Symbol:
    """A variable, a function, a parameter, a label or a special register."""

    name: str


@dataclass(frozen=True)
class Vector:
    items: tuple[Operand, ...]


@dataclass(frozen=True)
class Address:
    base: Operand
    offset: int


@dataclass(frozen=True)
class Pair:
    """`a|b`: two results."""

    first: Operand
    second: Operand


Operand = Register | Negated | Immediate | Symbol | Vector | Address | Pair

_WIDTHS = {"pred": 1, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32, "tf32": 32, "bf16": 16}


@cache
def bits(type_name: str) -> int:
    """The width of a PTX type: `f32` -> 32."""
    if type_name in _WIDTHS:
        return _WIDTHS[type_name]
    return int(type_name[1:])


@dataclass
class Instruction:
    opcode: str
    operands: list[Operand]
    line: int
    text: str
    guard: Register | Negated | None = None

    @property
    def name(self) -> str:
        return self.opcode.partition(".")[0]


@dataclass
class Variable:
    """A variable of a module or function; `data` are its first bytes, the rest is zero."""

    name: str
    space: str
    align: int
    size: int
    data: bytes = b""
    addresses: dict[int, str] = field(default_factory=dict)  # offset -> variable it points to
    extern: bool = False


@dataclass
class Parameter:
    name: str
    align: int
    size: int
    offset: int = 0


@dataclass
class PtxFunction:
    name: str
    kernel: bool
    line: int
    parameters: list[Parameter]
    results: list[Parameter]
    max_threads: int = 0
    body: list[Instruction | str] = field(default_factory=list)  # a str is a label
    registers: dict[str, int] = field(default_factory=dict)  # name -> bits
    variables: list[Variable] = field(default_factory=list)
    locals: dict[str, Parameter] = field(default_factory=dict)  # .param variables of its calls
    tables: dict[str, list[str]] = field(default_factory=dict)  # branch targets
    defined: bool = True


@dataclass
class PtxModule:
    text: str
    version: str
    target: str
    functions: dict[str, PtxFunction]
    variables: dict[str, Variable]


_PART = re.compile(r"\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|[^\s,][^,]*")
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?")
_DECIMAL = re.compile(r"\d+\.\d*([eE][+-]?\d+)?|\d+[eE][+-]?\d+")


def split(text: str) -> list[str]:
    """The parts between the commas that stand in no brackets."""
    return [part.strip() for part in _PART.findall(text)]


def immediate(text: str) -> Immediate | None:
    """A number as PTX writes it, or None."""
    if text[0] in "%$_":
        return None
    sign = -1 if text[0] == "-" else 1
    body = text.lstrip("+-")
    if body[:2] in ("0f", "0F") and len(body) == 10:
        return Immediate(int(body[2:], 16) ^ (0x80000000 if sign < 0 else 0), 32)
    if body[:2] in ("0d", "0D") and len(body) == 18:
        return Immediate(int(body[2:], 16) ^ (1 << 63 if sign < 0 else 0), 64)
    if _INTEGER.fullmatch(body):
        digits = body.rstrip("U")
        octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
        return Immediate(sign * (int(digits, 8) if octal else int(digits, 0)))
    if _DECIMAL.fullmatch(body):
        return Immediate(int.from_bytes(struct.pack("<d", sign * float(body)), "little"), 64)
    if body == "WARP_SZ":
        return Immediate(32)
    return None
