"""Reductions along the lanes of one register."""

from __future__ import annotations

from tfc.ir.dtypes import bool_, int32, int64
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.ops import Reduce
from tfc.ir.ops import elementwise as ew

from ..llvm.reductions import most_of, slot_reduction
from ..llvm.registers import Reg, llvm_type
from .vector_loops import VectorLoopWriter


def reduction(writer: VectorLoopWriter, op: Reduce) -> None:
    """A reduction of any kind."""
    if op.kind == LoopKind.VECTOR and not writer.machine.scalar_loops:
        lane_reduction(writer, op)
    else:
        slot_reduction(writer, op)


def lane_reduction(writer: VectorLoopWriter, op: Reduce) -> None:
    """The slots are the lanes of one register; what is left of the last round is masked."""
    assert writer.lanes == 1, "a vector reduction inside a vector loop"
    count = writer.values[op.count].name
    most = count if count.isdigit() else most_of(op)
    lanes = writer.slots(most)
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

    beginning = first_place(writer, op)
    masked_rounds = most.isdigit() and not count.isdigit() and beginning is None
    if masked_rounds:  # less code than whole rounds, and one that is not
        rest = whole = "0"
    elif count.isdigit():
        rest, whole = str(int(count) % lanes), str(int(count) - int(count) % lanes)
    else:
        rest = writer.emit(f"and i64 {count}, {lanes - 1}")
        whole = writer.emit(f"sub i64 {count}, {rest}")
    partial = start

    def masked_run(index: str) -> list[tuple[str, str]]:
        old = writer.phis
        left = writer.emit(f"sub i64 {count}, {index}")
        mask = writer.first_lanes(left, lanes)
        with writer.scope(lanes, mask):
            new = writer.combine(op.combine, old, element(index), dtypes, lanes)
        return [(k, chosen(mask, k, n, p)) for k, n, p in zip(kinds, new, old, strict=True)]

    def chosen(mask: str, kind: str, new: str, old: str) -> str:
        return writer.emit(f"select <{lanes} x i1> {mask}, {kind} {new}, {kind} {old}")

    if masked_rounds:
        with writer.scope(lanes, None):
            partial = writer.counted(
                "0", count, lanes, masked_run, list(zip(kinds, start, strict=True))
            )
    if whole != "0" and beginning is not None:
        partial = extremes(writer, op, whole, lanes, beginning)
    elif whole != "0":
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
            masked = [chosen(mask, k, n, p) for k, n, p in zip(kinds, new, partial, strict=True)]
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
    if dtypes == [bool_] and op.combine == "bitwise_or":  # of bits, in whichever order
        writer.values[op.result] = Reg(writer.any_lane(partial[0], lanes)[1], bool_)
        return
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


def first_place(writer: VectorLoopWriter, op: Reduce) -> str | None:
    """The place of the first element, where element k has the k-th from there on; else None."""
    if op.combine not in ("argmax", "argmin"):
        return None
    k, place = op.body.params[0], op.body.returns[1]
    if place is k:
        return "0"
    if not isinstance(place.op, ew.Add) or k not in place.op.operands:
        return None
    other = place.op.y if place.op.x is k else place.op.x
    outside = other is not k and other.op not in op.body.body
    reg = writer.values[other] if outside else None
    return reg.name if reg is not None and reg.lanes == 1 and reg.stride is None else None


def extremes(writer: VectorLoopWriter, op: Reduce, whole: str, lanes: int, first: str) -> list[str]:
    """The largest or smallest of each lane's elements below `whole`, and their places.

    The elements of a lane come in the order of their places, so that of equals the one at hand
    stays; and they lie `lanes` apart, so that the round tells the place: a number as narrow as the
    elements, the same for all lanes. It begins with round 0, as the first element surely is there,
    or nothing is.
    """
    dtype, larger = op.body.returns[0].dtype, op.combine == "argmax"
    round_type = int64 if dtype.itemsize == 8 else int32
    kind, rounds = writer.type(dtype, lanes), writer.type(round_type, lanes)
    bools = writer.type(bool_, lanes)

    def run(index: str) -> list[tuple[str, str]]:
        x, old_round = writer.phis
        writer.values[op.body.params[0]] = Reg(index, int64, 1, "1")
        writer.body(op.body)
        y = writer.vector(writer.values[op.body.returns[0]], lanes)
        if dtype.is_floating:  # nan is better than all else, but for an earlier one
            above = writer.emit(f"fcmp {'ult' if larger else 'ugt'} {kind} {x}, {y}")
            told = writer.emit(f"fcmp ord {kind} {x}, {x}")
            better = writer.emit(f"and {bools} {above}, {told}")
        else:
            sign = "u" if dtype.is_unsigned else "s"
            better = writer.emit(f"icmp {sign}{'lt' if larger else 'gt'} {kind} {x}, {y}")
        number = writer.emit(f"lshr i64 {index}, {lanes.bit_length() - 1}")
        if round_type is int32:
            number = writer.emit(f"trunc i64 {number} to i32")
        here = writer.vector(Reg(number, round_type), lanes)
        return [
            (kind, writer.emit(f"select {bools} {better}, {kind} {y}, {kind} {x}")),
            (
                rounds,
                writer.emit(f"select {bools} {better}, {rounds} {here}, {rounds} {old_round}"),
            ),
        ]

    start = writer.splat(writer.neutral(op.combine, [dtype, int64])[0], dtype, lanes)
    with writer.scope(lanes, None):
        carried = [(kind, start), (rounds, writer.splat("0", round_type, lanes))]
        x, last_round = writer.counted("0", whole, lanes, run, carried)
    wide = writer.type(int64, lanes)
    if round_type is int32:
        last_round = writer.emit(f"zext {rounds} {last_round} to {wide}")
    shift = writer.splat(str(lanes.bit_length() - 1), int64, lanes)
    places = writer.emit(f"shl {wide} {last_round}, {shift}")
    places = writer.emit(f"add {wide} {places}, {writer.iota(lanes)}")
    if first != "0":
        places = writer.emit(f"add {wide} {places}, {writer.vector(Reg(first, int64), lanes)}")
    return [x, places]
