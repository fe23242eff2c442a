"""Kernels as text LLVM IR: what is the same on all machines.

A machine's writer derives from `KernelWriter`, adds its own ops to the table `writers`, and says
what a function's head, a failed check and a seldom needed function look like there. Text is written
for as many lanes as `Emitter.lanes` says: one, where it says nothing.

LLVM ends the process on much that it does not expect. So only these reach it: arithmetic,
comparisons, casts, select, phi, br, load, store, alloca, shufflevector, insert- and
extractelement, calls of functions in the same text, and the intrinsics that are named in the
modules of writers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import bool_, int8, int16, int64
from tfc.ir.kernels.ops import (
    Aligned,
    Assert,
    Branch,
    CallScalar,
    ChooseBuffer,
    Combine,
    For,
    Load,
    LoadPair,
    Local,
    Rarely,
    Reduce,
    Repeat,
    Store,
    StorePair,
)
from tfc.ir.ops import elementwise as ew
from tfc.ir.ops.shape import Constant, ExtentOf

from .complex_memory import load_pair, store_pair
from .loops import LoopWriter
from .memory import MemoryWriter
from .reductions import slot_reduction
from .regions import branch, repeat
from .registers import Reg, literal, llvm_type
from .scalars import BINARY, COMPARE

NEAR = 2**32  # added to how far a loop has counted, which is less than memory has bytes
_LINEAR = (ew.Add, ew.Sub, ew.Mul)
_SELDOM = '!prof !{!"branch_weights", i32 1, i32 1000}'

Writers = Mapping[type[Any], Callable[[Any, Any], None]]  # (writer, op): appends its instructions


class KernelWriter(LoopWriter):
    """Writes one kernel."""

    _known: ClassVar[dict[type[Op], Callable[[Any, Any], None]]]  # what `writer` has answered

    def __init_subclass__(cls) -> None:
        cls._known = {}

    @abstractmethod
    def text(self) -> str:
        """The function, on processors from its parameters on."""

    @abstractmethod
    def check(self, op: Assert) -> None:
        """Leave the kernel, and say so, where a condition fails."""

    @abstractmethod
    def called(self, f: Function, arguments: Sequence[str], lanes: int) -> list[str]:
        """The results of a function of scalars that is seldom needed, in so many lanes each."""

    def op(self, op: Op) -> None:
        write = self._known.get(type(op)) or self.writer(type(op))
        write(self, op)

    def writer(self, kind: type[Op]) -> Callable[[Any, Any], None]:
        """What writes ops of a class, or of the nearest class above it that has a writer."""
        known = [base for base in kind.__mro__ if base in self.writers]
        if not known:
            raise NotImplementedError(f"no code for {kind.mnemonic}")
        self._known[kind] = self.writers[known[0]]
        return self._known[kind]

    # Ops.

    def elementwise(self, op: ew.Elementwise) -> None:
        (result,) = op.results
        regs = [self.values[v] for v in op.operands]
        for reg in regs:
            if reg.lanes > 1 or reg.stride is not None:
                self.values[result] = self.varying_op(op, regs)
                return
        name = self.instruction(op, [reg.name for reg in regs], 1)
        self.values[result] = Reg(name, result.type.dtype)

    def binary(self, op: ew.Binary) -> None:
        """An op that is one instruction: most ops are, on scalars."""
        x, y = self.values[op.x], self.values[op.y]
        (result,) = op.results
        if x.lanes > 1 or y.lanes > 1 or x.stride is not None or y.stride is not None:
            self.values[result] = self.varying_op(op, [x, y])
            return
        dtype = result.dtype
        code = BINARY[type(op)][dtype.is_floating]
        if dtype is int64:
            name = self.whole(code, x.name, y.name)
        else:
            name = self.emit(f"{code} {llvm_type(dtype)} {x.name}, {y.name}")
        self.values[result] = Reg(name, dtype)

    def whole(self, code: str, x: str, y: str) -> str:
        """Arithmetic of i64: what changes nothing is not written. (Lanes count from 0 on, which
        only code generators know.)"""
        if y == "0" and code in ("add", "sub"):
            return x
        if code == "add" and x == "0":
            return y
        if code == "add" and x.isdigit() and y.isdigit() and int(x) + int(y) < 2**63:
            return str(int(x) + int(y))
        return self.emit(f"{code} i64 {x}, {y}")

    def varying_op(self, op: Op, regs: list[Reg]) -> Reg:
        """An elementwise op on registers of which some differ from lane to lane."""
        dtype = op.results[0].type.dtype
        if dtype is int64 and isinstance(op, _LINEAR):
            strided = self.index_op(op, regs)
            if strided is not None:
                return strided
        lanes = self.lanes
        if lanes > 1 and isinstance(op, ew.Comparison) and regs[0].dtype is int64:
            told = self.lane_numbers_compared(op, regs, lanes)
            if told is not None:
                return told
        names = [self.vector(reg, lanes) if lanes > 1 else reg.name for reg in regs]
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
        base = self.whole(code, x.name, y.name)
        return Reg(base, int64) if step == "0" else Reg(base, int64, 1, step)

    def lane_numbers_compared(self, op: ew.Comparison, regs: list[Reg], lanes: int) -> Reg | None:
        """A comparison of an index with what is the same in all lanes, or None: lanes compare
        their numbers with how far they are from it, in bytes instead of 64 bits.

            base + lane < bound        lane < bound - base, as far as there are lanes
        """
        x, y = regs
        mirrored = x.stride is None
        if mirrored:
            x, y = y, x
        if (x.stride, x.lanes, y.stride, y.lanes) != ("1", 1, None, 1):
            return None
        if 64 * lanes <= 2 * self.machine.vector_bits or not self.near_counter(
            op.y if mirrored else op.x
        ):
            return None
        if y.name.lstrip("-").isdigit() and abs(int(y.name)) < NEAR:
            ahead = self.emit(f"sub i64 {y.name}, {x.name}")
        else:  # any number of the program's
            self.declare("i64", "llvm.ssub.sat.i64", "i64, i64")
            ahead = self.emit(f"call i64 @llvm.ssub.sat.i64(i64 {y.name}, i64 {x.name})")
        for name, end in ("smax", -1), ("smin", lanes):
            self.declare("i64", f"llvm.{name}.i64", "i64, i64")
            ahead = self.emit(f"call i64 @llvm.{name}.i64(i64 {ahead}, i64 {end})")
        narrow = int8 if lanes <= 127 else int16
        kind = llvm_type(narrow)
        numbers = self.iota(lanes, kind)
        limit = self.splat(self.emit(f"trunc i64 {ahead} to {kind}"), narrow, lanes)
        names = [limit, numbers] if mirrored else [numbers, limit]
        kind = self.type(narrow, lanes)
        code, _ = COMPARE[type(op)]
        code = code if code in ("eq", "ne") else f"s{code}"
        return Reg(self.emit(f"icmp {code} {kind} {names[0]}, {names[1]}"), bool_, lanes)

    def near_counter(self, index: Value) -> bool:
        """Whether an index is a vector loop's own and a number so small that nothing wraps."""
        match index.op:
            case None:
                return self.values[index].stride is not None
            case ew.Add(x=x, y=Value(op=Constant(value=value))):
                return abs(int(value)) < NEAR and self.near_counter(x)
        return False

    def combined(self, op: Combine) -> None:
        lanes = self.varying(*(self.values[v] for v in (*op.old, *op.new)))
        old, new = ([self.vector(self.values[v], lanes) for v in vs] for vs in (op.old, op.new))
        dtypes = [v.dtype for v in op.old]
        names = self.combine(op.combine, old, new, dtypes, lanes)
        for result, name, dtype in zip(op.results, names, dtypes, strict=True):
            self.values[result] = Reg(name, dtype, lanes)

    def constant(self, op: Constant) -> None:
        (result,) = op.results
        self.values[result] = Reg(literal(op.value, result.dtype), result.dtype)

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

    def rarely(self, op: Rarely) -> None:
        """Call the slow way where some lane wants it; which do is decided by selects."""
        regs = [self.values[v] for v in op.operands]
        lanes = self.varying(*regs)
        condition, *names = (self.vector(r, lanes) for r in regs)
        arguments, otherwise = names[: len(op.args)], names[len(op.args) :]
        some = condition if lanes == 1 else self.any_lane(condition, lanes)[1]
        then, after = self.fresh("rare")[1:], self.fresh("usual")[1:]
        origin = self.block
        self.do(f"br i1 {some}, label %{then}, label %{after}, {_SELDOM}")
        self.label(then)
        chosen = self.called(op.callee, arguments, lanes)
        kinds = [self.type(v.dtype, lanes) for v in op.results]
        if lanes > 1:
            bools = f"<{lanes} x i1> {condition}"
            chosen = [
                self.emit(f"select {bools}, {kind} {x}, {kind} {y}")
                for kind, x, y in zip(kinds, chosen, otherwise, strict=True)
            ]
        last = self.block
        self.do(f"br label %{after}")
        self.label(after)
        for v, kind, x, y in zip(op.results, kinds, chosen, otherwise, strict=True):
            joined = self.emit(f"phi {kind} [ {x}, %{last} ], [ {y}, %{origin} ]")
            self.values[v] = Reg(joined, v.dtype, lanes)

    def call_scalar(self, op: CallScalar) -> None:
        regs = [self.values[v] for v in op.args]
        lanes = self.varying(*regs)
        names = self.called(op.callee, [self.vector(r, lanes) for r in regs], lanes)
        for v, name in zip(op.results, names, strict=True):
            self.values[v] = Reg(name, v.dtype, lanes)

    def any_lane(self, mask: str, lanes: int) -> tuple[str, str]:
        """The lanes of a mask as bits, and whether there is any."""
        bits = self.emit(f"bitcast <{lanes} x i1> {mask} to i{lanes}")
        return bits, self.emit(f"icmp ne i{lanes} {bits}, 0")

    writers: ClassVar[Writers] = {  # of what all machines have
        ew.Elementwise: elementwise,
        **dict.fromkeys(BINARY, binary),
        Constant: constant,
        ExtentOf: extent_of,
        Load: MemoryWriter.load,
        LoadPair: load_pair,
        Store: MemoryWriter.store,
        StorePair: store_pair,
        Local: MemoryWriter.local,
        Combine: combined,
        Aligned: aligned,
        ChooseBuffer: choose_buffer,
        For: LoopWriter.serial_loop,
        Repeat: repeat,
        Branch: branch,
        CallScalar: call_scalar,
        Rarely: rarely,
        Reduce: slot_reduction,
    }
