"""Reductions inside of kernels: 64 slots, or fewer, that are combined by halves at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfc.ir.dtypes import bool_, int64
from tfc.ir.kernels.ops import Reduce

from .registers import Reg, llvm_type, memory_vector

if TYPE_CHECKING:
    from .kernel_writer import KernelWriter


def lane_reduction(writer: KernelWriter, op: Reduce) -> None:
    """The slots are the lanes of one register; what is left of the last round is masked."""
    assert writer.lanes == 1, "a vector reduction inside a vector loop"
    count = writer.values[op.count].name
    lanes = writer.slots(count)
    if lanes == 1:
        slot_reduction(writer, op)
        return
    dtypes = [v.dtype for v in op.body.returns]
    kinds = [writer.type(d, lanes) for d in dtypes]
    start = [
        writer.splat(x, d, lanes)
        for x, d in zip(writer.neutral(op.combine, dtypes), dtypes, strict=True)
    ]

    def element(index: str) -> list[str]:
        writer.values[op.body.params[0]] = Reg(index, int64, 1, "1")
        writer.body(op.body)
        return [writer.vector(writer.values[v], lanes) for v in op.body.returns]

    def run(index: str) -> list[tuple[str, str]]:
        old = writer.phis
        new = writer.combine(op.combine, old, element(index), dtypes, lanes)
        return list(zip(kinds, new, strict=True))

    if count.isdigit():
        rest, whole = str(int(count) % lanes), str(int(count) - int(count) % lanes)
    else:
        rest = writer.emit(f"and i64 {count}, {lanes - 1}")
        whole = writer.emit(f"sub i64 {count}, {rest}")
    partial = start
    if whole != "0":
        with writer.scope(lanes, None):
            partial = writer.counted("0", whole, lanes, run, list(zip(kinds, start, strict=True)))
    if rest != "0":
        origin = writer.block
        if not rest.isdigit():
            then, after = writer.fresh("tail")[1:], writer.fresh("end")[1:]
            some = writer.emit(f"icmp ne i64 {rest}, 0")
            writer.do(f"br i1 {some}, label %{then}, label %{after}")
            writer.label(then)
        with writer.scope():
            mask = writer.first_lanes(rest, lanes)
            with writer.scope(lanes, mask):
                new = writer.combine(op.combine, partial, element(whole), dtypes, lanes)
            bools = f"<{lanes} x i1>"
            masked = [
                writer.emit(f"select {bools} {mask}, {k} {n}, {k} {p}")
                for k, n, p in zip(kinds, new, partial, strict=True)
            ]
        if rest.isdigit():
            partial = masked
        else:
            writer.do(f"br label %{after}")
            latch = writer.block
            writer.label(after)
            partial = [
                writer.emit(f"phi {k} [ {m}, %{latch} ], [ {p}, %{origin} ]")
                for k, m, p in zip(kinds, masked, partial, strict=True)
            ]
    while lanes > 1:
        half = lanes // 2
        halves: list[list[str]] = []
        for first in (0, half):
            picks = ", ".join(f"i32 {first + i}" for i in range(half))
            halves.append(
                [
                    writer.emit(
                        f"shufflevector <{lanes} x {llvm_type(d)}> {p}, "
                        f"<{lanes} x {llvm_type(d)}> poison, <{half} x i32> <{picks}>"
                    )
                    for p, d in zip(partial, dtypes, strict=True)
                ]
            )
        if half == 1:
            halves = [
                [
                    writer.emit(f"extractelement <1 x {llvm_type(d)}> {p}, i64 0")
                    for p, d in zip(part, dtypes, strict=True)
                ]
                for part in halves
            ]
        partial = writer.combine(op.combine, halves[0], halves[1], dtypes, half)
        lanes = half
    for result, name, dtype in zip(op.results, partial, dtypes, strict=True):
        writer.values[result] = Reg(name, dtype)


def slot_reduction(writer: KernelWriter, op: Reduce) -> None:
    """Every lane reduces its own elements: the slots are an array on the stack."""
    count, lanes = writer.values[op.count].name, writer.lanes
    slots = writer.slots(count)
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
