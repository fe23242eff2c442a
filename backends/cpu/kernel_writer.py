"""Kernels as text LLVM IR for processors: `define internal i32 @name(ptr each buffer, ptr %symbols,
ptr %error)`, which returns 0, or the number of the site that failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tfc.ir.core import Function
from tfc.ir.dtypes import bool_, int64
from tfc.ir.kernels.ops import (
    Append,
    Assert,
    For,
    LoadTransposed,
    MergeRuns,
    Opaque,
    Parallel,
    Prefetch,
    Reduce,
    SortTile,
    TransposeTile,
)
from tfc.ir.ops.shape import ExtentOf

from ..calling_convention import INTERRUPTED
from ..llvm.kernel_writer import KernelWriter, Writers
from ..llvm.memory import MemoryWriter
from ..llvm.registers import Reg
from .compress_store import append
from .lane_reductions import reduction
from .outlined import outlined
from .parallel_loops import parallel
from .patience import PATIENCE, patience
from .register_transpose import load_transposed, transpose_tile
from .sorting_networks import merge_runs, sort_tile
from .vector_loops import VectorLoopWriter

ROUNDS_MAX = 1 << 20  # between two looks at the clock: of kernels' rounds, which take nanoseconds


class CpuKernelWriter(VectorLoopWriter):
    """Writes one kernel."""

    looks = False  # whether a loop in it looks up
    ends_early = False  # whether one of them does

    def another(self, name: str) -> CpuKernelWriter:
        return CpuKernelWriter(name, self.kernel, self.table, self.machine)

    def text(self) -> str:
        params = []
        for i, p in enumerate(self.kernel.params):
            params.append(f"ptr %b{i}")
            self.values[p] = Reg(f"%b{i}", p.dtype)
        for op in self.kernel.walk():
            if isinstance(op, ExtentOf) and op.value not in self.extents:
                self.extents[op.value] = self.extent(op.value)
        self.body(self.kernel)
        head = ", ".join([*params, "ptr %symbols", "ptr %error"])
        define = f"define internal i32 @{self.name}({head}) nounwind {{\nentry:"
        own = "\n".join([define, *self.allocas, *self.lines, "  ret i32 0", "}"])
        return "\n".join([*self.parts, own])

    # Ops.

    def opaque(self, op: Opaque) -> None:
        name = self.emit(f'call i64 asm "", "=r,0"(i64 {self.values[op.x].name})')
        self.values[op.result] = Reg(name, int64)

    def check(self, op: Assert) -> None:
        """Leave the kernel with the site's number where a lane's condition fails."""
        regs = [self.values[v] for v in (op.condition, *op.values)]
        masks = [] if op.mask is None else [self.values[op.mask]]
        lanes = self.varying(*regs, *masks)
        kind = self.type(bool_, lanes)
        good = self.vector(regs[0], lanes)
        bad = self.emit(f"xor {kind} {good}, {self.splat('true', bool_, lanes)}")
        mask = self.lane_mask(op.mask, lanes)
        if mask is not None:
            bad = self.emit(f"and {kind} {bad}, {mask}")
        fail, after = self.fresh("fail")[1:], self.fresh("good")[1:]
        lane = "0"
        if lanes == 1:
            self.do(f"br i1 {bad}, label %{fail}, label %{after}")
        else:
            bits, some = self.any_lane(bad, lanes)
            self.do(f"br i1 {some}, label %{fail}, label %{after}")
        self.label(fail)
        if lanes > 1:
            self.declare(f"i{lanes}", f"llvm.cttz.i{lanes}", f"i{lanes}, i1")
            lane = self.emit(f"call i{lanes} @llvm.cttz.i{lanes}(i{lanes} {bits}, i1 true)")
        with self.scope():
            for i, reg in enumerate(regs[1:]):
                x = self.vector(reg, lanes)
                if lanes > 1:
                    x = self.emit(f"extractelement <{lanes} x i64> {x}, i{lanes} {lane}")
                pointer = self.emit(f"getelementptr i64, ptr %error, i64 {i}")
                self.do(f"store i64 {x}, ptr {pointer}")
        self.do(f"ret i32 {op.site}")
        self.label(after)

    # Loops that may run for long: see runtime/patience.c.

    def call_long(self, arguments: str) -> None:
        """Run a parallel loop that may be long, and leave where it is to end."""
        self.ends_early = True
        self._look_up()
        self.declare("i32", "tfc_parallel_long", "ptr, ptr, i64, i64, ptr, ptr")
        looking = f"{arguments}, ptr @tfc_look_up, ptr %patience"
        whole = self.emit(f"call i32 @tfc_parallel_long({looking})")
        ended = self.emit(f"icmp eq i32 {whole}, 0")
        leave, after = (self.fresh(n)[1:] for n in ("leave", "after"))
        self.do(f"br i1 {ended}, label %{leave}, label %{after}")
        self.label(leave)
        self.do(f"ret i32 {INTERRUPTED}")
        self.label(after)

    def _look_up(self) -> None:
        if not self.looks:
            self.looks = True
            self.declare("i32", "tfc_look_up", "ptr, i32")
            self.allocas += patience("%patience")

    def patient(self) -> str:
        if self.alone:  # on any thread, which Python may not know
            return ""
        self._look_up()
        pointer = self.emit(f"getelementptr {PATIENCE}, ptr %patience, i64 0, i32 3")
        return self.emit(f"load i32, ptr {pointer}")

    def looking_up(self, left: str) -> str:
        look, leave, after = (self.fresh(n)[1:] for n in ("look", "leave", "after"))
        less = self.emit(f"sub i32 {left}, 1")
        counted = self.block
        none = self.emit(f"icmp eq i32 {less}, 0")
        self.do(f"br i1 {none}, label %{look}, label %{after}")
        self.label(look)
        more = self.emit(f"call i32 @tfc_look_up(ptr %patience, i32 {ROUNDS_MAX})")
        ends = self.emit(f"icmp eq i32 {more}, 0")
        self.do(f"br i1 {ends}, label %{leave}, label %{after}")
        self.label(leave)
        self.do(f"ret i32 {INTERRUPTED}")
        self.label(after)
        return self.emit(f"phi i32 [ {less}, %{counted} ], [ {more}, %{look} ]")

    def rested(self, left: str) -> None:
        pointer = self.emit(f"getelementptr {PATIENCE}, ptr %patience, i64 0, i32 3")
        self.do(f"store i32 {left}, ptr {pointer}")

    def called(self, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
        return outlined(self, f, arguments, lanes, CpuKernelWriter)

    writers: ClassVar[Writers] = {
        **KernelWriter.writers,
        LoadTransposed: load_transposed,
        Append: append,
        Assert: check,
        Parallel: parallel,
        Opaque: opaque,
        Prefetch: MemoryWriter.prefetch,
        TransposeTile: transpose_tile,
        SortTile: sort_tile,
        MergeRuns: merge_runs,
        For: VectorLoopWriter.loop,
        Reduce: reduction,
    }
