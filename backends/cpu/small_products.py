"""Sums of the products of small numbers, several of which share 32 bits: see `AddProducts` and
`AddBfloat16Products`."""

from __future__ import annotations

from tfc.ir.dtypes import float32, int32, uint32
from tfc.ir.kernels.ops import AddBfloat16Products, AddProducts, ViewBuffer

from ..llvm.registers import Reg
from ..llvm.scalars import ScalarWriter

BFLOAT16_PAIRS = "llvm.x86.avx512bf16.dpbf16ps.512"
# By the bits of a register; operands are vectors of bytes, and of int16.
BYTES = {bits: f"llvm.x86.avx512.vpdpbusd.{bits}" for bits in (128, 256, 512)}
PAIRS = {
    128: "llvm.x86.sse2.pmadd.wd",
    256: "llvm.x86.avx2.pmadd.wd",
    512: "llvm.x86.avx512.pmaddw.d.512",
}


def view_buffer(writer: ScalarWriter, op: ViewBuffer) -> None:
    writer.values[op.result] = Reg(writer.values[op.buffer].name, op.dtype)


def add_products(writer: ScalarWriter, op: AddProducts) -> None:
    machine = writer.machine
    regs = [writer.values[v] for v in op.operands]
    lanes = writer.varying(*regs)
    names = [writer.vector(reg, lanes) for reg in regs]
    whole = lanes * 32 % machine.vector_bits == 0
    if whole and (machine.has_byte_products if op.size == 4 else machine.has_pair_products):
        name = _by_register(writer, names, lanes, op.size)
    else:
        name = _one_by_one(writer, names, lanes, op.size)
    writer.values[op.result] = Reg(name, int32, lanes)


def _by_register(writer: ScalarWriter, names: list[str], lanes: int, size: int) -> str:
    """An instruction for each register that the lanes fill."""
    bits = writer.machine.vector_bits
    width = bits // 32
    parts = []
    for first in range(0, lanes, width):
        x, y, total = (_shuffled(writer, name, "poison", lanes, first, width) for name in names)
        kind, small = f"<{width} x i32>", f"<{width * size} x i{32 // size}>"
        x, y = (writer.emit(f"bitcast {kind} {name} to {small}") for name in (x, y))
        if size == 4:
            writer.declare(kind, BYTES[bits], f"{kind}, {small}, {small}")
            code = f"call {kind} @{BYTES[bits]}({kind} {total}, {small} {x}, {small} {y})"
        else:
            writer.declare(kind, PAIRS[bits], f"{small}, {small}")
            sums = writer.emit(f"call {kind} @{PAIRS[bits]}({small} {x}, {small} {y})")
            code = f"add {kind} {total}, {sums}"
        parts.append(writer.emit(code))
    return _joined(writer, parts, width)


def _joined(writer: ScalarWriter, parts: list[str], width: int, element: str = "i32") -> str:
    """Registers of `width` lanes side by side."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [_shuffled(writer, x, y, width, 0, 2 * width, element) for x, y in pairs]
        width *= 2
    return parts[0]


def _shuffled(
    writer: ScalarWriter, x: str, y: str, lanes: int, first: int, width: int, element: str = "i32"
) -> str:
    """`width` of the lanes of x and y side by side, from `first` on."""
    if lanes == width:
        return x
    kind, picks = f"<{lanes} x {element}>", ", ".join(f"i32 {first + i}" for i in range(width))
    return writer.emit(f"shufflevector {kind} {x}, {kind} {y}, <{width} x i32> <{picks}>")


def _one_by_one(writer: ScalarWriter, names: list[str], lanes: int, size: int) -> str:
    """The same by shifts, for any machine and any number of lanes."""
    x, y, total = names
    kind, bits = writer.type(int32, lanes), 32 // size
    above = writer.splat(str(32 - bits), int32, lanes)
    for number in range(size):
        up = writer.splat(str(32 - bits * (number + 1)), int32, lanes)
        left, right = (writer.emit(f"shl {kind} {name}, {up}") for name in (x, y))
        down = "lshr" if size == 4 else "ashr"
        left = writer.emit(f"{down} {kind} {left}, {above}")
        right = writer.emit(f"ashr {kind} {right}, {above}")
        total = writer.emit(f"add {kind} {total}, {writer.emit(f'mul {kind} {left}, {right}')}")
    return total


def add_bfloat16_products(writer: ScalarWriter, op: AddBfloat16Products) -> None:
    regs = [writer.values[v] for v in op.operands]
    lanes = writer.varying(*regs)
    names = [writer.vector(reg, lanes) for reg in regs]
    if writer.machine.has_bfloat16_pairs and lanes * 32 % 512 == 0:
        name = _pairs_by_register(writer, names, lanes)
    else:
        name = _pairs_one_by_one(writer, names, lanes)
    writer.values[op.result] = Reg(name, float32, lanes)


def _pairs_by_register(writer: ScalarWriter, names: list[str], lanes: int) -> str:
    """An instruction for each register that the lanes fill."""
    width, parts = 16, []
    kind, pairs = "<16 x float>", "<32 x bfloat>"
    writer.declare(kind, BFLOAT16_PAIRS, f"{kind}, {pairs}, {pairs}")
    for first in range(0, lanes, width):
        x, y, total = (_shuffled(writer, n, "poison", lanes, first, width, "float") for n in names)
        x, y = (writer.emit(f"bitcast {kind} {name} to {pairs}") for name in (x, y))
        code = f"call {kind} @{BFLOAT16_PAIRS}({kind} {total}, {pairs} {x}, {pairs} {y})"
        parts.append(writer.emit(code))
    return _joined(writer, parts, width, "float")


def _pairs_one_by_one(writer: ScalarWriter, names: list[str], lanes: int) -> str:
    """The same by multiply-adds, for any machine and any number of lanes."""
    *words, total = names
    real, bits = writer.type(float32, lanes), writer.type(uint32, lanes)
    whole = [writer.emit(f"bitcast {real} {name} to {bits}") for name in words]
    upper, above = (writer.splat(str(n), uint32, lanes) for n in (0xFFFF0000, 16))
    for code, amount in (("and", upper), ("shl", above)):
        halves = (writer.emit(f"{code} {bits} {name}, {amount}") for name in whole)
        x, y = (writer.emit(f"bitcast {bits} {name} to {real}") for name in halves)
        total = writer.intrinsic("fma", float32, lanes, [x, y, total])
    return total
