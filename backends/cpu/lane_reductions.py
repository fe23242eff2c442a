"""Reductions along the lanes of one register."""

from __future__ import annotations

from tfc.ir.dtypes import int64
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.ops import Reduce

from ..llvm.reductions import slot_reduction
from ..llvm.registers import Reg, llvm_type
from .vector_loops import VectorLoopWriter


def reduction(writer: VectorLoopWriter, op: Reduce) -> None:
    """A reduction of any kind."""
    if op.kind == LoopKind.VECTOR:
        lane_reduction(writer, op)
    else:
        slot_reduction(writer, op)


def lane_reduction(writer: VectorLoopWriter, op: Reduce) -> None:
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
