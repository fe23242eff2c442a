"""Whole functions as one native call: kernels, the calls of them, and where buffers live.

    define i32 @program(ptr %buffers, ptr %symbols, ptr %arena, ptr %error)

`buffers` points to the data of inputs and then results, `symbols` to the values of the symbols,
`arena` to scratch memory for what lives only inside. It returns 0, or the number of the check
that failed, having written the values that belong to it to `error`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any

from tfc.ir.core import Function, Value, structure
from tfc.ir.extent import Extent, ceildiv, product, symbols
from tfc.ir.lowering import Site, Target
from tfc.ir.ops.kernel import LAUNCHES, Assert, HostLaunch, Launch

from . import jit, runtime
from .codegen import KernelWriter
from .entry import ONCE, RELEASE_WORK, entry_text
from .host import host_symbols
from .machine import Machine, host
from .registers import extent_code
from .spec import EntrySpec

ALIGN = 64  # bytes; of buffers in the arena


def target() -> Target:
    """What schedules want to know of this machine."""
    machine = host()
    return Target(machine.vector_bits // 8, machine.vector_registers)


@dataclass
class Program:
    """A compiled function. `bind` makes the callable; many may share one program."""

    spec: EntrySpec
    library: jit.Library
    text: str
    sites: Sequence[Site]

    def bind(
        self, handler: Callable[..., Any], captures: Sequence[object] = (), name: str = "call"
    ) -> BuiltinFunctionType:
        """The builtin that runs it, on `captures` for the inputs that calls do not give."""
        return runtime.native_function(self.library, self.spec.name, (handler, *captures), name)


@dataclass(frozen=True)
class Signature:
    """How a function's inputs and results meet the outside."""

    captures: int = 0  # the last params come with the callable, not with each call
    scalars: tuple[str, ...] = ()  # symbols given as ints behind the tensors
    updates: tuple[tuple[int, int], ...] = ()  # (result, capture) that is overwritten by it
    tuple_result: bool = False


def compile_program(f: Function, signature: Signature | None = None) -> Program:
    """Compile a function of launches (see lowering.py) and load it."""
    text, spec = program_text(f, signature or Signature(), host())
    library = runtime.load(text)
    return Program(spec, library, text, f.notes.get("sites", ()))


def program_text(f: Function, signature: Signature, machine: Machine) -> tuple[str, EntrySpec]:
    """The module for `f`: kernels, @program and the Python entry."""
    plan = _Buffers(f)
    types = [p.type for p in f.params]
    cut = len(types) - signature.captures
    spec = EntrySpec(
        name="entry",
        params=tuple(types[:cut]),
        captures=tuple(types[cut:]),
        scalars=signature.scalars,
        results=tuple(v.type for v in f.returns),
        aliases=plan.aliases,
        updates=signature.updates,
        arena=plan.arena,
        work=plan.work,
        program="program",
        tuple_result=signature.tuple_result,
        requires=tuple((r.extent, r.values, site) for r, site in f.notes.get("requires", ())),
    )
    spec.check()
    writer = _ProgramWriter(f, plan, spec.symbols, machine)
    return writer.text() + "\n" + entry_text(spec), spec


class _Buffers:
    """Where each value's memory is: an input, a result, or a place in the arena."""

    def __init__(self, f: Function) -> None:
        self.root: dict[Value, Value] = {}  # a view, and the value whose memory it shows
        self.where: dict[Value, tuple[str, Any]] = {}
        self.aliases: dict[int, int] = {}
        self.copies: list[tuple[int, Value]] = []
        self.arena: Extent = 0
        self.work: Extent = 0
        for i, p in enumerate(f.params):
            self.where[p] = ("buffer", i)
        for op in f.body:
            if not isinstance(op, LAUNCHES):
                self.root[op.result] = self.base(op.operands[0])
        for i, v in enumerate(f.returns):
            base = self.base(v)
            if base not in self.where:
                self.where[base] = ("buffer", len(f.params) + i)
            elif base.op is None:
                self.aliases[i] = f.params.index(base)
            else:
                self.copies.append((i, base))
        self._arena(f)

    def base(self, v: Value) -> Value:
        return self.root.get(v, v)

    def _arena(self, f: Function) -> None:
        last: dict[Value, int] = {}
        for i, op in enumerate(f.body):
            for v in (*op.operands, *op.results):
                last[self.base(v)] = i
        ending: dict[int, list[Value]] = {}
        for v, i in last.items():
            ending.setdefault(i, []).append(v)
        free: dict[Extent, list[Extent]] = {}
        size: dict[Value, Extent] = {}
        for i, op in enumerate(f.body):
            if isinstance(op, HostLaunch):  # it takes the interpreter lock, so it must be free
                self.work = self.work + (RELEASE_WORK + 1)
            if isinstance(op, LAUNCHES):
                for v in op.results:
                    self.work = self.work + _bytes(v)
                    if v in self.where:
                        continue
                    size[v] = ceildiv(_bytes(v), ALIGN) * ALIGN
                    kept = free.get(size[v])
                    if kept:
                        offset = kept.pop()
                    else:
                        offset, self.arena = self.arena, self.arena + size[v]
                    self.where[v] = ("arena", offset)
                for v in op.inputs:
                    self.work = self.work + _bytes(v)
            for v in ending.get(i, ()):
                if v in size:
                    free.setdefault(size[v], []).append(self.where[v][1])


