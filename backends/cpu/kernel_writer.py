"""Kernels as text LLVM IR for processors: `define internal i32 @name(ptr each buffer, ptr %symbols,
ptr %error)`, which returns 0, or the number of the site that failed. One that is all of a program
has the program's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from tfc.ir.core import Function
from tfc.ir.dtypes import bool_, int64
from tfc.ir.kernels.ops import (
    AddBfloat16Products,
    AddProducts,
    Append,
    Assert,
    CallRoutine,
    For,
    LoadTransposed,
    MergeRuns,
    Opaque,
    Parallel,
    Prefetch,
    Reduce,
    SortTile,
    TransposeTile,
    ViewBuffer,
)

from ..calling_convention import INTERRUPTED
from ..llvm.arena_layout import Place
from ..llvm.kernel_facts import KernelFacts
from ..llvm.kernel_writer import KernelWriter, Writers
from ..llvm.loops import Carried
from ..llvm.machine import Machine
from ..llvm.memory import MemoryWriter
from ..llvm.registers import Reg
from .compress_store import append
from .entry import ONCE, PARAMS
from .lane_reductions import reduction
from .outlined import call_routine, outlined
from .parallel_loops import hands_over, may_be_long, parallel
from .patience import PATIENCE, patience
from .register_transpose import load_transposed, transpose_tile
from .small_products import add_bfloat16_products, add_products, view_buffer
from .sorting_networks import merge_runs, sort_tile
from .vector_loops import VectorLoopWriter

ROUNDS_MAX = 1 << 20  # between two looks at the clock: of kernels' rounds, which take nanoseconds
TOGETHER = 16  # such rounds count as one in loops that only carry values on


def _pointers(places: Sequence[Place]) -> Iterator[str]:
    """Instructions that find a kernel's buffers where the program has them."""
    for i, (kind, where) in enumerate(places):
        if kind == "arena":
            yield f"  %b{i} = getelementptr i8, ptr %arena, i64 {where}"
        else:
            yield f"  %b{i}.at = getelementptr ptr, ptr %buffers, i64 {where}"
            yield f"  %b{i} = load ptr, ptr %b{i}.at"


