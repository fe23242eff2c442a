"""Threads of a block that work together: how many, how they wait, and what they tell each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tfc.backends.llvm.registers import Reg
from tfc.ir.core import Function
from tfc.ir.dtypes import bool_
from tfc.ir.kernels.ops import WARP, Barrier, Grid, Rarely, Shared, Shuffle

if TYPE_CHECKING:
    from .kernel_writer import PhaseWriter

BLOCK_THREADS = 256  # of a block, where teams are smaller than it
RESIDENT_THREADS_MIN = (
    768  # threads on a processor, at least, where more would spill: 80 registers for each
)
STATIC_SHARED_BYTES = 48 << 10  # that each block may have without asking
DYNAMIC_NAME = "tfc_shared"  # what was asked for
DYNAMIC = f"@{DYNAMIC_NAME} = external addrspace(3) global [0 x i8], align 1024"


def sizes(phase: Function) -> tuple[int, int]:
    """The threads of a team and of a block."""
    grid = phase.body[-1]
    if not isinstance(grid, Grid):
        return 1, 1
    if grid.team > WARP:
        return grid.team, grid.team
    teams = BLOCK_THREADS // grid.team
    if grid.team > 1:
        kept = shared_bytes(phase, 1)
        teams = max(1, min(teams, STATIC_SHARED_BYTES // max(kept, 1)))
    return grid.team, grid.team * teams


def bounds(phase: Function, threads: int) -> str:
    """What ptxas is told of the blocks. Where warps reduce rows, or elements may take a slow way,
    it would rather spill registers than have fewer warps on a processor; but a row has many loads
    on their way at once, and elements that wait behind a branch are many, too."""
    said = f'"nvvm.maxntid"="{threads}"'
    if any(isinstance(op, Shuffle | Rarely) for op in phase.walk()):
        said += f' "nvvm.minctasm"="{max(1, RESIDENT_THREADS_MIN // threads)}"'
    return said


def shared_bytes(phase: Function, teams: int) -> int:
    """The shared memory of so many teams."""
    return sum(
        aligned(math.prod(op.shape) * op.dtype.itemsize * teams)
        for op in phase.walk()
        if isinstance(op, Shared)
    )


def aligned(size: int) -> int:
    """The bytes up to the next place where memory of any kind may begin."""
    return -(-size // 16) * 16


def barrier(w: PhaseWriter, op: Barrier) -> None:
    """All threads of the team wait for each other."""
    if w.team == WARP:
        w.declare("void", "llvm.nvvm.bar.warp.sync", "i32")
        w.do("call void @llvm.nvvm.bar.warp.sync(i32 -1)")
    else:
        w.declare("void", "llvm.nvvm.barrier.cta.sync.aligned.all", "i32")
        w.do("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")


def shuffle(w: PhaseWriter, op: Shuffle) -> None:
    """The value of another thread, in one or two registers of 32 bits."""
    reg = w.values[op.value]
    dtype = reg.dtype
    kind = w.type(dtype, 1)
    bits = 1 if dtype is bool_ else dtype.bits
    name = reg.name
    whole = f"i{bits}"
    if kind != whole:
        name = w.emit(f"bitcast {kind} {name} to {whole}")
    if bits == 64:
        low = w.emit(f"trunc i64 {name} to i32")
        high = w.emit(f"trunc i64 {w.emit(f'lshr i64 {name}, 32')} to i32")
        low, high = (w.emit(f"zext i32 {_moved(w, op, x)} to i64") for x in (low, high))
        name = w.emit(f"or i64 {w.emit(f'shl i64 {high}, 32')}, {low}")
    elif bits == 32:
        name = _moved(w, op, name)
    else:
        moved = _moved(w, op, w.emit(f"zext {whole} {name} to i32"))
        name = w.emit(f"trunc i32 {moved} to {whole}")
    if kind != whole:
        name = w.emit(f"bitcast {whole} {name} to {kind}")
    w.values[op.result] = Reg(name, dtype)


def _moved(w: PhaseWriter, op: Shuffle, x: str) -> str:
    how = {"down": "down", "from": "idx"}[op.kind]
    full = f"llvm.nvvm.shfl.sync.{how}.i32"
    w.declare("i32", full, "i32, i32, i32, i32")
    return w.emit(f"call i32 @{full}(i32 -1, i32 {x}, i32 {op.distance}, i32 31)")