def _bytes(v: Value) -> Extent:
    return product(v.shape) * int(v.dtype.itemsize)


class _ProgramWriter:
    """Writes @program and, once each, the kernels that it calls."""

    def __init__(self, f: Function, plan: _Buffers, table: Sequence[str], machine: Machine) -> None:
        self.f = f
        self.plan = plan
        self.table = table
        self.machine = machine
        self.lines: list[str] = []
        self.count = 0
        self.kernels: dict[Any, str] = {}  # structure -> name of the native function
        self.code: list[str] = []
        self.declared: set[str] = set()
        self.fails: dict[str, bool] = {}  # whether a kernel has checks

    def emit(self, code: str) -> str:
        self.count += 1
        self.lines.append(f"  %v{self.count} = {code}")
        return f"%v{self.count}"

    def text(self) -> str:
        loaded: dict[str, str] = {}

        def load(name: str) -> str:
            if name not in loaded:
                at = self.table.index(name)
                pointer = self.emit(f"getelementptr i64, ptr %symbols, i64 {at}")
                loaded[name] = self.emit(f"load i64, ptr {pointer}")
            return loaded[name]

        self.load = load
        for extent in (e for v in self.plan.where.values() if v[0] == "arena" for e in [v[1]]):
            for name in symbols(extent):
                load(name)
        pointers: dict[Value, str] = {}
        for op in self.f.body:
            if isinstance(op, Launch):
                self.launch(op, pointers)
            elif isinstance(op, HostLaunch):
                self.host_launch(op, pointers)
        for i, base in self.plan.copies:
            self.copy(len(self.f.params) + i, base, pointers)
        body = "\n".join(self.lines)
        return (
            "\n".join(sorted(self.declared))
            + "\n"
            + "\n".join(self.code)
            + "\ndefine internal i32 @program(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) "
            + f"nounwind {ONCE} {{\nentry:\n{body}\n  ret i32 0\n}}\n"
        )

    def pointer(self, v: Value, pointers: dict[Value, str]) -> str:
        base = self.plan.base(v)
        if base not in pointers:
            kind, place = self.plan.where[base]
            if kind == "buffer":
                slot = self.emit(f"getelementptr ptr, ptr %buffers, i64 {place}")
                pointers[base] = self.emit(f"load ptr, ptr {slot}")
            else:
                offset = extent_code(place, self.emit, self.load)
                pointers[base] = self.emit(f"getelementptr i8, ptr %arena, i64 {offset}")
        return pointers[base]

    def launch(self, op: Launch, pointers: dict[Value, str]) -> None:
        name = self.kernel(op.kernel)
        arguments = [f"ptr {self.pointer(v, pointers)}" for v in (*op.inputs, *op.results)]
        call = ", ".join([*arguments, "ptr %symbols", "ptr %error"])
        status = self.emit(f"call i32 @{name}({call})")
        if self.fails[name]:
            self.leave_with(status, status)

    def leave_with(self, failed: str, status: str) -> None:
        """Return `status` where `failed` is not 0."""
        bad = self.emit(f"icmp ne i32 {failed}, 0")
        self.count += 1
        fail, good = f"fail{self.count}", f"good{self.count}"
        self.lines += [
            f"  br i1 {bad}, label %{fail}, label %{good}",
            f"{fail}:",
            f"  ret i32 {status}",
            f"{good}:",
        ]

    def host_launch(self, op: HostLaunch, pointers: dict[Value, str]) -> None:
        """Hand text, buffers and sizes to @tfc_host (see host.py)."""
        text = str(op.call).encode()
        name = f"@host{len(self.code)}"
        escaped = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in text)
        self.code.append(f'{name} = private constant [{len(text) + 1} x i8] c"{escaped}\\00"')
        self.declared.add("declare i32 @tfc_host(ptr, ptr, ptr)")
        buffers = [("ptr", self.pointer(v, pointers)) for v in (*op.inputs, *op.results)]
        sizes = [("i64", self.load(s)) for s in host_symbols(op.call)]
        places = []
        for table in (buffers, sizes):
            places.append(self.emit(f"alloca i64, i64 {max(len(table), 1)}"))
            for i, (kind, value) in enumerate(table):
                at = self.emit(f"getelementptr i64, ptr {places[-1]}, i64 {i}")
                self.lines.append(f"  store {kind} {value}, ptr {at}")
        call = f"ptr {name}, ptr {places[0]}, ptr {places[1]}"
        self.leave_with(self.emit(f"call i32 @tfc_host({call})"), str(op.site))

    def kernel(self, kernel: Function) -> str:
        key = structure(kernel)
        if key not in self.kernels:
            name = f"k{len(self.kernels)}"
            self.kernels[key] = name
            writer = KernelWriter(name, kernel, self.table, self.machine)
            self.code.append(writer.text())
            self.declared |= writer.declared
            self.fails[name] = any(isinstance(op, Assert) for op in kernel.walk())
        return self.kernels[key]

    def copy(self, result: int, base: Value, pointers: dict[Value, str]) -> None:
        """A second result with the memory of another: results never share memory."""
        slot = self.emit(f"getelementptr ptr, ptr %buffers, i64 {result}")
        to = self.emit(f"load ptr, ptr {slot}")
        size = extent_code(_bytes(base), self.emit, self.load)
        self.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        source = self.pointer(base, pointers)
        self.lines.append(
            f"  call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)"
        )
