"""Tensor cores: fragments of matrices in the registers of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfc.backends.llvm.registers import Reg, memory_type
from tfc.ir.dtypes import float32, uint32
from tfc.ir.kernels.ops import LoadFragments, MultiplyFragments, RoundFragment

if TYPE_CHECKING:
    from .kernel_writer import PhaseWriter

FLOATS = "{ float, float, float, float }"
WORDS = "{ i32, i32, i32, i32 }"


def load(w: PhaseWriter, op: LoadFragments) -> None:
    """Four squares from shared memory."""
    element = memory_type(op.buffer.dtype)
    buffer, offset = w.values[op.buffer].name, w.values[op.offset].name
    pointer = w.emit(f"getelementptr {element}, ptr {buffer}, i64 {offset}")
    there = w.emit(f"addrspacecast ptr {pointer} to ptr addrspace(3)")
    transposed = "trans." if op.transposed else ""
    name = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.{transposed}b16.p3"
    w.declare(WORDS, name, "ptr addrspace(3)")
    found = w.emit(f"call {WORDS} @{name}(ptr addrspace(3) {there})")
    for i, result in enumerate(op.results):
        w.values[result] = Reg(w.emit(f"extractvalue {WORDS} {found}, {i}"), uint32)


def round_element(w: PhaseWriter, op: RoundFragment) -> None:
    name = "llvm.nvvm.f2tf32.rna"
    w.declare("i32", name, "float")
    w.values[op.result] = Reg(w.emit(f"call i32 @{name}(float {w.values[op.x].name})"), uint32)


def multiply(w: PhaseWriter, op: MultiplyFragments) -> None:
    """16 x 8 sums, each with the products of 16 (of 8 for tf32) pairs added."""
    words = [w.values[v].name for v in (*op.left, *op.right)]
    sums = ", ".join(f"float {w.values[v].name}" for v in op.sums)
    kind, name = "i32", "llvm.nvvm.mma.m16n8k16.row.col.bf16"
    if op.kind == "tf32":
        name = "llvm.nvvm.mma.m16n8k8.row.col.tf32"
    elif op.kind == "f16":
        kind, name = "<2 x half>", "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
        words = [w.emit(f"bitcast i32 {x} to <2 x half>") for x in words]
    w.declare(FLOATS, name, ", ".join([kind] * 6 + ["float"] * 4))
    given = ", ".join(f"{kind} {x}" for x in words)
    found = w.emit(f"call {FLOATS} @{name}({given}, {sums})")
    for i, result in enumerate(op.results):
        w.values[result] = Reg(w.emit(f"extractvalue {FLOATS} {found}, {i}"), float32)
