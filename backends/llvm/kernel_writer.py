"""Kernels as text LLVM IR.

Vectors are explicit: inside a `vector` loop a value that depends on the loop's index is a
register of `lanes` elements, everything else stays scalar. The loop runs whole vectors first and
then one masked round for the rest. An index is kept as base + lane * stride as long as the
arithmetic on it allows, so that loads and stores at stride 1 are plain vector accesses.

LLVM ends the process on much that it does not expect. So only these reach it: arithmetic,
comparisons, casts, select, phi, br, load, store, alloca, shufflevector, insert- and
extractelement, calls of functions in the same text, and the intrinsics named here, in
scalars.py and in memory.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from tfc.ir.core import Function, Op
from tfc.ir.dtypes import bool_, int32, int64
from tfc.ir.kernels.ops import (
    Aligned,
    Append,
    Assert,
    Branch,
    ChooseBuffer,
    Combine,
    For,
    Load,
    LoadPair,
    LoadSquare,
    Local,
    MergeRuns,
    Opaque,
    Parallel,
    Prefetch,
    Rarely,
    Reduce,
    Reload,
    Repeat,
    SortTile,
    Store,
    StorePair,
    Turn,
)
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.shape import Constant, ExtentOf

from ..cpu.parallel_loops import parallel
from .complex_memory import load_pair, store_pair
from .compress_store import append
from .memory import MemoryWriter
from .outlined import outlined, rarely
from .reductions import lane_reduction, slot_reduction
from .regions import branch, repeat
from .register_transpose import load_square, turn
from .registers import Reg, literal
from .sorting_networks import merge_runs, sort_tile

# Writes an op, of the class that it is for, with a `KernelWriter`.
Writer: TypeAlias = Callable[[Any, Any], None]


class KernelWriter(MemoryWriter):
    """Writes one kernel: `define internal i32 @name(ptr each buffer, ptr %symbols, ptr %error)`.

    It returns 0, or the number of the site that failed.
    """

    # What writes the ops of each class; of elementwise ones it is `scalar_op`. Methods are looked
    # up when they are called: writers for other machines have their own.
    writers: ClassVar[Mapping[type[Op], Writer]] = {
        Constant: lambda w, op: w.constant(op),
        ExtentOf: lambda w, op: w.extent_of(op),
        Load: lambda w, op: w.load(op),
        Reload: lambda w, op: w.load(op),
        LoadPair: load_pair,
        LoadSquare: load_square,
        Store: lambda w, op: w.store(op),
        StorePair: store_pair,
        Append: append,
        Local: lambda w, op: w.local(op),
        Combine: lambda w, op: w.combined(op),
        Assert: lambda w, op: w.check(op),
        Parallel: parallel,
        Aligned: lambda w, op: w.aligned(op),
        ChooseBuffer: lambda w, op: w.choose_buffer(op),
        Opaque: lambda w, op: w.opaque(op),
        Prefetch: lambda w, op: w.prefetch(op),
        Turn: turn,
        SortTile: sort_tile,
        MergeRuns: merge_runs,
        For: lambda w, op: w.loop(op),
        Repeat: repeat,
        Branch: branch,
        Rarely: rarely,
        Reduce: lambda w, op: w.reduction(op),
    }

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.parts: list[str] = []  # the functions of parallel loops
        self.alone = False  # whether loops stay in this function

    def another(self, name: str) -> KernelWriter:
        """A writer for a part of this kernel, as a function of its own."""
        return KernelWriter(name, self.kernel, self.table, self.machine)

    def adopt(self, inner: KernelWriter) -> None:
        """What another function of the module wants beside it."""
        self.declared |= inner.declared
        self.helpers |= inner.helpers

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

    def body(self, region: Function) -> None:
        for op in region.body:
            self.op(op)

    def op(self, op: Op) -> None:
        write = self.writers.get(type(op))
        if write is not None:
            write(self, op)
        elif isinstance(op, ew.Elementwise):
            self.values[op.result] = self.scalar_op(op)
        else:
            raise NotImplementedError(f"no code for {op.mnemonic}")

    def constant(self, op: Constant) -> None:
        dtype = op.result.dtype
        self.values[op.result] = Reg(literal(op.value, dtype), dtype)

    def extent_of(self, op: ExtentOf) -> None:
        self.values[op.result] = Reg(self.extents[op.value], int64)

    def aligned(self, op: Aligned) -> None:
        address = self.emit(f"ptrtoint ptr {self.values[op.buffer].name} to i64")
        rest = self.emit(f"and i64 {address}, {op.bytes - 1}")
        self.values[op.result] = Reg(self.emit(f"icmp eq i64 {rest}, 0"), bool_)

    def choose_buffer(self, op: ChooseBuffer) -> None:
        x, y = self.values[op.x], self.values[op.y]
        condition = self.values[op.condition].name
        picked = self.emit(f"select i1 {condition}, ptr {x.name}, ptr {y.name}")
        self.values[op.result] = Reg(picked, x.dtype)

    def opaque(self, op: Opaque) -> None:
        name = self.emit(f'call i64 asm "", "=r,0"(i64 {self.values[op.x].name})')
        self.values[op.result] = Reg(name, int64)

    def loop(self, op: For) -> None:
        match op.kind:
            case "vector":
                self.vector_loop(op)
            case "lanes":
                self.side_by_side(op, None)
            case "some":
                with self.scope():
                    low, high = self.values[op.low].name, self.values[op.high].name
                    count = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
                    self.side_by_side(op, self.first_lanes(count, op.step))
            case _:
                self.serial_loop(op)

    def reduction(self, op: Reduce) -> None:
        if op.kind == "vector":
            lane_reduction(self, op)
        else:
            slot_reduction(self, op)

    def scalar_op(self, op: Op) -> Reg:
        regs = [self.values[v] for v in op.operands]
        dtype = op.results[0].type.dtype
        if dtype is int64 and isinstance(op, ew.Add | ew.Sub | ew.Mul):
            strided = self.index_op(op, regs)
            if strided is not None:
                return strided
        lanes = self.varying(*regs)
        if lanes == 1:
            names = [r.name for r in regs]
        else:
            names = [self.vector(r, lanes) for r in regs]
        return Reg(self.instruction(op, names, lanes), dtype, lanes)

    def index_op(self, op: Op, regs: list[Reg]) -> Reg | None:
        """Arithmetic on base + lane * stride that stays of this form, or None."""
        x, y = regs
        if x.stride is None and y.stride is None:
            return None
        if x.lanes > 1 or y.lanes > 1:
            return None
        strides = (x.stride or "0", y.stride or "0")
        constant = [s.lstrip("-").isdigit() for s in strides]
        code = op.mnemonic  # add, sub or mul
        if code == "mul":
            if x.stride is not None and y.stride is not None:
                return None
            stride, factor = (x.stride, y.name) if x.stride is not None else (y.stride, x.name)
            if stride == "1":
                step = factor
            elif stride and stride.isdigit() and factor.isdigit():
                step = str(int(stride) * int(factor))
            else:
                step = self.emit(f"mul i64 {stride}, {factor}")
        elif strides[1] == "0":
            step = strides[0]
        elif strides[0] == "0" and code == "add":
            step = strides[1]
        elif all(constant):
            step = str(int(strides[0]) + (1 if code == "add" else -1) * int(strides[1]))
        else:
            step = self.emit(f"{code} i64 {strides[0]}, {strides[1]}")
        base = self.emit(f"{code} i64 {x.name}, {y.name}")
        return Reg(base, int64) if step == "0" else Reg(base, int64, 1, step)

    def combined(self, op: Combine) -> None:
        lanes = self.varying(*(self.values[v] for v in (*op.old, *op.new)))
        old, new = ([self.vector(self.values[v], lanes) for v in vs] for vs in (op.old, op.new))
        dtypes = [v.dtype for v in op.old]
        names = self.combine(op.combine, old, new, dtypes, lanes)
        for result, name, dtype in zip(op.results, names, dtypes, strict=True):
            self.values[result] = Reg(name, dtype, lanes)

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
            bits, some = self.some(bad, lanes)
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

    def some(self, mask: str, lanes: int) -> tuple[str, str]:
        """The lanes of a mask as bits, and whether there is any."""
        bits = self.emit(f"bitcast <{lanes} x i1> {mask} to i{lanes}")
        return bits, self.emit(f"icmp ne i{lanes} {bits}, 0")

    def called(self, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
        """The results of a function of scalars, in so many lanes each."""
        return outlined(self, f, arguments, lanes)

    # Loops.

    def counted(
        self,
        low: str,
        high: str,
        step: int | str,
        body: Callable[[str], Sequence[tuple[str, str]]],
        carried: Sequence[tuple[str, str]] = (),
    ) -> list[str]:
        """`for i = low; i < high; i += step`; the carried values (type, initial) after it.

        `body` gets the index and finds the carried values in `self.phis`; it returns the next
        ones as (type, name).
        """
        head, inside, done = (self.fresh(h)[1:] for h in ("loop", "body", "done"))
        origin = self.block
        self.do(f"br label %{head}")
        self.label(head)
        place = len(self.lines)
        index, following = self.fresh("i"), self.fresh("next")
        phis = [self.fresh("c") for _ in carried]
        more = self.emit(f"icmp slt i64 {index}, {high}")
        self.do(f"br i1 {more}, label %{inside}, label %{done}")
        self.label(inside)
        self.phis = list(phis)
        with self.scope():
            new = body(index)
        self.do(f"{following} = add i64 {index}, {step}")
        self.do(f"br label %{head}")
        latch = self.block
        rows = [f"  {index} = phi i64 [ {low}, %{origin} ], [ {following}, %{latch} ]"]
        for phi, (kind, initial), (_, value) in zip(phis, carried, new, strict=True):
            rows.append(f"  {phi} = phi {kind} [ {initial}, %{origin} ], [ {value}, %{latch} ]")
        self.lines[place:place] = rows
        self.label(done)
        return phis

    def serial_loop(self, op: For) -> None:
        low, high = self.values[op.low].name, self.values[op.high].name
        lanes = self.lanes
        inits = [(self.type(v.dtype, lanes), self.vector(self.values[v], lanes)) for v in op.init]

        def body(index: str) -> list[tuple[str, str]]:
            first, *rest = op.body.params
            self.values[first] = Reg(index, int64)
            for param, phi in zip(rest, self.phis, strict=True):
                self.values[param] = Reg(phi, param.dtype, lanes)
            self.body(op.body)
            return [
                (self.type(v.dtype, lanes), self.vector(self.values[v], lanes))
                for v in op.body.returns
            ]

        finals = self.counted(low, high, op.step, body, inits)
        for result, name in zip(op.results, finals, strict=True):
            self.values[result] = Reg(name, result.dtype, lanes)

    def side_by_side(self, op: For, mask: str | None) -> None:
        """The body once, for `step` lanes, or those of the mask."""
        with self.scope(op.step, mask):
            self.values[op.body.params[0]] = Reg(self.values[op.low].name, int64, 1, "1")
            self.body(op.body)

    def width(self, op: For) -> int:
        """How many lanes a vector loop runs in: full registers of its widest element, `step` of
        them side by side, but not many more than there is to do."""
        widest = 1
        for inner in op.body.walk():
            if isinstance(inner, Load | LoadPair | Store | StorePair | Append):
                widest = max(widest, inner.buffer.dtype.itemsize)
        lanes = max(1, self.machine.vector_bits // 8 // widest) * op.step
        low, high = self.values[op.low].name, self.values[op.high].name
        if low == "0" and high.isdigit():
            while lanes > 1 and lanes // 2 >= int(high):
                lanes //= 2
        return lanes

    def vector_loop(self, op: For) -> None:
        lanes = self.width(op)
        low, high = self.values[op.low].name, self.values[op.high].name
        if lanes == 1:
            plain = For(op.low, op.high, op.init, 1, "serial", op.body)
            object.__setattr__(plain, "results", op.results)
            self.serial_loop(plain)
            return
        static = int(high) if low == "0" and high.isdigit() else None

        def run(index: str) -> list[tuple[str, str]]:
            self.values[op.body.params[0]] = Reg(index, int64, 1, "1")
            self.body(op.body)
            return []

        if static is None:
            count = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
            rest = self.emit(f"and i64 {count}, {lanes - 1}")
            whole = self.emit(f"sub i64 {high}, {rest}")
        else:
            rest, whole = str(static % lanes), str(static - static % lanes)
        if whole != "0":
            with self.scope(lanes, None):
                self.counted(low, whole, lanes, run)
        if rest == "0":
            return
        then, after = self.fresh("tail")[1:], self.fresh("end")[1:]
        if static is None:
            some = self.emit(f"icmp sgt i64 {rest}, 0")
            self.do(f"br i1 {some}, label %{then}, label %{after}")
            self.label(then)
        with self.scope():
            mask = self.first_lanes(rest, lanes)
            with self.scope(lanes, mask):
                run(whole)
        if static is None:
            self.do(f"br label %{after}")
            self.label(after)

    def first_lanes(self, count: str, lanes: int) -> str:
        """A mask of the first `count` lanes."""
        if count.isdigit():
            # Spelt out: LLVM 22 crashes on masked stores whose mask is a bitcast constant.
            flags = ["true" if i < int(count) else "false" for i in range(lanes)]
            return "<" + ", ".join(f"i1 {flag}" for flag in flags) + ">"
        limit = self.splat(self.emit(f"trunc i64 {count} to i32"), int32, lanes)
        return self.emit(f"icmp slt <{lanes} x i32> {self.iota(lanes, 'i32')}, {limit}")
