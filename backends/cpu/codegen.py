"""Kernels as text LLVM IR.

Vectors are explicit: inside a `vector` loop a value that depends on the loop's index is a
register of `lanes` elements, everything else stays scalar. The loop runs whole vectors first and
then one masked round for the rest. An index is kept as base + lane * stride as long as the
arithmetic on it allows, so that loads and stores at stride 1 are plain vector accesses.

LLVM ends the process on much that it does not expect. So only these reach it: arithmetic,
comparisons, casts, select, phi, br, load, store, alloca, shufflevector, insert- and
extractelement, calls of functions in the same text, and the intrinsics named here and in
instructions.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import DType, bool_, int32, int64
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.kernel import (
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
    Repeat,
    SortTile,
    Store,
    StorePair,
    Turn,
)
from tfc.ir.ops.shape import Constant, ExtentOf

from .appending import append
from .backwards import load_backwards
from .instructions import ScalarWriter
from .pairs import load_pair, store_pair
from .parallel import parallel
from .rare import outlined, rarely
from .regions import branch, repeat
from .registers import Reg, literal, llvm_type, memory_type, memory_vector, type_code
from .sorting import merge_runs, sort_tile
from .squares import load_square, turn


class KernelWriter(ScalarWriter):
    """Writes one kernel: `define internal i32 @name(ptr each buffer, ptr %symbols, ptr %error)`.

    It returns 0, or the number of the site that failed.
    """

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
        match op:
            case ew.Elementwise():
                self.values[op.result] = self.scalar_op(op)
            case Constant(value=value):
                dtype = op.result.dtype
                self.values[op.result] = Reg(literal(value, dtype), dtype)
            case ExtentOf(value=extent):
                self.values[op.result] = Reg(self.extents[extent], int64)
            case Load():
                self.load(op)
            case LoadPair():
                load_pair(self, op)
            case LoadSquare():
                load_square(self, op)
            case Store():
                self.store(op)
            case StorePair():
                store_pair(self, op)
            case Append():
                append(self, op)
            case Local():
                self.local(op)
            case Combine():
                self.combined(op)
            case Assert():
                self.check(op)
            case Parallel():
                parallel(self, op)
            case Aligned():
                address = self.emit(f"ptrtoint ptr {self.values[op.buffer].name} to i64")
                rest = self.emit(f"and i64 {address}, {op.bytes - 1}")
                self.values[op.result] = Reg(self.emit(f"icmp eq i64 {rest}, 0"), bool_)
            case ChooseBuffer():
                x, y = self.values[op.x], self.values[op.y]
                condition = self.values[op.condition].name
                picked = self.emit(f"select i1 {condition}, ptr {x.name}, ptr {y.name}")
                self.values[op.result] = Reg(picked, x.dtype)
            case Opaque():
                name = self.emit(f'call i64 asm "", "=r,0"(i64 {self.values[op.x].name})')
                self.values[op.result] = Reg(name, int64)
            case Prefetch():
                self.prefetch(op)
            case Turn():
                turn(self, op)
            case SortTile():
                sort_tile(self, op)
            case MergeRuns():
                merge_runs(self, op)
            case For(kind="vector"):
                self.vector_loop(op)
            case For(kind="lanes"):
                self.side_by_side(op, None)
            case For(kind="some"):
                with self.scope():
                    low, high = self.values[op.low].name, self.values[op.high].name
                    count = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
                    self.side_by_side(op, self.first_lanes(count, op.step))
            case For():
                self.serial_loop(op)
            case Repeat():
                repeat(self, op)
            case Branch():
                branch(self, op)
            case Rarely():
                rarely(self, op)
            case Reduce(kind="vector"):
                self.lane_reduction(op)
            case Reduce():
                self.slot_reduction(op)
            case _:
                raise NotImplementedError(f"no code for {op.mnemonic}")

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

    # Memory.

    def lane_mask(self, op_mask: Value | None, lanes: int) -> str | None:
        """The lanes that may touch memory, or None for all."""
        own = None if op_mask is None else self.vector(self.values[op_mask], lanes)
        tail = self.mask if lanes > 1 else None
        if own is None or tail is None:
            return own or tail
        return self.emit(f"and {self.type(bool_, lanes)} {own}, {tail}")

    def load(self, op: Load) -> None:
        buffer, offset = self.values[op.buffer], self.values[op.offset]
        dtype = op.result.dtype
        mask_reg = None if op.mask is None else self.values[op.mask]
        lanes = self.varying(offset, *([mask_reg] if mask_reg else []))
        element, align = memory_type(dtype), dtype.itemsize
        if lanes == 1:
            pointer = self.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
            if mask_reg is None:
                raw = self.emit(f"load {element}, ptr {pointer}, align {align}")
            else:
                raw = self.guarded_load(mask_reg.name, pointer, element, align)
        else:
            raw = self.vector_load(buffer, offset, self.lane_mask(op.mask, lanes), dtype, lanes)
        self.values[op.result] = Reg(self.from_memory(raw, dtype, lanes), dtype, lanes)

    def from_memory(self, raw: str, dtype: DType, lanes: int) -> str:
        if dtype is not bool_:
            return raw
        kind = "i8" if lanes == 1 else f"<{lanes} x i8>"
        return self.emit(f"trunc {kind} {raw} to {self.type(bool_, lanes)}")

    def guarded_load(self, condition: str, pointer: str, element: str, align: int) -> str:
        """A scalar load that only happens where the condition holds, else 0."""
        origin = self.block
        then, after = self.fresh("load")[1:], self.fresh("skip")[1:]
        self.do(f"br i1 {condition}, label %{then}, label %{after}")
        self.label(then)
        raw = self.emit(f"load {element}, ptr {pointer}, align {align}")
        self.do(f"br label %{after}")
        self.label(after)
        zero = "0" if element[0] == "i" else "zeroinitializer" if element[0] == "<" else "0.0"
        return self.emit(f"phi {element} [ {raw}, %{then} ], [ {zero}, %{origin} ]")

    def vector_load(
        self, buffer: Reg, offset: Reg, mask: str | None, dtype: DType, lanes: int
    ) -> str:
        element, align = memory_type(dtype), dtype.itemsize
        kind, bools = f"<{lanes} x {element}>", f"<{lanes} x i1>"
        if offset.stride == "1":
            pointer = self.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
            if mask is None:
                return self.emit(f"load {kind}, ptr {pointer}, align {align}")
            name = f"llvm.masked.load.v{lanes}{type_code(element)}.p0"
            self.declare(kind, name, f"ptr, i32, {bools}, {kind}")
            return self.emit(
                f"call {kind} @{name}(ptr {pointer}, i32 {align}, {bools} {mask}, "
                f"{kind} zeroinitializer)"
            )
        if offset.stride == "-1":
            return load_backwards(self, buffer, offset, mask, dtype, lanes)
        pointers = self.pointers(buffer, offset, element, lanes)
        mask = mask or "splat (i1 true)"
        name = f"llvm.masked.gather.v{lanes}{type_code(element)}.v{lanes}p0"
        self.declare(kind, name, f"<{lanes} x ptr>, i32, {bools}, {kind}")
        return self.emit(
            f"call {kind} @{name}(<{lanes} x ptr> {pointers}, i32 {align}, {bools} {mask}, "
            f"{kind} zeroinitializer)"
        )

    def pointers(self, buffer: Reg, offset: Reg, element: str, lanes: int) -> str:
        offsets = self.vector(offset, lanes)
        return self.emit(f"getelementptr {element}, ptr {buffer.name}, <{lanes} x i64> {offsets}")

    def store(self, op: Store) -> None:
        buffer, offset, value = (self.values[v] for v in (op.buffer, op.offset, op.value))
        dtype = op.value.dtype
        element, align = memory_type(dtype), dtype.itemsize
        lanes = self.varying(offset)
        x = self.vector(value, lanes) if lanes > 1 else value.name
        if dtype is bool_:
            kind = element if lanes == 1 else f"<{lanes} x i8>"
            x = self.emit(f"zext {self.type(bool_, lanes)} {x} to {kind}")
        kind = element if lanes == 1 else f"<{lanes} x {element}>"
        bools = f"<{lanes} x i1>"
        if lanes == 1:
            assert value.lanes == 1 and value.stride is None, "a varying value at one address"
        if lanes == 1 or (offset.stride == "1" and self.mask is None):
            pointer = self.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
            self.do(f"store {kind} {x}, ptr {pointer}, align {align}")
        elif offset.stride == "1":
            pointer = self.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
            name = f"llvm.masked.store.v{lanes}{type_code(element)}.p0"
            self.declare("void", name, f"{kind}, ptr, i32, {bools}")
            self.do(
                f"call void @{name}({kind} {x}, ptr {pointer}, i32 {align}, {bools} {self.mask})"
            )
        else:
            pointers = self.pointers(buffer, offset, element, lanes)
            name = f"llvm.masked.scatter.v{lanes}{type_code(element)}.v{lanes}p0"
            self.declare("void", name, f"{kind}, <{lanes} x ptr>, i32, {bools}")
            mask = self.mask or "splat (i1 true)"
            self.do(
                f"call void @{name}({kind} {x}, <{lanes} x ptr> {pointers}, i32 {align}, "
                f"{bools} {mask})"
            )

    def local(self, op: Local) -> None:
        array = self.fresh("local")
        element = memory_type(op.dtype)
        count = math.prod(op.shape)
        self.allocas.append(f"  {array} = alloca {element}, i64 {count}, align 64")
        self.values[op.result] = Reg(array, op.dtype)

    def combined(self, op: Combine) -> None:
        lanes = self.varying(*(self.values[v] for v in (*op.old, *op.new)))
        old, new = ([self.vector(self.values[v], lanes) for v in vs] for vs in (op.old, op.new))
        dtypes = [v.dtype for v in op.old]
        names = self.combine(op.combine, old, new, dtypes, lanes)
        for result, name, dtype in zip(op.results, names, dtypes, strict=True):
            self.values[result] = Reg(name, dtype, lanes)

    def prefetch(self, op: Prefetch) -> None:
        buffer, offset = self.values[op.buffer], self.values[op.offset]
        element = memory_type(op.buffer.dtype)
        pointer = self.emit(f"getelementptr {element}, ptr {buffer.name}, i64 {offset.name}")
        self.fetch(pointer, op.purpose)

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

    # Reductions.

    def lane_reduction(self, op: Reduce) -> None:
        """The slots are the lanes of one register; what is left of the last round is masked."""
        assert self.lanes == 1, "a vector reduction inside a vector loop"
        count = self.values[op.count].name
        lanes = self.slots(count)
        if lanes == 1:
            self.slot_reduction(op)
            return
        dtypes = [v.dtype for v in op.body.returns]
        kinds = [self.type(d, lanes) for d in dtypes]
        start = [
            self.splat(x, d, lanes)
            for x, d in zip(self.neutral(op.combine, dtypes), dtypes, strict=True)
        ]

        def element(index: str) -> list[str]:
            self.values[op.body.params[0]] = Reg(index, int64, 1, "1")
            self.body(op.body)
            return [self.vector(self.values[v], lanes) for v in op.body.returns]

        def run(index: str) -> list[tuple[str, str]]:
            old = self.phis
            new = self.combine(op.combine, old, element(index), dtypes, lanes)
            return list(zip(kinds, new, strict=True))

        if count.isdigit():
            rest, whole = str(int(count) % lanes), str(int(count) - int(count) % lanes)
        else:
            rest = self.emit(f"and i64 {count}, {lanes - 1}")
            whole = self.emit(f"sub i64 {count}, {rest}")
        partial = start
        if whole != "0":
            with self.scope(lanes, None):
                partial = self.counted("0", whole, lanes, run, list(zip(kinds, start, strict=True)))
        if rest != "0":
            origin = self.block
            if not rest.isdigit():
                then, after = self.fresh("tail")[1:], self.fresh("end")[1:]
                some = self.emit(f"icmp ne i64 {rest}, 0")
                self.do(f"br i1 {some}, label %{then}, label %{after}")
                self.label(then)
            with self.scope():
                mask = self.first_lanes(rest, lanes)
                with self.scope(lanes, mask):
                    new = self.combine(op.combine, partial, element(whole), dtypes, lanes)
                bools = f"<{lanes} x i1>"
                masked = [
                    self.emit(f"select {bools} {mask}, {k} {n}, {k} {p}")
                    for k, n, p in zip(kinds, new, partial, strict=True)
                ]
            if rest.isdigit():
                partial = masked
            else:
                self.do(f"br label %{after}")
                latch = self.block
                self.label(after)
                partial = [
                    self.emit(f"phi {k} [ {m}, %{latch} ], [ {p}, %{origin} ]")
                    for k, m, p in zip(kinds, masked, partial, strict=True)
                ]
        while lanes > 1:
            half = lanes // 2
            halves: list[list[str]] = []
            for first in (0, half):
                picks = ", ".join(f"i32 {first + i}" for i in range(half))
                halves.append(
                    [
                        self.emit(
                            f"shufflevector <{lanes} x {llvm_type(d)}> {p}, "
                            f"<{lanes} x {llvm_type(d)}> poison, <{half} x i32> <{picks}>"
                        )
                        for p, d in zip(partial, dtypes, strict=True)
                    ]
                )
            if half == 1:
                halves = [
                    [
                        self.emit(f"extractelement <1 x {llvm_type(d)}> {p}, i64 0")
                        for p, d in zip(part, dtypes, strict=True)
                    ]
                    for part in halves
                ]
            partial = self.combine(op.combine, halves[0], halves[1], dtypes, half)
            lanes = half
        for result, name, dtype in zip(op.results, partial, dtypes, strict=True):
            self.values[result] = Reg(name, dtype)

    def slot_reduction(self, op: Reduce) -> None:
        """Every lane reduces its own elements: the slots are an array on the stack."""
        count, lanes = self.values[op.count].name, self.lanes
        slots = self.slots(count)
        dtypes = [v.dtype for v in op.body.returns]
        kinds = [memory_vector(d, lanes) for d in dtypes]
        arrays = [self.fresh("slots") for _ in dtypes]
        for array, kind in zip(arrays, kinds, strict=True):
            self.allocas.append(f"  {array} = alloca {kind}, i64 {slots}, align 64")

        def at(slot: str) -> list[str]:
            return [
                self.emit(f"getelementptr {k}, ptr {a}, i64 {slot}")
                for a, k in zip(arrays, kinds, strict=True)
            ]

        def read(places: Sequence[str]) -> list[str]:
            raw = [
                self.emit(f"load {k}, ptr {p}, align {d.itemsize}")
                for p, k, d in zip(places, kinds, dtypes, strict=True)
            ]
            return [self.from_memory(r, d, lanes) for r, d in zip(raw, dtypes, strict=True)]

        def write(places: Sequence[str], new: Sequence[str]) -> None:
            for place, kind, value, dtype in zip(places, kinds, new, dtypes, strict=True):
                if dtype is bool_:
                    value = self.emit(f"zext {self.type(bool_, lanes)} {value} to {kind}")
                self.do(f"store {kind} {value}, ptr {place}, align {dtype.itemsize}")

        start = [
            self.splat(x, d, lanes)
            for x, d in zip(self.neutral(op.combine, dtypes), dtypes, strict=True)
        ]

        def clear(slot: str) -> list[tuple[str, str]]:
            write(at(slot), start)
            return []

        def add(index: str) -> list[tuple[str, str]]:
            self.values[op.body.params[0]] = Reg(index, int64)
            self.body(op.body)
            new = [self.vector(self.values[v], lanes) for v in op.body.returns]
            slot = self.emit(f"and i64 {index}, {slots - 1}")
            places = at(slot)
            write(places, self.combine(op.combine, read(places), new, dtypes, lanes))
            return []

        def fold(level: str) -> list[tuple[str, str]]:
            half = self.emit(f"lshr i64 {slots // 2}, {level}")

            def one(slot: str) -> list[tuple[str, str]]:
                places, upper = at(slot), at(self.emit(f"add i64 {slot}, {half}"))
                write(places, self.combine(op.combine, read(places), read(upper), dtypes, lanes))
                return []

            self.counted("0", filled(half), 1, one)
            return []

        def filled(half: str) -> str:
            """`half`, or 0 where the slots from there on are neutral anyway."""
            if count.isdigit():
                return half
            some = self.emit(f"icmp slt i64 {half}, {count}")
            return self.emit(f"select i1 {some}, i64 {half}, i64 0")

        used, levels = str(slots), str(slots.bit_length() - 1)
        if not count.isdigit():  # often 1: the chunks of what is short
            several = self.emit(f"icmp sgt i64 {count}, 1")
            used = self.emit(f"select i1 {several}, i64 {used}, i64 1")
            levels = self.emit(f"select i1 {several}, i64 {levels}, i64 0")
        self.counted("0", used, 1, clear)
        self.counted("0", count, 1, add)
        self.counted("0", levels, 1, fold)
        finals = read(at("0"))
        for result, name, dtype in zip(op.results, finals, dtypes, strict=True):
            self.values[result] = Reg(name, dtype, lanes)