class CpuKernelWriter(VectorLoopWriter):
    """Writes one kernel."""

    places: Sequence[Place] | None = None  # of its buffers, where it is the whole program
    once = False  # whether it runs once a call, of a program that takes much longer
    looks = False  # whether a loop in it looks up
    ends_early = False  # whether one of them does
    in_batches = False  # inside of one that looks up: of a nest, the outermost does

    def __init__(
        self, name: str, facts: KernelFacts, table: Sequence[str], machine: Machine
    ) -> None:
        super().__init__(name, facts.kernel, table, machine)
        self.facts = facts

    def another(self, name: str) -> CpuKernelWriter:
        return CpuKernelWriter(name, self.facts, self.table, self.machine)

    def text(self) -> str:
        """Its text from the parameters on; its parallel loops are `parts`."""
        params = []
        for i, p in enumerate(self.kernel.params):
            params.append(f"ptr %b{i}")
            self.values[p] = Reg(f"%b{i}", p.dtype)
        self.load_extents(self.facts.ops)
        self.body(self.kernel)
        head = ", ".join([*params, "ptr %symbols", "ptr %error"])
        opening = []
        if self.places is not None:
            head, opening = PARAMS[1:-1], list(_pointers(self.places))
        seldom = self.once and hands_over(self.kernel, Assert in self.facts.ops)
        how = f"nounwind {ONCE}" if seldom else "nounwind"
        define = f"({head}) {how} {{\nentry:"
        return "\n".join([define, *self.allocas, *opening, *self.lines, "  ret i32 0", "}"])

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
        self._leave_unless(self.emit(f"icmp ne i32 {whole}, 0"))

    def run(
        self, op: For, body: Callable[[str], Sequence[Carried]], carried: Sequence[Carried]
    ) -> list[str]:
        if self.may_end_early and may_be_long(op):
            low, high = self.values[op.low].name, self.values[op.high].name
            return self.patiently(low, high, op.step, body, carried)
        return super().run(op, body, carried)

    def patiently(
        self,
        low: str,
        high: str,
        step: int,
        body: Callable[[str], Sequence[Carried]],
        carried: Sequence[Carried] = (),
    ) -> list[str]:
        # So many rounds at once that nothing is counted in them:
        #     for at = low; at < high; at = stop:
        #         stop = min(at + batch * TOGETHER * step, high)
        #         for i = at; i < stop; i += step: body
        #         if stop < high and not look up: leave
        if self.in_batches:
            return self.counted(low, high, step, body, carried)
        self.ends_early = True
        self._look_up()
        kinds = [kind for kind, _ in carried]
        ahead = self.fresh("ahead")

        def batch(at: str) -> list[Carried]:
            begun = [*zip(kinds, self.phis, strict=True)]
            pointer = self.emit(f"getelementptr {PATIENCE}, ptr %patience, i64 0, i32 2")
            rounds = self.emit(f"sext i32 {self.emit(f'load i32, ptr {pointer}')} to i64")
            most = self.emit(f"add i64 {at}, {self.emit(f'mul i64 {rounds}, {TOGETHER * step}')}")
            last = self.emit(f"icmp sge i64 {most}, {high}")
            stop = self.emit(f"select i1 {last}, i64 {high}, i64 {most}")
            self.in_batches = True
            ended = self.counted(at, stop, step, body, begun)
            self.in_batches = False
            self.do(f"{ahead} = sub i64 {stop}, {at}")
            look, after = (self.fresh(n)[1:] for n in ("look", "after"))
            self.do(f"br i1 {last}, label %{after}, label %{look}")
            self.label(look)
            more = self.emit(f"call i32 @tfc_look_up(ptr %patience, i32 {ROUNDS_MAX})")
            self._leave_unless(self.emit(f"icmp ne i32 {more}, 0"))
            self.do(f"br label %{after}")
            self.label(after)
            return [*zip(kinds, ended, strict=True)]

        return self.counted(low, high, ahead, batch, carried)

    def _leave_unless(self, goes_on: str) -> None:
        leave, after = (self.fresh(n)[1:] for n in ("leave", "after"))
        self.do(f"br i1 {goes_on}, label %{after}, label %{leave}")
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
        look, after = (self.fresh(n)[1:] for n in ("look", "after"))
        less = self.emit(f"sub i32 {left}, 1")
        counted = self.block
        none = self.emit(f"icmp eq i32 {less}, 0")
        self.do(f"br i1 {none}, label %{look}, label %{after}")
        self.label(look)
        more = self.emit(f"call i32 @tfc_look_up(ptr %patience, i32 {ROUNDS_MAX})")
        self._leave_unless(self.emit(f"icmp ne i32 {more}, 0"))
        looked = self.block
        self.do(f"br label %{after}")
        self.label(after)
        return self.emit(f"phi i32 [ {less}, %{counted} ], [ {more}, %{looked} ]")

    def rested(self, left: str) -> None:
        pointer = self.emit(f"getelementptr {PATIENCE}, ptr %patience, i64 0, i32 3")
        self.do(f"store i32 {left}, ptr {pointer}")

    def called(self, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
        return outlined(self, f, arguments, lanes, CpuKernelWriter)

    def routine(self, op: CallRoutine) -> None:
        call_routine(self, op, CpuKernelWriter)

    writers: ClassVar[Writers] = {
        **KernelWriter.writers,
        AddBfloat16Products: add_bfloat16_products,
        AddProducts: add_products,
        ViewBuffer: view_buffer,
        LoadTransposed: load_transposed,
        Append: append,
        Assert: check,
        CallRoutine: routine,
        Parallel: parallel,
        Opaque: opaque,
        Prefetch: MemoryWriter.prefetch,
        TransposeTile: transpose_tile,
        SortTile: sort_tile,
        MergeRuns: merge_runs,
        For: VectorLoopWriter.loop,
        Reduce: reduction,
    }
