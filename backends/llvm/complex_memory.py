"""Loads and stores of pairs: complex numbers in memory are two floats side by side.

At stride 1 the pairs of all lanes are one plain access of twice as many elements, which shuffles
take apart or join; else each part is gathered or scattered by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from tfc.ir.kernels.ops import LoadPair, StorePair

from .memory import MemoryWriter
from .registers import Reg, memory_type, type_code


def load_pair(w: MemoryWriter, op: LoadPair) -> None:
    """Write the load; both results are in registers then."""
    buffer, offset = w.values[op.buffer], w.values[op.offset]
    dtype = op.buffer.dtype
    mask_reg = None if op.mask is None else w.values[op.mask]
    lanes = w.varying(offset, *([mask_reg] if mask_reg else []))
    element, align = memory_type(dtype), dtype.itemsize
    if lanes == 1:
        pointer = w.pointer(buffer, offset, f"[2 x {element}]")
        if mask_reg is None:  # one by one, so that each may go to all lanes of a register
            second = w.emit(f"getelementptr {element}, ptr {pointer}, i64 1")
            places = (pointer, second)
            parts = [w.emit(f"load {element}, ptr {p}, align {align}") for p in places]
        else:
            kind = f"<2 x {element}>"
            both = w.guarded_load(mask_reg.name, pointer, kind, align)
            parts = [w.emit(f"extractelement {kind} {both}, i64 {i}") for i in (0, 1)]
    else:
        mask = w.lane_mask(op.mask, lanes)
        if offset.stride == "1":
            parts = _load_side_by_side(w, buffer, offset, mask, element, lanes, align)
        else:
            parts = _gather(w, buffer, offset, mask, element, lanes, align)
    for result, part in zip(op.results, parts, strict=True):
        w.values[result] = Reg(part, dtype, lanes)


def _load_side_by_side(
    w: MemoryWriter,
    buffer: Reg,
    offset: Reg,
    mask: str | None,
    element: str,
    lanes: int,
    align: int,
) -> list[str]:
    count = 2 * lanes
    kind, bools = f"<{count} x {element}>", f"<{count} x i1>"
    pointer = w.pointer(buffer, offset, f"[2 x {element}]")
    if mask is None:
        both = w.emit(f"load {kind}, ptr {pointer}, align {align}")
    else:
        name = f"llvm.masked.load.v{count}{type_code(element)}.p0"
        w.declare(kind, name, f"ptr, i32, {bools}, {kind}")
        both = w.emit(
            f"call {kind} @{name}(ptr {pointer}, i32 {align}, {bools} {_doubled(w, mask, lanes)}, "
            f"{kind} zeroinitializer)"
        )
    return [
        w.emit(
            f"shufflevector {kind} {both}, {kind} poison, "
            f"<{lanes} x i32> {_indices(range(first, count, 2))}"
        )
        for first in (0, 1)
    ]


def _gather(
    w: MemoryWriter,
    buffer: Reg,
    offset: Reg,
    mask: str | None,
    element: str,
    lanes: int,
    align: int,
) -> list[str]:
    kind, bools = f"<{lanes} x {element}>", f"<{lanes} x i1>"
    name = f"llvm.masked.gather.v{lanes}{type_code(element)}.v{lanes}p0"
    w.declare(kind, name, f"<{lanes} x ptr>, i32, {bools}, {kind}")
    return [
        w.emit(
            f"call {kind} @{name}(<{lanes} x ptr> {pointers}, i32 {align}, "
            f"{bools} {mask or 'splat (i1 true)'}, {kind} zeroinitializer)"
        )
        for pointers in _pointers(w, buffer, offset, element, lanes)
    ]


def _pointers(w: MemoryWriter, buffer: Reg, offset: Reg, element: str, lanes: int) -> list[str]:
    """To the first and the second part in every lane."""
    first = w.pointers(buffer, offset, f"[2 x {element}]", lanes)
    return [first, w.emit(f"getelementptr {element}, <{lanes} x ptr> {first}, i64 1")]


def store_pair(w: MemoryWriter, op: StorePair) -> None:
    """Write the store."""
    buffer, offset = w.values[op.buffer], w.values[op.offset]
    dtype = op.buffer.dtype
    values = [w.values[v] for v in (op.first, op.second)]
    element, align = memory_type(dtype), dtype.itemsize
    lanes = w.varying(offset)
    if lanes == 1:
        assert all(v.lanes == 1 for v in values), "a varying value at one address"
        first = w.pointer(buffer, offset, f"[2 x {element}]")
        second = w.emit(f"getelementptr {element}, ptr {first}, i64 1")
        for pointer, value in zip((first, second), values, strict=True):
            w.do(f"store {element} {value.name}, ptr {pointer}, align {align}")
        return
    kind, bools = f"<{lanes} x {element}>", f"<{lanes} x i1>"
    x, y = (w.vector(v, lanes) for v in values)
    if offset.stride != "1":
        name = f"llvm.masked.scatter.v{lanes}{type_code(element)}.v{lanes}p0"
        w.declare("void", name, f"{kind}, <{lanes} x ptr>, i32, {bools}")
        mask = w.mask or "splat (i1 true)"
        for part, pointers in zip(
            (x, y), _pointers(w, buffer, offset, element, lanes), strict=True
        ):
            w.do(
                f"call void @{name}({kind} {part}, <{lanes} x ptr> {pointers}, i32 {align}, "
                f"{bools} {mask})"
            )
        return
    count = 2 * lanes
    order = [i + half for i in range(lanes) for half in (0, lanes)]
    both = w.emit(f"shufflevector {kind} {x}, {kind} {y}, <{count} x i32> {_indices(order)}")
    kind, bools = f"<{count} x {element}>", f"<{count} x i1>"
    pointer = w.pointer(buffer, offset, f"[2 x {element}]")
    if w.mask is None:
        w.do(f"store {kind} {both}, ptr {pointer}, align {align}")
        return
    name = f"llvm.masked.store.v{count}{type_code(element)}.p0"
    w.declare("void", name, f"{kind}, ptr, i32, {bools}")
    mask = _doubled(w, w.mask, lanes)
    w.do(f"call void @{name}({kind} {both}, ptr {pointer}, i32 {align}, {bools} {mask})")


def _doubled(w: MemoryWriter, mask: str, lanes: int) -> str:
    """The mask with every lane's flag twice."""
    if mask.startswith("<"):  # written out (see first_lanes)
        flags = [flag for flag in mask[1:-1].split(", ") for _ in range(2)]
        return "<" + ", ".join(flags) + ">"
    bools = f"<{lanes} x i1>"
    indices = _indices(i // 2 for i in range(2 * lanes))
    return w.emit(f"shufflevector {bools} {mask}, {bools} poison, <{2 * lanes} x i32> {indices}")


def _indices(places: Iterable[int]) -> str:
    return "<" + ", ".join(f"i32 {i}" for i in places) + ">"
