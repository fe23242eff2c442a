"""Asynchronous copies: `cp.async` from global to shared memory.

A copy sets its target to all bits at once, and writes it only when its thread waits for it: whoever
reads earlier, or still reads what was there, gets nan.
"""

from __future__ import annotations

from functools import cache

from ..errors import Fault
from ..layout import ASYNC_CAPACITY, ASYNC_ENTRY, THREAD
from ..registry import Modifiers, instruction
from ..syntax import Address, Immediate, Instruction, Register
from ..translate import Translator
from ..writer import Writer
from .addresses import address, checked, place


@instruction("cp")
def _copy(t: Translator, i: Instruction, m: Modifiers) -> None:
    if not m.flag("async"):
        raise t.unsupported()
    if not t.ptx.kernel:
        raise t.unsupported("an asynchronous copy in a function")
    t.needs_async = True
    if m.flag("commit_group"):
        groups = t.thread("%thread", "groups")
        t.set_field(THREAD, "%thread", "groups", t.value(f"add i32 {groups}, 1"))
    elif m.flag("wait_group"):
        (operand,) = i.operands
        if not isinstance(operand, Immediate):
            raise t.unsupported("a number of groups that is no number")
        groups = t.thread("%thread", "groups")
        _wait(t, t.value(f"sub i32 {groups}, {operand.value}"))
    elif m.flag("wait_all"):
        groups = t.thread("%thread", "groups")
        _wait(t, t.value(f"add i32 {groups}, 1"))
    else:
        _issue(t, i, m)


def _wait(t: Translator, limit: str) -> None:
    """Do the copies of all groups below `limit`."""
    t.prelude.setdefault("async.wait", _wait_function())
    queue = t.offset("%thread", t.async_offset)
    t.line(f"call void @async.wait(ptr %thread, ptr {queue}, i32 {limit})")


def _issue(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("ca", "cg")
    if not (m.flag("shared", "shared::cta") and m.flag("global")):
        raise t.unsupported("this direction of an asynchronous copy")
    m.words = [w for w in m.words if not w.startswith("L2::")]
    target, source, count = i.operands[:3]
    if not isinstance(count, Immediate) or count.value not in (4, 8, 16):
        raise t.unsupported("this size of an asynchronous copy")
    size = count.value
    wanted = str(size)
    if len(i.operands) > 3:
        extra = i.operands[3]
        if isinstance(extra, Register) and t.ptx.registers[extra.name] == 1:
            wanted = t.value(f"select i1 {t.predicate(extra)}, i32 0, i32 {size}")
        else:
            wanted = t.intrinsic("llvm.umin.i32", "i32", t.get(extra, "u32"), str(size))
    to = place(t, target, "shared", size)
    # Only what is read has to exist; where nothing is read the address may be anything.
    assert isinstance(source, Address)
    value = address(t, source)
    pointer = t.variable("ptr", "null")
    with t.aside(t.value(f"icmp ne i32 {wanted}, 0")):
        pointer.set(_global_part(t, value, wanted, size))
    count_now = t.thread("%thread", "copies")
    t.require(t.value(f"icmp ult i32 {count_now}, {ASYNC_CAPACITY}"), Fault.ASYNC_QUEUE)
    queue = t.offset("%thread", t.async_offset)
    entry = t.offset(queue, t.resize(t.value(f"mul i32 {count_now}, {ASYNC_ENTRY}"), 32, 64))
    t.line(f"store ptr {pointer.get()}, ptr {entry}")
    t.line(f"store ptr {to}, ptr {t.offset(entry, 8)}")
    t.line(f"store i32 {size}, ptr {t.offset(entry, 16)}")
    t.line(f"store i32 {wanted}, ptr {t.offset(entry, 20)}")
    t.line(f"store i32 {t.thread('%thread', 'groups')}, ptr {t.offset(entry, 24)}")
    t.set_field(THREAD, "%thread", "copies", t.value(f"add i32 {count_now}, 1"))
    t.declare("llvm.memset.p0.i64", "void @(ptr, i8, i64, i1)")
    t.line(f"call void @llvm.memset.p0.i64(ptr {to}, i8 -1, i64 {size}, i1 false)")


def _global_part(t: Translator, value: str, wanted: str, size: int) -> str:
    """A checked pointer to the `wanted` bytes (at most `size`) that a copy reads."""
    pointer = checked(t, value, t.resize(wanted, 32, 64), size)
    t.require(t.value(f"icmp ne ptr {pointer}, null"), Fault.GLOBAL, value)
    return pointer


@cache
def _wait_function() -> str:
    """The entries are in order of their groups: do the first ones, and move the rest up."""
    w = Writer()
    count = w.thread("%thread", "copies")
    kept = w.variable("i32", "0")
    with w.loop(count) as n:
        entry = w.offset(
            "%queue", w.value(f"zext i32 {w.value(f'mul i32 {n}, {ASYNC_ENTRY}')} to i64")
        )
        group = w.value(f"load i32, ptr {w.offset(entry, 24)}")
        done, later, end = w.fresh("done"), w.fresh("later"), w.fresh("end")
        w.branch(w.value(f"icmp slt i32 {group}, %limit"), done, later)
        w.label(done)
        source = w.value(f"load ptr, ptr {entry}")
        target = w.value(f"load ptr, ptr {w.offset(entry, 8)}")
        size = w.value(f"load i32, ptr {w.offset(entry, 16)}")
        wanted = w.value(f"load i32, ptr {w.offset(entry, 20)}")
        with w.loop(size) as k:
            first = w.variable("i8", "0")
            first.set("0")
            with w.when(w.value(f"icmp slt i32 {k}, {wanted}")):
                first.set(w.value(f"load i8, ptr {w.element('i8', source, k)}"))
            w.line(f"store i8 {first.get()}, ptr {w.element('i8', target, k)}")
        w.jump(end)
        w.label(later)
        place = w.value(f"zext i32 {w.value(f'mul i32 {kept.get()}, {ASYNC_ENTRY}')} to i64")
        whole = w.value(f"load <{ASYNC_ENTRY // 4} x i32>, ptr {entry}, align 8")
        w.line(
            f"store <{ASYNC_ENTRY // 4} x i32> {whole}, ptr {w.offset('%queue', place)}, align 8"
        )
        kept.set(w.value(f"add i32 {kept.get()}, 1"))
        w.jump(end)
        w.label(end)
    w.set_field(THREAD, "%thread", "copies", kept.get())
    w.line("ret void")
    return w.function("internal void @async.wait(ptr %thread, ptr %queue, i32 %limit)")
