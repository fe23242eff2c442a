"""Barriers, and what the lanes of a warp exchange: their side of the collectives."""

from __future__ import annotations

from ..errors import Fault
from ..layout import AT_BARRIER, BARRIERS, LAUNCH, THREAD
from ..registry import Modifiers, collector, instruction, parts
from ..syntax import Instruction, Symbol, bits
from ..translate import Translator

_REDUCTIONS = {"popc": 1, "and": 2, "or": 3}


def _barrier_count(t: Translator, i: Instruction, place: int) -> str:
    if len(i.operands) > place:
        return t.get(i.operands[place], "u32")
    return t.launch("thread_count")


@instruction("bar", "barrier")
def _barrier(t: Translator, i: Instruction, m: Modifiers) -> None:
    if i.name == "bar" and m.flag("warp"):
        m.flag("sync")
        t.collective("sync.warp", t.get(i.operands[0], "u32"), aligned=False)
        return
    if "cluster" in m.words:
        raise t.unsupported(".cluster")
    m.flag("cta")
    what = m.one_of("sync", "arrive", "red")
    aligned = i.name == "bar" or m.flag("aligned")
    m.flag("aligned")
    reduction, holds, operands = 0, "0", 0
    if what == "red":
        reduction = _REDUCTIONS[m.one_of(*_REDUCTIONS) or ""]
        m.flag("u32", "pred")
        operands = 1
        holds = t.value(f"zext i1 {t.predicate(i.operands[-1])} to i32")
    number = t.get(i.operands[operands], "u32")
    inside = t.value(f"icmp ult i32 {number}, {BARRIERS}")
    t.require(inside, Fault.BARRIER_NUMBER, t.resize(number, 32, 64))
    with_count = len(i.operands) > operands + 1 + (what == "red")
    count = t.get(i.operands[operands + 1], "u32") if with_count else t.launch("thread_count")
    if what == "arrive":
        t.add(t.element("i32", t.field(LAUNCH, "%launch", "arrived"), number), "1")
        return
    t.set_field(THREAD, "%thread", "wait", AT_BARRIER)
    t.set_field(THREAD, "%thread", "key", number)
    t.set_field(THREAD, "%thread", "mask", count)
    t.set_field(THREAD, "%thread", "aligned", int(aligned))
    t.set_field(THREAD, "%thread", "reduction", reduction)
    t.publish(0, holds, "i32")


@collector("bar", "barrier")
def _after_barrier(t: Translator, i: Instruction, m: Modifiers) -> None:
    if m.flag("red"):
        value = t.collected(0, "i32")
        if m.flag("popc"):
            t.put(i.operands[0], value, "u32")
        else:
            t.put(i.operands[0], t.value(f"icmp ne i32 {value}, 0"), "pred")


@instruction("shfl")
def _shuffle(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.last()
    if not m.flag("sync"):
        raise t.unsupported("shfl without .sync")
    mode = m.one_of("up", "down", "bfly", "idx")
    for slot, operand in enumerate(i.operands[1:4]):
        t.publish(slot, t.get(operand, "b32"), "i32")
    t.collective(f"shfl.{mode}", t.get(i.operands[4], "u32"), aligned=False)


@collector("shfl")
def _after_shuffle(t: Translator, i: Instruction, m: Modifiers) -> None:
    value, inside = parts(i.operands[0])
    t.put(value, t.collected(0, "i32"), "b32")
    if inside is not None:
        t.put(inside, t.value(f"trunc i32 {t.collected(1, 'i32')} to i1"), "pred")


@instruction("vote")
def _vote(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.last()
    if not m.flag("sync"):
        raise t.unsupported("vote without .sync")
    mode = m.one_of("all", "any", "uni", "ballot")
    t.publish(0, t.value(f"zext i1 {t.predicate(i.operands[1])} to i32"), "i32")
    t.collective(f"vote.{mode}", t.get(i.operands[2], "u32"), aligned=False)


@collector("vote")
def _after_vote(t: Translator, i: Instruction, m: Modifiers) -> None:
    value = t.collected(0, "i32")
    if m.last() == "b32":
        t.put(i.operands[0], value, "b32")
    else:
        t.put(i.operands[0], t.value(f"trunc i32 {value} to i1"), "pred")


@instruction("match")
def _match(t: Translator, i: Instruction, m: Modifiers) -> None:
    width = bits(m.last())
    m.flag("sync")
    mode = m.one_of("any", "all")
    t.publish(0, t.resize(t.get(i.operands[1], f"b{width}"), width, 64), "i64")
    t.collective(f"match.{mode}", t.get(i.operands[2], "u32"), aligned=False)


@collector("match")
def _after_match(t: Translator, i: Instruction, m: Modifiers) -> None:
    lanes, same = parts(i.operands[0])
    t.put(lanes, t.collected(0, "i32"), "b32")
    if same is not None:
        t.put(same, t.value(f"trunc i32 {t.collected(1, 'i32')} to i1"), "pred")


@instruction("redux")
def _reduce(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    m.flag("sync")
    what = m.one_of("add", "min", "max", "and", "or", "xor")
    if kind not in ("s32", "u32", "b32"):
        raise t.unsupported(f".{kind}")
    t.publish(0, t.get(i.operands[1], kind), "i32")
    t.collective(f"redux.{what}.{kind}", t.get(i.operands[2], "u32"), aligned=False)


@collector("redux")
def _after_reduce(t: Translator, i: Instruction, m: Modifiers) -> None:
    t.put(i.operands[0], t.collected(0, "i32"), "b32")


@instruction("elect")
def _elect(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("sync")
    t.collective("elect.sync", t.get(i.operands[1], "u32"), aligned=False)


@collector("elect")
def _after_elect(t: Translator, i: Instruction, m: Modifiers) -> None:
    leader, is_leader = parts(i.operands[0])
    if not isinstance(leader, Symbol):
        t.put(leader, t.collected(0, "i32"), "b32")
    if is_leader is not None:
        t.put(is_leader, t.value(f"trunc i32 {t.collected(1, 'i32')} to i1"), "pred")


@instruction("activemask")
def _active(t: Translator, i: Instruction, m: Modifiers) -> None:
    """Any set of lanes with the own one is right; the smallest shows who relies on more."""
    m.last()
    t.put(i.operands[0], t.value(f"shl i32 1, {t.thread('%thread', 'lane')}"), "b32")
