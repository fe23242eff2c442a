"""Asynchronous copies from global to shared memory (see tfc.ir.kernels.gpu.async_copies)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfc.backends.llvm.registers import memory_type
from tfc.ir.kernels.gpu.async_copies import AwaitCopies, CommitCopies, CopyAsync

if TYPE_CHECKING:
    from .kernel_writer import PhaseWriter


def copy(w: PhaseWriter, op: CopyAsync) -> None:
    element, size = memory_type(op.source.dtype), op.count * op.source.dtype.itemsize

    def at(buffer: str, offset: str, space: int) -> str:
        pointer = w.emit(f"getelementptr {element}, ptr {buffer}, i64 {offset}")
        return w.emit(f"addrspacecast ptr {pointer} to ptr addrspace({space})")

    to = at(w.values[op.target].name, w.values[op.to].name, 3)
    source = at(w.values[op.source].name, w.values[op.offset].name, 1)
    # 16 bytes need not go through L1, which holds what threads load again.
    how = "cg" if size == 16 else "ca"
    name = f"llvm.nvvm.cp.async.{how}.shared.global.{size}"
    kinds = "ptr addrspace(3), ptr addrspace(1)"
    given = f"ptr addrspace(3) {to}, ptr addrspace(1) {source}"
    if op.mask is not None:  # of so many bytes; the rest are zeros
        some = w.emit(f"select i1 {w.values[op.mask].name}, i32 {size}, i32 0")
        name, kinds, given = f"{name}.s", f"{kinds}, i32", f"{given}, i32 {some}"
    w.declare("void", name, kinds)
    w.do(f"call void @{name}({given})")


def commit(w: PhaseWriter, op: CommitCopies) -> None:
    w.declare("void", "llvm.nvvm.cp.async.commit.group", "")
    w.do("call void @llvm.nvvm.cp.async.commit.group()")


def wait(w: PhaseWriter, op: AwaitCopies) -> None:
    w.declare("void", "llvm.nvvm.cp.async.wait.group", "i32")
    w.do(f"call void @llvm.nvvm.cp.async.wait.group(i32 {op.pending})")
