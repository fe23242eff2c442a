"""Reductions inside of kernels: 64 slots, or fewer, that are combined by halves at the end."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.dtypes import bool_, int64
from tfc.ir.extent import largest
from tfc.ir.kernels.ops import Reduce
from tfc.ir.ops.shape import ExtentOf

from .loops import LoopWriter
from .registers import Reg, memory_vector


def most_of(op: Reduce) -> str:
    """How many elements are reduced at most, as `LoopWriter.slots` takes it; "" if nobody knows."""
    count = op.count.op
    most = largest(count.value) if isinstance(count, ExtentOf) else None
    return str(most) if isinstance(most, int) else ""


def slot_reduction(writer: LoopWriter, op: Reduce) -> None:
    """Every lane reduces its own elements: the slots are an array on the stack."""
    count, lanes = writer.values[op.count].name, writer.lanes
    slots = writer.slots(count if count.isdigit() else most_of(op))
    dtypes = [v.dtype for v in op.body.returns]
    kinds = [memory_vector(d, lanes) for d in dtypes]
    arrays = [writer.fresh("slots") for _ in dtypes]
    for array, kind in zip(arrays, kinds, strict=True):
        writer.allocas.append(f"  {array} = alloca {kind}, i64 {slots}, align 64")

    def at(slot: str) -> list[str]:
        return [
            writer.emit(f"getelementptr {k}, ptr {a}, i64 {slot}")
            for a, k in zip(arrays, kinds, strict=True)
        ]

    def read(places: Sequence[str]) -> list[str]:
        raw = [
            writer.emit(f"load {k}, ptr {p}, align {d.itemsize}")
            for p, k, d in zip(places, kinds, dtypes, strict=True)
        ]
        return [writer.from_memory(r, d, lanes) for r, d in zip(raw, dtypes, strict=True)]

    def write(places: Sequence[str], new: Sequence[str]) -> None:
        for place, kind, value, dtype in zip(places, kinds, new, dtypes, strict=True):
            if dtype is bool_:
                value = writer.emit(f"zext {writer.type(bool_, lanes)} {value} to {kind}")
            writer.do(f"store {kind} {value}, ptr {place}, align {dtype.itemsize}")

    start = [
        writer.splat(x, d, lanes)
        for x, d in zip(writer.neutral(op.combine, dtypes), dtypes, strict=True)
    ]

    def clear(slot: str) -> list[tuple[str, str]]:
        write(at(slot), start)
        return []

    def add(index: str) -> list[tuple[str, str]]:
        writer.values[op.body.params[0]] = Reg(index, int64)
        writer.body(op.body)
        new = [writer.vector(writer.values[v], lanes) for v in op.body.returns]
        slot = writer.emit(f"and i64 {index}, {slots - 1}")
        places = at(slot)
        write(places, writer.combine(op.combine, read(places), new, dtypes, lanes))
        return []

    def fold(level: str) -> list[tuple[str, str]]:
        half = writer.emit(f"lshr i64 {slots // 2}, {level}")

        def one(slot: str) -> list[tuple[str, str]]:
            places, upper = at(slot), at(writer.emit(f"add i64 {slot}, {half}"))
            write(places, writer.combine(op.combine, read(places), read(upper), dtypes, lanes))
            return []

        writer.counted("0", filled(half), 1, one)
        return []

    def filled(half: str) -> str:
        """`half`, or 0 where the slots from there on are neutral anyway."""
        if count.isdigit():
            return half
        some = writer.emit(f"icmp slt i64 {half}, {count}")
        return writer.emit(f"select i1 {some}, i64 {half}, i64 0")

    used, levels = str(slots), str(slots.bit_length() - 1)
    if not count.isdigit():  # often 1: the chunks of what is short
        several = writer.emit(f"icmp sgt i64 {count}, 1")
        used = writer.emit(f"select i1 {several}, i64 {used}, i64 1")
        levels = writer.emit(f"select i1 {several}, i64 {levels}, i64 0")
    writer.counted("0", used, 1, clear)
    writer.counted("0", count, 1, add)
    writer.counted("0", levels, 1, fold)
    finals = read(at("0"))
    for result, name, dtype in zip(op.results, finals, dtypes, strict=True):
        writer.values[result] = Reg(name, dtype, lanes)
