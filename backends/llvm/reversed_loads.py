"""Loads along memory from behind: lane i is i elements before lane 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfc.ir.dtypes import DType

from .registers import Reg, memory_type, type_code

if TYPE_CHECKING:
    from .scalars import ScalarWriter


def load_backwards(
    writer: ScalarWriter, buffer: Reg, offset: Reg, mask: str | None, dtype: DType, lanes: int
) -> str:
    """What lies side by side, reversed in the register; no lane is a load of its own."""
    element, align = memory_type(dtype), dtype.itemsize
    kind, bools = f"<{lanes} x {element}>", f"<{lanes} x i1>"
    places = ", ".join(f"i32 {i}" for i in reversed(range(lanes)))

    def reversed_(x: str, kind: str) -> str:
        return writer.emit(f"shufflevector {kind} {x}, {kind} poison, <{lanes} x i32> <{places}>")

    first = writer.emit(f"sub i64 {offset.name}, {lanes - 1}")
    pointer = writer.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {first}")
    if mask is None:
        return reversed_(writer.emit(f"load {kind}, ptr {pointer}, align {align}"), kind)
    name = f"llvm.masked.load.v{lanes}{type_code(element)}.p0"
    writer.declare(kind, name, f"ptr, i32, {bools}, {kind}")
    arguments = f"ptr {pointer}, i32 {align}, {bools} {reversed_(mask, bools)}"
    raw = writer.emit(f"call {kind} @{name}({arguments}, {kind} zeroinitializer)")
    return reversed_(raw, kind)
