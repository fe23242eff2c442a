"""`ldmatrix`, `stmatrix`, `movmatrix`, `mma.sync`: what each lane hands over, and takes."""

from __future__ import annotations

import re

from ..registry import Modifiers, collector, instruction
from ..syntax import Address, Instruction, Operand, Vector
from ..translate import Translator
from .addresses import place

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_KINDS = {  # of a and b -> (accumulator types, shapes)
    "f16": (("f32", "f16"), ("m16n8k8", "m16n8k16")),
    "bf16": (("f32",), ("m16n8k8", "m16n8k16")),
    "tf32": (("f32",), ("m16n8k4", "m16n8k8")),
    "s8": (("s32",), ("m16n8k16", "m16n8k32")),
    "u8": (("s32",), ("m16n8k16", "m16n8k32")),
    "f64": (("f64",), ("m8n8k4",)),
}


def _items(operand: Operand) -> tuple[Operand, ...]:
    return operand.items if isinstance(operand, Vector) else (operand,)


def _matrix_count(t: Translator, m: Modifiers) -> tuple[int, bool]:
    m.flag("sync")
    m.flag("aligned")
    count, transposed = m.one_of("x1", "x2", "x4"), m.flag("trans")
    if not m.flag("m8n8") or not m.flag("b16") or not count:
        raise t.unsupported()
    return int(count[1:]), transposed


def _row_pointer(t: Translator, operand: Operand, count: int) -> None:
    """Hand over the pointer to a row of 16 bytes; lanes beyond the rows have none."""
    pointer = t.variable("i64", "0")
    lane = t.thread("%thread", "lane")
    with t.aside(t.value(f"icmp ult i32 {lane}, {8 * count}")):
        assert isinstance(operand, Address)
        row = place(t, operand, "shared", 16)
        pointer.set(t.value(f"ptrtoint ptr {row} to i64"))
    t.publish(0, pointer.get(), "i64")


@instruction("ldmatrix")
def _load_matrices(t: Translator, i: Instruction, m: Modifiers) -> None:
    count, transposed = _matrix_count(t, m)
    m.flag("shared", "shared::cta")
    _row_pointer(t, i.operands[1], count)
    t.collective(f"ldmatrix.{count}.{int(transposed)}", "-1", aligned=True)


@collector("ldmatrix", "movmatrix")
def _after_load(t: Translator, i: Instruction, m: Modifiers) -> None:
    for slot, item in enumerate(_items(i.operands[0])):
        t.put(item, t.collected(slot, "i32"), "b32")


@instruction("stmatrix")
def _store_matrices(t: Translator, i: Instruction, m: Modifiers) -> None:
    count, transposed = _matrix_count(t, m)
    m.flag("shared", "shared::cta")
    for slot, item in enumerate(_items(i.operands[1])):
        t.publish(2 + slot, t.get(item, "b32"), "i32")
    _row_pointer(t, i.operands[0], count)
    t.collective(f"stmatrix.{count}.{int(transposed)}", "-1", aligned=True)


@collector("stmatrix")
def _after_store(t: Translator, i: Instruction, m: Modifiers) -> None:
    pass


@instruction("movmatrix")
def _transpose(t: Translator, i: Instruction, m: Modifiers) -> None:
    for word in ("sync", "aligned", "m8n8", "trans", "b16"):
        if not m.flag(word):
            raise t.unsupported()
    t.publish(0, t.get(i.operands[1], "b32"), "i32")
    t.collective("movmatrix.b16", "-1", aligned=True)


@instruction("mma")
def _multiply(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.flag("sync")
    m.flag("aligned")
    shape = next((word for word in m.words if _SHAPE.fullmatch(word)), "")
    m.flag(shape)
    m.flag("row")
    m.flag("col")
    finite = m.flag("satfinite")
    if len(m.words) != 4:
        raise t.unsupported()
    d, a, b, c = m.words
    m.words.clear()
    known = _KINDS.get(a)
    if known is None or d != c or d not in known[0] or shape not in known[1] or finite:
        raise t.unsupported()
    if b != a and {a, b} != {"s8", "u8"}:
        raise t.unsupported()
    slot = 0
    for operand in i.operands[1:]:
        for item in _items(operand):
            if d == "f64":
                t.publish(slot, t.get(item, "b64"), "i64")
                slot += 2
            else:
                t.publish(slot, t.get(item, "b32"), "i32")
                slot += 1
    rows, columns, depth = _SHAPE.fullmatch(shape).groups()  # type: ignore[union-attr]
    t.collective(f"mma.{rows}.{columns}.{depth}.{d}.{a}.{b}", "-1", aligned=True)


@collector("mma")
def _after_multiply(t: Translator, i: Instruction, m: Modifiers) -> None:
    double = m.words[-1] == "f64"
    for n, item in enumerate(_items(i.operands[0])):
        if double:
            t.put(item, t.collected(2 * n, "i64"), "b64")
        else:
            t.put(item, t.collected(n, "i32"), "b32")
