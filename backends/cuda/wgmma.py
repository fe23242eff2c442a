"""Products of tiles by warpgroups: Hopper's wgmma (see tfc.ir.kernels.gpu.warpgroups).

All that one step of k takes is one piece of assembly, which waits for its results: so no register
of sums is touched while tensor cores have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfc.backends.llvm.registers import Reg, memory_type
from tfc.ir.core import Value
from tfc.ir.dtypes import float32
from tfc.ir.kernels.gpu.warpgroups import PANEL_ELEMENTS, WGMMA_STEP_K, FenceTiles, MultiplyTiles

if TYPE_CHECKING:
    from .kernel_writer import PhaseWriter

K = 16  # of one instruction
LINE = 2 * PANEL_ELEMENTS  # bytes of a line in a panel
EIGHT = 8 * LINE  # bytes of eight lines, whose groups are swizzled
SWIZZLE = 1 << 62  # of 128 bytes, in a descriptor
UNIT = 16  # bytes, in which descriptors count
ADDRESSES = (1 << 14) - 1  # of units


def fence(w: PhaseWriter, op: FenceTiles) -> None:
    w.declare("void", "llvm.nvvm.fence.proxy.async.shared_cta", "")
    w.do("call void @llvm.nvvm.fence.proxy.async.shared_cta()")


def multiply(w: PhaseWriter, op: MultiplyTiles) -> None:
    count, transposed = len(op.sums), (op.left_transposed, op.right_transposed)
    left = _descriptors(w, op.left, op.left_at, op.left_transposed)
    right = _descriptors(w, op.right, op.right_at, op.right_transposed)
    sums = "{" + ", ".join(f"${i}" for i in range(count)) + "}"
    name = f"wgmma.mma_async.sync.aligned.m64n{2 * count}k{K}.f32.{op.kind}.{op.kind}"
    # Sums are added to, nothing is negated; then which operands are transposed.
    flags = ", ".join(str(int(flag)) for flag in (1, 1, 1, *transposed))
    steps = len(left)
    code = ["wgmma.fence.sync.aligned"]
    code += [
        f"{name} {sums}, ${2 * count + step}, ${2 * count + steps + step}, {flags}"
        for step in range(steps)
    ]
    code += ["wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0"]
    body = "".join(f"{line};\\0A" for line in code)
    ties = [str(i) for i in range(count)]
    constraints = ",".join(["=f"] * count + ties + ["l"] * (2 * steps))
    kind = "{ " + ", ".join(["float"] * count) + " }"
    given = [f"float {w.values[v].name}" for v in op.sums]
    given += [f"i64 {x}" for x in (*left, *right)]
    found = w.emit(
        f'call {kind} asm sideeffect "{body}", "{constraints}"({", ".join(given)}) convergent'
    )
    for i, result in enumerate(op.results):
        w.values[result] = Reg(w.emit(f"extractvalue {kind} {found}, {i}"), float32)


def _descriptors(w: PhaseWriter, buffer: Value, at: Value, transposed: bool) -> list[str]:
    """Where an operand is, and how it lies there, for each K of a step."""
    element = memory_type(buffer.dtype)
    pointer = w.emit(
        f"getelementptr {element}, ptr {w.values[buffer].name}, i64 {w.values[at].name}"
    )
    pointer = w.emit(f"addrspacecast ptr {pointer} to ptr addrspace(3)")
    address = w.emit(f"ptrtoint ptr addrspace(3) {pointer} to i64")
    address = w.emit(f"and i64 {w.emit(f'lshr i64 {address}, 4')}, {ADDRESSES}")
    # Between panels (there are others only where lines are those of a k), and between eight lines.
    panels = WGMMA_STEP_K * LINE if transposed else UNIT
    how = SWIZZLE | EIGHT // UNIT << 32 | panels // UNIT << 16
    first = w.emit(f"or i64 {address}, {how}")
    further = (K * LINE if transposed else 2 * K) // UNIT
    return [
        w.emit(f"add i64 {first}, {step * further}") if step else first
        for step in range(WGMMA_STEP_K // K)
    ]
