"""Phases of kernels (see tfc.ir.kernels.gpu.launch_phases) as text LLVM IR for NVIDIA's processors.

    define ptx_kernel void @name(ptr each buffer, i64 each symbol, ptr %error)

Threads compute scalars, in one lane each. A `Grid` becomes a
loop in which each thread takes every n-th place, n being the number of threads; so any number of
blocks will do. A phase without one is the work of one thread.

A failed check writes the record at %error, { i32 site, i32 unused, i64 values[2] }, unless another
one has, and ends its thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from tfc.backends.llvm.kernel_writer import KernelWriter, Writers
from tfc.backends.llvm.machine import Machine
from tfc.backends.llvm.registers import Reg, extent_code, memory_type
from tfc.ir.core import Function, Op
from tfc.ir.dtypes import DType, int64
from tfc.ir.extent import Extent, symbols
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.gpu.async_copies import AwaitCopies, CommitCopies, CopyAsync
from tfc.ir.kernels.gpu.warpgroups import FenceTiles, MultiplyTiles
from tfc.ir.kernels.ops import (
    Assert,
    Barrier,
    For,
    Grid,
    LoadFragments,
    LoadMany,
    MultiplyFragments,
    Parallel,
    Prefetch,
    RoundFragment,
    Shared,
    Shuffle,
    StoreMany,
    TransposeTile,
)
from tfc.ir.ops.elementwise import Select
from tfc.ir.ops.shape import ExtentOf

from . import (
    async_copies,
    mma,
    thread_groups,
    vector_access,
    wgmma,
)
from .fmod import MODULO

_TID = "llvm.nvvm.read.ptx.sreg.tid.x"
_CTAID = "llvm.nvvm.read.ptx.sreg.ctaid.x"
_NCTAID = "llvm.nvvm.read.ptx.sreg.nctaid.x"


def phase_symbols(phase: Function) -> tuple[str, ...]:
    """The symbols whose values a phase takes, in order."""
    found: dict[str, None] = {}
    for op in phase.walk():
        if isinstance(op, ExtentOf):
            found.update(dict.fromkeys(symbols(op.value)))
    return tuple(sorted(found))


class PhaseWriter(KernelWriter):
    """Writes one phase. With `guarded` it does nothing where a check has failed before."""

    def __init__(self, name: str, phase: Function, machine: Machine, guarded: bool) -> None:
        super().__init__(name, phase, phase_symbols(phase), machine)
        self.guarded = guarded
        self.used: set[str] = set()  # functions that stand once in a module
        self.globals: list[str] = []
        self.number = "0"  # of the team in its block
        self.team, self.threads = thread_groups.sizes(phase)
        self.reserved = 0  # bytes of dynamic shared memory
        self.dynamic = (
            thread_groups.shared_bytes(phase, self.threads // self.team)
            > thread_groups.STATIC_SHARED_BYTES
        )

    def text(self) -> str:
        params = []
        for i, p in enumerate(self.kernel.params):
            params.append(f"ptr %b{i}")
            self.values[p] = Reg(f"%b{i}", p.dtype)
        params += [f"i64 %s{i}" for i in range(len(self.table))]
        if self.guarded:
            self.guard()
        for op in self.kernel.walk():
            if isinstance(op, ExtentOf) and op.value not in self.extents:
                self.extents[op.value] = self.extent(op.value)
        self.body(self.kernel)
        head = ", ".join([*params, "ptr %error"])
        attributes = thread_groups.bounds(self.kernel, self.threads)
        define = f"define ptx_kernel void @{self.name}({head}) nounwind {attributes} {{\nentry:"
        return "\n".join([*self.globals, define, *self.allocas, *self.lines, "  ret void", "}"])

    def guard(self) -> None:
        """Leave where a check has failed in a kernel before this one."""
        failed, good = self.fresh("failed")[1:], self.fresh("start")[1:]
        site = self.emit("load i32, ptr %error, align 8")
        bad = self.emit(f"icmp ne i32 {site}, 0")
        self.do(f"br i1 {bad}, label %{failed}, label %{good}")
        self.label(failed)
        self.do("ret void")
        self.label(good)

    def extent(self, extent: Extent) -> str:
        return extent_code(extent, self.emit, lambda s: f"%s{self.table.index(s)}")

    def special(self, name: str) -> str:
        """A special register, as an i64."""
        self.declare("i32", name, "")
        return self.emit(f"zext i32 {self.emit(f'call i32 @{name}()')} to i64")

    def called(self, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
        with self.scope():
            for p, name in zip(f.params, arguments, strict=True):
                self.values[p] = Reg(name, p.dtype)
            self.body(f)
            return [self.values[v].name for v in f.returns]

    # Ops.

    def instruction(self, op: Op, names: list[str], lanes: int) -> str:
        """As on all machines, but LLVM takes `x < 0.0 ? x : 0.0` for the minimum of GPUs, which
        is -0.0 for -0.0: as integers, bits are chosen as they are. (Whether an operand is 0.0 is
        not asked: it may be what LLVM folds to it.)"""
        dtype = op.results[0].type.dtype
        if not isinstance(op, Select) or not dtype.is_floating or dtype.compute is not dtype:
            return super().instruction(op, names, lanes)
        kind, whole = self.type(dtype, lanes), f"i{dtype.bits}"
        x, y = (self.emit(f"bitcast {kind} {name} to {whole}") for name in names[1:])
        bits = self.emit(f"select i1 {names[0]}, {whole} {x}, {whole} {y}")
        return self.emit(f"bitcast {whole} {bits} to {kind}")

    def load_many(self, op: LoadMany) -> None:
        names = vector_access.load(self, op.buffer, self.values[op.offset].name, op.count)
        for result, name in zip(op.results, names, strict=True):
            self.values[result] = Reg(name, result.dtype)

    def store_many(self, op: StoreMany) -> None:
        names = [self.values[v].name for v in op.values]
        vector_access.store(self, op.buffer, self.values[op.offset].name, names)

    def prefetch(self, op: Prefetch) -> None:
        """Nothing: other threads run while one waits for memory."""

    def loop(self, op: For) -> None:
        if op.kind == LoopKind.SERIAL:
            self.serial_loop(op)
        else:
            self.sequence(self.values[op.low].name, self.values[op.high].name, 1, op.body)

    def parallel(self, op: Parallel) -> None:
        self.sequence("0", self.values[op.count].name, 1, op.body)

    def sequence(self, low: str, high: str, step: int, region: Function) -> None:
        """Independent iterations, one after another."""

        def body(index: str) -> Sequence[tuple[str, str]]:
            self.values[region.params[0]] = Reg(index, int64)
            self.body(region)
            return ()

        self.counted(low, high, step, body)

    def grid(self, op: Grid) -> None:
        lows = [self.values[v].name for v in op.lows]
        sizes = [
            self.size(low, self.values[high].name, step)
            for low, high, step in zip(lows, op.highs, op.steps, strict=True)
        ]
        total = sizes[0] if sizes else "1"
        for size in sizes[1:]:
            total = self.emit(f"mul i64 {total}, {size}")
        side_by_side = self.threads // op.team
        thread = self.special(_TID)
        first = self.emit(f"mul i64 {self.special(_CTAID)}, {side_by_side}")
        stride = self.emit(f"mul i64 {self.special(_NCTAID)}, {side_by_side}")
        member = thread
        if op.team == 1:
            first = self.emit(f"add i64 {first}, {thread}")
        elif side_by_side > 1:
            self.number = self.emit(f"udiv i64 {thread}, {op.team}")
            member = self.emit(f"urem i64 {thread}, {op.team}")
            first = self.emit(f"add i64 {first}, {self.number}")

        def body(number: str) -> Sequence[tuple[str, str]]:
            axes = zip(op.body.params, lows, op.steps, self.places(number, sizes), strict=False)
            for param, low, step, place in axes:
                if step != 1:
                    place = self.emit(f"mul i64 {place}, {step}")
                if low != "0":
                    place = self.emit(f"add i64 {place}, {low}")
                self.values[param] = Reg(place, int64)
            if op.team > 1:
                self.values[op.body.params[-1]] = Reg(member, int64)
            self.body(op.body)
            return ()

        width = vector_access.width(op)
        if width > 1:
            first = vector_access.whole(self, op, width, first, stride, total, sizes)
        self.counted(first, total, stride, body)

    def places(self, number: str, sizes: Sequence[str]) -> list[str]:
        """The place along each axis, of one that is counted row by row."""
        found: list[str] = []
        for size in reversed(sizes[1:]):
            found.append(self.emit(f"urem i64 {number}, {size}"))
            number = self.emit(f"udiv i64 {number}, {size}")
        return [number, *reversed(found)] if sizes else []

    def size(self, low: str, high: str, step: int) -> str:
        """How many places an axis has."""
        distance = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
        if step != 1:
            distance = self.emit(f"add i64 {distance}, {step - 1}")
        if distance.lstrip("-").isdigit():
            return str(max(int(distance) // step, 0))
        some = self.emit(f"icmp sgt i64 {distance}, 0")
        distance = self.emit(f"select i1 {some}, i64 {distance}, i64 0")
        return distance if step == 1 else self.emit(f"udiv i64 {distance}, {step}")

    def shared(self, op: Shared) -> None:
        """Memory for each team of the block: dynamic where there is more of it than any block may
        have, so that the driver is asked for it."""
        element, count = memory_type(op.dtype), math.prod(op.shape)
        elements = count * (self.threads // self.team)
        if self.dynamic:
            self.used.add(thread_groups.DYNAMIC)
            whole = f"addrspacecast (ptr addrspace(3) @{thread_groups.DYNAMIC_NAME} to ptr)"
            pointer = self.emit(f"getelementptr i8, ptr {whole}, i64 {self.reserved}")
            self.reserved += thread_groups.aligned(elements * op.dtype.itemsize)
        else:
            name = f"@{self.name}.shared{len(self.globals)}"
            kind = f"[{elements} x {element}]"
            self.globals.append(f"{name} = internal addrspace(3) global {kind} poison, align 16")
            pointer = f"addrspacecast (ptr addrspace(3) {name} to ptr)"
        if self.threads > self.team:
            offset = self.emit(f"mul i64 {self.number}, {count}")
            pointer = self.emit(f"getelementptr {element}, ptr {pointer}, i64 {offset}")
        self.values[op.result] = Reg(pointer, op.dtype)

    def transpose_tile(self, op: TransposeTile) -> None:
        """The square, element by element."""
        source, offset, rows, target, to, to_rows = (
            self.values[v].name
            for v in (op.source, op.offset, op.rows, op.target, op.target_offset, op.target_rows)
        )
        element, align = memory_type(op.source.dtype), op.source.dtype.itemsize

        def at(buffer: str, first: str, distance: str, row: str, column: str) -> str:
            place = self.emit(f"mul i64 {row}, {distance}")
            place = self.emit(f"add i64 {place}, {column}")
            place = self.emit(f"add i64 {place}, {first}")
            return self.emit(f"getelementptr {element}, ptr {buffer}, i64 {place}")

        def row(i: str) -> Sequence[tuple[str, str]]:
            def one(k: str) -> Sequence[tuple[str, str]]:
                x = self.emit(f"load {element}, ptr {at(source, offset, rows, i, k)}")
                there = at(target, to, to_rows, k, i)
                self.do(f"store {element} {x}, ptr {there}, align {align}")
                return ()

            self.counted("0", str(op.size), 1, one)
            return ()

        self.counted("0", str(op.size), 1, row)

    def remainder(self, dtype: DType, x: str, y: str, lanes: int) -> str:
        kind = self.type(dtype, 1)
        self.used.add(MODULO[dtype.bits])
        return self.emit(f"call {kind} @tfc_fmod{dtype.bits}({kind} {x}, {kind} {y})")

    def check(self, op: Assert) -> None:
        condition = self.values[op.condition].name
        bad = self.emit(f"xor i1 {condition}, true")
        if op.mask is not None:
            bad = self.emit(f"and i1 {bad}, {self.values[op.mask].name}")
        fail, first, leave, after = (self.fresh(n)[1:] for n in ("fail", "first", "end", "good"))
        self.do(f"br i1 {bad}, label %{fail}, label %{after}")
        self.label(fail)
        pair = self.emit(
            f'cmpxchg ptr %error, i32 0, i32 {op.site} syncscope("device") monotonic monotonic'
        )
        won = self.emit(f"extractvalue {{ i32, i1 }} {pair}, 1")
        self.do(f"br i1 {won}, label %{first}, label %{leave}")
        self.label(first)
        for i, value in enumerate(op.values):
            at = self.emit(f"getelementptr i8, ptr %error, i64 {8 + 8 * i}")
            self.do(f"store i64 {self.values[value].name}, ptr {at}, align 8")
        self.do(f"br label %{leave}")
        self.label(leave)
        self.do("ret void")
        self.label(after)

    writers: ClassVar[Writers] = {
        **KernelWriter.writers,
        Grid: grid,
        Shared: shared,
        Barrier: thread_groups.barrier,
        Shuffle: thread_groups.shuffle,
        Prefetch: prefetch,
        LoadMany: load_many,
        StoreMany: store_many,
        LoadFragments: mma.load,
        RoundFragment: mma.round_element,
        MultiplyFragments: mma.multiply,
        MultiplyTiles: wgmma.multiply,
        FenceTiles: wgmma.fence,
        CopyAsync: async_copies.copy,
        CommitCopies: async_copies.commit,
        AwaitCopies: async_copies.wait,
        TransposeTile: transpose_tile,
        Assert: check,
        Parallel: parallel,
        For: loop,
    }
