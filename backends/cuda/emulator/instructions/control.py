"""Branches, calls, ends, and moves between registers."""

from __future__ import annotations

from ..errors import Fault
from ..layout import DEVICE_BASE, LOCAL_WINDOW, SHARED_WINDOW, WINDOW_SIZE
from ..registry import Modifiers, instruction, label
from ..syntax import Immediate, Instruction, Symbol, Vector, bits
from ..translate import Translator


@instruction("bra")
def _branch(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("uni")
    if i.guard is None:
        assert isinstance(i.operands[0], Symbol)
        t.spend_backwards(i.operands[0].name)
        t.jump(label(i.operands[0].name))
    # A guarded branch ends its block, which writes it: it knows what follows.


@instruction("brx")
def _branch_table(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("idx")
    m.flag("uni")
    assert isinstance(i.operands[1], Symbol)
    targets = t.ptx.tables[i.operands[1].name]
    index = t.get(i.operands[0], "u32")
    inside = t.value(f"icmp ult i32 {index}, {len(targets)}")
    t.require(inside, Fault.BRANCH_TABLE, t.value(f"zext i32 {index} to i64"))
    for target in dict.fromkeys(targets):
        t.spend_backwards(target)
    cases = " ".join(f"i32 {n}, label %{label(name)}" for n, name in enumerate(targets))
    t.line(f"switch i32 {index}, label %{label(targets[0])} [ {cases} ]")


@instruction("ret")
def _return(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("uni")
    if t.ptx.kernel:
        t.leave_thread()
    else:
        t.line("ret void")


@instruction("exit")
def _exit(t: Translator, i: Instruction, m: Modifiers) -> None:
    if not t.ptx.kernel:
        raise t.unsupported("exit in a function")
    t.leave_thread()


@instruction("trap")
def _trap(t: Translator, i: Instruction, m: Modifiers) -> None:
    t.require("false", Fault.TRAP)
    t.line("ret void")


@instruction("brkpt", "nanosleep", "pmevent", "griddepcontrol", "setmaxnreg")
def _nothing(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.words.clear()


@instruction("call")
def _call(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("uni")
    operands = list(i.operands)
    given = operands.pop(0) if isinstance(operands[0], Vector) else Vector(())
    target = operands.pop(0)
    taken = operands.pop(0) if operands else Vector(())
    known = isinstance(target, Symbol) and t.module.functions.get(target.name)
    if not known or not known.defined or known.kernel:
        raise t.unsupported("a call of what this module does not define")
    assert isinstance(given, Vector) and isinstance(taken, Vector)
    pointers = []
    for item in [*taken.items, *given.items]:
        if not isinstance(item, Symbol) or item.name not in t.arrays:
            raise t.unsupported("a call with something other than .param variables")
        pointers.append(f", ptr {t.arrays[item.name]}")
    t.line(f'call void @"f.{known.name}"(ptr %thread, ptr %launch{"".join(pointers)})')
    go_on, stop = t.fresh("called"), t.fresh("stop")
    fault = t.value(f"icmp eq i32 {t.launch('fault')}, 0")
    t.branch(fault, go_on, stop)
    t.label(stop)
    t.line("ret void")
    t.label(go_on)


@instruction("mov")
def _move(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    width = bits(kind)
    target, source = i.operands
    if isinstance(target, Vector):
        part = width // len(target.items)
        value = t.get(source, f"b{width}")
        for n, item in enumerate(target.items):
            shifted = t.value(f"lshr i{width} {value}, {n * part}") if n else value
            t.put(item, t.value(f"trunc i{width} {shifted} to i{part}"), f"b{part}")
    elif isinstance(source, Vector):
        part, value = width // len(source.items), "0"
        for n, item in enumerate(source.items):
            wide = t.value(f"zext i{part} {t.get(item, f'b{part}')} to i{width}")
            placed = t.value(f"shl i{width} {wide}, {n * part}") if n else wide
            value = t.value(f"or i{width} {value}, {placed}") if n else placed
        t.put(target, value, f"b{width}")
    elif kind == "pred":
        t.put(target, t.predicate(source), kind)
    else:
        t.put(target, t.get(source, f"b{width}"), f"b{width}")


_WINDOWS = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW, "global": 0, "const": 0}


@instruction("cvta")
def _convert_address(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    to = m.flag("to")
    space = m.first().partition("::")[0]
    if space not in _WINDOWS:
        raise t.unsupported(f".{space}")
    value = t.get(i.operands[1], "u64") if kind == "u64" else t.get(i.operands[1], "u32")
    if kind != "u64":
        value = t.resize(value, 32, 64)
    if _WINDOWS[space]:
        value = t.value(f"{'sub' if to else 'add'} i64 {value}, {_WINDOWS[space]}")
    t.put(i.operands[0], t.resize(value, 64, bits(kind)), kind)


@instruction("isspacep")
def _is_space(t: Translator, i: Instruction, m: Modifiers) -> None:
    space = m.first().partition("::")[0]
    value = t.get(i.operands[1], "u64")
    if space not in ("shared", "local", "global"):
        raise t.unsupported(f".{space}")
    first = DEVICE_BASE if space == "global" else _WINDOWS[space]
    size = SHARED_WINDOW - DEVICE_BASE if space == "global" else WINDOW_SIZE
    place = t.value(f"sub i64 {value}, {first}")
    t.put(i.operands[0], t.value(f"icmp ult i64 {place}, {size}"), "pred")


@instruction("selp")
def _select(t: Translator, i: Instruction, m: Modifiers) -> None:
    width = bits(m.last())
    target, a, b, condition = i.operands
    kind = f"b{width}"
    yes, no = t.get(a, kind), t.get(b, kind)
    value = t.value(f"select i1 {t.predicate(condition)}, i{width} {yes}, i{width} {no}")
    t.put(target, value, kind)


@instruction("slct")
def _select_by_sign(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("ftz")
    sign, width = m.last(), bits(m.last())
    target, a, b, c = i.operands
    if sign == "f32":
        test = t.value(f"fcmp oge float {t.get(c, 'f32')}, 0.0")
    else:
        test = t.value(f"icmp sge i32 {t.get(c, 's32')}, 0")
    yes, no = t.get(a, f"b{width}"), t.get(b, f"b{width}")
    t.put(target, t.value(f"select i1 {test}, i{width} {yes}, i{width} {no}"), f"b{width}")


def constant(operand: object) -> int:
    """The value of an operand that must be a number."""
    if not isinstance(operand, Immediate):
        raise TypeError("not a number")
    return operand.value
