"""Control flow of a PTX function: basic blocks, and which registers live across which point.

A guarded instruction (`@%p st...`) becomes a branch around it, so that the rest of the emulator
sees guards on branches only. An instruction at which threads wait for each other (`suspends`) ends
its block, and what follows is a block of its own, whose first act is to take the instruction's
results. What lives into that block is what a thread has to keep while it waits. The results of a
warpgroup's products are those of the wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from .errors import PtxError
from .syntax import (
    Address,
    Instruction,
    Negated,
    Operand,
    Pair,
    PtxFunction,
    Register,
    Symbol,
    Vector,
)

# Instructions whose first operand is no result.
# fmt: off
_NO_RESULT = frozenset((
    "st", "red", "bra", "brx", "bar", "barrier", "membar", "fence", "ret", "exit", "trap", "brkpt",
    "cp", "call", "prefetch", "prefetchu", "stmatrix", "nanosleep", "discard", "applypriority",
    "griddepcontrol", "pmevent", "wgmma", "setmaxnreg",
))
# fmt: on
_ENDS = frozenset(("bra", "brx", "ret", "exit", "trap"))


@dataclass
class Block:
    label: str
    instructions: list[Instruction] = field(default_factory=list)
    collects: Instruction | None = None  # the suspending instruction before, whose results it takes
    targets: list[str] = field(default_factory=list)  # of its last instruction, or what follows it
    live_in: int = 0  # the set of registers, as the bits of an int


@dataclass
class Flow:
    blocks: list[Block]
    numbers: dict[str, int]  # register -> bit
    by_label: dict[str, Block]
    order: list[str]  # bit -> register

    def live_into(self, block: Block) -> list[str]:
        """The registers that a block reads before it writes them, or that later blocks do."""
        return self.names(block.live_in)

    def live_out(self, block: Block) -> set[str]:
        """The registers that blocks after this one read before they write them."""
        live = 0
        for target in block.targets:
            live |= self.by_label[target].live_in
        return set(self.names(live))

    def names(self, live: int) -> list[str]:
        """The registers of a set."""
        result = []
        while live:
            bit = live & -live
            result.append(self.order[bit.bit_length() - 1])
            live ^= bit
        return result


def suspends(instruction: Instruction) -> bool:
    """Whether threads wait for others at this instruction."""
    return _suspends(instruction.opcode)


@cache
def _suspends(opcode: str) -> bool:
    parts = opcode.split(".")
    match parts[0]:
        case "bar" | "barrier":
            return "arrive" not in parts
        case "shfl" | "vote" | "match" | "redux" | "elect" | "mma" | "ldmatrix" | "stmatrix":
            return True
        case "movmatrix":
            return True
        case "wgmma":
            return "wait_group" in parts
        case _:
            return False


def results(instruction: Instruction) -> list[Operand]:
    """The operands that an instruction writes."""
    return instruction.operands[:1] if _has_result(instruction.opcode) else []


@cache
def _has_result(opcode: str) -> bool:
    parts = opcode.split(".")
    if parts[0] in ("bar", "barrier"):
        return "red" in parts
    if parts[0] == "wgmma":
        return "wait_group" in parts
    return parts[0] not in _NO_RESULT


def _registers(operand: Operand) -> Iterator[str]:
    match operand:
        case Register(name) | Negated(name):
            yield name
        case Vector(items):
            for item in items:
                yield from _registers(item)
        case Pair(first, second):
            yield from _registers(first)
            yield from _registers(second)
        case Address(base, _):
            yield from _registers(base)


def written(instruction: Instruction) -> Iterator[str]:
    for operand in results(instruction):
        yield from _registers(operand)


def read(instruction: Instruction) -> Iterator[str]:
    if instruction.guard is not None:
        yield from _registers(instruction.guard)
    for operand in instruction.operands[len(results(instruction)) :]:
        yield from _registers(operand)


def analyse(function: PtxFunction) -> Flow:
    """The blocks of `function`, in the order of the text; the first is the entry."""
    blocks = _cut(function)
    numbers = {name: i for i, name in enumerate(function.registers)}
    uses, kills = {}, {}
    for block in blocks:
        used = killed = 0
        if block.collects is not None:
            for name in written(block.collects):
                killed |= 1 << numbers[name]
        for instruction in block.instructions:
            for name in read(instruction):
                used |= 1 << numbers[name] & ~killed
            if not suspends(instruction):
                for name in written(instruction):
                    killed |= 1 << numbers[name]
        uses[block.label], kills[block.label] = used, killed
    by_label = {block.label: block for block in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            after = 0
            for target in block.targets:
                after |= by_label[target].live_in
            live = uses[block.label] | after & ~kills[block.label]
            if live != block.live_in:
                block.live_in, changed = live, True
    return Flow(blocks, numbers, by_label, list(numbers))


def _cut(function: PtxFunction) -> list[Block]:
    known = {item for item in function.body if isinstance(item, str)}
    blocks = [Block("entry")]
    count = 0

    def fresh(follow: bool = True) -> Block:
        """Begin a block; the one before runs into it."""
        nonlocal count
        count += 1
        return begin(f"next.{count}", follow)

    def begin(label: str, follow: bool) -> Block:
        if follow:
            blocks[-1].targets.append(label)
        blocks.append(Block(label))
        return blocks[-1]

    ended = False  # whether nothing runs into what follows
    sums: Operand = Vector(())  # that tensor cores have
    for item in function.body:
        if isinstance(item, str):
            begin(item, not ended)
            ended = False
            continue
        if ended:
            fresh(follow=False)
            ended = False
        skip = None
        if item.guard is not None and item.name not in ("bra",):
            # @%p op  ->  @!%p bra skip; op; skip:
            count += 1
            skip = f"skip.{count}"
            opposite = (Negated if isinstance(item.guard, Register) else Register)(item.guard.name)
            branch = Instruction("bra", [Symbol(skip)], item.line, item.text, opposite)
            blocks[-1].instructions.append(branch)
            blocks[-1].targets.append(skip)
            fresh()
            item = Instruction(item.opcode, item.operands, item.line, item.text)
        if item.opcode.startswith("wgmma.mma_async"):
            sums = item.operands[0]
        elif item.opcode.startswith("wgmma.wait_group"):  # which gives them back
            item = Instruction(item.opcode, [sums, *item.operands], item.line, item.text)
            sums = Vector(())
        blocks[-1].instructions.append(item)
        if item.name in _ENDS:
            ended = _end(function, blocks[-1], item, known)
            if not ended:
                fresh()
        elif suspends(item):
            fresh().collects = item
        if skip is not None:
            begin(skip, not ended)
            ended = False
    if not ended:  # the text runs off its end: as if there were a `ret`
        last = function.body[-1] if function.body else None
        line = last.line if isinstance(last, Instruction) else function.line
        blocks[-1].instructions.append(Instruction("ret", [], line, "ret;"))
    return blocks


def _end(function: PtxFunction, block: Block, item: Instruction, known: set[str]) -> bool:
    """Note where a branch goes; whether it always goes there."""
    if item.name == "bra":
        target = item.operands[0]
        if not isinstance(target, Symbol) or target.name not in known:
            raise PtxError("the target of the branch is no label", item.line, item.text)
        block.targets.append(target.name)
        return item.guard is None
    if item.name == "brx":
        table = item.operands[1]
        name = table.name if isinstance(table, Symbol) else ""
        if name not in function.tables:
            raise PtxError("the table of the branch is not known", item.line, item.text)
        block.targets += function.tables[name]
    return True
