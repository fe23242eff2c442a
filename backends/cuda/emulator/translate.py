"""One PTX function -> one LLVM function that runs a thread until it ends or waits for others.

    void resume(ptr thread, ptr launch)

A thread is a state machine: where it waits it stores what lives on into its frame, notes the number
of the place, and returns; the next call loads that again and goes on from there. PTX registers are
variables of integer type (LLVM makes SSA of them); inside a basic block their values are kept at
hand. Each memory access is checked, and a fault is noted in the launch's record.

Float instructions of the machine give one canonical nan (0x7fffffff in 32 bits); the host's may
carry any payload and sign. Registers that only such instructions write are therefore made canonical
where their bits are looked at, not where they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .collectives import collective_number
from .errors import Fault, PtxError
from .flow import Block, Flow, analyse, suspends, written
from .layout import (
    ASYNC_CAPACITY,
    ASYNC_ENTRY,
    AT_COLLECTIVE,
    EXITED,
    LAUNCH,
    LOCAL_BASE,
    PRODUCT_ENTRY,
    PRODUCT_SUMS,
    PRODUCTS,
    SLOTS,
    THREAD,
)
from .registry import (
    COLLECTORS,
    FLOATS,
    HANDLERS,
    Modifiers,
    Products,
    float_literal,
    is_float32,
    label,
)
from .special import special
from .syntax import (
    Immediate,
    Instruction,
    Negated,
    Operand,
    PtxFunction,
    PtxModule,
    Register,
    Symbol,
    bits,
)
from .writer import Variable, Writer

RARE = ", !prof !0"


@dataclass
class ModuleLayout:
    """Where the variables of a module are."""

    symbols: dict[str, int] = field(default_factory=dict)  # index in the table of addresses
    # By function: offsets, and the bytes without dynamic shared memory.
    shared: dict[str, dict[str, int]] = field(default_factory=dict)
    shared_size: dict[str, int] = field(default_factory=dict)
    locals: dict[str, dict[str, int]] = field(default_factory=dict)
    local_size: dict[str, int] = field(default_factory=dict)


class Translator(Writer):
    """Writes one function. What instructions mean is in the modules of `instructions`."""

    def __init__(self, module: PtxModule, function: PtxFunction, layout: ModuleLayout) -> None:
        super().__init__()
        self.module, self.ptx, self.layout = module, function, layout
        self.flow: Flow = analyse(function)
        self.prelude: dict[str, str] = {}  # further functions that this one calls, by name
        self.line_number, self.text = function.line, ""
        self.registers: dict[str, Variable] = {}
        self.known: dict[str, dict[str, str]] = {}  # register -> its value in this block, by type
        self.faults: list[tuple[str, int, int, str]] = []  # from block, fault, line, address
        self.locals = layout.locals[function.name]
        self.local_size = layout.local_size[function.name]
        self.saved = self._place_saved()
        self.async_offset = THREAD.size + self.local_size + 8 * len(self.saved)
        self.needs_async = False
        self.products = Products()
        self.needs_products = False
        self.raw = self._raw_registers()
        self.live_out: set[str] = set()  # registers that blocks after this one read
        self.written: set[str] = set()  # labels of the blocks so far, this one too
        self.parameters = {p.name: p for p in [*function.parameters, *function.results]}
        self.arrays: dict[str, str] = {}  # .param variables of calls and functions -> pointer

    # -- places ------------------------------------------------------------------------------

    def _place_saved(self) -> dict[str, int]:
        """The offset in the frame of each register that lives across a wait."""
        live = 0
        for block in self.flow.blocks:
            if block.collects is not None:
                live |= block.live_in
        names = self.flow.names(live)
        start = THREAD.size + self.local_size
        return {name: start + 8 * i for i, name in enumerate(names)}

    def _raw_registers(self) -> set[str]:
        """Registers that hold what float32 arithmetic gave, and nothing else ever."""
        raw: set[str] = set()
        other: set[str] = set()
        for item in self.ptx.body:
            if isinstance(item, Instruction):
                target = raw if is_float32(item.opcode) else other
                target.update(written(item))
        return {name for name in raw - other if self.ptx.registers[name] == 32}

    # -- the function ------------------------------------------------------------------------

    def translate(self, signature: str) -> str:
        # Registers that only one block knows are values there, and need no variable.
        shared = 0
        for block in self.flow.blocks:
            shared |= block.live_in
        for name in self.flow.names(shared):
            self.registers[name] = self.variable(self.register_type(name))
        entry = self.flow.blocks[0]
        self.begin(signature)
        # What is read before it was written has every bit set.
        for name in self.flow.live_into(entry):
            self.line(f"store i{self.ptx.registers[name]} -1, ptr {self.registers[name].address}")
        resumed = [block for block in self.flow.blocks if block.collects is not None]
        if resumed:
            state = self.thread("%thread", "state")
            cases = " ".join(
                f"i32 {i}, label %{label(f'resume.{i}')}" for i in range(1, len(resumed) + 1)
            )
            self.line(f"switch i32 {state}, label %{label('entry')} [ {cases} ]")
        else:
            self.jump(label("entry"))
        numbers = {id(block): i for i, block in enumerate(resumed, 1)}
        for i, block in enumerate(self.flow.blocks):
            following = self.flow.blocks[i + 1] if i + 1 < len(self.flow.blocks) else None
            self.write_block(block, numbers, following)
            if self.products.kind:
                raise self.unsupported("a product that is not waited for where it begins")
            self.products = Products()
        self.write_faults()
        return self.function(signature)

    def begin(self, signature: str) -> None:
        """What stands before the first block."""
        for name in ("shared", "shared_size", "parameters"):
            self.head.append(
                f"  %{name}.at = getelementptr i8, ptr %launch, i64 {LAUNCH.offsets[name]}"
            )
            self.head.append(f"  %{name} = load {LAUNCH.types[name]}, ptr %{name}.at")
        self.budget = self.variable("i64")
        self.budget.set(self.launch("budget"))
        for name, place in self.ptx.locals.items():
            self.arrays[name] = self.array("i8", max(place.size, 1))
        if not self.ptx.kernel:
            self.arrays |= {name: f'%"p.{name}"' for name in self.parameters}

    def write_block(self, block: Block, numbers: dict[int, int], following: Block | None) -> None:
        self.known.clear()
        self.live_out = self.flow.live_out(block)
        self.written.add(block.label)
        if block.collects is not None:
            number = numbers[id(block)]
            self.label(label(f"resume.{number}"))
            for name in self.flow.live_into(block):
                if name in self.saved and name not in set(written(block.collects)):
                    kind = self.register_type(name)
                    place = self.offset("%thread", self.saved[name])
                    self.keep(name, kind, self.value(f"load {kind}, ptr {place}"))
            self.place(block.collects)
            COLLECTORS[block.collects.name](self, block.collects, Modifiers(block.collects.opcode))
        else:
            self.label(label(block.label))
        for item in block.instructions:
            self.place(item)
            self.write(item)
            if suspends(item):
                assert following is not None
                self.wait(following, numbers[id(following)])
                return
        last = block.instructions[-1].name if block.instructions else ""
        if last not in ("bra", "brx", "ret", "exit", "trap"):
            self.jump(label(block.targets[-1]))
        elif last == "bra" and block.instructions[-1].guard is not None:
            self.conditional(block)

    def write(self, item: Instruction) -> None:
        handler = HANDLERS.get(item.name)
        if handler is None:
            raise self.unsupported()
        modifiers = Modifiers(item.opcode)
        handler(self, item, modifiers)
        if modifiers.words:
            raise self.unsupported(f".{modifiers.words[0]}")

    def conditional(self, block: Block) -> None:
        item = block.instructions[-1]
        assert item.guard is not None
        condition = self.predicate(item.guard)
        self.spend_backwards(block.targets[0])
        self.branch(condition, label(block.targets[0]), label(block.targets[-1]))

    def wait(self, following: Block, number: int) -> None:
        """Keep what lives on, and return to the scheduler."""
        assert following.collects is not None
        results = set(written(following.collects))
        for name in self.flow.live_into(following):
            if name not in results:
                kind, place = self.register_type(name), self.offset("%thread", self.saved[name])
                self.line(f"store {kind} {self.read(name, kind)}, ptr {place}")
        self.set_field(THREAD, "%thread", "state", number)
        self.set_field(THREAD, "%thread", "line", self.line_number)
        self.line("ret void")

    def place(self, item: Instruction) -> None:
        self.line_number, self.text = item.line, item.text

    def unsupported(self, what: str = "") -> PtxError:
        return PtxError(
            f"{what or 'this instruction'} is not supported by the emulator",
            self.line_number,
            self.text,
        )

    # -- registers ---------------------------------------------------------------------------

    def register_type(self, name: str) -> str:
        return "float" if name in self.raw else f"i{self.ptx.registers[name]}"

    def read(self, name: str, kind: str) -> str:
        """The value of a register as an LLVM type of its width.

        Arithmetic ignores a nan's payload; who looks at the bits sees the canonical nan.
        """
        known = self.known.setdefault(name, {})
        value = known.get(kind)
        if value is None:
            if name in self.raw and kind == "i32":
                number = self.canonical(self.read(name, "float"))
                value = self.value(f"bitcast float {number} to i32")
            elif known:
                other, value = next(iter(known.items()))
                value = self.value(f"bitcast {other} {value} to {kind}")
            else:
                value = self.value(f"load {kind}, ptr {self.registers[name].address}")
            known[kind] = value
        return value

    def keep(self, name: str, kind: str, value: str) -> None:
        """Give a register a value: it goes to memory where another block reads it."""
        self.known[name] = {kind: value}
        if name in self.live_out:
            self.line(f"store {kind} {value}, ptr {self.registers[name].address}")

    def canonical(self, number: str) -> str:
        """A float32 with the machine's one nan."""
        nan = self.value(f"fcmp uno float {number}, {number}")
        return self.value(f"select i1 {nan}, float 0x7FFFFFFFE0000000, float {number}")

    def predicate(self, operand: Operand) -> str:
        match operand:
            case Register(name):
                return self.read(name, "i1")
            case Negated(name):
                return self.value(f"xor i1 {self.read(name, 'i1')}, true")
            case Immediate(value):
                return "true" if value else "false"
        raise self.unsupported("this predicate")

    def get(self, operand: Operand, kind: str) -> str:
        """The value of an operand, as a PTX type: an integer of its width, or a float."""
        if kind == "pred":
            return self.predicate(operand)
        width = bits(kind)
        if kind in ("f32", "f64"):
            if isinstance(operand, Register):
                if self.ptx.registers[operand.name] != width:
                    raise self.unsupported("a float operand of another width")
                return self.read(operand.name, FLOATS[kind])
            if not isinstance(operand, Immediate) or operand.float_bits not in (width, 64):
                raise self.unsupported("this operand of a float instruction")
            return float_literal(operand)
        match operand:
            case Register(name):
                own = self.ptx.registers[name]
                return self.resize(self.read(name, f"i{own}"), own, width)
            case Immediate(value, float_bits):
                if float_bits and float_bits != width:
                    raise self.unsupported("a float of another width")
                wrapped = value & ((1 << width) - 1)
                return str(wrapped - (1 << width) if wrapped >> (width - 1) else wrapped)
            case Symbol(name):
                return self.symbol(name, width)
        raise self.unsupported("this operand")

    def resize(self, value: str, own: int, width: int, signed: bool = False) -> str:
        """An integer cut or extended."""
        if own > width:
            return self.value(f"trunc i{own} {value} to i{width}")
        if own < width:
            return self.value(f"{'sext' if signed else 'zext'} i{own} {value} to i{width}")
        return value

    def put(self, operand: Operand, value: str, kind: str) -> None:
        """Write a result of a PTX type; integers are extended to the register by their sign."""
        if isinstance(operand, Symbol) and operand.name == "_":
            return
        if not isinstance(operand, Register):
            raise self.unsupported("a result that is no register")
        name, width = operand.name, bits(kind)
        own = self.ptx.registers[name]
        if kind in FLOATS:
            if own != width:
                raise self.unsupported("a float result of another width")
            self.keep(name, FLOATS[kind], value)
        else:
            self.keep(name, f"i{own}", self.resize(value, width, own, signed=kind[0] == "s"))

    def put_number(self, operand: Operand, value: str, kind: str) -> None:
        """Write what float arithmetic gave: nan is canonical where its bits can be seen."""
        raw = isinstance(operand, Register) and operand.name in self.raw
        self.put(operand, self.canonical(value) if kind == "f32" and not raw else value, kind)

    # -- symbols -----------------------------------------------------------------------------

    def symbol(self, name: str, width: int) -> str:
        """The address of a variable, or a special register."""
        if name.startswith("%"):
            value, own = special(self, name)
            return self.resize(value, own, width)
        shared = self.layout.shared[self.ptx.name]
        if name in shared:
            return str(shared[name])
        if name in self.locals:
            return str(LOCAL_BASE + self.locals[name])
        if name in self.layout.symbols:
            table = self.launch("symbols")
            place = self.offset(table, 8 * self.layout.symbols[name])
            return self.resize(self.value(f"load i64, ptr {place}"), 64, width)
        if self.ptx.kernel and name in self.parameters:
            return str(self.parameters[name].offset)
        raise PtxError(f"{name} is not known", self.line_number, self.text)

    @contextmanager
    def aside(self, condition: str) -> Iterator[None]:
        """Code that runs only where `condition` holds: what it learnt of registers is forgotten."""
        known = {name: dict(values) for name, values in self.known.items()}
        with self.when(condition):
            yield
        self.known = known

    # -- faults ------------------------------------------------------------------------------

    def require(self, condition: str, fault: int, address: str = "0") -> None:
        """Stop the kernel unless `condition` holds."""
        ok = self.fresh("ok")
        self.faults.append((self.block, int(fault), self.line_number, address))
        self.branch(condition, ok, "fault", RARE)
        self.label(ok)

    def write_faults(self) -> None:
        if not self.faults:
            return
        self.label("fault")
        for name, kind, column in (("code", "i32", 1), ("line", "i32", 2), ("address", "i64", 3)):
            edges = ", ".join(f"[ {fault[column]}, %{fault[0]} ]" for fault in self.faults)
            self.line(f"%fault.{name} = phi {kind} {edges}")
        self.set_field(LAUNCH, "%launch", "fault", "%fault.code")
        self.set_field(LAUNCH, "%launch", "fault_line", "%fault.line")
        self.set_field(LAUNCH, "%launch", "fault_thread", self.thread("%thread", "index"))
        self.set_field(LAUNCH, "%launch", "fault_address", "%fault.address")
        self.line("ret void")

    # -- waiting -----------------------------------------------------------------------------

    def publish(self, slot: int, value: str, kind: str) -> None:
        """Hand `value` to the others at a collective: it takes one 32-bit slot, or two."""
        assert slot < SLOTS
        place = self.offset("%thread", THREAD.offsets["slots"] + 4 * slot)
        self.line(f"store {kind} {value}, ptr {place}, align 4")

    def collected(self, slot: int, kind: str) -> str:
        place = self.offset("%thread", THREAD.offsets["slots"] + 4 * slot)
        return self.value(f"load {kind}, ptr {place}, align 4")

    def collective(self, name: str, mask: str, aligned: bool) -> None:
        """Wait for the lanes of `mask` at the collective that the runtime knows as `name`."""
        self.set_field(THREAD, "%thread", "wait", AT_COLLECTIVE)
        self.set_field(THREAD, "%thread", "key", collective_number(name))
        self.set_field(THREAD, "%thread", "mask", mask)
        self.set_field(THREAD, "%thread", "aligned", int(aligned))

    @property
    def frame_size(self) -> int:
        """The bytes of a thread: header, local memory, what it saves, copies, products."""
        end = self.async_offset
        if self.needs_async or self.needs_products:
            end = self.products_offset
        if self.needs_products:
            end += PRODUCTS * PRODUCT_ENTRY + 4 * PRODUCT_SUMS
        return (end + 63) // 64 * 64

    @property
    def products_offset(self) -> int:
        """Where a thread keeps what tensor cores have: products in flight, and their sums."""
        return (self.async_offset + ASYNC_CAPACITY * ASYNC_ENTRY + 7) // 8 * 8

    def leave_thread(self) -> None:
        self.set_field(THREAD, "%thread", "wait", EXITED)
        self.set_field(THREAD, "%thread", "line", self.line_number)
        self.line("ret void")

    def spend_backwards(self, target: str) -> None:
        """Count a branch backwards; a loop without end runs out of them."""
        if target not in self.written:
            return
        left = self.value(f"sub i64 {self.budget.get()}, 1")
        self.budget.set(left)
        self.require(self.value(f"icmp sgt i64 {left}, 0"), Fault.BUDGET)
