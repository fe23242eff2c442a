"""Stores of some of the lanes, side by side."""

from __future__ import annotations

from tfc.ir.dtypes import int64
from tfc.ir.kernels.ops import Append

from ..llvm.memory import MemoryWriter
from ..llvm.registers import Reg, memory_type, type_code


def append(writer: MemoryWriter, op: Append) -> None:
    buffer, offset, value = (writer.values[v] for v in (op.buffer, op.offset, op.value))
    dtype = op.value.dtype
    lanes = writer.varying(value, writer.values[op.condition])
    element = memory_type(dtype)
    pointer = writer.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
    mask = writer.lane_mask(op.condition, lanes)
    if lanes == 1:
        writer.do(f"store {element} {value.name}, ptr {pointer}, align {dtype.itemsize}")
        count = writer.emit(f"zext i1 {mask} to i64")
    else:
        kind, bools = f"<{lanes} x {element}>", f"<{lanes} x i1>"
        name = f"llvm.masked.compressstore.v{lanes}{type_code(element)}"
        writer.declare("void", name, f"{kind}, ptr, {bools}")
        x = writer.vector(value, lanes)
        target = f"ptr align {dtype.itemsize} {pointer}"
        writer.do(f"call void @{name}({kind} {x}, {target}, {bools} {mask})")
        bits = writer.emit(f"bitcast {bools} {mask} to i{lanes}")
        if lanes < 64:
            bits = writer.emit(f"zext i{lanes} {bits} to i64")
        writer.declare("i64", "llvm.ctpop.i64", "i64")
        count = writer.emit(f"call i64 @llvm.ctpop.i64(i64 {bits})")
    writer.values[op.result] = Reg(count, int64)
