"""Parallel loops of kernels as functions of their own, which the thread pool calls with parts."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import int64
from tfc.ir.extent import largest
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.ops import (
    Aligned,
    Assert,
    CallRoutine,
    ChooseBuffer,
    For,
    Local,
    Parallel,
    TransposeTile,
    ViewBuffer,
)
from tfc.ir.ops.elementwise import BitwiseAnd, Elementwise, Less, Select, ShiftRightLogical
from tfc.ir.ops.shape import Constant, ExtentOf
from tfc.ir.types import BufferType

from ..llvm.kernel_facts import OpsByClass, ops_by_class
from ..llvm.registers import Reg, llvm_type
from .entry import ONCE
from .vector_loops import VectorLoopWriter

LOOK_WORK = 1_000_000  # nanoseconds from which on a loop looks up, as in runtime/thread_pool.c
LOOK_ROUNDS = 10_000  # of loops on one thread: a scatter takes 40 ns for each
PARAMS = ("%symbols", "%error")  # that each kernel has
AROUND = (Aligned, CallRoutine, ChooseBuffer, Constant, Elementwise, ExtentOf, Local, ViewBuffer)


def captures(body: Function) -> list[Value]:
    """What a loop body uses from around it, in the order in which that is used."""
    inside: set[Value] = set()
    used: list[Value] = []

    def visit(region: Function) -> None:
        inside.update(region.params)
        for op in region.body:  # all ops: no loops over operands
            used.extend(op.operands)
            if op.regions:
                for inner in op.regions:
                    visit(inner)
            inside.update(op.results)
        used.extend(region.returns)

    visit(body)
    return [v for v in dict.fromkeys(used) if v not in inside]


def part(
    writer: VectorLoopWriter,
    op: Parallel,
    inside: OpsByClass,
    captured: Sequence[tuple[Value, Reg]],
) -> tuple[str, list[str]]:
    """A parallel loop as a function `void @name(ptr %context, i64 %low, i64 %high)`: its text from
    the parameters on, and what of all functions' params it uses. The context has these, then what
    is captured."""
    writer.alone = True
    writer.natural.add("%low")
    slots = []
    for value, reg in captured:
        name = writer.fresh("x")
        buffer = isinstance(value.type, BufferType)
        slots.append(("ptr" if buffer else llvm_type(reg.dtype), name))
        writer.values[value] = Reg(name, reg.dtype)
    writer.load_extents(inside)
    iterations(writer, op, inside, "%low", "%high")
    code = "\n".join([*writer.lines, "  ret void", "}"])
    around = [name for name in PARAMS if name in code]
    opening = []
    for i, (kind, name) in enumerate([*(("ptr", name) for name in around), *slots]):
        at = "%context"
        if i:
            at = writer.fresh("at")
            opening.append(f"  {at} = getelementptr i64, ptr %context, i64 {i}")
        opening.append(f"  {name} = load {kind}, ptr {at}")
    how = f"nounwind {ONCE}" if _is_seldom(inside) else "nounwind"
    define = f"(ptr %context, i64 %low, i64 %high) {how} {{"
    return "\n".join([define, "entry:", *writer.allocas, *opening, code]), around


def iterations(
    writer: VectorLoopWriter, op: Parallel, inside: OpsByClass, low: str, high: str
) -> None:
    def body(index: str) -> list[tuple[str, str]]:
        writer.values[op.body.params[0]] = Reg(index, int64)
        writer.body(op.body)
        return []

    if may_be_long(op) and writer.may_end_early:
        writer.patiently(low, high, 1, body)
    else:
        writer.counted(low, high, 1, body)
    tiles = inside.get(TransposeTile, ())
    if any(isinstance(tile, TransposeTile) and tile.past for tile in tiles):
        writer.do("fence seq_cst")  # what went past the caches is there when others go on


def parallel(writer: VectorLoopWriter, op: Parallel) -> None:
    """Hand the loop to the pool as a function of its own; here where it is inside another, or
    can fail: the first error shall be the one that is reported."""
    inside = ops_by_class(op.body)
    if writer.alone or Assert in inside:
        iterations(writer, op, inside, "0", writer.values[op.count].name)
        return
    used = [(v, writer.values[v]) for v in captures(op.body)]
    captured = [(v, reg) for v, reg in used if reg.name.startswith("%")]
    name = f"{writer.name}.part{len(writer.parts)}"
    inner = writer.another(name)
    # What is seldom has no masks, which LLVM's fast selector cannot take; what takes long in it is
    # in routines.
    inner.scalar = _is_seldom(inside)
    inner.values.update((v, reg) for v, reg in used if not reg.name.startswith("%"))  # literals
    text, around = part(inner, op, inside, captured)
    writer.adopt(inner)
    known = writer.functions.setdefault(text, name)
    if known == name:
        writer.parts.append(f"define internal void @{name}{text}")
    name = known
    context = writer.fresh("context")
    writer.allocas.append(f"  {context} = alloca [{len(around) + len(captured)} x i64]")
    slots = [("ptr", name) for name in around]
    for value, reg in captured:
        assert reg.lanes == 1 and reg.stride is None, "a parallel loop inside a vector loop"
        kind = "ptr" if isinstance(value.type, BufferType) else llvm_type(reg.dtype)
        slots.append((kind, reg.name))
    for i, (kind, slot) in enumerate(slots):
        at = writer.emit(f"getelementptr i64, ptr {context}, i64 {i}") if i else context
        writer.do(f"store {kind} {slot}, ptr {at}")
    count, work = writer.values[op.count].name, writer.values[op.work].name
    arguments = f"ptr @{name}, ptr {context}, i64 {count}, i64 {work}"
    if may_be_long(op) and writer.may_end_early:
        writer.call_long(arguments)
        return
    writer.declare("void", "tfc_parallel", "ptr, ptr, i64, i64")
    writer.do(f"call void @tfc_parallel({arguments})")


def _is_seldom(inside: OpsByClass) -> bool:
    """Whether a loop is for what seldom happens, and is compiled quickly."""
    calls = inside.get(CallRoutine, ())
    return any(isinstance(op, CallRoutine) and op.seldom for op in calls)


def hands_over(f: Function, checks: bool) -> bool:
    """Whether all work of a kernel is in its parallel loops: beside them it has only what says how
    long they are, routines, and loops of such ones. LLVM's passes take a millisecond for such a
    function, and save 10 ns of a launch. `checks` says whether the kernel has any."""
    found = False
    for op in f.body:
        if isinstance(op, Parallel):
            if checks and any(isinstance(inner, Assert) for inner in op.body.walk()):
                return False  # stays in the kernel: see `parallel`
        elif isinstance(op, For):
            if not hands_over(op.body, checks):
                return False
        elif isinstance(op, AROUND):
            continue
        else:
            return False
        found = True
    return found


def may_be_long(op: Op) -> bool:
    """Whether an op is a loop that may take long enough to look up: a parallel one, or one that
    goes through elements one after another."""
    if isinstance(op, Parallel):
        return _or_more(op.work, LOOK_WORK)
    if isinstance(op, For) and op.kind is LoopKind.SERIAL:
        return _or_more(op.high, LOOK_ROUNDS * op.step)
    return False


def _or_more(count: Value, least: int) -> bool:
    known = _at_most(count)
    return known is None or known >= least


def _at_most(count: Value) -> int | None:
    """What an index is at most, as far as its op tells."""
    match count.op:
        case Constant(value=value):
            return int(value)
        case ExtentOf(value=extent):
            most = largest(extent)
            return most if isinstance(most, int) else None
        case ShiftRightLogical(x=Value(op=Constant(value=value))) if value >= 0:
            return int(value)
        case BitwiseAnd(x=x, y=Value(op=Constant(value=mask))) if mask < 0:  # rounded down
            return _at_most(x)
        case Select(condition=Value(op=Less(x=a, y=b)), x=x, y=y) if x is a and y is b:
            known = [n for n in map(_at_most, (x, y)) if n is not None]
            return min(known, default=None)
        case Select(x=x, y=y):
            first, second = _at_most(x), _at_most(y)
            return None if first is None or second is None else max(first, second)
    return None
