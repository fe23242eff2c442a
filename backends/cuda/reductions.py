"""Reductions of the kind "chunks" by one thread: the slots are arrays of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfc.backends.cpu.registers import Reg, memory_type
from tfc.ir.dtypes import DType, bool_, int64
from tfc.ir.ops.kernel import CHUNK, Reduce, chunk_levels

if TYPE_CHECKING:
    from .codegen import PhaseWriter


class _Slots:
    """Arrays of slots, one for each value that is combined."""

    def __init__(self, w: PhaseWriter, op: Reduce, count: str) -> None:
        self.w = w
        self.combine = op.combine
        self.dtypes: list[DType] = [v.dtype for v in op.body.returns]
        self.used = w.slots(count)
        self.arrays = [w.fresh("slots") for _ in self.dtypes]
        for array, dtype in zip(self.arrays, self.dtypes, strict=True):
            kind = memory_type(dtype)
            w.allocas.append(f"  {array} = alloca {kind}, i64 {self.used}, align 16")

    def at(self, slot: str) -> list[str]:
        return [
            self.w.emit(f"getelementptr {memory_type(d)}, ptr {a}, i64 {slot}")
            for a, d in zip(self.arrays, self.dtypes, strict=True)
        ]

    def read(self, slot: str) -> list[str]:
        found = []
        for place, dtype in zip(self.at(slot), self.dtypes, strict=True):
            raw = self.w.emit(f"load {memory_type(dtype)}, ptr {place}, align {dtype.itemsize}")
            found.append(self.w.from_memory(raw, dtype, 1))
        return found

    def write(self, slot: str, values: Sequence[str]) -> None:
        for place, dtype, value in zip(self.at(slot), self.dtypes, values, strict=True):
            if dtype is bool_:
                value = self.w.emit(f"zext i1 {value} to i8")
            self.w.do(f"store {memory_type(dtype)} {value}, ptr {place}, align {dtype.itemsize}")

    def clear(self) -> None:
        start = self.w.neutral(self.combine, self.dtypes)

        def one(slot: str) -> Sequence[tuple[str, str]]:
            self.write(slot, start)
            return ()

        self.w.counted("0", str(self.used), 1, one)

    def add(self, k: str, values: Sequence[str]) -> None:
        """Combine what belongs to place k into its slot."""
        slot = self.w.emit(f"and i64 {k}, {self.used - 1}")
        self.write(slot, self.w.combine(self.combine, self.read(slot), values, self.dtypes, 1))

    def total(self) -> list[str]:
        """The upper half of the slots into the lower, until one is left."""
        half = self.used // 2
        while half:

            def fold(slot: str, width: int = half) -> Sequence[tuple[str, str]]:
                upper = self.read(self.w.emit(f"add i64 {slot}, {width}"))
                both = self.w.combine(self.combine, self.read(slot), upper, self.dtypes, 1)
                self.write(slot, both)
                return ()

            self.w.counted("0", str(half), 1, fold)
            half //= 2
        return self.read("0")


def reduce(w: PhaseWriter, op: Reduce) -> None:
    """Write the reduction, whose results are in registers then."""
    count = w.values[op.count].name
    levels = 0
    if op.kind == "chunks":
        levels = chunk_levels(int(count)) if count.isdigit() else 2
    slots = [_Slots(w, op, count if levels == 0 else "") for _ in range(levels + 1)]

    def level(number: int, low: str, length: str) -> list[str]:
        """The elements from `low` on, in chunks of chunks, so often."""
        here = slots[number]
        here.clear()
        if number == 0:

            def element(k: str) -> Sequence[tuple[str, str]]:
                place = k if low == "0" else w.emit(f"add i64 {low}, {k}")
                w.values[op.body.params[0]] = Reg(place, int64)
                w.body(op.body)
                here.add(k, [w.values[v].name for v in op.body.returns])
                return ()

            w.counted("0", length, 1, element)
            return here.total()
        span = CHUNK**number
        more = w.emit(f"add i64 {length}, {span - 1}")
        pieces = w.emit(f"sdiv i64 {more}, {span}")

        def piece(c: str) -> Sequence[tuple[str, str]]:
            first = w.emit(f"mul i64 {c}, {span}")
            rest = w.emit(f"sub i64 {length}, {first}")
            short = w.emit(f"icmp slt i64 {rest}, {span}")
            rest = w.emit(f"select i1 {short}, i64 {rest}, i64 {span}")
            start = first if low == "0" else w.emit(f"add i64 {low}, {first}")
            here.add(c, level(number - 1, start, rest))
            return ()

        w.counted("0", pieces, 1, piece)
        return here.total()

    names = level(levels, "0", count)
    for result, name in zip(op.results, names, strict=True):
        w.values[result] = Reg(name, result.dtype)
