"""The table of instructions, and what their translations share.

The modules of `instructions` enter a function for each name of an instruction; what threads wait at
has a second one, which takes its results.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .syntax import Immediate, Instruction, Operand, Pair

if TYPE_CHECKING:
    from .translate import Translator

Handler = Callable[["Translator", Instruction, "Modifiers"], None]
FLOATS = {"f32": "float", "f64": "double"}
HANDLERS: dict[str, Handler] = {}  # by the first word of the opcode
COLLECTORS: dict[str, Handler] = {}  # what a suspending instruction does when it goes on


def instruction(*names: str) -> Callable[[Handler], Handler]:
    """Register the translation of the instructions with these names."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


def collector(*names: str) -> Callable[[Handler], Handler]:
    """Register how instructions at which threads wait take their results."""

    def register(handler: Handler) -> Handler:
        for name in names:
            COLLECTORS[name] = handler
        return handler

    return register


class Modifiers:
    """The dotted words behind an instruction's name, taken one by one; what is left is unknown."""

    def __init__(self, opcode: str) -> None:
        self.words = opcode.split(".")[1:]

    def flag(self, *words: str) -> bool:
        """Take the first of `words` that is there; whether there was one."""
        return self.one_of(*words) is not None

    def one_of(self, *words: str) -> str | None:
        for word in self.words:
            if word in words:
                self.words.remove(word)
                return word
        return None

    def last(self) -> str:
        """Take the last word: mostly the type."""
        return self.words.pop() if self.words else ""

    def first(self) -> str:
        return self.words.pop(0) if self.words else ""


@dataclass
class Products:
    """What a block has handed to tensor cores so far, since it waited for them."""

    kind: str = ""  # the same for all, and so are the registers of sums
    count: int = 0
    committed: int = 0
    fenced: bool = False


@cache
def is_float32(opcode: str) -> bool:
    """Whether this computes a float32 by arithmetic, whose nan is canonical."""
    words = opcode.split(".")
    if words[0] in ("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"):
        return words[-1] == "f32"
    return words[0] == "cvt" and words[-2] == "f32" and words[-1] in ("f32", "f64")


def float_literal(operand: Immediate) -> str:
    """A float constant as LLVM writes it: the bits of the float64 of the same value."""
    if operand.float_bits == 64:
        return f"0x{operand.value:016X}"
    sign, exponent = operand.value >> 31, operand.value >> 23 & 0xFF
    fraction = operand.value & 0x7FFFFF
    if exponent == 0xFF:  # infinity, or a nan whose payload moves along
        return f"0x{sign << 63 | 0x7FF << 52 | fraction << 29:016X}"
    (number,) = struct.unpack("<f", operand.value.to_bytes(4, "little"))
    return "0x" + struct.pack(">d", number).hex().upper()


def label(name: str) -> str:
    """A PTX label as a quoted LLVM label."""
    return f'"b.{name}"' if not name.replace(".", "").replace("_", "").isalnum() else f"b.{name}"


def parts(operand: Operand) -> tuple[Operand, Operand | None]:
    """The two results of `a|b`."""
    if isinstance(operand, Pair):
        return operand.first, operand.second
    return operand, None
